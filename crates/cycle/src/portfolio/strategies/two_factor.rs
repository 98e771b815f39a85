//! `two-factor`: finds a [2-factor](crate::factor) of a bipartite graph and merges its cycles. Solves boards of
//! any size.

use crate::alternating;
use crate::portfolio::Metric;
use crate::portfolio::strategy::{Argument, Stage, Strategy, TurnResult, Work};

/// Strategy that finds a 2-factor and merges its cycles.
pub(in crate::portfolio) const TWO_FACTOR: Strategy = Strategy {
    name: "two-factor",
    summary: "2-factor of a bipartite graph, whose cycles are merged into one",
    stage: Stage::Whole,
    suits: |graph| graph.colours().is_some(),
    ends_soon: true,
    argument: Argument::NoFactor,
    run,
    ..Strategy::GIVES_UP
};

fn run(work: &Work<'_>) -> (TurnResult, Vec<Metric>) {
    let found = alternating::find(work.graph, work.turn.seed.into(), work.budget);
    (found.into(), Vec::new())
}
