//! Choices of the edges at one vertex of a sweep.
//!
//! When the sweep reaches a vertex, the vertex has zero, one or two edges to earlier vertices. The choice adds the
//! edges that the vertex still lacks; they lead to later vertices. The effect of a choice on the paths is one of four
//! moves.

use crate::frontier::state::{Completable, Degrees, Matching};
use crate::frontier::sweep::Sweep;

/// Effect of a vertex's new edges on the matching of path ends. The numbers are slots: positions of vertices in a
/// state.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Move {
    /// No edge is added.
    Keep,
    /// Neither of the two neighbours had an edge. They become the ends of a new path through the vertex.
    Link(u32, u32),
    /// The first vertex is the end of a path. The path is extended to the second vertex, which had no edge.
    Extend(u32, u32),
    /// Both vertices are ends of paths. Two paths are joined, or one path is closed to a cycle.
    Join(u32, u32),
}

impl Move {
    /// Returns the matching after the move. `closes` must be true if the move leaves no paths. Returns `None` if the
    /// move closes a cycle while `closes` is false.
    #[inline]
    pub(crate) fn apply<M: Matching>(self, matching: M, closes: bool) -> Option<M> {
        match self {
            Self::Keep => Some(matching),
            Self::Link(a, b) => Some(matching.link(a, b)),
            Self::Extend(from, to) => Some(matching.extend(from, to)),
            Self::Join(a, b) => matching.join(a, b).or(closes.then_some(M::NONE)),
        }
    }
}

/// Choice of the edges from one vertex to later vertices.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Choice {
    /// Degrees of the frontier vertices after the choice.
    pub(crate) target: Degrees,
    pub(crate) by: Move,
    /// Indices of the chosen edges in the list `later` of the [`Step`](crate::frontier::sweep::Step), in
    /// increasing order.
    pub(crate) edges: [Option<usize>; 2],
}

/// Calls `visit` for each choice at step t that may lead to a tour from a frontier with these degrees. The choices are
/// visited in the lexicographic order of their edges.
pub(crate) fn choices(
    sweep: &Sweep,
    completable: &Completable,
    t: usize,
    degrees: Degrees,
    mut visit: impl FnMut(Choice),
) {
    let step = sweep.step(t);
    let rest = degrees.without(step.slot);
    let mut offer = |target: Degrees, by, edges| {
        // Without a path, the cycle is closed and must be the whole tour.
        if completable.contains(t + 1, target) && (target.has_paths() || sweep.is_complete(t + 1, target)) {
            visit(Choice { target, by, edges });
        }
    };
    let later = |from: usize| {
        let slots = (from..step.later.len()).map(|k| (k, step.later[k].slot));
        slots.filter(|&(_, slot)| rest.of(slot) < 2)
    };
    match degrees.of(step.slot) {
        2 => offer(rest, Move::Keep, [None, None]),
        1 => {
            for (k, w) in later(0) {
                let by = if rest.of(w) == 0 { Move::Extend(step.slot, w) } else { Move::Join(step.slot, w) };
                offer(rest.plus(w), by, [Some(k), None]);
            }
        }
        _ => {
            for (k, a) in later(0) {
                for (l, b) in later(k + 1) {
                    let by = match (rest.of(a), rest.of(b)) {
                        (0, 0) => Move::Link(a, b),
                        (0, _) => Move::Extend(b, a),
                        (_, 0) => Move::Extend(a, b),
                        _ => Move::Join(a, b),
                    };
                    offer(rest.plus(a).plus(b), by, [Some(k), Some(l)]);
                }
            }
        }
    }
}
