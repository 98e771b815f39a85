//! Maps whose keys are the numbers of variables or clauses in a file.
//!
//! The numbers in a file may have large gaps: the only variables may be 1 and 2147483647. A map has a table that is
//! indexed by number. The table grows only to a few times the count of numbers so far, and a hash map holds all other
//! values. Memory is proportional to the input that has been read. Files with consecutive numbers, which are usual, use
//! only the table.

use std::collections::HashMap;
use std::ops::Not;

/// Map from numbers to values, stored in a table and a hash map.
#[derive(Clone, Debug)]
pub(super) struct Numbers<T> {
    table: Vec<Option<T>>,
    far: HashMap<u64, T>,
    met: usize,
}

impl<T> Default for Numbers<T> {
    fn default() -> Self {
        Self { table: Vec::new(), far: HashMap::new(), met: 0 }
    }
}

impl<T: Copy> Numbers<T> {
    /// Number of entries that the table may always have. For each value inserted so far, it may have `TIMES` more
    /// entries.
    const LEAST: usize = 1 << 12;
    const TIMES: usize = 8;

    #[inline]
    pub(super) fn get(&self, number: u64) -> Option<T> {
        match self.table.get(usize::try_from(number).ok()?) {
            Some(&Some(known)) => Some(known),
            _ if self.far.is_empty() => None,
            _ => self.far.get(&number).copied(),
        }
    }

    /// Inserts the value of a number that has no value yet.
    #[inline]
    pub(super) fn insert(&mut self, number: u64, value: T) {
        self.met += 1;
        match usize::try_from(number) {
            Ok(place) if place < self.table.len() => self.table[place] = Some(value),
            Ok(place) if place < Self::LEAST + Self::TIMES * self.met => {
                self.table.resize(place + 1, None);
                self.table[place] = Some(value);
            }
            _ => {
                self.far.insert(number, value);
            }
        }
    }

    /// Removes and returns the value of a number; `None` if the number has no value.
    pub(super) fn remove(&mut self, number: u64) -> Option<T> {
        let place = usize::try_from(number).ok()?;
        self.table.get_mut(place).and_then(Option::take).or_else(|| self.far.remove(&number))
    }

    /// Returns mutable references to all values.
    pub(super) fn values_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.table.iter_mut().flatten().chain(self.far.values_mut())
    }
}

/// A literal of a renumbered variable: twice the variable's number, plus one if it is negated.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Literal(pub(super) u32);

impl Literal {
    #[inline]
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }

    #[inline]
    pub(super) fn variable(self) -> usize {
        (self.0 >> 1) as usize
    }
}

impl Not for Literal {
    type Output = Self;
    #[inline]
    fn not(self) -> Self {
        Self(self.0 ^ 1)
    }
}

/// Map from DIMACS variables to consecutive numbers from 0, in the order of first occurrence.
#[derive(Clone, Default, Debug)]
pub(super) struct Variables {
    numbers: Numbers<u32>,
    /// Number of variables so far.
    met: u32,
}

impl Variables {
    pub(super) fn len(&self) -> usize {
        self.met as usize
    }

    /// Returns the literal for a nonzero DIMACS literal. Adds the variable if it is new.
    #[inline]
    pub(super) fn literal(&mut self, dimacs: i32) -> Literal {
        let variable = u64::from(dimacs.unsigned_abs());
        let number = self.numbers.get(variable).unwrap_or_else(|| {
            let number = self.met;
            self.met += 1;
            self.numbers.insert(variable, number);
            number
        });
        Literal(2 * number + u32::from(dimacs < 0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn far_numbers_take_no_table() {
        let mut variables = Variables::default();
        for (dimacs, literal) in [(i32::MAX, 0), (1, 2), (-i32::MAX, 1), (-1, 3), (1 << 30, 4), (3000, 6)] {
            assert_eq!(variables.literal(dimacs), Literal(literal));
        }
        assert!(variables.numbers.table.len() <= 3001);
        assert_eq!(variables.numbers.far.len(), 2);
    }

    #[test]
    fn a_number_keeps_its_place_when_the_table_grows_past_it() {
        let mut numbers = Numbers::default();
        numbers.insert(20_000, 0);
        for number in 1..4000 {
            numbers.insert(number, number);
        }
        numbers.insert(25_000, 1);
        assert!(numbers.table.len() > 20_000);
        assert_eq!(numbers.get(20_000), Some(0));
        assert_eq!(numbers.remove(20_000), Some(0));
        assert_eq!(numbers.get(20_000), None);
        assert_eq!(numbers.remove(20_000), None);
        assert_eq!(numbers.remove(5), Some(5));
        assert_eq!(numbers.get(5), None);
        assert_eq!(numbers.get(u64::MAX), None);
    }
}
