//! Runs experiments: each job runs in a child process, and its result becomes a row of a CSV file.
//!
//! An [experiment](crate::experiment) is a list of [jobs](job). A [run] runs each job in a [worker] and stores its
//! record as a [row](rows). A [shard] of the jobs can run separately, for example on a cluster with [slurm]. [merge]
//! combines the rows of all shards. [`crate::report`] makes reports from rows.

pub mod earlier;
pub mod files;
pub mod job;
pub mod merge;
pub mod rows;
pub mod run;
pub mod shard;
pub mod slurm;
pub mod tours;
mod unfinished;
pub mod worker;
