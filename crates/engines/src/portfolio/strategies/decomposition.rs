//! `decomposition`: [dynamic programming](crate::cycle::decomposition), if an elimination order of small width is
//! found. It finds a cycle or proves that none exists.

use hamcnf_encodings::Graph;

use crate::cycle::Found;
use crate::cycle::decomposition::{self, Elimination};
use crate::portfolio::strategy::{Argument, Opening, Slice, Stage, StrategyKind, TurnResult, Work};
use crate::portfolio::{Metric, tuned};

/// Strategy that runs dynamic programming: it computes tables of states along an elimination order.
pub(in crate::portfolio) struct Decomposition;

impl StrategyKind for Decomposition {
    fn name(&self) -> &'static str {
        "decomposition"
    }

    fn summary(&self) -> &'static str {
        "dynamic programming over a tree decomposition"
    }

    fn stage(&self) -> Stage {
        Stage::Turns
    }

    fn opening(&self, graph: &Graph) -> Vec<Opening> {
        let few = Opening { place: 20, slice: Some(Slice::States(tuned::FEW_STATES)) };
        let whole = Opening { place: 50, slice: None };
        // On a small graph, try only small tables first: other strategies may solve the graph although its order is
        // wide.
        match graph.n_edges() <= tuned::FEW_EDGES {
            true => vec![few, whole],
            false => vec![whole],
        }
    }

    fn is_exact(&self) -> bool {
        true
    }

    fn is_random(&self) -> bool {
        false
    }

    fn is_for_narrow(&self) -> bool {
        true
    }

    fn argument(&self) -> Argument {
        Argument::Tables
    }

    fn run(&self, work: &Work<'_>) -> (TurnResult, Vec<Metric>) {
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
        if let Some(Slice::States(states)) = work.turn.slice
            && order.cost() > states
        {
            let metrics = vec![Metric::most("width", order.width().into())];
            return (TurnResult::GAVE_UP, metrics);
        }
        let options = decomposition::Options::default();
        let (found, statistics) = decomposition::find(work.graph, order, &options, work.budget);
        let metrics = vec![
            Metric::sum("states", statistics.states),
            Metric::most("peak_states", statistics.most_states),
            Metric::most("width", statistics.width.into()),
        ];
        (found.into(), metrics)
    }
}
