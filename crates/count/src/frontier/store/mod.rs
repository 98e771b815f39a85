//! Storage of states: in memory, on disk, and in checkpoints.

pub(crate) mod checkpoint;
pub(crate) mod scratch;
pub(crate) mod stored;
pub(crate) mod usage;
