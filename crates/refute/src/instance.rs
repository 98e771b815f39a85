//! Proof instance: the instance whose clauses a proof starts from. It is the instance with a fixed start of
//! [`hamcnf_tours::fixed_start`], as for the formulas that `hamcnf encode` writes.

use hamcnf_tours::{Instance, InstanceError};

use hamcnf_questions::Tours;

/// Returns an instance that has a tour if and only if the question has one.
///
/// # Errors
///
/// [`InstanceError`] if the graph is too large.
pub fn proof_instance(tours: &Tours) -> Result<Instance, InstanceError> {
    tours.instance().with_fixed_start(tours.ends())
}
