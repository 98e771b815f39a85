//! CaDiCaL in this process, with or without a proof of its steps.
//!
//! The seed is set before the first clause. The solver polls a callback, and ends the search if the callback returns
//! true. On small formulas, the search then ends within about 0.3 s. With millions of clauses, CaDiCaL sets up its
//! watches and tries its first guesses for seconds without polling, and freeing the memory takes as long. A caller that
//! cannot wait should run the solver in a thread that it can abandon. Once it has an answer, it should call
//! [`Session::leave`](super::Session::leave), which frees the memory in the background.
//!
//! The solver runs through the [bridge](super::bridge) that the propagator also uses, since rustsat's tracer does not
//! receive witnesses. The option `factor`, with which CaDiCaL introduces new variables, is off: a proof would need
//! unused names for these variables.
//!
//! # References
//!
//! - Armin Biere, Tobias Faller, Katalin Fazekas, Mathias Fleury, Nils Froleyks, Florian Pollitt:
//!   *CaDiCaL 2.0*, CAV 2024.

use std::ffi::CStr;

use rustsat::types::Lit;

use super::SolveError;
use super::bridge::{Counters, OutOfMemory, Propagator, Solver, SolverStatus};
use crate::proof::SharedLog;

/// Largest seed that CaDiCaL accepts.
pub const LAST_SEED: u32 = 2_000_000_000;

/// Options for a series of models: without CaDiCaL's attempts at a trivial assignment ("lucky phases"), and without its
/// search for equivalent literals by sweeping and congruence closure. CaDiCaL makes these attempts in every call, and they
/// take longer than the search for the next model.
pub const FOR_MANY: &[(&CStr, i32)] = &[(c"lucky", 0), (c"sweep", 0), (c"congruence", 0)];

/// CaDiCaL, which accepts clauses between searches.
pub struct Cadical<'p> {
    solver: Solver<Silent<'p>>,
    clause: Vec<i32>,
}

/// Propagator that does not take part in the search and can only end the search.
struct Silent<'p> {
    stop: Box<dyn FnMut() -> bool + Send + 'p>,
    log: Option<SharedLog>,
    /// Number of calls of `over` until the next check that the log can still be written.
    until_log: u32,
    failed: bool,
}

/// Number of calls of `over` between two checks of the log.
const LOG: u32 = 1 << 10;

impl Propagator for Silent<'_> {
    const PROPAGATES: bool = false;

    fn over(&mut self) -> bool {
        if let Some(log) = &self.log {
            self.until_log = self.until_log.checked_sub(1).unwrap_or(LOG);
            if self.until_log == 0 {
                self.failed = log.lock().has_failed();
            }
        }
        self.failed || (self.stop)()
    }
}

impl<'p> Cadical<'p> {
    /// Creates a solver with a seed from 0 to 2·10⁹ and further options of CaDiCaL. The solver calls `stop` from time to
    /// time, and ends the search when `stop` returns true. With a log, the solver writes a proof of its steps, and the
    /// search also ends when the proof cannot be written.
    ///
    /// # Errors
    ///
    /// Returns [`SolveError`] if the solver rejects the seed or the memory is exhausted.
    pub fn new(
        seed: u32,
        options: &[(&CStr, i32)],
        log: Option<SharedLog>,
        stop: impl FnMut() -> bool + Send + 'p,
    ) -> Result<Self, SolveError> {
        let silent = Silent { stop: Box::new(stop), log: log.clone(), until_log: LOG, failed: false };
        let mut solver = Solver::new(silent).ok_or(OutOfMemory)?;
        let seed = i32::try_from(seed);
        let seed = seed.map_err(|_| SolveError::Solver("CaDiCaL takes no seed above 2000000000".to_owned()))?;
        for &(name, value) in [(c"seed", seed)].iter().chain(options) {
            let is_known = solver.set(name, value);
            debug_assert!(is_known, "CaDiCaL has these options");
        }
        if let Some(log) = log {
            let hints = log.lock().wants_hints();
            solver.trace(Box::new(log), hints)?;
        }
        Ok(Self { solver, clause: Vec::new() })
    }

    /// Reserves the variables of a formula with `n_vars` variables.
    ///
    /// # Errors
    ///
    /// Returns [`SolveError::OutOfMemory`] if the solver has no memory left.
    pub fn reserve(&mut self, n_vars: u32) -> Result<(), SolveError> {
        Ok(self.solver.reserve(n_vars as i32)?)
    }

    /// Adds a clause to the solver.
    ///
    /// # Errors
    ///
    /// Returns [`SolveError::OutOfMemory`] if the solver has no memory left.
    pub fn add(&mut self, clause: &[Lit]) -> Result<(), SolveError> {
        self.clause.clear();
        self.clause.extend(clause.iter().map(|literal| literal.to_ipasir()));
        Ok(self.solver.add(&self.clause)?)
    }

    /// Lets all searches first try this literal as true, whatever values its variable had before.
    ///
    /// # Errors
    ///
    /// Returns [`SolveError::OutOfMemory`] if the solver has no memory left.
    pub fn phase(&mut self, literal: Lit) -> Result<(), SolveError> {
        Ok(self.solver.phase(literal.to_ipasir())?)
    }

    /// Searches for a model of all clauses added so far, for at most `conflicts` conflicts; `None` for no limit.
    ///
    /// # Errors
    ///
    /// Returns [`SolveError::OutOfMemory`] if the solver has no memory left.
    pub fn solve(&mut self, conflicts: Option<u64>) -> Result<SolverStatus, SolveError> {
        if conflicts == Some(0) {
            return Ok(SolverStatus::Stopped);
        }
        // A limit that is too large for the solver counts as no limit.
        if let Some(most) = conflicts.and_then(|most| i32::try_from(most).ok()) {
            let is_known = self.solver.limit(c"conflicts", most);
            debug_assert!(is_known, "CaDiCaL has this limit");
        }
        Ok(self.solver.solve()?)
    }

    /// Searches like [`solve`](Self::solve) for a model in which all literals of `assumptions` are true. If there is
    /// none, returns those of them that the solver used.
    ///
    /// # Errors
    ///
    /// Returns [`SolveError::OutOfMemory`] if the solver has no memory left.
    pub fn solve_under(
        &mut self,
        assumptions: &[Lit],
        conflicts: Option<u64>,
    ) -> Result<(SolverStatus, Vec<Lit>), SolveError> {
        assumptions.iter().try_for_each(|literal| self.solver.assume(literal.to_ipasir()))?;
        let status = self.solve(conflicts)?;
        let is_used =
            |literal: &&Lit| status == SolverStatus::Unsatisfiable && self.solver.has_failed(literal.to_ipasir());
        Ok((status, assumptions.iter().filter(is_used).copied().collect()))
    }

    /// Returns the value of a literal in the last model.
    pub fn value(&self, literal: Lit) -> bool {
        self.solver.value(literal.var().to_ipasir()) == literal.is_pos()
    }

    /// Returns the statistics of all searches so far.
    pub fn counters(&self) -> Counters {
        self.solver.counters()
    }
}

impl From<OutOfMemory> for SolveError {
    fn from(_: OutOfMemory) -> Self {
        Self::OutOfMemory
    }
}
