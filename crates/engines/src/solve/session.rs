//! One session with a solver: a formula goes in once, and then it is searched, told more, and searched again.
//!
//! Everything that solves is one loop around it. Deciding takes the first answer; listing adds the clauses that block
//! a tour; a relaxed formula's cycles are cut and searched again, whichever of both is done.
//!
//! # References
//!
//! - G. Dantzig, R. Fulkerson, S. Johnson: *Solution of a Large-Scale Traveling-Salesman Problem*, 1954, for the cut
//!   of a set of vertices that a tour has to leave.
//! - Takehide Soh, Daniel Le Berre, Stéphanie Roussel, Mutsunori Banbara, Naoyuki Tamura: *Incremental SAT-Based Method
//!   with Native Boolean Cardinality Handling for the Hamiltonian Cycle Problem*, JELIA 2014, for cuts in rounds.

use std::thread;
use std::time::Instant;

use cpu_time::ThreadTime;
use hamcnf_encodings::answer::Answer;
use hamcnf_encodings::{ClauseSink, Clauses, Count, Family, Formula, Model, NotATour, Tally, Tour};
use rustsat::OutOfMemory;
use rustsat::types::{Clause, Lit};

use super::backend::{Backend, SolverStatus};
use super::cadical::Cadical;
use super::phases::{Phases, Renaming};
use super::traced::Traced;
use crate::budget::{Budget, Stopped};
use crate::cancellation::CancellationToken;
use crate::limits::Limits;
use crate::proof::SharedLog;

/// What the solver is told besides the clauses.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// What it may take: wall time for encoding and solving together, and conflicts in all searches together. CPU time
    /// and memory are limited from outside, or by the flag.
    pub limits: Limits,
    /// Ends the work when it is set.
    pub stop: CancellationToken,
    /// CaDiCaL's random seed, 0 to 2·10⁹.
    pub seed: u32,
    /// Where the initial phases of variables come from.
    pub phases: Phases,
    /// True if the solver is asked for many models, one after the other.
    pub many: bool,
    /// Where the proof goes that there is no model, of a formula that needs no cuts.
    pub proof: Option<SharedLog>,
}

/// What came out.
#[derive(Clone, PartialEq, Debug)]
pub enum Outcome {
    /// A tour, and the model that it was read from.
    Tour(Tour, Model),
    /// The formula is unsatisfiable: there is no tour.
    NoTour,
    /// A limit was reached first, or the flag was set.
    Timeout,
}

/// What it took.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct SolverStatistics {
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
    /// Clauses added because a model of a relaxed formula lacked them.
    pub cuts: u64,
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
    pub effort: SolverStatistics,
    /// What ended it without an answer, if it has none.
    pub stopped: Option<Stopped>,
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
    /// The solver has an answer, which is read next.
    Answered,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum SolveError {
    /// The solver got no more memory.
    #[error("the solver ran out of memory")]
    OutOfMemory,
    /// The solver failed.
    #[error("the solver failed: {0}")]
    Solver(String),
    /// The solver's model is not a tour, which would be an error of the encoding or the solver.
    #[error("the solver's model is not a tour, which is an error in this program: {0}")]
    WrongModel(#[from] NotATour),
}

impl SolveError {
    // rustsat's calls return `anyhow::Error`, which is for programs; here it ends as its text.
    pub(crate) fn solver(error: impl Into<anyhow::Error>) -> Self {
        let error = error.into();
        match error.is::<OutOfMemory>() {
            true => Self::OutOfMemory,
            false => Self::Solver(format!("{error:#}")),
        }
    }
}

/// A formula in a solver.
pub struct Session<'s, F> {
    formula: &'s F,
    solver: Box<dyn Backend + Send>,
    renaming: Renaming,
    budget: Budget,
    began: Instant,
    clauses: Count,
    effort: SolverStatistics,
    /// A clause with the solver's names.
    buffer: Vec<Lit>,
}

/// What a search found.
#[derive(Clone, PartialEq, Debug)]
pub enum Found {
    /// A model that lacks nothing.
    Model(Model),
    /// There is none, or none any more.
    None,
    /// Nothing, before this.
    Stopped(Stopped),
}

impl<'s, F: Clauses> Session<'s, F> {
    /// Streams a formula into CaDiCaL. After the deadline clauses are counted only, and no search begins.
    ///
    /// # Errors
    ///
    /// [`SolveError::Solver`].
    pub fn new(formula: &'s F, options: &Options) -> Result<Self, SolveError> {
        let began = Instant::now();
        let budget = Budget::new(options.limits.deadline(began), options.stop.clone())
            .with_conflicts(options.limits.conflicts);
        let polled = budget.clone();
        let poll = move || polled.over().is_some();
        let renaming = Renaming::new(formula, options);
        let mut solver: Box<dyn Backend + Send> = match &options.proof {
            None if options.many => Box::new(Cadical::for_many(options.seed, poll)?),
            None => Box::new(Cadical::new(options.seed, poll)?),
            Some(proof) => {
                let names = (0..formula.n_vars()).map(Lit::positive);
                let names = names.map(|literal| renaming.literal(literal).to_ipasir());
                proof.lock().name(names.collect());
                Box::new(Traced::new(options.seed, proof.clone(), poll)?)
            }
        };
        let cpu = ThreadTime::now();
        solver.reserve(formula.n_vars())?;
        let mut tally = Tally::default();
        let mut sink = SolverSink {
            solver: solver.as_mut(),
            renaming: &renaming,
            buffer: Vec::new(),
            error: None,
            budget: &budget,
            expired: false,
            until_clock: CLOCK,
        };
        formula.emit(&mut (&mut sink, &mut tally));
        sink.error.map_or(Ok(()), Err)?;
        let clauses = tally.total();
        let effort = SolverStatistics {
            encode_seconds: cpu.elapsed().as_secs_f64(),
            ..SolverStatistics::default()
        };
        Ok(Self {
            formula,
            solver,
            renaming,
            budget,
            began,
            clauses,
            effort,
            buffer: Vec::new(),
        })
    }

    /// Searches for a model of all clauses so far that lacks none of those that a relaxed formula leaves to be
    /// asked for.
    ///
    /// # Errors
    ///
    /// [`SolveError::Solver`].
    pub fn search(&mut self) -> Result<Found, SolveError> {
        let cpu = ThreadTime::now();
        let found = self.search_on();
        self.effort.solve_seconds += cpu.elapsed().as_secs_f64();
        found
    }

    fn search_on(&mut self) -> Result<Found, SolveError> {
        loop {
            if let Some(stopped) = self.budget.over() {
                return Ok(Found::Stopped(stopped));
            }
            let conflicts = self.budget.conflicts();
            let left = conflicts.map(|most| most.saturating_sub(self.solver.counters().conflicts));
            match self.solver.solve(left)? {
                SolverStatus::Satisfiable => {
                    let model = self.model()?;
                    let cuts = self.formula.cuts(&model);
                    if cuts.is_empty() {
                        return Ok(Found::Model(model));
                    }
                    self.effort.cuts += cuts.len() as u64;
                    for cut in &cuts {
                        self.add(cut)?;
                    }
                }
                SolverStatus::Unsatisfiable => return Ok(Found::None),
                SolverStatus::Stopped => {
                    let other = Stopped::Conflicts;
                    return Ok(Found::Stopped(self.budget.over().unwrap_or(other)));
                }
            }
        }
    }

    /// Adds a clause.
    ///
    /// # Errors
    ///
    /// [`SolveError::Solver`].
    pub fn add(&mut self, clause: &Clause) -> Result<(), SolveError> {
        let clause = self.renaming.clause(clause.as_ref(), &mut self.buffer);
        self.solver.add(clause)
    }

    /// The values of all of the formula's variables.
    fn model(&self) -> Result<Model, SolveError> {
        (0..self.formula.n_vars())
            .map(|index| {
                let literal = self.renaming.literal(Lit::positive(index));
                self.solver.value(literal)
            })
            .collect()
    }

    /// What it has taken so far.
    #[must_use]
    pub fn effort(&self) -> SolverStatistics {
        let counters = self.solver.counters();
        SolverStatistics {
            wall_seconds: self.began.elapsed().as_secs_f64(),
            conflicts: counters.conflicts,
            decisions: counters.decisions,
            propagations: counters.propagations,
            ticks: counters.ticks,
            ..self.effort
        }
    }

    /// Clauses of the formula, cuts not among them.
    #[must_use]
    pub fn clauses(&self) -> Count {
        self.clauses
    }

    /// Ends it without waiting for the solver's memory to be given back, which takes seconds after millions of
    /// clauses.
    pub fn leave(self) {
        let solver = self.solver;
        thread::spawn(move || drop(solver));
    }
}

/// Clauses until the clock is looked at again.
const CLOCK: u32 = 1 << 14;

/// A solver as a sink of clauses. Its first error is kept; past the deadline it takes no more.
struct SolverSink<'s, B: ?Sized> {
    solver: &'s mut B,
    renaming: &'s Renaming,
    buffer: Vec<Lit>,
    error: Option<SolveError>,
    budget: &'s Budget,
    expired: bool,
    until_clock: u32,
}

impl<B: Backend + ?Sized> ClauseSink for SolverSink<'_, B> {
    fn family(&mut self, _: Family) {}

    fn clause(&mut self, literals: &[Lit]) {
        if self.expired || self.error.is_some() {
            return;
        }
        self.until_clock -= 1;
        if self.until_clock == 0 {
            self.until_clock = CLOCK;
            self.expired = self.budget.over().is_some();
        }
        let clause = self.renaming.clause(literals, &mut self.buffer);
        self.error = self.solver.add(clause).err();
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
        stopped: solved.stopped,
    })
}

/// Solves any formula, up to a model of all of its variables. The answer does not wait for the solver's memory to be given
/// back.
///
/// # Errors
///
/// [`SolveError`].
pub fn search(
    formula: &impl Clauses,
    options: &Options,
    progress: &mut dyn FnMut(Stage),
) -> Result<Solved<Answer>, SolveError> {
    let mut session = Session::new(formula, options)?;
    progress(Stage::Loaded {
        clauses: session.clauses(),
        encode_seconds: session.effort().encode_seconds,
    });
    let (outcome, stopped) = match session.search()? {
        Found::Model(model) => (Answer::Satisfiable(model), None),
        Found::None => (Answer::Unsatisfiable, None),
        Found::Stopped(why) => (Answer::Unknown, Some(why)),
    };
    if stopped.is_none() {
        progress(Stage::Answered);
    }
    let solved = Solved {
        outcome,
        variables: formula.n_vars(),
        clauses: session.clauses(),
        effort: session.effort(),
        stopped,
    };
    session.leave();
    Ok(solved)
}
