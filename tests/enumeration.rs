//! Correctness by enumeration: every encoding with every pruning has exactly the models that its tours
//! account for, counted by blocking on its independent support.

#![allow(clippy::unwrap_used)]

use std::collections::HashSet;

use hamcnf::count::enumerate::{Enumeration, enumerate};
use hamcnf::{
    AtMostOne, Board, Encoding, EncodingName, Formula, Graph, Instance, Named, Options, Pruning,
    TourKind, Vertex, graph_strategy::graphs,
};
use proptest::prelude::*;

fn encodings(at_most_one: AtMostOne) -> impl Iterator<Item = Encoding> {
    EncodingName::ALL.iter().flat_map(move |&name| {
        let with = move |&pruning: &Pruning| Options {
            pruning,
            at_most_one,
        };
        Pruning::ALL
            .iter()
            .map(with)
            .map(move |options| Encoding { name, options })
    })
}

fn all_models(formula: &Formula<'_>) -> Enumeration {
    let support: Vec<_> = formula.support().collect();
    enumerate(formula, &support).unwrap()
}

fn check(instance: &Instance, at_most_one: AtMostOne, tours: u64) {
    for encoding in encodings(at_most_one) {
        let formula = Formula::new(encoding, instance).unwrap();
        let found = all_models(&formula);
        assert_eq!(found.tours.len() as u64, tours, "{instance}: {encoding}");
        let models = tours * u64::from(formula.models_per_tour());
        assert_eq!(found.projections, models, "{instance}: {encoding}");
    }
}

fn on_board(board: &str, kind: TourKind, start: &str) -> Instance {
    let board: Board = board.parse().unwrap();
    Instance::on_board(board, kind, board.square(start).unwrap()).unwrap()
}

#[test]
fn closed_5x6_has_8_tours() {
    check(
        &on_board("5x6", TourKind::Closed, "a1"),
        AtMostOne::Pairwise,
        8,
    );
}

#[test]
fn closed_3x10_has_16_tours() {
    check(
        &on_board("3x10", TourKind::Closed, "a1"),
        AtMostOne::Pairwise,
        16,
    );
}

#[test]
fn closed_tours_are_the_same_from_a_start_of_higher_degree() {
    for start in ["c3", "b2", "f5"] {
        check(
            &on_board("5x6", TourKind::Closed, start),
            AtMostOne::Pairwise,
            8,
        );
    }
}

#[test]
fn open_5x5_has_304_tours_from_a_corner() {
    check(
        &on_board("5x5", TourKind::Open, "a1"),
        AtMostOne::Pairwise,
        304,
    );
}

#[test]
fn open_3x4_has_16_tours_in_all() {
    let by_start: u64 = (0..12)
        .map(|start| {
            let instance = on_board("3x4", TourKind::Open, &start.to_string());
            let tours = brute_force(&instance).len() as u64;
            check(&instance, AtMostOne::Pairwise, tours);
            tours
        })
        .sum();
    assert_eq!(by_start, 16);
}

#[test]
fn at_most_one_encodings_do_not_change_the_count() {
    for &at_most_one in AtMostOne::ALL {
        check(&on_board("5x6", TourKind::Closed, "a1"), at_most_one, 8);
        check(&on_board("3x4", TourKind::Open, "a1"), at_most_one, 2);
    }
}

/// The auxiliary variables and positions follow from the support: blocking on all variables finds no more.
#[test]
fn the_support_is_independent() {
    for &at_most_one in AtMostOne::ALL {
        for (instance, tours) in [
            (on_board("5x6", TourKind::Closed, "a1"), 8),
            (on_board("3x4", TourKind::Open, "a1"), 2),
        ] {
            for encoding in encodings(at_most_one) {
                let formula = Formula::new(encoding, &instance).unwrap();
                let all = formula.project(&hamcnf::Projection::All).unwrap().unwrap();
                let found = enumerate(&formula, &all).unwrap();
                let models = tours * u64::from(formula.models_per_tour());
                assert_eq!(found.projections, models, "{instance}: {encoding}");
            }
        }
    }
}

#[test]
fn boards_without_a_tour_are_unsatisfiable() {
    for board in ["3x3", "5x5", "4x4", "2x2", "3x4", "2x6"] {
        check(
            &on_board(board, TourKind::Closed, "a1"),
            AtMostOne::Pairwise,
            0,
        );
    }
}

/// All tours by trying every path; closed ones once for both directions.
fn brute_force(instance: &Instance) -> HashSet<Vec<Vertex>> {
    fn extend(instance: &Instance, path: &mut Vec<Vertex>, found: &mut HashSet<Vec<Vertex>>) {
        let (graph, last) = (instance.graph(), path[path.len() - 1]);
        if path.len() == instance.n() as usize {
            let closes = graph.arc(last, path[0]).is_some();
            match instance.kind() {
                TourKind::Open => drop(found.insert(path.clone())),
                // Of the two directions the one whose second vertex is the lesser.
                TourKind::Closed if closes && path[1] < last => drop(found.insert(path.clone())),
                TourKind::Closed => {}
            }
            return;
        }
        for &next in graph.neighbours(last) {
            if !path.contains(&next) {
                path.push(next);
                extend(instance, path, found);
                path.pop();
            }
        }
    }
    let mut found = HashSet::new();
    extend(instance, &mut vec![instance.start()], &mut found);
    found
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn random_graphs_have_the_tours_that_brute_force_finds(
        graph in graphs(3..=8),
        start in any::<prop::sample::Index>(),
        closed: bool,
        at_most_one in prop::sample::select(AtMostOne::ALL),
    ) {
        let start = Vertex::new(start.index(graph.n_vertices() as usize) as u32);
        let kind = if closed { TourKind::Closed } else { TourKind::Open };
        let instance = Instance::on_graph("random", graph, kind, start).unwrap();
        let tours = brute_force(&instance);
        for encoding in encodings(at_most_one) {
            let formula = Formula::new(encoding, &instance).unwrap();
            let found = all_models(&formula);
            prop_assert_eq!(&found.tours, &tours, "{}", encoding);
            let models = tours.len() as u64 * u64::from(formula.models_per_tour());
            prop_assert_eq!(found.projections, models, "{}", encoding);
        }
    }
}

#[test]
fn complete_graphs_have_all_orders() {
    let complete = |n: u32| {
        Graph::from_edges(n, (0..n).flat_map(|a| (a + 1..n).map(move |b| (a, b)))).unwrap()
    };
    for (n, kind, tours) in [
        (2, TourKind::Open, 1),
        (3, TourKind::Closed, 1),
        (3, TourKind::Open, 2),
        (4, TourKind::Closed, 3),
        (6, TourKind::Closed, 60),
        (5, TourKind::Open, 24),
    ] {
        let instance =
            Instance::on_graph("complete", complete(n), kind, Vertex::new(n - 1)).unwrap();
        check(&instance, AtMostOne::Pairwise, tours);
    }
}
