//! Hamiltonian cycles of a small graph by dynamic programming over subsets, with one machine word per subset.
//!
//! Let h be a vertex and N(v) the neighbours of v. For a set S of other vertices, E(S) has the vertices v of S such that
//! a path begins at h, visits S, and ends at v:
//!
//! ```text
//! (1)  E({v}) = {v} ∩ N(h)
//! (2)  E(S)   = { v ∈ S : E(S ∖ v) ∩ N(v) ≠ ∅ }
//! (3)  the graph has a Hamiltonian cycle if and only if E(V ∖ h) ∩ N(h) ≠ ∅
//! ```
//!
//! The number of these paths, P(S, v), gives the number of cycles:
//!
//! ```text
//! (4)  P({v}, v) = 1 if v ∈ N(h), else 0
//! (5)  P(S, v)   = Σ P(S ∖ v, u) over u ∈ E(S ∖ v) ∩ N(v)
//! (6)  the number of Hamiltonian cycles is ½ Σ P(V ∖ h, v) over v ∈ N(h)
//! ```
//!
//! A set is a number whose bits are its vertices, so that subsets come before their supersets. There are 2ⁿ⁻¹ sets: the
//! words take 32 MiB for 24 vertices, and the numbers of paths 76 MiB for 20 vertices.
//!
//! # References
//!
//! - Michael Held, Richard Karp: *A Dynamic Programming Approach to Sequencing Problems*, Journal of the SIAM 10, 1962.
//! - Richard Bellman: *Dynamic Programming Treatment of the Travelling Salesman Problem*, Journal of the ACM 9, 1962.

use hamcnf_encodings::masks::{Masks, bits, low};

use crate::budget::{Budget, Stopped};

/// Largest number of vertices of a graph in which a cycle is searched.
pub(super) const MOST: u32 = 24;

/// Largest number of vertices of a graph whose cycles are counted. Then all numbers fit into 64 bits.
pub(super) const MOST_COUNTED: u32 = 20;

/// Number of sets between two checks of the budget.
const CHECK: usize = 1 << 15;

/// Tables, kept for the next graph.
#[derive(Clone, Default, Debug)]
pub(super) struct Tables {
    /// Indexed by set S: E(S).
    ends: Vec<u32>,
    /// Indexed by set S and vertex v: P(S, v).
    paths: Vec<u64>,
}

impl Tables {
    /// Returns true if the graph, of 3 to [`MOST`] vertices, has a Hamiltonian cycle.
    ///
    /// # Errors
    ///
    /// The reason why the budget ended the work.
    pub(super) fn has_cycle(&mut self, graph: &Masks, budget: &Budget) -> Result<bool, Stopped> {
        debug_assert!((3..=MOST).contains(&graph.n()));
        let m = graph.n() - 1;
        let (rows, of_last) = others(graph);
        let ends = &mut self.ends;
        ends.clear();
        ends.resize(1 << m, 0);
        for set in 1..1usize << m {
            if set.is_multiple_of(CHECK) {
                budget.over().map_or(Ok(()), Err)?;
            }
            // (1)
            if set.is_power_of_two() {
                ends[set] = set as u32 & of_last;
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
        Ok(ends[(1 << m) - 1] & of_last != 0)
    }

    /// Returns the number of Hamiltonian cycles of a graph of 3 to [`MOST_COUNTED`] vertices.
    ///
    /// # Errors
    ///
    /// The reason why the budget ended the work.
    pub(super) fn count(&mut self, graph: &Masks, budget: &Budget) -> Result<u64, Stopped> {
        debug_assert!((3..=MOST_COUNTED).contains(&graph.n()));
        let m = graph.n() as usize - 1;
        let (rows, of_last) = others(graph);
        let Self { ends, paths } = self;
        ends.clear();
        ends.resize(1 << m, 0);
        paths.clear();
        paths.resize(m << m, 0);
        for set in 1..1usize << m {
            if set.is_multiple_of(CHECK) {
                budget.over().map_or(Ok(()), Err)?;
            }
            // (4)
            if set.is_power_of_two() {
                ends[set] = set as u32 & of_last;
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
        let directed: u64 = bits(of_last.into()).map(|v| whole[v as usize]).sum();
        Ok(directed / 2)
    }
}

/// Returns two values: for each vertex except the last, its neighbours other than the last vertex; and the neighbours
/// of the last vertex.
fn others(graph: &Masks) -> ([u32; MOST as usize], u32) {
    let last = graph.n() - 1;
    let mut rows = [0; MOST as usize];
    for (to, from) in rows.iter_mut().zip(&graph.rows()[..last as usize]) {
        *to = (from & low(last)) as u32;
    }
    (rows, graph.row(last) as u32)
}
