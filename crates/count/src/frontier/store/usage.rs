//! Resource limits of a sweep, the resources used so far, and the reasons why a layer was not finished.

use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::frontier::store::scratch::Block;
use crate::frontier::store::{Scratch, ScratchError};
use hamcnf_graph::budget::Budget;

/// Reason why a layer was not finished.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LayerError {
    /// A weight overflows its type.
    Overflow,
    /// The groups need more bytes than allowed.
    Memory,
    /// The deadline passed, or the count was cancelled.
    Time,
    /// A temporary file cannot be written. No state is lost.
    Unwritten,
    /// A temporary file cannot be read. Its states are lost.
    Unread,
}

/// Resource limits of a count, and the resources used.
pub(crate) struct Usage {
    pub(crate) threads: usize,
    pub(crate) memory: u64,
    pub(crate) budget: Budget,
    /// Temporary files for states that do not fit into memory.
    scratch: Option<Scratch>,
    /// Number of bytes that groups occupy now.
    bytes: AtomicU64,
    /// Largest value of `bytes` so far.
    peak: AtomicU64,
    /// Number of states generated, before equal states were merged.
    children: AtomicU64,
}

impl Usage {
    pub(crate) fn new(threads: usize, memory: u64, budget: Budget) -> Self {
        Self {
            threads,
            memory,
            budget,
            scratch: None,
            bytes: AtomicU64::new(0),
            peak: AtomicU64::new(0),
            children: AtomicU64::new(0),
        }
    }

    /// Adds temporary files for states that do not fit into memory.
    pub(crate) fn with_scratch(self, scratch: Option<Scratch>) -> Self {
        Self { scratch, ..self }
    }

    pub(crate) fn scratch(&self) -> Option<&Scratch> {
        self.scratch.as_ref()
    }

    /// Moves a block to disk if more than half of the memory is used and there are temporary files.
    pub(crate) fn relieve(&self, block: &mut Block) {
        if let Some(scratch) = &self.scratch
            && self.bytes() > self.memory / 2
        {
            let before = block.in_memory();
            scratch.store(block);
            self.remove(before - block.in_memory());
        }
    }

    /// Keeps the reason why a block cannot be read.
    pub(crate) fn unread(&self, why: io::Error) -> LayerError {
        if let Some(scratch) = &self.scratch {
            scratch.fail(why);
        }
        LayerError::Unread
    }

    /// Returns the first error of a temporary file.
    pub(crate) fn scratch_error(&self) -> ScratchError {
        let failed = self.scratch.as_ref().and_then(Scratch::failed);
        failed.unwrap_or_else(|| ScratchError { folder: PathBuf::new(), why: io::ErrorKind::Other.into() })
    }

    /// Returns the number of bytes that groups occupy now.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    /// Returns the largest number of bytes that groups have occupied.
    pub(crate) fn peak(&self) -> u64 {
        self.peak.load(Ordering::Relaxed)
    }

    /// Returns the number of states generated so far.
    pub(crate) fn children(&self) -> u64 {
        self.children.load(Ordering::Relaxed)
    }

    /// Subtracts bytes of groups that are no longer needed.
    pub(crate) fn remove(&self, bytes: u64) {
        self.bytes.fetch_sub(bytes, Ordering::Relaxed);
    }

    /// Adds bytes of new groups.
    pub(crate) fn add(&self, bytes: u64) {
        let now = self.bytes.fetch_add(bytes, Ordering::Relaxed) + bytes;
        self.peak.fetch_max(now, Ordering::Relaxed);
    }

    /// Adds the resources that an earlier part of the count used.
    pub(crate) fn resume(&self, peak: u64, children: u64) {
        self.peak.fetch_max(peak, Ordering::Relaxed);
        self.generated(children);
    }

    /// Adds a number of generated states.
    pub(crate) fn generated(&self, children: u64) {
        self.children.fetch_add(children, Ordering::Relaxed);
    }

    pub(crate) fn check(&self) -> Result<(), LayerError> {
        if self.scratch.as_ref().is_some_and(Scratch::has_failed) {
            return Err(LayerError::Unwritten);
        }
        if self.bytes() > self.memory {
            return Err(LayerError::Memory);
        }
        if self.budget.over().is_some() {
            return Err(LayerError::Time);
        }
        Ok(())
    }
}
