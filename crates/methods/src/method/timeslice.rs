//! `timeslice`: counts tours by a decision diagram over vertices and their positions in the tour; see
//! `count::timeslice`.

use super::{Advice, Exact, MethodKind, Profile};
use crate::run::{Event, Failure, Run, RunResult, Share, Status};
use hamcnf_count::diagrams::BYTES_A_NODE;
use hamcnf_count::timeslice;
use hamcnf_questions::{Question, Tours};

/// Exact count by a decision diagram over vertices and their positions in the tour (times).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Timeslice;

impl MethodKind for Timeslice {
    fn profile(&self) -> Profile<'_> {
        let summary = "exact count by a decision diagram over pairs of vertex and time";
        Profile::exact_count("timeslice", summary)
    }

    fn advice(&self, _: &Question, _: Status) -> Vec<Advice> {
        let text = "--method exact or --method zdd, which are faster and need less memory";
        vec![Advice::about(Exact::default(), text)]
    }

    fn run(&self, tours: &Tours, run: &Run<'_>) -> Result<RunResult, Failure> {
        /// Number of vertices from which other methods are more than a hundred times as fast.
        const SLOW: u32 = 28;
        if tours.instance().n() >= SLOW {
            run.notify(Event::Remark(
                "on this graph, other methods such as \"exact\" and \"zdd\" are more than a hundred times as fast",
            ));
        }
        let default = timeslice::Options::default();
        let nodes = run.settings().memory.or(run.settings().limits.memory).map(|_| run.memory() / BYTES_A_NODE);
        let nodes = nodes.map(|nodes| usize::try_from(nodes).unwrap_or(usize::MAX));
        let options =
            timeslice::Options { node_capacity: nodes.unwrap_or(default.node_capacity), budget: run.budget() };
        let mut show = |at: timeslice::Progress| {
            let share = Share { done: at.conjoined as u64, of: at.of as u64 };
            run.settings()
                .observer
                .at(Some(share), || format!("{} of {} constraints, {} nodes", at.conjoined, at.of, at.nodes));
        };
        let counted = |found: timeslice::Counted| {
            let mut result = RunResult::default().with_value(Status::Count, &found.count);
            result.statistics.set("peak_nodes", found.peak_nodes);
            result.statistics.set("nodes", found.nodes);
            result.how = format!(
                "a decision diagram of {} nodes over {} pairs of vertex and time, at most {} nodes while it was built",
                found.nodes,
                u64::from(tours.instance().n()).pow(2),
                found.peak_nodes
            );
            result
        };
        let found = timeslice::count(tours.instance(), tours.ends(), &options, &mut show);
        found.map(counted).or_else(super::sweep::not_counted)
    }
}
