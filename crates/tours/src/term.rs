//! Terms (literals or constants). A [`Disjunction`](crate::sink::Disjunction) builds a clause from terms.

use std::ops::Not;

use rustsat::types::Lit;

/// A literal or a constant. For example, the term "vertex v has position p" is [`Term::False`] if p is outside the
/// window of positions that are possible for v.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Term {
    /// The constant false.
    False,
    /// The constant true.
    True,
    /// A literal of the formula.
    Lit(Lit),
}

impl From<Lit> for Term {
    fn from(literal: Lit) -> Self {
        Self::Lit(literal)
    }
}

impl Not for Term {
    type Output = Self;
    fn not(self) -> Self {
        match self {
            Self::False => Self::True,
            Self::True => Self::False,
            Self::Lit(l) => Self::Lit(!l),
        }
    }
}
