//! What is done with the clauses: solving, enumerating, drawing, and running experiments; and searching for
//! tours without them.
//!
//! Encodings, boards, tours and DIMACS are in [`hamcnf_encodings`], whose main names are repeated here.
//!
#![doc = include_str!("../README.md")]

pub use hamcnf_encodings::*;

pub mod count;
pub mod harness;
pub mod process;
pub mod render;
pub mod search;
pub mod solve;
pub mod stop;
pub mod store;
