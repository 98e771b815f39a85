//! Exact count of Hamiltonian cycles by dynamic programming.
//!
//! The tables contain all states that occur, each with the number of edge sets that lead to it. When two states are
//! joined, their numbers are multiplied. If several joins give the same state, their numbers are added. A Hamiltonian
//! cycle is one edge set, so each cycle is counted once, regardless of its start and direction.
//!
//! The numbers grow along the tree. All numbers of a table have the same length: as many words as the sum of the
//! table's numbers may need. So one array holds all numbers, and short numbers take little space.
//!
//! # References
//!
//! - H. L. Bodlaender, M. Cygan, S. Kratsch and J. Nederlof: *Deterministic single exponential time algorithms for
//!   connectivity problems parameterized by treewidth*, Information and Computation 243, 2015.

use std::collections::HashMap;

use hamcnf_graph::Graph;
use num_bigint::BigUint;

use super::order::Elimination;
use super::state::{Pattern, State, Word};
use super::sweep::{Source, Sweep, Swept, Tables};
use super::table::{Grouped, Meeting, Meter, Rules};
use hamcnf_graph::budget::{Budget, Stopped};
use hamcnf_graph::hash::Mixer;

/// Number of hash maps over which the states are distributed. Growing a small map takes less time than growing one
/// large map for all states.
const MAPS: usize = 64;

/// Counts the undirected Hamiltonian cycles of a graph by dynamic programming over the bags of an elimination order.
///
/// # Errors
///
/// Returns [`Stopped::GaveUp`] if the order is wider than [`MOST_WIDTH`](super::MOST_WIDTH), if it is not an order of
/// this graph, or if a table has more than `states` states. Otherwise returns the reason why the budget
/// stopped the count.
pub fn count(graph: &Graph, order: &Elimination, states: u64, budget: &Budget) -> Result<BigUint, Stopped> {
    if graph.n_vertices() < 3 {
        return Ok(BigUint::ZERO);
    }
    let mut meter = Meter::new(budget, states);
    if order.width() < u64::SLOTS {
        count_in::<u64>(graph, order, &mut meter)
    } else if order.width() < u128::SLOTS {
        count_in::<u128>(graph, order, &mut meter)
    } else {
        Err(Stopped::GaveUp)
    }
}

fn count_in<W: Word>(graph: &Graph, order: &Elimination, meter: &mut Meter<'_>) -> Result<BigUint, Stopped> {
    let sweep = Sweep::new(graph, order, meter)?;
    let mut tables = Counts { meter };
    match sweep.run::<W, _>(&mut tables)? {
        Swept::Nothing => Ok(BigUint::ZERO),
        // The last bag is empty, so the table has one state.
        Swept::Whole(last) => Ok(number(&last.values)),
        Swept::Pieces(_) => Err(Stopped::GaveUp),
    }
}

fn number(words: &[u64]) -> BigUint {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    BigUint::from_bytes_le(&bytes)
}

/// Table of states, each with the number of edge sets that lead to it (the *value* of the state).
struct Table<W> {
    states: Grouped<W>,
    /// Number of 64-bit words per value.
    words: usize,
    /// Values of the states, in the order of the states. The words of each value are in increasing significance.
    values: Vec<u64>,
    /// Number of bits of the sum of all values.
    bits: u32,
    /// Number of bytes that the meter counts for this table; 0 for the table of the edge choices at one vertex.
    bytes: u64,
}

impl<W: Word> Table<W> {
    fn value(&self, k: usize) -> &[u64] {
        &self.values[k * self.words..(k + 1) * self.words]
    }
}

struct Counts<'m, 'w> {
    meter: &'m mut Meter<'w>,
}

impl<W: Word> Tables<W> for Counts<'_, '_> {
    type Table = Table<W>;

    fn table(&mut self, states: Grouped<W>, _: Source) -> Table<W> {
        let length = states.states().len();
        Table { states, words: 1, values: vec![1; length], bits: usize::BITS - length.leading_zeros(), bytes: 0 }
    }

    fn join(&mut self, left: Table<W>, right: Table<W>, rules: &Rules<W>) -> Result<Table<W>, Stopped> {
        // The sum of the joined values is at most the product of the two sums.
        let words = (left.bits + right.bits).div_ceil(64) as usize;
        let mut joined = Joined::new(words);
        let meter = &mut *self.meter;
        rules.meetings(&left.states, &right.states, meter, &mut |meeting, meter| {
            joined.meet(meeting, &left, &right, rules.forget, meter)
        })?;
        let bytes = left.bytes + right.bytes;
        drop((left, right));
        let table = joined.in_order(meter)?;
        meter.release(bytes);
        meter.made(table.states.states().len());
        meter.keep(table.bytes)?;
        Ok(table)
    }

    fn size(table: &Table<W>) -> usize {
        table.states.states().len()
    }
}

/// Result of joining two tables, under construction.
struct Joined<W> {
    words: usize,
    patterns: HashMap<W, u32, Mixer>,
    /// Degree patterns, each with the number of its states.
    groups: Vec<(Pattern<W>, usize)>,
    maps: Vec<HashMap<W, u32, Mixer>>,
    /// States, each with the index of its degree pattern in `groups`.
    states: Vec<(State<W>, u32)>,
    values: Vec<u64>,
}

impl<W: Word> Joined<W> {
    fn new(words: usize) -> Self {
        Self {
            words,
            patterns: HashMap::default(),
            groups: Vec::new(),
            maps: (0..MAPS).map(|_| HashMap::default()).collect(),
            states: Vec::new(),
            values: Vec::new(),
        }
    }

    fn meet(
        &mut self,
        meeting: &Meeting<W>,
        lefts: &Table<W>,
        rights: &Table<W>,
        forget: W,
        meter: &mut Meter<'_>,
    ) -> Result<(), Stopped> {
        let groups = &mut self.groups;
        let new_group = || {
            groups.push((meeting.pattern, 0));
            groups.len() as u32 - 1
        };
        let digits = meeting.pattern.digits();
        let group = *self.patterns.entry(digits).or_insert_with(new_group);
        let map = &mut self.maps[group as usize % MAPS];
        let work = 4 + lefts.words * rights.words;
        for left in meeting.left.range() {
            meter.step(meeting.right.range().len() * work)?;
            let state = lefts.states.states()[left];
            for right in meeting.right.range() {
                let other = rights.states.states()[right];
                let of_other = meeting.right.pattern;
                let Some(state) = state.join(other, of_other, meeting.closes) else {
                    continue;
                };
                let state = state.forget(forget);
                let new = self.states.len() as u32;
                let k = *map.entry(state.0).or_insert(new);
                if k == new {
                    self.states.push((state, group));
                    self.groups[group as usize].1 += 1;
                    self.values.resize(self.values.len() + self.words, 0);
                }
                let at = k as usize * self.words;
                let value = &mut self.values[at..at + self.words];
                add_product(value, lefts.value(left), rights.value(right));
            }
            // The capacity of maps and lists is at most twice the number of their entries.
            let state = 2 * (2 * size_of::<(W, u32)>() + size_of::<(State<W>, u32)>() + 8 * self.words);
            meter.allow(self.states.len(), (self.states.len() * state) as u64)?;
        }
        Ok(())
    }

    /// Returns the finished table, with states sorted by degree pattern and values shortened to the words that they
    /// need.
    fn in_order(self, meter: &mut Meter<'_>) -> Result<Table<W>, Stopped> {
        drop(self.maps);
        let mut sum = vec![0; self.words];
        for value in self.values.chunks_exact(self.words.max(1)) {
            add_product(&mut sum, value, &[1]);
            meter.step(self.words)?;
        }
        let words = sum.iter().rposition(|&word| word != 0).map_or(1, |top| top + 1);
        let top = sum.get(words - 1).map_or(0, |top| top.leading_zeros());
        let mut order: Vec<_> = (0..self.groups.len()).collect();
        order.sort_unstable_by_key(|&group| self.groups[group].0.digits());
        let mut place = vec![0; self.groups.len()];
        let mut filled = 0;
        for &group in &order {
            place[group] = filled;
            filled += self.groups[group].1;
        }
        let mut sorted = vec![State::EMPTY; filled];
        let mut values = vec![0; filled * words];
        for (k, &(state, group)) in self.states.iter().enumerate() {
            meter.step(words)?;
            let place = &mut place[group as usize];
            sorted[*place] = state;
            let value = &self.values[k * self.words..k * self.words + words];
            values[*place * words..(*place + 1) * words].copy_from_slice(value);
            *place += 1;
        }
        let mut states = Grouped::with_capacity(order.len(), filled);
        let mut rest = sorted.into_iter();
        for group in order {
            let (pattern, length) = self.groups[group];
            if length > 0 {
                states.push(pattern, rest.by_ref().take(length));
            }
        }
        Ok(Table {
            bytes: states.bytes() + 8 * values.len() as u64,
            states,
            words,
            values,
            bits: 64 * words as u32 - top,
        })
    }
}

/// Adds the product of `a` and `b` to `sum`, which must have enough words for the result. All numbers have their lowest
/// word first.
fn add_product(sum: &mut [u64], a: &[u64], b: &[u64]) {
    for (i, &a) in a.iter().enumerate() {
        if a == 0 {
            continue;
        }
        let mut carry = 0;
        for (k, word) in sum[i..].iter_mut().enumerate() {
            let b = b.get(k).copied();
            if b.is_none() && carry == 0 {
                break;
            }
            let product = u128::from(a) * u128::from(b.unwrap_or(0));
            let added = product + u128::from(*word) + u128::from(carry);
            *word = added as u64;
            carry = (added >> 64) as u64;
        }
        debug_assert_eq!(carry, 0, "the sum has room");
    }
}
