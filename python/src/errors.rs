//! Conversion of errors to the exceptions in the Python file `errors.py`, with the library's messages.

use std::fmt::Display;

use hamcnf::record::{Record, Status};
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::values::columns;

/// Kind of exception, with the name of its class in Python.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// Invalid question or argument.
    Error,
    /// Order of vertices that is not a tour.
    NotATour,
    /// Proof that does not prove the claim.
    NotVerified,
    /// Limit other than time or memory.
    LimitReached,
    /// Time limit that ended the work.
    OutOfTime,
    /// Memory limit that ended the work.
    OutOfMemory,
    /// Error during the work.
    Failed,
}

/// Conversion of a library's error to an exception with the error's message.
pub(crate) trait OrRaise<T> {
    fn or_raise(self, py: Python<'_>, kind: Kind) -> PyResult<T>;
}

impl<T, E: Display> OrRaise<T> for Result<T, E> {
    fn or_raise(self, py: Python<'_>, kind: Kind) -> PyResult<T> {
        self.map_err(|error| kind.says(py, &error))
    }
}

impl Kind {
    /// Returns the exception with this message.
    pub(crate) fn says(self, py: Python<'_>, words: &impl Display) -> PyErr {
        self.with(py, words, None)
    }

    fn with(self, py: Python<'_>, words: &impl Display, record: Option<&Record>) -> PyErr {
        let made = || {
            let class = py.import("hamcnf.errors")?.getattr(format!("{self:?}"))?;
            let made = class.call1((PyString::new(py, &words.to_string()),))?;
            if let Some(record) = record {
                made.setattr("record", columns(py, record)?)?;
            }
            Ok(made)
        };
        made().map_or_else(|error| error, PyErr::from_value)
    }
}

/// Returns the exception for an invalid question, with the library's message.
pub(crate) fn refused(py: Python<'_>, why: &impl Display) -> PyErr {
    Kind::Error.says(py, why)
}

/// Raises an exception if the run of a record ended without an answer.
pub(crate) fn expect_answer(py: Python<'_>, record: &Record) -> PyResult<()> {
    let kind = match record.status {
        status if status.is_answer() => return Ok(()),
        Status::Refused => Kind::Error,
        Status::Timeout => Kind::OutOfTime,
        Status::Memout => Kind::OutOfMemory,
        Status::AtLeast | Status::ConflictLimit | Status::GaveUp | Status::Stopped => Kind::LimitReached,
        _ => Kind::Failed,
    };
    let words = match (record.status, &record.value) {
        (Status::AtLeast, Some(number)) => format!("at least {number}: a limit was reached"),
        _ if record.message.is_empty() => record.status.to_string(),
        _ => record.message.clone(),
    };
    Err(kind.with(py, &words, Some(record)))
}
