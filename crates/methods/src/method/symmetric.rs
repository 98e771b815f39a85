//! Symmetric tours: what `count`, `exact` and `auto` do if the question has one `symmetry` and no other constraint that
//! needs clauses. Counts sweep over the quotient graph; see [`hamcnf_count::symmetric`]. Searches use an
//! encoding.

use std::sync::Arc;

use super::sweep::obstructed;
use super::sweep::{counted, options, report, without};
use super::{Advice, Exact, MethodKind, Profile};
use crate::run::{Details, Failure, Run, RunResult, Status, Wanted};
use hamcnf_count::symmetric::{self, SymmetricTours};
use hamcnf_questions::{Question, Tours};

/// Exact count of symmetric tours by dynamic programming along a frontier of the quotient graph.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CountSymmetric {
    /// Count alone, with these settings.
    Along(Exact),
    /// Count that keeps all states in memory, so that [`Details::Symmetric`] can find tours by their numbers.
    InMemory,
}

impl CountSymmetric {
    /// Returns the method if it can answer the question.
    pub(super) fn for_question(tours: &Tours, along: &Exact) -> Option<Self> {
        tours.instance().symmetry().map(|_| Self::Along(along.clone()))
    }
}

/// Returns advice for an exact count that ran into a limit, if the question is about symmetric tours.
pub(super) fn advice(question: &Question, status: Status) -> Option<Vec<Advice>> {
    let Question::Tours(tours) = question else { return None };
    tours.instance().symmetry()?;
    let limit = match status {
        Status::Timeout => Some("more time"),
        Status::Memout => Some("--scratch FOLDER or a higher --memory-limit"),
        _ => None,
    };
    let search = "`hamcnf solve --number N`, which finds some of the tours";
    Some(limit.into_iter().chain([search]).map(Advice::from).collect())
}

impl MethodKind for CountSymmetric {
    fn profile(&self) -> Profile<'_> {
        let summary = "exact count of symmetric tours along a frontier of the quotient graph";
        Profile {
            constraints: true,
            threads: true,
            try_hard: true,
            compared: false,
            ..Profile::exact_count("exact", summary)
        }
    }

    fn run(&self, tours: &Tours, run: &Run<'_>) -> Result<RunResult, Failure> {
        let instance = tours.instance();
        if run.settings().wanted == Wanted::ByStart {
            return Ok(RunResult::default().refused(&BY_START));
        }
        let Some(symmetry) = instance.symmetry() else { return Ok(RunResult::default().refused(&NO_SYMMETRY)) };
        let ends = tours.ends();
        let Self::Along(along) = self else {
            let (options, mut show) = (options(run), |at| report(run, at));
            return match SymmetricTours::new(instance, symmetry, ends, &options, &mut show) {
                Ok(all) => Ok(counted(all.exact(), instance).with(Details::Symmetric(Arc::new(all)))),
                Err(error) => without(error, None),
            };
        };
        if let Some(none) = obstructed(tours) {
            return Ok(none);
        }
        along.result(&tours.to_string(), run, |options, show, warn| {
            symmetric::count(instance, symmetry, ends, options, show, warn).map(|exact| counted(&exact, instance))
        })
    }
}

const BY_START: &str = "counts by start do not support symmetric tours";
const NO_SYMMETRY: &str = "this method counts symmetric tours; name the symmetry in the question";
