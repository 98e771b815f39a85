//! Literals and constants: clauses over both are written by one [`Disjunction`](crate::sink::Disjunction).

use std::ops::Not;

use rustsat::types::Lit;

/// A literal or a constant. A position outside its window, say, is [`Term::False`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Term {
    /// Constantly false.
    False,
    /// Constantly true.
    True,
    /// A literal.
    Lit(Lit),
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
