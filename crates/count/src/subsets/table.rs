//! Table of the numbers of paths F(A, v) and B(A, v), layer by layer. Layer l has the sets A of l groups.
//!
//! The sets of a layer are numbered in the order of their masks. The number of a set whose elements are e₁ < e₂ < … is
//! Σ C(eᵢ, i) (the combinatorial number system), so the numbers of the sets without one of the elements follow from two
//! sums. In a bipartite graph, a set has a number for the groups of each colour, and the groups of the first colour are
//! the lowest bits.
//!
//! The row of a set A has the numbers F(A, v) of the lanes v outside A. To compute it by (2), the numbers F(A ∖ u, u)
//! are read from the rows of |A| sets, one number each. Each of them is added to all lanes that u leads to at once.
//!
//! Layers have 32-bit numbers while the largest number times the number of terms of (2) fits, and 64-bit numbers after
//! that.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use hamcnf_graph::masks::{bits, low};

use super::groups::{Groups, MOST_GROUPS};
use super::number::{Number, add, row};
use super::walks::most_bits;
use super::{Expected, Options, ended, too_many};
use crate::not_counted::NotCounted;
use crate::threads;
use hamcnf_graph::budget::Stopped;

/// Number of sets between two checks of the budget.
const CHECK: usize = 1 << 12;
/// Number of sets of a layer from which threads share it.
const SHARED: usize = 1 << 13;

/// Binomial coefficients C(n, k), which are at most C(32, 16).
const BINOMIALS: [[usize; MOST_GROUPS as usize + 2]; MOST_GROUPS as usize + 1] = {
    let mut all = [[0; MOST_GROUPS as usize + 2]; MOST_GROUPS as usize + 1];
    let mut n = 0;
    while n < all.len() {
        all[n][0] = 1;
        let mut k = 1;
        while k <= n {
            all[n][k] = all[n - 1][k - 1] + all[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    all
};

fn binomial(n: u32, k: u32) -> usize {
    BINOMIALS[n as usize][k as usize]
}

/// Set of groups: for each colour, the mask of its groups, and the number of this mask among the masks of its size.
#[derive(Clone, Copy)]
struct Set {
    parts: [u64; 2],
    ranks: [usize; 2],
}

/// Numbers of groups of the colours, and of orientations.
#[derive(Clone, Copy)]
struct Shape {
    colours: [u32; 2],
    o: u32,
}

impl Shape {
    /// Returns the number of groups of each colour in the sets of layer l.
    fn sizes(self, l: u32) -> [u32; 2] {
        match self.colours {
            [_, 0] => [l, 0],
            _ => [l.div_ceil(2), l / 2],
        }
    }

    /// Returns the colour of the lanes to which the paths of layer l lead.
    fn colour(self, l: u32) -> usize {
        match self.colours {
            [_, 0] => 0,
            _ => l as usize % 2,
        }
    }

    /// Returns the number of lanes of the colour of layer l, and the lowest of them.
    fn lanes(self, l: u32) -> (u32, u32) {
        let colour = self.colour(l);
        let first = if colour == 0 { 0 } else { self.colours[0] * self.o };
        (self.colours[colour] * self.o, first)
    }

    /// Returns the numbers of masks of each colour in layer l.
    fn masks(self, l: u32) -> [usize; 2] {
        let sizes = self.sizes(l);
        [0, 1].map(|colour| binomial(self.colours[colour], sizes[colour]))
    }

    /// Returns the number of sets in layer l.
    fn sets(self, l: u32) -> usize {
        self.masks(l).iter().product()
    }

    /// Returns the number of numbers in the row of a set of layer l.
    fn row(self, l: u32) -> usize {
        let colour = self.colour(l);
        ((self.colours[colour] - self.sizes(l)[colour]) * self.o) as usize
    }

    /// Calls `each` with the sets of layer l in the range.
    fn for_sets<E>(self, l: u32, range: Range<usize>, mut each: impl FnMut(Set) -> Result<(), E>) -> Result<(), E> {
        let (sizes, [inner, _]) = (self.sizes(l), self.masks(l));
        let mut ranks = [range.start % inner, range.start / inner];
        let mut parts = [0, 1].map(|colour| subset(self.colours[colour], sizes[colour], ranks[colour]));
        for _ in range {
            each(Set { parts, ranks })?;
            ranks[0] += 1;
            if ranks[0] < inner {
                parts[0] = next(parts[0]);
            } else {
                parts = [low(sizes[0]), next(parts[1])];
                ranks = [0, ranks[1] + 1];
            }
        }
        Ok(())
    }

    /// Calls `each` for each lane of a set of layer l at which a path through the set can end: with the index of the
    /// lane among the lanes of its colour, and the index in layer l − 1 of the number of paths to it.
    #[inline(always)]
    fn for_ends(self, l: u32, set: &Set, mut each: impl FnMut(usize, usize)) {
        let (colour, [inner, _]) = (self.colour(l - 1), self.masks(l - 1));
        let (row, o) = (self.row(l - 1), self.o as usize);
        let mut after = 0;
        let mut i = 0;
        for e in bits(set.parts[colour]) {
            after += binomial(e, i);
            i += 1;
        }
        let mut before = 0;
        i = 0;
        for e in bits(set.parts[colour]) {
            after -= binomial(e, i);
            let rank = before + after;
            before += binomial(e, i + 1);
            let set = match colour {
                0 => set.ranks[1] * inner + rank,
                _ => rank * inner + set.ranks[0],
            };
            // Groups of the set below this one have no lanes in the row.
            let at = set * row + (e - i) as usize * o;
            for r in 0..o {
                each(e as usize * o + r, at + r);
            }
            i += 1;
        }
    }
}

/// Returns the mask with k of the n lowest bits that has this number.
fn subset(n: u32, k: u32, mut rank: usize) -> u64 {
    let mut mask = 0;
    let mut k = k;
    for e in (0..n).rev() {
        if k > 0 && rank >= binomial(e, k) {
            rank -= binomial(e, k);
            mask |= 1 << e;
            k -= 1;
        }
    }
    mask
}

/// Returns the next mask with as many bits (Gosper).
fn next(mask: u64) -> u64 {
    let lowest = mask & mask.wrapping_neg();
    let ripple = mask.wrapping_add(lowest);
    match lowest {
        0 => 0,
        _ => ripple | (((mask ^ ripple) >> 2) / lowest),
    }
}

/// Numbers of a layer, row by row.
enum Numbers {
    Narrow(Vec<u32>),
    Wide(Vec<u64>),
}

impl Numbers {
    fn bytes(&self) -> u64 {
        match self {
            Self::Narrow(numbers) => 4 * numbers.len() as u64,
            Self::Wide(numbers) => 8 * numbers.len() as u64,
        }
    }

    #[inline(always)]
    fn at(&self, index: usize) -> u64 {
        match self {
            Self::Narrow(numbers) => numbers[index].into(),
            Self::Wide(numbers) => numbers[index],
        }
    }
}

struct Layer {
    numbers: Numbers,
    /// Bound on the numbers.
    most: u64,
}

/// Work that threads share, and its limits.
struct Work<'a> {
    options: &'a Options,
    /// Number of sets to be done, and of those that are done.
    sets: u64,
    done: AtomicU64,
    is_over: AtomicBool,
}

impl Work<'_> {
    fn percent(&self) -> u64 {
        100 * self.done.load(Ordering::Relaxed) / self.sets.max(1)
    }

    /// Counts sets. Returns an error if the budget is over.
    fn check(&self) -> Result<(), Stopped> {
        let over = self.options.budget.over();
        self.done.fetch_add(CHECK as u64, Ordering::Relaxed);
        match over {
            Some(why) => {
                self.is_over.store(true, Ordering::Relaxed);
                Err(why)
            }
            None if self.is_over.load(Ordering::Relaxed) => Err(Stopped::Time),
            None => Ok(()),
        }
    }

    /// Splits a number of sets into ranges for the threads.
    fn ranges(&self, sets: usize) -> Vec<Range<usize>> {
        let threads = if sets < SHARED { 1 } else { self.options.threads.max(1) };
        let each = sets.div_ceil(threads).max(1);
        let starts = (0..sets).step_by(each);
        starts.map(|from| from..sets.min(from + each)).collect()
    }
}

/// Direction of the paths: along the arcs for F, against them for B.
struct Paths<'a> {
    shape: Shape,
    /// Indexed by lane: the mask of the lanes that follow.
    next: &'a [u64],
    /// Mask of the lanes that follow the first group.
    first: u64,
}

/// Calls a function with the number of lanes in a row of sums as its last generic argument.
macro_rules! by_width {
    ($lanes:expr, $function:ident::<$($number:ty),*>($($argument:expr),* $(,)?)) => {
        match $lanes {
            0..=16 => $function::<$($number,)* 16>($($argument),*),
            17..=24 => $function::<$($number,)* 24>($($argument),*),
            25..=32 => $function::<$($number,)* 32>($($argument),*),
            _ => $function::<$($number,)* 64>($($argument),*),
        }
    };
}

impl Paths<'_> {
    /// Returns layer 0, by (1).
    fn begin(&self) -> Layer {
        let (lanes, _) = self.shape.lanes(0);
        let numbers = (0..lanes).map(|lane| (self.first >> lane & 1) as u32);
        Layer { numbers: Numbers::Narrow(numbers.collect()), most: 1 }
    }

    /// Returns rows of ones for the lanes of layer l that follow the lanes of layer l − 1.
    fn rows<T: Number, const W: usize>(&self, l: u32) -> Vec<[T; W]> {
        let ((ends, at), (lanes, to)) = (self.shape.lanes(l - 1), self.shape.lanes(l));
        let masks = (at..at + ends).map(|lane| self.next[lane as usize] >> to & low(lanes));
        masks.map(row).collect()
    }

    /// Returns a bound on the sums of layer l, or an error if it does not fit into 64 bits.
    fn most(&self, l: u32, before: &Layer) -> Result<u64, NotCounted> {
        let terms = self.shape.sizes(l)[self.shape.colour(l - 1)] * self.shape.o;
        let most = before.most.checked_mul(terms.into());
        most.ok_or_else(too_many)
    }

    /// Computes layer l from layer l − 1, by (2).
    fn layer(&self, l: u32, before: &Layer, work: &Work<'_>) -> Result<Layer, Stopped> {
        let most = self.most(l, before).map_err(|_| Stopped::GaveUp)?;
        let (lanes, _) = self.shape.lanes(l);
        let length = self.shape.sets(l) * self.shape.row(l);
        let is_wide = most > u32::MAX.into();
        let (numbers, most) = match &before.numbers {
            Numbers::Narrow(before) if !is_wide => {
                let mut numbers = vec![0; length];
                let most = by_width!(lanes, fill::<u32, u32>(self, l, before, &mut numbers, work))?;
                (Numbers::Narrow(numbers), most)
            }
            Numbers::Narrow(before) => {
                let mut numbers = vec![0; length];
                let most = by_width!(lanes, fill::<u32, u64>(self, l, before, &mut numbers, work))?;
                (Numbers::Wide(numbers), most)
            }
            Numbers::Wide(before) => {
                let mut numbers = vec![0; length];
                let most = by_width!(lanes, fill::<u64, u64>(self, l, before, &mut numbers, work))?;
                (Numbers::Wide(numbers), most)
            }
        };
        Ok(Layer { numbers, most })
    }
}

/// Fills the rows of layer l. Returns a bound on its numbers.
fn fill<T: Number + Into<U>, U: Number + Into<u64>, const W: usize>(
    paths: &Paths<'_>,
    l: u32,
    before: &[T],
    numbers: &mut [U],
    work: &Work<'_>,
) -> Result<u64, Stopped> {
    let (shape, rows) = (paths.shape, &paths.rows::<U, W>(l));
    let (length, colour, o) = (shape.row(l).max(1), shape.colour(l), shape.o as usize);
    let all = low(shape.colours[colour]);
    let ranges = work.ranges(shape.sets(l));
    let part = |range: Range<usize>, numbers: &mut [U]| {
        let (mut any, mut done) = (U::default(), 0);
        let mut numbers = numbers.chunks_exact_mut(length);
        shape.for_sets(l, range, |set| {
            done += 1;
            if done % CHECK == 0 {
                work.check()?;
            }
            let sum = sums::<T, U, W>(shape, l, &set, before, rows);
            let Some(out) = numbers.next() else {
                return Ok(());
            };
            let mut out = out.iter_mut();
            for e in bits(all & !set.parts[colour]) {
                for r in 0..o {
                    let number = sum[(e as usize * o + r) % W];
                    any = any.or(number);
                    if let Some(out) = out.next() {
                        *out = number;
                    }
                }
            }
            Ok(())
        })?;
        Ok(any)
    };
    let rows_each = ranges.first().map_or(1, ExactSizeIterator::len).max(1);
    let parts = ranges.into_iter().zip(numbers.chunks_mut(rows_each * length)).collect();
    let each = threads::each(parts, &|(range, numbers)| part(range, numbers));
    let any = each.into_iter().try_fold(U::default(), |any, part| Ok(any.or(part?)))?;
    // All bits of the numbers together are no less than the largest number.
    Ok(any.into())
}

/// Returns the sums of (2) for a set of layer l.
#[inline(always)]
fn sums<T: Number + Into<U>, U: Number, const W: usize>(
    shape: Shape,
    l: u32,
    set: &Set,
    before: &[T],
    rows: &[[U; W]],
) -> [U; W] {
    let mut sum = [U::default(); W];
    shape.for_ends(l, set, |lane, index| {
        let number = before[index];
        if number != T::default() {
            add(&mut sum, number.into(), &rows[lane]);
        }
    });
    sum
}

/// Sum (3), or twice half of it if F = B.
struct Join<'a> {
    backward: Paths<'a>,
    /// Layer i of F, and layer j − 1 of B.
    forward: &'a Layer,
    before: &'a Layer,
    i: u32,
    j: u32,
    /// Number of sets of layer j, only the first of which have to be joined if F = B: those without the last group.
    sets: usize,
    /// Index, among the lanes of its colour, of a lane whose terms count once while others count twice.
    once: Option<usize>,
    work: &'a Work<'a>,
}

impl Join<'_> {
    /// Returns twice the sum.
    fn twice(&self) -> Result<u128, Stopped> {
        let most = self.backward.most(self.j, self.before);
        let most = most.map_err(|_| Stopped::GaveUp)?;
        let (lanes, _) = self.backward.shape.lanes(self.j);
        match &self.before.numbers {
            Numbers::Narrow(before) if most <= u32::MAX.into() => {
                by_width!(lanes, joined::<u32, u32>(self, before))
            }
            Numbers::Narrow(before) => by_width!(lanes, joined::<u32, u64>(self, before)),
            Numbers::Wide(before) => by_width!(lanes, joined::<u64, u64>(self, before)),
        }
    }
}

/// Returns twice the sum of a join. The rows of layer j of B are used and not kept.
fn joined<T: Number + Into<U>, U: Number + Into<u64>, const W: usize>(
    join: &Join<'_>,
    before: &[T],
) -> Result<u128, Stopped> {
    let shape = join.backward.shape;
    let rows = &join.backward.rows::<U, W>(join.j);
    let (all, masks) = (shape.colours.map(low), shape.masks(join.j));
    let part = |range: Range<usize>| {
        let (mut total, mut done) = (0u128, 0);
        shape.for_sets(join.j, range, |set| {
            done += 1;
            if done % CHECK == 0 {
                join.work.check()?;
            }
            let sum = sums::<T, U, W>(shape, join.j, &set, before, rows);
            let others = Set {
                parts: [0, 1].map(|colour| all[colour] & !set.parts[colour]),
                // Masks and their complements are in opposite orders.
                ranks: [0, 1].map(|colour| masks[colour] - 1 - set.ranks[colour]),
            };
            shape.for_ends(join.i + 1, &others, |lane, index| {
                let to: u64 = sum[lane % W].into();
                let times = if join.once == Some(lane) { 1 } else { 2 };
                total += times * u128::from(to) * u128::from(join.forward.numbers.at(index));
            });
            Ok(())
        })?;
        Ok(total)
    };
    threads::each(join.work.ranges(join.sets), &part).into_iter().sum()
}

/// Layers that a count needs: layer `i` of F, and the layers of B before layer `j`.
fn layers(m: u32) -> (u32, u32) {
    let j = m / 2;
    (m - 1 - j, j)
}

/// Returns the number of cycles, and the largest number of bytes of the layers in memory at one time. There must be one
/// group besides the first.
pub(super) fn cycles(
    groups: &Groups,
    options: &Options,
    progress: &mut dyn FnMut(u64),
) -> Result<(u128, u64), NotCounted> {
    // The sum is twice the number of cycles, or four times if each is found in both directions.
    if most_bits(groups) + 2.0 > u128::BITS.into() {
        return Err(too_many());
    }
    let work = Work { options, sets: sets(groups), done: AtomicU64::new(0), is_over: AtomicBool::new(false) };
    let mut peak = 0;
    let mut total = 0;
    for &(first, last) in &groups.ends {
        let twice = twice_from(groups, first, last, &work, &mut peak, progress);
        total += twice.map_err(|error| match error {
            Stopped::GaveUp => too_many(),
            why => ended(why, work.percent()),
        })?;
    }
    total /= 2;
    Ok((if groups.is_doubled { total / 2 } else { total }, peak))
}

/// Returns twice the number of cycles that go from the first group to a lane of `first`, and from a lane of `last`
/// back.
fn twice_from(
    groups: &Groups,
    first: u64,
    last: u64,
    work: &Work<'_>,
    peak: &mut u64,
    progress: &mut dyn FnMut(u64),
) -> Result<u128, Stopped> {
    let shape = Shape { colours: groups.colours, o: groups.o };
    if groups.m == 1 {
        return Ok(2 * u128::from((first & last).count_ones()));
    }
    let (i, j) = layers(groups.m);
    let forward = Paths { shape, next: &groups.next, first };
    let reversed: Vec<u64> = (0..groups.next.len() as u32)
        .map(|lane| {
            let from = (0..).zip(&groups.next);
            let from = from.filter(|(_, next)| **next >> lane & 1 == 1);
            from.fold(0, |mask, (from, _): (u32, _)| mask | 1 << from)
        })
        .collect();
    let backward = Paths { shape, next: &reversed, first: last };
    // Layers up to `to`, of which the last two are kept.
    let mut layers = |paths: &Paths<'_>, to: u32, kept: u64| {
        let mut last: [Option<Layer>; 2] = [None, Some(paths.begin())];
        for l in 1..=to {
            let [_, before] = last;
            let before = before.expect("layer 0 is there");
            let layer = paths.layer(l, &before, work)?;
            *peak = kept.saturating_add(before.numbers.bytes() + layer.numbers.bytes()).max(*peak);
            progress(work.percent());
            last = [Some(before), Some(layer)];
        }
        Ok::<_, Stopped>(last)
    };
    let [before, of_forward] = layers(&forward, i, 0)?;
    let of_forward = of_forward.expect("layer i is there");
    let is_odd = groups.m % 2 == 1;
    // If F = B, layer j − 1 of B is the layer before layer i, or this layer itself.
    let before = match (groups.is_symmetric, before) {
        (true, Some(before)) if is_odd => Some(before),
        (true, _) => None,
        (false, before) => {
            drop(before);
            let [_, last] = layers(&backward, j - 1, of_forward.numbers.bytes())?;
            last
        }
    };
    let mut sets = shape.sets(j);
    let mut once = None;
    if groups.is_symmetric {
        // The last group has the second colour if there is one.
        let colour = usize::from(shape.colours[1] > 0);
        let (n, size) = (shape.colours[colour] - 1, shape.sizes(j)[colour]);
        sets = sets / shape.masks(j)[colour] * binomial(n, size);
        let is_of_colour = shape.colour(j) == colour;
        once = (is_odd && is_of_colour).then_some(n as usize);
    }
    let join =
        Join { backward, forward: &of_forward, before: before.as_ref().unwrap_or(&of_forward), i, j, sets, once, work };
    let twice = join.twice()?;
    // Half of the sum stands for all cycles in one direction each.
    Ok(if groups.is_symmetric { 2 * twice } else { twice })
}

/// Returns the number of sets whose rows are computed.
fn sets(groups: &Groups) -> u64 {
    sizes(groups).map(|(_, sets, _)| sets as u64).sum()
}

/// Returns the layers whose rows are computed: their number l, their sets, and the numbers that are kept of a row.
fn sizes(groups: &Groups) -> impl Iterator<Item = (u32, usize, usize)> {
    let shape = Shape { colours: groups.colours, o: groups.o };
    let (i, j) = layers(groups.m);
    let times = groups.ends.len();
    let joined = if groups.is_symmetric { shape.sets(j) / 2 } else { shape.sets(j) };
    let of = move |l: u32| (l, times * shape.sets(l), shape.row(l));
    let backward = if groups.is_symmetric { 0 } else { j };
    (1..=i).map(of).chain((1..backward).map(of)).chain([(j, times * joined, 0)])
}

/// Seconds for a number that is read and added to a lane, for a lane of the sums that follow, and for a set; measured
/// on complete graphs of 16 to 26 vertices.
const SECONDS: [f64; 3] = [3.0e-9, 0.23e-9, 15e-9];

/// Returns the expected work of a count on one thread.
pub(super) fn expected(groups: &Groups) -> Expected {
    let shape = Shape { colours: groups.colours, o: groups.o };
    let [per_number, per_lane, per_set] = SECONDS;
    let seconds = sizes(groups).map(|(l, sets, _)| {
        let numbers = (shape.sizes(l)[shape.colour(l.max(1) - 1)] * shape.o) as f64;
        let (lanes, _) = shape.lanes(l);
        sets as f64 * (per_set + numbers * (per_number + per_lane * f64::from(lanes)))
    });
    // Numbers are below the product of the numbers of terms in the layers before.
    let bytes = |l: u32| {
        let terms = (1..=l).map(|l| (shape.sizes(l)[shape.colour(l - 1)] * shape.o) as f64);
        let width = if terms.product::<f64>() > f64::from(u32::MAX) { 8 } else { 4 };
        width * shape.sets(l) as u64 * shape.row(l) as u64
    };
    let (i, j) = layers(groups.m);
    let two = |l: u32| bytes(l) + if l > 0 { bytes(l - 1) } else { 0 };
    let backward = match groups.is_symmetric || j == 0 {
        true => 0,
        false => bytes(i) + two(j - 1),
    };
    Expected { seconds: seconds.sum(), bytes: two(i).max(backward) }
}
