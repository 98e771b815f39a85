//! Engines that answer questions about Hamiltonian cycles and tours: solvers, proofs, cycle search, counting.
//!
//! - [`solve`]: incremental solving with CaDiCaL in this process, and runs of external solvers.
//! - [`proof`]: files with proofs that there is no tour, in the formats DRAT, LRAT and VeriPB.
//! - [`cycle`]: Hamiltonian cycles of any graph, one technique per module. [`portfolio`]: a schedule of these
//!   techniques.
//! - [`properties`]: properties of graphs in streams, such as "hypohamiltonian".
//! - [`search`]: search for tours without a SAT solver: Warnsdorff's rule, rotations, backtracking.
//! - [`count`]: counting of tours: exact counts, estimates, decision diagrams, enumeration, model counters.
//! - [`limits`], [`budget`], [`cancellation`]: resource limits, and cancellation of running work.
//! - [`process`], [`temporary`], [`atomic_file`]: child processes and files.
//! - [`config`]: parser of TOML files.
//!
//! This crate prints nothing. The names of methods, the rows of results, and experiments belong to other crates.

#![allow(
    missing_docs,
    reason = "internal crate: self-explanatory names need no docs"
)]

pub mod atomic_file;
pub mod budget;
pub mod cancellation;
pub mod config;
pub mod count;
pub mod cycle;
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
