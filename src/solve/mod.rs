//! From a formula to an answer that has been checked.

pub mod cadical;
pub mod phases;

pub use cadical::{Effort, Options, Outcome, SolveError, Solved, search, signature, solve};
pub use phases::Phases;
