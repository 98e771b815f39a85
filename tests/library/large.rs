//! Large graphs: work in proportion to their size, and no recursion as deep as a path.

use std::time::{Duration, Instant};

use hamcnf::budget::{Budget, Stopped};
use hamcnf::connectivity::{blocks, components};
use hamcnf::cycle::decomposition::Elimination;
use hamcnf::cycle::reduction::{Reduced, reduce};
use hamcnf::families::Family;
use hamcnf::{Board, Graph, Vertex};

fn family(word: &str) -> Graph {
    word.parse::<Family>().unwrap().graph().underlying().into_owned()
}

/// Tests that the time is proportional to the size of the graph: a cycle is only traversed once, not from each of its
/// vertices, and the edges of a hub are removed together.
#[test]
fn work_is_in_proportion_to_the_graph() {
    const N: u32 = 200_000;
    let budget = Budget::default().until(Instant::now() + Duration::from_secs(60));
    let cycle = Graph::from_edges(N, (0..N).map(|v| (v, (v + 1) % N))).unwrap();
    assert!(matches!(reduce(&cycle, &budget), Ok(Reduced::Parts(_))));
    // A wheel with spokes to every second vertex of the rim, and two vertices of degree 2 that are adjacent to the
    // hub and to the rim.
    let rim = (1..N).map(|v| (v, v % (N - 1) + 1));
    let hub = (1..N).filter(|v| v % 2 == 0).map(|v| (0, v));
    let more = [(N, 0), (N, 1), (N + 1, 0), (N + 1, 3)];
    let wheel = Graph::from_edges(N + 2, rim.chain(hub).chain(more)).unwrap();
    assert!(reduce(&wheel, &budget).is_ok());
}

#[test]
fn large_graphs_are_given_up_by_their_parts() {
    let budget = Budget::default();
    let grid = |size: &str| format!("leaper:0,1:{size}").parse::<Board>().unwrap().graph();
    assert_eq!(Elimination::min_degree(&grid("300x300"), 9, &budget), Err(Stopped::GaveUp));
    let strip = Elimination::min_degree(&grid("5x20000"), 9, &budget).unwrap();
    assert!((5..=9).contains(&strip.width()));
}

#[test]
fn a_path_as_long_as_the_graph_overflows_no_stack() {
    let n = 1 << 20;
    let path = Graph::from_edges(n, (1..n).map(|v| (v - 1, v))).unwrap();
    let blocks = blocks(&path, Vertex::new(0));
    assert_eq!(blocks.iter().count(), n as usize - 1);
    assert_eq!(blocks.cut_vertices().count(), n as usize - 2);
    assert_eq!(blocks.bridges().count(), n as usize - 1);
    assert_eq!(components(&path).count(), 1);
}

/// The graph has 5·10¹¹ pairs of vertices. The test would take too long if the generator went through all of them.
#[test]
fn pairs_of_a_sparse_random_graph_are_skipped() {
    let large = family("gnp:1000000,2e-6:1");
    assert!((995_000..1_005_000).contains(&large.n_edges()));
}

#[test]
fn degrees_are_those_of_the_variable() {
    // The mean degree 2 m/n is 4, so the Poisson parameter is 3.59. The conditioned variable is two with
    // probability 20.3 %, and three with probability 24.3 %.
    let graph = family("mindeg2:5000:10000:1");
    let with = |degree| graph.vertices().filter(|&v| graph.degree(v) == degree).count();
    assert!((930..1100).contains(&with(2)), "{}", with(2));
    assert!((1120..1310).contains(&with(3)), "{}", with(3));
}
