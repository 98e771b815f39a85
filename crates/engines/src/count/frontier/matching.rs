//! Pairing of the ends of paths: a perfect matching of the frontier vertices of degree 1.
//!
//! Every slot (position of a frontier vertex) has a bit field. The field of a path's end holds the slot of its mate,
//! the other end of the path; the fields of all other slots are 0. A vertex keeps its slot as long as it is on the
//! frontier. Therefore a matching has only one representation, without a renaming of labels, and adding an edge
//! changes at most four fields.
//!
//! A matching does not store degrees. They are the same for all states of a group, and determine which fields are
//! meaningful.

use std::hash::Hash;

/// Matching of more ends of paths than a rank can express.
pub(super) type WideMatching = u128;

/// Matching of the ends of paths, with operations that add edges. Vertices are given by their slots, which are 0-based
/// positions.
pub(super) trait Matching: Copy + Eq + Ord + Hash + Send + Sync + 'static {
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

macro_rules! matching {
    ($word:ty, $bits:literal, $slots:literal, $fold:expr) => {
        impl Matching for $word {
            const SLOTS: usize = $slots;
            const NONE: Self = 0;

            #[inline]
            fn mate(self, slot: u32) -> u32 {
                (self >> ($bits * slot)) as u32 & ((1 << $bits) - 1)
            }

            #[inline]
            fn link(self, a: u32, b: u32) -> Self {
                self | <$word>::from(b) << ($bits * a) | <$word>::from(a) << ($bits * b)
            }

            #[inline]
            fn extend(self, from: u32, to: u32) -> Self {
                let end = self.mate(from);
                let without = self & !(((1 << $bits) - 1) << ($bits * from));
                // The field of the path's other end changes from `from` to `to`.
                (without ^ <$word>::from(from ^ to) << ($bits * end))
                    | <$word>::from(end) << ($bits * to)
            }

            #[inline]
            fn join(self, a: u32, b: u32) -> Option<Self> {
                let (x, y) = (self.mate(a), self.mate(b));
                if x == b {
                    return None;
                }
                let field: $word = (1 << $bits) - 1;
                let without = self & !(field << ($bits * a)) & !(field << ($bits * b));
                // The field of x changes from a to y, and the field of y from b to x.
                Some(
                    without
                        ^ <$word>::from(a ^ y) << ($bits * x)
                        ^ <$word>::from(b ^ x) << ($bits * y),
                )
            }

            #[inline]
            fn spread(self) -> u64 {
                // Fibonacci hashing: Knuth, The Art of Computer Programming 3, section 6.4.
                let fold: fn($word) -> u64 = $fold;
                fold(self).wrapping_mul(0x9e37_79b9_7f4a_7c15)
            }

            fn renamed(self, ends: impl Iterator<Item = u32>, names: &[u32]) -> Self {
                ends.fold(0, |renamed, end| {
                    let mate = names[self.mate(end) as usize];
                    renamed | <$word>::from(mate) << ($bits * names[end as usize])
                })
            }
        }
    };
}

matching!(u64, 4, 16, |word| word ^ word >> 32);
matching!(u128, 5, 25, |word| {
    let folded = (word >> 64) as u64 ^ (word as u64).rotate_left(23);
    folded ^ folded >> 32
});

#[cfg(test)]
mod tests {
    use super::*;

    fn edges_do_what_they_say<M: Matching + std::fmt::Debug>() {
        let last = M::SLOTS as u32 - 1;
        // Two paths: one with the ends 0 and `last`, one with the ends 2 and 5.
        let two = M::NONE.link(0, last).link(5, 2);
        assert_eq!((two.mate(0), two.mate(last)), (last, 0));
        assert_eq!((two.mate(2), two.mate(5)), (5, 2));
        assert_eq!(
            two,
            M::NONE.link(2, 5).link(last, 0),
            "written in one way only"
        );
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
        edges_do_what_they_say::<u128>();
    }
}
