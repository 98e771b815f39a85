//! `approxmc`: estimates the number of models of an encoding within a given factor, with the model counter ApproxMC.

use hamcnf_encodings::{Encoding, Projection, Queens};

use super::grammar::between;
use super::{Advice, Class, Field, Formulated, MethodKind, Operand, Profile, Setting, models};
use crate::question::{Question, Tours};
use crate::run::{Failure, Run, RunResult, Status};
use hamcnf_engines::count::external::{ApproxMc, ModelCounter, Seed};

/// Method that estimates the number of models with ApproxMC.
#[derive(Clone, PartialEq, Debug)]
pub struct Approxmc {
    /// Tolerance: the estimate should be within a factor of 1 + epsilon of the number of models.
    pub epsilon: f64,
    /// Maximum probability that the estimate is outside the tolerance.
    pub delta: f64,
    /// Formula whose models are counted.
    pub formula: Formulated,
}

impl Default for Approxmc {
    fn default() -> Self {
        Self { epsilon: 0.8, delta: 0.2, formula: Formulated::default() }
    }
}

impl Approxmc {
    fn with_seed_of(&self, run: &Run<'_>) -> Result<ModelCounter, Failure> {
        let seed = models::seed(run)?;
        let counter = ApproxMc::new(self.epsilon, self.delta, seed)?;
        Ok(ModelCounter::ApproxMc(counter))
    }
}

impl MethodKind for Approxmc {
    fn profile(&self) -> Profile<'_> {
        let summary = "estimate by the model counter ApproxMC on the formula of an encoding";
        let counter = ApproxMc::new(self.epsilon, self.delta, Seed::DEFAULT).unwrap_or(ApproxMc::DEFAULT);
        Profile {
            tours: self.formula.is_for_tours(),
            queens: true,
            random: true,
            counter: Some(ModelCounter::ApproxMc(counter)),
            ..Profile::new("approxmc", summary, Class::Count).with_formula(Operand::Optional)
        }
    }

    fn advice(&self, _: &Question, _: Status) -> Vec<Advice> {
        models::advice()
    }

    fn chosen(&self, _: &Question, _seed: u64) -> Vec<(&'static str, String)> {
        vec![("epsilon", self.epsilon.to_string()), ("delta", self.delta.to_string())]
    }

    fn settings(&mut self) -> Vec<Field<'_>> {
        let Self { epsilon: default_epsilon, delta: default_delta, .. } = Self::default();
        let epsilon =
            Setting::new("epsilon", "E", "tolerance: the estimate is within a factor of 1 + E [default: 0.8]");
        let delta = Setting::new("delta", "D", "probability that the estimate is outside the tolerance [default: 0.2]");
        let mut fields = vec![
            epsilon.of(&mut self.epsilon, &default_epsilon, between(f64::INFINITY)),
            delta.of(&mut self.delta, &default_delta, between(1.0)),
        ];
        fields.extend(self.formula.settings("projection set [default: an independent support]"));
        fields
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
        models::tours_by(run, self.with_seed_of(run)?, &self.formula, tours)
    }

    fn run_queens(&self, queens: &Queens, run: &Run<'_>) -> Result<RunResult, Failure> {
        models::placements_by(run, self.with_seed_of(run)?, &self.formula, queens)
    }
}
