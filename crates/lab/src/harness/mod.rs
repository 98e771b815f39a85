//! Experiments: a TOML file says what to measure, every measurement is a row of a CSV file, and tables are
//! made from the rows.
//!
//! An experiment of any kind is a list of [jobs](job). The [engine] runs each in a [worker], keeps its record as a
//! [row](rows), and when all are there has a [report] made of them. A [shard] of the jobs can be run by itself, on a cluster
//! by [slurm]; rows of all shards are [merged](merge).

pub mod earlier;
pub mod engine;
pub mod experiment;
pub mod job;
pub mod merge;
pub mod plan;
pub mod report;
pub mod rows;
pub mod shard;
pub mod sizes;
pub mod slurm;
pub mod tours;
pub mod worker;
