//! Memory for OxiDD's decision diagrams, which is reserved for all nodes there may be before the first of them
//! is made. OxiDD ends the process where that is refused, or where the variables, which take a node each, do
//! not fit; so both are looked at here first.

use std::num::NonZero;
use std::thread::available_parallelism;

/// Bytes of a node, without its entry in the table of its level.
const NODE_BYTES: usize = 16;
/// Bytes of an entry of the cache of operations.
const CACHE_BYTES: usize = 24;
/// Bytes of a variable without a node: its level's table, lock and names.
const LEVEL_BYTES: usize = 64;
/// Nodes are numbered with 32 bits; this leaves room for the terminals.
const MOST_NODES: usize = 1 << 31;

/// Bytes for each node that there may be: the node, its share of the cache and of its level's table.
pub const BYTES_A_NODE: u64 = 48;

/// Why there is no memory for diagrams.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum StoreError {
    /// There are more variables than there may be nodes.
    #[error(
        "{variables} variables, one node each, are not fewer than the {capacity} nodes there may be"
    )]
    Variables {
        /// How many.
        variables: u64,
        /// The nodes that were asked for, or the most that can be numbered.
        capacity: usize,
    },
    /// There is no memory for so many nodes.
    #[error("no memory for {capacity} nodes: {bytes} bytes")]
    Memory {
        /// The nodes that were asked for.
        capacity: usize,
        /// What they would take.
        bytes: usize,
    },
}

/// What a manager of diagrams is made with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    pub(crate) variables: u32,
    pub(crate) node_capacity: usize,
    pub(crate) cache_capacity: usize,
    pub(crate) threads: u32,
}

impl Plan {
    /// For diagrams of so many variables; with no more threads than there are processors.
    pub(crate) fn new(
        variables: u64,
        node_capacity: usize,
        threads: NonZero<u32>,
    ) -> Result<Self, StoreError> {
        let node_capacity = node_capacity.min(MOST_NODES);
        let levels = match u32::try_from(variables) {
            Ok(levels) if (levels as usize) < node_capacity => levels,
            _ => {
                return Err(StoreError::Variables {
                    variables,
                    capacity: node_capacity,
                });
            }
        };
        let cache_capacity = (node_capacity / 2).next_power_of_two();
        let bytes = (node_capacity.saturating_mul(NODE_BYTES))
            .saturating_add(cache_capacity.saturating_mul(CACHE_BYTES))
            .saturating_add((levels as usize).saturating_mul(LEVEL_BYTES));
        if Vec::<u8>::new().try_reserve_exact(bytes).is_err() {
            return Err(StoreError::Memory {
                capacity: node_capacity,
                bytes,
            });
        }
        let most = available_parallelism().map_or(1, NonZero::get) as u32;
        Ok(Self {
            variables: levels,
            node_capacity,
            cache_capacity,
            threads: threads.get().min(most),
        })
    }
}
