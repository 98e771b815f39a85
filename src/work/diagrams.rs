//! Counting by OxiDD's decision diagrams: tours over vertices and times, and placements of queens.

use std::num::NonZero;

use hamcnf_encodings::Queens;

use super::count::{Details, with};
use super::{Answered, Failure, Share, Work, refused};
use crate::count::queens::{self, QueensError, Solutions};
use crate::count::timeslice::{self, TimesliceError};
use crate::question::Tours;
use crate::record::{Record, Status};
use crate::store::BYTES_A_NODE;

impl Work<'_> {
    pub(super) fn timeslice(&self, tours: &Tours, mut record: Record) -> Answered {
        let default = timeslice::Options::default();
        let limit = self.settings.memory.or(self.settings.limits.memory);
        let nodes = limit.map(|_| self.memory() / BYTES_A_NODE);
        let nodes = nodes.map(|nodes| usize::try_from(nodes).unwrap_or(usize::MAX));
        let options = timeslice::Options {
            threads: NonZero::new(self.threads() as u32).unwrap_or(default.threads),
            node_capacity: nodes.unwrap_or(default.node_capacity),
            deadline: self.deadline(),
            stop: self.settings.stop.clone(),
        };
        let mut show = |at: timeslice::Progress| {
            let share = Share {
                done: at.conjoined as u64,
                of: at.of as u64,
            };
            self.settings.listener.at(Some(share), || {
                format!(
                    "{} of {} constraints, {} nodes",
                    at.conjoined, at.of, at.nodes
                )
            });
        };
        match timeslice::count(tours.instance(), tours.ends(), &options, &mut show) {
            Ok(counted) => {
                record.effort.set("peak_nodes", counted.peak_nodes);
                record.effort.set("nodes", counted.nodes);
                let record = record.with_answer(Status::Count, &counted.count);
                with(record, Details::Timeslice(counted))
            }
            Err(error) => {
                let status = match error {
                    TimesliceError::Store { .. } | TimesliceError::NodeCapacity { .. } => {
                        Status::Memout
                    }
                    TimesliceError::Deadline { .. } => Status::Timeout,
                };
                record.ended(status, error.to_string()).into()
            }
        }
    }

    pub(super) fn placements_diagram(
        &self,
        queens: &Queens,
        mut record: Record,
    ) -> Result<Record, Failure> {
        let enough = queens::Options::enough_for(queens);
        let nodes = usize::try_from(self.memory() / BYTES_A_NODE).unwrap_or(usize::MAX);
        let options = queens::Options {
            threads: NonZero::new(self.threads() as u32).unwrap_or(enough.threads),
            node_capacity: nodes.min(enough.node_capacity),
            deadline: self.deadline(),
        };
        match Solutions::new(queens, &options, &mut |_| ()) {
            Ok(solutions) => {
                record.effort.set("peak_nodes", solutions.peak_nodes());
                record.effort.set("nodes", solutions.nodes());
                Ok(record.with_answer(Status::Count, solutions.count()))
            }
            Err(QueensError::Store { error, .. }) => {
                Ok(record.ended(Status::Memout, error.to_string()))
            }
            Err(error @ QueensError::NodeCapacity { .. }) => {
                Ok(record.ended(Status::Memout, error.to_string()))
            }
            Err(error @ QueensError::Deadline { .. }) => {
                Ok(record.ended(Status::Timeout, error.to_string()))
            }
            Err(error @ QueensError::TooMany(_)) => Ok(refused(record, &error).record),
            Err(error @ QueensError::Wrong(_)) => Err(error.into()),
        }
    }
}
