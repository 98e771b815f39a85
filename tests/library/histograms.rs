//! Histograms of tours by the value of a statistic, compared with lists of all tours.

use std::collections::BTreeMap;

use hamcnf::count::enumerate;
use hamcnf::count::frontier::Exact;
use hamcnf::count::statistic::{Measure, Statistic};
use hamcnf::endpoints::Endpoints;
use hamcnf::{Formula, Graph, Instance, Tour, TourKind, Vertex, solve};
use num_bigint::BigUint;

use crate::resources::{closed, on_board, options, with};

fn of(board: &str, kind: TourKind, statistic: &str) -> Exact {
    with(&on_board(board, kind), statistic, &options()).unwrap()
}

/// Lists all tours by CaDiCaL, with the instance of each start.
fn listed(board: &str, kind: TourKind) -> Vec<(Instance, Tour)> {
    let (instance, _) = on_board(board, kind);
    let starts: Vec<_> = match kind {
        TourKind::Closed => vec![instance],
        TourKind::Open => instance.graph().vertices().map(|v| instance.starting_at(v).unwrap()).collect(),
    };
    let tours = starts.into_iter().flat_map(|start| {
        let options = solve::Options::default();
        let formula = Formula::new(solve::defaults::listed(&start), &start).unwrap();
        let found = enumerate::tours_of(&formula, usize::MAX, &options, &mut |_| ()).unwrap();
        assert!(found.complete);
        found.found.into_iter().map(move |tour| (start.clone(), tour))
    });
    tours.collect()
}

/// Returns the value of a statistic for a sequence of vertices. `is_closed` says that the last vertex is adjacent to
/// the first one.
fn value(measure: &Measure<'_>, order: &[Vertex], is_closed: bool) -> u32 {
    let n = order.len();
    let end = |short: usize| if is_closed { n } else { n.saturating_sub(short) };
    let at = |p: usize| order[p % n];
    let moves = (0..end(1)).map(|p| measure.of_move(at(p), at(p + 1)));
    let angles = (0..end(2)).map(|p| measure.of_angle(at(p), at(p + 1), at(p + 2)));
    moves.sum::<u32>() + angles.sum::<u32>()
}

fn check(board: &str, kind: TourKind) {
    let tours = listed(board, kind);
    assert!(!tours.is_empty(), "{board}");
    for statistic in STATISTICS {
        let parsed: Statistic = statistic.parse().unwrap();
        let mut expected: BTreeMap<u32, BigUint> = BTreeMap::new();
        for (instance, tour) in &tours {
            let measure = parsed.on(instance).unwrap();
            let value = value(&measure, tour.order(), kind == TourKind::Closed);
            *expected.entry(value).or_default() += 1u32;
        }
        let census = of(board, kind, statistic);
        assert_eq!(census.by_value, expected, "{board} {kind} {statistic}");
    }
}

const STATISTICS: [&str; 8] =
    ["acute", "right", "obtuse", "straight", "0..89", "slope=1/2", "slope=2/1,slope=2/-1", "slope=1/1,acute"];

#[test]
fn histograms_equal_listed_tours() {
    for (board, kind) in [
        ("5x6", TourKind::Closed),
        ("3x10", TourKind::Closed),
        ("3x4", TourKind::Open),
        ("king:3x4", TourKind::Closed),
        ("leaper:0,1+1,1+0,2:3x3", TourKind::Open),
    ] {
        check(board, kind);
    }
}

#[test]
#[ignore = "takes a minute"]
fn histograms_of_larger_boards_equal_listed_tours() {
    for (board, kind) in [("6x6", TourKind::Closed), ("4x5", TourKind::Open), ("5x5", TourKind::Open)] {
        check(board, kind);
    }
}

/// Tests the histogram of the 6x6 board: 8 tours have 9 obtuse or straight angles, as the constraint `turns
/// 0..89=..9` finds, and none has fewer.
#[test]
fn angles_of_6x6_are_known() {
    let census = of("6x6", TourKind::Closed, "obtuse,straight");
    let least = census.by_value.first_key_value().unwrap();
    assert_eq!((*least.0, least.1), (9, &BigUint::from(8u32)));
    assert_eq!(census.count, BigUint::from(9862u32));
    let turns = of("6x6", TourKind::Closed, "0..89");
    assert_eq!(census.by_value, turns.by_value);
}

/// Tests coefficients of more than one machine word. A reflection of the board exchanges the two diagonal slopes, so
/// both have the same histogram.
#[test]
fn large_counts_need_several_words() {
    let one = of("king:3x60", TourKind::Closed, "slope=1/1");
    let other = of("king:3x60", TourKind::Closed, "slope=1/-1");
    assert!(one.count.bits() > 80);
    assert_eq!(one.by_value, other.by_value);
}

#[test]
fn graphs_and_long_boards_are_refused() {
    let error = with(&closed("3x11000"), "obtuse", &options()).unwrap_err();
    assert_eq!(error.to_string(), "3x11000 has 33000 squares, but histograms support at most 32767");
    let graph = Graph::from_edges(3, [(0, 1), (1, 2), (2, 0)]).unwrap();
    let triangle = Instance::on_graph("triangle", graph, TourKind::Closed, Vertex::new(0)).unwrap();
    let error = with(&(triangle, Endpoints::Closed), "obtuse", &options());
    let message = "a histogram needs the squares of a board, but triangle is a graph";
    assert_eq!(error.unwrap_err().to_string(), message);
}
