//! Local search for a Hamiltonian cycle. It modifies sets of cycles whose steps need not be edges of the graph.
//!
//! The cycles of a set together visit every vertex once. A step between two vertices that are not adjacent is a *gap*.
//! The cost is the number of gaps plus the number of cycles beyond the first. The search starts with a single cycle: a
//! greedy choice of edges gives paths, and gaps join these paths.
//!
//! An exchange of steps first removes a gap t_0t_1, or a step of a cycle other than the longest. From t_1, it continues
//! as a walk that alternately inserts edges of the graph and removes steps of the cycles. An edge or a new gap closes
//! the walk. The search applies a walk at once if it reduces the cost. If no walk of bounded length reduces the cost,
//! the search applies a walk that leaves the cost unchanged. Thus gaps move through the graph until an edge can replace
//! them. Among the walks that leave the cost unchanged, the search prefers a walk that ends at a vertex where no recent
//! walk started. This prevents repetitions. Some walks close a gap and add a cycle, or do the reverse. Such walks lead
//! to tours that cannot be reached by moving gaps alone.
//!
//! [`search`] first [reduces](super::reduction) the graph, and then searches each resulting graph separately. The
//! search never removes the two edges at a vertex of degree 2.
//!
//! # References
//!
//! - S. Lin, B. W. Kernighan: *An effective heuristic algorithm for the traveling-salesman problem*, Operations
//!   Research 21, 1973.
//! - K. Helsgaun: *An effective implementation of the Lin–Kernighan traveling salesman heuristic*, European Journal
//!   of Operational Research 126, 2000.
//! - P. Baniasadi, V. Ejov, J. A. Filar, M. Haythorpe, S. Rossomakhine: *Deterministic "Snakes and Ladders" Heuristic
//!   for the Hamiltonian cycle problem*, Mathematical Programming Computation 6, 2014.

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use hamcnf_graph::{Graph, Vertex};

use super::cover::{Cover, Exchange, LONGEST, joined, put_in, removed};
use super::factor::{Factor, start};
use super::links::{NONE, onward};
use super::reduction::{Reduced, reduce};
use super::{Budget, Found, Stopped, below};

/// Limit on the edges that [`search`] examines, as a multiple of the number of arcs of the graph.
const LOOKS_PER_ARC: u64 = 1_000_000;
/// Maximum number of steps that an exchange removes, for the three searches of one call of `Search::step`. The second
/// search collects all walks that leave the cost unchanged. The third search mainly looks for a lower cost. It runs if
/// the second search finds no such walk, and otherwise about every fourth time.
const DEPTHS: [usize; 3] = [2, LEVEL, 8];
/// Maximum number of steps that an exchange removes in the second search of a call of `Search::step`.
const LEVEL: usize = 5;
/// Maximum number of edges that one search for an exchange examines.
const LOOKS: u64 = 1500;
/// Number of vertex relabellings or gap checks that take as much time as examining one edge.
const TOUCHED_PER_LOOK: u64 = 8;
/// Number of calls of `Search::step` without an exchange before the search makes a random exchange.
const IDLE: u32 = 50;
/// Number of edges examined between two checks of the budget.
const STEPS: u64 = 1 << 13;

/// Searches for a Hamiltonian cycle until it finds one, the budget is exhausted, or it has examined `LOOKS_PER_ARC`
/// edges per arc. Returns [`Found::NoCycle`] only if the reductions prove that there is no Hamiltonian cycle.
pub fn search(graph: &Graph, seed: u64, budget: &Budget) -> Found {
    let reduction = match reduce(graph, budget) {
        Err(ended) => return Found::Unknown(ended),
        Ok(Reduced::None) => return Found::NoCycle,
        Ok(Reduced::Parts(reduction)) => reduction,
    };
    let parts = reduction.parts().iter();
    let cycles: Result<Vec<_>, _> = parts
        .map(|part| {
            let most = LOOKS_PER_ARC.saturating_mul(u64::from(part.n_arcs()));
            run(part, seed, most, budget)
        })
        .collect();
    cycles.map_or_else(Found::Unknown, |cycles| Found::Cycle(reduction.lift(&cycles)))
}

/// Searches for a Hamiltonian cycle without reducing the graph first. Gives up after examining `most` edges; an edge
/// counts each time it is examined. Never returns [`Found::NoCycle`].
pub fn search_within(graph: &Graph, seed: u64, most: u64, budget: &Budget) -> Found {
    run(graph, seed, most, budget).map_or_else(Found::Unknown, Found::Cycle)
}

fn run(graph: &Graph, seed: u64, most: u64, budget: &Budget) -> Result<Vec<Vertex>, Stopped> {
    if graph.n_vertices() < 3 || graph.vertices().any(|v| graph.degree(v) < 2) {
        return Err(Stopped::GaveUp);
    }
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let links = start(graph, random.next_u64(), budget)?;
    let cover = Cover::new(tour(links));
    let mut search = Search {
        graph,
        gaps: gaps(graph, &cover),
        ends: vec![0; graph.n_vertices() as usize],
        cover,
        random,
        budget,
        looked: 0,
        most,
        walk: Vec::with_capacity(LONGEST),
        near: vec![0; graph.n_vertices() as usize],
        now: 0,
        used: vec![0; graph.n_vertices() as usize],
        best: None,
        ties: 0,
        idle: 0,
    };
    for &(v, w) in &search.gaps {
        search.ends[v as usize] += 1;
        search.ends[w as usize] += 1;
    }
    while !search.gaps.is_empty() || search.cover.count() > 1 {
        search.step()?;
    }
    let factor = Factor::of_links(search.cover.into_links());
    Ok(factor.cycles().swap_remove(0))
}

/// Builds a single cycle from paths and cycles, with gaps between them. Opens each cycle to a path, and joins the end
/// of each path to the start of the next path.
fn tour(mut links: Vec<[u32; 2]>) -> Vec<[u32; 2]> {
    let n = links.len() as u32;
    let mut seen = vec![false; links.len()];
    let mut order = Vec::with_capacity(links.len());
    let mut walk = |links: &[[u32; 2]], seen: &mut [bool], from: u32| {
        let [a, b] = links[from as usize];
        let (mut before, mut v) = (if a == NONE { a } else { b }, from);
        while v != NONE && !std::mem::replace(&mut seen[v as usize], true) {
            order.push(v);
            (before, v) = (v, onward(links, before, v));
        }
    };
    for v in 0..n {
        if !seen[v as usize] && links[v as usize].contains(&NONE) {
            walk(&links, &mut seen, v);
        }
    }
    for v in 0..n {
        if !seen[v as usize] {
            walk(&links, &mut seen, v);
        }
    }
    for (k, &v) in order.iter().enumerate() {
        let before = order[(k + order.len() - 1) % order.len()];
        links[v as usize] = [before, order[(k + 1) % order.len()]];
    }
    links
}

/// Returns the gaps of a set of cycles: the steps that are not edges of the graph.
fn gaps(graph: &Graph, cover: &Cover) -> Vec<(u32, u32)> {
    let links = (0..).zip(cover.all_links());
    let steps = links.flat_map(|(v, links)| links.map(|w| (v, w)));
    let gap = |&(v, w): &(u32, u32)| v < w && graph.arc(Vertex::new(v), Vertex::new(w)).is_none();
    steps.filter(gap).collect()
}

struct Search<'a> {
    graph: &'a Graph,
    cover: Cover,
    gaps: Vec<(u32, u32)>,
    /// Indexed by vertex: the number of gaps (steps that are not edges of the graph) that end at the vertex.
    ends: Vec<u8>,
    random: ChaCha8Rng,
    budget: &'a Budget,
    /// Number of edges examined so far.
    looked: u64,
    /// Maximum number of edges to examine.
    most: u64,
    walk: Vec<u32>,
    /// Indexed by vertex: the number of the last call of `step` whose walk began at a neighbour of this vertex. Calls
    /// are numbered from 1; 0 stands for no call.
    near: Vec<u64>,
    /// Number of the current call of `step`. Calls are numbered from 1.
    now: u64,
    /// Indexed by vertex: the number of the last call of `step` whose walk had the vertex in first or second place; 0
    /// for no call.
    used: Vec<u64>,
    /// Rank and vertices of the best walk found that leaves the cost unchanged. The rank of a walk is the entry of
    /// `used` for its last vertex; lower ranks are better.
    best: Option<(u64, Vec<u32>)>,
    /// Number of walks found that are as good as `best`, including `best`.
    ties: usize,
    /// Number of calls of `step` since the last exchange.
    idle: u32,
}

impl Search<'_> {
    /// Searches for an exchange that does not increase the cost (gaps plus cycles beyond the first). Applies the
    /// exchange if one is found.
    fn step(&mut self) -> Result<(), Stopped> {
        self.now += 1;
        self.idle += 1;
        self.look()?;
        if self.idle > IDLE {
            self.kick();
        }
        let Some((first, second)) = self.begin() else {
            return Ok(());
        };
        for w in self.graph.neighbours(Vertex::new(first)) {
            self.near[w.index()] = self.now;
        }
        self.used[first as usize] = self.now;
        self.used[second as usize] = self.now;
        self.best = None;
        self.ties = 0;
        let mut found = None;
        for depth in DEPTHS {
            self.walk.clear();
            self.walk.extend([first, second]);
            found = self.extend(depth, self.looked + LOOKS)?;
            let enough = depth >= LEVEL && self.best.is_some() && !self.looked.is_multiple_of(4);
            if found.is_some() || enough {
                break;
            }
        }
        let mut walk = std::mem::take(&mut self.walk);
        if found.is_none()
            && let Some((_, best)) = self.best.take()
        {
            found = Some(self.cover.outcome(&best));
            walk = best;
        }
        if let Some(outcome) = found {
            self.idle = 0;
            self.take(&walk, &outcome);
        }
        self.walk = walk;
        Ok(())
    }

    /// Counts an examined edge, checks the work limit, and checks the budget from time to time. Returns an error if the
    /// limit is exceeded or the budget is exhausted.
    fn look(&mut self) -> Result<(), Stopped> {
        self.looked += 1;
        if self.looked.is_multiple_of(STEPS) {
            self.budget.check()?;
        }
        if self.looked > self.most {
            return Err(Stopped::GaveUp);
        }
        Ok(())
    }

    /// Makes a random exchange regardless of its cost. Does nothing if the randomly chosen walk is not a valid
    /// exchange.
    fn kick(&mut self) {
        let v = below(&mut self.random, self.used.len()) as u32;
        let w = self.cover.links(v)[below(&mut self.random, 2)];
        if !self.is_free(v, w) {
            return;
        }
        let mut walk = vec![v, w];
        for _ in 0..LEVEL {
            let last = walk[walk.len() - 1];
            let neighbours = self.graph.neighbours(Vertex::new(last));
            let w = neighbours[below(&mut self.random, neighbours.len())].number();
            let x = self.cover.links(w)[below(&mut self.random, 2)];
            let new = w != v && !self.cover.has(last, w) && !put_in(&walk, last, w);
            if new && !removed(&walk, w, x) && self.is_free(w, x) {
                walk.extend([w, x]);
            }
        }
        let x = walk[walk.len() - 1];
        if walk.len() > 2 && x != v && !self.cover.has(x, v) && !put_in(&walk, x, v) {
            let outcome = self.cover.outcome(&walk);
            self.take(&walk, &outcome);
            self.idle = 0;
        }
    }

    /// Chooses at random the first step that an exchange removes, and its direction. The step is a gap, or belongs to a
    /// cycle other than the longest. Returns `None` if the chosen step must stay, because it is an edge at a vertex of
    /// degree 2.
    fn begin(&mut self) -> Option<(u32, u32)> {
        let rings = self.cover.count() - 1;
        let choice = below(&mut self.random, self.gaps.len() + rings);
        let end = below(&mut self.random, 2);
        if let Some(&(v, w)) = self.gaps.get(choice) {
            return Some(if end == 0 { (v, w) } else { (w, v) });
        }
        let v = self.cover.random_vertex(choice - self.gaps.len(), &mut self.random);
        let w = self.cover.links(v)[end];
        self.is_free(v, w).then_some((v, w))
    }

    fn take(&mut self, walk: &[u32], outcome: &Exchange) {
        for pair in walk.chunks_exact(2) {
            if self.is_gap(pair[0], pair[1]) {
                for &v in pair {
                    self.ends[v as usize] -= 1;
                }
            }
        }
        self.cover.exchange(walk, outcome);
        let touched = self.cover.take_labelled() + self.gaps.len() as u64;
        self.looked += touched / TOUCHED_PER_LOOK;
        let cover = &self.cover;
        self.gaps.retain(|&(v, w)| cover.has(v, w));
        for k in (1..walk.len()).step_by(2) {
            let (v, w) = (walk[k], walk[joined(k, walk.len())]);
            if self.graph.arc(Vertex::new(v), Vertex::new(w)).is_none() {
                self.gaps.push((v, w));
                self.ends[v as usize] += 1;
                self.ends[w as usize] += 1;
            }
        }
    }

    fn is_gap(&self, v: u32, w: u32) -> bool {
        let ends = self.ends[v as usize] > 0 && self.ends[w as usize] > 0;
        ends && self.graph.arc(Vertex::new(v), Vertex::new(w)).is_none()
    }

    /// Returns the outcome of closing the walk, and the change of the cost. If `by_edge` is true, an edge closes the
    /// walk, otherwise a gap.
    fn cost(&self, by_edge: bool) -> (Exchange, i32) {
        let outcome = self.cover.outcome(&self.walk);
        let steps = self.walk.chunks_exact(2);
        let gone = steps.filter(|pair| self.is_gap(pair[0], pair[1])).count() as i32;
        let cost = outcome.change + i32::from(!by_edge) - gone;
        (outcome, cost)
    }

    /// True if an exchange may remove the step vw: both vertices have degree more than 2, or the step is a gap.
    fn is_free(&self, v: u32, w: u32) -> bool {
        let degree = |v| self.graph.degree(Vertex::new(v));
        (degree(v) > 2 && degree(w) > 2) || self.graph.arc(Vertex::new(v), Vertex::new(w)).is_none()
    }

    /// Extends the walk until closing it reduces the cost, and returns the outcome of the exchange. Returns `None` if
    /// no extension reduces the cost. Removes at most `depth` steps, and stops when `looked` exceeds `limit`.
    fn extend(&mut self, depth: usize, limit: u64) -> Result<Option<Exchange>, Stopped> {
        let graph = self.graph;
        let (first, last) = (self.walk[0], self.walk[self.walk.len() - 1]);
        let neighbours = graph.neighbours(Vertex::new(last));
        let turn = below(&mut self.random, neighbours.len());
        let (late, early) = neighbours.split_at(turn);
        for w in early.iter().chain(late) {
            let w = w.number();
            if self.cover.has(last, w) || w == first || put_in(&self.walk, last, w) {
                continue;
            }
            for x in self.cover.links(w) {
                self.look()?;
                if self.looked > limit {
                    return Ok(None);
                }
                if removed(&self.walk, w, x) || !self.is_free(w, x) {
                    continue;
                }
                self.walk.extend([w, x]);
                let closes = x != first && !self.cover.has(first, x) && !put_in(&self.walk, first, x);
                if closes && let Some(outcome) = self.close(x) {
                    return Ok(Some(outcome));
                }
                if self.walk.len() < 2 * depth
                    && let Some(outcome) = self.extend(depth, limit)?
                {
                    return Ok(Some(outcome));
                }
                self.walk.truncate(self.walk.len() - 2);
            }
        }
        Ok(None)
    }

    /// Returns the outcome of closing the walk if closing it reduces the cost. If closing it leaves the cost unchanged,
    /// may store the walk in `best`. `end` is the last vertex of the walk.
    fn close(&mut self, end: u32) -> Option<Exchange> {
        let by_edge = self.near[end as usize] == self.now;
        let used = self.used[end as usize];
        let best = self.best.as_ref().map(|best| best.0);
        let short = self.walk.len() <= 2 * LEVEL || best.is_none();
        let welcome = short && best.is_none_or(|best| used <= best);
        // If there is one cycle with one gap, closing the walk with another gap cannot reduce the cost.
        let hopeful = by_edge || self.gaps.len() > 1 || self.cover.count() > 1;
        if !welcome && !hopeful {
            return None;
        }
        let (outcome, cost) = self.cost(by_edge);
        if cost < 0 {
            return Some(outcome);
        }
        if cost == 0 && welcome {
            // Choose uniformly among the walks that are equally good.
            self.ties = if best == Some(used) { self.ties + 1 } else { 1 };
            if below(&mut self.random, self.ties) == 0 {
                self.best = Some((used, self.walk.clone()));
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::super::alternating::tests::shuffled;
    use super::super::factor::tests::{are_cycles, is_hamiltonian};
    use super::*;
    use hamcnf_graph::graph_strategy::graphs;
    use hamcnf_tours::Board;
    use proptest::prelude::*;

    fn within(time: Duration) -> Budget {
        Budget::default().until(Instant::now() + time)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        #[test]
        fn small_graphs_with_a_cycle_have_it_found(graph in graphs(2..=8), seed in 0u64..4) {
            let hamiltonian = is_hamiltonian(&graph);
            let time = Duration::from_millis(if hamiltonian { 2_000 } else { 5 });
            match search(&graph, seed, &within(time)) {
                Found::Cycle(cycle) => prop_assert!(are_cycles(&graph, &[cycle])),
                Found::NoCycle | Found::Unknown(_) => prop_assert!(!hamiltonian),
            }
            let most = if hamiltonian { u64::MAX } else { 1_000 };
            match search_within(&graph, seed, most, &within(time)) {
                Found::Cycle(cycle) => prop_assert!(are_cycles(&graph, &[cycle])),
                Found::NoCycle => prop_assert!(false, "it is not exact"),
                Found::Unknown(_) => prop_assert!(!hamiltonian),
            }
        }

        #[test]
        fn a_start_is_one_cycle(graph in graphs(3..=12), seed in 0u64..4) {
            let links = start(&graph, seed, &Budget::default()).unwrap();
            let tour = Factor::of_links(tour(links.clone())).cycles();
            prop_assert_eq!(tour.len(), 1);
            prop_assert_eq!(tour[0].len(), links.len());
        }
    }

    /// Returns a randomly numbered cycle with a random chord at every second vertex. The average degree is three, and
    /// some vertices have degree two.
    fn sparse(n: u32, seed: u64) -> Graph {
        let cycle = (0..n).map(|v| (v, (v + 1) % n));
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut chords = Vec::new();
        for v in 0..n {
            let w = below(&mut random, n as usize) as u32;
            if v != w && v.is_multiple_of(2) {
                chords.push((v, w));
            }
        }
        shuffled(&Graph::from_edges(n, cycle.chain(chords)).unwrap(), seed)
    }

    #[test]
    fn sparse_graphs_and_boards_are_solved() {
        let board: Board = "24x24".parse().unwrap();
        let mut graphs = vec![shuffled(&board.graph(), 1)];
        graphs.extend((0..4).map(|seed| sparse(400, seed)));
        for graph in graphs {
            let budget = within(Duration::from_secs(10));
            match search(&graph, 1, &budget) {
                Found::Cycle(cycle) => assert!(are_cycles(&graph, &[cycle])),
                other => panic!("{} vertices: {other:?}", graph.n_vertices()),
            }
        }
    }

    #[test]
    fn it_ends_in_time() {
        // The graph is bipartite with sides of unequal size, so it has no Hamiltonian cycle.
        let board: Board = "301x301".parse().unwrap();
        let begin = Instant::now();
        let found = search(&board.graph(), 1, &within(Duration::from_millis(300)));
        assert_eq!(found, Found::Unknown(Stopped::Time));
        assert!(begin.elapsed() < Duration::from_secs(2));
    }
}
