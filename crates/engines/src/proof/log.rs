//! What a solver tells of its search, as the steps of a proof.
//!
//! The solver has names of its own for variables, and numbers of its own for clauses; steps have those of the formula's
//! file. Its clauses come in one of three ways:
//!
//! - as those of the formula, one after the other: the k-th has the number k;
//! - as clauses that are in the formula, but not all of it or in another order: only LRAT needs their numbers;
//! - as cuts, which have been derived just before.
//!
//! LRAT wants to know what each step follows from. Of its own a solver says that; of what is derived
//! [`antecedents`](super::antecedents) finds it, and with it the number of a clause that comes in another order.
//!
//! A clause of the formula is not deleted where cuts are still to be derived from it, and one that the solver may restore is
//! not deleted at all.
//!
//! Nothing fails here: an error of the system is kept until the end, and a flag says that there is no use in going on.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hamcnf_encodings::derivation::Step;
use hamcnf_encodings::{Clauses, Formula};
use rustsat::types::Lit;

use super::Steps;
use super::antecedents::Antecedents;
use super::tracer::Tracer;
use super::writer::{Operation, Size, Writer};
use crate::atomic_file::AtomicFile;

/// What a clause that the solver is given is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Given {
    /// The formula's, in its order.
    InOrder,
    /// The formula's, which stays.
    Kept,
    /// What was derived last, with this number.
    Derived(u64),
}

/// What a proof is written to.
pub trait Output: Write + Send {
    /// Ends it: what is not ended is not there.
    ///
    /// # Errors
    ///
    /// The system's.
    fn finish(self: Box<Self>) -> io::Result<()>;
}

impl Output for AtomicFile {
    fn finish(self: Box<Self>) -> io::Result<()> {
        AtomicFile::finish(*self)
    }
}

/// A proof that is being written.
pub struct Log {
    writer: Option<Writer<Box<dyn Output>>>,
    given: Given,
    /// Clauses of the formula that came in their order so far.
    in_order: u64,
    /// By the solver's number: the file's, or 0 where that is not needed.
    numbers: Vec<u64>,
    /// The literals of clauses of one, by the file's number, where steps are explained that the solver does not know.
    units: HashMap<u64, i32>,
    /// By the solver's variable: the formula's literal. Variables beyond have their own name.
    names: Vec<i32>,
    error: Option<io::Error>,
    /// The number of the empty clause.
    empty: Option<u64>,
    /// What the solver may restore: it stays.
    weakened: HashSet<i64>,
    clause: Vec<i32>,
    hints: Vec<i64>,
    explained: Option<Explained>,
}

/// What is needed to say what derived steps follow from.
struct Explained {
    antecedents: Antecedents,
    /// Clauses that are not the formula's, and stay as it does.
    stays: HashSet<u64>,
}

/// A log that a solver writes to and others do too.
#[derive(Clone)]
pub struct SharedLog(Arc<Mutex<Log>>);

impl fmt::Debug for SharedLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a proof")
    }
}

impl SharedLog {
    /// A proof about so many clauses, as they come in their order, with the arguments of [`Writer::new`].
    #[must_use]
    pub fn new(
        out: Box<dyn Output>,
        form: Steps,
        clauses: u64,
        about: &[String],
        folder: &Path,
    ) -> Self {
        let (writer, error) = match Writer::new(out, form, clauses, about, folder) {
            Ok(writer) => (Some(writer), None),
            Err(error) => (None, Some(error)),
        };
        Self(Arc::new(Mutex::new(Log {
            writer,
            given: Given::InOrder,
            in_order: 0,
            numbers: Vec::new(),
            units: HashMap::new(),
            names: Vec::new(),
            error,
            empty: None,
            weakened: HashSet::new(),
            clause: Vec::new(),
            hints: Vec::new(),
            explained: None,
        })))
    }

    /// It, for a while.
    pub fn lock(&self) -> MutexGuard<'_, Log> {
        // Whoever panicked while writing left a proof that no checker takes.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends the proof, if it has the empty clause, and gives it its name.
    ///
    /// # Errors
    ///
    /// The first error of the system; and that the solver did not tell of the empty clause, which would be an error of this
    /// program.
    pub fn end(self) -> io::Result<Size> {
        let mut log = self.lock();
        if let Some(error) = log.error.take() {
            return Err(error);
        }
        match (log.writer.take(), log.empty) {
            (Some(writer), Some(empty)) => {
                let (out, size) = writer.end(empty)?;
                out.finish()?;
                Ok(size)
            }
            _ => Err(io::Error::other(
                "the solver told of no empty clause, which is an error in this program",
            )),
        }
    }
}

impl Log {
    /// Whether steps have to say what they follow from.
    #[must_use]
    pub fn wants_hints(&self) -> bool {
        self.form().is_some_and(Steps::has_hints)
    }

    /// Form of the steps; `None` after an error.
    #[must_use]
    pub fn form(&self) -> Option<Steps> {
        self.writer.as_ref().map(Writer::form)
    }

    /// Whether nothing more can be written.
    #[must_use]
    pub fn has_failed(&self) -> bool {
        self.error.is_some()
    }

    /// From now on steps are derived from the clauses of this formula, which the proof is about.
    pub fn derive_from(&mut self, formula: &Formula) {
        if !self.wants_hints() {
            return;
        }
        let mut antecedents = Antecedents::new();
        formula.emit(&mut antecedents);
        self.explained = Some(Explained {
            antecedents,
            stays: HashSet::new(),
        });
        self.settle();
    }

    /// From now on the solver's variables have these names, by their index: literals as in DIMACS.
    pub fn name(&mut self, names: Vec<i32>) {
        self.names = names;
    }

    /// What is given to the solver from now on is in the formula, and stays.
    pub fn keep(&mut self) {
        self.given = Given::Kept;
    }

    /// A step of a derivation. What was added last is what the solver is given next.
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

    /// What is given to the solver next is the derived clause of this number.
    pub fn given(&mut self, number: u64) {
        self.given = Given::Derived(number);
    }

    /// A clause in the formula's names, which follows by unit propagation. Its number.
    pub fn add(&mut self, clause: &[Lit]) -> u64 {
        let clause: Vec<i32> = clause.iter().map(|literal| literal.to_ipasir()).collect();
        self.derive(&clause)
    }

    /// All that defines a new variable, the first of each of these clauses. Where two of them have it with another sign, one
    /// has a literal and the other its negation beside it. Their numbers.
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
        // Nothing follows from a part of it: that would be a clause with the new variable, too.
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

    /// Adds what follows from nothing as clauses of their own, and the empty clause if it does.
    fn settle(&mut self) {
        let (Some(explained), Some(writer), None) =
            (&mut self.explained, &mut self.writer, self.empty)
        else {
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

    /// An error of this program, after which there is no proof.
    fn wrong(&mut self, what: &str) {
        self.kept::<()>(Err(io::Error::other(what)));
    }

    /// What comes of constraints by cutting planes. Its number.
    pub fn combine(&mut self, line: &[Operation]) -> u64 {
        let Some(writer) = &mut self.writer else {
            return 0;
        };
        let combined = writer.combine(line);
        self.kept(combined)
    }

    /// The same, where it is that 0 is at least 1: the proof is complete but for its end.
    pub fn contradict(&mut self, line: &[Operation]) {
        let number = self.combine(line);
        self.empty.get_or_insert(number);
    }

    /// Deletes a clause in the formula's names.
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

    /// What came out, or a default and the error for later.
    fn kept<T: Default>(&mut self, result: io::Result<T>) -> T {
        result.unwrap_or_else(|error| {
            self.writer = None;
            self.error.get_or_insert(error);
            T::default()
        })
    }

    /// The number of a clause that the solver is given and that is in the proof already, where it is needed; else 0.
    fn number_of(&mut self, clause: &[i32]) -> u64 {
        if self.explained.is_none() {
            return 0;
        }
        self.rename(clause);
        let clause = std::mem::take(&mut self.clause);
        let shown = self
            .explained
            .as_mut()
            .and_then(|e| e.antecedents.of(&clause));
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

    /// A clause of the solver in the formula's names, left in `clause`.
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

const NO_ANTECEDENTS: &str =
    "a step of the proof does not follow from those before it, which is an error in this program";

/// The file's number of a clause of the solver; 0 where it has none.
fn number_in(numbers: &[u64], id: i64) -> u64 {
    let index = usize::try_from(id.unsigned_abs()).unwrap_or(usize::MAX);
    numbers.get(index).copied().unwrap_or_default()
}

/// The numbers of clauses that were derived and are to be deleted again.
#[derive(Debug, Default)]
pub struct Numbers(Vec<(Vec<Lit>, u64)>);

impl Numbers {
    fn push(&mut self, clause: &[Lit], number: u64) {
        self.0.push((clause.to_vec(), number));
    }

    /// The same, which is then no longer among them.
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
            // What comes next without a word about it is looked for.
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
            // A proof ends with a step all the same.
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
            // A literal that is false without any decision may stand in a clause that came of that while solving goes on
            // from a model; that it is false is then what is assumed.
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
        // What may be restored, where cuts come between searches, and what VeriPB would ask a reason for.
        let may_return = log.given != Given::InOrder && log.weakened.contains(&id);
        let formulas = number <= log.in_order && log.form() == Some(Steps::VeriPb);
        let stays = |explained: &Explained| {
            explained.antecedents.is_formulas(number) || explained.stays.contains(&number)
        };
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
        // One search needs nothing back.
        if log.given != Given::InOrder {
            log.weakened.insert(id);
        }
    }
}
