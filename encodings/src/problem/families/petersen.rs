//! Generalized Petersen graphs: `petersen:N:K`, two rings of N vertices, the outer joined to the next, the inner to the
//! K-th next, and each outer vertex i to its inner one, N + i.
//!
//! Which of them have a Hamiltonian cycle is known: all but GP(N, 2) for N ≡ 5 modulo 6, and with them GP(N, N − 2),
//! GP(N, (N − 1)/2) and GP(N, (N + 1)/2), and GP(N, N/2) for N divisible by 4 from 8 on.
//!
//! # References
//!
//! - Brian Alspach: *The Classification of Hamiltonian Generalized Petersen Graphs*, 1983.

use super::{FamilyKind, numbers};
use crate::problem::graph::Graph;

/// Its words.
pub const FAMILY: FamilyKind = FamilyKind {
    name: "petersen",
    also: &["gp"],
    form: "N:K",
    alone: Some("5:2"),
    example: "petersen:7:2",
    says: "a generalized Petersen graph: two rings and the spokes between them",
    make: |words| numbers(words, |[n, k]| petersen(n, k)),
};

/// Past this the graph is no example any more.
const MOST: u32 = 10_000_000;

fn petersen(n: u32, k: u32) -> Result<Graph, String> {
    if !(3..=MOST).contains(&n) || k == 0 || k >= n {
        return Err(format!("N is from 3 to {MOST}, and K from 1 to N - 1"));
    }
    let edges = (0..n).flat_map(|i| [(i, (i + 1) % n), (i, n + i), (n + i, n + (i + k) % n)]);
    Graph::from_edges(2 * n, edges).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_petersen_graph_is_one() {
        let graph = petersen(5, 2).unwrap();
        assert_eq!((graph.n_vertices(), graph.n_edges()), (10, 15));
        assert!(graph.vertices().all(|v| graph.degree(v) == 3));
        assert!(petersen(2, 1).is_err() && petersen(5, 5).is_err());
    }
}
