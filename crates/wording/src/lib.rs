//! Errors of the readers of TOML, JSON and CSV, in words that name the offending value and no type of this program.

#![forbid(unsafe_code)]
#![allow(
    missing_docs,
    reason = "the inside of the program: a name that says enough needs no more"
)]

use std::ops::Range;

use hamcnf_graph::names::instead;
use serde::de::DeserializeOwned;

/// Reads a TOML file.
///
/// # Errors
///
/// One line that says what is wrong, with the number of the line.
pub fn toml<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    ::toml::from_str(text).map_err(|error| located(text, error.message(), error.span()))
}

/// A JSON error in words, with its line and column.
pub fn json(error: &serde_json::Error) -> String {
    let said = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    let message = said.strip_suffix(&place).unwrap_or(&said);
    match error.line() {
        0 => in_words(message),
        line => format!(
            "{} (line {line}, column {})",
            in_words(message),
            error.column()
        ),
    }
}

/// An error in a row of a CSV file, with its line and, if it is about one cell, its column and the cell.
pub fn csv(error: &::csv::Error, heading: &::csv::StringRecord, text: &str) -> String {
    match error.kind() {
        ::csv::ErrorKind::Deserialize { pos, err } => {
            let line = pos.as_ref().map_or(0, ::csv::Position::line);
            let row = || {
                let mut reader = ::csv::Reader::from_reader(text.as_bytes());
                let rows = reader.records().filter_map(Result::ok);
                let mut rows =
                    rows.skip_while(|row| row.position().map(::csv::Position::line) != Some(line));
                rows.next()
            };
            let at = err.field().and_then(|field| usize::try_from(field).ok());
            let cell = at.and_then(|at| Some((heading.get(at)?, row()?.get(at)?.to_owned())));
            match (err.kind(), cell) {
                (::csv::DeserializeErrorKind::Message(message), _) => {
                    format!("line {line}: {}", in_words(message))
                }
                (kind, Some((column, cell))) => {
                    let wanted = match kind {
                        ::csv::DeserializeErrorKind::ParseFloat(_) => "a number",
                        ::csv::DeserializeErrorKind::ParseBool(_) => "true or false",
                        _ => "a whole number, 0 or more, that is not too large",
                    };
                    format!("line {line}: {column} is '{cell}', and has to be {wanted}")
                }
                _ => format!("line {line}: a cell cannot be read"),
            }
        }
        ::csv::ErrorKind::UnequalLengths {
            pos,
            expected_len,
            len,
        } => {
            let line = pos.as_ref().map_or(0, ::csv::Position::line);
            format!("line {line}: it has {len} columns, and the heading has {expected_len}")
        }
        ::csv::ErrorKind::Utf8 { pos, .. } => {
            let line = pos.as_ref().map_or(0, ::csv::Position::line);
            format!("line {line}: it is not UTF-8 text")
        }
        _ => error.to_string(),
    }
}

/// A message with its line.
fn located(text: &str, message: &str, span: Option<Range<usize>>) -> String {
    let message = in_words(message);
    match span {
        Some(span) => {
            let before = text.get(..span.start).unwrap_or(text);
            format!("line {}: {message}", before.matches('\n').count() + 1)
        }
        None => message,
    }
}

/// A message of serde's in words. Messages of other origin stay as they are.
fn in_words(message: &str) -> String {
    let quoted = |text: &str| -> Vec<String> {
        let odd = text.split('`').skip(1).step_by(2);
        odd.map(str::to_owned).collect()
    };
    if let Some(rest) = message.strip_prefix("unknown field ") {
        let mut names = quoted(rest).into_iter();
        let wrong = names.next().unwrap_or_default();
        let known: Vec<_> = names.collect();
        let known = known.join(", ");
        return format!("there is no key '{wrong}'{}", instead(&wrong, &known));
    }
    if let Some(rest) = message.strip_prefix("missing field ") {
        return format!("the key '{}' is missing", quoted(rest).concat());
    }
    if let Some(rest) = message.strip_prefix("duplicate field ") {
        return format!("the key '{}' is there twice", quoted(rest).concat());
    }
    if message == "duplicate key" {
        return "a key is there twice".to_owned();
    }
    let typed = ["invalid type: ", "invalid value: "];
    let typed = typed.iter().find_map(|start| message.strip_prefix(start));
    if let Some((is, wanted)) = typed.and_then(|rest| rest.split_once(", expected ")) {
        return format!(
            "{} stands where {} has to be",
            value(is),
            wanted_in_words(wanted)
        );
    }
    let length = message.strip_prefix("invalid length ");
    if let Some((is, wanted)) = length.and_then(|rest| rest.split_once(", expected ")) {
        return format!(
            "a list of {is} stands where {} has to be",
            wanted_in_words(wanted)
        );
    }
    if message.starts_with("EOF while parsing") {
        return "the text ends too early".to_owned();
    }
    message.replace('\n', ", ")
}

/// A value as it was typed.
fn value(is: &str) -> String {
    let is = is.split(" as ").next().unwrap_or(is);
    match is {
        "sequence" => "a list".to_owned(),
        "map" => "a table".to_owned(),
        "null" | "unit value" | "Option value" => "nothing".to_owned(),
        _ => match (is.split_once('`'), is.split_once('"')) {
            (Some((_, value)), _) => value.trim_end_matches('`').to_owned(),
            (_, Some((_, value))) => format!("\"{value}"),
            _ => is.to_owned(),
        },
    }
}

fn wanted_in_words(wanted: &str) -> &str {
    match wanted {
        "a sequence" => "a list",
        "a map" => "a table",
        "a boolean" => "true or false",
        "a string" | "a borrowed string" => "text in quotation marks",
        "f32" | "f64" => "a number",
        "u8" | "u16" | "u32" | "i32" => "a whole number from 0 to 4294967295",
        "u64" | "i64" | "usize" | "u128" | "i128" => {
            "a whole number, 0 or more, that is not too large"
        }
        other if other.starts_with("struct ") => "a table",
        other => other,
    }
}
