//! A line on standard error that says how far something is, where that is a terminal.

use std::io::{self, IsTerminal, Write};
use std::time::Duration;

/// The line, rewritten at most once a second.
pub(crate) struct Progress {
    shown: Option<u64>,
    terminal: bool,
}

impl Progress {
    pub(crate) fn new() -> Self {
        Self {
            shown: None,
            terminal: io::stderr().is_terminal(),
        }
    }

    /// Shows the text and the time, if another second has passed.
    pub(crate) fn show(&mut self, elapsed: Duration, text: &str) {
        let seconds = elapsed.as_secs();
        if self.terminal && seconds > 0 && self.shown != Some(seconds) {
            self.shown = Some(seconds);
            // Progress is a courtesy: that it cannot be written stops nothing.
            let _ = write!(io::stderr(), "\r{text}, {seconds} s");
        }
    }

    /// Shows the text at once.
    pub(crate) fn step(&mut self, text: &str) {
        if self.terminal {
            self.shown = Some(0);
            let _ = write!(io::stderr(), "\r\u{1b}[K{text}");
        }
    }

    /// Removes the line.
    pub(crate) fn clear(&self) {
        if self.shown.is_some() {
            let _ = write!(io::stderr(), "\r\u{1b}[K");
        }
    }
}
