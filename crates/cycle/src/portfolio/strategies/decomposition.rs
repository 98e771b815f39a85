//! `decomposition`: [dynamic programming](crate::decomposition), if an elimination order of small width is
//! found. It finds a cycle or proves that none exists.

use crate::Found;
use crate::decomposition::{self, Elimination};
use crate::portfolio::strategy::{Argument, Opening, Stage, Strategy, TurnResult, Work};
use crate::portfolio::{Metric, tuned};

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
    let mut order = work.shared.order();
    let order = order.get_or_insert_with(|| Elimination::min_degree(work.graph, most, work.budget));
    let order = match order {
        Err(stopped) => return (Found::Nothing(*stopped).into(), Vec::new()),
        Ok(order) => order,
    };
    if let Some(states) = work.turn.slice
        && order.cost() > states
    {
        let metrics = vec![Metric::most("width", order.width().into())];
        return (TurnResult::GAVE_UP, metrics);
    }
    let (found, statistics) = decomposition::find(work.graph, order, decomposition::MOST_STATES, work.budget);
    let metrics = vec![
        Metric::sum("states", statistics.states),
        Metric::most("peak_states", statistics.most_states),
        Metric::most("width", statistics.width.into()),
    ];
    (found.into(), metrics)
}
