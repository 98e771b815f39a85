//! Strategies of the portfolio, alone and together, compared with brute force: on all small connected graphs and on
//! random graphs, for closed and open tours with all endpoints, with limits and without.
//!
//! Random graphs are drawn from a seed, which is printed. `cargo test --test library parts:: -- --ignored` tries many
//! more graphs.

use std::collections::BTreeSet;
use std::num::NonZero;
use std::sync::Mutex;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use crate::brute_force::connected_graphs;
use crate::certificates::has_tour;
use crate::moves::is_tour;
use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use hamcnf::budget::{Budget, Stopped};
use hamcnf::cancellation::CancellationToken;
use hamcnf::cycle::decomposition::{self, Elimination};
use hamcnf::cycle::path_to_cycle::PathToCycle;
use hamcnf::cycle::{Found, lazy, propagator};
use hamcnf::endpoints::Endpoints;
use hamcnf::portfolio::{Event, Options, PortfolioResult, Strategy, Verdict, answer};
use hamcnf::question::Question;
use hamcnf::{Graph, Instance, TourKind, Vertex};

/// Question about a graph: an instance, and the endpoints of its tours.
type Asked = (Instance, Endpoints);

fn instance(graph: &Graph, kind: TourKind, start: Vertex) -> Option<Instance> {
    Instance::on_graph("small", graph.clone(), kind, start).ok()
}

/// Returns all questions about a graph: closed tours, and open tours from each vertex to anywhere, from anywhere to
/// each vertex, between all pairs of vertices, and from anywhere to anywhere.
fn questions(graph: &Graph) -> Vec<Asked> {
    let first = Vertex::new(0);
    let closed = instance(graph, TourKind::Closed, first).map(|asked| (asked, Endpoints::Closed));
    let ends: Vec<_> = graph.vertices().map(Some).chain([None]).collect();
    let open = ends.iter().flat_map(|&from| {
        ends.iter().filter_map(move |&to| {
            let asked = instance(graph, TourKind::Open, from.unwrap_or(first))?;
            Some((asked, Endpoints::Open { from, to }))
        })
    });
    closed.into_iter().chain(open).collect()
}

/// Returns the portfolio's options for each strategy alone, and for all strategies together on one thread and on
/// several.
fn ways() -> Vec<Options> {
    let alone = Strategy::all().into_iter().map(|strategy| Options { strategy: Some(strategy), ..Options::default() });
    let together = [1, 3].map(|threads| Options { threads: NonZero::new(threads).unwrap(), ..Options::default() });
    alone.chain(together).collect()
}

fn ask((instance, ends): &Asked, how: &Options, watch: &Budget) -> PortfolioResult {
    answer(instance, *ends, how, watch, &|_| ())
        .unwrap_or_else(|wrong| panic!("{how:?} on {:?}, {ends:?}: {wrong}", Edges(instance.graph())))
}

/// Graph that is printed as a list of edges, which can be copied from a failed test.
struct Edges<'g>(&'g Graph);

impl std::fmt::Debug for Edges<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let edges = self.0.arcs().filter(|arc| arc.tail < arc.head);
        let edges: Vec<_> = edges.map(|arc| (arc.tail.number(), arc.head.number())).collect();
        write!(f, "{} vertices, {edges:?}", self.0.n_vertices())
    }
}

/// Checks that the portfolio's answer is correct, if it has one. `has` is true if the question has a tour.
fn sound(asked: &Asked, how: &Options, has: bool, answer: &PortfolioResult, what: &str) {
    let (instance, ends) = asked;
    let graph = instance.graph();
    let right = match &answer.verdict {
        Verdict::Tour(tour) => {
            let vertices: BTreeSet<_> = tour.order().iter().collect();
            let n = graph.n_vertices() as usize;
            has && vertices.len() == n && tour.order().len() == n && is_tour(tour.order(), instance, *ends)
        }
        Verdict::Obstructed(_) | Verdict::NoTour => !has,
        Verdict::Unknown(_) => true,
    };
    assert!(right, "{how:?} says {:?} of {:?}, {ends:?}, {what}", answer.verdict, Edges(graph));
}

/// Time limit for strategies that do not terminate if there is no tour.
const A_MOMENT: Duration = Duration::from_millis(1);

/// Asks all questions about a graph with each element of `ways` as the options, and checks the answers. Returns the
/// number of tours found with each element.
fn check(graph: &Graph, questions: &[Asked], ways: &[Options], what: &str) -> Vec<usize> {
    let mut found = vec![0; ways.len()];
    for asked in questions {
        let has = has_tour(graph, asked.1);
        for (how, found) in ways.iter().zip(&mut found) {
            let exact = how.strategy.is_none_or(|strategy| strategy.is_exact);
            let watch = match exact {
                true => Budget::default(),
                false => Budget::default().until(Instant::now() + A_MOMENT),
            };
            let answer = ask(asked, how, &watch);
            sound(asked, how, has, &answer, what);
            let unknown = matches!(answer.verdict, Verdict::Unknown(_));
            assert!(
                !(exact && unknown),
                "{how:?} says {:?} of {:?}, {:?}, {what}",
                answer.verdict,
                Edges(graph),
                asked.1
            );
            *found += usize::from(matches!(answer.verdict, Verdict::Tour(_)));
        }
    }
    found
}

fn random_graph(random: &mut ChaCha8Rng, n: u32) -> Graph {
    let threshold = 90 + random.next_u32() % 110;
    let pairs = (0..n).flat_map(|a| (a + 1..n).map(move |b| (a, b)));
    let edges: Vec<_> = pairs.filter(|_| random.next_u32() % 256 < threshold).collect();
    Graph::from_edges(n, edges).unwrap()
}

/// Returns a random number generator and a text with its seed. The seed is printed; the variable `PARTS_SEED` can set
/// it.
fn random() -> (ChaCha8Rng, String) {
    let fresh = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_nanos() as u64;
    let seed = std::env::var("PARTS_SEED").map_or(fresh, |seed| seed.parse().unwrap());
    let what = format!("PARTS_SEED={seed}");
    println!("{what}");
    (ChaCha8Rng::seed_from_u64(seed), what)
}

#[test]
fn all_parts_on_all_small_graphs() {
    let ways = ways();
    let graphs: Vec<_> = (2..=5).flat_map(connected_graphs).collect();
    assert_eq!(graphs.len(), 1 + 2 + 6 + 21);
    let mut found = vec![0; ways.len()];
    for graph in &graphs {
        for (sum, more) in found.iter_mut().zip(check(graph, &questions(graph), &ways, "")) {
            *sum += more;
        }
    }
    // `obstruction` finds no tours, and `quotient` gives up on small graphs. All other strategies must find some tours.
    for (how, found) in ways.iter().zip(found) {
        let name = how.strategy.map(|strategy| strategy.name);
        assert_eq!(found > 0, !matches!(name, Some("obstruction" | "quotient")), "{how:?} has found {found}");
    }
}

/// Tests exact strategies with all questions about all graphs of six vertices, and the other strategies with some of
/// these questions.
#[test]
fn all_parts_on_all_graphs_of_six_vertices() {
    let (exact, others): (Vec<_>, Vec<_>) =
        ways().into_iter().partition(|how| how.strategy.is_none_or(|strategy| strategy.is_exact));
    let graphs = connected_graphs(6);
    assert_eq!(graphs.len(), 112);
    let (mut random, what) = random();
    for graph in &graphs {
        let all = questions(graph);
        check(graph, &all, &exact, &what);
        check(graph, &some_of(&all, 5, &mut random), &others, &what);
    }
}

/// Returns the first question and some random questions.
fn some_of(all: &[Asked], others: usize, random: &mut ChaCha8Rng) -> Vec<Asked> {
    let others = (0..others).map(|_| &all[random.next_u32() as usize % all.len()]);
    all.iter().take(1).chain(others).cloned().collect()
}

#[test]
fn all_parts_on_random_graphs() {
    let ways = ways();
    let (mut random, what) = random();
    for k in 0..100 {
        let graph = random_graph(&mut random, 7 + k % 2);
        let some = some_of(&questions(&graph), 3, &mut random);
        check(&graph, &some, &ways, &what);
    }
}

#[test]
#[ignore = "it takes minutes"]
fn auto_on_very_many_random_graphs() {
    let exact = [None, Some("decomposition"), Some("propagator")];
    let exact = exact.map(|name| Options { strategy: name.map(|name| name.parse().unwrap()), ..Options::default() });
    let (mut random, what) = random();
    for k in 0..200_000 {
        let graph = random_graph(&mut random, 2 + k % 7);
        let some = some_of(&questions(&graph), 1, &mut random);
        check(&graph, &some, &exact, &what);
    }
}

/// Returns budgets that end the work at various points. The first budget ends the work at its beginning.
fn limited() -> Vec<(&'static str, Budget)> {
    let over = CancellationToken::default();
    over.set();
    let mut limited = vec![("stopped", Budget::new(None, over)), ("late", Budget::default().until(Instant::now()))];
    for bytes in [0, 1, 100, 1000, 10_000, 100_000] {
        limited.push(("memory", Budget::default().with_memory(Some(bytes))));
    }
    limited
}

/// Tests that a run reports the limit that ended it early, and that no run claims "no tour" if there is a tour.
#[test]
fn limits_are_no_answers() {
    let (mut random, what) = random();
    let ways = ways();
    let named = ["petersen:7:2", "petersen:5:2", "3x4", "petersen:13:2"];
    let named = named.map(|text| Question::load(text).unwrap());
    let named = named.map(|question| question.instance().unwrap().graph().clone());
    let known = [true, false, false, true];
    let mut cases: Vec<(Asked, bool)> = named
        .iter()
        .zip(known)
        .filter_map(|(graph, has)| {
            let asked = instance(graph, TourKind::Closed, Vertex::new(0))?;
            Some(((asked, Endpoints::Closed), has))
        })
        .collect();
    for k in 0..20 {
        let graph = random_graph(&mut random, 5 + k % 4);
        for asked in some_of(&questions(&graph), 1, &mut random) {
            let has = has_tour(&graph, asked.1);
            cases.push((asked, has));
        }
    }
    for (asked, has) in &cases {
        for how in &ways {
            for (limit, watch) in limited() {
                let watch = match how.strategy.is_none_or(|strategy| strategy.is_exact) {
                    true => watch,
                    false => watch.until(Instant::now() + A_MOMENT),
                };
                let answer = ask(asked, how, &watch);
                sound(asked, how, *has, &answer, &format!("{limit}, {what}"));
                let ended = match limit {
                    "stopped" => Some(Stopped::Cancelled),
                    "late" => Some(Stopped::Time),
                    _ => None,
                };
                // An obstruction may be found despite the limit.
                let seen = matches!(answer.verdict, Verdict::Obstructed(_));
                let by_it = match ended.filter(|_| how.strategy != Some(Strategy::OBSTRUCTION)) {
                    None => true,
                    Some(ended) => answer.verdict == Verdict::Unknown(ended),
                };
                assert!(seen || by_it, "{how:?}, {limit}: {:?}", answer.verdict);
            }
            for micros in [1, 10, 30, 100, 200, 300, 500] {
                let end = Instant::now() + Duration::from_micros(micros);
                let answer = ask(asked, how, &Budget::default().until(end));
                sound(asked, how, *has, &answer, &format!("{micros} µs, {what}"));
            }
            // The run is cancelled at its first event, then in another run at the second, and so on: turns begin and
            // end with an event.
            for events in 1..=6 {
                let stop = CancellationToken::default();
                let left = Mutex::new(events);
                let tell = |_: &Event<'_>| {
                    let mut left = left.lock().unwrap();
                    *left -= 1;
                    if *left == 0 {
                        stop.set();
                    }
                };
                // A strategy that is not exact may run until its time ends.
                let end = Instant::now() + Duration::from_millis(200);
                let watch = Budget::new(Some(end), stop.clone());
                let (of, ends) = asked;
                let answer = answer(of, *ends, how, &watch, &tell).unwrap();
                sound(asked, how, *has, &answer, &format!("{events} events, {what}"));
                if *left.lock().unwrap() > 0 {
                    break;
                }
            }
        }
    }
}

/// Tests that the portfolio gives up dynamic programming if the tables do not fit into memory, and continues with other
/// strategies.
#[test]
fn auto_answers_where_tables_have_no_room() {
    for (text, has) in [("petersen:13:2", true), ("petersen:17:2", false)] {
        let question = Question::load(text).unwrap();
        let asked = (question.instance().unwrap().clone(), Endpoints::Closed);
        for bytes in [0, 1000] {
            let watch = Budget::default().with_memory(Some(bytes));
            let tables = Options { strategy: Some("decomposition".parse().unwrap()), ..Options::default() };
            let answer = ask(&asked, &tables, &watch);
            assert_eq!(answer.verdict, Verdict::Unknown(Stopped::Memory), "{text}");
            let auto = Options::default();
            let answer = ask(&asked, &auto, &watch);
            sound(&asked, &auto, has, &answer, text);
            assert!(!matches!(answer.verdict, Verdict::Unknown(_)), "{text}, {bytes} bytes: {:?}", answer.steps);
        }
    }
}

/// Tests limits on ticks, conflicts and states: too little work gives no answer, and enough work always gives an
/// answer.
#[test]
fn measured_work_is_no_answer() {
    for (text, has) in
        [("petersen:9:2", true), ("petersen:11:2", false), ("petersen:13:2", true), ("5x6", true), ("4x5", false)]
    {
        let question = Question::load(text).unwrap();
        let instance = question.instance().unwrap();
        let closure = PathToCycle::new(instance.facts(), Endpoints::Closed).unwrap();
        assert!(closure.graph().is_none(), "{text}");
        let graph = instance.graph();
        let watch = Budget::default();
        let right = |found: &Found, how: &str, limit: Option<u64>| {
            let right = match found {
                Found::Cycle(_) => has,
                Found::NoCycle => !has,
                Found::Unknown(ended) => limit.is_some() && *ended != Stopped::Time,
            };
            assert!(right, "{text}, {how}, {limit:?}: {found:?}");
            matches!(found, Found::Unknown(_))
        };
        let limits = || (0..12).map(|k| Some(1 << k)).chain([Some(0), None]);
        let mut cut_short = [0; 3];
        for limit in limits() {
            let options = propagator::Options::default();
            let limits = propagator::Limits { literals: limit.map(|literals| literals * 10), ..Default::default() };
            let (found, _) = propagator::find(graph, None, &options, limits, &watch);
            cut_short[0] += u32::from(right(&found, "propagator", limit));
            let (found, _) = lazy::Searches::new(graph, 0, &watch).run(limit);
            cut_short[1] += u32::from(right(&found, "lazy", limit));
            let order = Elimination::min_degree(graph, decomposition::MOST_WIDTH, &watch).unwrap();
            let states = limit.unwrap_or(decomposition::MOST_STATES);
            let (found, _) = decomposition::find(graph, &order, states, &watch);
            cut_short[2] += u32::from(right(&found, "decomposition", limit));
        }
        assert!(cut_short[2] > 0, "{text}: {cut_short:?}");
    }
}

/// Describes the steps of a run without times, so that runs can be compared.
fn way_taken(answer: &PortfolioResult) -> Vec<String> {
    let steps = answer.steps.iter();
    steps
        .map(|step| {
            let (turn, outcome, statistics) = (&step.turn, step.outcome, &step.statistics);
            format!("{turn} of thread {}: {outcome}, {statistics:?}", step.thread)
        })
        .collect()
}

/// Tests that on one thread the same seed gives the same run, and that another seed gives another tour.
#[test]
fn one_thread_is_deterministic() {
    for text in [
        "8x8",
        "20x20",
        "5x5 open from a1",
        "7x8 open from anywhere",
        "petersen:14:2",
        "petersen:101:3",
        "cubic:60:1",
        "10x11",
    ] {
        let question = Question::load(text).unwrap_or_else(|e| panic!("{text}: {e}"));
        let instance = question.instance().unwrap();
        let ends = match text.ends_with("anywhere") {
            true => Endpoints::Open { from: None, to: None },
            false => Endpoints::of(instance),
        };
        let asked = (instance.clone(), ends);
        for strategy in Strategy::all().into_iter().map(Some).chain([None]) {
            for seed in [0, 7] {
                let how = Options { strategy, seed, ..Options::default() };
                // The first time limit ends runs that would not terminate. The second limit is long enough for all
                // other runs.
                let run = |seconds| {
                    let end = Instant::now() + Duration::from_secs_f64(seconds);
                    ask(&asked, &how, &Budget::default().until(end))
                };
                let first = run(0.3);
                if first.verdict == Verdict::Unknown(Stopped::Time) {
                    continue;
                }
                let second = run(60.0);
                assert_eq!(way_taken(&first), way_taken(&second), "{text}, {how:?}");
                assert_eq!(first.verdict, second.verdict, "{text}, {how:?}");
            }
        }
    }
}
