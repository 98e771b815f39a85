//! Where input comes from: a file, or standard input for `-`; compressed or not.

use std::fmt::Display;
use std::io::{self, BufRead, IsTerminal};
use std::path::Path;

use hamcnf::question::{SourceError, TextSource};

use super::progress::Progress;

/// What it is called in messages.
pub(crate) fn name(path: &Path) -> String {
    TextSource::named(path).to_string()
}

/// A line that an answer about something is read from there, unless it is typed in on this terminal.
pub(crate) fn progress(path: &Path, about: impl Display) -> Option<Progress> {
    let typed = path.as_os_str() == "-" && io::stdin().is_terminal();
    (!typed).then(|| Progress::new(format_args!("{about}: reading {}", name(path))))
}

/// A reader of it.
pub(crate) fn open(path: &Path) -> io::Result<Box<dyn BufRead>> {
    TextSource::named(path).open()
}

/// All of its text.
pub(crate) fn text(path: &Path) -> Result<String, SourceError> {
    TextSource::named(path).text()
}
