//! Inclusion and exclusion over walks, equation (4) of the module documentation, in the memory of a few vectors.
//!
//! The numbers W(S) are computed modulo 2⁶⁴ if the number of cycles is below that, and otherwise modulo 2¹²⁸.
//!
//! In an undirected graph, the walks of m steps to vertices of S and back follow from walks of half the length: a walk
//! that has the vertex v in its middle is one of two walks from s to v, one of which is reversed.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use hamcnf_graph::masks::{bits, low};

use super::groups::Groups;
use super::number::{Number, add, row};
use super::{Expected, Options, ended, too_many};
use crate::not_counted::NotCounted;
use crate::threads;
use hamcnf_graph::budget::Stopped;

/// Number of sets between two checks of the budget.
const CHECK: u64 = 1 << 10;

/// Returns b such that the number of cycles, both directions of each, is below 2^b. The cycles are permutations, whose
/// number is at most Π (d!)^(1/d) for d arcs that leave a vertex (Brègman 1973); if groups have two orientations, it is
/// at most Π d.
pub(super) fn most_bits(groups: &Groups) -> f64 {
    let leaving = groups.next.chunks(groups.o as usize);
    let leaving = leaving.map(|lanes| lanes.iter().map(|next| next.count_ones()).sum());
    let first = groups.ends.iter().map(|(first, _)| first.count_ones()).sum();
    let bits = |d: u32| match groups.o {
        _ if d == 0 => 0.0,
        1 => (1..=d).map(|k| f64::from(k).log2()).sum::<f64>() / f64::from(d),
        _ => f64::from(d).log2(),
    };
    // More than the rounding error of the sum.
    0.1 + leaving.chain([first]).map(bits).sum::<f64>()
}

/// Returns the number of cycles.
pub(super) fn cycles(groups: &Groups, options: &Options, progress: &mut dyn FnMut(u64)) -> Result<u128, NotCounted> {
    let most = most_bits(groups);
    if most > u128::BITS.into() {
        return Err(too_many());
    }
    let lanes = groups.m * groups.o;
    let sum = match (most <= u64::BITS.into(), lanes) {
        (true, 0..=16) => sum::<u64, 16>(groups, options, progress),
        (true, 17..=24) => sum::<u64, 24>(groups, options, progress),
        (true, 25..=32) => sum::<u64, 32>(groups, options, progress),
        (true, _) => sum::<u64, 64>(groups, options, progress),
        (false, 0..=32) => sum::<u128, 32>(groups, options, progress),
        (false, _) => sum::<u128, 64>(groups, options, progress),
    }?;
    Ok(if groups.is_doubled { sum / 2 } else { sum })
}

/// Returns the sum (4), modulo a power of 2.
fn sum<T: Number, const W: usize>(
    groups: &Groups,
    options: &Options,
    progress: &mut dyn FnMut(u64),
) -> Result<u128, NotCounted> {
    let rows: &Vec<[T; W]> = &groups.next.iter().map(|&next| row(next)).collect();
    let sets = 1u64 << groups.m;
    let (next, done, is_over) = (AtomicU64::new(0), AtomicU64::new(0), AtomicBool::new(false));
    let percent = || 100 * done.load(Ordering::Relaxed) / sets;
    let chunks = || -> Result<T, Stopped> {
        let mut total = T::default();
        loop {
            let from = next.fetch_add(CHECK, Ordering::Relaxed);
            if from >= sets || is_over.load(Ordering::Relaxed) {
                return Ok(total);
            }
            if let Some(why) = options.budget.over() {
                is_over.store(true, Ordering::Relaxed);
                return Err(why);
            }
            for set in from..sets.min(from + CHECK) {
                let walks = walks(groups, set, rows);
                total = total.plus(match (groups.m - set.count_ones()) % 2 {
                    0 => walks,
                    _ => walks.times(T::ONES),
                });
            }
            done.fetch_add(CHECK, Ordering::Relaxed);
        }
    };
    let parts = threads::each(vec![(); options.threads], &|()| chunks());
    let total = parts.into_iter().try_fold(T::default(), |total, part| Ok(total.plus(part?)));
    progress(percent());
    total.map(T::wide).map_err(|why| ended(why, percent()))
}

/// Returns W(S): the number of closed walks from the first group that make m steps to lanes of a set, and return.
fn walks<T: Number, const W: usize>(groups: &Groups, set: u64, rows: &[[T; W]]) -> T {
    let lanes = match groups.o {
        1 => set,
        o => bits(set).fold(0, |lanes, g| lanes | low(o) << (o * g)),
    };
    let inside = row::<T, W>(lanes);
    let step = |from: &[T; W]| {
        let mut to = [T::default(); W];
        for lane in bits(lanes) {
            let lane = lane as usize % W;
            add(&mut to, from[lane], &rows[lane]);
        }
        std::array::from_fn(|lane| to[lane].and(inside[lane]))
    };
    let one = T::narrow(1);
    let begin = |first: u64| row::<T, W>(first & lanes).map(|ones| ones.and(one));
    let dot = |a: &[T; W], b: &[T; W]| {
        let products = a.iter().zip(b).map(|(a, b)| a.times(*b));
        products.fold(T::default(), T::plus)
    };
    let from = |first: u64, last: u64| {
        let mut walks = begin(first);
        if groups.is_symmetric {
            let half = groups.m.div_ceil(2);
            for _ in 1..half {
                walks = step(&walks);
            }
            return match groups.m % 2 {
                1 => dot(&walks, &walks),
                _ => dot(&walks, &step(&walks)),
            };
        }
        for _ in 1..groups.m {
            walks = step(&walks);
        }
        dot(&walks, &begin(last))
    };
    let all = groups.ends.iter().map(|&(first, last)| from(first, last));
    all.fold(T::default(), T::plus)
}

/// Seconds for a set and a step: for each lane of the set, and for each of these and each lane of the sums; measured on
/// complete graphs of 16 to 22 vertices.
const SECONDS: [f64; 2] = [1.0e-9, 0.25e-9];

/// Returns the expected work of a count on one thread.
pub(super) fn expected(groups: &Groups) -> Expected {
    let [per_row, per_lane] = SECONDS;
    let lanes = f64::from(groups.m * groups.o);
    let steps = f64::from(if groups.is_symmetric { groups.m / 2 } else { groups.m });
    let sets = 2f64.powi(groups.m as i32) * groups.ends.len() as f64;
    let is_long = most_bits(groups) > u64::BITS.into();
    let longer = if is_long { 4.0 } else { 1.0 };
    let seconds = sets * steps * lanes / 2.0 * (per_row + per_lane * lanes) * longer;
    Expected { seconds, bytes: 0 }
}
