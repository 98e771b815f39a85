//! Position in a sweep of an exact count, and the step to the next layer. A layer holds the states after the first t
//! vertices, [packed into bytes](super::stored).
//!
//! A state is a degree vector and a matching of the ends of paths; its weight is the number of edge sets that lead to
//! the state. States with the same degree vector form a *group*. A group with k ends of paths has (k − 1)!! possible
//! states, one for each matching of the ends, which its [rank](super::ranks) identifies. So a state takes about three
//! bytes instead of the sixteen of a machine word and a number. Matchings of more than [`MOST_ENDS`] ends have no ranks;
//! their groups are lists of [matchings](super::matching).
//!
//! Groups make the step cheap: the possible edges of the next vertex, and the choices that can be completed to a tour,
//! are determined once per group. A table then gives the successor of each state. The successors of a group are
//! collected in an array with an entry and a mark per possible state, or in a list that is sorted afterwards.
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
use super::matching::{Matching, WideMatching};
use super::moves::{Choice, Move, choices};
use super::numbering::Numbering;
use super::polynomial::{Connections, Polynomial, Wide};
use super::ranks::{CLOSED, Change, MOST_ENDS, Mates, Ranks, Tables, matchings};
use super::scratch::{Block, Scratch};
use super::shards::{in_parallel, shard_of};
use super::stored::{
    Form, Head, Layer, SHORTEST_STORED, Shard, groups, number, read_weights, word, write_weights,
};
use super::sweep::Sweep;
use super::usage::{LayerError, Usage};

/// Upper bound on the number of bits by which the largest weight grows in a step. There are up to 2^9 choices of two of
/// 25 neighbours. A state has one predecessor per choice, or up to 2^5 per choice if the edges join two paths. Mirror
/// images double the weight twice.
const GROWTH: u32 = 16;
/// Maximum number of bits of a weight.
pub(super) const MOST_BITS: usize = 31 * 64 - (GROWTH + Connections::GROWTH) as usize;
/// Threshold for storing the successors of a step in a list. A list is used if a group has more than this number of
/// possible states per generated successor; otherwise an array with an entry per possible state.
const SPARSE: usize = 128;

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
    words: Vec<WideMatching>,
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
                let read = |bytes: &[u8]| {
                    WideMatching::from(word(bytes)) | WideMatching::from(word(&bytes[8..])) << 64
                };
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
    ) -> impl Iterator<Item = (WideMatching, Polynomial<W, N>)> {
        let is_ranked = source.ends.count_ones() as usize <= MOST_ENDS;
        let weights = &self.weights[source.first..][..source.states];
        weights.iter().enumerate().map(move |(state, &weight)| {
            let matching = match is_ranked {
                true => numbering.matching(source.ends, self.ranks[source.first_key + state]),
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
    pub(super) fn states(&self) -> Vec<(WideMatching, [BigUint; 2])> {
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
    pub(super) fn first(sweep: &Sweep, usage: &Usage) -> Self {
        let numbers = if sweep.is_weighted() { 2 } else { 1 };
        Self::before(0, Layer::first(numbers, usage))
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

    /// Returns the sum of all weights. At the end of a sweep, its constant is the number of Hamiltonian cycles with an
    /// even number of odd connections. The coefficient of x, with an odd number of them, is 0 in unweighted graphs.
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
    /// `completable` contains, and adds the bytes of the copy to `usage`.
    pub(super) fn branch(
        &self,
        sweep: &Sweep,
        completable: &Completable,
        usage: &Usage,
    ) -> io::Result<Self> {
        let t = self.t;
        let copied = self.before.copied(sweep, completable, t, usage)?;
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
        usage: &Usage,
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
        advance(self, sweep, completable, tables, usage, is_due)?;
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
        usage: &Usage,
        is_due: &(dyn Fn() -> bool + Sync),
    ) -> Result<(), LayerError> {
        let Self { t, before, after } = self;
        let step = Step {
            sweep,
            completable,
            t: *t,
            tables,
            usage,
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
            checked = usage.check();
            let goes_on = checked.is_ok() && !is_due();
            goes_on.then(|| shards.next().map(std::mem::take)).flatten()
        };
        let outs = in_parallel(
            std::iter::from_fn(next),
            before.states,
            usage,
            || Worker::<W, N>::new(&step),
            |worker, shard| worker.shard(shard).map_err(|error| usage.unread(error)),
            |worker| worker.out,
        )?;
        for out in outs {
            after.states += out.states;
            after.bits = after.bits.max(out.bits);
            for (shard, mut other) in after.shards.iter_mut().zip(out.shards) {
                // Nothing is added to these blocks any more.
                let long = |block: &&mut Block| block.len() >= SHORTEST_STORED;
                let blocks = other.blocks.iter_mut().filter(long);
                blocks.for_each(|block| usage.relieve(block));
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

/// Step of a sweep, with the data that all threads share.
struct Step<'a> {
    sweep: &'a Sweep,
    completable: &'a Completable,
    t: usize,
    tables: &'a Tables,
    usage: &'a Usage,
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
    list: Vec<(WideMatching, Polynomial<W, N>)>,
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
        self.step.usage.remove(bytes);
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
        self.step.usage.generated(children as u64);
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
    fn each_word(
        &self,
        way: &Way,
        closes: bool,
        mut visit: impl FnMut(WideMatching, Polynomial<W, N>),
    ) {
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
        list: &mut Vec<(WideMatching, Polynomial<W, N>)>,
    ) {
        let is_ranked = ends.count_ones() as usize <= MOST_ENDS;
        let names = self.step.sweep.mirror_names(self.step.t + 1);
        if let Some((image, table)) = self.mirror(degrees, ends).filter(|_| is_ranked) {
            for (rank, _) in list.iter_mut() {
                let to: WideMatching = table[*rank as usize].into();
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
            sweep, t, usage, ..
        } = *self.step;
        let shard = &mut self.out.shards[shard_of(sweep, t + 1, head.degrees)];
        // The bits of the states are written in words of eight bytes.
        shard.put(head.bytes() + 8, usage, |room| {
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
