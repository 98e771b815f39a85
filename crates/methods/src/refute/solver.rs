//! Proofs by the solver alone: CaDiCaL receives every clause of the formula, and its own steps are the proof.
//!
//! If many subtour-elimination constraints ("cuts") would be needed, this proof is the shortest: clauses that the
//! solver learns about the order serve many cuts at once. In contrast, a derivation (`derived.rs`) starts anew for each
//! cut.

use hamcnf_encodings::{ClauseSink, Clauses, Family, Formula, Model, Reading};
use rustsat::types::Lit;

use super::Refutation;
use hamcnf_engines::proof::SharedLog;
use hamcnf_engines::solve::{Backend, SolveError, SolverStatus, Traced};

/// Solves a formula within a limit on the number of conflicts. Returns the result and the number of conflicts.
///
/// # Errors
///
/// [`SolveError`] if the solver fails.
pub fn solve(
    formula: &Formula,
    proof: &SharedLog,
    seed: u32,
    conflicts: Option<u64>,
    stop: impl Fn() -> bool + Send + Sync,
) -> Result<(Refutation, u64), SolveError> {
    let mut given =
        Given { solver: Traced::new(seed, proof.clone(), &stop)?, stop: &stop, until_stop: CLAUSES, ended: None };
    formula.emit(&mut given);
    let mut solver = given.solver;
    match given.ended {
        Some(Interruption::Stopped) => return Ok((Refutation::Stopped, 0)),
        Some(Interruption::Failed(error)) => return Err(error),
        None => {}
    }
    let ended = solver.solve(conflicts)?;
    let done = solver.counters().conflicts;
    let outcome = match ended {
        SolverStatus::Unsatisfiable => Refutation::NoTour,
        SolverStatus::Stopped if stop() => Refutation::Stopped,
        SolverStatus::Stopped => Refutation::GaveUp,
        SolverStatus::Satisfiable => {
            let values = (0..formula.n_vars()).map(|index| solver.value(Lit::positive(index)));
            match formula.read(&values.collect::<Result<Model, _>>()?)? {
                Reading::Tour(tour) => Refutation::Tour(tour),
                Reading::Cycles(_) => {
                    let wrong = format!("a model of {} is not a tour", formula.encoding());
                    return Err(SolveError::Solver(wrong));
                }
            }
        }
    };
    Ok((outcome, done))
}

/// Number of clauses between two checks of `stop`.
const CLAUSES: u32 = 1 << 14;

/// Sink that passes the clauses of a formula to the solver.
struct Given<'s, 'p> {
    solver: Traced<'p>,
    stop: &'s dyn Fn() -> bool,
    until_stop: u32,
    ended: Option<Interruption>,
}

enum Interruption {
    Stopped,
    Failed(SolveError),
}

impl ClauseSink for Given<'_, '_> {
    fn family(&mut self, _: Family) {}

    fn clause(&mut self, literals: &[Lit]) {
        if self.ended.is_some() {
            return;
        }
        self.until_stop -= 1;
        if self.until_stop == 0 {
            self.until_stop = CLAUSES;
            if (self.stop)() {
                self.ended = Some(Interruption::Stopped);
                return;
            }
        }
        self.ended = self.solver.add(literals).err().map(Interruption::Failed);
    }
}
