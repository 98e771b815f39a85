//! Vertex order of any graph by beam search.
//!
//! A beam search builds the order vertex by vertex, and keeps the best partial orders of each length (Lowerre, *The
//! HARPY speech recognition system*, 1976). The next vertex of a partial order is a vertex of its frontier. Partial
//! orders of the same set of vertices have the same frontier, so only the first of them is kept. Orders are compared by
//! their cost, the sum of 3^f over their frontiers of f vertices.
//!
//! A partial order stores its frontier, and for each vertex of the frontier the number of its neighbours that are not
//! seen yet, which would enter the frontier next. Therefore the cost of a longer order takes constant time, and only
//! orders that are kept are written. The beam becomes narrower for large graphs, and for frontiers that are too wide
//! for a state.

use std::cmp::Ordering;
use std::collections::HashSet;

use hamcnf_graph::{Graph, Vertex};

use crate::frontier::order::power;
use crate::frontier::state::Degrees;

/// Maximum number of partial orders of the same length.
const BEAM: usize = 64;
/// Maximum number of partial orders of all lengths.
const MOST_ORDERS: usize = 1 << 18;
/// Size of the widest frontier that a state can hold. If all frontiers are wider, only one partial order is kept.
const WIDE: usize = Degrees::SLOTS;
/// Size of a frontier above which the other vertices follow in the order of their numbers.
const HOPELESS: usize = 256;
/// Marks the start of a chain of links.
const NONE: u32 = u32::MAX;

/// Finds a vertex order of a graph with small frontiers.
pub(crate) fn by_beam(graph: &Graph) -> Vec<Vertex> {
    let components = hamcnf_graph::connectivity::components(graph);
    let mut vertices = vec![Vec::new(); components.count() as usize];
    for v in graph.vertices() {
        vertices[components.of(v) as usize].push(v);
    }
    vertices.iter().flat_map(|component| Search::new(graph, component).order(component)).collect()
}

/// Search for an order of a connected component.
struct Search<'g> {
    graph: &'g Graph,
    beam: Vec<Partial>,
    /// Maximum number of partial orders of the same length.
    most: usize,
    /// Vertices of all partial orders, each with the index of the link before it.
    links: Vec<(u32, Vertex)>,
}

/// Partial vertex order.
#[derive(Clone)]
struct Partial {
    /// Index of the last vertex's link.
    last: u32,
    /// Position among the partial orders of the beam in lexicographic order.
    rank: u32,
    /// Combination of random numbers of the vertices.
    hash: u64,
    cost: f64,
    /// One bit per vertex, set if the vertex or one of its neighbours is in the order.
    seen: Vec<u64>,
    /// Vertices of the frontier in increasing order, each with the number of its neighbours that are not seen.
    frontier: Vec<(Vertex, u32)>,
}

/// Partial order that is longer by one vertex than an order of the beam.
struct Longer {
    /// Index of the shorter order in the beam.
    of: usize,
    rank: u32,
    vertex: Vertex,
    hash: u64,
    cost: f64,
    /// Number of vertices on the frontier.
    width: u32,
}

impl<'g> Search<'g> {
    fn new(graph: &'g Graph, component: &[Vertex]) -> Self {
        let empty = Partial {
            last: NONE,
            rank: 0,
            hash: 0,
            cost: 0.0,
            seen: vec![0; (graph.n_vertices() as usize).div_ceil(64)],
            frontier: Vec::new(),
        };
        Self { graph, beam: vec![empty], most: (MOST_ORDERS / component.len()).clamp(1, BEAM), links: Vec::new() }
    }

    /// Returns an order of the component's vertices.
    fn order(mut self, component: &[Vertex]) -> Vec<Vertex> {
        let degree = |v: &&Vertex| self.graph.degree(**v);
        let least = component.iter().map(|v| degree(&v)).min();
        let first = component.iter().filter(|v| Some(degree(v)) == least);
        let first: Vec<_> = first.take(BEAM).copied().collect();
        let mut next = first.iter().map(|&v| self.beam[0].longer(0, v, 1, self.graph.degree(v) as u32)).collect();
        for _ in component {
            self.keep(next);
            let widths = self.beam.iter().map(|partial| partial.frontier.len());
            let least = widths.min().unwrap_or(0);
            if least > HOPELESS {
                break;
            }
            if least > WIDE {
                self.most = 1;
            }
            next = self.next();
        }
        let mut order = Vec::with_capacity(component.len());
        let mut link = self.beam[0].last;
        while link != NONE {
            let (before, vertex) = self.links[link as usize];
            order.push(vertex);
            link = before;
        }
        order.reverse();
        if order.len() < component.len() {
            let taken: HashSet<Vertex> = order.iter().copied().collect();
            order.extend(component.iter().filter(|v| !taken.contains(v)));
        }
        order
    }

    /// Returns the partial orders that are longer by one vertex, with different sets of vertices.
    fn next(&self) -> Vec<Longer> {
        let mut known = HashSet::new();
        let longer = self.beam.iter().enumerate().flat_map(|(of, partial)| {
            let frontier = partial.frontier.iter();
            frontier.map(move |&(v, unseen)| partial.longer(of, v, 0, unseen))
        });
        longer.filter(|longer| known.insert(longer.hash)).collect()
    }

    /// Replaces the beam by the best of `next`.
    fn keep(&mut self, mut next: Vec<Longer>) {
        next.sort_unstable_by(Longer::compare);
        next.truncate(self.most);
        let mut ranks: Vec<_> = (0..next.len()).collect();
        ranks.sort_unstable_by_key(|&k| (next[k].rank, next[k].vertex));
        let mut left = vec![0; self.beam.len()];
        for longer in &next {
            left[longer.of] += 1;
        }
        let mut beam = Vec::with_capacity(next.len());
        for longer in next {
            left[longer.of] -= 1;
            // The last of several longer orders takes the memory of the shorter one.
            let of = &mut self.beam[longer.of];
            let mut partial = match left[longer.of] {
                0 => Partial { seen: std::mem::take(&mut of.seen), frontier: std::mem::take(&mut of.frontier), ..*of },
                _ => of.clone(),
            };
            partial.take(self.graph, longer.vertex);
            debug_assert_eq!(partial.frontier.len() as u32, longer.width);
            self.links.push((partial.last, longer.vertex));
            partial.last = self.links.len() as u32 - 1;
            (partial.hash, partial.cost) = (longer.hash, longer.cost);
            beam.push(partial);
        }
        for (rank, k) in (0..).zip(ranks) {
            beam[k].rank = rank;
        }
        self.beam = beam;
    }
}

impl Longer {
    /// Compares two orders: by their cost, by the width of the last frontier, and lexicographically.
    fn compare(&self, other: &Self) -> Ordering {
        let cost = self.cost.partial_cmp(&other.cost);
        cost.unwrap_or(Ordering::Equal)
            .then(self.width.cmp(&other.width))
            .then((self.rank, self.vertex).cmp(&(other.rank, other.vertex)))
    }
}

impl Partial {
    /// Returns this order with another vertex that has `unseen` neighbours that are not seen. `of` is the index of this
    /// order in the beam. `new` is 1 if the vertex is not on the frontier.
    fn longer(&self, of: usize, vertex: Vertex, new: u32, unseen: u32) -> Longer {
        let width = self.frontier.len() as u32 + new;
        Longer {
            of,
            rank: self.rank,
            vertex,
            hash: self.hash ^ random(vertex),
            cost: self.cost + power(width as usize),
            width: width - 1 + unseen,
        }
    }

    /// Takes a vertex off the frontier, and puts its neighbours there that are not seen.
    fn take(&mut self, graph: &Graph, v: Vertex) {
        match self.frontier.binary_search_by_key(&v, |&(w, _)| w) {
            Ok(place) => {
                self.frontier.remove(place);
            }
            Err(_) => self.see(graph, v),
        }
        for &w in graph.neighbours(v) {
            if !self.is_seen(w) {
                self.see(graph, w);
                let unseen = graph.neighbours(w).iter().filter(|&&x| !self.is_seen(x));
                let entry = (w, unseen.count() as u32);
                let place = self.frontier.partition_point(|&(x, _)| x < w);
                self.frontier.insert(place, entry);
            }
        }
    }

    /// Marks a vertex as seen. Its neighbours on the frontier have one neighbour less that is not seen.
    fn see(&mut self, graph: &Graph, v: Vertex) {
        self.seen[v.index() / 64] |= 1 << (v.index() % 64);
        let (near, frontier) = (graph.neighbours(v), &self.frontier);
        let is_near = |w: Vertex| near.binary_search(&w).is_ok();
        // The shorter of the two sorted lists is searched in the other.
        let places: Vec<usize> = match near.len() < frontier.len() {
            true => near.iter().filter_map(|&w| frontier.binary_search_by_key(&w, |&(x, _)| x).ok()).collect(),
            false => (0..frontier.len()).filter(|&place| is_near(frontier[place].0)).collect(),
        };
        for place in places {
            self.frontier[place].1 -= 1;
        }
    }

    fn is_seen(&self, v: Vertex) -> bool {
        self.seen[v.index() / 64] >> (v.index() % 64) & 1 == 1
    }
}

/// Returns a random number of a vertex, which is the same on all machines: Steele, Lea and Flood, *Fast splittable
/// pseudorandom number generators*, OOPSLA 2014.
fn random(v: Vertex) -> u64 {
    let mut z = (u64::from(v.number()) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frontier::order::{cost, width};
    use hamcnf_graph::graph_strategy::graphs;
    use proptest::prelude::*;

    #[test]
    fn a_beam_finds_the_path_width_of_easy_graphs() {
        let cycle = Graph::from_edges(30, (0..30).map(|i| (i * 7 % 30, (i + 1) * 7 % 30))).unwrap();
        assert_eq!(width(&cycle, &by_beam(&cycle)), 2);
        let grid = (0..5u32).flat_map(|r| (0..20u32).map(move |c| (r, c)));
        let grid = grid.flat_map(|(r, c)| {
            let at = move |r: u32, c: u32| r * 20 + c;
            let right = (c + 1 < 20).then(|| (at(r, c), at(r, c + 1)));
            let down = (r + 1 < 5).then(|| (at(r, c), at(r + 1, c)));
            right.into_iter().chain(down)
        });
        let grid = Graph::from_edges(100, grid).unwrap();
        assert!(width(&grid, &by_beam(&grid)) <= 6);
    }

    proptest! {
        #[test]
        fn orders_contain_each_vertex_once_and_have_the_cost_of_their_frontiers(graph in graphs(1..=12)) {
            let order = by_beam(&graph);
            let mut sorted = order.clone();
            sorted.sort_unstable();
            prop_assert!(sorted.into_iter().eq(graph.vertices()));
            let components = hamcnf_graph::connectivity::components(&graph);
            if components.count() == 1 {
                let vertices: Vec<_> = graph.vertices().collect();
                let mut search = Search::new(&graph, &vertices);
                for &v in &order {
                    let frontier = &search.beam[0].frontier;
                    let at = frontier.iter().find(|&&(w, _)| w == v);
                    let (new, unseen) = match at {
                        Some(&(_, unseen)) => (0, unseen),
                        None => (1, graph.degree(v) as u32),
                    };
                    let longer = search.beam[0].longer(0, v, new, unseen);
                    search.keep(vec![longer]);
                }
                prop_assert_eq!(search.beam[0].cost, cost(&graph, &order));
                prop_assert!(search.beam[0].frontier.is_empty());
            }
        }
    }

    /// Tests that the time does not grow with the square of the number of vertices, or with the degree of a hub.
    #[test]
    fn large_graphs_take_little_time() {
        const N: u32 = 20_000;
        let rim = (1..N).map(|v| (v, v % (N - 1) + 1));
        let wheel = Graph::from_edges(N, rim.chain((1..N).map(|v| (0, v)))).unwrap();
        assert_eq!(width(&wheel, &by_beam(&wheel)), 3);
    }
}
