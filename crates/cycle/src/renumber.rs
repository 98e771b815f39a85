//! Renumbering of vertices, so that neighbours have similar numbers.
//!
//! If the vertices of a large graph are numbered at random, a search that moves from neighbour to neighbour has a cache
//! miss at nearly every step. If the vertices are numbered in the order of a breadth-first search, neighbours are in
//! the same layer or in adjacent layers, so their numbers are similar.
//!
//! # References
//!
//! - E. Cuthill, J. McKee: *Reducing the bandwidth of sparse symmetric matrices*, Proceedings of the 24th National
//!   Conference of the ACM, 1969.

use hamcnf_graph::{Graph, Vertex};

use super::links::NONE;

/// Minimum number of vertices of a graph that is renumbered. Smaller graphs fit into the cache.
const LARGE: u32 = 20_000;
/// Bound for good numberings of n vertices. A graph is not renumbered if the numbers of adjacent vertices differ by
/// less than n/`FAR` on average. With random numbers, the average difference is n/3.
const FAR: u64 = 16;

/// Returns the graph renumbered in the order of a breadth-first search, and the original vertex of each new vertex.
/// Returns `None` if the graph is small, or if neighbours already have similar numbers.
pub(super) fn near(graph: &Graph) -> Option<(Graph, Vec<Vertex>)> {
    let n = graph.n_vertices();
    let apart = |arc: hamcnf_graph::Arc| u64::from(arc.tail.number().abs_diff(arc.head.number()));
    if n < LARGE || graph.arcs().map(apart).sum::<u64>() < u64::from(graph.n_arcs()) * u64::from(n) / FAR {
        return None;
    }
    let mut number = vec![NONE; n as usize];
    let mut order = Vec::with_capacity(n as usize);
    let mut next = 0;
    for first in graph.vertices() {
        if number[first.index()] == NONE {
            number[first.index()] = order.len() as u32;
            order.push(first);
        }
        while let Some(&v) = order.get(next) {
            next += 1;
            for &w in graph.neighbours(v) {
                if number[w.index()] == NONE {
                    number[w.index()] = order.len() as u32;
                    order.push(w);
                }
            }
        }
    }
    let edges = (0..).zip(&order).flat_map(|(k, &v)| {
        let heads = graph.neighbours(v).iter().map(|w| number[w.index()]);
        heads.filter(move |&w| w > k).map(move |w| (k, w))
    });
    let near = Graph::from_edges(n, edges).expect("renumbering keeps the graph simple");
    Some((near, order))
}

#[cfg(test)]
mod tests {
    use super::*;
    use hamcnf_tours::Board;

    fn apart(graph: &Graph) -> u64 {
        let arcs = graph.arcs();
        let apart = arcs.map(|arc| u64::from(arc.tail.number().abs_diff(arc.head.number())));
        apart.sum()
    }

    #[test]
    fn neighbours_get_near_and_names_give_the_same_graph() {
        let board: Board = "150x150".parse().unwrap();
        let graph = board.graph();
        assert!(near(&graph).is_none());
        // Multiply the numbers by a prime modulo the number of squares, so that neighbours are far from each other.
        let n = u64::from(graph.n_vertices());
        let far = |v: Vertex| (u64::from(v.number()) * 7_919 % n) as u32;
        let edges = graph.arcs().map(|arc| (far(arc.tail), far(arc.head)));
        let graph = Graph::from_edges(graph.n_vertices(), edges).unwrap();
        let (near, names) = near(&graph).unwrap();
        assert!(apart(&near) * 16 < apart(&graph));
        assert_eq!(near.n_edges(), graph.n_edges());
        let name = |v: Vertex| names[v.index()];
        assert!(near.arcs().all(|arc| graph.arc(name(arc.tail), name(arc.head)).is_some()));
        let mut all = names.clone();
        all.sort_unstable();
        assert!(all.into_iter().eq(graph.vertices()));
    }
}
