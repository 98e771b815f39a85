//! Random relabelling of a graph, for graph sources with the setting `+relabel=SEED`. Each permutation of the vertices
//! is equally likely. A seed gives the same permutation on every machine.
//!
//! The running time of a solver depends strongly on the order of variables. The times for several orders of one formula
//! therefore say more than a single time.
//!
//! # References
//!
//! - Armin Biere, Marijn Heule: *The Effect of Scrambling CNFs*, Pragmatics of SAT 2018.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use super::families::planted::order;
use super::graph::Graph;

/// Name of the relabelling setting in a graph source.
pub const RELABEL: &str = "relabel";

/// Returns the graph with its vertices relabelled by a random permutation `labels`: vertex v becomes `labels[v]`.
#[must_use]
pub fn relabelled(graph: &Graph, seed: u32) -> Graph {
    let mut random = ChaCha8Rng::seed_from_u64(u64::from(seed));
    let labels = order(graph.n_vertices(), &mut random);
    let edges = graph.arcs().filter(|arc| arc.tail < arc.head);
    let edges = edges.map(|arc| (labels[arc.tail.index()], labels[arc.head.index()]));
    // Relabelling a simple graph by a permutation gives a simple graph, so the fallback is never used.
    Graph::from_edges(graph.n_vertices(), edges).unwrap_or_else(|_| graph.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::families::Family;

    #[test]
    fn it_is_the_same_graph_in_another_order() {
        let family: Family = "flower:5".parse().unwrap();
        let graph = family.graph();
        let degrees = |graph: &Graph| {
            let mut degrees: Vec<_> = graph.vertices().map(|v| graph.degree(v)).collect();
            degrees.sort_unstable();
            degrees
        };
        for seed in 0..5 {
            let other = relabelled(graph, seed);
            assert_eq!(other.n_edges(), graph.n_edges());
            assert_eq!(degrees(&other), degrees(graph));
            assert_ne!(other, *graph);
            assert_eq!(other, relabelled(graph, seed));
            assert_ne!(other, relabelled(graph, seed + 1));
        }
    }
}
