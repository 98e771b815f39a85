//! Strategies of `auto`, one per file. `../list.rs` lists the strategies, and `../tuned.rs` contains their tuned
//! constants.

pub(super) mod core;
pub(super) mod decomposition;
pub(super) mod lazy;
pub(super) mod local_search;
pub(super) mod obstruction;
pub(super) mod propagator;
pub(super) mod quotient;
pub(super) mod reduction;
pub(super) mod two_factor;
