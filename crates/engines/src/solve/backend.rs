//! What a session asks of a solver: one that takes clauses between searches.

use rustsat::types::Lit;

use super::SolveError;

/// How a search ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SolverStatus {
    /// With a model.
    Satisfiable,
    /// With the proof that there is none.
    Unsatisfiable,
    /// At a limit, or as it was asked to.
    Stopped,
}

/// What a solver counts of its work, over all its searches.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counters {
    /// Conflicts.
    pub conflicts: u64,
    /// Decisions.
    pub decisions: u64,
    /// Propagated literals.
    pub propagations: u64,
    /// Approximate cache lines touched.
    pub ticks: u64,
}

/// A solver in this process.
pub trait Backend {
    /// Says how many variables there are.
    ///
    /// # Errors
    ///
    /// [`SolveError::Solver`], here and below.
    fn reserve(&mut self, n_vars: u32) -> Result<(), SolveError>;

    /// Adds a clause.
    ///
    /// # Errors
    ///
    /// [`SolveError::Solver`].
    fn add(&mut self, clause: &[Lit]) -> Result<(), SolveError>;

    /// Searches for a model, for so many conflicts at most.
    ///
    /// # Errors
    ///
    /// [`SolveError::Solver`].
    fn solve(&mut self, conflicts: Option<u64>) -> Result<SolverStatus, SolveError>;

    /// The value of a literal in the model that was found; `None` where that leaves it open.
    ///
    /// # Errors
    ///
    /// [`SolveError::Solver`].
    fn value(&self, literal: Lit) -> Result<Option<bool>, SolveError>;

    /// What it has done so far.
    fn counters(&self) -> Counters;
}
