//! Step of a sweep in an exact count.
//!
//! A state is a degree vector and a matching of the ends of paths; its weight is the number of edge sets that lead to
//! the state. States with the same degree vector form a *group*. A group with k ends of paths has (k − 1)!! possible
//! states, one for each matching of the ends, which its [rank](crate::frontier::state::ranks) identifies. So a
//! state takes one to three bytes for up to 14 ends, and up to eight for more, instead of the sixteen of a matching.
//!
//! Groups make the step cheap: the possible edges of the next vertex, and the choices that can be completed to a tour,
//! are determined once per group. A table then gives the successor of each state, if there are few ends. The successors
//! of a group are collected in an array with an entry and a mark per possible state ([`Dense`]), or in a list that is
//! sorted afterwards ([`List`]).
//!
//! A weight consists of *coefficients*, which are polynomials of N numbers ([`Polynomials`]):
//!
//! - In most counts, one coefficient of one number.
//! - In a graph whose edges stand for several [`Connections`], one coefficient of two numbers. Every transition
//!   multiplies it by a factor, which belongs to the transition between groups.
//! - In a count by the value of a statistic, the coefficient of x^s is the number of edge sets with the value s. If the
//!   statistic depends on angles, a group also holds the [arrivals](crate::frontier::state::arrivals), the classes of
//!   the first edges of the frontier vertices with one edge. Then all states of a group have the same possible
//!   contributions to the statistic, and a transition multiplies all weights of a group by the same power of x. The edge
//!   sets that lead to a state differ little in their values, and there are few of them for each value. So a group
//!   stores its weights from the lowest to the highest value that occurs in the group.

use std::io;
use std::num::NonZero;
use std::sync::Mutex;

use hamcnf_graph::masks::bits;
use num_bigint::BigUint;

use crate::frontier::state::ranks::TABLED;
use crate::frontier::state::{
    Arrivals, Connections, Degrees, Numbering, Polynomials, WideMatching, big, bytes, matchings, rank_bytes,
};
use crate::frontier::step::moves::Move;
use crate::frontier::step::transition::{Members, Transition};
use crate::frontier::step::{Choice, choices};
use crate::frontier::store::stored::groups;
use crate::frontier::store::{Form, Head, Layer, LayerError, OfStatistic, Shard, read_weights, write_ranks};
use crate::frontier::sweep::Step;
use crate::threads;

/// Threshold for storing the successors of a step in a list. A list is used if a group has more than this number of
/// possible states per generated successor; otherwise an array with an entry per possible state.
const SPARSE: u64 = 128;

/// Minimum number of states of a layer for which several threads are used.
const WORTH_A_THREAD: usize = 1 << 14;

/// Class of a group among those with the same degrees: its arrivals in a count by the value of a statistic. Other groups
/// have one class, which takes no memory.
pub(crate) trait Class: Copy + Ord + Send {
    /// True if weights have a coefficient for each value of a statistic.
    const HAS_STATISTIC: bool;

    fn from_head(head: Head) -> Self;

    /// Returns the contribution of a choice to the statistic, and the class afterwards.
    fn after_choice(self, step: &Step, degrees: Degrees, edges: [Option<usize>; 2]) -> (u32, Self);

    /// Returns the rest of the header of a group whose first coefficient belongs to the value `low`.
    fn statistic(self, low: usize) -> Option<OfStatistic>;
}

impl Class for () {
    const HAS_STATISTIC: bool = false;

    fn from_head(_: Head) {}

    fn after_choice(self, _: &Step, _: Degrees, _: [Option<usize>; 2]) -> (u32, Self) {
        (0, ())
    }

    fn statistic(self, _: usize) -> Option<OfStatistic> {
        None
    }
}

impl Class for Arrivals {
    const HAS_STATISTIC: bool = true;

    fn from_head(head: Head) -> Self {
        head.arrivals()
    }

    fn after_choice(self, step: &Step, degrees: Degrees, edges: [Option<usize>; 2]) -> (u32, Self) {
        step.corners.after(degrees, self, edges)
    }

    fn statistic(self, low: usize) -> Option<OfStatistic> {
        Some(OfStatistic { low, arrivals: self })
    }
}

/// Transition from a source group to a target group by a move.
#[derive(Clone, Copy)]
struct Way<A> {
    target: Degrees,
    class: A,
    source: u32,
    by: Move,
    /// Weight of the edges that the move adds.
    factor: Connections,
    /// Contribution to the statistic.
    adds: u32,
}

impl<A: Class> Way<A> {
    fn goal(&self) -> (Degrees, A) {
        (self.target, self.class)
    }
}

/// Collects the transitions from groups in `ways`, sorted by their targets.
fn from<A: Class>(groups: &[Source<A>], by: &Transition<'_>, ways: &mut Vec<Way<A>>) {
    let Transition { sweep, completable, t, .. } = *by;
    let step = sweep.step(t);
    ways.clear();
    let mut of: Vec<Choice> = Vec::new();
    let mut last = None;
    for (number, source) in (0..).zip(groups) {
        let degrees = source.degrees;
        // Groups with the same degrees often follow each other.
        if last.replace(degrees) != Some(degrees) {
            of.clear();
            choices(sweep, completable, t, degrees, |choice| of.push(choice));
        }
        ways.extend(of.iter().map(|&Choice { target, by, edges }| {
            let (adds, class) = source.class.after_choice(step, degrees, edges);
            Way { target, class, source: number, by, factor: step.weight(edges), adds }
        }));
    }
    ways.sort_unstable_by_key(Way::goal);
}

/// Source group of transitions, after its states have been read.
struct Source<A> {
    degrees: Degrees,
    class: A,
    members: Members,
    /// Index of the first coefficient of the group's first state in `Sources::weights`.
    first: usize,
    /// Value of the statistic to which the first coefficient of each state belongs.
    low: usize,
    /// Number of coefficients of each state.
    coefficients: usize,
}

/// Groups that have been read, with their states and weights.
struct Sources<A, const W: usize, const N: usize> {
    groups: Vec<Source<A>>,
    ranks: Vec<u64>,
    weights: Polynomials<W, N>,
}

impl<A: Class, const W: usize, const N: usize> Sources<A, W, N> {
    fn new(words: usize) -> Self {
        Self { groups: Vec::new(), ranks: Vec::new(), weights: Polynomials::new(words) }
    }

    fn clear(&mut self) {
        self.groups.clear();
        self.ranks.clear();
        self.weights.clear();
    }

    /// Reads a group.
    fn read(&mut self, head: Head, group: &[u8], numbering: &Numbering) {
        let (members, weights) = Members::read(head, group, numbering, &mut self.ranks);
        self.groups.push(Source {
            degrees: head.degrees,
            class: A::from_head(head),
            members,
            first: self.weights.len(),
            low: head.statistic.map_or(0, |statistic| statistic.low),
            coefficients: head.numbers / N,
        });
        read_weights(weights, head.width, &mut self.weights);
    }

    /// Returns the coefficients of a group's states, those of each state in succession.
    fn weights(&self, source: &Source<A>) -> &[u64] {
        self.weights.at(source.first, source.members.states * source.coefficients)
    }

    /// Returns the number of bytes of the buffers.
    fn bytes(&self) -> usize {
        size_of::<Source<A>>() * self.groups.capacity()
            + size_of::<u64>() * self.ranks.capacity()
            + self.weights.bytes()
    }
}

/// Group of a layer, whose states have not been read.
pub(crate) struct Group<'a> {
    head: Head,
    bytes: &'a [u8],
    numbering: &'a Numbering,
}

impl<'a> Group<'a> {
    /// Returns a group of a layer whose ends are numbered by `numbering`. `bytes` are those of the stored group.
    pub(crate) fn new(head: Head, bytes: &'a [u8], numbering: &'a Numbering) -> Self {
        Self { head, bytes, numbering }
    }

    pub(crate) fn degrees(&self) -> Degrees {
        self.head.degrees
    }

    /// Returns the matchings and the weights of the states. The weights must have two numbers.
    pub(crate) fn states(&self) -> Vec<(WideMatching, [BigUint; 2])> {
        let mut read = Sources::<(), 0, 2>::new(self.head.width.div_ceil(8));
        read.read(self.head, self.bytes, self.numbering);
        let states = read.groups.iter().flat_map(|source| {
            let weights = read.weights(source).chunks_exact(read.weights.size());
            source.members.matchings(&read.ranks, self.numbering).zip(weights)
        });
        let numbers = |weight: &[u64]| <[&[u64]; 2]>::from(weight.split_at(weight.len() / 2)).map(big);
        states.map(|(matching, weight)| (matching, numbers(weight))).collect()
    }
}

/// Applies a step to shards, and returns a layer from each thread. `states` is the number of states. The coefficients of
/// weights have N numbers of this number of machine words.
pub(crate) fn layers<A: Class, const W: usize, const N: usize>(
    step: &Transition<'_>,
    words: usize,
    states: usize,
    shards: &mut (dyn Iterator<Item = Shard> + Send),
) -> Result<Vec<Layer>, LayerError> {
    let queue = Mutex::new(shards);
    let work = || -> Result<Layer, LayerError> {
        let mut worker = Worker::<A, W, N>::new(step, words);
        loop {
            let next = queue.lock().map_or(None, |mut queue| queue.next());
            let Some(shard) = next else {
                step.usage.remove(worker.counted);
                return Ok(worker.out);
            };
            worker.shard(shard).map_err(|error| step.usage.unread(error))?;
        }
    };
    if states < WORTH_A_THREAD {
        return Ok(vec![work()?]);
    }
    threads::each(vec![(); step.usage.threads], &|()| work()).into_iter().collect()
}

/// Worker thread that processes shards in one step.
struct Worker<'a, A, const W: usize, const N: usize> {
    step: &'a Transition<'a>,
    /// Groups of the shard.
    sources: Sources<A, W, N>,
    ways: Vec<Way<A>>,
    /// States of the target group with their weights, if they are collected by rank.
    dense: Dense<W, N>,
    /// Buffer for the mirror image of `dense`, kept to reuse its memory.
    mirrored: Dense<W, N>,
    /// Weights of the target group's states, in the order of their ranks.
    chosen: Polynomials<W, N>,
    /// States of the target group with their weights, if they are collected in a list.
    list: List<W, N>,
    /// Number of bytes of the buffers that have been added to the usage.
    counted: u64,
    out: Layer,
}

impl<'a, A: Class, const W: usize, const N: usize> Worker<'a, A, W, N> {
    fn new(step: &'a Transition<'a>, words: usize) -> Self {
        let none = Polynomials::new(words);
        let dense = Dense { weights: none.clone(), ..Dense::default() };
        Self {
            step,
            sources: Sources::new(words),
            ways: Vec::new(),
            mirrored: dense.clone(),
            dense,
            chosen: none.clone(),
            list: List { sums: none.clone(), all: none, ..List::default() },
            counted: 0,
            out: Layer::empty(),
        }
    }

    /// Generates all successors of a shard's states.
    fn shard(&mut self, shard: Shard) -> io::Result<()> {
        self.read(&shard)?;
        let bytes = shard.in_memory();
        drop(shard);
        self.step.usage.remove(bytes);
        self.count_buffers();
        let mut ways = std::mem::take(&mut self.ways);
        from(&self.sources.groups, self.step, &mut ways);
        for ways in ways.chunk_by(|a, b| a.goal() == b.goal()) {
            self.reach(ways);
        }
        self.ways = ways;
        self.count_buffers();
        Ok(())
    }

    /// Adds the bytes of the buffers for statistics to the usage, as far as they have not been added before. A coefficient
    /// takes more bytes in them than in a stored group. Without a statistic, most groups are built in arrays that fit into
    /// the processor's cache.
    fn count_buffers(&mut self) {
        if !A::HAS_STATISTIC {
            return;
        }
        let bytes = size_of::<Way<A>>() * self.ways.capacity() + self.sources.bytes() + self.list.bytes();
        self.step.usage.add(bytes as u64);
        self.step.usage.remove(self.counted);
        self.counted = bytes as u64;
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
    fn reach(&mut self, ways: &[Way<A>]) {
        let ends = self.step.after.ends(ways[0].target);
        let count = ends.count_ones() as usize;
        let sources = &self.sources;
        let children: usize = ways.iter().map(|way| sources.groups[way.source as usize].members.states).sum();
        self.step.usage.generated(children as u64);
        let possible = matchings(count);
        let is_tabled = count <= TABLED;
        if A::HAS_STATISTIC {
            self.reach_by_list(ways, ends, is_tabled.then_some(possible as usize));
        } else if is_tabled && possible <= SPARSE * children as u64 {
            self.reach_densely(ways, ends, possible as usize);
        } else {
            self.reach_by_list(ways, ends, None);
        }
    }

    /// Builds a group by an array with an entry per possible state. The weights have one coefficient.
    fn reach_densely(&mut self, ways: &[Way<A>], ends: u32, possible: usize) {
        let (sources, mut dense) = (&self.sources, std::mem::take(&mut self.dense));
        dense.begin(possible);
        for &Way { source, by, factor, .. } in ways {
            let source = &sources.groups[source as usize];
            let weights = sources.weights(source);
            self.step.each_rank(source.members, &sources.ranks, by, ends, |state, rank| {
                dense.add(rank as u32, weights, state, factor);
            });
        }
        self.emit_dense(ways[0].target, ends, &mut dense);
        self.dense = dense;
    }

    /// Builds a group by a list of states. Each state has one place in the list if there are `places`, one for each possible
    /// state.
    fn reach_by_list(&mut self, ways: &[Way<A>], ends: u32, places: Option<usize>) {
        let sources = &self.sources;
        let source_of = |way: &Way<A>| &sources.groups[way.source as usize];
        let low_of = |way: &Way<A>| source_of(way).low + way.adds as usize;
        let high_of = |way: &Way<A>| low_of(way) + source_of(way).coefficients;
        let low = ways.iter().map(low_of).min().unwrap_or(0);
        let high = ways.iter().map(high_of).max().unwrap_or(0);
        let mut list = std::mem::take(&mut self.list);
        list.begin(high - low);
        if let Some(places) = places.filter(|&places| places > list.places.len()) {
            list.places.resize(places, 0);
        }
        for way in ways {
            let source = source_of(way);
            let (weights, by) = (sources.weights(source), low_of(way) - low);
            let n = source.coefficients * sources.weights.size();
            let weight = |state: usize| &weights[state * n..][..n];
            let (of, ranks) = (source.members, &sources.ranks);
            match places {
                Some(_) => self.step.each_rank(of, ranks, way.by, ends, |state, rank| {
                    list.add(rank, weight(state), way.factor, by);
                }),
                None => self.step.each_rank(of, ranks, way.by, ends, |state, rank| {
                    list.push(rank, weight(state), way.factor, by);
                }),
            }
        }
        if places.is_some() {
            for &rank in &list.ranks {
                list.places[rank as usize] = 0;
            }
        }
        self.emit_list(&ways[0], low, &mut list);
        self.list = list;
    }

    /// Stores a target group with the states in `dense`, and empties `dense`. If the mirror image of the group has the
    /// lesser degree vector, stores the mirror image instead.
    fn emit_dense(&mut self, mut degrees: Degrees, ends: u32, dense: &mut Dense<W, N>) {
        if let Some((image, table)) = self.step.mirror(degrees, ends) {
            let mut mirrored = std::mem::take(&mut self.mirrored);
            mirrored.begin(dense.possible);
            let is_own_image = image == degrees;
            dense.drain(|rank, weight| {
                let to = table[rank as usize];
                mirrored.add(if is_own_image { to.min(rank) } else { to }, weight, 0, Connections::EVEN);
            });
            std::mem::swap(dense, &mut mirrored);
            self.mirrored = mirrored;
            degrees = image;
        }
        let mut chosen = std::mem::take(&mut self.chosen);
        chosen.clear();
        let possible = dense.possible;
        let count = ends.count_ones() as usize;
        let is_sparse = 8 * rank_bytes(count) * dense.states() <= possible;
        let mut ranks = Vec::new();
        let marks = std::mem::take(&mut dense.marks);
        for rank in set_bits(&marks) {
            chosen.push(dense.weights.at(rank as usize, 1));
            dense.weights.set_zero(rank as usize);
            if is_sparse {
                ranks.push(rank.into());
            }
        }
        let states = chosen.len();
        chosen.reduce(0, states, self.step.modulus);
        let bits = chosen.bits();
        let head = Head {
            degrees,
            states: states as u32,
            form: if is_sparse { Form::Ranks } else { Form::Bits },
            numbers: N,
            width: bytes(bits),
            statistic: None,
        };
        self.step.put(head, bits, &mut self.out, &mut |room| {
            if is_sparse {
                write_ranks(ranks.iter().copied(), count, room);
            } else {
                let end = room.len() + head.key_bytes();
                for eight in &marks {
                    room.extend_from_slice(&eight.to_le_bytes());
                }
                room.truncate(end);
            }
            chosen.write(chosen.at(0, states), head.width, room);
        });
        dense.marks = marks;
        self.chosen = chosen;
    }

    /// Stores a target group with the states in `list`, whose first coefficients belong to the value `low`. If the mirror
    /// image of the group has the lesser degree vector, stores the mirror image instead. Mirror images have no arrivals.
    fn emit_list(&mut self, way: &Way<A>, low: usize, list: &mut List<W, N>) {
        let ends = self.step.after.ends(way.target);
        let degrees = self.step.mirrored(way.target, ends, list.ranks.iter_mut());
        list.merge(self.step.modulus);
        let List { ranks, sums, coefficients, order, all, .. } = &*list;
        let occurs = |&k: &usize| !A::HAS_STATISTIC || all.at(k, 1).iter().any(|&word| word != 0);
        let mut found = (0..all.len()).filter(occurs);
        let Some(first) = found.next() else { return };
        let last = found.next_back().unwrap_or(first);
        let (states, count) = (order.len(), ends.count_ones() as usize);
        let head = Head {
            degrees,
            states: states as u32,
            form: match matchings(count).div_ceil(8) <= (rank_bytes(count) * states) as u64 {
                true => Form::Bits,
                false => Form::Ranks,
            },
            numbers: N * (last - first + 1),
            width: bytes(all.bits()),
            statistic: way.class.statistic(low + first),
        };
        self.step.put(head, all.bits(), &mut self.out, &mut |room| {
            write_keys(head, ranks, order, room);
            for &state in order {
                let weight = sums.at(state as usize * coefficients + first, last - first + 1);
                sums.write(weight, head.width, room);
            }
        });
    }
}

/// States of a target group. A state may occur several times before [`merge`](Self::merge).
#[derive(Default)]
struct List<const W: usize, const N: usize> {
    ranks: Vec<u64>,
    /// Coefficients of the states, the same number for each.
    sums: Polynomials<W, N>,
    /// Number of coefficients of a state.
    coefficients: usize,
    /// 1-based index in `ranks` of each rank that occurs, otherwise 0. Empty if a state may occur several times.
    places: Vec<u32>,
    /// Indices of the states in the order of their ranks.
    order: Vec<u32>,
    /// For each coefficient, a number with all bits that are set in this coefficient of a state.
    all: Polynomials<W, N>,
}

impl<const W: usize, const N: usize> List<W, N> {
    /// Removes all states. Weights have this number of coefficients from here on.
    fn begin(&mut self, coefficients: usize) {
        self.ranks.clear();
        self.sums.clear();
        self.coefficients = coefficients;
    }

    /// Adds `weight`·`factor`·x^`by` to the weight of the state with this rank. `places` must be long enough.
    #[inline]
    fn add(&mut self, rank: u64, weight: &[u64], factor: Connections, by: usize) {
        let place = &mut self.places[rank as usize];
        if *place == 0 {
            self.ranks.push(rank);
            *place = self.ranks.len() as u32;
            self.sums.resize(self.ranks.len() * self.coefficients);
        }
        self.sums.add((*place as usize - 1) * self.coefficients + by, weight, factor);
    }

    /// Adds a state with the weight `weight`·`factor`·x^`by`, which may be there already.
    #[inline]
    fn push(&mut self, rank: u64, weight: &[u64], factor: Connections, by: usize) {
        self.ranks.push(rank);
        self.sums.resize(self.ranks.len() * self.coefficients);
        self.sums.add((self.ranks.len() - 1) * self.coefficients + by, weight, factor);
    }

    /// Sorts the states by their ranks. Equal states are merged into the first of them, and the others are left out. If
    /// there is a modulus, the coefficients are reduced.
    fn merge(&mut self, modulus: Option<NonZero<u64>>) {
        let Self { ranks, sums, coefficients: n, order, all, .. } = self;
        sort(order, ranks);
        order.dedup_by(|&mut other, &mut kept| {
            let is_same = ranks[other as usize] == ranks[kept as usize];
            if is_same {
                sums.add_own(kept as usize * *n, other as usize * *n, *n);
            }
            is_same
        });
        all.clear();
        all.resize(*n);
        for &state in &*order {
            let first = state as usize * *n;
            sums.reduce(first, *n, modulus);
            all.insert(sums.at(first, *n));
        }
    }

    /// Returns the number of bytes of the buffers.
    fn bytes(&self) -> usize {
        self.sums.bytes()
            + self.all.bytes()
            + size_of::<u64>() * self.ranks.capacity()
            + size_of::<u32>() * (self.places.capacity() + self.order.capacity())
    }
}

/// Fills `order` with the indices of all ranks, in the order of the ranks.
fn sort(order: &mut Vec<u32>, ranks: &[u64]) {
    order.clear();
    order.extend(0..ranks.len() as u32);
    order.sort_unstable_by_key(|&state| ranks[state as usize]);
}

/// Writes the ranks of a group's states, in this order.
fn write_keys(head: Head, ranks: &[u64], order: &[u32], to: &mut Vec<u8>) {
    let at = to.len();
    let ranks = order.iter().map(|&state| ranks[state as usize]);
    match head.form {
        Form::Bits => {
            to.resize(at + head.key_bytes(), 0);
            ranks.for_each(|rank| to[at + rank as usize / 8] |= 1 << (rank % 8));
        }
        Form::Ranks => write_ranks(ranks, head.ends(), to),
    }
}

/// States of a group with their weights, indexed by rank.
#[derive(Clone, Default)]
struct Dense<const W: usize, const N: usize> {
    /// Number of possible states.
    possible: usize,
    /// One bit per possible state, set if the state occurs.
    marks: Vec<u64>,
    /// Weights; 0 if a state does not occur.
    weights: Polynomials<W, N>,
}

impl<const W: usize, const N: usize> Dense<W, N> {
    /// Makes room for a group with this number of possible states. All weights must be 0.
    fn begin(&mut self, possible: usize) {
        self.possible = possible;
        self.marks.clear();
        self.marks.resize(possible.div_ceil(64), 0);
        if self.weights.len() < possible {
            self.weights.resize(possible);
        }
    }

    /// Multiplies the weight of a state by `factor`, and adds the product to the weight of the state with this rank.
    #[inline]
    fn add(&mut self, rank: u32, weights: &[u64], state: usize, factor: Connections) {
        self.marks[rank as usize / 64] |= 1 << (rank % 64);
        self.weights.add_one(rank as usize, weights, state, factor);
    }

    /// Returns the number of states.
    fn states(&self) -> usize {
        let marks = self.marks.iter();
        marks.map(|word| word.count_ones() as usize).sum()
    }

    /// Calls `visit` with the rank and the weight of each state, and removes the states.
    fn drain(&mut self, mut visit: impl FnMut(u32, &[u64])) {
        for rank in set_bits(&self.marks) {
            visit(rank, self.weights.at(rank as usize, 1));
            self.weights.set_zero(rank as usize);
        }
        self.marks.fill(0);
    }
}

/// Returns the positions of the bits that are set, in increasing order.
#[inline]
fn set_bits(words: &[u64]) -> impl Iterator<Item = u32> + '_ {
    (0..).zip(words).flat_map(|(k, &word)| bits(word).map(move |bit| 64 * k + bit))
}
