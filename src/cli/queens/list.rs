//! `hamcnf queens N list`: lists all placements.

use std::io::{BufWriter, Write};
use std::iter;
use std::num::NonZero;
use std::panic::resume_unwind;
use std::process::ExitCode;
use std::sync::mpsc;
use std::thread;

use anyhow::bail;
use clap::ValueHint;
use hamcnf::json::JsonRecord;
use hamcnf::method::{Bdd, Method};
use hamcnf::pipeline::FinishedRun;
use hamcnf::question::Question;
use hamcnf::record::Status;
use hamcnf::render::file::PlacementRecord;
use hamcnf::run::{Event, Observer, Share, Wanted};
use hamcnf::{Placement, Queens};
use serde_json::json;

use super::{Limits, Pictures};
use crate::cli::exit::UNKNOWN;
use crate::cli::interrupt::limit;
use crate::cli::number::whole;
use crate::cli::output_file::OutputFile;
use crate::cli::progress::Progress;
use crate::cli::{complain, output};

/// Print all placements, one per line: for each column, the row of its queen, numbered from 0
///
/// Builds the decision diagram of all placements and lists them in lexicographic order.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  hamcnf queens 8 list
  hamcnf queens 6 list --render all.svg      all four placements on one sheet
  hamcnf queens 12 list --first 12 --squares
  hamcnf queens 12 list -o all.txt.gz")]
pub(crate) struct Args {
    #[command(flatten)]
    limits: Limits,
    /// Print the squares of the queens, such as a1 e2, instead of row numbers
    #[arg(long)]
    squares: bool,
    /// Print only the first K placements
    #[arg(long, value_name = "K", value_parser = whole(0..=u64::MAX), allow_negative_numbers = true)]
    first: Option<u64>,
    /// Output file, compressed if its name ends in .gz or .zst; - is standard output [default: -]
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: Option<OutputFile>,
    #[command(flatten)]
    pictures: Pictures,
    /// Print a JSON object for each placement, with the columns of a `hamcnf run` row, the placement and a "details"
    /// object
    #[arg(long, conflicts_with = "squares")]
    json: bool,
}

/// Maximum number of placements that are found but not yet written to the file.
const AHEAD: usize = 1024;

/// Message from the worker thread.
enum Told {
    At(Option<Share>, String),
    Placed(Placement),
}

pub(super) fn run(queens: &Queens, args: &Args) -> anyhow::Result<ExitCode> {
    args.output.as_deref().map_or(Ok(()), output::writable)?;
    args.pictures.check()?;
    let most = args.first.unwrap_or(u64::MAX);
    let wanted = match u32::try_from(most).map(NonZero::new) {
        Ok(Some(some)) => Wanted::Several(some),
        Ok(None) => Wanted::One,
        Err(_) => Wanted::All,
    };
    let (told, events) = mpsc::sync_channel(AHEAD);
    let mut settings = args.limits.settings();
    let stop = settings.stop.clone();
    settings.wanted = wanted;
    settings.observer = Observer::new(move |event| {
        let sent = match event {
            Event::At(share, text) => told.send(Told::At(share, text.to_owned())),
            Event::Placed(placement) => told.send(Told::Placed(placement.clone())),
            _ => Ok(()),
        };
        // The receiver is gone, so the work is cancelled.
        if sent.is_err() {
            stop.set();
        }
    });
    let question = Question::Queens(queens.clone());
    let asked = question.clone();
    let worker = thread::spawn(move || Method::from(Bdd).answer(&asked, &settings));
    let answered = || worker.join().unwrap_or_else(|panic| resume_unwind(panic));
    let progress = Progress::new(format_args!("{queens}: building the decision diagram"));
    let mut events = events.into_iter();
    let first = events.find_map(|told| match told {
        Told::Placed(placement) => Some(placement),
        Told::At(share, text) => {
            progress.show_share(share, None, format_args!("{queens}: {text}"));
            None
        }
    });
    drop(progress);
    let Some(first) = first else {
        let answered = answered();
        let record = &answered.record;
        return match record.status {
            Status::Count if args.json => {
                let object = JsonRecord::new(&question, &answered);
                let object = object.with("placement", json!(null));
                output::to(args.output.as_deref(), |out| Ok(output::json(out, &object)?))?;
                Ok(ExitCode::SUCCESS)
            }
            Status::Count => {
                write(queens, args, iter::empty())?;
                complain(&format!("{queens}: there is no placement"));
                Ok(ExitCode::SUCCESS)
            }
            Status::Memout | Status::Timeout => {
                complain(&format!(
                    "{queens}: {}; to find one placement in little memory, use `hamcnf queens {} solve`",
                    record.message,
                    queens.n()
                ));
                Ok(ExitCode::from(UNKNOWN))
            }
            _ => bail!("{}", record.message),
        };
    };
    let others = events.filter_map(|told| match told {
        Told::Placed(placement) => Some(placement),
        Told::At(..) => None,
    });
    let all = iter::once(first).chain(others);
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    let all = all.take(most);
    let (listed, answered) = match args.json {
        // The record of a run is known only at the end of the run.
        true => {
            let placements: Vec<_> = all.collect();
            let answered = answered();
            write_objects(queens, args, &question, &answered, &placements)?;
            (placements.len(), answered)
        }
        false => (write(queens, args, all)?, answered()),
    };
    if listed < most && !answered.complete {
        complain(&format!("{queens}: stopped by the {} before all placements were listed", limit()));
        return Ok(ExitCode::from(UNKNOWN));
    }
    Ok(ExitCode::SUCCESS)
}

/// Writes one JSON object per placement, and draws the placements.
fn write_objects(
    queens: &Queens,
    args: &Args,
    question: &Question,
    answered: &FinishedRun,
    placements: &[Placement],
) -> anyhow::Result<()> {
    let object = JsonRecord::new(question, answered);
    output::to(args.output.as_deref(), |out| {
        let mut out = BufWriter::new(out);
        for placement in placements {
            let placement = PlacementRecord::new(queens, placement);
            let object = object.clone().with("placement", json!(placement));
            output::json(&mut out, &object)?;
        }
        Ok(out.flush()?)
    })?;
    args.pictures.draw(queens, placements)
}

/// Writes one line per placement, and draws the placements. Returns their number.
fn write(queens: &Queens, args: &Args, placements: impl Iterator<Item = Placement>) -> anyhow::Result<usize> {
    let mut drawn: Vec<Placement> = Vec::new();
    let mut listed = 0;
    output::to(args.output.as_deref(), |out| {
        let mut out = BufWriter::new(out);
        for placement in placements {
            if args.squares {
                let squares = placement.squares(queens).into_iter();
                let names: Vec<_> = squares.map(|v| queens.board().square_name(v)).collect();
                writeln!(out, "{}", names.join(" "))?;
            } else {
                writeln!(out, "{placement}")?;
            }
            listed += 1;
            if args.pictures.are_wanted() {
                drawn.push(placement);
            }
        }
        Ok(out.flush()?)
    })?;
    args.pictures.draw(queens, &drawn)?;
    Ok(listed)
}
