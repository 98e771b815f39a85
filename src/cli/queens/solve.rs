//! `hamcnf queens N solve`: one placement, by CaDiCaL.

use std::process::ExitCode;
use std::time::Instant;

use hamcnf::answer::{self, Answer};
use hamcnf::render::file::PlacementRecord;
use hamcnf::solve::{Solved, Unfinished};
use hamcnf::{Clauses, Queens, QueensFormula};
use serde::Serialize;

use super::{Pictures, Variant, placed};
use crate::cli::exit::{NO_TOUR, TOUR, UNKNOWN};
use crate::cli::output;
use crate::cli::solve::{Searched, Solving, unfinished_in_words};

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
    // Null where the solver was not waited for and they are not known.
    variables: Option<u32>,
    clauses: Option<u64>,
    conflicts: Option<u64>,
    encode_seconds: f64,
    solve_seconds: f64,
    wall_seconds: f64,
}

impl Json {
    fn unfinished(args: &Args, unfinished: &Unfinished) -> Self {
        Self {
            status: "timeout",
            placement: None,
            at_most_one: args.variant.at_most_one.to_string(),
            variables: unfinished.variables,
            clauses: unfinished.clauses.map(|count| count.clauses),
            conflicts: None,
            encode_seconds: unfinished.encode_seconds,
            solve_seconds: unfinished.solve_seconds,
            wall_seconds: unfinished.wall_seconds,
        }
    }
}

pub(super) fn run(queens: &Queens, args: &Args) -> anyhow::Result<ExitCode> {
    let began = Instant::now();
    args.pictures.check()?;
    let at_most_one = args.variant.at_most_one;
    let of = queens.clone();
    let make = move || Ok(QueensFormula::new(&of, at_most_one));
    let read = |formula: &QueensFormula, solved: Solved<Answer>| {
        let placement = match &solved.outcome {
            Answer::Satisfiable(model) => Some(formula.placement(model)?),
            Answer::Unsatisfiable | Answer::Unknown => None,
        };
        Ok((solved, placement))
    };
    let what = format!("solving {queens}");
    let (formula, solved, placement) = match args.solving.search(began, &what, make, read)? {
        Searched::Ended(formula, (solved, placement)) => (formula, solved, placement),
        Searched::Unfinished(unfinished) => {
            output::print(|out| {
                if args.solving.json {
                    return output::json(out, &Json::unfinished(args, &unfinished));
                }
                if args.solving.dimacs {
                    let variables = unfinished.variables.unwrap_or(0);
                    return answer::write(out, &Answer::Unknown, variables);
                }
                writeln!(out, "{queens}: not known by the time limit\n")?;
                writeln!(out, "at-most-one {at_most_one}")?;
                unfinished_in_words(out, &unfinished)
            })?;
            return Ok(ExitCode::from(UNKNOWN));
        }
    };
    let (status, code) = match &solved.outcome {
        Answer::Satisfiable(_) => ("sat", TOUR),
        Answer::Unsatisfiable => ("unsat", NO_TOUR),
        Answer::Unknown => ("timeout", UNKNOWN),
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
                variables: Some(solved.variables),
                clauses: Some(solved.clauses.clauses),
                conflicts: Some(effort.conflicts),
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
