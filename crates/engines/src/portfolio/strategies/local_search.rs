//! `local-search`: [local search](crate::cycle::local). Its short first turn examines three edges per arc. This
//! suffices for most graphs that were not constructed to be hard, such as dense and random graphs of any size.

use hamcnf_encodings::Graph;

use crate::cycle::local;
use crate::portfolio::strategy::{Opening, Rounds, Slice, Stage, StrategyKind, TurnResult, Work};
use crate::portfolio::{Metric, tuned};

/// Strategy that runs a local search for a cycle.
pub(in crate::portfolio) struct LocalSearch;

/// Returns the maximum number of edges that the second opening turn examines.
fn first_looks(graph: &Graph) -> u64 {
    tuned::FIRST_LOOKS.min(tuned::LOOKS_PER_ARC * u64::from(graph.n_arcs()))
}

impl StrategyKind for LocalSearch {
    fn name(&self) -> &'static str {
        "local-search"
    }

    fn summary(&self) -> &'static str {
        "local search; only its reductions can prove that there is no tour"
    }

    fn stage(&self) -> Stage {
        Stage::Turns
    }

    fn opening(&self, graph: &Graph) -> Vec<Opening> {
        let turn = |place, looks| Opening {
            place,
            slice: Some(Slice::Looks(looks)),
        };
        let glance = turn(10, tuned::GLANCES_PER_ARC * u64::from(graph.n_arcs()));
        match graph.n_edges() <= tuned::FEW_EDGES {
            true => vec![glance, turn(30, first_looks(graph))],
            false => vec![glance],
        }
    }

    fn rounds(&self, graph: &Graph) -> Option<Rounds> {
        Some(Rounds {
            place: 20,
            slice: Slice::Looks(tuned::ROUND_LOOKS * first_looks(graph)),
            first_seed: 1,
        })
    }

    fn run(&self, work: &Work<'_>) -> (TurnResult, Vec<Metric>) {
        let seed = work.turn.seed.into();
        let found = match work.turn.slice {
            Some(Slice::Looks(most)) => local::search_within(work.graph, seed, most, work.budget),
            _ => local::search(work.graph, seed, work.budget),
        };
        (found.into(), Vec::new())
    }
}
