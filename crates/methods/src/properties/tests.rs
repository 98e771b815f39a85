use hamcnf_graph::Graph;
use hamcnf_graph::graph_strategy::graphs;
use proptest::prelude::*;

use super::*;

/// Returns the numbers of Hamiltonian cycles and of directed Hamiltonian paths. Tries every path.
fn brute_force(graph: &Graph) -> (usize, usize) {
    fn extend(graph: &Graph, path: &mut Vec<Vertex>, found: &mut (usize, usize)) {
        let last = path[path.len() - 1];
        if path.len() == graph.n_vertices() as usize {
            found.1 += 1;
            let closes = path.len() > 2 && graph.arc(last, path[0]).is_some();
            found.0 += usize::from(closes && path[0].number() == 0);
            return;
        }
        for &next in graph.neighbours(last) {
            if !path.contains(&next) {
                path.push(next);
                extend(graph, path, found);
                path.pop();
            }
        }
    }
    let mut found = (0, 0);
    for v in graph.vertices() {
        extend(graph, &mut vec![v], &mut found);
    }
    (found.0 / 2, found.1)
}

/// Returns the names of the properties that a graph has, according to their definitions.
fn expected(graph: &Graph) -> Vec<&'static str> {
    let n = graph.n_vertices();
    let edges = || graph.arcs().filter(|arc| arc.tail < arc.head).map(|arc| (arc.tail.number(), arc.head.number()));
    let (cycles, paths) = brute_force(graph);
    let deleted = (0..n).map(|v| {
        let rest = edges().filter(|&(a, b)| a != v && b != v);
        let number = |w: u32| w - u32::from(w > v);
        brute_force(&Graph::from_edges(n - 1, rest.map(|(a, b)| (number(a), number(b)))).unwrap())
    });
    let deleted: Vec<_> = deleted.collect();
    let pairs = (0..n).flat_map(|w| (0..w).map(move |v| (v, w)));
    let is_free = |&(v, w): &(u32, u32)| graph.arc(Vertex::new(v), Vertex::new(w)).is_none();
    let mut joined =
        pairs.filter(is_free).map(|pair| brute_force(&Graph::from_edges(n, edges().chain([pair])).unwrap()));
    let all = [
        (cycles > 0, "hamiltonian"),
        (paths > 0, "traceable"),
        (cycles == 0 && deleted.iter().all(|found| found.0 > 0), "hypohamiltonian"),
        (paths == 0 && deleted.iter().all(|found| found.1 > 0), "hypotraceable"),
        (cycles == 1, "uniquely-hamiltonian"),
        (cycles == 0 && joined.all(|found| found.0 > 0), "maximally-nonhamiltonian"),
    ];
    all.iter().filter(|(holds, _)| *holds).map(|(_, name)| *name).collect()
}

fn found(graph: &SubjectGraph) -> Vec<&'static str> {
    let (mut search, budget) = (SmallSearch::default(), Budget::default());
    let mut subject = Subject::new(graph, &mut search, &budget);
    let mut holds = |property: &Property| (property.holds)(&mut subject).unwrap();
    PROPERTIES.iter().filter(|property| holds(property)).map(|property| property.name).collect()
}

fn petersen(n: u32, k: u32) -> Graph {
    let edges = (0..n).flat_map(|v| [(v, (v + 1) % n), (v, n + v), (n + v, n + (v + k) % n)]);
    Graph::from_edges(2 * n, edges).unwrap()
}

#[test]
fn the_petersen_graph_has_its_properties() {
    let expected = ["traceable", "hypohamiltonian", "maximally-nonhamiltonian"];
    assert_eq!(found(&petersen(5, 2).into()), expected);
    assert_eq!(found(&SubjectGraph::Large(petersen(5, 2))), expected);
    // GP(11, 2) is hypohamiltonian too.
    assert!(found(&petersen(11, 2).into()).contains(&"hypohamiltonian"));
}

#[test]
fn the_least_graphs_have_few_properties() {
    let graph = |n, edges: &[(u32, u32)]| Graph::from_edges(n, edges.iter().copied()).unwrap();
    assert_eq!(found(&graph(0, &[]).into()), [""; 0]);
    // The graph is complete, so the condition on missing edges holds trivially.
    let complete = ["traceable", "maximally-nonhamiltonian"];
    assert_eq!(found(&graph(1, &[]).into()), complete);
    assert_eq!(found(&graph(2, &[(0, 1)]).into()), complete);
    assert_eq!(found(&graph(2, &[]).into()), ["hypotraceable"]);
}

#[test]
fn large_graphs_are_decided_and_counted() {
    let ring = |n: u32| Graph::from_edges(n, (0..n).map(|v| (v, (v + 1) % n))).unwrap();
    assert_eq!(found(&ring(100).into()), ["hamiltonian", "traceable", "uniquely-hamiltonian"]);
    let (mut search, budget) = (SmallSearch::default(), Budget::default());
    for (graph, cycles) in [(ring(70), 1u32), (petersen(5, 2), 0), (petersen(7, 2), 7)] {
        let graph = SubjectGraph::Large(graph);
        let mut subject = Subject::new(&graph, &mut search, &budget);
        assert_eq!(subject.cycles(u64::MAX).unwrap(), cycles.into());
    }
    // The 8 × 8 grid has too many cycles for backtracking, so they are counted in another way (number from OEIS
    // A003763).
    let right = (0..64).filter(|v| v % 8 < 7).map(|v| (v, v + 1));
    let grid = Graph::from_edges(64, right.chain((0..56).map(|v| (v, v + 8)))).unwrap();
    let grid = SubjectGraph::from(grid);
    let mut subject = Subject::new(&grid, &mut search, &budget);
    assert_eq!(subject.cycles(u64::MAX).unwrap(), 4_638_576u32.into());
}

#[test]
fn a_limit_leaves_a_property_unknown() {
    let stop = hamcnf_graph::cancellation::CancellationToken::default();
    stop.set();
    let budget = Budget::new(None, stop);
    let graph = SubjectGraph::Large(petersen(41, 2));
    let mut search = SmallSearch::default();
    let mut subject = Subject::new(&graph, &mut search, &budget);
    assert_eq!(subject.cycles(u64::MAX).unwrap_err().to_string(), "interrupted");
}

#[test]
fn properties_have_names_and_summaries() {
    for known in PROPERTIES {
        assert!(known.name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-'));
        assert_eq!(property(known.name).unwrap().summary, known.summary);
    }
    assert!(property("hamilton").is_none());
}

proptest! {
    #[test]
    fn properties_are_as_defined(graph in graphs(2..=6)) {
        prop_assert_eq!(found(&graph.clone().into()), expected(&graph), "{:?}", graph);
        prop_assert_eq!(found(&SubjectGraph::Large(graph.clone())), expected(&graph), "{:?}", graph);
    }
}
