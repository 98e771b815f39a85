//! Random relabelling of a graph, for graph sources with the setting `+relabel=SEED`. Each permutation of the vertices
//! is equally likely. A seed gives the same permutation on every machine.
//!
//! The running time of a solver depends strongly on the order of variables. The times for several orders of one formula
//! therefore say more than a single time.
//!
//! # References
//!
//! - Armin Biere, Marijn Heule: *The Effect of Scrambling CNFs*, Pragmatics of SAT 2018.

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};

use crate::{AnyGraph, Arc, Digraph, Graph};

/// Name of the relabelling setting in a graph source.
pub const RELABEL: &str = "relabel";

/// Returns the random number generator of a seed.
pub(crate) fn generator(seed: u32) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(u64::from(seed))
}

/// Shuffles a slice uniformly (Fisher–Yates).
pub fn shuffle<T>(things: &mut [T], random: &mut ChaCha8Rng) {
    for k in (1..things.len()).rev() {
        things.swap(k, (random.next_u64() % (k as u64 + 1)) as usize);
    }
}

/// Returns the vertices `0..n` in random order.
pub(crate) fn order(n: u32, random: &mut ChaCha8Rng) -> Vec<u32> {
    let mut order: Vec<u32> = (0..n).collect();
    shuffle(&mut order, random);
    order
}

/// Returns the random permutation of this seed for n vertices: vertex v becomes `labels[v]`.
pub fn labels(n: u32, seed: u32) -> Vec<u32> {
    order(n, &mut generator(seed))
}

/// Returns the graph with its vertices relabelled by the random [permutation](labels) of this seed.
pub fn relabelled(graph: &AnyGraph, seed: u32) -> AnyGraph {
    let n = graph.n_vertices();
    let labels = labels(n, seed);
    let new = |arc: Arc| (labels[arc.tail.index()], labels[arc.head.index()]);
    let relabelled = match graph {
        AnyGraph::Undirected(graph) => {
            let edges = graph.arcs().filter(|arc| arc.tail < arc.head);
            Graph::from_edges(n, edges.map(new)).map(AnyGraph::from)
        }
        AnyGraph::Directed(digraph) => Digraph::from_arcs(n, digraph.arcs().map(new)).map(AnyGraph::from),
    };
    // A permutation of the vertices of a simple graph gives a simple graph.
    relabelled.unwrap_or_else(|_| graph.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::families::Family;

    #[test]
    fn it_is_the_same_graph_in_another_order() {
        let family: Family = "flower:5".parse().unwrap();
        let graph = family.graph();
        let degrees = |graph: &AnyGraph| {
            let graph = graph.undirected().unwrap();
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
