//! `hamcnf queens`: the N-queens problem, solved with a decision diagram and as a CNF formula.

mod clauses;
mod count;
mod decode;
mod list;
mod solve;

use std::io::{self, Write};
use std::num::NonZero;
use std::process::ExitCode;
use std::time::Duration;

use clap::Subcommand;
use hamcnf::limits::Limits as RunLimits;
use hamcnf::render::{Style, svg};
use hamcnf::run::Settings;
use hamcnf::{AtMostOne, Placement, Queens};

use super::complain;
use super::drawing::{self, Canvas, Drawn, Subject};
use super::instance::{Memory, named, seconds};
use super::number::whole;

/// Place N queens so that no two attack each other: count, list, encode, solve or decode
#[derive(clap::Args)]
#[command(after_help = "Examples:
  hamcnf queens 8 count                        92 placements, by a decision diagram
  hamcnf queens 8 list                         all placements: rows, column by column
  hamcnf queens 8 solve --render queens.svg    one placement, by CaDiCaL
  hamcnf queens 8 encode -o queens.cnf         a DIMACS file
  hamcnf queens 8 decode answer.txt            the placement in another solver's answer

`hamcnf queens N ACTION --help` shows the options of an action.")]
pub(crate) struct Args {
    /// Number of queens, rows and columns
    #[arg(value_name = "N", allow_negative_numbers = true)]
    queens: Queens,
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    Count(count::Args),
    List(list::Args),
    Encode(clauses::Args),
    Solve(solve::Args),
    Decode(decode::Args),
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    match &args.action {
        Action::Count(action) => count::run(&args.queens, action),
        Action::List(action) => list::run(&args.queens, action),
        Action::Encode(action) => clauses::run(&args.queens, action),
        Action::Solve(action) => solve::run(&args.queens, action),
        Action::Decode(action) => decode::run(&args.queens, action),
    }
}

/// Options that change the clauses.
#[derive(clap::Args)]
struct Variant {
    /// Encoding of at-most-one constraints
    #[arg(long, value_name = "ENCODING", default_value = "pairwise", value_parser = named::<AtMostOne>())]
    at_most_one: AtMostOne,
}

/// The files that placements are drawn into.
#[derive(clap::Args)]
struct Pictures {
    /// Draw the result into a file: .svg, .png, .pdf, .txt or .json; may be repeated
    #[arg(long, value_name = "FILE", value_parser = Canvas::of_queens)]
    render: Vec<Canvas>,
}

impl Pictures {
    /// Rejects files that cannot be written, before the work begins.
    fn check(&self) -> anyhow::Result<()> {
        self.render.iter().try_for_each(Canvas::writable)
    }

    /// True if pictures are requested, so that placements must be kept for drawing.
    fn are_wanted(&self) -> bool {
        !self.render.is_empty()
    }

    /// Draws the placements on one sheet, if pictures are requested.
    fn draw(&self, queens: &Queens, placements: &[Placement]) -> anyhow::Result<()> {
        if placements.is_empty() {
            if self.are_wanted() {
                complain(&format!("{queens}: there is no placement to draw"));
            }
            return Ok(());
        }
        let drawn =
            placements.iter().map(|placement| Drawn { caption: None, subject: Subject::Queens(queens, placement) });
        let drawn: Vec<_> = drawn.collect();
        let squares = u64::from(queens.n()).pow(2);
        let svg = svg::bytes_of_placement(squares).saturating_mul(drawn.len() as u64);
        drawing::announce(&self.render, svg);
        let each = |canvas| drawing::draw(canvas, &drawn, None, Style::default());
        self.render.iter().try_for_each(each)
    }
}

/// Prints a placement.
fn placed(out: &mut dyn Write, queens: &Queens, placement: &Placement) -> io::Result<()> {
    writeln!(out, "{queens}: a placement, checked pair by pair\n")?;
    writeln!(out, "{}", drawing::queens_in_terminal(queens, placement))
}

/// Limits of a decision diagram or a solver.
#[derive(clap::Args)]
struct Limits {
    /// Stop after this wall time: seconds, or a number with a unit such as 500ms, 2m or 1h. The method "bdd" may exceed
    /// the limit, because it first completes a conjunction of diagrams that is in progress
    #[arg(long, value_name = "TIME", value_parser = seconds, allow_negative_numbers = true)]
    time_limit: Option<f64>,
    #[command(flatten)]
    memory: Memory,
    /// Number of threads (method "bdd") [default: one per processor]
    #[arg(long, value_name = "T", value_parser = whole(NonZero::<u32>::MIN..=NonZero::<u32>::MAX), allow_negative_numbers = true)]
    threads: Option<NonZero<u32>>,
}

impl Limits {
    /// Returns the settings of a run with these limits.
    fn settings(&self) -> Settings {
        let memory = self.memory.limit();
        Settings {
            limits: RunLimits { wall: self.time_limit.map(Duration::from_secs_f64), memory, ..RunLimits::default() },
            memory,
            threads: self.threads.and_then(|threads| threads.try_into().ok()),
            ..Settings::default()
        }
    }
}
