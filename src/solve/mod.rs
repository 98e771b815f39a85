//! From a formula to an answer that has been checked.

pub mod cadical;
pub mod phases;

pub use cadical::{
    Effort, Options, Outcome, SolveError, Solved, Stage, Unfinished, checked, search, search_then,
    signature, solve,
};
pub use phases::Phases;
