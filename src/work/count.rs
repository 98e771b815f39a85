//! Counting tours along a frontier and by decision diagrams.

use std::num::NonZero;

use super::{Failure, Work, threads};
use crate::count::frontier::TooWide;
use crate::count::frontier::diagram::{self, Diagram, DiagramError};
use crate::count::frontier::exact::{self, ExactError};
use crate::count::frontier::sample::{self, Repetitions, SampleError};
use crate::count::timeslice::{self, TimesliceError};
use crate::count::treewidth::{self, TreewidthError};
use crate::method::Count;
use crate::question::Tours;
use crate::record::{Record, Status};
use crate::store::BYTES_A_NODE;

impl Work<'_> {
    pub(super) fn count(
        &self,
        how: &Count,
        tours: &Tours,
        record: Record,
    ) -> Result<Record, Failure> {
        match how {
            Count::Exact => self.exact(tours, record),
            Count::Treewidth => self.treewidth(tours, record),
            Count::Sample {
                states,
                repetitions,
            } => self.sample(*states, *repetitions, tours, record),
            Count::Zdd => self.zdd(tours, record),
            Count::Timeslice => self.timeslice(tours, record),
            Count::Enumerate(formulated) => self.enumerate(formulated, tours, record),
            Count::Approxmc { formula, .. } | Count::Ganak(formula) => {
                self.models(self.counter(how)?, formula, tours, record)
            }
            // It does not suit tours, which has been asked.
            Count::Bdd => Ok(record.ended(Status::Refused, "")),
        }
    }

    fn exact(&self, tours: &Tours, mut record: Record) -> Result<Record, Failure> {
        let options = exact::Options {
            threads: threads(),
            memory: self.memory(),
            deadline: self.deadline(),
            prune: true,
            try_hard: false,
        };
        let counted = exact::count(tours.instance(), tours.start(), &options, &mut |_| ());
        let exact = match counted {
            Ok(exact) => exact,
            Err(ExactError::TooWide(wide)) => return Ok(too_wide(record, &wide)),
            Err(error @ (ExactError::Memory { .. } | ExactError::Hopeless { .. })) => {
                return Ok(record.ended(Status::Memout, error.to_string()));
            }
            Err(error @ ExactError::Time { .. }) => {
                return Ok(record.ended(Status::Timeout, error.to_string()));
            }
            Err(error) => return Err(error.into()),
        };
        record.effort.set("states", exact.generated);
        record.effort.set("peak_states", exact.peak_states);
        record.effort.set("width", exact.width);
        Ok(record.with_answer(Status::Count, &exact.count))
    }

    fn treewidth(&self, tours: &Tours, mut record: Record) -> Result<Record, Failure> {
        let options = treewidth::Options {
            memory: self.memory(),
            deadline: self.deadline(),
            stop: self.settings.stop.clone(),
        };
        let counted = match treewidth::count(tours.instance(), tours.start(), &options) {
            Ok(counted) => counted,
            Err(error) => {
                let status = match error {
                    TreewidthError::TooWide { .. } | TreewidthError::Graph(_) => Status::Refused,
                    TreewidthError::Memory { .. } | TreewidthError::TooMany { .. } => {
                        Status::Memout
                    }
                    TreewidthError::Time { .. } => Status::Timeout,
                };
                return Ok(record.ended(status, error.to_string()));
            }
        };
        record.effort.set("width", counted.width);
        Ok(record.with_answer(Status::Count, &counted.count))
    }

    fn sample(
        &self,
        states: usize,
        repetitions: usize,
        tours: &Tours,
        mut record: Record,
    ) -> Result<Record, Failure> {
        let options = sample::Options {
            states,
            repetitions: Repetitions::new(repetitions).ok_or("a sample has two repetitions")?,
            seed: self.settings.seed,
            threads: threads(),
            deadline: self.deadline(),
        };
        let mut show = |_, _| ();
        let sampled = sample::estimate(tours.instance(), tours.start(), &options, &mut show);
        let estimate = match sampled {
            Ok(estimate) => estimate,
            Err(SampleError::TooWide(wide)) => return Ok(too_wide(record, &wide)),
            Err(error @ SampleError::Time) => {
                return Ok(record.ended(Status::Timeout, error.to_string()));
            }
            Err(error @ SampleError::Nothing { .. }) => {
                return Ok(record.ended(Status::GaveUp, error.to_string()));
            }
        };
        record.effort.set("peak_states", estimate.peak_states);
        record.effort.set("standard_error", estimate.standard_error);
        record.effort.set("repetitions", estimate.repetitions.len());
        // Sums of whole numbers below 2^53 are exact.
        if estimate.exact && estimate.mean < (1u64 << 53) as f64 {
            return Ok(record.with_answer(Status::Count, &(estimate.mean as u64)));
        }
        Ok(record.with_answer(Status::Estimate, &estimate.mean))
    }

    fn zdd(&self, tours: &Tours, mut record: Record) -> Result<Record, Failure> {
        let options = diagram::Options {
            memory: self.memory(),
            deadline: self.deadline(),
        };
        let built = Diagram::new(tours.instance(), tours.start(), &options, &mut |_| ());
        let diagram = match built {
            Ok(diagram) => diagram,
            Err(DiagramError::TooWide(wide)) => return Ok(too_wide(record, &wide)),
            Err(error @ DiagramError::Memory { .. }) => {
                return Ok(record.ended(Status::Memout, error.to_string()));
            }
            Err(error @ DiagramError::Time { .. }) => {
                return Ok(record.ended(Status::Timeout, error.to_string()));
            }
        };
        record.effort.set("nodes", diagram.nodes());
        Ok(record.with_answer(Status::Count, &diagram.count()))
    }

    fn timeslice(&self, tours: &Tours, mut record: Record) -> Result<Record, Failure> {
        let default = timeslice::Options::default();
        let limit = self.settings.limits.memory;
        let nodes = limit.map(|_| self.memory() / BYTES_A_NODE);
        let options = timeslice::Options {
            threads: NonZero::new(threads() as u32).unwrap_or(default.threads),
            node_capacity: nodes.map_or(default.node_capacity, |nodes| {
                default
                    .node_capacity
                    .min(usize::try_from(nodes).unwrap_or(usize::MAX))
            }),
            deadline: self.deadline(),
        };
        let counted = timeslice::count(tours.instance(), tours.start(), &options, &mut |_| ());
        let counted = match counted {
            Ok(counted) => counted,
            Err(TimesliceError::Store { error, .. }) => {
                return Ok(record.ended(Status::Memout, error.to_string()));
            }
            Err(error @ TimesliceError::NodeCapacity { .. }) => {
                return Ok(record.ended(Status::Memout, error.to_string()));
            }
            Err(error @ TimesliceError::Deadline { .. }) => {
                return Ok(record.ended(Status::Timeout, error.to_string()));
            }
        };
        record.effort.set("peak_nodes", counted.peak_nodes);
        record.effort.set("nodes", counted.nodes);
        Ok(record.with_answer(Status::Count, &counted.count))
    }
}

fn too_wide(record: Record, wide: &TooWide) -> Record {
    record.ended(Status::Refused, wide.why())
}
