//! Connectivity check: the edges whose variables are not false must connect the graph, also after removing any one
//! vertex.
//!
//! A Hamiltonian cycle without one of its vertices is a path through all other vertices. So no Hamiltonian cycle
//! remains if the edges that are not false do not connect the graph, or do not connect it after removing a vertex a. A
//! *part* is a set of vertices that these edges connect to the other vertices only through a, or not at all. One clause
//! explains the contradiction: it requires a true edge from the part to a vertex that is outside the part and different
//! from a. One depth-first search finds all vertices a for which the check fails. The clause uses the smallest part
//! that the search finds.
//!
//! In a [`Network`](super::Network), a vertex may be passed: paths outside the network visit it, and the cycle may skip
//! it. A vertex that can no longer be passed is *certain*. The check only reports a part if there are certain vertices
//! both inside and outside the part.
//!
//! # References
//!
//! - Robert Tarjan: *Depth-First Search and Linear Graph Algorithms*, SIAM Journal on Computing 1, 1972.

use crate::edges::Edges;

/// Set of vertices that is connected to the other vertices through at most one vertex.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Apart {
    /// Vertices of the set.
    pub(super) part: Vec<u32>,
    /// Vertex that connects the set to the other vertices; `None` if no edges leave the set.
    pub(super) by: Option<u32>,
}

/// Working memory of the connectivity check, reused from one search to the next.
#[derive(Debug)]
pub(super) struct Connectivity {
    /// Time at which the search reached each vertex, starting with 1; 0 for vertices not reached.
    reached: Vec<u32>,
    /// Indexed by vertex v: the earliest time among v, the descendants of v in the search tree, and their neighbours.
    /// The tree edge from v to its parent is ignored.
    low: Vec<u32>,
    /// Vertices in the order in which they were reached.
    order: Vec<u32>,
    /// Indexed by k: the number of certain vertices (which the cycle must visit) among the first k vertices of `order`.
    certain: Vec<u32>,
    /// Current path of the search. Each entry is a vertex, the edge by which the search reached it, and the index of
    /// the next edge to examine.
    stack: Vec<(u32, u32, u32)>,
    /// Number of edges examined so far in all searches.
    pub(super) work: u64,
}

impl Connectivity {
    pub(super) fn new(n: usize) -> Self {
        Self {
            reached: vec![0; n],
            low: vec![0; n],
            order: Vec::with_capacity(n),
            certain: Vec::with_capacity(n + 1),
            stack: Vec::new(),
            work: 0,
        }
    }

    /// Searches the graph of the edges that are not false. Returns the smallest set found that at most one vertex
    /// connects to the rest. Only considers sets with *certain* vertices, which the cycle must visit, both inside and
    /// outside. `root` is a certain vertex, and `all` is the number of certain vertices.
    pub(super) fn apart(
        &mut self,
        edges: &Edges,
        is_false: impl Fn(u32) -> bool,
        is_certain: impl Fn(u32) -> bool,
        root: u32,
        all: u32,
    ) -> Option<Apart> {
        self.reached.fill(0);
        self.order.clear();
        self.certain.clear();
        self.certain.push(0);
        self.stack.clear();
        self.enter(root, u32::MAX, &is_certain);
        // Smallest part so far: its number of vertices, the index of its first vertex in `order`, and the vertex that
        // connects it to the rest.
        let mut least: Option<(usize, usize, u32)> = None;
        while let Some(&mut (v, by, ref mut next)) = self.stack.last_mut() {
            let Some(&(w, edge)) = edges.at(v).get(*next as usize) else {
                self.stack.pop();
                let Some(&(above, ..)) = self.stack.last() else {
                    break;
                };
                let low = self.low[v as usize];
                self.low[above as usize] = self.low[above as usize].min(low);
                if low >= self.reached[above as usize] {
                    let begin = self.reached[v as usize] as usize - 1;
                    let size = self.order.len() - begin;
                    let here = self.certain[self.order.len()] - self.certain[begin];
                    let elsewhere = all - here - u32::from(is_certain(above));
                    let both = here > 0 && elsewhere > 0;
                    if both && least.is_none_or(|(other, ..)| size < other) {
                        least = Some((size, begin, above));
                    }
                }
                continue;
            };
            *next += 1;
            self.work += 1;
            if edge == by || is_false(edge) {
                continue;
            }
            match self.reached[w as usize] {
                0 => self.enter(w, edge, &is_certain),
                time => self.low[v as usize] = self.low[v as usize].min(time),
            }
        }
        if self.certain[self.order.len()] < all {
            return Some(Apart { part: self.order.clone(), by: None });
        }
        let (size, begin, by) = least?;
        Some(Apart { part: self.order[begin..begin + size].to_vec(), by: Some(by) })
    }

    fn enter(&mut self, v: u32, by: u32, is_certain: impl Fn(u32) -> bool) {
        let before = self.certain[self.order.len()];
        self.certain.push(before + u32::from(is_certain(v)));
        self.order.push(v);
        let time = self.order.len() as u32;
        self.reached[v as usize] = time;
        self.low[v as usize] = time;
        self.stack.push((v, by, 0));
    }
}
