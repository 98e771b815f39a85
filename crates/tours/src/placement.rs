//! Queens on a board, and placements that have been checked: no two queens attack each other.

use std::fmt;
use std::str::FromStr;

use crate::board::{Board, column_name};
use crate::piece::Piece;
use hamcnf_graph::graph::Vertex;

/// The N-queens problem: N queens on an N×N board, no two of them in the same row, column or diagonal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Queens {
    board: Board,
}

/// Error for a number of queens outside 1 to [`Queens::MOST`].
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("\"{text}\" is not a number of queens; write a whole number from 1 to {}", Queens::MOST)]
pub struct NoSuchNumber {
    text: String,
}

impl Queens {
    /// Largest number of queens. With 4096 queens, 10¹¹ pairs of squares attack each other, and each pair gives a
    /// clause. Every at-most-one encoding still has few enough variables for DIMACS: at most five per square.
    pub const MOST: u32 = 4096;

    /// Returns the problem of `n` queens.
    ///
    /// # Errors
    ///
    /// [`NoSuchNumber`] if `n` is 0 or more than [`Queens::MOST`].
    pub fn new(n: u32) -> Result<Self, NoSuchNumber> {
        let wrong = || NoSuchNumber { text: n.to_string() };
        if !(1..=Self::MOST).contains(&n) {
            return Err(wrong());
        }
        let board = Board::new(n.into(), n.into(), Piece::KNIGHT).map_err(|_| wrong())?;
        Ok(Self { board })
    }

    /// Returns N, the number of queens, rows and columns.
    pub fn n(&self) -> u32 {
        self.board.rows()
    }

    /// Returns the N×N board. Its piece is a knight, but placements ignore the piece.
    pub fn board(&self) -> &Board {
        &self.board
    }
}

impl FromStr for Queens {
    type Err = NoSuchNumber;

    fn from_str(text: &str) -> Result<Self, NoSuchNumber> {
        let n = text.parse().map_err(|_| NoSuchNumber { text: text.to_owned() })?;
        Self::new(n)
    }
}

impl fmt::Display for Queens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.n() {
            1 => f.write_str("1 queen"),
            n => write!(f, "{n} queens"),
        }
    }
}

/// N queens that do not attack each other. Only [`Placement::check`] creates values of this type.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Placement {
    rows: Vec<u32>,
}

/// Reason why an arrangement of queens is not a valid placement, as a sentence without a full stop.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct NotAPlacement(String);

impl NotAPlacement {
    /// Returns the error for a column, 0-based, that has this number of queens, not one.
    pub fn not_one_in(column: u32, found: usize) -> Self {
        Self(format!("column {} has {found} queens instead of one", column_name(column)))
    }
}

impl Placement {
    /// Checks a placement. `rows` has the 0-based row of the queen in each column.
    ///
    /// # Errors
    ///
    /// [`NotAPlacement`] with the first violation that is found.
    pub fn check(queens: &Queens, rows: Vec<u32>) -> Result<Self, NotAPlacement> {
        let n = queens.n();
        if rows.len() != n as usize {
            return Err(NotAPlacement(format!("only {} of {n} columns have a queen", rows.len())));
        }
        let square = |(column, row): (u32, u32)| {
            let board = queens.board();
            board.square_name(board.square_at(row, column))
        };
        let lines = 2 * n as usize;
        // Square (column, row) of the queen in each row, rising diagonal and falling diagonal.
        let (mut row_of, mut sum_of, mut difference_of) = (vec![None; lines], vec![None; lines], vec![None; lines]);
        for (column, &row) in (0..n).zip(&rows) {
            if row >= n {
                let (column, row) = (column_name(column), u64::from(row) + 1);
                let queen = format!("column {column} has its queen in row {row}, but the board has {n} rows");
                return Err(NotAPlacement(queen));
            }
            for (taken, line) in
                [(&mut row_of, row), (&mut sum_of, row + column), (&mut difference_of, n + row - column)]
            {
                if let Some(earlier) = taken[line as usize].replace((column, row)) {
                    let [first, second] = [earlier, (column, row)].map(square);
                    return Err(NotAPlacement(format!("{first} and {second} attack each other")));
                }
            }
        }
        Ok(Self { rows })
    }

    /// Returns the 0-based row of the queen in each column.
    pub fn rows(&self) -> &[u32] {
        &self.rows
    }

    /// Returns the squares of the queens, in the order of their columns.
    pub fn squares(&self, queens: &Queens) -> Vec<Vertex> {
        let columns = (0..).zip(&self.rows);
        columns.map(|(column, &row)| queens.board().square_at(row, column)).collect()
    }
}

/// Writes the 0-based row of the queen in each column, separated by blanks.
impl fmt::Display for Placement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows: Vec<_> = self.rows.iter().map(u32::to_string).collect();
        f.write_str(&rows.join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_there_are_boards_for() {
        for n in [1, 4, Queens::MOST] {
            assert_eq!(Queens::new(n).map(|queens| queens.n()), Ok(n));
        }
        for text in ["0", "4097", "-1", "eight", ""] {
            let error = text.parse::<Queens>().unwrap_err().to_string();
            assert_eq!(error, format!("\"{text}\" is not a number of queens; write a whole number from 1 to 4096"));
        }
    }

    #[test]
    fn only_placements_pass() {
        let queens = Queens::new(4).unwrap();
        let check = |rows: &[u32]| Placement::check(&queens, rows.to_vec());
        let error = |rows: &[u32]| check(rows).unwrap_err().to_string();
        assert_eq!(check(&[1, 3, 0, 2]).unwrap().to_string(), "1 3 0 2");
        assert!(check(&[2, 0, 3, 1]).is_ok());
        assert_eq!(error(&[1, 3, 0]), "only 3 of 4 columns have a queen");
        assert_eq!(error(&[1, 3, 0, 4]), "column d has its queen in row 5, but the board has 4 rows");
        assert_eq!(error(&[1, 3, 0, 1]), "a2 and d2 attack each other");
        assert_eq!(error(&[0, 1, 2, 3]), "a1 and b2 attack each other");
        assert_eq!(error(&[3, 0, 2, 1]), "c3 and d2 attack each other");
    }
}
