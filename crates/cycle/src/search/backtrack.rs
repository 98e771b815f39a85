//! Depth-first search over paths. The search extends the path by a move, and takes the move back when no move is left
//! to try.
//!
//! A node of the search is a path that was reached. The first node is the path that consists of the start vertex only.
//! If the search succeeds, the last node is a tour. The web article (see References) counts nodes in the same way. This
//! module implements the two programs of the article:
//!
//! - *In move order*: the neighbours of the last vertex are tried in a fixed order of moves. With the article's order,
//!   the first open tour of 8×8 from square 0 is found after 8 250 733 nodes.
//! - *Best first*: the neighbours are tried by the number of moves that lead on from them, fewest first (Warnsdorff's
//!   rule). Ties are broken in move order. Except for the last move, neighbours from which no move leads on are
//!   skipped. The same instance takes 64 nodes: no move is ever taken back.
//!
//! Both programs are complete: if they end without a tour, every path has been tried and there is none. They are loops
//! without recursion, so a long path does not exhaust the stack.
//!
//! # References
//!
//! - The web article *Performing the Knights Tour in Linear Time*.
//! - H. C. von Warnsdorff: *Des Rösselsprunges einfachste und allgemeinste Lösung*, Schmalkalden 1823.

use hamcnf_graph::Vertex;
use hamcnf_tours::{Instance, TourKind};

use super::order::Neighbours;
use super::{Abort, Meter};

/// Returns the first tour that the search finds. If `is_best_first` is true, the neighbours from which the fewest moves
/// lead on are tried first, otherwise those that come first in the move order. Returns an error if there is no tour, or if a limit is reached first.
pub(super) fn backtrack(
    instance: &Instance,
    neighbours: &Neighbours,
    is_best_first: bool,
    watch: &mut Meter<'_>,
) -> Result<Vec<Vertex>, Abort> {
    let n = instance.n() as usize;
    let closed = instance.kind() == TourKind::Closed;
    let mut search = Search {
        neighbours,
        is_best_first,
        visited: vec![false; n],
        // Only best-first search counts the moves that lead on.
        onward: if is_best_first { neighbours.degrees() } else { Vec::new() },
        path: Vec::with_capacity(n),
        moves: Vec::new(),
        untried: Vec::with_capacity(n),
    };
    search.visit(instance.start(), n);
    watch.node()?;
    loop {
        let last = search.path[search.path.len() - 1];
        if search.path.len() == n && (!closed || instance.graph().arc(last, instance.start()).is_some()) {
            return Ok(search.path);
        }
        match search.next_move() {
            Some(v) => {
                search.visit(v, n);
                watch.node()?;
            }
            None if search.path.len() == 1 => return Err(Abort::Exhausted),
            None => search.leave(),
        }
    }
}

struct Search<'a> {
    neighbours: &'a Neighbours,
    is_best_first: bool,
    visited: Vec<bool>,
    /// Number of unvisited neighbours of every vertex; empty if moves are tried in move order.
    onward: Vec<u32>,
    path: Vec<Vertex>,
    /// Stack of untried moves from the vertices of the path, in the order of the path. The last entry is the next move
    /// to try.
    moves: Vec<Vertex>,
    /// Index in `moves` of the first untried move from each vertex of the path.
    untried: Vec<usize>,
}

impl Search<'_> {
    fn visit(&mut self, v: Vertex, n: usize) {
        self.visited[v.index()] = true;
        self.path.push(v);
        let begin = self.moves.len();
        self.untried.push(begin);
        let visited = &self.visited;
        let unvisited = |w: &&Vertex| !visited[w.index()];
        let neighbours = self.neighbours.of(v);
        match self.is_best_first {
            false => self.moves.extend(neighbours.iter().rev().filter(unvisited)),
            true => {
                for &w in neighbours {
                    self.onward[w.index()] -= 1;
                }
                let onward = &self.onward;
                let is_last_move = self.path.len() + 1 == n;
                let leads_on = |w: &&Vertex| is_last_move || onward[w.index()] > 0;
                let moves = neighbours.iter().rev().filter(unvisited).filter(leads_on);
                self.moves.extend(moves);
                // The moves are in reverse move order and the sort is stable. So among tied moves, the first in move
                // order stays last here.
                self.moves[begin..].sort_by_key(|w| std::cmp::Reverse(onward[w.index()]));
            }
        }
    }

    fn next_move(&mut self) -> Option<Vertex> {
        let begin = *self.untried.last()?;
        (self.moves.len() > begin).then(|| self.moves.pop()).flatten()
    }

    fn leave(&mut self) {
        self.untried.pop();
        if let Some(v) = self.path.pop() {
            self.visited[v.index()] = false;
            if self.is_best_first {
                for &w in self.neighbours.of(v) {
                    self.onward[w.index()] += 1;
                }
            }
        }
    }
}
