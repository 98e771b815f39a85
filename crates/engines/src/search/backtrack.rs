//! Depth-first search over paths: extend the path by a move, and take the move back when there is none left.
//!
//! A node of the search is a path that was reached, the start alone being the first of them and a tour the
//! last: this is how the article counts. Its two programs are here:
//!
//! - in move order, the neighbours of the last vertex are tried as they come. With the article's order the
//!   first open tour of 8×8 from square 0 is found after 8 250 733 nodes;
//! - best first, they are tried by the number of moves that lead on from them, the fewest first (Warnsdorff's
//!   rule), and by move order where that is the same. Neighbours from which nothing leads on are left out
//!   before the last move. The same question takes 64 nodes: no move is ever taken back.
//!
//! Both are complete: if they end without a tour, every path has been tried and there is none. They take one
//! loop and no recursion, so a long path does not exhaust the stack.
//!
//! # References
//!
//! - The web article *Performing the Knights Tour in Linear Time*.
//! - H. C. von Warnsdorff: *Des Rösselsprunges einfachste und allgemeinste Lösung*, Schmalkalden 1823.

use hamcnf_encodings::{Instance, TourKind, Vertex};

use super::order::Neighbours;
use super::{Abort, Meter};

/// Which neighbour of the last vertex is tried first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum First {
    /// The first in the order.
    InOrder,
    /// The one from which the fewest moves lead on.
    FewestOnward,
}

/// The first tour in the order of the search, unless a limit comes before it.
pub(super) fn backtrack(
    instance: &Instance,
    neighbours: &Neighbours,
    first: First,
    watch: &mut Meter<'_>,
) -> Result<Vec<Vertex>, Abort> {
    let n = instance.n() as usize;
    let closed = instance.kind() == TourKind::Closed;
    let mut search = Search {
        neighbours,
        first,
        visited: vec![false; n],
        // Moves that lead on are counted best first only.
        onward: match first {
            First::InOrder => Vec::new(),
            First::FewestOnward => neighbours.degrees(),
        },
        path: Vec::with_capacity(n),
        moves: Vec::new(),
        untried: Vec::with_capacity(n),
    };
    search.visit(instance.start(), n);
    watch.node()?;
    loop {
        let last = search.path[search.path.len() - 1];
        if search.path.len() == n
            && (!closed || instance.graph().arc(last, instance.start()).is_some())
        {
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
    first: First,
    visited: Vec<bool>,
    /// Unvisited neighbours of every vertex.
    onward: Vec<u32>,
    path: Vec<Vertex>,
    /// Moves from the vertices of the path that are still to be tried, those of the last vertex at the end
    /// and the next of them last.
    moves: Vec<Vertex>,
    /// For every vertex of the path, where its moves begin.
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
        match self.first {
            First::InOrder => self.moves.extend(neighbours.iter().rev().filter(unvisited)),
            First::FewestOnward => {
                for &w in neighbours {
                    self.onward[w.index()] -= 1;
                }
                let onward = &self.onward;
                let is_last_move = self.path.len() + 1 == n;
                let leads_on = |w: &&Vertex| is_last_move || onward[w.index()] > 0;
                let moves = neighbours.iter().rev().filter(unvisited).filter(leads_on);
                self.moves.extend(moves);
                // Reversed and stable: among equals the first in the order stays the last here.
                self.moves[begin..].sort_by_key(|w| std::cmp::Reverse(onward[w.index()]));
            }
        }
    }

    fn next_move(&mut self) -> Option<Vertex> {
        let begin = *self.untried.last()?;
        (self.moves.len() > begin)
            .then(|| self.moves.pop())
            .flatten()
    }

    fn leave(&mut self) {
        self.untried.pop();
        if let Some(v) = self.path.pop() {
            self.visited[v.index()] = false;
            if self.first == First::FewestOnward {
                for &w in self.neighbours.of(v) {
                    self.onward[w.index()] += 1;
                }
            }
        }
    }
}
