//! Refinement that selects an [`AtMostOne`], the encoding of a base's at-most-one constraints as clauses.
//!
//! The refinement is sound for every base with at-most-one constraints, and keeps all tours: in each encoding the other
//! variables determine the auxiliary variables.

use super::{Refine, Refinement, one_of};
use crate::base::Plan;
use crate::cnf::exactly_one::AtMostOne;
use hamcnf_tours::instance::Instance;

/// The `at-most-one` refinement, such as `at-most-one=ladder`.
pub const REFINEMENT: Refinement = Refinement {
    name: "at-most-one",
    says: "encoding of at-most-one constraints",
    values: "pairwise, ladder, bitwise, commander, bimander, two-product, sparing",
    plain: "sparing",
    absent: "pairwise",
    in_clauses: true,
    needs: "at-most-one constraints",
    is_for: |offers| offers.at_most_one,
    make: one_of::<AtMostOne>,
};

impl Refine for AtMostOne {
    fn value(&self) -> String {
        self.to_string()
    }

    fn plan(&self, _: &Instance, plan: &mut Plan) {
        plan.at_most_one = *self;
    }
}
