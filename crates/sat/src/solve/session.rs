//! Session with a solver: a formula is loaded once, then searched, extended by clauses, and searched again.
//!
//! All uses of a solver are loops around a session. To decide, a loop takes the first answer. To list tours, a loop
//! adds clauses that block each tour found, and searches again. A *relaxed* formula allows models with several cycles.
//! The session excludes these cycles by subtour-elimination constraints (*cuts*) and repeats the search.
//!
//! # References
//!
//! - G. Dantzig, R. Fulkerson, S. Johnson: *Solution of a Large-Scale Traveling-Salesman Problem*, 1954, for the
//!   constraint that a tour leaves a set of vertices.
//! - Takehide Soh, Daniel Le Berre, Stéphanie Roussel, Mutsunori Banbara, Naoyuki Tamura: *Incremental SAT-Based Method
//!   with Native Boolean Cardinality Handling for the Hamiltonian Cycle Problem*, JELIA 2014, for adding these
//!   constraints in lazy iterations.

use std::thread;
use std::time::Instant;

use cpu_time::ThreadTime;
use hamcnf_encodings::{Clauses, Formula, Model};
use hamcnf_tours::{Count, NotAPlacement, NotATour, Tally, Tour};
use rustsat::types::{Clause, Lit};

use super::bridge::{Counters, SolverStatus};
use super::cadical::{Cadical, FOR_MANY};
use super::phases::{Phases, Renaming};
use crate::proof::SharedLog;
use hamcnf_graph::budget::{Budget, Stopped};
use hamcnf_graph::cancellation::CancellationToken;
use hamcnf_graph::limits::Limits;
use hamcnf_tours::UntilError;

/// Settings and limits of a session.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Resource limits: wall time for encoding and solving together, and conflicts of all searches together. The
    /// session does not enforce CPU time and memory; the process or the cancellation token limits them.
    pub limits: Limits,
    /// Cancellation token; the session ends its work when the token is set.
    pub stop: CancellationToken,
    /// Random seed of CaDiCaL, 0 to 2·10⁹.
    pub seed: u32,
    /// Source of the initial phases of variables.
    pub phases: Phases,
    /// True if the session will search for many models of the formula, one after another.
    pub many: bool,
    /// Log for the proof that no model exists; `None` for no proof. The formula must not need subtour-elimination
    /// constraints.
    pub proof: Option<SharedLog>,
}

/// Result of a search for a model, or for the object that the model stands for.
#[derive(Clone, PartialEq, Debug)]
pub enum Outcome<T = Model> {
    /// A model that violates no subtour-elimination constraint.
    Found(T),
    /// The clauses have no model.
    None,
    /// A limit was reached before a result, or the work was cancelled.
    Stopped(Stopped),
}

/// Statistics of a session.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct SolverStatistics {
    /// CPU seconds for generating the clauses and passing them to the solver.
    pub encode_seconds: f64,
    /// CPU seconds in the solver.
    pub solve_seconds: f64,
    /// Wall seconds for encoding and solving.
    pub wall_seconds: f64,
    pub counters: Counters,
    /// Number of subtour-elimination constraints that were added because models of a relaxed formula violated them.
    pub cuts: u64,
}

/// Answer of a session, with the size of the formula and statistics.
#[derive(Clone, PartialEq, Debug)]
pub struct Solved<T = Model> {
    pub outcome: Outcome<T>,
    /// Number of variables of the formula.
    pub variables: u32,
    /// Number of clauses of the formula.
    pub clauses: Count,
    pub statistics: SolverStatistics,
}

/// Stage of solving, for progress reports.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Stage {
    /// All clauses are in the solver.
    Loaded {
        clauses: Count,
        /// CPU seconds for generating the clauses and passing them to the solver.
        encode_seconds: f64,
    },
    /// The solver has an answer, which the session reads next.
    Answered,
}

/// Reason why solving failed.
#[derive(Debug, thiserror::Error)]
pub enum SolveError {
    /// The solver ran out of memory.
    #[error("the solver ran out of memory")]
    OutOfMemory,
    /// The solver failed; the field is its message.
    #[error("the solver failed: {0}")]
    Solver(String),
    /// The solver's model is not a tour, which is a bug in the encoding or the solver.
    #[error("the solver's model is not a tour, which is a bug in hamcnf: {0}")]
    WrongModel(#[from] NotATour),
    /// The solver's model is not a placement of queens, which is a bug in the encoding or the solver.
    #[error("CaDiCaL's model is not a placement, which is a bug in hamcnf: {0}")]
    WrongPlacement(#[from] NotAPlacement),
}

impl SolveError {
    /// Returns the reason to stop of a search whose solver failed.
    pub fn stopped(&self) -> Stopped {
        match self {
            Self::OutOfMemory => Stopped::Memory,
            Self::Solver(_) | Self::WrongModel(_) | Self::WrongPlacement(_) => Stopped::GaveUp,
        }
    }
}

/// Session with a solver into which a formula has been loaded.
pub struct Session<'s, F> {
    formula: &'s F,
    solver: Cadical<'static>,
    renaming: Renaming,
    budget: Budget,
    began: Instant,
    /// Number of clauses of the formula, without clauses that were added later.
    clauses: Count,
    statistics: SolverStatistics,
    /// Buffer for a clause in the solver's literals, kept to reuse its memory.
    buffer: Vec<Lit>,
}

impl<'s, F: Clauses> Session<'s, F> {
    /// Loads a formula into CaDiCaL by passing its clauses. After the deadline, the remaining clauses are only counted,
    /// and no search begins.
    ///
    /// # Errors
    ///
    /// Returns [`SolveError`] if the solver fails.
    pub fn new(formula: &'s F, options: &Options) -> Result<Self, SolveError> {
        let began = Instant::now();
        let budget =
            Budget::new(options.limits.deadline(began), options.stop.clone()).with_conflicts(options.limits.conflicts);
        let polled = budget.clone();
        let poll = move || polled.over().is_some();
        let renaming = Renaming::new(formula, options);
        if let Some(proof) = &options.proof {
            let names = (0..formula.n_vars()).map(Lit::positive);
            proof.lock().name(names.map(|literal| renaming.literal(literal).to_ipasir()).collect());
        }
        let many = if options.many && options.proof.is_none() { FOR_MANY } else { &[] };
        let mut solver = Cadical::new(options.seed, many, options.proof.clone(), poll)?;
        let cpu = ThreadTime::now();
        if options.proof.is_none() {
            solver.reserve(formula.n_vars())?;
        }
        let mut tally = Tally::default();
        let (mut buffer, mut until_clock) = (Vec::new(), CLOCK);
        let mut sink = UntilError::new(|literals: &[Lit]| {
            until_clock -= 1;
            if until_clock == 0 {
                until_clock = CLOCK;
                if budget.over().is_some() {
                    return Err(None);
                }
            }
            solver.add(renaming.clause(literals, &mut buffer)).map_err(Some)
        });
        // The tally also counts the clauses after the deadline.
        formula.emit(&mut (&mut sink, &mut tally));
        if let Err(Some(error)) = sink.ended {
            return Err(error);
        }
        let clauses = tally.total();
        let statistics =
            SolverStatistics { encode_seconds: cpu.elapsed().as_secs_f64(), ..SolverStatistics::default() };
        Ok(Self { formula, solver, renaming, budget, began, clauses, statistics, buffer })
    }

    /// Searches for a model of all clauses added so far. If a model of a relaxed formula violates subtour-elimination
    /// constraints, the session adds these constraints and searches again.
    ///
    /// # Errors
    ///
    /// Returns [`SolveError`] if the solver fails.
    pub fn search(&mut self) -> Result<Outcome, SolveError> {
        let cpu = ThreadTime::now();
        let found = self.search_on();
        self.statistics.solve_seconds += cpu.elapsed().as_secs_f64();
        found
    }

    fn search_on(&mut self) -> Result<Outcome, SolveError> {
        loop {
            if let Some(stopped) = self.budget.over() {
                return Ok(Outcome::Stopped(stopped));
            }
            let conflicts = self.budget.conflicts();
            let left = conflicts.map(|most| most.saturating_sub(self.solver.counters().conflicts));
            match self.solver.solve(left)? {
                SolverStatus::Satisfiable => {
                    let model = self.model();
                    let cuts = self.formula.cuts(&model);
                    if cuts.is_empty() {
                        return Ok(Outcome::Found(model));
                    }
                    self.statistics.cuts += cuts.len() as u64;
                    for cut in &cuts {
                        self.add(cut)?;
                    }
                }
                SolverStatus::Unsatisfiable => return Ok(Outcome::None),
                SolverStatus::Stopped => {
                    let other = Stopped::Conflicts;
                    return Ok(Outcome::Stopped(self.budget.over().unwrap_or(other)));
                }
            }
        }
    }

    /// Adds a clause to the solver.
    ///
    /// # Errors
    ///
    /// Returns [`SolveError`] if the solver fails.
    pub fn add(&mut self, clause: &Clause) -> Result<(), SolveError> {
        let clause = self.renaming.clause(clause.as_ref(), &mut self.buffer);
        self.solver.add(clause)
    }

    /// Returns the values of all variables of the formula in the model found.
    fn model(&self) -> Model {
        let literals = (0..self.formula.n_vars()).map(|index| self.renaming.literal(Lit::positive(index)));
        literals.map(|literal| Some(self.solver.value(literal))).collect()
    }

    /// Returns the statistics so far.
    pub fn statistics(&self) -> SolverStatistics {
        SolverStatistics {
            wall_seconds: self.began.elapsed().as_secs_f64(),
            counters: self.solver.counters(),
            ..self.statistics
        }
    }

    /// Ends the session without waiting until the solver has freed its memory. After millions of clauses, this would
    /// take seconds.
    pub fn leave(self) {
        let solver = self.solver;
        thread::spawn(move || drop(solver));
    }
}

/// Number of clauses between two checks of the clock.
const CLOCK: u32 = 1 << 14;

/// Solves the formula of an instance, and checks the tour move by move before returning it with its model. Calls
/// `progress` at each stage.
///
/// # Errors
///
/// Returns [`SolveError`] if the solver fails or its model is not a tour.
pub fn solve(
    formula: &Formula,
    options: &Options,
    progress: &mut dyn FnMut(Stage),
) -> Result<Solved<(Tour, Model)>, SolveError> {
    let Solved { outcome, variables, clauses, statistics } = search(formula, options, progress)?;
    let outcome = match outcome {
        Outcome::Found(model) => Outcome::Found((formula.tour(&model)?, model)),
        Outcome::None => Outcome::None,
        Outcome::Stopped(why) => Outcome::Stopped(why),
    };
    Ok(Solved { outcome, variables, clauses, statistics })
}

/// Searches for a model of any formula. The model has values for all variables of the formula. Returns without waiting
/// for the solver to free its memory.
///
/// # Errors
///
/// Returns [`SolveError`] if the solver fails.
pub fn search(
    formula: &impl Clauses,
    options: &Options,
    progress: &mut dyn FnMut(Stage),
) -> Result<Solved, SolveError> {
    let mut session = Session::new(formula, options)?;
    progress(Stage::Loaded { clauses: session.clauses, encode_seconds: session.statistics().encode_seconds });
    let outcome = session.search()?;
    if !matches!(outcome, Outcome::Stopped(_)) {
        progress(Stage::Answered);
    }
    let solved =
        Solved { outcome, variables: formula.n_vars(), clauses: session.clauses, statistics: session.statistics() };
    session.leave();
    Ok(solved)
}
