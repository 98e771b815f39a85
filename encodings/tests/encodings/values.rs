//! Tests of the values of variables on a tour. In every encoding, the values are a model, and reading this model
//! returns the same tour. No two variables have the same name. These tests need no solver.

use std::collections::HashSet;

use hamcnf_encodings::{Clauses, Encoding, Formula, Model, encoding};
use hamcnf_graph::graph_strategy::graphs;
use hamcnf_graph::{Graph, Vertex};
use hamcnf_tours::{Board, ClauseSink, Endpoints, Family, Instance, Leaper, Tour, TourKind};
use proptest::prelude::*;
use proptest::sample::Index;
use rustsat::types::{Lit, Var};

/// Sink that collects the clauses violated by a model.
struct Violated<'a> {
    model: &'a Model,
    clauses: Vec<Vec<Lit>>,
}

impl ClauseSink for Violated<'_> {
    fn family(&mut self, _: Family) {}
    fn clause(&mut self, literals: &[Lit]) {
        let holds = |l: &Lit| self.model.holds(*l);
        if !literals.iter().any(holds) {
            self.clauses.push(literals.to_vec());
        }
    }
}

/// Returns all tours of the instance from its start, closed tours in both directions.
pub(crate) fn tours(instance: &Instance) -> Vec<Tour> {
    fn extend(instance: &Instance, path: &mut Vec<Vertex>, found: &mut Vec<Tour>) {
        if path.len() == instance.n() as usize {
            found.extend(Tour::check(instance, path.clone()));
            return;
        }
        for &next in instance.graph().neighbours(path[path.len() - 1]) {
            if !path.contains(&next) {
                path.push(next);
                extend(instance, path, found);
                path.pop();
            }
        }
    }
    let mut found = Vec::new();
    extend(instance, &mut vec![instance.start()], &mut found);
    found
}

/// Returns several encodings of each base: with its default refinements, with published windows, and with each
/// refinement that the base accepts, at the refinement's usual value.
fn encodings(instance: &Instance) -> Vec<Encoding> {
    let bases = encoding::bases().into_iter();
    let original = instance.original().map_or(instance, |original| original.instance());
    let bases = bases.filter(|base| original.board().is_some() || !base.offers.boards_only);
    let mut all = Vec::new();
    for base in bases {
        let published: Encoding = base.name.parse().unwrap();
        let refined = encoding::refinements().into_iter().map(|r| published.with(&format!("{}={}", r.name, r.plain)));
        all.extend(refined.filter_map(Result::ok));
        all.extend(published.with("windows=as-published").ok());
        all.push(published);
    }
    all.sort();
    all.dedup();
    all
}

fn check(instance: &Instance) {
    let tours = tours(instance);
    for encoding in encodings(instance) {
        let formula = Formula::new(encoding.clone(), instance).unwrap();
        let what = format!("{encoding} of {:?}, {instance}", instance.graph());
        let variables = || (0..formula.n_vars()).map(Var::new);
        let names: HashSet<_> = variables().map(|var| formula.variable_name(var)).collect();
        assert_eq!(names.len(), formula.n_vars() as usize, "{what}");
        assert_eq!(formula.is_exact(), !["relaxed", "edges"].contains(&encoding.base()), "{what}");
        let mut admitted = 0;
        for tour in tours.iter().filter(|tour| formula.admits(tour)) {
            admitted += 1;
            let model: Model = formula.values(tour, variables()).map(|(_, value)| value.expect(&what)).collect();
            let mut violated = Violated { model: &model, clauses: Vec::new() };
            formula.emit(&mut violated);
            assert!(violated.clauses.is_empty(), "{what} {:?}", violated.clauses);
            assert_eq!(&formula.tour(&model).unwrap(), tour, "{what}");
        }
        // The list contains both directions of each closed tour.
        let each = match instance.kind() {
            TourKind::Closed => 2,
            TourKind::Open => 1,
        };
        let expected = tours.len() / each * formula.models_per_tour() as usize;
        assert_eq!(admitted, expected, "{what}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn values_of_tours_are_models(graph in graphs(3..=6), start: Index, closed: bool) {
        let start = Vertex::new(start.index(graph.n_vertices() as usize) as u32);
        let kind = if closed { TourKind::Closed } else { TourKind::Open };
        check(&Instance::on_graph("random", graph, kind, start).unwrap());
    }

    #[test]
    fn values_of_tours_between_any_ends_are_models(graph in graphs(3..=5), v: Index, w: Index) {
        let end = |index: Index| Vertex::new(index.index(graph.n_vertices() as usize) as u32);
        let (v, w) = (end(v), end(w));
        let instance = Instance::on_graph("random", graph.clone(), TourKind::Open, v).unwrap();
        for (from, to) in [(None, None), (None, Some(w)), (Some(v), Some(w))] {
            if from.is_none() || from != to {
                check(&instance.with_fixed_start(Endpoints::Open { from, to }).unwrap());
            }
        }
    }
}

/// Tests graphs in which all vertices, or only one vertex, have enough edges for the `edges` encoding to use counting
/// variables.
#[test]
fn values_of_tours_through_vertices_of_many_edges_are_models() {
    let complete = (0..7).flat_map(|v| (0..v).map(move |w| (v, w)));
    let complete = Graph::from_edges(7, complete).unwrap();
    let rim = (1..8).flat_map(|v| [(0, v), (v, v % 7 + 1)]);
    let wheel = Graph::from_edges(8, rim).unwrap();
    for kind in [TourKind::Closed, TourKind::Open] {
        for start in [0, 3] {
            let start = Vertex::new(start);
            check(&Instance::on_graph("wheel", wheel.clone(), kind, start).unwrap());
        }
    }
    let open = TourKind::Open;
    check(&Instance::on_graph("complete", complete, open, Vertex::new(0)).unwrap());
}

#[test]
fn values_of_tours_on_boards_are_models() {
    let on = |board: &str, kind, start: &str| {
        let board: Board = board.parse().unwrap();
        Instance::on_board(board, kind, board.square(start).unwrap()).unwrap()
    };
    check(&on("3x4", TourKind::Open, "a1"));
    check(&on("3x4", TourKind::Open, "d3"));
    let squares = Board::new(4, 4, Leaper::new(0, 1).unwrap()).unwrap();
    for kind in [TourKind::Closed, TourKind::Open] {
        let start = squares.square("b1").unwrap();
        check(&Instance::on_board(squares, kind, start).unwrap());
    }
    let rectangle = Board::new(2, 3, Leaper::new(0, 1).unwrap()).unwrap();
    let open = Instance::on_board(rectangle, TourKind::Open, Vertex::new(0)).unwrap();
    for (from, to) in [(None, None), (None, Some(1)), (Some(0), Some(1))] {
        let [from, to] = [from, to].map(|end| end.map(Vertex::new));
        check(&open.with_fixed_start(Endpoints::Open { from, to }).unwrap());
    }
}
