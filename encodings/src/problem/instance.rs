//! What is asked: a graph, the vertex where the tour starts, and whether it has to close.

use std::fmt;

use super::board::Board;
use super::graph::{Graph, Vertex};
use super::numbering::Numbering;
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
    /// The graph is too small for the kind of tour.
    #[error("{name} has {n} {}: {kind} tours need at least {least}", if *.n == 1 { "vertex" } else { "vertices" })]
    TooSmall {
        /// The instance.
        name: String,
        /// Its vertices.
        n: u32,
        /// The kind of tour.
        kind: TourKind,
        /// 3 for closed tours, 2 for open ones.
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

/// A graph, a start and a kind of tour.
#[derive(Clone, Debug)]
pub struct Instance {
    name: String,
    graph: Graph,
    board: Option<Board>,
    numbering: Numbering,
    start: Vertex,
    kind: TourKind,
}

impl Instance {
    /// A question about any graph, called `name` in what is written about it.
    ///
    /// # Errors
    ///
    /// [`InstanceError`]: closed tours need three vertices (a cycle in a simple graph has three at least),
    /// open ones two, and the start has to be one of them.
    pub fn on_graph(
        name: impl Into<String>,
        graph: Graph,
        kind: TourKind,
        start: Vertex,
    ) -> Result<Self, InstanceError> {
        let (name, n) = (name.into(), graph.n_vertices());
        let least = match kind {
            TourKind::Closed => 3,
            TourKind::Open => 2,
        };
        if n < least {
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
            name,
            graph,
            board: None,
            numbering: Numbering::default(),
            start,
            kind,
        })
    }

    /// A question about the moves on a board, named after it.
    ///
    /// # Errors
    ///
    /// As [`Instance::on_graph`].
    pub fn on_board(board: Board, kind: TourKind, start: Vertex) -> Result<Self, InstanceError> {
        let on_graph = Self::on_graph(board.to_string(), board.graph(), kind, start)?;
        Ok(Self {
            board: Some(board),
            ..on_graph
        })
    }

    /// The same question, where the vertices of the graph are called by other numbers: from 0, as some files
    /// have them, and not from 1. Squares of a board keep their names.
    #[must_use]
    pub fn numbered(self, numbering: Numbering) -> Self {
        Self { numbering, ..self }
    }

    /// The same question from another start.
    ///
    /// # Errors
    ///
    /// [`InstanceError::NoSuchStart`].
    pub fn starting_at(&self, start: Vertex) -> Result<Self, InstanceError> {
        if start.number() >= self.n() {
            return Err(InstanceError::NoSuchStart {
                name: self.name.clone(),
                start: start.number(),
                last: self.n() - 1,
            });
        }
        Ok(Self {
            start,
            ..self.clone()
        })
    }

    /// What it is called: `8x8` for a knight's board, `leaper:1,3:8x8` for that of another piece. A board's name
    /// parses as the board.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The graph.
    #[must_use]
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// The board that the graph comes from, if it does.
    #[must_use]
    pub fn board(&self) -> Option<&Board> {
        self.board.as_ref()
    }

    /// The vertex at position 0 of every tour.
    #[must_use]
    pub fn start(&self) -> Vertex {
        self.start
    }

    /// Whether tours have to close.
    #[must_use]
    pub fn kind(&self) -> TourKind {
        self.kind
    }

    /// N: the number of vertices, and of positions.
    #[must_use]
    pub fn n(&self) -> u32 {
        self.graph.n_vertices()
    }

    /// All vertices but the start, in increasing order.
    pub fn others(&self) -> impl Iterator<Item = Vertex> + use<> {
        let start = self.start;
        self.graph.vertices().filter(move |&v| v != start)
    }

    /// The number of the graph's first vertex where people read it.
    #[must_use]
    pub fn numbering(&self) -> Numbering {
        self.numbering
    }

    /// What a vertex is called where people read it: the square's name on a board, else its number, counted
    /// from 1 as in DIMACS and TSPLIB files unless [`numbered`](Self::numbered) says otherwise.
    #[must_use]
    pub fn vertex_name(&self, v: Vertex) -> String {
        match &self.board {
            Some(board) => board.square_name(v),
            None => self.numbering.number(v).to_string(),
        }
    }
}

impl fmt::Display for Instance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.board {
            Some(board) => write!(f, "{} {}", board.sides(), board.leaper())?,
            None => f.write_str(&self.name)?,
        }
        write!(
            f,
            ", {} tours, start {}",
            self.kind,
            self.vertex_name(self.start)
        )
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
        assert_eq!(
            on("1x1", TourKind::Closed, 0),
            refused("1x1 has 1 vertex: closed tours need at least 3")
        );
        assert_eq!(
            on("1x2", TourKind::Closed, 0),
            refused("1x2 has 2 vertices: closed tours need at least 3")
        );
        assert_eq!(
            on("1x1", TourKind::Open, 0),
            refused("1x1 has 1 vertex: open tours need at least 2")
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
