//! The parity of positions: on a bipartite graph a vertex is at an even position exactly if its distance from the
//! start is even.
//!
//! Bases with a variable for each vertex and position need only half of these variables; in the binary encoding the
//! lowest bit of each position is fixed by a unit clause. The refinement is sound for every base that restricts
//! positions to windows, and keeps all tours. On a graph that is not bipartite it has no effect.

use std::sync::Arc;

use super::{Refine, Refinement, Switch, choice};
use crate::base::Plan;
use hamcnf_tours::instance::Instance;

/// The `parity` refinement.
pub const REFINEMENT: Refinement = Refinement {
    name: "parity",
    says: "positions have the parity of the distance from the start (bipartite graphs)",
    needs: "positions",
    is_for: |offers| offers.positions,
    make: |value| Ok(Arc::new(Parity(choice(value)?))),
    ..Refinement::SWITCH
};

/// Use of parities, on or off.
#[derive(Clone, Copy, Debug)]
pub struct Parity(pub Switch);

impl Refine for Parity {
    fn value(&self) -> String {
        self.0.to_string()
    }

    fn plan(&self, instance: &Instance, plan: &mut Plan) {
        let odd = (self.0 == Switch::On).then(|| instance.odd()).flatten();
        if let Some(odd) = odd {
            for (window, &odd) in plan.windows.iter_mut().zip(&odd) {
                *window = window.of_parity(odd);
            }
            plan.odd = Some(odd);
        }
    }
}
