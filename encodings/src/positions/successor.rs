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

use super::binary::{Bits, FIRST_MOVE, LAST_MOVE, MOVE};
use super::{PositionEncoding, Positions};
use crate::base::{Plan, Unfit};
use crate::cnf::exactly_one::Cardinality;
use crate::cnf::sink::{ClauseSink, Family};
use crate::cnf::vars::{Allocator, BitVars, Term};
use hamcnf_graph::graph::Vertex;
use hamcnf_tours::instance::Instance;
use hamcnf_tours::sequence::Sequence;

/// Clause family (S): definition of the successor positions.
pub const NEXT: Family = Family { label: "(S)", says: "the next position of a vertex is its position plus one" };

/// Positions as binary numbers. The next position after a vertex is computed once, and all arcs from the vertex share
/// it.
#[derive(Clone, Copy, Debug)]
pub struct Successor;

impl PositionEncoding for Successor {
    fn layout(&self, instance: &Instance, plan: &Plan, variables: &mut Allocator) -> Result<Box<dyn Positions>, Unfit> {
        let x = BitVars::new(instance, variables);
        let m = x.m();
        let s = BitVars::of_length(instance, m - 1, variables);
        let c = BitVars::of_length(instance, m.saturating_sub(2), variables);
        variables.fits()?;
        let bits = Bits::new(instance, plan, x);
        Ok(Box::new(SuccessorPositions { bits, s, c }))
    }
}

/// Positions of an instance in the encoding [`Successor`]. Its variables are, in this order, the positions X, the sums
/// S and the carries C, each grouped by vertex.
#[derive(Clone, Debug)]
struct SuccessorPositions {
    bits: Bits,
    /// Variables s_1, …, s_m−1 of each vertex: bits of the sum P(v) + 1.
    s: BitVars,
    /// Variables c_2, …, c_m−1 of each vertex: carries of the sum P(v) + 1.
    c: BitVars,
}

impl SuccessorPositions {
    /// Returns the literal s_k of a vertex: bit k of the sum P(v) + 1. `None` for the start.
    fn next(&self, v: Vertex, k: u32) -> Option<Lit> {
        match k {
            0 => Some(!self.bits.word(v)?.bit(0)),
            k => Some(self.s.word(v)?.bit(k - 1)),
        }
    }

    /// Returns the literal c_k of a vertex, for k ≥ 1: all bits of P(v) below bit k are ones. `None` for the start.
    fn carry(&self, v: Vertex, k: u32) -> Option<Lit> {
        match k {
            1 => Some(self.bits.word(v)?.bit(0)),
            k => Some(self.c.word(v)?.bit(k - 2)),
        }
    }
}

impl Positions for SuccessorPositions {
    fn period(&self) -> u64 {
        self.bits.period()
    }

    fn define(&self, _: &mut Cardinality, out: &mut dyn ClauseSink) {
        let m = self.bits.m();
        out.family(NEXT);
        for (v, word) in self.bits.words() {
            for k in 1..m {
                let (Some(s), Some(c)) = (self.next(v, k), self.carry(v, k)) else {
                    continue;
                };
                let x = word.bit(k);
                // (S) s_k ↔ x_k ⊕ c_k
                out.clause(&[!s, x, c]);
                out.clause(&[!s, !x, !c]);
                out.clause(&[s, x, !c]);
                out.clause(&[s, !x, c]);
                // (S) c_k+1 ↔ x_k ∧ c_k
                if let Some(up) = (k + 1 < m).then(|| self.carry(v, k + 1)).flatten() {
                    out.clause(&[!up, x]);
                    out.clause(&[!up, c]);
                    out.clause(&[up, !x, !c]);
                }
            }
        }
    }

    fn families(&self) -> [Family; 3] {
        [FIRST_MOVE, LAST_MOVE, MOVE]
    }

    fn first(&self, h: Lit, v: Vertex, out: &mut dyn ClauseSink) {
        self.bits.first(h, v, out);
    }

    fn last(&self, h: Lit, v: Vertex, out: &mut dyn ClauseSink) {
        self.bits.last(h, v, out);
    }

    /// Streams the clauses (8), H_ij → P(j) = s(i): if the tour goes from i to j, then the position of j is the sum
    /// P(i) + 1.
    fn step(&self, h_ij: Lit, i: Vertex, j: Vertex, out: &mut dyn ClauseSink) {
        let Some(y) = self.bits.word(j) else { return };
        for k in (0..self.bits.m()).rev() {
            if let Some(s) = self.next(i, k) {
                out.clause(&[!h_ij, y.bit(k), !s]);
                out.clause(&[!h_ij, !y.bit(k), s]);
            }
        }
    }

    fn keep_in_windows(&self, out: &mut dyn ClauseSink) {
        self.bits.keep_in_windows(out);
    }

    fn at(&self, v: Vertex, p: u32) -> Option<Vec<Term>> {
        self.bits.at(v, p)
    }

    fn meaning(&self, instance: &Instance, var: Var) -> Option<String> {
        let named = |letter: char, (v, k): (Vertex, u32)| format!("{letter}({},{k})", instance.vertex_name(v));
        let next = || Some(named('S', self.s.meaning(var).map(|(v, k)| (v, k + 1))?));
        let carry = || Some(named('C', self.c.meaning(var).map(|(v, k)| (v, k + 2))?));
        self.bits.meaning(var).or_else(next).or_else(carry)
    }

    fn value(&self, sequence: &Sequence, var: Var) -> Option<bool> {
        let next = || {
            let (v, k) = self.s.meaning(var)?;
            Some((sequence.position(v) + 1) >> (k + 1) & 1 == 1)
        };
        let carry = || {
            let (v, k) = self.c.meaning(var)?;
            let ones = (1u32 << (k + 2)) - 1;
            Some(sequence.position(v) & ones == ones)
        };
        self.bits.value(sequence, var).or_else(next).or_else(carry)
    }
}
