//! Arrivals: the classes of the first edges of the frontier vertices with one edge.
//!
//! Let a(u, v, w) be the contribution to a statistic of the two edges u–v and v–w of a tour. If v has one edge so far,
//! to the vertex u, then the rest of the sweep depends on u only through a class of such vertices. A state holds the
//! class of each frontier vertex with one edge.

use crate::frontier::state::Degrees;

/// Classes of the first edges of the frontier vertices with one edge. Each slot (position of a frontier vertex) has five
/// bits; the bits of slots with another degree are 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub(crate) struct Arrivals(u128);

/// Number of bits of a class.
const BITS: u32 = 5;
/// Maximum number of classes of a vertex.
pub(crate) const MOST: usize = 1 << BITS;

impl Arrivals {
    pub(crate) const NONE: Self = Self(0);
    /// Maximum number of slots.
    pub(crate) const SLOTS: usize = (u128::BITS / BITS) as usize;
    /// Mask of the bits of all slots.
    pub(crate) const ALL: Self = Self(u128::MAX);

    pub(crate) fn of(self, slot: u32) -> usize {
        (self.0 >> (BITS * slot)) as usize & (MOST - 1)
    }

    pub(crate) fn with(self, slot: u32, class: usize) -> Self {
        let without = self.0 & !((MOST as u128 - 1) << (BITS * slot));
        Self(without | (class as u128) << (BITS * slot))
    }
}

/// Entry of a table: the class afterwards, and the contribution that has become certain.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Next {
    pub(crate) class: usize,
    pub(crate) adds: u32,
}

/// Contributions to a statistic at a step of the sweep.
#[derive(Clone, Debug, Default)]
pub(crate) struct Corners {
    /// Later neighbours of the step's vertex.
    pub(crate) later: Vec<Later>,
    /// Contribution of the step's vertex for two new edges, given by their indices in `later`.
    pub(crate) both: Vec<Vec<u32>>,
    pub(crate) slot: u32,
    /// Number of classes of each frontier vertex after the step, in the order of the sweep.
    pub(crate) classes: Vec<usize>,
    /// Upper bound on the number of bits by which the largest number in a weight grows because the step merges classes.
    pub(crate) growth: u32,
    /// Mask of the classes that this step leaves unchanged.
    pub(crate) untouched: Arrivals,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Later {
    pub(crate) slot: u32,
    /// Contribution of the edge to this neighbour by itself.
    pub(crate) edge: u32,
    /// Contribution at the step's vertex of the edge to this neighbour, by the class of the vertex's first edge.
    pub(crate) leaves: Vec<u32>,
    /// Class of the neighbour if its first edge is the edge to the step's vertex.
    pub(crate) begins: Next,
    /// Contribution at the neighbour if its second edge is the edge to the step's vertex, by the class of the first
    /// edge.
    pub(crate) ends: Vec<u32>,
    /// Class of the neighbour after the step if it gets no edge, by the class before the step.
    pub(crate) keeps: Vec<Next>,
}

impl Corners {
    /// Returns the geometric mean of the numbers of classes of the frontier vertices after the step.
    pub(crate) fn mean_classes(&self) -> f64 {
        let logarithms = self.classes.iter().map(|&classes| (classes.max(1) as f64).ln());
        (logarithms.sum::<f64>() / self.classes.len().max(1) as f64).exp()
    }

    /// Returns a hash value of the classes that this step leaves unchanged.
    pub(crate) fn untouched(&self, arrivals: Arrivals) -> u64 {
        let untouched = arrivals.0 & self.untouched.0;
        let folded = (untouched >> 64) as u64 ^ (untouched as u64).rotate_left(23);
        (folded ^ folded >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    /// Returns the contribution that becomes certain when a state with these degrees and arrivals gets edges, and the
    /// arrivals afterwards. The edges are indices in `later`, in increasing order.
    pub(crate) fn after(&self, degrees: Degrees, arrivals: Arrivals, edges: [Option<usize>; 2]) -> (u32, Arrivals) {
        let mut adds = match edges {
            [Some(k), None] => self.later[k].leaves[arrivals.of(self.slot)],
            [Some(k), Some(l)] => self.both[k][l],
            _ => 0,
        };
        adds += edges.into_iter().flatten().map(|k| self.later[k].edge).sum::<u32>();
        let mut after = arrivals.with(self.slot, 0);
        for (k, later) in self.later.iter().enumerate() {
            let is_new = edges.contains(&Some(k));
            // The neighbour may have taken the slot of the step's vertex.
            let degree = match later.slot == self.slot {
                true => 0,
                false => degrees.of(later.slot),
            };
            let class = arrivals.of(later.slot);
            let next = match (degree, is_new) {
                (0, true) => later.begins,
                (1, true) => Next { class: 0, adds: later.ends[class] },
                (1, false) => later.keeps[class],
                _ => continue,
            };
            adds += next.adds;
            after = after.with(later.slot, next.class);
        }
        (adds, after)
    }
}
