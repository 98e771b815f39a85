//! Numbers of the ends of paths on a frontier.

use hamcnf_graph::masks::bits;

use crate::frontier::state::ranks::unrank;
use crate::frontier::state::{Degrees, Matching, WideMatching};
use crate::frontier::sweep::Sweep;

/// Numbering of the ends of paths on a frontier. The frontier vertices are sorted in an order that is the same for all
/// frontiers; the *place* of a vertex is its position. The ends are numbered in the order of their places.
pub(crate) struct Numbering {
    /// Tables that convert slots to places, one for every eight slots. The index is a mask of slots, and the entry is
    /// the mask of their places.
    places_of: [[u32; 256]; 4],
    place: [u32; Degrees::SLOTS],
    slot: [u32; Degrees::SLOTS],
}

impl Numbering {
    pub(crate) fn new(sweep: &Sweep, t: usize) -> Self {
        let mut new = Self { places_of: [[0; 256]; 4], place: [0; Degrees::SLOTS], slot: [0; Degrees::SLOTS] };
        for (place, &slot) in (0..).zip(sweep.numbered(t)) {
            new.place[slot as usize] = place;
            new.slot[place as usize] = slot;
            for (byte, places) in new.places_of[slot as usize / 8].iter_mut().enumerate() {
                *places |= (byte as u32 >> (slot % 8) & 1) << place;
            }
        }
        new
    }

    /// Returns the mask of the places of all ends of paths.
    pub(crate) fn ends(&self, degrees: Degrees) -> u32 {
        let bytes = degrees.ones().to_le_bytes();
        let places = self.places_of.iter().zip(bytes);
        places.fold(0, |all, (places, byte)| all | places[usize::from(byte)])
    }

    /// Returns the number of the end at `slot`. `ends` is the mask of the places of all ends.
    pub(crate) fn number(&self, ends: u32, slot: u32) -> u32 {
        let before = (1u32 << self.place[slot as usize]) - 1;
        (ends & before).count_ones()
    }

    /// Returns the slots of all ends, in the order of their numbers. `ends` is the mask of their places.
    pub(crate) fn slots(&self, ends: u32) -> impl Iterator<Item = u32> + '_ {
        bits(ends.into()).map(|place| self.slot[place as usize])
    }

    /// Returns the matching with this rank. `ends` is the mask of the places of all ends.
    pub(crate) fn matching(&self, ends: u32, rank: u64) -> WideMatching {
        let mates = unrank(rank, ends.count_ones() as usize);
        let mut slots = [0; Degrees::SLOTS];
        for (slot, at) in slots.iter_mut().zip(self.slots(ends)) {
            *slot = at;
        }
        let mut matching = WideMatching::NONE;
        for end in 0..ends.count_ones() as usize {
            let mate = usize::from(mates[end]);
            if end < mate {
                matching = matching.link(slots[end], slots[mate]);
            }
        }
        matching
    }
}
