//! `core`: the circuit [propagator on the core](crate::core). The core is the graph that remains after replacing
//! each narrow part by a list of the path segments through it.

use super::propagator;
use crate::core;
use crate::portfolio::strategy::{Argument, Rounds, Stage, Strategy, TurnResult, Work};
use crate::portfolio::{Metric, tuned};
use crate::quotient::has_groups;

/// Strategy that searches the core of the graph for a cycle.
pub(in crate::portfolio) const CORE: Strategy = Strategy {
    name: "core",
    summary: "circuit propagator on the core, in which narrow parts of the graph are replaced by path segments",
    stage: Stage::Turns,
    rounds: |graph| {
        let slice = match has_groups(graph) {
            true => tuned::LITERALS_WITH_GROUPS,
            false => tuned::FIRST_LITERALS,
        };
        Some(Rounds { place: 10, slice })
    },
    unit: propagator::UNIT,
    is_exact: true,
    is_for_narrow: true,
    argument: Argument::Propagator,
    run,
    ..Strategy::GIVES_UP
};

fn run(work: &Work<'_>) -> (TurnResult, Vec<Metric>) {
    let round = work.turn.variant as usize % tuned::CORE_WIDTHS.len();
    let options = core::Options {
        most_width: tuned::CORE_WIDTHS[round],
        states: tuned::CORE_STATES,
        ways: if work.alone { u64::MAX } else { tuned::CORE_WAYS },
        propagator: propagator::options(work.turn),
        limits: propagator::limits(work.turn),
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
