//! Writer of the steps of a proof, as text or in a binary format.
//!
//! In the binary format, a step begins with `a` or `d`, and numbers are written in groups of seven bits, the lowest
//! first. A literal is twice its variable, plus one if it is negative. This is the format of DRAT in drat-trim and of
//! LRAT in CaDiCaL.
//!
//! DRAT and LRAT are written without comments, because not every checker accepts comments: `cake_lpr` rejects LRAT with
//! a comment. In VeriPB's form, lines that begin with `%` are comments.
//!
//! LRAT is trimmed (`trim.rs`), so nothing of it is written before the proof is complete.

use std::io;
use std::path::Path;

use super::trim::{Spool, put, put_signed};
use super::{Output, Steps};

/// Size of a proof.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Size {
    /// Number of steps that add a clause or a constraint.
    pub additions: u64,
    /// Number of deleted clauses.
    pub deletions: u64,
    /// Number of bytes of the proof before compression.
    pub bytes: u64,
}

/// Operation of a cutting-planes step, which is written in reverse Polish notation. Operations work on a stack of
/// constraints.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operation {
    /// Pushes the constraint with this number.
    Constraint(u64),
    /// Pushes the constraint that this literal is at least 0.
    AtLeastZero(i32),
    /// Replaces the top two constraints by their sum.
    Add,
    /// Multiplies the top constraint by this number.
    Times(u64),
    /// Divides the top constraint by this number and rounds up.
    Divide(u64),
}

/// Writer of the steps of a proof.
pub struct Writer {
    out: Box<dyn Output>,
    form: Steps,
    /// True for the binary format, false for text.
    is_binary: bool,
    /// Number of the last clause so far. The clauses of the formula come first, numbered from 1.
    last: u64,
    size: Size,
    /// Steps of an LRAT proof, kept until the end; `None` in other forms.
    spool: Option<Spool>,
    /// Text of the current step.
    line: Vec<u8>,
    digits: itoa::Buffer,
}

impl Writer {
    /// Begins a proof from a formula with `clauses` clauses. Writes `about` as comments at the beginning if the form
    /// allows comments. LRAT steps that do not fit into memory are kept in a temporary file in `folder`.
    ///
    /// # Errors
    ///
    /// I/O errors.
    pub fn new(
        out: Box<dyn Output>,
        form: Steps,
        is_binary: bool,
        clauses: u64,
        about: &[String],
        folder: &Path,
    ) -> io::Result<Self> {
        let mut writer = Self {
            out,
            form,
            is_binary,
            last: clauses,
            size: Size::default(),
            spool: form.has_hints().then(|| Spool::new(clauses, folder)),
            line: Vec::new(),
            digits: itoa::Buffer::new(),
        };
        if form == Steps::VeriPb {
            writer.text("pseudo-Boolean proof version 3.0\n");
            // A line of `about` may contain the name of a graph, which may have several lines.
            for line in about.iter().flat_map(|about| about.lines()) {
                writer.text("% ");
                writer.text(line);
                writer.text("\n");
            }
            writer.text("f ");
            writer.number(clauses as i64);
            writer.text(";\n");
            writer.write()?;
        }
        Ok(writer)
    }

    /// Returns the form of the steps.
    pub(super) fn form(&self) -> Steps {
        self.form
    }

    /// Adds a clause that is RUP, or RAT on its first literal, and returns the number of the clause. If the form
    /// requires hints, `hints` must be the numbers of the antecedents. Negative hints are for RAT: each is the negated
    /// number of a clause that contains the negation of the first literal.
    ///
    /// # Errors
    ///
    /// I/O errors.
    pub(super) fn add(&mut self, clause: &[i32], hints: &[i64]) -> io::Result<u64> {
        self.last += 1;
        if let Some(spool) = &mut self.spool {
            spool.push(clause, hints)?;
            return Ok(self.last);
        }
        self.size.additions += 1;
        match (self.form, self.is_binary) {
            (Steps::VeriPb, _) => {
                self.text("rup ");
                self.sum(clause);
                self.text(" >= 1;\n");
            }
            (Steps::Drat, false) => {
                self.literals(clause);
                self.text("0\n");
            }
            (Steps::Drat, true) => {
                self.line.push(b'a');
                self.bytes_of(clause);
            }
            (Steps::Lrat, false) => {
                self.number(self.last as i64);
                self.text(" ");
                self.literals(clause);
                self.text("0 ");
                for &hint in hints {
                    self.number(hint);
                    self.text(" ");
                }
                self.text("0\n");
            }
            (Steps::Lrat, true) => {
                self.line.push(b'a');
                put(&mut self.line, 2 * self.last);
                self.bytes_of(clause);
                for &hint in hints {
                    put_signed(&mut self.line, hint);
                }
                self.line.push(0);
            }
        }
        self.write()?;
        Ok(self.last)
    }

    /// Adds one of the clauses that define a new variable, and returns the number of the clause. The first literal of
    /// the clause is the new variable or its negation. `others` are the numbers of all earlier clauses that contain the
    /// negation of this literal. Each of them must also contain the negation of another literal of the new clause.
    ///
    /// # Errors
    ///
    /// I/O errors.
    pub(super) fn define(&mut self, clause: &[i32], others: &[u64]) -> io::Result<u64> {
        let Some(&witness) = clause.first().filter(|_| self.form == Steps::VeriPb) else {
            let hints: Vec<i64> = others.iter().map(|&number| -(number as i64)).collect();
            return self.add(clause, &hints);
        };
        self.last += 1;
        self.size.additions += 1;
        self.text("red ");
        self.sum(clause);
        self.text(" >= 1 : x");
        self.number(i64::from(witness.abs()));
        self.text(if witness > 0 { " -> 1;\n" } else { " -> 0;\n" });
        self.write()?;
        Ok(self.last)
    }

    /// Adds a constraint derived by cutting planes, and returns the number of the constraint. Only VeriPB's form
    /// supports cutting planes.
    ///
    /// # Errors
    ///
    /// I/O errors, and [`io::ErrorKind::Unsupported`] in forms other than VeriPB's.
    pub(super) fn combine(&mut self, line: &[Operation]) -> io::Result<u64> {
        if self.form != Steps::VeriPb {
            return Err(io::ErrorKind::Unsupported.into());
        }
        self.last += 1;
        self.size.additions += 1;
        self.text("pol");
        for &operation in line {
            self.text(" ");
            match operation {
                Operation::Constraint(number) => self.number(number as i64),
                Operation::AtLeastZero(literal) => {
                    self.text(if literal > 0 { "x" } else { "~x" });
                    self.number(i64::from(literal.abs()));
                }
                Operation::Add => self.text("+"),
                Operation::Times(factor) => {
                    self.number(factor as i64);
                    self.text(" *");
                }
                Operation::Divide(divisor) => {
                    self.number(divisor as i64);
                    self.text(" d");
                }
            }
        }
        self.text(";\n");
        self.write()?;
        Ok(self.last)
    }

    /// Deletes a clause, given by its number and its literals.
    ///
    /// # Errors
    ///
    /// I/O errors.
    pub(super) fn delete(&mut self, number: u64, clause: &[i32]) -> io::Result<()> {
        match (self.form, self.is_binary) {
            // In LRAT, trimming finds and deletes the clauses that are no longer used.
            (Steps::Lrat, _) => return Ok(()),
            (Steps::VeriPb, _) => {
                self.text("del id ");
                self.number(number as i64);
                self.text(";\n");
            }
            (Steps::Drat, false) => {
                self.text("d ");
                self.literals(clause);
                self.text("0\n");
            }
            (Steps::Drat, true) => {
                self.line.push(b'd');
                self.bytes_of(clause);
            }
        }
        self.size.deletions += 1;
        self.write()
    }

    /// Writes an LRAT step that deletes several clauses.
    fn delete_all(&mut self, numbers: &[u64]) -> io::Result<()> {
        if numbers.is_empty() {
            return Ok(());
        }
        self.size.deletions += numbers.len() as u64;
        if self.is_binary {
            self.line.push(b'd');
            numbers.iter().for_each(|&number| put(&mut self.line, 2 * number));
            self.line.push(0);
        } else {
            self.number(self.last as i64);
            self.text(" d ");
            for &number in numbers {
                self.number(number as i64);
                self.text(" ");
            }
            self.text("0\n");
        }
        self.write()
    }

    /// Completes the proof. `empty` is the number of the empty clause.
    ///
    /// # Errors
    ///
    /// I/O errors.
    pub(super) fn end(mut self, empty: u64) -> io::Result<Size> {
        if let Some(spool) = self.spool.take() {
            self.last = spool.formula();
            self.size = Size::default();
            spool.trim(empty, |kept| {
                self.add(kept.clause, kept.hints)?;
                self.delete_all(kept.unused)
            })?;
        }
        if self.form == Steps::VeriPb {
            self.text("output NONE;\nconclusion UNSAT : ");
            self.number(empty as i64);
            self.text(";\nend pseudo-Boolean proof;\n");
            self.write()?;
        }
        self.out.flush()?;
        self.out.finish()?;
        Ok(self.size)
    }

    fn write(&mut self) -> io::Result<()> {
        self.size.bytes += self.line.len() as u64;
        let written = self.out.write_all(&self.line);
        self.line.clear();
        written
    }

    fn text(&mut self, text: &str) {
        self.line.extend_from_slice(text.as_bytes());
    }

    fn number(&mut self, number: i64) {
        self.line.extend_from_slice(self.digits.format(number).as_bytes());
    }

    fn literals(&mut self, clause: &[i32]) {
        for &literal in clause {
            self.number(literal.into());
            self.line.push(b' ');
        }
    }

    /// Writes the sum of a clause's literals: the left side of the constraint that the sum is at least 1.
    fn sum(&mut self, clause: &[i32]) {
        for &literal in clause {
            self.text(if literal > 0 { "1 x" } else { "1 ~x" });
            self.number(i64::from(literal.abs()));
            self.line.push(b' ');
        }
    }

    /// Writes literals in the binary format, followed by the terminating zero.
    fn bytes_of(&mut self, clause: &[i32]) {
        for &literal in clause {
            put_signed(&mut self.line, literal.into());
        }
        self.line.push(0);
    }
}
