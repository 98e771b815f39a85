//! Degree vectors of the frontier that can still be completed to a tour.
//!
//! A state's degree vector holds the number of edges that each frontier vertex has so far: 0, 1 or 2. A vector can be
//! completed if some choice of the remaining edges gives every vertex two edges. This property does not depend on the
//! matching of the ends of paths. Therefore a backward pass over the vertices decides the property for all 3^f vectors
//! of a frontier of f vertices before the count begins. The count never creates a state whose vector cannot be
//! completed. Without this pruning, most states in the second half of a board are dead ends.
//!
//! In addition, while some vertex still lacks an edge, a state must contain at least one path. If it contains none, a
//! cycle has closed too early.

use std::collections::HashSet;
use std::sync::Arc;

use crate::frontier::order::power;
use crate::frontier::state::Degrees;
use crate::frontier::state::vectors::{self, Backwards, Word256};
use crate::frontier::sweep::{Seat, Step, Sweep, Weights};
use hamcnf_graph::budget::Budget;

/// Maximum number of vertices of one frontier for a backward pass.
const WIDEST: usize = 19;

/// Number of degree vectors, summed over all frontiers, up to which exact sets are always computed. This takes about a
/// second.
const MANY: f64 = 1e9;

/// Ratio of the vectors that exact sets consider to those that rough bounds allow, above which rough bounds are better.
/// Measured on random cubic graphs of 120 to 140 vertices, where this ratio is 1500 to 2200: a count takes 0.6 times as
/// long with rough bounds, with 1.3 to 1.7 times as many states.
const SPARSE: f64 = 256.0;

/// Number of bytes that exact sets may use under every memory limit, even the lowest. The rest of the program uses
/// about the same amount.
const LEAST: u64 = 16 << 20;

/// Degree vectors that a state may have after each step of a sweep.
pub(crate) enum Completable {
    /// Exact sets: entry t − `from` holds the degree vectors that can be completed after t vertices.
    Exactly { from: usize, sets: Vec<VectorSet> },
    /// Bounds for a frontier that is too wide for exact sets. They only consider the number of edges that each vertex
    /// can still get. Entry t − `from` holds two masks of slots (positions of frontier vertices): after t vertices, the
    /// vertices of the first mask must have two edges, and the vertices of the second mask at least one.
    Roughly { from: usize, needs: Vec<(u64, u64)> },
    /// No information, so no state is dropped.
    Unknown,
}

/// Completable degree vectors of several sweeps that begin with the same steps.
pub(crate) struct Several {
    /// Degree vectors for the last sweep. Each can be completed in the last sweep, or in a sweep that branches off
    /// later.
    pub(crate) common: Completable,
    /// One entry for each sweep except the last: its completable degree vectors after it branches off.
    pub(crate) endings: Vec<Completable>,
}

impl Several {
    /// Computes the completable degree vectors of several sweeps, for the layers of the last sweep from `from` on. Each
    /// sweep except the last has an entry in `branches`: the number of steps after which it branches off from the last
    /// sweep. Up to there, both have the same states. `memory` and `budget` are as for [`Completable::new`].
    pub(crate) fn new(
        sweeps: &[&Sweep],
        branches: &[usize],
        from: usize,
        memory: u64,
        threads: usize,
        budget: &Budget,
    ) -> Option<Self> {
        let (&last, others) = sweeps.split_last()?;
        // Sweeps with common steps have common sets.
        let separate = 1 + branches.iter().filter(|&&branch| branch == 0).count();
        let fits = |sweep: &&Sweep| Completable::fits(sweep, memory / separate as u64);
        if !sweeps.iter().all(fits) {
            let mut common = Completable::roughly(last, 0);
            let others = others.iter().zip(branches);
            let endings = others.map(|(&sweep, &branch)| {
                common.allow(&Completable::roughly(sweep, 0), branch);
                Completable::roughly(sweep, branch)
            });
            let endings = endings.collect();
            return Some(Self { common, endings });
        }
        let mut endings: Vec<Completable> = Vec::new();
        let mut before: Option<(Vec<Pattern>, Vec<Bits>)> = None;
        for (&sweep, &branch) in others.iter().zip(branches) {
            // Boards of different lengths end in the same way.
            let patterns: Vec<_> = (branch..sweep.n()).map(|t| Pattern::new(sweep, t)).collect();
            let known = before.take().filter(|(other, _)| *other == patterns);
            let sets = match known {
                Some((_, sets)) => sets,
                None => backwards(sweep, branch, &[], threads, budget)?,
            };
            endings.push(Completable::exactly(sweep, branch, &sets));
            before = Some((patterns, sets));
        }
        let joins: Vec<_> =
            endings.iter().zip(branches).filter_map(|(ending, &branch)| Some((branch, ending.set(branch)?))).collect();
        let sets = backwards(last, from, &joins, threads, budget)?;
        let common = Completable::exactly(last, from, &sets);
        Some(Self { common, endings })
    }
}

impl Completable {
    /// Computes exact sets by a backward pass if the frontier is narrow enough and the sets fit into half of the memory
    /// (in bytes); otherwise computes rough bounds. Returns `None` if the deadline passes first.
    pub(crate) fn new(sweep: &Sweep, memory: u64, budget: &Budget) -> Option<Self> {
        Some(match Self::fits(sweep, memory) {
            true => Self::exactly(sweep, 0, &backwards(sweep, 0, &[], 1, budget)?),
            false => Self::roughly(sweep, 0),
        })
    }

    /// True if the frontier is narrow enough for exact sets, the sets fit into half of the memory (in bytes), and their
    /// computation is worth its time.
    fn fits(sweep: &Sweep, memory: u64) -> bool {
        let widest = (0..=sweep.n()).map(|t| sweep.frontier(t).len()).max();
        widest.is_some_and(|widest| widest <= WIDEST)
            && Self::bytes_of(sweep) <= (memory / 2).max(LEAST)
            && Self::pays(sweep)
    }

    /// True unless exact sets would contain few of the vectors that are considered, because rough bounds alone exclude
    /// nearly all of them. This holds for wide frontiers of cubic graphs.
    fn pays(sweep: &Sweep) -> bool {
        let layers = 0..=sweep.n();
        let considered: f64 = layers.clone().map(|t| power(sweep.frontier(t).len())).sum();
        let allowed = || {
            let roughly = Self::roughly(sweep, 0);
            let vectors = layers.map(|t| roughly.by_ends(sweep, t).into_iter().sum::<f64>());
            vectors.sum::<f64>()
        };
        considered < MANY || considered < SPARSE * allowed()
    }

    /// Computes rough bounds, which consider each vertex separately, for the layers from `from` on.
    pub(crate) fn roughly(sweep: &Sweep, from: usize) -> Self {
        let needs = |t: usize, edges: u32| {
            let frontier = sweep.frontier(t).iter();
            let slots = frontier.filter(move |seat| sweep.edges_left(t, seat.vertex) == edges).map(|seat| seat.slot);
            Degrees::mask(slots)
        };
        Self::Roughly { from, needs: (from..=sweep.n()).map(|t| (needs(t, 0), needs(t, 1))).collect() }
    }

    /// Returns exact sets for the layers from `from` on.
    fn exactly(sweep: &Sweep, from: usize, sets: &[Bits]) -> Self {
        let sets = sets.iter().zip(from..);
        Self::Exactly { from, sets: sets.map(|(bits, t)| VectorSet::new(bits, sweep, t)).collect() }
    }

    /// Weakens rough bounds on the layers up to `branch`, so that they allow all states that `other` allows. Both must
    /// begin at layer 0. Does nothing unless both are rough bounds.
    fn allow(&mut self, other: &Self, branch: usize) {
        if let (Self::Roughly { needs, .. }, Self::Roughly { needs: others, .. }) = (self, other) {
            let layers = needs.iter_mut().zip(others).take(branch + 1);
            for ((two, one), (other_two, other_one)) in layers {
                let any = (*two | *one) & (other_two | other_one);
                *two &= other_two;
                *one = any & !*two;
            }
        }
    }

    /// Returns the set of completable degree vectors after t vertices; `None` if there are no exact sets.
    fn set(&self, t: usize) -> Option<&VectorSet> {
        match self {
            Self::Exactly { from, sets } => sets.get(t.checked_sub(*from)?),
            Self::Roughly { .. } | Self::Unknown => None,
        }
    }

    /// Returns the number of bytes needed to compute exact sets, for frontiers with up to [`WIDEST`] vertices.
    fn bytes_of(sweep: &Sweep) -> u64 {
        let words = |t| vectors::words(sweep.frontier(t).len()) as u64;
        let widest = (0..=sweep.n()).map(words).max().unwrap_or(0);
        let sets: u64 = (0..=sweep.n()).map(words).sum();
        size_of::<Word256>() as u64 * (4 * widest + sets)
    }

    /// Returns the first layer whose degree vectors are known.
    pub(crate) fn first_layer(&self) -> usize {
        match self {
            Self::Exactly { from, .. } | Self::Roughly { from, .. } => *from,
            Self::Unknown => 0,
        }
    }

    /// Returns an upper bound on the number of states of one frontier. A degree vector with k ends of paths belongs to
    /// at most (k − 1)!! = 1·3·5⋯(k − 1) states, one for each matching of the ends. The bound is the sum over all
    /// vectors. In a sweep with a statistic, this is an estimate: if the first edge at each end has one of c classes,
    /// there are c^k times as many states, where c is the mean over all frontier vertices.
    pub(crate) fn most_states(&self, sweep: &Sweep) -> f64 {
        match self.largest() {
            Some(set) if sweep.weights() != Weights::Statistic => set.most_states(1.0),
            _ => (self.first_layer()..=sweep.n()).map(|t| self.most_states_after(sweep, t)).fold(0.0, f64::max),
        }
    }

    /// Returns an upper bound on the number of states after t vertices like [`most_states`](Self::most_states). Without
    /// exact sets, each frontier vertex is
    /// considered by itself: it has at most one edge to each of its neighbours before, and must get two edges in all. So
    /// a vertex of a cubic graph has only two possible degrees.
    pub(crate) fn most_states_after(&self, sweep: &Sweep, t: usize) -> f64 {
        let classes = sweep.mean_classes(t);
        if let Some(set) = self.set(t) {
            return set.most_states(classes);
        }
        let by_ends = self.by_ends(sweep, t);
        let even = (0..).zip(by_ends).step_by(2);
        let states = |(ends, vectors)| vectors * matchings(ends) * classes.powi(ends);
        even.map(states).sum()
    }

    /// Returns upper bounds on the numbers of degree vectors after t vertices, by their number of ends of paths. Each
    /// frontier vertex is considered by itself.
    fn by_ends(&self, sweep: &Sweep, t: usize) -> Vec<f64> {
        let is_pruned = !matches!(self, Self::Unknown);
        let mut by_ends = vec![1.0];
        for seat in sweep.frontier(t) {
            let (seen, left) = (sweep.edges_seen(t, seat.vertex), sweep.edges_left(t, seat.vertex));
            let is_possible = |degree: u32| degree <= seen && (!is_pruned || degree + left >= 2);
            let count = |degree| f64::from(u8::from(is_possible(degree)));
            let (one, others) = (count(1), count(0) + count(2));
            by_ends.push(0.0);
            for k in (0..by_ends.len()).rev() {
                let with_one = if k > 0 { by_ends[k - 1] * one } else { 0.0 };
                by_ends[k] = by_ends[k] * others + with_one;
            }
        }
        by_ends
    }

    /// Returns the largest of the exact sets; `None` if there are no exact sets.
    fn largest(&self) -> Option<&VectorSet> {
        match self {
            Self::Exactly { sets, .. } => sets.iter().max_by_key(|set| set.size()),
            Self::Roughly { .. } | Self::Unknown => None,
        }
    }

    /// Returns the number of bytes that the exact sets of several sweeps occupy. A set that several layers or sweeps
    /// share is counted once.
    pub(crate) fn bytes<'a>(all: impl IntoIterator<Item = &'a Self>) -> u64 {
        let sets = all.into_iter().flat_map(|completable| match completable {
            Self::Exactly { sets, .. } => sets.as_slice(),
            Self::Roughly { .. } | Self::Unknown => &[],
        });
        let sets = sets.map(|set| (set.bits.as_ptr(), set.bits.len()));
        let different: HashSet<_> = sets.collect();
        let words = different.iter().map(|(_, words)| words);
        words.map(|words| (words * size_of::<Word256>()) as u64).sum()
    }

    /// Frees the sets of the layers before layer t.
    pub(crate) fn forget(&mut self, t: usize) {
        if let Self::Exactly { from, sets } = self {
            for set in sets.iter_mut().take(t.saturating_sub(*from)) {
                set.bits = Bits::default();
            }
        }
    }

    /// True if a state with these degrees after t vertices may become a tour. Only the degrees are considered.
    #[inline]
    pub(crate) fn contains(&self, t: usize, degrees: Degrees) -> bool {
        match self {
            Self::Unknown => true,
            Self::Exactly { from, sets } => sets[t - from].contains(degrees),
            Self::Roughly { from, needs } => {
                let (two, one) = needs[t - from];
                let high = degrees.0 & !Degrees::LOW;
                let has_two = high | high >> 1;
                let has_one = degrees.0 & Degrees::LOW;
                let has_any = has_two | has_one | has_one << 1;
                two & !has_two == 0 && one & !has_any == 0
            }
        }
    }
}

/// Returns the number of ways to pair k ends of paths, (k − 1)!!, where k is `ends`.
fn matchings(ends: i32) -> f64 {
    (1..ends).step_by(2).map(f64::from).product()
}

/// Set of degree vectors. Layers with the same completable vectors share one array.
type Bits = Arc<[Word256]>;

/// Set of degree vectors of one frontier. The [digits](super::vectors) are the degrees. The vertex that comes next in
/// the sweep has the highest digit.
pub(crate) struct VectorSet {
    bits: Bits,
    /// Tables for computing the bit number of a vector, one for each group of four slots. Entry `byte` is the
    /// contribution of the four slots if `byte` contains their degrees, with two bits each.
    parts: Vec<[u32; 256]>,
}

impl VectorSet {
    /// Returns an upper bound on the number of states that have a vector of this set, if the first edge at each end of a
    /// path has one of `classes` classes.
    fn most_states(&self, classes: f64) -> f64 {
        let by_ends = (0..).zip(vectors::by_ones(&self.bits));
        by_ends.map(|(ends, vectors)| vectors as f64 * matchings(ends) * classes.powi(ends)).sum()
    }

    fn new(bits: &Bits, sweep: &Sweep, t: usize) -> Self {
        let frontier = sweep.frontier(t);
        let mut parts = vec![[0; 256]; sweep.slots().div_ceil(4)];
        for (digit, seat) in frontier.iter().rev().enumerate() {
            let place_value = vectors::place_value(digit) as u32;
            let part = &mut parts[seat.slot as usize / 4];
            for (byte, value) in part.iter_mut().enumerate() {
                *value += (byte >> (2 * (seat.slot % 4)) & 3) as u32 * place_value;
            }
        }
        Self { bits: Arc::clone(bits), parts }
    }

    fn size(&self) -> u32 {
        let words = self.bits.as_flattened().iter();
        words.map(|word| word.count_ones()).sum()
    }

    #[inline]
    fn contains(&self, degrees: Degrees) -> bool {
        let mut number = 0;
        for (k, part) in self.parts.iter().enumerate() {
            number += part[(degrees.0 >> (8 * k) & 255) as usize];
        }
        vectors::contains(&self.bits, number as usize)
    }
}

/// Properties of a step of a sweep. Together with the completable vectors after the step, they determine the
/// completable vectors before it.
#[derive(PartialEq, Eq)]
struct Pattern {
    /// Positions of the vertex's later neighbours on the frontier after the step.
    later: Vec<Option<usize>>,
    /// For each vertex of the frontier after the step, true if the vertex enters the frontier in this step.
    enters: Vec<bool>,
    /// True if the vertex of the step is on the frontier before the step.
    is_seen: bool,
    /// True if, before the step, every vertex is swept or on the frontier.
    is_all_seen: bool,
}

impl Pattern {
    fn new(sweep: &Sweep, t: usize) -> Self {
        let (frontier, earlier) = (sweep.frontier(t + 1), sweep.frontier(t));
        let Step { vertex, later, .. } = sweep.step(t);
        let place = |seat: &Seat| frontier.iter().position(|other| other == seat);
        Self {
            later: later.iter().map(place).collect(),
            enters: frontier.iter().map(|seat| !earlier.contains(seat)).collect(),
            is_seen: earlier.first().is_some_and(|seat| seat.vertex == *vertex),
            is_all_seen: sweep.unseen(t) == 0,
        }
    }
}

/// Computes the vectors that can be completed after t vertices, for every t from `from` to the number of vertices.
/// Entry t − `from` of the result holds them as bits. Each entry (t, set) of `joins` adds vectors that can be completed
/// in another sweep, which branches off after t vertices. Returns `None` if the deadline passes first.
fn backwards(
    sweep: &Sweep,
    from: usize,
    joins: &[(usize, &VectorSet)],
    threads: usize,
    budget: &Budget,
) -> Option<Vec<Bits>> {
    let n = sweep.n();
    let joined = |t: usize| -> Vec<&Bits> {
        let here = joins.iter().filter(|(at, _)| *at == t);
        here.map(|(_, set)| &set.bits).collect()
    };
    let patterns: Vec<_> = (from..n).map(|t| Pattern::new(sweep, t)).collect();
    // Entry k: the vectors after n − k vertices.
    let mut sets: Vec<Bits> = Vec::with_capacity(n + 1 - from);
    let mut backwards = Backwards::last(threads);
    // Number of steps after which the vectors repeat.
    let mut period: Option<usize> = None;
    for t in (from..=n).rev() {
        if budget.over().is_some() {
            return None;
        }
        let joined_here = joined(t);
        // The vectors of two layers are the same if those of the next layers are, and the steps are alike.
        if let Some(steps) = period {
            let later = t + steps;
            let same_joins = joined_here.iter().map(|bits| bits.as_ptr());
            let same_joins = same_joins.eq(joined(later).iter().map(|bits| bits.as_ptr()));
            if same_joins && patterns[t - from] == patterns[later - from] {
                sets.push(Arc::clone(&sets[n - later]));
                continue;
            }
            period = None;
            let digits = sweep.frontier(t + 1).len();
            let last = sets.last().map_or_else(Vec::new, |last| last.to_vec());
            backwards = Backwards::new(digits, last, threads);
        }
        if t < n {
            before(&mut backwards, sweep, t);
        }
        for bits in joined_here {
            backwards.add(bits);
        }
        let bits: Bits = backwards.none.as_slice().into();
        let repeated = (1..=LONGEST_PERIOD.min(n - t))
            .find(|&steps| bits.len() > 1 && sweep.unseen(t) > 0 && sets[n - t - steps] == bits);
        if let Some(steps) = repeated {
            period = Some(steps);
            sets.push(Arc::clone(&sets[n - t - steps]));
        } else {
            sets.push(bits);
        }
    }
    sets.reverse();
    Some(sets)
}

/// Maximum number of steps after which the completable vectors are expected to repeat. On a board, they repeat line by
/// line.
const LONGEST_PERIOD: usize = 32;

/// Computes the completable vectors after t vertices from the completable vectors after t + 1 vertices.
fn before(vectors: &mut Backwards, sweep: &Sweep, t: usize) {
    let Step { vertex, later, .. } = sweep.step(t);
    let (frontier, earlier) = (sweep.frontier(t + 1), sweep.frontier(t));
    let digit = |seat: &Seat| {
        let digit = frontier.iter().rev().position(|other| other == seat);
        digit.unwrap_or(0)
    };
    vectors.begin();
    for seat in later {
        vectors.with_edge(digit(seat));
    }
    // Vertices that enter the frontier in this step have no earlier edge. Their digits are removed from the highest on.
    for seat in frontier {
        if !earlier.contains(seat) {
            vectors.keep_where_zero(digit(seat));
        }
    }
    let has_digit = earlier.first().is_some_and(|seat| seat.vertex == *vertex);
    vectors.end(has_digit);
    if t > 0 {
        // In a vector without paths, a cycle has closed too early unless the tour is complete.
        vectors.forget_closed(sweep.unseen(t) == 0);
    }
}
