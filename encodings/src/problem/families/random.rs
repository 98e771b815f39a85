//! Random graphs: `random:VERTICES:EDGES:SEED`, so many different edges, all sets of them equally likely.
//!
//! Around n (ln n + ln ln n)/2 edges a Hamiltonian cycle appears, together with the last vertex to have two neighbours.
//!
//! # References
//!
//! - Paul Erdős, Alfréd Rényi: *On Random Graphs I*, Publicationes Mathematicae 6, 1959.
//! - Jon Bentley, Robert Floyd: *A Sample of Brilliance*, Communications of the ACM 30, 1987.
//! - János Komlós, Endre Szemerédi: *Limit Distribution for the Existence of Hamiltonian Cycles in a Random Graph*, Discrete
//!   Mathematics 43, 1983.

use std::collections::BTreeSet;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

use super::{FamilyKind, numbers};
use crate::problem::graph::Graph;

/// Its words.
pub const FAMILY: FamilyKind = FamilyKind {
    name: "random",
    also: &["gnm"],
    form: "VERTICES:EDGES:SEED",
    alone: None,
    example: "random:40:90:1",
    says: "a random graph with so many edges",
    make: |words| numbers(words, |[n, m, seed]| random(n, m, seed)),
};

/// Past this the graph is no example any more.
pub(super) const MOST: u32 = 10_000_000;

pub(super) fn random(n: u32, m: u32, seed: u32) -> Result<Graph, String> {
    let pairs = pairs(n);
    if n == 0 || n > MOST || m > MOST || u64::from(m) > pairs {
        return Err(format!(
            "it has from 1 to {MOST} vertices and edges, and no more edges than pairs of vertices"
        ));
    }
    // Floyd's sample: of the first k + 1 pairs a random one, or the last where that is taken.
    let mut random = ChaCha8Rng::seed_from_u64(u64::from(seed));
    let mut chosen = BTreeSet::new();
    for last in pairs - u64::from(m)..pairs {
        let pair = random.next_u64() % (last + 1);
        if !chosen.insert(pair) {
            chosen.insert(last);
        }
    }
    let edges = chosen.into_iter().map(pair);
    Graph::from_edges(n, edges).map_err(|error| error.to_string())
}

/// How many pairs so many vertices have.
pub(super) fn pairs(n: u32) -> u64 {
    u64::from(n) * u64::from(n.saturating_sub(1)) / 2
}

/// Pair k, (i, j) with i < j and k = j (j − 1)/2 + i.
pub(super) fn pair(k: u64) -> (u32, u32) {
    let mut j = ((((8 * k + 1) as f64).sqrt() + 1.0) / 2.0) as u64;
    while j * (j - 1) / 2 > k {
        j -= 1;
    }
    while (j + 1) * j / 2 <= k {
        j += 1;
    }
    ((k - j * (j - 1) / 2) as u32, j as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_edges_are_different() {
        for (n, m, seed) in [(40, 90, 1), (9, 36, 2), (1, 0, 3), (1000, 4000, 4)] {
            let graph = random(n, m, seed).unwrap();
            assert_eq!((graph.n_vertices(), graph.n_edges()), (n, m));
        }
        assert_ne!(random(40, 90, 1), random(40, 90, 2));
        assert!(random(9, 37, 1).is_err());
    }
}
