//! The budget of some work: a deadline, memory, conflicts, cancellation; and why work stopped without an answer.
//!
//! [`Limits`](crate::limits::Limits) are durations and amounts that a user asks for; a budget is what is left of them once the
//! work has begun. Engines look at it cooperatively, in the loops where that costs nothing.

use std::fmt;
use std::sync::Arc;
use std::time::Instant;

use crate::cancellation::CancellationToken;

/// Why work stopped without an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stopped {
    /// The deadline came.
    Time,
    /// More memory was needed than the limit allows.
    Memory,
    /// The limit on conflicts came.
    Conflicts,
    /// A cancellation token was set.
    Cancelled,
    /// The method has done what it can with this question, or with this much work.
    GaveUp,
}

/// Limits of some work, its cancellation tokens, and an observer of its lazy iterations.
#[derive(Clone, Debug, Default)]
pub struct Budget {
    deadline: Option<Instant>,
    memory: Option<u64>,
    conflicts: Option<u64>,
    stop: CancellationToken,
    /// Token of other workers on the same question.
    others: Option<CancellationToken>,
    told: Told,
}

/// Progress of a lazy iteration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Round {
    /// Conflicts in this round.
    pub conflicts: u64,
    /// Cuts that came of it.
    pub cuts: u64,
    /// Cycles that were left of its model.
    pub cycles: u64,
}

/// Who is told of rounds; nobody by default.
#[derive(Clone, Default)]
struct Told(Option<Arc<dyn Fn(Round) + Send + Sync>>);

impl fmt::Debug for Told {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() {
            "somebody"
        } else {
            "nobody"
        })
    }
}

impl Budget {
    /// Makes a budget until a deadline or until the token is cancelled.
    #[must_use]
    pub fn new(deadline: Option<Instant>, stop: CancellationToken) -> Self {
        Self {
            deadline,
            memory: None,
            conflicts: None,
            stop,
            others: None,
            told: Told::default(),
        }
    }

    /// Adds an observer of every round, called from the threads that work.
    #[must_use]
    pub fn telling(self, told: impl Fn(Round) + Send + Sync + 'static) -> Self {
        Self {
            told: Told(Some(Arc::new(told))),
            ..self
        }
    }

    /// Notifies the observer of a round.
    pub(crate) fn tell(&self, round: Round) {
        if let Told(Some(told)) = &self.told {
            told(round);
        }
    }

    /// Adds the token of other workers on the same question, which ends the work too.
    #[must_use]
    pub fn beside(self, others: CancellationToken) -> Self {
        Self {
            others: Some(others),
            ..self
        }
    }

    /// Limits the bytes that may be held.
    #[must_use]
    pub fn with_memory(self, memory: Option<u64>) -> Self {
        Self { memory, ..self }
    }

    /// Limits the conflicts of a solver.
    #[must_use]
    pub fn with_conflicts(self, conflicts: Option<u64>) -> Self {
        Self { conflicts, ..self }
    }

    /// Returns the limit on conflicts.
    #[must_use]
    pub fn conflicts(&self) -> Option<u64> {
        self.conflicts
    }

    /// Returns a sub-budget that ends at this moment at the latest.
    #[must_use]
    pub fn until(&self, deadline: Instant) -> Self {
        let deadline = self.deadline.map_or(deadline, |other| other.min(deadline));
        Self {
            deadline: Some(deadline),
            ..self.clone()
        }
    }

    /// Returns the limit on bytes.
    #[must_use]
    pub fn memory(&self) -> Option<u64> {
        self.memory
    }

    /// Returns the moment at which the work has to end.
    #[must_use]
    pub fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    /// Returns why the work has to end now, if it has to.
    #[must_use]
    pub fn over(&self) -> Option<Stopped> {
        if self.stop.is_set() || self.others.as_ref().is_some_and(CancellationToken::is_set) {
            return Some(Stopped::Cancelled);
        }
        let late = |deadline| Instant::now() >= deadline;
        self.deadline.is_some_and(late).then_some(Stopped::Time)
    }
}
