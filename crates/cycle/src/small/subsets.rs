//! Hamiltonian cycles of a small graph by dynamic programming over subsets, with one machine word per subset.
//!
//! Let h be a vertex, and let N(v) be the set of neighbours of v. For a set S of vertices other than h, let E(S) be the
//! set of all v in S such that some path begins at h, visits exactly the vertices of S, and ends at v:
//!
//! ```text
//! (1)  E({v}) = {v} ∩ N(h)
//! (2)  E(S)   = { v ∈ S : E(S ∖ v) ∩ N(v) ≠ ∅ }
//! (3)  the graph has a Hamiltonian cycle if and only if E(V ∖ h) ∩ N(h) ≠ ∅
//! ```
//!
//! Let P(S, v) be the number of these paths. Then these numbers give the number of cycles:
//!
//! ```text
//! (4)  P({v}, v) = 1 if v ∈ N(h), else 0
//! (5)  P(S, v)   = Σ P(S ∖ v, u) over u ∈ E(S ∖ v) ∩ N(v)
//! (6)  the number of Hamiltonian cycles is ½ Σ P(V ∖ h, v) over v ∈ N(h)
//! ```
//!
//! For a digraph, N(h) in (1) and (4) is the set of successors of h. Everywhere else, N(v) is the set of predecessors
//! of v, and the sum in (6) is not halved.
//!
//! A set is represented by a number with one bit per vertex, so subsets come before their supersets. There are 2ⁿ⁻¹
//! sets: the words E(S) take 32 MiB for 24 vertices, and the numbers P(S, v) take 76 MiB for 20 vertices.
//!
//! # References
//!
//! - Michael Held, Richard Karp: *A Dynamic Programming Approach to Sequencing Problems*, Journal of the SIAM 10, 1962.
//! - Richard Bellman: *Dynamic Programming Treatment of the Travelling Salesman Problem*, Journal of the ACM 9, 1962.

use hamcnf_graph::Digraph;
use hamcnf_graph::masks::{Masks, bits, low};

use hamcnf_graph::budget::{Budget, Stopped};

/// Maximum number of vertices of a graph or digraph that is searched for a cycle.
pub(super) const MOST: u32 = 24;

/// Maximum number of vertices of a graph or digraph whose cycles are counted. Up to this size, all numbers fit into 64
/// bits.
pub(super) const MOST_COUNTED: u32 = 20;

/// Number of sets between two checks of the budget.
const CHECK: usize = 1 << 15;

/// Tables of the dynamic program. Their memory is reused from graph to graph.
#[derive(Clone, Default, Debug)]
pub(super) struct Tables {
    /// Indexed by set S: E(S), as defined in the module documentation.
    ends: Vec<u32>,
    /// Indexed by set S and vertex v: P(S, v), as defined in the module documentation.
    paths: Vec<u64>,
}

impl Tables {
    /// Returns true if the graph or digraph, of 2 to [`MOST`] vertices, has a Hamiltonian cycle.
    ///
    /// # Errors
    ///
    /// Returns the reason why the budget ended the work.
    pub(super) fn has_cycle(&mut self, neighbours: &Neighbours, budget: &Budget) -> Result<bool, Stopped> {
        let &Neighbours { m, ref rows, first, last } = neighbours;
        let ends = &mut self.ends;
        ends.clear();
        ends.resize(1 << m, 0);
        for set in 1..1usize << m {
            if set.is_multiple_of(CHECK) {
                budget.check()?;
            }
            // (1)
            if set.is_power_of_two() {
                ends[set] = set as u32 & first;
                continue;
            }
            // (2)
            let mut found = 0;
            let mut left = set;
            while left != 0 {
                let v = left.trailing_zeros();
                left &= left - 1;
                let before = ends[set ^ 1 << v] & rows[v as usize];
                found |= u32::from(before != 0) << v;
            }
            ends[set] = found;
        }
        // (3)
        Ok(ends[(1 << m) - 1] & last != 0)
    }

    /// Returns the number of Hamiltonian cycles of a digraph of 2 to [`MOST_COUNTED`] vertices, or twice the number of
    /// those of a graph of 3 to [`MOST_COUNTED`] vertices.
    ///
    /// # Errors
    ///
    /// Returns the reason why the budget ended the work.
    pub(super) fn directed_cycles(&mut self, neighbours: &Neighbours, budget: &Budget) -> Result<u64, Stopped> {
        let &Neighbours { m, ref rows, first, last: of_last } = neighbours;
        let m = m as usize;
        let Self { ends, paths } = self;
        ends.clear();
        ends.resize(1 << m, 0);
        paths.clear();
        paths.resize(m << m, 0);
        for set in 1..1usize << m {
            if set.is_multiple_of(CHECK) {
                budget.check()?;
            }
            // (4)
            if set.is_power_of_two() {
                ends[set] = set as u32 & first;
                let v = set.trailing_zeros() as usize;
                paths[set * m + v] = (ends[set] >> v).into();
                continue;
            }
            let (before, rest) = paths.split_at_mut(set * m);
            let mut found = 0;
            for v in bits(set as u64) {
                let smaller = set ^ 1 << v;
                let last = ends[smaller] & rows[v as usize];
                if last == 0 {
                    continue;
                }
                // (5)
                found |= 1 << v;
                let numbers = &before[smaller * m..][..m];
                rest[v as usize] = bits(last.into()).map(|u| numbers[u as usize]).sum();
            }
            ends[set] = found;
        }
        // (6)
        let whole = &paths[((1 << m) - 1) * m..];
        Ok(bits(of_last.into()).map(|v| whole[v as usize]).sum())
    }
}

/// Neighbours of the vertices of a graph or digraph, as masks. The vertex h of the module documentation is the last
/// vertex.
pub(super) struct Neighbours {
    /// Number of vertices other than the vertex h, which the module documentation defines.
    m: u32,
    /// Indexed by vertex other than h: the mask of its predecessors, without h. The module documentation defines h.
    rows: [u32; MOST as usize],
    /// Mask of the successors of the vertex h, which the module documentation defines.
    first: u32,
    /// Mask of the predecessors of the vertex h, which the module documentation defines.
    last: u32,
}

impl Neighbours {
    pub(super) fn of_graph(graph: &Masks) -> Self {
        let m = graph.n() - 1;
        let mut rows = [0; MOST as usize];
        for (to, from) in rows.iter_mut().zip(&graph.rows()[..m as usize]) {
            *to = (from & low(m)) as u32;
        }
        let of_last = graph.row(m) as u32;
        Self { m, rows, first: of_last, last: of_last }
    }

    pub(super) fn of_digraph(digraph: &Digraph) -> Self {
        let m = digraph.n_vertices() - 1;
        let mut neighbours = Self { m, rows: [0; MOST as usize], first: 0, last: 0 };
        for arc in digraph.arcs() {
            let (tail, head) = (arc.tail.number(), arc.head.number());
            if tail == m {
                neighbours.first |= 1 << head;
            } else if head == m {
                neighbours.last |= 1 << tail;
            } else {
                neighbours.rows[head as usize] |= 1 << tail;
            }
        }
        neighbours
    }
}
