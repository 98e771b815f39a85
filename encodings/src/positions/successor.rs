//! Positions as binary numbers, with one adder per vertex. All arcs from the vertex share the sum, and only copy it.
//!
//! As in [`binary`](super::binary), P(i) = ⟨x_m−1 … x_0⟩. Instead of one adder per arc there is one per vertex i other
//! than the start: s = P(i) + 1 modulo 2^m, with carries c.
//!
//! - (S) s_0 = ¬x_0, c_1 = x_0; s_k ↔ x_k ⊕ c_k for k ≥ 1, 4 clauses; c_k+1 ↔ x_k ∧ c_k for 1 ≤ k ≤ m − 2, 3 clauses
//! - (6) H_si → P(i) = 1
//! - (7) H_is → P(i) = N − 1
//! - (8) H_ij → P(j) = s(i), 2 clauses of three literals for each bit
//!
//! s_0 and c_1 are literals of x_0, and need no variables.
//!
//! # Size
//!
//! With A arcs and m ≥ 2 bits, there are A + (N−1)(m + (m−1) + (m−2)) variables. (S) has (N−1)(4(m−1) + 3(m−2))
//! clauses, and every arc between vertices other than the start has 2m. In [`binary`](super::binary), an arc has 6(m−1)
//! clauses of up to five literals.
//!
//! # References
//!
//! - Neng-Fa Zhou: _In Pursuit of an Efficient SAT Encoding for the Hamiltonian Cycle Problem_, CP 2020, for the
//!   adders per arc.

use rustsat::types::{Lit, Var};

use super::code::{self, Code, Words};
use super::word::differ_iff;
use super::{PositionEncoding, Positions};
use crate::base::{Plan, Unfit};
use crate::cnf::sink::{ClauseSink, Family};
use crate::cnf::vars::{Allocator, BitVars, Word};
use hamcnf_graph::graph::Vertex;
use hamcnf_tours::instance::Instance;

/// Clause family (S): definition of the successor positions.
pub const NEXT: Family = Family { label: "(S)", says: "the next position of a vertex is its position plus one" };

/// Positions as binary numbers. The next position after a vertex is computed once, and all arcs from the vertex share
/// it.
#[derive(Clone, Copy, Debug)]
pub struct Successor;

impl PositionEncoding for Successor {
    fn layout(&self, instance: &Instance, plan: &Plan, variables: &mut Allocator) -> Result<Box<dyn Positions>, Unfit> {
        let x = BitVars::new(instance, variables);
        let [s, c] = [1, 2].map(|lowest| BitVars::without_lowest(instance, lowest, variables));
        code::positions(instance, plan, variables, x, Sums { s, c })
    }
}

/// Code of the encoding [`Successor`]. The variables are, in this order, the positions X, the sums S and the carries C,
/// each grouped by vertex.
#[derive(Debug)]
struct Sums {
    /// Variables s_1, …, s_m−1 of each vertex: bits of the sum P(v) + 1.
    s: BitVars,
    /// Variables c_2, …, c_m−1 of each vertex: carries of the sum P(v) + 1.
    c: BitVars,
}

impl Sums {
    /// Returns the literal s_k of a vertex with the word `x`: bit k of the sum P(v) + 1. `None` for the start.
    fn next(&self, v: Vertex, x: Word, k: u32) -> Option<Lit> {
        match k {
            0 => Some(!x.bit(0)),
            k => Some(self.s.word(v)?.bit(k - 1)),
        }
    }

    /// Returns the literal c_k of a vertex with the word `x`, for k ≥ 1: all bits of P(v) below bit k are ones. `None`
    /// for the start.
    fn carry(&self, v: Vertex, x: Word, k: u32) -> Option<Lit> {
        match k {
            1 => Some(x.bit(0)),
            k => Some(self.c.word(v)?.bit(k - 2)),
        }
    }
}

impl Code for Sums {
    fn define(&self, words: &Words, out: &mut dyn ClauseSink) {
        out.family(NEXT);
        for (v, word) in words.iter() {
            for k in 1..word.m() {
                let (Some(s), Some(c)) = (self.next(v, word, k), self.carry(v, word, k)) else {
                    continue;
                };
                let x = word.bit(k);
                // (S) s_k ↔ x_k ⊕ c_k
                differ_iff(s, x, c, out);
                // (S) c_k+1 ↔ x_k ∧ c_k
                if let Some(up) = (k + 1 < word.m()).then(|| self.carry(v, word, k + 1)).flatten() {
                    out.clause(&[!up, x]);
                    out.clause(&[!up, c]);
                    out.clause(&[up, !x, !c]);
                }
            }
        }
    }

    /// Streams the clauses (8), H_ij → P(j) = s(i): if the tour goes from i to j, then the position of j is the sum
    /// P(i) + 1.
    fn step(&self, h_ij: Lit, i: Vertex, x: Word, y: Word, out: &mut dyn ClauseSink) {
        for k in (0..y.m()).rev() {
            if let Some(s) = self.next(i, x, k) {
                out.clause(&[!h_ij, y.bit(k), !s]);
                out.clause(&[!h_ij, !y.bit(k), s]);
            }
        }
    }

    fn keep_in_windows(&self, words: &Words, out: &mut dyn ClauseSink) {
        words.keep_numbers_in_windows(out);
    }

    fn auxiliary(&self, var: Var) -> Option<(char, Vertex, u32)> {
        let named = |letter, bits: &BitVars| bits.meaning(var).map(|(v, k)| (letter, v, k));
        named('S', &self.s).or_else(|| named('C', &self.c))
    }

    fn auxiliary_value(&self, letter: char, k: u32, p: u32) -> bool {
        match letter {
            'S' => (p + 1) >> k & 1 == 1,
            _ => p % (1 << k) == (1 << k) - 1,
        }
    }
}
