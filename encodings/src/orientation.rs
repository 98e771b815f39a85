//! One direction of every closed tour.
//!
//! A closed tour is two cycles of arcs, there and back, so an encoding of its arcs or positions has two models
//! of it. With v_0 < v_1 < … the neighbours of the start s, first(v) that the tour goes from s to v, and last(v)
//! that it comes back from v to s,
//!
//! - (O) last(v_i) → ⋁_{j<i} first(v_j)
//!
//! leaves the direction in which the successor of s is less than its predecessor. That is a clause of i + 1
//! literals for each neighbour v_i; the first is a unit, and at a start of degree 2 both arcs become fixed. So a
//! corner of a knight's board is a good start. first and last are literals of every encoding, H(s, v) and H(v, s)
//! of those with arcs, so nothing is added to the variables, and every independent support stays one. Edges, which
//! do not see a direction, become one.
//!
//! Open tours from their start have one direction, and (O) is left out. The paper's direct encoding has one from
//! a corner: its (6) says which of the two neighbours is last, and (O) then repeats it.

use crate::cnf::sink::{ClauseSink, Disjunction, Family};
use crate::cnf::vars::Term;
use crate::names::named;
use crate::problem::graph::Vertex;
use crate::problem::instance::{Instance, TourKind};
use crate::problem::tour::Tour;

/// (O)
pub const ORIENTATION: Family = Family {
    label: "(O)",
    says: "the start's successor is less than its predecessor",
};

/// Which directions of closed tours have models.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Orientation {
    /// Both, as far as the encoding does not exclude one itself.
    Free,
    /// The one in which the start's successor is less than its predecessor.
    Fixed,
}

named!(Orientation, "orientation", {
    Free => "free",
    Fixed => "fixed",
});

impl Orientation {
    /// Whether (O) excludes one direction of every tour of this instance.
    #[must_use]
    pub fn excludes(self, instance: &Instance) -> bool {
        self == Self::Fixed && instance.kind() == TourKind::Closed
    }

    /// Whether it leaves a tour in this direction.
    #[must_use]
    pub fn admits(self, instance: &Instance, tour: &Tour) -> bool {
        let order = tour.order();
        !self.excludes(instance) || order[1] < order[order.len() - 1]
    }

    /// Emits (O), if it is fixed. `ends` gives first(v) and last(v) of a neighbour of the start.
    pub fn emit(
        self,
        instance: &Instance,
        ends: impl Fn(Vertex) -> [Term; 2],
        out: &mut impl ClauseSink,
    ) {
        if !self.excludes(instance) {
            return;
        }
        // (O) last(v_i) → ⋁_{j<i} first(v_j)
        out.family(ORIENTATION);
        let neighbours = instance.graph().neighbours(instance.start());
        let mut clause = Disjunction::default();
        for (i, &v) in neighbours.iter().enumerate() {
            clause.clear();
            for &lesser in &neighbours[..i] {
                let [first, _] = ends(lesser);
                clause.or(first);
            }
            let [_, last] = ends(v);
            clause.or_not(last).emit(out);
        }
    }
}
