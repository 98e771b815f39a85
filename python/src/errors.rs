//! What went wrong, as exceptions of the Python file `errors.py`, with the library's own words.

use std::fmt::Display;

use hamcnf::record::{Record, Status};
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::values::columns;

/// Which exception.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// What is asked cannot be.
    Error,
    /// An order of vertices is no tour.
    NotATour,
    /// A proof proves nothing.
    NotVerified,
    /// A limit other than those of time and memory came first.
    LimitReached,
    /// The time was over.
    OutOfTime,
    /// There was no more memory.
    OutOfMemory,
    /// The work failed.
    Failed,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::Error => "Error",
            Self::NotATour => "NotATour",
            Self::NotVerified => "NotVerified",
            Self::LimitReached => "LimitReached",
            Self::OutOfTime => "OutOfTime",
            Self::OutOfMemory => "OutOfMemory",
            Self::Failed => "Failed",
        }
    }

    /// The exception with these words.
    pub(crate) fn says(self, py: Python<'_>, words: &impl Display) -> PyErr {
        self.with(py, words, None)
    }

    fn with(self, py: Python<'_>, words: &impl Display, record: Option<&Record>) -> PyErr {
        let made = || {
            let class = py.import("hamcnf.errors")?.getattr(self.name())?;
            let words = PyString::new(py, &words.to_string());
            let made = class.call1((words,))?;
            if let Some(record) = record {
                made.setattr("record", columns(py, record)?)?;
            }
            Ok(made)
        };
        made().map_or_else(|error| error, PyErr::from_value)
    }
}

/// What cannot be asked, in the library's words.
pub(crate) fn refused(py: Python<'_>, why: &impl Display) -> PyErr {
    Kind::Error.says(py, why)
}

/// The exception for a record without an answer; `None` for one that has one.
pub(crate) fn without_answer(py: Python<'_>, record: &Record) -> Option<PyErr> {
    let kind = match record.status {
        Status::Tour | Status::NoTour | Status::Count | Status::Estimate | Status::Size => {
            return None;
        }
        Status::Refused => Kind::Error,
        Status::Timeout => Kind::OutOfTime,
        Status::Memout => Kind::OutOfMemory,
        Status::AtLeast | Status::ConflictLimit | Status::GaveUp | Status::Stopped => {
            Kind::LimitReached
        }
        _ => Kind::Failed,
    };
    let words = match (record.status, &record.value) {
        (Status::AtLeast, Some(number)) => format!("at least {number}: a limit came first"),
        _ if record.message.is_empty() => record.status.to_string(),
        _ => record.message.clone(),
    };
    Some(kind.with(py, &words, Some(record)))
}
