//! Step of a sweep from the states after t vertices to those after t + 1 vertices.

pub(crate) mod layer;
pub(crate) mod moves;
pub(crate) mod packed;
pub(crate) mod position;
pub(crate) mod shards;
pub(crate) mod transition;
