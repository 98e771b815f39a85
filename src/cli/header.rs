//! Headers of formulas in files: comments that name the question and the encoding, and the number of variables.

use std::io::BufRead;

use anyhow::{Context, bail};
use hamcnf::question::{Files, Head, TextSource, Tours, queens_in};
use hamcnf::{AtMostOne, Clauses, Encoding, Formula, Queens, constraints};

use super::formula::FormulaFormat;

/// Text of the encoding of a formula about queens, before that of its at-most-one constraints.
pub(super) const AT_MOST_ONE: &str = "at-most-one=";

/// Comments and number of variables of a formula in a file.
pub(crate) struct Header {
    name: String,
    format: FormulaFormat,
    head: Head,
    variables: u64,
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
                ["p", "cnf", variables, _] => {
                    let variables = variables.parse();
                    let variables = variables.with_context(|| format!("{name} has the invalid line \"{line}\""))?;
                    let format = FormulaFormat::Cnf;
                    return Ok(Some(Self { name, format, head, variables }));
                }
                _ => return Ok(None),
            }
        }
        // A formula may have no constraint after the comments.
        let format = FormulaFormat::Opb;
        Ok(opb.map(|variables| Self { name, format, head, variables }))
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

    /// Rejects a formula if its number of variables differs from the number in the file.
    pub(crate) fn check(&self, formula: &Formula) -> anyhow::Result<()> {
        let variables = match self.format {
            FormulaFormat::Cnf => formula.n_vars(),
            FormulaFormat::Opb => constraints(formula).variables,
        };
        if self.variables != u64::from(variables) {
            bail!(
                "{} has {} variables, but the question in its comments gives {variables}: another version of hamcnf may have made the file; encode the question again",
                self.name,
                self.variables
            );
        }
        Ok(())
    }
}

/// True if a text is a formula whose header names a question and an encoding. Loads no graph. Used by the fuzzers.
#[doc(hidden)]
pub fn names_its_question(text: &[u8]) -> bool {
    let header = Header::of(text, "a text".to_owned());
    header.is_ok_and(|header| {
        header.is_some_and(|Header { head, .. }| head.question.is_some() && head.encoding.is_some())
    })
}
