//! Where input comes from: a file, or standard input for `-`.

use std::fmt::Display;
use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal, Read};
use std::path::Path;

use super::progress::Progress;

/// What it is called in messages.
pub(crate) fn name(path: &Path) -> String {
    if path.as_os_str() == "-" {
        "standard input".to_owned()
    } else {
        path.display().to_string()
    }
}

/// A line that an answer about something is read from there, unless it is typed in on this terminal.
pub(crate) fn progress(path: &Path, about: impl Display) -> Option<Progress> {
    let typed = path.as_os_str() == "-" && io::stdin().is_terminal();
    (!typed).then(|| Progress::new(format_args!("{about}: reading {}", name(path))))
}

/// A reader of it.
pub(crate) fn open(path: &Path) -> io::Result<Box<dyn BufRead>> {
    Ok(if path.as_os_str() == "-" {
        Box::new(io::stdin().lock())
    } else {
        Box::new(BufReader::new(File::open(path)?))
    })
}

/// All of its text.
pub(crate) fn text(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    open(path)?.read_to_string(&mut text)?;
    Ok(text)
}
