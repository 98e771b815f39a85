//! `propagator`: CaDiCaL with a [propagator for circuits](crate::propagator), on the graph itself.

use crate::Found;
use crate::factor::{Factor, two_factor};
use crate::merge::merge;
use crate::portfolio::strategy::{Argument, Resumable, Rounds, Stage, Strategy, Turn, TurnResult, Work};
use crate::portfolio::{Metric, tuned};
use crate::propagator::{Limits, Options, PropagatorStatistics, Search};
use hamcnf_graph::budget::Stopped;
use hamcnf_sat::solve::bridge::OutOfMemory;

/// Strategy that searches with CaDiCaL and a circuit propagator.
pub(in crate::portfolio) const PROPAGATOR: Strategy = Strategy {
    name: "propagator",
    summary: "CaDiCaL with a circuit propagator",
    stage: Stage::Turns,
    rounds: |_| Some(Rounds { place: 30, slice: tuned::FIRST_LITERALS }),
    unit: UNIT,
    goes_on: true,
    is_exact: true,
    argument: Argument::Propagator,
    run,
    ..Strategy::GIVES_UP
};

/// Literals that the SAT solver assigns and reports to the circuit propagator.
pub(super) const UNIT: &str = "propagated literals";

fn run(work: &Work<'_>) -> (TurnResult, Vec<Metric>) {
    work.go_on(|| match Search::new(work.graph, near(work)?.as_ref(), &options(work.turn), work.budget) {
        Ok(search) => Ok(Box::new(search)),
        Err(OutOfMemory) => Err(Found::Unknown(Stopped::Memory)),
    })
}

impl Resumable for Search {
    fn run(&mut self, turn: &Turn) -> (Found, Vec<Metric>) {
        let (found, statistics) = self.run(limits(turn));
        (found, metrics(&statistics).to_vec())
    }
}

/// Finds a 2-factor from which the propagator starts, and merges its cycles as far as possible. Returns `None` on every
/// third thread and for the largest graphs. If this step already ends the turn, returns the result of the turn as an
/// error.
fn near(work: &Work<'_>) -> Result<Option<Factor>, Found> {
    let Work { graph, turn, budget, .. } = work;
    if turn.variant % 3 == 2 || graph.n_edges() > tuned::FACTOR_EDGES {
        return Ok(None);
    }
    match two_factor(graph, Some(turn.seed.into()), budget) {
        Ok(Some(factor)) => Ok(Some(merge(graph, factor, budget))),
        // A graph without a 2-factor has no Hamiltonian cycle.
        Ok(None) => Err(Found::NoCycle),
        Err(Stopped::Memory) => Ok(None),
        Err(stopped) => Err(Found::Unknown(stopped)),
    }
}

/// Returns the options of the propagator for a turn.
pub(super) fn options(turn: &Turn) -> Options {
    Options { seed: turn.seed, ..Options::default() }
}

/// Returns the limits of the propagator for a turn.
pub(super) fn limits(turn: &Turn) -> Limits {
    let connectivity = tuned::CONNECTIVITY[usize::from(turn.variant > 0)];
    Limits { literals: turn.slice, connectivity }
}

/// Returns the metrics of a turn with the propagator.
pub(super) fn metrics(statistics: &PropagatorStatistics) -> [Metric; 7] {
    [
        Metric::sum("conflicts", statistics.counters.conflicts),
        Metric::sum("decisions", statistics.counters.decisions),
        Metric::sum("ticks", statistics.counters.ticks),
        Metric::sum("literals", statistics.literals),
        Metric::sum("closings", statistics.closings),
        Metric::sum("cycles", statistics.cycles),
        Metric::sum("parts", statistics.parts),
    ]
}
