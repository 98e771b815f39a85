//! Small SAT solver for the formulas of [`search`](super::search): a few thousand variables, short clauses, and millions of
//! conflicts at most.
//!
//! The solver has conflict-driven clause learning only: two watched literals, with separate lists for clauses of two
//! literals; learning of the first unique implication point, with recursive minimization; activities, saved phases, and
//! restarts by Luby's sequence. Learned clauses of many decision levels are deleted.
//!
//! A [`Theory`] checks a constraint that the clauses do not express. After unit propagation, the solver tells the theory
//! each new true literal. The theory may return a clause that is violated, or that has one unassigned literal. The
//! solver keeps this clause only as the reason of one conflict or of one literal.
//!
//! # References
//!
//! - João Marques-Silva, Karem Sakallah: *GRASP: A Search Algorithm for Propositional Satisfiability*, IEEE
//!   Transactions on Computers 48, 1999.
//! - Niklas Eén, Niklas Sörensson: *An Extensible SAT-solver*, SAT 2003.
//! - Gilles Audemard, Laurent Simon: *Predicting Learnt Clauses Quality in Modern SAT Solvers*, IJCAI 2009: number of
//!   decision levels of a clause.

use std::collections::HashSet;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::RngCore;
use rustsat::types::Lit;

use super::luby;
use super::order::Order;

/// Number of conflicts between two restarts, for a term 1 of Luby's sequence.
const RESTART: u64 = 100;
/// Maximum number of learned clauses before the first deletion.
const MOST_LEARNED: usize = 4_000;
/// Increase of the maximum number of learned clauses with each deletion.
const MORE_LEARNED: usize = 100;
/// Threshold for deletions: learned clauses of at most this many decision levels are never deleted.
const KEPT_LEVELS: u32 = 2;
/// Maximum depth of the recursion that minimizes learned clauses.
const DEPTH: u32 = 30;
/// Number of conflicts between two checks of the budget.
const CHECK: u64 = 128;

/// Constraint in addition to the clauses.
pub(super) trait Theory {
    /// Records that a literal became true. Returns a clause in which all literals, or all but one, are false; `None` if
    /// the theory implies no such clause.
    fn assign(&mut self, literal: Lit, values: &Values) -> Option<Vec<Lit>>;

    /// Undoes all records except the first `len`.
    fn undo(&mut self, len: usize);
}

/// End of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ended {
    /// Model: values of all variables that the theory accepts.
    Model,
    Refuted,
    Limit,
}

/// Values of the variables.
#[derive(Debug)]
pub(super) struct Values(Vec<Value>);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Value {
    True,
    False,
    Unassigned,
}

impl Values {
    pub(super) fn is_true(&self, literal: Lit) -> bool {
        self.0[literal.lidx()] == Value::True
    }

    pub(super) fn is_false(&self, literal: Lit) -> bool {
        self.0[literal.lidx()] == Value::False
    }

    fn is_open(&self, literal: Lit) -> bool {
        self.0[literal.lidx()] == Value::Unassigned
    }

    fn set(&mut self, literal: Lit, value: Value, opposite: Value) {
        self.0[literal.lidx()] = value;
        self.0[(!literal).lidx()] = opposite;
    }
}

/// Reason of a literal's value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Reason {
    /// A decision, or a clause of one literal.
    None,
    /// A clause of two literals, of which this one is false.
    Two(Lit),
    /// Number of a clause.
    Clause(u32),
    /// Number of a clause of the theory.
    Theory(u32),
}

/// Clause of three or more literals. The first two are watched.
#[derive(Clone, Copy, Debug)]
struct Clause {
    first: u32,
    len: u32,
    /// Number of decision levels when the clause was learned; 0 for clauses of the formula.
    levels: u32,
}

impl Clause {
    fn range(self) -> std::ops::Range<usize> {
        self.first as usize..(self.first + self.len) as usize
    }
}

#[derive(Clone, Copy, Debug)]
struct Watch {
    clause: u32,
    /// Other literal of the clause. If it is true, the clause need not be read.
    other: Lit,
}

/// Result of the minimization for a variable of a learned clause.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mark {
    None,
    /// The variable is in the learned clause.
    Learned,
    /// The literals of the clause imply the variable's value.
    Implied,
    /// Not known to be implied.
    Open,
}

pub(super) struct Solver<T> {
    theory: T,
    values: Values,
    /// Indexed by variable: the decision level at which it got its value.
    level: Vec<u32>,
    /// Indexed by variable: the reason of its value.
    reason: Vec<Reason>,
    /// Indexed by variable: the last value.
    phase: Vec<bool>,
    order: Order,
    /// True literals, in the order in which they became true.
    trail: Vec<Lit>,
    /// Number of literals in the trail before each decision.
    decisions: Vec<usize>,
    /// Number of literals in the trail whose clauses have been visited.
    propagated: usize,
    /// Number of literals in the trail that the theory knows.
    told: usize,
    /// Literals of all clauses of three or more literals.
    literals: Vec<Lit>,
    clauses: Vec<Clause>,
    n_learned: usize,
    most_learned: usize,
    /// Indexed by literal: the clauses that watch its negation.
    watches: Vec<Vec<Watch>>,
    /// Indexed by literal: the literals that it implies through clauses of two literals.
    implied: Vec<Vec<Lit>>,
    /// Clauses of the theory that are reasons of literals in the trail.
    explained: Vec<Vec<Lit>>,
    /// Indexed by variable, for the analysis of a conflict.
    marks: Vec<Mark>,
    marked: Vec<usize>,
    /// Clauses added so far, to skip repetitions.
    added: HashSet<Vec<Lit>>,
    is_refuted: bool,
    conflicts: u64,
    restarts: u64,
}

impl<T: Theory> Solver<T> {
    /// Creates a solver with random activities and phases.
    pub(super) fn new(n_variables: usize, theory: T, random: &mut ChaCha8Rng) -> Self {
        // All random activities together weigh less than a conflict.
        let scale = 1.0 / (f64::from(u32::MAX) * 1024.0);
        let activity = (0..n_variables).map(|_| f64::from(random.next_u32()) * scale);
        let order = Order::new(activity.collect());
        Self {
            theory,
            values: Values(vec![Value::Unassigned; 2 * n_variables]),
            level: vec![0; n_variables],
            reason: vec![Reason::None; n_variables],
            phase: (0..n_variables).map(|_| random.next_u32() & 1 == 1).collect(),
            order,
            trail: Vec::with_capacity(n_variables),
            decisions: Vec::new(),
            propagated: 0,
            told: 0,
            literals: Vec::new(),
            clauses: Vec::new(),
            n_learned: 0,
            most_learned: MOST_LEARNED,
            watches: vec![Vec::new(); 2 * n_variables],
            implied: vec![Vec::new(); 2 * n_variables],
            explained: Vec::new(),
            marks: vec![Mark::None; n_variables],
            marked: Vec::new(),
            added: HashSet::new(),
            is_refuted: false,
            conflicts: 0,
            restarts: 0,
        }
    }

    pub(super) fn is_refuted(&self) -> bool {
        self.is_refuted
    }

    pub(super) fn conflicts(&self) -> u64 {
        self.conflicts
    }

    pub(super) fn theory(&self) -> &T {
        &self.theory
    }

    pub(super) fn values(&self) -> &Values {
        &self.values
    }

    /// Adds a clause of the formula, before the first run. Literals may repeat.
    pub(super) fn add(&mut self, mut clause: Vec<Lit>) {
        clause.sort_unstable();
        clause.dedup();
        let is_tautology = clause.windows(2).any(|pair| pair[0] == !pair[1]);
        let values = &self.values;
        if is_tautology || clause.iter().any(|&literal| values.is_true(literal)) {
            return;
        }
        clause.retain(|&literal| values.is_open(literal));
        if self.added.insert(clause.clone()) {
            self.attach(&clause, 0);
        }
    }

    /// Stores a clause. If all literals but the first are false, the first becomes true.
    fn attach(&mut self, clause: &[Lit], levels: u32) {
        let is_unit = clause.iter().skip(1).all(|&literal| self.values.is_false(literal));
        let (reason, first) = match *clause {
            [] => {
                self.is_refuted = true;
                return;
            }
            [first] => (Reason::None, first),
            [first, second] => {
                self.implied[(!first).lidx()].push(second);
                self.implied[(!second).lidx()].push(first);
                (Reason::Two(second), first)
            }
            [first, second, ..] => {
                let number = self.clauses.len() as u32;
                self.clauses.push(Clause { first: self.literals.len() as u32, len: clause.len() as u32, levels });
                self.literals.extend_from_slice(clause);
                for (watched, other) in [(first, second), (second, first)] {
                    self.watches[(!watched).lidx()].push(Watch { clause: number, other });
                }
                self.n_learned += usize::from(levels > 0);
                (Reason::Clause(number), first)
            }
        };
        if is_unit {
            self.set(first, reason);
        }
    }

    /// Searches until there is a result, for at most `most` conflicts, or until `stop` returns true.
    pub(super) fn run(&mut self, most: u64, stop: impl Fn() -> bool) -> Ended {
        let last = self.conflicts.saturating_add(most);
        loop {
            self.backtrack(0);
            let restart = self.conflicts + RESTART * luby(self.restarts);
            self.restarts += 1;
            loop {
                if self.is_refuted {
                    return Ended::Refuted;
                }
                if let Some(conflict) = self.propagate() {
                    self.conflicts += 1;
                    self.learn(conflict);
                    let is_over = self.conflicts.is_multiple_of(CHECK) && stop();
                    if self.conflicts >= last || is_over {
                        return match self.is_refuted {
                            true => Ended::Refuted,
                            false => Ended::Limit,
                        };
                    }
                    if self.n_learned > self.most_learned {
                        self.forget();
                    }
                    if self.conflicts >= restart {
                        break;
                    }
                } else if !self.decide() {
                    return Ended::Model;
                }
            }
        }
    }

    /// Makes the next decision. Returns false if all variables have values.
    fn decide(&mut self) -> bool {
        while let Some(variable) = self.order.pop() {
            let literal = Lit::new(variable, !self.phase[variable as usize]);
            if self.values.is_open(literal) {
                self.decisions.push(self.trail.len());
                self.set(literal, Reason::None);
                return true;
            }
        }
        false
    }

    fn set(&mut self, literal: Lit, reason: Reason) {
        self.values.set(literal, Value::True, Value::False);
        self.level[literal.vidx()] = self.decisions.len() as u32;
        self.reason[literal.vidx()] = reason;
        self.trail.push(literal);
    }

    /// Undoes all decisions except the first `level`.
    fn backtrack(&mut self, level: usize) {
        let Some(&len) = self.decisions.get(level) else {
            return;
        };
        for literal in self.trail.drain(len..).rev() {
            let variable = literal.vidx();
            self.values.set(literal, Value::Unassigned, Value::Unassigned);
            self.phase[variable] = literal.is_pos();
            self.order.insert(literal.vidx32());
            if let Reason::Theory(number) = self.reason[variable] {
                self.explained.truncate(number as usize);
            }
        }
        self.decisions.truncate(level);
        self.propagated = len;
        self.told = self.told.min(len);
        self.theory.undo(self.told);
    }

    /// Propagates until nothing changes. Returns a violated clause, if any.
    fn propagate(&mut self) -> Option<Vec<Lit>> {
        loop {
            if let Some(conflict) = self.propagate_clauses() {
                return Some(conflict);
            }
            let &literal = self.trail.get(self.told)?;
            self.told += 1;
            let Some(mut clause) = self.theory.assign(literal, &self.values) else {
                continue;
            };
            let open = clause.iter().position(|&literal| !self.values.is_false(literal));
            let Some(open) = open else {
                return Some(clause);
            };
            clause.swap(0, open);
            if self.values.is_open(clause[0]) {
                let number = self.explained.len() as u32;
                self.set(clause[0], Reason::Theory(number));
                self.explained.push(clause);
            }
        }
    }

    /// Unit propagation. Returns a violated clause, if any.
    fn propagate_clauses(&mut self) -> Option<Vec<Lit>> {
        while let Some(&literal) = self.trail.get(self.propagated) {
            self.propagated += 1;
            for k in 0..self.implied[literal.lidx()].len() {
                let other = self.implied[literal.lidx()][k];
                if self.values.is_false(other) {
                    return Some(vec![other, !literal]);
                }
                if self.values.is_open(other) {
                    self.set(other, Reason::Two(!literal));
                }
            }
            let mut watches = std::mem::take(&mut self.watches[literal.lidx()]);
            let conflict = self.visit(!literal, &mut watches);
            self.watches[literal.lidx()] = watches;
            if conflict.is_some() {
                return conflict;
            }
        }
        None
    }

    /// Visits the clauses that watch a literal that became false. Returns a violated clause, if any.
    fn visit(&mut self, is_false: Lit, watches: &mut Vec<Watch>) -> Option<Vec<Lit>> {
        let (mut read, mut kept) = (0, 0);
        let mut conflict = None;
        'watches: while let Some(&watch) = watches.get(read) {
            read += 1;
            watches[kept] = watch;
            kept += 1;
            if conflict.is_some() || self.values.is_true(watch.other) {
                continue;
            }
            let literals = &mut self.literals[self.clauses[watch.clause as usize].range()];
            if literals[0] == is_false {
                literals.swap(0, 1);
            }
            let first = literals[0];
            watches[kept - 1].other = first;
            if self.values.is_true(first) {
                continue;
            }
            for k in 2..literals.len() {
                if !self.values.is_false(literals[k]) {
                    literals.swap(1, k);
                    kept -= 1;
                    self.watches[(!literals[1]).lidx()].push(Watch { clause: watch.clause, other: first });
                    continue 'watches;
                }
            }
            if self.values.is_false(first) {
                conflict = Some(literals.to_vec());
            } else {
                self.set(first, Reason::Clause(watch.clause));
            }
        }
        watches.truncate(kept);
        conflict
    }

    /// Returns the literals of the clause that is the reason of a variable's value. For clauses of two literals, leaves
    /// out the variable's own literal.
    fn reason(&self, variable: usize) -> &[Lit] {
        match &self.reason[variable] {
            Reason::None => &[],
            Reason::Two(other) => std::slice::from_ref(other),
            Reason::Clause(number) => &self.literals[self.clauses[*number as usize].range()],
            Reason::Theory(number) => &self.explained[*number as usize],
        }
    }

    /// Learns a clause from a violated clause, and backtracks such that the learned clause implies a literal.
    fn learn(&mut self, conflict: Vec<Lit>) {
        let level_of = |literal: &Lit| self.level[literal.vidx()];
        let level = conflict.iter().map(level_of).max().unwrap_or(0);
        if level == 0 {
            self.is_refuted = true;
            return;
        }
        self.backtrack(level as usize);
        let mut learned = self.first_unique_implication_point(conflict, level);
        self.minimize(&mut learned);
        for variable in self.marked.drain(..) {
            self.marks[variable] = Mark::None;
        }
        self.order.decay();
        let mut levels: Vec<u32> = learned.iter().map(|l| self.level[l.vidx()]).collect();
        // A literal of the second greatest level is watched too.
        let second = (1..learned.len()).max_by_key(|&k| levels[k]);
        let target = second.map_or(0, |k| levels[k]);
        if let Some(k) = second {
            learned.swap(1, k);
        }
        levels.sort_unstable();
        levels.dedup();
        self.backtrack(target as usize);
        self.attach(&learned, levels.len() as u32);
    }

    /// Resolves a violated clause with reasons until one literal of the greatest level is left. This literal comes
    /// first in the result.
    fn first_unique_implication_point(&mut self, conflict: Vec<Lit>, level: u32) -> Vec<Lit> {
        let mut learned = Vec::new();
        let mut clause = conflict;
        let mut open = 0;
        let mut next = self.trail.len();
        loop {
            for &literal in &clause {
                let variable = literal.vidx();
                if self.marks[variable] == Mark::Learned || self.level[variable] == 0 {
                    continue;
                }
                self.marks[variable] = Mark::Learned;
                self.marked.push(variable);
                self.order.bump(variable);
                match self.level[variable] == level {
                    true => open += 1,
                    false => learned.push(literal),
                }
            }
            let literal = loop {
                next -= 1;
                let literal = self.trail[next];
                if self.marks[literal.vidx()] == Mark::Learned {
                    break literal;
                }
            };
            open -= 1;
            if open == 0 {
                learned.insert(0, !literal);
                return learned;
            }
            clause.clear();
            clause.extend_from_slice(self.reason(literal.vidx()));
        }
    }

    /// Removes the literals that the other literals of a learned clause imply.
    fn minimize(&mut self, learned: &mut Vec<Lit>) {
        // The marks of variables of the greatest level, other than the first of the clause, do not matter: the reasons
        // of literals of lower levels have only literals of lower levels.
        let first = learned[0];
        learned.retain(|&literal| literal == first || !self.follows(literal.vidx(), 0));
    }

    /// True if the reason of a variable's value has only literals that the learned clause implies.
    fn follows(&mut self, variable: usize, depth: u32) -> bool {
        if self.reason[variable] == Reason::None || depth > DEPTH {
            return false;
        }
        for k in 0..self.reason(variable).len() {
            let other = self.reason(variable)[k].vidx();
            if other == variable || self.level[other] == 0 {
                continue;
            }
            let is_implied = match self.marks[other] {
                Mark::Learned | Mark::Implied => true,
                Mark::Open => false,
                Mark::None => {
                    let follows = self.follows(other, depth + 1);
                    self.marks[other] = if follows { Mark::Implied } else { Mark::Open };
                    self.marked.push(other);
                    follows
                }
            };
            if !is_implied {
                return false;
            }
        }
        true
    }

    /// Deletes up to half of the learned clauses, but no reasons. Clauses of more decision levels are deleted first,
    /// and among these the longer clauses.
    fn forget(&mut self) {
        let mut is_reason = vec![false; self.clauses.len()];
        for literal in &self.trail {
            if let Reason::Clause(number) = self.reason[literal.vidx()] {
                is_reason[number as usize] = true;
            }
        }
        let mut learned: Vec<usize> =
            (0..self.clauses.len()).filter(|&number| self.clauses[number].levels > 0).collect();
        learned.sort_by_key(|&number| (self.clauses[number].levels, self.clauses[number].len));
        let mut is_deleted = vec![false; self.clauses.len()];
        for &number in &learned[learned.len() / 2..] {
            is_deleted[number] = self.clauses[number].levels > KEPT_LEVELS && !is_reason[number];
        }
        let mut renumbered = vec![None; self.clauses.len()];
        let clauses = std::mem::take(&mut self.clauses);
        let literals = std::mem::take(&mut self.literals);
        self.n_learned = 0;
        for (number, clause) in clauses.into_iter().enumerate() {
            if is_deleted[number] {
                continue;
            }
            renumbered[number] = Some(self.clauses.len() as u32);
            let first = self.literals.len() as u32;
            self.literals.extend_from_slice(&literals[clause.range()]);
            self.clauses.push(Clause { first, ..clause });
            self.n_learned += usize::from(clause.levels > 0);
        }
        for watches in &mut self.watches {
            watches.retain_mut(|watch| {
                let new = renumbered[watch.clause as usize];
                watch.clause = new.unwrap_or(watch.clause);
                new.is_some()
            });
        }
        for literal in &self.trail {
            if let Reason::Clause(number) = &mut self.reason[literal.vidx()] {
                *number = renumbered[*number as usize].unwrap_or(*number);
            }
        }
        self.most_learned += MORE_LEARNED;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rand_chacha::rand_core::SeedableRng;

    /// Theory that allows at most `most` true literals among the positive literals.
    struct AtMost {
        most: usize,
        records: Vec<Lit>,
    }

    impl Theory for AtMost {
        fn assign(&mut self, literal: Lit, _: &Values) -> Option<Vec<Lit>> {
            self.records.push(literal);
            let positive = self.records.iter().filter(|literal| literal.is_pos());
            let clause: Vec<Lit> = positive.map(|&literal| !literal).collect();
            (clause.len() > self.most).then_some(clause)
        }

        fn undo(&mut self, len: usize) {
            self.records.truncate(len);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        /// Compares with all assignments, on random formulas with and without a theory.
        #[test]
        fn formulas_are_decided(
            n in 1u32..11,
            clauses in proptest::collection::vec(proptest::collection::vec((0u32..11, any::<bool>()), 1..4), 0..60),
            most in 0usize..11,
            seed: u64,
        ) {
            let clauses: Vec<Vec<Lit>> = clauses
                .into_iter()
                .map(|clause| clause.into_iter().map(|(v, negated)| Lit::new(v % n, negated)).collect())
                .collect();
            let is_model = |is_true: &dyn Fn(Lit) -> bool| {
                (0..n).filter(|&v| is_true(Lit::positive(v))).count() <= most
                    && clauses.iter().all(|clause| clause.iter().any(|&literal| is_true(literal)))
            };
            let exists = (0u32..1 << n).any(|word| {
                is_model(&|literal| (word >> literal.vidx() & 1 == 1) == literal.is_pos())
            });
            let theory = AtMost { most, records: Vec::new() };
            let mut solver = Solver::new(n as usize, theory, &mut ChaCha8Rng::seed_from_u64(seed));
            for clause in &clauses {
                solver.add(clause.clone());
            }
            match solver.run(u64::MAX, || false) {
                Ended::Model => prop_assert!(is_model(&|literal| solver.values().is_true(literal))),
                Ended::Refuted => prop_assert!(!exists),
                Ended::Limit => prop_assert!(false),
            }
        }
    }

    /// Adds the clauses that n + 1 pigeons sit in n holes, one pigeon per hole.
    fn pigeons(n: u32) -> Solver<AtMost> {
        let theory = AtMost { most: usize::MAX, records: Vec::new() };
        let size = (n * (n + 1)) as usize;
        let mut solver = Solver::new(size, theory, &mut ChaCha8Rng::seed_from_u64(1));
        let sits = |pigeon: u32, hole: u32| Lit::positive(pigeon * n + hole);
        for pigeon in 0..=n {
            solver.add((0..n).map(|hole| sits(pigeon, hole)).collect());
            for other in 0..pigeon {
                for hole in 0..n {
                    solver.add(vec![!sits(pigeon, hole), !sits(other, hole)]);
                }
            }
        }
        solver
    }

    #[test]
    fn learned_clauses_are_deleted() {
        let mut solver = pigeons(7);
        solver.most_learned = 50;
        assert_eq!(solver.run(u64::MAX, || false), Ended::Refuted);
        assert!(solver.most_learned > 50 + MORE_LEARNED);
    }

    #[test]
    fn limits_end_a_run() {
        assert_eq!(pigeons(9).run(10, || false), Ended::Limit);
        let mut solver = pigeons(9);
        assert_eq!(solver.run(u64::MAX, || true), Ended::Limit);
        assert_eq!(solver.conflicts(), CHECK);
    }
}
