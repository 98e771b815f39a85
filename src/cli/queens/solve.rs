//! `hamcnf queens N solve`: finds one placement with CaDiCaL.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::bail;
use hamcnf::answer::{self, Answer};
use hamcnf::json::JsonRecord;
use hamcnf::limits::Limits;
use hamcnf::method::{Method, Place};
use hamcnf::question::Question;
use hamcnf::record::{Record, Status};
use hamcnf::render::file::PlacementRecord;
use hamcnf::run::Settings;
use hamcnf::{AtMostOne, Queens, QueensFormula};
use serde_json::json;

use super::{Pictures, Variant, placed};
use crate::cli::ask::ask;
use crate::cli::exit::{NO_TOUR, TOUR, UNKNOWN};
use crate::cli::output;
use crate::cli::progress::Progress;
use crate::cli::solve::Solving;
use crate::cli::verbosity::is_quiet;

/// Find a placement with CaDiCaL, or prove that there is none
///
/// Exit codes: 10 there is a placement, 20 there is none, 3 unknown because the time limit was reached.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  hamcnf queens 8 solve
  hamcnf queens 50 solve --at-most-one ladder --seed 7
  hamcnf queens 8 solve --render queens.png
  hamcnf queens 3 solve                      exit code 20: there is no placement")]
pub(crate) struct Args {
    #[command(flatten)]
    variant: Variant,
    #[command(flatten)]
    solving: Solving,
    #[command(flatten)]
    pictures: Pictures,
}

pub(super) fn run(queens: &Queens, args: &Args) -> anyhow::Result<ExitCode> {
    let began = Instant::now();
    args.pictures.check()?;
    let at_most_one = args.variant.at_most_one;
    let method = Method::from(Place { at_most_one, phases: args.solving.phases() });
    let settings = Settings {
        seed: args.solving.seed.into(),
        limits: Limits { wall: args.solving.time_limit.map(Duration::from_secs_f64), ..Limits::default() },
        ..Settings::default()
    };
    let question = Question::Queens(queens.clone());
    let progress = Progress::new(format_args!("solving {queens}"));
    let answered = ask(&question, &method, settings, began, &mut |_| (), |_| ());
    drop(progress);
    let record = &answered.record;
    let (code, answer) = match (record.status, &answered.model) {
        (Status::Tour, Some(model)) => (TOUR, Answer::Satisfiable(model.clone())),
        (Status::NoTour, _) => (NO_TOUR, Answer::Unsatisfiable),
        (Status::Timeout | Status::Stopped, _) => (UNKNOWN, Answer::Unknown),
        _ => bail!("{}", record.message),
    };
    let placement = match &answer {
        Answer::Satisfiable(model) => Some(QueensFormula::new(queens, at_most_one).placement(model)?),
        Answer::Unsatisfiable | Answer::Unknown => None,
    };
    output::print(|out| {
        if args.solving.json {
            let object = JsonRecord::new(&question, &answered);
            let placement = placement.as_ref();
            let placement = placement.map(|placement| PlacementRecord::new(queens, placement));
            return output::json(out, &object.with("placement", json!(placement)));
        }
        if args.solving.dimacs {
            let variables = record.variables.and_then(|n| n.try_into().ok());
            return answer::write(out, &answer, variables.unwrap_or(0));
        }
        match (&placement, code) {
            (Some(placement), _) => placed(out, queens, placement)?,
            (None, NO_TOUR) => writeln!(out, "{queens}: there is no placement\n")?,
            (None, _) => writeln!(out, "{queens}: no answer within the time limit\n")?,
        }
        match is_quiet() {
            true => Ok(()),
            false => writeln!(out, "{}", said(record, at_most_one)),
        }
    })?;
    args.pictures.draw(queens, placement.as_slice())?;
    Ok(ExitCode::from(code))
}

/// Describes a run in two lines: size of the formula, times, and number of conflicts.
fn said(record: &Record, at_most_one: AtMostOne) -> String {
    let cpu = record.cpu_seconds.unwrap_or(0.0);
    let encode = record.encode_seconds.unwrap_or(cpu);
    let solve = record.solve_seconds.unwrap_or(cpu - encode);
    let wall = record.wall_seconds.unwrap_or(0.0);
    let size = match (record.variables, record.clauses) {
        (Some(variables), Some(clauses)) => format!("{variables} variables, {clauses} clauses"),
        _ => "not all clauses generated".to_owned(),
    };
    let conflicts = match record.statistics.get::<u64>("conflicts") {
        Some(conflicts) => format!("{conflicts} conflicts"),
        None => "number of conflicts unknown, because the solver did not stop in time".to_owned(),
    };
    format!(
        "at-most-one {at_most_one}: {size}\n{encode:.3} s CPU to encode, {solve:.3} s to solve, {wall:.3} s wall: {conflicts}"
    )
}
