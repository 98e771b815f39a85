//! How positions are kept along arcs: one file a counter.
//!
//! The degree constraints of [`arcs`](crate::bases::arcs) allow several cycles. Positions that count up along
//! arcs, except into the start, exclude the cycles that miss the start: along one of L vertices the position would
//! be counted up L times and be what it was, which a counter of a period above L does not allow.
//!
//! A counter lays out its variables once and then says four things in clauses. Each file is a counter's page in the
//! literature.

pub mod binary;
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
use crate::cnf::projection::Projection;
use crate::cnf::sink::{ClauseSink, Family};
use crate::cnf::vars::{Allocator, PositionVars, PrecedenceVars};
use crate::graph::Vertex;
use crate::instance::{Instance, TourKind};
use crate::sequence::Sequence;

/// Section 3.3: clauses of the windows.
pub const WINDOW: Family = Family {
    label: "(W)",
    says: "no vertex has a position outside its window",
};
/// Clauses of the two-colouring.
pub const PARITY: Family = Family {
    label: "(P)",
    says: "positions have the parity of distances from the start",
};

/// A way to keep positions.
pub trait PositionEncoding: fmt::Debug + Send + Sync + 'static {
    /// See [`Encode::argument`](crate::base::Encode::argument).
    fn argument(&self) -> Option<String> {
        None
    }

    /// Numbers the variables of all positions.
    ///
    /// # Errors
    ///
    /// [`Unfit`], before memory of the variables' number is taken.
    fn layout(
        &self,
        instance: &Instance,
        plan: &Plan,
        variables: &mut Allocator,
    ) -> Result<Box<dyn Positions>, Unfit>;
}

/// The positions of an instance's vertices. That of the start is 0; no clause is asked for about arcs into it but
/// [`last`](Self::last).
pub trait Positions: fmt::Debug + Send + Sync + 'static {
    /// After how many steps a position is what it was. Where that is less than N, some models are several cycles.
    fn period(&self) -> u64;

    /// Counts the auxiliary variables of the at-most-one constraints that [`define`](Self::define) has, in its order.
    fn count_auxiliary(&self, _count: &mut AuxiliaryCount) {}

    /// What holds of each position by itself.
    fn define(&self, _card: &mut Cardinality, _out: &mut dyn ClauseSink) {}

    /// The families of [`first`](Self::first), [`last`](Self::last) and [`step`](Self::step).
    fn families(&self) -> [Family; 3];

    /// H → P(v) = 1, for the arc H from the start to v.
    fn first(&self, h: Lit, v: Vertex, out: &mut dyn ClauseSink);

    /// H → P(v) = N − 1, for the arc H from v to the start.
    fn last(&self, h: Lit, v: Vertex, out: &mut dyn ClauseSink);

    /// H → P(w) = P(v) + 1, for the arc H from v to w.
    fn step(&self, h: Lit, v: Vertex, w: Vertex, out: &mut dyn ClauseSink);

    /// Keeps positions in their windows, as far as the layout does not.
    fn keep_in_windows(&self, _out: &mut dyn ClauseSink) {}

    /// The variables "vertex v has position p", if there are any.
    fn one_by_one(&self) -> Option<&PositionVars> {
        None
    }

    /// The variables "u comes before w", if there are any.
    fn precedence(&self) -> Option<&PrecedenceVars> {
        None
    }

    /// What a variable means, such as `X(a1,0)`; `None` for those of others.
    fn meaning(&self, instance: &Instance, var: Var) -> Option<String>;

    /// The value of a variable if the vertices are visited in this order; `None` for those of others.
    fn value(&self, sequence: &Sequence, var: Var) -> Option<bool>;

    /// See [`Encoded::paper_projection`](crate::base::Encoded::paper_projection).
    fn paper_projection(&self, _size: u32, _kind: TourKind) -> Option<Projection> {
        None
    }
}
