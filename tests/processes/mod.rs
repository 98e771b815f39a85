//! Helpers for tests of processes: whether a process runs, and whether it ends in time.

#![allow(dead_code, reason = "every test file uses a part of it")]

use std::fs;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::signal::kill;
use nix::unistd::Pid;

/// True if the process runs. A zombie process does not run.
pub(crate) fn runs(pid: i32) -> bool {
    let ended = fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|stat| {
        let state = stat.rsplit(')').next();
        state.is_some_and(|rest| rest.starts_with(" Z"))
    });
    !ended && kill(Pid::from_raw(pid), None).is_ok()
}

/// Waits up to 20 seconds until the condition is true. Returns false if it does not become true.
pub(crate) fn soon(mut happened: impl FnMut() -> bool) -> bool {
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(20) {
        if happened() {
            return true;
        }
        thread::sleep(Duration::from_millis(10));
    }
    false
}

/// Waits for a script to write its process ID to a file, and returns the ID.
pub(crate) fn pid_in(file: &Path) -> i32 {
    let mut pid = None;
    soon(|| {
        let text = fs::read_to_string(file).unwrap_or_default();
        pid = text.strip_suffix('\n').and_then(|text| text.parse().ok());
        pid.is_some()
    });
    pid.unwrap()
}
