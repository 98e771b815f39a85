//! Translation of a solver's trace into the steps of a proof.
//!
//! The solver has its own numbers for variables and clauses, but the steps use the numbers of the formula's file. A
//! clause is given to the solver in one of three ways:
//!
//! - as the next clause of the formula, in order; the k-th clause has number k;
//! - as a clause of the formula, but in another order or without the other clauses; only LRAT needs its number;
//! - as a subtour-elimination constraint (a cut), which has just been derived.
//!
//! LRAT requires the antecedents of each step. The solver names the antecedents of its own steps. For clauses that are
//! derived outside the solver, [`antecedents`](super::antecedents) finds them. It also finds the number of a clause
//! that is given in another order.
//!
//! A clause of the formula is not deleted if cuts may still be derived from it. A clause that the solver may restore is
//! never deleted.
//!
//! No function that adds steps returns an error: the log keeps the first I/O error until the end. Once
//! [`Log::has_failed`] is true, it is useless to continue.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hamcnf_encodings::derivation::Step;
use hamcnf_encodings::{Clauses, Formula};
use rustsat::types::Lit;

use super::Steps;
use super::antecedents::Antecedents;
use super::tracer::Tracer;
use super::writer::{Operation, Size, Writer};
use hamcnf_programs::atomic_file::AtomicFile;

/// Origin of a clause that is given to the solver.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Given {
    /// The next clause of the formula, in order.
    #[default]
    InOrder,
    /// A clause of the formula, in any order; it is not deleted.
    Kept,
    /// The clause that was derived last. The value is the number of the clause.
    Derived(u64),
}

/// Destination to which a proof is written.
pub trait Output: Write + Send {
    /// Completes the output. Without this call, no file with the final name is created.
    ///
    /// # Errors
    ///
    /// I/O errors.
    fn finish(self: Box<Self>) -> io::Result<()>;
}

impl Output for AtomicFile {
    fn finish(self: Box<Self>) -> io::Result<()> {
        AtomicFile::finish(*self)
    }
}

/// Log of a proof under construction.
#[derive(Default)]
pub struct Log {
    writer: Option<Writer>,
    given: Given,
    /// Number of clauses of the formula that the solver has reported so far, while it reports them in the order of the
    /// formula ([`Given::InOrder`]).
    in_order: u64,
    /// Indexed by the solver's clause number: the number of the clause in the proof; 0 if not needed.
    numbers: Vec<u64>,
    /// Literals of unit clauses, by the numbers of the clauses in the proof. Used only if `explained` is set.
    units: HashMap<u64, i32>,
    /// Indexed by variable of the solver: the literal of the formula that the variable stands for. Variables beyond the
    /// end of the list have the same number in the formula.
    names: Vec<i32>,
    error: Option<io::Error>,
    /// Number of the empty clause, once it is derived.
    empty: Option<u64>,
    /// Numbers of clauses that the solver may restore, and that are therefore not deleted.
    weakened: HashSet<i64>,
    clause: Vec<i32>,
    hints: Vec<i64>,
    explained: Option<Explained>,
}

/// Data for finding the antecedents of steps that are derived outside the solver.
struct Explained {
    antecedents: Antecedents,
    /// Clause numbers of the derived clauses that stay in the proof and are never deleted.
    stays: HashSet<u64>,
}

/// Proof log shared by a solver and other code that adds steps.
#[derive(Clone)]
pub struct SharedLog(Arc<Mutex<Log>>);

impl fmt::Debug for SharedLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a proof")
    }
}

impl SharedLog {
    /// Returns a log for the steps of a proof.
    pub fn new(writer: Writer) -> Self {
        Self(Arc::new(Mutex::new(Log { writer: Some(writer), ..Log::default() })))
    }

    /// Locks the log.
    pub fn lock(&self) -> MutexGuard<'_, Log> {
        // After a panic during writing, the proof is incomplete and no checker accepts it.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Completes the proof, and renames the file to its final name if the proof has the empty clause.
    ///
    /// # Errors
    ///
    /// The first I/O error, or an error if the solver did not report the empty clause, which would be a bug in this
    /// program.
    pub fn end(self) -> io::Result<Size> {
        let mut log = self.lock();
        if let Some(error) = log.error.take() {
            return Err(error);
        }
        match (log.writer.take(), log.empty) {
            (Some(writer), Some(empty)) => writer.end(empty),
            _ => Err(io::Error::other("the solver reported no empty clause, which is a bug in hamcnf")),
        }
    }
}

impl Log {
    /// True if the form requires that steps name their antecedents.
    pub fn wants_hints(&self) -> bool {
        self.form().is_some_and(Steps::has_hints)
    }

    /// Returns the form of the steps; `None` after an error.
    pub fn form(&self) -> Option<Steps> {
        self.writer.as_ref().map(Writer::form)
    }

    /// True if an error occurred, after which nothing more is written.
    pub fn has_failed(&self) -> bool {
        self.error.is_some()
    }

    /// Declares that the following steps are derived from the clauses of this formula. Has no effect if the form needs
    /// no antecedents.
    pub fn derive_from(&mut self, formula: &Formula) {
        if !self.wants_hints() {
            return;
        }
        let mut antecedents = Antecedents::default();
        formula.emit(&mut antecedents);
        self.explained = Some(Explained { antecedents, stays: HashSet::new() });
        self.settle();
    }

    /// Sets the meaning of the solver's variables. `names` is indexed by variable; each entry is the DIMACS literal of
    /// the formula that the variable stands for.
    pub fn name(&mut self, names: Vec<i32>) {
        self.names = names;
    }

    /// Declares that the clauses given to the solver from now on are clauses of the formula, which are not deleted.
    pub fn keep(&mut self) {
        self.given = Given::Kept;
    }

    /// Adds a step of a derivation. After the last step, the next clause given to the solver must be the last clause
    /// that the derivation added.
    pub fn step(&mut self, step: Step<'_>, numbers: &mut Numbers) {
        match step {
            Step::Add(clause) => {
                let number = self.add(clause);
                numbers.push(clause, number);
                self.given = Given::Derived(number);
            }
            Step::Delete(clause) => {
                let number = numbers.pop(clause);
                self.forget(number, clause);
            }
        }
    }

    /// Declares that the next clause given to the solver is the derived clause with this number.
    pub fn given(&mut self, number: u64) {
        self.given = Given::Derived(number);
    }

    /// Adds a clause that follows by unit propagation, in the variables of the formula. Returns the number of the
    /// clause.
    pub fn add(&mut self, clause: &[Lit]) -> u64 {
        let clause: Vec<i32> = clause.iter().map(|literal| literal.to_ipasir()).collect();
        self.derive(&clause)
    }

    /// Adds all clauses that define a new variable. The literal of this variable comes first in each clause. Two
    /// clauses in which the new variable has different signs must share another variable with different signs. Returns
    /// the numbers of the clauses.
    pub fn define(&mut self, clauses: &[Vec<Lit>]) -> Vec<u64> {
        let ipasir = |clause: &Vec<Lit>| clause.iter().map(|l| l.to_ipasir()).collect();
        let clauses: Vec<Vec<i32>> = clauses.iter().map(ipasir).collect();
        let mut numbers: Vec<u64> = Vec::with_capacity(clauses.len());
        for clause in &clauses {
            let before = clauses.iter().zip(&numbers);
            let opposite = before.filter(|(other, _)| other[0] == -clause[0]);
            let opposite: Vec<u64> = opposite.map(|(_, &number)| number).collect();
            let Some(writer) = self.writer.as_mut().filter(|_| self.empty.is_none()) else {
                return vec![0; clauses.len()];
            };
            let added = writer.define(clause, &opposite);
            numbers.push(self.kept(added));
        }
        // Nothing is derived from a part of the definition, because a derived clause would also contain the new
        // variable. Therefore all clauses are added at once here.
        if let Some(explained) = &mut self.explained {
            for (clause, &number) in clauses.iter().zip(&numbers) {
                explained.antecedents.add(number, clause);
            }
            self.settle();
        }
        numbers
    }

    fn derive(&mut self, clause: &[i32]) -> u64 {
        self.hints.clear();
        if self.empty.is_some() {
            return 0;
        }
        if let Some(explained) = &mut self.explained {
            match explained.antecedents.of(clause) {
                Some(shown) => self.hints = shown.antecedents,
                None => self.wrong(NO_ANTECEDENTS),
            }
        }
        let Some(writer) = &mut self.writer else {
            return 0;
        };
        let added = writer.add(clause, &self.hints);
        let number = self.kept(added);
        if clause.is_empty() {
            self.empty.get_or_insert(number);
        } else if let Some(explained) = &mut self.explained {
            explained.antecedents.add(number, clause);
            self.settle();
        }
        number
    }

    /// Adds a unit clause for each literal that follows without assumptions, and the empty clause if it follows.
    fn settle(&mut self) {
        let (Some(explained), Some(writer), None) = (&mut self.explained, &mut self.writer, self.empty) else {
            return;
        };
        let mut settle = || {
            let antecedents = &mut explained.antecedents;
            while let Some(fixed) = antecedents.next_fixed() {
                let number = writer.add(&[fixed.literal], &fixed.antecedents)?;
                antecedents.fix(fixed.literal, number);
            }
            if !antecedents.contradict() {
                return Ok(None);
            }
            let shown = antecedents.of(&[]);
            let hints = shown.map(|shown| shown.antecedents).unwrap_or_default();
            writer.add(&[], &hints).map(Some)
        };
        let settled = settle();
        self.empty = self.kept(settled);
    }

    /// Records a bug in this program as the error of the log, so that the proof fails.
    fn wrong(&mut self, what: &str) {
        self.kept::<()>(Err(io::Error::other(what)));
    }

    /// Adds a constraint derived by cutting planes. Returns the number of the constraint.
    pub fn combine(&mut self, line: &[Operation]) -> u64 {
        let Some(writer) = &mut self.writer else {
            return 0;
        };
        let combined = writer.combine(line);
        self.kept(combined)
    }

    /// Adds the contradiction 0 ≥ 1, derived by cutting planes. After this step, the proof lacks only its last lines.
    pub fn contradict(&mut self, line: &[Operation]) {
        let number = self.combine(line);
        self.empty.get_or_insert(number);
    }

    /// Deletes a clause, given by its number and by its literals in the variables of the formula.
    pub fn forget(&mut self, number: u64, clause: &[Lit]) {
        let clause: Vec<i32> = clause.iter().map(|literal| literal.to_ipasir()).collect();
        if self.empty.is_some() {
            return;
        }
        if let Some(explained) = &mut self.explained {
            explained.antecedents.delete(number);
        }
        if let Some(writer) = &mut self.writer {
            let deleted = writer.delete(number, &clause);
            self.kept(deleted);
        }
    }

    /// Returns the value of a result. If the result is an error, records the error and returns a default value.
    fn kept<T: Default>(&mut self, result: io::Result<T>) -> T {
        result.unwrap_or_else(|error| {
            self.writer = None;
            self.error.get_or_insert(error);
            T::default()
        })
    }

    /// Returns the number of a clause that is given to the solver. If the clause is not in the proof, derives it first.
    /// Returns 0 if the number is not needed.
    fn number_of(&mut self, clause: &[i32]) -> u64 {
        if self.explained.is_none() {
            return 0;
        }
        self.rename(clause);
        let clause = std::mem::take(&mut self.clause);
        let shown = self.explained.as_mut().and_then(|e| e.antecedents.of(&clause));
        let number = match shown {
            Some(shown) if shown.is_there => shown.antecedents[0] as u64,
            _ => self.derive(&clause),
        };
        if let Some(explained) = &mut self.explained {
            explained.stays.insert(number);
        }
        self.clause = clause;
        number
    }

    fn number(&mut self, id: i64, number: u64) {
        let index = usize::try_from(id).unwrap_or_default();
        if self.numbers.len() <= index {
            self.numbers.resize(index + 1, 0);
        }
        self.numbers[index] = number;
    }

    /// Translates a clause of the solver into the variables of the formula, and stores the result in `self.clause`.
    fn rename(&mut self, clause: &[i32]) {
        self.clause.clear();
        let names = &self.names;
        self.clause.extend(clause.iter().map(|&literal| {
            let name = names.get(literal.unsigned_abs() as usize - 1);
            let name = name.copied().unwrap_or_else(|| literal.abs());
            if literal < 0 { -name } else { name }
        }));
    }
}

const NO_ANTECEDENTS: &str = "a step of the proof does not follow from the steps before, which is a bug in hamcnf";

/// Translates a clause number of the solver into the number of the clause in the proof; 0 if unknown.
fn number_in(numbers: &[u64], id: i64) -> u64 {
    let index = usize::try_from(id.unsigned_abs()).unwrap_or(usize::MAX);
    numbers.get(index).copied().unwrap_or_default()
}

/// Derived clauses that will be deleted later. Each clause is stored with its number.
#[derive(Debug, Default)]
pub struct Numbers(Vec<(Vec<Lit>, u64)>);

impl Numbers {
    fn push(&mut self, clause: &[Lit], number: u64) {
        self.0.push((clause.to_vec(), number));
    }

    /// Removes a clause and returns its number; 0 if it is missing.
    pub fn pop(&mut self, clause: &[Lit]) -> u64 {
        let place = self.0.iter().rposition(|(other, _)| other == clause);
        place.map_or(0, |place| self.0.swap_remove(place).1)
    }
}

impl Tracer for SharedLog {
    fn original(&mut self, id: i64, clause: &[i32], restored: bool) {
        let log = &mut *self.lock();
        if restored {
            log.weakened.remove(&id);
            return;
        }
        let number = match log.given {
            Given::InOrder => {
                log.in_order += 1;
                log.in_order
            }
            Given::Kept => log.number_of(clause),
            // The next clauses are given without an announcement. Their numbers are looked up by their literals.
            Given::Derived(number) => {
                log.given = Given::Kept;
                number
            }
        };
        log.number(id, number);
        if clause.len() == 1 && log.explained.is_some() {
            log.rename(clause);
            log.units.insert(number, log.clause[0]);
        }
        if clause.is_empty() && log.empty.is_none() {
            // Add the empty clause as a step, because a proof must end with a step.
            if let Some(writer) = &mut log.writer {
                let added = writer.add(&[], &[number as i64]);
                log.empty = Some(log.kept(added));
            }
        }
    }

    fn derived(&mut self, id: i64, witness: i32, clause: &[i32], antecedents: &[i64]) {
        let log = &mut *self.lock();
        let unknown = |&id: &i64| id < 0 || number_in(&log.numbers, id) == 0;
        let goes_on = log.wants_hints() && log.empty.is_none();
        if goes_on && (witness != 0 || antecedents.iter().any(unknown)) {
            log.wrong(NO_ANTECEDENTS);
        }
        log.rename(clause);
        let Some(writer) = log.writer.as_mut().filter(|_| log.empty.is_none()) else {
            return;
        };
        log.hints.clear();
        for &id in antecedents {
            let number = number_in(&log.numbers, id);
            // A derived clause may contain a literal that is already false without decisions, if solving continues
            // after a model. A checker assumes all literals of the clause to be false, so the unit clause is not an
            // antecedent.
            let is_assumed = |unit: &i32| log.clause.contains(&-unit);
            if log.units.is_empty() || !log.units.get(&number).is_some_and(is_assumed) {
                log.hints.push(number as i64);
            }
        }
        let added = writer.add(&log.clause, &log.hints);
        let number = log.kept(added);
        log.number(id, number);
        match *log.clause.as_slice() {
            [] => {
                log.empty.get_or_insert(number);
            }
            [unit] if log.explained.is_some() => {
                log.units.insert(number, unit);
            }
            _ => {}
        }
    }

    fn deleted(&mut self, id: i64, clause: &[i32]) {
        let log = &mut *self.lock();
        let number = number_in(&log.numbers, id);
        // Keep clauses that the solver may restore when cuts are added between searches. Also keep clauses of the
        // formula, whose deletion VeriPB might reject.
        let may_return = log.given != Given::InOrder && log.weakened.contains(&id);
        let formulas = number <= log.in_order && log.form() == Some(Steps::VeriPb);
        let stays =
            |explained: &Explained| explained.antecedents.is_formulas(number) || explained.stays.contains(&number);
        let stays = log.explained.as_ref().is_some_and(stays);
        if number == 0 || may_return || formulas || stays || log.empty.is_some() {
            return;
        }
        if let Some(explained) = &mut log.explained {
            explained.antecedents.delete(number);
        }
        log.rename(clause);
        if let Some(writer) = &mut log.writer {
            let deleted = writer.delete(number, &log.clause);
            log.kept(deleted);
        }
    }

    fn weakened(&mut self, id: i64) {
        let log = &mut *self.lock();
        // A single search does not restore clauses.
        if log.given != Given::InOrder {
            log.weakened.insert(id);
        }
    }
}
