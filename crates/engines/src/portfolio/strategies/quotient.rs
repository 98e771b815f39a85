//! `quotient`: search on the quotient ([`crate::cycle::quotient`]) of a graph that consists of groups of vertices.

use hamcnf_encodings::Graph;

use crate::cycle::quotient;
use crate::portfolio::strategy::{Opening, Rounds, Slice, Stage, StrategyKind, TurnResult, Work};
use crate::portfolio::{Metric, tuned};

/// Strategy that chooses a path through each group of vertices.
pub(in crate::portfolio) struct Quotient;

impl StrategyKind for Quotient {
    fn name(&self) -> &'static str {
        "quotient"
    }

    fn summary(&self) -> &'static str {
        "clause learning chooses a path through each group of vertices; finds tours, but cannot prove that there is none"
    }

    fn stage(&self) -> Stage {
        Stage::Turns
    }

    fn opening(&self, graph: &Graph) -> Vec<Opening> {
        let first = Opening { place: 50, slice: Some(Slice::Conflicts(tuned::OPENING_QUOTIENT)) };
        match quotient::has_groups(graph) {
            true => vec![first],
            false => Vec::new(),
        }
    }

    fn opens_every_thread(&self) -> bool {
        // The time until a cycle is found differs much from seed to seed.
        true
    }

    fn rounds(&self, graph: &Graph) -> Option<Rounds> {
        quotient::has_groups(graph).then_some(Rounds {
            place: 50,
            slice: Slice::Conflicts(tuned::FIRST_QUOTIENT),
            first_seed: 1,
        })
    }

    fn run(&self, work: &Work<'_>) -> (TurnResult, Vec<Metric>) {
        let options = quotient::Options {
            seed: work.turn.seed,
            conflicts: match work.turn.slice {
                Some(Slice::Conflicts(conflicts)) => Some(conflicts),
                _ => None,
            },
        };
        let (found, statistics) = quotient::find(work.graph, &options, work.budget);
        let metrics = vec![
            Metric::most("groups", statistics.groups),
            Metric::most("automorphisms", statistics.automorphisms),
            Metric::sum("closings", statistics.closings),
            Metric::sum("conflicts", statistics.conflicts),
        ];
        (found.into(), metrics)
    }
}
