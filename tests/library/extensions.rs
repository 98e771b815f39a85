//! Lists of tours that extend a path, compared with lists along a frontier.

use std::collections::BTreeSet;

use hamcnf::budget::Budget;
use hamcnf::count::extensions::Extensions;
use hamcnf::count::frontier::walk::Walk;
use hamcnf::endpoints::Endpoints;
use hamcnf::graph_strategy::graphs;
use hamcnf::{Graph, Instance, Tour, TourKind, Vertex};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn the_tours_are_those_of_a_sweep(graph in graphs(3..=7), s in 0u32..7, t in 0u32..7) {
        let n = graph.n_vertices();
        let (s, t) = (Vertex::new(s % n), Vertex::new(t % n));
        let closed = Instance::on_graph("g", graph.clone(), TourKind::Closed, s).unwrap();
        let open = Instance::on_graph("g", graph, TourKind::Open, s).unwrap();
        let limits = Budget::default().with_memory(Some(1 << 24));
        for (instance, ends) in [
            (&closed, Endpoints::Closed),
            (&open, Endpoints::ANYWHERE),
            (&open, Endpoints::Open { from: Some(s), to: None }),
            (&open, Endpoints::Open { from: Some(s), to: Some(t).filter(|t| *t != s) }),
        ] {
            // Of the directions of a closed tour, take the one whose second vertex is smaller.
            let of = |tour: Tour| {
                let mut order = tour.order().to_vec();
                if ends == Endpoints::Closed && order[1] > order[order.len() - 1] {
                    order[1..].reverse();
                }
                order
            };
            let expected = Walk::new(instance, ends, &limits).unwrap();
            let expected: BTreeSet<_> = expected.map(|tour| of(tour.unwrap())).collect();
            let found = Extensions::new(instance, ends, Budget::default()).unwrap();
            let found: Vec<_> = found.map(|tour| of(tour.unwrap())).collect();
            prop_assert_eq!(found.len(), expected.len());
            prop_assert_eq!(found.into_iter().collect::<BTreeSet<_>>(), expected);
        }
    }
}

/// Tests that the portfolio finds the rest of a path that is too long for backtracking, and that no tour is lost.
#[test]
fn tours_of_large_graphs_are_listed() {
    let n = 100;
    let ring = (0..n).map(|v| (v, (v + 1) % n));
    // Each chord swaps two neighbouring vertices: 2 · 4 tours.
    let chords = [10, 40, 70].into_iter().flat_map(|v| [(v, v + 2), (v + 1, v + 3)]);
    let graph = Graph::from_edges(n, ring.chain(chords)).unwrap();
    let instance = Instance::on_graph("g", graph, TourKind::Closed, Vertex::new(0)).unwrap();
    let found = Extensions::new(&instance, Endpoints::Closed, Budget::default()).unwrap();
    assert_eq!(found.map(Result::unwrap).count(), 8);
}
