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

/// The remaining graph is dense if every vertex is adjacent to one in this number of the others.
const DENSE: usize = 16;

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
        let n = graph.n_vertices() as usize;
        let mut eliminated = Self { order: Vec::with_capacity(n), later: vec![Vec::new(); n] };
        let mut edges = 0u64;
        let mut eliminate = |v: Vertex, around: Vec<Vertex>| {
            edges += around.len() as u64;
            eliminated.order.push(v);
            eliminated.later[v.index()] = around;
            if edges > most { Err(edges) } else { Ok(()) }
        };
        let others = || graph.vertices().filter(move |&v| v != left_out);
        // Neighbours of each vertex that are not yet eliminated.
        let mut adjacent = vec![Vec::new(); n];
        for v in others() {
            adjacent[v.index()].extend(graph.neighbours(v).iter().filter(|&&w| w != left_out));
        }
        let mut waiting: BTreeSet<(usize, Vertex)> = others().map(|v| (adjacent[v.index()].len(), v)).collect();
        // Number of the last list in which each vertex was met.
        let (mut met, mut lists) = (vec![0u64; n], 0);
        while let Some(&(degree, v)) = waiting.first().filter(|(degree, _)| degree * DENSE < waiting.len()) {
            waiting.remove(&(degree, v));
            let mut around: Vec<Vertex> = std::mem::take(&mut adjacent[v.index()]);
            around.sort_unstable();
            for &u in &around {
                let of_u = &mut adjacent[u.index()];
                waiting.remove(&(of_u.len(), u));
                lists += 1;
                met[u.index()] = lists;
                of_u.retain(|&w| {
                    met[w.index()] = lists;
                    w != v
                });
                of_u.extend(around.iter().filter(|w| met[w.index()] != lists));
                waiting.insert((of_u.len(), u));
            }
            eliminate(v, around)?;
        }
        let mut dense: Vec<Vertex> = waiting.into_iter().map(|(_, v)| v).collect();
        dense.sort_unstable();
        eliminate_dense(&dense, &adjacent, eliminate)?;
        Ok(eliminated)
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

/// Eliminates all of some vertices of a dense graph, given in increasing order with their neighbours. Bits represent the
/// neighbours: two sets of them are united 64 vertices at a time.
fn eliminate_dense(
    vertices: &[Vertex],
    adjacent: &[Vec<Vertex>],
    mut eliminate: impl FnMut(Vertex, Vec<Vertex>) -> Result<(), u64>,
) -> Result<(), u64> {
    let mut place = vec![0; adjacent.len()];
    vertices.iter().enumerate().for_each(|(k, v)| place[v.index()] = k);
    // `None` after the vertex is eliminated.
    let mut degrees: Vec<Option<usize>> = vertices.iter().map(|v| Some(adjacent[v.index()].len())).collect();
    let mut rows = vec![vec![0u64; vertices.len().div_ceil(64)]; vertices.len()];
    for (row, v) in rows.iter_mut().zip(vertices) {
        adjacent[v.index()].iter().map(|w| place[w.index()]).for_each(|w| row[w / 64] |= 1 << (w % 64));
    }
    let least = |degrees: &[Option<usize>]| {
        let waiting = degrees.iter().enumerate().filter_map(|(k, degree)| Some((degree.as_ref()?, k)));
        waiting.min().map(|(_, k)| k)
    };
    while let Some(k) = least(&degrees) {
        degrees[k] = None;
        let row = std::mem::take(&mut rows[k]);
        let around: Vec<usize> = (0..vertices.len()).filter(|u| row[u / 64] >> (u % 64) & 1 != 0).collect();
        for &u in &around {
            let of_u = &mut rows[u];
            of_u.iter_mut().zip(&row).for_each(|(word, more)| *word |= more);
            of_u[k / 64] &= !(1 << (k % 64));
            of_u[u / 64] &= !(1 << (u % 64));
            degrees[u] = Some(of_u.iter().map(|word| word.count_ones() as usize).sum());
        }
        eliminate(vertices[k], around.into_iter().map(|u| vertices[u]).collect())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;
    use crate::AnyGraph;
    use crate::families::Family;
    use crate::graph_strategy::graphs;

    /// Compares with an elimination on sets, vertex by vertex.
    fn check(graph: &Graph) {
        let left_out = Vertex::new(1);
        let neighbours = |v| graph.neighbours(v).iter().copied().filter(|&w| w != left_out).collect();
        let others = graph.vertices().filter(|&v| v != left_out);
        let mut adjacent: BTreeMap<Vertex, BTreeSet<Vertex>> = others.map(|v| (v, neighbours(v))).collect();
        let chordal = Elimination::without(graph, left_out, u64::MAX).unwrap();
        for &v in chordal.order() {
            let (_, least) = adjacent.iter().map(|(u, around)| (around.len(), *u)).min().unwrap();
            assert_eq!(v, least);
            let around = adjacent.remove(&v).unwrap();
            assert!(around.iter().eq(chordal.later(v)));
            for u in &around {
                let of_u = adjacent.get_mut(u).unwrap();
                of_u.extend(&around);
                of_u.retain(|w| w != u && *w != v);
            }
        }
        assert!(adjacent.is_empty());
    }

    proptest! {
        #[test]
        fn small_graphs_are_eliminated_as_defined(graph in graphs(2..=12)) {
            check(&graph);
        }
    }

    #[test]
    fn sparse_and_dense_graphs_are_eliminated_as_defined() {
        for name in ["cubic:100:1", "gnp:60,0.1:1", "gnp:60,0.5:1", "petersen:20:3", "complete:20"] {
            let family: Family = name.parse().unwrap();
            let AnyGraph::Undirected(graph) = family.graph() else { panic!("{name} is undirected") };
            check(graph);
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
