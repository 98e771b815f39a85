//! The order of vertices, and so of variables and clauses: solvers choose decision variables and break ties by this
//! order.
//!
//! - `natural`: the graph's own order, row by row on a board;
//! - `bfs`: the order of a breadth-first search from the start, so that near vertices have near numbers;
//! - `far`: the graph's own order, but positions of a closed tour are counted from another vertex: among the vertices
//!   of maximum degree, a vertex farthest from the start (the least, if there are several). On a board this is not a
//!   corner;
//! - `seed-7`: a random order with this seed, which separates the effect of an encoding from the effect of its
//!   numbering.
//!
//! The refinement is sound for every base on any graph, and keeps all tours under other labels. Bases that encode rows
//! and columns do not accept it; their order follows the board.
//!
//! # References
//!
//! - Karthikeyan, Chheda, Ruan: *Knights Tour*, 2024, third item of future work.

use std::sync::Arc;

use super::{Labels, Refine, Refinement};
use crate::base::BadArgument;
use hamcnf_graph::graph::Vertex;
use hamcnf_graph::relabel::labels;
use hamcnf_tours::instance::{Instance, TourKind};

/// The `order` refinement, such as `order=bfs`.
pub const REFINEMENT: Refinement =
    Refinement {
        name: "order",
        says: "order of the vertices, which determines the order of the variables",
        values: "natural, bfs, far, seed-NUMBER",
        plain: "bfs",
        absent: "natural",
        in_clauses: true,
        needs: "vertices in any order",
        is_for: |offers| !offers.boards_only,
        make: |value| {
            let seed = |word: &str| word.strip_prefix("seed-")?.parse().ok();
            Ok(Arc::new(match value {
                "natural" => Order::Natural,
                "bfs" => Order::BreadthFirst,
                "far" => Order::Far,
                _ => Order::Seeded(seed(value).ok_or_else(|| {
                    BadArgument(format!("unknown order \"{value}\"; choose from {}", REFINEMENT.values))
                })?),
            }))
        },
    };

/// An order of vertices.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// The graph's own order.
    Natural,
    /// Order of a breadth-first search from the start.
    BreadthFirst,
    /// The graph's own order, but positions of a closed tour are counted from another vertex: among the vertices of
    /// maximum degree, a vertex farthest from the start (the least, if there are several). Open tours keep their start.
    Far,
    /// A random order with this seed.
    Seeded(u32),
}

impl Refine for Order {
    fn value(&self) -> String {
        match self {
            Self::Natural => "natural".to_owned(),
            Self::BreadthFirst => "bfs".to_owned(),
            Self::Far => "far".to_owned(),
            Self::Seeded(seed) => format!("seed-{seed}"),
        }
    }

    fn relabels(&self, instance: &Instance) -> Option<Labels> {
        let vertices = instance.graph().vertices();
        let start = instance.start();
        match self {
            Self::Natural => None,
            Self::BreadthFirst => Some(Labels { old: breadth_first(instance), start }),
            Self::Far if instance.kind() == TourKind::Open => None,
            Self::Far => {
                let graph = instance.graph();
                let worth = |v: &Vertex| (graph.degree(*v), instance.distances()[v.index()]);
                // `max_by_key` returns the last maximum, which is the least vertex in reverse order.
                let far = graph.vertices().rev().max_by_key(worth)?;
                Some(Labels { old: vertices.collect(), start: far })
            }
            Self::Seeded(seed) => {
                let old = labels(instance.n(), *seed).into_iter().map(Vertex::new);
                Some(Labels { old: old.collect(), start })
            }
        }
    }
}

/// Returns all vertices in the order of breadth-first searches. The first search begins at the start, each further
/// search at the least vertex that has not been visited.
fn breadth_first(instance: &Instance) -> Vec<Vertex> {
    let graph = instance.graph();
    let roots = std::iter::once(instance.start()).chain(graph.vertices());
    let reached = graph.breadth_first(roots, |v| graph.neighbours(v).iter().copied());
    reached.into_iter().map(|(v, _)| v).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use hamcnf_graph::graph::strategy::graphs;
    use proptest::prelude::*;

    #[test]
    fn every_order_has_a_word() {
        for word in ["natural", "bfs", "far", "seed-0", "seed-7"] {
            assert_eq!((REFINEMENT.make)(word).unwrap().value(), word);
        }
        for word in ["", "nature", "seed", "seed-", "seed-x", "seed--1"] {
            assert!((REFINEMENT.make)(word).is_err(), "{word}");
        }
    }

    proptest! {
        #[test]
        fn every_order_has_all_vertices(graph in graphs(3..=9), seed: u32) {
            let instance =
                Instance::on_graph("random", graph, TourKind::Closed, Vertex::new(1)).unwrap();
            for order in [Order::BreadthFirst, Order::Far, Order::Seeded(seed)] {
                let labels = order.relabels(&instance).unwrap();
                let relabelled = instance.relabelled(&labels.old, labels.start).unwrap();
                prop_assert_eq!(relabelled.graph().n_edges(), instance.graph().n_edges());
                let new = relabelled.start().index();
                prop_assert_eq!(labels.old[new], labels.start);
                for arc in relabelled.graph().arcs() {
                    let [a, b] = [arc.tail, arc.head].map(|v| labels.old[v.index()]);
                    prop_assert!(instance.graph().arc(a, b).is_some());
                    let name = relabelled.vertex_name(arc.tail);
                    prop_assert_eq!(name, instance.vertex_name(a));
                }
            }
        }
    }

    #[test]
    fn breadth_first_is_by_distance() {
        let board = "5x6".parse().unwrap();
        let instance = Instance::on_board(board, TourKind::Closed, Vertex::new(7)).unwrap();
        let order = breadth_first(&instance);
        let distance = |v: &Vertex| instance.distances()[v.index()];
        assert!(order.is_sorted_by_key(distance));
    }

    /// Tests that the six orders of three vertices are equally likely with random seeds.
    #[test]
    fn every_order_at_random_is_as_likely() {
        let triangle = hamcnf_graph::graph::Graph::from_edges(3, [(0, 1), (1, 2), (2, 0)]);
        let instance = Instance::on_graph("triangle", triangle.unwrap(), TourKind::Closed, Vertex::new(0));
        let instance = instance.unwrap();
        let mut drawn = std::collections::BTreeMap::new();
        for seed in 0..6000 {
            let labels = Order::Seeded(seed).relabels(&instance).unwrap();
            *drawn.entry(labels.old).or_insert(0) += 1;
        }
        assert_eq!(drawn.len(), 6);
        // The bounds are five standard deviations of a binomial distribution on either side.
        assert!(drawn.values().all(|count| (856..=1144).contains(count)), "{drawn:?}");
    }

    #[test]
    fn far_from_a_corner_is_not_the_corner() {
        let board = "8x8".parse().unwrap();
        let instance = Instance::on_board(board, TourKind::Closed, Vertex::new(0)).unwrap();
        let labels = Order::Far.relabels(&instance).unwrap();
        assert_eq!(instance.vertex_name(labels.start), "c3");
        let open = Instance::on_board(board, TourKind::Open, Vertex::new(0)).unwrap();
        assert_eq!(Order::Far.relabels(&open), None);
    }
}
