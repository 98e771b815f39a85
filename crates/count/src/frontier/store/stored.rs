//! Form in which the states of a layer are stored.
//!
//! A stored group is a header, its states, and their weights. The states are stored with one bit per possible state or,
//! if few of them occur, as a list of [ranks](crate::frontier::state::ranks). Each number of a weight has as
//! many bytes as the largest number of the group needs. Groups follow each other in blocks, and the blocks of a *shard*
//! are in memory or on [disk](super::scratch).

use std::io::{self, Read, Write};
use std::num::NonZero;

use num_bigint::BigUint;

use crate::frontier::state::{Arrivals, Completable, Degrees, Polynomials, Sums, bytes, matchings, rank_bytes};
use crate::frontier::step::{SHARDS, shard_of};
use crate::frontier::store::scratch::Block;
use crate::frontier::store::{Scratch, Usage};
use crate::frontier::sweep::{Sweep, Weights};

/// Size in bytes of the first block in which a shard stores its groups. Each block is twice as large as the previous
/// one, up to `LONGEST_BLOCK`.
const FIRST_BLOCK: usize = 128;
/// In unit tests, blocks are short, so that the shards of small boards have several.
const LONGEST_BLOCK: usize = if cfg!(test) { 1 << 11 } else { 1 << 15 };
/// Minimum number of bytes of a block that is moved to disk.
const SHORTEST_STORED: usize = 1 << 10;

/// Form in which the states of a group are stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    /// One bit per possible state.
    Bits,
    /// List of ranks, each with as many bytes as the largest possible rank.
    Ranks,
}

/// Header of a stored group: its degrees, and the number and form of its states.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Head {
    pub(crate) degrees: Degrees,
    pub(crate) states: u32,
    pub(crate) form: Form,
    /// Number of coefficients of each weight.
    pub(crate) numbers: usize,
    /// Number of bytes of each coefficient.
    pub(crate) width: usize,
    /// Rest of the header in a sweep with a statistic.
    pub(crate) statistic: Option<OfStatistic>,
}

/// Properties of a group in a sweep with a [statistic](crate::frontier::step::packed).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct OfStatistic {
    /// Value of the statistic to which the first number of a weight belongs.
    pub(crate) low: usize,
    pub(crate) arrivals: Arrivals,
}

impl Head {
    /// Size in bytes of the shortest header.
    pub(crate) const BYTES: usize = 14;

    pub(crate) fn ends(&self) -> usize {
        self.degrees.ends_count()
    }

    /// Returns the size of the stored header in bytes.
    pub(crate) fn head_bytes(&self) -> usize {
        Self::BYTES + self.statistic.map_or(0, |_| 4 + self.ends())
    }

    /// Returns the arrivals; none in a sweep without a statistic.
    pub(crate) fn arrivals(&self) -> Arrivals {
        self.statistic.map_or(Arrivals::NONE, |statistic| statistic.arrivals)
    }

    /// Returns the number of bytes between the header and the weights. These bytes store the states.
    pub(crate) fn key_bytes(&self) -> usize {
        match self.form {
            Form::Bits => matchings(self.ends()).div_ceil(8) as usize,
            Form::Ranks => rank_bytes(self.ends()) * self.states as usize,
        }
    }

    /// Returns the size of the stored group in bytes, including its header.
    pub(crate) fn bytes(&self) -> usize {
        self.head_bytes() + self.key_bytes() + self.weight_bytes() * self.states as usize
    }

    /// Returns the number of bytes of a weight.
    pub(crate) fn weight_bytes(&self) -> usize {
        self.numbers * self.width
    }

    pub(crate) fn write(&self, to: &mut Vec<u8>) {
        to.extend_from_slice(&self.degrees.0.to_le_bytes());
        to.extend_from_slice(&self.states.to_le_bytes());
        // Zero numbers announce the rest of the header.
        let numbers = if self.statistic.is_none() { self.numbers as u8 } else { 0 };
        let width = u8::try_from(self.width).unwrap_or(u8::MAX);
        to.extend_from_slice(&[self.form as u8 | numbers << 4, width]);
        if let Some(OfStatistic { low, arrivals }) = self.statistic {
            to.extend_from_slice(&(low as u16).to_le_bytes());
            to.extend_from_slice(&(self.numbers as u16).to_le_bytes());
            to.extend(self.degrees.ends().map(|slot| arrivals.of(slot) as u8));
        }
    }

    pub(crate) fn read(from: &[u8]) -> Self {
        let form = if from[12] & 15 == 0 { Form::Bits } else { Form::Ranks };
        let head = Self {
            degrees: Degrees(word(from)),
            states: u32::from_le_bytes([from[8], from[9], from[10], from[11]]),
            form,
            numbers: (from[12] >> 4).into(),
            width: from[13].into(),
            statistic: None,
        };
        if head.numbers > 0 {
            return head;
        }
        let number = |at: usize| u16::from_le_bytes([from[at], from[at + 1]]).into();
        let classes = head.degrees.ends().zip(&from[Self::BYTES + 4..]);
        let arrivals = classes.fold(Arrivals::NONE, |arrivals, (slot, &class)| arrivals.with(slot, class.into()));
        Self {
            numbers: number(Self::BYTES + 2),
            statistic: Some(OfStatistic { low: number(Self::BYTES), arrivals }),
            ..head
        }
    }
}

/// Converts the first eight bytes to a number, the lowest byte first. Missing bytes are 0.
#[inline]
pub(crate) fn word(bytes: &[u8]) -> u64 {
    match bytes.first_chunk() {
        Some(eight) => u64::from_le_bytes(*eight),
        None => bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte)),
    }
}

/// Groups of a shard, stored as bytes.
#[derive(Clone, Default)]
pub(crate) struct Shard {
    pub(crate) blocks: Vec<Block>,
}

/// Returns the groups of a block.
pub(crate) fn groups(block: &[u8]) -> impl Iterator<Item = (Head, &[u8])> {
    let mut rest = block;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let head = Head::read(rest);
        let (group, others) = rest.split_at(head.bytes());
        rest = others;
        Some((head, group))
    })
}

impl Shard {
    pub(crate) fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// Returns the number of bytes of the groups.
    pub(crate) fn len(&self) -> usize {
        self.blocks.iter().map(Block::len).sum()
    }

    /// Returns the number of bytes that the groups take in memory.
    pub(crate) fn in_memory(&self) -> u64 {
        self.blocks.iter().map(Block::in_memory).sum()
    }

    /// Adds the groups of another shard, to which nothing is added any more. Joins short blocks, so that they can be moved
    /// to disk when memory is scarce: otherwise every pause of a sweep would leave some that stay in memory.
    pub(crate) fn append(&mut self, other: Self, usage: &Usage) {
        let blocks = std::mem::take(&mut self.blocks).into_iter();
        let mut joined = Vec::new();
        for mut block in blocks.chain(other.blocks) {
            match block {
                Block::Memory(bytes) if bytes.len() < SHORTEST_STORED => {
                    usage.remove(bytes.capacity() as u64);
                    joined.extend_from_slice(&bytes);
                    if joined.len() >= SHORTEST_STORED {
                        self.push_joined(std::mem::take(&mut joined), usage);
                    }
                }
                Block::Memory(_) => {
                    usage.relieve(&mut block);
                    self.blocks.push(block);
                }
                _ => self.blocks.push(block),
            }
        }
        if !joined.is_empty() {
            self.push_joined(joined, usage);
        }
    }

    fn push_joined(&mut self, mut bytes: Vec<u8>, usage: &Usage) {
        bytes.shrink_to_fit();
        usage.add(bytes.capacity() as u64);
        let mut block = Block::Memory(bytes);
        if block.len() >= SHORTEST_STORED {
            usage.relieve(&mut block);
        }
        self.blocks.push(block);
    }

    /// Calls `write` with a block that has room for a group of `length` bytes. If the block is new, adds its size to
    /// `usage`, and moves the block before it to disk if memory is scarce.
    pub(crate) fn put(&mut self, length: usize, usage: &Usage, write: &mut dyn FnMut(&mut Vec<u8>)) {
        if let Some(Block::Memory(bytes)) = self.blocks.last_mut()
            && bytes.capacity() - bytes.len() >= length
        {
            return write(bytes);
        }
        if let Some(last) = self.blocks.last_mut()
            && last.len() >= SHORTEST_STORED
        {
            usage.relieve(last);
        }
        let longest = LONGEST_BLOCK.min(FIRST_BLOCK << self.blocks.len().min(16));
        let mut block = Vec::with_capacity(length.max(longest));
        usage.add(block.capacity() as u64);
        write(&mut block);
        // No group fits into a block that its first group fills.
        let is_full = block.capacity() - block.len() < Head::BYTES;
        let mut block = Block::Memory(block);
        if is_full && block.len() >= SHORTEST_STORED {
            usage.relieve(&mut block);
        }
        self.blocks.push(block);
    }
}

/// Layer of a sweep: the states after the first t vertices, where t is the number of the layer. They form groups, which
/// are distributed to shards.
#[derive(Clone)]
pub(crate) struct Layer {
    /// Shards to which groups were added, with their numbers. Their order depends on threads, and has no meaning. Small
    /// layers have few of the possible shards.
    pub(crate) shards: Vec<(usize, Shard)>,
    /// Indexed by shard number: the 1-based index in `shards`; 0 if the shard is missing.
    places: Vec<u16>,
    pub(crate) states: usize,
    /// Number of bits of the largest weight in the layer.
    pub(crate) bits: u32,
}

impl Layer {
    /// Returns the layer before the first vertex of a sweep: one state without edges. Its weight is the polynomial 1.
    pub(crate) fn first(sweep: &Sweep, usage: &Usage) -> Self {
        let mut layer = Self { states: 1, bits: 1, ..Self::empty() };
        let head = Head {
            degrees: Degrees::NONE,
            states: 1,
            form: Form::Bits,
            numbers: if sweep.weights() == Weights::Connections { 2 } else { 1 },
            width: 1,
            statistic: (sweep.weights() == Weights::Statistic)
                .then_some(OfStatistic { low: 0, arrivals: Arrivals::NONE }),
        };
        layer.shard(0).put(head.bytes(), usage, &mut |room| {
            head.write(room);
            // The only matching, and its weight.
            room.extend_from_slice(&[1, 1]);
            room.resize(head.bytes(), 0);
        });
        layer
    }

    pub(crate) fn empty() -> Self {
        Self { shards: Vec::new(), places: vec![0; SHARDS], states: 0, bits: 0 }
    }

    /// Returns the shard with this number. Adds an empty one if it is missing.
    #[inline]
    pub(crate) fn shard(&mut self, number: usize) -> &mut Shard {
        let place = &mut self.places[number];
        if *place == 0 {
            self.shards.push((number, Shard::default()));
            *place = self.shards.len() as u16;
        }
        &mut self.shards[usize::from(*place) - 1].1
    }

    /// Returns the number of bytes that the groups take in memory.
    pub(crate) fn in_memory(&self) -> u64 {
        self.shards.iter().map(|(_, shard)| shard.in_memory()).sum()
    }

    pub(crate) fn blocks(&self) -> impl Iterator<Item = &Block> {
        let shards = self.places.iter().filter_map(|&place| self.shards.get(usize::from(place).checked_sub(1)?));
        shards.flat_map(|(_, shard)| &shard.blocks)
    }

    /// Returns the coefficients of the sum of all weights.
    pub(crate) fn sum(&self) -> io::Result<Vec<BigUint>> {
        let mut sum = Vec::new();
        for block in self.blocks() {
            for (head, group) in groups(&block.bytes()?) {
                let low = head.statistic.map_or(0, |statistic| statistic.low);
                if sum.len() < low + head.numbers {
                    sum.resize(low + head.numbers, BigUint::ZERO);
                }
                let weights = &group[head.head_bytes() + head.key_bytes()..];
                for weight in weights.chunks(head.weight_bytes()) {
                    for (sum, number) in sum[low..].iter_mut().zip(weight.chunks(head.width)) {
                        *sum += BigUint::from_bytes_le(number);
                    }
                }
            }
        }
        Ok(sum)
    }

    /// Returns the number of bytes that would be saved if each number in a weight had at most `bytes` bytes.
    pub(crate) fn saved_by(&self, bytes: usize) -> io::Result<u64> {
        let mut saved = 0;
        for block in self.blocks() {
            for (head, _) in groups(&block.bytes()?) {
                let numbers = head.numbers * head.states as usize;
                saved += (numbers * head.width.saturating_sub(bytes)) as u64;
            }
        }
        Ok(saved)
    }

    /// Replaces the numbers in all weights by their residues modulo `modulus`.
    pub(crate) fn reduce(&mut self, modulus: NonZero<u64>, usage: &Usage) -> io::Result<()> {
        for (_, shard) in &mut self.shards {
            for block in std::mem::take(shard).blocks {
                for (head, group) in groups(&block.bytes()?) {
                    let (keys, weights) = group.split_at(head.head_bytes() + head.key_bytes());
                    let mut numbers = Polynomials::<0, 1>::new(head.width.div_ceil(8));
                    read_weights(weights, head.width, &mut numbers);
                    numbers.reduce(0, numbers.len(), Some(modulus));
                    let width = bytes(numbers.bits());
                    let head = Head { width, ..head };
                    shard.put(head.bytes() + 8, usage, &mut |room| {
                        head.write(room);
                        room.extend_from_slice(&keys[head.head_bytes()..]);
                        numbers.write(numbers.at(0, numbers.len()), width, room);
                    });
                }
                usage.remove(block.in_memory());
            }
        }
        self.bits = self.bits.min(u64::BITS - modulus.leading_zeros());
        Ok(())
    }

    /// Returns the sums of the numbers in the weights by degree vector, multiplied by 2^−`exponent` and rounded up.
    pub(crate) fn sums_by_degrees(&self, exponent: u64) -> io::Result<Sums> {
        let mut sums = Sums::default();
        for block in self.blocks() {
            for (head, group) in groups(&block.bytes()?) {
                let weights = &group[head.head_bytes() + head.key_bytes()..];
                // The lower bytes of a number count as one more unit of the highest eight.
                let lower = head.width.saturating_sub(8);
                let numbers = weights.chunks(head.width);
                let highest = numbers.map(|number| u128::from(word(&number[lower..])) + 1);
                let unit = 8 * lower as i32 - exponent as i32;
                let sum = highest.sum::<u128>() as f64 * 2f64.powi(unit);
                *sums.entry(head.degrees).or_default() += sum.max(f64::MIN_POSITIVE);
            }
        }
        Ok(sums)
    }

    /// Returns a layer with a copy of the states that `completable` contains. It is the layer after t vertices of
    /// `sweep`. Adds the bytes of the copy to `usage`.
    pub(crate) fn copied(&self, sweep: &Sweep, completable: &Completable, t: usize, usage: &Usage) -> io::Result<Self> {
        let mut copy = Self { bits: self.bits, ..Self::empty() };
        for block in self.blocks() {
            for (head, group) in groups(&block.bytes()?) {
                if completable.contains(t, head.degrees) {
                    let shard = shard_of(sweep, t, head.degrees, head.arrivals());
                    copy.shard(shard).put(group.len(), usage, &mut |room| room.extend_from_slice(group));
                    copy.states += head.states as usize;
                }
            }
        }
        Ok(copy)
    }

    pub(crate) fn write(&self, to: &mut dyn Write) -> io::Result<()> {
        let blocks = self.shards.iter().flat_map(|(shard, of)| of.blocks.iter().map(|b| (*shard as u64, b)));
        let head = [self.states as u64, self.bits.into(), blocks.clone().count() as u64];
        for number in head {
            to.write_all(&number.to_le_bytes())?;
        }
        for (shard, block) in blocks {
            for number in [shard, block.len() as u64] {
                to.write_all(&number.to_le_bytes())?;
            }
            to.write_all(&block.bytes()?)?;
        }
        Ok(())
    }

    /// Reads a layer. The bytes of its groups are not added to a `Usage`. If there are temporary files, long blocks are
    /// moved there. The blocks in memory are subtracted from `left`. If they need more, returns an error of the kind
    /// [`OutOfMemory`](io::ErrorKind::OutOfMemory).
    pub(crate) fn read(from: &mut dyn Read, scratch: Option<&Scratch>, left: &mut u64) -> io::Result<Self> {
        let (states, bits) = (number(from)? as usize, number(from)? as u32);
        let mut layer = Self { states, bits, ..Self::empty() };
        for _ in 0..number(from)? {
            let (shard, length) = (number(from)? as usize, number(from)?);
            if shard >= SHARDS {
                return Err(io::ErrorKind::InvalidData.into());
            }
            // The length is not trusted before the whole file has been read, so the block grows while it is read.
            let first = length.min(LONGEST_BLOCK as u64) as usize;
            let mut block = Vec::with_capacity(first);
            (&mut *from).take(length).read_to_end(&mut block)?;
            if block.len() as u64 != length {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            let mut block = Block::Memory(block);
            if let Some(scratch) = scratch.filter(|_| block.len() >= SHORTEST_STORED) {
                scratch.store(&mut block);
            }
            let rest = left.checked_sub(block.in_memory());
            *left = rest.ok_or(io::ErrorKind::OutOfMemory)?;
            layer.shard(shard).blocks.push(block);
        }
        Ok(layer)
    }
}

/// Writes the ranks of matchings with `ends` ends as a list.
pub(crate) fn write_ranks(ranks: impl Iterator<Item = u64>, ends: usize, to: &mut Vec<u8>) {
    let width = rank_bytes(ends);
    ranks.for_each(|rank| to.extend_from_slice(&rank.to_le_bytes()[..width]));
}

/// Appends the ranks of the states of a group with `ends` ends to `ranks`. `keys` are the bytes after the header.
pub(crate) fn read_ranks(form: Form, ends: usize, keys: &[u8], ranks: &mut Vec<u64>) {
    match form {
        Form::Bits => {
            for (eight, bytes) in (0..).zip(keys.chunks(8)) {
                let mut bits = word(bytes);
                while bits != 0 {
                    ranks.push(64 * eight + u64::from(bits.trailing_zeros()));
                    bits &= bits - 1;
                }
            }
        }
        Form::Ranks => ranks.extend(keys.chunks_exact(rank_bytes(ends)).map(word)),
    }
}

/// Reads a number of eight bytes, the lowest byte first.
pub(crate) fn number(from: &mut dyn Read) -> io::Result<u64> {
    let mut bytes = [0; 8];
    from.read_exact(&mut bytes)?;
    Ok(u64::from_le_bytes(bytes))
}

/// Reads weights whose numbers have `width` bytes each, and appends them to `to`.
pub(crate) fn read_weights<const W: usize, const N: usize>(bytes: &[u8], width: usize, to: &mut Polynomials<W, N>) {
    let count = bytes.len() / width;
    let numbers = to.more(count);
    if width > 8 {
        for (number, bytes) in numbers.zip(bytes.chunks_exact(width)) {
            number.iter_mut().zip(bytes.chunks(8)).for_each(|(to, bytes)| *to = word(bytes));
        }
        return;
    }
    let mask = u64::MAX >> (64 - 8 * width);
    // The numbers at the end are not followed by enough bytes to read a whole word.
    let whole = count.saturating_sub(8);
    let mut numbers = numbers.zip(0..);
    for (number, k) in numbers.by_ref().take(whole) {
        number[0] = word(&bytes[width * k..][..8]) & mask;
    }
    for (number, k) in numbers {
        number[0] = word(&bytes[width * k..][..width]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hamcnf_graph::budget::Budget;

    /// Tests that the blocks of many short shards are joined, and that their bytes are counted once.
    #[test]
    fn short_blocks_are_joined() {
        let usage = Usage::new(1, u64::MAX, Budget::default());
        let head =
            Head { degrees: Degrees(1 | 1 << 2), states: 1, form: Form::Ranks, numbers: 1, width: 2, statistic: None };
        let mut shard = Shard::default();
        for _ in 0..200 {
            let mut other = Shard::default();
            other.put(head.bytes(), &usage, &mut |room| {
                head.write(room);
                room.resize(head.bytes(), 0);
            });
            shard.append(other, &usage);
        }
        assert_eq!(shard.len(), 200 * head.bytes());
        assert!(shard.blocks.len() <= 1 + shard.len() / SHORTEST_STORED);
        assert_eq!(usage.bytes(), shard.in_memory());
        let read = shard.blocks.iter().map(|block| groups(&block.bytes().unwrap()).count());
        assert_eq!(read.sum::<usize>(), 200);
    }
}
