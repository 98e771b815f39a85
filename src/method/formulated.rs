//! The formula that a count works on: an encoding, and a projection set of its variables.

use hamcnf_encodings::{Encoding, Projection};

/// An encoding and a projection set, each with the method's default if it is `None`.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Formulated {
    /// The encoding; by default the counting encoding, or for `enumerate` the fastest.
    pub encoding: Option<Encoding>,
    /// The projection set; by default the smallest independent support.
    pub project: Option<Projection>,
}
