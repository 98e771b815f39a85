//! Budget of a task (deadline, memory, conflicts, cancellation), and reasons why a task stops without a result.
//!
//! [`Limits`](crate::limits::Limits) are the durations and amounts that a user requests. A budget applies them to a
//! running task: for example, the limit on wall time becomes a deadline. Work checks the budget cooperatively, in
//! loops where a check costs almost nothing.

use std::fmt;
use std::sync::Arc;
use std::time::Instant;

use crate::named;

use crate::cancellation::CancellationToken;
use crate::limits::Limit;

named! {
    /// Reason why work stopped without a result.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    pub enum Stopped: "reason to stop" {
        /// The deadline has passed.
        Time => "time limit",
        /// The limit on CPU time was reached.
        CpuTime => "CPU time limit",
        /// The work needs more memory than the limit allows.
        Memory => "memory limit",
        /// The limit on conflicts was reached.
        Conflicts => "conflict limit",
        /// A cancellation token of the budget was set.
        Cancelled => "interrupt",
        /// The method cannot make progress on this question, or has reached its own work limit.
        GaveUp => "the method gave up",
    }
}

impl Stopped {
    /// Returns the reason that stands for this limit.
    pub fn by(limit: Limit) -> Self {
        match limit {
            Limit::Wall => Self::Time,
            Limit::Cpu => Self::CpuTime,
            Limit::Memory => Self::Memory,
            Limit::Conflicts => Self::Conflicts,
        }
    }
}

/// Limits of a task, its cancellation tokens, and an observer of its lazy iterations ([`Round`]).
#[derive(Clone, Debug, Default)]
pub struct Budget {
    deadline: Option<Instant>,
    memory: Option<u64>,
    conflicts: Option<u64>,
    stop: CancellationToken,
    /// Cancellation token shared with other workers on the same question.
    others: Option<CancellationToken>,
    told: Told,
}

/// Statistics of one lazy iteration. In each iteration, a solver finds a model of the degree constraints, and
/// violated subtour-elimination constraints are added.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Round {
    /// Number of conflicts in this iteration.
    pub conflicts: u64,
    /// Number of subtour-elimination constraints added in this iteration.
    pub cuts: u64,
    /// Number of cycles that remain after the cycles of the model have been merged as far as possible.
    pub cycles: u64,
}

/// Observer of lazy iterations; `None` by default.
#[derive(Clone, Default)]
struct Told(Option<Arc<dyn Fn(Round) + Send + Sync>>);

impl fmt::Debug for Told {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "somebody" } else { "nobody" })
    }
}

impl Budget {
    /// Creates a budget that ends at the deadline, if any, or when the token `stop` is set.
    pub fn new(deadline: Option<Instant>, stop: CancellationToken) -> Self {
        Self { deadline, memory: None, conflicts: None, stop, others: None, told: Told::default() }
    }

    /// Sets the observer, which worker threads call after every lazy iteration.
    pub fn telling(self, told: impl Fn(Round) + Send + Sync + 'static) -> Self {
        Self { told: Told(Some(Arc::new(told))), ..self }
    }

    /// Notifies the observer, if any, of a lazy iteration.
    pub fn tell(&self, round: Round) {
        if let Told(Some(told)) = &self.told {
            told(round);
        }
    }

    /// Sets a second cancellation token, which is shared with other workers on the same question. The work also ends
    /// when this token is set.
    pub fn beside(self, others: CancellationToken) -> Self {
        Self { others: Some(others), ..self }
    }

    /// Sets the limit on memory, in bytes; `None` means unlimited.
    pub fn with_memory(self, memory: Option<u64>) -> Self {
        Self { memory, ..self }
    }

    /// Sets the maximum number of conflicts of a SAT solver; `None` means unlimited.
    pub fn with_conflicts(self, conflicts: Option<u64>) -> Self {
        Self { conflicts, ..self }
    }

    /// Returns the maximum number of conflicts of a SAT solver; `None` if unlimited.
    pub fn conflicts(&self) -> Option<u64> {
        self.conflicts
    }

    /// Returns a copy of this budget that ends at `deadline` at the latest.
    pub fn until(&self, deadline: Instant) -> Self {
        let deadline = self.deadline.map_or(deadline, |other| other.min(deadline));
        Self { deadline: Some(deadline), ..self.clone() }
    }

    /// Returns the limit on memory, in bytes; `None` if unlimited.
    pub fn memory(&self) -> Option<u64> {
        self.memory
    }

    /// Returns the deadline; `None` if unlimited.
    pub fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    /// Returns the cancellation token that was passed to [`new`](Self::new).
    pub fn token(&self) -> &CancellationToken {
        &self.stop
    }

    /// Returns the reason why the work must end now; `None` if it may continue.
    pub fn over(&self) -> Option<Stopped> {
        if self.stop.is_set() || self.others.as_ref().is_some_and(CancellationToken::is_set) {
            return Some(Stopped::Cancelled);
        }
        let late = |deadline| Instant::now() >= deadline;
        self.deadline.is_some_and(late).then_some(Stopped::Time)
    }

    /// Returns an error if the work must end now.
    ///
    /// # Errors
    ///
    /// The reason.
    pub fn check(&self) -> Result<(), Stopped> {
        self.over().map_or(Ok(()), Err)
    }
}
