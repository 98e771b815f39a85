//! Exact counting of the tours of any graph, part by part.
//!
//! A [reduction](hamcnf_cycle::reduction) splits the graph at small separators, and removes edges that no tour uses.
//! Every step has an inverse: each Hamiltonian cycle of the graph corresponds to one choice of a Hamiltonian cycle in
//! each part. So the number of cycles is the product of the numbers of the parts.
//!
//! Each part is counted over a [tree decomposition](super::treewidth), if its tables stay small, which takes little
//! time to find out. Otherwise the part is counted along a [frontier](super::frontier) or over a better tree
//! decomposition. Their costs decide: the number of degree vectors, which is 3^f for a frontier or a bag of f vertices,
//! summed over all steps. Open tours are counted as cycles of a graph with additional vertices.
//!
//! A board whose order line by line is not far worse than other orders is swept line by line, because mirror images
//! then count only once. This holds for knights and kings. Boards of leapers with long moves have many squares with two
//! moves, and are counted like other graphs.
//!
//! Measured on graphs of 60 to 320 vertices with two processors (cubic, random with minimum degree 2, and grids): a
//! frontier is as fast as a tree of the same cost on cubic graphs. On a random graph of 80 vertices and 170 edges, a
//! frontier that costs 6·10^9 takes 3 s, and a tree that costs 4·10^9 takes more than 30 s. Costs say little about
//! graphs with few edges: the frontier of the {8,9}-leaper costs 10^12, but has 6·10^5 states, and takes 2 s; a tree
//! that costs 10^10 takes 92 s. So a frontier is tried with little memory before a tree decomposition is chosen, and
//! before a graph with few edges is refused.

use hamcnf_graph::{Graph, Vertex};
use hamcnf_tours::endpoints::Endpoints;
use hamcnf_tours::{Instance, TourKind};
use num_bigint::BigUint;

use super::frontier::exact::{self, ExactError, HOPELESS};
use super::frontier::question::Question;
use super::frontier::{Exact, Progress, TooWide};
use super::not_counted::{Cause, CountError, NotCounted};
use super::subsets::{self, By, Subsets};
use super::treewidth;
use hamcnf_cycle::decomposition::{Elimination, MOST_STATES, MOST_WIDTH};
use hamcnf_cycle::path_to_cycle::PathToCycle;
use hamcnf_cycle::reduction::{Reduced, reduce};
use hamcnf_graph::budget::{Budget, Stopped};

/// Maximum number of states in a table of the first count over a tree decomposition.
const SMALL: u64 = 1 << 16;
/// Limit on the memory of a count along a frontier whose cost is higher than that of a tree decomposition, in bytes.
/// Such a count takes some seconds.
const TRIAL_MEMORY: u64 = 64 << 20;
/// Ratio of the costs of a frontier and of a tree decomposition above which the tree decomposition is better.
const RATIO: f64 = 10.0;
/// Cost up to which a board is swept at once, without a reduction. This takes less than a second.
const QUICK: f64 = 1e8;
/// Maximum number of elimination orders that are tried at random, and of their vertices in total.
const TRIES: u32 = 50;
const TRIED_VERTICES: u32 = 100_000;

/// Result of a count.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Counted {
    /// Number of tours. A closed tour counts once for both directions, an open tour once per direction.
    pub count: BigUint,
    /// Counts of the parts, the smallest part first; empty if the reduction showed that there is no tour. Later parts
    /// are left out if a part has no cycle.
    pub parts: Vec<Part>,
}

/// Count of the cycles of one part.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Part {
    /// Count along a frontier.
    Frontier(Exact),
    /// Count over a tree decomposition.
    Tree(treewidth::Counted),
    /// Count by a table over subsets.
    Subsets(subsets::Counted),
}

impl Part {
    /// Returns the width of the order: the number of vertices on the widest frontier, or the width of the tree
    /// decomposition. A table over subsets is as wide as its number of vertices.
    pub fn width(&self) -> usize {
        match self {
            Self::Frontier(exact) => exact.width,
            Self::Tree(counted) => counted.width as usize,
            Self::Subsets(counted) => counted.vertices as usize,
        }
    }

    fn cycles(&self) -> &BigUint {
        match self {
            Self::Frontier(exact) => &exact.count,
            Self::Tree(counted) => &counted.count,
            Self::Subsets(counted) => &counted.count,
        }
    }
}

/// Counts the tours of an instance's graph with the endpoints `ends`. Calls `progress` before every vertex of a count
/// along a frontier. There are no checkpoints.
///
/// # Errors
///
/// [`CountError`] if the count was not completed.
pub fn count(
    instance: &Instance,
    ends: Endpoints,
    options: &exact::Options,
    progress: &mut dyn FnMut(Progress),
) -> Result<Counted, CountError> {
    count_with(SMALL, instance, ends, options, progress)
}

/// Counts like [`count`]. `small` is the limit on the tables of the first count over a tree decomposition.
fn count_with(
    small: u64,
    instance: &Instance,
    ends: Endpoints,
    options: &exact::Options,
    progress: &mut dyn FnMut(Progress),
) -> Result<Counted, CountError> {
    let options = exact::Options { checkpoint: None, ..options.clone() };
    let budget = options.budget.clone().with_memory(Some(options.memory));
    let directions = ends.directions();
    let ends = at_leaves(instance.graph(), ends);
    let closure = PathToCycle::new(instance.facts(), ends)?;
    let graph = closure.graph().unwrap_or(instance.graph());
    let mut of_board = match instance.board() {
        Some(_) => Question::new(instance, ends).ok().map(Question::undirected),
        None => None,
    };
    if let Some(along) = of_board.take_if(|along| along.cost() <= QUICK) {
        let part = Part::Frontier(exact::answer(&along, &options, progress)?);
        return Ok(Counted { count: part.cycles() * directions, parts: vec![part] });
    }
    let stopped = |ended: Stopped| treewidth::error(ended, 0, options.memory);
    let mut counted = Counted { count: BigUint::ZERO, parts: Vec::new() };
    let Reduced::Parts(reduction) = reduce(graph, &budget).map_err(stopped)? else {
        return Ok(counted);
    };
    counted.count = directions.into();
    let parts = reduction.parts();
    for graph in parts {
        let question = || match (ends, parts.len()) {
            // A vertex that is adjacent to all others makes most vertex orders wide. A sweep for open tours takes it
            // last.
            (Endpoints::Open { .. }, 1) => match of_board.take() {
                Some(whole) => Ok(whole),
                None => Question::new(instance, ends).map(Question::undirected),
            },
            (_, number) => {
                let (name, closed) = (instance.to_string(), TourKind::Closed);
                let part = Instance::on_graph(name, graph.clone(), closed, Vertex::new(0));
                let part = part.expect("a part has a vertex");
                let along = Question::new(&part, Endpoints::Closed);
                let is_cheaper = |whole: &mut Question| match &along {
                    Ok(along) => number == 1 && whole.cost() <= along.cost(),
                    Err(_) => number == 1,
                };
                of_board.take_if(is_cheaper).map_or(along, Ok)
            }
        };
        let part = part(graph, question, small, &options, &budget, progress)?;
        counted.count *= part.cycles();
        counted.parts.push(part);
        if counted.count == BigUint::ZERO {
            break;
        }
    }
    Ok(counted)
}

/// Returns endpoints that all tours with the endpoints `ends` have: a vertex with one neighbour is an end. With both
/// ends given, no vertex is added that is adjacent to all others.
fn at_leaves(graph: &Graph, ends: Endpoints) -> Endpoints {
    let Endpoints::Open { from, to } = ends else {
        return ends;
    };
    let is_new_end = |&v: &Vertex| graph.degree(v) == 1 && ![from, to].contains(&Some(v));
    let mut leaves = graph.vertices().filter(is_new_end);
    match (from, to, leaves.next(), leaves.next(), leaves.next()) {
        (None, None, from @ Some(_), to @ Some(_), None) => Endpoints::Open { from, to },
        (Some(_), None, to @ Some(_), None, None) => Endpoints::Open { from, to },
        (None, Some(_), from @ Some(_), None, None) => Endpoints::Open { from, to },
        _ => ends,
    }
}

/// Counts the Hamiltonian cycles of a part of a graph. `question` creates the question for a count along a frontier.
fn part(
    graph: &Graph,
    question: impl FnOnce() -> Result<Question, TooWide>,
    small: u64,
    options: &exact::Options,
    budget: &Budget,
    progress: &mut dyn FnMut(Progress),
) -> Result<Part, CountError> {
    let over_tree = |order: &Elimination, states: u64| {
        let cycles = treewidth::cycles(graph, order, states, options.memory, budget)?;
        Ok(Part::Tree(cycles))
    };
    if let Ok(order) = Elimination::min_degree(graph, MOST_WIDTH, budget) {
        match over_tree(&order, small) {
            Err(CountError::Other(NotCounted { cause: Cause::Limit(Stopped::Memory), .. })) => {}
            known => return known,
        }
    }
    let asked = Subsets::of_cycles(graph).ok();
    let over_subsets = |asked: &Subsets, by: By| {
        let limits =
            subsets::Options { threads: options.threads, memory: options.memory, budget: options.budget.clone() };
        Ok(Part::Subsets(asked.count(by, &limits, &mut |_| ())?))
    };
    if let Some(asked) = &asked
        && (asked.is_quick(options.memory) || asked.better(graph, options.memory) == Some(By::Table))
    {
        return over_subsets(asked, By::Table);
    }
    let tries = TRIES.min(TRIED_VERTICES / graph.n_vertices());
    let tree = match Elimination::search(graph, MOST_WIDTH, tries, 0, budget) {
        Ok(order) => Some(order),
        Err(Stopped::GaveUp) => None,
        Err(ended) => return Err(treewidth::error(ended, 0, options.memory).into()),
    };
    match (question(), tree) {
        (Err(_), Some(order)) => over_tree(&order, MOST_STATES),
        (Err(wide), None) => {
            let why = format!("{}, and no tree decomposition of width {MOST_WIDTH} or less was found", wide.why());
            Err(NotCounted::new(Cause::TooWide, why).into())
        }
        (Ok(along), Some(order)) if RATIO * (order.cost() as f64) < along.cost() => {
            match within(TRIAL_MEMORY, &along, options, progress)? {
                Some(counted) => Ok(Part::Frontier(counted)),
                None => match over_tree(&order, MOST_STATES) {
                    Err(CountError::Other(NotCounted { cause: Cause::Limit(Stopped::Memory), .. }))
                        if options.scratch.is_some() =>
                    {
                        Ok(Part::Frontier(exact::answer(&along, options, progress)?))
                    }
                    known => known,
                },
            }
        }
        (Ok(along), tree) => {
            let hopeless = match exact::answer(&along, options, progress) {
                Err(error @ ExactError::Hopeless { .. }) => error,
                counted => return Ok(Part::Frontier(counted?)),
            };
            if is_sparse(graph) {
                let trial_memory = (options.memory as f64 / HOPELESS) as u64;
                if let Some(counted) = within(trial_memory, &along, options, progress)? {
                    return Ok(Part::Frontier(counted));
                }
            }
            let by = |asked: &Subsets| asked.within(options.memory, f64::INFINITY);
            match (asked.as_ref().and_then(|asked| Some((asked, by(asked)?))), tree) {
                (Some((asked, by)), _) => over_subsets(asked, by),
                (None, Some(order)) => over_tree(&order, MOST_STATES),
                (None, None) => Err(hopeless.into()),
            }
        }
    }
}

/// Counts along a frontier within `memory` bytes, whatever the estimate says. Returns `None` if the states need more.
fn within(
    memory: u64,
    along: &Question,
    options: &exact::Options,
    progress: &mut dyn FnMut(Progress),
) -> Result<Option<Exact>, ExactError> {
    let options =
        exact::Options { memory: options.memory.min(memory), residues: false, try_hard: true, ..options.in_memory() };
    // No warning about memory: another count follows if this one needs too much.
    let mut progress = |at| {
        progress(Progress { most_bytes: 0.0, ..at });
    };
    match exact::answer(along, &options, &mut progress) {
        Err(ExactError::Memory { .. }) => Ok(None),
        counted => counted.map(Some),
    }
}

/// True if the vertices have at most four edges on average. Estimates for such graphs may be too high by a factor of
/// 10^4.
fn is_sparse(graph: &Graph) -> bool {
    graph.n_edges() <= 2 * graph.n_vertices()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::frontier::exact::tests::{options, questions};
    use hamcnf_graph::graph_strategy::graphs;
    use proptest::prelude::*;

    fn counted(graph: Graph) -> Counted {
        let instance = Instance::on_graph("a graph", graph, TourKind::Closed, Vertex::new(0));
        count(&instance.unwrap(), Endpoints::Closed, &options(), &mut |_| ()).unwrap()
    }

    /// Returns the union of two graphs that share two vertices or, if `by_edges` is true, are joined by two edges.
    fn glued(a: &Graph, b: &Graph, by_edges: bool) -> Graph {
        let edges = |graph: &Graph, from: u32| {
            let edges = graph.arcs().filter(|arc| arc.tail < arc.head);
            let shifted = |v: Vertex| v.number() + from;
            let edges = edges.map(|arc| (shifted(arc.tail), shifted(arc.head)));
            edges.collect::<BTreeSet<_>>()
        };
        let n = a.n_vertices();
        let from = if by_edges { n } else { n - 2 };
        let mut all = edges(a, 0);
        all.extend(edges(b, from));
        if by_edges {
            all.extend([(0, n), (1, n + 1)]);
        }
        Graph::from_edges(from + b.n_vertices(), all).unwrap()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        #[test]
        fn glued_graphs_have_as_many_cycles_as_a_frontier_counts(
            graphs in proptest::collection::vec((graphs(4..=7), any::<bool>()), 2..=4),
            along: bool,
        ) {
            let glued = graphs[1..].iter().fold(graphs[0].0.clone(), |all, (graph, by_edges)| {
                glued(&all, graph, *by_edges)
            });
            let (closed, first) = (TourKind::Closed, Vertex::new(0));
            let instance = Instance::on_graph("a graph", glued, closed, first).unwrap();
            let ends = Endpoints::Closed;
            let expected = exact::count(&instance, ends, &options(), &mut |_| ()).unwrap().count;
            let small = if along { 0 } else { SMALL };
            let counted = count_with(small, &instance, ends, &options(), &mut |_| ()).unwrap();
            prop_assert_eq!(counted.count, expected);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]

        #[test]
        fn parts_have_as_many_tours_as_a_frontier_counts(
            question in questions(),
            along: bool,
        ) {
            let expected = exact::tests::counted(&question, &options()).unwrap().count;
            let small = if along { 0 } else { SMALL };
            let counted = count_with(small, &question.0, question.1, &options(), &mut |_| ()).unwrap();
            prop_assert_eq!(counted.count, expected);
        }
    }

    /// Tests that the vertices that are added for open tours do not make the frontier wide. A grid has an even number
    /// of vertices, and its ends have different colours.
    #[test]
    fn open_tours_of_a_grid_are_counted_along_a_narrow_frontier() {
        let at = |row: u32, col: u32| 6 * row + col;
        let across = (0..6).flat_map(|r| (1..6).map(move |c| (at(r, c - 1), at(r, c))));
        let down = (1..6).flat_map(|r| (0..6).map(move |c| (at(r - 1, c), at(r, c))));
        let grid = Graph::from_edges(36, across.chain(down)).unwrap();
        let instance = Instance::on_graph("a grid", grid, TourKind::Open, Vertex::new(0)).unwrap();
        let ends = Endpoints::ANYWHERE;
        let counted = count_with(0, &instance, ends, &options(), &mut |_| ()).unwrap();
        let expected = exact::count(&instance, ends, &options(), &mut |_| ()).unwrap();
        assert_eq!(counted.count, expected.count);
        assert_eq!(counted.parts[0].width(), expected.width);
    }

    /// Tests the product with two complete graphs that are joined by two edges. A complete graph of n vertices has
    /// (n − 2)! paths through all vertices between two given ones.
    #[test]
    fn parts_are_multiplied() {
        let complete = |n: u32, from: u32| (0..n).flat_map(move |v| (0..v).map(move |w| (from + w, from + v)));
        let edges = complete(7, 0).chain(complete(6, 7)).chain([(0, 7), (1, 8)]);
        let counted = counted(Graph::from_edges(13, edges).unwrap());
        assert_eq!(counted.count, BigUint::from(120u32 * 24));
        let parts: Vec<_> = counted.parts.iter().map(Part::cycles).collect();
        assert_eq!(parts, [&BigUint::from(24u32), &BigUint::from(120u32)]);
    }

    #[test]
    fn a_graph_that_is_wide_before_its_edges_are_removed_is_counted() {
        // The edges of a complete graph are removed at all of its vertices, because each has two neighbours of degree
        // 2.
        const N: u32 = 60;
        let complete = (0..N).flat_map(|v| (0..v).map(move |w| (w, v)));
        let around = (0..N).flat_map(|v| [(v, N + v), (N + v, (v + 1) % N)]);
        let graph = Graph::from_edges(2 * N, complete.chain(around)).unwrap();
        assert_eq!(counted(graph).count, BigUint::from(1u32));
    }
}
