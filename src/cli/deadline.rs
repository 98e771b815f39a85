//! Time limit that is enforced even if the work does not check it.
//!
//! CaDiCaL rarely checks its limit: preparing millions of clauses takes seconds, and so does freeing their memory. So a
//! separate thread does the work. This thread reports the facts known so far, and hands over its answer before it
//! cleans up. The calling thread waits at most until the limit and a short grace period. If there is no answer by then,
//! the result consists of the facts known so far.
//!
//! The worker thread is then abandoned with its memory, and its data must live until the program ends. This is
//! acceptable only for a program that ends immediately afterwards. Therefore this module belongs to the program and not
//! to the library, whose functions return only when the solver does.

use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use hamcnf::cancellation::CancellationToken;

/// Grace period after the deadline in which an answer is still accepted. Work that checks its limit needs a moment to
/// end.
const GRACE: Duration = Duration::from_millis(200);

/// Interval between two updates of the progress.
const TICK: Duration = Duration::from_millis(100);

/// Returns the time left until a deadline; `None` without a deadline.
pub(crate) fn left(deadline: Option<Instant>) -> Option<Duration> {
    deadline.map(|end| end.saturating_duration_since(Instant::now()))
}

/// Handle with which a worker thread reports facts and hands over its answer.
pub(crate) struct Worker<K, A> {
    known: Arc<Mutex<Facts<K>>>,
    answer: Arc<Mutex<Option<A>>>,
    /// Says that there is an answer.
    answered: Sender<()>,
}

struct Facts<K> {
    what: K,
    /// True if the worker ends by itself soon after the deadline. The wait for its answer then has no limit.
    ends_itself: bool,
}

impl<K, A> Clone for Worker<K, A> {
    fn clone(&self) -> Self {
        Self { known: Arc::clone(&self.known), answer: Arc::clone(&self.answer), answered: self.answered.clone() }
    }
}

impl<K, A> Worker<K, A> {
    /// Calls `tell` to update the facts known so far. [`wait`] passes them to `tick`, and returns them if no answer
    /// comes in time.
    pub(crate) fn know(&self, tell: impl FnOnce(&mut K)) {
        tell(&mut locked(&self.known).what);
    }

    /// Reports that the worker ends by itself soon after the deadline.
    pub(crate) fn ends_itself(&self) {
        locked(&self.known).ends_itself = true;
    }

    /// Hands over the answer. Only the first answer counts.
    pub(crate) fn answer(&self, answer: A) {
        locked(&self.answer).get_or_insert(answer);
        // If the receiver is gone, the answer came too late.
        let _ = self.answered.send(());
    }
}

fn locked<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Result of waiting for an answer.
pub(crate) enum Outcome<K, A> {
    Answer(A),
    /// No answer by the deadline or the cancellation; contains the facts known by then.
    Late(K),
}

/// Runs the work in a thread and waits for its answer: until the deadline or the cancellation, if any, and a short
/// grace period. `tick` is called repeatedly with the facts known so far.
pub(crate) fn wait<K, A>(
    deadline: Option<Instant>,
    stop: Option<&CancellationToken>,
    tick: &mut dyn FnMut(&K),
    work: impl FnOnce(&Worker<K, A>) + Send + 'static,
) -> Outcome<K, A>
where
    K: Clone + Default + Send + 'static,
    A: Send + 'static,
{
    let known = Arc::new(Mutex::new(Facts { what: K::default(), ends_itself: false }));
    let answer = Arc::default();
    let (answered, end) = mpsc::channel();
    let worker = Worker { known: Arc::clone(&known), answer: Arc::clone(&answer), answered };
    // A box, so that threads are compiled once and not for each kind of work.
    let work: Box<dyn FnOnce() + Send> = Box::new(move || work(&worker));
    let thread = thread::spawn(work);
    let mut last = deadline.and_then(|deadline| deadline.checked_add(GRACE));
    let mut stopped = false;
    loop {
        let ended = end.recv_timeout(left(last).map_or(TICK, |left| left.min(TICK)));
        if let Some(answer) = locked(&answer).take() {
            return Outcome::Answer(answer);
        }
        match ended {
            // An answer is there before it is said to be.
            Ok(()) => {}
            Err(RecvTimeoutError::Timeout) => {
                let known = locked(&known);
                let late = last.is_some_and(|last| Instant::now() >= last);
                if !known.ends_itself && late {
                    return Outcome::Late(known.what.clone());
                }
                // Work that checks the token ends soon, with more results than are known now.
                if !stopped && stop.is_some_and(CancellationToken::is_set) {
                    stopped = true;
                    let soon = Instant::now() + GRACE;
                    last = Some(last.map_or(soon, |last| last.min(soon)));
                }
                tick(&known.what);
            }
            // The thread ended without an answer. Only a panic does this.
            Err(RecvTimeoutError::Disconnected) => match thread.join() {
                Err(panic) => std::panic::resume_unwind(panic),
                Ok(()) => unreachable!("work ends with an answer"),
            },
        }
    }
}

/// Does work that does not check its limit. Returns `None` if the work has not ended by the deadline.
pub(crate) fn within<A: Send + 'static>(
    deadline: Option<Instant>,
    work: impl FnOnce() -> A + Send + 'static,
) -> Option<A> {
    if deadline.is_none() {
        return Some(work());
    }
    match wait::<(), A>(deadline, None, &mut |&()| (), |worker| {
        worker.answer(work());
    }) {
        Outcome::Answer(answer) => Some(answer),
        Outcome::Late(()) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn in_a_moment() -> Option<Instant> {
        Instant::now().checked_add(Duration::from_millis(50))
    }

    #[test]
    fn work_that_does_not_end_is_left_with_what_it_knows() {
        let waited = wait::<u32, ()>(in_a_moment(), None, &mut |_| (), |worker| {
            worker.know(|known| *known = 7);
            loop {
                thread::park();
            }
        });
        assert!(matches!(waited, Outcome::Late(7)));
    }

    #[test]
    fn work_within_a_deadline_has_an_answer_or_is_left() {
        assert_eq!(within(None, || 7), Some(7));
        let later = Instant::now() + Duration::from_secs(600);
        assert_eq!(within(Some(later), || 7), Some(7));
        let never = || loop {
            thread::park();
        };
        assert_eq!(within::<u8>(in_a_moment(), never), None);
    }

    #[test]
    fn work_that_is_stopped_is_left_with_what_it_knows() {
        let stop = CancellationToken::default();
        stop.set();
        let waited = wait::<u32, ()>(None, Some(&stop), &mut |_| (), |worker| {
            worker.know(|known| *known = 7);
            loop {
                thread::park();
            }
        });
        assert!(matches!(waited, Outcome::Late(7 | 0)));
    }

    #[test]
    fn an_answer_before_the_deadline_is_waited_for() {
        let waited = wait::<u32, u32>(in_a_moment(), None, &mut |_| (), |worker| {
            worker.ends_itself();
            // The work takes longer than the deadline and the grace period.
            thread::sleep(Duration::from_millis(600));
            worker.answer(8);
        });
        assert!(matches!(waited, Outcome::Answer(8)));
    }

    #[test]
    fn an_answer_is_taken_before_the_work_has_cleared_up() {
        let began = Instant::now();
        let waited = wait::<u32, u32>(None, None, &mut |_| (), |worker| {
            worker.answer(9);
            thread::sleep(Duration::from_secs(20));
        });
        assert!(matches!(waited, Outcome::Answer(9)));
        assert!(began.elapsed() < Duration::from_secs(10));
    }
}
