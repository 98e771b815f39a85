//! Counting of tours of a graph, models of a formula, and placements of queens.

pub mod enumerate;
pub mod external;
pub mod frontier;
pub mod projected;
pub mod queens;
pub mod symmetric;
#[cfg(feature = "diagrams")]
pub mod timeslice;
pub mod treewidth;
