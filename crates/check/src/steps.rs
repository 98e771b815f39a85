//! Reader of the steps of a DRAT or LRAT proof.
//!
//! A DRAT step in text has the literals of a clause, followed by 0. A `d` before them deletes the clause. A step in
//! binary begins with `a` (add) or `d` (delete). The literals follow as numbers of seven bits per byte: twice the
//! variable, plus one if negated. A byte 0 ends the step.
//!
//! An LRAT step in text has the number of a clause, its literals, 0, the numbers of its hints, 0. A deletion has a
//! number that is ignored, `d`, the numbers of the clauses to delete, 0. A negative hint begins the hints for one RAT
//! candidate. A step in binary has the format of CaDiCaL: `a` and the same numbers; or `d`, the numbers to delete, 0.
//! Clause numbers are encoded like literals.
//!
//! In text, line breaks are white space. A `c` at the beginning of a step makes the rest of its line a comment.

use std::io::Read;

use super::source::{Fault, Source};
use super::{At, CLAUSES, Place, Rejected, Unproved, Why};
use hamcnf_graph::names::named;

named! {
    /// Encoding of a proof file.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    pub enum Syntax: "syntax of proofs" {
        /// Text file with decimal numbers.
        Text => "text",
        /// Binary file with numbers of variable length.
        Binary => "binary",
    }
}

impl Syntax {
    /// Returns the syntax of a proof that begins with these bytes; a few dozen bytes suffice. A text proof has only
    /// digits, white space, `-`, `d` and comments. Any other byte shows that the proof is binary.
    pub fn of(begin: &[u8]) -> Self {
        let mut comment = false;
        let mut line_begins = true;
        for &byte in begin {
            match byte {
                b'\n' => (comment, line_begins) = (false, true),
                b' ' | b'\t' | b'\r' => {}
                b'c' if line_begins => comment = true,
                _ if comment && byte != 0 => {}
                b'0'..=b'9' | b'-' | b'd' => line_begins = false,
                _ => return Self::Binary,
            }
        }
        Self::Text
    }
}

/// Kind of a DRAT step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Add,
    Delete,
}

/// Reader of the steps of a proof file.
pub(super) struct Steps<'a> {
    source: Source<'a>,
    syntax: Syntax,
    /// Number of steps begun so far.
    taken: u64,
    /// Place where the current step began.
    place: Place,
}

impl<'a> Steps<'a> {
    pub(super) fn new(input: &'a mut dyn Read, syntax: Syntax) -> Self {
        Self { source: Source::new(input), syntax, taken: 0, place: Place::Byte(0) }
    }

    /// Returns the error for a proof whose current step is wrong.
    #[cold]
    pub(super) fn wrong(&self, why: Why) -> Unproved {
        let at = At { step: self.taken, place: self.place };
        Rejected::Step { at, why }.into()
    }

    /// Returns the error for a proof that ends without the empty clause.
    #[cold]
    pub(super) fn unfinished(&self) -> Unproved {
        Rejected::NoEmptyClause { steps: self.taken }.into()
    }

    #[cold]
    fn fault(&self, fault: Fault) -> Unproved {
        match fault {
            Fault::Unreadable(error) => error.into(),
            Fault::Wrong(why) => self.wrong(why),
        }
    }

    /// Begins a step, and returns its first byte without consuming it; `None` at the end of the file.
    fn begin(&mut self) -> Result<Option<u8>, Unproved> {
        let first = match self.syntax {
            Syntax::Text => self.source.skip_space(true)?,
            Syntax::Binary => self.source.peek()?,
        };
        if first.is_some() {
            self.taken += 1;
            self.place = match self.syntax {
                Syntax::Text => self.source.line(),
                Syntax::Binary => self.source.byte(),
            };
        }
        Ok(first)
    }

    /// Consumes the word `d`. A longer word that begins with `d` is an error.
    fn take_d(&mut self) -> Result<(), Fault> {
        self.source.next()?;
        match self.source.peek()? {
            None => Err(Why::TRUNCATED.into()),
            Some(byte) if byte.is_ascii_whitespace() => Ok(()),
            Some(_) => Err(Why::no_number(&self.source.word(b"d")?).into()),
        }
    }

    /// Reads the first byte of a step in a binary file. This byte gives the kind of the step.
    fn kind(&mut self) -> Result<Kind, Fault> {
        match self.source.next()? {
            Some(b'a') => Ok(Kind::Add),
            Some(b'd') => Ok(Kind::Delete),
            Some(byte) => Err(Why::new(format!("begins with byte {byte:#04x}, not with \"a\" or \"d\"")).into()),
            None => Err(Why::TRUNCATED.into()),
        }
    }

    fn literals(&mut self, literals: &mut Vec<i32>) -> Result<(), Fault> {
        literals.clear();
        loop {
            let literal = match self.syntax {
                Syntax::Text => self.source.literal()?,
                Syntax::Binary => self.source.binary_literal()?,
            };
            if literal == 0 {
                return Ok(());
            }
            literals.push(literal);
        }
    }

    fn clause_number(&mut self) -> Result<i64, Fault> {
        match self.syntax {
            Syntax::Text => self.source.number(CLAUSES),
            Syntax::Binary => self.source.varint(CLAUSES),
        }
    }

    fn clause_numbers(&mut self, numbers: &mut Vec<i64>) -> Result<(), Fault> {
        numbers.clear();
        loop {
            match self.clause_number()? {
                0 => return Ok(()),
                number => numbers.push(number),
            }
        }
    }

    /// Reads the next step of a DRAT proof; `None` at the end of the file. `literals` receives the literals of the
    /// clause.
    pub(super) fn drat(&mut self, literals: &mut Vec<i32>) -> Result<Option<Kind>, Unproved> {
        let Some(first) = self.begin()? else {
            return Ok(None);
        };
        self.drat_step(first, literals).map(Some).map_err(|fault| self.fault(fault))
    }

    fn drat_step(&mut self, first: u8, literals: &mut Vec<i32>) -> Result<Kind, Fault> {
        let kind = match self.syntax {
            Syntax::Binary => self.kind()?,
            Syntax::Text if first == b'd' => {
                self.take_d()?;
                Kind::Delete
            }
            Syntax::Text => Kind::Add,
        };
        self.literals(literals)?;
        Ok(kind)
    }

    /// Reads the next step of an LRAT proof; `None` at the end of the file. If the step adds a clause, returns the
    /// number of the clause; `literals` receives its literals and `numbers` its hints. If the step deletes clauses,
    /// returns `Some(None)`; `numbers` receives the numbers of the clauses.
    pub(super) fn lrat(
        &mut self,
        literals: &mut Vec<i32>,
        numbers: &mut Vec<i64>,
    ) -> Result<Option<Option<i64>>, Unproved> {
        if self.begin()?.is_none() {
            return Ok(None);
        }
        self.lrat_step(literals, numbers).map(Some).map_err(|fault| self.fault(fault))
    }

    fn lrat_step(&mut self, literals: &mut Vec<i32>, numbers: &mut Vec<i64>) -> Result<Option<i64>, Fault> {
        let added = match self.syntax {
            Syntax::Binary => match self.kind()? {
                Kind::Add => Some(self.clause_number()?),
                Kind::Delete => None,
            },
            Syntax::Text => {
                let number = self.clause_number()?;
                if self.source.skip_space(false)? == Some(b'd') {
                    self.take_d()?;
                    None
                } else {
                    Some(number)
                }
            }
        };
        if added.is_some() {
            self.literals(literals)?;
        }
        self.clause_numbers(numbers)?;
        Ok(added)
    }
}
