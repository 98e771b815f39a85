//! `quotient`: search on the quotient ([`crate::quotient`]) of a graph that consists of groups of vertices.

use crate::Found;
use crate::portfolio::strategy::{Opening, Resumable, Rounds, Stage, Strategy, Turn, TurnResult, Work};
use crate::portfolio::{Metric, tuned};
use crate::quotient::{self, Searches};

/// Strategy that chooses a path through each group of vertices.
pub(in crate::portfolio) const QUOTIENT: Strategy = Strategy {
    name: "quotient",
    summary: "clause learning chooses a path through each group of vertices; finds tours, but cannot prove that there is none",
    stage: Stage::Turns,
    opening: |graph| {
        let first = Opening { place: 60, slice: Some(tuned::QUOTIENT_CONFLICTS) };
        match quotient::has_groups(graph) {
            true => vec![first],
            false => Vec::new(),
        }
    },
    // The time until a cycle is found differs much from seed to seed.
    opens_every_thread: true,
    rounds: |graph| quotient::has_groups(graph).then_some(Rounds { place: 15, slice: tuned::QUOTIENT_CONFLICTS }),
    unit: "conflicts",
    goes_on: true,
    run,
    ..Strategy::GIVES_UP
};

fn run(work: &Work<'_>) -> (TurnResult, Vec<Metric>) {
    work.go_on(|| match Searches::new(work.graph, work.turn.seed, work.budget) {
        Ok(searches) => Ok(Box::new(searches)),
        Err(error) => Err(Found::Unknown(error.stopped())),
    })
}

impl Resumable for Searches {
    fn run(&mut self, turn: &Turn) -> (Found, Vec<Metric>) {
        let (found, statistics) = self.run(turn.slice);
        if statistics.groups == 0 {
            return (found, Vec::new());
        }
        let metrics = vec![
            Metric::most("groups", statistics.groups),
            Metric::most("automorphisms", statistics.automorphisms),
            Metric::most("coverings", statistics.coverings),
            Metric::sum("closings", statistics.closings),
            Metric::sum("steps", statistics.steps),
            Metric::sum("covers", statistics.covers),
            Metric::sum("odd_covers", statistics.odd_covers),
            Metric::sum("conflicts", statistics.conflicts),
        ];
        let fewest = statistics.fewest_cycles.map(|cycles| Metric::least("fewest_cycles", cycles));
        (found, metrics.into_iter().chain(fewest).collect())
    }
}
