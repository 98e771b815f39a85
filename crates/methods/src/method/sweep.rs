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

/// Advice for exact counts that a limit ends.
pub(super) const SAMPLE_INSTEAD: &str =
    "--method sample estimates, in as little memory and time as it is given";

/// Returns a method's advice for limits, or the advice for graphs that are too wide.
pub(super) fn advice(status: Status, at_limit: &[&str]) -> Vec<String> {
    let advice = match status {
        Status::Refused => &[
            "--method approxmc estimates and ganak counts without a frontier",
            "--method enumerate finds tours one by one",
            "hamcnf solve finds one",
        ],
        _ => at_limit,
    };
    advice.iter().map(|&phrase| phrase.to_owned()).collect()
}
