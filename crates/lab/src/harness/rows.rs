//! Rows of results as CSV text: their heading, reading and writing.

use std::fmt::Display;
use std::fs;
use std::io;
use std::path::Path;

use crate::LabError;
use hamcnf_methods::record::{OtherSchema, Record, SCHEMA};

/// Returns the complete rows in a file. A missing or empty file has no rows.
pub(super) fn rows_in(file: &Path) -> Result<Vec<Record>, LabError> {
    match fs::read_to_string(file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(LabError::new(error)),
        Ok(text) => match complete(file, &text) {
            "" => Ok(Vec::new()),
            text => read_rows(text),
        },
    }
}

/// Returns the complete rows in the text of a file. The last row of an unfinished run is incomplete if the run was
/// interrupted while writing.
pub(crate) fn complete<'t>(file: &Path, text: &'t str) -> &'t str {
    let is_part = file.extension().is_some_and(|ending| ending == "part");
    let end = if is_part { text.rfind('\n').map_or(0, |end| end + 1) } else { text.len() };
    &text[..end]
}

/// Reads rows below their heading.
///
/// # Errors
///
/// [`LabError`], with the line of the mistake.
pub fn read_rows(text: &str) -> Result<Vec<Record>, LabError> {
    let mut lines = text.lines();
    if lines.next().unwrap_or_default().as_bytes() != header().trim_ascii_end() {
        // Another schema may have other columns, but its rows begin with its number.
        let schema = || lines.next()?.split(',').next()?.parse().ok();
        let other = text.starts_with(FIRST_COLUMNS).then(schema).flatten().filter(|&schema| schema != SCHEMA);
        return Err(match other {
            Some(schema) => LabError::new(format_args!("line 2: {}", OtherSchema(schema))),
            None => LabError::new("the columns differ from the columns of hamcnf's rows"),
        });
    }
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let heading = reader.headers().cloned().unwrap_or_default();
    reader
        .records()
        .map(|row| {
            let row = row.map_err(LabError::new)?;
            record(&row, &heading).map_err(|error| mistake_in(&row, &heading, &error))
        })
        .collect()
}

fn record(row: &csv::StringRecord, heading: &csv::StringRecord) -> Result<Record, csv::Error> {
    let heading = Some(heading);
    Ok(Record { asked: row.deserialize(heading)?, result: row.deserialize(heading)?, made: row.deserialize(heading)? })
}

/// Describes an invalid row by its line number. If a single cell is invalid, the description also states the column and
/// the text of the cell.
fn mistake_in(row: &csv::StringRecord, heading: &csv::StringRecord, error: &csv::Error) -> LabError {
    let line = row.position().map_or(0, csv::Position::line);
    let in_line = |why: &dyn Display| LabError::new(format_args!("line {line}: {why}"));
    let csv::ErrorKind::Deserialize { err, .. } = error.kind() else { return in_line(error) };
    let at = err.field().and_then(|field| usize::try_from(field).ok());
    match at.and_then(|at| Some((heading.get(at)?, row.get(at)?))) {
        Some((column, cell)) => in_line(&format_args!("{column} is \"{cell}\": {}", err.kind())),
        None => in_line(err.kind()),
    }
}

/// Formats records as CSV rows. Without rows, as in a shard without jobs, there is still a heading.
pub(super) fn csv(rows: &[Record], with_heading: bool) -> Vec<u8> {
    if rows.is_empty() && with_heading {
        return header();
    }
    let mut csv = csv::WriterBuilder::new().has_headers(with_heading).from_writer(Vec::new());
    for row in rows {
        csv.serialize(row).expect("a row can be serialized");
    }
    csv.into_inner().expect("writing to memory does not fail")
}

/// Beginning of the heading of rows, whatever their schema.
pub(crate) const FIRST_COLUMNS: &str = "schema,question,";

/// Returns the heading of rows.
fn header() -> Vec<u8> {
    let method = hamcnf_methods::method::Method::from(hamcnf_methods::method::Exact::default());
    let row = Record::new("", "", &method, 0, &hamcnf_graph::limits::Limits::default());
    let mut text = csv(&[row], true);
    text.truncate(text.iter().position(|&b| b == b'\n').map_or(0, |end| end + 1));
    text
}
