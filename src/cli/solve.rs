//! `hamcnf solve`: a tour, or the answer that there is none.

use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Duration;

use hamcnf::answer::{self, Answer};
use hamcnf::harness::cell::Cell;
use hamcnf::harness::decision::{Record, Run};
use hamcnf::render::file::Visits;
use hamcnf::solve::{Options, Outcome, Solved, solve};
use hamcnf::{Clauses, Formula};
use serde::Serialize;

use super::drawing::{self, Drawing};
use super::instance::{Encoded, Question, seconds};
use super::number::whole;
use super::output;
use super::progress::Progress;

/// Find a tour with CaDiCaL, or prove that there is none
///
/// Every tour that is printed has been checked move by move. The exit code is 10 if there is a tour, 20 if
/// there is none, and 0 if that is not known by the time limit.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  hamcnf solve 8x8
  hamcnf solve 5x5 --open --start c3
  hamcnf solve 10x10 --encoding direct --time-limit 60 --seed 7
  hamcnf solve 8x8 --render tour.svg --numbers
  hamcnf solve 8x8 --json | jq .squares
  hamcnf solve 5x5                       exit code 20: no closed tour of 25 squares")]
pub(crate) struct Args {
    #[command(flatten)]
    question: Question,
    #[command(flatten)]
    encoded: Encoded,
    #[command(flatten)]
    solving: Solving,
    #[command(flatten)]
    drawing: Drawing,
}

/// How the solver is run, and how its answer is printed.
#[derive(clap::Args)]
pub(crate) struct Solving {
    /// Stop after this many seconds of wall time
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_negative_numbers = true)]
    pub(crate) time_limit: Option<f64>,
    /// The solver's random seed
    #[arg(
        long,
        default_value_t = 0,
        value_parser = whole(0..=2_000_000_000u32),
        allow_negative_numbers = true
    )]
    pub(crate) seed: u32,
    /// Print a JSON object for programs
    #[arg(long, conflicts_with = "dimacs")]
    pub(crate) json: bool,
    /// Print the s and v lines of SAT solvers
    #[arg(long)]
    pub(crate) dimacs: bool,
}

impl Solving {
    pub(crate) fn options(&self) -> Options {
        Options {
            time_limit: self.time_limit.map(Duration::from_secs_f64),
            seed: self.seed,
        }
    }
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    args.drawing.check()?;
    let instance = args.question.instance()?;
    let encoding = args.encoded.of(&instance)?;
    args.drawing.announce(&instance, 1);
    let progress = Progress::new(format_args!("solving {instance}"));
    let formula = Formula::new(encoding, &instance)?;
    let solved = solve(&formula, &args.solving.options(), &mut |_| ());
    drop(progress);
    let solved = solved?;

    output::print(|out| {
        if args.solving.json {
            let run = Run {
                cell: Cell::new(&instance, encoding),
                seed: args.solving.seed,
                time_limit: args.solving.time_limit,
            };
            let tour = match &solved.outcome {
                Outcome::Tour(tour, _) => Some(Visits::new(&instance, tour)),
                Outcome::NoTour | Outcome::Timeout => None,
            };
            let record = run.solved(&solved);
            output::json(out, &Json { record, tour })
        } else if args.solving.dimacs {
            let answer = match &solved.outcome {
                Outcome::Tour(_, model) => Answer::Satisfiable(model.clone()),
                Outcome::NoTour => Answer::Unsatisfiable,
                Outcome::Timeout => Answer::Unknown,
            };
            answer::write(out, &answer, formula.n_vars())
        } else {
            print(out, &formula, &solved)
        }
    })?;
    if let Outcome::Tour(tour, _) = &solved.outcome {
        args.drawing.write(&instance, tour)?;
    }
    Ok(ExitCode::from(match solved.outcome {
        Outcome::Tour(..) => TOUR,
        Outcome::NoTour => NO_TOUR,
        Outcome::Timeout => UNKNOWN,
    }))
}

/// The exit codes of SAT solvers.
pub(crate) const TOUR: u8 = 10;
pub(crate) const NO_TOUR: u8 = 20;
pub(crate) const UNKNOWN: u8 = 0;

fn print(out: &mut dyn Write, formula: &Formula<'_>, solved: &Solved) -> io::Result<()> {
    let instance = formula.instance();
    match &solved.outcome {
        Outcome::Tour(tour, _) => {
            writeln!(out, "{instance}: a tour, checked move by move\n")?;
            writeln!(out, "{}", drawing::in_terminal(instance, tour))?;
        }
        Outcome::NoTour => writeln!(out, "{instance}: there is no tour\n")?,
        Outcome::Timeout => writeln!(out, "{instance}: not known by the time limit\n")?,
    }
    let effort = solved.effort;
    writeln!(out, "{}", formula.encoding())?;
    writeln!(
        out,
        "{} variables, {} clauses",
        solved.variables, solved.clauses.clauses
    )?;
    writeln!(
        out,
        "{:.3} s CPU to encode, {:.3} s to solve, {:.3} s wall: {} conflicts, {} decisions, {} propagations",
        effort.encode_seconds,
        effort.solve_seconds,
        effort.wall_seconds,
        effort.conflicts,
        effort.decisions,
        effort.propagations
    )
}

/// What `--json` prints: the row that an experiment records, and the tour.
#[derive(Serialize)]
struct Json {
    #[serde(flatten)]
    record: Record,
    #[serde(flatten)]
    tour: Option<Visits>,
}
