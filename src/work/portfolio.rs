//! Deciding by whatever finds a tour soonest, or by one part of that.

use super::{Answered, Failure, Work, found, late, proved};
use crate::cycle::{Ended, Watch};
use crate::method::Portfolio;
use crate::portfolio::{self, Event, Options, Step, Verdict};
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
        let watch = Watch::new(self.deadline(), self.settings.stop.clone())
            .with_memory(Some(self.memory()));
        self.knows(&late(record.clone()));
        let listener = &self.settings.listener;
        let tell = |event: &Event<'_>| {
            if let Event::Begins(turn) = event {
                listener.doing(|| turn.to_string());
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
            Verdict::Obstructed(reason) => proved(record, Proof::Obstruction(reason), instance),
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
