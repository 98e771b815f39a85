//! Base encodings, one per file.

pub mod arcs;
pub mod counting;
pub mod direct;
pub mod edges;
pub mod step;
pub mod trivial;
