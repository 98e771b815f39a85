//! Step of a sweep whose weights are numbers, or polynomials of two coefficients.
//!
//! A state is a degree vector and a matching of the ends of paths; its weight is the number of edge sets that lead to
//! the state. States with the same degree vector form a *group*. A group with k ends of paths has (k − 1)!! possible
//! states, one for each matching of the ends, which its [rank](crate::frontier::state::ranks) identifies. So a
//! state takes one to three bytes for up to 14 ends, and up to eight for more, instead of the sixteen of a matching.
//!
//! Groups make the step cheap: the possible edges of the next vertex, and the choices that can be completed to a tour,
//! are determined once per group. A table then gives the successor of each state, if there are few ends. The successors
//! of a group are collected in an array with an entry and a mark per possible state, or in a list that is sorted
//! afterwards.
//!
//! In a graph whose edges stand for several [`Connections`], the weight of a state consists of two numbers, and every
//! transition multiplies it. A factor belongs to a transition between groups, so it is determined once per group, too.

use std::io;

use num_bigint::BigUint;

use crate::frontier::state::degrees::Degrees;
use crate::frontier::state::matching::WideMatching;
use crate::frontier::state::numbering::Numbering;
use crate::frontier::state::polynomial::{Connections, Polynomial, Wide};
use crate::frontier::state::ranks::{TABLED, matchings, rank_bytes};
use crate::frontier::step::moves::{Choice, Move, choices};
use crate::frontier::step::shards::in_parallel;
use crate::frontier::step::transition::{Members, Transition};
use crate::frontier::store::stored::{Form, Head, Layer, Shard, groups, read_weights, write_ranks, write_weights};
use crate::frontier::store::usage::LayerError;

/// Threshold for storing the successors of a step in a list. A list is used if a group has more than this number of
/// possible states per generated successor; otherwise an array with an entry per possible state.
const SPARSE: u64 = 128;

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
    members: Members,
    /// Index of the weight of the group's first state in `Sources::weights`.
    first: usize,
}

/// Groups that have been read, with their states and weights.
#[derive(Default)]
struct Sources<const W: usize, const N: usize> {
    groups: Vec<Source>,
    ranks: Vec<u64>,
    weights: Vec<Polynomial<W, N>>,
}

impl<const W: usize, const N: usize> Sources<W, N> {
    fn clear(&mut self) {
        self.groups.clear();
        self.ranks.clear();
        self.weights.clear();
    }

    /// Reads a group.
    fn read(&mut self, head: Head, group: &[u8], numbering: &Numbering) {
        let (members, weights) = Members::read(head, group, numbering, &mut self.ranks);
        self.groups.push(Source { degrees: head.degrees, members, first: self.weights.len() });
        read_weights(weights, head.width, &mut self.weights);
    }

    /// Returns the weights of a group's states.
    fn weights(&self, source: &Source) -> &[Polynomial<W, N>] {
        &self.weights[source.first..][..source.members.states]
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
        let mut read = Sources::<32, 2>::default();
        read.read(self.head, self.bytes, self.numbering);
        let states = read.groups.iter().flat_map(|source| {
            let matchings = source.members.matchings(&read.ranks, self.numbering);
            matchings.zip(read.weights(source))
        });
        let numbers = |weight: &Polynomial<32, 2>| weight.0.map(BigUint::from);
        states.map(|(matching, weight)| (matching, numbers(weight))).collect()
    }
}

/// Applies a step to shards, and returns a layer from each thread. `states` is the number of states. The weights have N
/// numbers of W machine words.
pub(crate) fn layers<const W: usize, const N: usize>(
    step: &Transition<'_>,
    states: usize,
    shards: &mut (dyn Iterator<Item = Shard> + Send),
) -> Result<Vec<Layer>, LayerError> {
    in_parallel(
        shards,
        states,
        step.usage,
        || Worker::<W, N>::new(step),
        |worker, shard| {
            let processed = worker.shard(shard);
            processed.map_err(|error| step.usage.unread(error))
        },
        |worker| worker.out,
    )
}

/// Worker thread that processes shards in one step.
struct Worker<'a, const W: usize, const N: usize> {
    step: &'a Transition<'a>,
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
    list: Vec<(u64, Polynomial<W, N>)>,
    out: Layer,
}

impl<'a, const W: usize, const N: usize> Worker<'a, W, N> {
    fn new(step: &'a Transition<'a>) -> Self {
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
        let Transition { sweep, completable, t, .. } = *self.step;
        let step = sweep.step(t);
        let mut ways = std::mem::take(&mut self.ways);
        ways.clear();
        for (number, source) in (0..).zip(&self.sources.groups) {
            let degrees = source.degrees;
            choices(sweep, completable, t, degrees, |Choice { target, by, edges }| {
                ways.push(Way { target, source: number, by, factor: step.weight(edges) });
            });
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
        let ends = self.step.after.ends(target);
        let count = ends.count_ones() as usize;
        let (step, sources) = (self.step, &self.sources);
        let states_of = |way: &Way| sources.groups[way.source as usize].members.states;
        let children: usize = ways.iter().map(states_of).sum();
        step.usage.generated(children as u64);
        let possible = matchings(count);
        let is_dense = count <= TABLED && possible <= SPARSE * children as u64;
        let (dense, list) = (&mut self.dense, &mut self.list);
        if is_dense {
            dense.begin(possible as usize);
        }
        list.clear();
        for &Way { source, by, factor, .. } in ways {
            let source = &sources.groups[source as usize];
            let (of, ranks, weights) = (source.members, &sources.ranks, sources.weights(source));
            if is_dense {
                step.each_rank(of, ranks, by, ends, |state, rank| {
                    dense.add(rank as u32, weights[state].times(factor));
                });
            } else {
                step.each_rank(of, ranks, by, ends, |state, rank| {
                    list.push((rank, weights[state].times(factor)));
                });
            }
        }
        if is_dense {
            let mut dense = std::mem::take(&mut self.dense);
            self.emit_dense(target, ends, &mut dense);
            self.dense = dense;
        } else {
            let mut list = std::mem::take(&mut self.list);
            self.emit_list(target, ends, &mut list);
            self.list = list;
        }
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
                mirrored.add(if is_own_image { to.min(rank) } else { to }, weight);
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
        let mut all = Wide::ZERO;
        let mut ranks = Vec::new();
        let marks = std::mem::take(&mut dense.marks);
        for rank in set_bits(&marks) {
            let weight = std::mem::replace(&mut dense.weights[rank as usize], Polynomial::ZERO);
            let weight = weight.modulo(self.step.modulus);
            all.insert(weight.all_bits());
            chosen.push(weight);
            if is_sparse {
                ranks.push(rank.into());
            }
        }
        let head = Head {
            degrees,
            states: chosen.len() as u32,
            form: if is_sparse { Form::Ranks } else { Form::Bits },
            numbers: N,
            width: all.bytes().max(1),
            statistic: None,
        };
        self.step.put(head, all.bits(), &mut self.out, |room| {
            if is_sparse {
                write_ranks(ranks.iter().copied(), count, room);
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

    /// Stores a target group with the states in `list`, which are ranks and weights. If the mirror image of the group has
    /// the lesser degree vector, stores the mirror image instead.
    fn emit_list(&mut self, degrees: Degrees, ends: u32, list: &mut Vec<(u64, Polynomial<W, N>)>) {
        let ranks = list.iter_mut().map(|(rank, _)| rank);
        let degrees = self.step.mirrored(degrees, ends, ranks);
        list.sort_unstable_by_key(|&(rank, _)| rank);
        list.dedup_by(|(rank, weight), (kept, sum)| {
            let is_same = rank == kept;
            if is_same {
                sum.add_bounded(*weight);
            }
            is_same
        });
        let mut all = Wide::ZERO;
        for (_, weight) in list.iter_mut() {
            *weight = weight.modulo(self.step.modulus);
            all.insert(weight.all_bits());
        }
        let head = Head {
            degrees,
            states: list.len() as u32,
            form: Form::Ranks,
            numbers: N,
            width: all.bytes().max(1),
            statistic: None,
        };
        self.step.put(head, all.bits(), &mut self.out, |room| {
            write_ranks(list.iter().map(|&(rank, _)| rank), head.ends(), room);
            write_weights(list.iter().map(|&(_, weight)| weight), head.width, room);
        });
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
