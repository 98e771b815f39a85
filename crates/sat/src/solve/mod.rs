//! SAT solvers for formulas. The answers of the solvers are checked.

pub mod bridge;
pub mod cadical;
pub mod defaults;
pub mod phases;
pub mod session;
mod until_error;

pub use bridge::{SolverStatus, signature};
pub use cadical::Cadical;
pub use phases::Phases;
pub use session::{Options, Outcome, Session, SolveError, Solved, SolverStatistics, Stage, search, solve};
pub use until_error::{UntilError, each_clause};
