//! Longest cycles and paths, against brute force: by the propagator, and by encodings with a bound on the visited vertices.

use std::time::Instant;

use hamcnf::budget::Budget;
use hamcnf::cancellation::CancellationToken;
use hamcnf::circuit::CircuitModel;
use hamcnf::cycle::longest::longest;
use hamcnf::endpoints::Endpoints;
use hamcnf::solve::{self, Outcome, search};
use hamcnf::{AnyGraph, Digraph, Graph, Instance, TourKind, Vertex};

use crate::random_circuits::Random;

/// Returns the greatest number of vertices of a path that continues `path`, or of a cycle; 0 if there is none.
fn brute_force(graph: &AnyGraph, ends: Endpoints, path: &mut Vec<Vertex>) -> usize {
    let arcs = graph.digraph();
    let last = *path.last().unwrap();
    let fewest = if graph.undirected().is_some() { 3 } else { 2 };
    let is_whole = match ends {
        Endpoints::Closed => path.len() >= fewest && arcs.arc(last, path[0]).is_some(),
        Endpoints::Open { to, .. } => to.is_none_or(|to| to == last),
    };
    let mut best = if is_whole { path.len() } else { 0 };
    for &next in arcs.successors(last) {
        if !path.contains(&next) {
            path.push(next);
            best = best.max(brute_force(graph, ends, path));
            path.pop();
        }
    }
    best
}

#[test]
fn longest_cycles_and_paths_agree_with_brute_force() {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let mut lengths = [0; 8];
    for round in 0..1500 {
        let (n, density) = (1 + random.below(7), 2 + random.below(5));
        let pairs: Vec<_> =
            (0..n * n).map(|k| (k / n, k % n)).filter(|&(u, v)| u != v && random.one_in(density)).collect();
        let graph = match round % 2 {
            0 => AnyGraph::Undirected(Graph::from_edges(n, pairs).unwrap()),
            _ => AnyGraph::Directed(Digraph::from_arcs(n, pairs).unwrap()),
        };
        let mut end = || (!random.one_in(3)).then(|| Vertex::new(random.below(n)));
        let ends = match (round % 4 < 2, end(), end()) {
            (true, ..) => Endpoints::Closed,
            (false, from, to) => Endpoints::Open { from, to: to.filter(|_| from != to) },
        };
        let instance = Instance::on("g", graph.clone(), TourKind::Open, Vertex::new(0)).unwrap();
        let starts = graph.digraph().vertices().filter(|v| match ends {
            Endpoints::Open { from: Some(from), .. } => *v == from,
            _ => true,
        });
        let best = starts.map(|v| brute_force(&graph, ends, &mut vec![v])).max().unwrap();
        let mut better = Vec::new();
        let found = longest(&instance, ends, 0, &Budget::default(), &mut |length| better.push(length)).unwrap();
        assert_eq!((found.order.len(), found.stopped), (best, None), "{graph:?} {ends:?}");
        assert!(better.is_sorted_by(|a, b| a < b), "{better:?}");
        assert_eq!(better.last().copied().unwrap_or(0), best);
        // With bounds, an encoding has cycles of this length, and no longer ones.
        let encoding = ["binary", "successor", "precedence", "relaxed"][round / 4 % 4].parse().unwrap();
        for (least, exists) in [(best, best > 0), (best + 1, false)] {
            let mut model = CircuitModel::of_subgraph(&instance, ends).0;
            model.circuit.at_least(least as u32);
            let Ok(formula) = model.encode(&encoding) else {
                assert!(!exists && least > n as usize, "{graph:?} {ends:?}");
                continue;
            };
            let outcome = search(&formula, &solve::Options::default(), &mut |_| ()).unwrap().outcome;
            assert_eq!(matches!(outcome, Outcome::Found(_)), exists, "{encoding}: {least} of {graph:?} {ends:?}");
        }
        lengths[best] += 1;
    }
    assert!(lengths.iter().enumerate().all(|(length, &number)| number > 20 || length == 1), "{lengths:?}");
}

#[test]
fn a_limit_is_no_proof() {
    let graph = Graph::from_edges(3, [(0, 1), (1, 2), (2, 0)]).unwrap();
    let instance = Instance::on_graph("g", graph, TourKind::Closed, Vertex::new(0)).unwrap();
    let budget = Budget::new(Some(Instant::now()), CancellationToken::default());
    let found = longest(&instance, Endpoints::Closed, 0, &budget, &mut |_| ()).unwrap();
    assert!(found.order.is_empty() && found.stopped.is_some());
}
