//! Move orders with which Squirrel and Cull break the ties of Warnsdorff's rule on square boards.
//!
//! The tour starts in the upper left corner of an n×n board. One fixed order of the knight's moves breaks ties until
//! the tour visits a given square. Then the next order takes over, and so on. Orders and squares depend on n mod 8, and
//! in one case on n mod 16. Figure 3 of the paper lists them, with 1-based squares (row, column). The function `table`
//! returns the lines of this figure.
//!
//! The paper states that the rule succeeds for every n ≥ 112, and proves one case. Ganzfried computed that, on smaller
//! boards starting at 5×5, the rule fails only on 74×74. Our tests agree, for every n up to 112 and every even n up to
//! 1000.
//!
//! # References
//!
//! - Douglas Squirrel and Paul Cull: *A Warnsdorff-Rule Algorithm for Knight's Tours on Square Chessboards*,
//!   Oregon State University REU program, 1996.
//! - Sam Ganzfried: *A Simple Algorithm for Knight's Tours*, Oregon State University REU program, 2004.

use hamcnf_graph::Vertex;
use hamcnf_tours::{Instance, Piece};

use super::order::Order;

/// Least n > 1 for which an n×n board has a knight's tour.
const LEAST: u32 = 5;

/// Order of the moves, with the 1-based square (row, column) where the next order takes over; `None` for the last
/// order.
type Line = (&'static str, Option<(u32, u32)>);

/// Returns the lines of Figure 3 of Squirrel and Cull's paper for the n×n board: move orders and the squares where they
/// end.
fn table(n: u32) -> Vec<Line> {
    // On a small board, a square of the table may have a coordinate below 1. The coordinate becomes 0, which is not on
    // the board either, so the previous order stays in force.
    let minus = |k: u32| n.saturating_sub(k);
    let half_minus = |k: u32| (n / 2).saturating_sub(k);
    let at = |row: u32, col: u32| Some((row, col));
    match n % 8 {
        0 => vec![
            ("34261578", at(minus(1), minus(2))),
            ("87642135", at(2, 2)),
            ("51867342", at(minus(8), 1)),
            ("51342678", at(7, minus(3))),
            ("21435678", None),
        ],
        1 => vec![
            ("34261578", at(minus(1), minus(2))),
            ("87642135", at(2, 2)),
            ("51324678", at(minus(6), n / 2 + 5)),
            ("32481765", None),
        ],
        2 => vec![
            ("34261578", at(6, 1)),
            ("87642135", at(3, 1)),
            ("54132678", at(minus(15), 4)),
            ("52431678", at(10, minus(2))),
            ("85647123", at(5, half_minus(3))),
            ("15746823", None),
        ],
        3 => vec![
            ("34625718", at(minus(1), minus(2))),
            ("42681357", at(minus(6), n)),
            ("86512347", at(2, 5)),
            ("51867342", at(minus(10), 3)),
            ("61825437", at(n / 2 + 1, minus(2))),
            ("71642538", None),
        ],
        4 => vec![
            ("34261578", at(minus(1), minus(2))),
            ("87642135", at(2, 2)),
            ("51867342", at(minus(8), 1)),
            ("51342678", at(10, minus(5))),
            ("86753421", at(13, n / 2 + 1)),
            ("78563421", None),
        ],
        5 => vec![
            ("34261578", at(minus(1), minus(2))),
            ("87642135", at(2, 2)),
            ("51324678", at(minus(2), half_minus(if n % 16 == 5 { 2 } else { 6 }))),
            ("15234678", None),
        ],
        6 => vec![
            ("34261578", at(6, 1)),
            ("87642135", at(3, 1)),
            ("54132678", at(minus(10), 1)),
            ("52431678", at(10, minus(2))),
            ("85647123", at(3, n / 2 + 4)),
            ("12453678", None),
        ],
        _ => vec![
            ("34625718", at(minus(1), minus(2))),
            ("42681357", at(minus(6), n)),
            ("86512347", at(2, 5)),
            ("51867342", at(minus(6), 3)),
            ("61825437", at(n / 2 + 1, minus(2))),
            ("61357284", None),
        ],
    }
}

/// True if the rule applies to this instance: a knight on a square board, starting in the upper left corner.
pub(super) fn applies(instance: &Instance) -> bool {
    instance.start() == Vertex::new(0)
        && instance.board().is_some_and(|board| {
            board.piece() == Piece::KNIGHT && board.rows() == board.cols() && board.rows() >= LEAST
        })
}

/// Move orders by which Squirrel and Cull break ties on one board, with the index of the current order.
pub(super) struct SquirrelCull {
    stages: Vec<Stage>,
    current: usize,
}

struct Stage {
    /// For each move, in the move order of this stage: the number of the target square minus the number of the starting
    /// square.
    offsets: Vec<i64>,
    /// Square where the next move order takes over; `None` for the last order.
    until: Option<Vertex>,
}

impl SquirrelCull {
    /// Returns the move orders for an instance, or `None` if Squirrel and Cull's rule does not apply to it.
    pub(super) fn new(instance: &Instance) -> Option<Self> {
        let board = instance.board().filter(|_| applies(instance))?;
        let n = board.rows();
        let stage = |(digits, until): Line| {
            let Ok(Order::Moves(moves)) = digits.parse() else {
                unreachable!("the table contains only permutations");
            };
            let jumps = moves.jumps(Piece::KNIGHT, 2).into_iter();
            let on_board = |&(row, col): &(u32, u32)| (1..=n).contains(&row) && (1..=n).contains(&col);
            Stage {
                offsets: jumps.map(|(dr, dc)| dr * i64::from(n) + dc).collect(),
                until: until.filter(on_board).map(|(row, col)| board.square_at(row - 1, col - 1)),
            }
        };
        Some(Self { stages: table(n).into_iter().map(stage).collect(), current: 0 })
    }

    /// Switches to the next move order if `v` is the square where it takes over.
    pub(super) fn arrive(&mut self, v: Vertex) {
        if self.stages[self.current].until == Some(v) {
            self.current += 1;
        }
    }

    /// Returns the vertex of `ties` whose move from `from` comes first in the current move order.
    pub(super) fn choose(&self, from: Vertex, ties: &[Vertex]) -> Option<Vertex> {
        // On boards of at least 5×5, different moves have different offsets.
        let rank = |v: &Vertex| {
            let offset = i64::from(v.number()) - i64::from(from.number());
            self.stages[self.current].offsets.iter().position(|&o| o == offset)
        };
        ties.iter().copied().min_by_key(rank)
    }
}
