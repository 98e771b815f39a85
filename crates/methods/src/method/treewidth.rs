//! `treewidth`: counts tours by dynamic programming over a tree decomposition; see
//! [`count::treewidth`](hamcnf_count::treewidth).

use super::sweep::{advice, not_counted, sample_instead};
use super::{Advice, AutoCount, MethodKind, Profile};
use crate::run::{Failure, Run, RunResult, Status};
use hamcnf_count::treewidth;
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
        let found = treewidth::count(tours.instance(), tours.ends(), &run.budget());
        found.map(|found| counted(&found)).or_else(not_counted)
    }
}

/// Returns the result of a completed count.
pub(super) fn counted(found: &treewidth::Counted) -> RunResult {
    let mut result = RunResult::default().with_value(Status::Count, &found.count);
    result.statistics.set("width", found.width);
    result.how = format!("exact, over a tree decomposition of width {}", found.width);
    result
}
