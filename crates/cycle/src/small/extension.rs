//! Search for a Hamiltonian cycle of a small graph by extending a path at both ends. A node of the search takes a few
//! nanoseconds, so that most graphs are decided before a better search would have been set up.
//!
//! The path begins with a vertex of least degree (up to three) between two of its neighbours, which are the ends e and
//! t. All pairs of neighbours are tried. Let R be the set of the other vertices. An end can be extended to its
//! neighbours in R, the candidates:
//!
//! 1. If an end has no candidate, there is no cycle.
//! 2. A vertex of R needs two neighbours in R ∪ {e, t}. When e is extended to another vertex, its candidates lose a
//!    neighbour. So a candidate with one neighbour left is a contradiction, a candidate with two is the only choice, and
//!    two such candidates are a contradiction. Other vertices of R need no test.
//! 3. If t has only one candidate, t is extended instead of e.
//! 4. After the first nodes, the search ends if the graph is bipartite and its sides have different sizes. Most searches
//!    are shorter than this test.
//!
//! # References
//!
//! - Jan Goedgebeur, Jarne Renders, Gábor Wiener, Carol T. Zamfirescu: *K2-Hamiltonian Graphs: II*, Journal of Graph
//!   Theory 105(4), 2024, 580–611. Their program `hamiltonicityChecker` extends the path at one end, and tests all
//!   vertices of R at every node.

use hamcnf_graph::masks::Masks;

use super::is_unbalanced;

/// Edges of a Hamiltonian cycle. The number of valid entries is the number of vertices of the graph.
pub(super) type CycleEdges = [[u8; 2]; Masks::MOST as usize];

/// Result of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(clippy::large_enum_variant, reason = "a box would cost an allocation per graph")]
pub(super) enum Extension {
    Cycle(CycleEdges),
    NoCycle,
    /// The search reached the maximum number of nodes.
    TooLong,
}

/// Maximum numbers of search nodes: before the test of the colours, and after it.
pub(super) const NODES: [u32; 2] = [64, 2048];

/// Searches for a Hamiltonian cycle. `nodes` contains the maximum numbers of search nodes before and after the test of
/// the colours.
pub(super) fn find(graph: &Masks, nodes: [u32; 2]) -> Extension {
    if graph.n() < 3 {
        return Extension::NoCycle;
    }
    let [before, after] = nodes;
    let mut search = Search { graph, left: before, after: Some(after), edges: [[0; 2]; Masks::MOST as usize] };
    match search.run() {
        Ok(true) => Extension::Cycle(search.edges),
        Ok(false) | Err(End::Unbalanced) => Extension::NoCycle,
        Err(End::TooLong) => Extension::TooLong,
    }
}

/// Reason why a search ended early.
enum End {
    Unbalanced,
    TooLong,
}

struct Search<'g> {
    graph: &'g Masks,
    /// Number of nodes that the search may visit before the next test.
    left: u32,
    /// Number of nodes that the search may visit after the test of the colours; `None` after this test.
    after: Option<u32>,
    /// Edges of the path.
    edges: CycleEdges,
}

/// True if a mask has at most one bit. Much faster than `count_ones` on processors without that instruction.
#[inline]
fn at_most_one(mask: u64) -> bool {
    mask & mask.wrapping_sub(1) == 0
}

/// Returns the mask without its lowest bit.
#[inline]
fn without_lowest(mask: u64) -> u64 {
    mask & mask.wrapping_sub(1)
}

/// Removes the lowest bit from a nonempty mask. Returns the number of this bit.
#[inline]
fn take(mask: &mut u64) -> u32 {
    let number = mask.trailing_zeros();
    *mask = without_lowest(*mask);
    number
}

/// Returns a vertex of least degree if the least degree is at most 3, and any vertex otherwise. Returns `None` if a
/// vertex has fewer than two neighbours.
fn start(rows: &[u64]) -> Option<u32> {
    let (mut of_degree_2, mut of_degree_3, mut is_possible) = (None, 0, true);
    for (v, &row) in (0..).zip(rows) {
        let but_one = without_lowest(row);
        let but_two = without_lowest(but_one);
        is_possible &= but_one != 0;
        if but_two == 0 {
            of_degree_2 = Some(v);
        } else if at_most_one(but_two) {
            of_degree_3 = v;
        }
    }
    is_possible.then_some(of_degree_2.unwrap_or(of_degree_3))
}

impl Search<'_> {
    fn row(&self, v: u32) -> u64 {
        // The remainder proves to the compiler that the index is in range.
        self.graph.padded_rows()[(v % Masks::MOST) as usize]
    }

    /// Sets an edge of the path.
    fn set(&mut self, index: usize, v: u32, w: u32) {
        self.edges[index % Masks::MOST as usize] = [v as u8, w as u8];
    }

    /// Tests the colours when the first nodes are used up, and then allows more nodes. Ends the search when these nodes
    /// are used up, too.
    #[cold]
    fn test_colours(&mut self) -> Result<(), End> {
        self.left = self.after.take().ok_or(End::TooLong)?;
        match is_unbalanced(self.graph) {
            true => Err(End::Unbalanced),
            false => Ok(()),
        }
    }

    fn run(&mut self) -> Result<bool, End> {
        let Some(start) = start(self.graph.rows()) else {
            return Ok(false);
        };
        let others = self.graph.all() ^ 1 << start;
        let mut first = self.row(start);
        while !at_most_one(first) {
            let e = take(&mut first);
            let mut second = first;
            while second != 0 {
                let t = take(&mut second);
                self.set(0, start, e);
                self.set(1, start, t);
                let rest = others ^ 1 << e ^ 1 << t;
                let is_cycle = match rest {
                    // The graph has three vertices.
                    0 => {
                        self.set(2, e, t);
                        self.row(e) >> t & 1 == 1
                    }
                    _ => self.has_neighbours(start, rest, others) && self.extend(e, t, rest, 2)?,
                };
                if is_cycle {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// True if every neighbour of `v` in `rest` has two neighbours in `available`.
    fn has_neighbours(&self, v: u32, rest: u64, available: u64) -> bool {
        let (mut left, mut all) = (self.row(v) & rest, true);
        while left != 0 {
            let w = take(&mut left);
            all &= !at_most_one(self.row(w) & available);
        }
        all
    }

    /// Searches for a path from `e` to `t` through all vertices of the nonempty set `rest`. The path from `e` to `t` so
    /// far has `length` edges. All vertices of `rest` but the neighbours of `e` and `t` have two neighbours among `rest`,
    /// `e` and `t`.
    fn extend(&mut self, mut e: u32, mut t: u32, mut rest: u64, mut length: usize) -> Result<bool, End> {
        loop {
            while self.left == 0 {
                self.test_colours()?;
            }
            self.left -= 1;
            let (mut candidates, others) = (self.row(e) & rest, self.row(t) & rest);
            if candidates == 0 || others == 0 {
                return Ok(false);
            }
            let available = rest | 1 << e | 1 << t;
            let (mut left, mut forced) = (candidates, 0);
            while left != 0 {
                let v = take(&mut left);
                let but_one = without_lowest(self.row(v) & available);
                if but_one == 0 {
                    return Ok(false);
                }
                if at_most_one(but_one) {
                    forced |= 1 << v;
                }
            }
            if at_most_one(rest) {
                // The last vertex is adjacent to both ends.
                let v = rest.trailing_zeros();
                self.set(length, e, v);
                self.set(length + 1, t, v);
                return Ok(true);
            }
            if !at_most_one(forced) {
                return Ok(false);
            }
            if forced != 0 {
                candidates = forced;
            } else if at_most_one(others) && !at_most_one(candidates) {
                (e, t, candidates) = (t, e, others);
            }
            while !at_most_one(candidates) {
                let v = take(&mut candidates);
                self.set(length, e, v);
                if self.extend(v, t, rest ^ 1 << v, length + 1)? {
                    return Ok(true);
                }
            }
            let v = candidates.trailing_zeros();
            self.set(length, e, v);
            (e, rest, length) = (v, rest ^ 1 << v, length + 1);
        }
    }
}
