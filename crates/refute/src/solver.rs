//! Proofs by the solver alone: CaDiCaL receives every clause of the formula, and its own steps are the proof.
//!
//! If many subtour-elimination constraints ("cuts") would be needed, this proof is the shortest: clauses that the
//! solver learns about the order serve many cuts at once. In contrast, a derivation (`derived.rs`) starts anew for each
//! cut.

use hamcnf_encodings::{Clauses, Formula, Model, Reading};
use rustsat::types::Lit;

use super::{Refutation, each_clause, now_and_then};
use hamcnf_sat::proof::SharedLog;
use hamcnf_sat::solve::{Cadical, SolveError, SolverStatus};

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
    let mut solver = Cadical::new(seed, &[], Some(proof.clone()), &stop)?;
    let mut is_stopped = now_and_then(&stop);
    let loaded = each_clause(formula, |literals| match is_stopped() {
        true => Err(None),
        false => solver.add(literals).map_err(Some),
    });
    match loaded {
        Ok(()) => {}
        Err(Some(error)) => return Err(error),
        Err(None) => return Ok((Refutation::Stopped, 0)),
    }
    let ended = solver.solve(conflicts)?;
    let done = solver.counters().conflicts;
    let outcome = match ended {
        SolverStatus::Unsatisfiable => Refutation::NoTour,
        SolverStatus::Stopped if stop() => Refutation::Stopped,
        SolverStatus::Stopped => Refutation::GaveUp,
        SolverStatus::Satisfiable => {
            let values = (0..formula.n_vars()).map(|index| Some(solver.value(Lit::positive(index))));
            match formula.read(&values.collect::<Model>())? {
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
