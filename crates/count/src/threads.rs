//! Work in several threads at once. The code around the work is compiled once for each type of parts and results, and
//! not for each kind of work.

use std::panic::resume_unwind;
use std::thread;

/// Works on each part in a thread of its own, and on the first part in this thread, which can use memory again that it
/// has freed before. Returns the results in the order of the parts.
pub(crate) fn each<P: Send, T: Send>(parts: Vec<P>, work: &(dyn Fn(P) -> T + Sync)) -> Vec<T> {
    thread::scope(|scope| {
        let mut parts = parts.into_iter();
        let first = parts.next();
        let others: Vec<_> = parts.map(|part| scope.spawn(move || work(part))).collect();
        let first = first.map(work);
        let others = others.into_iter().map(|other| other.join().unwrap_or_else(|panic| resume_unwind(panic)));
        first.into_iter().chain(others).collect()
    })
}
