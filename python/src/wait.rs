//! Work on a thread of its own, while other threads of Python go on.
//!
//! Whoever waits looks at Python's signals twenty times a second: at an interrupt the flag is set, which the work looks at,
//! and the exception raised, whether the work has ended by then or needs a little longer. What does not look at its time
//! limit is left in the same way.

use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use hamcnf::cancellation::CancellationToken;
use pyo3::prelude::*;

use crate::errors::Kind;

/// Between two looks at signals.
const TICK: Duration = Duration::from_millis(50);

/// What work gets to end by itself when its time is over, and to say how far it was: CaDiCaL may look at its limit a third of
/// a second late.
const LATE: Duration = Duration::from_secs(1);

/// The same when it was stopped.
const GRACE: Duration = Duration::from_millis(200);

/// Does the work, and waits for what it gives.
///
/// # Errors
///
/// An interrupt, or that the time was over. Then the flag is set.
pub(crate) fn wait<A: Send + 'static>(
    py: Python<'_>,
    limit: Option<Duration>,
    stop: &CancellationToken,
    work: impl FnOnce() -> A + Send + 'static,
) -> PyResult<A> {
    wait_or(py, limit, stop, || None, work)
}

/// Does the same. If the time is over, the answer is what is known by then, if anything is.
///
/// # Errors
///
/// The errors of [`wait`].
pub(crate) fn wait_or<A: Send + 'static>(
    py: Python<'_>,
    limit: Option<Duration>,
    stop: &CancellationToken,
    known: impl FnOnce() -> Option<A>,
    work: impl FnOnce() -> A + Send + 'static,
) -> PyResult<A> {
    let (answers, answer) = mpsc::sync_channel(1);
    thread::spawn(move || {
        // Where nobody waits any more it came too late.
        let _ = answers.send(work());
    });
    let last = limit.and_then(|limit| Instant::now().checked_add(limit.saturating_add(LATE)));
    let mut answers = Waiting::new(answer);
    let waited = loop {
        match answers.next(py, last) {
            Ok(Some(answer)) => return Ok(answer),
            Ok(None) if last.is_some_and(|last| Instant::now() >= last) => {
                break match known() {
                    Some(answer) => Ok(answer),
                    None => Err(Kind::OutOfTime.says(py, &"time limit")),
                };
            }
            Ok(None) => {}
            Err(raised) => break Err(raised),
        }
    };
    stop.set();
    // What looks at the flag ends soon, and has given back its memory then.
    let soon = Instant::now().checked_add(GRACE);
    while soon.is_some_and(|soon| Instant::now() < soon) && answers.is_awaited(py, soon) {}
    waited
}

/// Answers that come from a thread.
pub(crate) struct Waiting<A> {
    answers: Option<Receiver<A>>,
}

impl<A: Send> Waiting<A> {
    pub(crate) fn new(answers: Receiver<A>) -> Self {
        let answers = Some(answers);
        Self { answers }
    }

    /// The next one; `None` if there is none yet.
    ///
    /// # Errors
    ///
    /// A signal's exception, or that the thread ended without an answer.
    pub(crate) fn next(&mut self, py: Python<'_>, until: Option<Instant>) -> PyResult<Option<A>> {
        match self.received(py, until) {
            Ok(answer) => Ok(Some(answer)),
            Err(RecvTimeoutError::Timeout) => {
                py.check_signals()?;
                Ok(None)
            }
            // It ends without an answer only by a panic, which has said what it is.
            Err(RecvTimeoutError::Disconnected) => {
                Err(Kind::Failed.says(py, &"the work ended without an answer, an error in hamcnf"))
            }
        }
    }

    /// Whether there was no answer yet, signals left alone.
    fn is_awaited(&mut self, py: Python<'_>, until: Option<Instant>) -> bool {
        matches!(self.received(py, until), Err(RecvTimeoutError::Timeout))
    }

    fn received(&mut self, py: Python<'_>, until: Option<Instant>) -> Result<A, RecvTimeoutError> {
        let Some(answers) = self.answers.take() else {
            return Err(RecvTimeoutError::Disconnected);
        };
        let left = until.map(|until| until.saturating_duration_since(Instant::now()));
        let tick = left.map_or(TICK, |left| left.min(TICK));
        // A receiver is for one thread at a time: it goes there and back.
        let (answers, received) = py.detach(move || {
            let received = answers.recv_timeout(tick);
            (answers, received)
        });
        self.answers = Some(answers);
        received
    }
}
