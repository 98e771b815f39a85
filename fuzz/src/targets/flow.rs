//! Path from a question to a checked answer. The question asks for closed or open tours of a graph with up to seven
//! vertices. The method is any encoding with all applicable refinements, any strategy of the portfolio, a search or a
//! count. The answer is compared with the set of all tours, which is found by trying every path.

#[path = "../../../tests/brute_force/mod.rs"]
mod brute_force;

use std::collections::HashSet;
use std::io::Write;
use std::time::Duration;

use arbitrary::Unstructured;
use hamcnf::answer::{self, Answer};
use hamcnf::formats::{self, Format};
use hamcnf::limits::Limits;
use hamcnf::method::{Enumerate, Exact, Formulated, Method, Portfolio, Sample, Search, Solve, Treewidth, Zdd};
use hamcnf::portfolio::Strategy;
use hamcnf::question::{Question, Tours};
use hamcnf::record::Status;
use hamcnf::run::Settings;
use hamcnf::search;
use hamcnf::{AtMostOne, Clauses, Encoding, Formula, Graph, Named, Numbering, Tour, TourKind, Vertex, encoding};
use num_bigint::BigUint;
use rustsat::types::Var;

/// Chooses a question and a method from the bytes, and checks the answer.
pub fn flow(bytes: &[u8]) {
    // After the last byte, every choice takes its first alternative.
    let _ = held(&mut Unstructured::new(bytes));
}

fn held(from: &mut Unstructured<'_>) -> arbitrary::Result<()> {
    let n = from.int_in_range(2..=7)?;
    let pairs = (0..n).flat_map(|a| (0..a).map(move |b| (b, a)));
    let mut edges = Vec::new();
    // Few random graphs with so few vertices have tours, so each edge is present with a probability above one half.
    for pair in pairs {
        if from.ratio(5, 8)? {
            edges.push(pair);
        }
    }
    let graph = Graph::from_edges(n, edges).unwrap();
    let kind = *from.choose(TourKind::ALL)?;
    let mut vertex = || from.int_in_range(0..=n - 1);
    let (start, end) = (vertex()?, vertex()?);
    let (is_anywhere, has_end) = (from.ratio(1, 8)?, from.ratio(1, 4)?);
    let name = |v: u32| Numbering::FromOne.number(Vertex::new(v)).to_string();
    let file = written(&graph);
    let mut text = file.path().display().to_string();
    match (kind, is_anywhere) {
        (TourKind::Closed, _) => text += &format!(" from {}", name(start)),
        (TourKind::Open, true) => text += " open from anywhere",
        (TourKind::Open, false) => text += &format!(" open from {}", name(start)),
    }
    if kind == TourKind::Open && has_end {
        text += &format!(" to {}", name(end));
    }
    let Ok(question) = Question::load(&text) else {
        return Ok(());
    };
    let Question::Tours(tours) = &question else {
        panic!("{text} is about queens");
    };
    let expected = all(tours);
    let encoding = refined(from)?;
    models(tours, &encoding, &expected);
    let method = method(from, encoding)?;
    // If there is no tour, local search runs until its time limit.
    let is_endless = method.name() == "local-search";
    let wall = match is_endless {
        true => Duration::from_millis(100),
        false => Duration::from_secs(20),
    };
    let settings = Settings {
        seed: from.int_in_range(0..=3)?,
        limits: Limits::wall(wall),
        memory: Some(16 << 20),
        threads: Some(std::num::NonZero::<usize>::MIN),
        ..Settings::default()
    };
    let answered = method.answer(&question, &settings);
    let what = || {
        let pairs = graph.arcs().filter(|arc| arc.tail < arc.head);
        let pairs: Vec<_> = pairs.map(|arc| (arc.tail.number(), arc.head.number())).collect();
        format!("{question}, {method}: {pairs:?}: {answered:?}")
    };
    match answered.status {
        Status::Tour => assert!(!answered.tours.is_empty(), "{}", what()),
        Status::NoTour => assert!(expected.is_empty(), "{}", what()),
        Status::Count => {
            let count = answered.count();
            assert_eq!(count, Some(BigUint::from(expected.len())), "{}", what());
        }
        // The graph is so small that all states are kept.
        Status::Estimate => {
            let number = answered.number().unwrap();
            assert!(number.is_finite() && number >= 0.0, "{}", what());
        }
        Status::GaveUp | Status::Refused => {}
        Status::Timeout if is_endless => {}
        other => panic!("{other}: {}", what()),
    }
    for tour in &answered.tours {
        let instance = tours.instance();
        let start = tour.order()[0];
        let instance = match is_anywhere && kind == TourKind::Open {
            true => instance.starting_at(start).unwrap(),
            false => instance.clone(),
        };
        let again = Tour::check(&instance, tour.order().to_vec());
        assert_eq!(again.as_ref(), Ok(tour), "{}", what());
        let last = *tour.order().last().unwrap();
        assert!(tours.end().is_none_or(|end| end == last), "{}", what());
        assert!(!expected.is_empty(), "{}", what());
    }
    Ok(())
}

/// Writes the graph to a temporary file in the DIMACS format.
fn written(graph: &Graph) -> tempfile::NamedTempFile {
    let mut text = Vec::new();
    formats::write(Format::DIMACS, graph, &mut text).unwrap();
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(&text).unwrap();
    file
}

/// Returns all tours that the question asks for. Of the two directions of a closed tour, only one is included.
fn all(tours: &Tours) -> HashSet<Vec<Vertex>> {
    let instance = tours.instance();
    let from_all = tours.start() == hamcnf::endpoints::Start::Anywhere;
    let mut found: HashSet<Vec<Vertex>> = if from_all {
        let starts = instance.graph().vertices();
        let instances = starts.map(|start| instance.starting_at(start).unwrap());
        instances.flat_map(|instance| brute_force::brute_force(&instance)).collect()
    } else {
        brute_force::brute_force(instance)
    };
    found.retain(|tour| tours.end().is_none_or(|end| tour.last() == Some(&end)));
    found
}

/// Checks, for up to three tours from the start, that the encoding admits the tour in at least one direction. Writes
/// the model of the tour in the format of a solver's output. Parsing this output must return the same tour.
fn models(tours: &Tours, encoding: &Encoding, expected: &HashSet<Vec<Vertex>>) {
    let instance = tours.instance();
    let Ok(formula) = Formula::new(encoding.clone(), instance) else {
        return;
    };
    let from_here = |tour: &&Vec<Vertex>| tour[0] == instance.start();
    for order in expected.iter().filter(from_here).take(3) {
        let tour = Tour::check(instance, order.clone()).unwrap();
        let both = [Some(tour.clone()), tour.reversed()];
        let admitted = both.into_iter().flatten().find(|tour| formula.admits(tour));
        let tour = admitted.unwrap_or_else(|| panic!("{encoding} on {instance} has no {order:?}"));
        let values = (0..formula.n_vars()).map(Var::new);
        let literals: Option<Vec<i64>> = values
            .map(|var| {
                let number = i64::from(var.idx32()) + 1;
                Some(if formula.value(&tour, var)? { number } else { -number })
            })
            .collect();
        // In some encodings, a tour does not determine all variables.
        let Some(literals) = literals else { continue };
        let mut text = String::from("s SATISFIABLE\nv");
        for literal in literals {
            text += &format!(" {literal}");
        }
        text += " 0\n";
        let all = (0..formula.n_vars()).map(Var::new);
        let Answer::Satisfiable(model) = answer::read(text.as_bytes(), formula.n_vars(), all).unwrap() else {
            panic!("{text}");
        };
        assert_eq!(formula.tour(&model).unwrap(), tour, "{encoding} on {instance}");
    }
}

/// Chooses an encoding and any refinements that apply to it.
fn refined(from: &mut Unstructured<'_>) -> arbitrary::Result<Encoding> {
    const ARGUMENTS: [&str; 6] = ["4", "5", "2x3", "3x5", "4x7", "16x3"];
    let bases = encoding::bases();
    let base = from.choose(&bases)?.name;
    let mut word = base.to_owned();
    if base == "remainder" && from.ratio(1, 2)? {
        word += &format!("={}", from.choose(&ARGUMENTS)?);
    }
    let mut encoding: Encoding = word.parse().unwrap();
    for refinement in encoding::refinements() {
        let values: Vec<&str> = match refinement.name {
            "order" => vec!["bfs", "far", "seed-1", "seed-2", "natural"],
            "windows" => vec!["as-published", "full", "none"],
            "at-most-one" => AtMostOne::ALL.iter().map(|how| how.as_str()).collect(),
            "phases" => vec!["false", "walk", refinement.absent],
            "orientation" => vec!["fixed", "free"],
            _ => vec!["on", "off"],
        };
        if from.ratio(3, 8)? {
            let value = from.choose(&values)?;
            // Some refinements do not apply to this base encoding.
            let refined = encoding.with(&format!("{}={value}", refinement.name));
            encoding = refined.unwrap_or(encoding);
        }
    }
    Ok(encoding)
}

fn method(from: &mut Unstructured<'_>, encoding: Encoding) -> arbitrary::Result<Method> {
    let formulated = |encoding| Formulated { encoding: Some(encoding), ..Formulated::default() };
    Ok(match from.int_in_range(0..=9)? {
        0..=3 => Solve::on(encoding).into(),
        4 => Portfolio::of(*from.choose(&Strategy::all())?).into(),
        5 => Portfolio::AUTO.into(),
        6 => Method::from(Search {
            restarts: 3,
            nodes: Some(1 << 12),
            ..Search::new(*from.choose(search::Method::ALL)?)
        }),
        7 => from.choose::<Method>(&[Exact::default().into(), Treewidth.into(), Zdd.into()])?.clone(),
        8 => Method::from(Enumerate { formula: formulated(encoding) }),
        _ => Method::from(Sample { states: 1 << 12, repetitions: 2 }),
    })
}
