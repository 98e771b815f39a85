//! Reason why a count has no number. A sweep along a frontier has an error of its own,
//! [`ExactError`], which also says how far the sweep came.

use hamcnf_graph::GraphError;
use hamcnf_graph::budget::Stopped;

use crate::frontier::TooWide;
use crate::frontier::exact::ExactError;

/// Reason why a count was not completed, as a sentence with its cause.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{why}")]
pub struct NotCounted {
    pub cause: Cause,
    why: String,
}

/// Cause of a count without a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cause {
    /// The graph is too wide or too large for the method.
    TooWide,
    /// The method does not support the question.
    Unsupported,
    /// A limit was reached.
    Limit(Stopped),
    /// The result is wrong, which is a bug.
    Wrong,
}

impl NotCounted {
    pub(crate) fn new(cause: Cause, why: impl Into<String>) -> Self {
        Self { cause, why: why.into() }
    }

    /// Returns the reason that the memory does not suffice.
    pub(crate) fn memory(why: impl Into<String>) -> Self {
        Self::new(Cause::Limit(Stopped::Memory), why)
    }

    /// Returns the reason that a limit of the budget was reached. `when` follows the name of the limit. A cancellation
    /// counts as the limit on time: only the caller knows whether it is an interrupt or the limit on CPU time.
    pub(crate) fn over(limit: Stopped, when: &str) -> Self {
        let limit = if limit == Stopped::Cancelled { Stopped::Time } else { limit };
        Self::new(Cause::Limit(limit), format!("the {limit} was reached {when}"))
    }
}

impl From<TooWide> for NotCounted {
    fn from(wide: TooWide) -> Self {
        Self::new(Cause::TooWide, wide.why())
    }
}

impl From<GraphError> for NotCounted {
    fn from(error: GraphError) -> Self {
        Self::new(Cause::Unsupported, error.to_string())
    }
}

/// Reason why a count was not completed that may use a sweep along a frontier.
#[derive(Debug, thiserror::Error)]
pub enum CountError {
    #[error(transparent)]
    Exact(#[from] ExactError),
    #[error(transparent)]
    Other(#[from] NotCounted),
}

impl From<GraphError> for CountError {
    fn from(error: GraphError) -> Self {
        Self::Other(error.into())
    }
}

impl CountError {
    /// Returns the limit that ended the count. [`Stopped::GaveUp`] stands for a graph that is too wide, or that would
    /// probably need too much memory. `None` for other errors.
    pub fn limit(&self) -> Option<Stopped> {
        match self {
            Self::Exact(ExactError::Time { .. }) => Some(Stopped::Time),
            Self::Exact(ExactError::Memory { .. }) => Some(Stopped::Memory),
            Self::Exact(ExactError::Hopeless { .. }) => Some(Stopped::GaveUp),
            Self::Other(NotCounted { cause: Cause::TooWide, .. }) => Some(Stopped::GaveUp),
            Self::Other(NotCounted { cause: Cause::Limit(limit), .. }) => Some(*limit),
            _ => None,
        }
    }
}
