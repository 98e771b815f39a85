//! The hash by which the Global Benchmark Database knows a formula, made of clauses as they come, without a file.
//!
//! It is the MD5 of the clauses as one line: literals in decimal, with a sign only where they are negative, every clause
//! ended by `0`, and one blank between any two of these. Comments and the header do not count, and so neither do names of
//! variables, a projection or variables that are in no clause. Order does: of variables, of clauses, and of literals within
//! them. The database has a second one that does not depend on these, `isohash`, of the sorted degrees of the variables;
//! it is not made here.
//!
//! # References
//!
//! - M. Iser and C. Sinz: *A Problem Meta-Data Library for Research in SAT*, Pragmatics of SAT 2018.
//! - A. Iser: *Global Benchmark Database*, and its tool `gbdc`, where `identify/GBDHash.h` is this hash.

use md5::{Digest, Md5};
use rustsat::types::Lit;

use super::clauses::Clauses;
use super::sink::{ClauseSink, Family};

/// Hashes the clauses that it gets.
#[derive(Clone, Debug, Default)]
pub struct GbdHash {
    md5: Md5,
    /// What is not yet hashed.
    buffer: Vec<u8>,
    /// Whether there has been a clause.
    begun: bool,
}

/// Bytes that are hashed together.
const TOGETHER: usize = 1 << 14;

impl GbdHash {
    /// The hash of a formula: 32 hexadecimal digits in lower case.
    #[must_use]
    pub fn of(formula: &impl Clauses) -> String {
        let mut hash = Self::default();
        formula.emit(&mut hash);
        hash.finish()
    }

    /// The hash of what there was: 32 hexadecimal digits in lower case.
    #[must_use]
    pub fn finish(mut self) -> String {
        self.md5.update(&self.buffer);
        let bytes = self.md5.finalize();
        bytes.iter().map(|byte| format!("{byte:02x}")).collect()
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
            self.md5.update(&self.buffer);
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
        let bytes = Md5::digest(text);
        bytes.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    #[test]
    fn it_is_the_md5_of_the_clauses_in_one_line() {
        assert_eq!(hash(&[]), "d41d8cd98f00b204e9800998ecf8427e");
        assert_eq!(hash(&[&[lit![0], !lit![11]]]), md5("1 -12 0"));
        assert_eq!(hash(&[&[lit![0]], &[], &[!lit![1]]]), md5("1 0 0 -2 0"));
        // More than is hashed together.
        let many: Vec<[Lit; 1]> = (0..10_000).map(|n| [!lit![n]]).collect();
        let clauses: Vec<&[Lit]> = many.iter().map(<[Lit; 1]>::as_slice).collect();
        let lines: Vec<_> = (1..=10_000).map(|n| format!("-{n} 0")).collect();
        assert_eq!(hash(&clauses), md5(&lines.join(" ")));
    }
}
