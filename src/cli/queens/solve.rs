//! `hamcnf queens N solve`: one placement, by CaDiCaL.

use std::process::ExitCode;
use std::time::Instant;

use cpu_time::ProcessTime;
use hamcnf::answer::{self, Answer};
use hamcnf::limits::Limits;
use hamcnf::render::file::PlacementRecord;
use hamcnf::solve::{self, Solved, Stage};
use hamcnf::{Clauses, Count, Placement, Queens, QueensFormula};
use serde::Serialize;

use super::{Pictures, Variant, placed};
use crate::cli::deadline::{self, Waited};
use crate::cli::exit::{NO_TOUR, TOUR, UNKNOWN};
use crate::cli::loudness::is_quiet;
use crate::cli::output::{self, Made};
use crate::cli::progress::Progress;
use crate::cli::solve::Solving;

/// Find a placement with CaDiCaL, or prove that there is none
///
/// The exit code is 10 if there is one, 20 if there is none, and 3 if that is not known by the time limit.
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

/// What is known of the search while it runs.
#[derive(Clone, Default)]
struct Known {
    variables: Option<u32>,
    loaded: Option<(Count, f64)>,
}

type Found = anyhow::Result<(Solved<Answer>, Option<Placement>)>;

/// Searches for a placement, as far as the time limit allows.
fn search(queens: &Queens, args: &Args, deadline: Option<Instant>) -> Waited<Known, Found> {
    let at_most_one = args.variant.at_most_one;
    let (seed, phases) = (args.solving.seed, args.solving.phases());
    let of = queens.clone();
    let _progress = Progress::new(format_args!("solving {queens}"));
    deadline::wait::<Known, Found>(deadline, None, &mut |_| (), move |worker| {
        let find = || -> Found {
            let formula = QueensFormula::new(&of, at_most_one);
            worker.know(|known| known.variables = Some(formula.n_vars()));
            let options = solve::Options {
                limits: Limits {
                    wall: deadline::left(deadline),
                    ..Limits::default()
                },
                seed,
                phases,
                ..solve::Options::default()
            };
            let solved = solve::search(&formula, &options, &mut |stage| match stage {
                Stage::Loaded {
                    clauses,
                    encode_seconds,
                } => worker.know(|known| known.loaded = Some((clauses, encode_seconds))),
                Stage::Answered => worker.has_answer(),
            })?;
            let placement = match &solved.outcome {
                Answer::Satisfiable(model) => Some(formula.placement(model)?),
                Answer::Unsatisfiable | Answer::Unknown => None,
            };
            Ok((solved, placement))
        };
        worker.answer(find());
    })
}

/// What is printed where the solver was not waited for.
fn unfinished(
    queens: &Queens,
    args: &Args,
    known: &Known,
    wall_seconds: f64,
    cpu: f64,
) -> anyhow::Result<()> {
    let encode_seconds = known.loaded.map_or(cpu, |(_, seconds)| seconds);
    let json = Json {
        status: "timeout",
        placement: None,
        at_most_one: args.variant.at_most_one.to_string(),
        variables: known.variables,
        clauses: known.loaded.map(|(count, _)| count.clauses),
        conflicts: None,
        encode_seconds,
        solve_seconds: cpu - encode_seconds,
        wall_seconds,
    };
    output::print(|out| {
        if args.solving.json {
            return output::json(out, &Made::here(&json));
        }
        if args.solving.dimacs {
            return answer::write(out, &Answer::Unknown, json.variables.unwrap_or(0));
        }
        writeln!(out, "{queens}: not known by the time limit\n")?;
        writeln!(out, "at-most-one {}", json.at_most_one)?;
        match (json.variables, json.clauses) {
            (Some(variables), Some(clauses)) => {
                writeln!(out, "{variables} variables, {clauses} clauses")?;
            }
            _ => writeln!(out, "not all clauses made by then")?,
        }
        writeln!(
            out,
            "{:.3} s CPU to encode, {:.3} s to solve, {wall_seconds:.3} s wall: the solver had not stopped by then, \
             and what it did is not known",
            json.encode_seconds, json.solve_seconds
        )
    })
}

pub(super) fn run(queens: &Queens, args: &Args) -> anyhow::Result<ExitCode> {
    let (began, cpu) = (Instant::now(), ProcessTime::now());
    args.pictures.check()?;
    let deadline = deadline::after(began, args.solving.time_limit);
    let (solved, placement) = match search(queens, args, deadline) {
        Waited::Answer(found) => found?,
        Waited::Late(known) => {
            let (wall, cpu) = (began.elapsed().as_secs_f64(), cpu.elapsed().as_secs_f64());
            unfinished(queens, args, &known, wall, cpu)?;
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
            return output::json(out, &Made::here(&json));
        }
        if args.solving.dimacs {
            return answer::write(out, &solved.outcome, solved.variables);
        }
        match (&placement, code) {
            (Some(placement), _) => placed(out, queens, placement)?,
            (None, NO_TOUR) => writeln!(out, "{queens}: there is no placement\n")?,
            (None, _) => writeln!(out, "{queens}: not known by the time limit\n")?,
        }
        if is_quiet() {
            return Ok(());
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
