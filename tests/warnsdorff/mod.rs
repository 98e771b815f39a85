//! Open tours for pictures, found quickly on boards of 30x30 squares and beyond.

use std::collections::HashSet;

use hamcnf::{Board, Instance, Leaper, Tour, TourKind, Vertex};

/// Returns an open tour from `a1` by Warnsdorff's rule: the next square is the square with the fewest onward moves.
/// Ties are broken in favour of the square that is farthest from the middle.
pub(crate) fn open_tour(rows: u64, cols: u64, leaper: Leaper) -> (Instance, Tour) {
    let board = Board::new(rows, cols, leaper).expect("a board");
    let instance = Instance::on_board(board, TourKind::Open, Vertex::new(0)).expect("large enough");
    let graph = instance.graph();
    let mut order = vec![Vertex::new(0)];
    let mut seen = HashSet::from([Vertex::new(0)]);
    loop {
        let last = order[order.len() - 1];
        let ways = |v: Vertex| {
            let all = graph.neighbours(v).iter();
            all.filter(|&w| !seen.contains(w)).count()
        };
        let centrality = |v: Vertex| {
            let (row, col) = board.row_col(v);
            let (dr, dc) = (2 * i64::from(row) + 1 - rows as i64, 2 * i64::from(col) + 1 - cols as i64);
            -(dr * dr + dc * dc)
        };
        let free = graph.neighbours(last).iter().filter(|&v| !seen.contains(v));
        let Some(&next) = free.min_by_key(|&&v| (ways(v), centrality(v))) else {
            break;
        };
        order.push(next);
        seen.insert(next);
    }
    let tour = Tour::check(&instance, order).expect("the walk ends where all squares are visited");
    (instance, tour)
}
