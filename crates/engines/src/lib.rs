//! Engines that answer questions about Hamiltonian cycles and tours: solvers, proofs, cycle search, counting.
//!
//! - [`solve`]: a session with CaDiCaL in this process, and external solvers.
//! - [`proof`]: proofs that there is no tour, in files: DRAT, LRAT, VeriPB.
//! - [`cycle`]: Hamiltonian cycles of any graph, one technique per module; [`portfolio`]: schedule of these techniques.
//! - [`properties`]: properties of graphs in streams, such as "hypohamiltonian".
//! - [`search`]: tours without clauses: Warnsdorff's rule, rotations, backtracking.
//! - [`count`]: exact counts, estimates, decision diagrams, enumeration, model counters.
//! - [`limits`], [`budget`], [`cancellation`]: limits of work. [`process`], [`temporary`], [`atomic_file`]: child processes and
//!   files. [`config`]: TOML.
//!
//! This crate prints nothing. It does not know the names of methods, the rows of results, or experiments.

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
