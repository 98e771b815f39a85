//! Checkers of proofs that a formula has no model. If the formula encodes the tours of a graph, such a proof shows that
//! the graph has no tour.
//!
//! A solver that reports "unsatisfiable" may be wrong. This crate checks the proofs that solvers write. It shares no
//! code with the solvers: it deals only with formulas, graphs and files. A proof is a list of steps. Each step adds a
//! clause that preserves satisfiability, or deletes a clause. The step that adds the empty clause ends the proof; the
//! rest of the file is not read.
//!
//! - [`Drat`]: the proof has only the clauses. The checker finds out by unit propagation why each clause follows, which
//!   takes about as long as solving.
//! - [`Lrat`]: each clause has a number and comes with the numbers of the clauses from which it follows. Checking takes
//!   little more time than reading the proof.
//! - [`CuttingPlanes`]: the proof has linear inequalities over the variables, in the format of VeriPB, so it can also
//!   use counting arguments.
//!
//! The first two accept text files and binary files, and read them as a stream. They keep in memory the formula, the
//! clauses of the proof that have not been deleted, and, for LRAT, a few bytes for each clause number. All checkers are
//! sinks for clauses, so a formula can be streamed into them; [`read_dimacs`] streams a formula from a file.
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
//! A [`certificate`] is a short reason why there is no tour. It is checked on the graph, without a formula.
//!
//! Callers must distinguish the outcomes of a check: [`Checked`] means that the formula has no model;
//! [`Unproved::Rejected`] means that the proof is wrong, so nothing is known about the formula; [`Unproved::Stopped`]
//! means that the check did not reach the end of the proof.
//!
//! A checker does not panic, whatever bytes the proof has. Its memory is proportional to the input that has been read,
//! because variables and clauses are renumbered in the order in which they occur.
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

use std::borrow::Cow;
use std::fmt;
use std::io;

pub use cutting_planes::CuttingPlanes;
pub use dimacs::{DimacsError, read_dimacs};
pub use drat::Drat;
pub use lrat::Lrat;
pub use steps::Syntax;

/// Statistics of a proof that was checked up to the empty clause, so the formula has no model.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Checked {
    /// Number of steps up to the empty clause, including the step that adds it.
    pub steps: u64,
    /// Number of steps that added a clause.
    pub additions: u64,
    /// Number of steps that deleted clauses.
    pub deletions: u64,
    /// Number of added clauses that do not follow from earlier clauses, but preserve satisfiability (RAT).
    pub extensions: u64,
    /// Number of deletions of clauses that do not exist. Such deletions are harmless: they have no effect.
    pub missing: u64,
    /// Number of clauses that the checker kept although the proof deletes them; see [`Drat`].
    pub kept: u64,
    /// Number of literals that became true by unit propagation.
    pub propagations: u64,
}

/// Position in a proof.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct At {
    /// Number of the step, counted from 1.
    pub step: u64,
    /// Place of the step in the file.
    pub place: Place,
}

/// A place in a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Place {
    /// Line of a text file, counted from 1.
    Line(u64),
    /// Offset of a byte in a binary file, counted from 0.
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

/// Formats a number of steps, such as `2 steps`.
pub fn steps_in_words(steps: u64) -> String {
    format!("{steps} step{}", if steps == 1 { "" } else { "s" })
}

/// Reason why a proof does not show that the formula has no model.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Unproved {
    /// The proof is wrong.
    #[error(transparent)]
    Rejected(#[from] Rejected),
    /// The check was stopped, so nothing is known about the proof.
    #[error("the check was stopped after {} of the proof", steps_in_words(*.steps))]
    Stopped {
        /// Number of steps checked before the check was stopped.
        steps: u64,
    },
    /// The formula and the clauses of the proof together exceed the capacity of the checker. For DRAT, this is about 8
    /// GB.
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
        /// Reason why the step is wrong.
        why: Why,
    },
    /// The proof ends without the empty clause.
    #[error("the proof ends after {} without the empty clause", steps_in_words(*.steps))]
    NoEmptyClause {
        /// Number of steps in the proof.
        steps: u64,
    },
}

/// Reason why a step of a proof is wrong, in words that follow the position of the step. Literals and clauses are given
/// by their numbers in the file.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct Why(Cow<'static, str>);

impl Why {
    /// The file ends in the middle of the step.
    pub const TRUNCATED: Self = Self(Cow::Borrowed("is truncated: the file ends too early"));
    /// A coefficient is too large, in the proof or as the result of an operation.
    const OVERFLOW: Self = Self(Cow::Borrowed("contains or produces coefficients that are too large for the checker"));

    fn new(why: impl Into<Cow<'static, str>>) -> Self {
        Self(why.into())
    }

    /// Returns the reason for a word in the place of a number.
    fn no_number(word: &str) -> Self {
        Self::new(format!("has \"{word}\" where a number should be"))
    }

    /// Returns the reason for a number that is out of range for the kind of object that it refers to.
    fn range(number: impl fmt::Display, of: &str) -> Self {
        Self::new(format!("has \"{number}\", which is out of range for {of}"))
    }

    /// Returns the reason for the number of a clause that does not exist.
    fn no_clause(number: i64) -> Self {
        Self::new(format!("names clause {number}, which does not exist"))
    }
}

/// Kinds of objects that a number in a proof refers to: the number of a variable, negative if the variable is negated,
/// or the number of a clause.
const LITERALS: &str = "literals";
const CLAUSES: &str = "clauses";

/// Reason for an added clause that is neither RUP nor RAT.
const NOT_IMPLIED: &str = "adds a clause that does not follow by unit propagation";

/// Counter of work that calls the stop function each time [`Patience::WORK`] units of work are done.
struct Patience<'a> {
    stop: &'a dyn Fn() -> bool,
    left: u64,
}

impl<'a> Patience<'a> {
    /// Amount of work between two calls of the stop function. This much work takes a millisecond or less.
    const WORK: u64 = 1 << 14;

    fn new(stop: &'a dyn Fn() -> bool) -> Self {
        // No work is left, so the first call of `spend` calls the stop function.
        Self { stop, left: 0 }
    }

    /// Records an amount of work. Returns true if the check must stop.
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
