//! Streaming costs no memory: 64 million clauses, 1.1 GB of text, from a process of a few megabytes.
//!
//! Alone in its file, as the figure is the largest of all processes that a test program has started.

#![allow(clippy::unwrap_used)]

use std::process::Command;

use nix::sys::resource::{UsageWho, getrusage};

#[test]
fn direct_20x20_is_written_in_less_than_32_mib() {
    let hamcnf = env!("CARGO_BIN_EXE_hamcnf");
    let status = Command::new(hamcnf)
        .args(["encode", "20x20", "--encoding", "direct", "-o", "/dev/null"])
        .status()
        .unwrap();
    assert!(status.success());
    let peak_kib = getrusage(UsageWho::RUSAGE_CHILDREN).unwrap().max_rss();
    let unit = if cfg!(target_os = "macos") { 1024 } else { 1 };
    assert!(peak_kib / unit < 32 * 1024, "{peak_kib} KiB");
}
