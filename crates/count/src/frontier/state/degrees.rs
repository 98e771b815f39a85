//! Degree vectors. A degree vector contains the number of edges (0, 1 or 2) that each frontier vertex has so far.

use std::collections::HashMap;

use hamcnf_graph::hash::Mixer;
use hamcnf_graph::masks::bits;

/// Degrees of the frontier vertices. Each slot (position of a frontier vertex) has two bits; the bits of free slots are
/// 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Degrees(pub(crate) u64);

impl Degrees {
    /// Maximum number of slots (positions of frontier vertices).
    pub(crate) const SLOTS: usize = 32;
    pub(crate) const NONE: Self = Self(0);
    pub(crate) const LOW: u64 = 0x5555_5555_5555_5555;

    pub(crate) fn of(self, slot: u32) -> u32 {
        (self.0 >> (2 * slot)) as u32 & 3
    }

    /// Returns the degrees after adding one edge at a slot.
    pub(crate) fn plus(self, slot: u32) -> Self {
        Self(self.0 + (1 << (2 * slot)))
    }

    pub(crate) fn without(self, slot: u32) -> Self {
        Self(self.0 & !(3 << (2 * slot)))
    }

    /// Returns a mask with both bits of every given slot.
    pub(crate) fn mask(slots: impl Iterator<Item = u32>) -> u64 {
        slots.fold(0, |mask, slot| mask | 3 << (2 * slot))
    }

    /// Returns the slots of degree 1, in increasing order. Their vertices are the ends of paths.
    pub(crate) fn ends(self) -> impl Iterator<Item = u32> {
        bits(self.0 & Self::LOW).map(|bit| bit / 2)
    }

    /// Returns the number of ends of paths.
    pub(crate) fn ends_count(self) -> usize {
        (self.0 & Self::LOW).count_ones() as usize
    }

    /// Returns a mask with one bit per slot, set for the slots of degree 1.
    pub(crate) fn ones(self) -> u32 {
        let mut bits = self.0 & Self::LOW;
        bits = (bits | bits >> 1) & 0x3333_3333_3333_3333;
        bits = (bits | bits >> 2) & 0x0f0f_0f0f_0f0f_0f0f;
        bits = (bits | bits >> 4) & 0x00ff_00ff_00ff_00ff;
        bits = (bits | bits >> 8) & 0x0000_ffff_0000_ffff;
        (bits | bits >> 16) as u32
    }

    pub(crate) fn has_paths(self) -> bool {
        self.0 & Self::LOW != 0
    }

    /// Returns the degrees with every slot `s` renamed to `names[s]`.
    pub(crate) fn renamed(self, names: &[u32]) -> Self {
        let moved = names.iter().enumerate().map(|(slot, &name)| u64::from(self.of(slot as u32)) << (2 * name));
        Self(moved.fold(0, |all, one| all | one))
    }
}

/// Sums of weights by degree vector.
pub(crate) type Sums = HashMap<Degrees, f64, Mixer>;
