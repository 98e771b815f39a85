//! Chordal completion of a graph, computed by eliminating the vertices one after another. The completion is stored as
//! the elimination order and, for each vertex, the neighbours that it has when it is eliminated.
//!
//! Eliminating a vertex makes its remaining neighbours adjacent. With the edges added in this way, the graph is
//! chordal: every cycle of four vertices or more has a chord. If an orientation of a chordal graph has a directed
//! cycle, it also has a directed triangle, which consists of arcs of the cycle and chords. The next vertex to eliminate
//! always has the fewest remaining neighbours. Among several such vertices, the least is eliminated first.
//!
//! # References
//!
//! - D. J. Rose, R. E. Tarjan, G. S. Lueker: *Algorithmic Aspects of Vertex Elimination on Graphs*, SIAM Journal on
//!   Computing 5, 1976.

use std::collections::BTreeSet;

use crate::graph::{Graph, Vertex};

/// Elimination of all vertices of a graph except one, and the chordal completion that results.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Elimination {
    /// Vertices in elimination order.
    order: Vec<Vertex>,
    /// Neighbours of each vertex that are eliminated after the vertex, in increasing order.
    later: Vec<Vec<Vertex>>,
}

impl Elimination {
    /// Eliminates all vertices except `left_out`, which is ignored with all its edges. Stops as soon as the completion
    /// has more than `most` edges.
    ///
    /// # Errors
    ///
    /// Returns the number of edges of the completion when the elimination stopped. This number exceeds `most`.
    pub fn without(graph: &Graph, left_out: Vertex, most: u64) -> Result<Self, u64> {
        let others = || graph.vertices().filter(move |&v| v != left_out);
        // Neighbours of each vertex that are not yet eliminated.
        let mut adjacent: Vec<Vec<Vertex>> = vec![Vec::new(); graph.n_vertices() as usize];
        for v in others() {
            let neighbours = graph.neighbours(v).iter().copied();
            adjacent[v.index()] = neighbours.filter(|&w| w != left_out).collect();
            adjacent[v.index()].sort_unstable();
        }
        let mut waiting: BTreeSet<(usize, Vertex)> = others().map(|v| (adjacent[v.index()].len(), v)).collect();
        let mut order = Vec::with_capacity(waiting.len());
        let mut later = vec![Vec::new(); graph.n_vertices() as usize];
        let mut edges = 0u64;
        let mut merged = Vec::new();
        while let Some((_, v)) = waiting.pop_first() {
            let around = std::mem::take(&mut adjacent[v.index()]);
            edges += around.len() as u64;
            if edges > most {
                return Err(edges);
            }
            for &u in &around {
                let of_u = &mut adjacent[u.index()];
                waiting.remove(&(of_u.len(), u));
                union(of_u, &around, &mut merged);
                merged.retain(|&w| w != u && w != v);
                std::mem::swap(of_u, &mut merged);
                waiting.insert((of_u.len(), u));
            }
            order.push(v);
            later[v.index()] = around;
        }
        Ok(Self { order, later })
    }

    /// Returns the number of vertices of the graph, including the vertex that was left out.
    pub fn n_vertices(&self) -> usize {
        self.later.len()
    }

    /// Returns the vertices in elimination order.
    pub fn order(&self) -> &[Vertex] {
        &self.order
    }

    /// Returns the neighbours of `v` in the completion that are eliminated after `v`, in increasing order. Any two of
    /// them are adjacent.
    pub fn later(&self, v: Vertex) -> &[Vertex] {
        &self.later[v.index()]
    }
}

/// Merges two increasing lists into `out`, without duplicates.
fn union(a: &[Vertex], b: &[Vertex], out: &mut Vec<Vertex>) {
    out.clear();
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        let least = a[i].min(b[j]);
        i += usize::from(a[i] == least);
        j += usize::from(b[j] == least);
        out.push(least);
    }
    out.extend_from_slice(&a[i..]);
    out.extend_from_slice(&b[j..]);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::graph_strategy::graphs;

    proptest! {
        #[test]
        fn later_neighbours_are_adjacent(graph in graphs(2..=12)) {
            let left_out = Vertex::new(0);
            let chordal = Elimination::without(&graph, left_out, u64::MAX).unwrap();
            let mut rank = vec![usize::MAX; graph.n_vertices() as usize];
            for (k, v) in chordal.order().iter().enumerate() {
                rank[v.index()] = k;
            }
            prop_assert_eq!(chordal.order().len() + 1, rank.len());
            let adjacent = |a: Vertex, b: Vertex| {
                let (first, last) = if rank[a.index()] < rank[b.index()] { (a, b) } else { (b, a) };
                chordal.later(first).contains(&last)
            };
            for &v in chordal.order() {
                let later = chordal.later(v);
                prop_assert!(later.is_sorted());
                for &w in later {
                    prop_assert!(rank[w.index()] > rank[v.index()]);
                    prop_assert!(later.iter().all(|&u| u == w || adjacent(u, w)));
                }
                let there = graph.neighbours(v).iter().filter(|&&w| w != left_out);
                prop_assert!(there.into_iter().all(|&w| adjacent(v, w)));
            }
        }
    }

    #[test]
    fn too_many_edges_are_none() {
        // Without vertex 3, the complete graph has 28 edges. Seven of them are at the vertex that is eliminated first.
        let graph = Graph::from_edges(9, (0..9).flat_map(|a| (0..a).map(move |b| (a, b))));
        let graph = graph.unwrap();
        let start = Vertex::new(3);
        assert!(Elimination::without(&graph, start, 28).is_ok());
        assert_eq!(Elimination::without(&graph, start, 6), Err(7));
    }
}
