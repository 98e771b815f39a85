//! Position in a sweep of an exact count, and the step to the next layer. A layer holds the states after the first t
//! vertices, [packed into bytes](crate::frontier::store::stored).
//!
//! A step changes the degrees of only a few slots (positions of frontier vertices). Groups that agree on all other
//! slots are independent of the other groups: no successor has predecessors both inside and outside. Therefore groups
//! are distributed to [shards](super::shards) by the degrees that the next step leaves unchanged, and any number of
//! threads process the shards without locks. The memory of a shard is freed when it has been processed. The assignment
//! of shards to threads does not affect any result. Blocks of groups that do not fit into memory are on
//! [disk](crate::frontier::store::scratch).
//!
//! If the set of vertices swept so far is its own mirror image, a state and its mirror image lead to the same number of
//! cycles. Then the smaller of the two represents both. A layer may have two groups with the same degrees, one of which
//! is a mirror image.

use std::cmp::Reverse;
use std::io::{self, Read, Write};
use std::num::NonZero;

use num_bigint::BigUint;

use crate::frontier::state::polynomial::MOST_WORDS;
use crate::frontier::state::{Arrivals, Completable, Connections, Numbering, Sums, Tables};
use crate::frontier::step::packed::{self, Group};
use crate::frontier::step::transition::Transition;
use crate::frontier::store::stored::{groups, number};
use crate::frontier::store::{Layer, LayerError, Scratch, Shard, Usage};
use crate::frontier::sweep::{Sweep, Weights};

/// Upper bound on the number of bits by which the largest number in a weight grows in a step. A state has fewer than
/// 2^12 predecessors: if m of 32 frontier vertices have two edges, the step joined one of C(m, 2) pairs of them to one of
/// (32 − m)/2 paths, in two ways. Other moves have fewer. Mirror images double the weight twice. In a sweep with a
/// statistic, classes of first edges that are merged come in addition.
const GROWTH: u32 = 16;

/// Returns an upper bound on the number of bits by which the largest number in a weight grows in step t.
pub(crate) fn growth(sweep: &Sweep, t: usize) -> u32 {
    match sweep.weights() {
        Weights::Numbers => GROWTH,
        Weights::Connections => GROWTH + Connections::GROWTH,
        Weights::Statistic => GROWTH + sweep.step(t).corners.growth,
    }
}

/// Maximum number of bits of a number in a weight.
pub(crate) const MOST_BITS: usize = MOST_WORDS * 64 - (GROWTH + Connections::GROWTH) as usize;

/// Function that applies a step to shards, and returns a layer from each thread. `states` is the number of states, and
/// `words` that of machine words of a number in a weight.
type Layers = fn(
    step: &Transition<'_>,
    words: usize,
    states: usize,
    shards: &mut (dyn Iterator<Item = Shard> + Send),
) -> Result<Vec<Layer>, LayerError>;

/// Sweep with everything that its steps need beside the states.
#[derive(Clone, Copy)]
pub(crate) struct Along<'a> {
    pub(crate) sweep: &'a Sweep,
    pub(crate) completable: &'a Completable,
    pub(crate) tables: &'a Tables,
    /// Modulus of the numbers in weights; see [`residues`](crate::frontier::state::residues). `None` for exact
    /// numbers.
    pub(crate) modulus: Option<NonZero<u64>>,
}

/// Position in a sweep: the states that have not passed step t yet, and the states that have passed it. A sweep only
/// pauses between shards, so a position can be stored at every pause.
#[derive(Clone)]
pub(crate) struct Position {
    t: usize,
    /// Layer after t vertices, without the shards that have passed step t.
    before: Layer,
    /// Part of the layer after t + 1 vertices.
    after: Layer,
}

impl Position {
    /// Returns the position before step t, at which no state of `layer` has passed this step.
    fn before(t: usize, layer: Layer) -> Self {
        Self { t, before: layer, after: Layer::empty() }
    }

    /// Returns the position before the first vertex of a sweep.
    pub(crate) fn first(sweep: &Sweep, usage: &Usage) -> Self {
        Self::before(0, Layer::first(sweep, usage))
    }

    /// Returns the number of vertices that all states have passed.
    pub(crate) fn t(&self) -> usize {
        self.t
    }

    /// Returns the number of states of the layer after t vertices.
    pub(crate) fn states(&self) -> usize {
        self.before.states
    }

    /// Returns the number of bytes that the groups take in memory.
    pub(crate) fn in_memory(&self) -> u64 {
        self.before.in_memory() + self.after.in_memory()
    }

    /// Returns the coefficients of the sum of all weights. At the end of a sweep without a statistic, the first is the
    /// number of Hamiltonian cycles with an even number of odd connections, and the second, if there is one, the number
    /// of those with an odd number. With a statistic, coefficient s is the number of cycles with the value s.
    pub(crate) fn sum(&self) -> io::Result<Vec<BigUint>> {
        self.before.sum()
    }

    /// Calls `visit` with each group of the layer after t vertices of `sweep`.
    pub(crate) fn for_each_group(&self, sweep: &Sweep, visit: &mut dyn FnMut(Group<'_>)) -> io::Result<()> {
        let numbering = Numbering::new(sweep, self.t);
        for block in self.before.blocks() {
            for (head, bytes) in groups(&block.bytes()?) {
                visit(Group::new(head, bytes, &numbering));
            }
        }
        Ok(())
    }

    /// Returns the position in another sweep, `sweep`, which has the same first t steps. Copies the states that
    /// `completable` contains, and adds the bytes of the copy to `usage`.
    pub(crate) fn branch(&self, sweep: &Sweep, completable: &Completable, usage: &Usage) -> io::Result<Self> {
        let t = self.t;
        let copied = self.before.copied(sweep, completable, t, usage)?;
        Ok(Self::before(t, copied))
    }

    /// Returns the number of bytes that would be saved if each number in a weight had at most `bytes` bytes.
    pub(crate) fn saved_by(&self, bytes: usize) -> io::Result<u64> {
        let saved = [&self.before, &self.after].map(|layer| layer.saved_by(bytes));
        saved.into_iter().sum()
    }

    /// Replaces the numbers in all weights by their residues modulo `modulus`.
    pub(crate) fn reduce(&mut self, modulus: NonZero<u64>, usage: &Usage) -> io::Result<()> {
        self.before.reduce(modulus, usage)?;
        self.after.reduce(modulus, usage)
    }

    /// Returns the sums of the numbers in the weights by degree vector, multiplied by 2^−[`exponent`](Self::exponent) and
    /// rounded up: of the states that have not passed step t, and of those that have.
    pub(crate) fn sums_by_degrees(&self) -> io::Result<[Sums; 2]> {
        let exponent = self.exponent();
        Ok([self.before.sums_by_degrees(exponent)?, self.after.sums_by_degrees(exponent)?])
    }

    /// Returns e such that the sum of all weights, divided by 2^e, fits into a floating-point number.
    pub(crate) fn exponent(&self) -> u64 {
        u64::from(self.before.bits.max(self.after.bits)).saturating_sub(512)
    }

    /// Applies step t to the states that have not passed it yet. If there is a modulus, the numbers in the new weights are
    /// reduced. Returns true if all states have passed the step, and false if the function `is_due` returned true first.
    /// The position is also valid after an error, except [`LayerError::Unread`].
    pub(crate) fn advance(
        &mut self,
        along: Along<'_>,
        usage: &Usage,
        is_due: &(dyn Fn() -> bool + Sync),
    ) -> Result<bool, LayerError> {
        let sweep = along.sweep;
        let words = (self.before.bits + growth(sweep, self.t)).div_ceil(64).max(1) as usize;
        // Numbers of one word, and of two in most counts, are known to the compiler. Each further case takes a second to
        // compile.
        let layers: Layers = match (sweep.weights(), words) {
            (Weights::Numbers, 1) => packed::layers::<(), 1, 1>,
            (Weights::Numbers, 2) => packed::layers::<(), 2, 1>,
            (Weights::Numbers, 3..=MOST_WORDS) => packed::layers::<(), 0, 1>,
            (Weights::Statistic, 1) => packed::layers::<Arrivals, 1, 1>,
            (Weights::Statistic, 2..=MOST_WORDS) => packed::layers::<Arrivals, 0, 1>,
            (Weights::Connections, 1) => packed::layers::<(), 1, 2>,
            (Weights::Connections, 2..=MOST_WORDS) => packed::layers::<(), 0, 2>,
            _ => return Err(LayerError::Overflow),
        };
        self.advance_by(layers, words, along, usage, is_due)?;
        let is_done = self.before.shards.iter().all(|(_, shard)| shard.is_empty());
        if is_done {
            let after = std::mem::replace(&mut self.after, Layer::empty());
            *self = Self::before(self.t + 1, after);
        }
        Ok(is_done)
    }

    /// Applies step t like [`advance`](Self::advance), with the workers of `layers`.
    fn advance_by(
        &mut self,
        layers: Layers,
        words: usize,
        along: Along<'_>,
        usage: &Usage,
        is_due: &(dyn Fn() -> bool + Sync),
    ) -> Result<(), LayerError> {
        let Self { t, before, after } = self;
        let step = Transition {
            sweep: along.sweep,
            completable: along.completable,
            t: *t,
            tables: along.tables,
            modulus: along.modulus,
            usage,
            before: Numbering::new(along.sweep, *t),
            after: Numbering::new(along.sweep, *t + 1),
        };
        let mut checked = Ok(());
        let shards = before.shards.iter_mut().filter(|(_, shard)| !shard.is_empty());
        let mut shards: Vec<_> = shards.collect();
        // A long shard at the end would keep one thread busy after the others have finished.
        shards.sort_by_cached_key(|(number, shard)| (Reverse(shard.len()), *number));
        let mut shards = shards.into_iter().map(|(_, shard)| shard);
        let next = || {
            checked = usage.check();
            let goes_on = checked.is_ok() && !is_due();
            goes_on.then(|| shards.next().map(std::mem::take)).flatten()
        };
        let outs = layers(&step, words, before.states, &mut std::iter::from_fn(next))?;
        for out in outs {
            after.states += out.states;
            after.bits = after.bits.max(out.bits);
            for (shard, other) in out.shards {
                after.shard(shard).append(other, usage);
            }
        }
        checked
    }

    /// Writes the position to a file.
    pub(crate) fn write(&self, to: &mut dyn Write) -> io::Result<()> {
        to.write_all(&(self.t as u64).to_le_bytes())?;
        self.before.write(to)?;
        self.after.write(to)
    }

    /// Reads a position from a file that [`write`](Self::write) wrote.
    pub(crate) fn read(from: &mut dyn Read, scratch: Option<&Scratch>, left: &mut u64) -> io::Result<Self> {
        Ok(Self {
            t: number(from)? as usize,
            before: Layer::read(from, scratch, left)?,
            after: Layer::read(from, scratch, left)?,
        })
    }
}
