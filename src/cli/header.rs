//! Headers of formulas in files: comments that name the question and the encoding, and the number of variables.

use std::io::BufRead;

use anyhow::{Context, bail};
use hamcnf::count::statistic::Statistic;
use hamcnf::question::{Files, Head, TextSource, Tours, queens_in};
use hamcnf::{AtMostOne, Bounded, Clauses, Encoding, Formula, Objective, Queens, Weights, constraints};

use super::formula::FormulaFormat;

/// Text of the encoding of a formula about queens, before that of its at-most-one constraints.
pub(super) const AT_MOST_ONE: &str = "at-most-one=";

/// Comments and number of variables of a formula in a file.
pub(crate) struct Header {
    name: String,
    format: FormulaFormat,
    head: Head,
    /// Number of variables; `None` for WCNF without a header.
    variables: Option<u64>,
}

impl Header {
    /// Reads the header of a file; `None` if the file is not a formula.
    pub(crate) fn read(source: &TextSource) -> anyhow::Result<Option<Self>> {
        let name = source.to_string();
        let text = source.lines().with_context(|| format!("cannot read {name}"))?;
        Self::of(text, name)
    }

    /// Reads the header of a text; `None` if the text is not a formula. In OPB, the first line states the number of
    /// variables.
    fn of(text: impl BufRead, name: String) -> anyhow::Result<Option<Self>> {
        let cannot = || format!("cannot read {name}");
        let mut head = Head::default();
        let mut opb = None;
        for line in text.split(b'\n') {
            let line = line.with_context(cannot)?;
            let line = String::from_utf8_lossy(&line);
            let line = line.trim().trim_start_matches('\u{feff}');
            let words: Vec<_> = line.split_ascii_whitespace().collect();
            if opb.is_some() && !matches!(words[..], [] | ["*", ..]) {
                break;
            }
            match words[..] {
                [] => {}
                ["*", "#variable=", variables, ..] if opb.is_none() => {
                    let variables = variables.parse();
                    let variables = variables.with_context(|| format!("{name} has the invalid line \"{line}\""))?;
                    opb = Some(variables);
                }
                ["*", ..] if opb.is_some() => head.read(&line.as_bytes()[1..]),
                ["c", ..] => head.read(&line.as_bytes()[1..]),
                ["p", kind @ ("cnf" | "wcnf"), variables, _, ..] => {
                    let variables = variables.parse();
                    let variables = variables.with_context(|| format!("{name} has the invalid line \"{line}\""))?;
                    let format = if kind == "cnf" { FormulaFormat::Cnf } else { FormulaFormat::WcnfOld };
                    return Ok(Some(Self { name, format, head, variables: Some(variables) }));
                }
                // Only the comments distinguish a hard clause from a line of a graph file.
                ["h", .., "0"] if head.question.is_some() => {
                    return Ok(Some(Self { name, format: FormulaFormat::Wcnf, head, variables: None }));
                }
                _ => return Ok(None),
            }
        }
        // A formula may have no constraint after the comments.
        let format = FormulaFormat::Opb;
        Ok(opb.map(|variables| Self { name, format, head, variables: Some(variables) }))
    }

    /// True if the formula is in OPB, for pseudo-Boolean solvers.
    pub(crate) fn is_opb(&self) -> bool {
        self.format == FormulaFormat::Opb
    }

    /// Returns the file's name for messages.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Returns the queens of a formula about placements, and the encoding of its at-most-one constraints.
    pub(crate) fn queens(&self) -> Option<(Queens, AtMostOne)> {
        let queens = queens_in(self.head.question.as_ref()?)?.ok()?;
        let at_most_one = self.head.encoding.as_ref()?.strip_prefix(AT_MOST_ONE)?.parse().ok()?;
        Some((queens, at_most_one))
    }

    /// Returns the question and the encoding of the formula.
    pub(crate) fn asked(&self) -> anyhow::Result<(Tours, Encoding)> {
        self.head.load(&Files::default()).map_err(|error| anyhow::anyhow!("{} {error}", self.name))
    }

    /// Returns the weights of the graph, if the formula minimizes or bounds the cost of tours.
    pub(crate) fn weights(&self, asked: &Tours) -> anyhow::Result<Option<Weights>> {
        match &self.head.cost {
            Some(text) => {
                let statistic: Statistic = text.parse().with_context(|| format!("cannot read {}", self.name))?;
                let weights = weights_of(&statistic, asked)?;
                let checksum = format!("{:08x}", weights.crc32());
                match self.head.weights.as_ref() == Some(&checksum) {
                    true => Ok(Some(weights)),
                    false => bail!("{} names other weights than those of \"{statistic}\"", self.name),
                }
            }
            None => {
                let weights = self.head.load_weights(asked, &Files::default());
                weights.map_err(|error| anyhow::anyhow!("{} {error}", self.name))
            }
        }
    }

    /// Returns the greatest cost of a tour, if the formula bounds it.
    pub(crate) fn max_cost(&self) -> anyhow::Result<Option<i64>> {
        let said = self.head.max_cost.as_ref();
        let max_cost = said.map(|text| text.parse().with_context(|| format!("\"{text}\" is no greatest cost")));
        max_cost.transpose().with_context(|| format!("cannot read {}", self.name))
    }

    /// True if the models are cycles or paths of which a longest one is sought.
    pub(crate) fn is_longest(&self) -> bool {
        self.head.is_longest
    }

    /// Rejects a formula if its number of variables differs from the number in the file. Returns the number of variables
    /// of the clauses, with those of a bound on the cost.
    pub(crate) fn check(&self, formula: &Formula, weights: Option<&Weights>) -> anyhow::Result<u32> {
        match (self.max_cost()?, weights) {
            (Some(most), Some(weights)) if !self.is_opb() => {
                self.check_variables(&Bounded::new(formula, &Objective::new(formula, weights)?, most)?)
            }
            _ => self.check_variables(formula),
        }
    }

    /// Rejects a formula if its number of variables differs from the number in the file. Returns the number of variables
    /// of the clauses.
    pub(crate) fn check_variables(&self, formula: &impl Clauses) -> anyhow::Result<u32> {
        let n_vars = formula.n_vars();
        let variables = if self.is_opb() { constraints(formula).variables } else { n_vars };
        if let Some(said) = self.variables.filter(|&said| said != u64::from(variables)) {
            bail!(
                "{} has {said} variables, but the question in its comments gives {variables}: another version of hamcnf may have made the file; encode the question again",
                self.name
            );
        }
        Ok(n_vars)
    }
}

/// Returns the contribution of each move to a statistic of boards, as weights.
pub(super) fn weights_of(statistic: &Statistic, asked: &Tours) -> anyhow::Result<Weights> {
    let instance = asked.instance();
    if statistic.has_angles() {
        bail!("--cost must be a sum over moves, but \"{statistic}\" depends on angles: use slopes, such as slope=1/2");
    }
    let Some(measure) = statistic.on(instance) else {
        bail!("--cost is for boards, but \"{asked}\" has no squares");
    };
    let mut weights = Weights::new(instance.n(), instance.is_directed());
    let mut has_cost = false;
    for arc in instance.digraph().arcs() {
        let ends = (arc.tail.number(), arc.head.number());
        let weight: i64 = measure.of_move(arc.tail, arc.head).into();
        has_cost |= weight != 0;
        weights.insert(ends, weight)?;
    }
    if !has_cost {
        bail!("no move of \"{asked}\" has a slope of \"{statistic}\", so the cost of all tours would be 0");
    }
    Ok(weights)
}

/// True if a text is a formula whose header names a question and an encoding. Loads no graph. Used by the fuzzers.
#[doc(hidden)]
pub fn names_its_question(text: &[u8]) -> bool {
    let header = Header::of(text, "a text".to_owned());
    header.is_ok_and(|header| {
        header.is_some_and(|Header { head, .. }| head.question.is_some() && head.encoding.is_some())
    })
}
