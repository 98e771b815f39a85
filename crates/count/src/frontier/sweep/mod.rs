//! Sweep over the vertices of a graph, and the frontier after each vertex.
//!
//! Open tours are reduced to closed tours by adding vertices. If no end is given, a new vertex, the *apex*, is adjacent
//! to every vertex; removing the apex turns a cycle into a path. If one end s is given, the apex is adjacent to all
//! other vertices, and a second new vertex, the *tie*, is adjacent to the apex and s only. The two edges of the tie are
//! in every cycle, so s is an end of the path. If both ends are given, the only new vertex is a tie between them. Thus
//! undirected Hamiltonian cycles are counted in every case.

pub(crate) mod corners;
pub(crate) mod element;
pub(crate) mod question;

pub(crate) use corners::corners;
pub(crate) use element::{Element, ordered};
pub(crate) use question::{Counted, Question};

use std::cmp::Ordering;

use hamcnf_graph::{Graph, Vertex};
use hamcnf_tours::{Board, Instance};

use crate::frontier::order::{ByLines, GraphOrder, cost, width};
use crate::frontier::state::{Connections, Corners, Degrees};
use hamcnf_tours::endpoints::Endpoints;

/// Vertex of the frontier and its slot. The slot is the position of the vertex in a state. It stays the same as long as
/// the vertex is on the frontier.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Seat {
    pub(crate) vertex: Vertex,
    pub(crate) slot: u32,
}

/// Step of a sweep at one vertex: the choice of its edges to later vertices.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub(crate) vertex: Vertex,
    pub(crate) slot: u32,
    /// Later neighbours of the vertex; some of them enter the frontier in this step.
    pub(crate) later: Vec<Seat>,
    /// Mask of the degree bits that this step leaves unchanged.
    pub(crate) untouched: u64,
    /// Weights of the edges to the later neighbours; no entries in an unweighted graph.
    connections: Vec<Connections>,
    /// Contributions to a statistic; empty in a sweep without a statistic.
    pub(crate) corners: Corners,
}

impl Step {
    /// Returns the product of the weights of edges, which are given by their indices in `later`.
    #[inline]
    pub(crate) fn weight(&self, edges: [Option<usize>; 2]) -> Connections {
        let of = |edge: Option<usize>| edge.map_or(Connections::EVEN, |edge| self.connections[edge]);
        if self.connections.is_empty() { Connections::EVEN } else { of(edges[0]).times(of(edges[1])) }
    }
}

/// Sweep over a graph: an order of the vertices, with the frontier after each vertex.
#[derive(Clone, Debug)]
pub(crate) struct Sweep {
    steps: Vec<Step>,
    /// Entry t: the frontier after t vertices, in the order of the sweep.
    frontiers: Vec<Vec<Seat>>,
    /// Entry t: the mirror image of each slot after t vertices. `None` if the set of the first t vertices is not its
    /// own mirror image.
    mirrors: Vec<Option<Vec<u32>>>,
    /// Entry t: the slots of the frontier after t vertices, in the order in which the ends of paths are numbered. This
    /// order of the vertices is the same for all frontiers.
    numbered: Vec<Vec<u32>>,
    slots: usize,
    graph: Graph,
    place: Vec<usize>,
    apex: Option<Vertex>,
    weights: Weights,
}

/// Weights of the states of a sweep.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Weights {
    /// Numbers of partial tours.
    Numbers,
    /// Polynomials modulo x² − 1, where the edges have [`Connections`] as weights.
    Connections,
    /// Polynomials in which x^s stands for the value s of a statistic.
    Statistic,
}

/// Error for an instance whose frontier has more vertices than a state can hold.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{instance}: {}", self.why())]
pub struct TooWide {
    /// Name of the instance.
    pub instance: String,
    /// Number of vertices on the widest frontier.
    pub width: usize,
    /// Maximum number of frontier vertices that a state can hold.
    pub most: usize,
}

impl TooWide {
    /// Returns the error message without the name of the instance.
    pub fn why(&self) -> String {
        let Self { width, most, .. } = self;
        format!(
            "the graph is too wide: in the best vertex order that was found, the frontier has {width} vertices, but a state can have at most {most}"
        )
    }
}

impl Sweep {
    /// Creates a sweep over an instance's graph for tours with the endpoints `ends`, along the best vertex order that is
    /// found. `most` is the maximum number of slots of a state.
    pub(crate) fn new(instance: &Instance, ends: Endpoints, most: usize) -> Result<Self, TooWide> {
        // A sweep for open tours has up to two more vertices on its frontier.
        let added = ends.given().count().min(1) + usize::from(ends != Endpoints::Closed);
        Self::by(instance, ends, &GraphOrder::of(instance, most - added), most)
    }

    /// Creates a sweep like [`new`](Self::new) along an order of the vertices.
    pub(crate) fn by(
        instance: &Instance,
        ends: Endpoints,
        order: &GraphOrder<'_>,
        most: usize,
    ) -> Result<Self, TooWide> {
        let (board, mut order) = match order {
            GraphOrder::Lines(board, lines) => (Some((*board, lines)), lines.squares(board)),
            GraphOrder::Vertices(order) => (None, order.clone()),
        };
        let original = instance.graph();
        let n = original.n_vertices();
        let (apex, tie) = match (ends, ends.given().count()) {
            (Endpoints::Closed, _) => (None, None),
            (_, 0) => (Some(n), None),
            (_, 1) => (Some(n), Some(n + 1)),
            _ => (None, Some(n)),
        };
        let is_given = |v: Vertex| ends.given().any(|end| end == v);
        let graph = match ends {
            Endpoints::Closed => original.clone(),
            Endpoints::Open { .. } => {
                let edges = original.arcs().filter(|arc| arc.tail < arc.head);
                let edges = edges.map(|arc| (arc.tail.number(), arc.head.number()));
                let others = original.vertices().filter(|&v| !is_given(v));
                let fan = apex.map(|apex| others.map(move |v| (v.number(), apex)));
                let tied = ends.given().map(Vertex::number).chain(apex);
                let tied = tie.map(|tie| tied.map(move |v| (v, tie)));
                let new = fan.into_iter().flatten().chain(tied.into_iter().flatten());
                let vertices = n + u32::from(apex.is_some()) + u32::from(tie.is_some());
                let extended = Graph::from_edges(vertices, edges.chain(new));
                extended.expect("the graph has at most two additional vertices")
            }
        };
        if let Some(tie) = tie {
            let place = order.iter().position(|&v| is_given(v)).unwrap_or(0);
            order.insert(place, Vertex::new(tie));
        }
        order.extend(apex.map(Vertex::new));
        let mirror = |v: Vertex| match board {
            Some((board, lines)) if v.number() < n => lines.mirrored(board, v),
            _ => v,
        };
        let symmetric = board.is_some() && ends.given().all(|end| is_given(mirror(end)));
        // Check the width before allocating memory in proportion to it.
        let width = width(&graph, &order);
        if width > most {
            return Err(TooWide { instance: instance.to_string(), width, most });
        }
        let mirror = symmetric.then_some(&mirror as &dyn Fn(Vertex) -> Vertex);
        let key = |v: Vertex| match board {
            Some((board, lines)) if v.number() < n => lines.number(board, v),
            _ => (u32::MAX, i64::from(v.number())),
        };
        Ok(Self::along(graph, &order, mirror, &key, apex.map(Vertex::new)))
    }

    /// Creates a sweep for each instance. If the instances have [common lines](Self::common_lines), all sweeps proceed
    /// along them. Then the first steps of all sweeps are the same.
    pub(crate) fn several(questions: &[(Instance, Endpoints)], most: usize) -> Result<Vec<Self>, TooWide> {
        let common = Self::common_lines(questions.iter().map(|(instance, _)| instance));
        let sweeps = questions.iter().map(|(instance, ends)| match instance.board().zip(common.clone()) {
            Some((board, lines)) => Self::by(instance, *ends, &GraphOrder::Lines(board, lines), most),
            None => Self::new(instance, *ends, most),
        });
        sweeps.collect()
    }

    /// Returns the best lines of the last board if the instances are several boards that differ only in the length of one
    /// side.
    pub(crate) fn common_lines<'a>(instances: impl Iterator<Item = &'a Instance>) -> Option<ByLines> {
        let instances: Vec<_> = instances.collect();
        let boards: Option<Vec<_>> = instances.iter().map(|instance| instance.board()).collect();
        let (boards, last) = (boards?, instances.last()?);
        let board = last.board()?;
        let is_alike = |of: fn(&Board) -> u32| boards.iter().all(|b| of(b) == of(board));
        let same_piece = boards.iter().all(|b| b.piece() == board.piece());
        match (is_alike(Board::rows), is_alike(Board::cols)) {
            _ if !same_piece => None,
            (true, false) => Some(ByLines::along(board, false)),
            (false, true) => Some(ByLines::along(board, true)),
            _ => None,
        }
    }

    /// Returns the number of steps after which a count along `self` branches off from a count along `longer`. Up to
    /// there, both sweeps have the same steps and frontiers, and no tour is complete, so both counts have the same
    /// states.
    pub(crate) fn branch(&self, longer: &Self) -> usize {
        let slots = |sweep: &Self, t: usize| -> Vec<u32> { sweep.frontiers[t].iter().map(|seat| seat.slot).collect() };
        let later =
            |sweep: &Self, t: usize| -> Vec<u32> { sweep.steps[t].later.iter().map(|seat| seat.slot).collect() };
        let shared = (0..self.n().min(longer.n())).take_while(|&t| {
            self.steps[t].slot == longer.steps[t].slot
                && self.steps[t].connections == longer.steps[t].connections
                && later(self, t) == later(longer, t)
                && slots(self, t + 1) == slots(longer, t + 1)
                && self.numbered[t + 1] == longer.numbered[t + 1]
                && self.mirrors[t + 1] == longer.mirrors[t + 1]
                && self.unseen(t + 1) > 0
                && longer.unseen(t + 1) > 0
        });
        shared.count()
    }

    /// Creates a sweep over a graph along an order of all its vertices. Ends of paths are numbered in the order of their
    /// `key`.
    pub(crate) fn along(
        graph: Graph,
        order: &[Vertex],
        mirror: Option<&dyn Fn(Vertex) -> Vertex>,
        key: &dyn Fn(Vertex) -> (u32, i64),
        apex: Option<Vertex>,
    ) -> Self {
        let n = order.len();
        let mut place = vec![0; n];
        for (t, v) in order.iter().enumerate() {
            place[v.index()] = t;
        }
        let mut free: Vec<bool> = Vec::new();
        let mut slot_of: Vec<Option<u32>> = vec![None; n];
        let mut take = |free: &mut Vec<bool>, v: Vertex| {
            *slot_of[v.index()].get_or_insert_with(|| {
                let slot = free.iter().position(|&f| f).unwrap_or(free.len());
                if slot == free.len() {
                    free.push(true);
                }
                free[slot] = false;
                slot as u32
            })
        };
        let mut frontier: Vec<Seat> = Vec::new();
        let mut frontiers = vec![Vec::new()];
        let mut steps = Vec::with_capacity(n);
        for (t, &vertex) in order.iter().enumerate() {
            let slot = take(&mut free, vertex);
            free[slot as usize] = true;
            frontier.retain(|seat| seat.vertex != vertex);
            let mut later = Vec::new();
            for &w in graph.neighbours(vertex) {
                if place[w.index()] > t {
                    let seat = Seat { vertex: w, slot: take(&mut free, w) };
                    later.push(seat);
                    if !frontier.contains(&seat) {
                        frontier.push(seat);
                    }
                }
            }
            frontier.sort_by_key(|seat| place[seat.vertex.index()]);
            let touched = later.iter().map(|seat| seat.slot).chain([slot]);
            // A sweep that is too wide is only created to learn its cost.
            let untouched = !Degrees::mask(touched.filter(|&s| (s as usize) < Degrees::SLOTS));
            steps.push(Step { vertex, slot, later, untouched, connections: Vec::new(), corners: Corners::default() });
            frontiers.push(frontier.clone());
        }
        let numbered = frontiers.iter().map(|frontier: &Vec<Seat>| {
            let mut frontier = frontier.clone();
            frontier.sort_by_key(|seat| key(seat.vertex));
            frontier.iter().map(|seat| seat.slot).collect()
        });
        let mut sweep = Self {
            numbered: numbered.collect(),
            steps,
            frontiers,
            mirrors: Vec::new(),
            slots: free.len(),
            graph,
            place,
            apex,
            weights: Weights::Numbers,
        };
        sweep.mirrors = match mirror {
            Some(mirror) => sweep.mirrors(mirror),
            None => vec![None; n + 1],
        };
        sweep
    }

    /// Returns the mirror image of each slot after every number of vertices.
    fn mirrors(&self, mirror: &dyn Fn(Vertex) -> Vertex) -> Vec<Option<Vec<u32>>> {
        let mut mirrors = vec![None];
        // Number of swept vertices whose mirror image has not been swept.
        let mut alone = 0;
        for (t, step) in self.steps.iter().enumerate() {
            match self.place[mirror(step.vertex).index()].cmp(&t) {
                Ordering::Less => alone -= 1,
                Ordering::Equal => {}
                Ordering::Greater => alone += 1,
            }
            let is_symmetric = alone == 0;
            mirrors.push(is_symmetric.then(|| self.mirror(t + 1, mirror)).flatten());
        }
        mirrors
    }

    /// Returns the mirror image of each slot after t vertices, whose set is its own mirror image. Returns `None` if every
    /// slot is its own mirror image.
    fn mirror(&self, t: usize, mirror: &dyn Fn(Vertex) -> Vertex) -> Option<Vec<u32>> {
        let frontier = &self.frontiers[t];
        let mut names: Vec<u32> = (0..self.slots as u32).collect();
        for seat in frontier {
            let image = frontier.iter().find(|s| s.vertex == mirror(seat.vertex))?;
            names[seat.slot as usize] = image.slot;
        }
        let is_identity = names.iter().zip(0..).all(|(&name, slot)| name == slot);
        // Two slots may get the same name if one of them is free, because a free slot is empty.
        (!is_identity).then_some(names)
    }

    pub(crate) fn n(&self) -> usize {
        self.steps.len()
    }

    pub(crate) fn slots(&self) -> usize {
        self.slots
    }

    /// Returns the graph, with the vertices that are added for open tours.
    pub(crate) fn graph(&self) -> &Graph {
        &self.graph
    }

    pub(crate) fn step(&self, t: usize) -> &Step {
        &self.steps[t]
    }

    pub(crate) fn frontier(&self, t: usize) -> &[Seat] {
        &self.frontiers[t]
    }

    /// Returns the cost of the order: the sum of 3^f over the steps, where f is the size of the frontier, including the
    /// vertex of the step.
    pub(crate) fn cost(&self) -> f64 {
        let order: Vec<_> = self.steps.iter().map(|step| step.vertex).collect();
        cost(&self.graph, &order)
    }

    /// Returns the slots of the frontier after t vertices, in the order in which the ends of paths are numbered.
    pub(crate) fn numbered(&self, t: usize) -> &[u32] {
        &self.numbered[t]
    }

    /// True if mirror images count only once.
    pub(crate) fn has_mirror_images(&self) -> bool {
        self.mirrors.iter().any(Option::is_some)
    }

    pub(crate) fn mirror_names(&self, t: usize) -> Option<&[u32]> {
        self.mirrors[t].as_deref()
    }

    /// True if these degrees after t vertices belong to a complete tour, in which no vertex lacks an edge.
    pub(crate) fn is_complete(&self, t: usize, degrees: Degrees) -> bool {
        self.unseen(t) == 0 && self.frontiers[t].iter().all(|seat| degrees.of(seat.slot) == 2)
    }

    /// Returns the number of vertices that are neither swept nor on the frontier after t steps.
    pub(crate) fn unseen(&self, t: usize) -> usize {
        self.n() - t - self.frontiers[t].len()
    }

    /// Returns the number of edges that vertex v can still get after t steps: the number of its neighbours not yet
    /// swept.
    pub(crate) fn edges_left(&self, t: usize, v: Vertex) -> u32 {
        let later = self.graph.neighbours(v).iter();
        later.filter(|w| self.place[w.index()] >= t).count() as u32
    }

    /// Returns the number of neighbours of vertex v that have been swept after t steps.
    pub(crate) fn edges_seen(&self, t: usize, v: Vertex) -> u32 {
        let earlier = self.graph.neighbours(v).iter();
        earlier.filter(|w| self.place[w.index()] < t).count() as u32
    }

    /// Returns the element of tours that the edge between two vertices stands for; `None` if the edge is on every tour.
    /// The vertices from n on are the apex, whose edges mark the ends of tours, and the tie, whose edges are on every
    /// tour.
    pub(crate) fn element(&self, a: Vertex, b: Vertex, n: u32) -> Option<Element> {
        let (a, b) = (a.min(b), a.max(b));
        match b {
            b if b.number() < n => Some(Element::Edge(a, b)),
            b if self.apex == Some(b) => Some(Element::End(a)),
            _ => None,
        }
    }

    /// Returns the neighbours of vertex v that are not swept after t steps.
    pub(crate) fn later_neighbours(&self, t: usize, v: Vertex) -> Vec<Vertex> {
        let neighbours = self.graph.neighbours(v).iter().copied();
        let later = neighbours.filter(|w| self.place[w.index()] >= t);
        later.collect()
    }

    /// Returns the sweep with weights of edges.
    pub(crate) fn weighted(mut self, connections: &dyn Fn(Vertex, Vertex) -> Connections) -> Self {
        for step in &mut self.steps {
            let later = step.later.iter();
            step.connections = later.map(|seat| connections(step.vertex, seat.vertex)).collect();
        }
        self.weights = Weights::Connections;
        self
    }

    /// Returns the sweep with a statistic. `corners` are the contributions at each step. If mirror images may have other
    /// values, or the statistic depends on angles, `is_mirrored` must be false.
    pub(crate) fn with_statistic(mut self, corners: Vec<Corners>, is_mirrored: bool) -> Self {
        for (step, corners) in self.steps.iter_mut().zip(corners) {
            step.corners = corners;
        }
        self.weights = Weights::Statistic;
        if !is_mirrored {
            self.mirrors.fill(None);
        }
        self
    }

    /// Returns the name of the vertices, for messages. A sweep over a quotient passes orbits.
    pub(crate) fn unit(&self) -> &'static str {
        match self.weights {
            Weights::Connections => "orbits",
            Weights::Numbers | Weights::Statistic => "vertices",
        }
    }

    /// True if this vertex is the apex, which is adjacent to all possible ends of open tours.
    pub(crate) fn is_apex(&self, v: Vertex) -> bool {
        self.apex == Some(v)
    }

    pub(crate) fn weights(&self) -> Weights {
        self.weights
    }

    /// Returns the geometric mean of the numbers of classes of the frontier vertices after t vertices; 1 without a
    /// statistic of angles.
    pub(crate) fn mean_classes(&self, t: usize) -> f64 {
        match (self.weights, t.checked_sub(1)) {
            (Weights::Statistic, Some(last)) => self.steps[last].corners.mean_classes(),
            _ => 1.0,
        }
    }
}
