//! SAT solvers for formulas. The answers of the solvers are checked.

pub mod backend;
pub mod bridge;
pub mod cadical;
pub mod defaults;
pub mod phases;
pub mod session;
pub mod traced;

pub use backend::{Backend, SolverStatus};
pub use cadical::{Cadical, signature};
pub use phases::Phases;
pub use session::{
    Found, Options, Outcome, Session, SolveError, Solved, SolverStatistics, Stage, checked, search, solve,
};
pub use traced::Traced;
