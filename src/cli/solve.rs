//! `hamcnf solve`: a tour, or the answer that there is none.

use std::io::{self, Write};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use cpu_time::ProcessTime;
use hamcnf::answer::{self, Answer};
use hamcnf::harness::cell::Cell;
use hamcnf::harness::decision::{Record, Run};
use hamcnf::render::file::Visits;
use hamcnf::solve::{Options, Outcome, Solved, Stage, Unfinished, checked, search_then};
use hamcnf::{Clauses, Count, Formula, Instance};
use serde::Serialize;

use super::deadline::{self, Waited, Worker};
use super::drawing::{self, Drawing};
use super::instance::{Encoded, Question, seconds};
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
        value_parser = clap::value_parser!(u32).range(0..=2_000_000_000),
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
    /// Searches for a model of the formula that `make` makes, and takes what `read` makes of the answer. The
    /// time limit counts from `began`.
    pub(crate) fn search<F, T>(
        &self,
        began: Instant,
        what: &str,
        make: impl FnOnce() -> anyhow::Result<F> + Send + 'static,
        read: impl FnOnce(&F, Solved<Answer>) -> anyhow::Result<T> + Send + 'static,
    ) -> anyhow::Result<Searched<F, T>>
    where
        F: Clauses + Send + Sync + 'static,
        T: Send + 'static,
    {
        let limit = self.time_limit.map(Duration::from_secs_f64);
        // Past the end of time is no limit.
        let deadline = limit.and_then(|limit| began.checked_add(limit));
        let seed = self.seed;
        let work = move |worker: &Worker<Known, anyhow::Result<(&'static F, T)>>| {
            let answer = || {
                // Lives as long as the solver, which may be left alone, and is printed from.
                let formula: &'static F = Box::leak(Box::new(make()?));
                worker.know(|known| known.variables = Some(formula.n_vars()));
                let options = Options {
                    time_limit: deadline.map(|end| end.saturating_duration_since(Instant::now())),
                    seed,
                };
                let mut tell = |stage| match stage {
                    Stage::Loaded {
                        clauses,
                        encode_seconds,
                    } => worker.know(|known| known.loaded = Some((clauses, encode_seconds))),
                    Stage::Solving(_) => {}
                    Stage::Answered => worker.has_answer(),
                };
                search_then(formula, &options, &mut tell, |solved| {
                    worker.answer(read(formula, solved).map(|read| (formula, read)));
                })?;
                Ok(())
            };
            if let Err(error) = answer() {
                worker.answer(Err(error));
            }
        };
        let cpu = ProcessTime::now();
        let mut progress = Progress::new();
        let mut tick = |_: &Known| progress.show(began.elapsed(), what);
        let waited = deadline::wait(deadline, &mut tick, work);
        progress.clear();
        Ok(match waited {
            Waited::Answer(answer) => {
                let (formula, read) = answer?;
                Searched::Ended(formula, read)
            }
            Waited::Late(known) => {
                let cpu = cpu.elapsed().as_secs_f64();
                let encode_seconds = known.loaded.map_or(cpu, |(_, seconds)| seconds);
                Searched::Unfinished(Unfinished {
                    variables: known.variables,
                    clauses: known.loaded.map(|(clauses, _)| clauses),
                    encode_seconds,
                    solve_seconds: cpu - encode_seconds,
                    wall_seconds: began.elapsed().as_secs_f64(),
                })
            }
        })
    }
}

/// How a search ended.
pub(crate) enum Searched<F: 'static, T> {
    /// With what was read of the answer, and the formula.
    Ended(&'static F, T),
    /// At the time limit, without the solver.
    Unfinished(Unfinished),
}

/// What is known of a search while it runs.
#[derive(Clone, Default)]
struct Known {
    variables: Option<u32>,
    loaded: Option<(Count, f64)>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let began = Instant::now();
    args.drawing.check()?;
    // The formula is of it, and lives as long as the process.
    let instance: &'static Instance = Box::leak(Box::new(args.question.instance()?));
    let encoding = args.encoded.of(instance)?;
    let make = move || Ok(Formula::new(encoding, instance)?);
    let read = |formula: &Formula<'static>, solved| Ok(checked(formula, solved)?);
    let what = format!("solving {instance}");
    let run = Run {
        cell: Cell::new(instance, encoding),
        seed: args.solving.seed,
        time_limit: args.solving.time_limit,
    };
    let (formula, solved) = match args.solving.search(began, &what, make, read)? {
        Searched::Ended(formula, solved) => (formula, solved),
        Searched::Unfinished(unfinished) => {
            output::print(|out| {
                if args.solving.json {
                    let record = run.unfinished(&unfinished);
                    output::json(out, &Json { record, tour: None })
                } else if args.solving.dimacs {
                    answer::write(out, &Answer::Unknown, unfinished.variables.unwrap_or(0))
                } else {
                    writeln!(out, "{instance}: not known by the time limit\n")?;
                    writeln!(out, "{encoding}")?;
                    unfinished_in_words(out, &unfinished)
                }
            })?;
            return Ok(ExitCode::from(UNKNOWN));
        }
    };

    output::print(|out| {
        if args.solving.json {
            let tour = match &solved.outcome {
                Outcome::Tour(tour, _) => Some(Visits::new(instance, tour)),
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
            print(out, formula, &solved)
        }
    })?;
    if let Outcome::Tour(tour, _) = &solved.outcome {
        args.drawing.write(instance, tour)?;
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

/// What is known of a solver that was not waited for.
pub(crate) fn unfinished_in_words(out: &mut dyn Write, unfinished: &Unfinished) -> io::Result<()> {
    match (unfinished.variables, unfinished.clauses) {
        (Some(variables), Some(count)) => {
            writeln!(out, "{variables} variables, {} clauses", count.clauses)?;
        }
        (Some(variables), None) => {
            writeln!(out, "{variables} variables, not all clauses made by then")?;
        }
        (None, _) => writeln!(out, "variables not all numbered by then")?,
    }
    writeln!(
        out,
        "{:.3} s CPU to encode, {:.3} s to solve, {:.3} s wall: the solver had not stopped by then, and what \
         it did is not known",
        unfinished.encode_seconds, unfinished.solve_seconds, unfinished.wall_seconds
    )
}

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
