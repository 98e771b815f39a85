//! CaDiCaL that writes a proof of its steps.
//!
//! The solver is the same as in [`Cadical`](super::Cadical), but runs through the bridge that the propagator also uses,
//! since rustsat's tracer does not receive witnesses. The option `factor`, with which CaDiCaL introduces new variables,
//! is off: the proof would need unused names for these variables.

use rustsat::types::Lit;

use super::SolveError;
use super::backend::{Backend, Counters, SolverStatus};
use super::bridge::{self, OutOfMemory, Propagator, Solver};
use crate::proof::SharedLog;

/// CaDiCaL that writes a proof to a log.
pub struct Traced<'p> {
    solver: Solver<Silent<'p>>,
    clause: Vec<i32>,
}

/// Propagator that does not take part in the search and can only end the search.
struct Silent<'p> {
    stop: Box<dyn FnMut() -> bool + Send + 'p>,
    log: SharedLog,
    /// Number of calls of `over` until the next check that the log can still be written.
    until_log: u32,
    failed: bool,
}

/// Number of calls of `over` between two checks of the log.
const LOG: u32 = 1 << 10;

impl Propagator for Silent<'_> {
    const PROPAGATES: bool = false;

    fn assigned(&mut self, _: &[i32]) {}
    fn new_level(&mut self) {}
    fn backtrack(&mut self, _: usize) {}
    fn propagate(&mut self) -> i32 {
        0
    }
    fn reason(&mut self, _: i32, _: &mut Vec<i32>) {}
    fn clause(&mut self, _: &mut Vec<i32>) -> bool {
        false
    }
    fn check(&mut self, _: &[i32]) -> bool {
        true
    }

    fn over(&mut self) -> bool {
        self.until_log = self.until_log.checked_sub(1).unwrap_or(LOG);
        if self.until_log == 0 {
            self.failed = self.log.lock().has_failed();
        }
        self.failed || (self.stop)()
    }
}

impl<'p> Traced<'p> {
    /// Creates a solver with a seed from 0 to 2·10⁹. The solver calls `stop` from time to time. The search ends when
    /// `stop` returns true, or when the proof cannot be written.
    ///
    /// # Errors
    ///
    /// Returns [`SolveError`] if the solver rejects the seed or the memory is exhausted.
    pub fn new(seed: u32, log: SharedLog, stop: impl FnMut() -> bool + Send + 'p) -> Result<Self, SolveError> {
        let silent = Silent { stop: Box::new(stop), log: log.clone(), until_log: LOG, failed: false };
        let mut solver = Solver::new(silent).ok_or(SolveError::OutOfMemory)?;
        let seed = i32::try_from(seed).map_err(SolveError::solver)?;
        if !solver.set(c"seed", seed) {
            return Err(SolveError::Solver("CaDiCaL takes no seed".to_owned()));
        }
        let hints = log.lock().wants_hints();
        solver.trace(Box::new(log), hints)?;
        Ok(Self { solver, clause: Vec::new() })
    }
}

impl From<OutOfMemory> for SolveError {
    fn from(_: OutOfMemory) -> Self {
        Self::OutOfMemory
    }
}

impl Backend for Traced<'_> {
    fn reserve(&mut self, _: u32) -> Result<(), SolveError> {
        Ok(())
    }

    fn add(&mut self, clause: &[Lit]) -> Result<(), SolveError> {
        self.clause.clear();
        self.clause.extend(clause.iter().map(|literal| literal.to_ipasir()));
        Ok(self.solver.add(&self.clause)?)
    }

    fn solve(&mut self, conflicts: Option<u64>) -> Result<SolverStatus, SolveError> {
        if conflicts == Some(0) {
            return Ok(SolverStatus::Stopped);
        }
        // A limit that is too large for the solver counts as no limit.
        if let Some(most) = conflicts.and_then(|most| i32::try_from(most).ok())
            && !self.solver.limit(c"conflicts", most)
        {
            let wrong = "CaDiCaL takes no limit of conflicts";
            return Err(SolveError::Solver(wrong.to_owned()));
        }
        match self.solver.solve() {
            bridge::BridgeStatus::Satisfiable => Ok(SolverStatus::Satisfiable),
            bridge::BridgeStatus::Unsatisfiable => Ok(SolverStatus::Unsatisfiable),
            bridge::BridgeStatus::Stopped => Ok(SolverStatus::Stopped),
            bridge::BridgeStatus::OutOfMemory => Err(SolveError::OutOfMemory),
        }
    }

    fn value(&self, literal: Lit) -> Result<Option<bool>, SolveError> {
        let value = self.solver.value(literal.var().to_ipasir());
        Ok(Some(value == literal.is_pos()))
    }

    fn counters(&self) -> Counters {
        Counters {
            conflicts: self.solver.statistic(c"conflicts"),
            decisions: self.solver.statistic(c"decisions"),
            propagations: self.solver.statistic(c"propagations"),
            ticks: self.solver.statistic(c"ticks"),
        }
    }
}
