//! Events of a run, and the observer that receives them.

use std::fmt;
use std::sync::Arc;

use hamcnf_encodings::{Placement, Tour};

use super::RunResult;

/// A share of the work that is done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Share {
    /// Number of units done.
    pub done: u64,
    /// Number of units in all.
    pub of: u64,
}

impl Share {
    /// Returns the number of completed parts if the work is divided into `parts` equal ones.
    #[must_use]
    pub fn parts(self, parts: u64) -> u64 {
        let done = u128::from(self.done.min(self.of)) * u128::from(parts);
        // All of nothing is done.
        let full = done.checked_div(self.of.into());
        full.map_or(parts, |full| full as u64)
    }
}

/// An event of a run before its end.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// A phase of the work begins, with its description.
    Doing(&'a str),
    /// Progress within the phase, in words, with the share that is done if it is known.
    At(Option<Share>, &'a str),
    /// A remark that the user should read.
    Remark(&'a str),
    /// A warning that the states may exceed the memory limit, with their estimated number.
    Tight(&'a str),
    /// One more tour, of several that are wanted.
    Found(&'a Tour),
    /// One more placement of queens.
    Placed(&'a Placement),
    /// The result as far as it is known: the answer if the run is ended now.
    Known(&'a RunResult),
    /// The answer is there and is being read.
    Answered,
}

/// Receives events; the default one ignores them.
#[derive(Clone, Default)]
pub struct Observer(Option<Arc<Notify>>);

type Notify = dyn Fn(Event<'_>) + Send + Sync;

impl Observer {
    /// Wraps a function, which is called from the working threads.
    #[must_use]
    pub fn new(observer: impl Fn(Event<'_>) + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(observer)))
    }

    /// Passes an event on.
    pub fn notify(&self, event: Event<'_>) {
        if let Some(observer) = &self.0 {
            observer(event);
        }
    }

    /// Announces a phase; its description is only made if somebody observes.
    pub fn doing(&self, what: impl FnOnce() -> String) {
        if let Some(observer) = &self.0 {
            observer(Event::Doing(&what()));
        }
    }

    /// Reports progress; its description is only made if somebody observes.
    pub fn at(&self, share: Option<Share>, what: impl FnOnce() -> String) {
        if let Some(observer) = &self.0 {
            observer(Event::At(share, &what()));
        }
    }
}

impl fmt::Debug for Observer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() {
            "observed"
        } else {
            "not observed"
        })
    }
}
