//! What may happen at a vertex of a sweep.
//!
//! A vertex has so many edges already as its degree says, and gets those that it lacks to later ones: none,
//! one or two. What that does to the paths is one of four moves.

use super::completable::Completable;
use super::degrees::Degrees;
use super::matching::Matching;
use super::sweep::Sweep;

/// What adding a vertex's edges does to a matching. The numbers are slots.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Move {
    /// No edge.
    Keep,
    /// Both of its neighbours had none: they are the ends of a new path.
    Link(u32, u32),
    /// A path's end goes on to a vertex that had no edge.
    Extend(u32, u32),
    /// Two paths become one, or one a cycle.
    Join(u32, u32),
}

impl Move {
    /// The matching after it; `None` where it closes a cycle that it must not. It may if it leaves no paths.
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

/// One choice of a vertex's edges.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Choice {
    /// The degrees that it leads to.
    pub(super) target: Degrees,
    /// What it does to the paths.
    pub(super) by: Move,
    /// Its edges, as places in the step's list of later neighbours, in increasing order.
    pub(super) edges: [Option<usize>; 2],
}

/// The choices at step t where the frontier has these degrees, without those that cannot become tours. They
/// come in the lexicographic order of their edges.
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
        // Where no path is left, the cycle is closed, and it has to be everything.
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
