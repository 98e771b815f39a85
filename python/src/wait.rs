//! Runs work on a separate thread, while other Python threads continue.
//!
//! The waiting thread checks Python's signals twenty times a second. After an interrupt it sets the cancellation token,
//! which the work checks. Then it raises the exception, even if the work is still running. Work that does not check
//! its time limit is abandoned in the same way.

use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use hamcnf::cancellation::CancellationToken;
use pyo3::prelude::*;

use crate::errors::Kind;

/// Time between two checks of signals.
const TICK: Duration = Duration::from_millis(50);

/// Grace period after the time limit, in which work can end by itself and report its progress. CaDiCaL may check its
/// limit a third of a second late.
const LATE: Duration = Duration::from_secs(1);

/// Grace period in which cancelled work can end by itself.
const GRACE: Duration = Duration::from_millis(200);

/// Runs the work on another thread, and waits for its result.
///
/// # Errors
///
/// `PyErr` after an interrupt, or at the end of the time limit. In both cases the cancellation token is set.
pub(crate) fn wait<A: Send + 'static>(
    py: Python<'_>,
    limit: Option<Duration>,
    stop: &CancellationToken,
    work: impl FnOnce() -> A + Send + 'static,
) -> PyResult<A> {
    wait_or(py, limit, stop, || None, work)
}

/// Runs the work like [`wait`]. If the time limit ends the work and `known` returns a value, returns this value.
///
/// # Errors
///
/// Errors of [`wait`].
pub(crate) fn wait_or<A: Send + 'static>(
    py: Python<'_>,
    limit: Option<Duration>,
    stop: &CancellationToken,
    known: impl FnOnce() -> Option<A>,
    work: impl FnOnce() -> A + Send + 'static,
) -> PyResult<A> {
    let (answers, answer) = mpsc::sync_channel(1);
    thread::spawn(move || {
        // The receiver may be gone already.
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
    // Waits a moment longer, so that work that checks the token can end and release its memory.
    let soon = Instant::now().checked_add(GRACE);
    while soon.is_some_and(|soon| Instant::now() < soon) && answers.is_awaited(py, soon) {}
    waited
}

/// Receiver of the answers that a thread sends.
pub(crate) struct Waiting<A> {
    answers: Option<Receiver<A>>,
}

impl<A: Send> Waiting<A> {
    pub(crate) fn new(answers: Receiver<A>) -> Self {
        let answers = Some(answers);
        Self { answers }
    }

    /// Waits a short time for the next answer, but not beyond the time `until`. Returns `None` if no answer arrives.
    ///
    /// # Errors
    ///
    /// The exception that a signal handler raised, or an error if the thread ended without an answer.
    pub(crate) fn next(&mut self, py: Python<'_>, until: Option<Instant>) -> PyResult<Option<A>> {
        match self.received(py, until) {
            Ok(answer) => Ok(Some(answer)),
            Err(RecvTimeoutError::Timeout) => {
                py.check_signals()?;
                Ok(None)
            }
            // The thread ends without an answer only by a panic, which has printed its message.
            Err(RecvTimeoutError::Disconnected) => {
                Err(Kind::Failed.says(py, &"the work ended without an answer: please report this bug in hamcnf"))
            }
        }
    }

    /// True if no answer arrives within a short time. Ignores signals.
    fn is_awaited(&mut self, py: Python<'_>, until: Option<Instant>) -> bool {
        matches!(self.received(py, until), Err(RecvTimeoutError::Timeout))
    }

    fn received(&mut self, py: Python<'_>, until: Option<Instant>) -> Result<A, RecvTimeoutError> {
        let Some(answers) = self.answers.take() else { return Err(RecvTimeoutError::Disconnected) };
        let left = until.map(|until| until.saturating_duration_since(Instant::now()));
        let tick = left.map_or(TICK, |left| left.min(TICK));
        // Only one thread at a time may use the receiver, so the receiver is moved into the closure and back.
        let (answers, received) = py.detach(move || {
            let received = answers.recv_timeout(tick);
            (answers, received)
        });
        self.answers = Some(answers);
        received
    }
}
