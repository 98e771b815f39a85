//! Step of a sweep, with the parts that do not depend on the weights of the states: numbers of path ends, mirror images,
//! and the layer that the step produces.

use super::completable::Completable;
use super::degrees::Degrees;
use super::matching::{Matching, WideMatching};
use super::moves::Move;
use super::numbering::Numbering;
use super::ranks::{Change, MOST_ENDS, Mates, Ranks, Tables};
use super::shards::shard_of;
use super::stored::{Head, Layer};
use super::sweep::Sweep;
use super::usage::Usage;

/// Threshold for storing the successors of a step in a list. A list is used if a group has more than this number of
/// possible states per generated successor; otherwise an array with an entry per possible state.
pub(super) const SPARSE: usize = 128;

/// Step of a sweep, with the data that all threads share.
pub(super) struct Transition<'a> {
    pub(super) sweep: &'a Sweep,
    pub(super) completable: &'a Completable,
    pub(super) t: usize,
    pub(super) tables: &'a Tables,
    pub(super) usage: &'a Usage,
    pub(super) before: Numbering,
    pub(super) after: Numbering,
}

impl Transition<'_> {
    /// Converts a move of slots to a move of end numbers. The masks `before` and `after` contain the places of the ends
    /// before and after the move.
    pub(super) fn change(&self, by: Move, before: u32, after: u32) -> Change {
        let old = |slot| self.before.number(before, slot);
        let new = |slot| self.after.number(after, slot);
        let in_order = |a: u32, b: u32| (a.min(b), a.max(b));
        match by {
            Move::Keep => Change::None,
            Move::Link(a, b) => {
                let (a, b) = in_order(new(a), new(b));
                Change::Link(a, b)
            }
            Move::Extend(from, to) => match (old(from), new(to)) {
                (from, to) if from == to => Change::None,
                (from, to) => Change::Extend(from, to),
            },
            Move::Join(a, b) => {
                let (a, b) = in_order(old(a), old(b));
                Change::Join(a, b)
            }
        }
    }

    /// Returns the mirror image of a degree vector, and the table of the mirror images of its matchings, by rank.
    /// Returns `None` if the layer is not symmetric, if the image is the greater of the two vectors, or if there are
    /// too many ends for ranks.
    pub(super) fn mirror(&self, degrees: Degrees, ends: u32) -> Option<(Degrees, Ranks)> {
        let names = self.sweep.mirror_names(self.t + 1)?;
        let count = ends.count_ones() as usize;
        if count > MOST_ENDS {
            return None;
        }
        let image = degrees.renamed(names);
        if image > degrees {
            return None;
        }
        let (of, to) = (&self.after, self.after.ends(image));
        let mut renumbered: Mates = [0; MOST_ENDS + 2];
        for (number, slot) in renumbered.iter_mut().zip(of.slots(ends)) {
            *number = of.number(to, names[slot as usize]) as u8;
        }
        Some((image, self.tables.renumbering(&renumbered, count)))
    }

    /// Replaces the keys of a group's states by those of the group that is stored, and returns the degrees of that group:
    /// the mirror image if it has the lesser degree vector. If both vectors are the same, the lesser of a state and its
    /// mirror image is stored. A key is a rank, or a matching if there are too many ends for ranks.
    pub(super) fn mirrored<'k>(
        &self,
        degrees: Degrees,
        ends: u32,
        keys: impl Iterator<Item = &'k mut WideMatching>,
    ) -> Degrees {
        let Some(names) = self.sweep.mirror_names(self.t + 1) else {
            return degrees;
        };
        let image = degrees.renamed(names);
        let replaced = |key: WideMatching, to: WideMatching| match image < degrees {
            true => to,
            false => to.min(key),
        };
        if let Some((_, table)) = self.mirror(degrees, ends) {
            keys.for_each(|key| *key = replaced(*key, table[*key as usize].into()));
        } else if image <= degrees {
            keys.for_each(|key| *key = replaced(*key, key.renamed(degrees.ends(), names)));
        }
        degrees.min(image)
    }

    /// Stores a group with the header `head` in the layer after the step, unless it has no states. The function `write`
    /// appends its states and weights to a buffer. `bits` is the number of bits of the largest number in a weight.
    pub(super) fn put(
        &self,
        head: Head,
        bits: u32,
        out: &mut Layer,
        write: impl FnOnce(&mut Vec<u8>),
    ) {
        if head.states == 0 {
            return;
        }
        let shard = shard_of(self.sweep, self.t + 1, head.degrees, head.arrivals());
        // The bits of the states are written in words of eight bytes.
        out.shards[shard].put(head.bytes() + 8, self.usage, |room| {
            head.write(room);
            write(room);
        });
        out.states += head.states as usize;
        out.bits = out.bits.max(bits);
    }
}
