//! Counts of tours, compared with known values, with brute force, and between the methods.

use std::collections::{HashMap, HashSet};
use std::time::Instant;

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use hamcnf::budget::{Budget, Stopped};
use hamcnf::count::enumerate::undirected;
use hamcnf::count::frontier::Exact;
use hamcnf::count::frontier::diagram::Diagram;
use hamcnf::count::frontier::exact::{self, ExactError};
use hamcnf::count::frontier::sample::{self, Repetitions};
use hamcnf::count::frontier::walk::Walk;
use hamcnf::count::not_counted::Cause;
use hamcnf::count::subsets::{self, By, Subsets};
use hamcnf::count::timeslice;
use hamcnf::count::treewidth;
use hamcnf::endpoints::Endpoints;
use hamcnf::{Board, Digraph, Graph, Instance, Tour, TourKind, Vertex, graph_strategy::graphs};
use num_bigint::BigUint;
use proptest::prelude::*;

/// Returns a budget that is over.
fn late() -> Budget {
    Budget::default().until(Instant::now())
}

fn options() -> exact::Options {
    exact::Options { threads: 2, memory: 1 << 30, ..exact::Options::default() }
}

fn board(text: &str, kind: TourKind) -> Instance {
    let board: Board = text.parse().unwrap();
    Instance::on_board(board, kind, Vertex::new(0)).unwrap()
}

fn count(instance: &Instance, ends: Endpoints, prune: bool) -> BigUint {
    let options = exact::Options { prune, ..options() };
    let exact = exact::count(instance, ends, &options, &mut |_| ());
    exact.unwrap().count
}

/// Returns the endpoints that allow all tours of an instance's kind, from any start.
fn anywhere(instance: &Instance) -> Endpoints {
    match instance.kind() {
        TourKind::Closed => Endpoints::Closed,
        TourKind::Open => Endpoints::ANYWHERE,
    }
}

/// Counts the Hamiltonian paths from a vertex by depth-first search. Returns the number of paths to each last vertex.
fn paths(graph: &Graph, from: Vertex) -> Vec<u64> {
    fn extend(graph: &Graph, at: Vertex, visited: u64, left: u32, ended: &mut [u64]) {
        if left == 0 {
            ended[at.index()] += 1;
        }
        for &w in graph.neighbours(at) {
            if visited >> w.number() & 1 == 0 {
                extend(graph, w, visited | 1 << w.number(), left - 1, ended);
            }
        }
    }
    let n = graph.n_vertices();
    let mut ended = vec![0; n as usize];
    extend(graph, from, 1 << from.number(), n - 1, &mut ended);
    ended
}

fn diagram(instance: &Instance, ends: Endpoints) -> Diagram {
    let options = Budget::default().with_memory(Some(1 << 30));
    Diagram::new(instance, ends, &options, &mut |_| ()).unwrap()
}

/// Maximum number of vertices for which counts by the method `timeslice` are checked.
const TIMESLICE_MOST: u32 = 20;

fn check_timeslice(instance: &Instance, ends: Endpoints, expected: u64) {
    if instance.n() <= TIMESLICE_MOST {
        let options = timeslice::Options { node_capacity: 1 << 18, ..timeslice::Options::default() };
        let counted = timeslice::count(instance, ends, &options, &mut |_| ()).unwrap();
        assert_eq!(counted.count, expected.into(), "{instance}");
    }
}

/// Checks that the decision diagram counts, lists and numbers exactly the tours with these endpoints, each tour once.
fn check_diagram(instance: &Instance, ends: Endpoints, expected: u64) {
    let diagram = diagram(instance, ends);
    assert_eq!(diagram.count(), expected.into());
    let listed: Vec<_> = diagram.tours().collect();
    let different: HashSet<_> = listed.iter().map(undirected).collect();
    assert_eq!((listed.len() as u64, different.len() as u64), (expected, expected));
    for (rank, tour) in listed.iter().enumerate() {
        assert_eq!(diagram.tour(&rank.into()).as_ref(), Some(tour));
        if let Endpoints::Open { from, to } = ends {
            let [first, last] = [tour.order().first(), tour.order().last()];
            assert!(from.is_none_or(|from| first == Some(&from)));
            assert!(to.is_none_or(|to| last == Some(&to)));
        }
    }
    assert_eq!(diagram.tour(&expected.into()), None);
    for from in [0, 1, expected / 2, expected.saturating_sub(1), expected] {
        let from = from.min(expected);
        let some: Vec<_> = diagram.tours_from(&from.into()).take(50).collect();
        let rest = &listed[from as usize..];
        assert_eq!(some, rest[..rest.len().min(50)], "{instance} from {from}");
    }
    check_walk(instance, ends, &listed);
}

/// Checks that a walk lists exactly these tours, in this order, and that its memory does not grow with their number.
fn check_walk(instance: &Instance, ends: Endpoints, expected: &[Tour]) {
    let degree = |v| instance.graph().neighbours(v).len() + 2;
    let choices = |v| 1 + degree(v) * degree(v);
    let most: usize = instance.graph().vertices().map(choices).sum();
    // The vertices that are added for open tours have few choices.
    let most = most + (instance.n() as usize).pow(2) + 8;
    // With little memory, rough bounds on degrees replace the exact sets on wide frontiers.
    for memory in [1 << 30, 0].into_iter().take(1 + usize::from(expected.len() < 1000)) {
        let options = Budget::default().with_memory(Some(memory));
        let mut walk = Walk::new(instance, ends, &options).unwrap();
        let mut found = Vec::new();
        while let Some(tour) = walk.next() {
            found.push(tour.unwrap());
            assert!(walk.stored() <= most, "{instance}");
        }
        assert_eq!(found, expected, "{instance}");
    }
}

fn check_treewidth(instance: &Instance, ends: Endpoints, expected: u64) {
    let options = Budget::default().with_memory(Some(1 << 30));
    let counted = treewidth::count(instance, ends, &options).unwrap();
    assert_eq!(counted.count, expected.into(), "{instance}");
}

/// Checks the number of tours with these endpoints by every method: frontier search, decision diagrams, tree
/// decomposition and time slices.
fn check_ends(instance: &Instance, ends: Endpoints, expected: u64) {
    for prune in [true, false] {
        assert_eq!(count(instance, ends, prune), expected.into());
    }
    check_diagram(instance, ends, expected);
    check_treewidth(instance, ends, expected);
    check_timeslice(instance, ends, expected);
}

/// Checks the counts for an instance. For open tours, also checks the number of tours from anywhere, and the number of
/// tours that end at each vertex of `last`.
fn check(instance: &Instance, last: &[Vertex]) {
    let graph = instance.graph();
    let start = instance.start();
    if instance.kind() == TourKind::Closed {
        let paths = paths(graph, start);
        let around = graph.neighbours(start).iter().map(|v| paths[v.index()]);
        check_ends(instance, Endpoints::Closed, around.sum::<u64>() / 2);
        return;
    }
    let paths: Vec<Vec<u64>> = graph.vertices().map(|v| paths(graph, v)).collect();
    let by_start: Vec<u64> = paths.iter().map(|to| to.iter().sum()).collect();
    check_ends(instance, Endpoints::of(instance), by_start[start.index()]);
    check_ends(instance, Endpoints::ANYWHERE, by_start.iter().sum());
    let to = Endpoints::Open { from: None, to: Some(start) };
    check_ends(instance, to, by_start[start.index()]);
    for &to in last.iter().filter(|&&v| v != start) {
        let between = Endpoints::Open { from: Some(start), to: Some(to) };
        let expected = paths[start.index()][to.index()];
        check_ends(instance, between, expected);
    }
    let counts = exact::by_start(instance, &options(), &mut |_, _| ()).unwrap();
    let by_start = by_start.into_iter().map(BigUint::from);
    assert!(counts.into_iter().eq(by_start));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn random_graphs_have_the_tours_that_brute_force_finds(graph in graphs(2..=8), start in 0u32..8, last in 0u32..8) {
        let [start, last] = [start, last].map(|v| Vertex::new(v % graph.n_vertices()));
        for kind in [TourKind::Closed, TourKind::Open] {
            if let Ok(instance) = Instance::on_graph("random", graph.clone(), kind, start) {
                check(&instance, &[last]);
            }
        }
    }
}

#[test]
fn small_boards_have_the_tours_that_brute_force_finds() {
    for text in ["3x3", "3x4", "4x3", "3x6", "4x4", "4x5", "1x2", "2x9", "5x5", "3x10"] {
        for kind in [TourKind::Closed, TourKind::Open] {
            // The boards with a single row have no closed tours. They have at least two squares.
            let board: Board = text.parse().unwrap();
            if let Ok(instance) = Instance::on_board(board, kind, Vertex::new(0))
                && (kind == TourKind::Closed || instance.n() <= 20)
            {
                // Every third square is tried as the last. On a board with five columns, the fifth column mirrors the
                // first.
                let last: Vec<_> = instance.graph().vertices().skip(1).step_by(3).collect();
                check(&instance, &last);
            }
        }
    }
}

#[test]
fn closed_tours_of_boards_are_the_published_ones() {
    // Values of OEIS A070030 (3×2n), A175855 (5×2n) and A193054 (6×n). McKay's count for 8×8 needs a longer run.
    for (text, tours) in [
        ("3x10", 16),
        ("3x12", 176),
        ("3x14", 1_536),
        ("3x16", 15_424),
        ("3x18", 147_728),
        ("5x6", 8),
        ("6x6", 9_862),
        ("6x7", 1_067_638),
        ("7x6", 1_067_638),
        ("6x8", 55_488_142),
        ("4x10", 0),
        ("5x7", 0),
    ] {
        let instance = board(text, TourKind::Closed);
        assert_eq!(count(&instance, anywhere(&instance), true), BigUint::from(tours as u64), "{text}");
    }
}

#[test]
fn open_tours_of_boards_are_the_published_ones() {
    // Values of OEIS A165134 (n×n), and known counts for 3×n.
    for (text, tours) in
        [("3x4", 16), ("3x7", 104), ("3x8", 792), ("4x5", 164), ("4x6", 1_488), ("5x5", 1_728), ("6x6", 6_637_920)]
    {
        let instance = board(text, TourKind::Open);
        assert_eq!(count(&instance, anywhere(&instance), true), BigUint::from(tours as u64), "{text}");
    }
}

#[test]
fn open_tours_between_corners_are_the_published_ones() {
    // Values of OEIS A000532 (rook moves of one square, between corners of one side) and A001184 (opposite corners of
    // odd boards).
    for (text, last, tours) in [
        ("7x7", (0, 6), 88_418),
        ("8x8", (0, 7), 8_934_966),
        ("9x9", (0, 8), 2_087_813_834),
        ("7x7", (6, 6), 111_712),
        ("9x9", (8, 8), 2_688_307_514_u64),
    ] {
        let rook: Board = format!("leaper:0,1:{text}").parse().unwrap();
        let last = rook.square_at(last.0, last.1);
        let instance = Instance::on_board(rook, TourKind::Open, Vertex::new(0)).unwrap();
        let between = |from, to| Endpoints::Open { from: Some(from), to: Some(to) };
        for ends in [between(Vertex::new(0), last), between(last, Vertex::new(0))] {
            assert_eq!(count(&instance, ends, true), tours.into());
        }
    }
}

#[test]
fn open_tours_by_start_are_the_known_boards() {
    let board_of = |text| {
        let counts = exact::by_start(&board(text, TourKind::Open), &options(), &mut |_, _| ());
        let counts = counts.unwrap().into_iter().map(|c| u64::try_from(c).unwrap());
        counts.collect::<Vec<u64>>()
    };
    let five = [[304, 0, 56, 0, 304], [0, 56, 0, 56, 0], [56, 0, 64, 0, 56], [0, 56, 0, 56, 0], [304, 0, 56, 0, 304]];
    assert_eq!(board_of("5x5"), five.concat());
    let rows = [[524_486, 289_050, 115_837], [289_050, 173_402, 49_578], [115_837, 49_578, 52_662]];
    let mirrored = rows.map(|[a, b, c]| [a, b, c, c, b, a]);
    let [a, b, c] = mirrored;
    assert_eq!(board_of("6x6"), [a, b, c, c, b, a].concat());
}

/// Tests that two cycles that together cover all vertices are not counted as a tour.
#[test]
fn several_cycles_are_no_tour() {
    let two = |a: [u32; 3], b: [u32; 3]| {
        let around = |[x, y, z]: [u32; 3]| [(x, y), (y, z), (z, x)];
        Graph::from_edges(6, around(a).into_iter().chain(around(b))).unwrap()
    };
    for graph in [two([0, 1, 2], [3, 4, 5]), two([0, 2, 4], [1, 3, 5])] {
        for kind in [TourKind::Closed, TourKind::Open] {
            let instance = Instance::on_graph("two", graph.clone(), kind, Vertex::new(0)).unwrap();
            check(&instance, &[Vertex::new(5)]);
        }
    }
}

fn complete(n: u32) -> Graph {
    Graph::from_edges(n, (0..n).flat_map(|v| (0..v).map(move |w| (w, v)))).unwrap()
}

#[test]
fn complete_graphs_have_all_orders() {
    for n in 3..=9u32 {
        let on = |kind| Instance::on_graph("complete", complete(n), kind, Vertex::new(0)).unwrap();
        let orders: u64 = (1..u64::from(n)).product();
        assert_eq!(count(&on(TourKind::Closed), Endpoints::Closed, true), (orders / 2).into());
        let open = on(TourKind::Open);
        assert_eq!(count(&open, Endpoints::of(&open), true), orders.into());
        let anywhere = orders * u64::from(n);
        assert_eq!(count(&open, Endpoints::ANYWHERE, true), anywhere.into());
    }
}

/// Tests numbers that do not fit into 32 and 64 bits: a complete graph has (n − 1)!/2 cycles, and a complete bipartite
/// graph on twice n vertices has n!·(n − 1)!/2.
#[test]
fn large_numbers_are_counted() {
    let factorial = |n: u32| (1..=n).fold(BigUint::from(1u32), |product, k| product * k);
    let options = subsets::Options { threads: 2, memory: 1 << 30, budget: Budget::default() };
    let count = |subsets: Subsets, by| subsets.count(by, &options, &mut |_| ()).unwrap().count;
    let cycles = |graph: &Graph, by| count(Subsets::of_cycles(graph).unwrap(), by);
    for n in [13, 14] {
        for by in [By::Table, By::Walks] {
            assert_eq!(cycles(&complete(n), by), factorial(n - 1) / 2u32);
        }
    }
    let edges = (0..11).flat_map(|v| (11..22).map(move |w| (v, w)));
    let bipartite = Graph::from_edges(22, edges).unwrap();
    assert_eq!(cycles(&bipartite, By::Table), factorial(11) * factorial(10) / 2u32);
    // Complete digraphs with a 64-bit layer: numbers of paths through 8 of 22 vertices would need wide layers only
    // beyond.
    let arcs = (0..19).flat_map(|u| (0..19).filter(move |v| *v != u).map(move |v| (u, v)));
    let digraph = Digraph::from_arcs(19, arcs).unwrap();
    let instance = Instance::on_digraph("complete", digraph, TourKind::Closed, Vertex::new(0)).unwrap();
    assert_eq!(count(Subsets::new(&instance, Endpoints::Closed).unwrap(), By::Table), factorial(18));
}

#[test]
fn sheehans_graphs_have_one_cycle() {
    for n in 4..=20 {
        let family: hamcnf::families::Family = format!("sheehan:{n}").parse().unwrap();
        let graph = family.graph().undirected().unwrap();
        assert_eq!(graph.n_edges(), n * n / 4 + 1);
        let instance = Instance::on_graph(family.to_string(), graph.clone(), TourKind::Closed, Vertex::new(0)).unwrap();
        check_treewidth(&instance, Endpoints::Closed, 1);
    }
}

/// Tests that the numbers of closed tours of 3×2n boards satisfy a linear recurrence (Elkies, and Knuth in *Selected
/// Papers on Fun and Games*, 2011). Such a recurrence checks large counts against small counts, modulo any number. The
/// test derives the recurrence from the first values, and predicts later values beyond 64 and 128 bits.
#[test]
fn counts_beyond_every_machine_word_follow_their_recurrence() {
    const PRIME: i128 = (1 << 61) - 1;
    let values: Vec<BigUint> = (4..=100)
        .map(|half| count(&board(&format!("3x{}", 2 * half), TourKind::Closed), Endpoints::Closed, true))
        .collect();
    assert!(values.last().unwrap().bits() > 128);
    let residues: Vec<i128> =
        values.iter().map(|value| i128::try_from(value % BigUint::from(PRIME as u64)).unwrap()).collect();
    let (learn, predict) = residues.split_at(60);
    let recurrence = berlekamp_massey(learn, PRIME);
    assert!(recurrence.len() <= 25, "{} terms", recurrence.len());
    for (k, &value) in predict.iter().enumerate() {
        let before = residues[..60 + k].iter().rev();
        let predicted = recurrence.iter().zip(before).fold(0, |sum, (c, x)| (sum + c * x) % PRIME);
        assert_eq!(predicted, value, "3x{}", 2 * (64 + k));
    }
}

/// Returns the shortest linear recurrence of a sequence modulo a prime (Massey, 1969). Its first coefficient belongs to
/// the last value, the second to the value before it, and so on.
fn berlekamp_massey(sequence: &[i128], prime: i128) -> Vec<i128> {
    let inverse = |x: i128| {
        let (mut power, mut base, mut exponent) = (1, x.rem_euclid(prime), prime - 2);
        while exponent > 0 {
            if exponent & 1 == 1 {
                power = power * base % prime;
            }
            base = base * base % prime;
            exponent >>= 1;
        }
        power
    };
    let (mut current, mut last): (Vec<i128>, Vec<i128>) = (Vec::new(), Vec::new());
    let (mut fail_at, mut fail_by) = (0, 0);
    for k in 0..sequence.len() {
        let predicted = (0..current.len()).fold(0, |sum, j| (sum + current[j] * sequence[k - 1 - j]) % prime);
        let wrong = (sequence[k] - predicted).rem_euclid(prime);
        if wrong == 0 {
            continue;
        }
        if current.is_empty() {
            current = vec![0; k + 1];
            (fail_at, fail_by) = (k, wrong);
            continue;
        }
        let scale = wrong * inverse(fail_by) % prime;
        let mut correction = vec![0; k - fail_at - 1];
        correction.push(scale);
        correction.extend(last.iter().map(|c| (prime - c) * scale % prime));
        correction.resize(correction.len().max(current.len()), 0);
        let longer = k as i64 - current.len() as i64 > fail_at as i64 - last.len() as i64;
        let before = current.clone();
        for (sum, c) in correction.iter_mut().zip(&current) {
            *sum = (*sum + c) % prime;
        }
        current = correction;
        if longer {
            (last, fail_at, fail_by) = (before, k, wrong);
        }
    }
    current
}

#[test]
fn limits_are_errors_that_say_where_they_were_met() {
    let instance = board("6x8", TourKind::Closed);
    let with = |options: exact::Options| exact::count(&instance, Endpoints::Closed, &options, &mut |_| ());
    let small = exact::Options { memory: 1 << 20, ..options() };
    let error = with(small).unwrap_err();
    assert!(matches!(error, ExactError::Memory { limit: 1_048_576, .. }));
    assert!(error.to_string().contains("(estimated)"), "{error}");
    let passed = exact::Options { budget: late(), ..options() };
    assert!(matches!(with(passed).unwrap_err(), ExactError::Time { .. }));
    let wide = board("17x17", TourKind::Closed);
    let error = exact::count(&wide, Endpoints::Closed, &options(), &mut |_| ()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "17x17 knight, closed tours, start a1: the graph is too wide: in the best vertex order that was found, the frontier has 34 vertices, but a state can have at most 32"
    );
}

#[test]
fn threads_and_their_number_change_nothing() {
    let instance = board("6x8", TourKind::Closed);
    let of = |threads| {
        let options = exact::Options { threads, ..options() };
        exact::count(&instance, Endpoints::Closed, &options, &mut |_| ()).unwrap()
    };
    assert_eq!((of(1).count, of(1).generated), (of(5).count, of(5).generated));
    let sampled = |threads| {
        let options = sample::Options {
            states: 500,
            repetitions: Repetitions::new(7).unwrap(),
            seed: 3,
            threads,
            memory: u64::MAX,
            budget: Budget::default(),
        };
        sample::estimate(&instance, Endpoints::Closed, &options, &mut |_, _| ()).unwrap()
    };
    assert_eq!(sampled(1), sampled(5));
}

fn estimate(instance: &Instance, states: usize, repetitions: usize, seed: u64) -> sample::Estimate {
    let options = sample::Options {
        states,
        repetitions: Repetitions::new(repetitions).unwrap(),
        seed,
        threads: 2,
        memory: u64::MAX,
        budget: Budget::default(),
    };
    sample::estimate(instance, anywhere(instance), &options, &mut |_, _| ()).unwrap()
}

/// Tests that exact counts equal the estimates of `sample` if it keeps all states. The estimates store states and
/// weights in another form.
#[test]
fn all_states_of_a_sample_count_the_same() {
    for text in ["3x10", "5x6", "6x6", "7x6", "4x9", "king:4x5", "leaper:1,4:6x6"] {
        for kind in [TourKind::Closed, TourKind::Open] {
            let instance = board(text, kind);
            if kind == TourKind::Open && instance.n() > 30 {
                continue;
            }
            let exact = count(&instance, anywhere(&instance), true);
            let other = estimate(&instance, usize::MAX, 2, 1);
            assert_eq!(exact.to_string(), format!("{:.0}", other.mean), "{text} {kind}");
        }
    }
}

#[test]
fn estimates_are_as_near_as_they_say() {
    for (text, kind, truth) in [("6x6", TourKind::Closed, 9_862.0), ("5x5", TourKind::Open, 1_728.0)] {
        let instance = board(text, kind);
        let (mut covered, mut sum) = (0, 0.0);
        for seed in 0..100 {
            let estimate = estimate(&instance, 100, 10, seed);
            assert!(!estimate.exact && estimate.peak_states > 100);
            covered += u32::from((estimate.mean - truth).abs() <= 3.0 * estimate.standard_error);
            sum += estimate.mean;
        }
        assert!(covered >= 95, "{text}: {covered} of 100");
        let bias = sum / 100.0 / truth - 1.0;
        assert!(bias.abs() < 0.05, "{text}: the mean of all is off by {bias}");
    }
}

#[test]
fn an_estimate_that_drops_nothing_is_exact() {
    let estimate = estimate(&board("6x6", TourKind::Closed), 1 << 20, 2, 1);
    assert!(estimate.exact);
    assert_eq!((estimate.mean, estimate.standard_error), (9_862.0, 0.0));
    let options = sample::Options {
        states: 10,
        repetitions: Repetitions::new(2).unwrap(),
        seed: 1,
        threads: 1,
        memory: u64::MAX,
        budget: late(),
    };
    let late = sample::estimate(&board("6x6", TourKind::Closed), Endpoints::Closed, &options, &mut |_, _| ());
    let late = late.unwrap_err();
    assert_eq!(late.to_string(), "the time limit was reached before the second repetition was complete");
    let few = sample::Options { states: 1, budget: Budget::default(), ..options };
    let none = sample::estimate(&board("10x10", TourKind::Closed), Endpoints::Closed, &few, &mut |_, _| ());
    let nothing = none.unwrap_err();
    assert_eq!(nothing.cause, Cause::Limit(Stopped::GaveUp), "no tours found are not certainly none");
    assert!(nothing.to_string().starts_with("no tour found in 2 repetitions"), "{nothing}");
}

#[test]
fn diagrams_hold_the_tours_of_larger_boards() {
    let closed = board("6x6", TourKind::Closed);
    check_diagram(&closed, Endpoints::Closed, 9_862);
    let open = board("5x5", TourKind::Open);
    check_diagram(&open, Endpoints::of(&open), 304);
    check_diagram(&open, Endpoints::ANYWHERE, 1_728);
    let larger = board("6x8", TourKind::Closed);
    assert_eq!(diagram(&larger, Endpoints::Closed).count(), 55_488_142u32.into());
    let options = Budget::default().with_memory(Some(1 << 20));
    let error = Diagram::new(&larger, Endpoints::Closed, &options, &mut |_| ()).unwrap_err();
    assert_eq!(error.cause, Cause::Limit(Stopped::Memory), "{error}");
}

#[test]
fn sampled_tours_are_uniform() {
    // The 3×10 board has 16 closed tours. Each is expected 100 times in 1600 samples, with a standard deviation below
    // 10.
    let instance = board("3x10", TourKind::Closed);
    let diagram = diagram(&instance, Endpoints::Closed);
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut seen: HashMap<_, u32> = HashMap::new();
    for _ in 0..1600 {
        *seen.entry(diagram.sample(&mut random).unwrap().order().to_vec()).or_default() += 1;
    }
    assert_eq!(seen.len(), 16);
    assert!(seen.values().all(|&times| (60..=140).contains(&times)), "{seen:?}");
    // With 15 degrees of freedom, chi squared exceeds 37.7 with probability 0.001.
    let chi: f64 = seen.values().map(|&times| (f64::from(times) - 100.0).powi(2) / 100.0).sum();
    assert!(chi < 37.7, "{chi}");

    let none = board("4x4", TourKind::Closed);
    assert_eq!(self::diagram(&none, Endpoints::Closed).sample(&mut random), None);
}

#[test]
fn time_slices_count_5x5_and_stop_at_their_limits() {
    let open = board("5x5", TourKind::Open);
    let from = Endpoints::of(&open);
    let count = |options| timeslice::count(&open, from, &options, &mut |_| ());
    let options = timeslice::Options::default();
    let corner = count(options.clone()).unwrap();
    assert_eq!(corner.count, 304u32.into());
    assert!(corner.nodes <= corner.peak_nodes);
    let few = timeslice::Options { node_capacity: 2_000, ..options.clone() };
    let error = count(few).unwrap_err();
    assert!(error.to_string().starts_with("the decision diagram reached its limit of 2000 nodes"), "{error}");
    let none = timeslice::Options { node_capacity: 600, ..options.clone() };
    let none = count(none).unwrap_err().to_string();
    assert!(none.contains("variables are more than the 600 nodes that the memory limit allows"), "{none}");
    let late = timeslice::Options { budget: late(), ..options };
    assert_eq!(count(late).unwrap_err().cause, Cause::Limit(Stopped::Time));
}

/// Returns the counts of several boards from one call, in the order in which they became known.
fn of_several(texts: &[&str], kind: TourKind, prune: bool) -> Vec<(String, BigUint)> {
    let questions: Vec<_> =
        texts.iter().map(|text| board(text, kind)).map(|instance| (instance.clone(), anywhere(&instance))).collect();
    let options = exact::Options { prune, ..options() };
    let mut known = Vec::new();
    let mut found = |at: usize, exact: Exact| known.push((texts[at].to_owned(), exact.count));
    exact::counts(&questions, &options, &mut |_| (), &mut found, &mut |_| ()).unwrap();
    known
}

/// Tests that one call for several boards returns the same counts as separate calls: with either side fixed, for open
/// tours, and for boards that cannot share a sweep.
#[test]
fn boards_of_all_lengths_are_counted_by_one_sweep() {
    let (closed, open) = (TourKind::Closed, TourKind::Open);
    let lists: [(&[&str], TourKind); 8] = [
        (&["5x1", "5x2", "5x3", "5x4", "5x5", "5x6", "5x7", "5x8", "5x9", "5x10"], closed),
        (&["2x5", "3x5", "4x5", "5x5", "6x5", "7x5", "8x5"], closed),
        (&["3x3", "3x10", "3x12", "3x14", "3x15"], closed),
        (&["6x5", "6x6", "6x7"], closed),
        (&["4x2", "4x3", "4x4", "4x5", "4x6"], open),
        (&["3x4", "4x4", "5x4", "6x4"], open),
        (&["king:4x3", "king:4x4", "king:4x5"], closed),
        (&["6x6", "3x10", "5x6"], closed),
    ];
    for (texts, kind) in lists {
        let alone = |text: &&str| {
            let instance = board(text, kind);
            (text.to_string(), count(&instance, anywhere(&instance), true))
        };
        let expected: HashMap<_, _> = texts.iter().map(alone).collect();
        for prune in [true, false] {
            let known = of_several(texts, kind, prune);
            assert_eq!(known.len(), texts.len());
            assert_eq!(known.into_iter().collect::<HashMap<_, _>>(), expected, "{texts:?}");
        }
    }
}

/// Tests that a limit keeps the counts that are known before it is reached.
#[test]
fn lengths_before_a_limit_are_known() {
    let questions: Vec<_> = ["6x6", "6x7", "6x8", "6x9", "6x10", "6x11", "6x12"]
        .iter()
        .map(|text| (board(text, TourKind::Closed), Endpoints::Closed))
        .collect();
    let limited = exact::Options { memory: 5500 << 10, try_hard: true, ..options() };
    let mut known = Vec::new();
    let mut found = |at: usize, exact: Exact| known.push((at, exact.count));
    let ended = exact::counts(&questions, &limited, &mut |_| (), &mut found, &mut |_| ());
    assert!(matches!(ended, Err(ExactError::Memory { .. })), "{ended:?}");
    assert_eq!(known.first(), Some(&(0, 9_862u32.into())));
    assert!(known.len() < questions.len());
}

/// Tests the counts of many instances. Boards of up to 40 squares are compared with another method, the dynamic program
/// over a tree decomposition. 300 random graphs are compared with brute force.
#[test]
#[ignore = "takes minutes"]
fn all_small_boards_and_many_graphs_are_counted_alike() {
    let options = Budget::default().with_memory(Some(2 << 30));
    for side in 3..=6 {
        for kind in [TourKind::Closed, TourKind::Open] {
            let most = if kind == TourKind::Closed { 40 } else { 25 };
            let lengths = side..=most / side;
            let texts: Vec<_> = lengths.map(|length| format!("{side}x{length}")).collect();
            let texts: Vec<_> = texts.iter().map(String::as_str).collect();
            for (text, counted) in of_several(&texts, kind, true) {
                let instance = board(&text, kind);
                let ends = anywhere(&instance);
                let other = treewidth::count(&instance, ends, &options).unwrap();
                assert_eq!(counted, other.count, "{text} {kind}");
            }
        }
    }
    let mut random = ChaCha8Rng::seed_from_u64(38);
    for round in 0..300 {
        let n = 8 + round % 6;
        let density = 0.25 + 0.05 * f64::from(round % 7);
        let pairs = (0..n).flat_map(|a| (0..a).map(move |b| (a, b)));
        let edges: Vec<_> = pairs.filter(|_| f64::from(random.next_u32()) < density * f64::from(u32::MAX)).collect();
        let graph = Graph::from_edges(n, edges).unwrap();
        for kind in [TourKind::Closed, TourKind::Open] {
            let start = Vertex::new(0);
            let instance = Instance::on_graph("random", graph.clone(), kind, start).unwrap();
            let starts = graph.vertices().map(|v| paths(&graph, v));
            let expected: u64 = match kind {
                TourKind::Closed => {
                    let from = paths(&graph, start);
                    let around = graph.neighbours(start).iter();
                    around.map(|v| from[v.index()]).sum::<u64>() / 2
                }
                TourKind::Open => starts.flatten().sum(),
            };
            for prune in [true, false] {
                let counted = count(&instance, anywhere(&instance), prune);
                assert_eq!(counted, expected.into(), "{graph:?} {kind}");
            }
        }
    }
}
