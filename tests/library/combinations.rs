//! Combinations of base encodings and refinements. Every combination has a model if and only if there is a tour, and
//! each tour has as many models as the formula reports.
//!
//! There are too many combinations for an ordinary run. Each run draws some combinations for each graph at random, and
//! prints the seed. `cargo test --test library combinations:: -- --ignored` tries all of them.

use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::brute_force::{brute_force, connected_graphs};
use crate::models::has_tours;
use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use hamcnf::count::enumerate::tours_of;
use hamcnf::solve::{Options, Outcome, solve};
use hamcnf::{AtMostOne, Encoding, Formula, Graph, Instance, Named, TourKind, Vertex, encoding};

/// Values of each refinement, except its default.
const VALUES: [(&str, &[&str]); 6] = [
    ("order", &["bfs", "far", "seed-1", "seed-2"]),
    ("windows", &["as-published", "full"]),
    ("parity", &["on"]),
    ("two-cycles", &["on"]),
    ("orientation", &["fixed"]),
    ("phases", &["false", "walk"]),
];

/// Returns the names of the base encodings, some with arguments.
fn bases() -> Vec<String> {
    let mut bases: Vec<_> = encoding::bases().iter().map(|b| b.name.to_owned()).collect();
    // The step encoding applies only to boards.
    bases.retain(|base| base != "step");
    bases.extend(["remainder=4", "remainder=2x3", "remainder=3x5", "remainder=16x3"].map(str::to_owned));
    bases
}

/// Returns all encodings that combine a base encoding with applicable refinements.
fn words(base: &str) -> Vec<Encoding> {
    let mut all: Vec<Encoding> = vec![base.parse().unwrap()];
    let at_most_one: Vec<&str> = AtMostOne::ALL.iter().map(|how| how.as_str()).collect();
    let refinements = VALUES.iter().copied().chain([("at-most-one", &at_most_one[..])]);
    for (name, values) in refinements {
        let refined = |e: &Encoding| -> Vec<Encoding> {
            let absent = encoding::refinements().into_iter().find(|r| r.name == name).unwrap().absent;
            let values = values.iter().chain([&absent]);
            values.filter_map(|value| e.with(&format!("{name}={value}")).ok()).collect()
        };
        let mut next: Vec<Encoding> = all.iter().flat_map(refined).collect();
        next.sort();
        next.dedup();
        all = next;
    }
    all
}

fn check(instance: &Instance, encoding: &Encoding, expected: &HashSet<Vec<Vertex>>, what: &str) {
    let formula = Formula::new(encoding.clone(), instance).unwrap();
    let what = format!("{encoding} of {:?}, {}, {what}", instance.graph(), instance);

    has_tours(&formula, expected, &what);

    let solved = solve(&formula, &Options::default(), &mut |_| ()).unwrap().outcome;
    let has_tour = matches!(solved, Outcome::Found(_));
    assert_eq!(has_tour, !expected.is_empty(), "{what}");
    assert!(!matches!(solved, Outcome::Stopped(_)), "{what}");
}

/// Returns instances for closed and open tours from every start. Encodings refuse closed tours on fewer than 3
/// vertices.
fn questions(graph: &Graph) -> Vec<Instance> {
    let small = graph.n_vertices() < 3;
    let kinds = [TourKind::Closed, TourKind::Open];
    let kinds = kinds.into_iter().skip(usize::from(small));
    let starts = graph.vertices();
    let asked = starts.flat_map(|start| kinds.clone().map(move |kind| (start, kind)));
    let of = |(start, kind)| Instance::on_graph("small", graph.clone(), kind, start).ok();
    asked.filter_map(of).collect()
}

fn random_graph(random: &mut ChaCha8Rng, n: u32) -> Graph {
    let threshold = 80 + random.next_u32() % 150;
    let pairs = (0..n).flat_map(|a| (a + 1..n).map(move |b| (a, b)));
    let edges: Vec<_> = pairs.filter(|_| random.next_u32() % 256 < threshold).collect();
    Graph::from_edges(n, edges).unwrap()
}

#[test]
fn some_combinations_on_all_small_graphs_and_random_ones() {
    let fresh = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_nanos() as u64;
    let seed = std::env::var("COMBINATIONS_SEED").map_or(fresh, |seed| seed.parse().unwrap());
    println!("COMBINATIONS_SEED={seed}");
    let what = format!("COMBINATIONS_SEED={seed}");
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut graphs: Vec<_> = (2..=5).flat_map(connected_graphs).collect();
    assert_eq!(graphs.len(), 1 + 2 + 6 + 21);
    graphs.extend((0..40).map(|k| {
        let n = 6 + k % 3;
        random_graph(&mut random, n)
    }));
    let words: Vec<_> = bases().iter().map(|base| words(base)).collect();
    let asked: Vec<_> = graphs
        .iter()
        .map(|graph| {
            let questions = questions(graph);
            let question = random.next_u32() as usize % questions.len();
            let of_base = |of_base: &Vec<Encoding>| of_base[random.next_u32() as usize % of_base.len()].clone();
            let encodings: Vec<_> = words.iter().map(of_base).collect();
            (questions[question].clone(), encodings)
        })
        .collect();
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some((instance, encodings)) = asked.get(next.fetch_add(1, Ordering::Relaxed)) {
            let expected = brute_force(instance);
            for encoding in encodings {
                check(instance, encoding, &expected, &what);
            }
        }
    };
    thread::scope(|scope| {
        scope.spawn(work);
        work();
    });
}

/// Tests all combinations on all small graphs, which takes hours.
#[test]
#[ignore = "all of them take hours"]
fn all_combinations_on_all_small_graphs() {
    for graph in (2..=5).flat_map(connected_graphs) {
        for instance in questions(&graph) {
            let expected = brute_force(&instance);
            for encoding in bases().iter().flat_map(|base| words(base)) {
                check(&instance, &encoding, &expected, "");
            }
        }
    }
}

/// Tests that the solver adds the missing constraints of a relaxed formula lazily, and never accepts several cycles as
/// a tour.
#[test]
fn cycles_of_relaxed_formulas_are_cut() {
    // A prism: two triangles with three edges between them. Without constraints on positions, the two triangles are a
    // model.
    let edges = [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3), (0, 3), (1, 4), (2, 5)];
    let prism = Graph::from_edges(6, edges).unwrap();
    let instance = Instance::on_graph("prism", prism, TourKind::Closed, Vertex::new(0)).unwrap();
    for (word, exact) in [("relaxed", false), ("edges", false), ("remainder=3", false), ("remainder=2x3", true)] {
        let formula = Formula::new(word.parse().unwrap(), &instance).unwrap();
        assert_eq!(formula.is_exact(), exact, "{word}");
        let found = tours_of(&formula, usize::MAX, &Options::default(), &mut |_| ()).unwrap();
        assert_eq!((found.found.len(), found.complete), (3, true), "{word}");
    }
    // Two separate triangles have no tour.
    let apart = Graph::from_edges(6, edges[..6].iter().copied()).unwrap();
    let instance = Instance::on_graph("apart", apart, TourKind::Closed, Vertex::new(0)).unwrap();
    for word in ["relaxed", "edges"] {
        let formula = Formula::new(word.parse().unwrap(), &instance).unwrap();
        let solved = solve(&formula, &Options::default(), &mut |_| ()).unwrap();
        assert_eq!(solved.outcome, Outcome::None, "{word}");
        assert!(solved.statistics.cuts > 0, "{word}");
    }
}
