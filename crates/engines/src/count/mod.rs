//! How many tours there are.

pub mod enumerate;
pub mod external;
pub mod frontier;
pub mod projected;
pub mod queens;
#[cfg(feature = "diagrams")]
pub mod timeslice;
pub mod treewidth;
