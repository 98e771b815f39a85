//! Hash by which the Global Benchmark Database identifies a formula, computed from streamed clauses, without a file.
//!
//! The hash is the MD5 of the clauses as one line. Literals are decimal numbers with a sign only if negative, every
//! clause ends with `0`, and single blanks separate these words. Comments, the header, names of variables, a
//! projection, and variables that occur in no clause do not affect the hash. The order of variables, the order of
//! clauses, and the order of literals within clauses affect it. The database also has a second hash, `isohash`, which
//! is computed from the sorted degrees of the variables and does not depend on these orders. This module does not
//! compute it.
//!
//! # References
//!
//! - M. Iser and C. Sinz: *A Problem Meta-Data Library for Research in SAT*, Pragmatics of SAT 2018.
//! - A. Iser: *Global Benchmark Database*, and its tool `gbdc`, which has this hash in `identify/GBDHash.h`.

use md5::Context;
use rustsat::types::Lit;

use super::clauses::Clauses;
use super::sink::{ClauseSink, Family};

/// Sink that hashes the clauses.
#[derive(Clone, Default)]
pub struct GbdHash {
    md5: Context,
    /// Bytes that are not yet hashed.
    buffer: Vec<u8>,
    /// True after the first clause.
    begun: bool,
}

/// Number of bytes that are hashed together.
const TOGETHER: usize = 1 << 14;

impl GbdHash {
    /// Returns the hash by which the Global Benchmark Database identifies a formula: 32 hexadecimal digits in lower
    /// case.
    pub fn of(formula: &impl Clauses) -> String {
        let mut hash = Self::default();
        formula.emit(&mut hash);
        hash.finish()
    }

    /// Returns the hash of the clauses so far: 32 hexadecimal digits in lower case.
    pub fn finish(mut self) -> String {
        self.md5.consume(&self.buffer);
        format!("{:x}", self.md5.finalize())
    }
}

impl ClauseSink for GbdHash {
    fn family(&mut self, _: Family) {}

    fn clause(&mut self, literals: &[Lit]) {
        if std::mem::replace(&mut self.begun, true) {
            self.buffer.push(b' ');
        }
        let mut digits = itoa::Buffer::new();
        for literal in literals {
            let digits = digits.format(literal.to_ipasir());
            self.buffer.extend_from_slice(digits.as_bytes());
            self.buffer.push(b' ');
        }
        self.buffer.push(b'0');
        if self.buffer.len() >= TOGETHER {
            self.md5.consume(&self.buffer);
            self.buffer.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustsat::lit;

    fn hash(clauses: &[&[Lit]]) -> String {
        let mut hash = GbdHash::default();
        clauses.iter().for_each(|clause| hash.clause(clause));
        hash.finish()
    }

    fn md5(text: &str) -> String {
        format!("{:x}", md5::compute(text))
    }

    #[test]
    fn it_is_the_md5_of_the_clauses_in_one_line() {
        assert_eq!(hash(&[]), "d41d8cd98f00b204e9800998ecf8427e");
        assert_eq!(hash(&[&[lit![0], !lit![11]]]), md5("1 -12 0"));
        assert_eq!(hash(&[&[lit![0]], &[], &[!lit![1]]]), md5("1 0 0 -2 0"));
        // The text of the clauses is longer than `TOGETHER` bytes.
        let many: Vec<[Lit; 1]> = (0..10_000).map(|n| [!lit![n]]).collect();
        let clauses: Vec<&[Lit]> = many.iter().map(<[Lit; 1]>::as_slice).collect();
        let lines: Vec<_> = (1..=10_000).map(|n| format!("-{n} 0")).collect();
        assert_eq!(hash(&clauses), md5(&lines.join(" ")));
    }
}
