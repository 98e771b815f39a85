//! Shards of a layer: sets of groups of states that threads process independently of each other. The degrees and
//! arrivals that the next step leaves unchanged determine the shard of a group. Therefore no state of the next layer
//! has predecessors in two shards.

use crate::frontier::state::{Arrivals, Degrees};
use crate::frontier::sweep::Sweep;

/// Number of shards of a layer.
pub(crate) const SHARDS: usize = 1024;
/// Returns the shard of the states with these degrees and arrivals after t vertices.
pub(crate) fn shard_of(sweep: &Sweep, t: usize, degrees: Degrees, arrivals: Arrivals) -> usize {
    if t == sweep.n() {
        return 0;
    }
    let step = sweep.step(t);
    let untouched = degrees.0 & step.untouched;
    let mut spread = untouched ^ untouched >> 32;
    if arrivals != Arrivals::NONE {
        spread ^= step.corners.untouched(arrivals);
    }
    let spread = spread.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (spread >> 32) as usize % SHARDS
}
