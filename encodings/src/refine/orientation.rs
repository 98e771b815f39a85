//! Refinement that keeps only one direction of every closed tour.
//!
//! A closed tour is two cycles of arcs, one in each direction, so an encoding with arcs or positions has two models of
//! each tour. Let v_0 < v_1 < … be the neighbours of the start s. Let first(v) say that the tour goes from s to v, and
//! let last(v) say that the tour returns from v to s. The constraint
//!
//! - (O) last(v_i) → ⋁_{j<i} first(v_j)
//!
//! keeps the direction in which the successor of s is less than its predecessor. It is a clause of i + 1 literals for
//! each neighbour v_i. The first clause is a unit. If the start has degree 2, it fixes both arcs of the start, so a
//! corner of a knight's board is a good start. first and last are literals of every encoding (H(s, v) and H(v, s) with
//! arcs), so the refinement adds no variables, and every independent support remains an independent support. The set of
//! edges, which does not determine the direction, becomes an independent support.
//!
//! The refinement is sound for every base whose models have a direction, at a start of any degree. It admits closed
//! tours only in the direction above.
//!
//! Open tours have only the direction from their start, so (O) is left out. (O) is also left out for digraphs, where
//! the two directions of a closed tour are different tours, and if the [last](hamcnf_tours::Instance::last) vertex is given. The paper's direct encoding has only one direction from a
//! corner: its (6) says which of the two neighbours is last, and (O) then repeats (6).

use super::{Refine, Refinement, one_of};
use crate::base::Encoded;
use crate::cnf::sink::{ClauseSink, Disjunction, Family};
use crate::cnf::vars::Term;
use hamcnf_graph::names::named;
use hamcnf_tours::instance::TourKind;
use hamcnf_tours::sequence::Sequence;

/// The `orientation` refinement, such as `orientation=fixed`.
pub const REFINEMENT: Refinement = Refinement {
    name: "orientation",
    says: "directions of each closed tour that have models: both or only one",
    values: "free, fixed",
    plain: "fixed",
    absent: "free",
    in_clauses: true,
    needs: "a direction",
    is_for: |offers| offers.directions,
    make: one_of::<Orientation>,
};

/// Clause family (O): one direction of closed tours.
pub const ORIENTATION: Family =
    Family { label: "(O)", says: "the start's successor has a smaller number than its predecessor" };

named! {
    /// Choice of the directions in which closed tours have models.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    pub enum Orientation: "orientation" {
        /// Both directions, unless the encoding itself excludes one.
        Free => "free",
        /// The direction in which the start's successor is less than its predecessor.
        Fixed => "fixed",
    }
}

impl Orientation {
    /// True if the clauses (O), [`ORIENTATION`], exclude one direction of every tour of this formula.
    pub fn excludes(self, encoded: &dyn Encoded) -> bool {
        let instance = encoded.instance();
        let is_closed = instance.kind() == TourKind::Closed && !instance.is_directed();
        let has_ends = || encoded.ends(instance.start()).is_some();
        self == Self::Fixed && is_closed && instance.last().is_none() && has_ends()
    }
}

impl Refine for Orientation {
    fn value(&self) -> String {
        self.to_string()
    }

    fn excludes_a_direction(&self, encoded: &dyn Encoded) -> bool {
        self.excludes(encoded)
    }

    fn admits(&self, encoded: &dyn Encoded, sequence: &Sequence) -> bool {
        let order = sequence.order();
        !self.excludes(encoded) || order[1] < order[order.len() - 1]
    }

    fn emit(&self, encoded: &dyn Encoded, out: &mut dyn ClauseSink) {
        let instance = encoded.instance();
        if !self.excludes(encoded) {
            return;
        }
        let neighbours = instance.graph().neighbours(instance.start()).iter();
        let ends: Option<Vec<[Term; 2]>> = neighbours.map(|&v| encoded.ends(v)).collect();
        let Some(ends) = ends else {
            return;
        };
        // (O) last(v_i) → ⋁_{j<i} first(v_j)
        out.family(ORIENTATION);
        let mut clause = Disjunction::default();
        for (i, &[_, last]) in ends.iter().enumerate() {
            clause.clear();
            for &[first, _] in &ends[..i] {
                clause.or(first);
            }
            clause.or_not(last).emit(out);
        }
    }
}
