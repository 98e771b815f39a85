//! Tours by search: figures and boards from the article, boards of all sizes, and random graphs compared with brute force.

use hamcnf::budget::Budget;
use hamcnf::search::{Descents, Limit, Method, Options, Order, Proof, SearchResult, Searched, Ties, best_ties, search};
use hamcnf::{Board, Graph, Instance, Leaper, Tour, TourKind, Vertex, graph_strategy::graphs};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

fn on_board(board: &str, kind: TourKind, start: &str) -> Instance {
    let board: Board = board.parse().unwrap();
    Instance::on_board(board, kind, board.square(start).unwrap()).unwrap()
}

fn square(n: u32, kind: TourKind, start: u32) -> Instance {
    let board = Board::new(n.into(), n.into(), Leaper::KNIGHT).unwrap();
    Instance::on_board(board, kind, Vertex::new(start)).unwrap()
}

fn options(method: Method, order: &str) -> Options {
    let descents = Descents { ties: Ties::Order, rotations: true, restarts: 0 };
    Options { method, descents, order: order.parse().unwrap(), seed: 0, node_limit: None, budget: Budget::default() }
}

fn run_on(instance: &Instance, options: &Options) -> Searched {
    search(instance, options, &mut |_, _| ()).unwrap()
}

/// Returns options for Warnsdorff's rule. Remaining ties follow the order of moves in the article.
fn descents(ties: Ties, rotations: bool, restarts: u32) -> Options {
    Options { descents: Descents { ties, rotations, restarts }, ..options(Method::Warnsdorff, "article") }
}

#[track_caller]
fn tour(searched: &Searched) -> &Tour {
    match &searched.outcome {
        SearchResult::Tour(tour) => tour,
        other => panic!("{other:?}"),
    }
}

/// Returns the 0-based position of each square in the tour, row by row.
fn positions(instance: &Instance, tour: &Tour) -> Vec<u32> {
    instance.graph().vertices().map(|v| tour.position(v)).collect()
}

/// Two boards from the article, in its notation: the 0-based position of each square in the tour.
const BACKTRACKED: [u32; 64] = [
    0, 37, 58, 35, 42, 47, 56, 51, //
    59, 34, 1, 48, 57, 50, 43, 46, //
    38, 31, 36, 41, 2, 45, 52, 55, //
    33, 60, 39, 26, 49, 54, 3, 44, //
    30, 9, 32, 61, 40, 25, 22, 53, //
    17, 62, 27, 10, 23, 20, 13, 4, //
    8, 29, 18, 15, 6, 11, 24, 21, //
    63, 16, 7, 28, 19, 14, 5, 12,
];
const BY_WARNSDORFF: [u32; 64] = [
    0, 3, 56, 19, 40, 5, 42, 21, //
    33, 18, 1, 4, 57, 20, 39, 6, //
    2, 55, 34, 59, 36, 41, 22, 43, //
    17, 32, 47, 52, 45, 58, 7, 38, //
    48, 13, 54, 35, 60, 37, 44, 23, //
    31, 16, 51, 46, 53, 26, 61, 8, //
    12, 49, 14, 29, 10, 63, 24, 27, //
    15, 30, 11, 50, 25, 28, 9, 62,
];

#[test]
fn the_articles_figures_and_boards() {
    let instance = on_board("8x8", TourKind::Open, "0");
    let searched = run_on(&instance, &options(Method::Backtrack, "article"));
    assert_eq!(searched.statistics.nodes, 8_250_733);
    assert_eq!(positions(&instance, tour(&searched)), BACKTRACKED);
    for by_rule in
        [options(Method::BestFirst, "article"), descents(Ties::Order, true, 0), descents(Ties::Order, false, 0)]
    {
        let searched = run_on(&instance, &by_rule);
        assert_eq!(searched.statistics.nodes, 64);
        assert_eq!(positions(&instance, tour(&searched)), BY_WARNSDORFF);
    }
}

/// Tests that the search visits the expected numbers of nodes on other boards. The numbers are those of the article's
/// program.
#[test]
fn the_articles_program_counts_the_same_on_other_boards() {
    for (board, start, in_order, best_first) in
        [("5x5", "0", 8840, 25), ("5x5", "2", 23_449, 25), ("5x5", "6", 781_420, 25), ("6x6", "0", 248_169, 36)]
    {
        let instance = on_board(board, TourKind::Open, start);
        for (method, nodes) in [(Method::Backtrack, in_order), (Method::BestFirst, best_first)] {
            let searched = run_on(&instance, &options(method, "article"));
            tour(&searched);
            assert_eq!(searched.statistics.nodes, nodes, "{instance} {method:?}");
        }
    }
}

/// Tests the example at the beginning of Squirrel and Cull, with ties broken by the order 12345678.
#[test]
fn the_example_of_squirrel_and_cull() {
    let instance = on_board("8x8", TourKind::Open, "a1");
    let searched =
        run_on(&instance, &Options { order: "12345678".parse().unwrap(), ..descents(Ties::Order, false, 0) });
    let board = positions(&instance, tour(&searched));
    let from_one: Vec<_> = board.iter().map(|position| position + 1).collect();
    assert_eq!(from_one[..8], [1, 16, 27, 22, 3, 18, 47, 56]);
    assert_eq!(from_one[8..16], [26, 23, 2, 17, 46, 57, 4, 19]);
    assert_eq!(from_one[56..], [32, 37, 12, 39, 42, 51, 10, 7]);
}

/// Checks that one descent with Squirrel and Cull's orders finds a tour on square boards of these sizes, except on
/// 74×74.
fn squirrel_cull_succeeds(sizes: impl Iterator<Item = u32>) {
    for n in sizes {
        let instance = square(n, TourKind::Open, 0);
        let searched = run_on(&instance, &descents(Ties::SquirrelCull, false, 0));
        if n == 74 {
            let failed = SearchResult::NotFound(Limit::Restarts);
            assert_eq!(searched.outcome, failed, "as Ganzfried found");
            let searched = run_on(&instance, &descents(Ties::SquirrelCull, false, 10));
            tour(&searched);
            assert!(searched.statistics.restarts > 0);
        } else {
            tour(&searched);
            assert_eq!(searched.statistics.nodes, u64::from(n * n));
        }
    }
}

#[test]
fn squirrel_and_culls_orders_need_one_descent() {
    squirrel_cull_succeeds((5..=112).chain([200, 254, 301, 307]));
}

#[test]
#[ignore = "minutes: every even board up to 1000x1000"]
fn squirrel_and_culls_orders_need_one_descent_on_every_even_board() {
    squirrel_cull_succeeds((6..=1000).step_by(2));
}

/// Returns the options that the command line uses by default.
fn best(instance: &Instance) -> Options {
    descents(best_ties(instance), true, 1000)
}

#[test]
fn open_tours_from_any_square_of_small_boards() {
    for n in [5, 6, 7, 8] {
        for start in 0..n * n {
            let instance = square(n, TourKind::Open, start);
            let searched = run_on(&instance, &best(&instance));
            let (row, col) = (start / n, start % n);
            if n % 2 == 1 && (row + col) % 2 == 1 {
                assert!(matches!(searched.outcome, SearchResult::NoTour(Proof::Obstruction(_))));
            } else {
                tour(&searched);
            }
        }
    }
}

#[test]
fn open_tours_from_the_middle_of_boards_of_all_shapes() {
    for board in ["3x4", "3x10", "4x5", "4x30", "5x40", "9x11", "20x50", "74x74", "60x150"] {
        let board: Board = board.parse().unwrap();
        for start in [0, board.n_squares() - 2] {
            let start = Vertex::new(start);
            let instance = Instance::on_board(board, TourKind::Open, start).unwrap();
            let searched = run_on(&instance, &best(&instance));
            match searched.outcome {
                SearchResult::Tour(_) => {}
                // 3×4 has open tours, but not from every square. The same is true of 4×5.
                SearchResult::NoTour(_) => {
                    assert!(board.n_squares() % 2 == 1 || board.n_squares() <= 20);
                }
                SearchResult::NotFound(_) => assert!(board.n_squares() <= 20, "{instance}"),
            }
        }
    }
}

#[test]
fn closed_tours_by_rotations() {
    for n in (6..=40).step_by(2).chain([100, 200]) {
        let instance = square(n, TourKind::Closed, n + 1);
        for seed in 0..if n < 40 { 3 } else { 1 } {
            let searched = run_on(&instance, &Options { seed, ..best(&instance) });
            assert_eq!(tour(&searched).order()[0], instance.start());
        }
    }
    for board in ["5x6", "3x10", "5x100", "7x30"] {
        let instance = on_board(board, TourKind::Closed, "c2");
        tour(&run_on(&instance, &best(&instance)));
    }
}

#[test]
fn other_leapers() {
    // The (0, 1)-leaper is the wazir, and the (2, 3)-leaper the zebra, whose smallest board with a closed tour is
    // 10×10.
    for (leaper, side, kind) in [
        ((0, 1), 6, TourKind::Closed),
        ((0, 1), 7, TourKind::Open),
        ((2, 3), 10, TourKind::Closed),
        ((1, 4), 10, TourKind::Closed),
    ] {
        let leaper = Leaper::new(leaper.0, leaper.1).unwrap();
        let board = Board::new(side, side, leaper).unwrap();
        let instance = Instance::on_board(board, kind, Vertex::new(0)).unwrap();
        tour(&run_on(&instance, &best(&instance)));
    }
}

#[test]
fn limits_end_a_search_without_a_claim() {
    let instance = on_board("7x8", TourKind::Closed, "a1");
    for method in [Method::Backtrack, Method::BestFirst] {
        let limited = Options { node_limit: Some(100_000), ..options(method, "article") };
        let searched = run_on(&instance, &limited);
        assert_eq!(searched.outcome, SearchResult::NotFound(Limit::Nodes));
        assert_eq!(searched.statistics.nodes, 100_000);
    }
    // The 3×8 board has no closed tour, and no infeasibility check shows this.
    let instance = on_board("3x8", TourKind::Closed, "a1");
    let searched = run_on(&instance, &descents(Ties::Pohl, true, 5));
    assert_eq!(searched.outcome, SearchResult::NotFound(Limit::Restarts));
    assert_eq!(searched.statistics.restarts, 5);
    for method in [Method::Backtrack, Method::BestFirst] {
        let searched = run_on(&instance, &options(method, "graph"));
        assert_eq!(searched.outcome, SearchResult::NoTour(Proof::Exhausted));
    }
    let soon = std::time::Instant::now() + std::time::Duration::from_millis(1);
    let timed = Options { budget: Budget::default().until(soon), ..options(Method::Backtrack, "article") };
    let instance = on_board("20x20", TourKind::Closed, "a1");
    let searched = run_on(&instance, &timed);
    assert_eq!(searched.outcome, SearchResult::NotFound(Limit::Time));
}

#[test]
fn the_seed_decides() {
    let instance = square(12, TourKind::Closed, 0);
    let with_seed = |seed| {
        let random = Options { seed, order: "random".parse().unwrap(), ..descents(Ties::Random, true, 100) };
        let searched = run_on(&instance, &random);
        (tour(&searched).order().to_vec(), searched.statistics.rotations)
    };
    assert_eq!(with_seed(1), with_seed(1));
    assert_ne!(with_seed(1), with_seed(2));
}

#[test]
fn what_is_not_for_an_instance_is_refused() {
    let graph = Graph::from_edges(4, [(0, 1), (1, 2), (2, 3), (3, 0)]).unwrap();
    let ring = Instance::on_graph("ring", graph, TourKind::Closed, Vertex::new(0)).unwrap();
    let refused = |instance: &Instance, options: &Options| {
        let error = search(instance, options, &mut |_, _| ()).unwrap_err();
        error.to_string()
    };
    assert_eq!(
        refused(&ring, &options(Method::Backtrack, "article")),
        "the order \"article\" is for boards, but ring is not a board; use the order \"graph\" or \"random\""
    );
    let roth = Options { order: Order::Graph, ..descents(Ties::Roth, true, 0) };
    assert_eq!(
        refused(&ring, &roth),
        "the tie-breaking rule \"roth\" requires a board, but the question is \"ring, closed tours, start 1\""
    );
    let message = refused(&on_board("8x8", TourKind::Open, "a2"), &descents(Ties::SquirrelCull, true, 0));
    assert!(message.contains("from square a1"), "{message}");
}

/// Returns true if the instance has a tour, by trying every path.
fn has_tour(instance: &Instance) -> bool {
    fn extend(instance: &Instance, path: &mut Vec<Vertex>) -> bool {
        let (graph, last) = (instance.graph(), path[path.len() - 1]);
        if path.len() == instance.n() as usize {
            return instance.kind() == TourKind::Open || graph.arc(last, path[0]).is_some();
        }
        graph.neighbours(last).iter().any(|&next| {
            if path.contains(&next) {
                return false;
            }
            path.push(next);
            let found = extend(instance, path);
            path.pop();
            found
        })
    }
    extend(instance, &mut vec![instance.start()])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn random_graphs_are_answered_as_by_brute_force(
        graph in graphs(3..=9),
        start in any::<prop::sample::Index>(),
        closed: bool,
        seed: u64,
    ) {
        let start = Vertex::new(start.index(graph.n_vertices() as usize) as u32);
        let kind = if closed { TourKind::Closed } else { TourKind::Open };
        let instance = Instance::on_graph("random", graph, kind, start).unwrap();
        let exists = has_tour(&instance);
        for method in [Method::Backtrack, Method::BestFirst] {
            for order in ["graph", "random"] {
                let complete = Options { seed, ..options(method, order) };
                let outcome = run_on(&instance, &complete).outcome;
                prop_assert_eq!(matches!(outcome, SearchResult::Tour(_)), exists);
                prop_assert_eq!(matches!(outcome, SearchResult::NoTour(_)), !exists);
            }
        }
        // Searches by Warnsdorff's rule never report a wrong answer.
        for ties in [Ties::Order, Ties::Pohl, Ties::Random] {
            for rotations in [true, false] {
                let how = Options { seed, order: Order::Random, ..descents(ties, rotations, 20) };
                match run_on(&instance, &how).outcome {
                    SearchResult::Tour(_) => prop_assert!(exists),
                    SearchResult::NoTour(_) => prop_assert!(!exists),
                    SearchResult::NotFound(_) => {}
                }
            }
        }
    }
}

/// Tests that searches by Warnsdorff's rule find a tour in nearly all of a thousand small graphs with tours. Some tours
/// cannot be found by a rule that always goes to the vertex with the fewest unvisited neighbours, however often the
/// search restarts.
#[test]
fn descents_with_rotations_find_nearly_all_tours_of_small_graphs() {
    let mut runner = TestRunner::deterministic();
    let (mut exist, mut missed) = (0, 0);
    while exist < 1000 {
        let graph = graphs(3..=9).new_tree(&mut runner).unwrap().current();
        let start = Vertex::new(exist % graph.n_vertices());
        let instance = Instance::on_graph("random", graph, TourKind::Closed, start).unwrap();
        if !has_tour(&instance) {
            continue;
        }
        exist += 1;
        for ties in [Ties::Order, Ties::Pohl, Ties::Random] {
            let order = Order::Random;
            let how = Options { order, ..descents(ties, true, 200) };
            missed += u32::from(!matches!(run_on(&instance, &how).outcome, SearchResult::Tour(_)));
        }
    }
    assert!(missed <= 30, "{missed} of 3000");
}
