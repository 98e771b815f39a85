//! Experiments: a TOML file says what to measure, every measurement is a row of a CSV file, and tables are
//! made from the rows.
//!
//! An experiment of any kind is a list of [jobs](job). The [engine] runs each in a [worker], keeps its record as a
//! [row](rows), and when all are there has a [report] made of them.

pub mod engine;
pub mod experiment;
pub mod job;
pub mod plan;
pub mod report;
pub mod rows;
pub mod sizes;
pub mod worker;
