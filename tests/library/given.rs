//! Features for programs that embed the library: graphs in memory, cancellation of work, and reports of tours as soon
//! as they are found.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use hamcnf::cancellation::CancellationToken;
use hamcnf::count::enumerate::every_tour;
use hamcnf::formats::{Format, Reading};
use hamcnf::harness::job::Job;
use hamcnf::limits::Limits;
use hamcnf::method::{AutoCount, Method};
use hamcnf::question::{Files, GivenGraph, GraphSource, Question, QuestionError, StartSpec, Tours};
use hamcnf::record::Status;
use hamcnf::run::Settings;
use hamcnf::solve::Options;
use hamcnf::{Formula, Graph, Numbering, TourKind};

/// Returns the complete graph on five vertices without one edge. It has 6 of the 12 Hamiltonian cycles of the complete
/// graph.
fn given() -> GraphSource {
    let pairs = (0..5).flat_map(|a| (a + 1..5).map(move |b| (a, b)));
    let graph = Graph::from_edges(5, pairs.filter(|&pair| pair != (3, 4))).unwrap();
    GraphSource::Given(GivenGraph {
        name: "mine".to_owned(),
        graph: Arc::new(graph.into()),
        names: Numbering::FromZero.into(),
        origin: None,
    })
}

fn tours(kind: TourKind, start: Option<&StartSpec>) -> Result<Tours, QuestionError> {
    Tours::load(given(), kind, start, &Files::default())
}

fn method(name: &str) -> Method {
    name.parse().unwrap()
}

#[test]
fn a_graph_in_memory_is_a_place() {
    let asked = tours(TourKind::Closed, None).unwrap();
    assert_eq!(asked.to_string(), "mine");
    assert_eq!(asked.checksum().len(), 8);
    let question = Question::from(asked);
    let settings = Settings::default();
    for name in ["auto", "binary", "exact", "zdd"] {
        let answered = method(name).answer(&question, &settings);
        assert!(answered.status.is_answer(), "{name}");
        assert_eq!(answered.asked.question, "mine");
    }
    assert_eq!(Method::from(AutoCount::default()).answer(&question, &settings).count(), Some(6u32.into()));
    let start = |name: &str| Some(StartSpec::Named(name.to_owned()));
    let open = tours(TourKind::Open, start("4").as_ref()).unwrap();
    assert_eq!(open.to_string(), "mine open from 4");
    let wrong = tours(TourKind::Open, start("5").as_ref());
    assert_eq!(wrong.unwrap_err().to_string(), "\"5\" is not a vertex of mine; vertices are numbered from 0 to 4");
    // A graph in memory cannot be passed to another process.
    assert!(!given().is_lasting() && !given().is_standard_input());
    let dimacs = Reading { format: Some(Format::DIMACS), ..Reading::default() };
    let refused = given().read_with(dimacs, &Files::default());
    let refused = refused.unwrap_err().to_string();
    assert_eq!(refused, "mine is not read from a file, so it has no graph format");
    let job = Job { question, method: method("auto"), seed: 0, limits: Limits::default() };
    assert!(Job::read(&job.written()).is_err());
}

/// Questions and methods that run for a very long time.
const ENDLESS: [(&str, &str); 7] = [
    ("8x8", "exact"),
    ("10x10", "sample+repetitions=1000000"),
    ("8x8", "zdd"),
    ("6x6", "timeslice"),
    ("8x8", "backtrack"),
    ("16x16", "direct"),
    ("3x8", "warnsdorff+restarts=1000000000"),
];

#[test]
fn work_ends_soon_after_it_is_asked_to() {
    for (question, name) in ENDLESS {
        let question = Question::load(question).unwrap();
        let settings = Settings::default();
        let stop = settings.stop.clone();
        let stopper = thread::spawn(move || {
            thread::sleep(Duration::from_millis(300));
            stop.set();
            Instant::now()
        });
        let answered = method(name).answer(&question, &settings);
        let ended = Instant::now();
        let record = &answered;
        assert_eq!(record.status, Status::Stopped, "{name}: {}", record.message);
        let asked = stopper.join().unwrap();
        // The bound is generous, because other processes may slow the machine down.
        assert!(ended.saturating_duration_since(asked) < Duration::from_secs(20), "{name}");
    }
}

#[test]
fn tours_are_handed_over_as_they_are_found() {
    let question = Question::load("8x8").unwrap();
    let instance = question.instance().unwrap().clone();
    let formula = Formula::new("edges".parse().unwrap(), &instance).unwrap();
    let mut seen = Vec::new();
    let complete = every_tour(&formula, &Options::default(), &mut |tour| {
        seen.push(tour);
        match seen.len() {
            3 => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    });
    assert!(!complete.unwrap());
    assert!(seen.len() == 3 && seen[0] != seen[1] && seen[1] != seen[2]);
    let stop = CancellationToken::default();
    stop.set();
    let options = Options { stop, ..Options::default() };
    let complete = every_tour(&formula, &options, &mut |_| panic!("it was to stop"));
    assert!(!complete.unwrap());
}
