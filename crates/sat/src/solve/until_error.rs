//! Clause sink that ends at the first error of a function.

use hamcnf_encodings::Clauses;
use hamcnf_tours::{ClauseSink, Family};
use rustsat::types::Lit;

/// Clause sink that passes each clause to a function, until the function fails.
pub struct UntilError<F, E> {
    take: F,
    /// First error of the function.
    pub ended: Result<(), E>,
}

impl<E, F: FnMut(&[Lit]) -> Result<(), E>> UntilError<F, E> {
    pub fn new(take: F) -> Self {
        Self { take, ended: Ok(()) }
    }
}

impl<E, F: FnMut(&[Lit]) -> Result<(), E>> ClauseSink for UntilError<F, E> {
    fn family(&mut self, _: Family) {}

    fn clause(&mut self, literals: &[Lit]) {
        if self.ended.is_ok() {
            self.ended = (self.take)(literals);
        }
    }

    fn no_two(&mut self, literals: &[Lit]) {
        for (s, &a) in literals.iter().enumerate() {
            if self.ended.is_err() {
                return;
            }
            for &b in &literals[s + 1..] {
                self.clause(&[!a, !b]);
            }
        }
    }
}

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
