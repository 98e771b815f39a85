//! The unary distance encoding: the paper's sections 3.2 and 3.2.1, with the preprocessing of 3.3.
//!
//! H_ij says that the tour goes from i to j, and U_ip says that vertex i has position p. The start is s.
//!
//! - (1), (2) exactly one H_ij in every row and column: see [`arcs`](crate::bases::arcs)
//! - (U) Σ_p U_ip = 1 for every i, and U_s0
//! - (3′) H_si → U_i1
//! - (4′) H_is → U_i,N−1
//! - (5′) H_ij ∧ U_ip → U_j,p+1 for i, j ≠ s and 1 ≤ p ≤ N−2
//!
//! # Windows
//!
//! U_ip exists only if p is in the window of i. This affects (5′): if U_ip exists and U_j,p+1 does not, the clause is
//! ¬H_ij ∨ ¬U_ip. The authors' program leaves these clauses out, and so does `as-published`, as Table 1 requires.
//! Without them the encoding remains sound: a tour that takes the step from p to p+1 is too far from the start to be
//! back at position N−1. But unit propagation is weaker without these clauses; `full` has them.
//!
//! # Size
//!
//! With A arcs, windows of widths w_i, and pairwise at-most-one constraints: A + Σ w_i variables; 1 + k(k−1)/2 clauses
//! for every row and column of k arcs; 1 + w_i(w_i−1)/2 for every vertex and 1 for the start; deg(s) each for (3′) and
//! (4′) (for open tours N−1 for (4′)). (5′) has one clause for every arc (i, j) with i, j ≠ s and each p in 1..N−2 that
//! is in the window of i. Unless pruning is full, p+1 must also be in the window of j. Under full pruning the start's
//! position is a constant, without variables or clauses.
//!
//! # Differences from the paper
//!
//! On 6×6, 8×8 and 10×10, the clauses as published equal those of the authors' program as multisets, with the same
//! numbers of variables. Differences from the text:
//!
//! - The text counts positions from 1. Here they are counted from 0, as in the authors' program.
//! - The text leaves out U_s0, which the program has. In words, the text allows positions starting at d(i), but its
//!   formula allows them starting at d(i) + 1. A vertex at distance d can have position d.
//! - For open tours (section 4.3), an arc leads back to the start from every vertex, and distances do not limit the end
//!   of a window.
//!
//! # References
//!
//! - Karthikeyan, Chheda, Ruan: *Knights Tour*, 2024, sections 3.2 and 3.3.
//! - Neng-Fa Zhou: _In Pursuit of an Efficient SAT Encoding for the Hamiltonian Cycle Problem_, CP 2020.

use rustsat::types::{Lit, Var};

use super::{PositionEncoding, Positions};
use crate::base::{Plan, Unfit};
use crate::cnf::exactly_one::{AuxiliaryCount, Cardinality};
use crate::cnf::sink::{ClauseSink, Disjunction, Family};
use crate::cnf::vars::{Allocator, PositionVars, Term};
use crate::cnf::window::Pruning;
use hamcnf_graph::graph::Vertex;
use hamcnf_tours::instance::Instance;
use hamcnf_tours::sequence::Sequence;

/// Clause family (U): exactly one position per vertex.
pub const POSITION: Family =
    Family { label: "(U)", says: "every vertex has exactly one position, and the start has position 0" };
/// Clause family (3′): the position after the first move.
pub const FIRST_MOVE: Family = Family { label: "(3')", says: "the start's successor has position 1" };
/// Clause family (4′): the position before the last move.
pub const LAST_MOVE: Family = Family { label: "(4')", says: "the start's predecessor has position N-1" };
/// Clause family (5′): positions increase by one along arcs.
pub const MOVE: Family = Family { label: "(5')", says: "a successor has the next position" };

/// Positions in unary, with one variable for each vertex and position.
#[derive(Clone, Copy, Debug)]
pub struct Unary;

impl PositionEncoding for Unary {
    fn layout(&self, instance: &Instance, plan: &Plan, variables: &mut Allocator) -> Result<Box<dyn Positions>, Unfit> {
        let u = PositionVars::new(plan.windows.clone(), variables);
        variables.fits()?;
        Ok(Box::new(UnaryPositions { n: instance.n(), start: instance.start(), pruning: plan.pruning, u }))
    }
}

/// Positions of an instance in the encoding [`Unary`], with the variables U of the module documentation.
#[derive(Clone, Debug)]
struct UnaryPositions {
    n: u32,
    start: Vertex,
    pruning: Pruning,
    u: PositionVars,
}

impl UnaryPositions {
    fn vertices(&self) -> impl Iterator<Item = Vertex> + use<> {
        (0..self.n).map(Vertex::new)
    }
}

impl Positions for UnaryPositions {
    fn period(&self) -> u64 {
        u64::MAX
    }

    fn count_auxiliary(&self, count: &mut AuxiliaryCount) {
        let u = &self.u;
        for i in self.vertices() {
            let exists = |&p: &u32| matches!(u.at(i, p), Term::Lit(_));
            count.constraint(|| u.window(i).positions().filter(exists).count());
        }
    }

    fn define(&self, card: &mut Cardinality, out: &mut dyn ClauseSink) {
        let u = &self.u;
        // (U) Σ_p U_ip = 1, U_s0
        out.family(POSITION);
        for i in self.vertices() {
            card.exactly_one(u.window(i).positions().map(|p| u.at(i, p)), out);
        }
        Disjunction::default().or(u.at(self.start, 0)).emit(out);
    }

    fn families(&self) -> [Family; 3] {
        [FIRST_MOVE, LAST_MOVE, MOVE]
    }

    /// Streams the clauses (3′), H_si → U_i1: if the tour goes from the start s to i, then i has position 1.
    fn first(&self, h_si: Lit, i: Vertex, out: &mut dyn ClauseSink) {
        let mut clause = Disjunction::default();
        clause.or(Term::Lit(!h_si)).or(self.u.at(i, 1)).emit(out);
    }

    /// Streams the clauses (4′), H_is → U_i,N−1: if the tour goes from i to the start s, then i has the last position.
    fn last(&self, h_is: Lit, i: Vertex, out: &mut dyn ClauseSink) {
        let last = self.u.at(i, self.n - 1);
        Disjunction::default().or(Term::Lit(!h_is)).or(last).emit(out);
    }

    /// Streams the clauses (5′), H_ij ∧ U_ip → U_j,p+1: if the tour goes from i to j and i has position p, then j has
    /// position p + 1.
    fn step(&self, h_ij: Lit, i: Vertex, j: Vertex, out: &mut dyn ClauseSink) {
        let (n, u) = (self.n, &self.u);
        let mut clause = Disjunction::default();
        for p in u.window(i).positions().filter(|p| (1..=n - 2).contains(p)) {
            let next = u.at(j, p + 1);
            if next == Term::False && self.pruning != Pruning::Full {
                continue;
            }
            clause.clear().or(Term::Lit(!h_ij)).or_not(u.at(i, p)).or(next).emit(out);
        }
    }

    fn one_by_one(&self) -> Option<&PositionVars> {
        Some(&self.u)
    }

    fn meaning(&self, instance: &Instance, var: Var) -> Option<String> {
        let (i, p) = self.u.meaning(var)?;
        Some(format!("U({},{p})", instance.vertex_name(i)))
    }

    fn value(&self, sequence: &Sequence, var: Var) -> Option<bool> {
        self.u.value(sequence, var)
    }
}
