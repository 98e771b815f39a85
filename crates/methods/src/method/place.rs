//! `place`: finds one placement of queens with CaDiCaL, or proves that there is none.

use hamcnf_encodings::{AtMostOne, Clauses, Queens, QueensFormula};

use super::grammar::parsed;
use super::{Abilities, Backend, Class, MethodKind, Setting};
use crate::question::Tours;
use crate::run::{Event, Failure, Run, RunResult, Status};
use hamcnf_encodings::answer::Answer;
use hamcnf_engines::budget::Stopped;
use hamcnf_engines::solve::{self, Phases, Stage};

/// Method that places queens by solving their formula with CaDiCaL.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Place {
    /// Encoding of "at most one queen per line".
    pub at_most_one: AtMostOne,
    /// Source of the solver's initial phases.
    pub phases: Phases,
}

impl MethodKind for Place {
    fn name(&self) -> &str {
        "place"
    }

    fn summary(&self) -> &'static str {
        "one placement of queens, found by CaDiCaL"
    }

    fn class(&self) -> Class {
        Class::Solver
    }

    fn abilities(&self) -> Abilities {
        Abilities { tours: false, queens: true, ..Abilities::TOURS }
    }

    fn settings(&self) -> &'static [Setting<Self>] {
        &[
            Setting {
                name: "at-most-one",
                value: "ENCODING",
                summary: "encoding of the at-most-one constraints on rows, columns and diagonals [default: pairwise]",
                set: |place, text| {
                    place.at_most_one = parsed(text)?;
                    Ok(())
                },
                get: |place| {
                    let by = place.at_most_one;
                    (by != AtMostOne::default()).then(|| by.to_string())
                },
            },
            Setting {
                name: "phases",
                value: "solver|seeded",
                summary: "initial phases: CaDiCaL's own, or changed by the seed [default: solver]",
                set: |place, text| {
                    place.phases = parsed(text)?;
                    Ok(())
                },
                get: |place| (place.phases != Phases::default()).then(|| place.phases.to_string()),
            },
        ]
    }

    fn is_random(&self) -> bool {
        true
    }

    fn is_compared(&self) -> bool {
        // For queens, `hamcnf compare` compares counts of placements, not single placements.
        false
    }

    fn backend(&self) -> Backend {
        Backend::Cadical
    }

    fn run(&self, _: &Tours, _: &Run<'_>) -> Result<RunResult, Failure> {
        Ok(RunResult::default().refused(&"the method accepts only questions about queens"))
    }

    fn run_queens(&self, queens: &Queens, run: &Run<'_>) -> Result<RunResult, Failure> {
        let formula = QueensFormula::new(queens, self.at_most_one);
        let mut result = RunResult { variables: Some(formula.n_vars().into()), ..RunResult::default() };
        run.knows(&result.clone().late());
        let options = run.solver_options(self.phases)?;
        let begun = result.clone();
        let solved = solve::search(&formula, &options, &mut |stage| match stage {
            Stage::Loaded { clauses, encode_seconds } => run.knows(&RunResult {
                clauses: Some(clauses.clauses),
                encode_seconds: Some(encode_seconds),
                ..begun.clone().late()
            }),
            Stage::Answered => run.notify(Event::EndsItself),
        })?;
        let statistics = solved.statistics;
        result.clauses = Some(solved.clauses.clauses);
        result.encode_seconds = Some(statistics.encode_seconds);
        result.solve_seconds = Some(statistics.solve_seconds);
        result.wall_seconds = Some(statistics.wall_seconds);
        result.statistics.set("conflicts", statistics.conflicts);
        Ok(match solved.outcome {
            Answer::Satisfiable(model) => {
                run.notify(Event::Placed(&formula.placement(&model)?));
                RunResult { model: Some(model), ..result.ended(Status::Tour, "") }
            }
            Answer::Unsatisfiable => result.ended(Status::NoTour, ""),
            Answer::Unknown => result.stopped(solved.stopped.unwrap_or(Stopped::Time)),
        })
    }
}
