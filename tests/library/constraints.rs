//! Tests of constraints: every method and every base encoding is compared with brute force on random small graphs,
//! digraphs and boards with random constraints. The conditions are programmed here a second time.

use std::num::NonZero;
use std::sync::Arc;
use std::time::Duration;

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use hamcnf::constraint::{self, ConstraintKind};
use hamcnf::limits::Limits;
use hamcnf::method::{self, Class, Method};
use hamcnf::question::{ConstraintSpec, Files, GivenGraph, GraphSource, Question, StartSpec, Tours};
use hamcnf::run::{Settings, Status, Wanted};
use hamcnf::{AnyGraph, Clauses, Count, Digraph, Encoding, Family, Formula, Instance, Numbering, TourKind, encoding};

/// Condition on a tour. The numbers are vertices, positions or angles.
#[derive(Clone, Debug)]
enum Condition {
    Force(u32, u32, bool),
    Forbid(u32, u32, bool),
    At(u32, u32, u32),
    Before(u32, u32),
    Except(Vec<u32>),
    /// Least and greatest turn in degrees, and the permitted numbers of turns in this interval. Without permitted
    /// numbers, all turns are in the interval.
    Turns(u32, u32, Option<(u32, u32)>),
    /// Name of a symmetry of the board.
    Symmetry(&'static str),
}

/// Graph, digraph or board. `columns` is the number of columns of a board.
struct Place {
    source: GraphSource,
    digraph: Digraph,
    is_directed: bool,
    columns: Option<u32>,
    names: Vec<String>,
}

impl Condition {
    fn is_directional(&self) -> bool {
        match self {
            // An open tour has a direction anyway.
            Self::Except(_) => false,
            Self::Force(.., is_arc) | Self::Forbid(.., is_arc) => *is_arc,
            Self::At(..) | Self::Before(..) => true,
            Self::Turns(..) | Self::Symmetry(_) => false,
        }
    }

    fn spec(&self, names: &[String]) -> ConstraintSpec {
        let name = |v: &u32| &names[*v as usize];
        let between = |is_arc: &bool| if *is_arc { "->" } else { "-" };
        let (kind, value) = match self {
            Self::Force(u, v, arc) => ("force", format!("{}{}{}", name(u), between(arc), name(v))),
            Self::Forbid(u, v, arc) => ("forbid", format!("{}{}{}", name(u), between(arc), name(v))),
            Self::At(v, low, high) if low == high => ("at", format!("{}={}", name(v), low + 1)),
            Self::At(v, low, high) => ("at", format!("{}={}..{}", name(v), low + 1, high + 1)),
            Self::Except(order) => {
                let names: Vec<_> = order.iter().map(|v| name(v).as_str()).collect();
                ("except", names.join("-"))
            }
            Self::Symmetry(name) => ("symmetry", (*name).to_owned()),
            Self::Before(u, v) => ("before", format!("{},{}", name(u), name(v))),
            Self::Turns(low, high, None) => ("turns", format!("{low}..{high}")),
            Self::Turns(low, high, Some((least, most))) => ("turns", format!("{low}..{high}={least}..{most}")),
        };
        let kind = ConstraintKind::named(kind).unwrap();
        ConstraintSpec { kind, value }
    }

    /// True if a tour satisfies the condition. `order` contains the vertices of the tour.
    fn holds(&self, order: &[u32], is_closed: bool, is_directed: bool, columns: Option<u32>) -> bool {
        let mut moves: Vec<(u32, u32)> = order.windows(2).map(|pair| (pair[0], pair[1])).collect();
        if is_closed {
            moves.push((order[order.len() - 1], order[0]));
        }
        let position = |v: u32| order.iter().position(|&w| w == v).unwrap() as u32;
        let uses = |u: u32, v: u32, is_arc: bool| moves.contains(&(u, v)) || !is_arc && moves.contains(&(v, u));
        match *self {
            Self::Except(ref other) if is_closed => {
                let mut other = other.clone();
                let start = other.iter().position(|&v| v == order[0]).unwrap();
                other.rotate_left(start);
                let is_other = order == other;
                other[1..].reverse();
                !is_other && (is_directed || order != other)
            }
            Self::Except(ref other) => order != other,
            Self::Force(u, v, is_arc) => uses(u, v, is_arc),
            Self::Forbid(u, v, is_arc) => !uses(u, v, is_arc),
            Self::At(v, low, high) => (low..=high).contains(&position(v)),
            Self::Before(u, v) => position(u) < position(v),
            Self::Symmetry(name) => {
                let columns = columns.unwrap();
                let rows = order.len() as u32 / columns;
                let image = |v: u32| {
                    let (row, column) = (v / columns, v % columns);
                    let (below, right) = (rows - 1 - row, columns - 1 - column);
                    let (row, column) = match name {
                        "180" => (below, right),
                        "90" => (column, below),
                        "left-right" => (row, right),
                        "top-bottom" => (below, column),
                        "diagonal" => (column, row),
                        _ => (right, below),
                    };
                    row * columns + column
                };
                let mut moves = moves.iter();
                moves.all(|&(u, v)| uses(image(u), image(v), false))
            }
            Self::Turns(low, high, number) => {
                let place = |v: u32| {
                    let columns = columns.unwrap();
                    (f64::from(v / columns), f64::from(v % columns))
                };
                let direction = |&(u, v): &(u32, u32)| {
                    let ((a, b), (c, d)) = (place(u), place(v));
                    (c - a).atan2(d - b).to_degrees()
                };
                let mut directions: Vec<f64> = moves.iter().map(direction).collect();
                if is_closed {
                    directions.push(directions[0]);
                }
                let turns = directions.windows(2).map(|pair| {
                    let turn = (pair[0] - pair[1]).abs();
                    turn.min(360.0 - turn)
                });
                let (low, high) = (f64::from(low) - 1e-6, f64::from(high) + 1e-6);
                let all = turns.len() as u32;
                let inside = turns.filter(|turn| (low..=high).contains(turn)).count() as u32;
                match number {
                    None => inside == all,
                    Some((least, most)) => (least..=most).contains(&inside),
                }
            }
        }
    }
}

/// Returns all Hamiltonian paths of a digraph that begin at one of these starts.
fn sequences(digraph: &Digraph, starts: &[u32]) -> Vec<Vec<u32>> {
    fn extend(digraph: &Digraph, path: &mut Vec<u32>, found: &mut Vec<Vec<u32>>) {
        if path.len() == digraph.n_vertices() as usize {
            found.push(path.clone());
            return;
        }
        let last = hamcnf::Vertex::new(path[path.len() - 1]);
        for &next in digraph.successors(last) {
            if !path.contains(&next.number()) {
                path.push(next.number());
                extend(digraph, path, found);
                path.pop();
            }
        }
    }
    let mut found = Vec::new();
    for &start in starts {
        extend(digraph, &mut vec![start], &mut found);
    }
    found
}

/// Returns the number of tours by brute force.
fn expected(place: &Place, kind: u32, conditions: &[Condition]) -> usize {
    let n = place.digraph.n_vertices();
    let starts: Vec<u32> = match kind {
        1 | 3 => (0..n).collect(),
        _ => vec![0],
    };
    let is_closed = kind > 3;
    let mut found = sequences(&place.digraph, &starts);
    if matches!(kind, 2 | 3) {
        found.retain(|order| order[n as usize - 1] == 1);
    }
    if is_closed {
        let vertex = hamcnf::Vertex::new;
        let closes = |order: &Vec<u32>| place.digraph.arc(vertex(order[n as usize - 1]), vertex(0));
        found.retain(|order| closes(order).is_some());
    }
    let is_directed = place.is_directed || conditions.iter().any(Condition::is_directional);
    found.retain(|order| {
        let mut all = conditions.iter();
        all.all(|condition| condition.holds(order, is_closed, is_directed, place.columns))
    });
    if is_closed && !is_directed {
        return found.len() / 2;
    }
    found.len()
}

struct Random(ChaCha8Rng);

impl Random {
    fn below(&mut self, n: u32) -> u32 {
        self.0.next_u32() % n
    }
}

/// Returns a random graph, digraph or board.
fn place(random: &mut Random, seed: u32) -> Place {
    let n = 4 + seed % 3;
    match seed % 4 {
        3 => {
            let (rows, columns, piece) =
                [(3, 4, ""), (2, 3, "leaper:0,1:"), (3, 3, "leaper:0,1:"), (2, 4, "leaper:0,1:")]
                    [seed as usize / 4 % 4];
            let source: GraphSource = match format!("{piece}{rows}x{columns}").parse() {
                Ok(board) => GraphSource::Board(board),
                Err(error) => panic!("{error}"),
            };
            let loaded = source.clone().load(&Files::default()).unwrap();
            let names = (0..rows * columns).map(|v: u32| {
                let letter = char::from(b'a' + (v % columns) as u8);
                format!("{letter}{}", v / columns + 1)
            });
            Place {
                source,
                digraph: loaded.graph().digraph().clone(),
                is_directed: false,
                columns: Some(columns),
                names: names.collect(),
            }
        }
        kind => {
            let is_directed = kind == 2;
            let pairs = (0..n).flat_map(|u| (0..n).map(move |v| (u, v)));
            let pairs = pairs.filter(|&(u, v)| if is_directed { u != v } else { u < v });
            let arcs: Vec<_> = pairs.filter(|_| random.below(100) < 65).collect();
            let graph: AnyGraph = match is_directed {
                true => Digraph::from_arcs(n, arcs).unwrap().into(),
                false => hamcnf::Graph::from_edges(n, arcs).unwrap().into(),
            };
            Place {
                digraph: graph.digraph().clone(),
                source: GraphSource::Given(GivenGraph {
                    name: "small".to_owned(),
                    graph: Arc::new(graph),
                    names: Numbering::FromOne.into(),
                    origin: None,
                }),
                is_directed,
                columns: None,
                names: (1..=n).map(|v| v.to_string()).collect(),
            }
        }
    }
}

fn condition(place: &Place, random: &mut Random) -> Condition {
    let n = place.digraph.n_vertices();
    let arcs: Vec<_> = place.digraph.arcs().collect();
    let kinds = if place.columns.is_some() { 12 } else { 6 };
    if random.below(6) == 0 {
        // A path of all vertices if there is one, with some luck a tour of the question.
        let all = sequences(&place.digraph, &[0, n - 1]);
        let mut order: Vec<u32> = (0..n).collect();
        if !all.is_empty() {
            order.clone_from(&all[random.below(all.len() as u32) as usize]);
        }
        return Condition::Except(order);
    }
    match random.below(kinds) {
        kind @ 0..=3 if !arcs.is_empty() => {
            let arc = arcs[random.below(arcs.len() as u32) as usize];
            let (u, v, is_arc) = (arc.tail.number(), arc.head.number(), random.below(3) == 0);
            match kind {
                0 | 1 => Condition::Force(u, v, is_arc),
                _ => Condition::Forbid(u, v, is_arc),
            }
        }
        0..=4 => {
            let (a, b) = (random.below(n), random.below(n));
            let (low, high) = (a.min(b), a.max(b));
            // Vertex 0 may be the start, whose position is the first.
            let v = 1 + random.below(n - 1);
            match random.below(2) {
                0 => Condition::At(v, low, low),
                _ => Condition::At(v, low, high),
            }
        }
        5 => {
            let u = random.below(n);
            Condition::Before(u, (u + 1 + random.below(n - 1)) % n)
        }
        8.. => {
            let is_square = place.columns.is_some_and(|columns| columns * columns == n);
            let names = ["180", "left-right", "top-bottom", "90", "diagonal", "antidiagonal"];
            let names = if is_square { &names[..] } else { &names[..3] };
            Condition::Symmetry(names[random.below(names.len() as u32) as usize])
        }
        _ => {
            let (low, high) = [(0, 90), (0, 89), (90, 90), (37, 180)][random.below(4) as usize];
            let least = random.below(4);
            let number = (random.below(2) == 0).then_some((least, least + random.below(4)));
            Condition::Turns(low, high, number.filter(|(_, most)| *most < n))
        }
    }
}

/// Returns all methods that find tours without an external program, and each base encoding both for finding a tour and
/// for counting.
fn methods() -> Vec<Method> {
    let all = method::all().into_iter();
    let own = all.filter(|method| method.engine().is_none());
    let own = own.filter(|method| {
        let abilities = method.profile();
        method.name() != "local-search" && abilities.tours && !abilities.boards_only
    });
    let bases = encoding::bases().into_iter();
    let of_bases =
        bases.flat_map(|base| ["enumerate", "solve"].map(|method| format!("{method}:{}", base.name).parse().unwrap()));
    let refined = [
        "enumerate:binary+order=seed-3",
        "enumerate:unary+windows=full",
        "enumerate:counting+order=far",
        "solve:direct+order=bfs",
        "prove:binary",
    ];
    let refined = refined.into_iter().map(|text| text.parse().unwrap());
    own.chain(of_bases).chain(refined).collect()
}

fn compare_many(seeds: std::ops::Range<u32>) {
    let methods = methods();
    let mut answers = vec![0u32; methods.len()];
    let settings = Settings { limits: Limits::wall(Duration::from_secs(20)), ..Settings::default() };
    for seed in seeds {
        let mut random = Random(ChaCha8Rng::seed_from_u64(seed.into()));
        let place = place(&mut random, seed);
        let kind = random.below(7);
        let number = 1 + random.below(3);
        let conditions: Vec<_> = (0..number).map(|_| condition(&place, &mut random)).collect();
        let specs: Vec<_> = conditions.iter().map(|c| c.spec(&place.names)).collect();
        let (tour_kind, start) = match kind {
            0 | 2 => (TourKind::Open, Some(StartSpec::Named(place.names[0].clone()))),
            1 | 3 => (TourKind::Open, Some(StartSpec::Anywhere)),
            _ => (TourKind::Closed, None),
        };
        let tours = Tours::load(place.source.clone(), tour_kind, start.as_ref(), &Files::default());
        let mut tours = tours.unwrap();
        if matches!(kind, 2 | 3) {
            tours = tours.ending_at(&place.names[1]).unwrap();
        }
        let expected = expected(&place, kind, &conditions);
        let tours = match tours.constrained(&specs) {
            Ok(tours) => tours,
            // Constraints on positions contradict each other.
            Err(error) => {
                assert_eq!(expected, 0, "seed {seed}: {error}");
                continue;
            }
        };
        let about = format!("seed {seed}: {tours}, {:?}", place.digraph);
        let found = tours.obstruction();
        assert!(expected == 0 || found.is_none(), "{found:?} of {about}");
        let question = Question::from(tours);
        // If all tours are listed, there are as many as the count says.
        let listing = Settings { wanted: Wanted::Several(NonZero::new(1000).unwrap()), ..settings.clone() };
        let unary: Method = "unary".parse().unwrap();
        let listed = unary.answer(&question, &listing);
        if listed.complete && expected < 1000 {
            assert_eq!(listed.tours.len(), expected, "listed, {about}");
        }
        for (method, answers) in methods.iter().zip(&mut answers) {
            let record = method.answer(&question, &settings);
            let said = format!("{method} of {about}: {}; expected {expected}", record.message);
            match (record.status, method.class()) {
                (Status::Tour, class) if class != Class::Count => assert!(expected > 0, "{said}"),
                (Status::NoTour, class) if class != Class::Count => {
                    assert_eq!(expected, 0, "{said}");
                }
                (Status::Count, Class::Count) => {
                    assert_eq!(record.count(), Some(expected.into()), "{said}");
                }
                (Status::Size, Class::Size) => {}
                (Status::GaveUp | Status::Refused, _) => continue,
                (Status::Timeout | Status::AtLeast, _) if method.name() == "timeslice" => continue,
                (status, _) => panic!("{said}: {status:?}"),
            }
            *answers += 1;
        }
    }
    for (method, answers) in methods.iter().zip(answers) {
        // The base encoding `step` supports no constraints. The strategy `quotient` gives up on small graphs. All
        // other methods must have solved some questions.
        let step = ["enumerate:step", "solve:step"].contains(&&*method.to_string());
        assert_eq!(answers > 0, !step && !["step", "quotient"].contains(&&*method.to_string()), "{method}");
    }
}

/// Tests that every encoding finds the symmetric tours that the count over the quotient graph counts.
#[test]
fn every_encoding_has_the_symmetric_tours() {
    let count: Method = "count".parse().unwrap();
    for (question, tours) in [
        ("5x6 symmetry left-right", 4u32),
        ("3x10 symmetry 180", 4),
        ("6x6 symmetry 90", 10),
        ("king:3x4 symmetry top-bottom", 0),
        ("king:4x3 symmetry 180 forbid a1-b1", 0),
        ("3x4 open from anywhere symmetry 180", 0),
    ] {
        let question = Question::load(question).unwrap();
        let counted = count.answer(&question, &Settings::default());
        let expected = match tours {
            0 => counted.count().unwrap(),
            known => known.into(),
        };
        assert_eq!(counted.count(), Some(expected.clone()), "{question}");
        for base in encoding::bases() {
            let method: Method = format!("enumerate:{}", base.name).parse().unwrap();
            let record = method.answer(&question, &Settings::default());
            let said = format!("{question} by {method}: {}", record.message);
            match record.status {
                Status::Refused => assert!(base.offers.boards_only, "{said}"),
                _ => assert_eq!(record.count(), Some(expected.clone()), "{said}"),
            }
        }
    }
}

/// Returns the number of pairs of successive moves u, v, w with u < w that turn by more than 90 degrees.
fn sharp_turns(instance: &Instance) -> u64 {
    let squares = instance.squares().unwrap();
    let place = |v| {
        let (row, col) = squares.board().row_col(squares.square(v));
        (i64::from(row), i64::from(col))
    };
    let is_sharp = |u, v, w| {
        let [u, v, w] = [u, v, w].map(place);
        (v.0 - u.0) * (w.0 - v.0) + (v.1 - u.1) * (w.1 - v.1) < 0
    };
    let graph = instance.graph();
    let at = |v| {
        let near = graph.neighbours(v);
        let pairs = near.iter().flat_map(|&u| near.iter().map(move |&w| (u, w)).filter(|(u, w)| u < w));
        pairs.filter(|&(u, w)| is_sharp(u, v, w)).count() as u64
    };
    graph.vertices().map(at).sum()
}

/// Tests, for 6x6, that each constraint adds as many clauses and variables as the formulas in the documentation of its
/// module say. The list has all kinds of constraints.
#[test]
fn clauses_are_as_many_as_the_formulas_say() {
    let tour_of = |question: &str| {
        let question = Question::load(question).unwrap();
        let found = Method::answer(&"auto".parse().unwrap(), &question, &Settings::default());
        let instance = question.instance().unwrap();
        let order = found.tours[0].order().iter();
        let names: Vec<_> = order.map(|&v| instance.vertex_name(v)).collect();
        format!("except {}", names.join("-"))
    };
    let (closed, open) = ("6x6", "6x6 open from a1");
    let except = [closed, open].map(tour_of);
    let question = Question::load(closed).unwrap();
    let instance = question.instance().unwrap();
    let (n, graph) = (36, instance.graph());
    let pairs: u64 = graph.vertices().map(|v| (graph.degree(v) as u64 * (graph.degree(v) as u64 - 1)) / 2).sum();
    let sharp = sharp_turns(instance);
    // Open tours do not turn at their start a1. Its only pair of moves, to b3 and c2, turns by more than 90 degrees.
    let (open_pairs, open_sharp) = (pairs - 1, sharp - 1);
    // They do not come back to it either: the pairs of moves at b3 and c2 that include a1 have one direction.
    let start = instance.start();
    let near = graph.neighbours(start).iter();
    let at_start: u64 = near.map(|&v| graph.degree(v) as u64 - 1).sum();
    // No move leads from a square to its image, so all orbits have two edges, or four.
    let edges = graph.n_edges() as u64;
    // Number of variables s_i,j for N vertices and the greatest j, and of clauses that define them.
    let sums = |n: u64, j: u64| j * (j + 1) / 2 + (n - j) * j;
    let counter = |n: u64, j: u64| 4 * sums(n, j) - j - n;
    let cases: &[(&str, &str, &str, u64, u64)] = &[
        (closed, "force a1-c2", "binary", 1, 0),
        (closed, "force a1-c2", "edges", 1, 0),
        (closed, "force a1-c2", "direct", n, 0),
        (closed, "force a1->c2", "binary", 1, 0),
        (closed, "force a1->c2", "direct", n, 0),
        (closed, "forbid d4-e6", "binary", 0, 0),
        (closed, "at d4=17", "binary", 6, 0),
        (closed, "at d4=17", "unary+windows=none", 1, 0),
        (closed, "at d4=10..20", "binary", n - 11, 0),
        (open, "at d4=10..20", "binary", n - 11, 0),
        (closed, "before d4,e5", "binary", 4 * n - 4, n - 1),
        (open, "before d4,e5", "binary", 4 * n - 4, n - 1),
        // d4 and f5 are adjacent.
        (closed, "before d4,f5", "precedence", 1, 0),
        (closed, "before a1,f5", "precedence", 0, 0),
        (closed, "turns 0..90", "binary", 2 * sharp, 0),
        (closed, "turns 0..90", "edges", sharp, 0),
        (closed, "max-turn 90", "binary", 2 * sharp, 0),
        (open, "max-turn 90", "edges", open_sharp, 0),
        (closed, "turns 90=2", "binary", 2 * pairs + counter(n, 3) + 2, n + sums(n, 3)),
        (closed, "turns 90=2", "edges", pairs + counter(n, 3) + 2, n + sums(n, 3)),
        (closed, "turns 90=2..", "edges", pairs + counter(n, 2) + 1, n + sums(n, 2)),
        (
            open,
            "turns 90=2..",
            "binary",
            2 * open_pairs - at_start + (n - 1) + counter(n - 1, 2) + 1,
            n - 1 + sums(n - 1, 2),
        ),
        (closed, "symmetry 180", "binary", 3 * edges, edges / 2),
        (closed, "symmetry 180", "edges", 2 * edges, edges / 2),
        (closed, "symmetry 90", "binary", 3 * edges, edges / 4),
        (closed, "symmetry 180", "direct", 3 * n * edges, edges / 2),
        // The image of a forbidden edge lacks an image.
        (LACKING, "symmetry 180", "binary", 3 * (edges - 2) + 2, edges / 2 - 1),
        (LACKING, "symmetry 180", "edges", 2 * (edges - 2) + 1, edges / 2 - 1),
        (LACKING, "symmetry 180", "direct", 3 * n * (edges - 2) + 2 * n, edges / 2 - 1),
        (closed, &except[0], "binary", 2, 0),
        (closed, &except[0], "edges", 1, 0),
        (closed, &except[0], "direct", 2, 0),
        (open, &except[1], "binary", 1, 0),
    ];
    for &(without, constraint, encoding, clauses, variables) in cases {
        let sizes = |text: &str| {
            let question = Question::load(text).unwrap();
            let encoding: Encoding = encoding.parse().unwrap();
            let formula = Formula::new(encoding, question.instance().unwrap()).unwrap();
            let tally = formula.tally();
            let families = tally.families().iter();
            let own = families.filter(|(family, _)| OF_CONSTRAINTS.contains(family));
            let own = own.map(|(_, count): &(Family, Count)| count.clauses);
            (own.sum::<u64>(), u64::from(formula.n_vars()))
        };
        let said = format!("{encoding}, {without} {constraint}");
        let (own, with) = sizes(&format!("{without} {constraint}"));
        // Constraints on arcs and positions make the graph directed, with the same variables.
        let (none, without) = sizes(without);
        let removed = if constraint.starts_with("forbid") { 2 } else { 0 };
        assert_eq!((own, none), (clauses, 0), "{said}");
        assert_eq!(with + removed, without + variables, "{said}");
    }
    for kind in constraint::ALL {
        let is_there = cases.iter().any(|case| case.1.split(' ').next() == Some(kind.name));
        assert!(is_there, "{}", kind.name);
    }
}

/// Board without one move, so that the symmetry of 180 degrees maps another move to a missing one.
const LACKING: &str = "6x6 forbid a1-c2";

/// Families of the clauses of constraints.
const OF_CONSTRAINTS: [Family; 6] = [
    constraint::moves::FORCED,
    constraint::at::POSITION,
    constraint::before::ORDER,
    constraint::turns::TURN,
    constraint::symmetry::SYMMETRY,
    constraint::except::EXCLUDED,
];

#[test]
fn methods_agree_with_brute_force() {
    compare_many(0..40);
}

/// Compares all methods with brute force on 400 random graphs, digraphs and boards.
#[test]
#[ignore = "takes minutes"]
fn methods_agree_with_brute_force_on_400_questions() {
    compare_many(1000..1400);
}

#[test]
fn encodings_with_positions_take_constraints_on_positions() {
    let question = Question::load("5x6 at c3=9").unwrap();
    for base in encoding::bases().into_iter().filter(|base| base.offers.positions) {
        let method: Method = base.name.parse().unwrap();
        let answered = method.answer(&question, &Settings::default());
        // The encoding "step" takes no constraints.
        let expected = if base.name == "step" { Status::Refused } else { Status::Tour };
        assert_eq!(answered.status, expected, "{}: {}", base.name, answered.message);
    }
}
