//! Experiments: plans, jobs that run in child processes, result rows, shards, and reports on rows.
//!
//! - [`experiment`]: experiment files and their jobs.
//! - [`harness`]: runs jobs in child processes, stores their rows, and handles shards.
//! - [`report`]: tables, charts, pages and exports of rows.
//! - [`benchmark`]: questions with known answers. Each answer is computed again and verified when benchmark files are made.
//!
//! The crate does not parse command lines and prints nothing.

#![forbid(unsafe_code)]
#![allow(missing_docs, reason = "internal crate: self-explanatory names need no docs")]

pub mod benchmark;
pub mod experiment;
pub mod harness;
pub mod report;

use std::fmt::Display;
use std::io;
use std::path::Path;

/// Error of an experiment, its rows or a report: what is wrong and, if not obvious, what to type instead.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct LabError(String);

impl LabError {
    pub(crate) fn new(message: impl Display) -> Self {
        Self(message.to_string())
    }

    pub(crate) fn in_file(file: &Path, why: impl Display) -> Self {
        Self(format!("{}: {why}", file.display()))
    }
}

/// Returns a function that describes why a file or folder could not be read or written; `verb` is one of these verbs.
pub(crate) fn cannot(verb: &str, file: &Path) -> impl Fn(io::Error) -> LabError {
    move |error| LabError(format!("cannot {verb} {}: {error}", file.display()))
}
