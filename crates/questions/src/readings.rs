//! Readings of a text: its possible meanings. A text may have several readings, because a file may have any name, even
//! `8x8 open` or `g+relabel=9`. Parsing lists the readings. Only [`settle`](Readings::settle) accesses the disk, to
//! find the first reading whose file exists.

use super::error::GraphSourceError;
use super::files::{Files, TextSource};

/// Possible meanings of a text, the preferred meaning first.
#[derive(Debug)]
pub(super) struct Readings<T> {
    /// Readings of the text as a file name, each with the file. The first reading whose file exists applies.
    if_there: Vec<(TextSource, T)>,
    /// Reading that applies if no file in `if_there` exists, or the error if the text must name a file.
    otherwise: Result<T, GraphSourceError>,
}

impl<T> Readings<T> {
    /// Creates readings with a single meaning, which does not depend on existing files. The meaning may be an error.
    pub(super) fn certain(reading: Result<T, GraphSourceError>) -> Self {
        Self { if_there: Vec::new(), otherwise: reading }
    }

    /// Creates the readings of a text that must be a file name. The error `none` applies if none of the files exists.
    pub(super) fn of_files(if_there: Vec<(TextSource, T)>, none: GraphSourceError) -> Self {
        Self { if_there, otherwise: Err(none) }
    }

    /// True if the text has a reading even if no file exists.
    pub(super) fn is_certain(&self) -> bool {
        self.otherwise.is_ok()
    }

    /// Returns the readings unchanged, or the error if there are no readings.
    pub(super) fn possible(self) -> Result<Self, GraphSourceError> {
        match self.otherwise {
            Err(error) if self.if_there.is_empty() => Err(error),
            otherwise => Ok(Self { otherwise, ..self }),
        }
    }

    /// Converts each reading with `to`.
    pub(super) fn map<U>(self, mut to: impl FnMut(T) -> U) -> Readings<U> {
        let if_there = self.if_there.into_iter();
        Readings {
            if_there: if_there.map(|(source, reading)| (source, to(reading))).collect(),
            otherwise: self.otherwise.map(to),
        }
    }

    /// Appends the readings of `others`, including the reading that needs no file. Does nothing if there already is a
    /// reading that needs no file.
    pub(super) fn or(mut self, others: impl FnOnce() -> Self) -> Self {
        if self.is_certain() {
            return self;
        }
        let others = others();
        self.if_there.extend(others.if_there);
        self.otherwise = others.otherwise;
        self
    }

    /// Appends the readings of `others` that `to` can convert, and ignores the error of `others`. Does nothing if there
    /// already is a reading that needs no file.
    pub(super) fn or_some<U>(mut self, others: Readings<U>, mut to: impl FnMut(U) -> Option<T>) -> Self {
        if self.is_certain() {
            return self;
        }
        for (source, reading) in others.if_there {
            self.if_there.extend(to(reading).map(|reading| (source, reading)));
        }
        if let Some(reading) = others.otherwise.ok().and_then(to) {
            self.otherwise = Ok(reading);
        }
        self
    }

    /// Returns the first reading whose file exists, or else the reading that needs no file. Checks which files exist,
    /// but does not read them.
    pub(super) fn settle(self, files: &Files) -> Result<T, GraphSourceError> {
        let mut if_there = self.if_there.into_iter();
        match if_there.find(|(source, _)| files.has(source)) {
            Some((_, reading)) => Ok(reading),
            None => self.otherwise,
        }
    }
}
