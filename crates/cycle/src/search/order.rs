//! Order in which a search tries the moves from a vertex.
//!
//! A leaper is a chess piece like the knight, whose moves have two legs of fixed lengths. Its eight moves on a board
//! are numbered clockwise. Move 1 has the longer leg up and the shorter leg to the right:
//!
//! ```text
//!   · 8 · 1 ·
//!   7 · · · 2
//!   · · X · ·
//!   6 · · · 3
//!   · 5 · 4 ·
//! ```
//!
//! An order is a permutation of the digits 1 to 8, as in the paper of Squirrel and Cull. The web article on the two
//! classical searches also goes clockwise, but starts at move 3 ([`Moves::ARTICLE`]). If a leaper has fewer than eight
//! moves, several numbers denote the same move. Only the first of these numbers in the order counts. A number denotes
//! one move of each leaper of a piece, in the order of the piece's leapers.
//!
//! # References
//!
//! - Douglas Squirrel and Paul Cull: *A Warnsdorff-Rule Algorithm for Knight's Tours on Square Chessboards*,
//!   Oregon State University REU program, 1996, Figure 1.
//! - The web article *Performing the Knights Tour in Linear Time*.

use std::fmt;
use std::str::FromStr;

use chacha20::ChaCha8Rng;
use chacha20::rand_core::SeedableRng;
use hamcnf_graph::Vertex;
use hamcnf_tours::{Instance, Piece};

use super::SearchError;
use crate::below;

/// Permutation of a leaper's eight moves, in the order in which they are tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Moves([u8; 8]);

impl Moves {
    /// Order of the web article *Performing the Knights Tour in Linear Time*: clockwise, starting at the move two
    /// columns right and one row down.
    pub const ARTICLE: Self = Self([3, 4, 5, 6, 7, 8, 1, 2]);

    /// Returns the order with these digits; `None` if the digits are not a permutation of 1 to 8.
    pub const fn new(digits: [u8; 8]) -> Option<Self> {
        let mut seen = 0u32;
        let mut k = 0;
        while k < 8 {
            if digits[k] == 0 || digits[k] > 8 {
                return None;
            }
            seen |= 1 << digits[k];
            k += 1;
        }
        // Bits 1 to 8 are all set only if all digits are different.
        if seen == 0b1_1111_1110 { Some(Self(digits)) } else { None }
    }

    /// Returns the jumps of a piece in this order, each once, as pairs (rows down, columns right). Riders go at most
    /// `reach` rows or columns far.
    pub(super) fn jumps(self, piece: Piece, reach: u64) -> Vec<(i64, i64)> {
        let mut jumps = Vec::with_capacity(8);
        for digit in self.0 {
            for (a, b) in piece.leapers().flat_map(|leaper| leaper.lengths(reach)) {
                let (short, long) = (a.min(b), a.max(b));
                let clockwise = [
                    (-long, short),
                    (-short, long),
                    (short, long),
                    (long, short),
                    (long, -short),
                    (short, -long),
                    (-short, -long),
                    (-long, -short),
                ];
                let jump = clockwise[usize::from(digit) - 1];
                if !jumps.contains(&jump) {
                    jumps.push(jump);
                }
            }
        }
        jumps
    }
}

impl fmt::Display for Moves {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|digit| write!(f, "{digit}"))
    }
}

/// Order in which the neighbours of a vertex are tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// Order of the moves that lead to the neighbours; for boards only.
    Moves(Moves),
    /// Increasing order of the vertex numbers.
    Graph,
    /// Random order for each vertex, drawn from the seed.
    Random,
}

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "\"{0}\" is not an order of moves; choose from article, graph, random, or write the digits 1 to 8 in any order, such as 12345678"
)]
pub struct NotAnOrder(String);

impl FromStr for Order {
    type Err = NotAnOrder;

    fn from_str(text: &str) -> Result<Self, NotAnOrder> {
        match text {
            "article" => return Ok(Self::Moves(Moves::ARTICLE)),
            "graph" => return Ok(Self::Graph),
            "random" => return Ok(Self::Random),
            _ => {}
        }
        // A character that is not a digit becomes a number that is not in any permutation.
        let digits = <[u8; 8]>::try_from(text.as_bytes()).map(|digits| digits.map(|digit| digit.wrapping_sub(b'0')));
        let moves = digits.ok().and_then(Moves::new);
        moves.map(Self::Moves).ok_or_else(|| NotAnOrder(text.to_owned()))
    }
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Moves(Moves::ARTICLE) => f.write_str("article"),
            Self::Moves(moves) => write!(f, "{moves}"),
            Self::Graph => f.write_str("graph"),
            Self::Random => f.write_str("random"),
        }
    }
}

/// Neighbours of every vertex in the order in which they are tried, stored in compressed sparse rows.
pub(super) struct Neighbours {
    /// Start of each vertex's neighbours in `heads`, with one more entry for the end.
    first: Vec<u32>,
    heads: Vec<Vertex>,
}

impl Neighbours {
    /// Returns the neighbours of all vertices of the instance's graph, in the given order.
    pub(super) fn new(instance: &Instance, order: Order, seed: u64) -> Result<Self, SearchError> {
        let graph = instance.graph();
        let mut first = Vec::with_capacity(graph.n_vertices() as usize + 1);
        let mut heads = Vec::with_capacity(graph.n_arcs() as usize);
        first.push(0);
        match order {
            Order::Moves(moves) => {
                let board =
                    instance.board().ok_or_else(|| SearchError::NoMoves { order, name: instance.name().to_owned() })?;
                let (rows, cols) = (i64::from(board.rows()), i64::from(board.cols()));
                let jumps = moves.jumps(board.piece(), rows.max(cols) as u64 - 1);
                for row in 0..rows {
                    for col in 0..cols {
                        let squares = jumps.iter().map(|(dr, dc)| (row + dr, col + dc));
                        let on_board = squares.filter(|(r, c)| (0..rows).contains(r) && (0..cols).contains(c));
                        // Vertex numbers fit into 32 bits on the board.
                        heads.extend(on_board.map(|(r, c)| Vertex::new((r * cols + c) as u32)));
                        first.push(heads.len() as u32);
                    }
                }
            }
            Order::Graph | Order::Random => {
                let mut random = ChaCha8Rng::seed_from_u64(seed);
                for v in graph.vertices() {
                    let begin = heads.len();
                    heads.extend_from_slice(graph.neighbours(v));
                    if order == Order::Random {
                        // Fisher-Yates shuffle: each place takes one of the neighbours not yet placed.
                        let drawn = &mut heads[begin..];
                        for last in (1..drawn.len()).rev() {
                            drawn.swap(last, below(&mut random, last + 1));
                        }
                    }
                    first.push(heads.len() as u32);
                }
            }
        }
        Ok(Self { first, heads })
    }

    /// Returns the neighbours of a vertex, in the order in which they are tried.
    pub(super) fn of(&self, v: Vertex) -> &[Vertex] {
        &self.heads[self.first[v.index()] as usize..self.first[v.index() + 1] as usize]
    }

    /// Returns the number of neighbours of each vertex.
    pub(super) fn degrees(&self) -> Vec<u32> {
        self.first.windows(2).map(|ends| ends[1] - ends[0]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hamcnf_tours::{Board, TourKind};

    fn instance(rows: u64, cols: u64, piece: &str) -> Instance {
        let board = Board::new(rows, cols, piece.parse::<Piece>().unwrap()).unwrap();
        Instance::on_board(board, TourKind::Open, Vertex::new(0)).unwrap()
    }

    #[test]
    fn every_order_has_all_neighbours() {
        for piece in ["1,2", "2,1", "1,1", "0,1", "0,2", "1,4", "2,2", "king", "gnu"] {
            let instance = instance(5, 7, piece);
            for order in ["article", "graph", "random", "12345678", "86427531"] {
                let order: Order = order.parse().unwrap();
                let neighbours = Neighbours::new(&instance, order, 3).unwrap();
                let degrees = neighbours.degrees();
                for v in instance.graph().vertices() {
                    let mut those = neighbours.of(v).to_vec();
                    those.sort_unstable();
                    assert_eq!(those, instance.graph().neighbours(v), "{piece} {order}");
                    assert_eq!(degrees[v.index()] as usize, those.len());
                }
            }
        }
    }

    #[test]
    fn moves_go_clockwise() {
        let names = |piece: &str, order: &str| {
            let instance = instance(5, 5, piece);
            let board = instance.board().unwrap();
            let order = order.parse().unwrap();
            let neighbours = Neighbours::new(&instance, order, 0).unwrap();
            let centre = board.square("c3").unwrap();
            let names: Vec<_> = neighbours.of(centre).iter().map(|&v| board.square_name(v)).collect();
            names.join(" ")
        };
        assert_eq!(names("1,2", "12345678"), "d1 e2 e4 d5 b5 a4 a2 b1");
        assert_eq!(names("1,2", "article"), "e4 d5 b5 a4 a2 b1 d1 e2");
        assert_eq!(names("1,2", "graph"), "b1 d1 a2 e2 a4 e4 b5 d5");
        assert_eq!(names("king", "12345678"), "c2 d2 d3 d4 c4 b4 b3 b2");
    }

    #[test]
    fn orders_are_read_as_they_are_written() {
        for text in ["article", "graph", "random", "87654321"] {
            assert_eq!(text.parse::<Order>().unwrap().to_string(), text);
        }
        assert_eq!("34567812".parse(), Ok(Order::Moves(Moves::ARTICLE)));
        for text in ["", "1234567", "11345678", "02345678", "12345679", "123456789", "knight"] {
            let error = text.parse::<Order>().unwrap_err().to_string();
            assert!(error.starts_with(&format!("\"{text}\" is not an order of moves")));
        }
    }
}
