//! Options of exact counts, and the reasons why a count was not completed.

use std::path::PathBuf;

use crate::frontier::state::Completable;
use crate::frontier::step::position;
use crate::frontier::store::{CheckpointError, LayerError, ScratchError, Usage};
use crate::frontier::sweep::{Sweep, TooWide};
use crate::frontier::{Bytes, Progress, States};
use hamcnf_graph::budget::Budget;

/// Resource limits and settings of a count. By default, one thread counts without limits, checkpoints and temporary
/// files.
#[derive(Clone, Debug)]
pub struct Options {
    /// Number of threads, at least 1.
    pub threads: usize,
    /// Memory limit in bytes. If only the weights of the states do not fit, the count goes on modulo primes. States and the
    /// sets for pruning may use three quarters of the memory; the rest is reserved for the allocator's overhead for many
    /// small allocations.
    pub memory: u64,
    /// Limits on time; its memory is not used.
    pub budget: Budget,
    /// True to drop states at once if their degrees show that they cannot become tours. Without this pruning, the count
    /// is the same, but takes longer.
    pub prune: bool,
    /// True to go on modulo primes, by several sweeps, if the weights of the states do not fit into memory.
    pub residues: bool,
    /// True to start even if, according to [`HOPELESS`], the states will probably not fit into memory.
    pub try_hard: bool,
    /// Folder for temporary files. When half of the memory for states is used, further states are moved there. Each
    /// thread needs 32 MiB for states that cannot be moved yet, and room for the states of one shard, that is, about
    /// seven bytes for each thousandth of the bytes of a layer, and more for a histogram.
    pub scratch: Option<PathBuf>,
    /// File for checkpoints. If the file exists, the count resumes from it. The file is removed after the count.
    pub checkpoint: Option<PathBuf>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            threads: 1,
            memory: u64::MAX,
            budget: Budget::default(),
            prune: true,
            residues: true,
            try_hard: false,
            scratch: None,
            checkpoint: None,
        }
    }
}

impl Options {
    /// Returns the options of a part of a count that needs all its states in memory: without temporary files and
    /// checkpoints.
    pub(crate) fn in_memory(&self) -> Self {
        Self { scratch: None, checkpoint: None, ..self.clone() }
    }

    /// Returns the number of bytes that states may use if sets and other states occupy `held` bytes.
    pub(crate) fn for_states(&self, held: u64) -> u64 {
        (self.memory / 4 * 3).saturating_sub(held)
    }

    /// Returns the memory limit for [`Completable`] if states already occupy `held` bytes. Sets use at most half of this
    /// limit, so that they and the states together do not use more than [`for_states`](Self::for_states) allows.
    pub(crate) fn for_sets(&self, held: u64) -> u64 {
        self.for_states(held).saturating_mul(2).min(self.memory)
    }

    /// Returns the completable degree vectors of a sweep if states already occupy `held` bytes.
    pub(crate) fn completable(&self, sweep: &Sweep, held: u64) -> Result<Completable, ExactError> {
        if !self.prune {
            return Ok(Completable::Unknown);
        }
        let completable = Completable::new(sweep, self.for_sets(held), &self.budget);
        completable.ok_or_else(|| ExactError::Time { at: Progress::before(sweep) })
    }

    /// Returns [`ExactError::Hopeless`] if the states will probably not fit into memory, unless the count may try. `at`
    /// has the estimates.
    pub(crate) fn refuse_hopeless(&self, at: Progress) -> Result<(), ExactError> {
        let limit = self.memory;
        let may_start = self.try_hard || self.scratch.is_some();
        match !may_start && at.most_bytes > HOPELESS * limit as f64 {
            true => Err(ExactError::Hopeless { limit, at }),
            false => Ok(()),
        }
    }
}

/// Maximum ratio of estimated memory to the memory limit at which a count still starts. The estimate exceeds the memory
/// that is actually used: by a factor of 2 to 11 on the boards 6×8, 6×12 and 7×10 and on random cubic graphs of 140 and
/// 150 vertices, by about 35 on 7×8 and 8×8, and by 44 on 7×7 with open tours.
pub const HOPELESS: f64 = 64.0;

/// Reason why a count was not completed.
#[derive(Debug, thiserror::Error)]
pub enum ExactError {
    #[error(transparent)]
    TooWide(#[from] TooWide),
    /// The states need more memory than allowed.
    #[error(
        "the memory limit of {} was reached after {}, with {}; there may be up to {:.1e} states (estimated)",
        Bytes(*limit), at.place(), States(at.states), at.most_states
    )]
    Memory {
        limit: u64,
        /// Progress of the sweep at the time of the error.
        at: Progress,
    },
    /// The states will probably not fit into memory.
    #[error(
        "up to {:.1e} states (estimated) would need {}, more than the memory limit of {}",
        at.most_states, Bytes(at.most_bytes as u64), Bytes(*limit)
    )]
    Hopeless {
        limit: u64,
        /// Progress before the first vertex, with estimates of the number of states and of their memory.
        at: Progress,
    },
    /// The deadline passed before the count was complete.
    #[error("the time limit was reached after {}, with {}", at.place(), States(at.states))]
    Time {
        /// Progress of the sweep at the time of the error.
        at: Progress,
    },
    /// The count overflows the widest number type. The field is the width of this type in bits.
    #[error("the count does not fit into {0} bits")]
    TooMany(usize),
    /// A checkpoint cannot be created or read.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// The first temporary file cannot be created, or the states of a checkpoint do not fit into temporary files.
    #[error(transparent)]
    NoScratch(ScratchError),
    /// A temporary file cannot be written or read.
    #[error("{error}; this was after {}, with {}", at.place(), States(at.states))]
    Scratch {
        error: ScratchError,
        /// Progress of the sweep at the time of the error.
        at: Progress,
    },
    /// A limit ended the count, and the last checkpoint cannot be written.
    #[error("{limit}; {why}")]
    NotSaved {
        /// Reason why the count ended.
        limit: Box<ExactError>,
        why: CheckpointError,
    },
}

impl ExactError {
    /// Returns the error that ended a layer.
    pub(crate) fn of_layer(error: LayerError, limit: u64, at: Progress, usage: &Usage) -> Self {
        match error {
            LayerError::Overflow => Self::TooMany(position::MOST_BITS),
            LayerError::Memory => Self::Memory { limit, at },
            LayerError::Time => Self::Time { at },
            LayerError::Unwritten | LayerError::Unread => Self::Scratch { error: usage.scratch_error(), at },
        }
    }
}
