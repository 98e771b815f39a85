//! Shards of a layer: sets of groups of states that threads process independently of each other. The degrees and
//! arrivals that the next step leaves unchanged determine the shard of a group. Therefore no state of the next layer
//! has predecessors in two shards.

use std::sync::Mutex;

use crate::frontier::state::arrivals::Arrivals;
use crate::frontier::state::degrees::Degrees;
use crate::frontier::store::usage::{LayerError, Usage};
use crate::frontier::sweep::Sweep;

/// Number of shards of a layer.
pub(crate) const SHARDS: usize = 1024;
/// Minimum number of states of a layer for which several threads are used.
const WORTH_A_THREAD: usize = 1 << 14;

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

/// Processes the shards of a layer of `states` states. Each thread begins with a new worker, passes shards to `process`
/// until none are left, and returns the result that `end` gives.
pub(crate) fn in_parallel<S, W, R: Send>(
    shards: impl Iterator<Item = S> + Send,
    states: usize,
    usage: &Usage,
    begin: impl Fn() -> W + Sync,
    process: impl Fn(&mut W, S) -> Result<(), LayerError> + Sync,
    end: impl Fn(W) -> R + Sync,
) -> Result<Vec<R>, LayerError> {
    let queue = Mutex::new(shards);
    let work = || -> Result<R, LayerError> {
        let mut worker = begin();
        loop {
            let next = queue.lock().map_or(None, |mut queue| queue.next());
            let Some(shard) = next else {
                return Ok(end(worker));
            };
            process(&mut worker, shard)?;
        }
    };
    if states < WORTH_A_THREAD {
        return Ok(vec![work()?]);
    }
    // This thread works, too: it can use memory again that it has freed before.
    let finished: Vec<_> = std::thread::scope(|scope| {
        let others: Vec<_> = (1..usage.threads).map(|_| scope.spawn(work)).collect();
        let own = work();
        let joined = others.into_iter().map(std::thread::ScopedJoinHandle::join);
        joined.chain([Ok(own)]).collect()
    });
    let results = finished.into_iter().map(|result| result.unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
    results.collect()
}
