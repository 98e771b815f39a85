//! Layer of an exact count, and the step to the next layer. A layer holds the states after the first t vertices, packed
//! into bytes.
//!
//! A state is a degree vector and a matching of the ends of paths; its weight is the number of edge sets that lead to
//! the state. States with the same degree vector form a *group*. A group with k ends of paths has (k − 1)!! possible
//! states, one for each matching of the ends. Its states are stored with one bit per possible state or, if few of them
//! occur, as a list of [ranks](super::ranks). The weights follow, each with as many bytes as the group's largest weight
//! needs. So a state takes about three bytes instead of the sixteen of a machine word and a number. Matchings of more
//! than [`MOST_ENDS`] ends have no ranks; their groups are lists of [matchings](super::matching).
//!
//! Groups make the step cheap: the possible edges of the next vertex, and the choices that can be completed to a tour, are
//! determined once per group. A table then gives the successor of each state. The successors of a group are collected in an
//! array with an entry and a mark per possible state, or in a list that is sorted afterwards.
//!
//! A step changes the degrees of only a few slots (positions of frontier vertices). Groups that agree on all other
//! slots are independent of the other groups: no successor has predecessors both inside and outside. Therefore groups
//! are distributed to *shards* by the degrees that the next step leaves unchanged, and any number of threads process
//! the shards without locks. The memory of a shard is freed when it has been processed. The assignment of shards to
//! threads does not affect any result. Blocks of groups that do not fit into memory are on [disk](super::scratch).
//!
//! In a graph whose edges stand for several [`Connections`], the weight of a state consists of two numbers, and every
//! transition multiplies it. A factor belongs to a transition between groups, so it is determined once per group, too.
//!
//! If the set of vertices swept so far is its own mirror image, a state and its mirror image lead to the same number of
//! cycles. Then the smaller of the two represents both. A layer may have two groups with the same degrees, one of which
//! is a mirror image.

use std::cmp::Reverse;
use std::io::{self, Read, Write};

use num_bigint::BigUint;

use super::completable::Completable;
use super::degrees::Degrees;
use super::matching::Matching;
use super::moves::{Choice, Move, choices};
use super::ranks::{CLOSED, Change, MOST_ENDS, Mates, Ranks, Tables, matchings};
use super::scratch::{Block, Scratch};
use super::shards::{SHARDS, in_parallel, shard_of};
use super::sweep::Sweep;
use super::usage::{LayerError, Usage};
use super::weight::{Connections, Polynomial, Wide};

/// Size in bytes of the first block in which a shard stores its groups. Each block is twice as large as the previous
/// one, up to `LONGEST_BLOCK`.
const FIRST_BLOCK: usize = 128;
/// In tests, blocks are short, so that the shards of small boards have several.
const LONGEST_BLOCK: usize = if cfg!(test) { 1 << 11 } else { 1 << 15 };
/// Minimum number of bytes of a block that is moved to disk.
const SHORTEST_STORED: usize = 1 << 10;
/// Upper bound on the number of bits by which the largest weight grows in a step. There are up to 2^9 choices of two of
/// 25 neighbours. A state has one predecessor per choice, or up to 2^5 per choice if the edges join two paths. Mirror
/// images double the weight twice.
const GROWTH: u32 = 16;
/// Maximum number of bits of a weight.
pub(super) const MOST_BITS: usize = 31 * 64 - (GROWTH + Connections::GROWTH) as usize;
/// Threshold for storing the successors of a step in a list. A list is used if a group has more than this number of
/// possible states per generated successor; otherwise an array with an entry per possible state.
const SPARSE: usize = 128;

/// Matching of the ends of paths, in the form for matchings with too many ends for a rank.
pub(super) type Word = u128;

/// Form in which the states of a group are stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Form {
    /// One bit per possible state.
    Bits,
    /// List of ranks, with four bytes each.
    Ranks,
    /// List of matchings, with sixteen bytes each.
    Words,
}

/// Header of a stored group: its degrees, and the number and form of its states.
#[derive(Clone, Copy, Debug)]
struct Head {
    degrees: Degrees,
    states: u32,
    form: Form,
    /// Number of numbers in each weight.
    numbers: usize,
    /// Number of bytes of each of these numbers.
    width: usize,
}

impl Head {
    /// Size of a stored header in bytes.
    const BYTES: usize = 14;

    fn ends(&self) -> usize {
        self.degrees.ends_count()
    }

    /// Returns the number of bytes between the header and the weights. These bytes store the states.
    fn key_bytes(&self) -> usize {
        match self.form {
            Form::Bits => matchings(self.ends()).div_ceil(8),
            Form::Ranks => 4 * self.states as usize,
            Form::Words => 16 * self.states as usize,
        }
    }

    /// Returns the size of the stored group in bytes, including its header.
    fn bytes(&self) -> usize {
        Self::BYTES + self.key_bytes() + self.weight_bytes() * self.states as usize
    }

    /// Returns the number of bytes of a weight.
    fn weight_bytes(&self) -> usize {
        self.numbers * self.width
    }

    fn write(&self, to: &mut Vec<u8>) {
        to.extend_from_slice(&self.degrees.0.to_le_bytes());
        to.extend_from_slice(&self.states.to_le_bytes());
        to.extend_from_slice(&[self.form as u8 | (self.numbers as u8) << 4, 0]);
        let at = to.len() - 1;
        to[at] = u8::try_from(self.width).unwrap_or(u8::MAX);
    }

    fn read(from: &[u8]) -> Self {
        let form = match from[12] & 15 {
            0 => Form::Bits,
            1 => Form::Ranks,
            _ => Form::Words,
        };
        Self {
            degrees: Degrees(word(from)),
            states: u32::from_le_bytes([from[8], from[9], from[10], from[11]]),
            form,
            numbers: (from[12] >> 4).into(),
            width: from[13].into(),
        }
    }
}

/// Converts the first eight bytes to a number, the lowest byte first. Missing bytes are 0.
#[inline]
fn word(bytes: &[u8]) -> u64 {
    match bytes.first_chunk() {
        Some(eight) => u64::from_le_bytes(*eight),
        None => bytes
            .iter()
            .rev()
            .fold(0, |word, &byte| word << 8 | u64::from(byte)),
    }
}

/// Groups of a shard, stored as bytes.
#[derive(Clone, Default)]
struct Shard {
    blocks: Vec<Block>,
}

/// Returns the groups of a block.
fn groups(block: &[u8]) -> impl Iterator<Item = (Head, &[u8])> {
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
    fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// Returns the number of bytes of the groups.
    fn len(&self) -> usize {
        self.blocks.iter().map(Block::len).sum()
    }

    /// Returns the number of bytes that the groups take in memory.
    fn in_memory(&self) -> u64 {
        self.blocks.iter().map(Block::in_memory).sum()
    }

    /// Calls `write` with a block that has room for a group of `length` bytes. If the block is new, adds its size to
    /// `budget`, and moves the block before it to disk if memory is scarce.
    fn put(&mut self, length: usize, budget: &Usage, write: impl FnOnce(&mut Vec<u8>)) {
        if let Some(Block::Memory(bytes)) = self.blocks.last_mut()
            && bytes.capacity() - bytes.len() >= length
        {
            return write(bytes);
        }
        if let Some(last) = self.blocks.last_mut()
            && last.len() >= SHORTEST_STORED
        {
            budget.relieve(last);
        }
        let longest = LONGEST_BLOCK.min(FIRST_BLOCK << self.blocks.len().min(16));
        let mut block = Vec::with_capacity(length.max(longest));
        budget.add(block.capacity() as u64);
        write(&mut block);
        // No group fits into a block that its first group fills.
        let is_full = block.capacity() - block.len() < Head::BYTES;
        let mut block = Block::Memory(block);
        if is_full && block.len() >= SHORTEST_STORED {
            budget.relieve(&mut block);
        }
        self.blocks.push(block);
    }
}

/// Layer of a sweep: the states after the first t vertices, where t is the number of the layer. They form groups, which
/// are distributed to shards.
#[derive(Clone)]
struct Layer {
    shards: Vec<Shard>,
    states: usize,
    /// Number of bits of the largest weight in the layer.
    bits: u32,
}

impl Layer {
    /// Returns the layer before the first vertex: one state without edges. Its weight is the polynomial 1, of `numbers`
    /// coefficients.
    fn first(numbers: usize, budget: &Usage) -> Self {
        let mut shard = Shard::default();
        let head = Head {
            degrees: Degrees::NONE,
            states: 1,
            form: Form::Bits,
            numbers,
            width: 1,
        };
        shard.put(head.bytes(), budget, |room| {
            head.write(room);
            // The only matching, and its weight.
            room.extend_from_slice(&[1, 1]);
            room.resize(head.bytes(), 0);
        });
        Self {
            shards: vec![shard],
            states: 1,
            bits: 1,
        }
    }

    fn empty() -> Self {
        Self {
            shards: vec![Shard::default(); SHARDS],
            states: 0,
            bits: 0,
        }
    }

    /// Returns the number of bytes that the groups take in memory.
    fn in_memory(&self) -> u64 {
        self.shards.iter().map(Shard::in_memory).sum()
    }

    fn blocks(&self) -> impl Iterator<Item = &Block> {
        self.shards.iter().flat_map(|shard| &shard.blocks)
    }

    /// Returns the sum of all weights, with its two coefficients.
    fn sum(&self) -> io::Result<[BigUint; 2]> {
        let mut sum = [BigUint::ZERO, BigUint::ZERO];
        for block in self.blocks() {
            for (head, group) in groups(&block.bytes()?) {
                let weights = &group[Head::BYTES + head.key_bytes()..];
                for weight in weights.chunks(head.weight_bytes()) {
                    for (sum, number) in sum.iter_mut().zip(weight.chunks(head.width)) {
                        *sum += BigUint::from_bytes_le(number);
                    }
                }
            }
        }
        Ok(sum)
    }

    /// Returns a layer with a copy of the states that `completable` contains. It is the layer after t vertices of
    /// `sweep`. Adds the bytes of the copy to `budget`.
    fn copied(
        &self,
        sweep: &Sweep,
        completable: &Completable,
        t: usize,
        budget: &Usage,
    ) -> io::Result<Self> {
        let mut shards = vec![Shard::default(); SHARDS];
        let mut states = 0;
        for block in self.blocks() {
            for (head, group) in groups(&block.bytes()?) {
                if completable.contains(t, head.degrees) {
                    let shard = &mut shards[shard_of(sweep, t, head.degrees)];
                    shard.put(group.len(), budget, |room| room.extend_from_slice(group));
                    states += head.states as usize;
                }
            }
        }
        Ok(Self {
            shards,
            states,
            bits: self.bits,
        })
    }

    fn write(&self, to: &mut dyn Write) -> io::Result<()> {
        let blocks = (0u64..).zip(&self.shards);
        let blocks = blocks.flat_map(|(shard, of)| of.blocks.iter().map(move |b| (shard, b)));
        let head = [
            self.states as u64,
            self.bits.into(),
            blocks.clone().count() as u64,
        ];
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

    /// Reads a layer. The bytes of its groups are not added to a budget. If there are temporary files, long blocks are
    /// moved there. The blocks in memory are subtracted from `left`. If they need more, returns an error of the kind
    /// [`OutOfMemory`](io::ErrorKind::OutOfMemory).
    fn read(from: &mut dyn Read, scratch: Option<&Scratch>, left: &mut u64) -> io::Result<Self> {
        let mut layer = Self::empty();
        layer.states = number(from)? as usize;
        layer.bits = number(from)? as u32;
        for _ in 0..number(from)? {
            let (shard, length) = (number(from)? as usize, number(from)?);
            let shard = layer.shards.get_mut(shard);
            let shard = shard.ok_or(io::ErrorKind::InvalidData)?;
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
            shard.blocks.push(block);
        }
        Ok(layer)
    }
}

/// Numbering of the ends of paths on a frontier. The frontier vertices are sorted in an order that is the same for all
/// frontiers; the *place* of a vertex is its position. The ends are numbered in the order of their places.
struct Numbering {
    /// Tables that convert slots to places, one for every eight slots. The index is a mask of slots, and the entry is
    /// the mask of their places.
    places_of: [[u32; 256]; 4],
    place: [u32; Degrees::SLOTS],
    slot: [u32; Degrees::SLOTS],
}

impl Numbering {
    fn new(sweep: &Sweep, t: usize) -> Self {
        let mut new = Self {
            places_of: [[0; 256]; 4],
            place: [0; Degrees::SLOTS],
            slot: [0; Degrees::SLOTS],
        };
        for (place, &slot) in (0..).zip(sweep.numbered(t)) {
            new.place[slot as usize] = place;
            new.slot[place as usize] = slot;
            for (byte, places) in new.places_of[slot as usize / 8].iter_mut().enumerate() {
                *places |= (byte as u32 >> (slot % 8) & 1) << place;
            }
        }
        new
    }

    /// Returns the mask of the places of all ends of paths.
    fn ends(&self, degrees: Degrees) -> u32 {
        let bytes = degrees.ones().to_le_bytes();
        let places = self.places_of.iter().zip(bytes);
        places.fold(0, |all, (places, byte)| all | places[usize::from(byte)])
    }

    /// Returns the number of the end at `slot`. `ends` is the mask of the places of all ends.
    fn number(&self, ends: u32, slot: u32) -> u32 {
        let before = (1u32 << self.place[slot as usize]) - 1;
        (ends & before).count_ones()
    }

    /// Returns the slots of all ends, in the order of their numbers. `ends` is the mask of their places.
    fn slots(&self, mut ends: u32) -> impl Iterator<Item = u32> + '_ {
        std::iter::from_fn(move || {
            let place = (ends != 0).then(|| ends.trailing_zeros())?;
            ends &= ends - 1;
            Some(self.slot[place as usize])
        })
    }

    /// Returns the matching with this rank. `ends` is the mask of the places of all ends.
    fn word(&self, ends: u32, rank: u32) -> Word {
        let mates = super::ranks::unrank(rank, ends.count_ones() as usize);
        let mut slots = [0; MOST_ENDS + 2];
        for (slot, at) in slots.iter_mut().zip(self.slots(ends)) {
            *slot = at;
        }
        let mut matching = Word::NONE;
        for end in 0..ends.count_ones() as usize {
            let mate = usize::from(mates[end]);
            if end < mate {
                matching = matching.link(slots[end], slots[mate]);
            }
        }
        matching
    }

    /// Returns the rank of a matching. `ends` is the mask of the places of all ends.
    fn rank(&self, ends: u32, matching: Word) -> u32 {
        let mut mates: Mates = [0; MOST_ENDS + 2];
        for (mate, slot) in mates.iter_mut().zip(self.slots(ends)) {
            *mate = self.number(ends, matching.mate(slot)) as u8;
        }
        super::ranks::rank(&mates, ends.count_ones() as usize)
    }
}

/// Transition from a source group to a target group by a move.
#[derive(Clone, Copy)]
struct Way {
    target: Degrees,
    source: u32,
    by: Move,
    /// Weight of the edges that the move adds.
    factor: Connections,
}

/// Source group of transitions, after its states have been read.
struct Source {
    degrees: Degrees,
    /// Mask of the places of the group's ends of paths.
    ends: u32,
    /// Index of the weight of the group's first state in `Sources::weights`.
    first: usize,
    /// Index of the group's first state in `Sources::ranks`, or in `Sources::words` if its matchings have no ranks.
    first_key: usize,
    states: usize,
}

/// Groups that have been read, with their states and weights.
#[derive(Default)]
struct Sources<const W: usize, const N: usize> {
    groups: Vec<Source>,
    /// Ranks of the states of all groups whose matchings have ranks.
    ranks: Vec<u32>,
    words: Vec<Word>,
    weights: Vec<Polynomial<W, N>>,
}

impl<const W: usize, const N: usize> Sources<W, N> {
    fn clear(&mut self) {
        self.groups.clear();
        self.ranks.clear();
        self.words.clear();
        self.weights.clear();
    }

    /// Reads a group.
    fn read(&mut self, head: Head, group: &[u8], numbering: &Numbering) {
        let (keys, weights) = group[Head::BYTES..].split_at(head.key_bytes());
        let first_key = match head.form {
            Form::Words => self.words.len(),
            _ => self.ranks.len(),
        };
        self.groups.push(Source {
            degrees: head.degrees,
            ends: numbering.ends(head.degrees),
            first: self.weights.len(),
            first_key,
            states: head.states as usize,
        });
        match head.form {
            Form::Bits => {
                for (eight, bytes) in (0..).zip(keys.chunks(8)) {
                    let mut bits = word(bytes);
                    while bits != 0 {
                        self.ranks.push(64 * eight + bits.trailing_zeros());
                        bits &= bits - 1;
                    }
                }
            }
            Form::Ranks => {
                let ranks = keys.chunks_exact(4);
                self.ranks.extend(ranks.map(|four| word(four) as u32));
            }
            Form::Words => {
                let words = keys.chunks_exact(16);
                let read =
                    |bytes: &[u8]| Word::from(word(bytes)) | Word::from(word(&bytes[8..])) << 64;
                self.words.extend(words.map(read));
            }
        }
        read_weights(weights, head.width, &mut self.weights);
    }

    /// Returns the matchings and the weights of a group's states.
    fn states(
        &self,
        source: &Source,
        numbering: &Numbering,
    ) -> impl Iterator<Item = (Word, Polynomial<W, N>)> {
        let is_ranked = source.ends.count_ones() as usize <= MOST_ENDS;
        let weights = &self.weights[source.first..][..source.states];
        weights.iter().enumerate().map(move |(state, &weight)| {
            let matching = match is_ranked {
                true => numbering.word(source.ends, self.ranks[source.first_key + state]),
                false => self.words[source.first_key + state],
            };
            (matching, weight)
        })
    }
}

/// Group of a layer, whose states have not been read.
pub(super) struct Group<'a> {
    head: Head,
    bytes: &'a [u8],
    numbering: &'a Numbering,
}

impl Group<'_> {
    pub(super) fn degrees(&self) -> Degrees {
        self.head.degrees
    }

    /// Returns the matchings and the weights of the states. The weights must have two numbers.
    pub(super) fn states(&self) -> Vec<(Word, [BigUint; 2])> {
        let mut read = Sources::<32, 2>::default();
        read.read(self.head, self.bytes, self.numbering);
        let states = read.groups.iter();
        let states = states.flat_map(|source| read.states(source, self.numbering));
        let numbers = |weight: Polynomial<32, 2>| weight.0.map(BigUint::from);
        states
            .map(|(matching, weight)| (matching, numbers(weight)))
            .collect()
    }
}

/// Position in a sweep: the states that have not passed step t yet, and the states that have passed it. A sweep only
/// pauses between shards, so a position can be stored at every pause.
#[derive(Clone)]
pub(super) struct Position {
    t: usize,
    /// Layer after t vertices, without the shards that have passed step t.
    before: Layer,
    /// Part of the layer after t + 1 vertices.
    after: Layer,
}

impl Position {
    /// Returns the position before step t, at which no state of `layer` has passed this step.
    fn before(t: usize, layer: Layer) -> Self {
        Self {
            t,
            before: layer,
            after: Layer::empty(),
        }
    }

    /// Returns the position before the first vertex of a sweep.
    pub(super) fn first(sweep: &Sweep, budget: &Usage) -> Self {
        let numbers = if sweep.is_weighted() { 2 } else { 1 };
        Self::before(0, Layer::first(numbers, budget))
    }

    /// Returns the number of vertices that all states have passed.
    pub(super) fn t(&self) -> usize {
        self.t
    }

    /// Returns the number of states of the layer after t vertices.
    pub(super) fn states(&self) -> usize {
        self.before.states
    }

    /// Returns the number of bytes that the groups take in memory.
    pub(super) fn in_memory(&self) -> u64 {
        self.before.in_memory() + self.after.in_memory()
    }

    /// Returns the sum of all weights. At the end of a sweep, its constant is the number of Hamiltonian cycles with an even
    /// number of odd connections. The coefficient of x, with an odd number of them, is 0 in unweighted graphs.
    pub(super) fn sum(&self) -> io::Result<[BigUint; 2]> {
        self.before.sum()
    }

    /// Calls `visit` with each group of the layer after t vertices of `sweep`.
    pub(super) fn for_each_group(
        &self,
        sweep: &Sweep,
        visit: &mut dyn FnMut(Group<'_>),
    ) -> io::Result<()> {
        let numbering = Numbering::new(sweep, self.t);
        for block in self.before.blocks() {
            for (head, bytes) in groups(&block.bytes()?) {
                visit(Group {
                    head,
                    bytes,
                    numbering: &numbering,
                });
            }
        }
        Ok(())
    }

    /// Returns the position in another sweep, `sweep`, which has the same first t steps. Copies the states that
    /// `completable` contains, and adds the bytes of the copy to `budget`.
    pub(super) fn branch(
        &self,
        sweep: &Sweep,
        completable: &Completable,
        budget: &Usage,
    ) -> io::Result<Self> {
        let t = self.t;
        let copied = self.before.copied(sweep, completable, t, budget)?;
        Ok(Self::before(t, copied))
    }

    /// Applies step t to the states that have not passed it yet. Returns true if all states have passed the step, and
    /// false if the function `is_due` returned true first. The position is also valid after an error, except
    /// [`LayerError::Unread`].
    pub(super) fn advance(
        &mut self,
        sweep: &Sweep,
        completable: &Completable,
        tables: &Tables,
        budget: &Usage,
        is_due: &(dyn Fn() -> bool + Sync),
    ) -> Result<bool, LayerError> {
        let words = |growth: u32| (self.before.bits + growth).div_ceil(64);
        let advance = if sweep.is_weighted() {
            match words(GROWTH + Connections::GROWTH) {
                0 | 1 => Self::advance_by::<1, 2>,
                2 => Self::advance_by::<2, 2>,
                3..=8 => Self::advance_by::<8, 2>,
                9..=31 => Self::advance_by::<32, 2>,
                _ => return Err(LayerError::Overflow),
            }
        } else {
            match words(GROWTH) {
                0 | 1 => Self::advance_by::<1, 1>,
                2 => Self::advance_by::<2, 1>,
                3 | 4 => Self::advance_by::<4, 1>,
                5..=8 => Self::advance_by::<8, 1>,
                9..=16 => Self::advance_by::<16, 1>,
                17..=31 => Self::advance_by::<32, 1>,
                _ => return Err(LayerError::Overflow),
            }
        };
        advance(self, sweep, completable, tables, budget, is_due)?;
        let is_done = self.before.shards.iter().all(Shard::is_empty);
        if is_done {
            let after = std::mem::replace(&mut self.after, Layer::empty());
            *self = Self::before(self.t + 1, after);
        }
        Ok(is_done)
    }

    /// Applies step t like [`advance`](Self::advance), with weights of N numbers of W machine words.
    fn advance_by<const W: usize, const N: usize>(
        &mut self,
        sweep: &Sweep,
        completable: &Completable,
        tables: &Tables,
        budget: &Usage,
        is_due: &(dyn Fn() -> bool + Sync),
    ) -> Result<(), LayerError> {
        let Self { t, before, after } = self;
        let step = Step {
            sweep,
            completable,
            t: *t,
            tables,
            budget,
            before: Numbering::new(sweep, *t),
            after: Numbering::new(sweep, *t + 1),
        };
        let mut checked = Ok(());
        let shards = before.shards.iter_mut().filter(|shard| !shard.is_empty());
        let mut shards: Vec<_> = shards.collect();
        // A long shard at the end would keep one thread busy after the others have finished.
        shards.sort_by_cached_key(|shard| Reverse(shard.len()));
        let mut shards = shards.into_iter();
        let next = || {
            checked = budget.check();
            let goes_on = checked.is_ok() && !is_due();
            goes_on.then(|| shards.next().map(std::mem::take)).flatten()
        };
        let outs = in_parallel(
            std::iter::from_fn(next),
            before.states,
            budget,
            || Worker::<W, N>::new(&step),
            |worker, shard| worker.shard(shard).map_err(|error| budget.unread(error)),
            |worker| worker.out,
        )?;
        for out in outs {
            after.states += out.states;
            after.bits = after.bits.max(out.bits);
            for (shard, mut other) in after.shards.iter_mut().zip(out.shards) {
                // Nothing is added to these blocks any more.
                let long = |block: &&mut Block| block.len() >= SHORTEST_STORED;
                let blocks = other.blocks.iter_mut().filter(long);
                blocks.for_each(|block| budget.relieve(block));
                shard.blocks.append(&mut other.blocks);
            }
        }
        checked
    }

    /// Writes the position to a file.
    pub(super) fn write(&self, to: &mut dyn Write) -> io::Result<()> {
        to.write_all(&(self.t as u64).to_le_bytes())?;
        self.before.write(to)?;
        self.after.write(to)
    }

    /// Reads a position from a file that [`write`](Self::write) wrote.
    pub(super) fn read(
        from: &mut dyn Read,
        scratch: Option<&Scratch>,
        left: &mut u64,
    ) -> io::Result<Self> {
        Ok(Self {
            t: number(from)? as usize,
            before: Layer::read(from, scratch, left)?,
            after: Layer::read(from, scratch, left)?,
        })
    }
}

/// Reads a number of eight bytes, the lowest byte first.
fn number(from: &mut dyn Read) -> io::Result<u64> {
    let mut bytes = [0; 8];
    from.read_exact(&mut bytes)?;
    Ok(u64::from_le_bytes(bytes))
}

/// Step of a sweep, with the data that all threads share.
struct Step<'a> {
    sweep: &'a Sweep,
    completable: &'a Completable,
    t: usize,
    tables: &'a Tables,
    budget: &'a Usage,
    before: Numbering,
    after: Numbering,
}

/// Worker thread that processes shards in one step.
struct Worker<'a, const W: usize, const N: usize> {
    step: &'a Step<'a>,
    /// Groups of the shard.
    sources: Sources<W, N>,
    ways: Vec<Way>,
    /// States of the target group with their weights, if they are collected by rank.
    dense: Dense<W, N>,
    /// Buffer for the mirror image of `dense`, kept to reuse its memory.
    mirrored: Dense<W, N>,
    /// Weights of the target group's states, in the order of their ranks.
    chosen: Vec<Polynomial<W, N>>,
    /// States of the target group with their weights, if they are collected in a list.
    list: Vec<(Word, Polynomial<W, N>)>,
    out: Layer,
}

impl<'a, const W: usize, const N: usize> Worker<'a, W, N> {
    fn new(step: &'a Step<'a>) -> Self {
        Self {
            step,
            sources: Sources::default(),
            ways: Vec::new(),
            dense: Dense::default(),
            mirrored: Dense::default(),
            chosen: Vec::new(),
            list: Vec::new(),
            out: Layer::empty(),
        }
    }

    /// Generates all successors of a shard's states.
    fn shard(&mut self, shard: Shard) -> io::Result<()> {
        self.read(&shard)?;
        let bytes = shard.in_memory();
        drop(shard);
        self.step.budget.remove(bytes);
        let Step {
            sweep,
            completable,
            t,
            ..
        } = *self.step;
        let step = sweep.step(t);
        let mut ways = std::mem::take(&mut self.ways);
        ways.clear();
        for (number, source) in (0..).zip(&self.sources.groups) {
            let degrees = source.degrees;
            choices(
                sweep,
                completable,
                t,
                degrees,
                |Choice { target, by, edges }| {
                    ways.push(Way {
                        target,
                        source: number,
                        by,
                        factor: step.weight(edges),
                    });
                },
            );
        }
        ways.sort_unstable_by_key(|way| way.target);
        for ways in ways.chunk_by(|a, b| a.target == b.target) {
            self.reach(ways);
        }
        self.ways = ways;
        Ok(())
    }

    /// Reads the groups of a shard, with their states and weights, into the buffers of this worker.
    fn read(&mut self, shard: &Shard) -> io::Result<()> {
        self.sources.clear();
        for block in &shard.blocks {
            for (head, group) in groups(&block.bytes()?) {
                self.sources.read(head, group, &self.step.before);
            }
        }
        Ok(())
    }

    /// Builds the group that is the common target of the transitions `ways`.
    fn reach(&mut self, ways: &[Way]) {
        let target = ways[0].target;
        let closes = !target.has_paths();
        let ends = self.step.after.ends(target);
        let count = ends.count_ones() as usize;
        let states_of = |way: &Way| self.sources.groups[way.source as usize].states;
        let children: usize = ways.iter().map(states_of).sum();
        self.step.budget.generated(children as u64);
        let is_ranked = count <= MOST_ENDS;
        let possible = if is_ranked { matchings(count) } else { 0 };
        if is_ranked && possible <= SPARSE * children {
            let mut dense = std::mem::take(&mut self.dense);
            dense.begin(possible);
            for way in ways {
                self.each(way, ends, closes, |rank, weight| dense.add(rank, weight));
            }
            self.emit_dense(target, ends, &mut dense);
            self.dense = dense;
            return;
        }
        let mut list = std::mem::take(&mut self.list);
        list.clear();
        for way in ways {
            if is_ranked {
                self.each(way, ends, closes, |rank, weight| {
                    list.push((rank.into(), weight));
                });
            } else {
                self.each_word(way, closes, |word, weight| list.push((word, weight)));
            }
        }
        self.emit_list(target, ends, &mut list);
        self.list = list;
    }

    /// Calls `visit` with the rank and the weight of every successor by the transition `way`. The target group must
    /// have few enough ends for ranks; `ends` is the mask of their places.
    #[inline]
    fn each(
        &self,
        way: &Way,
        ends: u32,
        closes: bool,
        mut visit: impl FnMut(u32, Polynomial<W, N>),
    ) {
        let source = &self.sources.groups[way.source as usize];
        let count = source.ends.count_ones() as usize;
        if count > MOST_ENDS {
            return self.each_word(way, closes, |word, weight| {
                visit(self.step.after.rank(ends, word), weight);
            });
        }
        let ranks = &self.sources.ranks[source.first_key..][..source.states];
        let weights = &self.sources.weights[source.first..][..source.states];
        let states = ranks.iter().zip(weights);
        let mut visit = |rank, weight: Polynomial<W, N>| visit(rank, weight.times(way.factor));
        match self.change(way.by, source.ends, ends) {
            Change::None => states.for_each(|(&rank, &weight)| visit(rank, weight)),
            change @ Change::Join(..) => {
                let table: &[u32] = self.step.tables.of(change, count);
                for (&rank, &weight) in states {
                    let after = table[rank as usize];
                    if after != CLOSED {
                        visit(after, weight);
                    }
                }
            }
            change => {
                let table: &[u32] = self.step.tables.of(change, count);
                states.for_each(|(&rank, &weight)| visit(table[rank as usize], weight));
            }
        }
    }

    /// Calls `visit` with the matching and the weight of every successor by the transition `way`.
    fn each_word(&self, way: &Way, closes: bool, mut visit: impl FnMut(Word, Polynomial<W, N>)) {
        let source = &self.sources.groups[way.source as usize];
        for (matching, weight) in self.sources.states(source, &self.step.before) {
            if let Some(after) = way.by.apply(matching, closes) {
                visit(after, weight.times(way.factor));
            }
        }
    }

    /// Converts a move of slots to a move of end numbers. The masks `before` and `after` contain the places of the ends
    /// before and after the move.
    fn change(&self, by: Move, before: u32, after: u32) -> Change {
        let old = |slot| self.step.before.number(before, slot);
        let new = |slot| self.step.after.number(after, slot);
        let in_order = |a: u32, b: u32| (a.min(b), a.max(b));
        match by {
            Move::Keep => Change::None,
            Move::Link(a, b) => {
                let (a, b) = in_order(new(a), new(b));
                Change::Link(a, b)
            }
            Move::Extend(from, to) => match (old(from), new(to)) {
                (from, to) if from == to => Change::None,
                (from, to) => Change::Extend(from, to),
            },
            Move::Join(a, b) => {
                let (a, b) = in_order(old(a), old(b));
                Change::Join(a, b)
            }
        }
    }

    /// Stores a target group with the states in `dense`, and empties `dense`. If the mirror image of the group has the
    /// lesser degree vector, stores the mirror image instead.
    fn emit_dense(&mut self, mut degrees: Degrees, ends: u32, dense: &mut Dense<W, N>) {
        if let Some((image, table)) = self.mirror(degrees, ends) {
            let mut mirrored = std::mem::take(&mut self.mirrored);
            mirrored.begin(dense.possible);
            let is_own_image = image == degrees;
            dense.drain(|rank, weight| {
                let to = table[rank as usize];
                mirrored.add(if is_own_image { to.min(rank) } else { to }, weight);
            });
            std::mem::swap(dense, &mut mirrored);
            self.mirrored = mirrored;
            degrees = image;
        }
        let mut chosen = std::mem::take(&mut self.chosen);
        chosen.clear();
        let possible = dense.possible;
        let is_sparse = 32 * dense.states() <= possible;
        let mut all = Wide::ZERO;
        let mut ranks = Vec::new();
        let marks = std::mem::take(&mut dense.marks);
        for rank in set_bits(&marks) {
            let weight = std::mem::replace(&mut dense.weights[rank as usize], Polynomial::ZERO);
            all.insert(weight.all_bits());
            chosen.push(weight);
            if is_sparse {
                ranks.push(rank);
            }
        }
        let head = Head {
            degrees,
            states: chosen.len() as u32,
            form: if is_sparse { Form::Ranks } else { Form::Bits },
            numbers: N,
            width: all.bytes(),
        };
        self.put(head, all.bits(), |room| {
            if is_sparse {
                room.extend(ranks.iter().flat_map(|rank| rank.to_le_bytes()));
            } else {
                let end = room.len() + head.key_bytes();
                for eight in &marks {
                    room.extend_from_slice(&eight.to_le_bytes());
                }
                room.truncate(end);
            }
            write_weights(chosen.iter().copied(), head.width, room);
        });
        dense.marks = marks;
        self.chosen = chosen;
    }

    /// Stores a target group with the states in `list`. The key of a state is its rank if the group has at most
    /// [`MOST_ENDS`] path ends, otherwise its matching. If the mirror image of the group has the lesser degree vector,
    /// stores the mirror image instead.
    fn emit_list(
        &mut self,
        mut degrees: Degrees,
        ends: u32,
        list: &mut Vec<(Word, Polynomial<W, N>)>,
    ) {
        let is_ranked = ends.count_ones() as usize <= MOST_ENDS;
        let names = self.step.sweep.mirror_names(self.step.t + 1);
        if let Some((image, table)) = self.mirror(degrees, ends).filter(|_| is_ranked) {
            for (rank, _) in list.iter_mut() {
                let to: Word = table[*rank as usize].into();
                *rank = match image.cmp(&degrees) {
                    std::cmp::Ordering::Less => to,
                    std::cmp::Ordering::Equal => to.min(*rank),
                    std::cmp::Ordering::Greater => *rank,
                };
            }
            degrees = degrees.min(image);
        } else if let Some(names) = names.filter(|_| !is_ranked) {
            let image = degrees.renamed(names);
            for (word, _) in list.iter_mut().filter(|_| image <= degrees) {
                let to = word.renamed(degrees.ends(), names);
                *word = if image < degrees { to } else { to.min(*word) };
            }
            degrees = degrees.min(image);
        }
        list.sort_unstable_by_key(|&(key, _)| key);
        list.dedup_by(|(key, weight), (kept, sum)| {
            let is_same = key == kept;
            if is_same {
                sum.add_bounded(*weight);
            }
            is_same
        });
        let mut all = Wide::ZERO;
        list.iter()
            .for_each(|(_, weight)| all.insert(weight.all_bits()));
        let head = Head {
            degrees,
            states: list.len() as u32,
            form: if is_ranked { Form::Ranks } else { Form::Words },
            numbers: N,
            width: all.bytes(),
        };
        self.put(head, all.bits(), |room| {
            for (key, _) in list.iter() {
                let bytes = key.to_le_bytes();
                room.extend_from_slice(if is_ranked { &bytes[..4] } else { &bytes });
            }
            write_weights(list.iter().map(|&(_, weight)| weight), head.width, room);
        });
    }

    /// Returns the mirror image of a degree vector, and the table of the mirror images of its matchings, by rank.
    /// Returns `None` if the layer is not symmetric, if the image is the greater of the two vectors, or if there are
    /// too many ends for ranks.
    fn mirror(&self, degrees: Degrees, ends: u32) -> Option<(Degrees, Ranks)> {
        let names = self.step.sweep.mirror_names(self.step.t + 1)?;
        let count = ends.count_ones() as usize;
        if count > MOST_ENDS {
            return None;
        }
        let image = degrees.renamed(names);
        if image > degrees {
            return None;
        }
        let (of, to) = (&self.step.after, self.step.after.ends(image));
        let mut renumbered: Mates = [0; MOST_ENDS + 2];
        for (number, slot) in renumbered.iter_mut().zip(of.slots(ends)) {
            *number = of.number(to, names[slot as usize]) as u8;
        }
        Some((image, self.step.tables.renumbering(&renumbered, count)))
    }

    /// Stores a group with the header `head`. The function `write` appends its states and weights to a buffer. `bits`
    /// is the number of bits of the largest weight.
    fn put(&mut self, head: Head, bits: u32, write: impl FnOnce(&mut Vec<u8>)) {
        if head.states == 0 {
            return;
        }
        let Step {
            sweep, t, budget, ..
        } = *self.step;
        let shard = &mut self.out.shards[shard_of(sweep, t + 1, head.degrees)];
        // The bits of the states are written in words of eight bytes.
        shard.put(head.bytes() + 8, budget, |room| {
            head.write(room);
            write(room);
        });
        self.out.states += head.states as usize;
        self.out.bits = self.out.bits.max(bits);
    }
}

/// States of a group with their weights, indexed by rank.
#[derive(Default)]
struct Dense<const W: usize, const N: usize> {
    /// Number of possible states.
    possible: usize,
    /// One bit per possible state, set if the state occurs.
    marks: Vec<u64>,
    /// Weights; 0 if a state does not occur.
    weights: Vec<Polynomial<W, N>>,
}

impl<const W: usize, const N: usize> Dense<W, N> {
    /// Makes room for a group with this number of possible states. All weights must be 0.
    fn begin(&mut self, possible: usize) {
        self.possible = possible;
        self.marks.clear();
        self.marks.resize(possible.div_ceil(64), 0);
        if self.weights.len() < possible {
            self.weights.resize(possible, Polynomial::ZERO);
        }
    }

    /// Adds `weight` to the weight of a state.
    #[inline]
    fn add(&mut self, rank: u32, weight: Polynomial<W, N>) {
        self.marks[rank as usize / 64] |= 1 << (rank % 64);
        self.weights[rank as usize].add_bounded(weight);
    }

    /// Returns the number of states.
    fn states(&self) -> usize {
        let marks = self.marks.iter();
        marks.map(|word| word.count_ones() as usize).sum()
    }

    /// Calls `visit` with the rank and the weight of each state, and removes the states.
    fn drain(&mut self, mut visit: impl FnMut(u32, Polynomial<W, N>)) {
        for rank in set_bits(&self.marks) {
            let weight = &mut self.weights[rank as usize];
            visit(rank, std::mem::replace(weight, Polynomial::ZERO));
        }
        self.marks.fill(0);
    }
}

/// Returns the positions of the bits that are set, in increasing order.
#[inline]
fn set_bits(words: &[u64]) -> impl Iterator<Item = u32> + '_ {
    (0u32..).zip(words).flat_map(|(k, &word)| {
        let mut bits = word;
        std::iter::from_fn(move || {
            let bit = (bits != 0).then(|| bits.trailing_zeros())?;
            bits &= bits - 1;
            Some(64 * k + bit)
        })
    })
}

/// Writes weights whose numbers have `width` bytes each.
fn write_weights<const W: usize, const N: usize>(
    weights: impl Iterator<Item = Polynomial<W, N>>,
    width: usize,
    to: &mut Vec<u8>,
) {
    let numbers = weights.flat_map(|weight| weight.0);
    // Each of these loops has a constant width, which avoids a function call for each number.
    match width {
        1 => numbers.for_each(|number| to.extend_from_slice(&number.low::<1>())),
        2 => numbers.for_each(|number| to.extend_from_slice(&number.low::<2>())),
        3 => numbers.for_each(|number| to.extend_from_slice(&number.low::<3>())),
        4 => numbers.for_each(|number| to.extend_from_slice(&number.low::<4>())),
        5 => numbers.for_each(|number| to.extend_from_slice(&number.low::<5>())),
        6 => numbers.for_each(|number| to.extend_from_slice(&number.low::<6>())),
        7 => numbers.for_each(|number| to.extend_from_slice(&number.low::<7>())),
        8 => numbers.for_each(|number| to.extend_from_slice(&number.low::<8>())),
        _ => numbers.for_each(|number| number.write(width, to)),
    }
}

/// Reads weights whose numbers have `width` bytes each, and appends them to `to`.
fn read_weights<const W: usize, const N: usize>(
    bytes: &[u8],
    width: usize,
    to: &mut Vec<Polynomial<W, N>>,
) {
    let at = |k: usize, j: usize| width * (N * k + j);
    let count = bytes.len() / (N * width);
    if width > 8 {
        let number = |k, j| Wide::read(&bytes[at(k, j)..][..width]);
        to.extend((0..count).map(|k| Polynomial(std::array::from_fn(|j| number(k, j)))));
        return;
    }
    let mask = u64::MAX >> (64 - 8 * width);
    // The weights at the end are not followed by enough bytes to read a whole word.
    let whole = count.saturating_sub(8);
    let number = |k, j| Wide::from(word(&bytes[at(k, j)..][..8]) & mask);
    to.extend((0..whole).map(|k| Polynomial(std::array::from_fn(|j| number(k, j)))));
    let number = |k, j| Wide::from(word(&bytes[at(k, j)..][..width]));
    to.extend((whole..count).map(|k| Polynomial(std::array::from_fn(|j| number(k, j)))));
}
