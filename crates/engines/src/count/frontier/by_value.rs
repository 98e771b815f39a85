//! Step of a sweep whose weights are polynomials: the coefficient of x^s is the number of partial tours with the value s
//! of a statistic.
//!
//! The states are those of a [count](super::packed). If the statistic depends on angles, a group also holds the
//! [arrivals](super::arrivals), the classes of the first edges of the frontier vertices with one edge. Then all states of
//! a group have the same possible contributions to the statistic, and a transition multiplies all weights of a group by
//! the same power of x.
//!
//! The partial tours that lead to a state differ little in their values, and there are few of them for each value. So a
//! group stores its weights as coefficients from the lowest to the highest value that occurs in the group, each with as
//! many bytes as the largest coefficient needs.

use std::io;

use super::arrivals::Arrivals;
use super::degrees::Degrees;
use super::matching::WideMatching;
use super::moves::{Choice, Move, choices};
use super::polynomial::Polynomial;
use super::ranks::{MOST_ENDS, matchings};
use super::shards::in_parallel;
use super::stored::{
    Form, Head, Keys, Layer, OfStatistic, Shard, groups, read_weights, write_weights,
};
use super::transition::{Members, Transition};
use super::usage::LayerError;

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
    keys: Vec<WideMatching>,
    /// Coefficients of the states, `numbers` for each.
    sums: Vec<Number<W>>,
    numbers: usize,
    /// 1-based index in `keys` of each rank that occurs, otherwise 0. Matchings without ranks have no places.
    places: Vec<u32>,
    /// Indices of the states in the order of their keys.
    order: Vec<u32>,
    /// For each coefficient, a number with all bits that are set in this coefficient of a state.
    all: Vec<Number<W>>,
}

impl<const W: usize> Found<W> {
    /// Removes all states. Weights have `numbers` coefficients from here on.
    fn begin(&mut self, numbers: usize) {
        self.keys.clear();
        self.sums.clear();
        self.numbers = numbers;
    }

    /// Adds `weight`·x^`by` to the weight of the state with this rank. `places` must be long enough.
    #[inline]
    fn add(&mut self, rank: u32, weight: &[Number<W>], by: usize) {
        let place = &mut self.places[rank as usize];
        if *place == 0 {
            self.keys.push(rank.into());
            *place = self.keys.len() as u32;
            self.sums
                .resize(self.keys.len() * self.numbers, Number::ZERO);
        }
        let first = (*place as usize - 1) * self.numbers + by;
        let sums = self.sums[first..first + weight.len()].iter_mut();
        sums.zip(weight)
            .for_each(|(sum, &number)| sum.add_bounded(number));
    }

    /// Adds a state with the weight `weight`·x^`by`, which may be there already.
    fn push(&mut self, key: WideMatching, weight: &[Number<W>], by: usize) {
        self.keys.push(key);
        self.sums
            .resize((self.keys.len() - 1) * self.numbers + by, Number::ZERO);
        self.sums.extend_from_slice(weight);
        self.sums
            .resize(self.keys.len() * self.numbers, Number::ZERO);
    }

    /// Sorts the states by their keys. Equal states are merged into the first of them, and the others are left out.
    fn merge(&mut self) {
        let Self {
            keys,
            sums,
            numbers: n,
            order,
            all,
            ..
        } = self;
        order.clear();
        order.extend(0..keys.len() as u32);
        order.sort_unstable_by_key(|&state| keys[state as usize]);
        order.dedup_by(|&mut other, &mut kept| {
            let is_same = keys[other as usize] == keys[kept as usize];
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
            let weight = &sums[state as usize * *n..][..*n];
            let each = all.iter_mut().zip(weight);
            each.for_each(|(all, number)| all.insert(*number));
        }
    }

    /// Returns the coefficients of a state.
    fn weight(&self, state: u32) -> &[Number<W>] {
        &self.sums[state as usize * self.numbers..][..self.numbers]
    }

    /// Returns the number of bytes of the buffers.
    fn bytes(&self) -> usize {
        size_of::<Number<W>>() * (self.sums.capacity() + self.all.capacity())
            + size_of::<WideMatching>() * self.keys.capacity()
            + size_of::<u32>() * (self.places.capacity() + self.order.capacity())
    }
}

/// Worker thread that processes shards in one step.
struct Worker<'a, const W: usize> {
    step: &'a Transition<'a>,
    sources: Vec<Source>,
    keys: Keys,
    coefficients: Vec<Number<W>>,
    ways: Vec<Way>,
    found: Found<W>,
    /// Number of bytes of the buffers that have been added to the usage.
    counted: u64,
    out: Layer,
}

/// Applies a step to shards, and returns a layer from each thread. `states` is the number of states. The coefficients of
/// weights have W machine words.
pub(super) fn layers<const W: usize>(
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
            keys: Keys::default(),
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
        let Transition {
            sweep,
            completable,
            t,
            ..
        } = *self.step;
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
                Way {
                    target: choice.target,
                    arrivals,
                    source: number,
                    by: choice.by,
                    adds,
                }
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
            + self.keys.bytes()
            + self.found.bytes();
        self.step.usage.add(bytes as u64);
        self.step.usage.remove(self.counted);
        self.counted = bytes as u64;
    }

    /// Reads the groups of a shard, with their states and weights, into the buffers of this worker.
    fn read(&mut self, shard: &Shard) -> io::Result<()> {
        self.sources.clear();
        self.keys.clear();
        self.coefficients.clear();
        for block in &shard.blocks {
            for (head, group) in groups(&block.bytes()?) {
                let (members, weights) =
                    Members::read(head, group, &self.step.before, &mut self.keys);
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
        let closes = !target.has_paths();
        let ends = self.step.after.ends(target);
        let count = ends.count_ones() as usize;
        let source_of = |way: &Way| &self.sources[way.source as usize];
        let values = |way: &Way| {
            let (source, adds) = (source_of(way), way.adds as usize);
            (source.low + adds, source.low + adds + source.numbers)
        };
        let (low, high) = ways.iter().map(values).fold((usize::MAX, 0), |all, one| {
            (all.0.min(one.0), all.1.max(one.1))
        });
        let children: usize = ways.iter().map(|way| source_of(way).members.states).sum();
        self.step.usage.generated(children as u64);
        let mut found = std::mem::take(&mut self.found);
        found.begin(high - low);
        let is_ranked = count <= MOST_ENDS;
        let possible = if is_ranked { matchings(count) } else { 0 };
        if found.places.len() < possible {
            found.places.resize(possible, 0);
        }
        for way in ways {
            let (source, add) = (source_of(way), values(way).0 - low);
            let (of, keys, all) = (source.members, &self.keys, &self.coefficients);
            if is_ranked {
                let after = (ends, closes);
                self.step.each_rank(of, keys, way.by, after, |state, rank| {
                    found.add(rank, source.weight(state, all), add);
                });
            } else {
                let step = self.step;
                step.each_matching(of, keys, way.by, closes, |state, matching| {
                    found.push(matching, source.weight(state, all), add);
                });
            }
        }
        if is_ranked {
            for &rank in &found.keys {
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
        let is_ranked = ends.count_ones() as usize <= MOST_ENDS;
        let keys = found.keys.iter_mut();
        let degrees = self.step.mirrored(way.target, ends, keys);
        found.merge();
        let Found {
            keys, order, all, ..
        } = &*found;
        let occurs = |number: &Number<W>| number.all_bits().bits() > 0;
        let (Some(first), Some(last)) = (all.iter().position(occurs), all.iter().rposition(occurs))
        else {
            return;
        };
        let mut largest = Number::<W>::ZERO;
        all.iter().for_each(|number| largest.insert(*number));
        let largest = largest.all_bits();
        let (states, possible) = (order.len(), matchings(ends.count_ones() as usize));
        let head = Head {
            degrees,
            states: states as u32,
            form: match is_ranked {
                true if possible.div_ceil(8) <= 4 * states => Form::Bits,
                true => Form::Ranks,
                false => Form::Words,
            },
            numbers: last - first + 1,
            width: largest.bytes(),
            statistic: Some(OfStatistic {
                low: low + first,
                arrivals: way.arrivals,
            }),
        };
        self.step.put(head, largest.bits(), &mut self.out, |room| {
            let at = room.len();
            let keys = order.iter().map(|&state| keys[state as usize]);
            match head.form {
                Form::Bits => {
                    room.resize(at + head.key_bytes(), 0);
                    keys.for_each(|rank| room[at + rank as usize / 8] |= 1 << (rank % 8));
                }
                Form::Ranks => keys.for_each(|rank| room.extend((rank as u32).to_le_bytes())),
                Form::Words => keys.for_each(|word| room.extend(word.to_le_bytes())),
            }
            let weights = order
                .iter()
                .flat_map(|&state| &found.weight(state)[first..=last]);
            write_weights(weights.copied(), head.width, room);
        });
    }
}
