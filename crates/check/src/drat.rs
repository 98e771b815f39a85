//! Forward checker of DRAT proofs: every added clause is checked by unit propagation when it is read.
//!
//! A clause follows from other clauses by reverse unit propagation (RUP) if unit propagation finds a contradiction
//! after all literals of the clause are assumed to be false. A clause that is not RUP may still be added if it is RAT
//! on its first literal `p`. This means that unit propagation finds a contradiction for every clause that contains
//! `¬p`, after the other literals of this clause are assumed to be false as well. RAT clauses preserve satisfiability,
//! and can introduce new variables.
//!
//! Literals that are true without assumptions stay true, so most of a proof is checked under few assumptions. Each
//! clause is watched by two of its literals that are not false. A watch also has another literal of the clause, the
//! *blocker*; if the blocker is true, the clause need not be visited. The memory of deleted clauses is freed when they
//! take more than half of the memory of all clauses.
//!
//! It is always safe to ignore a deletion: even then, no proof is accepted for a formula that has a model. So deletions
//! are treated as follows:
//!
//! - A clause that made a literal true without assumptions is kept, as in drat-trim. Solvers delete such clauses
//!   because they are satisfied, and do not undo the consequences.
//! - Deleting a clause that does not exist is only counted.
//! - Clauses are compared as sets: the order and the repetition of literals do not matter. If there are two equal
//!   clauses, only one is deleted.
//!
//! # References
//!
//! - N. Wetzler, M. Heule, W. Hunt: *DRAT-trim: Efficient Checking and Trimming Using Expressive Clausal Proofs*, SAT
//!   2014.
//! - E. Goldberg, Y. Novikov: *Verification of Proofs of Unsatisfiability for CNF Formulas*, DATE 2003, for RUP.
//! - A. Rebola-Pardo, A. Biere: *Two flavors of DRAT*, POS 2018, for deletions of unit clauses.

use std::io::Read;
use std::mem;

use rustsat::types::Lit;

use super::numbers::{Literal, Variables};
use super::steps::{Kind, Steps, Syntax};
use super::{Checked, NOT_IMPLIED, Patience, Unproved, Why};
use hamcnf_tours::{ClauseSink, Family};

/// Checker of DRAT proofs. It is a sink for the clauses of the formula.
///
/// Every added clause must be RUP, or RAT on its first literal. As in drat-trim, the checker keeps a clause that made a
/// literal true without assumptions, even if the proof deletes it. Deletions of clauses that do not exist are counted.
#[derive(Clone, Default, Debug)]
pub struct Drat {
    variables: Variables,
    clauses: Arena,
    /// Value of each literal: 1 if true, -1 if false, 0 if unassigned.
    values: Vec<i8>,
    /// Clause that gave each variable its value; [`NOWHERE`] for an assumption.
    reasons: Vec<Place>,
    /// Indexed by literal: the clauses to visit when the literal becomes false.
    watches: Vec<Vec<Watch>>,
    /// True literals in the order in which they became true.
    trail: Vec<Literal>,
    /// Number of trail literals that have been propagated.
    head: usize,
    /// Number of clauses that contain each literal.
    occurrences: Vec<u64>,
    /// Indexed by literal: true if the literal is in the current clause.
    marked: Vec<bool>,
    /// Literals of the current clause, without repetitions.
    clause: Vec<Literal>,
    /// True if unit propagation finds a contradiction without assumptions.
    refuted: bool,
    /// True if the clauses have exceeded the capacity of the arena.
    overfull: bool,
    checked: Checked,
}

/// Index of the first word of a clause in the arena.
type Place = u32;

/// Null value of [`Place`]: no clause.
const NOWHERE: Place = Place::MAX;

/// Entry in the watch list of a literal: a clause to visit when the literal becomes false.
#[derive(Clone, Copy, Debug)]
struct Watch {
    /// Another literal of the clause. If it is true, the clause need not be visited.
    blocker: Literal,
    /// Twice the place of the clause, plus one if the clause has exactly two literals.
    clause: u32,
}

impl Watch {
    fn new(clause: Place, blocker: Literal, binary: bool) -> Self {
        Self { blocker, clause: 2 * clause + u32::from(binary) }
    }

    #[inline]
    fn place(self) -> Place {
        self.clause >> 1
    }

    #[inline]
    fn is_binary(self) -> bool {
        self.clause & 1 == 1
    }
}

/// Outcome of unit propagation.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Propagated {
    Contradiction,
    /// Propagation reached a fixed point without a contradiction.
    All,
    Stopped,
}

/// Reason why the checker does not execute a step.
enum Refused {
    Wrong(Why),
    Stopped,
    TooLarge,
}

impl ClauseSink for Drat {
    fn family(&mut self, _: Family) {}

    fn clause(&mut self, literals: &[Lit]) {
        let tautology = self.take(literals.iter().map(|literal| literal.to_ipasir()));
        self.overfull |= self.store(tautology).is_none();
    }
}

impl Drat {
    /// Checks a proof that the formula has no model. Calls `stop` about every millisecond; the check stops if `stop`
    /// returns true.
    ///
    /// # Errors
    ///
    /// [`Unproved`] for the first wrong step, or if the check cannot be finished.
    pub fn check(mut self, mut proof: impl Read, syntax: Syntax, stop: &dyn Fn() -> bool) -> Result<Checked, Unproved> {
        if self.overfull {
            return Err(Unproved::TooLarge);
        }
        let mut steps = Steps::new(&mut proof, syntax);
        let mut patience = Patience::new(stop);
        let mut literals = Vec::new();
        let mut taken = self.settle(&mut patience);
        while let Some(kind) = steps.drat(&mut literals)? {
            let steps_before = self.checked.steps;
            self.checked.steps += 1;
            if taken.is_ok() {
                taken = match kind {
                    Kind::Add => self.add(&literals, &mut patience),
                    Kind::Delete => self.delete(&literals, &mut patience),
                };
            }
            match taken {
                Ok(()) if kind == Kind::Add && literals.is_empty() => return Ok(self.checked),
                Ok(()) => {}
                Err(Refused::Wrong(why)) => return Err(steps.wrong(why)),
                Err(Refused::TooLarge) => return Err(Unproved::TooLarge),
                Err(Refused::Stopped) => return Err(Unproved::Stopped { steps: steps_before }),
            }
        }
        Err(steps.unfinished())
    }

    /// Makes these literals the current clause. Returns true if a literal and its negation are in the clause.
    fn take(&mut self, literals: impl Iterator<Item = i32>) -> bool {
        self.clause.clear();
        let mut tautology = false;
        for literal in literals {
            let literal = self.variables.literal(literal);
            self.make_room();
            if !self.marked[literal.index()] {
                tautology |= self.marked[(!literal).index()];
                self.marked[literal.index()] = true;
                self.clause.push(literal);
            }
        }
        for literal in &self.clause {
            self.marked[literal.index()] = false;
        }
        tautology
    }

    #[inline]
    fn make_room(&mut self) {
        let n = self.variables.len();
        if self.values.len() < 2 * n {
            self.values.resize(2 * n, 0);
            self.occurrences.resize(2 * n, 0);
            self.marked.resize(2 * n, false);
            self.watches.resize_with(2 * n, Vec::new);
            self.reasons.resize(n, NOWHERE);
        }
    }

    #[inline]
    fn value(&self, literal: Literal) -> i8 {
        self.values[literal.index()]
    }

    #[inline]
    fn assign(&mut self, literal: Literal, reason: Place) {
        self.values[literal.index()] = 1;
        self.values[(!literal).index()] = -1;
        self.reasons[literal.variable()] = reason;
        self.trail.push(literal);
        // Assumptions, which have no reason, are not counted as propagations.
        self.checked.propagations += u64::from(reason != NOWHERE);
    }

    fn undo(&mut self, to: usize) {
        for literal in self.trail.drain(to..) {
            self.values[literal.index()] = 0;
            self.values[(!literal).index()] = 0;
        }
        self.head = to;
    }

    /// Stores the current clause; `None` if the arena is full. The clause is watched only if it is not satisfied and
    /// has two literals that are not false.
    fn store(&mut self, tautology: bool) -> Option<()> {
        // Move two literals that are not false to the front.
        let mut open = 0;
        let mut satisfied = tautology;
        for at in 0..self.clause.len() {
            let value = self.value(self.clause[at]);
            satisfied |= value > 0;
            if value >= 0 && open < 2 {
                self.clause.swap(at, open);
                open += 1;
            }
        }
        let place = self.clauses.push(&self.clause)?;
        for literal in &self.clause {
            self.occurrences[literal.index()] += 1;
        }
        if satisfied {
            return Some(());
        }
        match self.clause[..open] {
            [] => self.refuted = true,
            [only] => self.assign(only, place),
            [one, other, ..] => {
                let binary = self.clause.len() == 2;
                self.watches[one.index()].push(Watch::new(place, other, binary));
                self.watches[other.index()].push(Watch::new(place, one, binary));
            }
        }
        Some(())
    }

    /// Propagates the literals that are true without assumptions. Sets `refuted` if this gives a contradiction.
    fn settle(&mut self, patience: &mut Patience<'_>) -> Result<(), Refused> {
        if !self.refuted {
            match self.propagate(patience) {
                Propagated::Contradiction => self.refuted = true,
                Propagated::All => {}
                Propagated::Stopped => return Err(Refused::Stopped),
            }
        }
        Ok(())
    }

    fn add(&mut self, literals: &[i32], patience: &mut Patience<'_>) -> Result<(), Refused> {
        self.checked.additions += 1;
        if patience.spend(1 + literals.len() as u64) {
            return Err(Refused::Stopped);
        }
        if self.refuted {
            return Ok(());
        }
        let tautology = self.take(literals.iter().copied());
        let holds = self.clause.iter().any(|&literal| self.value(literal) > 0);
        if !tautology && !holds {
            let before = self.trail.len();
            for at in 0..self.clause.len() {
                let literal = self.clause[at];
                if self.value(literal) == 0 {
                    self.assign(!literal, NOWHERE);
                }
            }
            let followed = match self.propagate(patience) {
                Propagated::Contradiction => Ok(()),
                Propagated::Stopped => Err(Refused::Stopped),
                Propagated::All => self.extend(literals.first().copied(), patience),
            };
            self.undo(before);
            followed?;
        }
        self.store(tautology).ok_or(Refused::TooLarge)?;
        self.settle(patience)
    }

    /// Checks that the current clause is RAT on its literal `first`. Before the call, all literals of the clause must
    /// be false, and all consequences must be propagated.
    fn extend(&mut self, first: Option<i32>, patience: &mut Patience<'_>) -> Result<(), Refused> {
        let wrong = || {
            let also = first.map_or_else(String::new, |literal| format!(", nor by RAT on the literal {literal}"));
            Refused::Wrong(Why::new(format!("{NOT_IMPLIED}{also}")))
        };
        let pivot = self.variables.literal(first.ok_or_else(wrong)?);
        let mut left = self.occurrences[(!pivot).index()];
        let before = self.trail.len();
        let mut next = self.clauses.first();
        while let (Some(place), 1..) = (next, left) {
            next = self.clauses.after(place);
            if patience.spend(1) {
                return Err(Refused::Stopped);
            }
            let words = self.clauses.words(place);
            if !words.clone().any(|at| self.clauses.literal(at) == !pivot) {
                continue;
            }
            left -= 1;
            let mut satisfied = false;
            for at in words {
                let literal = self.clauses.literal(at);
                if literal == !pivot {
                    continue;
                }
                // A clause that contains the pivot as well as its negation is always true.
                satisfied |= literal == pivot || self.value(literal) > 0;
                if self.value(literal) == 0 {
                    self.assign(!literal, NOWHERE);
                }
            }
            let follows = match satisfied {
                true => Propagated::Contradiction,
                false => self.propagate(patience),
            };
            self.undo(before);
            match follows {
                Propagated::Contradiction => {}
                Propagated::All => return Err(wrong()),
                Propagated::Stopped => return Err(Refused::Stopped),
            }
        }
        self.checked.extensions += 1;
        Ok(())
    }

    fn delete(&mut self, literals: &[i32], patience: &mut Patience<'_>) -> Result<(), Refused> {
        self.checked.deletions += 1;
        if patience.spend(1 + literals.len() as u64) {
            return Err(Refused::Stopped);
        }
        if self.refuted {
            return Ok(());
        }
        self.take(literals.iter().copied());
        for literal in &self.clause {
            self.marked[literal.index()] = true;
        }
        // Of several equal clauses, delete one that is not the reason of a literal.
        let (mut kept, mut found) = (false, None);
        for place in self.clauses.alike(&self.clause) {
            let same = self.clauses.len(place) == self.clause.len()
                && (self.clauses.words(place)).all(|at| self.marked[self.clauses.literal(at).index()]);
            if same && !self.is_reason(place) {
                found = Some(place);
                break;
            }
            kept |= same;
        }
        for literal in &self.clause {
            self.marked[literal.index()] = false;
        }
        let Some(place) = found else {
            let counter = match kept {
                true => &mut self.checked.kept,
                false => &mut self.checked.missing,
            };
            *counter += 1;
            return Ok(());
        };
        self.clauses.remove(place, &self.clause);
        for literal in &self.clause {
            self.occurrences[literal.index()] -= 1;
        }
        if self.clauses.is_half_empty() {
            self.collect();
        }
        Ok(())
    }

    /// True if the clause is the reason why one of its literals is true.
    fn is_reason(&self, place: Place) -> bool {
        self.clauses.words(place).any(|at| {
            let literal = self.clauses.literal(at);
            self.value(literal) > 0 && self.reasons[literal.variable()] == place
        })
    }

    /// Frees the memory of deleted clauses by moving the remaining clauses to the front of the arena.
    fn collect(&mut self) {
        let moved = self.clauses.collect();
        for watches in &mut self.watches {
            watches.retain_mut(|watch| {
                let to = moved.of(watch.place());
                *watch = Watch::new(to.unwrap_or(0), watch.blocker, watch.is_binary());
                to.is_some()
            });
            if watches.len() < watches.capacity() / 4 {
                watches.shrink_to_fit();
            }
        }
        for literal in &self.trail {
            let reason = &mut self.reasons[literal.variable()];
            if *reason != NOWHERE {
                *reason = moved.of(*reason).unwrap_or(NOWHERE);
            }
        }
    }

    fn propagate(&mut self, patience: &mut Patience<'_>) -> Propagated {
        while let Some(&literal) = self.trail.get(self.head) {
            self.head += 1;
            let falsified = !literal;
            let mut watches = mem::take(&mut self.watches[falsified.index()]);
            if patience.spend(1 + watches.len() as u64) {
                return Propagated::Stopped;
            }
            let contradiction = self.visit(falsified, &mut watches);
            self.watches[falsified.index()] = watches;
            if contradiction {
                return Propagated::Contradiction;
            }
        }
        Propagated::All
    }

    /// Visits the clauses that are watched by the literal `falsified`, which has become false. Returns true if all
    /// literals of one of these clauses are false.
    fn visit(&mut self, falsified: Literal, watches: &mut Vec<Watch>) -> bool {
        let (mut read, mut written) = (0, 0);
        let mut contradiction = false;
        while read < watches.len() {
            let watch = watches[read];
            read += 1;
            let value = self.value(watch.blocker);
            if value > 0 {
                watches[written] = watch;
                written += 1;
                continue;
            }
            let place = watch.place();
            if self.clauses.is_deleted(place) {
                continue;
            }
            if watch.is_binary() {
                watches[written] = watch;
                written += 1;
                if value < 0 {
                    contradiction = true;
                    break;
                }
                self.assign(watch.blocker, place);
                continue;
            }
            let words = self.clauses.literals_mut(place);
            if words[0] == falsified.0 {
                words.swap(0, 1);
            }
            let first = Literal(words[0]);
            let value = self.values[first.index()];
            let kept = Watch::new(place, first, false);
            if value <= 0 {
                let other = (words.iter().skip(2)).position(|&word| self.values[word as usize] >= 0);
                if let Some(other) = other {
                    words.swap(1, other + 2);
                    let other = Literal(words[1]);
                    self.watches[other.index()].push(kept);
                    continue;
                }
            }
            watches[written] = kept;
            written += 1;
            if value < 0 {
                contradiction = true;
                break;
            }
            if value == 0 {
                self.assign(first, place);
            }
        }
        watches.copy_within(read.., written);
        watches.truncate(written + watches.len() - read);
        contradiction
    }
}

/// Store of all clauses, one after another. A clause is found by its place or by its literals.
#[derive(Clone, Default, Debug)]
struct Arena {
    /// All clauses, one after another. The words of a clause are: twice the number of its literals, plus one if the
    /// clause is deleted; the place of the next clause in the same chain; the literals.
    words: Vec<u32>,
    /// Number of words that belong to deleted clauses.
    wasted: usize,
    /// Place of the first clause of each chain. All clauses with the same hash are in the same chain.
    chains: Vec<Place>,
    /// Number of clauses that are not deleted.
    clauses: usize,
}

/// Map from the old places of clauses to their new places. It is the old word list of the arena with one change: the
/// second word of each clause is the new place of the clause.
struct Moved(Vec<u32>);

impl Moved {
    fn of(&self, place: Place) -> Option<Place> {
        let at = place as usize;
        (self.0[at] & 1 == 0).then(|| self.0[at + 1])
    }
}

impl Arena {
    /// Maximum number of words, chosen so that twice a place plus one fits into a [`Watch`].
    const MOST: usize = (Place::MAX >> 1) as usize;

    /// Returns a hash of literals that does not depend on their order.
    fn hash(literals: impl Iterator<Item = u32>) -> u64 {
        let mixed = literals.map(|literal| {
            let product = (u64::from(literal) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            (product ^ (product >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9)
        });
        mixed.fold(0, u64::wrapping_add)
    }

    /// Returns the index of the chain to which clauses with this hash belong.
    fn chain(&self, hash: u64) -> usize {
        (hash >> 32) as usize & (self.chains.len() - 1)
    }

    fn push(&mut self, clause: &[Literal]) -> Option<Place> {
        let place = self.words.len();
        if place + 2 + clause.len() > Self::MOST {
            return None;
        }
        let place = place as Place;
        self.words.push(2 * clause.len() as u32);
        self.words.push(NOWHERE);
        self.words.extend(clause.iter().map(|literal| literal.0));
        self.clauses += 1;
        if self.clauses > self.chains.len() {
            self.rechain();
        } else {
            self.link(place);
        }
        Some(place)
    }

    fn link(&mut self, place: Place) {
        let hash = Self::hash(self.words[self.words(place)].iter().copied());
        let chain = self.chain(hash);
        self.words[place as usize + 1] = mem::replace(&mut self.chains[chain], place);
    }

    /// Rebuilds the chains. There are at least as many chains as clauses afterwards.
    fn rechain(&mut self) {
        let chains = (2 * self.clauses).next_power_of_two().max(1 << 10);
        self.chains.clear();
        self.chains.resize(chains, NOWHERE);
        let mut next = self.first();
        while let Some(place) = next {
            self.link(place);
            next = self.after(place);
        }
    }

    /// Returns the places of the clauses in the chain to which a clause with these literals belongs.
    fn alike(&self, clause: &[Literal]) -> impl Iterator<Item = Place> {
        let hash = Self::hash(clause.iter().map(|literal| literal.0));
        let mut next = match self.chains.is_empty() {
            true => NOWHERE,
            false => self.chains[self.chain(hash)],
        };
        std::iter::from_fn(move || {
            let place = next;
            if place == NOWHERE {
                return None;
            }
            next = self.words[place as usize + 1];
            Some(place)
        })
    }

    /// Marks a clause as deleted and removes it from its chain. `clause` has the literals of the clause.
    fn remove(&mut self, place: Place, clause: &[Literal]) {
        let before = self.alike(clause).find(|&before| self.words[before as usize + 1] == place);
        let after = self.words[place as usize + 1];
        match before {
            Some(before) => self.words[before as usize + 1] = after,
            None => {
                let chain = self.chain(Self::hash(clause.iter().map(|literal| literal.0)));
                self.chains[chain] = after;
            }
        }
        self.words[place as usize] |= 1;
        self.wasted += 2 + clause.len();
        self.clauses -= 1;
    }

    fn is_half_empty(&self) -> bool {
        self.wasted > self.words.len() / 2
    }

    /// Moves the remaining clauses to the front, and returns the map to their new places.
    fn collect(&mut self) -> Moved {
        let mut words = Vec::with_capacity(self.words.len() - self.wasted);
        let mut next = self.first();
        while let Some(place) = next {
            next = self.after(place);
            let to = words.len() as Place;
            let begin = place as usize;
            words.extend_from_slice(&self.words[begin..self.words(place).end]);
            self.words[begin + 1] = to;
        }
        let moved = Moved(mem::replace(&mut self.words, words));
        self.wasted = 0;
        self.rechain();
        moved
    }

    fn first(&self) -> Option<Place> {
        self.from(0)
    }

    /// Returns the place of the next clause that is not deleted; `None` if no such clause follows.
    fn after(&self, place: Place) -> Option<Place> {
        self.from(self.words(place).end)
    }

    fn from(&self, mut at: usize) -> Option<Place> {
        while at < self.words.len() {
            let place = at as Place;
            if !self.is_deleted(place) {
                return Some(place);
            }
            at = self.words(place).end;
        }
        None
    }

    #[inline]
    fn is_deleted(&self, place: Place) -> bool {
        self.words[place as usize] & 1 == 1
    }

    #[inline]
    fn len(&self, place: Place) -> usize {
        (self.words[place as usize] >> 1) as usize
    }

    /// Returns the range of indices in `words` at which the literals of a clause are stored.
    #[inline]
    fn words(&self, place: Place) -> std::ops::Range<usize> {
        let begin = place as usize + 2;
        begin..begin + self.len(place)
    }

    #[inline]
    fn literal(&self, at: usize) -> Literal {
        Literal(self.words[at])
    }

    #[inline]
    fn literals_mut(&mut self, place: Place) -> &mut [u32] {
        let words = self.words(place);
        &mut self.words[words]
    }
}
