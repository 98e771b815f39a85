//! Deciding by whatever finds a tour soonest, or by one part of that.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use super::{Answered, Failure, Work, found, late, proved};
use crate::cycle::{Ended, Round, Watch};
use crate::method::Portfolio;
use crate::portfolio::{self, Event, Options, Part, Step, Verdict};
use crate::question::Tours;
use crate::record::{Record, Status};
use crate::search::Proof;

impl Work<'_> {
    pub(super) fn portfolio(
        &self,
        how: Portfolio,
        tours: &Tours,
        mut record: Record,
    ) -> Result<Answered, Failure> {
        let options = Options {
            part: how.part,
            threads: how.threads,
            seed: u32::try_from(self.settings.seed)?,
        };
        let instance = tours.instance();
        let ends = tours.ends();
        let done = Arc::new(Mutex::new(Done::default()));
        let listener = &self.settings.listener;
        let (rounds, hears) = (Arc::clone(&done), listener.clone());
        let watch = Watch::new(self.deadline(), self.settings.stop.clone())
            .with_memory(Some(self.memory()))
            .telling(move |round| {
                let mut done = rounds.lock().unwrap_or_else(PoisonError::into_inner);
                done.round(round);
                hears.at(None, || done.to_string());
            });
        self.knows(&late(record.clone()));
        let tell = |event: &Event<'_>| match event {
            Event::Begins(turn) => {
                listener.doing(|| turn.to_string());
                let done = done.lock().unwrap_or_else(PoisonError::into_inner);
                if *done != Done::default() {
                    listener.at(None, || done.to_string());
                }
            }
            Event::Ends(step) => {
                let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
                done.step(step);
            }
        };
        let answer = portfolio::answer(instance, ends, &options, &watch, &tell)?;
        for step in &answer.steps {
            count(&mut record, step);
        }
        let by = |record: Record, status| {
            let words = answer
                .by
                .map_or_else(String::new, |part| format!("by {part}"));
            record.ended(status, words)
        };
        let answered: Answered = match answer.verdict {
            Verdict::Tour(tour) => {
                let answered = found(record, tour);
                Answered {
                    record: by(answered.record, Status::Tour),
                    ..answered
                }
            }
            Verdict::Obstructed(reason) if self.settings.proof.is_some() => {
                let answered = proved(record, Proof::Obstruction(reason), instance);
                self.and_its_proof(tours, None, answered)?
            }
            Verdict::Obstructed(reason) => proved(record, Proof::Obstruction(reason), instance),
            Verdict::NoTour if self.settings.proof.is_some() => {
                let record = by(record, Status::NoTour);
                self.and_its_proof(tours, answer.by, record.into())?
            }
            Verdict::NoTour => by(record, Status::NoTour).into(),
            Verdict::Unknown(Ended::Time) => late(record).into(),
            Verdict::Unknown(Ended::Memory) => record.ended(Status::Memout, "memory limit").into(),
            Verdict::Unknown(Ended::Asked) => record.ended(Status::Stopped, "").into(),
            Verdict::Unknown(Ended::GaveUp) => {
                record.ended(Status::GaveUp, "nothing was found").into()
            }
        };
        Ok(Answered {
            steps: answer.steps,
            ..answered
        })
    }
}

/// What has been done by all parts so far.
#[derive(Clone, PartialEq, Eq, Default)]
struct Done {
    conflicts: u64,
    cuts: u64,
    /// Of the last model that had several.
    cycles: Option<u64>,
}

impl Done {
    fn round(&mut self, round: Round) {
        self.conflicts += round.conflicts;
        self.cuts += round.cuts;
        self.cycles = Some(round.cycles);
    }

    fn step(&mut self, step: &Step) {
        // Its rounds have been counted one by one.
        if step.turn.part == Part::Lazy {
            return;
        }
        let counter = |name| step.effort.iter().find(|counter| counter.name == name);
        let value = |name| counter(name).map_or(0, |counter| counter.value);
        self.conflicts += value("conflicts");
        self.cuts += value("cycles");
    }
}

impl fmt::Display for Done {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} conflicts, {} cuts", self.conflicts, self.cuts)?;
        match self.cycles {
            Some(cycles) => write!(f, ", {cycles} cycles left"),
            None => Ok(()),
        }
    }
}

/// Adds what a step did to the counters of its part.
fn count(record: &mut Record, step: &Step) {
    let part = step.turn.part;
    let mut add = |name: &str, with: &dyn Fn(Option<u64>) -> u64| {
        let name = format!("{part}.{name}");
        let before = record.effort.get(&name);
        record.effort.set(&name, with(before));
    };
    add("turns", &|before| before.unwrap_or(0) + 1);
    for counter in &step.effort {
        add(counter.name, &|before| counter.with(before));
    }
}
