//! Checks proofs that a formula has no model, and so that a graph has no tour.
//!
//! A solver that says "unsatisfiable" may be wrong. A proof in a clausal format can be checked by a program that has no
//! code in common with the solver, and that is this crate: it knows formulas, graphs and files, and nothing else. A proof is
//! a list of steps. Each adds a clause that keeps the formula satisfiable if it was, or deletes one; a step that adds
//! the empty clause ends it, and what comes after that is not read.
//!
//! - [`Drat`]: the clauses alone. The checker finds out by unit propagation why each of them follows, which takes about
//!   as long as solving.
//! - [`Lrat`]: each clause has a number and comes with the numbers of those from which it follows. Checking is little
//!   more than reading.
//! - [`CuttingPlanes`]: what counts, too, in the format of VeriPB.
//!
//! The first two are read in text and in binary, as a stream: what is in memory is the formula and the clauses of the
//! proof that have not been deleted, and for LRAT a few bytes for each number of a clause. All checkers are sinks for
//! clauses, so that a formula streams into them as it does into a file, and [`read_dimacs`] streams one from a file.
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
//! Where a few lines say why there is no tour, a [`certificate`] does, which is checked on the graph alone.
//!
//! Three things come of a check, and are kept apart: [`Checked`], there is no model; [`Unproved::Rejected`], this is no
//! proof, and nothing is known of the formula; [`Unproved::Stopped`], it was not looked at to its end.
//!
//! Whatever the bytes of a proof, a checker does not panic, and the memory that it takes is in proportion to what it
//! has read: variables and clauses are renumbered as they come.
//!
//! # References
//!
//! - N. Wetzler, M. Heule, W. Hunt: *DRAT-trim: Efficient Checking and Trimming Using Expressive Clausal Proofs*, SAT
//!   2014.
//! - L. Cruz-Filipe, M. Heule, W. Hunt, M. Kaufmann, P. Schneider-Kamp: *Efficient Certified RAT Verification*, CADE
//!   2017.
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

/// A proof that was checked to the empty clause: the formula has no model.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Checked {
    /// Steps up to the empty clause.
    pub steps: u64,
    /// Those that added a clause.
    pub additions: u64,
    /// Those that deleted clauses.
    pub deletions: u64,
    /// Additions that do not follow from the clauses before them, and only keep the formula satisfiable if it was
    /// (RAT).
    pub extensions: u64,
    /// Clauses that were to be deleted and were not there. That is harmless: a proof by fewer deletions.
    pub missing: u64,
    /// Clauses that were to be deleted and were kept, see [`Drat`].
    pub kept: u64,
    /// Literals that unit propagation made true.
    pub propagations: u64,
}

/// Where in a proof.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct At {
    /// The number of the step, from 1.
    pub step: u64,
    /// The place in the file.
    pub place: Place,
}

/// A place in a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Place {
    /// A line of a text, from 1.
    Line(u64),
    /// A byte, from 0.
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

/// Why a formula is not proved to be without a model.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Unproved {
    /// This is no proof.
    #[error(transparent)]
    Rejected(#[from] Rejected),
    /// The check was stopped: nothing is known of the proof.
    #[error("the check was stopped after {steps} steps of the proof")]
    Stopped {
        /// The steps that had been checked.
        steps: u64,
    },
    /// The formula and the clauses of the proof are more than the checker can hold, which is 8 GB.
    #[error("the formula and its proof have more literals than the check can hold")]
    TooLarge,
    /// The proof could not be read.
    #[error("reading the proof: {0}")]
    Unreadable(#[from] io::Error),
}

/// Why this is no proof.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Rejected {
    /// One of its steps is wrong.
    #[error("{at} of the proof {why}")]
    Step {
        /// Which.
        at: At,
        /// What is wrong.
        why: Why,
    },
    /// It ends too early.
    #[error("the proof ends after {steps} steps without the empty clause")]
    NoEmptyClause {
        /// All of them.
        steps: u64,
    },
}

/// What is wrong with a step. Literals are those of the file.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Why {
    /// The file ends within it.
    #[error("is cut off: the file ends within it")]
    Truncated,
    /// A word of a text that is no number.
    #[error("has '{0}' where a number should be")]
    Word(String),
    /// A number that is too large for what it should be.
    #[error("has '{0}', which is beyond the numbers of {1}")]
    Range(String, Numbered),
    /// Something else where a step of a binary proof begins.
    #[error("begins with byte {0:#04x}, not with 'a' or 'd'")]
    Begin(u8),
    /// A word that means nothing to this checker where it stands.
    #[error("has '{0}', which is not known here")]
    Unknown(String),
    /// Numbers that are too large to reckon with.
    #[error("has or makes coefficients that are too large")]
    Overflow,
    /// It is about another formula.
    #[error("says that the formula has {said} constraints, and it has {formula}")]
    Formula {
        /// What it says.
        said: i64,
        /// How many there are.
        formula: usize,
    },
    /// A witness that does not make its constraint true, or that was known before.
    #[error(
        "has a witness that does not do: the constraint holds by it alone, and its variable is still open"
    )]
    Witness,
    /// The conclusion is none.
    #[error("concludes from what is no contradiction")]
    NoContradiction,
    /// Neither RUP nor RAT.
    #[error("adds a clause that does not follow by unit propagation{}", pivot(*.0))]
    NotImplied(Option<i32>),
    /// A clause that has no greater number than the one before.
    #[error("adds a clause with number {id}, not above {last}")]
    Order {
        /// Its number.
        id: i64,
        /// The greatest before it.
        last: i64,
    },
    /// There is no clause of this number.
    #[error("names clause {0}, which is not there")]
    NoClause(i64),
    /// A hint that is neither a unit clause nor false when its turn comes.
    #[error("has the hint {id}, a clause with {open} at its turn", open = open(*.satisfied))]
    NotUnit {
        /// The clause.
        id: i64,
        /// Whether one of its literals is true.
        satisfied: bool,
    },
    /// Hints after a contradiction.
    #[error("has the hint {0} after a contradiction")]
    Superfluous(i64),
    /// The hints do not end in a contradiction.
    #[error("has hints that end without a contradiction")]
    NoConflict,
    /// A RAT candidate that lacks the negated first literal.
    #[error(
        "has the RAT hint {0}, a clause without the negation of its first literal, or named before"
    )]
    NoCandidate(i64),
    /// Clauses with the negated first literal of which the hints do not speak.
    #[error(
        "has RAT hints for {named} of the {all} clauses with the negation of its first literal"
    )]
    Candidates {
        /// Those of which they do.
        named: u64,
        /// All.
        all: u64,
    },
}

/// What a number stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Numbered {
    /// A literal.
    Literals,
    /// A clause.
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

/// What else has been tried.
fn pivot(first: Option<i32>) -> String {
    first.map_or_else(String::new, |literal| format!(", nor as RAT on {literal}"))
}

/// What keeps a clause from being a unit.
fn open(satisfied: bool) -> &'static str {
    if satisfied {
        "a true literal"
    } else {
        "two open literals"
    }
}

/// Asks now and then whether to stop.
struct Patience<'a> {
    stop: &'a dyn Fn() -> bool,
    left: u64,
}

impl<'a> Patience<'a> {
    /// So much work between two questions: a millisecond or less.
    const WORK: u64 = 1 << 14;

    fn new(stop: &'a dyn Fn() -> bool) -> Self {
        // The first question comes with the first work.
        Self { stop, left: 0 }
    }

    /// Some work has been done; says whether to stop.
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
