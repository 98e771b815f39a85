//! Counting of tours of a graph, models of a formula, and placements of queens; and the givens of a puzzle, which has
//! one solution.

#![forbid(unsafe_code)]
#![allow(missing_docs, reason = "internal crate: self-explanatory names need no docs")]

pub mod diagrams;
pub mod enumerate;
pub mod extensions;
pub mod frontier;
pub mod givens;
mod modular;
pub mod not_counted;
pub mod parts;
pub mod projected;
pub mod queens;
mod rest;
pub mod statistic;
pub mod subsets;
pub mod symmetric;
mod threads;
pub mod timeslice;
pub mod transfer;
pub mod treewidth;

use chacha20::rand_core::Rng;
use num_bigint::BigUint;

/// Draws a uniformly random number below `count`. Returns `None` if `count` is 0.
pub fn random_below(count: &BigUint, random: &mut impl Rng) -> Option<BigUint> {
    // Rejection sampling: draw numbers with as many bits as the count until one is below the count. On average, this
    // takes at most two draws.
    let mut bytes = vec![0; count.bits().div_ceil(8) as usize];
    loop {
        random.fill_bytes(&mut bytes);
        let excess = 8 * bytes.len() as u64 - count.bits();
        *bytes.last_mut()? >>= excess;
        let number = BigUint::from_bytes_le(&bytes);
        if number < *count {
            return Some(number);
        }
    }
}
