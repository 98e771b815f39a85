//! `obstruction`: cheap infeasibility checks, without a search.

use hamcnf_tours::obstruction;

use crate::portfolio::Metric;
use crate::portfolio::strategy::{Stage, Strategy, TurnResult, Work};

/// Strategy that looks for an obstruction. An obstruction proves that no tour exists.
pub(in crate::portfolio) const OBSTRUCTIONS: Strategy = Strategy {
    name: "obstruction",
    summary: "cheap infeasibility checks, without a search",
    stage: Stage::Question,
    is_random: false,
    run,
    ..Strategy::GIVES_UP
};

fn run(work: &Work<'_>) -> (TurnResult, Vec<Metric>) {
    let found = obstruction(work.instance, work.ends);
    let outcome = found.map_or(TurnResult::GAVE_UP, TurnResult::Obstructed);
    (outcome, Vec::new())
}
