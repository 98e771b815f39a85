//! Boards with holes: `8x8-a1-h8` is the board 8x8 without two of its squares. No piece stands on a hole, but pieces
//! jump over holes.
//!
//! The squares that remain are the vertices. They are numbered from 0, row by row, and keep the names that they have on
//! the whole board. A board without holes is a special case.

use std::fmt;
use std::str::FromStr;

use crate::{Board, BoardError, Piece, Ranks};
use hamcnf_graph::graph::{Graph, Vertex};

/// A board with holes, possibly none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HoledBoard {
    board: Board,
    /// Holes in increasing order. Each number is the number of the square on the whole board.
    holes: Vec<Vertex>,
}

/// Separator before each hole in the text form of a board.
const WITHOUT: char = '-';

impl HoledBoard {
    /// Returns the board without these squares. A square may be listed several times.
    ///
    /// # Errors
    ///
    /// [`BoardError::OffBoard`] if a square is not on the board; [`BoardError::Other`] if no square remains.
    pub fn new(board: Board, mut holes: Vec<Vertex>) -> Result<Self, BoardError> {
        holes.sort_unstable();
        holes.dedup();
        if let Some(hole) = holes.last().filter(|hole| hole.number() >= board.n_squares()) {
            board.square(&hole.number().to_string())?;
        }
        let holed = Self { board, holes };
        match holed.n_squares() {
            0 => Err(BoardError::Other(format!("board {holed} has no squares left"))),
            _ => Ok(holed),
        }
    }

    /// Returns the whole board, without holes.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Returns the holes, as squares of the whole board in increasing order.
    pub fn holes(&self) -> &[Vertex] {
        &self.holes
    }

    /// Returns this board for another piece. The size and the holes stay the same.
    ///
    /// # Errors
    ///
    /// [`BoardError`] if the new piece has too many moves.
    pub fn with(self, piece: impl Into<Piece>) -> Result<Self, BoardError> {
        let board = self.board.with(piece)?;
        Ok(Self { board, ..self })
    }

    /// Returns the same board with ranks numbered in this direction. Holes keep their places; their names change.
    pub fn ranked(self, ranks: Ranks) -> Self {
        let board = self.board.ranked(ranks);
        Self { board, ..self }
    }

    /// Returns the board with ranks numbered in this direction. The holes keep their names. The same name denotes
    /// another square if the direction changes, so the holes may move.
    pub fn read_with(self, ranks: Ranks) -> Self {
        if self.board.ranks() == ranks {
            return self;
        }
        let board = self.board.ranked(ranks);
        let mirrored = |&hole: &Vertex| {
            let (row, col) = board.row_col(hole);
            board.square_at(board.rows() - 1 - row, col)
        };
        let mut holes: Vec<_> = self.holes.iter().map(mirrored).collect();
        holes.sort_unstable();
        Self { board, holes }
    }

    /// Returns the number of squares that are not holes.
    pub fn n_squares(&self) -> u32 {
        self.board.n_squares() - self.holes.len() as u32
    }

    /// Returns the square of the whole board that corresponds to the vertex `v`.
    pub fn square(&self, v: Vertex) -> Vertex {
        // If hole k is square h of the whole board, h − k vertices come before this hole. This number does not decrease
        // with k, so a binary search is possible.
        let (mut before, mut most) = (0, self.holes.len());
        while before < most {
            let middle = before.midpoint(most);
            match self.holes[middle].number() - middle as u32 <= v.number() {
                true => before = middle + 1,
                false => most = middle,
            }
        }
        Vertex::new(v.number() + before as u32)
    }

    /// Returns the vertex that corresponds to a square of the whole board; `None` if the square is a hole.
    pub fn vertex(&self, square: Vertex) -> Option<Vertex> {
        let before = self.holes.binary_search(&square).err()?;
        Some(Vertex::new(square.number() - before as u32))
    }

    /// Returns the vertex of a square. The text is the name of the square or its number on the whole board.
    ///
    /// # Errors
    ///
    /// Errors of [`Board::square`]; [`BoardError::Other`] if the square is a hole.
    pub fn vertex_named(&self, text: &str) -> Result<Vertex, BoardError> {
        let square = self.board.square(text)?;
        self.vertex(square).ok_or_else(|| {
            let name = self.board.square_name(square);
            BoardError::Other(format!("square {name} is missing from the board {self}"))
        })
    }

    /// Returns the name of the square that corresponds to the vertex `v`.
    pub fn vertex_name(&self, v: Vertex) -> String {
        self.board.square_name(self.square(v))
    }

    /// Returns the graph whose vertices are the remaining squares and whose edges are the piece's moves between them.
    ///
    /// # Panics
    ///
    /// Never: the induced subgraph of a simple graph is simple.
    pub fn graph(&self) -> Graph {
        let whole = self.board.graph();
        if self.holes.is_empty() {
            return whole;
        }
        let new: Vec<_> = whole.vertices().map(|v| self.vertex(v)).collect();
        let left = whole.edges().filter_map(|(a, b)| {
            let (a, b) = new[a as usize].zip(new[b as usize])?;
            Some((a.number(), b.number()))
        });
        Graph::from_edges(self.n_squares(), left).expect("a subgraph of a simple graph is simple")
    }

    /// Returns the size and the holes, without the piece, such as `8x8-a1-h8`.
    pub fn sides(&self) -> String {
        self.board.sides() + &self.without()
    }

    fn without(&self) -> String {
        let names = self.holes.iter().map(|&hole| self.board.square_name(hole));
        names.map(|name| format!("{WITHOUT}{name}")).collect()
    }
}

impl From<Board> for HoledBoard {
    fn from(board: Board) -> Self {
        let holes = Vec::new();
        Self { board, holes }
    }
}

impl FromStr for HoledBoard {
    type Err = BoardError;

    /// Parses the text form of a [`Board`], followed by the holes. Each hole is a dash and the name or number of a
    /// square.
    fn from_str(text: &str) -> Result<Self, BoardError> {
        let mut parts = text.split(WITHOUT);
        let board = parts.next().unwrap_or_default().parse::<Board>();
        let board = board.map_err(|error| match error {
            BoardError::Syntax(_) => BoardError::Syntax(text.to_owned()),
            other => other,
        })?;
        let holes = parts.map(|name| board.square(name));
        Self::new(board, holes.collect::<Result<_, _>>()?)
    }
}

/// Writes the text form of a board with its holes. Parsing the text returns the same board.
impl fmt::Display for HoledBoard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.board, self.without())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(text: &str) -> HoledBoard {
        text.parse().unwrap()
    }

    #[test]
    fn boards_are_parsed_as_they_are_written() {
        for text in ["8x8", "8x8-a1-h8", "leaper:1,3:10x10-j10", "king:5x5-a1", "3x30-ab2"] {
            assert_eq!(board(text).to_string(), text);
        }
        assert_eq!(board("8x8-h8-0-A1-63"), board("8x8-a1-h8"));
        assert_eq!(board("leaper:0,1:4x4-b2").sides(), "4x4-b2");
        for (text, message) in [
            ("8-8", "\"8-8\" is not a board; write ROWSxCOLUMNS, such as 8x8"),
            ("8x8-", "\"\" is not a square; write its name"),
            ("8x8-i1", "square i1 is not on the 8x8 board"),
            ("8x8-a1 ", "\"a1 \" is not a square"),
            ("1x2-a1-b1", "board 1x2-a1-b1 has no squares left"),
        ] {
            let error = text.parse::<HoledBoard>().unwrap_err().to_string();
            assert!(error.starts_with(message), "{error}");
        }
    }

    #[test]
    fn squares_that_are_left_keep_their_names_and_moves() {
        let (whole, holed) = (board("5x6"), board("5x6-a1-c1-d3-f5"));
        assert_eq!(holed.n_squares(), 26);
        let (graph, part) = (whole.graph(), holed.graph());
        for v in part.vertices() {
            assert_eq!(holed.vertex(holed.square(v)), Some(v));
            assert_eq!(holed.vertex_named(&holed.vertex_name(v)), Ok(v));
            for w in part.vertices() {
                let there = graph.arc(holed.square(v), holed.square(w)).is_some();
                assert_eq!(part.arc(v, w).is_some(), there);
            }
        }
        assert_eq!(holed.vertex_name(Vertex::new(0)), "b1");
        let error = holed.vertex_named("d3").unwrap_err().to_string();
        assert_eq!(error, "square d3 is missing from the board 5x6-a1-c1-d3-f5");
        assert_eq!(part.n_vertices(), 26);
    }
}
