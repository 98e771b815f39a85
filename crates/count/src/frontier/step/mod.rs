//! Step of a sweep from the states after t vertices to those after t + 1 vertices.

pub(crate) mod layer;
pub(crate) mod moves;
pub(crate) mod packed;
pub(crate) mod position;
pub(crate) mod shards;
pub(crate) mod transition;

pub(crate) use layer::{Layer, advance};
pub(crate) use moves::{Choice, choices};
pub(crate) use position::{Along, Position, growth};
pub(crate) use shards::{SHARDS, shard_of};
