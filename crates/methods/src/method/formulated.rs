//! Formula that a count works on: an encoding and a projection set of its variables.

use hamcnf_encodings::{AtMostOne, Encoding, Projection};

/// Encoding and projection set. `None` means the default of the method.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Formulated {
    /// Encoding of the formula; by default the counting encoding, or the fastest encoding for `enumerate`.
    pub encoding: Option<Encoding>,
    /// Projection set that the count is about; by default the smallest independent support.
    pub project: Option<Projection>,
    /// Encoding of at most one queen in a line; used for placements only.
    pub at_most_one: AtMostOne,
}

impl Formulated {
    /// True if the settings can apply to tours, that is, if the setting for queens has its default.
    pub(super) fn is_for_tours(&self) -> bool {
        self.at_most_one == AtMostOne::default()
    }
}
