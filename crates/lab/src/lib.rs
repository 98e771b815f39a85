//! Experiments: plans, jobs that run in child processes, result rows, shards, and reports on rows.
//!
//! - [`experiment`]: experiment files and their jobs.
//! - [`harness`]: runs jobs in child processes, stores their rows, and handles shards.
//! - [`report`]: tables, charts, pages and exports of rows.
//! - [`benchmark`]: questions with known answers. Each answer is computed again and verified when benchmark files are made.
//!
//! The crate does not parse command lines and prints nothing.

#![forbid(unsafe_code)]
#![allow(missing_docs, reason = "internal crate: self-explanatory names need no docs")]

pub mod benchmark;
pub mod experiment;
pub mod harness;
pub mod report;
