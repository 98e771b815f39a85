//! Rectangular boards and the pieces that move on them.
//!
//! Squares are numbered from 0, row by row from the top left corner, as in the paper *Knights Tour* by Karthikeyan,
//! Chheda and Ruan. The name of a square is a column letter and a row number, both counted from that corner. Square 0
//! is `a1`, the square to the right of it is `b1`, and the square below it is `a2`. After column `z` come `aa`, `ab`,
//! and so on. Pictures show the letters and numbers at their edges, with `a1` at the top left. With [`Ranks::Up`], the
//! row numbers in names are counted from the bottom instead; nothing else changes.

use std::fmt;
use std::str::FromStr;

use crate::piece::{Piece, PieceError};
use hamcnf_graph::graph::{Graph, Vertex};
use hamcnf_graph::names::named;

/// Largest variable number that DIMACS solvers accept: their literals are 32-bit signed integers.
pub const MAX_VARIABLES: u64 = i32::MAX as u64;

/// Largest number of squares of a board. Methods that need no formula have this limit, too.
const MAX_SQUARES: u128 = 1 << 26;

/// Error for a text that is not a board, a piece, or a square of a board. The variants are the errors that a caller may
/// treat in a special way.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BoardError {
    /// The text is not two numbers with an `x` between them.
    #[error("\"{0}\" is not a board; write ROWSxCOLUMNS, such as 8x8")]
    Syntax(String),
    /// The text is neither the name nor the number of a square.
    #[error("\"{0}\" is not a square; write its name, such as a1, or its number, counted from 0")]
    SquareSyntax(String),
    /// The square is outside the board. The value is a sentence without a full stop.
    #[error("{0}")]
    OffBoard(String),
    /// Any other error, as a sentence without a full stop.
    #[error("{0}")]
    Other(String),
}

impl BoardError {
    /// Returns the error for a board without squares.
    pub fn empty(rows: u64, cols: u64) -> Self {
        Self::Other(format!("board {rows}x{cols} has no squares: both numbers must be at least 1"))
    }
}

impl From<PieceError> for BoardError {
    fn from(error: PieceError) -> Self {
        Self::Other(error.to_string())
    }
}

/// Word before the leapers in a board's text form.
const LEAPER: &str = "leaper";

/// Prefix of a board's text form if the ranks are numbered from the bottom.
const RANKS_UP: &str = "ranks=up:";

named! {
    /// Direction in which the rows (ranks) of a board are numbered in the names of its squares.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
    pub enum Ranks: "direction of ranks" {
        /// Ranks are numbered from the top: a1 is the top left corner.
        #[default]
        Down => "down",
        /// Ranks are numbered from the bottom, as chess players read boards: a1 is the bottom left corner.
        Up => "up",
    }
}

/// A board of `rows` × `cols` squares, and the piece that moves on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Board {
    rows: u32,
    cols: u32,
    piece: Piece,
    ranks: Ranks,
}

impl Board {
    /// Returns the board with this size and piece. Rejects boards that are too large before any memory is allocated for
    /// them.
    ///
    /// # Errors
    ///
    /// [`BoardError`] if a side is 0, or if the board has too many squares or moves.
    pub fn new(rows: u64, cols: u64, piece: impl Into<Piece>) -> Result<Self, BoardError> {
        let piece = piece.into();
        if rows == 0 || cols == 0 {
            return Err(BoardError::empty(rows, cols));
        }
        let squares = u128::from(rows) * u128::from(cols);
        // A jump (dr, dc) stays on the board from (rows - |dr|)(cols - |dc|) squares. The sums saturate, because a text
        // can ask for sizes that no integer type holds.
        // A longer side makes the board too large for a rider that moves along it.
        let reach = (rows.max(cols) - 1).min(MAX_VARIABLES.isqrt());
        let arcs: u128 = piece
            .jumps(reach)
            .map(|(dr, dc)| {
                let fits = |length: u64, jump: i64| length.saturating_sub(jump.unsigned_abs());
                u128::from(fits(rows, dr)) * u128::from(fits(cols, dc))
            })
            .fold(0, u128::saturating_add);
        for (found, noun, most) in [(squares, "squares", MAX_SQUARES), (arcs, "moves", MAX_VARIABLES.into())] {
            if found > most {
                return Err(BoardError::Other(format!(
                    "board {rows}x{cols} is too large: it has {found} {noun}, but at most {most} are supported"
                )));
            }
        }
        // The casts are safe: sides are no longer than the number of squares.
        Ok(Self { rows: rows as u32, cols: cols as u32, piece, ranks: Ranks::Down })
    }

    /// Returns this board for another piece. The size and the numbering of ranks stay the same.
    ///
    /// # Errors
    ///
    /// [`BoardError`] if the new piece has too many moves.
    pub fn with(self, piece: impl Into<Piece>) -> Result<Self, BoardError> {
        let board = Self::new(self.rows.into(), self.cols.into(), piece)?;
        Ok(board.ranked(self.ranks))
    }

    /// Returns the same board with ranks numbered in this direction. Squares keep their numbers; only their names
    /// change.
    pub fn ranked(self, ranks: Ranks) -> Self {
        Self { ranks, ..self }
    }

    /// Returns the direction in which ranks are numbered.
    pub fn ranks(&self) -> Ranks {
        self.ranks
    }

    /// Returns the size as `ROWSxCOLUMNS`, without the piece. If ranks are numbered from the bottom, `ranks=up:`
    /// precedes the size.
    pub fn sides(&self) -> String {
        let ranks = match self.ranks {
            Ranks::Down => "",
            Ranks::Up => RANKS_UP,
        };
        format!("{ranks}{}x{}", self.rows, self.cols)
    }

    /// Returns a text form of the board for programs that do not know the names of pieces. Any piece other than the
    /// knight is written as the lengths of its jumps: the king's board is `leaper:0,1+1,1:8x8`. A rider has all lengths
    /// that fit on the board: the rook's board is `leaper:0,1+0,2:3x3`.
    pub fn without_names(&self) -> String {
        let sides = self.sides();
        if self.piece == Piece::KNIGHT {
            return sides;
        }
        let lengths = match self.piece.rides() {
            false => self.piece.lengths(),
            true => {
                let each = self.jumps().filter(|&(a, b)| 0 <= a && a <= b);
                let each: Vec<_> = each.map(|(a, b)| format!("{a},{b}")).collect();
                each.join("+")
            }
        };
        format!("{LEAPER}:{lengths}:{sides}")
    }

    /// Returns the number of rows.
    #[inline]
    pub fn rows(&self) -> u32 {
        self.rows
    }

    /// Returns the number of columns.
    #[inline]
    pub fn cols(&self) -> u32 {
        self.cols
    }

    /// Returns the piece that moves on the board.
    pub fn piece(&self) -> Piece {
        self.piece
    }

    /// Returns the jumps of the piece, as pairs of row and column offsets in increasing order, that are not longer than
    /// the board if the piece rides.
    pub fn jumps(&self) -> impl Iterator<Item = (i64, i64)> + use<> {
        self.piece.jumps(u64::from(self.rows.max(self.cols)) - 1)
    }

    /// Returns the number of squares.
    #[inline]
    pub fn n_squares(&self) -> u32 {
        self.rows * self.cols
    }

    /// Returns the graph of the piece's moves: its vertices are the squares, and its edges are the moves.
    ///
    /// # Panics
    ///
    /// Never: moves stay on the board, and [`Board::new`] has checked the number of edges.
    pub fn graph(&self) -> Graph {
        // The second of two adjacent squares is in a later row, or further right in the same row.
        let later: Vec<_> = self.jumps().filter(|&jump| jump > (0, 0)).collect();
        let edges = (0..self.n_squares()).flat_map(|s| {
            let (row, col) = self.row_col(Vertex::new(s));
            later.iter().filter_map(move |(dr, dc)| {
                let r = u32::try_from(i64::from(row) + dr).ok()?;
                let c = u32::try_from(i64::from(col) + dc).ok()?;
                let is_on = r < self.rows && c < self.cols;
                is_on.then(|| (s, self.square_at(r, c).number()))
            })
        });
        Graph::from_edges(self.n_squares(), edges).expect("moves stay on the board and fit, as Board::new counted them")
    }

    /// Returns the 0-based row and column of a square, counted from the top left.
    #[inline]
    pub fn row_col(&self, square: Vertex) -> (u32, u32) {
        (square.number() / self.cols, square.number() % self.cols)
    }

    /// Returns the square in this row and column, which are 0-based and counted from the top left.
    ///
    /// # Panics
    ///
    /// Panics if the row or column is off the board.
    #[inline]
    pub fn square_at(&self, row: u32, col: u32) -> Vertex {
        assert!(row < self.rows && col < self.cols, "off the board");
        Vertex::new(row * self.cols + col)
    }

    /// Returns the images of a square under the board's symmetries, including the square itself. The symmetries are the
    /// reflections in the two axes and the half turn. If the board is square, they are also the quarter turns and the
    /// reflections in the diagonals. The same image may occur several times.
    pub fn images(&self, square: Vertex) -> impl Iterator<Item = Vertex> + use<> {
        let board = *self;
        let (row, col) = board.row_col(square);
        let (below, right) = (board.rows - 1 - row, board.cols - 1 - col);
        let upright = [(row, col), (row, right), (below, col), (below, right)];
        let turned = upright.map(|(r, c)| (c, r));
        let is_square = board.rows == board.cols;
        let places = upright.into_iter().chain(turned.into_iter().filter(move |_| is_square));
        places.map(move |(r, c)| board.square_at(r, c))
    }

    /// Returns the name of a square, such as `c2`. The square `a1` is at the top left, where it has the number 0, or at
    /// the bottom left if ranks are numbered from the bottom.
    pub fn square_name(&self, square: Vertex) -> String {
        let (row, col) = self.row_col(square);
        format!("{}{}", column_name(col), self.rank(row))
    }

    /// Returns the rank of a row: the number of the row, counted from 1, in the names of squares. The argument `row` is
    /// counted from 0 at the top.
    pub fn rank(&self, row: u32) -> u32 {
        match self.ranks {
            Ranks::Down => row + 1,
            Ranks::Up => self.rows - row,
        }
    }

    /// Returns the square with this name (such as `c2`) or 0-based number (such as `10`).
    ///
    /// # Errors
    ///
    /// [`BoardError::SquareSyntax`] if the text is neither a name nor a number, [`BoardError::OffBoard`] if the board
    /// does not have the square.
    pub fn square(&self, text: &str) -> Result<Vertex, BoardError> {
        let syntax = || BoardError::SquareSyntax(text.to_owned());
        let off = || {
            let (last, n) = (format!("{}{}", column_name(self.cols - 1), self.rows), self.n_squares() - 1);
            let squares = format!("squares are a1 to {last}, or 0 to {n}");
            BoardError::OffBoard(format!("square {text} is not on the {self} board; {squares}"))
        };
        let digits_at = text.find(|c: char| c.is_ascii_digit()).ok_or_else(syntax)?;
        let (letters, digits) = text.split_at(digits_at);
        if !digits.bytes().all(|b| b.is_ascii_digit()) {
            return Err(syntax());
        }
        // The text has only digits, so parsing fails only if the number is too large for the type. No board has that
        // many squares.
        let number: u64 = digits.parse().map_err(|_| off())?;
        if letters.is_empty() {
            if number >= u64::from(self.n_squares()) {
                return Err(off());
            }
            return Ok(Vertex::new(number as u32));
        }
        if !letters.bytes().all(|b| b.is_ascii_alphabetic()) {
            return Err(syntax());
        }
        let col = letters
            .bytes()
            .map(|b| u64::from(b.to_ascii_lowercase() - b'a') + 1)
            .try_fold(0u64, |n, digit| n.checked_mul(26)?.checked_add(digit))
            .ok_or_else(off)?;
        if number == 0 || number > u64::from(self.rows) || col > u64::from(self.cols) {
            return Err(off());
        }
        let row = match self.ranks {
            Ranks::Down => number as u32 - 1,
            Ranks::Up => self.rows - number as u32,
        };
        Ok(self.square_at(row, col as u32 - 1))
    }
}

/// Returns the name of a column, counted from 0: `a` to `z`, then `aa`, and so on.
pub fn column_name(col: u32) -> String {
    let mut name = Vec::new();
    let mut rest = u64::from(col) + 1;
    while rest > 0 {
        rest -= 1;
        name.push((b'a' + (rest % 26) as u8) as char);
        rest /= 26;
    }
    name.iter().rev().collect()
}

impl FromStr for Board {
    type Err = BoardError;

    /// Parses `ROWSxCOLUMNS` as a board for the knight. The size may have two prefixes, in either order. `NAME:` or
    /// `leaper:A,B+A,B…:` names another piece. `ranks=up:` numbers the ranks from the bottom.
    fn from_str(text: &str) -> Result<Self, BoardError> {
        let syntax = || BoardError::Syntax(text.to_owned());
        let ranks = |text| match str::strip_prefix(text, RANKS_UP) {
            Some(rest) => (Ranks::Up, rest),
            None => (Ranks::Down, text),
        };
        let (before, rest) = ranks(text);
        let (piece, rest) = match rest.split_once(':') {
            Some((LEAPER, rest)) => {
                let (leapers, rest) = rest.split_once(':').ok_or_else(syntax)?;
                (leapers.parse()?, rest)
            }
            Some((name, sides)) => match Piece::named(name) {
                Some(piece) => (piece, sides),
                None => (Piece::KNIGHT, rest),
            },
            None => (Piece::KNIGHT, rest),
        };
        let (behind, sides) = ranks(rest);
        let ranks = match (before, behind) {
            (Ranks::Up, Ranks::Up) => return Err(syntax()),
            (Ranks::Down, ranks) | (ranks, Ranks::Down) => ranks,
        };
        let (rows, cols) = sides.split_once(['x', 'X', '×']).ok_or_else(syntax)?;
        let side = |digits: &str| -> Result<u64, BoardError> {
            if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
                return Err(syntax());
            }
            // A number that is too large for the type becomes the maximum, which Board::new rejects.
            Ok(digits.parse().unwrap_or(u64::MAX))
        };
        Ok(Self::new(side(rows)?, side(cols)?, piece)?.ranked(ranks))
    }
}

/// Writes the text form of a board: the piece, unless it is the knight, and then [`Board::sides`]. A single leaper is
/// written as the lengths of its jump, even if it has a name. A set of several leapers is written as its name if it has
/// one. Parsing the text returns the same board.
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.piece.leaper(), self.piece.name()) {
            (None, Some(name)) => write!(f, "{name}:{}", self.sides()),
            _ if self.piece == Piece::KNIGHT => f.write_str(&self.sides()),
            _ => write!(f, "{LEAPER}:{}:{}", self.piece.lengths(), self.sides()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::piece::Leaper;

    fn board(text: &str) -> Board {
        text.parse().unwrap()
    }

    #[test]
    fn the_papers_corner_has_its_two_neighbours() {
        let g = board("8x8").graph();
        let numbers: Vec<_> = g.neighbours(Vertex::new(0)).iter().map(|v| v.number()).collect();
        assert_eq!(numbers, [10, 17]);
        assert_eq!(g.n_arcs(), 336);
        assert_eq!(board("6x6").graph().n_arcs(), 160);
    }

    #[test]
    fn arcs_counted_before_building_are_the_arcs_built() {
        for text in ["1,2", "0,1", "2,2", "1,4", "0,3", "king", "queen", "0,3+1,4+2,2"] {
            let piece: Piece = text.parse().unwrap();
            for (rows, cols) in [(1, 1), (1, 7), (3, 5), (6, 4)] {
                let b = Board::new(rows, cols, piece).unwrap();
                let counted: i64 =
                    b.jumps().map(|(r, c)| (rows as i64 - r.abs()).max(0) * (cols as i64 - c.abs()).max(0)).sum();
                assert_eq!(i64::from(b.graph().n_arcs()), counted, "{piece} {b}");
            }
        }
    }

    #[test]
    fn names_and_squares_are_inverse_past_column_z() {
        let b = board("3x800");
        for v in b.graph().vertices() {
            assert_eq!(b.square(&b.square_name(v)), Ok(v));
            assert_eq!(b.square(&v.number().to_string()), Ok(v));
        }
        assert_eq!(b.square("AA2"), Ok(b.square_at(1, 26)));
        assert_eq!([0, 25, 26, 701, 702].map(column_name), ["a", "z", "aa", "zz", "aaa"]);
    }

    #[test]
    fn symmetries_keep_moves() {
        for (text, corners) in [("5x5", 4), ("4x6", 4), ("1x7", 2)] {
            let b = board(text);
            let g = b.graph();
            for v in g.vertices() {
                for w in g.vertices() {
                    let adjacent = g.arc(v, w).is_some();
                    let pairs = b.images(v).zip(b.images(w));
                    assert!(pairs.into_iter().all(|(v, w)| g.arc(v, w).is_some() == adjacent));
                }
            }
            let mut images: Vec<_> = b.images(Vertex::new(0)).collect();
            images.sort_unstable();
            images.dedup();
            assert_eq!(images.len(), corners, "{text}");
        }
    }

    #[test]
    fn ranks_are_numbered_from_either_end() {
        let up = board("ranks=up:5x6");
        let names = [0, 5, 24, 29].map(|square| up.square_name(Vertex::new(square)));
        assert_eq!(names, ["a5", "f5", "a1", "f1"]);
        for square in (0..30).map(Vertex::new) {
            assert_eq!(up.square(&up.square_name(square)), Ok(square));
        }
        assert_eq!(up.square("24"), Ok(Vertex::new(24)));
        assert_eq!(
            up.square("a6").unwrap_err().to_string(),
            "square a6 is not on the ranks=up:5x6 board; squares are a1 to f5, or 0 to 29"
        );
        assert_eq!(board("5x6").ranked(Ranks::Up), up);
        for text in ["leaper:1,3:ranks=up:5x6", "ranks=up:leaper:1,3:5x6"] {
            assert_eq!(board(text).to_string(), "leaper:1,3:ranks=up:5x6");
        }
    }

    #[test]
    fn boards_are_parsed_as_they_are_written() {
        for (text, piece) in [
            ("8x8", "knight"),
            ("leaper:0,1:3x4", "wazir"),
            ("leaper:2,1:3x4", "2,1"),
            ("king:8x8", "king"),
            ("leaper:0,1+1,3:8x8", "0,1+1,3"),
            ("king:ranks=up:5x6", "king"),
        ] {
            assert_eq!(board(text).piece().to_text(), piece);
            assert_eq!(board(text).to_string(), text);
        }
        for (text, canonical) in [
            ("leaper:1,2:8x8", "8x8"),
            ("knight:8x8", "8x8"),
            ("leaper:1,2+2,1:8x8", "8x8"),
            ("wazir:4x4", "leaper:0,1:4x4"),
            ("camel:10x10", "leaper:1,3:10x10"),
            ("leaper:1,1+0,1:8x8", "king:8x8"),
            ("leaper:0,1+1,0+1,1:8x8", "king:8x8"),
            ("leaper:wazir+ferz:8x8", "king:8x8"),
            ("ranks=up:king:5x6", "king:ranks=up:5x6"),
            ("leaper:3,1+2,1:8x8", "gnu:8x8"),
        ] {
            assert_eq!(board(text).to_string(), canonical, "{text}");
        }
        assert_eq!(board("8x8").without_names(), "8x8");
        assert_eq!(board("king:8x8").without_names(), "leaper:0,1+1,1:8x8");
        let zebra = Leaper::new(2, 3).unwrap();
        assert_eq!(board("8x8").with(zebra), "leaper:2,3:8x8".parse());
        let wrong = "leaper:1,3 leaper:8x8 leaper:1,3:leaper:1,3:8x8 leaper:1,3:8 leaper:1,3:king:8x8 \
                     king:king:8x8 king:8 kong:8x8 1,2:8x8 ranks=up:king:ranks=up:8x8";
        for text in wrong.split(' ') {
            let error = text.parse::<Board>().unwrap_err().to_string();
            assert_eq!(error, format!("\"{text}\" is not a board; write ROWSxCOLUMNS, such as 8x8"));
        }
        let error = "leaper:0,0:8x8".parse::<Board>().unwrap_err();
        assert_eq!(error, "0,0".parse::<Piece>().unwrap_err().into());
    }

    #[test]
    fn bad_boards_and_squares_are_named() {
        let error = |text: &str| text.parse::<Board>().unwrap_err().to_string();
        assert_eq!(error("8y8"), "\"8y8\" is not a board; write ROWSxCOLUMNS, such as 8x8");
        assert_eq!(error("x8"), "\"x8\" is not a board; write ROWSxCOLUMNS, such as 8x8");
        assert_eq!(error("0x5"), "board 0x5 has no squares: both numbers must be at least 1");
        assert!(error("100000x100000").contains("10000000000 squares, but at most 67108864"));
        assert!(error("99999999999999999999999x1").contains("too large"));
        let b = board("5x6");
        for square in ["g1", "a6", "30", "a0", "zzzzzzzzzzzzzzzzzzzzz1", "99999999999999999999999"] {
            let message = b.square(square).unwrap_err().to_string();
            let expected = format!("square {square} is not on the 5x6 board; squares are a1 to f5, or 0 to 29");
            assert_eq!(message, expected);
        }
        for square in ["", "a", "1a", "-1", "a1x", "é1"] {
            assert!(matches!(b.square(square), Err(BoardError::SquareSyntax(_))), "{square}");
        }
    }
}
