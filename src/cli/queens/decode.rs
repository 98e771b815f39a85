//! `hamcnf queens N decode`: turns another solver's answer into a placement.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use hamcnf::answer::{self, Answer};
use hamcnf::render::file::PlacementRecord;
use hamcnf::{Clauses, Queens, QueensFormula};
use serde::Serialize;

use super::{Pictures, Variant, placed};
use crate::cli::exit::{NO_TOUR, TOUR, UNKNOWN};
use crate::cli::input;
use crate::cli::output::{self, Made};

/// Turn another solver's answer into a placement, checked pair by pair
///
/// Reads s and v lines of SAT solvers, result files of MiniSat and Glucose, or the literals of a model. N and
/// --at-most-one must be the same as for the formula. Exit codes: 10 a placement, 20 no placement according to the
/// solver, 3 no answer.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  hamcnf queens 20 encode -o queens.cnf && kissat queens.cnf | hamcnf queens 20 decode -
  hamcnf queens 20 decode --at-most-one ladder answer.txt --render queens.svg")]
pub(crate) struct Args {
    /// Output or result file of the solver; - for standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    variant: Variant,
    /// Print a JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    pictures: Pictures,
}

/// Object that `--json` prints.
#[derive(Serialize)]
struct Json {
    status: &'static str,
    #[serde(flatten)]
    placement: Option<PlacementRecord>,
}

pub(super) fn run(queens: &Queens, args: &Args) -> anyhow::Result<ExitCode> {
    args.pictures.check()?;
    let name = input::name(&args.file);
    let progress = input::progress(&args.file, queens);
    let formula = QueensFormula::new(queens, args.variant.at_most_one);
    let cannot = || format!("cannot decode {name}");
    let input = input::open(&args.file).with_context(cannot)?;
    let answer = answer::read(input, formula.n_vars(), formula.squares()).with_context(cannot)?;
    let (status, code, placement) = match answer {
        Answer::Satisfiable(model) => {
            let none = || format!("the model in {name} is not a placement of {queens}");
            let placement = formula.placement(&model).with_context(none)?;
            ("placement", TOUR, Some(placement))
        }
        Answer::Unsatisfiable => ("no-placement", NO_TOUR, None),
        Answer::Unknown => ("unknown", UNKNOWN, None),
    };
    drop(progress);
    output::print(|out| {
        if args.json {
            let record = |placement| PlacementRecord::new(queens, placement);
            let placement = placement.as_ref().map(record);
            return output::json(out, &Made::here(Json { status, placement }));
        }
        match (&placement, code) {
            (Some(placement), _) => placed(out, queens, placement),
            (None, NO_TOUR) => {
                writeln!(out, "{queens}: the solver reports that there is no placement")
            }
            (None, _) => writeln!(out, "{queens}: the solver gives no answer"),
        }
    })?;
    args.pictures.draw(queens, placement.as_slice())?;
    Ok(ExitCode::from(code))
}
