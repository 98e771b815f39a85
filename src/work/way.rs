//! Which way of proving is taken, by what is known of the question.

use std::fmt;

use hamcnf_encodings::{Instance, Obstruction, TourKind};

use crate::cycle::Watch;
use crate::portfolio::Part;
use crate::question::Tours;
use crate::refute::counted::{self, Counting};

/// A way of proving that there is no tour.
pub(super) enum Way {
    /// What is counted.
    Counting(Counting),
    /// The propagator for closed tours, which gives up after so much work.
    Propagator {
        /// Literals that it looks at.
        literals: Option<u64>,
    },
    /// Cuts in rounds, of which every question has a proof.
    Rounds,
}

impl fmt::Display for Way {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Counting(_) => "counting",
            Self::Propagator { .. } => "a propagator",
            Self::Rounds => "cuts",
        })
    }
}

/// What a way is chosen by.
pub(super) struct Choice<'c> {
    /// The question.
    pub tours: &'c Tours,
    /// What the formula is about.
    pub about: &'c Instance,
    /// Whether the proof says what each step follows from.
    pub has_hints: bool,
    /// When to look no further.
    pub watch: &'c Watch,
}

impl Choice<'_> {
    /// What is counted, if anything is.
    pub(super) fn counting(&self) -> Option<Way> {
        let seen = self.tours.ends().obstruction(self.tours.instance());
        self.counted(seen.as_ref())
    }

    /// The propagator, where it can be.
    pub(super) fn propagator(&self) -> Way {
        self.propagator_within(None)
    }

    /// After an obstruction was found.
    pub(super) fn obstructed(&self, found: &Obstruction) -> Way {
        self.counted(Some(found)).unwrap_or(Way::Rounds)
    }

    /// After no 2-factor was found.
    pub(super) fn without_a_factor(&self) -> Way {
        self.counted(None).unwrap_or(Way::Rounds)
    }

    /// After a search has found no tour, a part of the portfolio's perhaps.
    ///
    /// What looks for the proof need not be the same: the propagator has the shorter proofs, and sooner (flower:13: 0.4 s
    /// where cuts in rounds take 18, of GP(77, 2) 3 and 19). But its clauses are long, and of a large graph DRAT's checkers,
    /// which have to find out what each follows from, take ten times as long as for those of short cuts (1000 vertices: 47
    /// s and 4).
    pub(super) fn searched(&self, part: Option<Part>) -> Way {
        const LARGE: u32 = 300;
        /// After so much work cuts in rounds are tried, which have found out that there is no tour.
        const LITERALS: u64 = 20_000_000;
        if let Some(counting) = self.counting() {
            return counting;
        }
        match part {
            Some(Part::Propagator | Part::Core) => self.propagator(),
            _ if !self.has_hints && self.about.n() > LARGE => Way::Rounds,
            Some(Part::Lazy) => self.propagator_within(Some(LITERALS)),
            _ => self.propagator(),
        }
    }

    fn counted(&self, found: Option<&Obstruction>) -> Option<Way> {
        counted::of(self.tours, found, self.about, self.watch).map(Way::Counting)
    }

    fn propagator_within(&self, literals: Option<u64>) -> Way {
        match self.about.kind() {
            TourKind::Closed => Way::Propagator { literals },
            TourKind::Open => Way::Rounds,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::question::Question;
    use crate::refute::about::about;
    use crate::stop::Stop;

    fn chosen(question: &str, has_hints: bool, choose: impl Fn(Choice<'_>) -> Way) -> String {
        let Question::Tours(tours) = question.parse().unwrap() else {
            unreachable!("nobody asks for queens")
        };
        let choice = Choice {
            tours: &tours,
            about: &about(&tours).unwrap(),
            has_hints,
            watch: &Watch::new(None, Stop::default()),
        };
        choose(choice).to_string()
    }

    #[test]
    fn long_clauses_are_not_for_those_who_have_to_find_out_why_of_large_graphs() {
        use Part::{Core, Decomposition, Lazy};
        for (question, part, has_hints, expected) in [
            ("petersen:11:2", Decomposition, false, "a propagator"),
            ("petersen:11:2", Lazy, false, "a propagator"),
            ("cubic:400:1", Lazy, true, "a propagator"),
            ("cubic:400:1", Lazy, false, "cuts"),
            ("cubic:400:1", Core, false, "a propagator"),
            ("petersen:11:2 open from 1", Decomposition, true, "cuts"),
            ("5x5", Lazy, true, "counting"),
        ] {
            let by = chosen(question, has_hints, |choice| choice.searched(Some(part)));
            assert_eq!(by, expected, "{question}");
        }
    }

    #[test]
    fn a_propagator_is_for_closed_tours() {
        let asked = |question: &str| chosen(question, true, |choice| choice.propagator());
        assert_eq!(asked("petersen:11:2"), "a propagator");
        assert_eq!(asked("petersen:11:2 open from 1"), "cuts");
    }
}
