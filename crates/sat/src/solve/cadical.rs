//! CaDiCaL in this process. All calls of rustsat's solver interface are in this file.
//!
//! The seed is set before the first clause. The solver polls a callback, and ends the search if the callback returns
//! true. On small formulas, the search then ends within about 0.3 s. With millions of clauses, CaDiCaL sets up its
//! watches and tries its first guesses for seconds without polling, and freeing the memory takes as long. A caller that
//! cannot wait should run the solver in a thread that it can abandon. Once it has an answer, it should call
//! [`Session::leave`](super::Session::leave), which frees the memory in the background.
//!
//! # References
//!
//! - Armin Biere, Tobias Faller, Katalin Fazekas, Mathias Fleury, Nils Froleyks, Florian Pollitt:
//!   *CaDiCaL 2.0*, CAV 2024.

use std::sync::OnceLock;

use rustsat::solvers::{ControlSignal, LimitConflicts, Solve, SolveIncremental, SolverResult, Terminate};
use rustsat::types::{Lit, TernaryVal, Var};
use rustsat_cadical::{CaDiCaL, Statistic};

use super::SolveError;
use super::backend::{Backend, Counters, SolverStatus};

/// Returns the solver's name and version, such as `cadical-2.2.1`.
pub fn signature() -> &'static str {
    // Only a solver instance has the signature. It is cached, since every row of results needs it.
    static SIGNATURE: OnceLock<&str> = OnceLock::new();
    SIGNATURE.get_or_init(|| CaDiCaL::default().signature())
}

/// Largest seed that CaDiCaL accepts.
pub const LAST_SEED: u32 = 2_000_000_000;

/// CaDiCaL as a [`Backend`].
pub struct Cadical<'p>(CaDiCaL<'p, 'p>);

impl<'p> Cadical<'p> {
    /// Creates a solver with a seed from 0 to 2·10⁹. The solver calls `stop` from time to time, and ends the search
    /// when `stop` returns true.
    ///
    /// # Errors
    ///
    /// Returns [`SolveError::Solver`] if the solver rejects the seed.
    pub fn new(seed: u32, stop: impl FnMut() -> bool + 'p) -> Result<Self, SolveError> {
        Self::with_options(seed, &[], stop)
    }

    /// Creates a solver for a series of models, like [`new`](Self::new), but switches off CaDiCaL's attempts at a
    /// trivial assignment ("lucky phases"). CaDiCaL begins every call with these attempts, and they take longer than
    /// the search for the next model.
    ///
    /// # Errors
    ///
    /// Returns [`SolveError::Solver`] if the solver rejects an option.
    pub fn for_many(seed: u32, stop: impl FnMut() -> bool + 'p) -> Result<Self, SolveError> {
        Self::with_options(seed, &[("lucky", 0)], stop)
    }

    /// Creates a solver like [`new`](Self::new), with further options of CaDiCaL.
    ///
    /// # Errors
    ///
    /// Returns [`SolveError::Solver`] if the solver rejects an option.
    pub fn with_options(
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

    /// Searches for a model in which all literals of `assumptions` are true, for at most `conflicts` conflicts; `None`
    /// for no limit.
    ///
    /// # Errors
    ///
    /// Returns [`SolveError`] if the solver fails.
    pub fn solve_under(&mut self, assumptions: &[Lit], conflicts: Option<u32>) -> Result<UnderAssumptions, SolveError> {
        self.0.limit_conflicts(conflicts).map_err(SolveError::solver)?;
        let result = self.0.solve_assumps(assumptions);
        Ok(match result.map_err(SolveError::solver)? {
            SolverResult::Sat => UnderAssumptions::Model,
            SolverResult::Interrupted => UnderAssumptions::Stopped,
            SolverResult::Unsat => {
                let core = self.0.core().map_err(SolveError::solver)?;
                UnderAssumptions::Core(core.into_iter().map(|l| !l).collect())
            }
        })
    }
}

/// Result of a search under assumptions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum UnderAssumptions {
    /// The solver found a model.
    Model,
    /// No model makes all of these assumptions true.
    Core(Vec<Lit>),
    /// The search reached its limit, or was cancelled.
    Stopped,
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
        // A limit that is too large for the solver counts as no limit.
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
