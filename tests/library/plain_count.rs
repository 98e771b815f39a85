//! Exact counts along a frontier, compared with a plain count that shares no code with them.
//!
//! The plain count goes over the edges one by one, in the order of the vertices' numbers. A state is the list of all
//! vertices' mates, in a hash map, without ranks, groups, mirror images or pruning by degrees. Counts are numbers
//! modulo a prime. An open tour is a cycle through an additional vertex.

use std::collections::HashMap;

use hamcnf::count::frontier::exact;
use hamcnf::endpoints::Endpoints;
use hamcnf::{Board, Graph, Instance, TourKind, Vertex};
use num_bigint::BigUint;

const PRIME: u64 = (1 << 61) - 1;

/// Mate of a vertex that has two edges. A vertex without edges is its own mate, and the two ends of a path are mates of
/// each other.
const INNER: u8 = u8::MAX;

/// Counts the Hamiltonian cycles of a graph with at least three vertices modulo [`PRIME`].
fn cycles(n: usize, mut edges: Vec<(usize, usize)>) -> u64 {
    edges.sort_unstable();
    let mut states = HashMap::from([((0..n as u8).collect::<Vec<_>>(), 1u64)]);
    let mut complete = 0;
    for (k, &(u, v)) in edges.iter().enumerate() {
        let later = |w: usize| edges[k + 1..].iter().any(|&(a, b)| a == w || b == w);
        let last: Vec<_> = [u, v].into_iter().filter(|&w| !later(w)).collect();
        let mut next: HashMap<Vec<u8>, u64> = HashMap::new();
        let mut keep = |mates: Vec<u8>, count: u64| {
            if last.iter().all(|&w| mates[w] == INNER) {
                let sum = next.entry(mates).or_default();
                *sum = (*sum + count) % PRIME;
            }
        };
        for (mates, count) in states {
            let (a, b) = (mates[u], mates[v]);
            if usize::from(a) == v {
                // The edge closes a cycle, which must contain all vertices.
                let others = (0..n).filter(|&w| w != u && w != v);
                if others.clone().count() > 0 && others.clone().all(|w| mates[w] == INNER) {
                    complete = (complete + count) % PRIME;
                }
            } else if a != INNER && b != INNER {
                let mut with = mates.clone();
                (with[u], with[v]) = (INNER, INNER);
                (with[usize::from(a)], with[usize::from(b)]) = (b, a);
                keep(with, count);
            }
            keep(mates, count);
        }
        states = next;
    }
    complete
}

/// Compares the two counts of the tours of an instance's graph.
#[track_caller]
fn counts_agree(instance: &Instance, kind: TourKind) {
    let options = exact::Options { memory: 1 << 30, try_hard: true, ..exact::Options::default() };
    let n = instance.n() as usize;
    let edges = instance.graph().arcs().filter(|arc| arc.tail < arc.head);
    let mut edges: Vec<_> = edges.map(|arc| (arc.tail.index(), arc.head.index())).collect();
    let (ends, expected) = match kind {
        TourKind::Closed => (Endpoints::Closed, cycles(n, edges)),
        TourKind::Open => {
            edges.extend((0..n).map(|v| (v, n)));
            // Each path is a tour in both directions.
            (Endpoints::ANYWHERE, 2 * cycles(n + 1, edges) % PRIME)
        }
    };
    let found = exact::count(instance, ends, &options, &mut |_| ()).unwrap();
    let found = found.count % PRIME;
    assert_eq!(found, BigUint::from(expected), "{instance} {kind}");
}

/// Compares the counts of all boards with up to so many squares, at least as many rows as columns, and at least three
/// columns.
fn boards_agree(piece: &str, closed: u32, open: u32) {
    for (kind, most) in [(TourKind::Closed, closed), (TourKind::Open, open)] {
        let sizes = (3..=most).flat_map(|cols| (cols..=most / cols).map(move |rows| (rows, cols)));
        for (rows, cols) in sizes {
            let board: Board = format!("{piece}{rows}x{cols}").parse().unwrap();
            let instance = Instance::on_board(board, kind, Vertex::new(0)).unwrap();
            counts_agree(&instance, kind);
        }
    }
}

/// Compares the counts of random graphs with 3 to `most` vertices.
fn graphs_agree(graphs: u32, most: u32) {
    let mut state = 1u64;
    let mut random = |below: u32| {
        // Knuth's multiplier.
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        ((state >> 33) % u64::from(below)) as u32
    };
    for number in 0..graphs {
        let n = 3 + random(most - 2);
        let percent = 20 + random(70);
        let pairs = (0..n).flat_map(|u| (u + 1..n).map(move |v| (u, v)));
        let edges: Vec<_> = pairs.filter(|_| random(100) < percent).collect();
        let graph = Graph::from_edges(n, edges).unwrap();
        for kind in [TourKind::Closed, TourKind::Open] {
            let name = format!("graph {number}");
            let instance = Instance::on_graph(&name, graph.clone(), kind, Vertex::new(0)).unwrap();
            counts_agree(&instance, kind);
        }
    }
}

#[test]
fn counts_of_small_boards_and_graphs_agree() {
    boards_agree("", 24, 16);
    boards_agree("king:", 12, 9);
    graphs_agree(30, 9);
}

#[test]
#[ignore = "takes minutes"]
fn counts_of_boards_with_up_to_40_squares_agree() {
    boards_agree("", 40, 30);
    boards_agree("king:", 25, 20);
    boards_agree("leaper:1,4:", 36, 25);
    graphs_agree(300, 13);
}
