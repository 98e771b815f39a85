//! `place`: finds one placement of queens with CaDiCaL, or proves that there is none.

use hamcnf_encodings::{AtMostOne, Clauses, QueensFormula};
use hamcnf_tours::Queens;

use super::formulated::at_most_one;
use super::solve::phases;
use super::{Backend, Class, Field, MethodKind, Profile};
use crate::run::{Failure, Run, RunResult, Status};
use hamcnf_sat::solve::{self, Outcome, Phases};

/// Method that places queens by solving their formula with CaDiCaL.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Place {
    /// Encoding of "at most one queen per line".
    pub at_most_one: AtMostOne,
    /// Source of the solver's initial phases.
    pub phases: Phases,
}

impl MethodKind for Place {
    fn profile(&self) -> Profile<'_> {
        Profile {
            backend: Backend::Cadical,
            random: true,
            // For queens, `hamcnf compare` compares counts of placements, not single placements.
            compared: false,
            ..Profile::queens("place", "one placement of queens, found by CaDiCaL", Class::Solver)
        }
    }

    fn settings(&mut self) -> Vec<Field<'_>> {
        vec![at_most_one(&mut self.at_most_one), phases(&mut self.phases)]
    }

    fn run_queens(&self, queens: &Queens, run: &Run<'_>) -> Result<RunResult, Failure> {
        let formula = QueensFormula::new(queens, self.at_most_one);
        let mut result = RunResult { variables: Some(formula.n_vars().into()), ..RunResult::default() };
        run.knows(&result.clone().late());
        let options = run.solver_options(self.phases)?;
        let solved = solve::search(&formula, &options, &mut |stage| run.stage(&result, stage))?;
        let statistics = solved.statistics;
        result.solved(solved.clauses, &statistics);
        result.statistics.set("conflicts", statistics.counters.conflicts);
        Ok(match solved.outcome {
            Outcome::Found(model) => {
                let placement = Some(formula.placement(&model)?);
                RunResult { placement, model: Some(model), ..result.ended(Status::Tour, "") }
            }
            Outcome::None => result.ended(Status::NoTour, ""),
            Outcome::Stopped(why) => result.stopped(why),
        })
    }
}
