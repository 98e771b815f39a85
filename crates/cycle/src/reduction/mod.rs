//! Reductions of a graph to smaller graphs, the *parts*, and the conversion of their cycles to a cycle of the graph.
//!
//! - `forced.rs`: both edges of a vertex of degree 2 are in every Hamiltonian cycle. If a vertex has two such *forced*
//!   edges, its other edges are removed. The edge between the ends of a path of forced edges is also removed, and the
//!   inner vertices of the path become one vertex.
//! - `cuts.rs`: if any two edges of a class cut the graph, every Hamiltonian cycle contains all edges of the class. The
//!   cycle passes each part between these edges once.
//! - `separators.rs`: every Hamiltonian cycle also passes each side of a separating pair of vertices once.
//!
//! Parts are independent of each other: the graph has a Hamiltonian cycle if and only if each part has one. To get the
//! cycle of the graph, the reduction steps are undone in reverse order, by exchanging neighbours on the cycles. The
//! result does not depend on the direction in which the cycles are traversed.
//!
//! # References
//!
//! - Gerald Shields: *The Hamiltonian cycle problem: reductions and searches*, Ph.D. thesis, NC State University, 2004.
//! - Basil Vandegriend, Joseph Culberson: *The Gn,m Phase Transition is Not Hard for the Hamiltonian Cycle Problem*,
//!   Journal of Artificial Intelligence Research 9, 1998, for the rules at vertices of degree 2.
//! - David Pritchard, Ramakrishna Thurimella: *Fast computation of small cuts via cycle space sampling*, ACM
//!   Transactions on Algorithms 7, 2011.

mod cuts;
mod forced;
mod separators;

use std::collections::VecDeque;

use hamcnf_graph::{Graph, Vertex};

use super::links::{Factor, NONE, around, replace};
use super::{Budget, Stopped};

/// Result of [`reduce`].
pub enum Reduced {
    /// The graph has no Hamiltonian cycle.
    None,
    /// The graph has a Hamiltonian cycle exactly if all parts have one.
    Parts(Reduction),
}

/// Reduced graphs (the parts), and the steps that convert their cycles to a cycle of the original graph.
pub struct Reduction {
    /// Number of vertices of the original graph.
    n: usize,
    /// Number of vertex names. Names are numbers: first those of the vertices of the original graph, then those of the
    /// new vertices of intermediate graphs.
    n_names: usize,
    parts: Vec<Graph>,
    /// Indexed by part, then by vertex: the name of the vertex, which is its number among the vertices of all
    /// intermediate graphs.
    names: Vec<Vec<u32>>,
    undo: Vec<Undo>,
}

/// Data to undo a reduction step. Vertices are given by their names, which are numbers unique across all intermediate
/// graphs.
enum Undo {
    /// Replacement of the inner vertices of a path by one vertex.
    Path {
        /// The new vertex that replaces the inner vertices.
        by: u32,
        /// The inner vertices in order. The first is adjacent to `from`.
        inside: Vec<u32>,
        /// One end of the path.
        from: u32,
    },
    /// Split at a class of edges: removing any two of them disconnects the graph. Each edge is given by its two ends.
    /// Each end is followed by a new vertex in its part, which represents all other parts; `None` if the end is a part
    /// by itself.
    Ring(Vec<[(u32, Option<u32>); 2]>),
    /// Split at a separating pair of vertices. `twins` contains each vertex of the pair with its copy on the other
    /// side. `by` contains, for each side, the new vertex that represents the other side.
    Separator { twins: [[u32; 2]; 2], by: [u32; 2] },
}

/// Reduces a graph until no reduction applies or a work limit is reached. The time is roughly proportional to the size
/// of the graph.
///
/// # Errors
///
/// Returns the reason why the budget stopped the reduction.
pub fn reduce(graph: &Graph, budget: &Budget) -> Result<Reduced, Stopped> {
    budget.check()?;
    let mut work = Work::new(graph);
    match work.run(budget) {
        Ok(()) => Ok(Reduced::Parts(work.into_reduction(graph.n_vertices() as usize))),
        Err(Interrupted::NoCycle) => Ok(Reduced::None),
        Err(Interrupted::Stopped(why)) => Err(why),
    }
}

impl Reduction {
    /// Returns the reduced graphs, the smallest first.
    pub fn parts(&self) -> &[Graph] {
        &self.parts
    }

    /// Returns the Hamiltonian cycles of the parts if every vertex of every part has degree 2; otherwise `None`.
    pub fn cycles(&self) -> Option<Vec<Vec<Vertex>>> {
        let cycle = |graph: &Graph| {
            let ends: Vec<_> = graph.vertices().map(|v| graph.neighbours(v)).collect();
            let links = ends.iter().map(|ends| <[Vertex; 2]>::try_from(*ends).ok());
            let links: Option<Vec<_>> = links.map(|ends| ends.map(|ends| ends.map(Vertex::number))).collect();
            Some(Factor::of_links(links?).cycles().swap_remove(0))
        };
        self.parts.iter().map(cycle).collect()
    }

    /// Returns a Hamiltonian cycle of the original graph. `cycles` contains a Hamiltonian cycle of each part, in the
    /// order of [`Self::parts`].
    ///
    /// # Panics
    ///
    /// Panics if `cycles` are not Hamiltonian cycles of the parts.
    pub fn lift(&self, cycles: &[Vec<Vertex>]) -> Vec<Vertex> {
        let mut links = vec![[NONE; 2]; self.n_names];
        for (cycle, names) in cycles.iter().zip(&self.names) {
            let name = |k: usize| names[cycle[k % cycle.len()].index()];
            for k in 0..cycle.len() {
                links[name(k) as usize] = [name(k + cycle.len() - 1), name(k + 1)];
            }
        }
        for undo in self.undo.iter().rev() {
            undo.lift(&mut links);
        }
        // The cycle goes on to the second neighbour of its first vertex.
        links[0].reverse();
        let cycle: Vec<_> = around(&links, 0).map(Vertex::new).collect();
        assert_eq!(cycle.len(), self.n, "the cycles of the parts combine to a cycle of the graph");
        cycle
    }
}

impl Undo {
    fn lift(&self, links: &mut [[u32; 2]]) {
        match self {
            Self::Path { by, inside, from } => {
                let [a, b] = links[*by as usize];
                let ends = if a == *from { [a, b] } else { [b, a] };
                let k = inside.len();
                let beside = |k: usize| inside[k];
                replace(links, ends[0], *by, beside(0));
                replace(links, ends[1], *by, beside(k - 1));
                for j in 0..k {
                    let before = if j == 0 { ends[0] } else { inside[j - 1] };
                    let after = if j + 1 == k { ends[1] } else { inside[j + 1] };
                    links[inside[j] as usize] = [before, after];
                }
            }
            Self::Ring(edges) => {
                for &[(v, there), (w, back)] in edges {
                    for (v, by, w) in [(v, there, w), (w, back, v)] {
                        replace(links, v, by.unwrap_or(NONE), w);
                    }
                }
            }
            Self::Separator { twins, by } => {
                for [v, twin] in twins {
                    let [a, b] = links[*twin as usize];
                    let inside = if a == by[1] { b } else { a };
                    replace(links, *v, by[0], inside);
                    replace(links, inside, *twin, *v);
                }
            }
        }
    }
}

/// Reason why the reduction ended early: a contradiction in the graph, or a limit of the budget.
enum Interrupted {
    NoCycle,
    Stopped(Stopped),
}

impl From<Stopped> for Interrupted {
    fn from(why: Stopped) -> Self {
        Self::Stopped(why)
    }
}

/// Graph during its reduction.
struct Work {
    /// Indexed by vertex name, which is a number: the neighbours of the vertex. Empty if the vertex was removed.
    at: Vec<Vec<u32>>,
    gone: Vec<bool>,
    undo: Vec<Undo>,
    /// Number of components that the splits so far have produced. If the graph has more components, it has no
    /// Hamiltonian cycle.
    components: usize,
    /// Number of edges examined so far in searches for separators.
    looks: usize,
    /// Number of vertices visited so far by the search for pairs of edges that disconnect the graph.
    walked: usize,
    /// Vertices that the method `forced` must process, because their edges changed.
    queue: VecDeque<u32>,
    /// True for each vertex in the queue.
    queued: Vec<bool>,
    /// True for each vertex of a component that is known to be a cycle.
    closed: Vec<bool>,
}

impl Work {
    fn new(graph: &Graph) -> Self {
        let neighbours = |v| graph.neighbours(v).iter().map(|w| w.number()).collect();
        let n = graph.n_vertices();
        Self {
            at: graph.vertices().map(neighbours).collect(),
            gone: vec![false; n as usize],
            undo: Vec::new(),
            components: 1,
            looks: 0,
            walked: 0,
            queue: (0..n).collect(),
            queued: vec![true; n as usize],
            closed: vec![false; n as usize],
        }
    }

    fn run(&mut self, budget: &Budget) -> Result<(), Interrupted> {
        loop {
            self.forced(budget)?;
            budget.check()?;
            if !self.cuts(budget)? && !self.separators(budget)? {
                return self.is_whole();
            }
        }
    }

    /// Creates a new vertex with neighbours `at`, and returns its number.
    fn name(&mut self, at: Vec<u32>) -> u32 {
        self.at.push(at);
        self.gone.push(false);
        self.queued.push(false);
        self.closed.push(false);
        self.at.len() as u32 - 1
    }

    fn is_left(&self, v: u32) -> bool {
        !self.gone[v as usize]
    }

    fn degree(&self, v: u32) -> usize {
        self.at[v as usize].len()
    }

    fn remove(&mut self, v: u32, w: u32) {
        for (v, w) in [(v, w), (w, v)] {
            self.at[v as usize].retain(|&there| there != w);
            self.wake(v);
        }
    }

    /// Replaces the neighbour `old` of `v` by `new`, and puts `v` into the queue.
    fn turn(&mut self, v: u32, old: u32, new: u32) {
        let there = self.at[v as usize].iter_mut().find(|there| **there == old);
        *there.expect("`old` is a neighbour of `v`") = new;
        self.wake(v);
    }

    /// Puts a vertex into the queue if it is not there yet.
    fn wake(&mut self, v: u32) {
        if !std::mem::replace(&mut self.queued[v as usize], true) {
            self.queue.push_back(v);
        }
    }

    /// Returns the component of each vertex, and the number of components. The list of components is indexed by vertex
    /// name; the entry of a removed vertex is [`NONE`]. Ignores the edges for which `is_cut` is true.
    fn components(&self, is_cut: impl Fn(u32, u32) -> bool) -> (Vec<u32>, usize) {
        let mut number = vec![NONE; self.at.len()];
        let mut count = 0;
        let mut stack = Vec::new();
        for v in 0..self.at.len() as u32 {
            if number[v as usize] != NONE || !self.is_left(v) {
                continue;
            }
            number[v as usize] = count;
            stack.push(v);
            while let Some(v) = stack.pop() {
                for &w in &self.at[v as usize] {
                    if number[w as usize] == NONE && !is_cut(v, w) {
                        number[w as usize] = count;
                        stack.push(w);
                    }
                }
            }
            count += 1;
        }
        (number, count as usize)
    }

    /// Returns a contradiction if the graph has more components than the splits have produced.
    fn is_whole(&self) -> Result<(), Interrupted> {
        match self.components(|_, _| false).1 > self.components {
            true => Err(Interrupted::NoCycle),
            false => Ok(()),
        }
    }

    fn into_reduction(self, n: usize) -> Reduction {
        let (number, count) = self.components(|_, _| false);
        let mut names: Vec<Vec<u32>> = vec![Vec::new(); count];
        let mut place = vec![NONE; self.at.len()];
        for (v, &part) in (0..).zip(&number).filter(|&(_, &part)| part != NONE) {
            let names = &mut names[part as usize];
            place[v as usize] = names.len() as u32;
            names.push(v);
        }
        names.sort_by_key(Vec::len);
        let part = |names: &Vec<u32>| {
            let edges = names.iter().flat_map(|&v| {
                let ends = self.at[v as usize].iter().filter(move |&&w| v < w);
                ends.map(move |&w| (v, w))
            });
            let edges = edges.map(|(v, w)| (place[v as usize], place[w as usize]));
            Graph::from_edges(names.len() as u32, edges)
                .expect("a component has at most the vertices and edges of the graph")
        };
        Reduction { n, n_names: self.at.len(), parts: names.iter().map(part).collect(), names, undo: self.undo }
    }
}

#[cfg(test)]
mod tests {
    use hamcnf_graph::graph_strategy::graphs;
    use proptest::prelude::*;

    use super::super::factor::tests::{any_cycle, are_cycles};
    use super::*;

    fn cycle_of(graph: &Graph) -> Option<Vec<Vertex>> {
        let mut cycle = Vec::new();
        any_cycle(graph, &mut |found| {
            cycle = found.to_vec();
            true
        })
        .then_some(cycle)
    }

    /// Tests that the parts have Hamiltonian cycles exactly if the graph has one, and that the lifted cycle is a cycle
    /// of the graph. Returns the number of parts; 0 if the reductions prove that the graph has no Hamiltonian cycle.
    fn agrees(graph: &Graph) -> Result<usize, TestCaseError> {
        let expected = cycle_of(graph);
        let reduction = match reduce(graph, &Budget::default()).unwrap() {
            Reduced::None => {
                prop_assert!(expected.is_none());
                return Ok(0);
            }
            Reduced::Parts(reduction) => reduction,
        };
        let parts = reduction.parts();
        prop_assert!(parts.windows(2).all(|two| two[0].n_vertices() <= two[1].n_vertices()));
        let cycles: Option<Vec<_>> = parts.iter().map(cycle_of).collect();
        prop_assert_eq!(cycles.is_some(), expected.is_some());
        if let Some(cycles) = cycles {
            prop_assert!(are_cycles(graph, &[reduction.lift(&cycles)]));
        }
        Ok(parts.len())
    }

    fn edges(graph: &Graph, from: u32) -> Vec<(u32, u32)> {
        let edges = graph.arcs().filter(|arc| arc.tail < arc.head);
        edges.map(|arc| (arc.tail.number() + from, arc.head.number() + from)).collect()
    }

    /// Returns the union of two graphs that share two vertices or, if `by_edges` is true, are joined by two edges.
    fn glued(a: &Graph, b: &Graph, by_edges: bool) -> Graph {
        let n = a.n_vertices();
        let mut all = edges(a, 0);
        if by_edges {
            all.extend(edges(b, n));
            all.extend([(0, n), (1, n + 1)]);
            return Graph::from_edges(n + b.n_vertices(), all).unwrap();
        }
        // The first two vertices of the second graph are the last two of the first.
        all.extend(edges(b, n - 2).into_iter().filter(|edge| *edge != (n - 2, n - 1)));
        Graph::from_edges(n + b.n_vertices() - 2, all).unwrap()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn what_is_left_has_a_cycle_exactly_when_the_graph_has(graph in graphs(3..=9)) {
            agrees(&graph)?;
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(600))]

        #[test]
        fn graphs_that_are_joined_come_apart(
            a in graphs(4..=6),
            b in graphs(4..=6),
            c in graphs(4..=5),
            by_edges: [bool; 2],
        ) {
            let two = glued(&a, &b, by_edges[0]);
            agrees(&two)?;
            agrees(&glued(&two, &c, by_edges[1]))?;
            agrees(&glued(&c, &two, by_edges[1]))?;
        }
    }

    #[test]
    fn dense_parts_become_graphs_of_their_own() {
        let complete = |n: u32| Graph::from_edges(n, (0..n).flat_map(|v| (0..v).map(move |w| (w, v)))).unwrap();
        for by_edges in [false, true] {
            let two = glued(&complete(6), &complete(5), by_edges);
            assert_eq!(agrees(&two).unwrap(), 2, "{by_edges}");
            let three = glued(&two, &complete(4), !by_edges);
            assert_eq!(agrees(&three).unwrap(), 3, "{by_edges}");
        }
    }

    #[test]
    fn paths_become_one_vertex() {
        // All pairs of the vertices 0 to 3 are adjacent, except 0 and 1. A path over three more vertices joins 0 and 1.
        let edges = [(0, 2), (0, 3), (1, 2), (1, 3), (2, 3), (0, 4), (4, 5), (5, 6), (6, 1)];
        let graph = Graph::from_edges(7, edges).unwrap();
        let Reduced::Parts(reduction) = reduce(&graph, &Budget::default()).unwrap() else {
            panic!("it has a cycle");
        };
        assert_eq!(reduction.parts()[0].n_vertices(), 5);
        agrees(&graph).unwrap();
    }

    /// Tests that the edge between the ends of a path is removed, in a graph to which no other reduction applies.
    #[test]
    fn the_edge_between_the_ends_of_a_path_is_taken_away() {
        // A complete graph, and one more vertex that is adjacent to two of its vertices.
        let complete = (0..5).flat_map(|v| (0..v).map(move |w| (w, v)));
        let graph = Graph::from_edges(6, complete.chain([(5, 0), (5, 1)])).unwrap();
        let Reduced::Parts(reduction) = reduce(&graph, &Budget::default()).unwrap() else {
            panic!("it has a cycle");
        };
        let [left] = reduction.parts() else {
            panic!("it is in one piece");
        };
        assert_eq!((left.n_vertices(), left.n_edges()), (6, 11));
    }

    /// Tests that vertices are processed again after a change. A ladder can only be reduced from its ends, but its
    /// inner vertices are processed first.
    #[test]
    fn what_a_reduction_changes_is_looked_at_again() {
        const RUNGS: u32 = 9;
        // Number the middle columns first.
        let mut columns: Vec<u32> = (0..RUNGS).collect();
        columns.sort_by_key(|&column| column.abs_diff(RUNGS / 2));
        let number = |column: u32, side: u32| {
            let place = columns.iter().position(|&c| c == column).unwrap();
            2 * place as u32 + side
        };
        let rungs = (0..RUNGS).map(|c| (number(c, 0), number(c, 1)));
        let sides = (1..RUNGS).flat_map(|c| [0, 1].map(|side| (number(c - 1, side), number(c, side))));
        let graph = Graph::from_edges(2 * RUNGS, rungs.chain(sides)).unwrap();
        let Reduced::Parts(reduction) = reduce(&graph, &Budget::default()).unwrap() else {
            panic!("it has a cycle");
        };
        assert_eq!(reduction.parts().len(), 1);
        assert!(reduction.cycles().is_some());
    }

    #[test]
    fn contradictions_are_found() {
        // The graphs are a triangle with a leaf, K_{2,3}, and two triangles with a common vertex.
        let leaf = Graph::from_edges(4, [(0, 1), (1, 2), (0, 2), (2, 3)]);
        let three = Graph::from_edges(5, [(0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4)]);
        let closed = Graph::from_edges(5, [(0, 1), (1, 2), (2, 0), (0, 3), (3, 4), (4, 0)]);
        for graph in [leaf, three, closed] {
            assert!(matches!(reduce(&graph.unwrap(), &Budget::default()), Ok(Reduced::None)));
        }
    }
}
