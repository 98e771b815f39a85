//! `histogram`: counts the tours by the value of a statistic, such as the number of obtuse angles; see
//! [`frontier::census`](hamcnf_engines::count::frontier::census).

use super::grammar::parsed;
use super::sweep::{advice, options, said, without};
use super::{Abilities, Advice, Class, MethodKind, Setting};
use crate::question::{Question, Tours};
use crate::run::{Details, Failure, Run, RunResult, Share, Status};
use hamcnf_engines::count::frontier::census::{self, CensusError};
use hamcnf_engines::count::statistic::Statistic;

/// Exact count of the tours with each value of a statistic.
#[derive(Clone, PartialEq, Debug)]
pub struct Histogram {
    pub of: Statistic,
}

impl Default for Histogram {
    fn default() -> Self {
        Self {
            of: Statistic::obtuse(),
        }
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
        let fewer = "a statistic of slopes, whose states are those of a count";
        advice(status, [fewer.into(), "a smaller board".into()])
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
        &[Setting {
            name: "of",
            value: "STATISTIC",
            summary: "statistic: acute, right, obtuse, straight, turns such as 0..89, slopes such as slope=1/2, or several with commas [default: obtuse]",
            set: |histogram, text| {
                histogram.of = parsed(text)?;
                Ok(())
            },
            get: |histogram| (histogram.of != Self::default().of).then(|| histogram.of.to_string()),
        }]
    }

    fn is_compared(&self) -> bool {
        false
    }

    fn run(&self, tours: &Tours, run: &Run<'_>) -> Result<RunResult, Failure> {
        let mut show = |done: usize, of: Option<usize>, at| {
            let share = of.map(|of| Share {
                done: done as u64,
                of: of as u64,
            });
            run.settings()
                .observer
                .at(share, || format!("sweep {}, {}", done + 1, said(at)));
        };
        let (instance, ends) = (tours.instance(), tours.ends());
        let found = census::histogram(instance, ends, &self.of, &options(run), &mut show);
        Ok(match found {
            Ok(census) => {
                let mut result = RunResult::default();
                result.statistics.set("states", census.generated);
                result.statistics.set("peak_states", census.peak_states);
                result.statistics.set("width", census.width);
                result.statistics.set("sweeps", census.sweeps);
                for (value, tours) in &census.tours {
                    result.statistics.set(&format!("tours.{value}"), tours);
                }
                let result = result.with_value(Status::Count, &census.count);
                result.with(Details::Histogram {
                    of: self.of.clone(),
                    census: Box::new(census),
                })
            }
            Err(CensusError::Exact(error)) => without(error, None)?,
            Err(error @ (CensusError::NoBoard(_) | CensusError::TooLarge { .. })) => {
                RunResult::default().refused(&error)
            }
            Err(error @ CensusError::Contradiction { .. }) => return Err(error.into()),
        })
    }
}
