//! What is done with the clauses: solving, enumerating, drawing, and running experiments.
//!
//! Encodings, boards, tours and DIMACS are in [`hamcnf_encodings`], whose main names are repeated here.
//!
#![doc = include_str!("../README.md")]

pub use hamcnf_encodings::*;

pub mod count;
pub mod harness;
pub mod render;
pub mod solve;
