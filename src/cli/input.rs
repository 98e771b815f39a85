//! Sources of input: a file, or standard input for `-`, compressed or not.

use std::fmt::Display;
use std::io::{self, BufRead, IsTerminal};
use std::path::Path;

use hamcnf::question::TextSource;

use super::progress::Progress;

/// Returns the name of a file, or of standard input for `-`, for messages.
pub(crate) fn name(path: &Path) -> String {
    TextSource::named(path).to_string()
}

/// Returns a progress line about reading; `None` if the user types the input on this terminal.
pub(crate) fn progress(path: &Path, about: impl Display) -> Option<Progress> {
    let typed = path.as_os_str() == "-" && io::stdin().is_terminal();
    (!typed).then(|| Progress::new(format_args!("{about}: reading {}", name(path))))
}

/// Opens a file, or standard input for `-`, and decompresses it if necessary.
pub(crate) fn open(path: &Path) -> io::Result<Box<dyn BufRead>> {
    Ok(TextSource::named(path).open()?)
}

/// Opens a file like [`open`]. Reading fails within a line that is too long for any graph or clause.
pub(crate) fn lines(path: &Path) -> io::Result<Box<dyn BufRead>> {
    Ok(TextSource::named(path).lines()?)
}

/// Reads the whole text of a file, or of standard input for `-`.
pub(crate) fn text(path: &Path) -> io::Result<String> {
    TextSource::named(path).text()
}
