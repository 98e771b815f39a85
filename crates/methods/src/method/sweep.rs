//! What methods along a frontier share: progress, and the refusal of graphs that are too wide.

use crate::run::{Details, Run, RunResult, Share, Status};
use hamcnf_engines::count::frontier::{Bytes, Progress};

/// Reports how far a sweep is.
pub(super) fn report(run: &Run<'_>, at: Progress) {
    run.settings().observer.at(Some(share(at)), || said(at));
}

/// Number of vertices that a sweep has passed.
fn share(at: Progress) -> Share {
    Share {
        done: at.layer as u64,
        of: at.layers as u64,
    }
}

/// Progress of a sweep, in words.
pub(super) fn said(at: Progress) -> String {
    format!(
        "vertex {} of {}, {} states, {}",
        at.layer,
        at.layers,
        at.states,
        Bytes(at.bytes)
    )
}

/// Refuses a graph without a narrow frontier or tree.
pub(super) fn too_wide(result: RunResult, why: impl Into<String>) -> RunResult {
    result.ended(Status::Refused, why).with(Details::TooWide)
}
