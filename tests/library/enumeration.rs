//! Correctness by enumeration: with every pruning, every encoding has the expected number of models for each tour, and
//! no other models. Models are enumerated by blocking each found model on the independent support.

use std::collections::HashSet;

use crate::brute_force::brute_force;
use crate::models::{Models, all_models, has_tours, models};
use hamcnf::count::enumerate::{Tours, tours_of, undirected};
use hamcnf::count::projected::projected;
use hamcnf::{
    AtMostOne, Board, Clauses, Encoding, Formula, Graph, Instance, Leaper, Named, Orientation, Projection, Pruning,
    TourKind, Vertex, encoding, graph_strategy::graphs,
};
use proptest::prelude::*;
use rustsat::instances::Cnf;
use rustsat::types::Lit;

/// Maximum number of squares for which the step encoding is enumerated. On larger boards, CaDiCaL takes minutes to
/// prove that no further tours exist.
const STEP_MOST: u32 = 20;

/// Base encodings for which every pruning and orientation is enumerated here. For the other bases, only the published
/// combinations are enumerated; `combinations.rs` draws from the remaining combinations.
const IN_FULL: [&str; 5] = ["direct", "unary", "binary", "counting", "step"];

/// Returns the encodings to enumerate for an instance, with this at-most-one encoding. The bases in `IN_FULL` appear
/// with every pruning and orientation, the other bases with their published refinements.
fn encodings(instance: &Instance, at_most_one: AtMostOne) -> Vec<Encoding> {
    let steps = instance.board().is_some() && instance.n() <= STEP_MOST;
    let bases = encoding::bases();
    let bases = bases.iter().filter(|base| steps || !base.offers.boards_only);
    let bases = bases.filter(|base| IN_FULL.contains(&base.name));
    let orientations: &[_] = match instance.kind() {
        TourKind::Closed => Orientation::ALL,
        TourKind::Open => &[Orientation::Free],
    };
    let mut all = published(instance, at_most_one);
    all.retain(|encoding| !IN_FULL.contains(&encoding.base()));
    for base in bases {
        for pruning in Pruning::ALL {
            for orientation in orientations {
                let refinements =
                    format!("{}+windows={pruning}+at-most-one={at_most_one}+orientation={orientation}", base.name);
                all.push(refinements.parse().unwrap());
            }
        }
    }
    all
}

/// Lists all tours of an instance by the encoding that lists them fastest.
fn tours(instance: &Instance) -> Tours {
    let formula = Formula::new(hamcnf::solve::defaults::listed(instance), instance).unwrap();
    tours_of(&formula, usize::MAX, &Default::default(), &mut |_| ()).unwrap()
}

/// Returns all exact encodings that suit an instance, with their published refinements and with this at-most-one
/// encoding.
fn published(instance: &Instance, at_most_one: AtMostOne) -> Vec<Encoding> {
    let steps = instance.board().is_some() && instance.n() <= STEP_MOST;
    let bases = encoding::bases().into_iter();
    let bases = bases.filter(|base| steps || !base.offers.boards_only);
    let with = |name: &str| -> Encoding {
        let word = format!("{name}+at-most-one={at_most_one}");
        word.parse().unwrap()
    };
    let exact = |e: &Encoding| Formula::new(e.clone(), instance).unwrap().is_exact();
    bases.map(|base| with(base.name)).filter(exact).collect()
}

fn check(instance: &Instance, at_most_one: AtMostOne, tours: u64) {
    check_all(instance, encodings(instance, at_most_one), tours);
}

fn check_all(instance: &Instance, encodings: Vec<Encoding>, tours: u64) {
    for encoding in encodings {
        checked(instance, &encoding, tours);
    }
}

/// Checks that an encoding has as many tours and models as expected. Returns its formula and models.
fn checked(instance: &Instance, encoding: &Encoding, tours: u64) -> (Formula, Models) {
    let formula = Formula::new(encoding.clone(), instance).unwrap();
    let found = all_models(&formula);
    assert_eq!(found.tours.len() as u64, tours, "{instance}: {encoding}");
    let expected = tours * u64::from(formula.models_per_tour());
    assert_eq!(found.projections, expected, "{instance}: {encoding}");
    (formula, found)
}

/// Does what [`check`] does. Also checks that the models of each encoding describe exactly the tours that `tours` lists,
/// and that each formula admits a tour in as many directions as the tour has models, and that the variables' values for
/// a tour satisfy all clauses.
fn check_values(instance: &Instance, n_tours: u64) {
    let listed = tours(instance);
    assert!(listed.complete);
    for encoding in encodings(instance, AtMostOne::Pairwise) {
        let (formula, found) = checked(instance, &encoding, n_tours);
        let undirected: HashSet<_> = listed.found.iter().map(undirected).collect();
        assert_eq!(undirected, found.tours, "{encoding}");
        assert_eq!(undirected.len(), listed.found.len(), "each tour is listed once");

        // The formula must hold if every variable has its value on the tour. The check above shows that no other model
        // has the same support.
        let all = formula.project(&hamcnf::Projection::All).unwrap().unwrap();
        let mut cnf = Cnf::new();
        formula.emit(&mut cnf);
        for tour in &listed.found {
            let both = [Some(tour.clone()), tour.reversed()].into_iter().flatten();
            let admitted: Vec<_> = both.filter(|tour| formula.admits(tour)).collect();
            assert_eq!(admitted.len(), formula.models_per_tour() as usize, "{encoding}");
            for tour in admitted {
                let is = |l: &Lit| formula.value(&tour, l.var()) == Some(l.is_pos());
                assert!(cnf.iter().all(|clause| clause.iter().any(is)), "{encoding}");
            }
        }
        let exact = projected(&formula, &listed.found, &all).unwrap();
        assert_eq!((exact.models, exact.values), (found.projections, found.projections));
    }
}

#[test]
fn the_values_of_a_tour_satisfy_every_encoding() {
    check_values(&on_board("3x4", TourKind::Open, "d1"), 2);
    check_edge_supports(&on_board("5x6", TourKind::Closed, "c3"));
    check_edge_supports(&on_board("5x5", TourKind::Open, "a1"));
}

/// Tests that the projection sets of the paper's Table 2 are not independent supports for 6×6. The exact counts on
/// these sets are known, and differ from the 9862 tours.
#[test]
fn the_papers_projections_undercount() {
    let instance = on_board("6x6", TourKind::Closed, "a1");
    let listed = tours(&instance);
    assert_eq!((listed.found.len(), listed.complete), (9862, true));
    for (name, set, models, values) in [
        ("unary", "paper", 19724, 14026),
        ("unary", "vars:1..157/4", 19724, 14026),
        ("unary", "arcs", 19724, 19724),
        ("direct", "paper", 9862, 5915),
        ("direct", "positions:3,7,15,19,23,31", 9862, 6479),
        ("binary", "paper", 19724, 19724),
        ("counting", "arcs", 9862, 9862),
        ("counting", "edges", 9862, 9862),
        ("counting", "co-tree", 9862, 9862),
    ] {
        let formula = Formula::new(name.parse().unwrap(), &instance).unwrap();
        let vars = formula.project(&set.parse().unwrap()).unwrap().unwrap();
        let exact = projected(&formula, &listed.found, &vars).unwrap();
        assert_eq!((exact.models, exact.values), (models, values), "{name} {set}");
    }
}

fn on_board(board: &str, kind: TourKind, start: &str) -> Instance {
    let board: Board = board.parse().unwrap();
    Instance::on_board(board, kind, board.square(start).unwrap()).unwrap()
}

#[test]
fn closed_5x6_has_8_tours() {
    for start in ["a1", "c3"] {
        check_values(&on_board("5x6", TourKind::Closed, start), 8);
    }
}

#[test]
fn closed_3x10_has_16_tours() {
    for start in ["b2", "j3"] {
        check(&on_board("3x10", TourKind::Closed, start), AtMostOne::Pairwise, 16);
    }
}

#[test]
fn open_5x5_has_304_tours_from_a_corner_and_64_from_the_middle() {
    let corner = on_board("5x5", TourKind::Open, "a1");
    check_all(&corner, published(&corner, AtMostOne::Pairwise), 304);
    // A corner with few tours, for every pruning.
    check(&on_board("3x7", TourKind::Open, "a1"), AtMostOne::Pairwise, 8);
    check(&on_board("5x5", TourKind::Open, "c3"), AtMostOne::Pairwise, 64);
}

/// Tests closed and open tours of the wazir, which moves to an orthogonally adjacent square, from starts of every
/// degree. The wazir has six closed tours on 4×4. This board is small enough to test closed tours with the step
/// encoding, too.
#[test]
fn tours_along_sides_are_those_of_brute_force() {
    let wazir = Leaper::new(0, 1).unwrap();
    let board = Board::new(4, 4, wazir).unwrap();
    for start in ["a1", "b1", "c2", "d4"] {
        for kind in [TourKind::Closed, TourKind::Open] {
            let instance = Instance::on_board(board, kind, board.square(start).unwrap()).unwrap();
            let tours = brute_force(&instance).len() as u64;
            assert!(kind == TourKind::Open || tours == 6);
            check_values(&instance, tours);
        }
    }
}

/// Tests closed and open tours of the king, a set of two leapers, from starts of every degree.
#[test]
fn tours_of_a_king_are_those_of_brute_force() {
    let board: Board = "king:3x3".parse().unwrap();
    for start in ["a1", "b1", "b2"] {
        for kind in [TourKind::Closed, TourKind::Open] {
            let instance = Instance::on_board(board, kind, board.square(start).unwrap()).unwrap();
            let tours = brute_force(&instance).len() as u64;
            assert!(kind == TourKind::Open || tours == 16);
            check_values(&instance, tours);
        }
    }
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

/// Tests that at-most-one encodings do not change the number of tours, and that the support determines the auxiliary and
/// position variables: blocking on all variables finds no more models.
#[test]
fn at_most_one_encodings_change_neither_the_count_nor_the_support() {
    for &at_most_one in AtMostOne::ALL {
        let long = on_board("3x10", TourKind::Closed, "a1");
        check_all(&long, published(&long, at_most_one), 16);
        for (instance, tours) in
            [(on_board("wazir:4x4", TourKind::Closed, "c2"), 6), (on_board("3x4", TourKind::Open, "a1"), 2)]
        {
            check_all(&instance, published(&instance, at_most_one), tours);
            for encoding in published(&instance, at_most_one) {
                let formula = Formula::new(encoding.clone(), &instance).unwrap();
                let all = formula.project(&hamcnf::Projection::All).unwrap().unwrap();
                let found = models(&formula, &all);
                let expected = tours * u64::from(formula.models_per_tour());
                assert_eq!(found.projections, expected, "{instance}: {encoding}");
            }
        }
    }
}

/// Checks that no two tours have the same edges and, for closed tours, that no two have the same co-tree edges.
fn check_edge_supports(instance: &Instance) {
    let listed = tours(instance).found;
    let encoding: Encoding = "counting".parse().unwrap();
    let sets = match instance.kind() {
        TourKind::Closed => &[Projection::Edges, Projection::CoTree, Projection::Arcs][..],
        TourKind::Open => &[Projection::Edges, Projection::Arcs],
    };
    for orientation in Orientation::ALL {
        let oriented = encoding.with(&format!("orientation={orientation}"));
        let formula = Formula::new(oriented.unwrap(), instance).unwrap();
        for set in sets {
            let vars = formula.project(set).unwrap().unwrap();
            let exact = projected(&formula, &listed, &vars).unwrap();
            let expected = listed.len() as u64 * u64::from(formula.values_per_tour(set));
            assert_eq!(exact.values, expected, "{instance} {set} {orientation}");
        }
    }
    let graph = instance.graph();
    let co_tree = graph.co_tree(instance.start()).len() as u32;
    let connected = graph.distances(instance.start()).iter().all(Option::is_some);
    assert!(!connected || co_tree == graph.n_edges() + 1 - graph.n_vertices());
}

#[test]
fn boards_without_a_tour_are_unsatisfiable() {
    for board in ["3x3", "5x5", "4x4", "2x2", "3x4", "2x6"] {
        check(&on_board(board, TourKind::Closed, "a1"), AtMostOne::Pairwise, 0);
    }
}

/// Checks each encoding on a graph with a chosen start: its models describe exactly the tours, and the number of models
/// is as expected.
fn has_the_tours_of_brute_force(
    graph: Graph,
    start: prop::sample::Index,
    kind: TourKind,
    at_most_one: AtMostOne,
) -> Result<(), TestCaseError> {
    let start = Vertex::new(start.index(graph.n_vertices() as usize) as u32);
    let instance = Instance::on_graph("random", graph, kind, start).unwrap();
    let tours = brute_force(&instance);
    for encoding in encodings(&instance, at_most_one) {
        let formula = Formula::new(encoding.clone(), &instance).unwrap();
        has_tours(&formula, &tours, &encoding.to_string());
    }
    check_edge_supports(&instance);
    Ok(())
}

// Two tests instead of one, so that they can run concurrently.
proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn random_graphs_have_the_closed_tours_that_brute_force_finds(
        graph in graphs(3..=7),
        start in any::<prop::sample::Index>(),
        at_most_one in prop::sample::select(AtMostOne::ALL),
    ) {
        has_the_tours_of_brute_force(graph, start, TourKind::Closed, at_most_one)?;
    }

    #[test]
    fn random_graphs_have_the_open_tours_that_brute_force_finds(
        graph in graphs(3..=7),
        start in any::<prop::sample::Index>(),
        at_most_one in prop::sample::select(AtMostOne::ALL),
    ) {
        has_the_tours_of_brute_force(graph, start, TourKind::Open, at_most_one)?;
    }
}

#[test]
fn complete_graphs_have_all_orders() {
    let complete = |n: u32| Graph::from_edges(n, (0..n).flat_map(|a| (a + 1..n).map(move |b| (a, b)))).unwrap();
    for (n, kind, tours) in [
        (2, TourKind::Open, 1),
        (3, TourKind::Closed, 1),
        (3, TourKind::Open, 2),
        (4, TourKind::Closed, 3),
        (6, TourKind::Closed, 60),
        (5, TourKind::Open, 24),
    ] {
        let instance = Instance::on_graph("complete", complete(n), kind, Vertex::new(n - 1)).unwrap();
        check(&instance, AtMostOne::Pairwise, tours);
    }
}
