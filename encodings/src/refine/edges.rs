//! A variable for each edge, which says that the tour uses the edge in either direction: (E) of
//! [`arcs`](crate::bases::arcs).
//!
//! Constraints and objectives on edges, and projections on edges, need these variables. The refinement is sound for
//! every base with arcs, keeps all tours, and adds no models. The arcs determine the edges.

use std::sync::Arc;

use super::{Refine, Refinement, Switch, choice};
use crate::base::Plan;
use hamcnf_tours::instance::Instance;

/// The `edges` refinement.
pub const REFINEMENT: Refinement = Refinement {
    name: "edges",
    says: "a variable for each edge, in either direction",
    make: |value| Ok(Arc::new(Edges(choice(value)?))),
    ..Refinement::SWITCH
};

/// Edge variables, on or off.
#[derive(Clone, Copy, Debug)]
pub struct Edges(pub Switch);

impl Refine for Edges {
    fn value(&self) -> String {
        self.0.to_string()
    }

    fn plan(&self, _: &Instance, plan: &mut Plan) {
        plan.edges = self.0 == Switch::On;
    }
}
