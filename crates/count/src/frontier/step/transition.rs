//! Step of a sweep, with the parts that do not depend on the weights of the states: numbers of path ends, mirror images,
//! and the layer that the step produces.

use std::num::NonZero;

use crate::frontier::state::ranks::{CLOSED, TABLED};
use crate::frontier::state::{Change, Completable, Degrees, Mates, Numbering, Ranks, Tables, WideMatching, renumbered};
use crate::frontier::step::moves::Move;
use crate::frontier::step::shard_of;
use crate::frontier::store::{Head, Layer, Usage, read_ranks};
use crate::frontier::sweep::Sweep;

/// States of a group among those whose ranks have been read.
#[derive(Clone, Copy)]
pub(crate) struct Members {
    /// Mask of the places of the group's ends of paths.
    pub(crate) ends: u32,
    /// Index of the rank of the first state.
    pub(crate) first: usize,
    pub(crate) states: usize,
}

impl Members {
    /// Appends the ranks of the states of a stored group to `ranks`. Returns the states, with the bytes of their weights.
    pub(crate) fn read<'b>(
        head: Head,
        group: &'b [u8],
        numbering: &Numbering,
        ranks: &mut Vec<u64>,
    ) -> (Self, &'b [u8]) {
        let (keys, weights) = group[head.head_bytes()..].split_at(head.key_bytes());
        let members = Self { ends: numbering.ends(head.degrees), first: ranks.len(), states: head.states as usize };
        read_ranks(head.form, head.ends(), keys, ranks);
        (members, weights)
    }

    /// Returns the ranks of the states. `all` are the ranks that have been read.
    fn ranks(self, all: &[u64]) -> &[u64] {
        &all[self.first..][..self.states]
    }

    /// Returns the matchings of the states. `all` are the ranks that have been read.
    pub(crate) fn matchings(self, all: &[u64], numbering: &Numbering) -> impl Iterator<Item = WideMatching> {
        let ranks = self.ranks(all).iter();
        ranks.map(move |&rank| numbering.matching(self.ends, rank))
    }
}

/// Step of a sweep, with the data that all threads share.
pub(crate) struct Transition<'a> {
    pub(crate) sweep: &'a Sweep,
    pub(crate) completable: &'a Completable,
    pub(crate) t: usize,
    pub(crate) tables: &'a Tables,
    /// Modulus of the numbers in weights; `None` for exact numbers.
    pub(crate) modulus: Option<NonZero<u64>>,
    pub(crate) usage: &'a Usage,
    pub(crate) before: Numbering,
    pub(crate) after: Numbering,
}

impl Transition<'_> {
    /// Calls `visit` with each successor of a group's states by a move: with the index of the state in its group, and the
    /// rank of the successor. `ranks` are those that have been read, and `ends` is the mask of the places of the target
    /// group's ends.
    #[inline]
    pub(crate) fn each_rank(&self, of: Members, ranks: &[u64], by: Move, ends: u32, mut visit: impl FnMut(usize, u64)) {
        let count = of.ends.count_ones() as usize;
        let ranks = of.ranks(ranks).iter().enumerate();
        let change = self.change(by, of.ends, ends);
        if change == Change::None {
            return ranks.for_each(|(state, &rank)| visit(state, rank));
        }
        match (change, self.tables.table(change, count)) {
            (Change::Join(..), Some(table)) => {
                let table: &[u32] = table;
                for (state, &rank) in ranks {
                    let after = table[rank as usize];
                    if after != CLOSED {
                        visit(state, after.into());
                    }
                }
            }
            (_, Some(table)) => {
                let table: &[u32] = table;
                ranks.for_each(|(state, &rank)| visit(state, table[rank as usize].into()));
            }
            (_, None) => {
                for (state, &rank) in ranks {
                    if let Some(after) = self.tables.after(change, count, rank) {
                        visit(state, after);
                    }
                }
            }
        }
    }

    /// Converts a move of slots to a move of end numbers. The masks `before` and `after` contain the places of the ends
    /// before and after the move.
    fn change(&self, by: Move, before: u32, after: u32) -> Change {
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

    /// Returns the mirror image of a degree vector, and the new number of each end. `ends` is the mask of the places of
    /// the ends. Returns `None` if the layer is not symmetric, or if the image is the greater of the two vectors.
    fn image(&self, degrees: Degrees, ends: u32) -> Option<(Degrees, Mates)> {
        let names = self.sweep.mirror_names(self.t + 1)?;
        let image = degrees.renamed(names);
        if image > degrees {
            return None;
        }
        let (of, to) = (&self.after, self.after.ends(image));
        let mut numbers = [0; Degrees::SLOTS];
        for (number, slot) in numbers.iter_mut().zip(of.slots(ends)) {
            *number = of.number(to, names[slot as usize]) as u8;
        }
        Some((image, numbers))
    }

    /// Returns the mirror image of a degree vector, and the table of the mirror images of its matchings, by rank.
    /// Returns `None` if the layer is not symmetric, if the image is the greater of the two vectors, or if there are
    /// too many ends for tables.
    pub(crate) fn mirror(&self, degrees: Degrees, ends: u32) -> Option<(Degrees, Ranks)> {
        let count = ends.count_ones() as usize;
        let (image, numbers) = self.image(degrees, ends).filter(|_| count <= TABLED)?;
        Some((image, self.tables.renumbering(&numbers, count)))
    }

    /// Replaces the ranks of a group's states by those of the group that is stored, and returns the degrees of that
    /// group: the mirror image if it has the lesser degree vector. If both vectors are the same, the lesser of a state
    /// and its mirror image is stored.
    pub(crate) fn mirrored<'k>(
        &self,
        degrees: Degrees,
        ends: u32,
        ranks: impl Iterator<Item = &'k mut u64>,
    ) -> Degrees {
        let Some((image, numbers)) = self.image(degrees, ends) else {
            return degrees;
        };
        let count = ends.count_ones() as usize;
        let replaced = |rank: u64, to: u64| match image < degrees {
            true => to,
            false => to.min(rank),
        };
        if count <= TABLED {
            let table = self.tables.renumbering(&numbers, count);
            ranks.for_each(|rank| *rank = replaced(*rank, table[*rank as usize].into()));
        } else {
            ranks.for_each(|rank| *rank = replaced(*rank, renumbered(*rank, &numbers, count)));
        }
        image
    }

    /// Stores a group with the header `head` in the layer after the step, unless it has no states. The function `write`
    /// appends its states and weights to a buffer. `bits` is the number of bits of the largest number in a weight.
    pub(crate) fn put(&self, head: Head, bits: u32, out: &mut Layer, write: &mut dyn FnMut(&mut Vec<u8>)) {
        if head.states == 0 {
            return;
        }
        let shard = shard_of(self.sweep, self.t + 1, head.degrees, head.arrivals());
        // The bits of the states are written in words of eight bytes.
        out.shard(shard).put(head.bytes() + 8, self.usage, &mut |room| {
            head.write(room);
            write(room);
        });
        out.states += head.states as usize;
        out.bits = out.bits.max(bits);
    }
}
