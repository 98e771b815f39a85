//! `ganak`: counts the models of an encoding with the model counter Ganak.

use hamcnf_encodings::{Encoding, Projection, Queens};

use super::{Advice, Class, Field, Formulated, MethodKind, Operand, Profile, models};
use crate::question::{Question, Tours};
use crate::run::{Failure, Run, RunResult, Status};
use hamcnf_engines::count::external::{self, ModelCounter};

/// Method that counts models exactly with Ganak.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Ganak {
    /// Formula whose models are counted.
    pub formula: Formulated,
}

impl Ganak {
    fn with_seed_of(run: &Run<'_>) -> Result<ModelCounter, Failure> {
        let seed = models::seed(run)?;
        Ok(ModelCounter::Ganak(external::Ganak { seed }))
    }
}

impl MethodKind for Ganak {
    fn profile(&self) -> Profile<'_> {
        let summary = "exact count by the model counter Ganak on the formula of an encoding";
        Profile {
            tours: self.formula.is_for_tours(),
            exact_count: self.formula.project.is_none(),
            queens: true,
            counter: Some(ModelCounter::Ganak(external::Ganak::DEFAULT)),
            ..Profile::new("ganak", summary, Class::Count).with_formula(Operand::Optional)
        }
    }

    fn advice(&self, _: &Question, _: Status) -> Vec<Advice> {
        models::advice()
    }

    fn settings(&mut self) -> Vec<Field<'_>> {
        self.formula.settings("projection set [default: an independent support]")
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
        models::tours_by(run, Self::with_seed_of(run)?, &self.formula, tours)
    }

    fn run_queens(&self, queens: &Queens, run: &Run<'_>) -> Result<RunResult, Failure> {
        models::placements_by(run, Self::with_seed_of(run)?, &self.formula, queens)
    }
}
