//! DIMACS CNF, written while the clauses are emitted.
//!
//! The header needs the number of clauses before the first clause. So formulas are emitted twice: first into a
//! [`Tally`](super::sink::Tally), which counts pairs without listing them, then into the [`DimacsWriter`], which needs
//! memory for one buffer only.
//!
//! Each literal is converted to text in a slot of 16 bytes. Slots are copied whole, and the next write overwrites the
//! unused bytes, so that no copy has a length known only at run time. Almost all clauses of a direct or unary formula
//! belong to families of two-literal clauses. The literals of such a family are converted to text once each.
//!
//! # References
//!
//! - *Satisfiability: Suggested Format*, DIMACS, 1993.
//! - Model Counting Competition: *Data format* 2021 (`c t pmc`, `c p show`).
//! - ApproxMC's older projection lines: `c ind 1 2 3 0`.

use std::io::{self, Write};

use rustsat::types::{Lit, Var};

use super::sink::{ClauseSink, Family};
use hamcnf_graph::names::named;

named! {
    /// Syntax of the projection line. A file has only one kind of projection line, because parsers keep only the last line,
    /// or stop at the first line of an unknown kind.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
    pub enum ProjectionFormat: "projection format" {
        /// `c t pmc` and `c p show ... 0`, the syntax of the Model Counting Competition.
        #[default]
        Show => "show",
        /// `c ind ... 0`, the syntax of older versions of ApproxMC.
        Ind => "ind",
    }
}

/// Contents of the file before the first clause.
#[derive(Clone, Copy)]
pub struct Header<'a> {
    /// Comment lines, without their `c`.
    pub comments: &'a [String],
    /// Number of variables.
    pub variables: u32,
    /// Number of clauses that will follow.
    pub clauses: u64,
    /// Projection set and its syntax; `None` for no projection line.
    pub projection: Option<(ProjectionFormat, &'a [Var])>,
    /// Names of variables, written as comments `c varname NUMBER NAME`; `None` for no such comments.
    pub names: Option<&'a dyn Fn(Var) -> String>,
}

/// Reason why a formula could not be written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// Writing failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The number of clauses in the header is wrong.
    #[error("the header announced {announced} clauses, but {written} were written")]
    Miscounted {
        /// Number in the header.
        announced: u64,
        /// Number of clauses written.
        written: u64,
    },
}

/// Size of the longest literal with its line end, `-2147483647 0\n`, rounded up to a power of two.
const SLOT: usize = 16;

/// A short text in a slot of fixed size.
#[derive(Clone, Copy)]
struct Slot {
    bytes: [u8; SLOT],
    len: u8,
}

impl Slot {
    fn new(literal: Lit, end: &[u8]) -> Self {
        let mut digits = itoa::Buffer::new();
        let digits = digits.format(literal.to_ipasir()).as_bytes();
        let mut bytes = [0; SLOT];
        bytes[..digits.len()].copy_from_slice(digits);
        let len = digits.len() + end.len();
        bytes[digits.len()..len].copy_from_slice(end);
        Self { bytes, len: len as u8 }
    }

    /// Copies the slot into `buffer` at offset `at`, and returns the end of the text. The buffer must have room for a
    /// whole slot.
    #[inline]
    fn put(&self, buffer: &mut [u8], at: usize) -> usize {
        buffer[at..at + SLOT].copy_from_slice(&self.bytes);
        at + usize::from(self.len)
    }
}

/// Output buffer; `bytes[..len]` is not yet written.
///
/// The loops over literals are methods of this type because it is not generic, so they are compiled in this crate.
/// Loops in the generic writer would be compiled in the caller's crate, with less optimisation.
#[derive(Debug)]
struct Buffer {
    bytes: Box<[u8]>,
    len: usize,
}

impl Buffer {
    const SIZE: usize = 1 << 16;

    fn new() -> Self {
        Self { bytes: vec![0; Self::SIZE].into(), len: 0 }
    }

    fn filled(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    fn has_room(&self, slots: usize) -> bool {
        self.len + slots * SLOT <= Self::SIZE
    }

    fn push(&mut self, slot: &Slot) {
        self.len = slot.put(&mut self.bytes, self.len);
    }

    /// Appends literals. Ends the clause if `are_last` is true.
    #[inline(never)]
    fn literals(&mut self, literals: &[Lit], are_last: bool) {
        let Some((&last, rest)) = literals.split_last() else {
            return;
        };
        for &literal in rest {
            self.push(&Slot::new(literal, b" "));
        }
        let end: &[u8] = if are_last { b" 0\n" } else { b" " };
        self.push(&Slot::new(last, end));
    }

    /// Appends one clause for each slot in `seconds`: the clause of the literals `first` and this slot.
    #[inline(never)]
    fn pairs(&mut self, first: &Slot, seconds: &[Slot]) {
        // The local variable stays in a register; a field of `self` would be stored and loaded at each step.
        let mut at = self.len;
        for second in seconds {
            at = first.put(&mut self.bytes, at);
            at = second.put(&mut self.bytes, at);
        }
        self.len = at;
    }
}

/// Writes clauses as DIMACS lines. [`DimacsWriter::finish`] returns the first error.
pub struct DimacsWriter<'a> {
    // A reference, so that the loops are compiled here, and not in each crate that writes files.
    out: &'a mut dyn Write,
    buffer: Buffer,
    error: Option<io::Error>,
    announced: u64,
    written: u64,
}

impl<'a> DimacsWriter<'a> {
    /// Number of literals or pairs between two checks of the remaining room in the buffer.
    const TOGETHER: usize = 64;

    /// Creates a writer and writes the header. The clauses must follow.
    pub fn new(out: &'a mut dyn Write, header: &Header<'_>) -> Self {
        let mut this = Self { out, buffer: Buffer::new(), error: None, announced: header.clauses, written: 0 };
        for comment in header.comments {
            for line in comment.lines() {
                this.text(&format!("c {line}\n"));
            }
        }
        if let Some(name) = header.names {
            for index in 0..header.variables {
                this.text(&format!("c varname {} {}\n", index + 1, name(Var::new(index))));
            }
        }
        if let Some((ProjectionFormat::Show, _)) = header.projection {
            this.text("c t pmc\n");
        }
        this.text(&format!("p cnf {} {}\n", header.variables, header.clauses));
        if let Some((format, variables)) = header.projection {
            this.text(match format {
                ProjectionFormat::Show => "c p show ",
                ProjectionFormat::Ind => "c ind ",
            });
            for var in variables {
                this.slot(&Slot::new(var.pos_lit(), b" "));
            }
            this.text("0\n");
        }
        this
    }

    /// Writes the rest of the buffer.
    ///
    /// # Errors
    ///
    /// The first error of writing, or [`WriteError::Miscounted`].
    pub fn finish(mut self) -> Result<(), WriteError> {
        self.flush();
        if let Some(error) = self.error {
            return Err(error.into());
        }
        if self.announced != self.written {
            return Err(WriteError::Miscounted { announced: self.announced, written: self.written });
        }
        Ok(())
    }

    #[cold]
    fn flush(&mut self) {
        if self.error.is_none() {
            self.error = self.out.write_all(self.buffer.filled()).err();
        }
        self.buffer.len = 0;
    }

    /// Makes room for `slots` slots in the buffer.
    #[inline]
    fn room(&mut self, slots: usize) {
        if !self.buffer.has_room(slots) {
            self.flush();
        }
    }

    fn slot(&mut self, slot: &Slot) {
        self.room(1);
        self.buffer.push(slot);
    }

    fn text(&mut self, text: &str) {
        for part in text.as_bytes().chunks(SLOT) {
            let mut bytes = [0; SLOT];
            bytes[..part.len()].copy_from_slice(part);
            self.slot(&Slot { bytes, len: part.len() as u8 });
        }
    }
}

impl ClauseSink for DimacsWriter<'_> {
    fn family(&mut self, _: Family) {}

    fn clause(&mut self, literals: &[Lit]) {
        self.written += 1;
        if literals.is_empty() {
            return self.text("0\n");
        }
        let mut parts = literals.chunks(Self::TOGETHER).peekable();
        while let Some(part) = parts.next() {
            self.room(part.len());
            self.buffer.literals(part, parts.peek().is_none());
        }
    }

    fn no_two(&mut self, literals: &[Lit]) {
        let seconds: Vec<_> = literals.iter().map(|&l| Slot::new(!l, b" 0\n")).collect();
        for (s, &l) in literals.iter().enumerate() {
            let first = Slot::new(!l, b" ");
            for seconds in seconds[s + 1..].chunks(Self::TOGETHER) {
                self.room(2 * seconds.len());
                self.buffer.pairs(&first, seconds);
            }
        }
        let k = literals.len() as u64;
        self.written += k * k.saturating_sub(1) / 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustsat::lit;

    const PLAIN: Header<'_> = Header { comments: &[], variables: 0, clauses: 0, projection: None, names: None };

    fn written(header: &Header<'_>, emit: impl FnOnce(&mut DimacsWriter<'_>)) -> String {
        let mut file = Vec::new();
        let mut writer = DimacsWriter::new(&mut file, header);
        emit(&mut writer);
        writer.finish().unwrap();
        String::from_utf8(file).unwrap()
    }

    #[test]
    fn the_parts_of_a_file_are_in_order() {
        let header = Header {
            comments: &["one".to_owned(), "two\nthree".to_owned()],
            variables: 2,
            clauses: 3,
            projection: Some((ProjectionFormat::Show, &[Var::new(0), Var::new(1)])),
            names: Some(&|v| format!("x{}", v.idx32())),
        };
        let text = written(&header, |w| {
            w.clause(&[lit![0], !lit![1]]);
            w.clause(&[]);
            w.clause(&[!lit![2147483646 - 1]]);
        });
        let expected = "c one\nc two\nc three\nc varname 1 x0\nc varname 2 x1\nc t pmc\np cnf 2 3\n\
                        c p show 1 2 0\n1 -2 0\n0\n-2147483646 0\n";
        assert_eq!(text, expected);
        let header = Header { projection: Some((ProjectionFormat::Ind, &[Var::new(4)])), ..PLAIN };
        assert_eq!(written(&header, |_| ()), "p cnf 0 0\nc ind 5 0\n");
    }

    #[test]
    fn pairs_written_together_are_the_pairs_written_one_by_one() {
        // The clauses cross the end of the buffer many times, with literals of one to ten digits.
        for k in [0, 1, 2, 3, 400] {
            let literals: Vec<_> =
                (0..k).map(|i: u32| Lit::new(i.pow(3) * 7 % 2_000_000_011, i.is_multiple_of(3))).collect();
            let clauses = u64::from(k) * u64::from(k.saturating_sub(1)) / 2;
            let header = Header { clauses, ..PLAIN };
            let together = written(&header, |w| w.no_two(&literals));
            let singly = written(&header, |w| {
                for (s, &a) in literals.iter().enumerate() {
                    for &b in &literals[s + 1..] {
                        w.clause(&[!a, !b]);
                    }
                }
            });
            assert_eq!(together, singly);
            assert_eq!(together.lines().count() as u64, clauses + 1);
        }
    }

    #[test]
    fn a_wrong_header_is_an_error() {
        let mut file = Vec::new();
        let mut writer = DimacsWriter::new(&mut file, &PLAIN);
        writer.clause(&[lit![0]]);
        assert_eq!(writer.finish().unwrap_err().to_string(), "the header announced 0 clauses, but 1 were written");
    }

    #[test]
    fn the_first_error_of_the_target_is_kept() {
        struct Full(usize);
        impl Write for Full {
            fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
                if bytes.len() > self.0 {
                    return Err(io::ErrorKind::StorageFull.into());
                }
                self.0 -= bytes.len();
                Ok(bytes.len())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let literals: Vec<_> = (0..300).map(Lit::positive).collect();
        let mut full = Full(100_000);
        let mut writer = DimacsWriter::new(&mut full, &PLAIN);
        writer.no_two(&literals);
        match writer.finish() {
            Err(WriteError::Io(e)) => assert_eq!(e.kind(), io::ErrorKind::StorageFull),
            _ => panic!("a full target is an error"),
        }
    }
}
