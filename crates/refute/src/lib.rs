//! Proofs that there is no tour, in formats that independent checkers can read.
//!
//! - Proofs from the clauses of an encoding, in a [`proof`](hamcnf_sat::proof). There are four provers: the solver
//!   alone (`solver.rs`), lazy subtour-elimination constraints, called cuts (`cuts.rs`), the propagator for circuits
//!   (`circuit.rs`), and counting (`counted/`), for which resolution needs too many steps. If the solver uses clauses
//!   that the formula does not have, each of them is derived first (`derived.rs`), in steps that
//!   [`hamcnf_encodings::derivation`] finds. `instance.rs` contains the instance that the clauses encode.
//! - Proofs from the graph alone, by a certificate of a few lines (`certificate.rs`).
//!
//! `checked.rs` checks proofs in files. [`hamcnf_check::certificate`] checks certificates on the graph.

#![forbid(unsafe_code)]
#![allow(missing_docs, reason = "internal crate: self-explanatory names need no docs")]

pub mod certificate;
pub mod checked;
pub mod circuit;
pub mod counted;
pub mod cuts;
pub mod derived;
pub mod instance;
pub mod solver;

use hamcnf_encodings::{EncodeError, Encoding, Formula};
use hamcnf_sat::proof::Size;
use hamcnf_sat::solve::{SolveError, defaults, each_clause};
use hamcnf_tours::{Instance, Tour};

use self::certificate::NoOrder;

/// Default encoding for proofs from clauses. Its order variables allow the derivation of cuts.
pub const BASIS: &str = "precedence";

/// Creates the formula from whose clauses a proof about this instance follows by default: in [`BASIS`], or in another
/// encoding if [`BASIS`] does not support the constraints of the instance.
///
/// # Errors
///
/// See [`Formula::new`].
pub fn basis(instance: &Instance) -> Result<Formula, EncodeError> {
    match Formula::new(defaults::encoding(BASIS), instance) {
        Err(EncodeError::Constraint { .. }) => {
            Formula::new(defaults::encoding(defaults::FOUND_WITH_POSITIONS), instance)
        }
        formula => formula,
    }
}

/// True if [`basis`] creates its formula about this instance in `encoding`, which supports the instance.
pub fn is_basis(encoding: &Encoding, instance: &Instance) -> bool {
    let is = |name| *encoding == defaults::encoding(name);
    let is_refused =
        || matches!(Formula::new(defaults::encoding(BASIS), instance), Err(EncodeError::Constraint { .. }));
    is(BASIS) || is(defaults::FOUND_WITH_POSITIONS) && is_refused()
}

/// Returns a function that is called for each clause, and asks `stop` once for many clauses.
fn now_and_then(stop: &dyn Fn() -> bool) -> impl FnMut() -> bool {
    /// Number of clauses between two calls of `stop`.
    const CLAUSES: u32 = 1 << 14;
    let mut clauses = 0u32;
    move || {
        clauses = clauses.wrapping_add(1);
        clauses.is_multiple_of(CLAUSES) && stop()
    }
}

/// Error for a formula from whose clauses no cuts can be derived.
fn without_cuts(formula: &Formula) -> SolveError {
    let encoding = formula.encoding();
    SolveError::Solver(format!(
        "subtour-elimination constraints cannot be derived from the clauses of the encoding \"{encoding}\""
    ))
}

/// Result of the search for a proof.
#[derive(Clone, PartialEq, Debug)]
pub enum Refutation {
    /// No tour exists. The proof is complete except for its last lines.
    NoTour,
    /// A tour exists.
    Tour(Tour),
    /// The search was stopped before it had a result.
    Stopped,
    /// The search reached its limit on work.
    GaveUp,
}

/// Information about a proof that was written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProofInformation {
    /// Size of the file, in bytes and in steps. A certificate has no steps.
    pub size: Size,
    /// Encoding whose clauses the steps start from; `None` for a certificate.
    pub encoding: Option<Encoding>,
    /// True if the clauses are about the [undirected form](hamcnf_questions::Tours::undirected) of a directed question.
    pub is_split: bool,
}

/// Reason why the proof is missing although it is known that there is no tour.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ProofMissing {
    /// A limit or an interrupt ended the search for the proof.
    #[error("a limit was reached before the proof was complete")]
    Limit,
    /// No certificate was found.
    #[error(
        "a certificate (.cert) needs an obstruction or an elimination order of small width, and none was found: {0}"
    )]
    NoCertificate(NoOrder),
    /// The proof failed or was refused; contains the message.
    #[error("{0}")]
    Failed(String),
}

impl From<NoOrder> for ProofMissing {
    fn from(error: NoOrder) -> Self {
        match error {
            NoOrder::Late(_) => Self::Limit,
            NoOrder::Wide(_) => Self::NoCertificate(error),
            NoOrder::Graph(_) => Self::Failed(error.to_string()),
        }
    }
}
