//! Events of a run, and the observer that receives them.

use std::fmt;
use std::sync::Arc;

use hamcnf_tours::{Placement, Tour};

use super::RunResult;

/// Share of the work that is done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Share {
    /// Number of units of work that are done.
    pub done: u64,
    /// Total number of units of work.
    pub of: u64,
}

impl Share {
    /// Returns the number of completed parts of the work, if the work is divided into `parts` equal parts.
    pub fn parts(self, parts: u64) -> u64 {
        let done = u128::from(self.done.min(self.of)) * u128::from(parts);
        // Work of zero units counts as complete.
        let full = done.checked_div(self.of.into());
        full.map_or(parts, |full| full as u64)
    }
}

/// Event during a run.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// Beginning of a phase, with its description.
    Doing(&'a str),
    /// Progress within a phase: the completed share, if it is known, and a description.
    At(Option<Share>, &'a str),
    /// Remark for the user.
    Remark(&'a str),
    /// Warning that the states may exceed the memory limit. The text contains the estimated number of states.
    Tight(&'a str),
    /// A tour, sent as soon as it is found. Only sent if several tours were requested.
    Found(&'a Tour),
    /// A placement of queens, sent as soon as it is found.
    Placed(&'a Placement),
    /// Partial result, which is the answer if the run ends now.
    Known(&'a RunResult),
    /// Notice that the run must not be cut off at the deadline, because it ends by itself soon after: the solver has an
    /// answer, which is now being read, or a count observes the deadline and then writes a checkpoint.
    EndsItself,
}

/// Receiver of events. The default observer ignores them.
#[derive(Clone, Default)]
pub struct Observer(Option<Arc<Notify>>);

type Notify = dyn Fn(Event<'_>) + Send + Sync;

impl Observer {
    /// Creates an observer that calls a function with each event. Working threads call the function.
    pub fn new(observer: impl Fn(Event<'_>) + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(observer)))
    }

    /// Passes an event to the observer.
    pub fn notify(&self, event: Event<'_>) {
        if let Some(observer) = &self.0 {
            observer(event);
        }
    }

    /// Notifies the observer that a phase begins. The description is generated only if there is an observer.
    pub fn doing(&self, what: impl FnOnce() -> String) {
        if let Some(observer) = &self.0 {
            observer(Event::Doing(&what()));
        }
    }

    /// Notifies the observer of progress. The description is generated only if there is an observer.
    pub fn at(&self, share: Option<Share>, what: impl FnOnce() -> String) {
        if let Some(observer) = &self.0 {
            observer(Event::At(share, &what()));
        }
    }
}

impl fmt::Debug for Observer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "observed" } else { "not observed" })
    }
}
