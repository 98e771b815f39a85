//! A time limit that holds even if the work does not check it.
//!
//! CaDiCaL checks its limit only now and then: while it prepares millions of clauses it goes on for seconds,
//! and as long again while their memory is freed. So the work is done in a separate thread, which reports its
//! knowledge as it goes, and hands over its answer before it cleans up. The waiting thread waits no longer
//! than the limit and a short grace period. After that there is no answer, only the knowledge so far.
//!
//! The worker thread is then abandoned with its memory, and its data have to live as long. That is acceptable for a
//! program that ends right after. So this module is here and not in the library, whose functions return only when the
//! solver does.

use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use hamcnf::cancellation::CancellationToken;

/// Time after the deadline in which an answer is still accepted, for work that does check its limit.
const GRACE: Duration = Duration::from_millis(200);

/// Interval between two updates of the progress.
const TICK: Duration = Duration::from_millis(100);

/// Returns the time until a deadline.
pub(crate) fn left(deadline: Option<Instant>) -> Option<Duration> {
    deadline.map(|end| end.saturating_duration_since(Instant::now()))
}

/// The worker's side: reports knowledge and hands over the answer.
pub(crate) struct Worker<K, A> {
    known: Arc<Mutex<Known<K>>>,
    answers: Sender<A>,
}

struct Known<K> {
    what: K,
    /// True if an answer is on its way, which is waited for however long it takes to read.
    is_answered: bool,
}

impl<K, A> Clone for Worker<K, A> {
    fn clone(&self) -> Self {
        Self {
            known: Arc::clone(&self.known),
            answers: self.answers.clone(),
        }
    }
}

impl<K, A> Worker<K, A> {
    /// Updates the knowledge.
    pub(crate) fn know(&self, tell: impl FnOnce(&mut K)) {
        tell(&mut locked(&self.known).what);
    }

    /// Reports that there is an answer.
    pub(crate) fn has_answer(&self) {
        locked(&self.known).is_answered = true;
    }

    /// Hands over the answer. Only the first one counts.
    pub(crate) fn answer(&self, answer: A) {
        // If the receiver is gone, the answer came too late.
        let _ = self.answers.send(answer);
    }
}

fn locked<K>(known: &Mutex<Known<K>>) -> MutexGuard<'_, Known<K>> {
    known.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Result of the wait.
pub(crate) enum Waited<K, A> {
    Answer(A),
    /// No answer by the deadline or the cancellation, with the knowledge by then.
    Late(K),
}

/// Does the work in a thread and waits for its answer until the deadline or the cancellation, if any, and a short grace
/// period. `tick` gets the knowledge from time to time.
pub(crate) fn wait<K, A>(
    deadline: Option<Instant>,
    stop: Option<&CancellationToken>,
    tick: &mut dyn FnMut(&K),
    work: impl FnOnce(&Worker<K, A>) + Send + 'static,
) -> Waited<K, A>
where
    K: Clone + Default + Send + 'static,
    A: Send + 'static,
{
    let known = Arc::new(Mutex::new(Known {
        what: K::default(),
        is_answered: false,
    }));
    let (answers, answer) = mpsc::channel();
    let worker = Worker {
        known: Arc::clone(&known),
        answers,
    };
    let thread = thread::spawn(move || work(&worker));
    let mut last = deadline.and_then(|deadline| deadline.checked_add(GRACE));
    let mut stopped = false;
    loop {
        match answer.recv_timeout(left(last).map_or(TICK, |left| left.min(TICK))) {
            Ok(answer) => return Waited::Answer(answer),
            Err(RecvTimeoutError::Timeout) => {
                let known = locked(&known);
                let late = last.is_some_and(|last| Instant::now() >= last);
                if !known.is_answered && late {
                    return Waited::Late(known.what.clone());
                }
                // Work that checks the token ends soon, and knows more then.
                if !stopped && stop.is_some_and(CancellationToken::is_set) {
                    stopped = true;
                    let soon = Instant::now() + GRACE;
                    last = Some(last.map_or(soon, |last| last.min(soon)));
                }
                tick(&known.what);
            }
            // The thread ended without an answer, which happens only by a panic.
            Err(RecvTimeoutError::Disconnected) => match thread.join() {
                Err(panic) => std::panic::resume_unwind(panic),
                Ok(()) => unreachable!("work ends with an answer"),
            },
        }
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
        assert!(matches!(waited, Waited::Late(7)));
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
        assert!(matches!(waited, Waited::Late(7 | 0)));
    }

    #[test]
    fn an_answer_before_the_deadline_is_waited_for() {
        let waited = wait::<u32, u32>(in_a_moment(), None, &mut |_| (), |worker| {
            worker.has_answer();
            // The work takes longer than deadline and grace.
            thread::sleep(Duration::from_millis(600));
            worker.answer(8);
        });
        assert!(matches!(waited, Waited::Answer(8)));
    }

    #[test]
    fn an_answer_is_taken_before_the_work_has_cleared_up() {
        let began = Instant::now();
        let waited = wait::<u32, u32>(None, None, &mut |_| (), |worker| {
            worker.answer(9);
            thread::sleep(Duration::from_secs(20));
        });
        assert!(matches!(waited, Waited::Answer(9)));
        assert!(began.elapsed() < Duration::from_secs(10));
    }
}
