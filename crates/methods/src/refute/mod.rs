//! Showing that there is no tour, so that others can check it.
//!
//! - From the clauses of an encoding, in a [`proof`](hamcnf_engines::proof): by the solver alone (`solver.rs`), by cuts in rounds
//!   (`cuts.rs`), by the propagator for circuits (`circuit.rs`), or by counting (`counted/`), which resolution cannot. What was solved with clauses
//!   that the formula does not have has each of them derived before it is used (`derived.rs`), in steps that
//!   [`hamcnf_encodings::derivation`] finds. What these clauses are about where an open tour may begin or has to end
//!   anywhere is in `about.rs`.
//! - From the graph alone, by a reason of a few lines: `certificate.rs`.
//!
//! `checked.rs` checks the first of these from files; the second is checked by [`hamcnf_check::certificate`].

pub mod about;
pub mod certificate;
pub mod checked;
pub mod circuit;
pub mod counted;
pub mod cuts;
pub mod derived;
pub mod solver;

use hamcnf_encodings::Tour;

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
