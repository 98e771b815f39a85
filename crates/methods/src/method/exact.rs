//! `exact`: counts tours by dynamic programming along a frontier of the graph; see
//! [`frontier::exact`](hamcnf_engines::count::frontier::exact).

use hamcnf_encodings::Instance;
use hamcnf_encodings::endpoints::Endpoints;
use num_bigint::BigUint;

use super::sweep::{advice, counted, options, report, said, sample_instead, without};
use super::symmetric::{self, CountSymmetric};
use super::{Abilities, Advice, Class, Method, MethodKind, Together};
use crate::question::{Question, Tours};
use crate::run::{Details, Event, Failure, Run, RunResult, Share, Status, Wanted};
use hamcnf_engines::count::frontier::exact::{self, ExactError};
use hamcnf_engines::count::frontier::{Bytes, Progress};

/// Exact count by dynamic programming along a frontier of the graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Exact;

impl MethodKind for Exact {
    fn name(&self) -> &str {
        "exact"
    }

    fn summary(&self) -> &'static str {
        "exact count by dynamic programming along a frontier"
    }

    fn class(&self) -> Class {
        Class::Count
    }

    fn advice(&self, question: &Question, status: Status) -> Vec<Advice> {
        symmetric::advice(question).unwrap_or_else(|| advice(status, [sample_instead()]))
    }

    fn with_clauses(&self, tours: &Tours) -> Option<Method> {
        CountSymmetric::for_question(tours).map(Method::from)
    }

    fn abilities(&self) -> Abilities {
        Abilities {
            by_start: true,
            threads: true,
            try_hard: true,
            ..Abilities::ENDPOINTS
        }
    }

    fn run(&self, tours: &Tours, run: &Run<'_>) -> Result<RunResult, Failure> {
        match run.settings().wanted {
            Wanted::ByStart => by_start(tours, run),
            Wanted::One | Wanted::Several(_) | Wanted::All => in_all(tours, run),
        }
    }

    fn together(&self) -> Option<&dyn Together> {
        Some(self)
    }
}

impl Together for Exact {
    /// Counts the tours of several boards by one sweep over the board with the most squares. This board needs the most
    /// time and memory.
    fn run_together(
        &self,
        tours: &[&Tours],
        run: &Run<'_>,
        found: &mut dyn FnMut(usize, RunResult),
    ) -> Result<Option<RunResult>, Failure> {
        let mut order: Vec<_> = (0..tours.len()).collect();
        order.sort_by_key(|&k| tours[k].instance().n());
        let questions = order
            .iter()
            .map(|&k| (tours[k].instance().clone(), tours[k].ends()));
        let questions: Vec<_> = questions.collect();
        let mut found = |k: usize, exact| found(order[k], counted(exact));
        match along_one_sweep(&questions, run, &mut found) {
            Ok(()) => Ok(None),
            Err(error) => Ok(Some(without(&error))),
        }
    }
}

/// Counts the tours between the endpoints that the question allows.
fn in_all(tours: &Tours, run: &Run<'_>) -> Result<RunResult, Failure> {
    let question = (tours.instance().clone(), tours.ends());
    let mut known = RunResult::default();
    match along_one_sweep(&[question], run, &mut |_, exact| known = counted(exact)) {
        Ok(()) => Ok(known),
        Err(error) => Ok(without(&error)),
    }
}

/// Counts the tours of several questions by one sweep. Reports the progress of the sweep.
fn along_one_sweep(
    questions: &[(Instance, Endpoints)],
    run: &Run<'_>,
    found: &mut dyn FnMut(usize, exact::Exact),
) -> Result<(), ExactError> {
    let options = options(run);
    let mut show = |at: Progress| {
        if at.layer == 0 && at.most_bytes > options.memory as f64 {
            run.notify(Event::Tight(&format!(
                "up to {:.1e} states (estimated from vertex degrees) may need {}, more than the memory limit of {}",
                at.most_states,
                Bytes(at.most_bytes as u64),
                Bytes(options.memory)
            )));
        }
        report(run, at);
    };
    exact::counts(questions, &options, &mut show, found)
}

/// Counts the open tours from each start vertex.
fn by_start(tours: &Tours, run: &Run<'_>) -> Result<RunResult, Failure> {
    let instance = tours.instance();
    let mut show = |known, at| {
        let n = instance.n();
        let share = Share {
            done: known as u64,
            of: n.into(),
        };
        run.settings().observer.at(Some(share), || {
            format!("{known} of {n} squares known, {}", said(at))
        });
    };
    match exact::by_start(instance, &options(run), &mut show) {
        Ok(counts) => {
            let all: BigUint = counts.iter().sum();
            let result = RunResult::default().with_value(Status::Count, &all);
            Ok(result.with(Details::ByStart(counts)))
        }
        Err(error) => Ok(without(&error)),
    }
}
