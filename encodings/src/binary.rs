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
//! What these are in clauses, 2 + 4 + 6(m − 2) of them for (8), is in [`adder`](crate::adder).
//!
//! The addition is modulo 2^m. A cycle that misses the start would have a length divisible by 2^m ≥ N, so
//! there is none; no clause has to exclude the values from N on.
//!
//! # Pruning
//!
//! `as-published` has one clause of m literals for each position outside the window of a vertex: Table 1
//! includes them, though the paper's text says that preprocessing worked for unary only. `full` has the
//! bounds lo ≤ P(i) ≤ hi instead, in at most 2m clauses a vertex that also exclude the values from N on.
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
//! - The text's (Y_i−1 ∨ ¬X_i−1 ⇒ …) and its negation are the adder's carry; counted, its 6 clauses a bit.
//! - For open tours (section 4.3): an arc back to the start from every vertex, and no window ends early.
//!
//! # References
//!
//! - Karthikeyan, Chheda, Ruan: *Knights Tour*, 2024, sections 3.2 and 3.3.
//! - Neng-Fa Zhou: _In Pursuit of an Efficient SAT Encoding for the Hamiltonian Cycle Problem_, CP 2020.

use rustsat::types::{Assignment, Var};

use crate::adder::{bounds, differs, equals_if, successor_if};
use crate::cnf::exactly_one::{AuxiliaryCount, Cardinality};
use crate::cnf::reach::{Pruning, windows};
use crate::cnf::sink::{ClauseSink, Family};
use crate::cnf::vars::{Allocator, ArcVars, BitVars, Block};
use crate::distance;
use crate::encode::{Decode, Encode, EncodeError, Options, numbered};
use crate::problem::instance::Instance;
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
        // (O), if one direction is asked for
        let ends = |v| distance::ends(instance, h, v);
        self.options.orientation.emit(instance, ends, out);
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

    fn arcs(&self) -> Option<Block> {
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
