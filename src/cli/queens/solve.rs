//! `hamcnf queens N solve`: one placement, by CaDiCaL.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::bail;
use hamcnf::answer::{self, Answer};
use hamcnf::limits::Limits;
use hamcnf::method::{Method, Place};
use hamcnf::question::Question;
use hamcnf::record::{Record, Status};
use hamcnf::render::file::PlacementRecord;
use hamcnf::run::Settings;
use hamcnf::{Placement, Queens, QueensFormula};
use serde::Serialize;

use super::{Pictures, Variant, placed};
use crate::cli::ask::ask;
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
    variables: Option<u64>,
    clauses: Option<u64>,
    conflicts: Option<u64>,
    encode_seconds: f64,
    solve_seconds: f64,
    wall_seconds: f64,
}

pub(super) fn run(queens: &Queens, args: &Args) -> anyhow::Result<ExitCode> {
    let began = Instant::now();
    args.pictures.check()?;
    let at_most_one = args.variant.at_most_one;
    let method = Method::from(Place {
        at_most_one,
        phases: args.solving.phases(),
    });
    let settings = Settings {
        seed: args.solving.seed.into(),
        limits: Limits {
            wall: args.solving.time_limit.map(Duration::from_secs_f64),
            ..Limits::default()
        },
        ..Settings::default()
    };
    let question = Question::Queens(queens.clone());
    let progress = Progress::new(format_args!("solving {queens}"));
    let answered = ask(&question, &method, settings, began, &mut |_| (), |_| ());
    drop(progress);
    let record = &answered.record;
    let (status, code, answer) = match (record.status, answered.model) {
        (Status::Tour, Some(model)) => ("sat", TOUR, Answer::Satisfiable(model)),
        (Status::NoTour, _) => ("unsat", NO_TOUR, Answer::Unsatisfiable),
        (Status::Timeout | Status::Stopped, _) => ("timeout", UNKNOWN, Answer::Unknown),
        _ => bail!("{}", record.message),
    };
    let placement = match &answer {
        Answer::Satisfiable(model) => {
            Some(QueensFormula::new(queens, at_most_one).placement(model)?)
        }
        Answer::Unsatisfiable | Answer::Unknown => None,
    };
    let json = Json::of(queens, args, status, placement.as_ref(), record);
    output::print(|out| {
        if args.solving.json {
            return output::json(out, &Made::here(&json));
        }
        if args.solving.dimacs {
            let variables = json.variables.and_then(|n| n.try_into().ok());
            return answer::write(out, &answer, variables.unwrap_or(0));
        }
        match (&placement, code) {
            (Some(placement), _) => placed(out, queens, placement)?,
            (None, NO_TOUR) => writeln!(out, "{queens}: there is no placement\n")?,
            (None, _) => writeln!(out, "{queens}: not known by the time limit\n")?,
        }
        match is_quiet() {
            true => Ok(()),
            false => writeln!(out, "{}", json.said()),
        }
    })?;
    args.pictures.draw(queens, placement.as_slice())?;
    Ok(ExitCode::from(code))
}

impl Json {
    fn of(
        queens: &Queens,
        args: &Args,
        status: &'static str,
        placement: Option<&Placement>,
        record: &Record,
    ) -> Self {
        let cpu = record.cpu_seconds.unwrap_or(0.0);
        let encode_seconds = record.encode_seconds.unwrap_or(cpu);
        Self {
            status,
            placement: placement.map(|placement| PlacementRecord::new(queens, placement)),
            at_most_one: args.variant.at_most_one.to_string(),
            variables: record.variables,
            clauses: record.clauses,
            conflicts: record.effort.get("conflicts"),
            encode_seconds,
            solve_seconds: record.solve_seconds.unwrap_or(cpu - encode_seconds),
            wall_seconds: record.wall_seconds.unwrap_or(0.0),
        }
    }

    /// Sizes, seconds and conflicts, in two lines.
    fn said(&self) -> String {
        let size = match (self.variables, self.clauses) {
            (Some(variables), Some(clauses)) => format!("{variables} variables, {clauses} clauses"),
            _ => "not all clauses made by then".to_owned(),
        };
        let conflicts = match self.conflicts {
            Some(conflicts) => format!("{conflicts} conflicts"),
            None => "the solver had not stopped by then, and what it did is not known".to_owned(),
        };
        format!(
            "at-most-one {}: {size}\n{:.3} s CPU to encode, {:.3} s to solve, {:.3} s wall: {conflicts}",
            self.at_most_one, self.encode_seconds, self.solve_seconds, self.wall_seconds
        )
    }
}
