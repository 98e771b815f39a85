//! `histogram`: counts the tours by the value of a statistic, such as the number of obtuse angles; see
//! [`frontier::census`](hamcnf_engines::count::frontier::census).

use super::grammar::parsed;
use super::sweep::{disk_instead, number, without};
use super::{Abilities, Advice, Class, Exact, MethodKind, Setting};
use crate::question::{Question, Tours};
use crate::run::{Details, Failure, Run, RunResult, Status};
use hamcnf_engines::count::frontier::census::{self, CensusError};
use hamcnf_engines::count::statistic::Statistic;

/// Exact count of the tours with each value of a statistic.
#[derive(Clone, PartialEq, Debug)]
pub struct Histogram {
    pub of: Statistic,
    /// Settings of the sweep.
    pub along: Exact,
}

impl Default for Histogram {
    fn default() -> Self {
        Self {
            of: Statistic::obtuse(),
            along: Exact::default(),
        }
    }
}

impl AsRef<Exact> for Histogram {
    fn as_ref(&self) -> &Exact {
        &self.along
    }
}

impl AsMut<Exact> for Histogram {
    fn as_mut(&mut self) -> &mut Exact {
        &mut self.along
    }
}

impl MethodKind for Histogram {
    fn name(&self) -> &str {
        "histogram"
    }

    fn summary(&self) -> &'static str {
        "exact count of the tours with each value of a statistic, along a frontier"
    }

    fn class(&self) -> Class {
        Class::Count
    }

    fn advice(&self, _: &Question, status: Status) -> Vec<Advice> {
        let fewer = self.of.has_angles();
        let fewer =
            fewer.then(|| "a statistic of slopes, whose states are those of a count".into());
        let disk = disk_instead(status, self.along.scratch.as_deref());
        let others = fewer.into_iter().chain(["a smaller board".into()]);
        disk.into_iter().chain(others).collect()
    }

    fn chosen(&self, _: &Question, _seed: u64) -> Vec<(&'static str, String)> {
        vec![("of", self.of.to_string())]
    }

    fn abilities(&self) -> Abilities {
        Abilities {
            boards_only: true,
            threads: true,
            try_hard: true,
            ..Abilities::ENDPOINTS
        }
    }

    fn settings(&self) -> &'static [Setting<Self>] {
        const OF: Setting<Histogram> = Setting {
            name: "of",
            value: "STATISTIC",
            summary: "statistic: acute, right, obtuse, straight, turns such as 0..89, slopes such as slope=1/2, or several with commas [default: obtuse]",
            set: |histogram, text| {
                histogram.of = parsed(text)?;
                Ok(())
            },
            get: |histogram| {
                (histogram.of != Histogram::default().of).then(|| histogram.of.to_string())
            },
        };
        const {
            let [checkpoint, scratch] = Exact::settings_of::<Self>();
            &[OF, checkpoint, scratch]
        }
    }

    fn is_compared(&self) -> bool {
        false
    }

    fn run(&self, tours: &Tours, run: &Run<'_>) -> Result<RunResult, Failure> {
        let file = self.along.file(&format!("{tours} by {}", self.of));
        let found = self
            .along
            .reported(file.clone(), run, |options, show, warn| {
                let (instance, ends) = (tours.instance(), tours.ends());
                census::histogram(instance, ends, &self.of, options, show, warn)
            });
        Ok(match found {
            Ok(exact) => {
                let mut result = number(&exact);
                for (value, tours) in &exact.by_value {
                    result.statistics.set(&format!("tours.{value}"), tours);
                }
                result.with(Details::Histogram {
                    of: self.of.clone(),
                    exact,
                })
            }
            Err(CensusError::Exact(error)) => without(error, file.as_deref())?,
            Err(
                error @ (CensusError::NoBoard(_)
                | CensusError::TooLarge { .. }
                | CensusError::TooManyClasses(_)),
            ) => RunResult::default().refused(&error),
        })
    }
}
