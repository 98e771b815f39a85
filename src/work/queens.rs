//! Counting placements of queens.

use std::ops::ControlFlow;

use hamcnf_encodings::{AtMostOne, Clauses, Queens, QueensFormula};

use super::{Answered, Failure, Work};
use crate::count::enumerate::placements;
use crate::count::external::Guarantee;
use crate::method::{Count, Method};
use crate::record::{Record, Status};
use crate::solve::Phases;

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
}
