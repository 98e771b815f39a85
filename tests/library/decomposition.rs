//! Dynamic programming along elimination orders, and the search on the core that it leaves, against trying all paths and
//! known counts.

use hamcnf::budget::Budget;
use hamcnf::cycle::core::Options;
use hamcnf::cycle::decomposition::{Elimination, MOST_STATES, MOST_WIDTH, count, find};
use hamcnf::cycle::{Found, propagator};
use hamcnf::endpoints::Endpoints;
use hamcnf::graph_strategy::graphs;
use hamcnf::masks::bits;
use hamcnf::{Board, Graph, Instance, Masks, TourKind, Vertex};
use num_bigint::BigUint;
use proptest::prelude::*;

use crate::moves::is_tour;

fn order(graph: &Graph) -> Elimination {
    Elimination::min_degree(graph, MOST_WIDTH, &Budget::default()).unwrap()
}

fn is_cycle(graph: &Graph, mut cycle: Vec<Vertex>) -> bool {
    let instance = Instance::on_graph("graph", graph.clone(), TourKind::Closed, cycle[0]).unwrap();
    let is_tour = is_tour(&cycle, &instance, Endpoints::Closed);
    cycle.sort_unstable();
    is_tour && cycle.into_iter().eq(graph.vertices())
}

fn found(graph: &Graph, order: &Elimination) -> bool {
    let (found, statistics) = find(graph, order, MOST_STATES, &Budget::default());
    assert_eq!(statistics.width, order.width());
    assert!(statistics.most_states <= statistics.states);
    match found {
        Found::Cycle(cycle) => {
            assert!(is_cycle(graph, cycle));
            true
        }
        Found::NoCycle => false,
        Found::Unknown(ended) => panic!("{ended:?}"),
    }
}

fn counted(graph: &Graph, order: &Elimination) -> BigUint {
    count(graph, order, MOST_STATES, &Budget::default()).unwrap()
}

/// Counts Hamiltonian cycles by trying all paths.
fn by_trying(graph: &Graph) -> u64 {
    fn paths(graph: &Masks, end: u32, visited: u64) -> u64 {
        if visited == graph.all() {
            return graph.row(end) & 1;
        }
        bits(graph.row(end) & !visited).map(|v| paths(graph, v, visited | 1 << v)).sum()
    }
    if graph.n_vertices() < 3 { 0 } else { paths(&Masks::of(graph).unwrap(), 0, 1) / 2 }
}

fn graph(n: u32, edges: impl IntoIterator<Item = (u32, u32)>) -> Graph {
    Graph::from_edges(n, edges).unwrap()
}

/// Returns the generalised Petersen graph GP(n, 2).
fn petersen(n: u32) -> Graph {
    graph(2 * n, (0..n).flat_map(|v| [(v, (v + 1) % n), (v, n + v), (n + v, n + (v + 2) % n)]))
}

#[test]
fn all_graphs_of_up_to_six_vertices() {
    for n in 0..=6u32 {
        let pairs: Vec<_> = (0..n).flat_map(|a| (0..a).map(move |b| (a, b))).collect();
        for chosen in 0..1u32 << pairs.len() {
            let edges = pairs.iter().enumerate();
            let edges = edges.filter(|(k, _)| chosen >> k & 1 == 1).map(|(_, &edge)| edge);
            let graph = graph(n, edges);
            let (order, expected) = (order(&graph), by_trying(&graph));
            assert_eq!(counted(&graph, &order), expected.into(), "{graph:?}");
            assert_eq!(found(&graph, &order), expected > 0, "{graph:?}");
        }
    }
}

proptest! {
    /// Tests that `count` and `find` agree with trying all paths, on sparse graphs with few or no Hamiltonian
    /// cycles. Partial solutions of these graphs have many path ends.
    #[test]
    fn sparse_graphs_of_more_vertices(
        chords in proptest::collection::vec((0..16u32, 0..16u32), 6..16), gap in 0..16u32,
    ) {
        let ring = (0..16).filter(|&v| v != gap).map(|v| (v, (v + 1) % 16));
        let chords = chords.into_iter().filter(|(a, b)| a != b);
        let graph = graph(16, ring.chain(chords));
        let expected = by_trying(&graph);
        prop_assert_eq!(counted(&graph, &order(&graph)), expected.into());
        prop_assert_eq!(found(&graph, &order(&graph)), expected > 0);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Tests that the search on the core agrees with dynamic programming on the whole graph, for different limits
    /// on the width of the elimination.
    #[test]
    fn what_is_eliminated_changes_nothing(graph in graphs(4..=12), most_width in 1u32..=4) {
        let budget = Budget::default();
        let whole = Elimination::min_degree(&graph, 20, &budget).unwrap();
        let (expected, _) = find(&graph, &whole, MOST_STATES, &budget);
        let options = Options {
            most_width,
            states: 1 << 20,
            ways: u64::MAX,
            propagator: propagator::Options::default(),
            limits: propagator::Limits { connectivity: 10.0, ..Default::default() },
        };
        let (found, statistics) = hamcnf::cycle::core::find(&graph, &options, &budget);
        match found {
            Found::Unknown(ended) => prop_assert!(false, "{ended:?}, {statistics:?}"),
            Found::NoCycle => prop_assert_eq!(expected, Found::NoCycle),
            Found::Cycle(cycle) => {
                prop_assert!(matches!(expected, Found::Cycle(_)));
                prop_assert!(is_cycle(&graph, cycle));
            }
        }
    }
}

/// Compares existence and counts of Hamiltonian cycles with the results of Alspach: *The classification of
/// hamiltonian generalized Petersen graphs*, 1983, and Schwenk: *Enumeration of Hamiltonian cycles in certain
/// generalized Petersen graphs*, 1989.
#[test]
fn generalised_petersen_graphs() {
    for n in (5..60).chain([599, 601]) {
        let graph = petersen(n);
        let order = order(&graph);
        assert_eq!(found(&graph, &order), n % 6 != 5, "{n}");
        let expected = match n % 6 {
            1 => Some(n),
            3 => Some(3),
            5 => Some(0),
            _ => None,
        };
        if let Some(expected) = expected {
            assert_eq!(counted(&graph, &order), expected.into(), "{n}");
        }
    }
}

#[test]
fn complete_graphs() {
    let mut expected = BigUint::from(1u32);
    for n in 3..=10 {
        let graph = graph(n, (0..n).flat_map(|a| (0..a).map(move |b| (a, b))));
        assert_eq!(counted(&graph, &order(&graph)), expected);
        assert!(found(&graph, &order(&graph)));
        expected *= n;
    }
}

#[test]
fn closed_tours_of_boards() {
    for (board, expected) in [("3x10", 16), ("3x12", 176), ("5x6", 8), ("6x6", 9862)] {
        let graph = board.parse::<Board>().unwrap().graph();
        assert_eq!(counted(&graph, &order(&graph)), (expected as u32).into());
        assert!(found(&graph, &order(&graph)));
    }
    let graph = "4x6".parse::<Board>().unwrap().graph();
    assert!(!found(&graph, &order(&graph)));
}

/// Tests that a ring of n diamonds has 2^n Hamiltonian cycles, since a cycle can traverse each diamond in two ways.
#[test]
fn counts_beyond_any_machine_word() {
    let n = 300;
    let diamond = |k| {
        let (a, b, c, d) = (4 * k, 4 * k + 1, 4 * k + 2, 4 * k + 3);
        [(a, b), (a, c), (b, c), (b, d), (c, d), (d, (d + 1) % (4 * n))]
    };
    let graph = graph(4 * n, (0..n).flat_map(diamond));
    assert_eq!(counted(&graph, &order(&graph)), BigUint::from(1u32) << n);
    assert!(found(&graph, &order(&graph)));
}

#[test]
fn a_hub_beside_a_cubic_graph_makes_paths_of_it() {
    // The Hamiltonian paths of GP(n, 2) correspond to the cycles through an additional hub that is adjacent to all
    // vertices.
    for n in [5, 11] {
        let edges = petersen(n);
        let edges = edges.arcs().map(|a| (a.tail.number(), a.head.number()));
        let hub = graph(2 * n + 1, edges.chain((0..2 * n).map(|v| (2 * n, v))));
        assert!(found(&hub, &order(&hub)));
        let paths = counted(&hub, &order(&hub));
        if n == 5 {
            assert_eq!(paths, by_trying(&hub).into());
        }
    }
}
