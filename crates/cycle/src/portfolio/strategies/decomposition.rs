//! `decomposition`: [dynamic programming](crate::decomposition), if an elimination order of small width is
//! found. It finds a cycle or proves that none exists.

use crate::Found;
use crate::decomposition::{self, Elimination};
use crate::portfolio::strategy::{Argument, Opening, Resumable, Stage, Strategy, Turn, TurnResult, Work};
use crate::portfolio::{Metric, tuned};
use hamcnf_graph::Graph;
use hamcnf_graph::budget::{Budget, Stopped};

/// Strategy that runs dynamic programming: it computes tables of states along an elimination order.
pub(in crate::portfolio) const DECOMPOSITION: Strategy = Strategy {
    name: "decomposition",
    summary: "dynamic programming over a tree decomposition",
    stage: Stage::Turns,
    opening: |graph| {
        let few = Opening { place: 20, slice: Some(tuned::FEW_STATES) };
        let whole = Opening { place: 50, slice: None };
        // On a small graph, try only small tables first: other strategies may solve the graph although its order is
        // wide.
        match graph.n_edges() <= tuned::FEW_EDGES {
            true => vec![few, whole],
            false => vec![whole],
        }
    },
    // A turn with more estimated states of all tables gives up at once.
    unit: "states",
    goes_on: true,
    is_exact: true,
    is_random: false,
    is_for_narrow: true,
    argument: Argument::Tables,
    run,
    ..Strategy::GIVES_UP
};

fn run(work: &Work<'_>) -> (TurnResult, Vec<Metric>) {
    let most = match work.alone {
        true => decomposition::MOST_WIDTH,
        false => tuned::MOST_WIDTH,
    };
    work.go_on(|| {
        let order = Elimination::min_degree(work.graph, most, work.budget);
        Ok(Box::new(Decomposition { graph: work.graph.clone(), order, budget: work.budget.clone() }))
    })
}

/// Graph with an elimination order, which further turns use again.
struct Decomposition {
    graph: Graph,
    /// The reason if no narrow order was found.
    order: Result<Elimination, Stopped>,
    budget: Budget,
}

impl Resumable for Decomposition {
    fn run(&mut self, turn: &Turn) -> (Found, Vec<Metric>) {
        let order = match &self.order {
            Err(stopped) => return (Found::Unknown(*stopped), Vec::new()),
            Ok(order) => order,
        };
        if turn.slice.is_some_and(|states| order.cost() > states) {
            let metrics = vec![Metric::most("width", order.width().into())];
            return (Found::Unknown(Stopped::GaveUp), metrics);
        }
        let (found, statistics) = decomposition::find(&self.graph, order, decomposition::MOST_STATES, &self.budget);
        let metrics = vec![
            Metric::sum("states", statistics.states),
            Metric::most("peak_states", statistics.most_states),
            Metric::most("width", statistics.width.into()),
        ];
        (found, metrics)
    }
}
