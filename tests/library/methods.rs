//! Tests of all methods: each method of the list is compared with brute force on all connected graphs of up to five
//! vertices. The questions are closed tours, and open tours from a given vertex, from anywhere, and between two
//! vertices. A new method in the list is tested without any change to this file.

use std::collections::HashSet;
use std::num::NonZero;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::brute_force::{brute_force, connected_graphs};
use hamcnf::endpoints::Start;
use hamcnf::limits::Limits;
use hamcnf::method::{self, Class, Method, MethodError, Operand};
use hamcnf::question::{Files, GivenGraph, GraphSource, Question, StartSpec, Tours};
use hamcnf::run::{Event, Observer, Settings, Status, Wanted};
use hamcnf::{Graph, Instance, Numbering, TourKind, Vertex};

/// Returns the methods that need no external program. `local-search` is left out, because it does not terminate if
/// there is no tour.
fn held() -> Vec<Method> {
    let all = method::all().into_iter();
    let own = all.filter(|method| method.engine().is_none());
    own.filter(|method| method.name() != "local-search").collect()
}

/// Returns all tours between the endpoints of the question. A closed tour and its reverse appear as one tour,
/// unless the question is about a digraph.
pub(crate) fn expected(tours: &Tours) -> HashSet<Vec<Vertex>> {
    let instance = tours.instance();
    let starts: Vec<Instance> = match tours.start() {
        Start::Anywhere => {
            let vertices = instance.graph().vertices();
            vertices.map(|v| instance.starting_at(v).unwrap()).collect()
        }
        Start::Given => vec![instance.clone()],
    };
    let all = starts.iter().flat_map(brute_force);
    let ends = |order: &Vec<Vertex>| tours.end().is_none_or(|end| order.last() == Some(&end));
    all.filter(ends).collect()
}

fn questions(graph: &Graph) -> Vec<Tours> {
    let source = || {
        GraphSource::Given(GivenGraph {
            name: "small".to_owned(),
            graph: Arc::new(graph.clone().into()),
            names: Numbering::FromOne.into(),
            origin: None,
        })
    };
    let first = StartSpec::Named("1".to_owned());
    let tours = |kind, start: Option<&StartSpec>| Tours::load(source(), kind, start, &Files::default()).unwrap();
    let open = |start: &StartSpec| tours(TourKind::Open, Some(start));
    vec![
        tours(TourKind::Closed, None),
        open(&first),
        open(&StartSpec::Anywhere),
        open(&first).ending_at("2").unwrap(),
        open(&StartSpec::Anywhere).ending_at("2").unwrap(),
    ]
}

/// Returns the methods that a text names after `--method`.
fn named_methods(text: &str) -> impl Iterator<Item = Method> {
    let behind = text.split("--method ").skip(1);
    behind.map(|behind| {
        let word = behind.split([' ', ',', ';', '`']).next().unwrap();
        word.parse().unwrap()
    })
}

#[test]
fn hints_name_methods_that_accept_the_question() {
    let settings = Settings::default();
    let mut hints = 0;
    for text in [
        "6x6 at c3=9",
        "6x6 before c3,d4",
        "6x6 max-turn 90",
        "6x6 turns 0..90=..4",
        "6x6 force a1-c2",
        "6x6 force a1->c2 forbid c4-d6",
        "5x5 open from anywhere",
        "6x6 open from a1 to b1",
        "6x6 open from a1 at b3=4",
    ] {
        let question = match Question::load(text) {
            Ok(question) => question,
            Err(error) => panic!("{text}: {error}"),
        };
        let Question::Tours(tours) = &question else {
            unreachable!("the question is about tours");
        };
        for method in method::all() {
            if method.suits(&question).is_err() || method.engine().is_some() {
                continue;
            }
            let statuses = [Status::Timeout, Status::Refused, Status::GaveUp];
            let mut said: Vec<_> = statuses.map(|s| method.advice(&question, s)).to_vec();
            if method.replaced(tours, &Settings::default()).is_err() {
                said.push(method.answer(&question, &settings).result.message);
            }
            for said in said {
                for named in named_methods(&said) {
                    hints += 1;
                    assert!(named.accepts(&question), "{method} of {text}: {said}");
                }
            }
        }
        // Refusals of constraints name this encoding.
        let binary: Method = "binary".parse().unwrap();
        let is_constrained = tours.instance().is_constrained();
        assert!(!is_constrained || binary.accepts(&question), "{text}");
    }
    assert!(hints > 100, "{hints}");
    let accepts = |method: &str, text: &str| {
        let method: Method = method.parse().unwrap();
        method.accepts(&Question::load(text).unwrap())
    };
    assert!(accepts("lazy", "6x6 force a1-c2") && !accepts("lazy", "6x6 at c3=9"));
    assert!(accepts("edges", "6x6 force a1-c2") && !accepts("edges", "6x6 at c3=9"));
    assert!(accepts("exact", "6x6 open from a1 to b1"));
    assert!(!accepts("warnsdorff", "6x6 open from a1 to b1"));
}

#[test]
fn every_method_agrees_with_brute_force() {
    let settings = Settings { limits: Limits::wall(Duration::from_secs(20)), ..Settings::default() };
    let methods = held();
    let mut answers = vec![0u32; methods.len()];
    for graph in (3..=5).flat_map(connected_graphs) {
        for tours in questions(&graph) {
            let expected = expected(&tours);
            let found = tours.obstruction();
            assert!(expected.is_empty() || found.is_none(), "{tours}: {found:?}");
            let about = format!("{graph:?}, {tours}");
            let question = Question::from(tours);
            for (method, answers) in methods.iter().zip(&mut answers) {
                let answered = method.answer(&question, &settings);
                let record = &answered;
                let said = format!("{method} of {about}: {}", record.message);
                match (record.status, method.class()) {
                    (Status::Tour, class) if class != Class::Count => {
                        assert!(!expected.is_empty(), "{said}");
                        assert_eq!(answered.tours.len(), 1, "{said}");
                    }
                    (Status::NoTour, class) if class != Class::Count => {
                        assert!(expected.is_empty(), "{said}");
                    }
                    (Status::Count, Class::Count) => {
                        assert_eq!(record.count(), Some(expected.len().into()), "{said}");
                    }
                    (Status::Size, Class::Size) => {}
                    (Status::GaveUp | Status::Refused, _) => continue,
                    (status, _) => panic!("{said}: {status:?}"),
                }
                *answers += 1;
            }
        }
    }
    for (method, answers) in methods.iter().zip(answers) {
        // The strategy `quotient` gives up on small graphs.
        let is_for_small = method.profile().tours && !method.profile().boards_only && method.to_string() != "quotient";
        assert_eq!(answers > 0, is_for_small, "{method} never answered");
    }
}

/// Tests that all exact counts that accept a question agree: with constraints, ends and directions.
#[test]
fn exact_counts_agree_on_questions_with_constraints() {
    let methods: Vec<_> = held().into_iter().filter(|method| method.profile().exact_count).collect();
    for (text, least) in [
        ("5x6 turns 0=..2", 2),
        ("5x6 turns obtuse,straight=..10", 2),
        ("3x4 open from anywhere turns 90..180=2..", 2),
        ("3x4 open from a1 max-turn 150", 2),
        ("complete:7 force 1-2-3 forbid 4-5", 6),
        ("complete:7 force 1-2 force 3-4 force 5-6", 6),
        ("complete:6 force 1->2", 6),
        ("complete:7 open from 1 to 4 force 2-5", 6),
        ("bipartite:4,4,1 force 1-5", 6),
        ("dgnp:7,0.8:3", 6),
        ("dgnp:7,0.8:3 open from anywhere", 6),
        ("dgnp:7,0.8:3 open from 2 to 5", 6),
    ] {
        let question = Question::load(text).unwrap();
        let accept = methods.iter().filter(|method| method.accepts(&question));
        let counts: Vec<_> = accept
            .map(|method| {
                let record = method.answer(&question, &Settings::default());
                (method.to_string(), record.count())
            })
            .filter(|(_, count)| count.is_some())
            .collect();
        assert!(counts.len() >= least, "{text}: {counts:?}");
        let differs = |(_, count): &&(String, _)| *count != counts[0].1;
        assert_eq!(counts.iter().find(differs), None, "{text}: {counts:?}");
    }
}

#[test]
fn every_setting_is_written_as_it_is_read() {
    // Engines are left out, because other tests in this process add engines.
    let own = method::all().into_iter();
    for method in own.filter(|method| method.engine().is_none()) {
        assert!(!method.profile().summary.is_empty(), "{method}");
        assert_eq!(method::named(method.name()).as_ref(), Some(&method));
        let text = match method.profile().operand {
            Operand::Required => format!("{}:binary", method.name()),
            Operand::Optional | Operand::None => method.name().to_owned(),
        };
        let read: Method = text.parse().unwrap();
        assert_eq!(read.to_string().parse(), Ok(read.clone()), "{text}");
        for setting in method.settings() {
            let changed = ["2", "0.3", "no", "seeded", "lrat", "counting", "random", "paper", "commander", "right"]
                .into_iter()
                .find_map(|value| read.with_setting(setting.name, value).ok());
            let changed = changed.unwrap_or_else(|| panic!("{method}+{}", setting.name));
            assert_ne!(changed, read, "{method}+{}", setting.name);
            // With the changed setting, the method may not accept its encoding.
            match changed.to_string().parse::<Method>() {
                Ok(again) => assert_eq!(again, changed),
                Err(error) => assert!(matches!(error, MethodError::NoEncoding(_)), "{error}"),
            }
        }
        let error = read.with_setting("nothing", "1").unwrap_err();
        assert!(error.to_string().contains("has no setting \"nothing\""), "{error}");
    }
}

#[test]
fn queens_are_placed_and_listed() {
    let known = [(1u32, 1usize), (2, 0), (3, 0), (4, 2), (5, 10), (6, 4), (8, 92)];
    for (n, placements) in known {
        let question = Question::load(&format!("{n} queens")).unwrap();
        let place: Method = "place+at-most-one=ladder".parse().unwrap();
        let record = place.answer(&question, &Settings::default());
        let expected = match placements {
            0 => Status::NoTour,
            _ => Status::Tour,
        };
        assert_eq!(record.status, expected, "{n}: {}", record.message);
        // `bdd` lists each placement once, in order, and a limit keeps the first placements.
        let listed = |wanted: Wanted| {
            let found = Arc::new(Mutex::new(Vec::new()));
            let heard = Arc::clone(&found);
            let settings = Settings {
                wanted,
                observer: Observer::new(move |event| {
                    if let Event::Placed(placement) = event {
                        heard.lock().unwrap().push(placement.to_string());
                    }
                }),
                ..Settings::default()
            };
            let bdd: Method = "bdd".parse().unwrap();
            let answered = bdd.answer(&question, &settings);
            assert_eq!(answered.count(), Some(placements.into()), "{n}");
            let found = found.lock().unwrap().clone();
            (found, answered.complete)
        };
        let (all, complete) = listed(Wanted::All);
        let different: HashSet<_> = all.iter().collect();
        assert_eq!((all.len(), different.len()), (placements, placements), "{n}");
        assert!(complete, "{n}");
        let (first, _) = listed(Wanted::Several(NonZero::new(2).unwrap()));
        assert_eq!(first, all[..placements.min(2)], "{n}");
        assert_eq!(listed(Wanted::One).0, [""; 0]);
        let several = Settings { wanted: Wanted::All, ..Settings::default() };
        let refused = place.answer(&question, &several);
        assert_eq!(refused.status, Status::Refused);
    }
}
