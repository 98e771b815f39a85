//! What is asked: a graph, the vertex where the tour starts, and whether it has to close.

use std::fmt;
use std::sync::{Arc as Shared, OnceLock};

use super::board::{Board, Ranks};
use super::facts::Facts;
use super::graph::{Arc, Graph, Vertex};
use super::holed::HoledBoard;
use super::numbering::Numbering;
use super::vertex_names::VertexNames;
use crate::names::named;

/// Whether a tour returns to its start.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TourKind {
    /// A Hamiltonian cycle: the last vertex is adjacent to the start.
    Closed,
    /// A Hamiltonian path from the start; the last vertex is any.
    Open,
}

named!(TourKind, "kind of tour", {
    Closed => "closed",
    Open => "open",
});

/// Why a graph, start and kind of tour are not a question.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum InstanceError {
    /// The graph has no vertex, and so no start.
    #[error("{kind} tours need at least {least} vertices, and {name} has {n}")]
    TooSmall {
        /// The instance.
        name: String,
        /// Its vertices.
        n: u32,
        /// The kind of tour.
        kind: TourKind,
        /// 3 for closed tours, 1 for open ones.
        least: u32,
    },
    /// The start is not a vertex of the graph.
    #[error("start vertex {start} is not in {name}, whose vertices are 0 to {last}")]
    NoSuchStart {
        /// The instance.
        name: String,
        /// The start asked for.
        start: u32,
        /// The graph's last vertex.
        last: u32,
    },
}

/// The fewest vertices of a graph that has such tours.
fn least(kind: TourKind) -> u32 {
    match kind {
        TourKind::Closed => 3,
        TourKind::Open => 1,
    }
}

/// A graph, a start and a kind of tour. Its clones share the graph, and what is found out about it.
#[derive(Clone, Debug)]
pub struct Instance {
    name: Shared<str>,
    facts: Shared<Facts>,
    board: Option<Shared<HoledBoard>>,
    names: VertexNames,
    /// What vertices are in the graph that this one was relabelled from.
    labels: Option<Shared<[Vertex]>>,
    start: Vertex,
    kind: TourKind,
    /// The distance of every vertex from the start.
    distances: Shared<OnceLock<Vec<Option<u32>>>>,
}

impl Instance {
    /// A question about any graph, called `name` in what is written about it.
    ///
    /// # Errors
    ///
    /// [`InstanceError`]: the graph has to have the start. Closed tours of fewer than three vertices can be asked for,
    /// though there are none.
    pub fn on_graph(
        name: impl Into<String>,
        graph: Graph,
        kind: TourKind,
        start: Vertex,
    ) -> Result<Self, InstanceError> {
        let (name, n) = (name.into(), graph.n_vertices());
        if n == 0 {
            let least = least(kind);
            return Err(InstanceError::TooSmall {
                name,
                n,
                kind,
                least,
            });
        }
        if start.number() >= n {
            return Err(InstanceError::NoSuchStart {
                name,
                start: start.number(),
                last: n - 1,
            });
        }
        Ok(Self {
            name: name.into(),
            facts: Shared::new(graph.into()),
            board: None,
            names: VertexNames::default(),
            labels: None,
            start,
            kind,
            distances: Shared::default(),
        })
    }

    /// A question about the moves on a board, named after it.
    ///
    /// # Errors
    ///
    /// As [`Instance::on_graph`].
    #[inline]
    pub fn on_board(board: Board, kind: TourKind, start: Vertex) -> Result<Self, InstanceError> {
        Self::on_holed(board.into(), kind, start)
    }

    /// The same of a board that may have holes. The start is a vertex, of those that are left.
    ///
    /// # Errors
    ///
    /// As [`Instance::on_graph`].
    pub fn on_holed(
        board: HoledBoard,
        kind: TourKind,
        start: Vertex,
    ) -> Result<Self, InstanceError> {
        let on_graph = Self::on_graph(board.to_string(), board.graph(), kind, start)?;
        Ok(Self {
            board: Some(Shared::new(board)),
            ..on_graph
        })
    }

    /// The same question, where the vertices of the graph are called by other numbers: from 0, as some files
    /// have them, and not from 1. Squares of a board keep their names.
    #[must_use]
    #[inline]
    pub fn numbered(self, numbering: Numbering) -> Self {
        self.called(numbering.into())
    }

    /// The same question, where the vertices of the graph have these names. Squares of a board keep theirs.
    #[must_use]
    #[inline]
    pub fn called(self, names: VertexNames) -> Self {
        Self { names, ..self }
    }

    /// Returns the same question on a board whose ranks are numbered this way. A graph that is no board stays as it is.
    #[must_use]
    pub fn ranked(self, ranks: Ranks) -> Self {
        let Some(board) = &self.board else {
            return self;
        };
        let board = HoledBoard::clone(board).ranked(ranks);
        Self {
            name: board.to_string().into(),
            board: Some(Shared::new(board)),
            ..self
        }
    }

    /// The instance in words without its start, for questions about tours from anywhere.
    #[must_use]
    #[inline]
    pub fn without_start(&self) -> impl fmt::Display + '_ {
        WithoutStart(self)
    }

    /// The same question from another start.
    ///
    /// # Errors
    ///
    /// [`InstanceError::NoSuchStart`].
    pub fn starting_at(&self, start: Vertex) -> Result<Self, InstanceError> {
        if start.number() >= self.n() {
            return Err(InstanceError::NoSuchStart {
                name: self.name().to_owned(),
                start: start.number(),
                last: self.n() - 1,
            });
        }
        Ok(Self {
            start,
            distances: Shared::default(),
            ..self.clone()
        })
    }

    /// The same question about the same graph under other labels: vertex v of ours is vertex `labels[v]` of this
    /// one, by whose name it is called, and the start is `start` of this one. It is on no [`board`](Self::board), as
    /// squares have lost their places. `None` where `labels` are not all vertices, each once.
    #[must_use]
    pub fn relabelled(&self, labels: &[Vertex], start: Vertex) -> Option<Self> {
        let mut new = vec![None; self.n() as usize];
        for (k, v) in (0..).zip(labels) {
            if new.get_mut(v.index())?.replace(k).is_some() {
                return None;
            }
        }
        let new: Vec<u32> = new.into_iter().collect::<Option<_>>()?;
        let edges = self.graph().arcs().filter(|arc| arc.tail < arc.head);
        let edges = edges.map(|arc| (new[arc.tail.index()], new[arc.head.index()]));
        let graph = Graph::from_edges(self.n(), edges).ok()?;
        Some(Self {
            name: Shared::clone(&self.name),
            facts: Shared::new(graph.into()),
            board: self.board.clone(),
            names: self.names.clone(),
            labels: Some(labels.iter().map(|&v| self.label(v)).collect()),
            start: Vertex::new(*new.get(start.index())?),
            kind: self.kind,
            distances: Shared::default(),
        })
    }

    fn label(&self, v: Vertex) -> Vertex {
        self.labels.as_ref().map_or(v, |labels| labels[v.index()])
    }

    /// True if the graph is so small that the answer is known: closed tours of fewer than three vertices, of which there
    /// are none, and the open tour of one.
    #[must_use]
    pub fn is_trivial(&self) -> bool {
        match self.kind {
            TourKind::Closed => self.n() < least(TourKind::Closed),
            TourKind::Open => self.n() < 2,
        }
    }

    /// What it is called: `8x8` for a knight's board, `leaper:1,3:8x8` for that of another piece. A board's name
    /// parses as the board.
    #[must_use]
    #[inline]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The graph.
    #[must_use]
    #[inline]
    pub fn graph(&self) -> &Graph {
        self.facts.graph()
    }

    /// The graph with what has been found out about it.
    #[must_use]
    #[inline]
    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// The distance of every vertex from the start; `None` where there is no path.
    #[must_use]
    #[inline]
    pub fn distances(&self) -> &[Option<u32>] {
        let distances = || self.graph().distances(self.start);
        self.distances.get_or_init(distances)
    }

    /// Whether the position of every vertex is odd, if the graph is bipartite and so says it.
    #[must_use]
    pub fn odd(&self) -> Option<Vec<bool>> {
        // Where everything is reached the distances say it, and they are asked for anyway.
        let odd = self.distances().iter().map(|d| d.map(|d| d % 2 == 1));
        let Some(odd) = odd.collect::<Option<Vec<bool>>>() else {
            return self.facts.odd_from(self.start);
        };
        let differ = |arc: Arc| odd[arc.tail.index()] != odd[arc.head.index()];
        self.graph().arcs().all(differ).then_some(odd)
    }

    /// The whole board that the graph comes from, if it does: every vertex is the square of its number.
    #[must_use]
    #[inline]
    pub fn board(&self) -> Option<&Board> {
        let whole = self.squares().filter(|board| board.holes().is_empty());
        whole.map(HoledBoard::board)
    }

    /// The board whose squares the vertices are, with holes or without, if they are: for what draws or names them.
    #[must_use]
    #[inline]
    pub fn squares(&self) -> Option<&HoledBoard> {
        self.board.as_deref().filter(|_| self.labels.is_none())
    }

    /// The vertex at position 0 of every tour.
    #[must_use]
    #[inline]
    pub fn start(&self) -> Vertex {
        self.start
    }

    /// Whether tours have to close.
    #[must_use]
    #[inline]
    pub fn kind(&self) -> TourKind {
        self.kind
    }

    /// N: the number of vertices, and of positions.
    #[must_use]
    #[inline]
    pub fn n(&self) -> u32 {
        self.graph().n_vertices()
    }

    /// All vertices but the start, in increasing order.
    #[inline]
    pub fn others(&self) -> impl Iterator<Item = Vertex> + use<> {
        let start = self.start;
        self.graph().vertices().filter(move |&v| v != start)
    }

    /// What the graph's vertices are called where people read it, if it is on no board.
    #[must_use]
    #[inline]
    pub fn vertex_names(&self) -> &VertexNames {
        &self.names
    }

    /// What a vertex is called where people read it: the square's name on a board, else its number, counted
    /// from 1 as in DIMACS and TSPLIB files, unless [`numbered`](Self::numbered) or [`called`](Self::called) says otherwise.
    #[must_use]
    pub fn vertex_name(&self, v: Vertex) -> String {
        match &self.board {
            Some(board) => board.vertex_name(self.label(v)),
            None => self.names.name(self.label(v)),
        }
    }
}

/// An instance in words, without its start.
struct WithoutStart<'a>(&'a Instance);

impl fmt::Display for WithoutStart<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(instance) = self;
        match &instance.board {
            Some(board) => write!(f, "{} {}", board.sides(), board.board().leaper())?,
            None => f.write_str(&instance.name)?,
        }
        write!(f, ", {} tours", instance.kind)
    }
}

impl fmt::Display for Instance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let start = self.vertex_name(self.start);
        write!(f, "{}, start {start}", self.without_start())
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
        assert_eq!(
            none.unwrap_err().to_string(),
            "closed tours need at least 3 vertices, and none has 0"
        );
        assert_eq!(
            on("3x4", TourKind::Open, 12),
            refused("start vertex 12 is not in 3x4, whose vertices are 0 to 11")
        );
        assert_eq!(
            on("3x4", TourKind::Open, 11),
            Ok("3x4 knight, open tours, start d3".to_owned())
        );
    }
}
