//! Showing that there is no tour, so that others can check it.
//!
//! - From the clauses of an encoding, in a [`proof`](hamcnf_engines::proof): by the solver alone (`solver.rs`), by cuts in rounds
//!   (`cuts.rs`), by the propagator for circuits (`circuit.rs`), or by counting (`counted/`), which resolution cannot. What was solved with clauses
//!   that the formula does not have has each of them derived before it is used (`derived.rs`), in steps that
//!   [`hamcnf_encodings::derivation`] finds. The instance that these clauses are about is in `instance.rs`.
//! - From the graph alone, by a reason of a few lines: `certificate.rs`.
//!
//! `checked.rs` checks the first of these from files; the second is checked by [`hamcnf_check::certificate`].

pub mod certificate;
pub mod checked;
pub mod circuit;
pub mod counted;
pub mod cuts;
pub mod derived;
pub mod instance;
pub mod solver;

use hamcnf_encodings::{Encoding, Tour};
use hamcnf_engines::proof::Size;

use self::certificate::NoOrder;

/// The encoding that proofs from clauses are about where no other is asked for: cuts are derived of it.
pub const BASIS: &str = "precedence";

/// What comes of looking for a proof.
#[derive(Clone, PartialEq, Debug)]
pub enum Refutation {
    /// There is no tour, and the proof is complete but for its end.
    NoTour,
    /// There is one.
    Tour(Tour),
    /// Neither was found out before this was over.
    Stopped,
    /// Nor with as much work as was allowed.
    GaveUp,
}

/// A proof that was written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProofInformation {
    /// Size of the file; a certificate has no steps.
    pub size: Size,
    /// The encoding whose clauses the steps start from; `None` for a certificate.
    pub encoding: Option<Encoding>,
}

/// Reason that the proof of a known "no tour" is missing.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ProofMissing {
    /// The graph is too small for proofs.
    #[error("a graph of fewer than 3 vertices needs no proof")]
    Small,
    /// A limit or an interrupt ended the search for the proof.
    #[error("a limit came before its end")]
    Limit,
    /// The graph has no certificate.
    #[error(
        "certificates (.cert) are of reasons that are seen at once and of narrow graphs, and this answer is neither: {0}"
    )]
    NoCertificate(NoOrder),
    /// An error, or a refusal, in words.
    #[error("{0}")]
    Failed(String),
}

impl From<NoOrder> for ProofMissing {
    fn from(error: NoOrder) -> Self {
        match error {
            NoOrder::Small => Self::Small,
            NoOrder::Late(_) => Self::Limit,
            NoOrder::Wide(_) => Self::NoCertificate(error),
            NoOrder::Graph(_) => Self::Failed(error.to_string()),
        }
    }
}
