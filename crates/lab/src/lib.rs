//! Experiments: plans, jobs in processes of their own, rows, shards, and reports over rows.
//!
//! - [`experiment`]: an experiment's file and the jobs that it asks for.
//! - [`harness`]: jobs in processes of their own, rows, shards.
//! - [`report`]: tables, charts, pages and exports of any rows.
//! - [`benchmark`]: questions with known answers, each verified.
//!
//! This crate knows no command line, and prints nothing.

#![forbid(unsafe_code)]
#![allow(
    missing_docs,
    reason = "the inside of the program: a name that says enough needs no more"
)]

pub mod benchmark;
pub mod experiment;
pub mod harness;
pub mod report;
