//! `treewidth`: counts tours by dynamic programming over a tree decomposition; see
//! [`count::treewidth`](hamcnf_count::treewidth).

use super::sweep::{advice, sample_instead, too_wide};
use super::{Advice, AutoCount, MethodKind, Profile};
use crate::run::{Failure, Run, RunResult, Status};
use hamcnf_count::treewidth::{self, TreewidthError};
use hamcnf_questions::{Question, Tours};

/// Exact count by dynamic programming over a tree decomposition.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Treewidth;

impl MethodKind for Treewidth {
    fn profile(&self) -> Profile<'_> {
        let summary = "exact count by dynamic programming over a tree decomposition, for graphs of small width";
        Profile::exact_count("treewidth", summary)
    }

    fn advice(&self, _: &Question, status: Status) -> Vec<Advice> {
        let reduced = Advice::to_use(AutoCount::default(), ", which reduces the graph first");
        let refused = (status == Status::Refused).then_some(reduced);
        refused.into_iter().chain(advice(status, [sample_instead()])).collect()
    }

    fn run(&self, tours: &Tours, run: &Run<'_>) -> Result<RunResult, Failure> {
        Ok(match treewidth::count(tours.instance(), tours.ends(), &run.budget()) {
            Ok(found) => counted(&found),
            Err(error) => without(&error),
        })
    }
}

/// Returns the result of a completed count.
pub(super) fn counted(found: &treewidth::Counted) -> RunResult {
    let mut result = RunResult::default().with_value(Status::Count, &found.count);
    result.statistics.set("width", found.width);
    result.how = format!("exact, over a tree decomposition of width {}", found.width);
    result
}

/// Returns the result of a count that was not completed.
pub(super) fn without(error: &TreewidthError) -> RunResult {
    let result = RunResult::default();
    let status = match error {
        TreewidthError::TooWide => return too_wide(result, error.to_string()),
        TreewidthError::Graph(_) => Status::Refused,
        TreewidthError::Memory { .. } | TreewidthError::TooMany { .. } => Status::Memout,
        TreewidthError::Time => Status::Timeout,
    };
    result.ended(status, error.to_string())
}
