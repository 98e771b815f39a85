//! `local-search`: [local search](crate::local). Its short first turn examines three edges per arc. This
//! suffices for most graphs that were not constructed to be hard, such as dense and random graphs of any size.

use hamcnf_graph::Graph;

use crate::local;
use crate::portfolio::strategy::{Opening, Rounds, Stage, Strategy, TurnResult, Work};
use crate::portfolio::{Metric, tuned};

/// Strategy that runs a local search for a cycle.
pub(in crate::portfolio) const LOCAL_SEARCH: Strategy = Strategy {
    name: "local-search",
    summary: "local search; only its reductions can prove that there is no tour",
    stage: Stage::Turns,
    opening: |graph| {
        let turn = |place, slice| Opening { place, slice: Some(slice) };
        let glance = turn(10, looks(graph, tuned::GLANCES_PER_ARC, u64::MAX));
        let second = || looks(graph, tuned::LOOKS_PER_ARC, tuned::FIRST_LOOKS);
        match graph.n_edges() <= tuned::FEW_EDGES {
            true => vec![glance, turn(30, second())],
            false => vec![glance],
        }
    },
    rounds: |graph| {
        let degree = graph.n_arcs().div_ceil(graph.n_vertices().max(1));
        let per_arc = match degree {
            0..=5 => tuned::ROUND_LOOKS_IF_SPARSE,
            _ => tuned::ROUND_LOOKS_PER_ARC * u64::from(degree - 2),
        };
        Some(Rounds { place: 20, slice: looks(graph, per_arc, tuned::ROUND_LOOKS) })
    },
    unit: "edges examined",
    run,
    ..Strategy::GIVES_UP
};

/// Returns a limit on the examined edges, relative to the size of the graph and at most `most`.
fn looks(graph: &Graph, per_arc: u64, most: u64) -> u64 {
    most.min(per_arc * u64::from(graph.n_arcs()))
}

fn run(work: &Work<'_>) -> (TurnResult, Vec<Metric>) {
    let seed = work.turn.seed.into();
    let found = match work.turn.slice {
        Some(most) => local::search_within(work.graph, seed, most, work.budget),
        None => local::search(work.graph, seed, work.budget),
    };
    (found.into(), Vec::new())
}
