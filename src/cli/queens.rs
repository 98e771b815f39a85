//! `hamcnf list 'N queens'`: lists placements of queens.

use std::iter;
use std::num::NonZero;
use std::panic::resume_unwind;
use std::sync::mpsc;
use std::thread;

use anyhow::bail;
use hamcnf::budget::Budget;
use hamcnf::json::JsonRecord;
use hamcnf::limits::Limits;
use hamcnf::method::{Bdd, Method};
use hamcnf::question::Question;
use hamcnf::record::Status;
use hamcnf::render::file::PlacementRecord;
use hamcnf::run::{Event, Observer, Settings, Share, Wanted};
use hamcnf::{Placement, Queens};
use serde_json::json;

use super::exit::{DONE, NO_TOUR, UNKNOWN};
use super::interrupt::limit;
use super::listing::{End, Form, Listing, Row};
use super::progress::Progress;
use super::{complain, drawing, output};

/// Maximum number of placements that are found but not yet written to the file.
const AHEAD: usize = 1024;

/// Message from the worker thread.
enum Message {
    At(Option<Share>, String),
    Placed(Placement),
}

/// Lists the placements in lexicographic order, from the decision diagram of all of them: for each column, the row of its
/// queen, numbered from 0.
pub(super) fn list(queens: &Queens, listing: &Listing, limits: Limits) -> anyhow::Result<u8> {
    let most = listing.limit.as_ref().map_or(u64::MAX, |most| u64::try_from(most).unwrap_or(u64::MAX));
    let wanted = match u32::try_from(most).map(NonZero::new) {
        Ok(Some(some)) => Wanted::Several(some),
        Ok(None) => Wanted::One,
        Err(_) => Wanted::All,
    };
    let (told, events) = mpsc::sync_channel(AHEAD);
    let mut settings = Settings { limits, memory: limits.memory, wanted, ..Settings::default() };
    let stop = settings.stop.clone();
    settings.observer = Observer::new(move |event| {
        let sent = match event {
            Event::At(share, text) => told.send(Message::At(share, text.to_owned())),
            Event::Placed(placement) => told.send(Message::Placed(placement.clone())),
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
        Message::Placed(placement) => Some(placement),
        Message::At(share, text) => {
            progress.show_share(share, format_args!("{queens}: {text}"));
            None
        }
    });
    drop(progress);
    let Some(first) = first else {
        let answered = answered();
        let record = &answered;
        return match record.status {
            Status::Count => {
                write_list(queens, listing, None, &mut iter::empty())?;
                complain(&format!("{queens}: there is no placement"));
                Ok(NO_TOUR)
            }
            Status::Memout | Status::Timeout => {
                complain(&format!(
                    "{queens}: {}; to find one placement in little memory, use `hamcnf solve '{queens}'`",
                    record.message
                ));
                Ok(UNKNOWN)
            }
            _ => bail!("{}", record.message),
        };
    };
    let others = events.filter_map(|told| match told {
        Message::Placed(placement) => Some(placement),
        Message::At(..) => None,
    });
    let mut all = iter::once(first).chain(others);
    let (end, answered) = match listing.form() {
        // The record of a run is known only at the end of the run.
        Form::Json => {
            let placements: Vec<_> = all.take(usize::try_from(most).unwrap_or(usize::MAX)).collect();
            let answered = answered();
            let object = JsonRecord::new(&question, &answered);
            (write_list(queens, listing, Some(&object), &mut placements.into_iter())?, answered)
        }
        _ => {
            let end = write_list(queens, listing, None, &mut all)?;
            drop(all);
            (end, answered())
        }
    };
    if end == End::Complete && !answered.complete {
        complain(&format!("{queens}: stopped by the {} before all placements were listed", limit()));
        return Ok(UNKNOWN);
    }
    Ok(DONE)
}

/// Writes and draws the placements. Returns the event that ended the list. `object` is the record of the run that found them, for JSON.
fn write_list(
    queens: &Queens,
    listing: &Listing,
    object: Option<&JsonRecord>,
    placements: &mut dyn Iterator<Item = Placement>,
) -> anyhow::Result<End> {
    let mut drawn: Vec<Placement> = Vec::new();
    let mut placements = placements.map(Ok);
    let (_, end) = listing.write(&Budget::default(), None, &mut placements, &mut |out, k, placement| {
        match (listing.form(), object) {
            (Form::Json, Some(object)) => {
                let placement = PlacementRecord::new(queens, &placement);
                output::json(out, &object.clone().with("placement", json!(placement)))?;
            }
            (Form::Board, _) => {
                let board = drawing::queens_in_terminal(queens, &placement);
                writeln!(out, "{}", drawing::coloured(board, listing.output.as_deref()))?;
            }
            (Form::Csv, _) => {
                let (rank, tour) = (k.to_string(), placement.to_string());
                output::csv_row(out, &Row { rank: Some(&rank), tour }, k == 0)?;
            }
            (Form::Squares, _) => {
                let squares = placement.squares(queens).into_iter();
                let names: Vec<_> = squares.map(|v| queens.board().square_name(v)).collect();
                writeln!(out, "{}", names.join(" "))?;
            }
            _ => writeln!(out, "{placement}")?,
        }
        if listing.drawing.is_given() {
            drawn.push(placement);
        }
        Ok(())
    })?;
    listing.drawing.write_placements(queens, &drawn)?;
    Ok(end)
}
