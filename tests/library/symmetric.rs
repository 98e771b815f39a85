//! Counts of symmetric tours, compared with brute force, with lists of all tours, and with known values.

use hamcnf::budget::Budget;
use hamcnf::count::frontier::Exact;
use hamcnf::count::frontier::diagram::Diagram;
use hamcnf::count::frontier::exact::{ExactError, Options};
use hamcnf::count::symmetric::{SymmetricTours, count};
use hamcnf::endpoints::Endpoints;
use hamcnf::graph_strategy::{graphs, paths};
use hamcnf::symmetry::Symmetry;
use hamcnf::{BoardSymmetry, Graph, Instance, Named, TourKind, Vertex};
use num_bigint::BigUint;
use proptest::prelude::*;

use crate::resources::{closed, options};

fn instance(graph: Graph, kind: TourKind) -> Instance {
    Instance::on_graph("a graph", graph, kind, Vertex::new(0)).unwrap()
}

fn counted(instance: &Instance, symmetry: &Symmetry, ends: Endpoints) -> BigUint {
    count(instance, symmetry, ends, &options(), &mut |_| (), &mut |_| ()).unwrap().count
}

fn of_board(text: &str, symmetry: BoardSymmetry, options: &Options) -> Result<Exact, ExactError> {
    let (instance, ends) = closed(text);
    let g = symmetry.on(instance.squares().unwrap()).unwrap();
    count(&instance, &g, ends, options, &mut |_| (), &mut |_| ())
}

/// Tests that a count that runs out of memory again and again does the same work as an uninterrupted count, and that
/// states on disk do not change it. There are turned and flipped tours.
#[test]
fn counts_resume_where_they_ended() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("checkpoint");
    let board = |options: &Options| of_board("king:8x8", BoardSymmetry::HalfTurn, options);
    let expected = board(&options()).unwrap();
    let work = |exact: &Exact| (exact.count.clone(), exact.peak_states, exact.generated);
    let mut failures = 0;
    let resumed = loop {
        let options = Options { memory: 1 << (12 + failures), checkpoint: Some(file.clone()), ..options() };
        match board(&options) {
            Ok(exact) => break exact,
            Err(ExactError::Memory { .. }) => assert!(file.exists()),
            Err(error) => panic!("{error}"),
        }
        failures += 1;
    };
    assert!(failures > 5, "{failures}");
    assert_eq!(work(&resumed), work(&expected));
    assert!(!file.exists());
    let on_disk = Options { memory: 1 << 19, scratch: Some(folder.path().to_owned()), ..options() };
    let stored = board(&on_disk).unwrap();
    assert!(stored.scratch_bytes > 0);
    assert_eq!(work(&stored), work(&expected));
}

/// True if the image of each move is a move.
fn is_symmetric(order: &[Vertex], symmetry: &Symmetry, is_closed: bool) -> bool {
    let mut moves: Vec<_> = order.windows(2).map(|pair| (pair[0], pair[1])).collect();
    if is_closed {
        moves.push((order[order.len() - 1], order[0]));
    }
    moves.iter().all(|&(u, v)| {
        let (u, v) = (symmetry.image(u), symmetry.image(v));
        moves.contains(&(u, v)) || moves.contains(&(v, u))
    })
}

/// Returns a symmetry of n vertices whose cycles have at most the given lengths; `None` for the identity.
fn planted(n: u32, lengths: &[u32]) -> Option<Symmetry> {
    let mut images = Vec::new();
    let mut lengths = lengths.iter().copied().cycle();
    while (images.len() as u32) < n {
        let first = images.len() as u32;
        let length = match lengths.next().unwrap_or(1).min(n - first) {
            3 => 2,
            length => length,
        };
        images.extend((1..=length).map(|k| Vertex::new(first + k % length)));
    }
    Symmetry::new(images)
}

/// Adds the images of the edges. The last of every `kept` edges stays without its images.
fn symmetrised(graph: &Graph, symmetry: &Symmetry, kept: usize) -> Graph {
    let edges = graph.arcs().filter(|arc| arc.tail < arc.head).enumerate();
    let mut all: Vec<_> = edges
        .flat_map(|(k, arc)| {
            let mut images = symmetry.images_of_edge(arc.tail, arc.head);
            if k % kept == kept - 1 {
                images.truncate(1);
            }
            images
        })
        .collect();
    all.sort_unstable();
    all.dedup();
    Graph::from_edges(graph.n_vertices(), all.iter().map(|(u, v)| (u.number(), v.number()))).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn it_counts_what_brute_force_counts(
        graph in graphs(2..=8),
        lengths in prop::collection::vec(prop::sample::select(vec![1u32, 2, 2, 4, 4]), 1..5),
        kept in 3usize..30,
    ) {
        let Some(symmetry) = planted(graph.n_vertices(), &lengths) else {
            return Ok(());
        };
        let graph = symmetrised(&graph, &symmetry, kept);
        let all = paths(&graph);
        let is_closed = |path: &&Vec<Vertex>| {
            path.len() > 2 && graph.arc(path[path.len() - 1], path[0]).is_some() && path[0] == Vertex::new(0)
        };
        let symmetric = |is_closed| {
            let symmetry = &symmetry;
            move |path: &&Vec<Vertex>| is_symmetric(path, symmetry, is_closed)
        };
        let cycles = all.iter().filter(is_closed).filter(symmetric(true)).count() / 2;
        let closed = instance(graph.clone(), TourKind::Closed);
        prop_assert_eq!(counted(&closed, &symmetry, Endpoints::Closed), BigUint::from(cycles));
        let open = instance(graph.clone(), TourKind::Open);
        let paths: Vec<_> = all.iter().filter(symmetric(false)).collect();
        prop_assert_eq!(counted(&open, &symmetry, Endpoints::ANYWHERE), BigUint::from(paths.len()));
        let (s, t) = (Vertex::new(0), Vertex::new(graph.n_vertices() - 1));
        let last = graph.n_vertices() as usize - 1;
        for (from, to) in [(Some(s), None), (None, Some(s)), (Some(s), Some(t))] {
            let fits = |path: &&&Vec<Vertex>| {
                from.is_none_or(|from| path[0] == from) && to.is_none_or(|to| path[last] == to)
            };
            let expected = paths.iter().filter(fits).count();
            let found = counted(&open, &symmetry, Endpoints::Open { from, to });
            prop_assert_eq!(found, BigUint::from(expected), "{:?} {:?}", from, to);
        }
        // Every tour has one number, and every number below the count has a tour.
        let questions = [(&closed, Endpoints::Closed, cycles), (&open, Endpoints::ANYWHERE, paths.len())];
        for (question, ends, number) in questions {
            let kept = SymmetricTours::new(question, &symmetry, ends, &options(), &mut |_| ()).unwrap();
            prop_assert_eq!(&kept.exact().count, &BigUint::from(number));
            let numbers: Vec<_> = (0..number).map(BigUint::from).collect();
            let mut orders: Vec<_> = kept.tours(&numbers).iter().map(|tour| tour.order().to_vec()).collect();
            for order in &orders {
                prop_assert!(is_symmetric(order, &symmetry, ends == Endpoints::Closed));
            }
            orders.sort_unstable();
            orders.dedup();
            prop_assert_eq!(orders.len(), number);
        }
        // A reason why there is no tour is never wrong.
        prop_assert!(symmetry.obstruction(closed.facts(), TourKind::Closed).is_none() || cycles == 0);
        prop_assert!(symmetry.obstruction(open.facts(), TourKind::Open).is_none() || paths.is_empty());
    }
}

/// Tests the counts by listing all tours of a board and keeping those that a symmetry maps to themselves.
#[test]
fn as_many_tours_are_symmetric_as_the_count_says() {
    for text in ["3x10", "3x12", "5x6", "6x6", "5x8", "6x5", "king:3x4", "king:4x4", "wazir:4x6"] {
        let (instance, ends) = closed(text);
        let limits = Budget::default().with_memory(Some(1 << 30));
        let all = Diagram::new(&instance, ends, &limits, &mut |_| ()).unwrap();
        let symmetries = BoardSymmetry::ALL.iter();
        let symmetries = symmetries.filter_map(|name| Some((name, name.on(instance.squares()?).ok()?)));
        let symmetries: Vec<_> = symmetries.collect();
        let mut kept = vec![0u32; symmetries.len()];
        let n = instance.n();
        for tour in all.tours() {
            let order = tour.order();
            let mut positions = vec![0u32; order.len()];
            for (position, v) in (0..).zip(order) {
                positions[v.index()] = position;
            }
            for ((_, g), kept) in symmetries.iter().zip(&mut kept) {
                let place = |v: &Vertex| positions[g.image(*v).index()];
                let next = order.iter().cycle().skip(1);
                let mut apart = order.iter().zip(next).map(|(u, v)| place(u).abs_diff(place(v)));
                *kept += u32::from(apart.all(|apart: u32| apart == 1 || apart == n - 1));
            }
        }
        for ((name, g), kept) in symmetries.iter().zip(kept) {
            let found = counted(&instance, g, Endpoints::Closed);
            assert_eq!(found, BigUint::from(kept), "{text} {name}");
        }
    }
}

/// Tests known numbers: those for 6x6 follow from Jelliss's classes, the number for 8x8 is Knuth's.
#[test]
fn symmetric_tours_of_boards_are_known() {
    for (text, symmetry, tours) in [
        ("6x6", BoardSymmetry::QuarterTurn, 10u32),
        ("6x6", BoardSymmetry::HalfTurn, 78),
        ("6x6", BoardSymmetry::LeftRight, 0),
        ("3x10", BoardSymmetry::HalfTurn, 4),
        ("3x10", BoardSymmetry::LeftRight, 4),
        ("5x6", BoardSymmetry::LeftRight, 4),
        ("5x6", BoardSymmetry::HalfTurn, 0),
        ("7x7", BoardSymmetry::HalfTurn, 0),
        ("8x8", BoardSymmetry::HalfTurn, 2_432_932),
        ("8x8", BoardSymmetry::QuarterTurn, 0),
    ] {
        let found = of_board(text, symmetry, &options()).unwrap();
        assert_eq!(found.count, BigUint::from(tours), "{text} {symmetry}");
    }
}

#[test]
fn a_limit_is_no_count() {
    let of = |options: &Options| of_board("8x8", BoardSymmetry::HalfTurn, options).unwrap_err();
    let little = Options { memory: 1 << 12, ..options() };
    assert!(matches!(of(&little), ExactError::Memory { .. }));
    let hopeless = Options { try_hard: false, ..little };
    assert!(matches!(of(&hopeless), ExactError::Hopeless { .. }));
    let late = Options { budget: Budget::default().until(std::time::Instant::now()), ..options() };
    assert!(matches!(of(&late), ExactError::Time { .. }));
}
