//! Interface between a session and an incremental solver, which accepts clauses between searches.

use rustsat::types::Lit;

use super::SolveError;

/// Outcome of [`Backend::solve`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SolverStatus {
    /// The solver found a model.
    Satisfiable,
    /// The solver proved that no model exists.
    Unsatisfiable,
    /// The search ended at a limit, or was cancelled.
    Stopped,
}

/// Statistics of a solver, summed over all its searches.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counters {
    pub conflicts: u64,
    pub decisions: u64,
    /// Number of propagated literals.
    pub propagations: u64,
    /// Approximate number of cache lines touched.
    pub ticks: u64,
}

/// Incremental SAT solver that runs in this process.
pub trait Backend {
    /// Reserves the variables of a formula with `n_vars` variables.
    ///
    /// # Errors
    ///
    /// Returns [`SolveError`] if the solver fails.
    fn reserve(&mut self, n_vars: u32) -> Result<(), SolveError>;

    /// Adds a clause to the solver.
    ///
    /// # Errors
    ///
    /// Returns [`SolveError`] if the solver fails.
    fn add(&mut self, clause: &[Lit]) -> Result<(), SolveError>;

    /// Searches for a model of all clauses added so far, for at most `conflicts` conflicts; `None` for no limit.
    ///
    /// # Errors
    ///
    /// Returns [`SolveError`] if the solver fails.
    fn solve(&mut self, conflicts: Option<u64>) -> Result<SolverStatus, SolveError>;

    /// Returns the value of a literal in the last model, or `None` if the literal is unassigned.
    ///
    /// # Errors
    ///
    /// Returns [`SolveError`] if the solver fails.
    fn value(&self, literal: Lit) -> Result<Option<bool>, SolveError>;

    /// Returns the statistics of all searches so far.
    fn counters(&self) -> Counters;
}
