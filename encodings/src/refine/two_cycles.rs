//! No cycle of two: no edge is gone along in both directions.
//!
//! - (C) ¬H_ij ∨ ¬H_ji
//!
//! Counters exclude it already, but only by their arithmetic. Sound wherever there are arcs, with all tours as before:
//! a closed one has three vertices at least, and arcs that only say that an open one has ended are left out.

use std::sync::Arc;

use super::{Refine, Refinement, Switch};
use crate::base::{BadArgument, Encoded};
use crate::cnf::sink::{ClauseSink, Family};

/// (C)
pub const NO_CYCLE_OF_TWO: Family = Family {
    label: "(C)",
    says: "no edge is used in both directions",
};

/// `two-cycles`
pub const REFINEMENT: Refinement = Refinement {
    name: "two-cycles",
    says: "no edge is used in both directions",
    values: "on, off",
    plain: "on",
    absent: "off",
    in_clauses: true,
    needs: "arcs",
    is_for: |offers| offers.arcs,
    make: |value| {
        let switch = crate::names::find(value).map_err(|e| BadArgument(e.to_string()))?;
        Ok(Arc::new(TwoCycles(switch)))
    },
};

/// Whether cycles of two are excluded.
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
        // (C) ¬H_ij ∨ ¬H_ji
        out.family(NO_CYCLE_OF_TWO);
        for edge in instance.graph().arcs().filter(|arc| arc.tail < arc.head) {
            if let [h_ij, h_ji] = h.moves(instance, edge)[..] {
                out.clause(&[!h_ij, !h_ji]);
            }
        }
    }
}
