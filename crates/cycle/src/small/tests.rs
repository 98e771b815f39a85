use hamcnf_graph::graph_strategy::graphs;
use hamcnf_graph::masks::low;
use proptest::prelude::*;

use super::*;
use hamcnf_graph::cancellation::CancellationToken;

/// Counts the Hamiltonian cycles by trying every path from the first vertex.
pub(crate) fn brute_force(graph: &Masks) -> u64 {
    fn paths(graph: &Masks, end: u32, visited: u64) -> u64 {
        if visited == graph.all() {
            return graph.row(end) & 1;
        }
        let next = bits(graph.row(end) & !visited);
        next.map(|v| paths(graph, v, visited | 1 << v)).sum()
    }
    match graph.n() {
        0..=2 => 0,
        _ => paths(graph, 0, 1) / 2,
    }
}

fn masks(n: u32, edges: impl IntoIterator<Item = (u32, u32)>) -> Masks {
    let mut masks = Masks::edgeless(n).unwrap();
    edges.into_iter().for_each(|(v, w)| masks.join(v, w));
    masks
}

fn complete(n: u32) -> Masks {
    masks(n, (0..n).flat_map(|w| (0..w).map(move |v| (v, w))))
}

/// Returns the generalised Petersen graph GP(n, k).
fn petersen(n: u32, k: u32) -> Masks {
    let spokes = (0..n).flat_map(|v| [(v, (v + 1) % n), (v, n + v), (n + v, n + (v + k) % n)]);
    masks(2 * n, spokes)
}

/// Checks that the edges form a Hamiltonian cycle of the graph.
fn check_cycle(graph: &Masks, edges: &[[u8; 2]]) {
    let mut cycle = Masks::edgeless(graph.n()).unwrap();
    for &[v, w] in edges {
        let (v, w) = (v.into(), w.into());
        assert!(graph.row(v) >> w & 1 == 1, "{graph:?}");
        cycle.join(v, w);
    }
    assert_eq!(brute_force(&cycle), 1, "{graph:?}");
}

/// Checks that every technique agrees that the graph has this number of Hamiltonian cycles.
fn check(graph: &Masks, cycles: u64) {
    let budget = Budget::default();
    let mut search = SmallSearch::default();
    assert_eq!(search.has_cycle(graph, &budget), Ok(cycles > 0), "{graph:?}");
    for most in [0, 1, 2, 3, u64::MAX] {
        let counted = search.count_cycles(graph, most, &budget);
        assert_eq!(counted, Ok(cycles.min(most)), "{graph:?}");
    }
    let listed = forced::count(graph, &[], u64::MAX, u64::MAX, &budget);
    assert_eq!(listed, Ok(Listing::All(cycles)), "{graph:?}");
    if graph.n() >= 3 {
        let tables = &mut search.tables;
        assert_eq!(tables.has_cycle(&Neighbours::of_graph(graph), &budget), Ok(cycles > 0), "{graph:?}");
        assert_eq!(tables.directed_cycles(&Neighbours::of_graph(graph), &budget), Ok(2 * cycles), "{graph:?}");
    }
    for nodes in [[u32::MAX, 0], [0, u32::MAX], [3, 0], extension::NODES] {
        match extension::find(graph, nodes) {
            Extension::Cycle(edges) => {
                assert!(cycles > 0, "{graph:?}");
                check_cycle(graph, &edges[..graph.n() as usize]);
            }
            Extension::NoCycle => assert_eq!(cycles, 0, "{graph:?}"),
            Extension::TooLong => assert!(!nodes.contains(&u32::MAX), "{graph:?}"),
        }
    }
    if graph.n() > 0
        && let Some(order) = rotations::find(graph).filter(|_| graph.n() > 2)
    {
        let next = order.iter().cycle().skip(1);
        assert!(order.iter().zip(next).all(|(&v, &w)| graph.row(v) >> w & 1 == 1));
        assert_eq!(order.iter().fold(0, |set, v| set | 1 << v), low(graph.n()));
    }
    if graph.n() > 0 && is_unbalanced(graph) {
        assert_eq!(cycles, 0);
    }
}

#[test]
fn all_graphs_of_five_vertices_and_less_are_right() {
    for n in 0..=5u32 {
        let pairs: Vec<_> = (0..n).flat_map(|w| (0..w).map(move |v| (v, w))).collect();
        for chosen in 0..1u32 << pairs.len() {
            let edges = (0..).zip(&pairs).filter(|(k, _)| chosen >> k & 1 == 1);
            let graph = masks(n, edges.map(|(_, &edge)| edge));
            check(&graph, brute_force(&graph));
        }
    }
}

#[test]
fn known_graphs_are_right() {
    // A complete graph with n vertices has (n − 1)! / 2 Hamiltonian cycles.
    for (n, cycles) in [(3, 1), (4, 3), (8, 2520), (10, 181_440)] {
        check(&complete(n), cycles);
    }
    check(&petersen(5, 2), 0);
    check(&petersen(7, 2), 7);
    // GP(n, 2) has no Hamiltonian cycle if n ≡ 5 mod 6.
    let budget = Budget::default();
    let mut search = SmallSearch::default();
    for (n, has_cycle) in [(11, false), (12, true), (17, false), (23, false), (29, false), (30, true)] {
        let found = search.has_cycle(&petersen(n, 2), &budget);
        assert_eq!(found, Ok(has_cycle), "{n}");
    }
    let sides = |a: u32, b: u32| masks(a + b, (0..a).flat_map(|v| (a..a + b).map(move |w| (v, w))));
    assert_eq!(search.has_cycle(&sides(31, 32), &budget), Ok(false));
    assert_eq!(search.has_cycle(&sides(32, 32), &budget), Ok(true));
    let ring = masks(64, (0..64).map(|v| (v, (v + 1) % 64)));
    assert_eq!(search.count_cycles(&ring, u64::MAX, &budget), Ok(1));
    // A dense graph with more than 20 vertices has too many cycles to be counted one by one.
    let counted = search.count_cycles(&complete(21), u64::MAX, &budget);
    assert_eq!(counted, Err(Stopped::GaveUp));
}

/// Returns a graph with a clique of `a` vertices, and `b` other vertices that are adjacent to the vertices of the
/// clique only. If `b > a`, the graph has no Hamiltonian cycle, but backtracking takes long to prove this.
fn split(a: u32, b: u32) -> Masks {
    let clique = (0..a).flat_map(|w| (0..w).map(move |v| (v, w)));
    masks(a + b, clique.chain((0..a).flat_map(|v| (a..a + b).map(move |w| (v, w)))))
}

#[test]
fn long_searches_end_in_tables_or_give_up() {
    let budget = Budget::default();
    let mut search = SmallSearch::default();
    assert_eq!(search.has_cycle(&split(8, 9), &budget), Ok(false));
    assert_eq!(search.has_cycle(&split(8, 8), &budget), Ok(true));
    assert_eq!(search.has_cycle(&split(20, 21), &budget), Err(Stopped::GaveUp));
}

#[test]
fn a_budget_ends_every_search() {
    let stop = CancellationToken::default();
    stop.set();
    let budget = Budget::new(None, stop);
    let graph = split(10, 11);
    let ended = Err(Stopped::Cancelled);
    assert_eq!(forced::count(&graph, &[], u64::MAX, u64::MAX, &budget), Err(Stopped::Cancelled));
    let mut search = SmallSearch::default();
    assert_eq!(search.tables.has_cycle(&Neighbours::of_graph(&graph), &budget), ended);
    assert_eq!(search.has_cycle(&graph, &budget), ended);
    let counted = search.tables.directed_cycles(&Neighbours::of_graph(&split(9, 10)), &budget);
    assert_eq!(counted, Err(Stopped::Cancelled));
}

#[test]
fn cycles_of_recent_graphs_are_kept() {
    let budget = Budget::default();
    let mut search = SmallSearch::default();
    let unused = || -> &Masks { panic!("the cycle should be known") };
    let triangle = |graph: &Masks| {
        let mut triangle = Triangle::edgeless(graph.n()).unwrap();
        for v in 0..graph.n() {
            bits(graph.row(v) & low(v)).for_each(|w| triangle.join(v, w));
        }
        triangle
    };
    let ring = masks(12, (0..12).map(|v| (v, (v + 1) % 12)));
    assert_eq!(search.has_cycle_in_stream(&triangle(&ring), || &ring, &budget), Ok(true));
    let all = triangle(&complete(12));
    assert_eq!(search.has_cycle_in_stream(&all, unused, &budget), Ok(true));
    // A ring without one of its edges has no cycle. A complete graph of another size does not have this cycle.
    let path = masks(12, (1..12).map(|v| (v - 1, v)));
    let found = search.has_cycle_in_stream(&triangle(&path), || &path, &budget);
    assert_eq!(found, Ok(false));
    let mut is_asked = false;
    let larger = complete(13);
    let ask = || {
        is_asked = true;
        &larger
    };
    let found = search.has_cycle_in_stream(&triangle(&larger), ask, &budget);
    assert_eq!((found, is_asked), (Ok(true), true));
    // The cycles of many other graphs replace the oldest cycle.
    assert!(search.recent.has_cycle_of(&triangle(&ring)));
    for n in 14..30 {
        let graph = complete(n);
        let found = search.has_cycle_in_stream(&triangle(&graph), || &graph, &budget);
        assert_eq!(found, Ok(true));
    }
    assert!(!search.recent.has_cycle_of(&triangle(&ring)));
    assert!(search.recent.has_cycle_of(&triangle(&complete(29))));
}

proptest! {
    #[test]
    fn cycles_are_counted_as_by_brute_force(graph in graphs(2..=9)) {
        let graph = Masks::of(&graph).unwrap();
        check(&graph, brute_force(&graph));
    }

    #[test]
    fn paths_are_cycles_of_a_cone(graph in graphs(2..=8)) {
        let graph = Masks::of(&graph).unwrap();
        let pairs = (0..graph.n()).flat_map(|w| (0..w).map(move |v| (v, w)));
        // A Hamiltonian path is a Hamiltonian cycle of the graph with an edge between its ends.
        let mut pairs = pairs.map(|(v, w)| graph.joined(v, w));
        let has_path = match graph.n() {
            2 => graph.n_edges() == 1,
            _ => pairs.any(|joined| brute_force(&joined) > 0),
        };
        let found = SmallSearch::default().has_cycle(&graph.cone().unwrap(), &Budget::default());
        prop_assert_eq!(found, Ok(has_path));
    }
}
