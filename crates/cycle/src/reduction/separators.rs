//! Separating pairs of vertices.
//!
//! Suppose that the graph without the vertices a and b is disconnected. A Hamiltonian cycle passes each component, or
//! *side*, in one path between a and b. So there are exactly two sides, and the edge ab is not in the cycle. Each side
//! becomes a separate graph, with copies of a and b. A new vertex, adjacent to both copies, represents the other side.
//!
//! The partners b of a vertex a are the cut vertices of the graph without a. One search through the graph finds them.
//! The vertices a are tried in order of decreasing degree, until a work limit is reached.
//!
//! # References
//!
//! - John Hopcroft, Robert Tarjan: *Algorithm 447: efficient algorithms for graph manipulation*, Communications of the
//!   ACM 16, 1973, for cut vertices.

use super::{Interrupted, NONE, Undo, Work};
use hamcnf_graph::budget::Budget;

/// Maximum number of edges that the searches for one separating pair of vertices examine together.
const LOOKS: usize = 1 << 16;
/// Maximum number of edges that all searches for separating pairs examine together.
const MOST_LOOKS: usize = 1 << 20;

impl Work {
    /// Splits the graph at one separating pair of vertices. Returns true if a pair was found.
    pub(super) fn separators(&mut self, budget: &Budget) -> Result<bool, Interrupted> {
        let left = (0..self.at.len() as u32).filter(|&v| self.degree(v) > 2);
        let mut order: Vec<u32> = left.collect();
        order.sort_by_key(|&v| std::cmp::Reverse(self.degree(v)));
        let mut search = Search::new(self.at.len());
        let most = MOST_LOOKS.min(self.looks + LOOKS);
        for a in order {
            if self.looks > most {
                break;
            }
            budget.check()?;
            if let Some(b) = search.partner(self, a) {
                self.split([a, b])?;
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Splits the graph at a separating pair of vertices. Returns a contradiction if the pair separates more than two
    /// sides.
    fn split(&mut self, pair: [u32; 2]) -> Result<(), Interrupted> {
        let before = self.components(|_, _| false).1;
        let (number, count) = self.components(|v, w| pair.contains(&v) || pair.contains(&w));
        // In `number`, each of the two vertices is a component by itself.
        let sides = count - 2 - (before - 1);
        if sides != 2 {
            return Err(Interrupted::NoCycle);
        }
        let [a, b] = pair;
        if self.at[a as usize].contains(&b) {
            self.remove(a, b);
        }
        let there = number[self.at[a as usize][0] as usize];
        let mut twins = [[a, NONE], [b, NONE]];
        for twin in &mut twins {
            let at = self.at[twin[0] as usize].iter().copied();
            let (stays, goes) = at.partition(|&w| number[w as usize] == there);
            let v = twin[0];
            self.at[v as usize] = stays;
            twin[1] = self.name(goes);
            for w in self.at[twin[1] as usize].clone() {
                self.turn(w, v, twin[1]);
            }
        }
        let by = [0, 1].map(|side| {
            let ends = twins.map(|twin| twin[side]);
            let by = self.name(ends.to_vec());
            for v in ends {
                self.at[v as usize].push(by);
                self.wake(v);
            }
            self.wake(by);
            by
        });
        self.components += 1;
        self.undo.push(Undo::Separator { twins, by });
        Ok(())
    }
}

/// Working memory of a depth-first search through the graph without one vertex.
struct Search {
    /// Time at which the search reached each vertex; `NONE` if the vertex was not reached.
    at: Vec<u32>,
    /// Indexed by vertex v: the earliest time of a vertex that is adjacent to v or to a descendant of v in the search
    /// tree.
    low: Vec<u32>,
    /// Vertices of the current path, each with the index of its edge to examine next.
    stack: Vec<(u32, usize)>,
}

impl Search {
    fn new(n: usize) -> Self {
        Self { at: vec![NONE; n], low: vec![NONE; n], stack: Vec::new() }
    }

    /// Returns a vertex b such that removing `a` and b splits the component of `a` into two parts. The parts have at
    /// least two vertices each, and no edges between them. Returns `None` if the search finds no such vertex.
    fn partner(&mut self, work: &mut Work, a: u32) -> Option<u32> {
        self.at.fill(NONE);
        self.at[a as usize] = 0;
        self.low[a as usize] = 0;
        let root = work.at[a as usize][0];
        let mut next = 1;
        let mut branches = 0;
        // The difference of the times at which a vertex is entered and left is the number of vertices in its subtree.
        self.enter(root, &mut next);
        let mut found = Vec::new();
        while let Some(&mut (v, ref mut edge)) = self.stack.last_mut() {
            if let Some(&w) = work.at[v as usize].get(*edge) {
                *edge += 1;
                work.looks += 1;
                if w == a {
                    continue;
                }
                match self.at[w as usize] {
                    NONE => self.enter(w, &mut next),
                    there => self.low[v as usize] = self.low[v as usize].min(there),
                }
                continue;
            }
            self.stack.pop();
            let Some(&(above, _)) = self.stack.last() else {
                break;
            };
            let below = next - self.at[v as usize];
            if above == root {
                branches += 1;
            }
            if self.low[v as usize] >= self.at[above as usize] && (above != root || branches > 1) {
                found.push((above, below));
            }
            let low = self.low[v as usize];
            let over = &mut self.low[above as usize];
            *over = (*over).min(low);
        }
        let n = next - 1;
        // Removing the pair leaves `below` vertices on one side.
        let worth = found.into_iter().find(|&(_, below)| below > 1 && below + 2 < n);
        worth.map(|(b, _)| b)
    }

    fn enter(&mut self, v: u32, next: &mut u32) {
        self.at[v as usize] = *next;
        self.low[v as usize] = *next;
        *next += 1;
        self.stack.push((v, 0));
    }
}

#[cfg(test)]
mod tests {
    use hamcnf_graph::Graph;
    use hamcnf_graph::graph_strategy::graphs;
    use proptest::prelude::*;

    use super::*;

    /// Returns the number of vertices of each component after removing the vertices `without`.
    fn components(graph: &Graph, without: &[u32]) -> Vec<usize> {
        let mut seen = vec![false; graph.n_vertices() as usize];
        without.iter().for_each(|&v| seen[v as usize] = true);
        let mut sizes = Vec::new();
        for first in graph.vertices() {
            let (mut size, mut stack) = (0, vec![first]);
            while let Some(v) = stack.pop() {
                if !std::mem::replace(&mut seen[v.index()], true) {
                    size += 1;
                    stack.extend(graph.neighbours(v));
                }
            }
            sizes.extend(Some(size).filter(|&size| size > 0));
        }
        sizes
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(3000))]

        #[test]
        fn a_partner_leaves_two_sides_and_is_found_where_there_is_one(graph in graphs(5..=9)) {
            let n = graph.n_vertices();
            let mut work = Work::new(&graph);
            let mut search = Search::new(n as usize);
            for a in 0..n {
                if components(&graph, &[a]).len() != 1 || work.degree(a) == 0 {
                    continue;
                }
                let partner = search.partner(&mut work, a);
                if let Some(b) = partner {
                    let sides = components(&graph, &[a, b]);
                    prop_assert!(a != b && sides.len() > 1, "{a} {b}");
                    let rest = |side: &usize| n as usize - 2 - side;
                    prop_assert!(sides.iter().any(|side| *side > 1 && rest(side) > 1), "{a} {b}");
                }
                let separates = (0..n).filter(|&b| b != a).any(|b| {
                    matches!(components(&graph, &[a, b])[..], [one, other] if one > 1 && other > 1)
                });
                prop_assert!(partner.is_some() || !separates, "{a}");
            }
        }
    }
}
