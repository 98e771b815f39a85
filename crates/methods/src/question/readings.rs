//! Readings of a text: a file may have any name, `8x8 open` and `g+relabel=9` too, so that a text may mean several things.
//! Parsing lists them; only [`settle`](Readings::settle) looks at the disk, for the first file that exists.

use super::error::GraphSourceError;
use super::files::{Files, TextSource};

/// Readings of a text, the preferred one first.
#[derive(Debug)]
pub(super) struct Readings<T> {
    /// Readings that hold if their file exists.
    if_there: Vec<(TextSource, T)>,
    /// The reading that holds if none of these files exists, or why there is none.
    otherwise: Result<T, GraphSourceError>,
}

impl<T> Readings<T> {
    /// The only reading, or none.
    pub(super) fn certain(reading: Result<T, GraphSourceError>) -> Self {
        Self {
            if_there: Vec::new(),
            otherwise: reading,
        }
    }

    /// Readings of a text that has to be a file's.
    pub(super) fn of_files(if_there: Vec<(TextSource, T)>, none: GraphSourceError) -> Self {
        Self {
            if_there,
            otherwise: Err(none),
        }
    }

    /// True if a reading holds whatever files exist.
    pub(super) fn is_certain(&self) -> bool {
        self.otherwise.is_ok()
    }

    /// The error, if no file can make the text mean something.
    pub(super) fn possible(self) -> Result<Self, GraphSourceError> {
        match self.otherwise {
            Err(error) if self.if_there.is_empty() => Err(error),
            otherwise => Ok(Self { otherwise, ..self }),
        }
    }

    /// Changes each reading.
    pub(super) fn map<U>(self, mut to: impl FnMut(T) -> U) -> Readings<U> {
        let if_there = self.if_there.into_iter();
        Readings {
            if_there: if_there
                .map(|(source, reading)| (source, to(reading)))
                .collect(),
            otherwise: self.otherwise.map(to),
        }
    }

    /// Adds readings behind these, with their error in place of this one.
    pub(super) fn or(mut self, others: impl FnOnce() -> Self) -> Self {
        if self.is_certain() {
            return self;
        }
        let others = others();
        self.if_there.extend(others.if_there);
        self.otherwise = others.otherwise;
        self
    }

    /// Adds those of other readings that `to` makes behind these. The error stays.
    pub(super) fn or_some<U>(
        mut self,
        others: Readings<U>,
        mut to: impl FnMut(U) -> Option<T>,
    ) -> Self {
        if self.is_certain() {
            return self;
        }
        for (source, reading) in others.if_there {
            self.if_there
                .extend(to(reading).map(|reading| (source, reading)));
        }
        if let Some(reading) = others.otherwise.ok().and_then(to) {
            self.otherwise = Ok(reading);
        }
        self
    }

    /// Returns the reading that holds with these files. Looks which of them exist, and reads none.
    pub(super) fn settle(self, files: &Files) -> Result<T, GraphSourceError> {
        let mut if_there = self.if_there.into_iter();
        match if_there.find(|(source, _)| files.has(source)) {
            Some((_, reading)) => Ok(reading),
            None => self.otherwise,
        }
    }
}
