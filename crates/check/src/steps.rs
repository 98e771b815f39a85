//! The steps of a proof in a file.
//!
//! DRAT in text: the literals of a clause, ended by 0; after `d` those of a clause to be deleted. In binary: `a` or `d`,
//! then the literals as numbers of seven bits a byte, twice the variable and one more if negated, ended by a byte 0.
//!
//! LRAT in text: the number of a clause, its literals, 0, the numbers of its hints, 0; or a number that is not looked at, `d`,
//! the numbers of clauses to be deleted, 0. A negative hint begins what is said of one clause for RAT. In binary, as
//! CaDiCaL writes it: `a` and the same; or `d`, the numbers, 0. Numbers of clauses are written there as
//! literals are.
//!
//! In texts, line breaks are white space, and a `c` where a step would begin makes the rest of its line a comment.

use std::io::Read;

use super::source::{Fault, Source};
use super::{At, Numbered, Place, Rejected, Unproved, Why};
use hamcnf_graph::names::named;

/// How a proof is written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Syntax {
    /// In words.
    Text,
    /// In bytes.
    Binary,
}

named!(Syntax, "syntax of proofs", {
    Text => "text",
    Binary => "binary",
});

impl Syntax {
    /// How a proof is written that begins like this; a few dozen bytes say it. A text has digits, white space, `-`,
    /// `d` and comments, and a binary proof soon has something else.
    #[must_use]
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

/// What a step does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Add,
    Delete,
}

/// A proof in a file.
#[derive(Debug)]
pub(super) struct Steps<R> {
    source: Source<R>,
    syntax: Syntax,
    /// Steps that have been begun.
    taken: u64,
    /// Where the last of them began.
    place: Place,
}

impl<R: Read> Steps<R> {
    pub(super) fn new(input: R, syntax: Syntax) -> Self {
        Self {
            source: Source::new(input),
            syntax,
            taken: 0,
            place: Place::Byte(0),
        }
    }

    /// The last step is wrong.
    #[cold]
    pub(super) fn wrong(&self, why: Why) -> Unproved {
        let at = At {
            step: self.taken,
            place: self.place,
        };
        Rejected::Step { at, why }.into()
    }

    /// The proof has ended, and the empty clause has not come.
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

    /// Begins a step: of a text its first byte, which stays where it is, of a binary file what it does.
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

    /// `d` as a word of its own, where one is expected.
    fn take_d(&mut self) -> Result<(), Fault> {
        self.source.next()?;
        match self.source.peek()? {
            None => Err(Why::Truncated.into()),
            Some(byte) if byte.is_ascii_whitespace() => Ok(()),
            Some(_) => Err(Why::Word(self.source.word(b"d")?).into()),
        }
    }

    /// What a step of a binary file does.
    fn kind(&mut self) -> Result<Kind, Fault> {
        match self.source.next()? {
            Some(b'a') => Ok(Kind::Add),
            Some(b'd') => Ok(Kind::Delete),
            Some(byte) => Err(Why::Begin(byte).into()),
            None => Err(Why::Truncated.into()),
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
            Syntax::Text => self.source.number(Numbered::Clauses),
            Syntax::Binary => self.source.varint(Numbered::Clauses),
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

    /// The next step of a DRAT proof, its clause in `literals`.
    pub(super) fn drat(&mut self, literals: &mut Vec<i32>) -> Result<Option<Kind>, Unproved> {
        let Some(first) = self.begin()? else {
            return Ok(None);
        };
        self.drat_step(first, literals)
            .map(Some)
            .map_err(|fault| self.fault(fault))
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

    /// The next step of an LRAT proof, the number of the clause that it adds, or none if it deletes; numbers of hints
    /// or of clauses to be deleted are in `numbers`.
    pub(super) fn lrat(
        &mut self,
        literals: &mut Vec<i32>,
        numbers: &mut Vec<i64>,
    ) -> Result<Option<Option<i64>>, Unproved> {
        if self.begin()?.is_none() {
            return Ok(None);
        }
        self.lrat_step(literals, numbers)
            .map(Some)
            .map_err(|fault| self.fault(fault))
    }

    fn lrat_step(
        &mut self,
        literals: &mut Vec<i32>,
        numbers: &mut Vec<i64>,
    ) -> Result<Option<i64>, Fault> {
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
