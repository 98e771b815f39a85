//! `approxmc`: estimates the number of models of an encoding within a given factor, with the model counter ApproxMC.

use hamcnf_encodings::{AtMostOne, Encoding, Projection, Queens};

use super::grammar::{between, parsed};
use super::{Abilities, Advice, Class, Formulated, MethodError, MethodKind, Operand, Setting, models};
use crate::question::{Question, Tours};
use crate::run::{Failure, Run, RunResult, Status};
use hamcnf_engines::count::external::{ApproxMc, ModelCounter};

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
    fn name(&self) -> &str {
        "approxmc"
    }

    fn summary(&self) -> &'static str {
        "estimate by the model counter ApproxMC on the formula of an encoding"
    }

    fn class(&self) -> Class {
        Class::Count
    }

    fn advice(&self, _: &Question, _: Status) -> Vec<Advice> {
        models::advice()
    }

    fn chosen(&self, _: &Question, _seed: u64) -> Vec<(&'static str, String)> {
        vec![("epsilon", self.epsilon.to_string()), ("delta", self.delta.to_string())]
    }

    fn epsilon(&self) -> Option<f64> {
        Some(self.epsilon)
    }

    fn abilities(&self) -> Abilities {
        Abilities {
            tours: self.formula.is_for_tours(),
            queens: true,
            any_start: true,
            given_end: true,
            directed: true,
            constraints: true,
            ..Abilities::TOURS
        }
    }

    fn settings(&self) -> &'static [Setting<Self>] {
        &[
            Setting {
                name: "epsilon",
                value: "E",
                summary: "tolerance: the estimate is within a factor of 1 + E [default: 0.8]",
                set: |method, text| {
                    method.epsilon = between(f64::INFINITY)(text)?;
                    Ok(())
                },
                get: |method| (method.epsilon != Self::default().epsilon).then(|| method.epsilon.to_string()),
            },
            Setting {
                name: "delta",
                value: "D",
                summary: "probability that the estimate is outside the tolerance [default: 0.2]",
                set: |method, text| {
                    method.delta = between(1.0)(text)?;
                    Ok(())
                },
                get: |method| (method.delta != Self::default().delta).then(|| method.delta.to_string()),
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
        ]
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
        true
    }

    fn counter(&self) -> Option<ModelCounter> {
        Some(ModelCounter::ApproxMc(ApproxMc::DEFAULT))
    }

    fn run(&self, tours: &Tours, run: &Run<'_>) -> Result<RunResult, Failure> {
        models::tours_by(run, self.with_seed_of(run)?, &self.formula, tours)
    }

    fn run_queens(&self, queens: &Queens, run: &Run<'_>) -> Result<RunResult, Failure> {
        models::placements_by(run, self.with_seed_of(run)?, &self.formula, queens)
    }
}
