//! The binary adder encoding: the paper's sections 3.2 and 3.2.2, with the preprocessing of 3.3.
//!
//! H_ij says that the tour goes from i to j. Every vertex but the start s has a position P(i), a number of m = ⌈log₂ N⌉
//! bits ⟨x_m−1 … x_0⟩. The position of the start is the constant 0.
//!
//! - (1), (2) exactly one H_ij in every row and column: see [`arcs`](crate::bases::arcs)
//! - (6) H_si → P(i) = 1
//! - (7) H_is → P(i) = N − 1
//! - (8) H_ij → P(j) = P(i) + 1 for i, j ≠ s
//!
//! The clauses of these equations are in [`word`](super::word). (8) has 2 + 4 + 6(m − 2) clauses per arc.
//!
//! The addition is modulo 2^m. The length of a cycle that misses the start would be divisible by 2^m ≥ N, which is
//! impossible. No clauses are needed to exclude the values N and above.
//!
//! # Windows
//!
//! `as-published` has one clause of m literals for each position outside the window of a vertex. Table 1 includes these
//! clauses, though the paper's text says that preprocessing worked for unary only. `full` has the bounds lo ≤ P(i) ≤ hi
//! instead, in at most 2m clauses per vertex. The bounds also exclude the values N and above.
//!
//! # Size
//!
//! With A arcs and pairwise at-most-one constraints, there are A + (N−1)m variables. Every row and column of k arcs has
//! 1 + k(k−1)/2 clauses. (6) and (7) have m·deg(s) clauses each (for open tours, (7) has m(N−1)). Every arc between
//! vertices other than the start has 2 + 4 + 6(m−2) clauses. As published, every vertex but the start also has N − w
//! clauses, where w is the width of its window.
//!
//! # Differences from the paper
//!
//! On 6×6, 8×8 and 10×10, the clauses as published equal those of the authors' program as multisets, with the same
//! numbers of variables. Differences from the text:
//!
//! - In the text, (Y_i−1 ∨ ¬X_i−1 ⇒ …) and its negation express the carry of the adder, in 6 clauses per bit.
//! - For open tours (section 4.3), an arc leads back to the start from every vertex, and distances do not limit the end
//!   of a window.
//!
//! # References
//!
//! - Karthikeyan, Chheda, Ruan: *Knights Tour*, 2024, sections 3.2 and 3.3.
//! - Neng-Fa Zhou: _In Pursuit of an Efficient SAT Encoding for the Hamiltonian Cycle Problem_, CP 2020.

use rustsat::types::Lit;

use super::code::{self, Code, Words};
use super::word::successor_if;
use super::{PositionEncoding, Positions};
use crate::base::{Plan, Unfit};
use crate::cnf::sink::ClauseSink;
use crate::cnf::vars::{Allocator, BitVars, Word};
use hamcnf_graph::graph::Vertex;
use hamcnf_tours::instance::Instance;

/// Function that streams the clauses of H → y = x + 1 modulo 2^m. The arguments are H, x, y and the sink; x and y are
/// words of m bits.
pub(super) type Adder = fn(Lit, Word, Word, &mut dyn ClauseSink);

/// Positions as binary numbers, with a separate adder for every arc.
#[derive(Clone, Copy, Debug)]
pub struct Binary {
    adder: Adder,
}

impl Binary {
    /// Positions with the adder of the paper *Knights Tour*.
    pub const PAPER: Self = Self::with(successor_if);

    /// Returns the position encoding with this adder.
    pub(super) const fn with(adder: Adder) -> Self {
        Self { adder }
    }
}

impl PositionEncoding for Binary {
    fn layout(&self, instance: &Instance, plan: &Plan, variables: &mut Allocator) -> Result<Box<dyn Positions>, Unfit> {
        let x = BitVars::new(instance, variables);
        code::positions(instance, plan, variables, x, *self)
    }
}

impl Code for Binary {
    /// Streams the clauses (8), H_ij → P(j) = P(i) + 1: if the tour goes from i to j, then j has the next position
    /// after i.
    fn step(&self, h_ij: Lit, _: Vertex, x: Word, y: Word, out: &mut dyn ClauseSink) {
        (self.adder)(h_ij, x, y, out);
    }

    fn keep_in_windows(&self, words: &Words, out: &mut dyn ClauseSink) {
        words.keep_numbers_in_windows(out);
    }
}
