//! How many placements of queens there are, in several ways; by a decision diagram: `diagram.rs`.

#[cfg(feature = "diagrams")]
mod diagram;

#[cfg(feature = "diagrams")]
pub use diagram::*;
