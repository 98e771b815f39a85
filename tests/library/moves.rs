//! Meaning of the variables of moves, for every base and every kind of ends. A variable is true exactly if the tour
//! makes the move. Paths are listed by brute force. A formula, under the assumption that the tour makes exactly the moves
//! of a path, has a model if and only if the path is a tour.

use std::collections::BTreeSet;

use crate::brute_force::connected_graphs;
use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use hamcnf::endpoints::Endpoints;
use hamcnf::method::Method;
use hamcnf::question::Question;
use hamcnf::record::Status;
use hamcnf::run::Settings;
use hamcnf::{
    AnyGraph, Board, Clauses, Digraph, Encoding, Formula, Graph, Instance, Model, TourKind, Vertex, encoding,
};
use rustsat::instances::Cnf;
use rustsat::solvers::{Solve as _, SolveIncremental as _, SolverResult};
use rustsat::types::{Clause, Lit, TernaryVal, Var};
use rustsat_cadical::CaDiCaL;

type Path = Vec<Vertex>;

/// Returns all orders of the vertices along arcs.
fn paths(graph: &Digraph) -> Vec<Path> {
    fn extend(graph: &Digraph, path: &mut Path, found: &mut Vec<Path>) {
        if path.len() == graph.n_vertices() as usize {
            return found.push(path.clone());
        }
        for v in graph.vertices() {
            let follows = path.last().is_none_or(|&last| graph.arc(last, v).is_some());
            if follows && !path.contains(&v) {
                path.push(v);
                extend(graph, path, found);
                path.pop();
            }
        }
    }
    let mut found = Vec::new();
    extend(graph, &mut Vec::new(), &mut found);
    found
}

/// True if a path is a tour with these endpoints.
pub(crate) fn is_tour(path: &[Vertex], instance: &Instance, ends: Endpoints) -> bool {
    let (first, last) = (path[0], path[path.len() - 1]);
    let is_arc = |from, to| instance.digraph().arc(from, to).is_some();
    let is_path = path.windows(2).all(|pair| is_arc(pair[0], pair[1]));
    is_path
        && match ends {
            Endpoints::Closed => {
                let least = if instance.is_directed() { 2 } else { 3 };
                path.len() >= least && is_arc(last, first)
            }
            Endpoints::Open { from, to } => from.is_none_or(|from| from == first) && to.is_none_or(|to| to == last),
        }
}

fn moves(path: &[Vertex], ends: Endpoints) -> BTreeSet<(Vertex, Vertex)> {
    let closing = (path[path.len() - 1], path[0]);
    let closing = (ends == Endpoints::Closed && path.len() > 1).then_some(closing);
    let moves = path.windows(2).map(|pair| (pair[0], pair[1]));
    moves.chain(closing).collect()
}

/// Returns literals which say that the tour makes exactly these moves; `None` if it cannot.
fn exactly(formula: &Formula, of: &Instance, path: &[Vertex], moves: &BTreeSet<(Vertex, Vertex)>) -> Option<Vec<Lit>> {
    let offers = formula.encoding().offers();
    let mut literals = Vec::new();
    if !offers.arcs && offers.positions {
        for (v, p) in path.iter().zip(0..) {
            for term in formula.at(*v, p).into_iter().flatten() {
                literals.extend(match term {
                    hamcnf::Term::Lit(literal) => Some(literal),
                    hamcnf::Term::True => None,
                    hamcnf::Term::False => return None,
                });
            }
        }
        return Some(literals);
    }
    for arc in of.digraph().arcs() {
        let (u, v) = (arc.tail, arc.head);
        let makes = moves.contains(&(u, v));
        let uses = makes || moves.contains(&(v, u));
        let of_arc = formula.arc(u, v).map(|literal| (literal, makes));
        let of_edge = formula.edge(u, v).map(|literal| (literal, uses));
        // An encoding with arcs has a variable for each move that a tour can make.
        if offers.arcs && of_arc.is_none() && makes {
            return None;
        }
        let all = of_arc.into_iter().chain(of_edge);
        literals.extend(all.map(|(literal, holds)| if holds { literal } else { !literal }));
    }
    Some(literals)
}

fn check(of: &Instance, ends: Endpoints, encoding: &Encoding) {
    let instance = of.with_fixed_start(ends).unwrap();
    let formula = Formula::new(encoding.clone(), &instance).unwrap();
    let what = format!("{encoding} of {:?}, {ends:?}", of.digraph());
    let (arcs, directions) = (encoding.offers().arcs, encoding.offers().directions);
    let mut cnf = Cnf::new();
    formula.emit(&mut cnf);
    let mut solver = CaDiCaL::default();
    solver.add_cnf(cnf).unwrap();
    let names: Vec<_> = (0..formula.n_vars()).map(|var| formula.variable_name(Var::new(var))).collect();
    let all: BTreeSet<_> = names.iter().collect();
    assert_eq!(all.len(), names.len(), "{what}: {names:?}");
    let mut holds = |path: &Path| {
        let moves = moves(path, ends);
        let Some(literals) = exactly(&formula, of, path, &moves) else {
            return false;
        };
        if solver.solve_assumps(&literals).unwrap() == SolverResult::Unsat {
            return false;
        }
        let value = |var: u32| solver.var_val(Var::new(var)).unwrap() == TernaryVal::True;
        let model: Model = (0..formula.n_vars()).map(|v| Some(value(v))).collect();
        let tour = formula.tour(&model).unwrap();
        let (_, tour) = instance.original_tour(&tour).unwrap();
        let found = self::moves(tour.order(), ends);
        if arcs {
            // The names of the true variables are the moves and the ends of the tour.
            let name = |v: Vertex| of.vertex_name(v);
            let is_end = |name: &str| ["F(", "L("].iter().any(|begin| name.starts_with(begin));
            let of_arcs = |name: &&String| name.starts_with("H(") || is_end(name) && !name.contains(',');
            let here = (0..).zip(&names).filter(|&(var, _)| value(var));
            let here: BTreeSet<String> = here.map(|(_, name)| name).filter(of_arcs).cloned().collect();
            let mut expected: BTreeSet<String> =
                moves.iter().map(|&(u, v)| format!("H({},{})", name(u), name(v))).collect();
            let backward = instance.is_backward();
            if ends != Endpoints::Closed && path.len() > 1 {
                let (first, last) = (name(path[0]), name(path[path.len() - 1]));
                let is_added = instance.added().is_some();
                expected.extend((is_added || backward).then(|| format!("F({first})")));
                expected.extend((is_added || !backward).then(|| format!("L({last})")));
            }
            assert_eq!(here, expected, "{what}");
            let ends = of.graph().vertices().flat_map(|v| [formula.first(v), formula.last(v)]);
            let ends = ends.flatten().filter(|end| value(end.vidx32()));
            assert_eq!(ends.count(), expected.len() - moves.len(), "{what}");
            assert_eq!(found, moves, "{what}");
        }
        true
    };
    let both_ways = !of.is_directed() && ends.given().next().is_none();
    let closed = ends == Endpoints::Closed;
    let mut paths = paths(of.digraph());
    paths.retain(|path| !closed || path[0] == of.start());
    for path in paths {
        let mut reversed: Path = path.iter().rev().copied().collect();
        reversed.rotate_right(usize::from(closed));
        let [there, back] = [&path, &reversed].map(|path| is_tour(path, of, ends));
        let what = format!("{what}: {path:?}");
        if !directions {
            assert_eq!(holds(&path), there || back, "{what}");
        } else if both_ways && there {
            let models = u32::from(holds(&path)) + u32::from(holds(&reversed));
            let one = path.len() == 1;
            assert_eq!(models, if one { 2 } else { formula.models_per_tour() }, "{what}");
        } else {
            assert_eq!(holds(&path), there, "{what}");
        }
    }
}

fn kinds_of_ends(n: u32) -> Vec<Endpoints> {
    let [v, w] = [n - 1, (n - 1) / 2].map(Vertex::new);
    let open = |from, to| Endpoints::Open { from, to };
    let mut all = vec![
        Endpoints::Closed,
        open(Some(Vertex::new(0)), None),
        open(Some(v), None),
        open(None, Some(Vertex::new(0))),
        open(None, Some(v)),
        Endpoints::ANYWHERE,
    ];
    if v != w {
        all.extend([open(Some(v), Some(w)), open(Some(w), Some(v))]);
    }
    all
}

fn check_all(on: impl Fn(TourKind) -> Instance) {
    for ends in kinds_of_ends(on(TourKind::Open).n()) {
        let instance = on(match ends {
            Endpoints::Closed => TourKind::Closed,
            Endpoints::Open { .. } => TourKind::Open,
        });
        for base in encoding::bases() {
            let is_for = instance.board().is_some() || !base.offers.boards_only;
            if is_for && (base.offers.directions || !instance.is_directed()) {
                let encoding: Encoding = base.name.parse().unwrap();
                check(&instance, ends, &encoding);
                let refined = ["windows=full", "edges=on", "orientation=fixed"];
                let refined =
                    refined.iter().fold(encoding, |encoding, refinement| encoding.with(refinement).unwrap_or(encoding));
                check(&instance, ends, &refined);
            }
        }
    }
}

#[test]
fn a_variable_is_true_exactly_if_the_tour_makes_its_move() {
    let mut random = ChaCha8Rng::seed_from_u64(58);
    let mut graphs: Vec<AnyGraph> = Vec::new();
    graphs.extend((1..=4).flat_map(connected_graphs).map(AnyGraph::from));
    graphs.push(Graph::from_edges(2, []).unwrap().into());
    for n in [1, 2, 3, 4, 4, 5] {
        let pairs = (0..n).flat_map(|a| (0..n).map(move |b| (a, b)));
        let arcs = pairs.filter(|(a, b)| a != b && random.next_u32() % 3 > 0);
        let arcs: Vec<_> = arcs.collect();
        graphs.push(Digraph::from_arcs(n, arcs.iter().copied()).unwrap().into());
        let edges = arcs.iter().filter(|(a, b)| a < b).copied();
        graphs.push(Graph::from_edges(n, edges).unwrap().into());
    }
    for graph in graphs {
        check_all(|kind| {
            let start = Vertex::new(0);
            let instance = match &graph {
                AnyGraph::Undirected(graph) => Instance::on_graph("random", graph.clone(), kind, start),
                AnyGraph::Directed(digraph) => Instance::on_digraph("random", digraph.clone(), kind, start),
            };
            instance.unwrap()
        });
    }
    let board: Board = "leaper:0,1:2x3".parse().unwrap();
    check_all(|kind| Instance::on_board(board, kind, Vertex::new(0)).unwrap());
}

/// A shortest path, by the weights of the moves of all models. The arc from 3 to the start 0 is no move of it.
#[test]
fn a_shortest_path_is_as_long_as_its_moves() {
    let weights = [((0, 1), 1), ((1, 2), 1), ((2, 3), 1), ((0, 3), 100), ((0, 2), 10), ((1, 3), 10)];
    let graph = Graph::from_edges(4, weights.map(|(edge, _)| edge)).unwrap();
    let instance = Instance::on_graph("K4", graph, TourKind::Open, Vertex::new(0)).unwrap();
    for base in encoding::bases().iter().filter(|base| base.offers.arcs) {
        let formula = Formula::new(base.name.parse().unwrap(), &instance).unwrap();
        let mut cnf = Cnf::new();
        formula.emit(&mut cnf);
        let mut solver = CaDiCaL::default();
        solver.add_cnf(cnf).unwrap();
        let mut shortest = u32::MAX;
        while solver.solve().unwrap() == SolverResult::Sat {
            let holds = |literal: &Lit| solver.lit_val(*literal).unwrap() == TernaryVal::True;
            let ends = |(u, v)| [(u, v), (v, u)].map(|(u, v)| (Vertex::new(u), Vertex::new(v)));
            let weight = |&(edge, weight): &((u32, u32), u32)| {
                let arcs = ends(edge).into_iter();
                let used = arcs.filter_map(|(u, v)| formula.arc(u, v)).filter(holds);
                used.count() as u32 * weight
            };
            shortest = shortest.min(weights.iter().map(weight).sum());
            let support = formula.support().map(Var::pos_lit);
            let blocking: Clause = support.filter(holds).map(|literal| !literal).collect();
            solver.add_clause(blocking).unwrap();
        }
        assert_eq!(shortest, 3, "{}", base.name);
    }
}

/// Sizes and projected counts take the ends that formulas take. On arcs and on edges, the projected count is the number
/// of tours.
#[test]
fn sizes_and_projected_counts_take_any_ends() {
    let settings = Settings::default();
    for question in [
        "3x4 open from a1",
        "3x4 open from anywhere",
        "3x4 open from anywhere to a1",
        "3x4 open from d1 to a3",
        "complete:5",
    ] {
        let question = Question::load(question).unwrap();
        let answer = |method: &str| method.parse::<Method>().unwrap().answer(&question, &settings);
        let expected = answer("exact").number().unwrap();
        for base in encoding::bases().iter().filter(|base| base.offers.arcs) {
            let size = answer(&format!("size:{}", base.name));
            assert_eq!(size.status, Status::Size, "{question}, {}", base.name);
            for set in ["arcs", "edges"] {
                let counted = answer(&format!("enumerate+project={set}:{}", base.name));
                let metric = |name| counted.statistics.get::<f64>(name).unwrap();
                let projected = metric("values") / metric("models_per_tour");
                let what = format!("{question}, {}, {set}: {}", base.name, counted.message);
                assert_eq!((counted.number(), projected), (Some(expected), expected), "{what}");
            }
        }
    }
}
