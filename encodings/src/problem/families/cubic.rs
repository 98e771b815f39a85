//! Random cubic graphs: `cubic:VERTICES:SEED`, connected, every vertex with three neighbours.
//!
//! By the pairing model: three points for each vertex are paired at random, and the pairs are the edges; where that
//! gives a loop, an edge twice or several parts, all of it is drawn again. So every connected simple cubic graph with
//! labelled vertices is as likely as any other. Almost all of them have a Hamiltonian cycle.
//!
//! # References
//!
//! - Béla Bollobás: *A Probabilistic Proof of an Asymptotic Formula for the Number of Labelled Regular Graphs*, 1980.
//! - R. W. Robinson, N. C. Wormald: *Almost All Cubic Graphs Are Hamiltonian*, 1992.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

use super::{FamilyKind, numbers};
use crate::problem::graph::{Graph, Vertex};

/// Its words.
pub const FAMILY: FamilyKind = FamilyKind {
    name: "cubic",
    also: &[],
    form: "VERTICES:SEED",
    alone: None,
    example: "cubic:60:7",
    says: "a random connected graph, every vertex with three neighbours",
    make: |words| numbers(words, |[n, seed]| cubic(n, seed)),
};

/// Past this the graph is no example any more, and its edges take gigabytes.
const MOST: u32 = 10_000_000;

fn cubic(n: u32, seed: u32) -> Result<Graph, String> {
    if n < 4 || n % 2 == 1 || n > MOST {
        return Err(format!(
            "a cubic graph has an even number of vertices, here from 4 to {MOST}"
        ));
    }
    let mut random = ChaCha8Rng::seed_from_u64(u64::from(seed));
    let mut points: Vec<u32> = (0..3 * n).map(|point| point / 3).collect();
    loop {
        // Fisher and Yates.
        for k in (1..points.len()).rev() {
            points.swap(k, (random.next_u64() % (k as u64 + 1)) as usize);
        }
        let pairs = points.chunks_exact(2).map(|pair| (pair[0], pair[1]));
        if pairs.clone().any(|(a, b)| a == b) {
            continue;
        }
        let graph = Graph::from_edges(n, pairs).map_err(|error| error.to_string())?;
        let is_simple = graph.n_edges() == 3 * n / 2;
        if is_simple && graph.distances(Vertex::new(0)).iter().all(Option::is_some) {
            return Ok(graph);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_vertex_has_three_neighbours() {
        for (n, seed) in [(4, 0), (6, 1), (60, 7), (500, 3)] {
            let graph = cubic(n, seed).unwrap();
            assert_eq!(graph.n_vertices(), n);
            assert!(graph.vertices().all(|v| graph.degree(v) == 3));
            assert_eq!(cubic(n, seed).unwrap(), graph);
            assert!(n == 4 || cubic(n, seed + 1).unwrap() != graph);
        }
    }
}
