//! Clauses of a formula, until a function fails.

use hamcnf_encodings::Clauses;
use hamcnf_tours::UntilError;
use rustsat::types::Lit;

/// Passes the clauses of a formula to a function until the function fails.
///
/// # Errors
///
/// The error of the function.
pub fn each_clause<E>(formula: &impl Clauses, take: impl FnMut(&[Lit]) -> Result<(), E>) -> Result<(), E> {
    let mut sink = UntilError::new(take);
    formula.emit(&mut sink);
    sink.ended
}
