//! `lazy`: a [degree relaxation](crate::lazy) with lazy subtour-elimination constraints.

use crate::Found;
use crate::lazy::Searches;
use crate::portfolio::strategy::{Argument, Opening, Resumable, Rounds, Stage, Strategy, Turn, TurnResult, Work};
use crate::portfolio::{Metric, tuned};

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
    rounds: |_| Some(Rounds { place: 40, slice: tuned::FIRST_CONFLICTS }),
    unit: "conflicts",
    goes_on: true,
    is_exact: true,
    tells_rounds: true,
    argument: Argument::Cuts,
    run,
    ..Strategy::GIVES_UP
};

fn run(work: &Work<'_>) -> (TurnResult, Vec<Metric>) {
    work.go_on(|| Ok(Box::new(Searches::new(work.graph, work.turn.seed, work.budget))))
}

impl Resumable for Searches {
    fn run(&mut self, turn: &Turn) -> (Found, Vec<Metric>) {
        let (found, statistics) = self.run(turn.slice);
        let mut metrics = vec![
            Metric::sum("conflicts", statistics.conflicts),
            Metric::sum("rounds", statistics.rounds),
            Metric::sum("cuts", statistics.cuts),
            Metric::sum("literals", statistics.literals),
        ];
        if statistics.rounds > 0 {
            metrics.push(Metric::least("fewest_cycles", statistics.cycles));
        }
        (found, metrics)
    }
}
