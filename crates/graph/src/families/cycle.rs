//! Cycles: `cycle:N`. Each vertex is joined to the next, and the last to the first. The graph has one Hamiltonian
//! cycle.

use super::{FamilyKind, NoGraph, numbers, refuse};
use crate::graph::Graph;

/// The family of cycles.
pub const FAMILY: FamilyKind = FamilyKind {
    name: "cycle",
    form: "N",
    example: "cycle:12",
    says: "a cycle",
    make: |words, _| numbers(words, |[n]| cycle(n)),
    ..FamilyKind::NONE
};

/// Largest number of vertices; larger graphs are of no use.
const MOST: u32 = 10_000_000;

fn cycle(n: u32) -> Result<Graph, NoGraph> {
    refuse(!(3..=MOST).contains(&n), || format!("the number of vertices must be from 3 to {MOST}"))?;
    let edges = (0..n).map(|i| (i, (i + 1) % n));
    Graph::from_edges(n, edges).map_err(NoGraph::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_vertex_has_two_neighbours() {
        let graph = cycle(9).unwrap();
        assert_eq!(graph.n_edges(), 9);
        assert!(graph.vertices().all(|v| graph.degree(v) == 2));
        assert!(cycle(2).is_err());
    }
}
