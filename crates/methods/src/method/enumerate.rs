//! `enumerate`: finds every tour or every placement of queens with CaDiCaL. With a projection set, it also counts the
//! set's values: the different assignments to its variables in the models.

use std::ops::ControlFlow;

use hamcnf_encodings::{Clauses, Encoding, Formula, Projection, QueensFormula};
use hamcnf_tours::Queens;

use super::models::{self, directions};
use super::{Advice, Backend, Class, Exact, Field, Formulated, MethodKind, Operand, Profile};
use crate::run::{Details, Failure, Refusal, Run, RunResult, Status};
use hamcnf_count::enumerate::{placements, tours_of};
use hamcnf_count::projected::projected;
use hamcnf_questions::{Question, Tours};
use hamcnf_refute::instance::proof_instance;
use hamcnf_sat::solve::{Phases, defaults};

/// Exact count: the solver finds every tour or placement.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Enumerate {
    /// Formula whose models are enumerated.
    pub formula: Formulated,
}

impl MethodKind for Enumerate {
    fn profile(&self) -> Profile<'_> {
        Profile {
            tours: self.formula.is_for_tours(),
            exact_count: self.formula.project.is_none(),
            queens: true,
            backend: Backend::Cadical,
            ..Profile::new("enumerate", "exact count by CaDiCaL, which finds every tour", Class::Count)
                .with_formula(Operand::Optional)
        }
    }

    fn advice(&self, _: &Question, _: Status) -> Vec<Advice> {
        vec![Advice::to_use(Exact::default(), ", which counts without finding each tour")]
    }

    fn settings(&mut self) -> Vec<Field<'_>> {
        self.formula.settings("projection set; also counts the distinct assignments to its variables in the models")
    }

    fn encoding(&self) -> Option<&Encoding> {
        self.formula.encoding.as_ref()
    }

    fn set_encoding(&mut self, encoding: Encoding) {
        self.formula.encoding = Some(encoding);
    }

    fn projection(&self) -> Option<&Projection> {
        self.formula.project.as_ref()
    }

    fn run(&self, tours: &Tours, run: &Run<'_>) -> Result<RunResult, Failure> {
        let mut result = RunResult::default();
        // For other ends than those of the formula, a path is a tour of the graph with an added vertex.
        let instance = &proof_instance(tours)?;
        let each = directions(tours) as usize;
        let fastest = defaults::listed(instance);
        // The values of a projection set are computed from the tours, so any encoding can be used to find the tours.
        let by = match (&self.formula.encoding, &self.formula.project) {
            (Some(encoding), None) => encoding,
            _ => &fastest,
        };
        let set = match &self.formula.project {
            Some(set) => {
                let formula = Formula::new(self.formula.of_projection(), instance).map_err(Refusal::new)?;
                formula.project(set).map_err(Refusal::new)?.map(|vars| (formula, set, vars))
            }
            None => None,
        };
        let observer = &run.settings().observer;
        let formula = Formula::new(by.clone(), instance).map_err(Refusal::new)?;
        let mut options = run.solver_options(Phases::default())?;
        // The seed affects only the order in which the tours are found.
        options.seed = 0;
        let found = tours_of(&formula, usize::MAX, &options, &mut |found| {
            let n = found.len() * each;
            run.knows(&result.clone().with_value(Status::AtLeast, n));
            observer.at(None, || format!("{n} {} found", if n == 1 { "tour" } else { "tours" }));
        })?;
        let n = found.found.len() * each;
        if !found.complete {
            return Ok(result.with_value(Status::AtLeast, n));
        }
        let mut details = None;
        if let Some((formula, set, vars)) = set {
            let found = projected(&formula, &found.found, &vars)?;
            let models = models::new(tours, &formula, set, Some(&vars));
            result.statistics.set("values", found.values);
            result.statistics.set("models", found.models);
            let ratio = f64::from(models.per_tour) / f64::from(models.directions);
            result.statistics.set("models_per_tour", ratio);
            result.statistics.set("projected_variables", vars.len());
            details = Some(Details::Projected { models, found });
        }
        Ok(RunResult { details, ..result.with_value(Status::Count, n) })
    }

    fn run_queens(&self, queens: &Queens, run: &Run<'_>) -> Result<RunResult, Failure> {
        let formula = QueensFormula::new(queens, self.formula.at_most_one);
        let result = RunResult {
            variables: Some(formula.n_vars().into()),
            clauses: Some(formula.tally().total().clauses),
            ..RunResult::default()
        };
        let mut options = run.solver_options(Phases::default())?;
        options.seed = 0;
        let mut n = 0u64;
        let complete = placements(&formula, &options, &mut |_| {
            n += 1;
            run.knows(&result.clone().with_value(Status::AtLeast, n));
            ControlFlow::Continue(())
        })?;
        let status = if complete { Status::Count } else { Status::AtLeast };
        Ok(result.with_value(status, n))
    }
}
