//! `sample`: estimates the number of tours from a sample of the states along a frontier; see
//! [`frontier::sample`](hamcnf_count::frontier::sample).

use super::grammar::whole;
use super::sweep::{advice, not_counted, said};
use super::{Advice, Class, Field, MethodKind, Profile, Setting};
use crate::run::{Details, Failure, Run, RunResult, Share, Status};
use hamcnf_count::frontier::sample::{self, Repetitions};
use hamcnf_questions::{Question, Tours};

/// Estimate of the number of tours, with its standard error.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sample {
    /// Number of states that the sample keeps in each layer.
    pub states: usize,
    /// Number of independent estimates, at least 2.
    pub repetitions: usize,
}

impl Default for Sample {
    fn default() -> Self {
        Self { states: 100_000, repetitions: 10 }
    }
}

impl MethodKind for Sample {
    fn profile(&self) -> Profile<'_> {
        let summary = "estimate with its standard error, from sampled states along a frontier";
        Profile { random: true, threads: true, ..Profile::new("sample", summary, Class::Count).with_ends() }
    }

    fn advice(&self, _: &Question, status: Status) -> Vec<Advice> {
        // After a sample that found no tour, the message says how many states are too few.
        let at_limit = match status {
            Status::Timeout => Some("fewer --states or --repetitions, which take less time"),
            Status::Memout => Some("fewer --states, which take less memory"),
            _ => None,
        };
        advice(status, at_limit.map(Advice::from))
    }

    fn chosen(&self, _: &Question, _seed: u64) -> Vec<(&'static str, String)> {
        vec![("states", self.states.to_string()), ("repetitions", self.repetitions.to_string())]
    }

    fn settings(&mut self) -> Vec<Field<'_>> {
        let default = Self::default();
        let states = Setting::new("states", "B", "number of states kept per layer [default: 100000]");
        let repetitions = Setting::new("repetitions", "R", "number of independent estimates [default: 10]");
        vec![
            states.of(&mut self.states, &default.states, whole(1)),
            repetitions.of(&mut self.repetitions, &default.repetitions, whole(2)),
        ]
    }

    fn run(&self, tours: &Tours, run: &Run<'_>) -> Result<RunResult, Failure> {
        let Self { states, repetitions } = *self;
        let settings = run.settings();
        let options = sample::Options {
            states,
            repetitions: Repetitions::new(repetitions).ok_or("a sample has two repetitions")?,
            seed: settings.seed,
            threads: run.threads(),
            // The estimate must depend only on the seed, not on the free memory.
            memory: settings.limits.memory.unwrap_or(u64::MAX),
            budget: run.budget(),
        };
        let mut show = |done, at| {
            let share = Share { done: done as u64, of: repetitions as u64 };
            settings.observer.at(Some(share), || format!("{done} of {repetitions} repetitions, {}", said(at)));
        };
        let estimate = match sample::estimate(tours.instance(), tours.ends(), &options, &mut show) {
            Ok(estimate) => estimate,
            Err(error) => return not_counted(error),
        };
        let mut result = RunResult::default();
        result.statistics.set("peak_states", estimate.peak_states);
        result.statistics.set("standard_error", estimate.standard_error);
        result.statistics.set("repetitions", estimate.repetitions.len());
        // The mean is an exact integer, because sums of integers below 2^53 are exact.
        let result = match estimate.exact && estimate.mean < (1u64 << 53) as f64 {
            true => result.with_value(Status::Count, estimate.mean as u64),
            false => result.with_value(Status::Estimate, estimate.mean),
        };
        Ok(result.with(Details::Sample(estimate)))
    }
}
