//! `reduction`: finds forced edges, and splits the graph into smaller ones if few vertices or edges separate it; see
//! [`reduction`](crate::cycle::reduction). The smaller graphs are searched separately, the smallest first; all of them must
//! have a cycle.

use hamcnf_encodings::Facts;

use crate::cycle::Found;
use crate::cycle::reduction::{Reduced, reduce};
use crate::portfolio::strategy::{Stage, StrategyKind, TurnResult, Work};
use crate::portfolio::{Metric, tuned};

/// Strategy that reduces the graph, or splits it into smaller graphs.
pub(in crate::portfolio) struct Reductions;

impl StrategyKind for Reductions {
    fn name(&self) -> &'static str {
        "reduction"
    }

    fn summary(&self) -> &'static str {
        "forced edges, and splitting of the graph at small separators"
    }

    fn stage(&self) -> Stage {
        Stage::Split
    }

    fn suits(&self, graph: &Facts) -> bool {
        graph.graph().n_edges() <= tuned::REDUCED_EDGES
    }

    fn is_random(&self) -> bool {
        false
    }

    fn run(&self, work: &Work<'_>) -> (TurnResult, Vec<Metric>) {
        let reduction = match reduce(work.graph, work.budget) {
            Err(stopped) => return (Found::Nothing(stopped).into(), Vec::new()),
            Ok(Reduced::None(_)) => return (Found::None.into(), Vec::new()),
            Ok(Reduced::Parts(reduction)) => reduction,
        };
        let parts = reduction.parts();
        let largest = parts.last().map_or(0, |part| part.n_vertices());
        let edges = parts.iter().map(|graph| u64::from(graph.n_edges()));
        let metrics = vec![
            Metric::sum("parts", parts.len() as u64),
            Metric::most("largest", largest.into()),
            Metric::sum("edges", edges.sum()),
        ];
        let outcome = match reduction.cycles() {
            Some(cycles) => Found::Cycle(reduction.lift(&cycles)).into(),
            None => TurnResult::Parts(reduction),
        };
        (outcome, metrics)
    }
}
