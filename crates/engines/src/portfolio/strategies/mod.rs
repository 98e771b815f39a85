//! The strategies of `auto`, one a file. What each is good at stands in its header; `../list.rs` lists them, and
//! `../tuned.rs` has the numbers.

pub(super) mod core;
pub(super) mod decomposition;
pub(super) mod lazy;
pub(super) mod local_search;
pub(super) mod obstruction;
pub(super) mod propagator;
pub(super) mod reduction;
pub(super) mod two_factor;
