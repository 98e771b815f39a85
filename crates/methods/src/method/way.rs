//! Which way of proving is taken, by what is known of the question.

use std::fmt;

use hamcnf_encodings::{Instance, Obstruction, TourKind};

use crate::question::Tours;
use crate::refute::counted::{self, Counting};
use hamcnf_engines::budget::Budget;
use hamcnf_engines::portfolio::Argument;

/// A way of proving that there is no tour.
#[derive(Clone)]
pub(super) enum Way {
    /// Definitions of what is counted.
    Counting(Counting),
    /// CaDiCaL on all clauses.
    Solver {
        /// Conflicts after which it gives up.
        conflicts: Option<u64>,
    },
    /// The propagator, for closed tours.
    Propagator {
        /// Literals after which it gives up.
        literals: Option<u64>,
    },
    /// Cuts in rounds, with which every question has a proof.
    Rounds,
}

impl fmt::Display for Way {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Counting(_) => "counting",
            Self::Solver { .. } => "CaDiCaL alone",
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
    /// Number of clauses of the formula.
    pub clauses: u64,
    /// True if each step names its antecedents.
    pub has_hints: bool,
    /// When to look no further.
    pub budget: &'c Budget,
}

/// Tries of the propagator and of the solver alone, in turn: literals of the one, and of the other clauses times conflicts.
/// The first takes tenths of a second (cubic graphs of 2000 vertices need 1400 literals), the last half a minute (GP(101, 2)
/// needs 10⁹).
const TRIES: [(u64, u64); 2] = [(10_000, 200_000_000), (100_000, 5_000_000_000)];

/// Conflicts below which the solver alone is not worth the making of its clauses.
const FEWEST_CONFLICTS: u64 = 10_000;

impl Choice<'_> {
    /// Counting, where there is something to count.
    pub(super) fn counting(&self) -> Vec<Way> {
        let seen = self.tours.ends().obstruction(self.tours.instance());
        self.counted(seen.as_ref()).into_iter().collect()
    }

    /// The propagator, for closed tours.
    pub(super) fn propagator(&self) -> Vec<Way> {
        vec![match self.about.kind() {
            TourKind::Closed => Way::Propagator { literals: None },
            TourKind::Open => Way::Rounds,
        }]
    }

    /// After an obstruction was found.
    pub(super) fn obstructed(&self, found: &Obstruction) -> Vec<Way> {
        vec![self.counted(Some(found)).unwrap_or(Way::Rounds)]
    }

    /// After no 2-factor was found.
    pub(super) fn without_a_factor(&self) -> Vec<Way> {
        vec![self.counted(None).unwrap_or(Way::Rounds)]
    }

    /// After a search, perhaps by a strategy of the portfolio, has found no tour: the ways to try in turn. Each but the
    /// last gives up.
    ///
    /// The propagator has the shortest proofs where it needs few clauses (a random cubic graph of 1000 vertices), and the solver
    /// alone where many are needed: of GP(101, 2) it has a twentieth of the propagator's.
    pub(super) fn searched(&self, by: Option<Argument>) -> Vec<Way> {
        /// Vertices above which DRAT has no long clauses. Its checkers have to find out what each clause follows from, and
        /// take ten times as long for the propagator's clauses as for short cuts (1000 vertices: 47 s and 4).
        const LARGE: u32 = 300;
        let counting = self.counting();
        if !counting.is_empty() {
            return counting;
        }
        let large = !self.has_hints && self.about.n() > LARGE;
        let last = match (self.about.kind(), by) {
            (TourKind::Open, _) | (_, Some(Argument::Cuts)) => Way::Rounds,
            (_, Some(Argument::Propagator)) => Way::Propagator { literals: None },
            _ if large => Way::Rounds,
            _ => Way::Propagator { literals: None },
        };
        let mut ways = Vec::new();
        for (literals, work) in TRIES {
            if self.about.kind() == TourKind::Closed && !large {
                let literals = Some(literals);
                ways.push(Way::Propagator { literals });
            }
            let conflicts = work / self.clauses.max(1);
            if conflicts >= FEWEST_CONFLICTS {
                let conflicts = Some(conflicts);
                ways.push(Way::Solver { conflicts });
            }
        }
        ways.push(last);
        ways
    }

    fn counted(&self, found: Option<&Obstruction>) -> Option<Way> {
        counted::of(self.tours, found, self.about, self.budget).map(Way::Counting)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::question::Question;
    use crate::refute::about::about;
    use hamcnf_engines::stop::Stop;

    fn chosen(
        question: &str,
        has_hints: bool,
        choose: impl Fn(Choice<'_>) -> Vec<Way>,
    ) -> Vec<String> {
        let Question::Tours(tours) = Question::load(question).unwrap() else {
            unreachable!("nobody asks for queens")
        };
        let choice = Choice {
            tours: &tours,
            about: &about(&tours).unwrap(),
            clauses: 1000,
            has_hints,
            budget: &Budget::new(None, Stop::default()),
        };
        choose(choice).iter().map(Way::to_string).collect()
    }

    #[test]
    fn drat_of_a_large_graph_has_no_long_clauses_unless_they_found_the_answer() {
        use Argument::{Cuts, Propagator, Tables};
        let [propagator, solver, cuts] = ["a propagator", "CaDiCaL alone", "cuts"];
        let tries = [propagator, solver, propagator, solver];
        for (question, argument, has_hints, expected) in [
            (
                "petersen:11:2",
                Tables,
                false,
                [&tries[..], &[propagator]].concat(),
            ),
            ("petersen:11:2", Cuts, false, [&tries[..], &[cuts]].concat()),
            ("cubic:400:1", Cuts, true, [&tries[..], &[cuts]].concat()),
            ("cubic:400:1", Cuts, false, vec![solver, solver, cuts]),
            (
                "cubic:400:1",
                Propagator,
                false,
                vec![solver, solver, propagator],
            ),
            (
                "petersen:11:2 open from 1",
                Tables,
                true,
                vec![solver, solver, cuts],
            ),
            ("5x5", Cuts, true, vec!["counting"]),
        ] {
            let ways = chosen(question, has_hints, |choice| {
                choice.searched(Some(argument))
            });
            assert_eq!(ways, expected, "{question}");
        }
    }

    #[test]
    fn a_propagator_is_for_closed_tours() {
        let asked = |question: &str| chosen(question, true, |choice| choice.propagator());
        assert_eq!(asked("petersen:11:2"), ["a propagator"]);
        assert_eq!(asked("petersen:11:2 open from 1"), ["cuts"]);
    }
}
