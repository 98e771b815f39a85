//! Helpers shared by the methods that sweep a frontier: options, progress, results, and the refusal of graphs that are
//! too wide.

use std::io;
use std::path::Path;

use hamcnf_count::not_counted::{Cause, CountError, NotCounted};
use hamcnf_tours::Instance;

use super::{Advice, Counter, Enumerate, Sample, proved};
use crate::run::{Details, Failure, Run, RunResult, Share, Status};
use hamcnf_count::frontier::exact::ExactError;
use hamcnf_count::frontier::{self, exact};
use hamcnf_count::frontier::{Bytes, Progress, States};
use hamcnf_cycle::search::Proof;
use hamcnf_questions::Tours;

/// Returns the answer 0 if a cheap infeasibility check finds an obstruction.
pub(super) fn obstructed(tours: &Tours) -> Option<RunResult> {
    let none = proved(RunResult::default(), Proof::Obstruction(tours.obstruction()?));
    Some(none.with_value(Status::Count, 0u64))
}

/// Reports the progress of a frontier sweep to the observer.
pub(super) fn report(run: &Run<'_>, at: Progress) {
    let done = (at.finished_sweeps * at.layers + at.layer) as u64;
    let share = Share { done, of: (at.sweeps * at.layers) as u64 };
    run.settings().observer.at(Some(share), || said(at));
}

/// Describes the progress of a sweep in words.
pub(super) fn said(at: Progress) -> String {
    format!("{}, {}, {}", at.place(), States(at.states), Bytes(at.bytes))
}

/// Returns the options of an exact count in this run.
pub(super) fn options(run: &Run<'_>) -> exact::Options {
    exact::Options {
        threads: run.threads(),
        memory: run.memory(),
        budget: run.budget(),
        try_hard: run.settings().try_hard,
        ..exact::Options::default()
    }
}

/// Returns the result of a completed count of the tours of an instance.
pub(super) fn counted(exact: &frontier::Exact, instance: &Instance) -> RunResult {
    let mut result = RunResult::default();
    result.statistics.set("states", exact.generated);
    result.statistics.set("peak_states", exact.peak_states);
    result.statistics.set("width", exact.width);
    if exact.sweeps > 1 {
        result.statistics.set("sweeps", exact.sweeps);
    }
    if exact.scratch_bytes > 0 {
        result.statistics.set("scratch_bytes", exact.scratch_bytes);
    }
    result.peak_bytes = Some(exact.peak_bytes);
    result.scratch_bytes = Some(exact.scratch_bytes);
    result.how = format!(
        "exact, along a frontier of {} {}, at most {} in {}{}{}",
        exact.width,
        match (instance.symmetry(), instance.squares()) {
            (Some(_), _) => "orbits",
            (None, Some(_)) => "squares",
            (None, None) => "vertices",
        },
        States(exact.peak_states),
        Bytes(exact.peak_bytes),
        match exact.scratch_bytes {
            0 => String::new(),
            bytes => format!(" of memory and {} on disk", Bytes(bytes)),
        },
        match exact.sweeps {
            0 | 1 => String::new(),
            sweeps => format!(", by {sweeps} sweeps modulo primes"),
        }
    );
    result.with_value(Status::Count, &exact.count)
}

/// Refuses a graph without a narrow frontier or tree decomposition: sets the status and the message of the result.
pub(super) fn too_wide(result: RunResult, why: impl Into<String>) -> RunResult {
    result.ended(Status::Refused, why).with(Details::TooWide)
}

/// Returns the result of a count that was not completed.
///
/// # Errors
///
/// An error about a wrong result.
pub(super) fn not_counted(error: NotCounted) -> Result<RunResult, Failure> {
    let (result, why) = (RunResult::default(), error.to_string());
    Ok(match error.cause {
        Cause::TooWide => too_wide(result, why),
        Cause::Unsupported => result.refused(&why),
        Cause::Limit(limit) => RunResult { message: why, cause: None, ..result.stopped(limit) },
        Cause::Wrong => return Err(error.into()),
    })
}

/// Returns the result of a count that was not completed. `checkpoint` is the file for checkpoints.
///
/// # Errors
///
/// An error about the file for checkpoints, or about a wrong result.
pub(super) fn without(error: impl Into<CountError>, checkpoint: Option<&Path>) -> Result<RunResult, Failure> {
    let error = match error.into() {
        CountError::Exact(error) => error,
        CountError::Other(error) => return not_counted(error),
    };
    let result = RunResult::default();
    let status = match error {
        ExactError::Checkpoint(error) => return Err(error.into()),
        ExactError::TooWide(wide) => return Ok(too_wide(result, wide.why())),
        ExactError::Hopeless { .. } => {
            return Ok(result.ended(Status::Memout, error.to_string()).with(Details::NotBegun));
        }
        ExactError::TooMany(_) => Status::GaveUp,
        ExactError::Memory { .. } => Status::Memout,
        ExactError::NoScratch(ref error) | ExactError::Scratch { ref error, .. } => match error.why.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => Status::Memout,
            _ => return Err(error.to_string().into()),
        },
        ExactError::Time { .. } => Status::Timeout,
        ExactError::NotSaved { limit, why } => {
            let mut result = without(*limit, checkpoint)?;
            result.message = format!("{why}; {}", result.message);
            return Ok(result.with(Details::NotSaved));
        }
    };
    let changed = match error {
        ExactError::Memory { .. } => "with a higher --memory-limit, ",
        _ => "",
    };
    let why = match checkpoint.filter(|file| file.exists()) {
        Some(file) => format!("{error}; {changed}the same command resumes from {}", file.display()),
        None => error.to_string(),
    };
    Ok(result.ended(status, why))
}

/// Returns the advice to estimate the count by sampling, for an exact count that ran into a limit.
pub(super) fn sample_instead() -> Advice {
    Advice::to_use(Sample::default(), ", which estimates within any limits on memory and time")
}

/// Returns the advice to use temporary files, for a count that ran out of memory without them.
pub(super) fn disk_instead(status: Status, scratch: Option<&Path>) -> Option<Advice> {
    let is_out = status == Status::Memout && scratch.is_none();
    is_out.then(|| "a higher --memory-limit, or --scratch FOLDER, which moves states to disk".into())
}

/// Returns advice for graphs that are too wide if the status is `Refused`, otherwise the advice in `at_limit`.
pub(super) fn advice(status: Status, at_limit: impl IntoIterator<Item = Advice>) -> Vec<Advice> {
    match status {
        Status::Refused => vec![
            Advice::about(
                Counter::approxmc(),
                "--method approxmc (an estimate) or --method ganak (exact), which use no frontier",
            ),
            Advice::to_use(Enumerate::default(), ", which finds the tours one by one"),
            "`hamcnf solve`, which finds one tour".into(),
        ],
        _ => at_limit.into_iter().collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hamcnf_count::frontier::ScratchError;

    #[test]
    fn a_full_disk_is_a_limit_and_the_checkpoint_is_named() {
        let checkpoint = tempfile::NamedTempFile::new().unwrap();
        let error = |kind: io::ErrorKind| {
            let error = ScratchError { folder: "scratch".into(), why: kind.into() };
            without(ExactError::NoScratch(error), Some(checkpoint.path()))
        };
        let full = error(io::ErrorKind::StorageFull).unwrap();
        let resumes = format!("the same command resumes from {}", checkpoint.path().display());
        assert_eq!(full.status, Status::Memout);
        assert!(full.message.ends_with(&resumes), "{}", full.message);
        assert!(error(io::ErrorKind::PermissionDenied).is_err());
    }
}
