//! The formula that a count works on: an encoding, and a projection set of its variables.

use hamcnf_encodings::{AtMostOne, Encoding, Projection};

/// An encoding and a projection set, each with the method's default if it is `None`.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Formulated {
    /// The encoding; by default the counting encoding, or for `enumerate` the fastest.
    pub encoding: Option<Encoding>,
    /// The projection set; by default the smallest independent support.
    pub project: Option<Projection>,
    /// Encoding of at most one queen in a line; it is for placements only.
    pub at_most_one: AtMostOne,
}

impl Formulated {
    /// True if it can be about tours.
    pub(super) fn is_for_tours(&self) -> bool {
        self.at_most_one == AtMostOne::default()
    }
}
