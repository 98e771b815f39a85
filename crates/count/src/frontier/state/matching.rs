//! Pairing of the ends of paths: a perfect matching of the frontier vertices of degree 1.
//!
//! Every slot (position of a frontier vertex) has a field. The field of a path's end holds the slot of its mate, the
//! other end of the path; the fields of all other slots are 0. A vertex keeps its slot as long as it is on the frontier.
//! Therefore a matching has only one representation, without a renaming of labels, and adding an edge changes at most
//! four fields. The fields of a narrow frontier have four bits each and fit into a machine word.
//!
//! A matching does not store degrees. They are the same for all states of a group, and determine which fields are
//! meaningful.

use std::hash::Hash;

use crate::frontier::state::Degrees;

/// Matching of the ends of paths, with operations that add edges. Vertices are given by their slots, which are 0-based
/// positions.
pub(crate) trait Matching: Copy + Eq + Ord + Hash + Send + Sync + 'static {
    /// Maximum number of slots, which are positions of frontier vertices.
    const SLOTS: usize;
    /// Matching without paths.
    const NONE: Self;

    /// Returns the slot of the other end of the path that ends at `slot`.
    fn mate(self, slot: u32) -> u32;

    /// Makes two vertices of degree 0 the ends of a new path.
    fn link(self, a: u32, b: u32) -> Self;

    /// Extends a path from its end `from` to `to`, whose degree was 0. `to` may equal `from` if a new vertex has taken
    /// this slot.
    fn extend(self, from: u32, to: u32) -> Self;

    /// Joins the paths that end at `a` and `b`. Returns `None` if they are the same path, which then closes to a
    /// cycle.
    fn join(self, a: u32, b: u32) -> Option<Self>;

    /// Returns a hash value whose highest bits are well distributed.
    fn spread(self) -> u64;

    /// Returns the matching with every slot `s` renamed to `names[s]`. `ends` are the slots of the ends of paths.
    fn renamed(self, ends: impl Iterator<Item = u32>, names: &[u32]) -> Self;
}

/// Multiplier of Fibonacci hashing: Knuth, *The Art of Computer Programming* 3, section 6.4.
const FIBONACCI: u64 = 0x9e37_79b9_7f4a_7c15;

impl Matching for u64 {
    const SLOTS: usize = 16;
    const NONE: Self = 0;

    #[inline]
    fn mate(self, slot: u32) -> u32 {
        (self >> (4 * slot)) as u32 & 15
    }

    #[inline]
    fn link(self, a: u32, b: u32) -> Self {
        self | u64::from(b) << (4 * a) | u64::from(a) << (4 * b)
    }

    #[inline]
    fn extend(self, from: u32, to: u32) -> Self {
        let end = self.mate(from);
        let without = self & !(15 << (4 * from));
        // The field of the path's other end changes from `from` to `to`.
        (without ^ u64::from(from ^ to) << (4 * end)) | u64::from(end) << (4 * to)
    }

    #[inline]
    fn join(self, a: u32, b: u32) -> Option<Self> {
        let (x, y) = (self.mate(a), self.mate(b));
        if x == b {
            return None;
        }
        let without = self & !(15 << (4 * a)) & !(15 << (4 * b));
        // The field of x changes from a to y, and the field of y from b to x.
        Some(without ^ u64::from(a ^ y) << (4 * x) ^ u64::from(b ^ x) << (4 * y))
    }

    #[inline]
    fn spread(self) -> u64 {
        (self ^ self >> 32).wrapping_mul(FIBONACCI)
    }

    fn renamed(self, ends: impl Iterator<Item = u32>, names: &[u32]) -> Self {
        ends.fold(0, |renamed, end| {
            let mate = names[self.mate(end) as usize];
            renamed | u64::from(mate) << (4 * names[end as usize])
        })
    }
}

/// Matching on a frontier of any width that a sweep allows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct WideMatching([u8; Degrees::SLOTS]);

impl WideMatching {
    fn set(&mut self, slot: u32, mate: u32) {
        self.0[slot as usize] = mate as u8;
    }
}

impl Matching for WideMatching {
    const SLOTS: usize = Degrees::SLOTS;
    const NONE: Self = Self([0; Degrees::SLOTS]);

    #[inline]
    fn mate(self, slot: u32) -> u32 {
        self.0[slot as usize].into()
    }

    #[inline]
    fn link(mut self, a: u32, b: u32) -> Self {
        self.set(a, b);
        self.set(b, a);
        self
    }

    #[inline]
    fn extend(mut self, from: u32, to: u32) -> Self {
        let end = self.mate(from);
        self.set(from, 0);
        self.link(end, to)
    }

    #[inline]
    fn join(mut self, a: u32, b: u32) -> Option<Self> {
        let (x, y) = (self.mate(a), self.mate(b));
        if x == b {
            return None;
        }
        self.set(a, 0);
        self.set(b, 0);
        Some(self.link(x, y))
    }

    #[inline]
    fn spread(self) -> u64 {
        let (words, _) = self.0.as_chunks();
        let folded = words
            .iter()
            .fold(0, |folded: u64, &word| (folded.rotate_left(23) ^ u64::from_le_bytes(word)).wrapping_mul(FIBONACCI));
        (folded ^ folded >> 32).wrapping_mul(FIBONACCI)
    }

    fn renamed(self, ends: impl Iterator<Item = u32>, names: &[u32]) -> Self {
        let mut renamed = Self::NONE;
        for end in ends {
            renamed.set(names[end as usize], names[self.mate(end) as usize]);
        }
        renamed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edges_do_what_they_say<M: Matching + std::fmt::Debug>() {
        let last = M::SLOTS as u32 - 1;
        // Two paths: one with the ends 0 and `last`, one with the ends 2 and 5.
        let two = M::NONE.link(0, last).link(5, 2);
        assert_eq!((two.mate(0), two.mate(last)), (last, 0));
        assert_eq!((two.mate(2), two.mate(5)), (5, 2));
        assert_eq!(two, M::NONE.link(2, 5).link(last, 0), "written in one way only");
        assert_eq!(two.extend(last, 7), M::NONE.link(0, 7).link(2, 5));
        assert_eq!(two.extend(5, 5), two, "a new vertex in the same slot");
        assert_eq!(two.join(last, 2), Some(M::NONE.link(0, 5)));
        assert_eq!(two.join(0, 5), Some(M::NONE.link(2, last)));
        assert_eq!((two.join(2, 5), two.join(last, 0)), (None, None));
        let swap: Vec<u32> = (0..=last).rev().collect();
        let mirrored = two.renamed([0, 2, 5, last].into_iter(), &swap);
        assert_eq!(mirrored, M::NONE.link(0, last).link(last - 2, last - 5));
    }

    #[test]
    fn edges_do_what_they_say_in_both_widths() {
        edges_do_what_they_say::<u64>();
        edges_do_what_they_say::<WideMatching>();
    }
}
