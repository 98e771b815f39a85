//! How much is said on standard error beside errors: `--quiet` and `--verbose`, which the words of the command set once.

use std::sync::OnceLock;

use super::complain;

/// How much is said.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Loudness {
    /// Errors only.
    Quiet,
    /// Warnings and notes; progress on terminals, and of several things how each ended.
    Usual,
    /// Progress without a terminal too.
    Verbose,
}

static LOUDNESS: OnceLock<Loudness> = OnceLock::new();

/// From now on so much is said. Only the first counts.
pub(super) fn set(verbosity: Loudness) {
    let _ = LOUDNESS.set(verbosity);
}

fn is(verbosity: Loudness) -> bool {
    *LOUDNESS.get().unwrap_or(&Loudness::Usual) == verbosity
}

/// Whether nothing but errors is said.
pub(super) fn is_quiet() -> bool {
    is(Loudness::Quiet)
}

/// Whether progress is said in whole lines where it cannot be shown.
pub(super) fn is_verbose() -> bool {
    is(Loudness::Verbose)
}

/// One line on standard error about what is no error.
pub(super) fn note(message: &str) {
    if !is_quiet() {
        complain(message);
    }
}
