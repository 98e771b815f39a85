//! `two-factor`: finds a [2-factor](crate::cycle::factor) of a bipartite graph and merges its cycles. Solves boards of
//! any size.

use hamcnf_encodings::Facts;

use crate::cycle::alternating;
use crate::portfolio::Metric;
use crate::portfolio::strategy::{Argument, Stage, StrategyKind, TurnResult, Work};

/// Strategy that finds a 2-factor and merges its cycles.
pub(in crate::portfolio) struct TwoFactor;

impl StrategyKind for TwoFactor {
    fn name(&self) -> &'static str {
        "two-factor"
    }

    fn summary(&self) -> &'static str {
        "2-factor of a bipartite graph, whose cycles are merged into one"
    }

    fn stage(&self) -> Stage {
        Stage::Whole
    }

    fn suits(&self, graph: &Facts) -> bool {
        graph.colours().is_some()
    }

    fn is_compared(&self) -> bool {
        true
    }

    fn argument(&self) -> Argument {
        Argument::NoFactor
    }

    fn run(&self, work: &Work<'_>) -> (TurnResult, Vec<Metric>) {
        let found = alternating::find(work.graph, work.turn.seed.into(), work.budget);
        (found.into(), Vec::new())
    }
}
