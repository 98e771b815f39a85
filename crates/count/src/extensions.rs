//! Lazy listing of the tours of any graph: a depth-first walk that extends a path, vertex by vertex. It lists tours of
//! graphs that are too wide for a [sweep](super::frontier::walk).
//!
//! Open tours are Hamiltonian cycles of a graph with a few more vertices. A cycle passes the first vertex v between two
//! of its neighbours a < b; the path begins with v and a, and the last vertex is b, so each cycle is found in one
//! direction. Before the path goes on to a vertex, a search makes sure that the path can be completed: so there is no
//! dead end, and the time between two tours is that of a few searches. Small remainders are searched by backtracking,
//! and larger ones by the portfolio, whose tour then shows the way until the walk turns back. The memory is that of a
//! path and its neighbours.

use hamcnf_graph::{Graph, GraphError, Vertex};
use hamcnf_tours::endpoints::Endpoints;
use hamcnf_tours::{Instance, Tour};

use crate::rest::Rest;
use hamcnf_cycle::path_to_cycle::PathToCycle;
use hamcnf_graph::budget::{Budget, Stopped};

/// Maximum number of nodes of a search by backtracking.
const NODES: u64 = 1 << 14;

/// Vertex of the path, with the neighbours that have not been tried after it.
struct Place {
    vertex: Vertex,
    left: Vec<Vertex>,
}

/// Iterator over the tours of an instance. If the budget is over, the last item is the reason.
pub struct Extensions {
    instance: Instance,
    ends: Endpoints,
    closure: PathToCycle,
    graph: Graph,
    /// Pairs of neighbours of the first vertex that have not been tried.
    pairs: Vec<(Vertex, Vertex)>,
    /// Last vertex of the path when it is complete.
    last: Vertex,
    path: Vec<Place>,
    on_path: Vec<bool>,
    /// Path that is known to be complete, if it begins like the path.
    known: Vec<Vertex>,
    /// Tour that is the reverse of the last tour, if it has not been listed yet.
    reverse: Option<Tour>,
    budget: Budget,
    is_over: bool,
}

impl Extensions {
    /// Returns the tours of an undirected instance without constraints, with the endpoints `ends`.
    ///
    /// # Errors
    ///
    /// [`GraphError`] if the graph is too large.
    pub fn new(instance: &Instance, ends: Endpoints, budget: Budget) -> Result<Self, GraphError> {
        let closure = PathToCycle::new(instance.facts(), ends)?;
        let graph = closure.graph().unwrap_or(instance.graph()).clone();
        // The fewest pairs are at a vertex of minimum degree.
        let first = graph.vertices().min_by_key(|&v| graph.degree(v));
        let first = first.unwrap_or(Vertex::new(0));
        let near = graph.neighbours(first);
        let pairs = (0..near.len()).flat_map(|i| (i + 1..near.len()).map(move |j| (i, j)));
        let mut pairs: Vec<_> = pairs.map(|(i, j)| (near[i], near[j])).collect();
        pairs.reverse();
        let mut on_path = vec![false; graph.n_vertices() as usize];
        on_path[first.index()] = true;
        Ok(Self {
            instance: instance.clone(),
            ends,
            closure,
            pairs,
            last: first,
            path: vec![Place { vertex: first, left: Vec::new() }],
            on_path,
            known: Vec::new(),
            reverse: None,
            budget,
            is_over: false,
            graph,
        })
    }

    /// Appends a vertex to the path.
    fn enter(&mut self, vertex: Vertex) {
        self.on_path[vertex.index()] = true;
        let near = self.graph.neighbours(vertex).iter().copied();
        let mut left: Vec<_> = near.filter(|v| !self.on_path[v.index()]).collect();
        left.reverse();
        self.path.push(Place { vertex, left });
        // The vertex that the known path goes on to is tried first.
        if let Some(&next) = self.known.get(self.path.len())
            && self.is_known()
            && let Some(place) = self.path.last_mut()
            && let Some(at) = place.left.iter().position(|&v| v == next)
        {
            place.left[at..].rotate_left(1);
        }
    }

    /// True if the known path begins like the path.
    fn is_known(&self) -> bool {
        let path = self.path.iter().map(|place| place.vertex);
        path.eq(self.known.iter().take(self.path.len()).copied())
    }

    /// True if some Hamiltonian cycle begins with the path and `next`, and ends with the last vertex.
    fn can_go_on(&mut self, next: Vertex) -> Result<bool, Stopped> {
        if self.known.get(self.path.len()) == Some(&next) && self.is_known() {
            return Ok(true);
        }
        let is_left = |v: &Vertex| !self.on_path[v.index()] && *v != next;
        let left: Vec<_> = self.graph.vertices().filter(is_left).collect();
        if left.is_empty() || next == self.last {
            return Ok(left.is_empty() && next == self.last);
        }
        let mut number = vec![None; self.graph.n_vertices() as usize];
        for (k, v) in (0..).zip([next].iter().chain(&left)) {
            number[v.index()] = Some(k);
        }
        let edges = self.graph.arcs().filter_map(|arc| {
            let [v, w] = [arc.tail, arc.head].map(|v| number[v.index()]);
            Some((v?, w?)).filter(|(v, w): &(u32, u32)| v < w)
        });
        let edges: Vec<_> = edges.collect();
        let last = number[self.last.index()].unwrap_or(0);
        let n = left.len() as u32 + 1;
        if n == 2 {
            return Ok(!edges.is_empty());
        }
        let rest = Rest { n, edges, paths: vec![(0, last)] };
        if let Some(found) = rest.has_tour(NODES, &self.budget)? {
            return Ok(found);
        }
        let Some(mut cycle) = rest.tour(false, &self.budget)? else {
            return Ok(false);
        };
        // The cycle begins with `next`, and the last vertex is beside it.
        if cycle[1] == last {
            cycle[1..].reverse();
        }
        let all: Vec<_> = [next].into_iter().chain(left).collect();
        self.known = self.path.iter().map(|place| place.vertex).collect();
        self.known.extend(cycle.into_iter().map(|v| all[v as usize]));
        Ok(true)
    }

    /// Goes on to the next complete path. Returns `None` if there is none.
    fn advance(&mut self) -> Result<Option<Vec<Vertex>>, Stopped> {
        loop {
            self.budget.check()?;
            let Some(place) = self.path.last_mut() else {
                return Ok(None);
            };
            let Some(next) = place.left.pop() else {
                if self.path.len() > 1 {
                    if let Some(place) = self.path.pop() {
                        self.on_path[place.vertex.index()] = false;
                    }
                    continue;
                }
                let Some((second, last)) = self.pairs.pop() else {
                    return Ok(None);
                };
                self.last = last;
                self.known.clear();
                self.path[0].left = vec![second];
                continue;
            };
            if !self.can_go_on(next)? {
                continue;
            }
            self.enter(next);
            if self.path.len() == self.on_path.len() {
                return Ok(Some(self.path.iter().map(|place| place.vertex).collect()));
            }
        }
    }

    /// Returns the tour of a cycle, and its reverse if it is another tour.
    fn tours(&self, cycle: Vec<Vertex>) -> (Tour, Option<Tour>) {
        let order = self.closure.open(cycle, self.instance.start());
        let checked = |order: Vec<Vertex>| {
            let from = order.first().and_then(|&first| self.instance.starting_at(first).ok());
            let tour = from.and_then(|from| Tour::check(&from, order).ok());
            tour.expect("a cycle of the graph with new vertices is a tour")
        };
        let is_both = self.ends.directions() > 1 && order.len() > 1;
        let reverse = is_both.then(|| checked(order.iter().rev().copied().collect()));
        (checked(order), reverse)
    }
}

impl Iterator for Extensions {
    type Item = Result<Tour, Stopped>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(tour) = self.reverse.take() {
            return Some(Ok(tour));
        }
        if self.is_over {
            return None;
        }
        let next = self.advance();
        self.is_over = !matches!(next, Ok(Some(_)));
        let cycle = next.transpose()?;
        Some(cycle.map(|cycle| {
            let (tour, reverse) = self.tours(cycle);
            self.reverse = reverse;
            tour
        }))
    }
}
