//! Statistics of tours that are local to a square: sums over the moves, and over the pairs of successive moves.
//!
//! A statistic is written as terms, separated by commas. Each move and each square counts once, even if several terms
//! apply:
//!
//! | term | number of |
//! |---|---|
//! | `acute`, `right`, `obtuse`, `straight` | squares at which the angle between the two moves is below 90 degrees, 90 degrees, between 90 and 180 degrees, or 180 degrees |
//! | `A..B`, `A` | squares at which the piece turns by A to B degrees, or by A, where 0 is straight on |
//! | `slope=R/C` | moves by R rows down and C columns to the right, or back |
//!
//! The constraint `turns` has the same terms, without slopes. So `obtuse,straight` and `0..89` are the same statistic.
//! The ends of an open tour have no angle.

use std::fmt;
use std::str::FromStr;

use hamcnf_graph::Vertex;
use hamcnf_tours::Instance;
use hamcnf_tours::constraint::turns::{Angle, Turn};

#[derive(Clone, Copy, PartialEq, Debug)]
enum Term {
    Turn(Turn),
    /// Rows and columns of a move. The first nonzero number is positive.
    Slope(i64, i64),
}

/// Statistic of tours that is local to a square.
#[derive(Clone, PartialEq, Debug)]
pub struct Statistic(Vec<Term>);

/// Error for a text that is not a statistic.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "{0} is not a statistic; write acute, right, obtuse, straight, an interval of turns between 0 and 180 such as 0..89, a slope such as slope=1/2, or several of them with commas, such as slope=1/2,slope=2/1"
)]
pub struct NotAStatistic(String);

impl Statistic {
    /// Squares at which the angle between the two moves is obtuse.
    pub fn obtuse() -> Self {
        Self(vec![Term::Turn(Turn::Angle(Angle::Obtuse))])
    }

    /// Squares at which the turn is of one of these kinds.
    pub fn of_turns(turns: &[Turn]) -> Self {
        Self(turns.iter().copied().map(Term::Turn).collect())
    }

    /// True if the statistic depends on pairs of successive moves.
    pub fn has_angles(&self) -> bool {
        self.0.iter().any(|term| !matches!(term, Term::Slope(..)))
    }

    /// True if a tour and its reflection in an axis of the board always have the same value, and the statistic depends
    /// on moves only.
    pub(super) fn is_mirrored(&self) -> bool {
        let has = |rows: i64, cols: i64| self.0.contains(&Term::Slope(rows, cols));
        self.0.iter().all(|term| match *term {
            Term::Slope(rows, cols) => has(rows, -cols) || rows == 0 || cols == 0,
            Term::Turn(_) => false,
        })
    }

    /// Returns the statistic on the squares of an instance. `None` if the vertices are not squares of a board.
    pub fn on(&self, instance: &Instance) -> Option<Measure<'_>> {
        let squares = instance.squares()?;
        let places = instance.graph().vertices().map(|v| {
            let (row, col) = squares.board().row_col(squares.square(v));
            (i64::from(row), i64::from(col))
        });
        Some(Measure { statistic: self, places: places.collect() })
    }
}

impl FromStr for Term {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        if let Some(slope) = text.strip_prefix("slope=") {
            let (rows, cols) = slope.split_once('/').ok_or(())?;
            let number = |text: &str| text.parse::<i32>().map(i64::from).map_err(|_| ());
            return match (number(rows)?, number(cols)?) {
                (0, 0) => Err(()),
                (rows, cols) if (rows, cols) < (0, 0) => Ok(Self::Slope(-rows, -cols)),
                (rows, cols) => Ok(Self::Slope(rows, cols)),
            };
        }
        Turn::parse(text).map(Self::Turn).ok_or(())
    }
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Turn(turn) => turn.fmt(f),
            Self::Slope(rows, cols) => write!(f, "slope={rows}/{cols}"),
        }
    }
}

impl FromStr for Statistic {
    type Err = NotAStatistic;

    fn from_str(text: &str) -> Result<Self, NotAStatistic> {
        let wrong = |term: &str| if term == text { format!("\"{text}\"") } else { format!("\"{term}\" in \"{text}\"") };
        let terms = text.split(',').map(|term| term.parse().map_err(|()| NotAStatistic(wrong(term))));
        terms.collect::<Result<_, _>>().map(Self)
    }
}

impl fmt::Display for Statistic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (k, term) in self.0.iter().enumerate() {
            let comma = if k == 0 { "" } else { "," };
            write!(f, "{comma}{term}")?;
        }
        Ok(())
    }
}

/// Statistic on the squares of a board.
#[derive(Clone, Debug)]
pub struct Measure<'a> {
    statistic: &'a Statistic,
    /// Row and column of each vertex.
    places: Vec<(i64, i64)>,
}

impl Measure<'_> {
    fn places<const K: usize>(&self, vertices: [Vertex; K]) -> Option<[(i64, i64); K]> {
        let mut places = [(0, 0); K];
        for (place, v) in places.iter_mut().zip(vertices) {
            *place = *self.places.get(v.index())?;
        }
        Some(places)
    }

    /// Returns the contribution of the move between u and v: 0 or 1. Vertices beyond the squares have no moves.
    pub fn of_move(&self, u: Vertex, v: Vertex) -> u32 {
        let Some([u, v]) = self.places([u, v]) else {
            return 0;
        };
        let by = (v.0 - u.0, v.1 - u.1);
        let terms = &mut self.statistic.0.iter();
        let applies =
            |term: &Term| matches!(term, Term::Slope(rows, cols) if by == (*rows, *cols) || by == (-rows, -cols));
        terms.any(applies).into()
    }

    /// Returns the contribution of the angle at v between the moves to u and w: 0 or 1.
    pub fn of_angle(&self, u: Vertex, v: Vertex, w: Vertex) -> u32 {
        let Some(squares) = self.places([u, v, w]) else {
            return 0;
        };
        let applies = |term: &Term| match *term {
            Term::Turn(turn) => turn.is_at(squares),
            Term::Slope(..) => false,
        };
        self.statistic.0.iter().any(applies).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statistics_are_read_as_they_are_written() {
        for text in ["acute", "obtuse,straight", "0..89", "slope=1/2", "slope=2/-1,right", "0..36.5", "90"] {
            assert_eq!(text.parse::<Statistic>().unwrap().to_string(), text);
        }
        let other: Statistic = "slope=-1/2,slope=0/-3".parse().unwrap();
        assert_eq!(other.to_string(), "slope=1/-2,slope=0/3");
        for text in ["", "sharp", "1..200", "9..3", "slope=0/0", "slope=2", "obtuse,"] {
            assert!(text.parse::<Statistic>().is_err(), "{text}");
        }
    }

    #[test]
    fn angles_have_their_names() {
        let at = |u, w| Angle::at([u, (0, 0), w]);
        assert_eq!(at((1, 2), (-1, -2)), Angle::Straight);
        assert_eq!(at((1, 2), (-2, 1)), Angle::Right);
        assert_eq!(at((1, 2), (2, 1)), Angle::Acute);
        assert_eq!(at((1, 2), (-2, -1)), Angle::Obtuse);
        assert_eq!(at((1, 2), (1, -2)), Angle::Obtuse);
    }
}
