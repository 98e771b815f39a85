//! Writes formulas as DIMACS, OPB or WCNF files, and shows progress. Clauses are counted first, so that the user is warned
//! about large formulas.

use std::io::{self, IsTerminal, Write};
use std::path::Path;

use hamcnf::count::frontier::Bytes;
use hamcnf::run::Share;
use hamcnf::{
    ClauseSink, Clauses, Count, DimacsWriter, Encoding, Formula, GbdHash, Header, Objective, OpbHeader, OpbWriter,
    ProjectionFormat, Watched, WcnfForm, WcnfHeader, WcnfWriter, WriteError, constraints,
};
use rustsat::types::{Lit, Var};

use super::output;
use super::progress::Progress;
use super::verbosity::{is_quiet, note};

/// Number of clauses above which the user is warned that a formula is large.
const MANY: u64 = 100_000_000;

/// Format of formulas.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub(crate) enum FormulaFormat {
    /// DIMACS CNF
    Cnf,
    /// Pseudo-Boolean OPB, where each degree condition is a single constraint
    Opb,
    /// WCNF for MaxSAT solvers, with hard clauses after "h" (needs --minimize or --longest)
    Wcnf,
    /// WCNF with a header, for MaxSAT solvers until 2021 (needs --minimize or --longest)
    WcnfOld,
}

impl FormulaFormat {
    /// Returns the name in messages.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Cnf => "DIMACS CNF",
            Self::Opb => "OPB",
            Self::Wcnf | Self::WcnfOld => "WCNF",
        }
    }

    /// Returns the usual extension of file names.
    pub(crate) fn ending(self) -> &'static str {
        match self {
            Self::Cnf => "cnf",
            Self::Opb => "opb",
            Self::Wcnf | Self::WcnfOld => "wcnf",
        }
    }

    /// Returns the form of WCNF; `None` for formats without soft clauses.
    pub(crate) fn wcnf(self) -> Option<WcnfForm> {
        match self {
            Self::Cnf | Self::Opb => None,
            Self::Wcnf => Some(WcnfForm::New),
            Self::WcnfOld => Some(WcnfForm::Old),
        }
    }
}

/// Cost of tours in a formula. It is minimized, bounded, or both.
pub(crate) struct Cost {
    pub(crate) objective: Objective,
    pub(crate) is_minimized: bool,
    pub(crate) most: Option<i64>,
}

/// Writes a formula as OPB to a file or, for `None`, to standard output, and reports its size. `name` is the formula's
/// name in messages.
pub(crate) fn write_opb(
    formula: &impl Clauses,
    name: &str,
    comments: &[String],
    names: bool,
    cost: Option<&Cost>,
    output: Option<&Path>,
) -> anyhow::Result<()> {
    let progress = Progress::new(format_args!("{name}: counting constraints"));
    let mut constraints = constraints(formula);
    drop(progress);
    let emitted = constraints.number;
    let bound = cost.and_then(|cost| Some((cost.objective.terms(), cost.most?)));
    constraints.number += u64::from(bound.is_some());
    let variable = |var| formula.variable_name(var);
    let objective = cost.filter(|cost| cost.is_minimized).map(|cost| cost.objective.terms());
    let names = names.then_some(&variable as &dyn Fn(Var) -> String);
    let header = OpbHeader { comments, constraints, names, objective };
    output::to(output, |out| {
        let progress = Progress::new(format_args!("{name}: writing constraints"));
        let mut writer = OpbWriter::new(out, &header);
        emit(formula, name, emitted, &progress, &mut writer);
        if let Some((terms, most)) = bound {
            writer.at_most(terms, most);
        }
        Ok(writer.finish()?)
    })?;
    Ok(say(output, formula, constraints.number, "constraints")?)
}

/// Writes a formula as WCNF to a file or, for `None`, to standard output, and reports its size.
pub(crate) fn write_wcnf(
    formula: &impl Clauses,
    form: WcnfForm,
    name: &str,
    heading: &Heading<'_>,
    soft: &[(Lit, u64)],
    output: Option<&Path>,
) -> anyhow::Result<()> {
    let counted = Counted::new(formula, name.to_owned());
    counted.announce(|| None);
    let variable = |var| formula.variable_name(var);
    let (variables, clauses) = (formula.n_vars(), counted.clauses());
    let names = heading.names.then_some(&variable as &dyn Fn(Var) -> String);
    let header = WcnfHeader { form, comments: heading.comments, variables, clauses, soft, names };
    output::to(output, |out| {
        let progress = Progress::new(format_args!("{name}: writing clauses"));
        let mut writer = WcnfWriter::new(out, &header);
        emit(formula, name, clauses, &progress, &mut writer);
        Ok(writer.finish()?)
    })?;
    Ok(say(output, formula, clauses + soft.len() as u64, "clauses")?)
}

/// Writes a formula as DIMACS to a file or, for `None`, to standard output, and reports its size. Before that, warns if
/// the formula is large, and recommends a smaller formula if `smaller` returns one.
pub(crate) fn write(
    formula: &impl Clauses,
    name: &str,
    heading: &Heading<'_>,
    output: Option<&Path>,
    smaller: impl FnOnce() -> Option<Smaller>,
) -> anyhow::Result<()> {
    let counted = Counted::new(formula, name.to_owned());
    counted.announce(smaller);
    output::to(output, |out| Ok(counted.write(heading, out)?))?;
    Ok(say(output, formula, counted.clauses(), "clauses")?)
}

/// Reports the size of the written formula.
fn say(output: Option<&Path>, formula: &impl Clauses, count: u64, what: &str) -> io::Result<()> {
    let Some(file) = output else {
        return Ok(());
    };
    if !io::stderr().is_terminal() || is_quiet() {
        return Ok(());
    }
    let (file, variables) = (file.display(), formula.n_vars());
    writeln!(io::stderr(), "{file}: {variables} variables, {count} {what}")
}

/// Formula with its size.
pub(crate) struct Counted<'a, F> {
    formula: &'a F,
    name: String,
    clauses: Count,
}

/// Contents of the file in addition to the clauses.
#[derive(Default)]
pub(crate) struct Heading<'a> {
    pub(crate) comments: &'a [String],
    pub(crate) projection: Option<(ProjectionFormat, &'a [Var])>,
    /// True if comments name the variables.
    pub(crate) names: bool,
}

impl<'a, F: Clauses> Counted<'a, F> {
    /// Counts the clauses of a formula. `name` is the formula's name in messages.
    pub(crate) fn new(formula: &'a F, name: String) -> Self {
        let _progress = Progress::new(format_args!("{name}: counting clauses"));
        let clauses = formula.tally().total();
        Self { formula, name, clauses }
    }

    /// Returns the number of all clauses, as in the DIMACS header.
    pub(crate) fn clauses(&self) -> u64 {
        self.clauses.clauses
    }

    /// Warns if the formula is large, and recommends a smaller formula if `smaller` returns one.
    pub(crate) fn announce(&self, smaller: impl FnOnce() -> Option<Smaller>) {
        let clauses = self.clauses();
        if clauses <= MANY {
            return;
        }
        let bytes = dimacs_bytes(self.formula.n_vars(), self.clauses);
        let fewer = smaller().filter(|smaller| smaller.clauses < clauses / 2);
        let instead = fewer.map_or_else(String::new, |Smaller { options, clauses }| {
            format!("; {options} has only {clauses:.1e} clauses")
        });
        note(&format!(
            "{}: the formula has {clauses:.1e} clauses, about {} as DIMACS{instead}",
            self.name,
            Bytes(bytes)
        ));
    }

    /// Writes the formula.
    ///
    /// # Errors
    ///
    /// I/O errors of writing to `out`.
    pub(crate) fn write(&self, heading: &Heading<'_>, out: &mut dyn Write) -> Result<(), WriteError> {
        let name = |var| self.formula.variable_name(var);
        let header = Header {
            comments: heading.comments,
            variables: self.formula.n_vars(),
            clauses: self.clauses(),
            projection: heading.projection,
            names: heading.names.then_some(&name as &dyn Fn(Var) -> String),
        };
        let progress = Progress::new(format_args!("{}: writing clauses", self.name));
        let mut writer = DimacsWriter::new(out, &header);
        emit(self.formula, &self.name, self.clauses(), &progress, &mut writer);
        writer.finish()
    }
}

/// Returns the hash by which the Global Benchmark Database identifies a formula. `name` is the formula's name in
/// messages.
///
/// # Errors
///
/// Error of [`can_be_written`].
pub(crate) fn gbd_hash(formula: &Formula, name: &str) -> anyhow::Result<String> {
    can_be_written(formula)?;
    let counted = Counted::new(formula, name.to_owned());
    let progress = Progress::new(format_args!("{name}: hashing clauses"));
    let mut hash = GbdHash::default();
    emit(formula, name, counted.clauses(), &progress, &mut hash);
    Ok(hash.finish())
}

/// Rejects a formula with a refinement that works only in hamcnf's own solver.
pub(crate) fn can_be_written(formula: &Formula) -> anyhow::Result<()> {
    if let Some(refinement) = formula.encoding().for_solver() {
        anyhow::bail!(
            "refinement \"{refinement}\" works only in hamcnf's own solver and cannot be written to a file: remove the refinement from \"{}\"",
            formula.encoding()
        );
    }
    Ok(())
}

/// Recommendation of another encoding of the question, with fewer clauses.
pub(crate) struct Smaller {
    /// Command-line options for this encoding.
    pub(crate) options: String,
    pub(crate) clauses: u64,
}

/// Recommends the binary encoding, which has the fewest clauses of all encodings; `None` if the formula already has
/// this encoding.
pub(crate) fn binary(formula: &Formula) -> Option<Smaller> {
    let binary: Encoding = "binary".parse().ok()?;
    if *formula.encoding() == binary {
        return None;
    }
    // The encoding is not recommended if it does not suit the instance.
    let options = format!("--encoding {binary}");
    let formula = Formula::new(binary, formula.instance()).ok()?;
    Some(Smaller { options, clauses: formula.tally().total().clauses })
}

/// Estimates the size of the clauses in bytes. Each literal has digits, a sign (most literals are negative) and a
/// space. Each clause has `0` and a line end.
fn dimacs_bytes(variables: u32, clauses: Count) -> u64 {
    let literal = mean_digits(variables) + 2.0;
    (clauses.literals as f64 * literal) as u64 + 2 * clauses.clauses
}

/// Returns the mean number of digits of the numbers from 1 to `last`.
fn mean_digits(last: u32) -> f64 {
    let last = u64::from(last.max(1));
    let digits: u64 = std::iter::successors(Some(1u64), |power| Some(power * 10))
        .take_while(|&power| power <= last)
        .map(|power| last - power + 1)
        .sum();
    digits as f64 / last as f64
}

/// Generates the clauses of a formula with `all` clauses, and shows how many there are so far.
fn emit(formula: &impl Clauses, name: &str, all: u64, progress: &Progress, sink: &mut dyn ClauseSink) {
    let mut tell = |done| {
        let share = Share { done, of: all };
        progress.show_share(Some(share), format_args!("{name}: {done} of {all} clauses"));
    };
    formula.emit(&mut Watched::new(sink, &mut tell));
}

#[cfg(test)]
mod tests {
    use super::*;
    use hamcnf::{Board, Instance, TourKind, Vertex};

    #[test]
    fn estimated_bytes_are_about_those_written() {
        for (board, encoding) in [("8x8", "direct"), ("12x12", "direct"), ("20x20", "binary")] {
            let board: Board = board.parse().unwrap();
            let instance = Instance::on_board(board, TourKind::Closed, Vertex::new(0)).unwrap();
            let encoding = encoding.parse().unwrap();
            let formula = Formula::new(encoding, &instance).unwrap();
            let counted = Counted::new(&formula, instance.name().to_owned());
            let mut file = Vec::new();
            counted.write(&Heading::default(), &mut file).unwrap();
            let estimate = dimacs_bytes(formula.n_vars(), counted.clauses) as f64;
            let error = estimate / file.len() as f64 - 1.0;
            assert!(error.abs() < 0.15, "{instance}: {error}");
        }
    }

    #[test]
    fn digits_are_counted() {
        assert_eq!(mean_digits(9), 1.0);
        assert_eq!(mean_digits(0), 1.0);
        let by_hand = (9.0 + 2.0 * 90.0 + 3.0 * 24.0) / 123.0;
        assert!((mean_digits(123) - by_hand).abs() < 1e-12);
    }
}
