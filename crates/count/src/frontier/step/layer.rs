//! A layer of a sweep, and the step to the next layer. A layer holds the states after the first t vertices.
//!
//! A state is a degree vector and a matching of the ends of paths; its weight is an estimate of the number of edge sets
//! that lead to the state. States with the same degree vector form a *group*. Groups make the step
//! cheap: the possible edges of the next vertex, and the choices that can be completed to a tour, are determined once
//! per group. Each state of the group then needs only a few operations on one machine word.
//!
//! A step changes the degrees of only a few slots (positions of frontier vertices). Groups that agree on all other
//! slots are independent of the other groups: no successor has predecessors both inside and outside. Therefore groups
//! are distributed to [shards](super::shards). Within a shard, all states that lead to a target group are merged in a
//! table that fits into the processor's cache; then the shard's memory is freed.
//!
//! If the set of vertices swept so far is its own mirror image, a state and its mirror image lead to the same number of
//! cycles. Then the smaller of the two represents both.

use crate::frontier::state::{Arrivals, Completable, Degrees, Matching};
use crate::frontier::step::moves::Move;
use crate::frontier::step::{Choice, SHARDS, choices, shard_of};
use crate::frontier::sweep::Sweep;
use hamcnf_graph::budget::{Budget, Stopped};

/// States with the same degree vector, with their weights.
#[derive(Clone)]
pub(crate) struct Group<M> {
    pub(crate) degrees: Degrees,
    /// True if the states were replaced by their mirror images. This flag orders groups with equal degrees.
    mirrored: bool,
    pub(crate) states: Box<[(M, f64)]>,
}

impl<M> Group<M> {
    fn bytes(&self) -> u64 {
        // The allocation of the states has a header of two words.
        (size_of::<Self>() + 16 + size_of_val(&*self.states)) as u64
    }
}

/// Layer of a sweep: the states after the first t vertices, where t is the number of the layer. They form groups, which
/// are distributed to shards.
#[derive(Clone)]
pub(crate) struct Layer<M> {
    pub(crate) shards: Vec<Vec<Group<M>>>,
}

impl<M: Matching> Layer<M> {
    /// Returns the layer before the first vertex: one state without edges.
    pub(crate) fn first() -> Self {
        let group = Group { degrees: Degrees::NONE, mirrored: false, states: Box::new([(M::NONE, 1.0)]) };
        Self { shards: vec![vec![group]] }
    }

    pub(crate) fn groups(&self) -> impl Iterator<Item = &Group<M>> {
        self.shards.iter().flatten()
    }

    pub(crate) fn states(&self) -> usize {
        self.groups().map(|group| group.states.len()).sum()
    }

    /// Returns the number of bytes that the groups occupy.
    pub(crate) fn bytes(&self) -> u64 {
        self.groups().map(Group::bytes).sum()
    }

    pub(crate) fn weights(&self) -> impl Iterator<Item = f64> {
        self.groups().flat_map(|group| group.states.iter().map(|&(_, weight)| weight))
    }

    /// Keeps only the states for whose weight `keep` returns true; `keep` may change the weight.
    pub(crate) fn retain(&mut self, mut keep: impl FnMut(&mut f64) -> bool) {
        for shard in &mut self.shards {
            shard.retain_mut(|group| {
                let mut states = std::mem::take(&mut group.states).into_vec();
                states.retain_mut(|(_, weight)| keep(weight));
                group.states = states.into();
                !group.states.is_empty()
            });
        }
    }
}

/// Transition from a source group to a target group by a move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Way {
    target: Degrees,
    source: u32,
    by: Move,
}

/// Applies step t to every state of `layer`, and returns the next layer.
pub(crate) fn advance<M: Matching>(
    sweep: &Sweep,
    completable: &Completable,
    t: usize,
    layer: Layer<M>,
    budget: &Budget,
) -> Result<Layer<M>, Stopped> {
    let shards = (0..SHARDS).map(|_| Vec::new()).collect();
    let mut worker = Worker {
        sweep,
        completable,
        t,
        table: Table::new(),
        choices: Vec::new(),
        ways: Vec::new(),
        out: Layer { shards },
    };
    for shard in layer.shards.into_iter().filter(|shard| !shard.is_empty()) {
        budget.check()?;
        worker.shard(shard);
    }
    Ok(worker.out)
}

/// Generator of the successors of shards in one step.
struct Worker<'a, M> {
    sweep: &'a Sweep,
    completable: &'a Completable,
    t: usize,
    table: Table<M>,
    /// Choices of the groups with the same degrees as the last group.
    choices: Vec<Choice>,
    ways: Vec<Way>,
    out: Layer<M>,
}

impl<M: Matching> Worker<'_, M> {
    /// Generates all successors of a shard's states.
    fn shard(&mut self, mut groups: Vec<Group<M>>) {
        groups.sort_unstable_by_key(|group| (group.degrees, group.mirrored));
        self.merge(&mut groups);
        let mut ways = std::mem::take(&mut self.ways);
        ways.clear();
        let mut last = None;
        for (source, group) in (0..).zip(&groups) {
            if last.replace(group.degrees) != Some(group.degrees) {
                self.choices.clear();
                let all = &mut self.choices;
                choices(self.sweep, self.completable, self.t, group.degrees, |choice| all.push(choice));
            }
            ways.extend(self.choices.iter().map(|choice| Way { target: choice.target, source, by: choice.by }));
        }
        ways.sort_unstable();
        for ways in ways.chunk_by(|a, b| a.target == b.target) {
            self.reach(ways, &groups);
        }
        self.ways = ways;
    }

    /// Merges groups with the same degrees into one group. Such groups only occur after mirroring.
    fn merge(&mut self, groups: &mut Vec<Group<M>>) {
        if self.sweep.mirror_names(self.t).is_none() {
            return;
        }
        groups.dedup_by(|second, first| {
            if first.degrees != second.degrees {
                return false;
            }
            self.table.begin(first.states.len() + second.states.len());
            for &(matching, weight) in first.states.iter().chain(&second.states) {
                self.table.add(matching, weight);
            }
            first.states = self.table.states.as_slice().into();
            true
        });
    }

    /// Builds the group that is the common target of the transitions `ways`.
    fn reach(&mut self, ways: &[Way], groups: &[Group<M>]) {
        let target = ways[0].target;
        let closes = !target.has_paths();
        let states_of = |way: &Way| &*groups[way.source as usize].states;
        let children = ways.iter().map(|way| states_of(way).len()).sum();
        let table = &mut self.table;
        table.begin(children);
        for way in ways {
            for &(matching, weight) in states_of(way) {
                if let Some(child) = way.by.apply(matching, closes) {
                    table.add(child, weight);
                }
            }
        }
        self.emit(target);
    }

    /// Stores the states in the table as a group with these degrees. If the mirror image of the group is smaller, stores
    /// the mirror image instead.
    fn emit(&mut self, mut degrees: Degrees) {
        if self.table.states.is_empty() {
            return;
        }
        let mut mirrored = false;
        if let Some(names) = self.sweep.mirror_names(self.t + 1) {
            let image = degrees.renamed(names);
            let renamed = |m: M| m.renamed(degrees.ends(), names);
            if image < degrees {
                for (matching, _) in &mut self.table.states {
                    *matching = renamed(*matching);
                }
                (degrees, mirrored) = (image, true);
            } else if image == degrees {
                let states = std::mem::take(&mut self.table.states);
                self.table.begin(states.len());
                for &(matching, weight) in &states {
                    self.table.add(matching.min(renamed(matching)), weight);
                }
            }
        }
        let group = Group { degrees, mirrored, states: self.table.states.as_slice().into() };
        let shard = shard_of(self.sweep, self.t + 1, degrees, Arrivals::NONE);
        self.out.shards[shard].push(group);
    }
}

/// Hash table with linear probing, which merges equal matchings. A nonzero entry of `places` is the 1-based index of a
/// matching in `states`.
struct Table<M> {
    places: Vec<u32>,
    shift: u32,
    states: Vec<(M, f64)>,
}

impl<M: Matching> Table<M> {
    fn new() -> Self {
        Self { places: Vec::new(), shift: 0, states: Vec::new() }
    }

    /// Clears the table and makes room for `most` matchings.
    fn begin(&mut self, most: usize) {
        let capacity = (2 * most).next_power_of_two().max(2);
        if self.places.len() < capacity {
            self.places.resize(capacity, 0);
        }
        self.places[..capacity].fill(0);
        self.shift = 64 - capacity.ilog2();
        self.states.clear();
    }

    /// Adds `weight` to the weight of a matching.
    #[inline]
    fn add(&mut self, matching: M, weight: f64) {
        let mask = usize::MAX >> self.shift;
        let mut at = (matching.spread() >> self.shift) as usize;
        loop {
            let place = &mut self.places[at & mask];
            if *place == 0 {
                self.states.push((matching, weight));
                *place = self.states.len() as u32;
                return;
            }
            let state = &mut self.states[*place as usize - 1];
            if state.0 == matching {
                state.1 += weight;
                return;
            }
            at += 1;
        }
    }
}
