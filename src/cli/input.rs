//! Where input comes from: a file, or standard input for `-`; compressed or not.

use std::io::{self, BufRead};
use std::path::Path;

use hamcnf::harness::source::{Source, SourceError};

/// What it is called in messages.
pub(crate) fn name(path: &Path) -> String {
    Source::named(path).to_string()
}

/// A reader of it.
pub(crate) fn open(path: &Path) -> io::Result<Box<dyn BufRead>> {
    Source::named(path).open()
}

/// All of its text.
pub(crate) fn text(path: &Path) -> Result<String, SourceError> {
    Source::named(path).text()
}
