//! SAT solvers for formulas. The answers of the solvers are checked.

pub mod bridge;
pub mod cadical;
pub mod defaults;
mod each_clause;
pub mod phases;
pub mod session;

pub use bridge::{SolverStatus, signature};
pub use cadical::Cadical;
pub use each_clause::each_clause;
pub use phases::Phases;
pub use session::{Options, Outcome, Session, SolveError, Solved, SolverStatistics, Stage, search, solve};
