//! States of a bag, packed into one integer. A state stores the degree of every vertex of the bag, and the two ends of
//! each path.
//!
//! Each vertex of the graph has a slot, and no two vertices of a bag share a slot. Slots are assigned greedily from the
//! last eliminated vertex to the first. The later neighbours of a vertex are a clique once the vertex is eliminated, so
//! w + 1 slots suffice for width w. A vertex keeps its slot in all bags, so states of different bags can be joined
//! directly.
//!
//! The *field* of slot i, a few bits of the integer, holds
//!
//! - 0 if no edge has been chosen, or if the bag has no vertex in the slot;
//! - j + 1 if the vertex is the end of a path whose other end is in slot j;
//! - i + 1, the slot's own number, if both edges of the vertex have been chosen.
//!
//! A [`Word`] of 64 bits has fifteen slots, and a word of 128 bits has twenty-five. A *mask* is a word that selects
//! slots: the lowest bit of each selected field is 1, and all other bits are 0.

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{BitAnd, BitOr, BitXor, Not, Shl, Shr};

/// Integer that holds the state of a bag, or a mask of slots.
pub(super) trait Word:
    Copy
    + Ord
    + Hash
    + Debug
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    /// Number of bits per slot.
    const BITS: u32;
    /// Number of slots.
    const SLOTS: u32;
    /// Zero: the state without edges, or the mask without slots.
    const ZERO: Self;
    /// Mask that selects all slots.
    const ONES: Self;
    /// State in which every vertex has two edges: each slot contains its own number, counted from 1.
    const SELVES: Self;

    /// Returns the bits of the first slot as a number.
    fn low(self) -> u32;
    /// Returns a word whose first slot contains `number`. All other slots are 0.
    fn of(number: u32) -> Self;
    /// Returns the number of 0 bits below the lowest 1 bit.
    fn zeros(self) -> u32;
    /// Returns the mask without its lowest slot.
    fn without_first(self) -> Self;
    /// Treats the word as a mask. Returns a word in which all bits of the selected slots are 1.
    fn whole(self) -> Self;
    /// Treats the word as a mask. Returns the number of selected slots.
    fn slots(self) -> u32;
}

macro_rules! word {
    ($word:ty, $bits:literal, $slots:literal) => {
        impl Word for $word {
            const BITS: u32 = $bits;
            const SLOTS: u32 = $slots;
            const ZERO: Self = 0;
            const ONES: Self = {
                let (mut ones, mut slot) = (0, 0);
                while slot < $slots {
                    ones |= 1 << (slot * $bits);
                    slot += 1;
                }
                ones
            };
            const SELVES: Self = {
                let (mut selves, mut slot) = (0, 0);
                while slot < $slots {
                    selves |= (slot + 1) << (slot * $bits);
                    slot += 1;
                }
                selves
            };

            fn low(self) -> u32 {
                (self & ((1 << $bits) - 1)) as u32
            }

            fn of(number: u32) -> Self {
                number.into()
            }

            fn zeros(self) -> u32 {
                self.trailing_zeros()
            }

            fn without_first(self) -> Self {
                self & self.wrapping_sub(1)
            }

            fn whole(self) -> Self {
                self * ((1 << $bits) - 1)
            }

            fn slots(self) -> u32 {
                self.count_ones()
            }
        }
    };
}

word!(u64, 4, 15);
word!(u128, 5, 25);

/// Returns the mask that selects one slot.
pub(super) fn slot_mask<W: Word>(slot: u32) -> W {
    W::of(1) << (slot * W::BITS)
}

/// Returns the indices of the slots that a mask selects, in increasing order.
pub(super) fn slots_of<W: Word>(mut mask: W) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        (mask != W::ZERO).then(|| {
            let slot = mask.zeros() / W::BITS;
            mask = mask.without_first();
            slot
        })
    })
}

/// Degree pattern of a state: the degrees of its vertices. States with the same pattern differ only in the pairing of
/// path ends.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Pattern<W> {
    /// Mask of the slots whose vertices have one or two edges.
    pub(super) touched: W,
    /// Mask of the slots whose vertices have two edges.
    pub(super) full: W,
}

impl<W: Word> Pattern<W> {
    /// Returns the mask of the slots at which a path ends: the slots whose vertices have one edge.
    pub(super) fn ends(self) -> W {
        self.touched & !self.full
    }
}

/// State of a bag: the degree of each vertex and the pairing of path ends, in the format of the module documentation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct State<W>(pub(super) W);

impl<W: Word> State<W> {
    /// State without chosen edges.
    pub(super) const EMPTY: Self = Self(W::ZERO);

    /// Returns the field of a slot, as defined in the module documentation.
    fn field(self, slot: u32) -> u32 {
        (self.0 >> (slot * W::BITS)).low()
    }

    /// Returns the slot of the other end of the path that ends in slot `end`.
    pub(super) fn mate(self, end: u32) -> u32 {
        self.field(end) - 1
    }

    fn set(&mut self, slot: u32, field: u32) {
        let at = slot * W::BITS;
        self.0 = (self.0 & !slot_mask::<W>(slot).whole()) | (W::of(field) << at);
    }

    /// Returns the degree pattern of the state.
    pub(super) fn pattern(self) -> Pattern<W> {
        let some = |fields: W| {
            let folded = (1..W::BITS).fold(fields, |all, k| all | (fields >> k));
            folded & W::ONES
        };
        Pattern { touched: some(self.0), full: W::ONES & !some(self.0 ^ W::SELVES) }
    }

    /// Adds an edge or a path between the vertices of two slots, and joins it to the paths that end at these vertices.
    /// Neither vertex may have two edges yet. Returns true if this closes a cycle, because the slots were the two ends
    /// of one path.
    pub(super) fn connect(&mut self, a: u32, b: u32) -> bool {
        let (at_a, at_b) = (self.field(a), self.field(b));
        // If no path ends in a slot yet, the slot is an end of the new path.
        let far_a = if at_a == 0 { a } else { at_a - 1 };
        let far_b = if at_b == 0 { b } else { at_b - 1 };
        if at_a != 0 {
            self.set(a, a + 1);
        }
        if at_b != 0 {
            self.set(b, b + 1);
        }
        if far_a == b {
            return true;
        }
        self.set(far_a, far_b + 1);
        self.set(far_b, far_a + 1);
        false
    }

    /// Joins the states of two disjoint edge sets. Their degree patterns must be compatible; `of_other` is the pattern
    /// of `other`. Returns `None` if a path of `other` closes a cycle. If `last` is true, the path of `other` that is
    /// joined last may close a cycle.
    pub(super) fn join(self, other: Self, of_other: Pattern<W>, last: bool) -> Option<Self> {
        let mut joined = Self(self.0 | (W::SELVES & of_other.full.whole()));
        let mut ends = of_other.ends();
        while ends != W::ZERO {
            let a = ends.zeros() / W::BITS;
            let b = other.mate(a);
            ends = ends.without_first() & !slot_mask::<W>(b);
            if joined.connect(a, b) && !(last && ends == W::ZERO) {
                return None;
            }
        }
        Some(joined)
    }

    /// Returns the state in which the fields of the given slots are 0.
    pub(super) fn forget(self, slots: W) -> Self {
        Self(self.0 & !slots.whole())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Computes the state of a set of paths directly, by walking along the paths.
    fn by_walk(n: u32, edges: &[(u32, u32)]) -> State<u128> {
        let mut state = State::EMPTY;
        let around = |v: u32| {
            let at = edges.iter().filter(move |e| e.0 == v || e.1 == v);
            at.map(move |e| e.0 + e.1 - v).collect::<Vec<_>>()
        };
        for v in 0..n {
            match around(v).as_slice() {
                [] => {}
                [next] => {
                    let (mut before, mut at) = (v, *next);
                    while let Some(&next) = around(at).iter().find(|&&w| w != before) {
                        (before, at) = (at, next);
                    }
                    state.set(v, at + 1);
                }
                _ => state.set(v, v + 1),
            }
        }
        state
    }

    #[test]
    fn edges_one_by_one_are_what_a_walk_says() {
        // Add the edges of two paths in every order.
        let edges = [(0, 3), (3, 7), (7, 24), (24, 5), (1, 2)];
        for k in 0..120 {
            let (mut left, mut code) = (edges.to_vec(), k);
            let mut state = State::<u128>::EMPTY;
            let mut chosen = Vec::new();
            while !left.is_empty() {
                let edge = left.remove(code % left.len());
                code /= left.len() + 1;
                assert!(!state.connect(edge.0, edge.1));
                chosen.push(edge);
                assert_eq!(state, by_walk(25, &chosen), "{chosen:?}");
            }
            assert!(state.connect(0, 5));
        }
    }

    #[test]
    fn patterns_are_degrees() {
        let state = State(by_walk(14, &[(0, 13), (13, 4), (2, 3)]).0);
        let pattern = state.pattern();
        assert_eq!(slots_of(pattern.touched).collect::<Vec<_>>(), [0, 2, 3, 4, 13]);
        assert_eq!(slots_of(pattern.full).collect::<Vec<_>>(), [13]);
        let mut small = State::<u64>::EMPTY;
        for (a, b) in [(0, 14), (14, 4), (2, 3)] {
            small.connect(a, b);
        }
        let ends = slots_of(small.pattern().ends()).collect::<Vec<_>>();
        assert_eq!(ends, [0, 2, 3, 4]);
        assert_eq!(small.forget(slot_mask(14)).pattern().full, 0);
    }

    #[test]
    fn joined_states_close_a_cycle_only_as_the_last_thing() {
        let path = |edges: &[(u32, u32)]| {
            let mut state = State::<u64>::EMPTY;
            for &(a, b) in edges {
                state.connect(a, b);
            }
            state
        };
        let (left, right) = (path(&[(0, 1), (2, 3)]), path(&[(0, 2), (1, 3)]));
        assert_eq!(left.join(right, right.pattern(), false), None);
        let whole = left.join(right, right.pattern(), true).unwrap();
        assert_eq!(whole.pattern().ends(), 0);
        assert_eq!(slots_of(whole.pattern().full).count(), 4);
        // Joining these states would give two cycles.
        assert_eq!(left.join(left, left.pattern(), true), None);
        let right = path(&[(0, 2)]);
        let joined = left.join(right, right.pattern(), false).unwrap();
        assert_eq!(joined, path(&[(1, 0), (0, 2), (2, 3)]));
    }
}
