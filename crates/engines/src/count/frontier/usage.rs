//! Resource limits of a sweep, the resources used so far, and the reasons why a layer was not finished.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::budget::Budget;

/// Reason why a layer was not finished.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum LayerError {
    /// A weight overflows its type.
    Overflow,
    /// The groups need more bytes than allowed.
    Memory,
    /// The deadline passed, or the count was cancelled.
    Time,
}

/// Resource limits of a count, and the resources used.
pub(super) struct Usage {
    pub(super) threads: usize,
    pub(super) memory: u64,
    pub(super) watch: Budget,
    /// Number of bytes that groups occupy now.
    bytes: AtomicU64,
    /// Largest value of `bytes` so far.
    peak: AtomicU64,
    /// Number of states generated, before equal states were merged.
    children: AtomicU64,
}

impl Usage {
    pub(super) fn new(threads: usize, memory: u64, watch: Budget) -> Self {
        Self {
            threads,
            memory,
            watch,
            bytes: AtomicU64::new(0),
            peak: AtomicU64::new(0),
            children: AtomicU64::new(0),
        }
    }

    /// Returns the number of bytes that groups occupy now.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    /// Returns the largest number of bytes that groups have occupied.
    pub(super) fn peak(&self) -> u64 {
        self.peak.load(Ordering::Relaxed)
    }

    /// Returns the number of states generated so far.
    pub(super) fn children(&self) -> u64 {
        self.children.load(Ordering::Relaxed)
    }

    /// Subtracts bytes of groups that are no longer needed.
    pub(super) fn remove(&self, bytes: u64) {
        self.bytes.fetch_sub(bytes, Ordering::Relaxed);
    }

    /// Adds bytes of new groups.
    pub(super) fn add(&self, bytes: u64) {
        let now = self.bytes.fetch_add(bytes, Ordering::Relaxed) + bytes;
        self.peak.fetch_max(now, Ordering::Relaxed);
    }

    /// Adds the resources that an earlier part of the count used.
    pub(super) fn resume(&self, peak: u64, children: u64) {
        self.peak.fetch_max(peak, Ordering::Relaxed);
        self.generated(children);
    }

    /// Adds a number of generated states.
    pub(super) fn generated(&self, children: u64) {
        self.children.fetch_add(children, Ordering::Relaxed);
    }

    pub(super) fn check(&self) -> Result<(), LayerError> {
        if self.bytes() > self.memory {
            return Err(LayerError::Memory);
        }
        if self.watch.over().is_some() {
            return Err(LayerError::Time);
        }
        Ok(())
    }
}
