//! Verbosity of standard error beside errors: `--quiet` and `--verbose`, set once from the command's words.

use std::sync::OnceLock;

use super::complain;

/// Amount of output on standard error.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Loudness {
    /// Errors only.
    Quiet,
    /// Errors, warnings and notes; progress on terminals; and of several items how each ended.
    Usual,
    /// Progress without a terminal too.
    Verbose,
}

static LOUDNESS: OnceLock<Loudness> = OnceLock::new();

/// Sets the verbosity. Only the first call counts.
pub(super) fn set(verbosity: Loudness) {
    let _ = LOUDNESS.set(verbosity);
}

fn is(verbosity: Loudness) -> bool {
    *LOUDNESS.get().unwrap_or(&Loudness::Usual) == verbosity
}

/// True if only errors are printed.
pub(super) fn is_quiet() -> bool {
    is(Loudness::Quiet)
}

/// True if progress is printed in whole lines when it cannot be shown as a moving line.
pub(super) fn is_verbose() -> bool {
    is(Loudness::Verbose)
}

/// Prints one line on standard error that is no error.
pub(super) fn note(message: &str) {
    if !is_quiet() {
        complain(message);
    }
}
