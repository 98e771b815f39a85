//! The binary adder encoding: the paper's sections 3.2 and 3.2.2, with the preprocessing of 3.3.
//!
//! H_ij says that the tour goes from i to j; the position P(i) of every vertex but the start s is a number
//! of m = ⌈log₂ N⌉ bits ⟨x_m−1 … x_0⟩, and that of the start the constant 0.
//!
//! - (1), (2) exactly one H_ij in every row and column: see [`distance`]
//! - (6) H_si → P(i) = 1
//! - (7) H_is → P(i) = N − 1
//! - (8) H_ij → P(j) = P(i) + 1 for i, j ≠ s
//!
//! (8) with x the bits of P(i) and y those of P(j), every clause under H_ij:
//!
//! - y_0 = ¬x_0: 2 clauses
//! - x_0 → (y_1 = ¬x_1) and ¬x_0 → (y_1 = x_1): 4 clauses
//! - for k ≥ 2 the carry into bit k is x_k−1 ∧ ¬y_k−1 (bit k−1 went from 1 to 0): with it y_k = ¬x_k,
//!   without it y_k = x_k: 6 clauses
//!
//! The addition is modulo 2^m. A cycle that misses the start would have a length divisible by 2^m ≥ N, so
//! there is none; no clause has to exclude the values from N on.
//!
//! # Pruning
//!
//! `as-published` has one clause of m literals for each position outside the window of a vertex: Table 1
//! includes them, though the paper's text says that preprocessing worked for unary only. `full` has the
//! bounds lo ≤ P(i) ≤ hi instead, in at most 2m clauses a vertex that also exclude the values from N on:
//! P ≥ lo iff for every k with lo_k = 1: x_k ∨ ⋁ {x_l : l > k, lo_l = 0}; P ≤ hi dually.
//!
//! # Size
//!
//! With A arcs, pairwise: A + (N−1)m variables; 1 + k(k−1)/2 clauses for every row and column of k arcs;
//! m·deg(s) each for (6) and (7) (for open tours m(N−1) for (7)); 2 + 4 + 6(m−2) for every arc between
//! others; N minus the width of its window for every vertex but the start, as published.
//!
//! # Differences from the paper
//!
//! Held against the authors' program on 6×6, 8×8 and 10×10, the clauses as published are the same as
//! multisets, with the same numbers of variables. Against the text:
//!
//! - The text's (Y_i−1 ∨ ¬X_i−1 ⇒ …) and its negation are the carry above; counted, its 6 clauses a bit.
//! - For open tours (section 4.3): an arc back to the start from every vertex, and no window ends early.
//!
//! # References
//!
//! - Karthikeyan, Chheda, Ruan: *Knights Tour*, 2024, sections 3.2 and 3.3.
//! - Neng-Fa Zhou: _In Pursuit of an Efficient SAT Encoding for the Hamiltonian Cycle Problem_, CP 2020.

use rustsat::types::{Assignment, Lit, Var};

use crate::cnf::exactly_one::{AuxiliaryCount, Cardinality};
use crate::cnf::reach::{Pruning, Window, windows};
use crate::cnf::sink::{ClauseSink, Family};
use crate::cnf::vars::{Allocator, ArcVars, BitVars, Block, Word};
use crate::distance;
use crate::encode::{Decode, Encode, EncodeError, Options, numbered};
use crate::problem::instance::{Instance, TourKind};
use crate::problem::tour::{NotATour, Tour};

/// (6)
pub const FIRST_MOVE: Family = Family {
    label: "(6)",
    says: "the start's successor has position 1",
};
/// (7)
pub const LAST_MOVE: Family = Family {
    label: "(7)",
    says: "the start's predecessor has position N-1",
};
/// (8)
pub const MOVE: Family = Family {
    label: "(8)",
    says: "a successor has the next position",
};
/// Section 3.3.
pub const WINDOW: Family = Family {
    label: "(W)",
    says: "no vertex has a position outside its window",
};

/// The binary adder encoding.
#[derive(Clone, Copy, Debug)]
pub struct Binary {
    options: Options,
}

impl Encode for Binary {
    const NAME: &'static str = "binary";
    const PUBLISHED: Pruning = Pruning::AsPublished;
    type Vars = BinaryVars;

    fn new(options: Options) -> Self {
        Self { options }
    }

    fn layout(&self, instance: &Instance) -> Result<BinaryVars, EncodeError> {
        let mut variables = Allocator::default();
        let h = ArcVars::new(instance, &mut variables);
        let x = BitVars::new(instance, &mut variables);
        numbered::<Self>(&variables, instance)?;
        let mut auxiliary = AuxiliaryCount::new(self.options.at_most_one);
        distance::count_auxiliary(instance, &h, &mut auxiliary);
        variables.take(auxiliary.total());
        let n_vars = numbered::<Self>(&variables, instance)?;
        Ok(BinaryVars { h, x, n_vars })
    }

    fn emit<S: ClauseSink>(&self, instance: &Instance, vars: &BinaryVars, out: &mut S) {
        let (n, start) = (instance.n(), instance.start());
        let BinaryVars { h, x: p, .. } = vars;
        let mut card = Cardinality::new(self.options.at_most_one, Var::new(p.block().end));

        distance::emit(instance, h, &mut card, out);
        // (6) H_si → P(i) = 1
        out.family(FIRST_MOVE);
        for (i, h_si) in h.successors(instance, start) {
            if let Some(x) = p.word(i) {
                equals_if(h_si, x, 1, p.m(), out);
            }
        }
        // (7) H_is → P(i) = N − 1
        out.family(LAST_MOVE);
        for (i, h_is) in h.predecessors(instance, start) {
            if let Some(x) = p.word(i) {
                equals_if(h_is, x, n - 1, p.m(), out);
            }
        }
        // (8) H_ij → P(j) = P(i) + 1; the start, which has no word, is neither i nor j
        out.family(MOVE);
        for i in instance.others() {
            for (j, h_ij) in h.successors(instance, i) {
                if let (Some(x), Some(y)) = (p.word(i), p.word(j)) {
                    successor_if(h_ij, x, y, p.m(), out);
                }
            }
        }
        if self.options.pruning == Pruning::None {
            return;
        }
        // Section 3.3: lo ≤ P(i) ≤ hi
        out.family(WINDOW);
        let windows = windows(instance, self.options.pruning);
        for i in instance.others() {
            let (Some(x), window) = (p.word(i), windows[i.index()]) else {
                continue;
            };
            if self.options.pruning == Pruning::Full {
                bounds(x, window, p.m(), out);
            } else {
                for value in window.outside(n) {
                    differs(x, value, p.m(), out);
                }
            }
        }
    }

    fn models_per_tour(&self, instance: &Instance) -> u32 {
        match instance.kind() {
            TourKind::Open => 1,
            TourKind::Closed => 2,
        }
    }
}

/// H → x = value, bit by bit, the highest first.
fn equals_if(h: Lit, x: Word, value: u32, m: u32, out: &mut impl ClauseSink) {
    for k in (0..m).rev() {
        out.clause(&[!h, x.bit_is(k, value)]);
    }
}

/// H → y = x + 1 modulo 2^m.
fn successor_if(h: Lit, x: Word, y: Word, m: u32, out: &mut impl ClauseSink) {
    let not_h = !h;
    // y_0 = ¬x_0
    let (x0, y0) = (x.bit(0), y.bit(0));
    out.clause(&[not_h, x0, y0]);
    out.clause(&[not_h, !x0, !y0]);
    if m < 2 {
        return;
    }
    // x_0 → (y_1 = ¬x_1), ¬x_0 → (y_1 = x_1)
    let (x1, y1) = (x.bit(1), y.bit(1));
    out.clause(&[not_h, !x0, y1, x1]);
    out.clause(&[not_h, !x0, !y1, !x1]);
    out.clause(&[not_h, x0, y1, !x1]);
    out.clause(&[not_h, x0, !y1, x1]);
    // (x_k−1 ∧ ¬y_k−1) → (y_k = ¬x_k), ¬(x_k−1 ∧ ¬y_k−1) → (y_k = x_k)
    for k in 2..m {
        let (x_low, y_low) = (x.bit(k - 1), y.bit(k - 1));
        let (xk, yk) = (x.bit(k), y.bit(k));
        out.clause(&[not_h, !x_low, y_low, yk, xk]);
        out.clause(&[not_h, !x_low, y_low, !yk, !xk]);
        out.clause(&[not_h, x_low, yk, !xk]);
        out.clause(&[not_h, x_low, !yk, xk]);
        out.clause(&[not_h, !y_low, yk, !xk]);
        out.clause(&[not_h, !y_low, !yk, xk]);
    }
}

/// x ≠ value: one clause.
fn differs(x: Word, value: u32, m: u32, out: &mut impl ClauseSink) {
    let clause: Vec<_> = (0..m).rev().map(|k| !x.bit_is(k, value)).collect();
    out.clause(&clause);
}

/// lo ≤ x ≤ hi; the empty clause where that is no value.
fn bounds(x: Word, window: Window, m: u32, out: &mut impl ClauseSink) {
    if window.width() == 0 {
        out.clause(&[]);
        return;
    }
    let bit = |value: u32, k: u32| value >> k & 1 == 1;
    for k in (0..m).filter(|&k| bit(window.lo, k)) {
        let above = (k + 1..m).filter(|&l| !bit(window.lo, l)).map(|l| x.bit(l));
        out.clause(&above.chain([x.bit(k)]).collect::<Vec<_>>());
    }
    for k in (0..m).filter(|&k| !bit(window.hi, k)) {
        let above = (k + 1..m).filter(|&l| bit(window.hi, l)).map(|l| !x.bit(l));
        out.clause(&above.chain([!x.bit(k)]).collect::<Vec<_>>());
    }
}

/// H, then the bits, then auxiliary variables.
#[derive(Clone, Debug)]
pub struct BinaryVars {
    h: ArcVars,
    x: BitVars,
    n_vars: u32,
}

impl Decode for BinaryVars {
    fn n_vars(&self) -> u32 {
        self.n_vars
    }

    fn support(&self) -> Block {
        self.h.block()
    }

    fn edges(&self) -> Option<Block> {
        Some(self.h.block())
    }

    fn meaning(&self, instance: &Instance, var: Var) -> Option<String> {
        if let Some(arc) = self.h.meaning(instance, var) {
            return Some(arc);
        }
        let (i, k) = self.x.meaning(var)?;
        Some(format!("X({},{k})", instance.vertex_name(i)))
    }

    fn value(&self, instance: &Instance, tour: &Tour, var: Var) -> Option<bool> {
        self.h
            .value(instance, tour, var)
            .or_else(|| self.x.value(tour, var))
    }

    fn tour(&self, instance: &Instance, model: &Assignment) -> Result<Tour, NotATour> {
        distance::follow(instance, &self.h, model)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::graph::Graph;
    use crate::problem::graph::Vertex;
    use rustsat::instances::Cnf;

    /// Assignments of `n` variables that satisfy the clauses.
    fn models(cnf: &Cnf, n: u32) -> impl Iterator<Item = u32> {
        let holds = |model: u32, l: &Lit| (model >> l.vidx() & 1 == 1) == l.is_pos();
        (0..1u32 << n).filter(move |&m| cnf.iter().all(|c| c.iter().any(|l| holds(m, l))))
    }

    /// Two words of m bits: vertices 1 and 2 of a graph on 2^m vertices.
    fn words(m: u32) -> (Word, Word) {
        let graph = Graph::from_edges(1 << m, []).unwrap();
        let (start, kind) = (Vertex::new(0), TourKind::Open);
        let instance = Instance::on_graph("empty", graph, kind, start).unwrap();
        let p = BitVars::new(&instance, &mut Allocator::default());
        assert_eq!(p.m(), m);
        let word = |v| p.word(Vertex::new(v)).unwrap();
        (word(1), word(2))
    }

    fn value(x: Word, m: u32, model: u32) -> u32 {
        (0..m).map(|k| (model >> x.bit(k).vidx() & 1) << k).sum()
    }

    #[test]
    fn the_adder_adds_one() {
        for m in 1..=4 {
            let (x, y) = words(m);
            let h = Lit::positive(2 * m);
            let mut cnf = Cnf::new();
            successor_if(h, x, y, m, &mut cnf);
            let expected = [0, 2, 6, 12, 18][m as usize];
            assert_eq!(cnf.len(), expected, "2 + 4 + 6(m - 2) clauses");
            let (mut under_h, mut free) = (0, 0);
            for model in models(&cnf, 2 * m + 1) {
                if model >> h.vidx() & 1 == 1 {
                    under_h += 1;
                    assert_eq!(value(y, m, model), (value(x, m, model) + 1) % (1 << m));
                } else {
                    free += 1;
                }
            }
            assert_eq!((under_h, free), (1 << m, 1 << (2 * m)));
        }
    }

    #[test]
    fn bounds_leave_the_window() {
        let m = 4;
        let (x, _) = words(m);
        for lo in 0..16 {
            for hi in 0..16 {
                let mut cnf = Cnf::new();
                bounds(x, Window { lo, hi }, m, &mut cnf);
                let left: Vec<_> = models(&cnf, m).map(|model| value(x, m, model)).collect();
                let mut left = left;
                left.sort_unstable();
                assert_eq!(left, (lo..=hi).collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn one_value_is_excluded() {
        let (x, _) = words(3);
        for value_out in 0..8 {
            let mut cnf = Cnf::new();
            differs(x, value_out, 3, &mut cnf);
            let left: Vec<_> = models(&cnf, 3).map(|model| value(x, 3, model)).collect();
            assert_eq!((left.len(), left.contains(&value_out)), (7, false));
        }
    }
}
