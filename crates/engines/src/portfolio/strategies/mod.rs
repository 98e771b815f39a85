//! The strategies of `auto`, one per file; the header of each file says where it is strong. `../list.rs` lists the strategies,
//! and `../tuned.rs` has their numbers.

pub(super) mod core;
pub(super) mod decomposition;
pub(super) mod lazy;
pub(super) mod local_search;
pub(super) mod obstruction;
pub(super) mod propagator;
pub(super) mod reduction;
pub(super) mod two_factor;
