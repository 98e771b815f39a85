//! Checker of LRAT proofs. Every added clause comes with hints, the numbers of the clauses from which it follows. The
//! checker only follows the hints.
//!
//! To check an added clause, the checker assumes that its literals are false, and goes through the hints in order. The
//! clause of each hint but the last must be a unit clause under the current assignment: one literal is unassigned and
//! all others are false. The unassigned literal becomes true. In the clause of the last hint, all literals must be
//! false: this is the contradiction. If the hints end without a contradiction, the clause may still be RAT on its first
//! literal `p`. In this case, hints for each clause that contains `¬p` follow the common hints; they begin with the
//! negated number of this clause, the *candidate*. The literals of the candidate other than `¬p` are assumed to be
//! false too. Unless one of them is already true, the candidate's hints must end in a contradiction.
//!
//! The check is strict: it rejects a proof with a hint whose clause is satisfied, or with a hint after the
//! contradiction, although such hints do no harm. Every clause that contains `¬p` must be named exactly once. In two
//! cases the check is lenient. An added clause with a literal and its negation is always true and may have any hints.
//! Deleting a clause that does not exist is not an error; such deletions are counted.
//!
//! The clauses of the formula are numbered from 1, in the order of the DIMACS file. The clauses of the proof have
//! greater numbers, which increase.
//!
//! The checker keeps the number of clauses that contain each literal. To see that the hints name every candidate, it
//! only compares the number of candidates with the number of clauses that contain `¬p`.
//!
//! # References
//!
//! - L. Cruz-Filipe, M. Heule, W. Hunt, M. Kaufmann, P. Schneider-Kamp: *Efficient Certified RAT Verification*, CADE
//!   2017.
//! - F. Pollitt, M. Fleury, A. Biere: *Faster LRAT Checking Than Solving with CaDiCaL*, SAT 2023.

use std::io::Read;
use std::num::NonZeroUsize;

use rustsat::types::Lit;

use super::numbers::{Literal, Numbers, Variables};
use super::steps::{Steps, Syntax};
use super::{Checked, Patience, Unproved, Why};
use hamcnf_tours::{ClauseSink, Family};

/// Checker of LRAT proofs. It is a sink for the clauses of the formula. It numbers these clauses from 1, in the order
/// in which it receives them.
///
/// The clause of each hint must be a unit clause or false under the current assignment, at the time when the checker
/// reaches the hint. The numbers of added clauses must increase. Deletions of clauses that do not exist have no effect,
/// but are counted.
#[derive(Clone, Default, Debug)]
pub struct Lrat {
    variables: Variables,
    /// Place of each clause in `arena`. The keys are clause numbers.
    clauses: Numbers<NonZeroUsize>,
    /// All clauses, one after another. Each clause is stored as the number of its literals, followed by the literals.
    /// The place of a clause is the index after the number of its literals.
    arena: Vec<u32>,
    /// Number of words in the arena that belong to deleted clauses.
    wasted: usize,
    /// Number of clauses that contain each literal.
    occurrences: Vec<u64>,
    /// Indexed by literal: true if the literal is true.
    holds: Vec<bool>,
    /// True literals, in the order in which they became true.
    trail: Vec<Literal>,
    /// Greatest clause number so far.
    last: i64,
    /// Literals of the current clause, without repetitions.
    clause: Vec<Literal>,
    candidates: Vec<i64>,
    checked: Checked,
}

impl ClauseSink for Lrat {
    fn family(&mut self, _: Family) {}

    fn clause(&mut self, literals: &[Lit]) {
        self.take(literals.iter().map(|literal| literal.to_ipasir()));
        self.undo(0);
        self.store(self.last + 1);
    }
}

impl Lrat {
    /// Checks a proof that the formula has no model. Calls `stop` about every millisecond; the check stops if `stop`
    /// returns true.
    ///
    /// # Errors
    ///
    /// [`Unproved`] for the first wrong step, or if the check cannot be finished.
    pub fn check(mut self, mut proof: impl Read, syntax: Syntax, stop: &dyn Fn() -> bool) -> Result<Checked, Unproved> {
        let mut steps = Steps::new(&mut proof, syntax);
        let mut patience = Patience::new(stop);
        let (mut literals, mut numbers) = (Vec::new(), Vec::new());
        while let Some(added) = steps.lrat(&mut literals, &mut numbers)? {
            if patience.spend(1 + 8 * numbers.len() as u64) {
                return Err(Unproved::Stopped { steps: self.checked.steps });
            }
            self.checked.steps += 1;
            match added {
                None => self.delete(&numbers),
                Some(id) => {
                    self.add(id, &literals, &numbers).map_err(|why| steps.wrong(why))?;
                    if self.clause.is_empty() {
                        return Ok(self.checked);
                    }
                }
            }
        }
        Err(steps.unfinished())
    }

    /// Makes these literals the current clause, and assigns false to each of them. Returns true if the clause contains
    /// a literal and its negation.
    fn take(&mut self, literals: impl Iterator<Item = i32>) -> bool {
        self.clause.clear();
        let mut tautology = false;
        for literal in literals {
            let literal = self.variables.literal(literal);
            let size = 2 * self.variables.len();
            if self.holds.len() < size {
                self.holds.resize(size, false);
                self.occurrences.resize(size, 0);
            }
            if !self.holds[(!literal).index()] {
                tautology |= self.holds[literal.index()];
                self.clause.push(literal);
                self.assign(!literal);
            }
        }
        tautology
    }

    fn assign(&mut self, literal: Literal) {
        self.holds[literal.index()] = true;
        self.trail.push(literal);
    }

    fn undo(&mut self, to: usize) {
        for literal in self.trail.drain(to..) {
            self.holds[literal.index()] = false;
        }
    }

    /// Stores the current clause under the number `id`.
    fn store(&mut self, id: i64) {
        // The number of literals fits into 32 bits: the literals are different, and there are fewer than 2³² literals.
        self.arena.push(self.clause.len() as u32);
        let place = NonZeroUsize::new(self.arena.len()).unwrap_or(NonZeroUsize::MIN);
        for &literal in &self.clause {
            self.arena.push(literal.0);
            self.occurrences[literal.index()] += 1;
        }
        self.clauses.insert(id.unsigned_abs(), place);
        self.last = id;
    }

    fn literals(&self, place: NonZeroUsize) -> &[u32] {
        let begin = place.get();
        &self.arena[begin..begin + self.arena[begin - 1] as usize]
    }

    fn find(&self, id: i64) -> Result<NonZeroUsize, Why> {
        let number = u64::try_from(id).ok();
        let place = number.and_then(|number| self.clauses.get(number));
        place.ok_or_else(|| Why::no_clause(id))
    }

    fn delete(&mut self, numbers: &[i64]) {
        self.checked.deletions += 1;
        for &id in numbers {
            let number = u64::try_from(id).ok();
            let Some(place) = number.and_then(|number| self.clauses.remove(number)) else {
                self.checked.missing += 1;
                continue;
            };
            let begin = place.get();
            let len = self.arena[begin - 1] as usize;
            for &literal in &self.arena[begin..begin + len] {
                self.occurrences[literal as usize] -= 1;
            }
            self.wasted += 1 + len;
        }
        if self.wasted > self.arena.len() / 2 {
            self.collect();
        }
    }

    /// Frees the memory of deleted clauses by moving the remaining clauses to the front of the arena.
    fn collect(&mut self) {
        let mut arena = Vec::with_capacity(self.arena.len() - self.wasted);
        for place in self.clauses.values_mut() {
            let begin = place.get();
            let end = begin + self.arena[begin - 1] as usize;
            *place = NonZeroUsize::new(arena.len() + 1).unwrap_or(NonZeroUsize::MIN);
            arena.extend_from_slice(&self.arena[begin - 1..end]);
        }
        self.arena = arena;
        self.wasted = 0;
    }

    fn add(&mut self, id: i64, literals: &[i32], hints: &[i64]) -> Result<(), Why> {
        self.checked.additions += 1;
        if id <= self.last {
            let last = self.last;
            let why = format!("adds a clause with number {id}, but the number must be greater than {last}");
            return Err(Why::new(why));
        }
        let tautology = self.take(literals.iter().copied());
        if !tautology {
            self.follow(literals.first().copied(), hints)?;
        }
        self.undo(0);
        self.store(id);
        Ok(())
    }

    fn follow(&mut self, first: Option<i32>, hints: &[i64]) -> Result<(), Why> {
        let common = hints.iter().position(|&hint| hint < 0);
        let (common, mut rest) = hints.split_at(common.unwrap_or(hints.len()));
        if self.propagate(common)? {
            return match rest.first() {
                Some(&hint) => Err(superfluous(hint)),
                None => Ok(()),
            };
        }
        let first = first.map(|literal| self.variables.literal(literal));
        let negated = !first.ok_or_else(no_conflict)?;
        let all = self.occurrences[negated.index()];
        if rest.is_empty() && all > 0 {
            return Err(no_conflict());
        }
        self.candidates.clear();
        let before = self.trail.len();
        while let Some((&candidate, after)) = rest.split_first() {
            let own = after.iter().position(|&hint| hint < 0);
            let (own, others) = after.split_at(own.unwrap_or(after.len()));
            self.candidate(candidate, negated, own)?;
            self.undo(before);
            self.candidates.push(candidate);
            rest = others;
        }
        self.candidates.sort_unstable();
        if let Some(twice) = self.candidates.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(no_candidate(twice[0]));
        }
        let named = self.candidates.len() as u64;
        if named != all {
            let why = format!("has RAT hints for only {named} of the {all} clauses with the negated pivot");
            return Err(Why::new(why));
        }
        self.checked.extensions += 1;
        Ok(())
    }

    /// Checks the hints `own` for one RAT candidate: a clause that contains `negated`, the negated pivot. The other
    /// literals of the candidate are assumed to be false, in addition to the literals of the current clause. Then the
    /// hints must end in a contradiction, unless one of these other literals is already true.
    fn candidate(&mut self, candidate: i64, negated: Literal, own: &[i64]) -> Result<(), Why> {
        let place = self.find(candidate.saturating_neg())?;
        let begin = place.get();
        let (mut found, mut satisfied) = (false, false);
        for at in begin..begin + self.arena[begin - 1] as usize {
            let literal = Literal(self.arena[at]);
            if literal == negated {
                found = true;
            } else if self.holds[literal.index()] {
                satisfied = true;
            } else if !self.holds[(!literal).index()] {
                self.assign(!literal);
            }
        }
        if !found {
            return Err(no_candidate(candidate));
        }
        match own.first() {
            Some(&hint) if satisfied => Err(superfluous(hint)),
            None if satisfied => Ok(()),
            _ if self.propagate(own)? => Ok(()),
            _ => Err(no_conflict()),
        }
    }

    /// Follows hints. Returns true if the last hint gives a contradiction, and false if no hint does.
    fn propagate(&mut self, hints: &[i64]) -> Result<bool, Why> {
        for (turn, &id) in hints.iter().enumerate() {
            match self.open(self.find(id)?) {
                Ok(Some(literal)) => self.assign(literal),
                Ok(None) => {
                    return match hints.get(turn + 1) {
                        Some(&hint) => Err(superfluous(hint)),
                        None => Ok(true),
                    };
                }
                Err(has) => {
                    let why = format!("has the hint {id}, but at this point clause {id} has {has}");
                    return Err(Why::new(why));
                }
            }
            self.checked.propagations += 1;
        }
        Ok(false)
    }

    /// Returns the only literal of a clause that is not false, or `None` if all are false. Returns an error, in words, if
    /// the clause is neither a unit clause nor false.
    fn open(&self, place: NonZeroUsize) -> Result<Option<Literal>, &'static str> {
        let mut unit = None;
        for &literal in self.literals(place) {
            let literal = Literal(literal);
            if self.holds[(!literal).index()] {
                continue;
            }
            if self.holds[literal.index()] {
                return Err("a true literal");
            }
            if unit.replace(literal).is_some() {
                return Err("two unassigned literals");
            }
        }
        Ok(unit)
    }
}

/// Returns the reason for a hint that comes after the hint that gives the contradiction.
fn superfluous(hint: i64) -> Why {
    Why::new(format!("has the hint {hint}, although the hints before it already give a contradiction"))
}

/// Returns the reason for hints that end, but do not give a contradiction.
fn no_conflict() -> Why {
    Why::new("has hints that do not give a contradiction")
}

/// Returns the reason for a RAT hint that names a clause that does not contain the negated pivot, or a clause that was
/// named before. The pivot is the first literal of the added clause.
fn no_candidate(hint: i64) -> Why {
    Why::new(format!(
        "has the RAT hint {hint}, but clause {hint} lacks the negated pivot, or an earlier hint names clause {hint} too"
    ))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    /// Tests that memory stays bounded in a long proof that deletes as many clauses as it adds.
    #[test]
    fn deleted_clauses_give_their_memory_back() {
        let mut checker = Lrat::default();
        checker.clause(&[Lit::positive(0), Lit::positive(1)]);
        let mut most = 0;
        for id in 2..2000i64 {
            checker.add(id, &[1, 2, 3, 4], &[1]).unwrap();
            checker.delete(&[id]);
            let wasted = checker.arena.len() - 3;
            assert_eq!(checker.wasted, wasted, "what is not the one that stays");
            most = most.max(checker.arena.len());
        }
        assert!(most < 20, "{most}");
        assert_eq!(checker.literals(checker.find(1).unwrap()).len(), 2);
        checker.delete(&[17, 1]);
        assert_eq!((checker.checked.deletions, checker.checked.missing), (1999, 1));
    }

    /// Tests that a RAT candidate is accepted if its own hints end in a contradiction, and rejected otherwise.
    #[test]
    fn a_candidate_follows_by_its_own_hints() {
        let of_formula = || {
            let mut checker = Lrat::default();
            let [a, b, x] = [0, 1, 2].map(Lit::positive);
            checker.clause(&[a, b]);
            checker.clause(&[a, !b]);
            checker.clause(&[!x, a]);
            checker
        };
        let add = |hints: &[i64]| of_formula().add(4, &[3], hints);
        assert_eq!(add(&[-3, 1, 2]), Ok(()));
        assert_eq!(add(&[-3]), Err(no_conflict()));
        assert_eq!(add(&[-3, 1]), Err(no_conflict()));
        assert_eq!(add(&[]), Err(no_conflict()));
        // The candidate does not contain the negation of the pivot, which is the first literal of the added clause.
        let other = of_formula().add(4, &[2, 3], &[-3, 1, 2]);
        assert_eq!(other, Err(no_candidate(-3)));
    }
}
