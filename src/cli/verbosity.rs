//! Verbosity: how much appears on standard error in addition to errors. `--quiet` and `--verbose` set it once.

use std::sync::OnceLock;

use super::complain;

/// Amount of output on standard error.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Verbosity {
    /// Errors only.
    Quiet,
    /// Errors, warnings and notes; progress on terminals; the outcome of each of several items.
    Usual,
    /// Everything that [`Verbosity::Usual`] prints, and progress in whole lines if standard error is not a terminal.
    Verbose,
}

static VERBOSITY: OnceLock<Verbosity> = OnceLock::new();

/// Sets the verbosity. Only the first call has an effect.
pub(super) fn set(verbosity: Verbosity) {
    let _ = VERBOSITY.set(verbosity);
}

fn is(verbosity: Verbosity) -> bool {
    *VERBOSITY.get().unwrap_or(&Verbosity::Usual) == verbosity
}

/// True if only errors are printed.
pub(super) fn is_quiet() -> bool {
    is(Verbosity::Quiet)
}

/// True if progress is printed in whole lines when it cannot be shown as an animated line.
pub(super) fn is_verbose() -> bool {
    is(Verbosity::Verbose)
}

/// Prints a note or a warning in one line on standard error, unless output is quiet.
pub(super) fn note(message: &str) {
    if !is_quiet() {
        complain(message);
    }
}
