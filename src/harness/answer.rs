//! What came out of one way to answer a question: as much as can be held against what came out of another.

use std::fmt;
use std::str::FromStr;

use num_bigint::BigUint;
use serde::{Deserialize, Serialize};

/// The answer of a run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(into = "String", from = "String")]
pub enum Answer {
    /// There is a tour.
    Tour,
    /// There is none.
    NoTour,
    /// There are so many.
    Count(BigUint),
    /// There are about so many, which proves nothing.
    Estimate(String),
    /// So many were found before a limit.
    AtLeast(BigUint),
    /// Nothing is known, for this reason.
    Unknown(String),
}

impl Answer {
    /// The least and the greatest number of tours that it allows.
    fn bounds(&self) -> (BigUint, Option<BigUint>) {
        match self {
            Self::Tour => (1u8.into(), None),
            Self::NoTour => (BigUint::ZERO, Some(BigUint::ZERO)),
            Self::Count(n) => (n.clone(), Some(n.clone())),
            Self::AtLeast(n) => (n.clone(), None),
            Self::Estimate(_) | Self::Unknown(_) => (BigUint::ZERO, None),
        }
    }

    /// Whether it cannot be that both are right.
    #[must_use]
    pub fn contradicts(&self, other: &Self) -> bool {
        let ((least, most), (other_least, other_most)) = (self.bounds(), other.bounds());
        most.is_some_and(|most| most < other_least) || other_most.is_some_and(|most| most < least)
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tour => f.write_str("tour"),
            Self::NoTour => f.write_str("no tour"),
            Self::Count(n) => n.fmt(f),
            Self::Estimate(text) => write!(f, "about {text}"),
            Self::AtLeast(n) => write!(f, "at least {n}"),
            Self::Unknown(why) => f.write_str(why),
        }
    }
}

impl From<String> for Answer {
    fn from(text: String) -> Self {
        let number = |digits: &str| BigUint::from_str(digits).ok();
        if let Some(count) = number(&text) {
            return Self::Count(count);
        }
        if let Some(least) = text.strip_prefix("at least ").and_then(number) {
            return Self::AtLeast(least);
        }
        match (text.as_str(), text.strip_prefix("about ")) {
            ("tour", _) => Self::Tour,
            ("no tour", _) => Self::NoTour,
            (_, Some(estimate)) => Self::Estimate(estimate.to_owned()),
            _ => Self::Unknown(text),
        }
    }
}

impl From<Answer> for String {
    fn from(answer: Answer) -> Self {
        answer.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(text: &str) -> Answer {
        Answer::from(text.to_owned())
    }

    #[test]
    fn answers_are_read_as_they_are_written() {
        let large = "4861943174181138724903568742746024250554974208";
        assert_eq!(answer(large), Answer::Count(large.parse().unwrap()));
        for text in [
            "tour",
            "no tour",
            "0",
            large,
            "at least 5",
            "about 1.3e13",
            "time limit",
            "",
        ] {
            assert_eq!(answer(text).to_string(), text);
        }
    }

    #[test]
    fn contradictions_are_seen_and_others_are_not() {
        for (a, b) in [
            ("tour", "no tour"),
            ("tour", "0"),
            ("no tour", "1"),
            ("1", "2"),
            ("at least 5", "3"),
            ("at least 1", "no tour"),
            // Equal as floating point numbers.
            ("100000000000000000000", "100000000000000000001"),
        ] {
            assert!(answer(a).contradicts(&answer(b)), "{a}, {b}");
            assert!(answer(b).contradicts(&answer(a)), "{b}, {a}");
        }
        for (a, b) in [
            ("tour", "5"),
            ("no tour", "0"),
            ("at least 0", "no tour"),
            ("at least 5", "5"),
            ("at least 5", "tour"),
            ("about 3", "no tour"),
            ("time limit", "no tour"),
        ] {
            assert!(!answer(a).contradicts(&answer(b)), "{a}, {b}");
            assert!(!answer(b).contradicts(&answer(a)), "{b}, {a}");
        }
    }
}
