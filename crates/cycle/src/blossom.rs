//! Perfect matchings of general graphs by Edmonds' algorithm.
//!
//! A breadth-first search from an exposed vertex, the root, grows a tree of alternating paths. Vertices at even
//! distance from the root are *outer*. An edge between two outer vertices closes an odd cycle, a *blossom*. All
//! vertices of the blossom become outer, and union-find represents the blossom by one vertex, its *base*. A path to
//! another exposed vertex augments the matching. If a search finds no such path, some maximum matching leaves the root
//! exposed. Then there is no perfect matching.
//!
//! # References
//!
//! - J. Edmonds: *Paths, trees, and flowers*, Canadian Journal of Mathematics 17, 1965.
//! - H. N. Gabow: *An efficient implementation of Edmonds' algorithm for maximum matching on graphs*, Journal of the
//!   ACM 23, 1976.

use super::links::NONE;
use super::{Budget, Stopped};

/// Number of vertices that a search examines between two checks of the budget.
const STEPS: usize = 1 << 10;

/// Adjacency lists of a graph: the neighbours of `v` are `heads[first[v]..first[v + 1]]`.
pub(super) struct Rows {
    pub(super) first: Vec<u32>,
    pub(super) heads: Vec<u32>,
}

impl Rows {
    fn of(&self, v: u32) -> std::ops::Range<usize> {
        self.first[v as usize] as usize..self.first[v as usize + 1] as usize
    }
}

/// Augments a matching until it is perfect. `mate` contains the partner of each vertex, or `NONE`. Returns false if the
/// graph has no perfect matching.
pub(super) fn perfect(rows: &Rows, mate: &mut [u32], budget: &Budget) -> Result<bool, Stopped> {
    let n = mate.len();
    let mut forest = Forest {
        rows,
        mate,
        outer: vec![None; n],
        parent: vec![NONE; n],
        base: (0..n as u32).collect(),
        stamp: vec![0; n],
        now: 0,
        queue: Vec::new(),
        touched: Vec::new(),
    };
    for root in 0..n as u32 {
        if forest.mate[root as usize] == NONE && !forest.augment(root, budget)? {
            return Ok(false);
        }
    }
    Ok(true)
}

struct Forest<'a> {
    rows: &'a Rows,
    mate: &'a mut [u32],
    /// Indexed by vertex: true for outer and false for inner vertices of the search tree; `None` for vertices outside
    /// the tree.
    outer: Vec<Option<bool>>,
    /// Indexed by vertex: for an inner vertex, the outer vertex that precedes it in the tree. For a vertex of a blossom
    /// other than the base: its neighbour on the blossom that is not its partner in the matching.
    parent: Vec<u32>,
    /// Parent of each vertex in the union-find structure of blossoms. A vertex that is its own parent is the base of a
    /// blossom, or is outside all blossoms.
    base: Vec<u32>,
    /// Indexed by base: the number of the last search for a common base that visited this base.
    stamp: Vec<u32>,
    /// Number of searches for a common base so far.
    now: u32,
    /// Outer vertices whose edges are still to be examined.
    queue: Vec<u32>,
    /// Vertices of the search tree. Their entries are reset before the next search.
    touched: Vec<u32>,
}

impl Forest<'_> {
    fn augment(&mut self, root: u32, budget: &Budget) -> Result<bool, Stopped> {
        for v in self.touched.drain(..) {
            self.outer[v as usize] = None;
            self.parent[v as usize] = NONE;
            self.base[v as usize] = v;
        }
        self.queue.clear();
        self.queue.push(root);
        self.outer[root as usize] = Some(true);
        self.touched.push(root);
        let mut next = 0;
        while let Some(&v) = self.queue.get(next) {
            if next.is_multiple_of(STEPS) {
                budget.check()?;
            }
            next += 1;
            for k in self.rows.of(v) {
                let w = self.rows.heads[k];
                let outer = self.outer[w as usize];
                match outer {
                    None => {
                        self.parent[w as usize] = v;
                        let mate = self.mate[w as usize];
                        if mate == NONE {
                            self.touched.push(w);
                            self.flip(w);
                            return Ok(true);
                        }
                        self.outer[w as usize] = Some(false);
                        self.outer[mate as usize] = Some(true);
                        self.touched.extend([w, mate]);
                        self.queue.push(mate);
                    }
                    Some(true) if self.find(v) != self.find(w) => {
                        let common = self.common(v, w);
                        self.contract(v, w, common);
                        self.contract(w, v, common);
                    }
                    Some(_) => {}
                }
            }
        }
        Ok(false)
    }

    /// Augments the matching along the path from the exposed vertex `w` back to the root: matched and unmatched edges
    /// change roles.
    fn flip(&mut self, mut w: u32) {
        while w != NONE {
            let v = self.parent[w as usize];
            let next = self.mate[v as usize];
            self.mate[v as usize] = w;
            self.mate[w as usize] = v;
            w = next;
        }
    }

    fn find(&mut self, mut v: u32) -> u32 {
        while self.base[v as usize] != v {
            let above = self.base[self.base[v as usize] as usize];
            self.base[v as usize] = above;
            v = above;
        }
        v
    }

    /// Returns the base of the blossom that the edge vw closes. This is the first base that is on the paths from both
    /// `v` and `w` to the root.
    fn common(&mut self, v: u32, w: u32) -> u32 {
        self.now += 1;
        let (mut x, mut y) = (self.find(v), self.find(w));
        loop {
            if x != NONE {
                if self.stamp[x as usize] == self.now {
                    return x;
                }
                self.stamp[x as usize] = self.now;
                let mate = self.mate[x as usize];
                x = if mate == NONE {
                    NONE
                } else {
                    let parent = self.parent[mate as usize];
                    self.find(parent)
                };
            }
            std::mem::swap(&mut x, &mut y);
        }
    }

    /// Contracts the side of a blossom that leads from `v` to `base`. `w` is the other end of the edge that closes the
    /// blossom.
    fn contract(&mut self, mut v: u32, mut w: u32, base: u32) {
        while self.find(v) != base {
            self.parent[v as usize] = w;
            w = self.mate[v as usize];
            if self.outer[w as usize] == Some(false) {
                self.outer[w as usize] = Some(true);
                self.queue.push(w);
            }
            for x in [v, w] {
                if self.base[x as usize] == x {
                    self.base[x as usize] = base;
                }
            }
            v = self.parent[w as usize];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hamcnf_graph::graph_strategy::graphs;
    use hamcnf_graph::{Graph, Vertex};
    use proptest::prelude::*;

    fn has_perfect(graph: &Graph, free: u32) -> bool {
        let Some(v) = (0..32).find(|v| free >> v & 1 == 1) else {
            return true;
        };
        graph.neighbours(Vertex::new(v)).iter().any(|w| {
            let w = w.number();
            free >> w & 1 == 1 && has_perfect(graph, free & !(1 << v | 1 << w))
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]

        #[test]
        fn a_matching_is_perfect_where_trying_all_finds_one(graph in graphs(2..=12)) {
            let n = graph.n_vertices();
            let mut first = vec![0];
            let mut heads = Vec::new();
            for v in graph.vertices() {
                heads.extend(graph.neighbours(v).iter().map(|w| w.number()));
                first.push(heads.len() as u32);
            }
            let mut mate = vec![NONE; n as usize];
            let found = perfect(&Rows { first, heads }, &mut mate, &Budget::default()).unwrap();
            prop_assert_eq!(found, has_perfect(&graph, (1 << n) - 1));
            for (v, &w) in (0..).zip(&mate) {
                if w != NONE {
                    prop_assert_eq!(mate[w as usize], v);
                    prop_assert!(graph.arc(Vertex::new(v), Vertex::new(w)).is_some());
                } else {
                    prop_assert!(!found);
                }
            }
        }
    }
}
