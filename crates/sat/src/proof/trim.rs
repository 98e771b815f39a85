//! Trimming of LRAT proofs: keeps only the steps that the empty clause needs, and deletes each clause after its last
//! use.
//!
//! The steps are kept in a spool, in memory or in an unnamed file, until the empty clause is known. Two passes follow:
//!
//! 1. The backward pass begins at the empty clause. A step is needed if a later needed step names it as an antecedent.
//!    Since the pass runs backwards, it finds the last use of each antecedent first.
//! 2. The forward pass gives consecutive numbers to the needed steps. It deletes every clause, of a step or of the
//!    formula, after its last use.
//!
//! A RAT step has a hint for every clause that contains the negation of its first literal. If such a clause is not
//! needed, or is already deleted, the hint is dropped. RAT imposes a condition on each existing clause with this
//! negation, so deleting clauses does no harm.
//!
//! Memory: 4 bytes per clause of the formula, 8 bytes per step, and at most 64 MiB for the steps themselves.
//!
//! # References
//!
//! - Marijn Heule, Warren Hunt, Nathan Wetzler: *Trimming while Checking Clausal Proofs*, FMCAD 2013.
//! - Florian Pollitt, Mathias Fleury, Armin Biere: *Faster LRAT Checking Than Solving with CaDiCaL*, SAT 2023.

use std::io::{self, Read, Seek, SeekFrom, Write};
use std::mem;
use std::ops::Range;
use std::path::Path;

use tempfile::SpooledTempFile;

/// Maximum size of a spool that stays in memory, in bytes. A larger spool is written to a file.
const IN_MEMORY: usize = if cfg!(test) { 1 << 10 } else { 64 << 20 };

/// Minimum number of bytes of each block except the last. Each pass keeps one block in memory.
const BLOCK: usize = if cfg!(test) { 64 } else { 1 << 20 };

/// Store of all steps of a proof, in the order of their numbers.
pub(super) struct Spool {
    file: SpooledTempFile,
    /// Number of clauses of the formula. The first step is numbered `formula` + 1.
    formula: u64,
    /// Number of the last step.
    last: u64,
    ended: Vec<Block>,
    open: Block,
    /// Bytes of the unfinished block: for each step, its length in bytes, the number of its literals, the literals, and
    /// the hints.
    bytes: Vec<u8>,
    step: Vec<u8>,
}

/// Part of a spool that contains only complete steps.
struct Block {
    /// Number of the first step of the block.
    first: u64,
    /// Range of the block's bytes in the file.
    place: Range<u64>,
}

/// Step that remains after trimming. Clauses are identified by their new numbers; the remaining steps are numbered
/// consecutively.
pub(super) struct Kept<'a> {
    pub(super) clause: &'a [i32],
    pub(super) hints: &'a [i64],
    /// Numbers of the clauses whose last use is this step.
    pub(super) unused: &'a [u64],
}

impl Spool {
    /// Creates an empty spool for a proof from a formula with `formula` clauses. Steps that do not fit into memory go
    /// to a file in `folder`.
    pub(super) fn new(formula: u64, folder: &Path) -> Self {
        Self {
            file: tempfile::spooled_tempfile_in(IN_MEMORY, folder),
            formula,
            last: formula,
            ended: Vec::new(),
            open: Block { first: formula + 1, place: 0..0 },
            bytes: Vec::new(),
            step: Vec::new(),
        }
    }

    /// Returns the number of clauses of the formula.
    pub(super) fn formula(&self) -> u64 {
        self.formula
    }

    /// Adds a step, which gets the next number.
    ///
    /// # Errors
    ///
    /// I/O errors.
    pub(super) fn push(&mut self, clause: &[i32], hints: &[i64]) -> io::Result<()> {
        self.last += 1;
        let step = &mut self.step;
        step.clear();
        put(step, clause.len() as u64);
        for &literal in clause {
            put_signed(step, literal.into());
        }
        for &hint in hints {
            put_signed(step, hint);
        }
        put(&mut self.bytes, step.len() as u64);
        self.bytes.append(step);
        if self.bytes.len() >= BLOCK {
            self.end_block()?;
        }
        Ok(())
    }

    fn end_block(&mut self) -> io::Result<()> {
        self.file.write_all(&self.bytes)?;
        let begin = self.open.place.start;
        let end = begin + self.bytes.len() as u64;
        self.bytes.clear();
        let next = Block { first: self.last + 1, place: end..end };
        let block = mem::replace(&mut self.open, next);
        self.ended.push(Block { place: begin..end, ..block });
        Ok(())
    }

    /// Calls `keep`, in order, for each step on which the step `empty` depends, and for the step `empty` itself.
    ///
    /// # Errors
    ///
    /// I/O errors, errors of `keep`, and an error if there are more than 2³² clauses.
    pub(super) fn trim(mut self, empty: u64, mut keep: impl FnMut(Kept<'_>) -> io::Result<()>) -> io::Result<()> {
        self.end_block()?;
        let too_many = |_| io::Error::other("proofs of more than 2^32 clauses cannot be trimmed");
        u32::try_from(self.last).map_err(too_many)?;
        let blocks = mem::take(&mut self.ended);
        let mut last_uses = self.last_uses(&blocks, empty)?;
        let formula = self.formula as usize;
        // New numbers of the needed steps.
        let mut renumbered = vec![0u32; self.last as usize - formula];
        let mut next = self.formula;
        let (mut clause, mut hints, mut unused) = (Vec::new(), Vec::new(), Vec::new());
        let mut bytes = Vec::new();
        for block in &blocks {
            self.read(block, &mut bytes)?;
            for (number, step) in (block.first..).zip(steps(&bytes)) {
                if last_uses[number as usize] == 0 && number != empty {
                    continue;
                }
                next += 1;
                renumbered[number as usize - formula - 1] = next as u32;
                let of_old = |old: u64| match old as usize {
                    old if old <= formula => old as u64,
                    old => renumbered[old - formula - 1].into(),
                };
                let mut reader = Reader(&bytes[step]);
                clause.clear();
                for _ in 0..reader.number() {
                    clause.push(reader.signed() as i32);
                }
                hints.clear();
                unused.clear();
                while !reader.0.is_empty() {
                    let hint = reader.signed();
                    let old = hint.unsigned_abs();
                    let last_use = u64::from(last_uses[old as usize]);
                    if hint < 0 {
                        // Keep the hint only if the clause, which contains the negation of the first literal, still
                        // exists.
                        if last_use > number {
                            hints.push(-(of_old(old) as i64));
                        }
                        continue;
                    }
                    hints.push(of_old(old) as i64);
                    if last_use == number {
                        last_uses[old as usize] = 0;
                        unused.push(of_old(old));
                    }
                }
                keep(Kept { clause: &clause, hints: &hints, unused: &unused })?;
                if number == empty {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Returns a list, indexed by clause number. Each entry is the number of the last needed step that names the clause
    /// as an antecedent, or 0 if no needed step does.
    fn last_uses(&mut self, blocks: &[Block], empty: u64) -> io::Result<Vec<u32>> {
        let mut last_uses = vec![0u32; self.last as usize + 1];
        let (mut bytes, mut places) = (Vec::new(), Vec::new());
        for block in blocks.iter().rev() {
            self.read(block, &mut bytes)?;
            places.clear();
            places.extend((block.first..).zip(steps(&bytes)));
            for (number, step) in places.drain(..).rev() {
                if last_uses[number as usize] == 0 && number != empty {
                    continue;
                }
                let mut reader = Reader(&bytes[step]);
                for _ in 0..reader.number() {
                    reader.number();
                }
                while !reader.0.is_empty() {
                    let hint = reader.signed();
                    if hint > 0 && last_uses[hint as usize] == 0 {
                        last_uses[hint as usize] = number as u32;
                    }
                }
            }
        }
        Ok(last_uses)
    }

    fn read(&mut self, block: &Block, bytes: &mut Vec<u8>) -> io::Result<()> {
        self.file.seek(SeekFrom::Start(block.place.start))?;
        bytes.resize((block.place.end - block.place.start) as usize, 0);
        self.file.read_exact(bytes)
    }
}

/// Returns the byte ranges of the steps of a block, excluding the bytes of their lengths.
fn steps(bytes: &[u8]) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        let mut reader = Reader(bytes.get(at..).filter(|rest| !rest.is_empty())?);
        let step = reader.number() as usize;
        let begin = bytes.len() - reader.0.len();
        at = begin + step;
        Some(begin..at)
    })
}

/// Appends a number in groups of seven bits, the lowest first; all groups except the last have the eighth bit set.
pub(super) fn put(bytes: &mut Vec<u8>, mut number: u64) {
    while number > 0x7f {
        bytes.push((number & 0x7f) as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Appends a signed number, as twice its absolute value, plus one if it is negative.
pub(super) fn put_signed(bytes: &mut Vec<u8>, number: i64) {
    put(bytes, 2 * number.unsigned_abs() + u64::from(number < 0));
}

/// Reader of numbers that `put` and `put_signed` wrote.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn number(&mut self) -> u64 {
        let mut number = 0;
        let mut shift = 0;
        while let Some((&byte, rest)) = self.0.split_first() {
            self.0 = rest;
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                break;
            }
            shift += 7;
        }
        number
    }

    fn signed(&mut self) -> i64 {
        let number = self.number();
        let absolute = (number >> 1) as i64;
        if number & 1 == 1 { -absolute } else { absolute }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    /// Returns the steps that trimming keeps. Each step has its clause, its hints, and the numbers of the clauses that
    /// are deleted after the step.
    fn trimmed(formula: u64, steps: &[(&[i32], &[i64])]) -> Vec<(Vec<i32>, Vec<i64>, Vec<u64>)> {
        let mut spool = Spool::new(formula, Path::new("."));
        for (clause, hints) in steps {
            spool.push(clause, hints).unwrap();
        }
        let mut kept = Vec::new();
        let keep = |step: Kept<'_>| {
            kept.push((step.clause.to_vec(), step.hints.to_vec(), step.unused.to_vec()));
            Ok(())
        };
        spool.trim(formula + steps.len() as u64, keep).unwrap();
        kept
    }

    #[test]
    fn steps_that_nothing_needs_go_and_clauses_go_after_their_last_use() {
        let steps: [(&[i32], &[i64]); 4] = [(&[1], &[1, 2]), (&[2], &[2, 3]), (&[-1], &[3, 4]), (&[], &[5, 7, 4])];
        assert_eq!(
            trimmed(4, &steps),
            [
                (vec![1], vec![1, 2], vec![1, 2]),
                (vec![-1], vec![3, 4], vec![3]),
                (vec![], vec![5, 6, 4], vec![5, 6, 4]),
            ]
        );
    }

    #[test]
    fn definitions_name_the_candidates_that_are_left() {
        // Variable 9 is defined by three clauses; the second of them is not needed.
        let steps: [(&[i32], &[i64]); 4] =
            [(&[-9, 1], &[]), (&[-9, 2], &[]), (&[9, -1, -2], &[-2, -3]), (&[], &[1, 2, 4])];
        let kept = trimmed(1, &steps);
        assert_eq!(kept[1], (vec![9, -1, -2], vec![-2], vec![]));
        assert_eq!(kept[2].1, [1, 2, 3]);
    }

    /// Tests that trimming keeps all needed steps unchanged if the spool has several blocks and does not fit into
    /// memory.
    #[test]
    fn a_long_spool_is_the_same() {
        let clauses: Vec<[i32; 2]> = (0..5000).map(|k| [k + 1, -(k + 300_000)]).collect();
        let hints: Vec<[i64; 1]> = (0..5000).map(|k| [k + 1]).collect();
        let steps: Vec<(&[i32], &[i64])> =
            clauses.iter().zip(&hints).map(|(clause, hints)| (clause.as_slice(), hints.as_slice())).collect();
        let kept = trimmed(1, &steps);
        assert_eq!(kept.len(), 5000);
        for (k, (clause, hints, unused)) in kept.iter().enumerate() {
            assert_eq!(clause, &clauses[k]);
            assert_eq!(*hints, [k as i64 + 1]);
            assert_eq!(*unused, [k as u64 + 1]);
        }
    }
}
