//! Methods that count the models of an encoding with a model counter: `approxmc`, which estimates the number within a
//! given factor, `ganak`, and other counters in the list of engines.

use hamcnf_encodings::{AtMostOne, Encoding, Projection, Queens};

use super::grammar::{between, parsed};
use super::{
    Abilities, Advice, Backend, Class, Engine, Exact, Formulated, MethodError, MethodKind, Operand, Sample, Setting,
    models,
};
use crate::question::{Question, Tours};
use crate::run::{Failure, Run, RunResult, Status};
use hamcnf_engines::engine::{self, Accuracy};

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
    #[must_use]
    pub fn by(engine: Engine) -> Self {
        Self { engine, accuracy: Self::ACCURACY, formula: Formulated::default() }
    }

    /// Returns the method that runs ApproxMC.
    #[must_use]
    pub fn approxmc() -> Self {
        Self::by(Engine("approxmc".to_owned()))
    }

    fn estimates(&self) -> bool {
        self.engine.engine().is_some_and(engine::Engine::estimates)
    }
}

/// Settings of counters. The first two are for counters that estimate.
const SETTINGS: &[Setting<Counter>] = &[
    Setting {
        name: "epsilon",
        value: "E",
        summary: "tolerance: the estimate is within a factor of 1 + E [default: 0.8]",
        set: |method, text| {
            method.accuracy.epsilon = between(f64::INFINITY)(text)?;
            Ok(())
        },
        get: |method| {
            let epsilon = method.accuracy.epsilon;
            (epsilon != Counter::ACCURACY.epsilon).then(|| epsilon.to_string())
        },
    },
    Setting {
        name: "delta",
        value: "D",
        summary: "probability that the estimate is outside the tolerance [default: 0.2]",
        set: |method, text| {
            method.accuracy.delta = between(1.0)(text)?;
            Ok(())
        },
        get: |method| {
            let delta = method.accuracy.delta;
            (delta != Counter::ACCURACY.delta).then(|| delta.to_string())
        },
    },
    Setting {
        name: "project",
        value: "SET",
        summary: "projection set [default: an independent support]",
        set: |method, text| {
            method.formula.project = Some(parsed(text)?);
            Ok(())
        },
        get: |method| method.formula.project.as_ref().map(ToString::to_string),
    },
    Setting {
        name: "at-most-one",
        value: "ENCODING",
        summary: "encoding of the at-most-one constraints on rows, columns and diagonals [default: pairwise]",
        set: |method, text| {
            method.formula.at_most_one = parsed(text)?;
            Ok(())
        },
        get: |method| {
            let by = method.formula.at_most_one;
            (by != AtMostOne::default()).then(|| by.to_string())
        },
    },
];

impl MethodKind for Counter {
    fn name(&self) -> &str {
        &self.engine.0
    }

    fn summary(&self) -> &'static str {
        match self.estimates() {
            true => "estimate by a model counter on the formula of an encoding",
            false => "exact count by a model counter on the formula of an encoding",
        }
    }

    fn class(&self) -> Class {
        Class::Count
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
        match self.estimates() {
            true => vec![("epsilon", epsilon.to_string()), ("delta", delta.to_string())],
            false => Vec::new(),
        }
    }

    fn epsilon(&self) -> Option<f64> {
        self.estimates().then_some(self.accuracy.epsilon)
    }

    fn abilities(&self) -> Abilities {
        Abilities {
            tours: self.formula.is_for_tours(),
            exact_count: !self.estimates() && self.formula.project.is_none(),
            queens: true,
            any_start: true,
            given_end: true,
            directed: true,
            constraints: true,
            ..Abilities::TOURS
        }
    }

    fn settings(&self) -> &'static [Setting<Self>] {
        &SETTINGS[if self.estimates() { 0 } else { 2 }..]
    }

    fn operand(&self) -> Operand {
        Operand::Optional
    }

    fn encoding(&self) -> Option<&Encoding> {
        self.formula.encoding.as_ref()
    }

    fn set_encoding(&mut self, encoding: Encoding) -> Result<(), MethodError> {
        self.formula.encoding = Some(encoding);
        Ok(())
    }

    fn projection(&self) -> Option<&Projection> {
        self.formula.project.as_ref()
    }

    fn is_random(&self) -> bool {
        self.estimates()
    }

    fn backend(&self) -> Backend {
        Backend::Other(self.engine.to_string())
    }

    fn engine(&self) -> Option<&Engine> {
        Some(&self.engine)
    }

    fn run(&self, tours: &Tours, run: &Run<'_>) -> Result<RunResult, Failure> {
        models::tours_by(run, self, tours)
    }

    fn run_queens(&self, queens: &Queens, run: &Run<'_>) -> Result<RunResult, Failure> {
        models::placements_by(run, self, queens)
    }
}
