//! `lazy`: a [degree relaxation](crate::lazy) with lazy subtour-elimination constraints.

use crate::Found;
use crate::lazy::Searches;
use crate::portfolio::strategy::{Argument, Opening, Rounds, Stage, Strategy, TurnResult, Work};
use crate::portfolio::{Metric, tuned};
use hamcnf_graph::budget::Stopped;

/// Strategy that solves the degree constraints and adds subtour-elimination constraints lazily.
pub(in crate::portfolio) const LAZY: Strategy = Strategy {
    name: "lazy",
    summary: "CaDiCaL on degree constraints, with lazy subtour-elimination constraints",
    stage: Stage::Turns,
    opening: |graph| {
        let few = Opening { place: 40, slice: Some(tuned::FEW_CONFLICTS) };
        match graph.n_edges() <= tuned::FEW_EDGES {
            true => vec![few],
            false => Vec::new(),
        }
    },
    rounds: |_| Some(Rounds { place: 40, slice: tuned::FIRST_CONFLICTS, first_seed: 0 }),
    unit: "conflicts",
    goes_on: true,
    is_exact: true,
    tells_rounds: true,
    argument: Argument::Cuts,
    run,
    ..Strategy::GIVES_UP
};

fn run(work: &Work<'_>) -> (TurnResult, Vec<Metric>) {
    let mut kept = work.kept.lazy.borrow_mut();
    let searches = kept.get_or_insert_with(|| Searches::new(work.graph, work.turn.seed, work.budget));
    let (found, statistics) = searches.run(work.turn.slice);
    if found == Found::Nothing(Stopped::Memory) {
        *kept = None;
    }
    let mut metrics = vec![
        Metric::sum("conflicts", statistics.conflicts),
        Metric::sum("rounds", statistics.rounds),
        Metric::sum("cuts", statistics.cuts),
        Metric::sum("literals", statistics.literals),
    ];
    if statistics.rounds > 0 {
        metrics.push(Metric::least("fewest_cycles", statistics.cycles));
    }
    (found.into(), metrics)
}
