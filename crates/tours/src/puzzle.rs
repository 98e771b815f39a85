//! Puzzles: boards on which some squares have a given number, the position of the square on the tour. Examples are
//! Numbrix, Hidato and knight's-tour puzzles.
//!
//! A puzzle is a grid of cells in a text, with blanks, tabs or commas between the cells. A cell is a number, counted
//! from 1; a blank square, written `.`, `_`, `-`, `?`, `0`, `-1` or as nothing between commas; or a hole, written `#`,
//! `x` or `X`. A mark may be doubled, as in `__`. Many programs write two marks, one for blank squares and one for
//! holes: `-1` is a hole in a grid that also has another mark of a blank square, and `.` in a grid that also has `_`,
//! `?` or `0`. Lines that begin with `%` or `//` are comments. Before the grid, `piece PIECE` or the name alone names
//! the piece, and `closed` asks for a closed tour:
//!
//! ```text
//! piece king
//!  7  .  .
//!  .  .  #
//!  .  .  1
//! ```

use std::fmt;

use crate::piece::{Piece, PieceError};
use crate::{Board, BoardError, HoledBoard, TourKind};
use hamcnf_graph::graph::Vertex;

/// Board with given numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Puzzle {
    board: HoledBoard,
    kind: TourKind,
    /// Given numbers, indexed by vertex. Numbers are positions counted from 1.
    givens: Vec<Option<u32>>,
    /// True if the text names no piece.
    is_without_piece: bool,
}

/// Reason why a text is not a puzzle, as a sentence without a full stop.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct PuzzleError(String);

impl From<BoardError> for PuzzleError {
    fn from(error: BoardError) -> Self {
        Self(error.to_string())
    }
}

impl From<PieceError> for PuzzleError {
    fn from(error: PieceError) -> Self {
        Self(error.to_string())
    }
}

/// Number of moves for which two squares are apart, given the differences of their rows and columns.
type Distance = fn(u32, u32) -> u32;

/// Cell of a grid.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cell {
    Blank,
    /// A blank square, or a hole if the grid has `Blank`.
    Dot,
    /// A blank square, or a hole if the grid has `Blank` or `Dot`.
    MinusOne,
    Hole,
    Number(u32),
}

impl Puzzle {
    /// Returns the puzzle with these given numbers, indexed by vertex.
    ///
    /// # Errors
    ///
    /// [`PuzzleError`] if a number is too great or occurs twice, or if the number 1 is missing although the tour is
    /// closed.
    pub fn new(board: HoledBoard, kind: TourKind, givens: Vec<Option<u32>>) -> Result<Self, PuzzleError> {
        let n = board.n_squares();
        let name = |v: u32| board.vertex_name(Vertex::new(v));
        let mut squares = vec![None; n as usize + 1];
        for (v, number) in (0..).zip(&givens) {
            let Some(number) = *number else { continue };
            let square = squares.get_mut(number as usize);
            let Some(square) = square.filter(|_| number > 0) else {
                let square = name(v);
                return Err(PuzzleError(format!(
                    "square {square} has the number {number}, but the board has {n} squares"
                )));
            };
            if let Some(first) = square.replace(v) {
                let (first, second) = (name(first), name(v));
                return Err(PuzzleError(format!("squares {first} and {second} both have the number {number}")));
            }
        }
        match (kind, squares.get(1)) {
            (TourKind::Closed, Some(None)) => {
                Err(PuzzleError("a puzzle with a closed tour must give the number 1".to_owned()))
            }
            _ => Ok(Self { board, kind, givens, is_without_piece: false }),
        }
    }

    /// Parses a text. The piece is a knight unless the text names another.
    ///
    /// # Errors
    ///
    /// [`PuzzleError`], with the line number.
    pub fn parse(text: &str) -> Result<Self, PuzzleError> {
        let (mut named, mut kind) = (None, TourKind::Open);
        let mut rows: Vec<Vec<Cell>> = Vec::new();
        for (line, row) in (1..).zip(text.lines()) {
            let is_comment = ["%", "//"].iter().any(|sign| row.trim_start().starts_with(sign));
            let words: Vec<&str> = row.split_whitespace().collect();
            match words[..] {
                [] => continue,
                _ if is_comment => continue,
                ["piece" | "piece:", name] | [name]
                    if rows.is_empty() && (words.len() == 2 || Piece::named(name).is_some()) =>
                {
                    named = Some(name.parse()?);
                    continue;
                }
                ["closed"] if rows.is_empty() => {
                    kind = TourKind::Closed;
                    continue;
                }
                ["open"] if rows.is_empty() => continue,
                _ => {}
            }
            let cells: Vec<&str> = match row.contains([',', ';']) {
                true => row.split([',', ';']).map(str::trim).collect(),
                false => words,
            };
            let instead = "write a number, \".\" for a blank square or \"#\" for a hole";
            let wrong = |cell| PuzzleError(format!("line {line}: \"{cell}\" is not a cell; {instead}"));
            let cells = cells.into_iter().map(|cell| cell_of(cell).ok_or_else(|| wrong(cell)));
            let cells: Vec<Cell> = cells.collect::<Result<_, _>>()?;
            if let Some(first) = rows.first().filter(|first| first.len() != cells.len()) {
                let (found, expected) = (cells.len(), first.len());
                let row = format!("line {line}: this row has {found} cells, but the first row has {expected}");
                return Err(PuzzleError(row));
            }
            rows.push(cells);
        }
        let grid = "write rows of numbers, with \".\" for blank squares and \"#\" for holes";
        let first = rows.first().ok_or_else(|| PuzzleError(format!("there is no grid; {grid}")))?;
        let columns = first.len();
        let piece = named.unwrap_or(Piece::KNIGHT);
        let board = Board::new(rows.len() as u64, columns as u64, piece)?;
        let cells: Vec<Cell> = rows.concat();
        let has = |cell: Cell| cells.contains(&cell);
        let or_hole = |is_hole: bool| if is_hole { Cell::Hole } else { Cell::Blank };
        let (dot, minus_one) = (or_hole(has(Cell::Blank)), or_hole(has(Cell::Blank) || has(Cell::Dot)));
        let cells = cells.iter().map(|&cell| match cell {
            Cell::Dot => dot,
            Cell::MinusOne => minus_one,
            cell => cell,
        });
        let cells: Vec<Cell> = cells.collect();
        let holes = (0..).zip(&cells).filter(|&(_, &cell)| cell == Cell::Hole);
        let holes = holes.map(|(square, _)| Vertex::new(square)).collect();
        let board = HoledBoard::new(board, holes)?;
        let squares = cells.into_iter().filter(|&cell| cell != Cell::Hole);
        let givens = squares.map(|cell| match cell {
            Cell::Number(number) => Some(number),
            _ => None,
        });
        Ok(Self { is_without_piece: named.is_none(), ..Self::new(board, kind, givens.collect())? })
    }

    /// Returns the names of pieces other than the knight that may solve a puzzle whose text names no piece: the king of
    /// Hidato and the wazir of Numbrix, as far as each can move between the given numbers in time. The list is empty if
    /// the text names a piece.
    pub fn pieces_to_try(&self) -> Vec<&'static str> {
        let board = self.board.board();
        let mut givens: Vec<_> = self.givens().map(|(v, number)| (number, v)).collect();
        givens.sort_unstable();
        let place = |v| board.row_col(self.board.square(v));
        let fits = |distance: Distance| {
            givens.windows(2).all(|two| {
                let [(first, v), (second, w)] = [two[0], two[1]];
                let [(row, col), (other_row, other_col)] = [place(v), place(w)];
                let away = distance(row.abs_diff(other_row), col.abs_diff(other_col));
                away <= second - first
            })
        };
        let pieces: [(_, Distance); 2] = [("king", |a, b| a.max(b)), ("wazir", |a, b| a + b)];
        let known = pieces.into_iter().filter(|_| self.is_without_piece);
        let known = known.filter(|&(_, distance)| fits(distance));
        known.map(|(name, _)| name).collect()
    }

    /// Returns the board with its piece and its holes.
    pub fn board(&self) -> &HoledBoard {
        &self.board
    }

    /// Returns the kind of tour.
    pub fn kind(&self) -> TourKind {
        self.kind
    }

    /// Returns the given number of a square, counted from 1; `None` for a blank square.
    pub fn given(&self, v: Vertex) -> Option<u32> {
        self.givens[v.index()]
    }

    /// Returns the squares with given numbers, and the numbers, in the order of the squares.
    pub fn givens(&self) -> impl Iterator<Item = (Vertex, u32)> + '_ {
        let all = (0..).map(Vertex::new).zip(&self.givens);
        all.filter_map(|(v, number)| Some((v, (*number)?)))
    }
}

fn cell_of(text: &str) -> Option<Cell> {
    match text {
        "" | "_" | "__" | "-" | "--" | "?" | "??" | "0" | "00" => Some(Cell::Blank),
        "." | ".." => Some(Cell::Dot),
        "-1" => Some(Cell::MinusOne),
        "#" | "##" | "x" | "X" | "xx" | "XX" => Some(Cell::Hole),
        number => number.parse().ok().map(Cell::Number),
    }
}

/// Writes the grid in the form that [`Puzzle::parse`] reads.
impl fmt::Display for Puzzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let board = self.board.board();
        if board.piece() != Piece::KNIGHT {
            writeln!(f, "piece {}", board.piece().to_text())?;
        }
        if self.kind == TourKind::Closed {
            writeln!(f, "closed")?;
        }
        let width = board.n_squares().to_string().len();
        for row in 0..board.rows() {
            for col in 0..board.cols() {
                let cell = match self.board.vertex(board.square_at(row, col)) {
                    None => "#".to_owned(),
                    Some(v) => match self.given(v) {
                        Some(number) => number.to_string(),
                        None => ".".to_owned(),
                    },
                };
                let gap = if col > 0 { " " } else { "" };
                write!(f, "{gap}{cell:>width$}")?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn puzzles_are_read_as_they_are_written() {
        for text in [
            "7 . .\n. . #\n. . 1\n",
            "piece king\n4 .\n. 1\n",
            "piece camel\nclosed\n .  1  .\n .  .  .\n .  4  .\n .  # 10\n",
        ] {
            assert_eq!(Puzzle::parse(text).unwrap().to_string(), text);
        }
        for (text, grid) in [
            ("7 __ __\n__ __ ##\n__ __ 1\n", "7 . .\n. . #\n. . 1\n"),
            ("7 .. ..\n.. .. -1\n.. .. 1\n", "7 . .\n. . #\n. . 1\n"),
            ("7 -1 -1\n-1 -1 #\n-1 -1 1\n", "7 . .\n. . #\n. . 1\n"),
            ("7 0 0\n0 0 -1\n0 0 1\n", "7 . .\n. . #\n. . 1\n"),
            // Holes and blank squares as programs that solve Hidato write them.
            ("7 __ __\n__ __ .\n__ __ 1\n", "7 . .\n. . #\n. . 1\n"),
        ] {
            assert_eq!(Puzzle::parse(text).unwrap().to_string(), grid, "{text}");
        }
        let csv = Puzzle::parse("% from a magazine\n1,,x\n?,0,5\n").unwrap();
        assert_eq!(csv.to_string(), "1 . #\n. . 5\n");
        let given: Vec<_> = csv.givens().map(|(v, k)| (csv.board().vertex_name(v), k)).collect();
        assert_eq!(given, [("a1".to_owned(), 1), ("c2".to_owned(), 5)]);
    }

    #[test]
    fn other_pieces_are_tried_if_the_text_names_none() {
        for (text, pieces) in [
            ("1 2 .\n. . .\n. . 9\n", &["king", "wazir"][..]),
            ("1 . .\n. 2 .\n. . 9\n", &["king"]),
            ("1 . 2\n. . .\n. . 9\n", &[]),
            ("knight\n1 2 .\n. . .\n. . 9\n", &[]),
        ] {
            assert_eq!(Puzzle::parse(text).unwrap().pieces_to_try(), pieces, "{text}");
        }
    }

    #[test]
    fn wrong_grids_are_refused() {
        let wrong = |text: &str| Puzzle::parse(text).unwrap_err().to_string();
        assert!(wrong("% nothing\n").starts_with("there is no grid"));
        assert!(wrong("1 .\n. y\n").starts_with("line 2: \"y\" is not a cell"));
        assert_eq!(wrong("1 .\n. . 2\n"), "line 2: this row has 3 cells, but the first row has 2");
        assert_eq!(wrong("1 5\n. .\n"), "square b1 has the number 5, but the board has 4 squares");
        assert_eq!(wrong("1 2\n2 .\n"), "squares b1 and a2 both have the number 2");
        assert_eq!(wrong("closed\n2 .\n. .\n"), "a puzzle with a closed tour must give the number 1");
        assert!(wrong("piece pawn\n1 .\n").contains("pawn"));
    }
}
