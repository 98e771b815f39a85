//! `obstruction`: cheap infeasibility checks, without a search.

use hamcnf_encodings::obstruction;

use crate::portfolio::Metric;
use crate::portfolio::strategy::{Stage, StrategyKind, TurnResult, Work};

/// Strategy that looks for an obstruction. An obstruction proves that no tour exists.
pub(in crate::portfolio) struct Obstructions;

impl StrategyKind for Obstructions {
    fn name(&self) -> &'static str {
        "obstruction"
    }

    fn summary(&self) -> &'static str {
        "cheap infeasibility checks, without a search"
    }

    fn stage(&self) -> Stage {
        Stage::Question
    }

    fn is_random(&self) -> bool {
        false
    }

    fn run(&self, work: &Work<'_>) -> (TurnResult, Vec<Metric>) {
        let found = obstruction(work.instance, work.ends);
        let outcome = found.map_or(TurnResult::GAVE_UP, TurnResult::Obstructed);
        (outcome, Vec::new())
    }
}
