//! Experiments: plans, jobs as child processes, rows of results, shards, and reports on rows.
//!
//! - [`experiment`]: experiment files and their jobs.
//! - [`harness`]: running of jobs as child processes, storage of rows, shards.
//! - [`report`]: tables, charts, pages and exports of rows.
//! - [`benchmark`]: questions with known answers, each of which is verified.
//!
//! The crate does not parse command lines and prints nothing.

#![forbid(unsafe_code)]
#![allow(
    missing_docs,
    reason = "internal crate: self-explanatory names need no docs"
)]

pub mod benchmark;
pub mod experiment;
pub mod harness;
pub mod report;
