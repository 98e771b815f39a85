//! Checkers of proofs that a formula has no model, and so that a graph has no tour.
//!
//! A solver that reports "unsatisfiable" may be wrong. This crate checks proofs in clausal formats and shares no code with
//! the solvers: it knows only formulas, graphs and files. A proof is a list of steps. Each step adds a clause that
//! preserves satisfiability, or deletes one. The step that adds the empty clause ends the proof; the rest of the file is
//! not read.
//!
//! - [`Drat`]: the clauses alone. The checker finds out by unit propagation why each clause follows, which takes about as
//!   long as solving.
//! - [`Lrat`]: each clause has a number and comes with the numbers of the clauses from which it follows. Checking takes
//!   little more time than reading.
//! - [`CuttingPlanes`]: proofs that also count, in the format of VeriPB.
//!
//! The first two accept text and binary files, read as a stream. In memory are the formula and the clauses of the proof
//! that have not been deleted, and for LRAT a few bytes for each clause number. All checkers are sinks for clauses, so a
//! formula streams into them as into a file; [`read_dimacs`] streams a formula from a file.
//!
//! ```
//! use hamcnf_check::{Drat, Syntax, read_dimacs};
//!
//! let mut checker = Drat::default();
//! read_dimacs(&b"p cnf 2 4\n1 2 0\n1 -2 0\n-1 2 0\n-1 -2 0\n"[..], &mut checker)?;
//! let checked = checker.check(&b"1 0\n0\n"[..], Syntax::Text, &|| false)?;
//! assert_eq!((checked.steps, checked.additions), (2, 2));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! If a few lines explain why there is no tour, a [`certificate`] contains them; it is checked on the graph alone.
//!
//! A check has three distinct outcomes: [`Checked`] means that there is no model; [`Unproved::Rejected`], that the proof is
//! wrong and nothing is known about the formula; [`Unproved::Stopped`], that the check did not reach the end.
//!
//! Whatever the bytes of a proof, a checker does not panic, and its memory is proportional to the input read so far:
//! variables and clauses are renumbered as they come.
//!
//! # References
//!
//! - N. Wetzler, M. Heule, W. Hunt: *DRAT-trim: Efficient Checking and Trimming Using Expressive Clausal Proofs*, SAT 2014.
//! - L. Cruz-Filipe, M. Heule, W. Hunt, M. Kaufmann, P. Schneider-Kamp: *Efficient Certified RAT Verification*, CADE 2017.
//! - M. Järvisalo, M. Heule, A. Biere: *Inprocessing Rules*, IJCAR 2012, for resolution asymmetric tautologies (RAT).

#![forbid(unsafe_code)]

pub mod certificate;
mod cutting_planes;
mod dimacs;
mod drat;
mod lrat;
mod numbers;
mod source;
mod steps;
mod sum;

use std::fmt;
use std::io;

pub use cutting_planes::CuttingPlanes;
pub use dimacs::{DimacsError, read_dimacs};
pub use drat::Drat;
pub use lrat::Lrat;
pub use steps::Syntax;

/// Statistics of a proof that was checked up to the empty clause: the formula has no model.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Checked {
    /// Number of steps up to the empty clause.
    pub steps: u64,
    /// Number of steps that added a clause.
    pub additions: u64,
    /// Number of steps that deleted clauses.
    pub deletions: u64,
    /// Number of added clauses that do not follow from earlier clauses, but preserve satisfiability (RAT).
    pub extensions: u64,
    /// Number of clauses to delete that did not exist. That is harmless, because the proof only has fewer deletions.
    pub missing: u64,
    /// Number of clauses that were kept despite their deletion, see [`Drat`].
    pub kept: u64,
    /// Number of literals that unit propagation made true.
    pub propagations: u64,
}

/// Position in a proof.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct At {
    /// Number of the step, from 1.
    pub step: u64,
    /// Place of the step in the file.
    pub place: Place,
}

/// A place in a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Place {
    /// Line of a text, from 1.
    Line(u64),
    /// Offset of a byte, from 0.
    Byte(u64),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(line) => write!(f, "line {line}"),
            Self::Byte(byte) => write!(f, "byte {byte}"),
        }
    }
}

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "step {} ({})", self.step, self.place)
    }
}

/// Error of a proof that does not show a formula to have no model.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Unproved {
    /// The proof is wrong.
    #[error(transparent)]
    Rejected(#[from] Rejected),
    /// The check was stopped, so nothing is known about the proof.
    #[error("the check was stopped after {steps} steps of the proof")]
    Stopped {
        /// Number of steps checked before.
        steps: u64,
    },
    /// The formula and the clauses of the proof exceed the capacity of the checker, 8 GB.
    #[error("the formula and the proof have more literals than the checker supports")]
    TooLarge,
    /// The proof could not be read.
    #[error("cannot read the proof: {0}")]
    Unreadable(#[from] io::Error),
}

/// Reason why a proof is wrong.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Rejected {
    /// A step of the proof is wrong.
    #[error("{at} of the proof {why}")]
    Step {
        /// Position of the step.
        at: At,
        /// Description of the error.
        why: Why,
    },
    /// The proof ends without the empty clause.
    #[error("the proof ends after {steps} steps without the empty clause")]
    NoEmptyClause {
        /// Number of steps in the proof.
        steps: u64,
    },
}

/// Error in a step. Literals are numbered as in the file.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Why {
    /// The file ends within the step.
    #[error("is truncated: the file ends too early")]
    Truncated,
    /// A word of a text is not a number.
    #[error("has '{0}' where a number should be")]
    Word(String),
    /// A number is too large for its purpose.
    #[error("has '{0}', which is out of range for {1}")]
    Range(String, Numbered),
    /// A step of a binary proof begins with an invalid byte.
    #[error("begins with byte {0:#04x}, not with 'a' or 'd'")]
    Begin(u8),
    /// The checker does not know the word at this place.
    #[error("has unknown word '{0}'")]
    Unknown(String),
    /// A coefficient is too large.
    #[error("has or produces coefficients that are too large")]
    Overflow,
    /// The proof is about another formula.
    #[error("announces a formula with {said} constraints, but the formula has {formula}")]
    Formula {
        /// Number of constraints that the proof announces.
        said: i64,
        /// Number of constraints of the formula.
        formula: usize,
    },
    /// The witness does not make its constraint true, or its variable already had a value.
    #[error(
        "has an unsuitable witness: it must satisfy the constraint by itself, and its variable must be unassigned"
    )]
    Witness,
    /// The conclusion does not name a contradiction.
    #[error("concludes from a constraint that is not a contradiction")]
    NoContradiction,
    /// The clause is neither RUP nor RAT; the literal is the pivot that was tried.
    #[error("adds a clause that does not follow by unit propagation{}", pivot(*.0))]
    NotImplied(Option<i32>),
    /// The number of a clause is not greater than all before.
    #[error("adds a clause with number {id}, not above {last}")]
    Order {
        /// Number of the clause.
        id: i64,
        /// Greatest number before.
        last: i64,
    },
    /// No clause has this number.
    #[error("names clause {0}, which does not exist")]
    NoClause(i64),
    /// A hint is neither a unit clause nor false at its turn.
    #[error("has the hint {id}, a clause with {open} at this point", open = open(*.satisfied))]
    NotUnit {
        /// Number of the hint's clause.
        id: i64,
        /// True if a literal of the clause is true.
        satisfied: bool,
    },
    /// A hint follows after the contradiction.
    #[error("has the hint {0} after a contradiction")]
    Superfluous(i64),
    /// The hints do not end in a contradiction.
    #[error("has hints that end without a contradiction")]
    NoConflict,
    /// A RAT hint names a clause without the negated first literal, or names a clause again.
    #[error(
        "has the RAT hint {0}, a clause that lacks the negation of the pivot or was named before"
    )]
    NoCandidate(i64),
    /// The RAT hints do not cover all clauses with the negated first literal.
    #[error("has RAT hints for only {named} of the {all} clauses with the negation of the pivot")]
    Candidates {
        /// Number of clauses that the hints cover.
        named: u64,
        /// Number of all clauses with the negated literal.
        all: u64,
    },
}

/// Kind of number in a proof.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Numbered {
    /// A literal, signed.
    Literals,
    /// The number of a clause.
    Clauses,
}

impl fmt::Display for Numbered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Literals => "literals",
            Self::Clauses => "clauses",
        })
    }
}

/// Describes the RAT attempt for the message of [`Why::NotImplied`].
fn pivot(first: Option<i32>) -> String {
    first.map_or_else(String::new, |literal| format!(", nor as RAT on {literal}"))
}

/// Describes why a clause is not a unit clause.
fn open(satisfied: bool) -> &'static str {
    if satisfied {
        "a true literal"
    } else {
        "two open literals"
    }
}

/// Calls the stop function from time to time.
struct Patience<'a> {
    stop: &'a dyn Fn() -> bool,
    left: u64,
}

impl<'a> Patience<'a> {
    /// Amount of work between two calls: a millisecond or less.
    const WORK: u64 = 1 << 14;

    fn new(stop: &'a dyn Fn() -> bool) -> Self {
        // The first call comes with the first work.
        Self { stop, left: 0 }
    }

    /// Records some work; true if the check has to stop.
    #[inline]
    fn spend(&mut self, work: u64) -> bool {
        if self.left >= work {
            self.left -= work;
            return false;
        }
        self.left = Self::WORK;
        (self.stop)()
    }
}
