//! Extensions from another crate: an encoding, a refinement, two methods, a strategy of `auto`, a graph format and a
//! kind of chart. This file defines them. Every command, the enumeration, and rows in tables and experiments support
//! them without any change elsewhere. An extension within the library also needs only its own file and a line in a
//! list.
//!
//! This test is a program: if `OWN_PROGRAM` is set in its environment, it is `hamcnf` with all these extensions.

#![allow(clippy::unwrap_used)]

mod brute_force;
mod models;

use std::env;
use std::fs;
use std::process::{Command, ExitCode, Output};
use std::sync::Arc;

use brute_force::{brute_force, connected_graphs};
use hamcnf::base::{BadArgument, Base, Encode, Encoded, Offers, Plan, Unfit};
use hamcnf::budget::Stopped;
use hamcnf::cnf::exactly_one::{AuxiliaryCount, Cardinality};
use hamcnf::cnf::sink::Disjunction;
use hamcnf::cnf::vars::{Allocator, ArcVars, Block, TableVars, Term};
use hamcnf::cycle::Found;
use hamcnf::formats::{self, Declared, Format, FormatError, FormatKind, TextGraph, Wrong};
use hamcnf::method::{self, Class, Field, MethodKind, Portfolio, Profile, Setting, WrongValue};
use hamcnf::portfolio::{Metric, Opening, Stage, Strategy, Work};
use hamcnf::question::Tours;
use hamcnf::refine::{Refine, Refinement};
use hamcnf::report::chart::{Axis, Chart, Kind, Scale};
use hamcnf::report::data::Data;
use hamcnf::report::{Options as ReportOptions, Report};
use hamcnf::run::{Failure, Run, RunResult, Status};
use hamcnf::{
    AtMostOne, ClauseSink, Encoding, Family, Formula, Instance, Model, NotATour, Numbering, Sequence, Tour, TourKind,
    Vertex, encoding,
};
use models::has_tours;
use rustsat::types::{Lit, Var};

/// Encoding with arc variables, and with variables for the order of vertices: B_ij for i and j other than the start.
#[derive(Clone, Copy, Debug)]
struct Before;

const BEFORE: Base = Base {
    name: "before",
    says: "arcs, and which of two vertices comes first",
    with: &[],
    offers: Offers { positions: false, ..Offers::ALL },
    make: |argument| Base::plain(Before, argument),
};

const DEGREE: Family = Family { label: "(D)", says: "every vertex has exactly one successor and one predecessor" };
const ORDER: Family = Family { label: "(B)", says: "what is before a vertex is not after it, and arcs lead on" };

impl Encode for Before {
    fn layout(&self, instance: &Instance, plan: &Plan, variables: &mut Allocator) -> Result<Box<dyn Encoded>, Unfit> {
        let h = ArcVars::new(instance, variables);
        let b = TableVars::new(instance.n().into(), instance.n(), variables);
        let first_auxiliary = Var::new(variables.fits()?);
        let mut auxiliary = AuxiliaryCount::new(plan.at_most_one);
        for v in instance.graph().vertices() {
            auxiliary.constraint(|| h.successors(instance, v).count());
            auxiliary.constraint(|| h.predecessors(instance, v).count());
        }
        variables.take(auxiliary.total());
        Ok(Box::new(EncodedBefore { instance: instance.clone(), at_most_one: plan.at_most_one, h, b, first_auxiliary }))
    }
}

#[derive(Debug)]
struct EncodedBefore {
    instance: Instance,
    at_most_one: AtMostOne,
    h: ArcVars,
    b: TableVars,
    first_auxiliary: Var,
}

impl EncodedBefore {
    fn before(&self, i: Vertex, j: Vertex) -> Lit {
        self.b.row(i.number()).nth(j.index()).unwrap()
    }
}

impl Encoded for EncodedBefore {
    fn instance(&self) -> &Instance {
        &self.instance
    }

    fn emit(&self, out: &mut dyn ClauseSink) {
        let (instance, h) = (&self.instance, &self.h);
        let mut card = Cardinality::new(self.at_most_one, self.first_auxiliary);
        out.family(DEGREE);
        let term = |(_, l): (Vertex, Lit)| Term::Lit(l);
        for v in instance.graph().vertices() {
            card.exactly_one(h.successors(instance, v).map(term), out);
            card.exactly_one(h.predecessors(instance, v).map(term), out);
        }
        out.family(ORDER);
        let start = instance.start();
        for i in instance.graph().vertices() {
            for j in instance.graph().vertices() {
                let ij = self.before(i, j);
                if i == j || j == start {
                    out.clause(&[!ij]);
                } else if i == start {
                    out.clause(&[ij]);
                } else if i < j {
                    out.clause(&[!ij, !self.before(j, i)]);
                    out.clause(&[ij, self.before(j, i)]);
                }
                for k in instance.graph().vertices() {
                    if i != j && j != k && i != k {
                        out.clause(&[!ij, !self.before(j, k), self.before(i, k)]);
                    }
                }
            }
            for (j, h_ij) in h.successors(instance, i).filter(|(j, _)| *j != start) {
                out.clause(&[!h_ij, self.before(i, j)]);
            }
        }
    }

    fn support(&self) -> Block {
        self.h.block()
    }

    fn arcs(&self) -> Option<&ArcVars> {
        Some(&self.h)
    }

    fn ends(&self, v: Vertex) -> Option<[Term; 2]> {
        let (instance, start) = (&self.instance, self.instance.start());
        let arc = |from, to| {
            let found = self.h.successors(instance, from).find(|(head, _)| *head == to);
            found.map_or(Term::False, |(_, l)| Term::Lit(l))
        };
        Some([arc(start, v), arc(v, start)])
    }

    fn meaning(&self, var: Var) -> Option<String> {
        let name = |v| self.instance.vertex_name(Vertex::new(v));
        let before = || {
            let (i, j) = self.b.meaning(var)?;
            Some(format!("B({},{})", name(i), name(j)))
        };
        self.h.meaning(&self.instance, var).or_else(before)
    }

    fn value(&self, sequence: &Sequence, var: Var) -> Option<bool> {
        let before = || {
            let (i, j) = self.b.meaning(var)?;
            Some(sequence.position(Vertex::new(i)) < sequence.position(Vertex::new(j)))
        };
        self.h.value(&self.instance, sequence, var).or_else(before)
    }

    fn read(&self, model: &Model) -> Result<Vec<Vec<Vertex>>, NotATour> {
        let mut order = vec![self.instance.start()];
        while order.len() < self.instance.n() as usize {
            let here = order[order.len() - 1];
            let mut on = self.h.successors(&self.instance, here);
            let next = on.find(|(_, l)| model.holds(*l));
            order.extend(next.map(|(head, _)| head));
        }
        Ok(vec![order])
    }
}

/// Refinement that keeps only one direction of each closed tour: the direction that the refinement `orientation` excludes.
#[derive(Clone, Copy, Debug)]
struct Backward;

const BACKWARD: Refinement = Refinement {
    name: "backward",
    says: "the start's successor is greater than its predecessor",
    values: "on",
    plain: "on",
    absent: "off",
    in_clauses: true,
    needs: "a direction",
    is_for: |offers| offers.directions,
    make: |value| match value {
        "on" => Ok(Arc::new(Backward)),
        _ => Err(BadArgument(format!("\"{value}\" is not on"))),
    },
};

impl Refine for Backward {
    fn value(&self) -> String {
        "on".to_owned()
    }

    fn emit(&self, encoded: &dyn Encoded, out: &mut dyn ClauseSink) {
        let instance = encoded.instance();
        if instance.kind() == TourKind::Open {
            return;
        }
        out.family(Family { label: "(<)", says: "backward" });
        let neighbours = instance.graph().neighbours(instance.start()).iter();
        let ends: Vec<_> = neighbours.filter_map(|&v| encoded.ends(v)).collect();
        for (i, &[_, last]) in ends.iter().enumerate() {
            let mut clause = Disjunction::default();
            for &[first, _] in &ends[i + 1..] {
                clause.or(first);
            }
            clause.or_not(last).emit(out);
        }
    }

    fn excludes_a_direction(&self, encoded: &dyn Encoded) -> bool {
        encoded.instance().kind() == TourKind::Closed
    }

    fn admits(&self, encoded: &dyn Encoded, sequence: &Sequence) -> bool {
        let order = sequence.order();
        encoded.instance().kind() == TourKind::Open || order[1] > order[order.len() - 1]
    }
}

/// Method that counts tours by trying all orders of the vertices, for graphs up to a given size.
#[derive(Clone, Debug)]
struct Orders {
    /// Maximum number of vertices.
    largest: u32,
}

impl MethodKind for Orders {
    fn profile(&self) -> Profile<'_> {
        Profile::new("orders", "exact count by trying all orders of the vertices", Class::Count)
    }

    fn settings(&mut self) -> Vec<Field<'_>> {
        let largest = Setting::new("largest", "N", "largest number of vertices [default: 20]");
        vec![largest.of(&mut self.largest, &20, |text| text.parse().map_err(WrongValue::new))]
    }

    fn run(&self, tours: &Tours, _: &Run<'_>) -> Result<RunResult, Failure> {
        let instance = tours.instance();
        let result = RunResult::default();
        if instance.n() > self.largest {
            return Ok(result.refused(&format!("it has more than {} vertices", self.largest)));
        }
        let count = brute_force(instance).len();
        Ok(result.with_value(Status::Count, count))
    }
}

/// Method that finds a tour by trying all orders of the vertices.
#[derive(Clone, Debug)]
struct FirstOrder;

impl MethodKind for FirstOrder {
    fn profile(&self) -> Profile<'_> {
        Profile::new("first-order", "first of all orders of the vertices that is a tour", Class::Search)
    }

    fn run(&self, tours: &Tours, _: &Run<'_>) -> Result<RunResult, Failure> {
        let result = RunResult::default();
        Ok(match brute_force(tours.instance()).into_iter().next() {
            Some(order) => result.found(hamcnf::Tour::check(tours.instance(), order)?),
            None => result.ended(Status::NoTour, "no order is a tour"),
        })
    }
}

/// Portfolio strategy that tries all paths from the first vertex.
const TRIAL: Strategy = Strategy {
    name: "trial",
    summary: "first of all paths that closes to a cycle",
    stage: Stage::Turns,
    opening: |graph| {
        let first = Opening { place: 0, slice: None };
        let is_small = graph.n_vertices() <= 14;
        is_small.then_some(first).into_iter().collect()
    },
    is_exact: true,
    is_random: false,
    run: |work| {
        let (mut path, mut steps) = (vec![Vertex::new(0)], 0);
        let found = match closes(work, &mut path, &mut steps) {
            Ok(true) => Found::Cycle(path),
            Ok(false) => Found::NoCycle,
            Err(stopped) => Found::Unknown(stopped),
        };
        (found.into(), vec![Metric::sum("steps", steps)])
    },
    ..Strategy::GIVES_UP
};

/// Tries to extend the path to a Hamiltonian cycle. If this is impossible, returns false and leaves the path unchanged.
fn closes(work: &Work<'_>, path: &mut Vec<Vertex>, steps: &mut u64) -> Result<bool, Stopped> {
    work.budget.over().map_or(Ok(()), Err)?;
    *steps += 1;
    let last = path[path.len() - 1];
    if path.len() == work.graph.n_vertices() as usize {
        return Ok(path.len() > 2 && work.graph.neighbours(last).contains(&path[0]));
    }
    for &next in work.graph.neighbours(last) {
        if !path.contains(&next) {
            path.push(next);
            if closes(work, path, steps)? {
                return Ok(true);
            }
            path.pop();
        }
    }
    Ok(false)
}

const WALKS: Format = Format::new(&FormatKind {
    name: "walks",
    summary: "a line \"walk A B C ...\" for each walk",
    endings: &["walks"],
    begins: |text| text.starts_with("walk "),
    read: |text| {
        let mut edges = Vec::new();
        for (number, line) in (1..).zip(text.lines()) {
            let numbers = line.split(' ').skip(1).map(str::parse::<u32>);
            let numbers: Result<Vec<_>, _> = numbers.collect();
            let numbers = numbers.map_err(|_| FormatError {
                line: Some(number),
                wrong: Wrong::Line { text: line.to_owned(), expected: "a walk \"walk A B C ...\"" },
            })?;
            edges.extend(numbers.windows(2).map(|pair| (pair[0] - 1, pair[1] - 1)));
        }
        let n = edges.iter().map(|&(a, b)| a.max(b) + 1).max().unwrap_or(0);
        TextGraph::new(WALKS, Numbering::FromOne, n, Declared::Edges, edges)
    },
    write: |graph, out| {
        for [a, b] in graph.numbered_pairs() {
            writeln!(out, "walk {a} {b}")?;
        }
        Ok(())
    },
    ..FormatKind::NONE
});

fn hamcnf(args: &str) -> Output {
    let mut command = Command::new(env::current_exe().unwrap());
    command.args(args.split_whitespace()).env("OWN_PROGRAM", "1");
    command.output().unwrap()
}

#[track_caller]
fn says(args: &str, code: i32) -> String {
    let output = hamcnf(args);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{args}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

fn they_are_enumerated() {
    let words = ["before", "before+backward", "before+two-cycles+order=seed-3+backward", "unary+backward"];
    for graph in (3..=5).flat_map(connected_graphs) {
        for kind in [TourKind::Closed, TourKind::Open] {
            let instance = Instance::on_graph("small", graph.clone(), kind, Vertex::new(1)).unwrap();
            let expected = brute_force(&instance);
            for word in words {
                let formula = Formula::new(word.parse().unwrap(), &instance).unwrap();
                has_tours(&formula, &expected, &format!("{word} of {graph:?}"));
                for order in &expected {
                    let tour = Tour::check(&instance, order.clone()).unwrap();
                    let both = [tour.reversed(), Some(tour)].into_iter().flatten();
                    let admitted = both.filter(|tour| formula.admits(tour)).count();
                    assert_eq!(admitted as u32, formula.models_per_tour(), "{word}");
                }
            }
        }
    }
}

fn they_have_every_command() {
    let word: Encoding = "before+backward".parse().unwrap();
    assert_eq!(word.to_string(), "before+backward");
    let cnf = says("encode 3x4 --open -e before --varnames --project arcs", 0);
    assert!(cnf.contains("c encoding before\n") && cnf.contains(" B(a1,b1)\n"), "{cnf}");
    assert!(says("solve 6x6 -e before+backward", 10).contains("before+backward"));
    assert!(says("solve 3x4 -e before", 20).contains("there is no tour"));
    assert!(says("count 5x6 --method enumerate -e before+backward", 0).contains('8'));
    let row = says("sizes 5x6 -e before --format csv", 0);
    assert!(row.lines().last().unwrap().contains("before"), "{row}");
    assert!(says("compare 4x5 --open --methods before,exact --format csv", 0).contains("before"));
    assert!(says("solve --help", 0).contains("before"));
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("own.toml");
    let text = "title = 't'\nseeds = [1]\ntime_limit = 60\nexpect = 'tour'\n\
                questions = ['5x6']\nmethods = ['before+backward']\n";
    std::fs::write(&file, text).unwrap();
    let folder = folder.path().display();
    says(&format!("run {} -o {folder}", file.display()), 0);
    let rows = std::fs::read_to_string(file.with_extension("csv")).unwrap();
    assert!(rows.contains("before+backward") && rows.contains("tour"), "{rows}");
}

fn methods_have_every_command() {
    let listed = says("methods", 0);
    assert!(listed.contains("orders") && listed.contains("+largest=N"), "{listed}");
    assert!(says("count 3x4 --open --from a1 --method orders+largest=12", 0).contains("3x4: "));
    let exact = says("count 4x5 --open --from a1 --json", 0);
    let orders = says("count 4x5 --open --from a1 --method orders --json", 0);
    let count = |text: &str| {
        let json: serde_json::Value = serde_json::from_str(text).unwrap();
        json["value"].clone()
    };
    assert_eq!(count(&orders), count(&exact));
    says("count 6x6 --method orders", 2);
    let refused = hamcnf("count 4x5 --open --method orders+states=3");
    let errors = String::from_utf8_lossy(&refused.stderr);
    assert!(errors.contains("method \"orders\" has no setting \"states\"; choose from largest"), "{errors}");
    assert!(says("solve 3x4 --open --from a1 --method first-order", 10).contains("a1"));
    says("solve 3x4 --method first-order", 20);
    let rows = says("compare 4x5 --open --methods orders,first-order,exact --format csv", 0);
    assert!(rows.contains("orders") && rows.contains("first-order"), "{rows}");
    assert!(says("count --help", 0).contains("orders"));
}

fn auto_asks_the_strategy() {
    assert!(says("methods", 0).contains("first of all paths that closes"));
    // The strategy runs alone, on a graph with a tour and on a graph without.
    says("solve petersen:7:2 --method trial", 10);
    says("solve petersen:5:2 --method trial", 20);
    // The strategy runs within `auto`, before the built-in strategies, but only on the graphs that it accepts.
    let auto = |graph: &str| {
        let text = says(&format!("solve {graph} --threads 1 --json"), 10);
        let json: serde_json::Value = serde_json::from_str(&text).unwrap();
        let steps = json["details"]["steps"].as_array().unwrap().iter();
        let names = steps.map(|step| step["strategy"].as_str().unwrap().to_owned());
        names.collect::<Vec<_>>()
    };
    assert_eq!(auto("petersen:7:2"), ["obstruction", "reduction", "trial"]);
    assert_eq!(auto("petersen:9:2"), ["obstruction", "reduction", "local-search"]);
    assert!(says("solve petersen:7:2 --threads 1 --explain", 0).contains("  trial\n"));
}

fn formats_have_every_command() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("house.walks");
    let text = folder.path().join("house");
    fs::write(&file, "walk 1 2 3 4 1\nwalk 1 5 2\n").unwrap();
    fs::copy(&file, &text).unwrap();
    let (file, text) = (file.display(), text.display());
    // The format is detected from the text or from the file's extension, or is given before the file's name.
    for graph in [format!("{text}"), format!("{file}"), format!("walks:{text}")] {
        let facts = says(&format!("graph {graph} --json"), 0);
        assert!(facts.contains("\"format\":\"walks\"") && facts.contains("\"edges\":6"), "{facts}");
        says(&format!("solve {graph}"), 10);
    }
    let written = folder.path().join("square.walks");
    says(&format!("graph cycle:4 -o {}", written.display()), 0);
    assert_eq!(fs::read_to_string(&written).unwrap().lines().count(), 4);
    assert!(says("graph --help", 0).contains("a line \"walk A B C ...\""));
    let unknown = hamcnf("solve 3x4 --graph-format waks");
    let errors = String::from_utf8_lossy(&unknown.stderr).into_owned();
    assert!(errors.contains("walks"), "{errors}");
    let wrong = folder.path().join("wrong.walks");
    fs::write(&wrong, "walk 1 2\nwalk x\n").unwrap();
    let refused = hamcnf(&format!("solve {}", wrong.display()));
    let errors = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(errors.contains("line 2: \"walk x\" is not a walk"), "{errors}");
}

/// Kind of chart without series, whose title shows the number of rows.
const ROWS: Kind = |input| {
    Ok(vec![Chart {
        name: "rows".to_owned(),
        title: format!("{} rows", input.data.rows.len()),
        notes: Vec::new(),
        x: Axis::new("x", Scale::Linear),
        y: Axis::new("y", Scale::Linear),
        series: Vec::new(),
        guides: Vec::new(),
        square: true,
    }])
};

fn charts_are_in_reports() {
    let rows = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("results/peers.csv");
    let data = Data::read(&[rows], &[]).unwrap();
    let options = ReportOptions { more_charts: vec![ROWS], ..ReportOptions::default() };
    let report = Report::of(&data, &options).unwrap();
    let names: Vec<_> = report.charts.iter().map(|chart| chart.name.as_str()).collect();
    assert!(names.contains(&"cactus") && names.contains(&"rows"), "{names:?}");
    let files = report.files().unwrap();
    assert!(files.iter().any(|(name, _)| name == "rows.svg"));
    assert!(report.markdown().contains("rows.svg"));
}

fn main() -> ExitCode {
    formats::register(WALKS).unwrap();
    assert!(formats::register(WALKS).is_err(), "the name is taken");
    method::register(Orders { largest: 20 }).unwrap();
    method::register(FirstOrder).unwrap();
    assert!(method::register(FirstOrder).is_err(), "the name is taken");
    method::register(Portfolio::of(TRIAL)).unwrap();
    assert!(method::register(Portfolio::of(TRIAL)).is_err(), "the name is taken");
    encoding::register(BEFORE).unwrap();
    encoding::register_refinement(BACKWARD).unwrap();
    assert!(encoding::register(BEFORE).is_err(), "the name is taken");
    if env::var_os("OWN_PROGRAM").is_some() {
        return hamcnf::cli::main(env::args_os());
    }
    they_are_enumerated();
    they_have_every_command();
    methods_have_every_command();
    auto_asks_the_strategy();
    formats_have_every_command();
    charts_are_in_reports();
    println!(
        "an encoding, a refinement, two methods, a strategy of auto, a graph format and a kind of charts of another crate: ok"
    );
    ExitCode::SUCCESS
}
