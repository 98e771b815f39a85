//! Runs experiments: jobs in processes of their own, whose results are rows of a CSV file.
//!
//! An [experiment](crate::experiment) is a list of [jobs](job). The [engine] runs each in a [worker] and keeps its record as a
//! [row](rows). A [shard] of the jobs can run by itself, on a cluster by [slurm]; [merge] puts the rows of all shards
//! together. Reports are made from rows, by [`crate::report`].

pub mod earlier;
pub mod engine;
pub mod job;
pub mod merge;
pub mod rows;
pub mod shard;
pub mod sizes;
pub mod slurm;
pub mod tours;
pub mod worker;
