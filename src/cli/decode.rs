//! `hamcnf decode`: the tour in another solver's answer.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use hamcnf::answer::{self, Answer};
use hamcnf::{Formula, render};
use rustsat::types::Var;

use super::instance::{Encoded, Question};
use super::solve::JsonTour;

/// Turn another solver's answer into a tour, checked move by move
///
/// Reads the s and v lines that SAT solvers print. Board and options must be those that the formula was
/// written with; its comments say them.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  hamcnf encode 8x8 -o 8x8.cnf && kissat 8x8.cnf | hamcnf decode 8x8 -
  hamcnf decode 8x8 --encoding unary answer.txt --json")]
pub(crate) struct Args {
    #[command(flatten)]
    question: Question,
    #[command(flatten)]
    encoded: Encoded,
    /// The solver's output; - for standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Print a JSON object for programs
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let instance = args.question.instance()?;
    let formula = Formula::new(args.encoded.encoding(), &instance)?;
    let name = if args.file.as_os_str() == "-" {
        "standard input".to_owned()
    } else {
        args.file.display().to_string()
    };
    let cannot = || format!("cannot decode {name}");
    let input: Box<dyn BufRead> = if args.file.as_os_str() == "-" {
        Box::new(io::stdin().lock())
    } else {
        Box::new(BufReader::new(File::open(&args.file).with_context(cannot)?))
    };
    // All variables follow from the tour, so none of them can be left open in a model of this formula.
    let all = (0..formula.n_vars()).map(Var::new);
    let answer = answer::read(input, formula.n_vars(), all).with_context(cannot)?;
    let mut out = anstream::stdout().lock();
    match answer {
        Answer::Unsatisfiable => {
            writeln!(out, "{instance}: the solver says that there is no tour")?;
        }
        Answer::Unknown => writeln!(out, "{instance}: the solver does not say")?,
        Answer::Satisfiable(model) => {
            let tour = formula.tour(&model).with_context(|| {
                format!("the model in {name} is no tour of {}", instance.name())
            })?;
            if args.json {
                let json = JsonTour::new(&instance, &tour);
                serde_json::to_writer(&mut out, &json).map_err(io::Error::from)?;
                writeln!(out)?;
            } else {
                writeln!(out, "{instance}: a tour, checked move by move\n")?;
                write!(out, "{}", render::terminal::tour(&instance, &tour))?;
            }
        }
    }
    out.flush().context("cannot write standard output")?;
    Ok(ExitCode::SUCCESS)
}
