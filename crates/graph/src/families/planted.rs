//! What is hidden in random graphs so that it is known whether they have a Hamiltonian cycle: a cycle through all vertices in a
//! random order, or a set of vertices that is too large for one.
//!
//! Without more than half of the vertices of a graph, a cycle through all would be in fewer pieces than the vertices
//! taken out: so a graph where more than half of the vertices are independent has none. Those are drawn here, and the edges
//! between them left out.
//!
//! The numbers come from another stream of the same seed, so that all else is as it is where nothing is hidden.
//!
//! # References
//!
//! - Andrei Broder, Alan Frieze, Eli Shamir: *Finding Hidden Hamiltonian Cycles*, Random Structures and Algorithms 5, 1994.
//! - Václav Chvátal: *Tough Graphs and Hamiltonian Circuits*, Discrete Mathematics 5, 1973.

use super::NoGraph;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

/// The fewest vertices of a graph in which something is hidden.
const LEAST: u32 = 3;

/// Refuses graphs that are too small to have a cycle.
pub(super) fn fits(n: u32) -> Result<(), NoGraph> {
    match n < LEAST {
        true => Err(NoGraph(format!(
            "what has a Hamiltonian cycle, or might have, has at least {LEAST} vertices"
        ))),
        false => Ok(()),
    }
}

/// The numbers for what is hidden.
pub(super) fn random(seed: u32) -> ChaCha8Rng {
    let mut random = ChaCha8Rng::seed_from_u64(u64::from(seed));
    random.set_stream(1);
    random
}

/// Puts things into a random order, as Fisher and Yates do.
pub(crate) fn shuffle<T>(things: &mut [T], random: &mut ChaCha8Rng) {
    for k in (1..things.len()).rev() {
        things.swap(k, (random.next_u64() % (k as u64 + 1)) as usize);
    }
}

/// The vertices in a random order.
pub(crate) fn order(n: u32, random: &mut ChaCha8Rng) -> Vec<u32> {
    let mut order: Vec<u32> = (0..n).collect();
    shuffle(&mut order, random);
    order
}

/// The edges of a cycle through all vertices, of which there are three at least.
pub(super) fn cycle(n: u32, random: &mut ChaCha8Rng) -> Vec<(u32, u32)> {
    let order = order(n, random);
    let next = order.iter().cycle().skip(1);
    order.iter().copied().zip(next.copied()).collect()
}

/// Vertices of which there are one or two more than others.
pub(super) fn majority(n: u32, random: &mut ChaCha8Rng) -> Vec<bool> {
    let mut is_in = vec![false; n as usize];
    for v in order(n, random).into_iter().take(n as usize / 2 + 1) {
        is_in[v as usize] = true;
    }
    is_in
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cycles_go_through_all_vertices_and_majorities_are_more_than_half() {
        for n in 3..30 {
            let edges = cycle(n, &mut random(n));
            let mut ends: Vec<_> = edges.iter().flat_map(|&(u, v)| [u, v]).collect();
            ends.sort_unstable();
            assert!((0..n).flat_map(|v| [v, v]).eq(ends));
            let is_in = majority(n, &mut random(n));
            let many = is_in.iter().filter(|&&is| is).count();
            assert!(many > is_in.len() - many && many <= is_in.len() / 2 + 1);
        }
        assert!(fits(3).is_ok() && fits(2).is_err());
    }
}
