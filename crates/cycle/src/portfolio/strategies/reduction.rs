//! `reduction`: finds forced edges, and splits the graph at small separators of vertices or edges; see
//! [`reduction`](crate::reduction). The resulting graphs are searched separately, the smallest first; all of
//! them must have a Hamiltonian cycle.

use crate::Found;
use crate::portfolio::strategy::{Stage, Strategy, TurnResult, Work};
use crate::portfolio::{Metric, tuned};
use crate::reduction::{Reduced, reduce};

/// Strategy that reduces the graph, or splits it into smaller graphs.
pub(in crate::portfolio) const REDUCTIONS: Strategy = Strategy {
    name: "reduction",
    summary: "forced edges, and splitting of the graph at small separators",
    stage: Stage::Split,
    suits: |graph| graph.graph().n_edges() <= tuned::REDUCED_EDGES,
    is_random: false,
    run,
    ..Strategy::GIVES_UP
};

fn run(work: &Work<'_>) -> (TurnResult, Vec<Metric>) {
    let reduction = match reduce(work.graph, work.budget) {
        Err(stopped) => return (Found::Unknown(stopped).into(), Vec::new()),
        Ok(Reduced::None) => return (Found::NoCycle.into(), Vec::new()),
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
