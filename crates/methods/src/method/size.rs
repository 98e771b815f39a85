//! `size:ENCODING`: counts the variables of a formula and its clauses by family, without solving the formula.

use hamcnf_encodings::{Clauses, Encoding, Formula};

use super::{Class, MethodKind, Operand, Profile};
use crate::run::{Failure, Refusal, Run, RunResult, Status};
use hamcnf_questions::Tours;
use hamcnf_refute::instance::proof_instance;
use hamcnf_sat::solve::defaults;

/// Method that measures the size of an encoding's formula.
#[derive(Clone, PartialEq, Debug)]
pub struct Size {
    pub encoding: Encoding,
}

impl Default for Size {
    fn default() -> Self {
        Self { encoding: defaults::encoding(defaults::PUBLISHED) }
    }
}

impl MethodKind for Size {
    fn profile(&self) -> Profile<'_> {
        let summary = "numbers of variables and clauses of an encoding's formula";
        Profile {
            small_graphs: false,
            compared: false,
            ..Profile::new("size", summary, Class::Size).with_formula(Operand::Required)
        }
    }

    fn encoding(&self) -> Option<&Encoding> {
        Some(&self.encoding)
    }

    fn set_encoding(&mut self, encoding: Encoding) {
        self.encoding = encoding;
    }

    fn run(&self, tours: &Tours, _: &Run<'_>) -> Result<RunResult, Failure> {
        let mut result = RunResult::default();
        let instance = proof_instance(tours)?;
        let formula: Formula = Formula::new(self.encoding.clone(), &instance).map_err(Refusal::new)?;
        let tally = formula.tally();
        let total = tally.total();
        result.variables = Some(formula.n_vars().into());
        result.clauses = Some(total.clauses);
        result.statistics.set("nonunit", total.without_units());
        result.statistics.set("literals", total.literals);
        for (family, count) in tally.families() {
            for (figure, value) in
                [("clauses", count.clauses), ("nonunit", count.without_units()), ("literals", count.literals)]
            {
                result.statistics.set(&format!("{}.{figure}", family.label), value);
            }
        }
        Ok(result.ended(Status::Size, ""))
    }
}
