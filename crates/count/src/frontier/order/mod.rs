//! Vertex orders that keep the frontier small.
//!
//! After the first vertices of an order are taken, the frontier consists of the vertices that are not taken, but
//! adjacent to a taken vertex. The largest size of a frontier is the vertex separation of the order (Kinnersley, *The
//! vertex separation number of a graph equals its path-width*, 1992). A frontier of f vertices has up to 3^f degree
//! vectors, so the cost of an order is the sum of 3^f over its steps.
//!
//! On a board, the order proceeds line by line along the longer side, with the same permutation in each line. If a line
//! has m squares, row-major order has a frontier of 2m + 1 squares; permutations that take one colour first have a
//! frontier of 2m squares. After each complete line, the rest of the board is its own mirror image. On any other graph,
//! a [beam search](crate::frontier::order::beam) finds an order, and
//! [annealing](crate::frontier::order::annealing) improves it. Such an order is also far better on boards of
//! leapers with long moves: the {2,3}-leaper on 10×10 has a frontier of 30 squares line by line, and of
//! 18 squares along another order.

pub(crate) mod annealing;
pub(crate) mod beam;
pub(crate) mod cost;

pub(crate) use cost::{cost, power, width};

use hamcnf_graph::{Graph, Vertex};
use hamcnf_tours::{Board, Instance};

use crate::frontier::order::beam::by_beam;
use crate::frontier::state::Degrees;

/// Number of lines of the strip on which permutations are compared, enough for the pattern to repeat. If a line has
/// more squares than this number, the strip is a square. The strip never has more lines than the board.
const LINES: u32 = 6;
/// Maximum length of lines for which all permutations are tried. Longer lines are improved by moving single squares.
const ALL_PERMUTATIONS: u32 = 7;
/// Maximum length of lines for which a permutation is searched. Longer lines keep their order, because no order makes
/// their frontier narrow enough for a state.
const WORTH_IMPROVING: u32 = 32;
/// Cost up to which no other order of a board is looked for. A sweep of this cost takes less than a second.
pub(crate) const QUICK: f64 = 1e9;
/// Ratio of the costs of the order line by line and of another order above which the other order is better. Line by line,
/// mirror images count only once, and fewer of the degree vectors can be completed.
pub(crate) const FAR_BETTER: f64 = 10.0;
/// Maximum size of a frontier that annealing could make narrow enough for a state.
const WORTH_ANNEALING: usize = Degrees::SLOTS + 8;

/// Order of a board's squares: line by line, with the same permutation in each line.
#[derive(Clone, Debug)]
pub(crate) struct ByLines {
    /// True if the lines are the rows.
    along_rows: bool,
    /// Squares of a line in the order of the sweep.
    line: Vec<u32>,
}

impl ByLines {
    /// Finds an order with narrow frontiers, line by line along the longer side of the board.
    pub(crate) fn of(board: &Board) -> Self {
        Self::along(board, board.rows() >= board.cols())
    }

    /// Finds an order with narrow frontiers, line by line. The lines are the rows if `along_rows` is true, otherwise
    /// the columns.
    pub(crate) fn along(board: &Board, along_rows: bool) -> Self {
        let (lines, length) = match along_rows {
            true => (board.rows(), board.cols()),
            false => (board.cols(), board.rows()),
        };
        let identity = || Self { along_rows, line: (0..length).collect() };
        if length > WORTH_IMPROVING {
            return identity();
        }
        let judged = lines.min(length.max(LINES));
        let (rows, cols) = if along_rows { (judged, length) } else { (length, judged) };
        let Ok(strip) = Board::new(rows.into(), cols.into(), board.piece()) else {
            return identity();
        };
        let graph = strip.graph();
        let of = |line: &[u32]| Self { along_rows, line: line.to_vec() };
        let cost = |line: &[u32]| cost(&graph, &of(line).squares(&strip));
        let Self { mut line, .. } = identity();
        if length > ALL_PERMUTATIONS {
            return of(&improved(one_colour_first(length), cost));
        }
        let mut best = (cost(&line), line.clone());
        for_each_permutation(&mut line, 0, &mut |permutation| {
            let cost = cost(permutation);
            if cost < best.0 {
                best = (cost, permutation.to_vec());
            }
        });
        of(&best.1)
    }

    /// Returns the squares of a board in this order. The lines of the board must be as long as the lines of the order.
    pub(crate) fn squares(&self, board: &Board) -> Vec<Vertex> {
        let square = |line, across| match self.along_rows {
            true => board.square_at(line, across),
            false => board.square_at(across, line),
        };
        let lines = if self.along_rows { board.rows() } else { board.cols() };
        (0..lines).flat_map(|line| self.line.iter().map(move |&across| square(line, across))).collect()
    }

    /// Returns the sort key of a square. The reflection of the board reverses the order of the squares by this key.
    /// Only squares in the middle of lines of odd length keep their order.
    pub(crate) fn number(&self, board: &Board, square: Vertex) -> (u32, i64) {
        let (row, col) = board.row_col(square);
        let (line, across) = match self.along_rows {
            true => (row, col),
            false => (col, row),
        };
        let is_first_half = 2 * across < self.line.len() as u32;
        let line = i64::from(line);
        (across, if is_first_half { line } else { -line })
    }

    /// Returns the mirror image of a square under the reflection of the board that reverses every line.
    pub(crate) fn mirrored(&self, board: &Board, square: Vertex) -> Vertex {
        let (row, col) = board.row_col(square);
        match self.along_rows {
            true => board.square_at(row, board.cols() - 1 - col),
            false => board.square_at(board.rows() - 1 - row, col),
        }
    }
}

/// Returns the squares of a line: first all squares of one colour, then all squares of the other colour. Each colour
/// runs from the end of the line to its start.
fn one_colour_first(length: u32) -> Vec<u32> {
    let colour = |parity| (0..length).filter(move |c| c % 2 == parity).rev();
    colour(1).chain(colour(0)).collect()
}

/// Improves a line by moving single squares to other positions as long as the cost decreases.
fn improved(mut line: Vec<u32>, cost: impl Fn(&[u32]) -> f64) -> Vec<u32> {
    let mut best = cost(&line);
    loop {
        let before = best;
        for from in 0..line.len() {
            for to in 0..line.len() {
                let mut other = line.clone();
                let square = other.remove(from);
                other.insert(to, square);
                let cost = cost(&other);
                if cost < best {
                    (best, line) = (cost, other);
                }
            }
        }
        if best >= before {
            return line;
        }
    }
}

fn for_each_permutation(items: &mut [u32], fixed: usize, visit: &mut impl FnMut(&[u32])) {
    if fixed == items.len() {
        return visit(items);
    }
    for next in fixed..items.len() {
        items.swap(fixed, next);
        for_each_permutation(items, fixed + 1, visit);
        items.swap(fixed, next);
    }
}

/// Vertex order of a graph, which may be that of a board.
#[derive(Clone, Debug)]
pub(crate) enum GraphOrder<'a> {
    /// Squares of the board, line by line.
    Lines(&'a Board, ByLines),
    /// Any order of all vertices.
    Vertices(Vec<Vertex>),
}

impl<'a> GraphOrder<'a> {
    /// Finds the best order of an instance's graph whose frontiers have at most `most` vertices, if there is one.
    pub(crate) fn of(instance: &'a Instance, most: usize) -> Self {
        let graph = instance.graph();
        let Some(board) = instance.board() else {
            return Self::Vertices(of_graph(graph));
        };
        let lines = ByLines::of(board);
        match better_than_lines(graph, &lines.squares(board), most) {
            Some(order) => Self::Vertices(order),
            None => Self::Lines(board, lines),
        }
    }
}

/// Finds an order of a board's graph that is far better than `by_lines`, the order line by line. Frontiers can have at
/// most `most` vertices.
pub(crate) fn better_than_lines(graph: &Graph, by_lines: &[Vertex], most: usize) -> Option<Vec<Vertex>> {
    let cost_by_lines = cost(graph, by_lines);
    if cost_by_lines <= QUICK {
        return None;
    }
    let (order, is_narrow) = (by_beam(graph), width(graph, by_lines) <= most);
    // Annealing would have to lower the cost to a tenth.
    if is_narrow && cost(graph, &order) > cost_by_lines {
        return None;
    }
    let order = annealed(graph, order);
    let is_better = match (is_narrow, width(graph, &order) <= most) {
        (true, false) => false,
        (false, true) => true,
        _ => FAR_BETTER * cost(graph, &order) < cost_by_lines,
    };
    is_better.then_some(order)
}

/// Finds a vertex order of any graph.
pub(crate) fn of_graph(graph: &Graph) -> Vec<Vertex> {
    annealed(graph, by_beam(graph))
}

/// Improves an order, unless its frontiers are hopelessly wide.
fn annealed(graph: &Graph, order: Vec<Vertex>) -> Vec<Vertex> {
    let before = width(graph, &order);
    if before > WORTH_ANNEALING {
        return order;
    }
    let improved = annealing::improved(graph, order.clone());
    // A cheaper order may be wider, and a state must not become too wide.
    match width(graph, &improved) <= before.max(Degrees::SLOTS) {
        true => improved,
        false => order,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_m_squares_have_a_frontier_of_2m() {
        for (text, expected) in [("8x8", 16), ("6x6", 12), ("6x12", 12), ("12x5", 10), ("3x40", 6)] {
            let board: Board = text.parse().unwrap();
            let order = ByLines::of(&board).squares(&board);
            assert_eq!(width(&board.graph(), &order), expected, "{text}");
            let mut sorted = order;
            sorted.sort_unstable();
            assert!(sorted.into_iter().eq(board.graph().vertices()));
        }
    }
}
