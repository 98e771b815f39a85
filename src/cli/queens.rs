//! `hamcnf list 'N queens'`: lists placements of queens.

use std::num::NonZero;
use std::sync::mpsc;
use std::time::Instant;

use anyhow::bail;
use hamcnf::budget::Budget;
use hamcnf::json::JsonRecord;
use hamcnf::limits::Limits;
use hamcnf::method::{Bdd, Method};
use hamcnf::question::Question;
use hamcnf::record::Status;
use hamcnf::render::file::PlacementRecord;
use hamcnf::run::{Event, Observer, Settings, Wanted};
use hamcnf::{Placement, Queens};
use serde_json::json;

use super::ask::{ask, why_stopped};
use super::exit::{DONE, NO_TOUR, UNKNOWN};
use super::interrupt::limit;
use super::listing::{Form, Listing, Row};
use super::{complain, drawing, output};

/// Lists the placements in lexicographic order, from the decision diagram of all of them: for each column, the row of its
/// queen, numbered from 0.
pub(super) fn list(queens: &Queens, listing: &Listing, limits: Limits) -> anyhow::Result<u8> {
    let began = Instant::now();
    let wanted = match listing.limit.as_ref().map(u32::try_from) {
        Some(Ok(most)) => NonZero::new(most).map_or(Wanted::One, Wanted::Several),
        Some(Err(_)) | None => Wanted::All,
    };
    let (found, placed) = mpsc::channel();
    let observer = Observer::new(move |event| {
        if let Event::Placed(placement) = event {
            // The receiver exists until this function returns. Later placements are lost.
            let _ = found.send(placement.clone());
        }
    });
    let question = Question::Queens(queens.clone());
    let settings = Settings { limits, memory: limits.memory, wanted, observer, ..Settings::default() };
    let subject = queens.to_string();
    let doing = (subject.as_str(), "building the decision diagram");
    let record = ask(&question, &Method::from(Bdd), settings, began, doing, &mut |_| ());
    let placed: Vec<_> = placed.try_iter().collect();
    let is_none = record.value == Some(0_u64.into());
    if record.status == Status::Count || !placed.is_empty() {
        write_list(queens, listing, &JsonRecord::new(&question, &record), &placed)?;
    }
    match record.status {
        Status::Count if is_none => {
            complain(&format!("{queens}: there is no placement"));
            Ok(NO_TOUR)
        }
        Status::Count if record.complete || matches!(wanted, Wanted::One | Wanted::Several(_)) => Ok(DONE),
        _ if !placed.is_empty() => {
            complain(&format!("{queens}: stopped by the {} before all placements were listed", limit()));
            Ok(UNKNOWN)
        }
        Status::Count | Status::Memout | Status::Timeout | Status::Stopped => {
            complain(&format!(
                "{queens}: {}; to find one placement in little memory, use `hamcnf solve '{queens}'`",
                why_stopped(&record)
            ));
            Ok(UNKNOWN)
        }
        _ => bail!("{}", record.message),
    }
}

/// Writes and draws the placements. `object` is the record of the run that found them.
fn write_list(queens: &Queens, listing: &Listing, object: &JsonRecord, placed: &[Placement]) -> anyhow::Result<()> {
    listing.write(
        &Budget::default(),
        None,
        &mut placed.iter().map(Ok),
        &mut |out, k, placement| match listing.form() {
            Form::Json => {
                let placement = PlacementRecord::new(queens, placement);
                output::json(out, &object.clone().with("placement", json!(placement)))
            }
            Form::Board => {
                let board = drawing::queens_in_terminal(queens, placement);
                writeln!(out, "{}", drawing::coloured(board, listing.output.as_deref()))
            }
            Form::Csv => {
                let (rank, tour) = (k.to_string(), placement.to_string());
                output::csv_row(out, &Row { rank: Some(&rank), tour }, k == 0)
            }
            Form::Squares => {
                let squares = placement.squares(queens).into_iter();
                let names: Vec<_> = squares.map(|v| queens.board().square_name(v)).collect();
                writeln!(out, "{}", names.join(" "))
            }
            Form::Text => writeln!(out, "{placement}"),
        },
    )?;
    listing.drawing.write_placements(queens, placed)
}
