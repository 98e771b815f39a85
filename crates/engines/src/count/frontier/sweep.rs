//! Sweep over a graph, vertex by vertex, and its frontiers.
//!
//! Open tours are reduced to closed tours by adding vertices. If no end is given, a new vertex, the *apex*, is adjacent
//! to every vertex; removing the apex turns a cycle into a path. If one end s is given, the apex is adjacent to all
//! other vertices, and a second new vertex, the *tie*, is adjacent to the apex and s only. The two edges of the tie are
//! in every cycle, so s is an end of the path. If both ends are given, the only new vertex is a tie between them. Thus
//! undirected Hamiltonian cycles are counted in every case.

use hamcnf_encodings::{Board, Graph, Instance, Vertex};

use super::degrees::Degrees;
use super::order::{by_beam, by_lines, width};
use hamcnf_encodings::endpoints::Endpoints;

/// Vertex of the frontier, with its slot, which is its position in a state. A vertex keeps its slot as long as it is on
/// the frontier.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Seat {
    pub(super) vertex: Vertex,
    pub(super) slot: u32,
}

/// Step of a sweep at one vertex: the choice of its edges to later vertices.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub(super) vertex: Vertex,
    pub(super) slot: u32,
    /// Later neighbours of the vertex; some of them enter the frontier in this step.
    pub(super) later: Vec<Seat>,
    /// Mask of the degree bits that this step leaves unchanged.
    pub(super) untouched: u64,
}

/// Sweep over a graph: an order of the vertices, with the frontier after each vertex.
#[derive(Clone, Debug)]
pub(super) struct Sweep {
    steps: Vec<Step>,
    /// Entry t: the frontier after t vertices, in the order of the sweep.
    frontiers: Vec<Vec<Seat>>,
    /// Entry t: the mirror image of each slot after t vertices, if the set of these vertices is its own mirror image.
    mirrors: Vec<Option<Vec<u32>>>,
    slots: usize,
    graph: Graph,
    place: Vec<usize>,
    apex: Option<Vertex>,
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
    #[must_use]
    pub fn why(&self) -> String {
        let Self { width, most, .. } = self;
        format!(
            "the graph is too wide: in the best vertex order that was found, the frontier has {width} vertices, but a state can have at most {most}"
        )
    }
}

impl Sweep {
    /// Creates a sweep over an instance's graph for tours with the endpoints `ends`. `most` is the maximum number of
    /// slots of a state.
    pub(super) fn new(instance: &Instance, ends: Endpoints, most: usize) -> Result<Self, TooWide> {
        let original = instance.graph();
        let mut order = instance.board().map_or_else(|| by_beam(original), by_lines);
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
        let mirror = |v: Vertex| match instance.board() {
            Some(board) if v.number() < n => mirrored(board, v),
            _ => v,
        };
        let symmetric = instance.board().is_some() && ends.given().all(|end| is_given(mirror(end)));
        // Check the width before allocating memory in proportion to it.
        let width = width(&graph, &order);
        if width > most {
            return Err(TooWide {
                instance: instance.to_string(),
                width,
                most,
            });
        }
        let mirror = symmetric.then_some(&mirror as &dyn Fn(Vertex) -> Vertex);
        Ok(Self::along(graph, &order, mirror, apex.map(Vertex::new)))
    }

    /// Creates a sweep over a graph along an order of all its vertices.
    fn along(
        graph: Graph,
        order: &[Vertex],
        mirror: Option<&dyn Fn(Vertex) -> Vertex>,
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
                    let seat = Seat {
                        vertex: w,
                        slot: take(&mut free, w),
                    };
                    later.push(seat);
                    if !frontier.contains(&seat) {
                        frontier.push(seat);
                    }
                }
            }
            frontier.sort_by_key(|seat| place[seat.vertex.index()]);
            let touched = later.iter().map(|seat| seat.slot).chain([slot]);
            let untouched = !Degrees::mask(touched.filter(|&s| (s as usize) < Degrees::SLOTS));
            steps.push(Step {
                vertex,
                slot,
                later,
                untouched,
            });
            frontiers.push(frontier.clone());
        }
        let mut sweep = Self {
            steps,
            frontiers,
            mirrors: Vec::new(),
            slots: free.len(),
            graph,
            place,
            apex,
        };
        sweep.mirrors = (0..=n).map(|t| sweep.mirror(t, mirror?)).collect();
        sweep
    }

    /// Returns the mirror image of each slot after t vertices. Returns `None` if the mirror image of these vertices is
    /// a different set.
    fn mirror(&self, t: usize, mirror: &dyn Fn(Vertex) -> Vertex) -> Option<Vec<u32>> {
        let swept = &self.steps[..t];
        let is_swept = |v: Vertex| self.place[v.index()] < t;
        if t == 0 || !swept.iter().all(|step| is_swept(mirror(step.vertex))) {
            return None;
        }
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

    pub(super) fn n(&self) -> usize {
        self.steps.len()
    }

    pub(super) fn slots(&self) -> usize {
        self.slots
    }

    pub(super) fn step(&self, t: usize) -> &Step {
        &self.steps[t]
    }

    pub(super) fn frontier(&self, t: usize) -> &[Seat] {
        &self.frontiers[t]
    }

    pub(super) fn mirror_names(&self, t: usize) -> Option<&[u32]> {
        self.mirrors[t].as_deref()
    }

    /// True if these degrees after t vertices belong to a complete tour, in which no vertex lacks an edge.
    pub(super) fn is_complete(&self, t: usize, degrees: Degrees) -> bool {
        self.unseen(t) == 0
            && self.frontiers[t]
                .iter()
                .all(|seat| degrees.of(seat.slot) == 2)
    }

    /// Returns the number of vertices that are neither swept nor on the frontier after t steps.
    pub(super) fn unseen(&self, t: usize) -> usize {
        self.n() - t - self.frontiers[t].len()
    }

    /// Returns the number of edges that vertex v can still get after t steps: the number of its neighbours not yet
    /// swept.
    pub(super) fn edges_left(&self, t: usize, v: Vertex) -> u32 {
        let later = self.graph.neighbours(v).iter();
        later.filter(|w| self.place[w.index()] >= t).count() as u32
    }

    /// Returns the apex, a vertex added for open tours. The edges of the apex mark the ends that are not given. Returns
    /// `None` for closed tours, and if both ends are given.
    pub(super) fn apex(&self) -> Option<Vertex> {
        self.apex
    }
}

/// Returns the mirror image of a square. The reflection reverses every line of the sweep.
fn mirrored(board: &Board, square: Vertex) -> Vertex {
    let (row, col) = board.row_col(square);
    if board.rows() >= board.cols() {
        board.square_at(row, board.cols() - 1 - col)
    } else {
        board.square_at(board.rows() - 1 - row, col)
    }
}
