//! List of methods, and the pipeline from a question to a record.
//!
//! - [`method`]: the list of methods, one file each, with their settings. [`run`]: one run of a method, and its result.
//! - [`pipeline`]: turns a question, a method and settings into a [`record`] and tours. [`json`]: the record and the
//!   tours, as printed by `--json`.
//! - [`features`]: facts about a question's graph. [`properties`]: properties of the graphs of a stream. [`machine`]: the
//!   machine and the build that produced a record.
//!
//! The crate does not depend on experiments, reports or the command line, and prints nothing.

#![forbid(unsafe_code)]
#![allow(missing_docs, reason = "internal crate: self-explanatory names need no docs")]

pub mod features;
pub mod json;
pub mod machine;
pub mod method;
pub mod pipeline;
pub mod properties;
pub mod record;
pub mod run;
