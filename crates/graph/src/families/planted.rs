//! Hidden structure that decides whether a random graph has a Hamiltonian cycle. The structure is either a cycle
//! through all vertices in random order, or an independent set that is too large for a Hamiltonian cycle.
//!
//! If k vertices are removed from a Hamiltonian cycle, at most k pieces of the cycle remain. If more than half of the
//! vertices are independent, removing the other vertices leaves more pieces than vertices were removed, so there is no
//! Hamiltonian cycle. The function `majority` draws a set of more than half of the vertices, and the generators leave
//! out the edges within this set.
//!
//! The random numbers for hidden structure come from another stream of the same seed. Everything else is therefore the
//! same as in the graph without hidden structure.
//!
//! # References
//!
//! - Andrei Broder, Alan Frieze, Eli Shamir: *Finding Hidden Hamiltonian Cycles*, Random Structures and Algorithms 5,
//!   1994.
//! - Václav Chvátal: *Tough Graphs and Hamiltonian Circuits*, Discrete Mathematics 5, 1973.

use super::*;

/// Least number of vertices of a graph with hidden structure.
const LEAST: u32 = 3;

/// Returns an error if the graph is too small to have a Hamiltonian cycle.
pub(super) fn fits(n: u32) -> Result<(), NoGraph> {
    match n < LEAST {
        true => Err(NoGraph(format!("with +planted or +no-cycle, the graph must have at least {LEAST} vertices"))),
        false => Ok(()),
    }
}

/// Returns the random number generator for hidden structure. Nothing else uses the same random stream of the seed.
pub(super) fn random(seed: u32) -> ChaCha8Rng {
    let mut random = relabel::generator(seed);
    random.set_stream(1);
    random
}

/// Returns the edges of a random cycle through all vertices. There must be at least three vertices.
pub(super) fn cycle(n: u32, random: &mut ChaCha8Rng) -> Vec<(u32, u32)> {
    let order = relabel::order(n, random);
    let next = order.iter().cycle().skip(1);
    order.iter().copied().zip(next.copied()).collect()
}

/// Returns a flag for each vertex, true if the vertex is in a random set. The set has one or two vertices more than its
/// complement.
pub(super) fn majority(n: u32, random: &mut ChaCha8Rng) -> Vec<bool> {
    let mut is_in = vec![false; n as usize];
    for v in relabel::order(n, random).into_iter().take(n as usize / 2 + 1) {
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
