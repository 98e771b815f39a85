//! Memory use of streaming: a process with a few megabytes writes 64 million clauses, 1.1 GB of text.

use std::env;
use std::process::Command;

use nix::sys::resource::{UsageWho, getrusage};

/// Environment variable that marks a separate test process, whose only child is the program.
const ALONE: &str = "HAMCNF_MEMORY_TEST_ALONE";

#[test]
fn direct_20x20_is_written_in_less_than_32_mib() {
    // `getrusage` returns the greatest peak of all children, and this process also has the children of other tests. So
    // the test runs again in a separate process.
    if env::var_os(ALONE).is_none() {
        let name = "memory::direct_20x20_is_written_in_less_than_32_mib";
        let output =
            Command::new(env::current_exe().unwrap()).args(["--exact", name]).env(ALONE, "1").output().unwrap();
        let printed = String::from_utf8_lossy(&output.stdout);
        assert!(printed.contains("1 passed"), "{printed}");
        return;
    }
    let hamcnf = env!("CARGO_BIN_EXE_hamcnf");
    let status =
        Command::new(hamcnf).args(["encode", "20x20", "--encoding", "direct", "-o", "/dev/null"]).status().unwrap();
    assert!(status.success());
    let peak_kib = getrusage(UsageWho::RUSAGE_CHILDREN).unwrap().max_rss();
    let unit = if cfg!(target_os = "macos") { 1024 } else { 1 };
    assert!(peak_kib / unit < 32 * 1024, "{peak_kib} KiB");
}
