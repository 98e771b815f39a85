//! States of a bag, packed into one integer: the degree of every vertex, and which ends belong to one path.
//!
//! Each vertex of the graph has a slot, and no two vertices of a bag have the same: the later neighbours of a vertex
//! are a clique once it is eliminated, so w + 1 slots suffice for width w, given greedily from the last vertex to
//! the first. A vertex keeps its slot in all bags, so states of different bags are joined as they are.
//!
//! The field of slot i holds
//!
//! - 0 where no edge has been chosen, and where the bag has no vertex;
//! - j + 1 where a path ends whose other end is in slot j;
//! - i + 1, its own number, where both edges have been chosen.
//!
//! A [`Word`] of 64 bits has fifteen slots, one of 128 bits twenty-five. A mask has the lowest bit of the fields that
//! it is about.

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{BitAnd, BitOr, BitXor, Not, Shl, Shr};

/// An integer that holds the state of a bag.
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
    /// Bits of a field.
    const BITS: u32;
    /// How many fields there are.
    const SLOTS: u32;
    /// Nothing chosen; the empty mask.
    const ZERO: Self;
    /// The mask of all slots.
    const ONES: Self;
    /// Every field holding its own number: all saturated.
    const SELVES: Self;

    /// The field of the first slot.
    fn low(self) -> u32;
    /// A number in the field of the first slot.
    fn of(number: u32) -> Self;
    /// Zeros below the lowest one.
    fn zeros(self) -> u32;
    /// A mask without its lowest slot.
    fn without_first(self) -> Self;
    /// The whole fields of a mask.
    fn whole(self) -> Self;
    /// How many slots a mask has.
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

/// The mask of one slot.
pub(super) fn slot_mask<W: Word>(slot: u32) -> W {
    W::of(1) << (slot * W::BITS)
}

/// The slots of a mask, the lowest first.
pub(super) fn slots_of<W: Word>(mut mask: W) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        (mask != W::ZERO).then(|| {
            let slot = mask.zeros() / W::BITS;
            mask = mask.without_first();
            slot
        })
    })
}

/// The degrees in a state, without the paths: states of one pattern exclude none of each other's completions by
/// degree.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Pattern<W> {
    /// Slots with an edge, as a mask.
    pub(super) touched: W,
    /// Slots with two edges, as a mask.
    pub(super) full: W,
}

impl<W: Word> Pattern<W> {
    /// The slots at which a path ends.
    pub(super) fn ends(self) -> W {
        self.touched & !self.full
    }
}

/// A state.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct State<W>(pub(super) W);

impl<W: Word> State<W> {
    /// Nothing chosen.
    pub(super) const EMPTY: Self = Self(W::ZERO);

    /// What the field of a slot holds.
    fn field(self, slot: u32) -> u32 {
        (self.0 >> (slot * W::BITS)).low()
    }

    /// The other end of the path that ends in this slot.
    pub(super) fn mate(self, end: u32) -> u32 {
        self.field(end) - 1
    }

    fn set(&mut self, slot: u32, field: u32) {
        let at = slot * W::BITS;
        self.0 = (self.0 & !slot_mask::<W>(slot).whole()) | (W::of(field) << at);
    }

    /// The degrees.
    pub(super) fn pattern(self) -> Pattern<W> {
        let some = |fields: W| {
            let folded = (1..W::BITS).fold(fields, |all, k| all | (fields >> k));
            folded & W::ONES
        };
        Pattern {
            touched: some(self.0),
            full: W::ONES & !some(self.0 ^ W::SELVES),
        }
    }

    /// Adds a path between two slots that are not full: its ends meet what ends there. Whether they were the ends of
    /// one path, which is a cycle now.
    pub(super) fn connect(&mut self, a: u32, b: u32) -> bool {
        let (at_a, at_b) = (self.field(a), self.field(b));
        // Where no path ends, the new one does.
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

    /// Two states of edge sets that have no edge in common as one, if no cycle is closed by that; their patterns
    /// go together. `last` allows a single cycle, as the last thing to happen.
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

    /// Without what is known of these slots.
    pub(super) fn forget(self, slots: W) -> Self {
        Self(self.0 & !slots.whole())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the edges of a path say, by a walk.
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
        // A path in every order of its edges, beside another.
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
        assert_eq!(
            slots_of(pattern.touched).collect::<Vec<_>>(),
            [0, 2, 3, 4, 13]
        );
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
        // Two cycles instead of one.
        assert_eq!(left.join(left, left.pattern(), true), None);
        let right = path(&[(0, 2)]);
        let joined = left.join(right, right.pattern(), false).unwrap();
        assert_eq!(joined, path(&[(1, 0), (0, 2), (2, 3)]));
    }
}
