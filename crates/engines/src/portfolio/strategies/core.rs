//! `core`: the circuit [propagator on the core](crate::cycle::core). The core is the graph that remains after replacing
//! each narrow part by a list of the path segments through it.

use hamcnf_encodings::Graph;

use super::propagator;
use crate::cycle::core;
use crate::portfolio::strategy::{Argument, Rounds, Slice, Stage, StrategyKind, TurnResult, Work};
use crate::portfolio::{Metric, tuned};

/// Strategy that searches the core of the graph for a cycle.
pub(in crate::portfolio) struct Core;

impl StrategyKind for Core {
    fn name(&self) -> &'static str {
        "core"
    }

    fn summary(&self) -> &'static str {
        "circuit propagator on the core, in which narrow parts of the graph are replaced by path segments"
    }

    fn stage(&self) -> Stage {
        Stage::Turns
    }

    fn rounds(&self, _: &Graph) -> Option<Rounds> {
        Some(Rounds { place: 10, slice: Slice::Literals(tuned::FIRST_LITERALS[0]), first_seed: 0 })
    }

    fn is_exact(&self) -> bool {
        true
    }

    fn is_for_narrow(&self) -> bool {
        true
    }

    fn argument(&self) -> Argument {
        Argument::Propagator
    }

    fn run(&self, work: &Work<'_>) -> (TurnResult, Vec<Metric>) {
        let round = work.turn.variant as usize % tuned::CORE_WIDTHS.len();
        let options = core::Options {
            most_width: tuned::CORE_WIDTHS[round],
            states: tuned::CORE_STATES,
            ways: if work.alone { u64::MAX } else { tuned::CORE_WAYS },
            propagator: propagator::options(work.turn),
        };
        let (found, statistics) = core::find(work.graph, &options, work.budget);
        let mut metrics = vec![
            Metric::most("vertices", statistics.core),
            Metric::sum("pieces", statistics.pieces),
            Metric::sum("ways", statistics.ways),
            Metric::sum("links", statistics.links),
        ];
        metrics.extend(propagator::metrics(&statistics.propagator));
        (found.into(), metrics)
    }
}
