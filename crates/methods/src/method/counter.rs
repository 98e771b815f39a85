//! Methods that count the models of an encoding with a model counter: `approxmc`, which estimates the number within a
//! given factor, `ganak`, and other counters in the list of engines.

use hamcnf_encodings::{Encoding, Projection};
use hamcnf_tours::Queens;

use super::grammar::between;
use super::{
    Advice, Backend, Class, Engine, Exact, Field, Formulated, MethodKind, Operand, Profile, Sample, Setting, models,
};
use crate::run::{Failure, Run, RunResult, Status};
use hamcnf_programs::engine::{self, Accuracy};
use hamcnf_questions::{Question, Tours};

/// Method that counts models with a model counter.
#[derive(Clone, PartialEq, Debug)]
pub struct Counter {
    pub engine: Engine,
    /// Requested accuracy, if the counter estimates.
    pub accuracy: Accuracy,
    /// Formula whose models are counted.
    pub formula: Formulated,
}

impl Counter {
    /// Default accuracy of ApproxMC: within a factor of 1.8 with probability at least 0.8.
    pub const ACCURACY: Accuracy = Accuracy { epsilon: 0.8, delta: 0.2 };

    /// Returns the method for an engine that counts, with its default settings.
    pub fn by(engine: Engine) -> Self {
        Self { engine, accuracy: Self::ACCURACY, formula: Formulated::default() }
    }

    /// Returns the method that runs ApproxMC.
    pub fn approxmc() -> Self {
        Self::by(Engine("approxmc".to_owned()))
    }

    /// Returns the tolerance ε of the estimates; `None` if the counts are exact.
    pub(super) fn epsilon(&self) -> Option<f64> {
        self.estimates().then_some(self.accuracy.epsilon)
    }

    fn estimates(&self) -> bool {
        self.engine.engine().is_some_and(engine::Engine::estimates)
    }
}

impl MethodKind for Counter {
    fn profile(&self) -> Profile<'_> {
        let summary = match self.estimates() {
            true => "estimate by a model counter on the formula of an encoding",
            false => "exact count by a model counter on the formula of an encoding",
        };
        Profile {
            backend: Backend::Program,
            tours: self.formula.is_for_tours(),
            exact_count: !self.estimates() && self.formula.project.is_none(),
            queens: true,
            random: self.estimates(),
            ..Profile::new(&self.engine.0, summary, Class::Count).with_formula(Operand::Optional)
        }
    }

    fn advice(&self, _: &Question, _: Status) -> Vec<Advice> {
        vec![
            Advice::to_use(Exact::default(), ", which needs no formula"),
            Advice::to_use(Sample::default(), ", which estimates"),
            Advice::from("--orientation fixed and a smaller --project set, which help a model counter"),
        ]
    }

    fn chosen(&self, _: &Question, _seed: u64) -> Vec<(&'static str, String)> {
        let Accuracy { epsilon, delta } = self.accuracy;
        if self.estimates() { vec![("epsilon", epsilon.to_string()), ("delta", delta.to_string())] } else { Vec::new() }
    }

    fn settings(&mut self) -> Vec<Field<'_>> {
        let estimates = self.estimates();
        let mut fields = self.formula.settings("projection set [default: an independent support]");
        if estimates {
            let epsilon =
                Setting::new("epsilon", "E", "tolerance: the estimate is within a factor of 1 + E [default: 0.8]");
            let delta =
                Setting::new("delta", "D", "probability that the estimate is outside the tolerance [default: 0.2]");
            let accuracy = [
                epsilon.of(&mut self.accuracy.epsilon, &Self::ACCURACY.epsilon, between(f64::INFINITY)),
                delta.of(&mut self.accuracy.delta, &Self::ACCURACY.delta, between(1.0)),
            ];
            fields.splice(0..0, accuracy);
        }
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
        models::tours_by(run, self, tours)
    }

    fn run_queens(&self, queens: &Queens, run: &Run<'_>) -> Result<RunResult, Failure> {
        models::placements_by(run, self, queens)
    }
}
