//! Position encodings, one per file. They represent positions that increase along arcs.
//!
//! The degree constraints of [`arcs`](crate::bases::arcs) allow several cycles. If positions increase by one along
//! every arc except those into the start, no cycle misses the start: along such a cycle of L vertices, the position
//! would increase L times and return to its value. A position encoding with a period above L does not allow this.
//!
//! A position encoding numbers its variables once, and then streams four kinds of clauses. Each file documents one
//! position encoding of the literature.

pub mod binary;
pub mod code;
pub mod espresso;
pub mod halved;
pub mod lfsr;
pub mod precedence;
pub mod remainder;
pub mod successor;
pub mod unary;
pub mod word;

use std::fmt;

use rustsat::types::{Lit, Var};

use crate::base::{Plan, Unfit};
use crate::cnf::exactly_one::{AuxiliaryCount, Cardinality};
use crate::cnf::sink::{ClauseSink, Family};
use crate::cnf::vars::{Allocator, PositionVars, PrecedenceVars, Term};
use hamcnf_graph::graph::Vertex;
use hamcnf_tours::instance::Instance;
use hamcnf_tours::sequence::Sequence;

/// Clause family (W): windows of positions, from section 3.3 of the paper *Knights Tour*.
pub const WINDOW: Family = Family { label: "(W)", says: "no vertex has a position outside its window" };
/// Clause family (P): parities of positions on bipartite graphs.
pub const PARITY: Family = Family { label: "(P)", says: "positions have the parity of distances from the start" };

/// Representation of the positions of vertices by variables and clauses.
pub trait PositionEncoding: fmt::Debug + Send + Sync + 'static {
    /// Returns the argument after the name and `=`: see [`Encode::argument`](crate::base::Encode::argument).
    fn argument(&self) -> Option<String> {
        None
    }

    /// Numbers the variables of all positions.
    ///
    /// # Errors
    ///
    /// [`Unfit`], returned before memory proportional to the number of variables is allocated.
    fn layout(&self, instance: &Instance, plan: &Plan, variables: &mut Allocator) -> Result<Box<dyn Positions>, Unfit>;
}

/// Positions of an instance's vertices. The start has position 0. For arcs into the start, only [`last`](Self::last) is
/// called.
pub trait Positions: fmt::Debug + Send + Sync + 'static {
    /// Returns the number of steps after which a position repeats. If the number is less than N, some models consist of
    /// several cycles.
    fn period(&self) -> u64;

    /// Counts the auxiliary variables of the at-most-one constraints in [`define`](Self::define), in the same order.
    fn count_auxiliary(&self, _count: &mut AuxiliaryCount) {}

    /// Streams the clauses that do not depend on arcs.
    fn define(&self, _card: &mut Cardinality, _out: &mut dyn ClauseSink) {}

    /// Returns the clause families of the clauses that [`first`](Self::first), [`last`](Self::last) and
    /// [`step`](Self::step) stream, in this order.
    fn families(&self) -> [Family; 3];

    /// Streams the clauses of H → P(v) = 1, where H is the arc from the start to v, and P(v) is the position of v.
    fn first(&self, h: Lit, v: Vertex, out: &mut dyn ClauseSink);

    /// Streams the clauses of H → P(v) = N − 1, where H is the arc from v to the start, and P(v) is the position of v.
    fn last(&self, h: Lit, v: Vertex, out: &mut dyn ClauseSink);

    /// Streams the clauses of H → P(w) = P(v) + 1, where H is the arc from v to w, and P(v) is the position of v.
    fn step(&self, h: Lit, v: Vertex, w: Vertex, out: &mut dyn ClauseSink);

    /// Streams clauses that exclude positions outside the windows, unless no variables exist for these positions.
    fn keep_in_windows(&self, _out: &mut dyn ClauseSink) {}

    /// Returns terms whose conjunction is "vertex v has the 0-based position p". `None` if the encoding has no such
    /// terms.
    fn at(&self, v: Vertex, p: u32) -> Option<Vec<Term>> {
        Some(vec![self.one_by_one()?.at(v, p)])
    }

    /// Returns the variables "vertex v has position p", if the encoding has them.
    fn one_by_one(&self) -> Option<&PositionVars> {
        None
    }

    /// Returns the variables "u comes before w", if the encoding has them.
    fn precedence(&self) -> Option<&PrecedenceVars> {
        None
    }

    /// Returns the meaning of a variable, such as `X(a1,0)`; `None` for variables of other parts of the formula.
    fn meaning(&self, instance: &Instance, var: Var) -> Option<String>;

    /// Returns the value of a variable if the vertices are visited in this order; `None` for variables of other parts
    /// of the formula.
    fn value(&self, sequence: &Sequence, var: Var) -> Option<bool>;
}
