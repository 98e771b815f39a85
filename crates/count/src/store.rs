//! Memory check for OxiDD's decision diagrams. OxiDD reserves memory for the maximum number of nodes before it creates
//! the first node. OxiDD ends the process if the system refuses this memory, or if the variables, which need one node
//! each, exceed the maximum. Therefore this module checks both conditions beforehand.

use crate::not_counted::NotCounted;
use std::num::NonZero;
use std::thread::available_parallelism;

/// Size of a node in bytes, excluding its entry in the hash table of its level.
const NODE_BYTES: usize = 16;
/// Size of an entry of the operation cache, in bytes.
const CACHE_BYTES: usize = 24;
/// Memory for a variable in bytes, excluding its node: the hash table, lock and name of its level.
const LEVEL_BYTES: usize = 64;
/// Maximum number of nodes. Node ids have 32 bits, and this limit leaves some ids for the terminals.
const MOST_NODES: usize = 1 << 31;

/// Memory per node in bytes: the node itself, and its share of the operation cache and of the hash table of its level.
pub const BYTES_A_NODE: u64 = 48;

/// Parameters of an OxiDD manager, which stores decision diagrams.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    pub(crate) variables: u32,
    pub(crate) node_capacity: usize,
    pub(crate) cache_capacity: usize,
    pub(crate) threads: u32,
}

impl Plan {
    /// Computes the parameters for this number of variables, and checks that the memory is available. Caps the number
    /// of threads at the number of processors.
    pub(crate) fn new(variables: u64, node_capacity: usize, threads: NonZero<u32>) -> Result<Self, NotCounted> {
        let node_capacity = node_capacity.min(MOST_NODES);
        let levels = match u32::try_from(variables) {
            Ok(levels) if (levels as usize) < node_capacity => levels,
            _ => {
                return Err(NotCounted::memory(format!(
                    "{variables} variables need one node each, but the memory limit allows only {node_capacity} nodes"
                )));
            }
        };
        let cache_capacity = (node_capacity / 2).next_power_of_two();
        let bytes = (node_capacity.saturating_mul(NODE_BYTES))
            .saturating_add(cache_capacity.saturating_mul(CACHE_BYTES))
            .saturating_add((levels as usize).saturating_mul(LEVEL_BYTES));
        if Vec::<u8>::new().try_reserve_exact(bytes).is_err() {
            return Err(NotCounted::memory(format!("not enough memory for {node_capacity} nodes ({bytes} bytes)")));
        }
        let most = available_parallelism().map_or(1, NonZero::get) as u32;
        Ok(Self { variables: levels, node_capacity, cache_capacity, threads: threads.get().min(most) })
    }
}
