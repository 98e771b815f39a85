//! Tours to look at.

pub mod terminal;
