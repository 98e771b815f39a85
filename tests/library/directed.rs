//! Tests of digraphs: every method and every encoding is compared with brute force on random digraphs, and counts are
//! compared with published numbers.

use std::sync::Arc;
use std::time::Duration;

use crate::methods::expected;
use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use hamcnf::budget::Budget;
use hamcnf::cycle::small::SmallSearch;
use hamcnf::limits::Limits;
use hamcnf::method::{self, Class, Method};
use hamcnf::question::{Files, GivenGraph, GraphSource, Question, StartSpec, Tours};
use hamcnf::run::{Settings, Status, Wanted};
use hamcnf::{AnyGraph, Digraph, Numbering, TourKind, Vertex, encoding};

fn loaded(digraph: &Digraph) -> GraphSource {
    GraphSource::Given(GivenGraph {
        name: "small".to_owned(),
        graph: Arc::new(AnyGraph::from(digraph.clone())),
        names: Numbering::FromOne.into(),
        origin: None,
    })
}

/// Returns a question about a digraph. Kinds 0 to 3 are open tours, with or without a given start and a given end. All
/// other kinds are closed tours.
fn question(digraph: &Digraph, kind: u32) -> Tours {
    let first = StartSpec::Named("1".to_owned());
    let tours = |kind, start: Option<&StartSpec>| Tours::load(loaded(digraph), kind, start, &Files::default()).unwrap();
    let open = |start: &StartSpec| tours(TourKind::Open, Some(start));
    match kind {
        0 => open(&first),
        1 => open(&StartSpec::Anywhere),
        2 => open(&first).ending_at("2").unwrap(),
        3 => open(&StartSpec::Anywhere).ending_at("2").unwrap(),
        _ => tours(TourKind::Closed, None),
    }
}

/// Returns all methods that find tours without an external program, and the method `enumerate` with each base encoding.
/// `local-search` is left out, because it does not terminate if there is no tour.
fn methods() -> Vec<Method> {
    let all = method::all().into_iter();
    let own = all.filter(|method| method.engine().is_none());
    let own = own.filter(|method| {
        let abilities = method.profile();
        method.name() != "local-search" && abilities.tours && !abilities.boards_only
    });
    let bases = encoding::bases().into_iter();
    let listed = bases.map(|base| format!("enumerate:{}", base.name).parse().unwrap());
    own.chain(listed).collect()
}

/// Checks the results of all methods against brute force. Adds one to the entry of a method in `answers` if the method
/// solves the question, and nothing if it gives up or refuses.
fn compare(tours: Tours, methods: &[Method], answers: &mut [u32]) {
    // Small digraphs have no time limit: a loaded machine may suspend a run for any time.
    let is_small = tours.instance().n() <= 6;
    let settings = Settings {
        limits: match is_small {
            true => Limits::default(),
            false => Limits::wall(Duration::from_secs(2)),
        },
        ..Settings::default()
    };
    let expected = expected(&tours).len();
    let about = format!("{:?}, {tours}", tours.instance().digraph());
    let found = tours.obstruction();
    assert!(expected == 0 || found.is_none(), "{found:?} of {about}");
    let question = Question::from(tours);
    for (method, answers) in methods.iter().zip(answers) {
        let record = method.answer(&question, &settings);
        let said = format!("{method} of {about}: {}", record.message);
        match (record.status, method.class()) {
            (Status::Tour, class) if class != Class::Count => assert!(expected > 0, "{said}"),
            (Status::NoTour, class) if class != Class::Count => assert_eq!(expected, 0, "{said}"),
            (Status::Count, Class::Count) => {
                assert_eq!(record.count(), Some(expected.into()), "{said}");
            }
            (Status::Size, Class::Size) => {}
            (Status::GaveUp | Status::Refused, _) => continue,
            // Time slices of a split digraph take minutes.
            (Status::Timeout | Status::AtLeast, _) if !is_small => continue,
            (status, _) => panic!("{said}: {status:?}"),
        }
        *answers += 1;
    }
}

/// Returns a random digraph of the family `dgnp` with this number of vertices.
fn random(n: u32, seed: u32) -> Digraph {
    let p = [0.25, 0.4, 0.6][seed as usize % 3];
    let family = format!("dgnp:{n},{p}:{seed}").parse::<hamcnf::families::Family>();
    family.unwrap().graph().digraph().clone()
}

fn compare_many(seeds: std::ops::Range<u32>, most: u32) {
    let methods = methods();
    let mut answers = vec![0; methods.len()];
    for seed in seeds {
        let digraph = random(2 + seed % (most - 1), seed);
        compare(question(&digraph, seed % 7), &methods, &mut answers);
    }
    for (method, answers) in methods.iter().zip(answers) {
        // The base encodings `edges` and `step` do not accept digraphs, and the strategy
        // `quotient` gives up on small graphs. All other methods must have solved some
        // question.
        let undirected = ["enumerate:edges", "enumerate:step", "quotient"].contains(&&*method.to_string());
        assert_eq!(answers > 0, !undirected, "{method}");
    }
}

#[test]
fn methods_agree_with_brute_force() {
    compare_many(0..42, 6);
}

/// Compares all methods with brute force on digraphs that have a path through all vertices, in a random order, and few
/// other arcs. Most of them have no tour from the first vertex.
#[test]
fn a_tour_need_not_begin_at_the_first_vertex() {
    let methods = methods();
    let mut answers = vec![0; methods.len()];
    let mut elsewhere = 0;
    for seed in 0..8 {
        let n = 3 + seed % 3;
        let mut random = ChaCha8Rng::seed_from_u64(seed.into());
        let mut order: Vec<u32> = (0..n).collect();
        hamcnf::relabel::shuffle(&mut order, &mut random);
        let more = (random.next_u32() % n, random.next_u32() % n);
        let path = order.windows(2).map(|pair| (pair[0], pair[1]));
        let arcs = path.chain([more].into_iter().filter(|(a, b)| a != b));
        let digraph = Digraph::from_arcs(n, arcs).unwrap();
        elsewhere += u32::from(expected(&question(&digraph, 0)).is_empty());
        for kind in 0..5 {
            compare(question(&digraph, kind), &methods, &mut answers);
        }
    }
    assert!(elsewhere > 4, "{elsewhere}");
}

/// Compares all methods with brute force on 300 random digraphs with up to nine vertices.
#[test]
#[ignore = "takes minutes"]
fn methods_agree_with_brute_force_on_300_digraphs() {
    compare_many(1000..1300, 9);
}

/// True if the first vertex reaches every vertex and is reached from every vertex.
fn is_strongly_connected(digraph: &Digraph) -> bool {
    let first = Vertex::new(0);
    let all = |distances: Vec<Option<u32>>| distances.iter().all(Option::is_some);
    all(digraph.distances(first)) && all(digraph.distances_to(first))
}

/// Compares the tours of all tournaments of three to six vertices with their strong connectivity. By Camion's theorem, a
/// tournament has a closed tour exactly if it is strongly connected. There are 2, 24, 544 and 22320 strongly connected
/// labelled tournaments of 3, 4, 5 and 6 vertices (OEIS A054946). Dynamic programming counts the tours of every
/// tournament. Brute force and a solver count the tours of some tournaments.
#[test]
fn tournaments_have_tours_if_they_are_strongly_connected() {
    let method: Method = "enumerate:unary".parse().unwrap();
    let (mut search, budget) = (SmallSearch::default(), Budget::default());
    for (n, strong, step) in [(3u32, 2, 1), (4, 24, 1), (5, 544, 16), (6, 22320, 1024)] {
        let pairs: Vec<_> = (0..n).flat_map(|a| (a + 1..n).map(move |b| (a, b))).collect();
        let mut found = 0;
        for choice in 0u32..1 << pairs.len() {
            let arcs = (0..).zip(&pairs).map(|(k, &(a, b))| match choice >> k & 1 {
                0 => (a, b),
                _ => (b, a),
            });
            let digraph = Digraph::from_arcs(n, arcs).unwrap();
            let count = search.count_directed_cycles(&digraph, &budget).unwrap();
            assert_eq!(count > 0, is_strongly_connected(&digraph), "{digraph:?}");
            found += u32::from(count > 0);
            // Each count needs a run of a solver.
            if choice % step == 0 {
                let tours = question(&digraph, 4);
                assert_eq!(count, expected(&tours).len() as u64, "{digraph:?}");
                let record = method.answer(&tours.into(), &Settings::default());
                assert_eq!(record.count(), Some(count.into()), "{digraph:?}");
            }
        }
        assert_eq!(found, strong, "{n}");
    }
}

/// Tests that a count by start is refused for a digraph. The list of counts would contain vertices of the split graph,
/// not of the digraph.
#[test]
fn a_count_by_start_is_refused() {
    let exact: Method = "exact".parse().unwrap();
    let question = Question::load("tournament:5:1 open from anywhere").unwrap();
    let settings = Settings { wanted: Wanted::ByStart, ..Settings::default() };
    assert_eq!(exact.answer(&question, &settings).status, Status::Refused);
}

#[test]
fn published_counts_of_digraphs() {
    let exact: Method = "exact".parse().unwrap();
    let listed: Method = "enumerate:binary".parse().unwrap();
    for (source, count) in [
        // Numbers of de Bruijn sequences: 2^(2^(n−1)−n) for two symbols, and (3!)^3 / 9 for three symbols and length 2.
        ("de-bruijn:2:3", 2u32),
        ("de-bruijn:2:4", 16),
        ("de-bruijn:3:2", 24),
        // In this digraph, two opposite arcs form a closed tour of two vertices.
        ("circulant:2:1", 1),
        // The complete digraph has (n − 1)! closed tours.
        ("circulant:6:1,2,3,4,5", 120),
        // Circulant graphs with the jumps ±1 and ±2, tours counted in both directions (OEIS A137725; Golin and Leung:
        // Unhooking Circulant Graphs, 2004).
        ("circulant:6:1,2,4,5", 32),
        ("circulant:7:1,2,5,6", 46),
        ("circulant:8:1,2,6,7", 58),
        ("circulant:9:1,2,7,8", 82),
        ("circulant:10:1,2,8,9", 112),
        ("circulant:12:1,2,10,11", 220),
    ] {
        let question = Question::load(source).unwrap();
        for method in [&exact, &listed] {
            let record = method.answer(&question, &Settings::default());
            assert_eq!(record.count(), Some(count.into()), "{source}, {method}: {}", record.message);
        }
    }
}

fn gcd(a: u32, b: u32) -> u32 {
    match b {
        0 => a,
        _ => gcd(b, a % b),
    }
}

/// Compares the counts of circulant digraphs with two jumps with a formula.
///
/// Let n, a and b have no common factor. Suppose that a tour leaves the vertex v by the jump b. Then the tour enters v + b
/// from v. The vertex v + b − a would also enter v + b by the jump a, so it leaves by b. Therefore all vertices of a
/// residue class modulo d = gcd(n, b − a) leave by the same jump.
///
/// Conversely, let the vertices of k classes leave by b, and all other vertices by a. Modulo d, both jumps equal a. A
/// common factor of a and d would divide n, a and b, so d moves visit every class once. They lead from v to v + s with
/// s = (d − k) a + k b. Hence the moves form a single tour if and only if gcd(n, s) = d. There are C(d, k) ways to choose
/// the k classes.
///
/// Rankin (A campanological problem in group theory, 1948) proved which of these digraphs have a tour.
#[test]
fn circulant_digraphs_with_two_jumps_have_as_many_tours_as_the_formula_says() {
    let exact: Method = "exact".parse().unwrap();
    let (mut without, mut most) = (0, 0);
    for n in 4..=12u32 {
        for (a, b) in [(1, 2), (1, 3), (2, 3), (1, n / 2 + 1), (1, n - 1)] {
            if a == b || gcd(gcd(n, a), b) > 1 {
                continue;
            }
            let d = gcd(n, b - a);
            // Binomial coefficient C(d, k).
            let mut choices = 1;
            let mut expected = 0;
            for k in 0..=d {
                let s = (d - k) * a + k * b;
                expected += if gcd(n, s) == d { choices } else { 0 };
                choices = choices * (d - k) / (k + 1);
            }
            without += u32::from(expected == 0);
            most = most.max(expected);
            let source = format!("circulant:{n}:{a},{b}");
            let question = Question::load(&source).unwrap();
            let record = exact.answer(&question, &Settings::default());
            let message = &record.message;
            assert_eq!(record.count(), Some(expected.into()), "{source}: {message}");
        }
    }
    assert!(without > 0 && most > 10, "{without}, {most}");
}
