//! `ganak`: counts the models of an encoding with the model counter Ganak.

use hamcnf_encodings::{AtMostOne, Encoding, Projection, Queens};

use super::grammar::parsed;
use super::{Abilities, Advice, Class, Formulated, MethodError, MethodKind, Operand, Setting, models};
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
    fn name(&self) -> &str {
        "ganak"
    }

    fn summary(&self) -> &'static str {
        "exact count by the model counter Ganak on the formula of an encoding"
    }

    fn class(&self) -> Class {
        Class::Count
    }

    fn advice(&self, _: &Question, _: Status) -> Vec<Advice> {
        models::advice()
    }

    fn abilities(&self) -> Abilities {
        Abilities {
            tours: self.formula.is_for_tours(),
            exact_count: self.formula.project.is_none(),
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

    fn counter(&self) -> Option<ModelCounter> {
        Some(ModelCounter::Ganak(external::Ganak::DEFAULT))
    }

    fn run(&self, tours: &Tours, run: &Run<'_>) -> Result<RunResult, Failure> {
        models::tours_by(run, Self::with_seed_of(run)?, &self.formula, tours)
    }

    fn run_queens(&self, queens: &Queens, run: &Run<'_>) -> Result<RunResult, Failure> {
        models::placements_by(run, Self::with_seed_of(run)?, &self.formula, queens)
    }
}
