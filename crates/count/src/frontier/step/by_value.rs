//! Step of a sweep whose weights are polynomials: the coefficient of x^s is the number of partial tours with the value s
//! of a statistic.
//!
//! The states are those of a [count](super::packed). If the statistic depends on angles, a group also holds the
//! [arrivals](crate::frontier::state::arrivals), the classes of the first edges of the frontier vertices with
//! one edge. Then all states of a group have the same possible contributions to the statistic, and a transition
//! multiplies all weights of a group by the same power of x.
//!
//! The partial tours that lead to a state differ little in their values, and there are few of them for each value. So a
//! group stores its weights as coefficients from the lowest to the highest value that occurs in the group, each with as
//! many bytes as the largest coefficient needs.

use std::io;
use std::num::NonZero;

use crate::frontier::state::arrivals::Arrivals;
use crate::frontier::state::degrees::Degrees;
use crate::frontier::state::polynomial::Polynomial;
use crate::frontier::state::ranks::{TABLED, matchings, rank_bytes};
use crate::frontier::step::moves::{Choice, Move, choices};
use crate::frontier::step::shards::in_parallel;
use crate::frontier::step::transition::{Members, Transition};
use crate::frontier::store::stored::{
    Form, Head, Layer, OfStatistic, Shard, groups, read_weights, write_ranks, write_weights,
};
use crate::frontier::store::usage::LayerError;

/// Transition from a source group to a target group by a move.
#[derive(Clone, Copy)]
struct Way {
    target: Degrees,
    arrivals: Arrivals,
    source: u32,
    by: Move,
    /// Contribution to the statistic.
    adds: u32,
}

/// Source group of transitions, after its states have been read.
struct Source {
    degrees: Degrees,
    arrivals: Arrivals,
    members: Members,
    /// Index of the first coefficient of the group's first state.
    first: usize,
    /// Value of the first coefficient of each state.
    low: usize,
    /// Number of coefficients of each state.
    numbers: usize,
}

impl Source {
    /// Returns the coefficients of a state of this group, given by its index. `all` are those of all groups.
    fn weight<'c, const W: usize>(&self, state: usize, all: &'c [Number<W>]) -> &'c [Number<W>] {
        &all[self.first + state * self.numbers..][..self.numbers]
    }
}

/// Coefficient of a weight.
type Number<const W: usize> = Polynomial<W, 1>;

/// States of a target group. A state may occur several times before [`merge`](Self::merge).
#[derive(Default)]
struct Found<const W: usize> {
    ranks: Vec<u64>,
    /// Coefficients of the states, `numbers` for each.
    sums: Vec<Number<W>>,
    numbers: usize,
    /// 1-based index in `ranks` of each rank that occurs, otherwise 0. Ranks of many ends have no places.
    places: Vec<u32>,
    /// Indices of the states in the order of their ranks.
    order: Vec<u32>,
    /// For each coefficient, a number with all bits that are set in this coefficient of a state.
    all: Vec<Number<W>>,
}

impl<const W: usize> Found<W> {
    /// Removes all states. Weights have `numbers` coefficients from here on.
    fn begin(&mut self, numbers: usize) {
        self.ranks.clear();
        self.sums.clear();
        self.numbers = numbers;
    }

    /// Adds `weight`·x^`by` to the weight of the state with this rank. `places` must be long enough.
    #[inline]
    fn add(&mut self, rank: u64, weight: &[Number<W>], by: usize) {
        let place = &mut self.places[rank as usize];
        if *place == 0 {
            self.ranks.push(rank);
            *place = self.ranks.len() as u32;
            self.sums.resize(self.ranks.len() * self.numbers, Number::ZERO);
        }
        let first = (*place as usize - 1) * self.numbers + by;
        let sums = self.sums[first..first + weight.len()].iter_mut();
        sums.zip(weight).for_each(|(sum, &number)| sum.add_bounded(number));
    }

    /// Adds a state with the weight `weight`·x^`by`, which may be there already.
    fn push(&mut self, rank: u64, weight: &[Number<W>], by: usize) {
        self.ranks.push(rank);
        self.sums.resize((self.ranks.len() - 1) * self.numbers + by, Number::ZERO);
        self.sums.extend_from_slice(weight);
        self.sums.resize(self.ranks.len() * self.numbers, Number::ZERO);
    }

    /// Sorts the states by their ranks. Equal states are merged into the first of them, and the others are left out. If
    /// there is a modulus, the coefficients are reduced.
    fn merge(&mut self, modulus: Option<NonZero<u64>>) {
        let Self { ranks, sums, numbers: n, order, all, .. } = self;
        order.clear();
        order.extend(0..ranks.len() as u32);
        order.sort_unstable_by_key(|&state| ranks[state as usize]);
        order.dedup_by(|&mut other, &mut kept| {
            let is_same = ranks[other as usize] == ranks[kept as usize];
            if is_same {
                for k in 0..*n {
                    let more = sums[other as usize * *n + k];
                    sums[kept as usize * *n + k].add_bounded(more);
                }
            }
            is_same
        });
        all.clear();
        all.resize(*n, Number::ZERO);
        for &state in &*order {
            let weight = &mut sums[state as usize * *n..][..*n];
            for (all, number) in all.iter_mut().zip(weight) {
                *number = number.modulo(modulus);
                all.insert(*number);
            }
        }
    }

    /// Returns the coefficients of a state.
    fn weight(&self, state: u32) -> &[Number<W>] {
        &self.sums[state as usize * self.numbers..][..self.numbers]
    }

    /// Returns the number of bytes of the buffers.
    fn bytes(&self) -> usize {
        size_of::<Number<W>>() * (self.sums.capacity() + self.all.capacity())
            + size_of::<u64>() * self.ranks.capacity()
            + size_of::<u32>() * (self.places.capacity() + self.order.capacity())
    }
}

/// Worker thread that processes shards in one step.
struct Worker<'a, const W: usize> {
    step: &'a Transition<'a>,
    sources: Vec<Source>,
    ranks: Vec<u64>,
    coefficients: Vec<Number<W>>,
    ways: Vec<Way>,
    found: Found<W>,
    /// Number of bytes of the buffers that have been added to the usage.
    counted: u64,
    out: Layer,
}

/// Applies a step to shards, and returns a layer from each thread. `states` is the number of states. The coefficients of
/// weights have W machine words.
pub(crate) fn layers<const W: usize>(
    step: &Transition<'_>,
    states: usize,
    shards: &mut (dyn Iterator<Item = Shard> + Send),
) -> Result<Vec<Layer>, LayerError> {
    in_parallel(
        shards,
        states,
        step.usage,
        || Worker::<W> {
            step,
            sources: Vec::new(),
            ranks: Vec::new(),
            coefficients: Vec::new(),
            ways: Vec::new(),
            found: Found::default(),
            counted: 0,
            out: Layer::empty(),
        },
        |worker, shard| {
            let processed = worker.shard(shard);
            processed.map_err(|error| step.usage.unread(error))
        },
        |worker| {
            step.usage.remove(worker.counted);
            worker.out
        },
    )
}

impl<const W: usize> Worker<'_, W> {
    /// Generates all successors of a shard's states.
    fn shard(&mut self, shard: Shard) -> io::Result<()> {
        self.read(&shard)?;
        let bytes = shard.in_memory();
        drop(shard);
        self.step.usage.remove(bytes);
        self.count_buffers();
        let Transition { sweep, completable, t, .. } = *self.step;
        let corners = &sweep.step(t).corners;
        let mut ways = std::mem::take(&mut self.ways);
        ways.clear();
        let mut of: Vec<Choice> = Vec::new();
        let mut last = None;
        for (number, source) in (0..).zip(&self.sources) {
            let (degrees, arrivals) = (source.degrees, source.arrivals);
            // Groups with the same degrees often follow each other.
            if last.replace(degrees) != Some(degrees) {
                of.clear();
                choices(sweep, completable, t, degrees, |choice| of.push(choice));
            }
            ways.extend(of.iter().map(|choice| {
                let (adds, arrivals) = corners.after(degrees, arrivals, choice.edges);
                Way { target: choice.target, arrivals, source: number, by: choice.by, adds }
            }));
        }
        let target = |way: &Way| (way.target, way.arrivals);
        ways.sort_unstable_by_key(target);
        for ways in ways.chunk_by(|a, b| target(a) == target(b)) {
            self.reach(ways);
        }
        self.ways = ways;
        self.count_buffers();
        Ok(())
    }

    /// Adds the bytes of the buffers to the usage, as far as they have not been added before. A coefficient takes more
    /// bytes here than in a stored group.
    fn count_buffers(&mut self) {
        let bytes = size_of::<Number<W>>() * self.coefficients.capacity()
            + size_of::<Way>() * self.ways.capacity()
            + size_of::<Source>() * self.sources.capacity()
            + size_of::<u64>() * self.ranks.capacity()
            + self.found.bytes();
        self.step.usage.add(bytes as u64);
        self.step.usage.remove(self.counted);
        self.counted = bytes as u64;
    }

    /// Reads the groups of a shard, with their states and weights, into the buffers of this worker.
    fn read(&mut self, shard: &Shard) -> io::Result<()> {
        self.sources.clear();
        self.ranks.clear();
        self.coefficients.clear();
        for block in &shard.blocks {
            for (head, group) in groups(&block.bytes()?) {
                let (members, weights) = Members::read(head, group, &self.step.before, &mut self.ranks);
                self.sources.push(Source {
                    degrees: head.degrees,
                    arrivals: head.arrivals(),
                    members,
                    first: self.coefficients.len(),
                    low: head.statistic.map_or(0, |statistic| statistic.low),
                    numbers: head.numbers,
                });
                read_weights(weights, head.width, &mut self.coefficients);
            }
        }
        Ok(())
    }

    /// Builds the group that is the common target of the transitions `ways`.
    fn reach(&mut self, ways: &[Way]) {
        let target = ways[0].target;
        let ends = self.step.after.ends(target);
        let count = ends.count_ones() as usize;
        let source_of = |way: &Way| &self.sources[way.source as usize];
        let values = |way: &Way| {
            let (source, adds) = (source_of(way), way.adds as usize);
            (source.low + adds, source.low + adds + source.numbers)
        };
        let (low, high) =
            ways.iter().map(values).fold((usize::MAX, 0), |all, one| (all.0.min(one.0), all.1.max(one.1)));
        let children: usize = ways.iter().map(|way| source_of(way).members.states).sum();
        self.step.usage.generated(children as u64);
        let mut found = std::mem::take(&mut self.found);
        found.begin(high - low);
        let has_places = count <= TABLED;
        if has_places && found.places.len() < matchings(count) as usize {
            found.places.resize(matchings(count) as usize, 0);
        }
        for way in ways {
            let (source, add) = (source_of(way), values(way).0 - low);
            let (of, ranks, all) = (source.members, &self.ranks, &self.coefficients);
            if has_places {
                self.step.each_rank(of, ranks, way.by, ends, |state, rank| {
                    found.add(rank, source.weight(state, all), add);
                });
            } else {
                self.step.each_rank(of, ranks, way.by, ends, |state, rank| {
                    found.push(rank, source.weight(state, all), add);
                });
            }
        }
        if has_places {
            for &rank in &found.ranks {
                found.places[rank as usize] = 0;
            }
        }
        self.emit(&ways[0], low, &mut found);
        self.found = found;
    }

    /// Stores a target group with the states `found`, whose first coefficients belong to the value `low`. If the mirror
    /// image of the group has the lesser degree vector, stores the mirror image instead. Mirror images have no arrivals.
    fn emit(&mut self, way: &Way, low: usize, found: &mut Found<W>) {
        let ends = self.step.after.ends(way.target);
        let ranks = found.ranks.iter_mut();
        let degrees = self.step.mirrored(way.target, ends, ranks);
        found.merge(self.step.modulus);
        let Found { ranks, order, all, .. } = &*found;
        let occurs = |number: &Number<W>| number.all_bits().bits() > 0;
        let (Some(first), Some(last)) = (all.iter().position(occurs), all.iter().rposition(occurs)) else {
            return;
        };
        let mut largest = Number::<W>::ZERO;
        all.iter().for_each(|number| largest.insert(*number));
        let largest = largest.all_bits();
        let (states, count) = (order.len(), ends.count_ones() as usize);
        let in_bits = matchings(count).div_ceil(8);
        let head = Head {
            degrees,
            states: states as u32,
            form: match in_bits <= (rank_bytes(count) * states) as u64 {
                true => Form::Bits,
                false => Form::Ranks,
            },
            numbers: last - first + 1,
            width: largest.bytes(),
            statistic: Some(OfStatistic { low: low + first, arrivals: way.arrivals }),
        };
        self.step.put(head, largest.bits(), &mut self.out, |room| {
            let at = room.len();
            let ranks = order.iter().map(|&state| ranks[state as usize]);
            match head.form {
                Form::Bits => {
                    room.resize(at + head.key_bytes(), 0);
                    ranks.for_each(|rank| room[at + rank as usize / 8] |= 1 << (rank % 8));
                }
                Form::Ranks => write_ranks(ranks, count, room),
            }
            let weights = order.iter().flat_map(|&state| &found.weight(state)[first..=last]);
            write_weights(weights.copied(), head.width, room);
        });
    }
}
