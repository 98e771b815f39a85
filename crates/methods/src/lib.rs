//! List of methods, and the pipeline from a question to a record.
//!
//! - [`question`]: a question, written as one text: a graph, closed or open tours, endpoints.
//! - [`method`]: the list of methods, one file each, with their settings. [`run`]: one run of a method, and its result.
//! - [`pipeline`]: turns a question, a method and settings into a [`record`] and tours. [`json`]: the record and the
//!   tours, as printed by `--json`.
//! - [`refute`]: finds and checks proofs and certificates that there is no tour.
//! - [`features`]: facts about a question's graph. [`machine`]: the machine and the build that produced a record.
//!
//! The crate does not depend on experiments, reports or the command line, and prints nothing.

#![forbid(unsafe_code)]
#![allow(missing_docs, reason = "internal crate: self-explanatory names need no docs")]

pub mod features;
pub mod json;
pub mod machine;
pub mod method;
pub mod pipeline;
pub mod question;
pub mod record;
pub mod refute;
pub mod run;
