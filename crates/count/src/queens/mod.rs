//! Counting of placements of queens by a decision diagram (`diagram.rs`).

#[cfg(feature = "diagrams")]
mod diagram;

#[cfg(feature = "diagrams")]
pub use diagram::*;
