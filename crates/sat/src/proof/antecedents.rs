//! Antecedents of a derived clause: the clauses from which it follows. LRAT requires them for each step. Unit
//! propagation finds them, because it records the reason of each assignment.
//!
//! To derive a clause, its literals are assumed to be false, and the consequences are propagated until another clause
//! is false. The antecedents are the reasons that lead to the false clause, in the order in which they propagated.
//!
//! Consecutive steps of a derivation begin with the same literals, usually with one literal that stands for many
//! others. Therefore the consequences of these literals are kept until a step begins with other literals, and each step
//! only costs the work of its remaining literals. The remaining literals are assumed all at once. If each of them were
//! propagated before the next, four times as many literals would become true.
//!
//! A literal that follows without assumptions becomes a unit clause ([`Antecedents::next_fixed`]), so that the clauses
//! from which it follows may be deleted.
//!
//! Checkers are strict: they reject an antecedent that is already satisfied when they reach it, or that comes after the
//! contradiction. Therefore an assumed literal has no antecedents, even if it followed before it was assumed. If a
//! literal of the clause to derive turns out to be true, the reason of this literal is the contradiction.
//!
//! # References
//!
//! - Matthew W. Moskewicz, Conor F. Madigan, Ying Zhao, Lintao Zhang, Sharad Malik: *Chaff: Engineering an Efficient
//!   SAT Solver*, DAC 2001: two watched literals.
//! - Luís Cruz-Filipe, Marijn Heule, Warren Hunt, Matt Kaufmann, Peter Schneider-Kamp: *Efficient Certified RAT
//!   Verification*, CADE 2017.

use std::collections::HashMap;
use std::ops::Not;

use hamcnf_tours::{ClauseSink, Family};
use rustsat::types::Lit;

/// Literal as a number: twice the index of its variable, plus one if the variable is negated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Literal(u32);

impl Literal {
    fn of(literal: i32) -> Self {
        Self(2 * (literal.unsigned_abs() - 1) + u32::from(literal < 0))
    }

    fn ipasir(self) -> i32 {
        let variable = (self.0 / 2 + 1) as i32;
        if self.0 & 1 == 1 { -variable } else { variable }
    }

    fn variable(self) -> usize {
        (self.0 / 2) as usize
    }

    fn index(self) -> usize {
        self.0 as usize
    }
}

impl Not for Literal {
    type Output = Self;

    fn not(self) -> Self {
        Self(self.0 ^ 1)
    }
}

/// Position of a clause in the arena. From this position on, the arena holds the length of the clause, its number
/// (split into two words) and its literals.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Place(u32);

impl Place {
    fn index(self) -> usize {
        self.0 as usize
    }
}

const HEAD: usize = 3;

/// Memory in bytes for a clause of about three literals: its cells in the arena and two watches, doubled because
/// growing lists have spare capacity. For the 3.9 million clauses of a random cubic graph of 1000 vertices, 330 MB were
/// measured.
pub(super) const BYTES_A_CLAUSE: u64 = 2 * (4 * (HEAD as u64 + 3) + 2 * size_of::<Watch>() as u64);

/// Watch of a literal: the clause at `place` is visited when the literal becomes false.
#[derive(Clone, Copy, Debug)]
struct Watch {
    place: Place,
    /// Another literal of the clause. While this literal is true, the clause need not be visited.
    blocker: Literal,
}

/// Reason why a literal is true.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Why {
    Assumed,
    Follows(Place),
}

/// Reason, level and position of the assignment of a variable.
#[derive(Clone, Copy, Debug)]
struct Known {
    why: Why,
    /// Level at which the variable was assigned; 0 if no assumption was needed.
    level: u32,
    /// Index of the literal on the trail.
    position: u32,
}

/// Clauses of a proof, from which further clauses are derived. The assumptions of the last derivation and their
/// consequences are kept for the next derivation.
#[derive(Debug, Default)]
pub(super) struct Antecedents {
    arena: Vec<u32>,
    /// Positions in the arena, by clause number, of the clauses that may be deleted.
    places: HashMap<u64, Place>,
    /// Size of the formula in clauses. Clauses with higher numbers are steps of the proof.
    formulas: u64,
    /// Number of cells of the arena that deleted clauses still occupy.
    wasted: usize,
    /// Indexed by literal: its watches, one for each clause to visit when the literal becomes false.
    watches: Vec<Vec<Watch>>,
    /// Indexed by literal: true if the literal is true, false if it is false or unassigned.
    is_true: Vec<bool>,
    /// Indexed by variable: the reason, level and position of its assignment; meaningless while it is unassigned.
    known: Vec<Known>,
    /// Indexed by variable: the number of the unit clause that fixes the variable; 0 if it is not fixed.
    units: Vec<u64>,
    trail: Vec<Literal>,
    /// Index on the trail of the next literal to be propagated.
    head: usize,
    /// Number of literals at the beginning of the trail that already have a unit clause.
    settled: usize,
    /// Index on the trail at which each level begins; the first entry belongs to level 1.
    levels: Vec<usize>,
    /// Literals of the clause to derive, each with the level at which it was assumed to be false.
    shown: Vec<(Literal, usize)>,
    /// Level at which a clause became false, and the position of this clause; `None` if no clause is false.
    conflict: Option<(usize, Place)>,
    /// Temporary marks of variables, all false between calls.
    seen: Vec<bool>,
}

/// Literal that follows without assumptions, with the antecedents of its unit clause.
pub(super) struct Fixed {
    pub(super) literal: i32,
    pub(super) antecedents: Vec<i64>,
}

/// Derivation of a clause by unit propagation.
pub(super) struct Shown {
    /// Numbers of the clauses from which the clause follows, in the order of their propagation.
    pub(super) antecedents: Vec<i64>,
    /// True if the only antecedent is the derived clause itself, which then need not be added.
    pub(super) is_there: bool,
}

impl ClauseSink for Antecedents {
    fn family(&mut self, _: Family) {}

    /// Adds a clause of the formula.
    fn clause(&mut self, literals: &[Lit]) {
        self.formulas += 1;
        let literals: Vec<i32> = literals.iter().map(|literal| literal.to_ipasir()).collect();
        self.add(self.formulas, &literals);
    }
}

impl Antecedents {
    /// Adds a clause that has this number in the proof.
    pub(super) fn add(&mut self, number: u64, clause: &[i32]) {
        for &literal in clause {
            self.reach(Literal::of(literal));
        }
        let place = self.next_place();
        self.arena.extend([clause.len() as u32, number as u32, (number >> 32) as u32]);
        let literals = clause.iter().map(|&literal| Literal::of(literal).0);
        self.arena.extend(literals);
        if number > self.formulas {
            self.places.insert(number, place);
        }
        self.attach(place);
        self.propagate();
    }

    /// Deletes the clause with this number. Clauses of the formula are not deleted.
    pub(super) fn delete(&mut self, number: u64) {
        let Some(place) = self.places.remove(&number) else {
            return;
        };
        // The consequences of the clause are invalid now, except for literals that have a unit clause.
        let first = self.literals(place).next();
        if let Some(first) = first.filter(|first| self.is_true[first.index()]) {
            let known = self.known[first.variable()];
            if known.why == Why::Follows(place) && known.level > 0 {
                self.back_to(known.level as usize - 1);
            }
        }
        if let Some((level, of)) = self.conflict
            && of == place
            && level > 0
        {
            self.back_to(level - 1);
        }
        let size = self.arena[place.index()] as usize;
        // The watches of the clause are removed when they are visited.
        self.arena[place.index() + 1] = 0;
        self.arena[place.index() + 2] = 0;
        self.wasted += HEAD + size;
        if self.wasted > self.arena.len() / 2 && self.arena.len() > LEAST {
            self.collect();
        }
    }

    /// Returns the next literal that follows without assumptions and needs a unit clause.
    pub(super) fn next_fixed(&mut self) -> Option<Fixed> {
        let end = self.levels.first().copied().unwrap_or(self.trail.len());
        while self.settled < end {
            let literal = self.trail[self.settled];
            self.settled += 1;
            let Why::Follows(place) = self.known[literal.variable()].why else {
                debug_assert!(false, "nothing is assumed there");
                continue;
            };
            let number = self.number(place);
            if self.literals(place).len() == 1 && number <= self.formulas {
                self.units[literal.variable()] = number;
                continue;
            }
            let others = self.literals(place).filter(|&other| other != literal);
            let mut antecedents: Vec<i64> = others.map(|other| self.units[other.variable()] as i64).collect();
            antecedents.push(number as i64);
            return Some(Fixed { literal: literal.ipasir(), antecedents });
        }
        None
    }

    /// Returns the position of the next clause in the arena. Positions run out after sixteen gigabytes of literals.
    fn next_place(&self) -> Place {
        Place(u32::try_from(self.arena.len()).unwrap_or(u32::MAX))
    }

    /// Records the number of the unit clause for a literal returned by [`next_fixed`](Self::next_fixed).
    pub(super) fn fix(&mut self, literal: i32, number: u64) {
        self.units[Literal::of(literal).variable()] = number;
    }

    /// True if the clause with this number is a clause of the formula.
    pub(super) fn is_formulas(&self, number: u64) -> bool {
        number <= self.formulas
    }

    /// True if unit propagation has found a contradiction without assumptions.
    pub(super) fn contradict(&self) -> bool {
        self.conflict.is_some_and(|(level, _)| level == 0)
    }

    /// Returns the numbers of the clauses from which `clause` follows by unit propagation, in the order of propagation.
    /// Returns `None` if `clause` does not follow. Before this call, the caller must have called [`fix`](Self::fix) for
    /// all literals that [`next_fixed`](Self::next_fixed) returns.
    pub(super) fn of(&mut self, clause: &[i32]) -> Option<Shown> {
        let clause: Vec<Literal> = clause.iter().map(|&literal| Literal::of(literal)).collect();
        for &literal in &clause {
            self.reach(literal);
        }
        self.assume_none(&clause);
        let place = match self.already(&clause) {
            Some(At::Unit(number)) => {
                return Some(Shown { antecedents: vec![number as i64], is_there: clause.len() == 1 });
            }
            Some(At::Clause(place)) => place,
            None => self.conflict?.1,
        };
        let antecedents = self.behind(place, &clause)?;
        let is_there = antecedents.len() == 1 && self.literals(place).len() == clause.len();
        Some(Shown { antecedents, is_there })
    }

    /// Assumes that all literals of the clause are false, and propagates until a contradiction is found. Keeps the
    /// assumptions for the common prefix of this clause and the previous clause.
    fn assume_none(&mut self, clause: &[Literal]) {
        let depth = self.levels.len();
        self.shown.retain(|&(_, level)| level <= depth);
        let same = clause.iter().zip(&self.shown);
        let same = same.take_while(|&(literal, (shown, _))| literal == shown);
        let same = same.count();
        // A level is kept if all of its assumptions are kept.
        let stay = match self.shown.get(same) {
            Some(&(_, level)) => self.shown.partition_point(|&(_, of)| of < level),
            None => same,
        };
        self.shown.truncate(stay);
        self.back_to(self.shown.last().map_or(0, |&(_, level)| level));
        let parts = [&clause[stay..same], &clause[same..]];
        for part in parts.into_iter().filter(|part| !part.is_empty()) {
            let mut literals = part.iter();
            if self.conflict.is_some() || literals.any(|l| self.is_true[l.index()]) {
                return;
            }
            self.levels.push(self.trail.len());
            for &literal in part {
                let is_open = !self.is_true[(!literal).index()] && !self.is_true[literal.index()];
                if is_open {
                    self.assign(!literal, Why::Assumed);
                }
                self.shown.push((literal, self.levels.len()));
            }
            self.propagate();
        }
    }

    /// Finds the literal of the clause that became true first, and returns its reason. Returns `None` if no literal of
    /// the clause is true, or if the first true literal was assumed.
    fn already(&self, clause: &[Literal]) -> Option<At> {
        let is_true = clause.iter().filter(|literal| self.is_true[literal.index()]);
        let first = is_true.min_by_key(|literal| self.known[literal.variable()].position)?;
        let known = self.known[first.variable()];
        match (known.level, known.why) {
            (0, _) => Some(At::Unit(self.units[first.variable()])),
            (_, Why::Follows(place)) => Some(At::Clause(place)),
            // The clause also contains the negation of the literal, and so needs no antecedents.
            (_, Why::Assumed) => None,
        }
    }

    /// Returns the numbers of the clauses that make the clause at `place` false if all literals of `clause` are false,
    /// followed by the number of the clause at `place`. Returns `None` if other assumptions are needed as well.
    fn behind(&mut self, place: Place, clause: &[Literal]) -> Option<Vec<i64>> {
        // The literals of `clause` are assumed to be false, and have no antecedents.
        let mut marked: Vec<usize> = clause.iter().map(|literal| literal.variable()).collect();
        for &variable in &marked {
            self.seen[variable] = true;
        }
        let mut is_clauses = true;
        let mut waiting = vec![place];
        // Antecedents, sorted later by the order in which their literals became true.
        let mut found: Vec<(u32, u64)> = Vec::new();
        while let Some(place) = waiting.pop() {
            let begin = place.index() + HEAD;
            for at in begin..begin + self.arena[place.index()] as usize {
                let variable = Literal(self.arena[at]).variable();
                if std::mem::replace(&mut self.seen[variable], true) {
                    continue;
                }
                marked.push(variable);
                let known = self.known[variable];
                match known.why {
                    _ if known.level == 0 => found.push((known.position, self.units[variable])),
                    Why::Follows(place) => {
                        found.push((known.position, self.number(place)));
                        waiting.push(place);
                    }
                    Why::Assumed => is_clauses = false,
                }
            }
        }
        found.sort_unstable();
        for variable in marked {
            self.seen[variable] = false;
        }
        let numbers = found.into_iter().map(|(_, number)| number);
        let all = numbers.chain([self.number(place)]);
        is_clauses.then(|| all.map(|number| number as i64).collect())
    }

    /// Adds the watches of a clause, whatever the current assumptions are. If the clause is false or implies a literal,
    /// goes back to the level at which this happens, and assigns the implied literal.
    fn attach(&mut self, place: Place) {
        let begin = place.index() + HEAD;
        let size = self.arena[place.index()] as usize;
        // Move to the front two literals that are not false, or that became false last.
        for to in 0..size.min(2) {
            let rest = begin + to..begin + size;
            let last = rest.max_by_key(|&at| self.false_since(Literal(self.arena[at])));
            if let Some(last) = last {
                self.arena.swap(begin + to, last);
            }
        }
        let mut literals = self.literals(place);
        let (first, second) = match (literals.next(), literals.next()) {
            (Some(first), Some(second)) => (first, second),
            (one, _) => {
                drop(literals);
                self.back_to(0);
                match one {
                    Some(one) if self.is_true[one.index()] => {}
                    Some(one) if !self.is_true[(!one).index()] => {
                        self.assign(one, Why::Follows(place));
                    }
                    _ => self.conflict = Some((0, place)),
                }
                return;
            }
        };
        drop(literals);
        self.watch(first, second, place);
        self.watch(second, first, place);
        let level = self.false_since(second);
        if level == NEVER {
            return;
        }
        match self.false_since(first) {
            NEVER if self.is_true[first.index()] => {
                // The literal must be true from the level at which all others are false.
                if self.known[first.variable()].level as usize > level {
                    self.back_to(level);
                    self.assign(first, Why::Follows(place));
                }
            }
            of_first if of_first == level => {
                self.back_to(level);
                self.conflict.get_or_insert((level, place));
            }
            _ => {
                self.back_to(level);
                self.assign(first, Why::Follows(place));
            }
        }
    }

    /// Returns the level at which a literal became false; [`NEVER`] if it is not false.
    fn false_since(&self, literal: Literal) -> usize {
        match self.is_true[(!literal).index()] {
            true => self.known[literal.variable()].level as usize,
            false => NEVER,
        }
    }

    fn watch(&mut self, literal: Literal, blocker: Literal, place: Place) {
        self.watches[literal.index()].push(Watch { place, blocker });
    }

    fn assign(&mut self, literal: Literal, why: Why) {
        self.is_true[literal.index()] = true;
        self.known[literal.variable()] =
            Known { why, level: self.levels.len() as u32, position: self.trail.len() as u32 };
        self.trail.push(literal);
    }

    fn back_to(&mut self, level: usize) {
        let Some(&begin) = self.levels.get(level) else {
            return;
        };
        self.levels.truncate(level);
        for literal in self.trail.drain(begin..) {
            self.is_true[literal.index()] = false;
        }
        self.head = self.head.min(begin);
        self.conflict = self.conflict.filter(|&(of, _)| of <= level);
    }

    fn propagate(&mut self) {
        while self.conflict.is_none() && self.head < self.trail.len() {
            let is_false = !self.trail[self.head];
            self.head += 1;
            let mut watches = std::mem::take(&mut self.watches[is_false.index()]);
            let mut kept = 0;
            let mut next = 0;
            while let Some(&watch) = watches.get(next) {
                next += 1;
                if self.is_true[watch.blocker.index()] {
                    watches[kept] = watch;
                    kept += 1;
                    continue;
                }
                let Some(blocker) = self.visit(watch.place, is_false) else {
                    continue;
                };
                watches[kept] = Watch { blocker, ..watch };
                kept += 1;
                if self.conflict.is_some() {
                    break;
                }
            }
            watches.copy_within(next.., kept);
            watches.truncate(kept + watches.len() - next);
            self.watches[is_false.index()] = watches;
        }
    }

    /// Visits a clause in which the watched literal `is_false` became false. Returns the new blocker of the watch, or
    /// `None` if the literal is no longer watched.
    fn visit(&mut self, place: Place, is_false: Literal) -> Option<Literal> {
        if self.number(place) == 0 {
            return None;
        }
        let begin = place.index() + HEAD;
        let size = self.arena[place.index()] as usize;
        if self.arena[begin] == is_false.0 {
            self.arena.swap(begin, begin + 1);
        }
        let first = Literal(self.arena[begin]);
        if self.is_true[first.index()] {
            return Some(first);
        }
        for at in begin + 2..begin + size {
            let other = Literal(self.arena[at]);
            if !self.is_true[(!other).index()] {
                self.arena.swap(begin + 1, at);
                self.watch(other, first, place);
                return None;
            }
        }
        if self.is_true[(!first).index()] {
            self.conflict = Some((self.levels.len(), place));
        } else {
            self.assign(first, Why::Follows(place));
        }
        Some(first)
    }

    /// Removes the deleted clauses from the arena.
    fn collect(&mut self) {
        self.back_to(0);
        self.watches.iter_mut().for_each(Vec::clear);
        let before = std::mem::take(&mut self.arena);
        self.arena.reserve(before.len() - self.wasted);
        let conflict = self.conflict.take();
        self.wasted = 0;
        let mut at = 0;
        while at < before.len() {
            let size = HEAD + before[at] as usize;
            let old = Place(at as u32);
            let clause = &before[at..at + size];
            at += size;
            if clause[1] == 0 && clause[2] == 0 {
                continue;
            }
            let place = self.next_place();
            self.arena.extend_from_slice(clause);
            let number = self.number(place);
            if number > self.formulas {
                self.places.insert(number, place);
            }
            if conflict == Some((0, old)) {
                self.conflict = Some((0, place));
            }
            self.attach(place);
        }
        self.propagate();
    }

    fn number(&self, place: Place) -> u64 {
        u64::from(self.arena[place.index() + 1]) | u64::from(self.arena[place.index() + 2]) << 32
    }

    fn literals(&self, place: Place) -> impl ExactSizeIterator<Item = Literal> + '_ {
        let begin = place.index() + HEAD;
        let literals = &self.arena[begin..begin + self.arena[place.index()] as usize];
        literals.iter().map(|&literal| Literal(literal))
    }

    /// Extends the tables to include the variable of this literal.
    fn reach(&mut self, literal: Literal) {
        let variables = literal.variable() + 1;
        if self.known.len() < variables {
            let nothing = Known { why: Why::Assumed, level: 0, position: 0 };
            self.known.resize(variables, nothing);
            self.units.resize(variables, 0);
            self.seen.resize(variables, false);
            self.is_true.resize(2 * variables, false);
            self.watches.resize(2 * variables, Vec::new());
        }
    }
}

/// Minimum size of the arena, in cells, at which deleted clauses are removed.
const LEAST: usize = if cfg!(test) { 16 } else { 1 << 16 };

/// Marks a literal that is not false in place of the level at which it became false.
const NEVER: usize = usize::MAX;

/// Reason why a literal of the clause to derive is true.
enum At {
    /// Number of the unit clause that fixes the literal.
    Unit(u64),
    Clause(Place),
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;
    use proptest::sample::Index;

    use super::*;

    /// Clauses of a proof. The keys are the numbers of the clauses.
    type Clauses = BTreeMap<u64, Vec<i32>>;

    fn is_refuted(clauses: &Clauses, clause: &[i32]) -> bool {
        let mut is_true: Vec<i32> = clause.iter().map(|&literal| -literal).collect();
        loop {
            let before = is_true.len();
            for clause in clauses.values() {
                let open: Vec<i32> = clause.iter().copied().filter(|l| !is_true.contains(&-l)).collect();
                match *open.as_slice() {
                    [] => return true,
                    [one] if !is_true.contains(&one) => is_true.push(one),
                    _ => {}
                }
            }
            if before == is_true.len() {
                return false;
            }
        }
    }

    /// True if a strict checker accepts these antecedents for the clause.
    fn are_followed(clauses: &Clauses, clause: &[i32], antecedents: &[i64]) -> bool {
        let mut is_true: Vec<i32> = clause.iter().map(|&literal| -literal).collect();
        let (last, before) = antecedents.split_last().unwrap();
        let open = |number: i64, is_true: &[i32]| -> Vec<i32> {
            let clause = clauses[&number.unsigned_abs()].iter().copied();
            clause.filter(|literal| !is_true.contains(&-literal)).collect()
        };
        for &number in before {
            match *open(number, &is_true).as_slice() {
                [one] if !is_true.contains(&one) => is_true.push(one),
                _ => return false,
            }
        }
        open(*last, &is_true).is_empty()
    }

    /// Adds a numbered unit clause for each fixed literal, as a proof writer would, until no more literals become
    /// fixed.
    fn settle(antecedents: &mut Antecedents, clauses: &mut Clauses, next: &mut u64) {
        while let Some(fixed) = antecedents.next_fixed() {
            assert!(are_followed(clauses, &[fixed.literal], &fixed.antecedents));
            clauses.insert(*next, vec![fixed.literal]);
            antecedents.fix(fixed.literal, *next);
            *next += 1;
        }
    }

    fn clause(most: usize) -> impl Strategy<Value = Vec<i32>> {
        let literals = prop::collection::btree_map(1..9i32, any::<bool>(), 0..most);
        let literal = |(variable, positive): (i32, bool)| if positive { variable } else { -variable };
        literals.prop_map(move |clause| clause.into_iter().map(literal).collect())
    }

    #[derive(Clone, Debug)]
    enum Step {
        Ask(Vec<i32>),
        /// Request for the antecedents of a clause that begins with the literals of the previous clause.
        AskMore(Vec<i32>),
        Add(Vec<i32>),
        Delete(Index),
    }

    fn steps() -> impl Strategy<Value = Vec<Step>> {
        let step = prop_oneof![
            3 => clause(5).prop_map(Step::Ask),
            3 => clause(4).prop_map(Step::AskMore),
            3 => clause(5).prop_filter("not empty", |c| !c.is_empty()).prop_map(Step::Add),
            2 => any::<Index>().prop_map(Step::Delete),
        ];
        prop::collection::vec(step, 1..40)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        #[test]
        fn what_follows_is_found_and_nothing_else(
            formula in prop::collection::vec(clause(4).prop_filter("not empty", |c| !c.is_empty()), 0..16),
            steps in steps(),
        ) {
            let mut antecedents = Antecedents::default();
            let mut clauses = Clauses::new();
            for clause in &formula {
                let literals: Vec<Lit> = clause.iter().map(|&l| Lit::from_ipasir(l).unwrap()).collect();
                antecedents.clause(&literals);
                clauses.insert(clauses.len() as u64 + 1, clause.clone());
            }
            let mut next = clauses.len() as u64 + 1;
            settle(&mut antecedents, &mut clauses, &mut next);
            let mut deletable: Vec<u64> = Vec::new();
            let mut last: Vec<i32> = Vec::new();
            for step in steps {
                if antecedents.contradict() {
                    prop_assert!(is_refuted(&clauses, &[]));
                    break;
                }
                match step {
                    Step::Ask(_) | Step::AskMore(_) => {
                        let asked = match step {
                            Step::AskMore(more) => {
                                let open = |l: &i32| !last.contains(l) && !last.contains(&-l);
                                let more: Vec<i32> = more.into_iter().filter(open).collect();
                                [last.as_slice(), &more].concat()
                            }
                            Step::Ask(asked) => asked,
                            Step::Add(_) | Step::Delete(_) => continue,
                        };
                        let found = antecedents.of(&asked);
                        prop_assert_eq!(found.is_some(), is_refuted(&clauses, &asked), "{:?}", asked);
                        if let Some(found) = found {
                            prop_assert!(are_followed(&clauses, &asked, &found.antecedents));
                            let same = |number: &i64| clauses[&number.unsigned_abs()].len() == asked.len();
                            let is_there = found.antecedents.len() == 1 && same(&found.antecedents[0]);
                            prop_assert_eq!(found.is_there, is_there);
                        }
                        last = asked;
                    }
                    Step::Add(clause) => {
                        antecedents.add(next, &clause);
                        clauses.insert(next, clause);
                        deletable.push(next);
                        next += 1;
                        settle(&mut antecedents, &mut clauses, &mut next);
                    }
                    Step::Delete(_) if deletable.is_empty() => {}
                    Step::Delete(index) => {
                        let number = deletable.swap_remove(index.index(deletable.len()));
                        antecedents.delete(number);
                        clauses.remove(&number);
                    }
                }
            }
        }
    }
}
