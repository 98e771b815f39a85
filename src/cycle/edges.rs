//! The edges of a graph by number, and where they are: variables of what has no use for directions.

use hamcnf_encodings::{Graph, Vertex};

/// Undirected edges, counted from 0 in the order of (lesser end, greater end).
#[derive(Clone, Debug)]
pub struct Edges {
    ends: Vec<[u32; 2]>,
    /// `first[v]..first[v + 1]` are the places of the edges at `v` in `at`; one entry more than vertices.
    first: Vec<u32>,
    /// Neighbours, increasing, and the edges to them.
    at: Vec<(u32, u32)>,
}

impl Edges {
    /// Of a graph.
    #[must_use]
    pub fn of(graph: &Graph) -> Self {
        let n = graph.n_vertices() as usize;
        let mut ends = Vec::with_capacity(graph.n_edges() as usize);
        let mut first = Vec::with_capacity(n + 1);
        first.push(0);
        let mut at: Vec<(u32, u32)> = Vec::with_capacity(graph.n_arcs() as usize);
        // Edges to a lesser neighbour have their numbers already, and come in the order of those neighbours.
        let mut next: Vec<u32> = Vec::with_capacity(n);
        for v in graph.vertices() {
            let begin = at.len() as u32;
            for &w in graph.neighbours(v) {
                let edge = if w > v {
                    ends.push([v.number(), w.number()]);
                    (ends.len() - 1) as u32
                } else {
                    let there = &mut next[w.index()];
                    while at[*there as usize].0 != v.number() {
                        *there += 1;
                    }
                    at[*there as usize].1
                };
                at.push((w.number(), edge));
            }
            next.push(begin);
            first.push(at.len() as u32);
        }
        Self { ends, first, at }
    }

    /// How many vertices there are.
    #[must_use]
    pub fn n_vertices(&self) -> usize {
        self.first.len() - 1
    }

    /// How many edges there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Its two vertices, the lesser first.
    #[must_use]
    pub fn ends(&self, edge: u32) -> [u32; 2] {
        self.ends[edge as usize]
    }

    /// The neighbours of a vertex, increasing, and the edges to them.
    #[must_use]
    pub fn at(&self, v: u32) -> &[(u32, u32)] {
        &self.at[self.first[v as usize] as usize..self.first[v as usize + 1] as usize]
    }

    /// The vertex at the other end.
    #[must_use]
    pub fn other(&self, edge: u32, v: u32) -> u32 {
        let [a, b] = self.ends(edge);
        a ^ b ^ v
    }

    /// The edge between two vertices, if there is one.
    #[must_use]
    pub fn between(&self, a: u32, b: u32) -> Option<u32> {
        let [few, many] = match self.at(a).len() <= self.at(b).len() {
            true => [a, b],
            false => [b, a],
        };
        let at = self.at(few);
        let found = at.binary_search_by_key(&many, |&(w, _)| w).ok()?;
        Some(at[found].1)
    }

    /// The vertices of the cycle that some edges make, from vertex 0 on; `None` where they make none through all.
    #[must_use]
    pub fn cycle(&self, chosen: impl Fn(u32) -> bool) -> Option<Vec<Vertex>> {
        let n = self.n_vertices();
        let mut order = Vec::with_capacity(n);
        let (mut v, mut by) = (0, u32::MAX);
        loop {
            order.push(Vertex::new(v));
            let on = self.at(v).iter();
            let mut on = on.filter(|&&(_, edge)| edge != by && chosen(edge));
            let &(w, edge) = on.next()?;
            (v, by) = (w, edge);
            if v == 0 {
                return (order.len() == n).then_some(order);
            }
            if order.len() == n {
                return None;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hamcnf_encodings::graph_strategy::graphs;
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
