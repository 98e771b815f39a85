//! Ranges of boards: `8x5..32` stands for the boards 8x5, 8x6, …, 8x32, and `5..32x8` for 5x8, 6x8, …, 32x8.

use std::fmt;
use std::str::FromStr;

use crate::board::{Board, BoardError};

/// Separator between the shortest and the longest length.
const TO: &str = "..";

/// Boards that have one side in common and differ in the other, the *length*. All lengths between two numbers occur.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BoardRange {
    shortest: Board,
    longest: Board,
    /// True if the length is the number of rows.
    rows_differ: bool,
}

/// Error for a text that is not a range of boards.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RangeError {
    /// The text is not a board with a range of lengths for one side, such as `8x5..32`.
    #[error("\"{0}\" is not a range of boards; write ROWSxFIRST..LAST, such as 8x5..12")]
    Syntax(String),
    /// The length after the dots is smaller than the length before them, as in `8x12..5`. The value is a sentence without
    /// a full stop.
    #[error("{0}")]
    Empty(String),
    /// One of the boards does not exist.
    #[error(transparent)]
    Board(#[from] BoardError),
}

impl BoardRange {
    /// Returns the boards, the shortest first.
    pub fn boards(&self) -> impl DoubleEndedIterator<Item = Board> + use<> {
        let (shortest, rows_differ) = (self.shortest, self.rows_differ);
        let lengths = self.length(&shortest)..=self.length(&self.longest);
        lengths.filter_map(move |length| {
            let (rows, cols) = if rows_differ { (length, shortest.cols()) } else { (shortest.rows(), length) };
            // Every board is smaller than the longest, which exists.
            let board = Board::new(rows.into(), cols.into(), shortest.piece()).ok()?;
            Some(board.ranked(shortest.ranks()))
        })
    }

    fn length(&self, board: &Board) -> u32 {
        if self.rows_differ { board.rows() } else { board.cols() }
    }

    /// Returns the shortest board.
    pub fn shortest(&self) -> &Board {
        &self.shortest
    }
}

impl FromStr for BoardRange {
    type Err = RangeError;

    fn from_str(text: &str) -> Result<Self, RangeError> {
        let syntax = || RangeError::Syntax(text.to_owned());
        let (before, behind) = text.split_once(TO).ok_or_else(syntax)?;
        let digits = behind.bytes().take_while(u8::is_ascii_digit).count();
        let (last, rest) = behind.split_at(digits);
        let start = before.trim_end_matches(|c: char| c.is_ascii_digit());
        if last.is_empty() || start.len() == before.len() {
            return Err(syntax());
        }
        let board = |text: String| match text.parse::<Board>() {
            Err(BoardError::Syntax(_)) => Err(syntax()),
            other => Ok(other?),
        };
        let range = Self {
            shortest: board(format!("{before}{rest}"))?,
            longest: board(format!("{start}{last}{rest}"))?,
            rows_differ: !rest.is_empty(),
        };
        let [first, last] = [&range.shortest, &range.longest].map(|board| range.length(board));
        if last < first {
            let why = format!("because {last} is less than {first}");
            return Err(RangeError::Empty(format!("\"{text}\" has no boards, {why}")));
        }
        Ok(range)
    }
}

/// Writes the text form of the range. Parsing the text returns the same range.
impl fmt::Display for BoardRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (shortest, last) = (self.shortest.to_string(), self.length(&self.longest));
        match shortest.rsplit_once('x').filter(|_| self.rows_differ) {
            Some((rows, cols)) => write!(f, "{rows}{TO}{last}x{cols}"),
            None => write!(f, "{shortest}{TO}{last}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn boards(text: &str) -> Vec<String> {
        let range: BoardRange = text.parse().unwrap();
        assert_eq!(range.to_string(), text);
        range.boards().map(|board| board.to_string()).collect()
    }

    #[test]
    fn either_side_may_be_a_range() {
        assert_eq!(boards("3x9..11"), ["3x9", "3x10", "3x11"]);
        assert_eq!(boards("9..11x3"), ["9x3", "10x3", "11x3"]);
        assert_eq!(boards("king:2x2..3"), ["king:2x2", "king:2x3"]);
        assert_eq!(boards("ranks=up:4..4x5"), ["ranks=up:4x5"]);
    }

    #[test]
    fn other_texts_are_rejected() {
        for text in ["8x8", "8x5..", "8x..9", "..9", "5..9", "5..9x5..9", "8x5..9-a1", "8x5...9", "x5..9", "8x5..9x8"] {
            let error = text.parse::<BoardRange>().unwrap_err();
            assert_eq!(error, RangeError::Syntax(text.to_owned()), "{text}");
        }
        let error = "8x9..5".parse::<BoardRange>().unwrap_err();
        assert_eq!(error.to_string(), "\"8x9..5\" has no boards, because 5 is less than 9");
        assert!(matches!("8x0..5".parse::<BoardRange>(), Err(RangeError::Board(_))));
        let huge = "8x5..99999999".parse::<BoardRange>();
        assert!(matches!(huge, Err(RangeError::Board(BoardError::Other(_)))));
    }
}
