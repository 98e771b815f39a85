//! Counting tours, models and placements.

pub mod enumerate;
pub mod external;
pub mod frontier;
pub mod projected;
pub mod queens;
#[cfg(feature = "diagrams")]
pub mod timeslice;
pub mod treewidth;
