//! The exit codes of SAT solvers, which commands that look for something have too.

/// There is one.
pub(crate) const TOUR: u8 = 10;
/// There is none.
pub(crate) const NO_TOUR: u8 = 20;
/// That is not known.
pub(crate) const UNKNOWN: u8 = 0;
/// No tour exists, but the required proof could not be written.
pub(crate) const WITHOUT_PROOF: u8 = 1;
