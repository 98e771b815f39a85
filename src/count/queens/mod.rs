//! How many placements of queens there are, in several ways; by a decision diagram: `diagram.rs`.

#[cfg(feature = "diagrams")]
mod diagram;

#[cfg(feature = "diagrams")]
pub use diagram::*;

use hamcnf_encodings::named;

use super::external::{ApproxMc, Counter, Ganak};

/// Ways to count placements.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Method {
    /// By the decision diagram of this module.
    Bdd,
    /// Every placement by CaDiCaL.
    Enumerate,
    /// ApproxMC on the clauses: an estimate within a factor.
    Approxmc,
    /// Ganak on the clauses.
    Ganak,
}

named!(Method, "method", {
    Bdd => "bdd",
    Enumerate => "enumerate",
    Approxmc => "approxmc",
    Ganak => "ganak",
});

impl Method {
    /// The model counter that it needs, with its own settings.
    #[must_use]
    pub fn counter(self) -> Option<Counter> {
        match self {
            Self::Approxmc => Some(Counter::ApproxMc(ApproxMc::DEFAULT)),
            Self::Ganak => Some(Counter::Ganak(Ganak::DEFAULT)),
            Self::Bdd | Self::Enumerate => None,
        }
    }
}
