//! Answers to questions about Hamiltonian cycles and tours: solving, proofs, cycle search, counting.
//!
//! - [`solve`]: incremental solving with CaDiCaL in this process.
//! - [`engine`]: external programs, which solve or count.
//! - [`proof`]: proof files in the formats DRAT, LRAT and VeriPB. Each proof shows that no tour exists.
//! - [`cycle`]: search for Hamiltonian cycles of any graph, one technique per module. [`portfolio`]: a schedule of
//!   these techniques.
//! - [`search`]: search for tours without a SAT solver: Warnsdorff's rule, rotations, backtracking.
//! - [`count`]: counting of tours: exact counts, estimates, decision diagrams, enumeration.
//! - [`limits`], [`budget`], [`cancellation`]: resource limits, and cancellation of running work.
//! - [`process`], [`temporary`], [`atomic_file`]: child processes and files.
//! - [`config`]: parser of TOML files.
//!
//! This crate prints nothing. Other crates define method names, result rows and experiments.

#![allow(missing_docs, reason = "internal crate: self-explanatory names need no docs")]

pub mod atomic_file;
pub mod budget;
pub mod cancellation;
pub mod config;
pub mod count;
pub mod cycle;
pub mod engine;
pub mod givens;
pub mod limits;
pub mod portfolio;
pub mod process;
pub mod proof;
pub mod properties;
pub mod search;
pub mod solve;
#[cfg(feature = "diagrams")]
pub mod store;
pub mod temporary;
