//! Flower snarks: `flower:N` for odd N from 5 on, cubic graphs without a Hamiltonian cycle that become Hamiltonian without any
//! one vertex. N stars with a centre and three leaves; the first leaves make a cycle of N, and the others one of 2N.
//!
//! # References
//!
//! - Rufus Isaacs: *Infinite Families of Nontrivial Trivalent Graphs Which Are Not Tait Colorable*, American Mathematical
//!   Monthly 82, 1975.

use super::{Asked, FamilyKind, NoGraph, numbers};
use crate::graph::Graph;

/// Its words.
pub const FAMILY: FamilyKind = FamilyKind {
    name: "flower",
    also: &["snark:flower"],
    form: "N",
    alone: None,
    example: "flower:9",
    says: "a flower snark: cubic, and without a Hamiltonian cycle",
    seeded: false,
    asks: &[Asked::NoCycle],
    make: |words, _| numbers(words, |[n]| flower(n)),
};

/// Past this the graph is no example any more.
const MOST: u32 = 1_000_000;

fn flower(n: u32) -> Result<Graph, NoGraph> {
    if n < 5 || n.is_multiple_of(2) || n > MOST {
        return Err(NoGraph(format!("N is odd, from 5 to {MOST}")));
    }
    // Of star i the centre 4i and the leaves after it.
    let edges = (0..n).flat_map(|i| {
        let [centre, a, b, c] = [0, 1, 2, 3].map(|k| 4 * i + k);
        let next = 4 * ((i + 1) % n);
        // The second cycle changes from b to c and back where it comes around.
        let (to_b, to_c) = match i + 1 == n {
            true => (next + 3, next + 2),
            false => (next + 2, next + 3),
        };
        [
            (centre, a),
            (centre, b),
            (centre, c),
            (a, next + 1),
            (b, to_b),
            (c, to_c),
        ]
    });
    Graph::from_edges(4 * n, edges).map_err(NoGraph::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_vertex_has_three_neighbours() {
        let graph = flower(5).unwrap();
        assert_eq!((graph.n_vertices(), graph.n_edges()), (20, 30));
        assert!(graph.vertices().all(|v| graph.degree(v) == 3));
        assert!(flower(3).is_err() && flower(6).is_err());
    }
}
