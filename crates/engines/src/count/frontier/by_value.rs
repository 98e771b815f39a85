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
use super::polynomial::Wide;
use super::ranks::{CLOSED, Change, MOST_ENDS, matchings};
use super::shards::in_parallel;
use super::stored::{Form, Head, Keys, Layer, Measured, Shard, groups, word};
use super::transition::{SPARSE, Transition};
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
    /// Mask of the places of the group's ends of paths.
    ends: u32,
    /// Index of the group's first state among the keys of its form.
    first_key: usize,
    states: usize,
    /// Index of the first coefficient of the group's first state.
    first: usize,
    /// Value of the first coefficient of each state.
    low: usize,
    /// Number of coefficients of each state.
    numbers: usize,
}

/// States of a target group. A state may occur several times before [`merge`](Self::merge).
#[derive(Default)]
struct Found<const W: usize> {
    keys: Vec<WideMatching>,
    /// Coefficients of the states, `numbers` for each.
    sums: Vec<Wide<W>>,
    numbers: usize,
    /// 1-based index in `keys` of each rank that occurs, otherwise 0. Used if there are few possible states.
    places: Vec<u32>,
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
    fn add(&mut self, rank: u32, weight: &[Wide<W>], by: usize) {
        let place = &mut self.places[rank as usize];
        if *place == 0 {
            self.keys.push(rank.into());
            *place = self.keys.len() as u32;
            self.sums.resize(self.keys.len() * self.numbers, Wide::ZERO);
        }
        let first = (*place as usize - 1) * self.numbers + by;
        let sums = self.sums[first..first + weight.len()].iter_mut();
        sums.zip(weight)
            .for_each(|(sum, &number)| sum.add_bounded(number));
    }

    /// Adds a state with the weight `weight`·x^`by`, which may be there already.
    fn push(&mut self, key: WideMatching, weight: &[Wide<W>], by: usize) {
        self.keys.push(key);
        self.sums
            .resize((self.keys.len() - 1) * self.numbers + by, Wide::ZERO);
        self.sums.extend_from_slice(weight);
        self.sums.resize(self.keys.len() * self.numbers, Wide::ZERO);
    }

    /// Returns the indices of the states in the order of their keys. Equal states are merged into the first of them, and
    /// the others are left out.
    fn merge(&mut self) -> Vec<u32> {
        let mut order: Vec<u32> = (0..self.keys.len() as u32).collect();
        order.sort_unstable_by_key(|&state| self.keys[state as usize]);
        order.dedup_by(|&mut other, &mut kept| {
            let is_same = self.keys[other as usize] == self.keys[kept as usize];
            if is_same {
                for k in 0..self.numbers {
                    let more = self.sums[other as usize * self.numbers + k];
                    self.sums[kept as usize * self.numbers + k].add_bounded(more);
                }
            }
            is_same
        });
        order
    }
}

/// Worker thread that processes shards in one step.
struct Worker<'a, const W: usize> {
    step: &'a Transition<'a>,
    sources: Vec<Source>,
    keys: Keys,
    coefficients: Vec<Wide<W>>,
    ways: Vec<Way>,
    found: Found<W>,
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
            out: Layer::empty(),
        },
        |worker, shard| {
            let processed = worker.shard(shard);
            processed.map_err(|error| step.usage.unread(error))
        },
        |worker| worker.out,
    )
}

impl<const W: usize> Worker<'_, W> {
    /// Generates all successors of a shard's states.
    fn shard(&mut self, shard: Shard) -> io::Result<()> {
        self.read(&shard)?;
        let bytes = shard.in_memory();
        drop(shard);
        self.step.usage.remove(bytes);
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
                let (adds, arrivals) = corners.after(degrees, arrivals, choice);
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
        Ok(())
    }

    /// Reads the groups of a shard, with their states and weights, into the buffers of this worker.
    fn read(&mut self, shard: &Shard) -> io::Result<()> {
        self.sources.clear();
        self.keys.clear();
        self.coefficients.clear();
        for block in &shard.blocks {
            for (head, group) in groups(&block.bytes()?) {
                let (keys, weights) = group[head.head_bytes()..].split_at(head.key_bytes());
                self.sources.push(Source {
                    degrees: head.degrees,
                    arrivals: head.arrivals(),
                    ends: self.step.before.ends(head.degrees),
                    first_key: self.keys.len(head.form),
                    states: head.states as usize,
                    first: self.coefficients.len(),
                    low: head.measured.map_or(0, |measured| measured.low),
                    numbers: head.numbers,
                });
                self.keys.read(head.form, keys);
                let numbers = weights.chunks_exact(head.width);
                match head.width {
                    1 => self
                        .coefficients
                        .extend(weights.iter().map(|&byte| Wide::from(u64::from(byte)))),
                    2..=8 => self
                        .coefficients
                        .extend(numbers.map(|bytes| Wide::from(word(bytes)))),
                    _ => self.coefficients.extend(numbers.map(Wide::read)),
                }
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
        let children: usize = ways.iter().map(|way| source_of(way).states).sum();
        self.step.usage.generated(children as u64);
        let mut found = std::mem::take(&mut self.found);
        found.begin(high - low);
        let is_ranked = count <= MOST_ENDS;
        let possible = if is_ranked { matchings(count) } else { 0 };
        let is_dense = is_ranked && possible <= SPARSE * children;
        if is_dense && found.places.len() < possible {
            found.places.resize(possible, 0);
        }
        for way in ways {
            let by = values(way).0 - low;
            if is_dense {
                self.each(way, ends, closes, |rank, weight| {
                    found.add(rank, weight, by);
                });
            } else if is_ranked {
                self.each(way, ends, closes, |rank, weight| {
                    found.push(rank.into(), weight, by);
                });
            } else {
                self.each_word(way, closes, |word, weight| found.push(word, weight, by));
            }
        }
        if is_dense {
            for &rank in &found.keys {
                found.places[rank as usize] = 0;
            }
        }
        self.emit(&ways[0], low, &mut found);
        self.found = found;
    }

    /// Calls `visit` with the rank and the weight of every successor by the transition `way`, without the contribution
    /// of `way`. The target group must have few enough ends for ranks; `ends` is the mask of their places.
    #[inline]
    fn each(&self, way: &Way, ends: u32, closes: bool, mut visit: impl FnMut(u32, &[Wide<W>])) {
        let source = &self.sources[way.source as usize];
        let count = source.ends.count_ones() as usize;
        if count > MOST_ENDS {
            return self.each_word(way, closes, |word, weight| {
                visit(self.step.after.rank(ends, word), weight);
            });
        }
        let ranks = &self.keys.ranks[source.first_key..][..source.states];
        let weights = self.coefficients[source.first..].chunks_exact(source.numbers);
        let states = ranks.iter().zip(weights);
        match self.step.change(way.by, source.ends, ends) {
            Change::None => states.for_each(|(&rank, weight)| visit(rank, weight)),
            change => {
                let table: &[u32] = self.step.tables.of(change, count);
                for (&rank, weight) in states {
                    let after = table[rank as usize];
                    if after != CLOSED {
                        visit(after, weight);
                    }
                }
            }
        }
    }

    /// Calls `visit` with the matching and the weight of every successor by the transition `way`, without the
    /// contribution of `way`.
    fn each_word(&self, way: &Way, closes: bool, mut visit: impl FnMut(WideMatching, &[Wide<W>])) {
        let source = &self.sources[way.source as usize];
        let is_ranked = source.ends.count_ones() as usize <= MOST_ENDS;
        let weights = self.coefficients[source.first..].chunks_exact(source.numbers);
        for (state, weight) in (source.first_key..).zip(weights).take(source.states) {
            let matching = match is_ranked {
                true => self
                    .step
                    .before
                    .matching(source.ends, self.keys.ranks[state]),
                false => self.keys.words[state],
            };
            if let Some(after) = way.by.apply(matching, closes) {
                visit(after, weight);
            }
        }
    }

    /// Stores a target group with the states `found`, whose first coefficients belong to the value `low`. If the mirror
    /// image of the group has the lesser degree vector, stores the mirror image instead. Mirror images have no arrivals.
    fn emit(&mut self, way: &Way, low: usize, found: &mut Found<W>) {
        let ends = self.step.after.ends(way.target);
        let is_ranked = ends.count_ones() as usize <= MOST_ENDS;
        let keys = found.keys.iter_mut();
        let degrees = self.step.mirrored(way.target, ends, keys);
        let order = found.merge();
        let n = found.numbers;
        let mut all = vec![Wide::<W>::ZERO; n];
        for &state in &order {
            let weight = &found.sums[state as usize * n..][..n];
            all.iter_mut()
                .zip(weight)
                .for_each(|(all, &number)| all.insert(number));
        }
        let occurs = |number: &Wide<W>| number.bits() > 0;
        let (Some(first), Some(last)) = (all.iter().position(occurs), all.iter().rposition(occurs))
        else {
            return;
        };
        let mut largest = Wide::ZERO;
        all.iter().for_each(|&number| largest.insert(number));
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
            measured: Some(Measured {
                low: low + first,
                arrivals: way.arrivals,
            }),
        };
        self.step.put(head, largest.bits(), &mut self.out, |room| {
            let at = room.len();
            let keys = order.iter().map(|&state| found.keys[state as usize]);
            match head.form {
                Form::Bits => {
                    room.resize(at + head.key_bytes(), 0);
                    keys.for_each(|rank| room[at + rank as usize / 8] |= 1 << (rank % 8));
                }
                Form::Ranks => keys.for_each(|rank| room.extend((rank as u32).to_le_bytes())),
                Form::Words => keys.for_each(|word| room.extend(word.to_le_bytes())),
            }
            for &state in &order {
                let weight = &found.sums[state as usize * n..][first..=last];
                match head.width {
                    1 => room.extend(weight.iter().map(|number| number.low::<1>()[0])),
                    width => weight.iter().for_each(|number| number.write(width, room)),
                }
            }
        });
    }
}
