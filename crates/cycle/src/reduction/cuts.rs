//! Classes of edges such that any two edges of a class *cut* the graph: removing these two edges disconnects it.
//!
//! A Hamiltonian cycle crosses every cut an even number of times, so it contains both edges of a cut of two edges. Such
//! pairs form classes: any two edges of a class cut the graph. The edges of a class connect the remaining parts of the
//! graph in a ring, and the cycle goes around the ring. Each part becomes a separate graph, with one new vertex in
//! place of all other parts.
//!
//! Random labels find the classes. Each edge outside a spanning tree gets a random label, and closes a cycle with the
//! tree. The label of a tree edge is the exclusive or of the labels of all edges whose cycles contain the tree edge.
//! With probability 1 − 2⁻⁶⁴, two edges have the same label if and only if they cut the graph. Every class is verified
//! before it is used.

use std::collections::BTreeMap;

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};

use super::{Interrupted, NONE, Undo, Work};
use hamcnf_graph::budget::Budget;

/// Maximum number of vertices that are visited to split the graph, in total for all classes.
const LOOKS: usize = 1 << 24;

impl Work {
    /// Splits the graph at classes of edges. Removing any two edges of a class disconnects the graph. Returns true if
    /// the graph was split.
    pub(super) fn cuts(&mut self, budget: &Budget) -> Result<bool, Interrupted> {
        let mut labels = self.labels();
        labels.sort_unstable();
        let classes = labels.chunk_by(|(a, _), (b, _)| a == b).filter(|class| class.len() > 1);
        let mut worth: Vec<Vec<[u32; 2]>> = Vec::new();
        for class in classes {
            let edges: Vec<[u32; 2]> = class.iter().map(|&(_, edge)| edge).collect();
            // The two edges of a vertex of degree 2 are also a class, but a split there is useless.
            let of_one = |v: &u32| self.degree(*v) == 2 && edges[1].contains(v);
            if edges.len() > 2 || !edges[0].iter().any(of_one) {
                worth.push(edges);
            }
        }
        let mut found = false;
        for class in worth {
            // Each split visits the whole graph. If there are very many classes, some are skipped.
            if self.walked > LOOKS {
                break;
            }
            self.walked += self.at.len();
            budget.check()?;
            found |= self.ring(&class)?;
        }
        Ok(found)
    }

    /// Returns each edge, preceded by its label. If two edges together cut the graph, they have equal labels. A bridge
    /// has label 0.
    fn labels(&self) -> Vec<(u64, [u32; 2])> {
        let n = self.at.len();
        let mut random = ChaCha8Rng::seed_from_u64(0);
        let mut sum = vec![0; n];
        let mut parent = vec![NONE; n];
        let mut seen = vec![false; n];
        let (mut order, mut stack) = (Vec::new(), Vec::new());
        for root in 0..n as u32 {
            if !self.is_left(root) || std::mem::replace(&mut seen[root as usize], true) {
                continue;
            }
            stack.push(root);
            while let Some(v) = stack.pop() {
                order.push(v);
                for &w in &self.at[v as usize] {
                    if !std::mem::replace(&mut seen[w as usize], true) {
                        parent[w as usize] = v;
                        stack.push(w);
                    }
                }
            }
        }
        let mut labels = Vec::new();
        for &v in &order {
            for &w in self.at[v as usize].iter().filter(|&&w| v < w) {
                if parent[v as usize] != w && parent[w as usize] != v {
                    let label = random.next_u64();
                    sum[v as usize] ^= label;
                    sum[w as usize] ^= label;
                    labels.push((label, [v, w]));
                }
            }
        }
        for &v in order.iter().rev() {
            let above = parent[v as usize];
            if above != NONE {
                let label = sum[v as usize];
                sum[above as usize] ^= label;
                labels.push((label, [v.min(above), v.max(above)]));
            }
        }
        labels
    }

    /// Splits the graph at the edges of a class. Removing any two of these edges disconnects the graph. Returns false
    /// without a change if the edges do not connect parts in a ring, or if fewer than two parts have more than one
    /// vertex. Returns a contradiction if a single vertex separates a part from the graph.
    fn ring(&mut self, class: &[[u32; 2]]) -> Result<bool, Interrupted> {
        // An earlier split may have replaced ends of the edges.
        if class.iter().any(|&[v, w]| !self.is_left(v) || !self.at[v as usize].contains(&w)) {
            return Ok(false);
        }
        let mut ends: Vec<u32> = class.iter().flatten().copied().collect();
        ends.sort_unstable();
        let is_cut = |v: u32, w: u32| class.binary_search(&[v.min(w), v.max(w)]).is_ok();
        let (number, count) = self.components(is_cut);
        // For each part, the ends of class edges in the part. A vertex that is a part by itself occurs twice.
        let mut of_part: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for &end in &ends {
            of_part.entry(number[end as usize]).or_default().push(end);
        }
        let parts_before = self.components(|_, _| false).1;
        let is_ring = of_part.len() == class.len()
            && of_part.values().all(|ends| ends.len() == 2)
            && count == parts_before + class.len() - 1;
        if !is_ring {
            return Ok(false);
        }
        let is_more = |ends: &Vec<u32>| ends[0] != ends[1] || self.degree(ends[0]) > 2;
        if of_part.values().filter(|ends| is_more(ends)).count() < 2 {
            return Ok(false);
        }
        // If both edges of a part end at the same vertex, this vertex separates the rest of the part from the graph.
        if of_part.values().any(|ends| ends[0] == ends[1] && self.degree(ends[0]) > 2) {
            return Err(Interrupted::NoCycle);
        }
        let mut by: BTreeMap<u32, u32> = BTreeMap::new();
        for (&part, ends) in &of_part {
            if ends[0] == ends[1] {
                self.gone[ends[0] as usize] = true;
            } else {
                by.insert(part, self.name(vec![ends[0], ends[1]]));
            }
        }
        let mut edges = Vec::with_capacity(class.len());
        for &[v, w] in class {
            let sides = [v, w].map(|v| by.get(&number[v as usize]).copied());
            for (v, there, w) in [(v, sides[0], w), (w, sides[1], v)] {
                match there {
                    Some(by) => self.turn(v, w, by),
                    None => self.at[v as usize].clear(),
                }
            }
            edges.push([(v, sides[0]), (w, sides[1])]);
        }
        self.components += by.len() - 1;
        for &by in by.values() {
            self.wake(by);
        }
        self.undo.push(Undo::Ring(edges));
        Ok(true)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use hamcnf_graph::Graph;

    /// Tests the labels of a graph that consists of three complete graphs. Two edges join the first two graphs, and
    /// have equal labels. A bridge joins the third graph, and has label 0.
    #[test]
    fn edges_of_which_any_two_cut_have_one_label_and_bridges_none() {
        let complete = |from: u32, n: u32| {
            let pairs = (0..n).flat_map(move |v| (0..v).map(move |w| (w, v)));
            pairs.map(move |(v, w)| (from + v, from + w))
        };
        let parts = complete(0, 6).chain(complete(6, 5)).chain(complete(11, 4));
        let graph = Graph::from_edges(15, parts.chain([(0, 6), (1, 7), (2, 11)])).unwrap();
        let mut labels = Work::new(&graph).labels();
        labels.sort_unstable();
        assert_eq!(labels.len(), graph.n_edges() as usize);
        assert_eq!(labels[0], (0, [2, 11]));
        let same = labels.windows(2).filter(|pair| pair[0].0 == pair[1].0);
        let same: Vec<_> = same.map(|pair| [pair[0].1, pair[1].1]).collect();
        assert_eq!(same, [[[0, 6], [1, 7]]]);
    }

    /// Tests that edges with equal labels do not split the graph unless they connect parts in a ring.
    #[test]
    fn what_is_no_ring_is_left_as_it_is() {
        // Two pairs of complete graphs. Two edges join the two graphs of each pair.
        let complete = |from: u32| {
            let pairs = (0..4).flat_map(move |v| (0..v).map(move |w| (w, v)));
            pairs.map(move |(v, w)| (from + v, from + w))
        };
        let parts = [0, 4, 8, 12].into_iter().flat_map(complete);
        let graph = Graph::from_edges(16, parts.chain([(0, 4), (1, 5), (8, 12), (9, 13)])).unwrap();
        let ring = |class: &[[u32; 2]]| {
            let mut work = Work::new(&graph);
            let found = work.ring(class).ok().unwrap();
            assert_eq!(found, !work.undo.is_empty());
            found
        };
        assert!(ring(&[[0, 4], [1, 5]]));
        assert!(!ring(&[[0, 1], [2, 3]]), "none of them cuts");
        assert!(!ring(&[[0, 4], [2, 3]]), "one does");
        assert!(!ring(&[[0, 1], [0, 4], [1, 5]]), "one too many");
        assert!(!ring(&[[0, 4], [1, 5], [8, 12]]), "one of another ring");
        assert!(!ring(&[[0, 4], [1, 5], [8, 12], [9, 13]]), "two rings");
        assert!(!ring(&[[0, 5], [1, 4]]), "no edges");
        // Only one part has more than one vertex: the other two parts are the inner vertices of a path.
        let path = (0..4).flat_map(|v| (0..v).map(move |w| (w, v)));
        let graph = Graph::from_edges(6, path.chain([(0, 4), (4, 5), (1, 5)])).unwrap();
        let mut work = Work::new(&graph);
        assert!(!work.ring(&[[0, 4], [1, 5], [4, 5]]).ok().unwrap());
    }
}
