//! CaDiCaL in this process. All calls into rustsat's solver interface are in this folder.
//!
//! Clauses go into the solver as they are made. Options and the seed are set before the first of them, and
//! the deadline is kept by a callback that the solver polls: precise to about 0.3 s for small formulas. Of
//! millions of clauses CaDiCaL prepares its watches and tries its first guesses for seconds without a look at
//! it, and giving their memory back takes as long. The functions here come back when the solver has ended, and
//! late then; who cannot wait takes the answer from [`search_then`], in a thread that may be left alone.
//!
//! # References
//!
//! - Armin Biere, Tobias Faller, Katalin Fazekas, Mathias Fleury, Nils Froleyks, Florian Pollitt:
//!   *CaDiCaL 2.0*, CAV 2024.

use std::cell::RefCell;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use cpu_time::ThreadTime;
use hamcnf_encodings::answer::Answer;
use hamcnf_encodings::{ClauseSink, Clauses, Count, Family, Formula, NotATour, Tally, Tour};
use rustsat::solvers::{ControlSignal, Solve, SolverResult, Terminate};
use rustsat::types::{Assignment, Lit, Var};
use rustsat_cadical::{CaDiCaL, Statistic};

use super::phases::{Phases, Renaming};

/// What the solver is told besides the clauses.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Wall time for encoding and solving together; `None` for no limit.
    pub time_limit: Option<Duration>,
    /// CaDiCaL's random seed, 0 to 2·10⁹.
    pub seed: u32,
    /// Where the initial phases of variables come from.
    pub phases: Phases,
}

/// What came out.
#[derive(Clone, PartialEq, Debug)]
pub enum Outcome {
    /// A tour, and the model that it was read from.
    Tour(Tour, Assignment),
    /// The formula is unsatisfiable: there is no tour.
    NoTour,
    /// The time limit was reached first.
    Timeout,
}

/// What it took.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Effort {
    /// CPU seconds for making the clauses and handing them to the solver.
    pub encode_seconds: f64,
    /// CPU seconds in the solver.
    pub solve_seconds: f64,
    /// Wall seconds for both.
    pub wall_seconds: f64,
    /// Conflicts in the search.
    pub conflicts: u64,
    /// Decisions in the search.
    pub decisions: u64,
    /// Propagated literals.
    pub propagations: u64,
    /// CaDiCaL's ticks: approximate cache lines touched, a measure of time that does not depend on the load.
    pub ticks: u64,
}

/// An answer, what was asked in clauses, and what it took.
#[derive(Clone, PartialEq, Debug)]
pub struct Solved<A = Outcome> {
    /// The answer.
    pub outcome: A,
    /// Variables of the formula.
    pub variables: u32,
    /// Clauses of the formula.
    pub clauses: Count,
    /// What it took.
    pub effort: Effort,
}

/// How far it is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Stage {
    /// All clauses are in the solver.
    Loaded {
        /// How many.
        clauses: Count,
        /// CPU seconds for making them and handing them to the solver.
        encode_seconds: f64,
    },
    /// The solver works, so long after the start.
    Solving(Duration),
    /// The solver has an answer, which is read next.
    Answered,
}

/// What is known of a solver that has not ended at its time limit and was not waited for.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Unfinished {
    /// Variables of the formula, if they were numbered by then.
    pub variables: Option<u32>,
    /// Clauses of the formula, if all were made by then.
    pub clauses: Option<Count>,
    /// CPU seconds for making the clauses and handing them to the solver, as far as that had come.
    pub encode_seconds: f64,
    /// CPU seconds in the solver by then.
    pub solve_seconds: f64,
    /// Wall seconds for both.
    pub wall_seconds: f64,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum SolveError {
    /// The solver failed; out of memory is one such case.
    #[error("CaDiCaL failed: {0}")]
    Solver(String),
    /// The solver's model is not a tour, which would be an error of the encoding or the solver.
    #[error("CaDiCaL's model is not a tour, which is an error in this program: {0}")]
    WrongModel(#[from] NotATour),
}

impl SolveError {
    // rustsat's calls return `anyhow::Error`, which is for programs; here it ends as its text.
    pub(crate) fn solver(error: impl std::fmt::Display) -> Self {
        Self::Solver(format!("{error:#}"))
    }
}

/// The solver's name and version, such as `cadical-2.2.1`.
#[must_use]
pub fn signature() -> &'static str {
    // Asked of a solver, and rows ask often: one solver is made for it.
    static SIGNATURE: OnceLock<&str> = OnceLock::new();
    SIGNATURE.get_or_init(|| CaDiCaL::default().signature())
}

/// Solves the formula of an instance. A tour that comes out has been checked move by move. `progress` is
/// called now and then with how far it is.
///
/// # Errors
///
/// [`SolveError`].
pub fn solve(
    formula: &Formula,
    options: &Options,
    progress: &mut dyn FnMut(Stage),
) -> Result<Solved, SolveError> {
    checked(formula, search(formula, options, progress)?)
}

/// An answer with the tour that its model is, checked move by move.
///
/// # Errors
///
/// [`SolveError::WrongModel`].
pub fn checked(formula: &Formula, solved: Solved<Answer>) -> Result<Solved, SolveError> {
    let outcome = match solved.outcome {
        Answer::Satisfiable(model) => Outcome::Tour(formula.tour(&model)?, model),
        Answer::Unsatisfiable => Outcome::NoTour,
        Answer::Unknown => Outcome::Timeout,
    };
    Ok(Solved {
        outcome,
        variables: solved.variables,
        clauses: solved.clauses,
        effort: solved.effort,
    })
}

/// Solves any formula, up to a model of all of its variables.
///
/// # Errors
///
/// [`SolveError`].
pub fn search(
    formula: &impl Clauses,
    options: &Options,
    progress: &mut dyn FnMut(Stage),
) -> Result<Solved<Answer>, SolveError> {
    search_then(formula, options, progress, |solved| solved)
}

/// Does the same, and gives the answer to `then` before the solver's memory is given back, which takes seconds
/// after millions of clauses.
///
/// # Errors
///
/// [`SolveError`].
pub fn search_then<T>(
    formula: &impl Clauses,
    options: &Options,
    progress: &mut dyn FnMut(Stage),
    then: impl FnOnce(Solved<Answer>) -> T,
) -> Result<T, SolveError> {
    // Both the terminator and what stands here tell it.
    let progress = RefCell::new(progress);
    let tell = |stage| (*progress.borrow_mut())(stage);
    let start = Instant::now();
    let mut solver = CaDiCaL::default();
    seed(&mut solver, options)?;
    // Past the end of time is no limit.
    let deadline = options
        .time_limit
        .and_then(|limit| start.checked_add(limit));
    solver.attach_terminator(move || {
        tell(Stage::Solving(start.elapsed()));
        match deadline {
            Some(deadline) if Instant::now() >= deadline => ControlSignal::Terminate,
            _ => ControlSignal::Continue,
        }
    });

    let clock = ThreadTime::now();
    let mut tally = Tally::default();
    let renaming = Renaming::new(formula, options);
    load(formula, &mut solver, &renaming, &mut tally, deadline)?;
    let encode_seconds = clock.elapsed().as_secs_f64();
    let clauses = tally.total();
    tell(Stage::Loaded {
        clauses,
        encode_seconds,
    });

    let clock = ThreadTime::now();
    let result = match deadline {
        // Encoding took it all, and may have been cut short: there is nothing to solve.
        Some(deadline) if Instant::now() >= deadline => SolverResult::Interrupted,
        _ => solver.solve().map_err(SolveError::solver)?,
    };
    if result != SolverResult::Interrupted {
        tell(Stage::Answered);
    }
    let effort = Effort {
        encode_seconds,
        solve_seconds: clock.elapsed().as_secs_f64(),
        wall_seconds: start.elapsed().as_secs_f64(),
        conflicts: solver.get_statistic(Statistic::Conflicts),
        decisions: solver.get_statistic(Statistic::Decisions),
        propagations: solver.get_statistic(Statistic::Propagations),
        ticks: solver.get_statistic(Statistic::Ticks),
    };
    let outcome = match result {
        SolverResult::Sat => Answer::Satisfiable(model(&solver, &renaming, formula)?),
        SolverResult::Unsat => Answer::Unsatisfiable,
        SolverResult::Interrupted => Answer::Unknown,
    };
    Ok(then(Solved {
        outcome,
        variables: formula.n_vars(),
        clauses,
        effort,
    }))
}

/// Tells a solver its seed, which has to come before the first clause.
pub(crate) fn seed(solver: &mut CaDiCaL<'_, '_>, options: &Options) -> Result<(), SolveError> {
    let seed = i32::try_from(options.seed).map_err(SolveError::solver)?;
    solver.set_option("seed", seed).map_err(SolveError::solver)
}

/// Streams a formula into a solver, counting on the way. After the deadline clauses are counted only.
pub(crate) fn load(
    formula: &impl Clauses,
    solver: &mut CaDiCaL<'_, '_>,
    renaming: &Renaming,
    tally: &mut Tally,
    deadline: Option<Instant>,
) -> Result<(), SolveError> {
    if let Some(last) = formula.n_vars().checked_sub(1) {
        solver.reserve(Var::new(last)).map_err(SolveError::solver)?;
    }
    let mut sink = SolverSink {
        solver,
        renaming,
        buffer: Vec::new(),
        error: None,
        deadline,
        expired: false,
        until_clock: SolverSink::CLOCK,
    };
    formula.emit(&mut (&mut sink, tally));
    match sink.error {
        Some(error) => Err(SolveError::Solver(error)),
        None => Ok(()),
    }
}

/// The values of all of a formula's variables in the solver's model.
pub(crate) fn model(
    solver: &CaDiCaL<'_, '_>,
    renaming: &Renaming,
    formula: &impl Clauses,
) -> Result<Assignment, SolveError> {
    (0..formula.n_vars())
        .map(|index| solver.lit_val(renaming.literal(Lit::positive(index))))
        .collect::<Result<_, _>>()
        .map_err(SolveError::solver)
}

/// A solver as a sink of clauses. Its first error is kept; past the deadline it takes no more.
struct SolverSink<'s, 'term, 'learn> {
    solver: &'s mut CaDiCaL<'term, 'learn>,
    renaming: &'s Renaming,
    /// A clause with the solver's names.
    buffer: Vec<Lit>,
    error: Option<String>,
    deadline: Option<Instant>,
    expired: bool,
    /// Clauses until the clock is looked at again.
    until_clock: u32,
}

impl SolverSink<'_, '_, '_> {
    const CLOCK: u32 = 1 << 14;
}

impl ClauseSink for SolverSink<'_, '_, '_> {
    fn family(&mut self, _: Family) {}

    fn clause(&mut self, literals: &[Lit]) {
        if self.expired || self.error.is_some() {
            return;
        }
        self.until_clock -= 1;
        if self.until_clock == 0 {
            self.until_clock = Self::CLOCK;
            self.expired = self
                .deadline
                .is_some_and(|deadline| Instant::now() >= deadline);
        }
        let clause = self.renaming.clause(literals, &mut self.buffer);
        let added = self.solver.add_clause_ref(clause);
        self.error = added.err().map(|error| format!("{error:#}"));
    }

    fn no_two(&mut self, literals: &[Lit]) {
        for (s, &a) in literals.iter().enumerate() {
            // A tally beside this sink counts pairs without making them, and so may this when it is late.
            if self.expired {
                return;
            }
            for &b in &literals[s + 1..] {
                self.clause(&[!a, !b]);
            }
        }
    }
}
