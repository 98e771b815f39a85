//! `hamcnf queens N solve`: one placement, by CaDiCaL.

use std::process::ExitCode;

use hamcnf::answer::{self, Answer};
use hamcnf::render::file::PlacementRecord;
use hamcnf::solve::search;
use hamcnf::{Clauses, Queens, QueensFormula};
use serde::Serialize;

use super::{Pictures, Variant, placed};
use crate::cli::output;
use crate::cli::progress::Progress;
use crate::cli::solve::{NO_TOUR, Solving, TOUR, UNKNOWN};

/// Find a placement with CaDiCaL, or prove that there is none
///
/// The exit code is 10 if there is one, 20 if there is none, and 0 if that is not known by the time limit.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  hamcnf queens 8 solve
  hamcnf queens 50 solve --at-most-one ladder --seed 7
  hamcnf queens 8 solve --render queens.png
  hamcnf queens 3 solve                      exit code 20: there is none")]
pub(crate) struct Args {
    #[command(flatten)]
    variant: Variant,
    #[command(flatten)]
    solving: Solving,
    #[command(flatten)]
    pictures: Pictures,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Json {
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[serde(flatten)]
    placement: Option<PlacementRecord>,
    at_most_one: String,
    variables: u32,
    clauses: u64,
    conflicts: u64,
    encode_seconds: f64,
    solve_seconds: f64,
    wall_seconds: f64,
}

pub(super) fn run(queens: &Queens, args: &Args) -> anyhow::Result<ExitCode> {
    args.pictures.check()?;
    let formula = QueensFormula::new(queens, args.variant.at_most_one);
    let progress = Progress::new(format_args!("solving {queens}"));
    let solved = search(&formula, &args.solving.options(), &mut |_| ());
    drop(progress);
    let solved = solved?;
    let (status, code, placement) = match &solved.outcome {
        Answer::Satisfiable(model) => ("sat", TOUR, Some(formula.placement(model)?)),
        Answer::Unsatisfiable => ("unsat", NO_TOUR, None),
        Answer::Unknown => ("timeout", UNKNOWN, None),
    };
    let effort = solved.effort;
    output::print(|out| {
        if args.solving.json {
            let json = Json {
                status,
                placement: placement
                    .as_ref()
                    .map(|placement| PlacementRecord::new(queens, placement)),
                at_most_one: args.variant.at_most_one.to_string(),
                variables: solved.variables,
                clauses: solved.clauses.clauses,
                conflicts: effort.conflicts,
                encode_seconds: effort.encode_seconds,
                solve_seconds: effort.solve_seconds,
                wall_seconds: effort.wall_seconds,
            };
            return output::json(out, &json);
        }
        if args.solving.dimacs {
            return answer::write(out, &solved.outcome, formula.n_vars());
        }
        match (&placement, code) {
            (Some(placement), _) => placed(out, queens, placement)?,
            (None, NO_TOUR) => writeln!(out, "{queens}: there is no placement\n")?,
            (None, _) => writeln!(out, "{queens}: not known by the time limit\n")?,
        }
        writeln!(
            out,
            "at-most-one {}: {} variables, {} clauses",
            args.variant.at_most_one, solved.variables, solved.clauses.clauses
        )?;
        writeln!(
            out,
            "{:.3} s CPU to encode, {:.3} s to solve, {:.3} s wall: {} conflicts",
            effort.encode_seconds, effort.solve_seconds, effort.wall_seconds, effort.conflicts
        )
    })?;
    args.pictures.draw(queens, placement.as_slice())?;
    Ok(ExitCode::from(code))
}
