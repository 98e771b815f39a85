//! Instances: a graph, the start vertex of the tour, and the kind of tour (closed or open).

use std::fmt;
use std::sync::{Arc as Shared, OnceLock};

use crate::constraint::{Constraint, Constraints, Means};
use crate::{Board, HoledBoard, Original, Ranks, Sequence, Symmetry};
use hamcnf_graph::names::named;
use hamcnf_graph::{AnyGraph, Arc, Digraph, Facts, Graph, GraphError, Vertex, VertexNames};

named! {
    /// Kind of tour. Closed tours return to their start.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    pub enum TourKind: "kind of tour" {
        /// A Hamiltonian cycle: the last vertex is adjacent to the start.
        Closed => "closed",
        /// A Hamiltonian path from the start to any vertex.
        Open => "open",
    }
}

/// Reason why a graph, a start vertex and a kind of tour do not form an instance.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum InstanceError {
    /// The graph has no vertices, so it has no start vertex.
    #[error("{kind} tours need at least {}, but {name} has 0", match kind {
        TourKind::Closed => "3 vertices",
        TourKind::Open => "1 vertex",
    })]
    TooSmall {
        /// Name of the instance.
        name: String,
        /// Kind of tour.
        kind: TourKind,
    },
    /// The start vertex is not in the graph. The value is a sentence.
    #[error("{0}")]
    NoSuchStart(String),
    /// The graph is too large for the vertices that must be added to it.
    #[error(transparent)]
    Graph(#[from] GraphError),
}

/// Least number of vertices of a closed tour of an undirected graph.
const FEWEST_OF_CLOSED: u32 = 3;

/// A graph, a start vertex and a kind of tour. Clones share the graph and its cached facts.
#[derive(Clone, Debug)]
pub struct Instance {
    name: Shared<str>,
    /// Undirected graph with its cached facts; in a directed instance, the underlying graph of `digraph`.
    facts: Shared<Facts>,
    /// Arcs that tours may use, if the instance is directed.
    digraph: Option<Shared<Digraph>>,
    board: Option<Shared<HoledBoard>>,
    names: VertexNames,
    /// Indexed by vertex: its number before the graph was relabelled. `None` if the graph was not relabelled.
    labels: Option<Shared<[Vertex]>>,
    start: Vertex,
    kind: TourKind,
    constraints: Constraints,
    /// Instance without the constraints; `None` if there are no constraints.
    unconstrained: Option<Shared<Instance>>,
    /// Question that the instance stands for, if it is not the instance itself.
    original: Option<Shared<Original>>,
    distances: Shared<Distances>,
}

/// Distances in an instance, computed on first use.
#[derive(Default, Debug)]
struct Distances {
    /// Distance of every vertex from the start.
    from_start: OnceLock<Vec<Option<u32>>>,
    /// Distance from every vertex to the start in a directed instance.
    to_start: OnceLock<Vec<Option<u32>>>,
}

impl Instance {
    /// Greatest number of constraints that the description of an instance lists one by one.
    const MOST_SHOWN: usize = 3;

    /// Returns the instance with this undirected or directed graph, as [`Self::on_graph`] and [`Self::on_digraph`] do.
    ///
    /// # Errors
    ///
    /// Errors of [`Self::on_graph`].
    pub fn on(name: impl Into<String>, graph: AnyGraph, kind: TourKind, start: Vertex) -> Result<Self, InstanceError> {
        match graph {
            AnyGraph::Undirected(graph) => Self::on_graph(name, graph, kind, start),
            AnyGraph::Directed(digraph) => Self::on_digraph(name, digraph, kind, start),
        }
    }

    /// Returns the instance with this graph, kind of tour and start vertex. `name` is the name of the instance in
    /// messages and output.
    ///
    /// # Errors
    ///
    /// [`InstanceError`] if the graph has no vertices, or the start is not a vertex. Instances with closed tours on
    /// fewer than three vertices are allowed, although such tours do not exist.
    pub fn on_graph(
        name: impl Into<String>,
        graph: Graph,
        kind: TourKind,
        start: Vertex,
    ) -> Result<Self, InstanceError> {
        let name = name.into();
        if graph.n_vertices() == 0 {
            return Err(InstanceError::TooSmall { name, kind });
        }
        let instance = Self {
            name: name.into(),
            facts: Shared::new(graph.into()),
            digraph: None,
            board: None,
            names: VertexNames::default(),
            labels: None,
            start,
            kind,
            constraints: Shared::new([]),
            unconstrained: None,
            original: None,
            distances: Shared::default(),
        };
        instance.starting_at(start)
    }

    /// Returns an instance on a digraph. A tour follows each of its arcs from the tail to the head, and the two
    /// directions of a closed tour are different tours.
    ///
    /// # Errors
    ///
    /// Errors of [`Instance::on_graph`].
    pub fn on_digraph(
        name: impl Into<String>,
        digraph: Digraph,
        kind: TourKind,
        start: Vertex,
    ) -> Result<Self, InstanceError> {
        let undirected = Self::on_graph(name, digraph.underlying(), kind, start)?;
        Ok(Self { digraph: Some(Shared::new(digraph)), ..undirected })
    }

    /// Returns an instance on the graph of a board's moves. The name of the instance is the text form of the board.
    ///
    /// # Errors
    ///
    /// The errors of [`Instance::on_graph`].
    pub fn on_board(board: Board, kind: TourKind, start: Vertex) -> Result<Self, InstanceError> {
        Self::on_holed(board.into(), kind, start)
    }

    /// Returns an instance on a board that may have holes. The start is a vertex number, and holes are not vertices.
    ///
    /// # Errors
    ///
    /// The errors of [`Instance::on_graph`].
    pub fn on_holed(board: HoledBoard, kind: TourKind, start: Vertex) -> Result<Self, InstanceError> {
        let on_graph = Self::on_graph(board.to_string(), board.graph(), kind, start)?;
        Ok(Self { board: Some(Shared::new(board)), ..on_graph })
    }

    /// Returns the same instance with these vertex names. Squares of a board keep their names.
    pub fn called(self, names: VertexNames) -> Self {
        Self { names, ..self }
    }

    /// Returns the instance with the ranks of its board numbered in this direction. An instance without a board stays
    /// unchanged.
    pub fn ranked(self, ranks: Ranks) -> Self {
        let Some(board) = &self.board else {
            return self;
        };
        let board = HoledBoard::clone(board).ranked(ranks);
        Self { name: board.to_string().into(), board: Some(Shared::new(board)), ..self }
    }

    /// Describes the instance without its start vertex, for messages about tours from any vertex.
    pub fn without_start(&self) -> String {
        let name = match &self.board {
            Some(board) => format!("{} {}", board.sides(), board.board().piece()),
            None => self.name.to_string(),
        };
        format!("{name}, {} tours", self.kind)
    }

    /// Returns the same instance with another start vertex.
    ///
    /// # Errors
    ///
    /// [`InstanceError::NoSuchStart`] if the graph does not have the vertex.
    pub fn starting_at(&self, start: Vertex) -> Result<Self, InstanceError> {
        if start.number() >= self.n() {
            let (start, name, last) = (start.number(), self.name(), self.n() - 1);
            let sentence = format!("start vertex {start} is not in {name}; vertices are 0 to {last}");
            return Err(InstanceError::NoSuchStart(sentence));
        }
        Ok(Self { start, distances: Shared::default(), ..self.clone() })
    }

    /// Returns the instance of open tours with the same graph, start and constraints.
    pub fn opened(&self) -> Self {
        let unconstrained = self.unconstrained.as_deref().map(|plain| Shared::new(plain.opened()));
        Self { kind: TourKind::Open, unconstrained, ..self.clone() }
    }

    /// Returns the same instance with these constraints in place of any others. Forbidden edges and arcs are removed
    /// from the graph. A directional constraint makes the instance directed.
    ///
    /// # Panics
    ///
    /// Never: a subgraph does not have more arcs than the graph.
    pub fn constrained(&self, constraints: &[Shared<dyn Constraint>]) -> Self {
        let plain = self.without_constraints();
        if constraints.is_empty() {
            return plain.clone();
        }
        // An undirected graph with fewer than three vertices has no closed tours, unlike a digraph with two.
        let has_tours = plain.kind == TourKind::Open || plain.n() >= FEWEST_OF_CLOSED;
        let is_directional = has_tours && constraints.iter().any(|c| c.is_directional());
        let is_directed = is_directional || plain.is_directed();
        let on = constraints.iter().map(|c| c.on(is_directed).unwrap_or_else(|| Shared::clone(c)));
        let constrained =
            Self { constraints: on.collect(), unconstrained: Some(Shared::new(plain.clone())), ..plain.clone() };
        let mut forbidden: Vec<_> = constraints.iter().flat_map(|c| c.forbidden()).collect();
        if forbidden.is_empty() && is_directed == plain.is_directed() {
            return constrained;
        }
        forbidden.sort_unstable();
        let kept = plain.digraph().arcs();
        let kept = kept.filter(|arc| forbidden.binary_search(&(arc.tail, arc.head)).is_err());
        let kept = kept.map(|arc| (arc.tail.number(), arc.head.number()));
        let digraph = Digraph::from_arcs(plain.n(), kept).expect("a subgraph of a graph fits");
        constrained.with_arcs(digraph, is_directed)
    }

    /// Returns the same instance on a digraph, or on its underlying graph if `is_directed` is false.
    fn with_arcs(self, digraph: Digraph, is_directed: bool) -> Self {
        let facts = Shared::new(digraph.underlying().into());
        let digraph = is_directed.then(|| Shared::new(digraph));
        Self { facts, digraph, distances: Shared::default(), ..self }
    }

    /// Returns the constraints on the tours.
    pub fn constraints(&self) -> &[Shared<dyn Constraint>] {
        &self.constraints
    }

    /// Returns the name with the constraints, such as `8x8, symmetry 180`.
    pub fn name_with_constraints(&self) -> String {
        format!("{}{}", self.name(), self.shown_constraints())
    }

    /// Returns the constraints as text, each after a comma. If there are many, the text has only their number.
    pub fn shown_constraints(&self) -> String {
        let all = self.constraints.iter();
        match self.constraints.len() {
            0..=Self::MOST_SHOWN => all.map(|constraint| format!(", {}", constraint.text(self))).collect(),
            many => format!(", {many} constraints"),
        }
    }

    /// Returns the symmetry of the tours if one constraint is a symmetry and all others forbid edges. The tours of the
    /// instance are then exactly the symmetric tours of the undirected graph. Returns `None` otherwise.
    pub fn symmetry(&self) -> Option<&Symmetry> {
        let (symmetries, others): (Vec<_>, Vec<_>) =
            self.constraints.iter().partition(|constraint| constraint.symmetry().is_some());
        let only_forbid = others.iter().all(|other| other.forced().is_some_and(|forced| forced.is_empty()));
        match symmetries[..] {
            [only] if only_forbid && !self.is_directed() => only.symmetry(),
            _ => None,
        }
    }

    /// Returns the simplest way to express all constraints.
    pub fn means(&self) -> Means {
        Means::of(&self.constraints)
    }

    /// True if the arcs alone do not determine the tours, because a constraint does more than forbid arcs.
    pub fn is_constrained(&self) -> bool {
        self.means() != Means::Graph
    }

    /// Returns the instance without its constraints. Its graph includes the edges and arcs that the constraints forbid.
    pub fn without_constraints(&self) -> &Self {
        self.unconstrained.as_deref().unwrap_or(self)
    }

    /// Returns the instance without the constraints that need clauses. Its tours include all tours of this instance. Arcs
    /// that those constraints forbid stay forbidden, as far as the result can express it.
    pub fn without_clauses(&self) -> Self {
        let all = self.constraints.iter();
        let kept: Vec<_> = all.filter(|c| c.forced().is_some()).cloned().collect();
        let mut relaxed = self.without_constraints().constrained(&kept);
        // The arcs may be more than those of this instance if other constraints forbid some.
        if relaxed.is_directed() || self.digraph().is_symmetric() {
            relaxed.digraph = relaxed.digraph.and(self.digraph.clone());
            relaxed.facts = Shared::clone(&self.facts);
            relaxed.distances = Shared::default();
        }
        relaxed
    }

    /// Returns the first constraint that an order of the vertices violates.
    pub fn violated(&self, tour: &Sequence) -> Option<&dyn Constraint> {
        let mut constraints = self.constraints.iter();
        let violated = constraints.find(|constraint| !constraint.holds(tour, self.kind));
        violated.map(|constraint| &**constraint)
    }

    /// Returns the instance with its graph relabelled; `None` if `labels` is not a permutation of the vertices. Vertex
    /// v of the result is vertex `labels[v]` of this instance and keeps the name of that vertex. The tours of the
    /// result start at the vertex `start` of this instance. The result has no [`board`](Self::board), because its
    /// vertices are not numbered like squares.
    pub fn relabelled(&self, labels: &[Vertex], start: Vertex) -> Option<Self> {
        let mut new = vec![None; self.n() as usize];
        for (k, v) in (0..).zip(labels) {
            if new.get_mut(v.index())?.replace(k).is_some() {
                return None;
            }
        }
        let new: Vec<u32> = new.into_iter().collect::<Option<_>>()?;
        let renamed = |arc: Arc| (new[arc.tail.index()], new[arc.head.index()]);
        let digraph = Digraph::from_arcs(self.n(), self.digraph().arcs().map(renamed)).ok()?;
        let new: Vec<_> = new.into_iter().map(Vertex::new).collect();
        let unconstrained = match &self.unconstrained {
            Some(plain) => Some(Shared::new(plain.relabelled(labels, start)?)),
            None => None,
        };
        let relabelled = Self {
            labels: Some(labels.iter().map(|&v| self.label(v)).collect()),
            start: *new.get(start.index())?,
            constraints: self.constraints.iter().map(|constraint| constraint.relabelled(&new)).collect(),
            unconstrained,
            ..self.clone()
        };
        Some(relabelled.with_arcs(digraph, self.is_directed()))
    }

    /// Returns the instance as one that stands for the original question.
    pub(super) fn standing_for(self, original: Original) -> Self {
        Self { original: Some(Shared::new(original)), ..self }
    }

    /// Returns the question that the instance stands for: see [`with_fixed_start`](Self::with_fixed_start). `None` if
    /// the tours of the instance are those of the question.
    pub fn original(&self) -> Option<&Original> {
        self.original.as_deref()
    }

    /// Returns the vertex that was `old` before the graph was relabelled.
    pub(super) fn with_label(&self, old: Vertex) -> Option<Vertex> {
        let mut vertices = self.graph().vertices();
        vertices.find(|&v| self.label(v) == old)
    }

    fn label(&self, v: Vertex) -> Vertex {
        self.labels.as_ref().map_or(v, |labels| labels[v.index()])
    }

    /// True if the graph is so small that the answer is known. No closed tour exists on fewer than three vertices, or
    /// fewer than two in a digraph. On one vertex, exactly one open tour exists.
    pub fn is_trivial(&self) -> bool {
        let is_cycle = self.kind == TourKind::Closed && !self.is_directed();
        self.n() < if is_cycle { FEWEST_OF_CLOSED } else { 2 }
    }

    /// Returns the name of the instance. On a board, the name is the text form of the board: `8x8` for the knight,
    /// `leaper:1,3:8x8` or `king:8x8` for another piece.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the undirected graph: the graph of an undirected instance, the underlying graph of a directed one.
    #[inline]
    pub fn graph(&self) -> &Graph {
        self.facts.graph()
    }

    /// Returns the arcs that tours may use: both arcs of every edge if the instance is undirected.
    #[inline]
    pub fn digraph(&self) -> &Digraph {
        match &self.digraph {
            Some(digraph) => digraph,
            None => self.graph(),
        }
    }

    /// True if tours use arcs in one direction only, and the two directions of a closed tour are different tours.
    #[inline]
    pub fn is_directed(&self) -> bool {
        self.digraph.is_some()
    }

    /// Returns the graph together with its cached facts.
    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// Returns the distance of each vertex from the start; `None` for unreachable vertices.
    #[inline]
    pub fn distances(&self) -> &[Option<u32>] {
        self.distances.from_start.get_or_init(|| self.digraph().distances(self.start))
    }

    /// Returns the distance from each vertex to the start; `None` for vertices from which the start is unreachable.
    #[inline]
    pub fn distances_to(&self) -> &[Option<u32>] {
        match &self.digraph {
            None => self.distances(),
            Some(digraph) => self.distances.to_start.get_or_init(|| digraph.distances_to(self.start)),
        }
    }

    /// Returns a flag for each vertex, true if its position is odd in every tour; `None` if the graph is not bipartite.
    pub fn odd(&self) -> Option<Vec<bool>> {
        self.facts.odd_from(self.start)
    }

    /// Returns the board of the instance if the board has no holes and the instance has no constraints; otherwise
    /// `None`. On this board, vertex k is square k.
    pub fn board(&self) -> Option<&Board> {
        let whole = |board: &&HoledBoard| board.holes().is_empty() && self.constraints.is_empty();
        let whole = self.squares().filter(whole);
        whole.map(HoledBoard::board)
    }

    /// Returns the board whose squares are the vertices. The board may have holes. Pictures and vertex names use this
    /// board. `None` if the instance is not on a board, or if it was relabelled.
    pub fn squares(&self) -> Option<&HoledBoard> {
        self.board.as_deref().filter(|_| self.labels.is_none())
    }

    /// Returns the start vertex. In every tour, it is at position 0.
    #[inline]
    pub fn start(&self) -> Vertex {
        self.start
    }

    /// Returns the kind of tour.
    #[inline]
    pub fn kind(&self) -> TourKind {
        self.kind
    }

    /// Returns N, the number of vertices. Tours have N positions.
    #[inline]
    pub fn n(&self) -> u32 {
        self.graph().n_vertices()
    }

    /// Returns all vertices except the start, in increasing order.
    #[inline]
    pub fn others(&self) -> impl Iterator<Item = Vertex> + use<> {
        let start = self.start;
        self.graph().vertices().filter(move |&v| v != start)
    }

    /// Returns the names of the graph's vertices. On a board, vertices are named by their squares instead.
    pub fn vertex_names(&self) -> &VertexNames {
        &self.names
    }

    /// Returns the vertex with this name, or of this number if the vertices are numbered.
    pub fn vertex_named(&self, name: &str) -> Option<Vertex> {
        match self.squares() {
            Some(board) => board.vertex_named(name).ok(),
            None => self.names.vertex(name, self.n()),
        }
    }

    /// Returns the name of a vertex for input and output. On a board, this is the name of the square. Otherwise it is
    /// the number of the vertex, counted from 1 as in DIMACS and TSPLIB files, unless
    /// [`called`](Self::called) has set other names.
    pub fn vertex_name(&self, v: Vertex) -> String {
        match &self.board {
            Some(board) => board.vertex_name(self.label(v)),
            None => self.names.name(self.label(v)),
        }
    }
}

impl fmt::Display for Instance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let start = self.vertex_name(self.start);
        write!(f, "{}, start {start}", self.without_start())?;
        f.write_str(&self.shown_constraints())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_without_a_sense_are_refused() {
        let on = |board: &str, kind, start| {
            Instance::on_board(board.parse().unwrap(), kind, Vertex::new(start))
                .map(|i| i.to_string())
                .map_err(|e| e.to_string())
        };
        let refused = |message: &str| Err(message.to_owned());
        let empty = Graph::from_edges(0, []).unwrap();
        let none = Instance::on_graph("none", empty, TourKind::Closed, Vertex::new(0));
        assert_eq!(none.unwrap_err().to_string(), "closed tours need at least 3 vertices, but none has 0");
        assert_eq!(on("3x4", TourKind::Open, 12), refused("start vertex 12 is not in 3x4; vertices are 0 to 11"));
        assert_eq!(on("3x4", TourKind::Open, 11), Ok("3x4 knight, open tours, start d3".to_owned()));
    }
}
