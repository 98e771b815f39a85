//! Work in several threads at once.

use std::panic::resume_unwind;
use std::thread;

/// Works on each part in a thread of its own, and on the first part in this thread, which can use memory again that it
/// has freed before. Returns the results in the order of the parts.
///
/// # Panics
///
/// If the work on a part panics.
pub(crate) fn each<P: Send, T: Send>(parts: Vec<P>, work: &(dyn Fn(P) -> T + Sync)) -> Vec<T> {
    let mut results: Vec<Option<T>> = parts.iter().map(|_| None).collect();
    let tasks = parts.into_iter().zip(&mut results);
    let tasks = tasks.map(|(part, result)| Box::new(move || *result = Some(work(part))) as Task<'_>);
    all(tasks.collect());
    results.into_iter().flatten().collect()
}

/// Work on one part, which stores its result. Tasks of all types of parts and results have this type, so that threads are
/// compiled once and not for each of them.
type Task<'a> = Box<dyn FnOnce() + Send + 'a>;

fn all(tasks: Vec<Task<'_>>) {
    thread::scope(|scope| {
        let mut tasks = tasks.into_iter();
        let first = tasks.next();
        let others: Vec<_> = tasks.map(|task| scope.spawn(task)).collect();
        if let Some(first) = first {
            first();
        }
        // If a thread is not joined, it may not have ended when the next one starts, which then cannot use its memory.
        // Counts took a tenth longer.
        for other in others {
            other.join().unwrap_or_else(|panic| resume_unwind(panic));
        }
    });
}
