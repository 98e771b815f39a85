//! Step of a sweep, with the parts that do not depend on the weights of the states: numbers of path ends, mirror images,
//! and the layer that the step produces.

use super::completable::Completable;
use super::degrees::Degrees;
use super::matching::{Matching, WideMatching};
use super::moves::Move;
use super::numbering::Numbering;
use super::ranks::{CLOSED, Change, MOST_ENDS, Mates, Ranks, Tables};
use super::shards::shard_of;
use super::stored::{Head, Keys, Layer};
use super::sweep::Sweep;
use super::usage::Usage;

/// States of a group among the [`Keys`] that have been read.
#[derive(Clone, Copy)]
pub(super) struct Members {
    /// Mask of the places of the group's ends of paths.
    pub(super) ends: u32,
    /// Index of the first state among the keys of its form.
    pub(super) first_key: usize,
    pub(super) states: usize,
}

impl Members {
    /// Reads the states of a stored group into `keys`, and returns them with the bytes of their weights.
    pub(super) fn read<'b>(
        head: Head,
        group: &'b [u8],
        numbering: &Numbering,
        keys: &mut Keys,
    ) -> (Self, &'b [u8]) {
        let (of_states, weights) = group[head.head_bytes()..].split_at(head.key_bytes());
        let members = Self {
            ends: numbering.ends(head.degrees),
            first_key: keys.len(head.form),
            states: head.states as usize,
        };
        keys.read(head.form, of_states);
        (members, weights)
    }

    /// Returns the matchings of the states.
    pub(super) fn matchings(
        self,
        keys: &Keys,
        numbering: &Numbering,
    ) -> impl Iterator<Item = WideMatching> {
        let is_ranked = self.ends.count_ones() as usize <= MOST_ENDS;
        let states = self.first_key..self.first_key + self.states;
        states.map(move |state| match is_ranked {
            true => numbering.matching(self.ends, keys.ranks[state]),
            false => keys.words[state],
        })
    }
}

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
    /// Calls `visit` with each successor of a group's states by a move: with the index of the state in its group, and the
    /// rank of the successor. The target group must have few enough ends for ranks; `ends` is the mask of their places.
    /// `closes` must be true if the move leaves no paths.
    #[inline]
    pub(super) fn each_rank(
        &self,
        of: Members,
        keys: &Keys,
        by: Move,
        (ends, closes): (u32, bool),
        mut visit: impl FnMut(usize, u32),
    ) {
        let count = of.ends.count_ones() as usize;
        if count > MOST_ENDS {
            return self.each_matching(of, keys, by, closes, |state, matching| {
                visit(state, self.after.rank(ends, matching));
            });
        }
        let ranks = keys.ranks[of.first_key..][..of.states].iter().enumerate();
        match self.change(by, of.ends, ends) {
            Change::None => ranks.for_each(|(state, &rank)| visit(state, rank)),
            change @ Change::Join(..) => {
                let table: &[u32] = self.tables.of(change, count);
                for (state, &rank) in ranks {
                    let after = table[rank as usize];
                    if after != CLOSED {
                        visit(state, after);
                    }
                }
            }
            change => {
                let table: &[u32] = self.tables.of(change, count);
                ranks.for_each(|(state, &rank)| visit(state, table[rank as usize]));
            }
        }
    }

    /// Calls `visit` like [`each_rank`](Self::each_rank), but with the matching of the successor.
    pub(super) fn each_matching(
        &self,
        of: Members,
        keys: &Keys,
        by: Move,
        closes: bool,
        mut visit: impl FnMut(usize, WideMatching),
    ) {
        for (state, matching) in of.matchings(keys, &self.before).enumerate() {
            if let Some(after) = by.apply(matching, closes) {
                visit(state, after);
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
