//! Dynamic programming over a tree decomposition. It finds a Hamiltonian cycle, proves that there is none, or counts
//! the cycles.
//!
//! Vertices are eliminated one by one; the *bag* of a vertex contains the vertex and its neighbours at its elimination
//! (`order.rs`). For the edges that have been decided so far, only two facts matter: the number of chosen edges at each
//! vertex of the bag, and which path ends belong to the same path (`state.rs`). Tables of such states are joined along
//! the tree (`sweep.rs`, `table.rs`). The time is linear in the number of vertices, and exponential only in the width.
//!
//! - [`find`] reduces each group of states with equal degrees to a basis (`rank.rs`), so a table over b vertices has at
//!   most (2 + √2)^b states. The method is exact: a table without states proves that there is no cycle. Each state is
//!   stored with the indices of the two states that it was joined from. Following these indices back from the last
//!   table gives the edges of the cycle.
//! - [`count`] keeps all states, each with the number of edge sets that lead to it.
//!
//! # References
//!
//! - M. Cygan, S. Kratsch and J. Nederlof: *Fast Hamiltonicity checking via bases of perfect matchings*, Journal of
//!   the ACM 65(3), 2018.
//! - H. L. Bodlaender: *Dynamic programming on graphs with bounded treewidth*, ICALP 1988.
//! - U. Bertelè and F. Brioschi: *Nonserial dynamic programming*, Academic Press 1972 (elimination).

mod count;
mod find;
pub mod order;
mod pieces;
mod rank;
mod state;
mod sweep;
mod table;

pub use count::count;
pub use find::find;
pub use order::Elimination;
pub use pieces::{Pieces, Way, pieces};

/// Maximum width of an elimination order for [`find`] and [`count`]. The states of wider orders do not fit into 128
/// bits.
pub const MOST_WIDTH: u32 = <u128 as state::Word>::SLOTS - 1;

/// Greatest limit on the number of states in a table of [`find`], [`count`] and [`pieces()`]; with more, they give up.
/// Indices of states have 32 bits.
pub const MOST_STATES: u64 = u32::MAX as u64;

/// Statistics of a run of [`find`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct DecompositionStatistics {
    /// Width of the elimination order.
    pub width: u32,
    /// Total number of states in all tables.
    pub states: u64,
    /// Number of states in the largest table.
    pub most_states: u64,
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use hamcnf_graph::graph_strategy::graphs;
    use hamcnf_graph::{Graph, Masks};
    use hamcnf_tours::Board;
    use num_bigint::BigUint;
    use proptest::prelude::*;

    use super::*;
    use crate::Found;
    use crate::factor::tests::{are_cycles, petersen};
    use crate::small::tests::brute_force;
    use hamcnf_graph::budget::{Budget, Stopped};
    use hamcnf_graph::cancellation::CancellationToken;

    fn order(graph: &Graph) -> Elimination {
        Elimination::min_degree(graph, MOST_WIDTH, &Budget::default()).unwrap()
    }

    fn found(graph: &Graph, order: &Elimination) -> bool {
        let (found, statistics) = find(graph, order, MOST_STATES, &Budget::default());
        assert_eq!(statistics.width, order.width());
        assert!(statistics.most_states <= statistics.states);
        match found {
            Found::Cycle(cycle) => {
                assert!(are_cycles(graph, &[cycle]));
                true
            }
            Found::NoCycle => false,
            Found::Unknown(ended) => panic!("{ended:?}"),
        }
    }

    fn counted(graph: &Graph, order: &Elimination) -> BigUint {
        count(graph, order, MOST_STATES, &Budget::default()).unwrap()
    }

    fn graph(n: u32, edges: impl IntoIterator<Item = (u32, u32)>) -> Graph {
        Graph::from_edges(n, edges).unwrap()
    }

    proptest! {
        #[test]
        fn random_graphs_in_any_order((graph, shuffled) in graphs(7..=9).prop_flat_map(|graph| {
            let vertices: Vec<_> = graph.vertices().collect();
            (Just(graph), Just(vertices).prop_shuffle())
        })) {
            let expected = brute_force(&Masks::of(&graph).unwrap());
            let shuffled = Elimination::in_order(&graph, &shuffled, MOST_WIDTH, &Budget::default());
            for order in [order(&graph), shuffled.unwrap()] {
                prop_assert_eq!(counted(&graph, &order), expected.into());
                prop_assert_eq!(found(&graph, &order), expected > 0);
            }
        }
    }

    /// Tests that cycles are found and counted correctly if bags need 128-bit states: the hub of a wheel is eliminated
    /// first.
    #[test]
    fn wide_bags() {
        for n in [17, 24] {
            let rim = (1..=n).map(|v| (v, v % n + 1));
            let wheel = graph(n + 1, rim.clone().chain((1..=n).map(|v| (0, v))));
            let vertices: Vec<_> = wheel.vertices().collect();
            let budget = Budget::default();
            let order = Elimination::in_order(&wheel, &vertices, MOST_WIDTH, &budget).unwrap();
            assert_eq!(order.width(), n);
            assert!(found(&wheel, &order));
            assert_eq!(counted(&wheel, &order), n.into());
            // Without three edges of the rim, the hub cannot join the pieces of the rim to a cycle.
            let rim = rim.filter(|&(a, _)| ![1, 5, 9].contains(&a));
            let cut = graph(n + 1, rim.chain((1..=n).map(|v| (0, v))));
            let order = Elimination::in_order(&cut, &vertices, MOST_WIDTH, &budget).unwrap();
            assert!(!found(&cut, &order));
            assert_eq!(counted(&cut, &order), 0u32.into());
        }
    }

    #[test]
    fn every_limit_ends_it() {
        let graph = "6x6".parse::<Board>().unwrap().graph();
        let order = order(&graph);
        let stop = CancellationToken::default();
        stop.set();
        let free = Budget::default();
        let all = MOST_STATES;
        for (states, budget, expected) in [
            (all, free.until(Instant::now()), Stopped::Time),
            (all, Budget::new(None, stop), Stopped::Cancelled),
            (all, free.clone().with_memory(Some(10_000)), Stopped::Memory),
            (100, free.clone(), Stopped::GaveUp),
        ] {
            let (found, _) = find(&graph, &order, states, &budget);
            assert_eq!(found, Found::Unknown(expected));
            assert_eq!(count(&graph, &order, states, &budget), Err(expected));
        }
        let other = petersen(18);
        assert_eq!(other.n_vertices(), graph.n_vertices());
        let (found, _) = find(&other, &order, all, &free);
        assert_eq!(found, Found::Unknown(Stopped::GaveUp));
        assert_eq!(count(&other, &order, all, &free), Err(Stopped::GaveUp));
        let wide = self::graph(27, (1..27).map(|v| (0, v)));
        let hub_first: Vec<_> = wide.vertices().collect();
        let wide_order = Elimination::in_order(&wide, &hub_first, 26, &free).unwrap();
        let (found, _) = find(&wide, &wide_order, all, &free);
        assert_eq!(found, Found::Unknown(Stopped::GaveUp));
    }
}
