//! No cycles of length two: no tour uses an edge in both directions.
//!
//! - (C) ¬H_ij ∨ ¬H_ji
//!
//! Position encodings already exclude these cycles, but only by their arithmetic. The refinement is sound for every
//! base with arcs, and keeps all tours: a closed tour has at least three vertices, and arcs that only mark the end of
//! an open tour are left out. A digraph of two vertices is an exception. It gets no clause (C), because its closed tour
//! is a cycle of length two.

use std::sync::Arc;

use super::{Refine, Refinement, Switch, choice};
use crate::base::Encoded;
use crate::cnf::sink::{ClauseSink, Family};
use hamcnf_tours::instance::TourKind;

/// Clause family (C): no cycle of length two.
pub const NO_CYCLE_OF_TWO: Family = Family { label: "(C)", says: "no edge is used in both directions" };

/// The `two-cycles` refinement.
pub const REFINEMENT: Refinement = Refinement {
    name: "two-cycles",
    says: "no edge is used in both directions",
    make: |value| Ok(Arc::new(TwoCycles(choice(value)?))),
    ..Refinement::SWITCH
};

/// Exclusion of cycles of length two, on or off.
#[derive(Clone, Copy, Debug)]
pub struct TwoCycles(pub Switch);

impl Refine for TwoCycles {
    fn value(&self) -> String {
        self.0.to_string()
    }

    fn emit(&self, encoded: &dyn Encoded, out: &mut dyn ClauseSink) {
        let Some(h) = encoded.arcs().filter(|_| self.0 == Switch::On) else {
            return;
        };
        let instance = encoded.instance();
        let is_cycle_of_two = instance.n() == 2 && instance.kind() == TourKind::Closed;
        // (C) ¬H_ij ∨ ¬H_ji
        out.family(NO_CYCLE_OF_TWO);
        for edge in instance.graph().arcs().filter(|arc| arc.tail < arc.head) {
            if let [h_ij, h_ji] = h.moves(instance, edge)[..]
                && !is_cycle_of_two
            {
                out.clause(&[!h_ij, !h_ji]);
            }
        }
    }
}
