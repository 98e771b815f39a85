//! CaDiCaL in this process. All calls into rustsat's solver interface are in this file.
//!
//! The seed is set before the first clause, and whether to stop is asked of a callback that the solver polls: precise
//! to about 0.3 s for small formulas. Of millions of clauses CaDiCaL prepares its watches and tries its first guesses
//! for seconds without a look at it, and giving their memory back takes as long. Who cannot wait solves in a thread that may
//! be left alone, and [leaves](super::Session::leave) the solver once there is an answer.
//!
//! # References
//!
//! - Armin Biere, Tobias Faller, Katalin Fazekas, Mathias Fleury, Nils Froleyks, Florian Pollitt:
//!   *CaDiCaL 2.0*, CAV 2024.

use std::sync::OnceLock;

use rustsat::solvers::{ControlSignal, LimitConflicts, Solve, SolverResult, Terminate};
use rustsat::types::{Lit, TernaryVal, Var};
use rustsat_cadical::{CaDiCaL, Statistic};

use super::SolveError;
use super::backend::{Backend, Counters, SolverStatus};

/// The solver's name and version, such as `cadical-2.2.1`.
#[must_use]
pub fn signature() -> &'static str {
    // Asked of a solver, and rows ask often: one solver is made for it.
    static SIGNATURE: OnceLock<&str> = OnceLock::new();
    SIGNATURE.get_or_init(|| CaDiCaL::default().signature())
}

/// Largest seed that CaDiCaL takes.
pub const LAST_SEED: u32 = 2_000_000_000;

/// CaDiCaL.
pub struct Cadical<'p>(CaDiCaL<'p, 'p>);

impl<'p> Cadical<'p> {
    /// With a seed from 0 to 2·10⁹. It stops when `stop`, which it asks now and then, says so.
    ///
    /// # Errors
    ///
    /// [`SolveError::Solver`].
    pub fn new(seed: u32, stop: impl FnMut() -> bool + 'p) -> Result<Self, SolveError> {
        Self::with_options(seed, &[], stop)
    }

    /// As [`new`](Self::new), for a series of models: without the attempts at a trivial assignment ("lucky phases") with which
    /// CaDiCaL begins every call, and which propagate for longer than the search for the next model takes.
    ///
    /// # Errors
    ///
    /// [`SolveError::Solver`].
    pub fn for_many(seed: u32, stop: impl FnMut() -> bool + 'p) -> Result<Self, SolveError> {
        Self::with_options(seed, &[("lucky", 0)], stop)
    }

    fn with_options(
        seed: u32,
        options: &[(&str, i32)],
        mut stop: impl FnMut() -> bool + 'p,
    ) -> Result<Self, SolveError> {
        let mut solver = CaDiCaL::default();
        let seed = i32::try_from(seed).map_err(SolveError::solver)?;
        for &(name, value) in [("seed", seed)].iter().chain(options) {
            solver.set_option(name, value).map_err(SolveError::solver)?;
        }
        solver.attach_terminator(move || match stop() {
            true => ControlSignal::Terminate,
            false => ControlSignal::Continue,
        });
        Ok(Self(solver))
    }
}

impl Backend for Cadical<'_> {
    fn reserve(&mut self, n_vars: u32) -> Result<(), SolveError> {
        match n_vars.checked_sub(1) {
            Some(last) => self.0.reserve(Var::new(last)).map_err(SolveError::solver),
            None => Ok(()),
        }
    }

    fn add(&mut self, clause: &[Lit]) -> Result<(), SolveError> {
        self.0.add_clause_ref(clause).map_err(SolveError::solver)
    }

    fn solve(&mut self, conflicts: Option<u64>) -> Result<SolverStatus, SolveError> {
        if conflicts == Some(0) {
            return Ok(SolverStatus::Stopped);
        }
        // More than it can count is no limit.
        let limit = conflicts.and_then(|most| u32::try_from(most).ok());
        let limit = limit.filter(|&most| i32::try_from(most).is_ok());
        self.0.limit_conflicts(limit).map_err(SolveError::solver)?;
        Ok(match self.0.solve().map_err(SolveError::solver)? {
            SolverResult::Sat => SolverStatus::Satisfiable,
            SolverResult::Unsat => SolverStatus::Unsatisfiable,
            SolverResult::Interrupted => SolverStatus::Stopped,
        })
    }

    fn value(&self, literal: Lit) -> Result<Option<bool>, SolveError> {
        let value = self.0.lit_val(literal).map_err(SolveError::solver)?;
        Ok(match value {
            TernaryVal::True => Some(true),
            TernaryVal::False => Some(false),
            TernaryVal::DontCare => None,
        })
    }

    fn counters(&self) -> Counters {
        Counters {
            conflicts: self.0.get_statistic(Statistic::Conflicts),
            decisions: self.0.get_statistic(Statistic::Decisions),
            propagations: self.0.get_statistic(Statistic::Propagations),
            ticks: self.0.get_statistic(Statistic::Ticks),
        }
    }
}
