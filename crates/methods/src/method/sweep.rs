//! Helpers shared by the methods that sweep a frontier: progress, and the refusal of graphs that are too wide.

use crate::run::{Details, Run, RunResult, Share, Status};
use hamcnf_engines::count::frontier::{Bytes, Progress};

/// Reports the progress of a frontier sweep to the observer.
pub(super) fn report(run: &Run<'_>, at: Progress) {
    run.settings().observer.at(Some(share(at)), || said(at));
}

/// Returns the share of the vertices that the sweep has passed.
fn share(at: Progress) -> Share {
    Share {
        done: at.layer as u64,
        of: at.layers as u64,
    }
}

/// Describes the progress of a sweep in words.
pub(super) fn said(at: Progress) -> String {
    format!(
        "vertex {} of {}, {} states, {}",
        at.layer,
        at.layers,
        at.states,
        Bytes(at.bytes)
    )
}

/// Refuses a graph without a narrow frontier or tree decomposition: sets the status and the message of the result.
pub(super) fn too_wide(result: RunResult, why: impl Into<String>) -> RunResult {
    result.ended(Status::Refused, why).with(Details::TooWide)
}

/// Advice for an exact count that ran into a limit.
pub(super) const SAMPLE_INSTEAD: &str =
    "--method sample, which estimates within any limits on memory and time";

/// Returns advice for graphs that are too wide if the status is `Refused`, otherwise the advice in `at_limit`.
pub(super) fn advice(status: Status, at_limit: &[&str]) -> Vec<String> {
    let advice = match status {
        Status::Refused => &[
            "--method approxmc (an estimate) or --method ganak (exact), which use no frontier",
            "--method enumerate, which finds the tours one by one",
            "`hamcnf solve`, which finds one tour",
        ],
        _ => at_limit,
    };
    advice.iter().map(|&phrase| phrase.to_owned()).collect()
}
