//! `zdd`: counts tours by a decision diagram over edges. The diagram also lists, numbers and samples tours; see
//! [`frontier::diagram`](hamcnf_count::frontier::diagram).

use super::sweep::{advice, not_counted, report};
use super::{Advice, Exact, MethodKind, Profile, Sample};
use crate::run::{Details, Failure, Run, RunResult, Status};
use hamcnf_count::frontier::diagram::Diagram;
use hamcnf_questions::{Question, Tours};

/// Exact count by a decision diagram over edges.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Zdd;

impl MethodKind for Zdd {
    fn profile(&self) -> Profile<'_> {
        let summary = "exact count by a decision diagram over edges; also lists all tours";
        Profile { diagram: true, ..Profile::exact_count("zdd", summary) }
    }

    fn advice(&self, _: &Question, status: Status) -> Vec<Advice> {
        let at_limit = [
            Advice::to_use(Exact::default(), ", which needs less memory but only counts"),
            Advice::to_use(Sample::default(), ", which estimates"),
        ];
        advice(status, at_limit)
    }

    fn run(&self, tours: &Tours, run: &Run<'_>) -> Result<RunResult, Failure> {
        let diagram = Diagram::new(tours.instance(), tours.ends(), &run.budget(), &mut |at| report(run, at));
        let counted = |diagram: Diagram| {
            let mut result = RunResult::default().with_value(Status::Count, diagram.count());
            let (nodes, edges) = (diagram.nodes(), diagram.elements().len());
            result.statistics.set("nodes", nodes);
            result.how = format!("a decision diagram of {nodes} nodes over {edges} edges");
            result.with(Details::Diagram(Box::new(diagram)))
        };
        diagram.map(counted).or_else(not_counted)
    }
}
