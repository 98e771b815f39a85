use hamcnf_graph::graph_strategy::graphs;
use hamcnf_graph::{Digraph, Vertex};
use hamcnf_tours::TourKind;
use hamcnf_tours::forced::Forced;
use proptest::prelude::*;

use super::*;

fn complete(n: u32) -> Graph {
    Graph::from_edges(n, (0..n).flat_map(|v| (0..v).map(move |w| (w, v)))).unwrap()
}

fn with_forced(digraph: &Digraph, forced: &[Forced], is_directed: bool) -> Subsets {
    let joined = Joined::of(digraph, forced, is_directed).unwrap();
    Subsets { joined, directions: 1, is_directed: false }
}

fn options() -> Options {
    Options { threads: 2, memory: 1 << 30, budget: Budget::default() }
}

/// Returns the number of Hamiltonian cycles with the forced moves, by extending paths from vertex 0.
fn by_paths(digraph: &Digraph, forced: &[Forced], is_directed: bool) -> u64 {
    fn extend(digraph: &Digraph, forced: &[Forced], path: &mut Vec<Vertex>) -> u64 {
        let (first, last) = (path[0], path[path.len() - 1]);
        if path.len() == digraph.n_vertices() as usize {
            let ends = path[1..].iter().chain([&first]);
            let moves: Vec<_> = path.iter().zip(ends).map(|(&u, &v)| (u, v)).collect();
            let is_used = |forced: &Forced| {
                let there = moves.contains(&(forced.tail, forced.head));
                there || !forced.is_arc && moves.contains(&(forced.head, forced.tail))
            };
            return (digraph.arc(last, first).is_some() && forced.iter().all(is_used)).into();
        }
        let mut found = 0;
        for v in digraph.vertices() {
            if digraph.arc(last, v).is_some() && !path.contains(&v) {
                path.push(v);
                found += extend(digraph, forced, path);
                path.pop();
            }
        }
        found
    }
    let n = digraph.n_vertices();
    let found = extend(digraph, forced, &mut vec![Vertex::new(0)]);
    if is_directed {
        if n > 1 { found } else { 0 }
    } else if n > 2 {
        found / 2
    } else {
        0
    }
}

/// Tests both ways to count against paths that are extended.
fn check(digraph: &Digraph, forced: &[Forced], is_directed: bool) {
    let expected = BigUint::from(by_paths(digraph, forced, is_directed));
    let subsets = with_forced(digraph, forced, is_directed);
    for by in [By::Table, By::Walks] {
        let counted = subsets.count(by, &options(), &mut |_| ()).unwrap();
        assert_eq!(counted.count, expected, "{by:?} of {digraph:?} with {forced:?}");
        let Expected { bytes, .. } = subsets.expected(by);
        assert!(counted.bytes <= bytes, "{} > {bytes}", counted.bytes);
    }
}

fn digraphs(n: std::ops::RangeInclusive<u32>) -> impl Strategy<Value = Digraph> {
    let density = prop_oneof![Just(3u32), Just(6), Just(9)];
    (n, density).prop_flat_map(|(n, tenths)| {
        proptest::collection::vec(0u32..10, (n * n) as usize).prop_map(move |drawn| {
            let pairs = (0..n).flat_map(|u| (0..n).map(move |v| (u, v)));
            let arcs = pairs.zip(drawn).filter(|&((u, v), drawn)| u != v && drawn < tenths);
            Digraph::from_arcs(n, arcs.map(|(arc, _)| arc)).unwrap()
        })
    })
}

/// Returns some moves of a digraph: arcs and edges, which may contradict each other.
fn moves(digraph: &Digraph, drawn: &[(u32, bool)], may_be_arcs: bool) -> Vec<Forced> {
    let arcs: Vec<_> = digraph.arcs().collect();
    let drawn = drawn.iter().filter(|_| !arcs.is_empty());
    let mut forced: Vec<Forced> = Vec::new();
    for &(k, is_arc) in drawn {
        let arc = arcs[k as usize % arcs.len()];
        forced.push(Forced { tail: arc.tail, head: arc.head, is_arc: is_arc && may_be_arcs });
    }
    forced
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn cycles_of_graphs_are_counted(
        graph in graphs(1..=8),
        drawn in proptest::collection::vec((0u32..1000, any::<bool>()), 0..4),
    ) {
        check(&graph, &[], false);
        check(&graph, &moves(&graph, &drawn, false), false);
    }

    #[test]
    fn cycles_of_digraphs_are_counted(
        digraph in digraphs(1..=7),
        drawn in proptest::collection::vec((0u32..1000, any::<bool>()), 0..4),
    ) {
        check(&digraph, &[], true);
        check(&digraph, &moves(&digraph, &drawn, true), true);
    }

    #[test]
    fn cycles_of_bipartite_graphs_are_counted(
        k in 2u32..=4,
        drawn in proptest::collection::vec(0u32..4, 32),
        is_directed: bool,
    ) {
        let pairs = (0..k).flat_map(|u| (k..2 * k).map(move |v| (u, v)));
        let there = pairs.clone().zip(&drawn).filter(|(_, drawn)| **drawn > 0).map(|(arc, _)| arc);
        let back = pairs.zip(&drawn[16..]).filter(|(_, drawn)| **drawn > 0);
        let back = back.map(|((u, v), _)| (v, u));
        let graph: Digraph = match is_directed {
            true => Digraph::from_arcs(2 * k, there.chain(back)).unwrap(),
            false => (*Graph::from_edges(2 * k, there).unwrap()).clone(),
        };
        check(&graph, &[], is_directed);
    }
}

/// Tests that cycles with more than 2^128 of them are refused: 30 forced edges can be passed in 29!·2^29 ways.
#[test]
fn numbers_beyond_128_bits_are_refused() {
    let forced = (0..30).map(|k| Forced { tail: Vertex::new(2 * k), head: Vertex::new(2 * k + 1), is_arc: false });
    let subsets = with_forced(&complete(60), &forced.collect::<Vec<_>>(), false);
    let options = Options { memory: u64::MAX, ..options() };
    for by in [By::Table, By::Walks] {
        let error = subsets.count(by, &options, &mut |_| ()).unwrap_err();
        assert_eq!(error.cause, Cause::Unsupported, "{error}");
    }
}

#[test]
fn ends_are_counted() {
    // A complete graph has n! paths, (n − 1)! from a given start, and (n − 2)! between two given ends.
    let instance = Instance::on_graph("K7", complete(7), TourKind::Open, Vertex::new(0)).unwrap();
    let [from, to] = [2, 4].map(|v| Some(Vertex::new(v)));
    for (ends, expected) in [
        (Endpoints::ANYWHERE, 5040u32),
        (Endpoints::Open { from, to: None }, 720),
        (Endpoints::Open { from: None, to }, 720),
        (Endpoints::Open { from, to }, 120),
        (Endpoints::Closed, 360),
    ] {
        let subsets = Subsets::new(&instance, ends).unwrap();
        let counted = subsets.count(By::Table, &options(), &mut |_| ()).unwrap();
        assert_eq!(counted.count, BigUint::from(expected), "{ends:?}");
    }
}

#[test]
fn limits_end_a_count() {
    let subsets = Subsets::of_cycles(&complete(20)).unwrap();
    let none = Options { memory: 1 << 10, ..options() };
    let error = subsets.count(By::Table, &none, &mut |_| ()).unwrap_err();
    assert_eq!(error.cause, Cause::Limit(Stopped::Memory));
    let stop = hamcnf_graph::cancellation::CancellationToken::default();
    stop.set();
    let late = Options { budget: Budget::new(None, stop), ..options() };
    for by in [By::Table, By::Walks] {
        let error = subsets.count(by, &late, &mut |_| ()).unwrap_err();
        assert_eq!(error.cause, Cause::Limit(Stopped::Time), "{error}");
    }
}
