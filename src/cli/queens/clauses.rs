//! `hamcnf queens N encode`: writes the formula to a DIMACS file.

use std::process::ExitCode;

use clap::ValueHint;
use hamcnf::{AtMostOne, Clauses, ProjectionFormat, Queens, QueensFormula, named};

use super::Variant;
use crate::cli::formula::{Counted, Heading, Smaller};
use crate::cli::instance::named;
use crate::cli::output;
use crate::cli::output_file::OutputFile;

/// Write the clauses as a DIMACS CNF file
///
/// Variable N*i + j + 1 is true if a queen is in row i and column j; rows and columns are numbered from 0.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  hamcnf queens 8 encode -o queens.cnf
  hamcnf queens 8 encode --at-most-one ladder --project squares -o queens.cnf
  hamcnf queens 4 encode --varnames")]
pub(crate) struct Args {
    #[command(flatten)]
    variant: Variant,
    /// Output file, compressed if its name ends in .gz or .zst; - is standard output [default: -]
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: Option<OutputFile>,
    /// Add comments that name the variables
    #[arg(long)]
    varnames: bool,
    /// Projection set for model counters: "squares" (one model per placement) or "none" (counts are correct only with
    /// --at-most-one pairwise)
    #[arg(long, value_name = "SET", default_value = "none", value_parser = named::<Set>())]
    project: Set,
    /// Format of the projection line: "c p show", or "c ind" for older versions of ApproxMC
    #[arg(long, value_name = "FORMAT", default_value = "show", value_parser = named::<ProjectionFormat>())]
    projection_format: ProjectionFormat,
}

/// Projection set of the written file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Set {
    None,
    Squares,
}

named!(Set, "projection set", {
    None => "none",
    Squares => "squares",
});

pub(super) fn run(queens: &Queens, args: &Args) -> anyhow::Result<ExitCode> {
    args.output.as_deref().map_or(Ok(()), output::writable)?;
    let at_most_one = args.variant.at_most_one;
    let formula = QueensFormula::new(queens, at_most_one);
    let squares: Vec<_> = formula.squares().collect();
    let projection = match args.project {
        Set::None => None,
        Set::Squares => Some((args.projection_format, squares.as_slice())),
    };
    let n = queens.n();
    let comments = [
        format!("hamcnf {}", env!("CARGO_PKG_VERSION")),
        format!("question {queens}"),
        format!("at-most-one: {at_most_one}"),
        format!("variable {n}*i + j + 1: a queen in row i and column j, from 0"),
    ];
    let counted = Counted::new(&formula, queens.to_string());
    counted.announce(|| with_a_ladder(queens, at_most_one));
    let heading = Heading { comments: &comments, projection, names: args.varnames };
    output::to(args.output.as_deref(), |out| {
        counted.write(&heading, out)?;
        Ok(())
    })?;
    Ok(ExitCode::SUCCESS)
}

/// Recommends the ladder encoding, whose number of clauses is linear in the number of squares; `None` if it is already
/// in use.
fn with_a_ladder(queens: &Queens, at_most_one: AtMostOne) -> Option<Smaller> {
    let ladder = AtMostOne::Ladder;
    (at_most_one != ladder).then(|| Smaller {
        options: format!("--at-most-one {ladder}"),
        clauses: QueensFormula::new(queens, ladder).tally().total().clauses,
    })
}
