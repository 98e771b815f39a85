//! Search for 2-factors: sets of edges with two edges at every vertex. The edges form cycles that together visit every
//! vertex once.
//!
//! A Hamiltonian cycle is a 2-factor with one cycle, so a graph without a 2-factor has no Hamiltonian cycle. A 2-factor
//! can be found in polynomial time.
//!
//! A greedy start chooses edges, as Karp and Sipser's start does for matchings. An edge is *open* if it can still be
//! chosen. If a vertex has no more open edges than it needs, all of them are chosen. Otherwise a path grows to the
//! neighbour with the fewest spare open edges, as in Warnsdorff's rule for knight's tours. Only a few vertices are left
//! with fewer than two edges. They get their missing edges along augmenting paths: by flow if the graph is bipartite
//! (`flow.rs`), otherwise by matching in a larger graph (`gadget.rs`).
//!
//! # References
//!
//! - W. T. Tutte: *A short proof of the factor theorem for finite graphs*, Canadian Journal of Mathematics 6, 1954.
//! - R. M. Karp, M. Sipser: *Maximum matchings in sparse random graphs*, FOCS 1981.

use chacha20::ChaCha8Rng;
use chacha20::rand_core::SeedableRng;
use hamcnf_graph::facts::two_colouring;
use hamcnf_graph::{Graph, Vertex};

pub use super::links::Factor;

use super::links::Links;
use super::{Budget, Stopped, below, flow, gadget};

/// Number of steps of the greedy start between two checks of the budget.
const STEPS: u32 = 1 << 14;

/// Returns a 2-factor of the graph. Returns `None` if there is no 2-factor, and so no Hamiltonian cycle. Different
/// seeds usually give different 2-factors. Without a seed, the greedy start visits vertices of equal degree in the
/// order of their numbers.
///
/// # Errors
///
/// Returns the reason why the budget stopped the search.
pub fn two_factor(graph: &Graph, seed: Option<u64>, budget: &Budget) -> Result<Option<Factor>, Stopped> {
    let two = graph.vertices().all(|v| graph.degree(v) >= 2);
    if graph.n_vertices() < 3 || !two {
        return Ok(None);
    }
    let random = seed.map(ChaCha8Rng::seed_from_u64);
    let links = Greedy::new(graph, random).run(budget)?;
    match two_colouring(graph) {
        Some(colours) => flow::complete(graph, &colours, links, budget),
        None => gadget::complete(graph, links, budget),
    }
}

/// Returns a greedy partial 2-factor: the two neighbours of each vertex, with `NONE` in place of a missing neighbour.
pub(super) fn start(graph: &Graph, seed: u64, budget: &Budget) -> Result<Vec<[u32; 2]>, Stopped> {
    let random = Some(ChaCha8Rng::seed_from_u64(seed));
    Greedy::new(graph, random).run(budget).map(Links::into_pairs)
}

/// Greedy construction of a partial 2-factor.
struct Greedy<'a> {
    graph: &'a Graph,
    random: Option<ChaCha8Rng>,
    links: Links,
    /// Number of open edges at each vertex: edges that can still be chosen.
    open: Vec<u32>,
    /// Vertices that need all of their open edges. Some of them may already have two edges.
    forced: Vec<u32>,
}

impl<'a> Greedy<'a> {
    fn new(graph: &'a Graph, random: Option<ChaCha8Rng>) -> Self {
        let open: Vec<_> = graph.vertices().map(|v| graph.degree(v) as u32).collect();
        let forced = (0..).zip(&open).filter(|&(_, &open)| open <= 2);
        Self { graph, random, links: Links::new(open.len()), forced: forced.map(|(v, _)| v).collect(), open }
    }

    fn run(mut self, budget: &Budget) -> Result<Links, Stopped> {
        let mut starts: Vec<u32> = (0..self.graph.n_vertices()).collect();
        if let Some(random) = &mut self.random {
            for k in (1..starts.len()).rev() {
                starts.swap(k, below(random, k + 1));
            }
        }
        starts.sort_by_key(|&v| self.graph.degree(Vertex::new(v)));
        let mut end = None;
        let mut starts = starts.into_iter().peekable();
        for step in 0u32.. {
            if step.is_multiple_of(STEPS) {
                budget.check()?;
            }
            if let Some(v) = self.forced.pop() {
                while self.links.degree(v) < 2
                    && let Some(w) = self.tightest(v)
                {
                    self.link(v, w);
                }
            } else if let Some(v) = end.or(starts.peek().copied()) {
                end = None;
                if self.links.degree(v) < 2
                    && let Some(w) = self.tightest(v)
                {
                    self.link(v, w);
                    end = (self.links.degree(w) < 2).then_some(w);
                } else if starts.peek() == Some(&v) {
                    starts.next();
                }
            } else {
                break;
            }
        }
        Ok(self.links)
    }

    /// Returns the neighbour with the fewest spare open edges. Only considers neighbours that an open edge joins to
    /// `v`. An edge is open if it can still be chosen. A vertex with k open edges that needs l more edges has k − l
    /// spare open edges. Returns `None` if `v` has no open edge.
    fn tightest(&mut self, v: u32) -> Option<u32> {
        let neighbours = self.graph.neighbours(Vertex::new(v));
        let turn = self.random.as_mut();
        let turn = turn.map_or(0, |random| below(random, neighbours.len()));
        let (late, early) = neighbours.split_at(turn);
        let all = early.iter().chain(late).map(|w| w.number());
        let open = all.filter(|&w| self.links.degree(w) < 2 && !self.links.has(v, w));
        // A vertex has open + degree − 2 spare open edges. The key omits the constant 2.
        open.min_by_key(|&w| self.open[w as usize] + self.links.degree(w))
    }

    fn link(&mut self, v: u32, w: u32) {
        self.links.link(v, w);
        for x in [v, w] {
            self.open[x as usize] -= 1;
        }
        for x in [v, w] {
            if self.links.degree(x) < 2 {
                continue;
            }
            for y in self.graph.neighbours(Vertex::new(x)) {
                let y = y.number();
                if self.links.has(x, y) {
                    continue;
                }
                self.open[y as usize] -= 1;
                let degree = self.links.degree(y);
                if degree < 2 && self.open[y as usize] + degree <= 2 {
                    self.forced.push(y);
                }
            }
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use hamcnf_graph::graph_strategy::graphs;
    use proptest::prelude::*;

    /// True if the graph has a 2-factor. Tries all choices of edges, vertex by vertex.
    pub(crate) fn has_two_factor(graph: &Graph) -> bool {
        fn from(edges: &[(usize, usize)], left: &mut [u8]) -> bool {
            let Some((&(a, b), rest)) = edges.split_first() else {
                return left.iter().all(|&left| left == 0);
            };
            if left[a] > 0 && left[b] > 0 {
                left[a] -= 1;
                left[b] -= 1;
                if from(rest, left) {
                    return true;
                }
                left[a] += 1;
                left[b] += 1;
            }
            // Edges are sorted by their lesser ends, so a vertex that lacks edges after its last edge cannot get any
            // more.
            let last = rest.first().is_none_or(|&(next, _)| next > a);
            (!last || left[a] == 0) && from(rest, left)
        }
        let edges = graph.arcs().filter(|arc| arc.tail < arc.head);
        let edges: Vec<_> = edges.map(|arc| (arc.tail.index(), arc.head.index())).collect();
        from(&edges, &mut vec![2; graph.n_vertices() as usize])
    }

    /// True if `cycles` are vertex-disjoint cycles of the graph that together visit every vertex.
    pub(crate) fn are_cycles(graph: &Graph, cycles: &[Vec<Vertex>]) -> bool {
        let mut seen = vec![0; graph.n_vertices() as usize];
        for cycle in cycles {
            for (k, v) in cycle.iter().enumerate() {
                seen[v.index()] += 1;
                if graph.arc(*v, cycle[(k + 1) % cycle.len()]).is_none() {
                    return false;
                }
            }
        }
        cycles.iter().all(|cycle| cycle.len() >= 3) && seen.iter().all(|&times| times == 1)
    }

    /// Calls `found` with the Hamiltonian cycles of the graph, each in both directions from vertex 0, until it returns
    /// true. Tries all paths from vertex 0.
    pub(crate) fn any_cycle(graph: &Graph, found: &mut dyn FnMut(&[Vertex]) -> bool) -> bool {
        fn on(graph: &Graph, path: &mut Vec<Vertex>, found: &mut dyn FnMut(&[Vertex]) -> bool) -> bool {
            let last = path[path.len() - 1];
            if path.len() == graph.n_vertices() as usize {
                return graph.arc(last, path[0]).is_some() && found(path);
            }
            graph.neighbours(last).iter().any(|&next| {
                if path.contains(&next) {
                    return false;
                }
                path.push(next);
                let is_found = on(graph, path, found);
                path.pop();
                is_found
            })
        }
        graph.n_vertices() >= 3 && on(graph, &mut vec![Vertex::new(0)], found)
    }

    pub(crate) fn is_hamiltonian(graph: &Graph) -> bool {
        any_cycle(graph, &mut |_| true)
    }

    /// Returns the generalised Petersen graph GP(n, 2), which has no Hamiltonian cycle exactly if n is 5 modulo 6.
    pub(crate) fn petersen(n: u32) -> Graph {
        let edges = |v| [(v, (v + 1) % n), (v, n + v), (n + v, n + (v + 2) % n)];
        Graph::from_edges(2 * n, (0..n).flat_map(edges)).unwrap()
    }

    fn check(graph: &Graph, seed: Option<u64>) -> Result<(), TestCaseError> {
        let factor = two_factor(graph, seed, &Budget::default()).unwrap();
        prop_assert_eq!(factor.is_some(), has_two_factor(graph));
        if let Some(factor) = factor {
            let cycles = factor.cycles();
            prop_assert!(are_cycles(graph, &cycles));
            for (cycle, k) in cycles.iter().flat_map(|cycle| (0..cycle.len()).map(move |k| (cycle, k))) {
                let [before, after] = [k + cycle.len() - 1, k + 1].map(|k| cycle[k % cycle.len()]);
                prop_assert_eq!(factor.neighbours(cycle[k]), [before.min(after), before.max(after)]);
            }
        }
        Ok(())
    }

    /// Returns the subgraph of the edges that join an even-numbered and an odd-numbered vertex.
    fn bipartite(graph: &Graph) -> Graph {
        let edges = graph.arcs().map(|arc| (arc.tail.number(), arc.head.number()));
        let between = edges.filter(|(a, b)| a % 2 != b % 2);
        Graph::from_edges(graph.n_vertices(), between).unwrap()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]

        #[test]
        fn there_is_a_two_factor_if_and_only_if_trying_all_finds_one(
            graph in graphs(2..=8),
            seed in proptest::option::of(0u64..4),
        ) {
            check(&graph, seed)?;
        }

        #[test]
        fn so_it_is_in_bipartite_graphs(graph in graphs(4..=10), seed in proptest::option::of(0u64..4)) {
            check(&bipartite(&graph), seed)?;
        }
    }

    #[test]
    fn time_that_is_over_is_no_answer() {
        let board: hamcnf_tours::Board = "8x8".parse().unwrap();
        let budget = Budget::default().until(std::time::Instant::now());
        assert_eq!(two_factor(&board.graph(), None, &budget), Err(Stopped::Time));
    }
}
