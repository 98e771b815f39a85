//! Storage of states: in memory, on disk, and in checkpoints.

pub(crate) mod checkpoint;
pub(crate) mod scratch;
pub(crate) mod stored;
pub(crate) mod usage;

pub(crate) use checkpoint::{Checkpoint, CheckpointError, OfQuestion, Room, Saved};
pub(crate) use scratch::{Scratch, ScratchError};
pub(crate) use stored::{Form, Head, Layer, OfStatistic, Shard, read_ranks, read_weights, write_ranks};
pub(crate) use usage::{LayerError, Usage};
