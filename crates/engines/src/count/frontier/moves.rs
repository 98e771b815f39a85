//! Choices of edges at a vertex of a sweep.
//!
//! When the sweep reaches a vertex, the vertex has zero, one or two edges to earlier vertices. The choice adds the edges that
//! the vertex still lacks, to later vertices. The effect on the paths is one of four moves.

use super::completable::Completable;
use super::degrees::Degrees;
use super::matching::Matching;
use super::sweep::Sweep;

/// Effect of a vertex's new edges on a matching. The numbers are slots.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Move {
    /// No edge is added.
    Keep,
    /// Both neighbours had no edge; they become the ends of a new path.
    Link(u32, u32),
    /// The end of a path moves on to a vertex that had no edge.
    Extend(u32, u32),
    /// Two paths are joined, or one path is closed to a cycle.
    Join(u32, u32),
}

impl Move {
    /// Returns the matching after the move, or `None` if the move closes a cycle while `closes` is false. `closes` is true if
    /// the move leaves no paths.
    #[inline]
    pub(super) fn apply<M: Matching>(self, matching: M, closes: bool) -> Option<M> {
        match self {
            Self::Keep => Some(matching),
            Self::Link(a, b) => Some(matching.link(a, b)),
            Self::Extend(from, to) => Some(matching.extend(from, to)),
            Self::Join(a, b) => matching.join(a, b).or(closes.then_some(M::NONE)),
        }
    }
}

/// Choice of a vertex's edges.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Choice {
    /// Degrees after the choice.
    pub(super) target: Degrees,
    /// Effect on the paths.
    pub(super) by: Move,
    /// Edges, as indices in the step's list of later neighbours, in increasing order.
    pub(super) edges: [Option<usize>; 2],
}

/// Visits the choices at step t on a frontier with these degrees, except choices that cannot lead to a tour. The choices come
/// in the lexicographic order of their edges.
pub(super) fn choices(
    sweep: &Sweep,
    completable: &Completable,
    t: usize,
    degrees: Degrees,
    mut visit: impl FnMut(Choice),
) {
    let step = sweep.step(t);
    let rest = degrees.without(step.slot);
    let mut offer = |target: Degrees, by, edges| {
        // If no path is left, the cycle is closed and must be the whole tour.
        if completable.contains(t + 1, target)
            && (target.has_paths() || sweep.is_complete(t + 1, target))
        {
            visit(Choice { target, by, edges });
        }
    };
    let later = || {
        let slots = step.later.iter().map(|seat| seat.slot).enumerate();
        slots.filter(|&(_, slot)| rest.of(slot) < 2)
    };
    match degrees.of(step.slot) {
        2 => offer(rest, Move::Keep, [None, None]),
        1 => {
            for (k, w) in later() {
                let by = match rest.of(w) {
                    0 => Move::Extend(step.slot, w),
                    _ => Move::Join(step.slot, w),
                };
                offer(rest.plus(w), by, [Some(k), None]);
            }
        }
        _ => {
            for (k, a) in later() {
                for (l, b) in later().filter(|&(l, _)| l > k) {
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
