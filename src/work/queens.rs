//! Counting placements of queens.

use std::num::NonZero;
use std::ops::ControlFlow;

use hamcnf_encodings::{AtMostOne, Clauses, Queens, QueensFormula};

use super::{Answered, Failure, Work, refused};
use crate::count::enumerate::placements;
use crate::count::external::Guarantee;
use crate::count::queens::{self, QueensError, Solutions};
use crate::method::{Count, Method};
use crate::record::{Record, Status};
use crate::solve::Phases;
use crate::store::BYTES_A_NODE;

impl Work<'_> {
    pub(super) fn queens(
        &self,
        method: &Method,
        queens: &Queens,
        mut record: Record,
    ) -> Result<Answered, Failure> {
        let Method::Count(how) = method else {
            return Ok(record.ended(Status::Refused, "").into());
        };
        if let Count::Bdd = how {
            return Ok(self.placements_diagram(queens, record)?.into());
        }
        let formula = QueensFormula::new(queens, AtMostOne::Pairwise);
        record.variables = Some(formula.n_vars().into());
        if let Count::Enumerate(_) = how {
            record.clauses = Some(formula.tally().total().clauses);
            let mut options = self.solver_options(Phases::default())?;
            options.seed = 0;
            let mut n = 0u64;
            let complete = placements(&formula, &options, &mut |_| {
                n += 1;
                self.knows(&record.clone().with_answer(Status::AtLeast, n));
                ControlFlow::Continue(())
            })?;
            let status = if complete {
                Status::Count
            } else {
                Status::AtLeast
            };
            return Ok(record.with_answer(status, n).into());
        }
        let squares: Vec<_> = formula.squares().collect();
        record.effort.set("projected_variables", squares.len());
        let counter = self.counter(how)?;
        let (record, _) =
            self.count_models(counter, &formula, Some(&squares), record, |found, _| {
                let status = match found.guarantee {
                    Guarantee::Exact => Status::Count,
                    Guarantee::Approximate { .. } => Status::Estimate,
                };
                (status, found.count.clone())
            })?;
        Ok(record.into())
    }

    fn placements_diagram(&self, queens: &Queens, mut record: Record) -> Result<Record, Failure> {
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
