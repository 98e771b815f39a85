//! Questions that are refuted before a method changes them: an infeasibility check shows that there is no tour, or the
//! question has no tour even without the constraints that need clauses. A constraint only excludes tours.
//!
//! A method with the ability `checks` begins with these checks itself. If it would work on the undirected form of the
//! question, or be replaced by a method that works on clauses, the checks are about the original question instead.

use crate::method::{Method, Portfolio, proved};
use crate::run::{Failure, Run, RunResult, Status, Wanted};
use hamcnf_cycle::search::Proof;
use hamcnf_questions::Tours;

/// Returns the answer if the question is changed before the method runs, and is refuted before.
pub(super) fn answer(method: &Method, tours: &Tours, run: &Run<'_>) -> Result<Option<RunResult>, Failure> {
    let replacement = method.replaced(tours, run.settings());
    let is_same = replacement.as_ref() == Ok(method) && !method.needs_undirected(tours);
    let checks = method.profile().checks && run.settings().wanted != Wanted::ByStart;
    if is_same || !checks || tours.instance().is_trivial() {
        return Ok(None);
    }
    let result = match tours.obstruction() {
        Some(found) => proved(RunResult::default(), Proof::Obstruction(found)),
        // Without a replacement, the method consists of the checks alone.
        None if replacement.as_ref().is_ok_and(|other| other != method) => {
            Portfolio::opening(&tours.without_clauses().undirected()?, run)?
        }
        None => return Ok(None),
    };
    if result.status != Status::NoTour {
        return Ok(None);
    }
    if method.is_count() {
        return Ok(Some(result.with_value(Status::Count, 0u64)));
    }
    // Proofs about a digraph are about its undirected form, of which the obstruction may not be one.
    let Some(Ok(undirected)) = method.needs_undirected(tours).then(|| tours.undirected()) else {
        return run.with_evidence(method, tours, result).map(Some);
    };
    let proof = result.proof.clone();
    let result = RunResult { proof: None, ..result };
    let result = run.with_evidence(method, &undirected, result)?;
    Ok(Some(RunResult { proof, ..result }))
}
