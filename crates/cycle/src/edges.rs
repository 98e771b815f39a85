//! Undirected graphs with numbered edges. The edge numbers serve as SAT variables.

use hamcnf_graph::{Graph, Vertex};

/// Undirected edges, sorted by lesser end and then by greater end, and numbered from 0.
#[derive(Clone, Debug)]
pub struct Edges {
    ends: Vec<[u32; 2]>,
    /// Index in `at` of each vertex's first entry. The entries of vertex v are `at[first[v]..first[v + 1]]`; the last
    /// entry of `first` is the length of `at`.
    first: Vec<u32>,
    /// Neighbours of all vertices, each with the number of the edge that leads to it. The neighbours of one vertex are
    /// in increasing order.
    at: Vec<(u32, u32)>,
}

impl Edges {
    /// Returns the numbered edges of a graph.
    pub fn of(graph: &Graph) -> Self {
        let arcs = graph.arcs().filter(|arc| arc.tail < arc.head);
        let ends = arcs.map(|arc| [arc.tail.number(), arc.head.number()]);
        Self::new(graph.n_vertices() as usize, ends.collect())
    }

    /// Returns the edges with the given ends, in a graph with vertices 0 to `n` − 1. `ends` must be sorted, and each
    /// edge must list its lesser end first. Parallel edges are allowed.
    ///
    /// # Panics
    ///
    /// Panics if `ends` is not sorted, or if a vertex is not less than `n`.
    pub fn new(n: usize, ends: Vec<[u32; 2]>) -> Self {
        assert!(ends.is_sorted(), "edges come in their order");
        let mut first = vec![0u32; n + 1];
        for v in ends.iter().flatten() {
            first[*v as usize + 1] += 1;
        }
        for v in 0..n {
            first[v + 1] += first[v];
        }
        // The edges are sorted, so this adds the neighbours of each vertex in increasing order.
        let mut next = first.clone();
        let mut at = vec![(0, 0); 2 * ends.len()];
        for (edge, &[a, b]) in (0..).zip(&ends) {
            for (v, w) in [(a, b), (b, a)] {
                let place = &mut next[v as usize];
                at[*place as usize] = (w, edge);
                *place += 1;
            }
        }
        Self { ends, first, at }
    }

    /// Returns the number of vertices.
    pub fn n_vertices(&self) -> usize {
        self.first.len() - 1
    }

    /// Returns the number of edges.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// True if there are no edges.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Returns the two ends of an edge, the lesser end first.
    pub fn ends(&self, edge: u32) -> [u32; 2] {
        self.ends[edge as usize]
    }

    /// Returns the neighbours of a vertex in increasing order, each with the number of the edge that leads to it.
    pub fn at(&self, v: u32) -> &[(u32, u32)] {
        &self.at[self.first[v as usize] as usize..self.first[v as usize + 1] as usize]
    }

    /// Returns the other end of an edge, given that `v` is one of its ends.
    pub fn other(&self, edge: u32, v: u32) -> u32 {
        let [a, b] = self.ends(edge);
        a ^ b ^ v
    }

    /// Returns the lowest number of an edge between two vertices, or `None` if the vertices are not adjacent.
    pub fn between(&self, a: u32, b: u32) -> Option<u32> {
        self.all_between(a, b).next()
    }

    /// Returns the numbers of all edges between two vertices, in increasing order.
    pub fn all_between(&self, a: u32, b: u32) -> impl Iterator<Item = u32> + '_ {
        let [few, many] = match self.at(a).len() <= self.at(b).len() {
            true => [a, b],
            false => [b, a],
        };
        let at = self.at(few);
        let from = at.partition_point(|&(w, _)| w < many);
        let there = at[from..].iter().take_while(move |&&(w, _)| w == many);
        there.map(|&(_, edge)| edge)
    }

    /// Walks along the edges for which `chosen` returns true, from `start` until the walk returns to `start` or ends.
    /// Returns the visited vertices in order.
    pub fn cycle_from(&self, start: u32, chosen: impl Fn(u32) -> bool) -> Vec<u32> {
        let mut cycle = vec![start];
        let (mut v, mut by) = (start, u32::MAX);
        while cycle.len() <= self.n_vertices() {
            let on = self.at(v).iter();
            let mut on = on.filter(|&&(_, edge)| edge != by && chosen(edge));
            let Some(&(w, edge)) = on.next() else {
                break;
            };
            if w == start {
                break;
            }
            cycle.push(w);
            (v, by) = (w, edge);
        }
        cycle
    }

    /// Returns the Hamiltonian cycle that the chosen edges form, starting at vertex 0. Every vertex must have two
    /// chosen edges. Returns `None` if these edges form several cycles.
    pub fn cycle(&self, chosen: impl Fn(u32) -> bool) -> Option<Vec<Vertex>> {
        let cycle = self.cycle_from(0, chosen);
        let whole = cycle.len() == self.n_vertices();
        whole.then(|| cycle.into_iter().map(Vertex::new).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hamcnf_graph::graph_strategy::graphs;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn edges_are_where_their_ends_are(graph in graphs(2..=9)) {
            let edges = Edges::of(&graph);
            prop_assert_eq!(edges.len(), graph.n_edges() as usize);
            for v in graph.vertices() {
                let at: Vec<_> = edges.at(v.number()).iter().map(|&(w, _)| Vertex::new(w)).collect();
                prop_assert_eq!(&at, graph.neighbours(v));
                for &(w, edge) in edges.at(v.number()) {
                    let mut ends = [v.number(), w];
                    ends.sort_unstable();
                    prop_assert_eq!(edges.ends(edge), ends);
                    prop_assert_eq!(edges.other(edge, w), v.number());
                    prop_assert_eq!(edges.between(w, v.number()), Some(edge));
                }
            }
        }
    }
}
