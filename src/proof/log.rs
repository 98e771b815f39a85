//! What a solver tells of its search, as the steps of a proof.
//!
//! The solver has names of its own for variables, and numbers of its own for clauses; steps have those of the formula's
//! file. Its clauses come in one of three ways:
//!
//! - as those of the formula, one after the other: the k-th has the number k;
//! - as clauses that are in the formula, but not all of it or in another order: they have no number that is needed, as only
//!   LRAT needs those;
//! - as cuts, which have been derived just before.
//!
//! A clause of the formula is not deleted where cuts are still to be derived from it, and one that the solver may restore is
//! not deleted at all.
//!
//! Nothing fails here: an error of the system is kept until the end, and a flag says that there is no use in going on.

use std::collections::HashSet;
use std::fmt;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hamcnf_encodings::derivation::Step;
use rustsat::types::Lit;

use super::tracer::Tracer;
use super::writer::{Operation, Size, Writer};
use super::{Form, Format};
use crate::whole::Whole;

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

impl Output for Whole {
    fn finish(self: Box<Self>) -> io::Result<()> {
        Whole::finish(*self)
    }
}

/// A proof that is being written.
pub struct Log {
    writer: Option<Writer<Box<dyn Output>>>,
    given: Given,
    /// Clauses of the formula that came in their order so far.
    in_order: u64,
    /// By the solver's number: the file's, or 0 for what is not deleted.
    numbers: Vec<u64>,
    /// By the solver's variable: the formula's literal. Variables beyond have their own name.
    names: Vec<i32>,
    error: Option<io::Error>,
    /// The number of the empty clause.
    empty: Option<u64>,
    /// What the solver may restore: it stays.
    weakened: HashSet<i64>,
    clause: Vec<i32>,
    hints: Vec<u64>,
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
    /// A proof about so many clauses, as they come in their order.
    #[must_use]
    pub fn new(out: Box<dyn Output>, format: Format, clauses: u64, about: &[String]) -> Self {
        let (writer, error) = match Writer::new(out, format, clauses, about) {
            Ok(writer) => (Some(writer), None),
            Err(error) => (None, Some(error)),
        };
        Self(Arc::new(Mutex::new(Log {
            writer,
            given: Given::InOrder,
            in_order: 0,
            numbers: Vec::new(),
            names: Vec::new(),
            error,
            empty: None,
            weakened: HashSet::new(),
            clause: Vec::new(),
            hints: Vec::new(),
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
        self.form() == Some(Form::Lrat)
    }

    /// How it is written; not known any more where it could not be.
    #[must_use]
    pub fn form(&self) -> Option<Form> {
        let writer = self.writer.as_ref();
        writer.map(|writer| writer.format().form)
    }

    /// Whether nothing more can be written.
    #[must_use]
    pub fn has_failed(&self) -> bool {
        self.error.is_some()
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
                let number = self.add(clause, false);
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

    /// A clause in the formula's names, which follows by unit propagation or, as a `definition`, by its first literal. Its
    /// number.
    pub fn add(&mut self, clause: &[Lit], definition: bool) -> u64 {
        let clause: Vec<i32> = clause.iter().map(|literal| literal.to_ipasir()).collect();
        let Some(writer) = &mut self.writer else {
            return 0;
        };
        let added = match definition {
            true => writer.define(&clause),
            false => writer.add(&clause, &[]),
        };
        let number = self.kept(added);
        if clause.is_empty() {
            self.empty.get_or_insert(number);
        }
        number
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
            Given::Kept => 0,
            Given::Derived(number) => number,
        };
        log.number(id, number);
        if clause.is_empty() && log.empty.is_none() {
            // A proof ends with a step all the same.
            if let Some(writer) = &mut log.writer {
                let added = writer.add(&[], &[number]);
                log.empty = Some(log.kept(added));
            }
        }
    }

    fn derived(&mut self, id: i64, _: i32, clause: &[i32], antecedents: &[i64]) {
        let log = &mut *self.lock();
        log.rename(clause);
        let Some(writer) = log.writer.as_mut().filter(|_| log.empty.is_none()) else {
            return;
        };
        log.hints.clear();
        log.hints
            .extend(antecedents.iter().map(|&id| number_in(&log.numbers, id)));
        let added = writer.add(&log.clause, &log.hints);
        let number = log.kept(added);
        log.number(id, number);
        if clause.is_empty() {
            log.empty.get_or_insert(number);
        }
    }

    fn deleted(&mut self, id: i64, clause: &[i32]) {
        let log = &mut *self.lock();
        let number = number_in(&log.numbers, id);
        // What may be restored, where cuts come between searches, and what VeriPB would ask a reason for.
        let may_return = log.given != Given::InOrder && log.weakened.contains(&id);
        let formulas = number <= log.in_order && log.form() == Some(Form::VeriPb);
        if number == 0 || may_return || formulas || log.empty.is_some() {
            return;
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
