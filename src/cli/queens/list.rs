//! `hamcnf queens N list`: all placements.

use std::io::{BufWriter, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use hamcnf::{Placement, Queens};

use super::{Limits, Pictures};
use crate::cli::exit::UNKNOWN;
use crate::cli::number::whole;
use crate::cli::{complain, output};

/// List the placements, a line each: the rows of the queens column by column, counted from 0
///
/// By the decision diagram of all placements, in lexicographic order.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  hamcnf queens 8 list
  hamcnf queens 6 list --render all.svg      all four on one sheet
  hamcnf queens 12 list --first 12 --squares
  hamcnf queens 12 list -o all.txt.gz")]
pub(crate) struct Args {
    #[command(flatten)]
    limits: Limits,
    /// The squares of the queens, such as a1 e2, instead of their rows
    #[arg(long)]
    squares: bool,
    /// No more than the first K
    #[arg(long, value_name = "K", value_parser = whole(0..=u64::MAX), allow_negative_numbers = true)]
    first: Option<u64>,
    /// The file to write, compressed if it ends in .gz or .zst; standard output for - or nothing
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    pictures: Pictures,
}

pub(super) fn run(queens: &Queens, args: &Args) -> anyhow::Result<ExitCode> {
    args.output.as_deref().map_or(Ok(()), output::writable)?;
    args.pictures.check()?;
    let began = Instant::now();
    let solutions = match args.limits.diagram(queens, began)? {
        Ok(solutions) => solutions,
        Err(why) => {
            complain(&format!(
                "{queens}: {why}; hamcnf queens {} solve finds one in little memory",
                queens.n()
            ));
            return Ok(ExitCode::from(UNKNOWN));
        }
    };
    let mut drawn: Vec<Placement> = Vec::new();
    let mut stopped = false;
    output::to(args.output.as_deref(), |out| {
        let mut out = BufWriter::new(out);
        let mut left = args.first.unwrap_or(u64::MAX);
        let mut failed = None;
        let mut line = |placement: &Placement| {
            if !args.squares {
                return writeln!(out, "{placement}");
            }
            let squares = placement.squares(queens).into_iter();
            let names: Vec<_> = squares.map(|v| queens.board().square_name(v)).collect();
            writeln!(out, "{}", names.join(" "))
        };
        let limit = args.limits.duration();
        let late = || limit.is_some_and(|limit| began.elapsed() >= limit);
        if left > 0 {
            solutions.list(&mut |placement| {
                failed = line(&placement).err();
                if args.pictures.are_wanted() {
                    drawn.push(placement);
                }
                left -= 1;
                stopped = left > 0 && late();
                if left == 0 || stopped || failed.is_some() {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            })?;
        }
        match failed {
            Some(error) => Err(error.into()),
            None => Ok(out.flush()?),
        }
    })?;
    args.pictures.draw(queens, &drawn)?;
    if stopped {
        complain(&format!(
            "{queens}: the time limit is reached, and not all are listed"
        ));
        return Ok(ExitCode::from(UNKNOWN));
    }
    Ok(ExitCode::SUCCESS)
}
