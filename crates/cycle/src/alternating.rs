//! Joining of the cycles of a 2-factor by exchanges of several edges.
//!
//! If no exchange of two edges merges two cycles, an exchange of more edges may. An exchange is a closed walk that
//! alternately removes edges of the 2-factor and inserts other edges. The search tries walks depth-first from each
//! vertex outside the longest cycle. It applies the first walk that reduces the number of cycles. If no vertex has such
//! a walk, the search takes a step on a plateau: it applies a random walk that leaves the number of cycles unchanged,
//! and continues from the vertices of this walk.
//!
//! # References
//!
//! - S. Lin, B. W. Kernighan: *An effective heuristic algorithm for the traveling-salesman problem*, Operations
//!   Research 21, 1973.
//! - K. Helsgaun: *General k-opt submoves for the Lin–Kernighan TSP heuristic*, Mathematical Programming Computation
//!   1, 2009.

use std::collections::VecDeque;

use chacha20::ChaCha8Rng;
use chacha20::rand_core::SeedableRng;
use hamcnf_graph::{Graph, Vertex};

use super::cover::{Cover, Exchange, LONGEST, put_in, removed};
use super::factor::{Factor, two_factor};
use super::{Budget, Found, Stopped, below, merge::merge, renumber};

/// Maximum number of edges that an exchange removes at first.
const NEAR: usize = 3;
/// Maximum number of edges that an exchange removes when smaller exchanges no longer reduce the number of cycles.
const FAR: usize = 5;
/// Maximum number of edges that the search from one vertex examines.
const LOOKS: u64 = 200_000;
/// Number of edges that [`find`] may examine for each arc of the graph, in addition to `LOOKS_BESIDE` edges.
const LOOKS_PER_ARC: u64 = 2_000;
/// Number of edges that [`find`] may examine in addition, independent of the size of the graph.
const LOOKS_BESIDE: u64 = 100_000_000;
/// Limit on all edges that [`find`] examines, as a multiple of the number of arcs. It matters for small graphs, because
/// strategies that try to prove that there is no cycle wait for this search.
const LOOKS_PER_ARC_AT_MOST: u64 = 4_000;
/// Number of edges examined between two checks of the budget.
const STEPS: u64 = 1 << 13;

/// Searches for a Hamiltonian cycle: finds a 2-factor, merges its cycles by exchanges of two edges ([`merge`]), and
/// joins the remaining cycles ([`join`]). Returns [`Found::NoCycle`] if the graph has no 2-factor. Gives up after an
/// amount of work proportional to the size of the graph. With seed 0, the search for the 2-factor visits vertices of
/// equal degree in the order of their numbers. This is fastest if neighbours have similar numbers. Other seeds visit
/// the vertices in random order, which gives other 2-factors.
pub fn find(graph: &Graph, seed: u64, budget: &Budget) -> Found {
    let Some((near, names)) = renumber::near(graph) else {
        return chain(graph, seed, budget);
    };
    chain(&near, seed, budget).map(|cycle| cycle.into_iter().map(|v| names[v.index()]).collect())
}

fn chain(graph: &Graph, seed: u64, budget: &Budget) -> Found {
    let n_arcs = u64::from(graph.n_arcs());
    let work = (LOOKS_PER_ARC * n_arcs + LOOKS_BESIDE).min(LOOKS_PER_ARC_AT_MOST * n_arcs);
    match two_factor(graph, Some(seed).filter(|&seed| seed > 0), budget) {
        Err(ended) => Found::Unknown(ended),
        Ok(None) => Found::NoCycle,
        Ok(Some(factor)) => join(graph, merge(graph, factor, budget), seed, work, budget),
    }
}

/// Searches for a Hamiltonian cycle by joining the cycles of a 2-factor. Gives up after examining about `work` edges.
/// Never returns [`Found::NoCycle`].
pub fn join(graph: &Graph, factor: Factor, seed: u64, work: u64, budget: &Budget) -> Found {
    let mut join = Join {
        graph,
        cover: Cover::new(factor.into_links()),
        random: ChaCha8Rng::seed_from_u64(seed),
        work,
        budget,
        looked: 0,
        walk: Vec::with_capacity(LONGEST),
        level: None,
        queue: VecDeque::new(),
        queued: vec![false; graph.n_vertices() as usize],
    };
    match join.run() {
        Err(ended) => Found::Unknown(ended),
        Ok(()) => {
            let factor = Factor::of_links(join.cover.into_links());
            Found::Cycle(factor.cycles().swap_remove(0))
        }
    }
}

struct Join<'a> {
    graph: &'a Graph,
    cover: Cover,
    random: ChaCha8Rng,
    work: u64,
    budget: &'a Budget,
    /// Number of edges examined so far.
    looked: u64,
    walk: Vec<u32>,
    /// Walk of an exchange that leaves the number of cycles unchanged. The walk is a random choice among all such walks
    /// that the search from the current vertex has found. The second component is their number. `None` if none was
    /// found.
    level: Option<(Vec<u32>, usize)>,
    /// Vertices from which to search for an exchange.
    queue: VecDeque<u32>,
    /// True for each vertex in the queue.
    queued: Vec<bool>,
}

impl Join<'_> {
    fn run(&mut self) -> Result<(), Stopped> {
        self.refill();
        let mut depth = NEAR;
        while self.cover.count() > 1 {
            if let Some(v) = self.queue.pop_front() {
                self.queued[v as usize] = false;
                self.search(v, depth)?;
            } else if depth < FAR {
                depth = FAR;
                self.refill();
            } else {
                self.stroll()?;
            }
        }
        Ok(())
    }

    /// Puts all vertices outside the longest cycle into the queue.
    fn refill(&mut self) {
        let longest = self.cover.rings().max_by_key(|&(_, size)| size);
        let longest = longest.map(|(ring, _)| ring);
        for v in 0..self.graph.n_vertices() {
            if Some(self.cover.ring(v)) != longest {
                self.wait(v);
            }
        }
    }

    fn wait(&mut self, v: u32) {
        if !std::mem::replace(&mut self.queued[v as usize], true) {
            self.queue.push_back(v);
        }
    }

    /// Searches from `v` for an exchange that removes at most `depth` edges and reduces the number of cycles. Makes the
    /// exchange and returns true if one is found.
    fn search(&mut self, v: u32, depth: usize) -> Result<bool, Stopped> {
        self.level = None;
        let limit = self.looked + LOOKS;
        for w in self.cover.links(v) {
            self.walk.clear();
            self.walk.extend([v, w]);
            if let Some(outcome) = self.extend(depth, limit)? {
                let walk = std::mem::take(&mut self.walk);
                self.take(&walk, &outcome);
                self.walk = walk;
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn take(&mut self, walk: &[u32], outcome: &Exchange) {
        self.cover.exchange(walk, outcome);
        for &v in walk {
            self.wait(v);
        }
    }

    /// Extends the walk until closing it reduces the number of cycles, and returns the outcome of this exchange.
    /// Removes at most `depth` edges. Returns `None` if no walk reduces the number of cycles, or if `looked` exceeds
    /// `limit`.
    fn extend(&mut self, depth: usize, limit: u64) -> Result<Option<Exchange>, Stopped> {
        let (first, last) = (self.walk[0], self.walk[self.walk.len() - 1]);
        let graph = self.graph;
        for w in graph.neighbours(Vertex::new(last)) {
            let w = w.number();
            self.looked += 1;
            if self.looked.is_multiple_of(STEPS) {
                self.budget.check()?;
                if self.looked > self.work {
                    return Err(Stopped::GaveUp);
                }
            }
            if self.looked > limit {
                return Ok(None);
            }
            if self.cover.has(last, w) || put_in(&self.walk, last, w) {
                continue;
            }
            if w == first {
                let outcome = self.cover.outcome(&self.walk);
                if outcome.change < 0 {
                    return Ok(Some(outcome));
                }
                if outcome.change == 0 {
                    self.keep();
                }
            }
            if self.walk.len() == 2 * depth {
                continue;
            }
            for x in self.cover.links(w) {
                if removed(&self.walk, w, x) {
                    continue;
                }
                self.walk.extend([w, x]);
                if let Some(outcome) = self.extend(depth, limit)? {
                    return Ok(Some(outcome));
                }
                self.walk.truncate(self.walk.len() - 2);
            }
        }
        Ok(None)
    }

    /// Counts the current walk, and stores it in `level` with a probability that makes all counted walks equally likely
    /// to end up there.
    fn keep(&mut self) {
        let seen = self.level.as_ref().map_or(0, |level| level.1) + 1;
        if below(&mut self.random, seen) == 0 {
            self.level = Some((self.walk.clone(), seen));
        } else if let Some(level) = &mut self.level {
            level.1 = seen;
        }
    }

    /// Makes an exchange that does not increase the number of cycles, if one is found. The exchange starts at a random
    /// vertex of a random cycle other than the longest.
    fn stroll(&mut self) -> Result<(), Stopped> {
        let ring = below(&mut self.random, self.cover.count() - 1);
        let v = self.cover.random_vertex(ring, &mut self.random);
        self.looked += 1;
        if !self.search(v, NEAR)?
            && let Some((walk, _)) = self.level.take()
        {
            let outcome = self.cover.outcome(&walk);
            self.take(&walk, &outcome);
        }
        if self.looked > self.work {
            return Err(Stopped::GaveUp);
        }
        self.budget.check()
    }
}

#[cfg(test)]
pub(super) mod tests {
    use std::time::{Duration, Instant};

    use super::super::factor::tests::{are_cycles, has_two_factor, is_hamiltonian};
    use super::*;
    use hamcnf_graph::graph_strategy::graphs;
    use hamcnf_tours::Board;
    use proptest::prelude::*;

    /// Returns the graph with randomly renumbered vertices.
    pub(crate) fn shuffled(graph: &Graph, seed: u64) -> Graph {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut names: Vec<u32> = (0..graph.n_vertices()).collect();
        for k in (1..names.len()).rev() {
            names.swap(k, below(&mut random, k + 1));
        }
        let arcs = graph.arcs();
        let edges = arcs.map(|arc| (names[arc.tail.index()], names[arc.head.index()]));
        Graph::from_edges(graph.n_vertices(), edges).unwrap()
    }

    fn soon() -> Budget {
        Budget::default().until(Instant::now() + Duration::from_millis(20))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(500))]

        #[test]
        fn small_graphs_with_a_cycle_have_it_found_and_others_never(
            graph in graphs(3..=8),
            seed in 0u64..4,
        ) {
            match find(&graph, seed, &soon()) {
                Found::Cycle(cycle) => prop_assert!(are_cycles(&graph, &[cycle])),
                Found::NoCycle => prop_assert!(!has_two_factor(&graph)),
                Found::Unknown(_) => prop_assert!(!is_hamiltonian(&graph) && has_two_factor(&graph)),
            }
        }
    }

    #[test]
    fn boards_are_found_in_any_order_of_their_squares() {
        for text in ["5x6", "6x6", "3x10", "7x8", "20x20", "31x32", "150x150"] {
            let board: Board = text.parse().unwrap();
            for seed in 0..5 {
                let graph = shuffled(&board.graph(), seed);
                match find(&graph, seed, &Budget::default()) {
                    Found::Cycle(cycle) => assert!(are_cycles(&graph, &[cycle]), "{text}"),
                    other => panic!("{text} {seed}: {other:?}"),
                }
            }
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_cycle() {
        let board: Board = "12x14".parse().unwrap();
        let graph = shuffled(&board.graph(), 1);
        for seed in 0..3 {
            let again = find(&graph, seed, &Budget::default());
            assert_eq!(again, find(&graph, seed, &Budget::default()));
        }
    }

    #[test]
    fn work_is_limited_and_ends_in_time() {
        // Two triangles joined by one edge have a 2-factor, but no Hamiltonian cycle.
        let edges = [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3), (0, 3)];
        let graph = Graph::from_edges(6, edges).unwrap();
        let budget = Budget::default();
        let factor = two_factor(&graph, None, &budget).unwrap().unwrap();
        assert_eq!(factor.cycles().len(), 2);
        let gave_up = Found::Unknown(Stopped::GaveUp);
        assert_eq!(join(&graph, factor.clone(), 1, 10_000, &budget), gave_up);
        let begin = Instant::now();
        let out_of_time = Found::Unknown(Stopped::Time);
        assert_eq!(join(&graph, factor, 1, u64::MAX, &soon()), out_of_time);
        assert!(begin.elapsed() < Duration::from_secs(1));
    }

    #[test]
    fn bipartite_graphs_of_unequal_sides_are_refuted() {
        let board: Board = "5x7".parse().unwrap();
        assert_eq!(find(&board.graph(), 1, &Budget::default()), Found::NoCycle);
    }
}
