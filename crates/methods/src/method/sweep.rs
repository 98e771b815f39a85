//! Helpers shared by the methods that sweep a frontier: progress, and the refusal of graphs that are too wide.

use super::{Advice, Approxmc, Enumerate, Sample};
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

/// Returns the advice for an exact count that ran into a limit.
pub(super) fn sample_instead() -> Advice {
    let why = ", which estimates within any limits on memory and time";
    Advice::to_use(Sample::default(), why)
}

/// Returns advice for graphs that are too wide if the status is `Refused`, otherwise the advice in `at_limit`.
pub(super) fn advice<const K: usize>(status: Status, at_limit: [Advice; K]) -> Vec<Advice> {
    match status {
        Status::Refused => vec![
            Advice::about(
                Approxmc::default(),
                "--method approxmc (an estimate) or --method ganak (exact), which use no frontier",
            ),
            Advice::to_use(Enumerate::default(), ", which finds the tours one by one"),
            "`hamcnf solve`, which finds one tour".into(),
        ],
        _ => at_limit.into(),
    }
}
