//! The unary distance encoding: the paper's sections 3.2 and 3.2.1, with the preprocessing of 3.3.
//!
//! H_ij says that the tour goes from i to j, U_ip that vertex i has position p. With s the start:
//!
//! - (1), (2) exactly one H_ij in every row and column: see [`distance`]
//! - (U) Σ_p U_ip = 1 for every i, and U_s0
//! - (3′) H_si → U_i1
//! - (4′) H_is → U_i,N−1
//! - (5′) H_ij ∧ U_ip → U_j,p+1 for i, j ≠ s and 1 ≤ p ≤ N−2
//!
//! # Pruning
//!
//! U_ip exists only where p is in the window of i. For (5′) that has a consequence: where U_ip exists and
//! U_j,p+1 does not, the clause is ¬H_ij ∨ ¬U_ip. The authors' program leaves those clauses out, and so
//! does `as-published`, for otherwise Table 1 would not come out. That is sound: a tour that takes such
//! a step is too far from the start to be back at position N−1. But it propagates less; `full` has them.
//!
//! # Size
//!
//! With A arcs, w_i the width of the window of i and pairwise: A + Σ w_i variables; 1 + k(k−1)/2 clauses
//! for every row and column of k arcs; 1 + w_i(w_i−1)/2 for every vertex and 1 for the start; deg(s) each
//! for (3′) and (4′) (for open tours N−1 for (4′)); and for every arc (i, j) between others in (5′) as many
//! as there are p in 1..N−2 with p in the window of i and, unless full, p+1 in that of j. Under full
//! pruning the start's position is a constant, without variables or clauses.
//!
//! # Differences from the paper
//!
//! Held against the authors' program on 6×6, 8×8 and 10×10, the clauses as published are the same as
//! multisets, with the same numbers of variables. Against the text:
//!
//! - The text has positions from 1; they are counted from 0 here, as in the authors' program.
//! - The text leaves out U_s0, which the program has, and prunes from position d(i) on in words but
//!   position d(i) + 1 on in its formula; a vertex at distance d can have position d.
//! - For open tours (section 4.3): an arc back to the start from every vertex, and no window ends early.
//!
//! # References
//!
//! - Karthikeyan, Chheda, Ruan: *Knights Tour*, 2024, sections 3.2 and 3.3.
//! - Neng-Fa Zhou: _In Pursuit of an Efficient SAT Encoding for the Hamiltonian Cycle Problem_, CP 2020.

use rustsat::types::{Assignment, Var};

use crate::cnf::exactly_one::{AuxiliaryCount, Cardinality};
use crate::cnf::reach::{Pruning, windows};
use crate::cnf::sink::{ClauseSink, Disjunction, Family};
use crate::cnf::vars::{Allocator, ArcVars, Block, PositionVars, Term};
use crate::distance;
use crate::encode::{Decode, Encode, EncodeError, Options, numbered};
use crate::problem::instance::Instance;
use crate::problem::tour::{NotATour, Tour};

/// (U)
pub const POSITION: Family = Family {
    label: "(U)",
    says: "every vertex has exactly one position, the start the first",
};
/// (3′)
pub const FIRST_MOVE: Family = Family {
    label: "(3')",
    says: "the start's successor has position 1",
};
/// (4′)
pub const LAST_MOVE: Family = Family {
    label: "(4')",
    says: "the start's predecessor has position N-1",
};
/// (5′)
pub const MOVE: Family = Family {
    label: "(5')",
    says: "a successor has the next position",
};

/// The unary distance encoding.
#[derive(Clone, Copy, Debug)]
pub struct Unary {
    options: Options,
}

impl Encode for Unary {
    const NAME: &'static str = "unary";
    const PUBLISHED: Pruning = Pruning::AsPublished;
    type Vars = UnaryVars;

    fn new(options: Options) -> Self {
        Self { options }
    }

    fn layout(&self, instance: &Instance) -> Result<UnaryVars, EncodeError> {
        let mut variables = Allocator::default();
        let h = ArcVars::new(instance, &mut variables);
        let u = PositionVars::new(windows(instance, self.options.pruning), &mut variables);
        numbered::<Self>(&variables, instance)?;
        let mut auxiliary = AuxiliaryCount::new(self.options.at_most_one);
        distance::count_auxiliary(instance, &h, &mut auxiliary);
        for i in instance.graph().vertices() {
            let exists = |&p: &u32| matches!(u.at(i, p), Term::Lit(_));
            auxiliary.constraint(|| u.window(i).positions().filter(exists).count());
        }
        variables.take(auxiliary.total());
        let n_vars = numbered::<Self>(&variables, instance)?;
        Ok(UnaryVars { h, u, n_vars })
    }

    fn emit<S: ClauseSink>(&self, instance: &Instance, vars: &UnaryVars, out: &mut S) {
        let (n, start) = (instance.n(), instance.start());
        let UnaryVars { h, u, .. } = vars;
        let mut card = Cardinality::new(self.options.at_most_one, Var::new(u.block().end));
        let mut clause = Disjunction::default();

        distance::emit(instance, h, &mut card, out);
        // (U) Σ_p U_ip = 1, U_s0
        out.family(POSITION);
        for i in instance.graph().vertices() {
            card.exactly_one(u.window(i).positions().map(|p| u.at(i, p)), out);
        }
        clause.clear().or(u.at(start, 0)).emit(out);
        // (3′) H_si → U_i1
        out.family(FIRST_MOVE);
        for (i, h_si) in h.successors(instance, start) {
            clause.clear().or(Term::Lit(!h_si)).or(u.at(i, 1)).emit(out);
        }
        // (4′) H_is → U_i,N−1
        out.family(LAST_MOVE);
        for (i, h_is) in h.predecessors(instance, start) {
            clause
                .clear()
                .or(Term::Lit(!h_is))
                .or(u.at(i, n - 1))
                .emit(out);
        }
        // (5′) H_ij ∧ U_ip → U_j,p+1
        out.family(MOVE);
        for i in instance.others() {
            for (j, h_ij) in h.successors(instance, i).filter(|&(j, _)| j != start) {
                for p in u.window(i).positions().filter(|p| (1..=n - 2).contains(p)) {
                    let next = u.at(j, p + 1);
                    if next == Term::False && self.options.pruning != Pruning::Full {
                        continue;
                    }
                    clause
                        .clear()
                        .or(Term::Lit(!h_ij))
                        .or_not(u.at(i, p))
                        .or(next)
                        .emit(out);
                }
            }
        }
        // (O), if one direction is asked for
        let ends = |v| distance::ends(instance, h, v);
        self.options.orientation.emit(instance, ends, out);
    }
}

/// H, then U, then auxiliary variables.
#[derive(Clone, Debug)]
pub struct UnaryVars {
    h: ArcVars,
    u: PositionVars,
    n_vars: u32,
}

impl Decode for UnaryVars {
    fn n_vars(&self) -> u32 {
        self.n_vars
    }

    fn support(&self) -> Block {
        self.h.block()
    }

    fn arcs(&self) -> Option<Block> {
        Some(self.h.block())
    }

    fn positions(&self) -> Option<&PositionVars> {
        Some(&self.u)
    }

    fn meaning(&self, instance: &Instance, var: Var) -> Option<String> {
        if let Some(arc) = self.h.meaning(instance, var) {
            return Some(arc);
        }
        let (i, p) = self.u.meaning(var)?;
        Some(format!("U({},{p})", instance.vertex_name(i)))
    }

    fn value(&self, instance: &Instance, tour: &Tour, var: Var) -> Option<bool> {
        self.h
            .value(instance, tour, var)
            .or_else(|| self.u.value(tour, var))
    }

    fn tour(&self, instance: &Instance, model: &Assignment) -> Result<Tour, NotATour> {
        distance::follow(instance, &self.h, model)
    }
}
