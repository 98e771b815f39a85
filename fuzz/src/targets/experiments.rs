//! Experiments.

use hamcnf::experiment::{Given, Plan};

use super::is_large;

/// More than so long may be of more jobs than a fuzzer waits for.
const LONGEST: usize = 1 << 11;

/// Any text.
pub fn experiments(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    if text.len() > LONGEST || is_large(&text) || is_of_files(&text) {
        return;
    }
    match Plan::parse(&text, &Given::default()) {
        Ok(plan) => {
            for job in plan.jobs() {
                drop(job.key().to_string());
            }
        }
        Err(error) => assert_eq!(error.to_string().lines().count(), 1, "{error}"),
    }
}

/// Whether it may name something to be opened: standard input or a file.
fn is_of_files(text: &str) -> bool {
    ["-\"", "-'", "- ", "- from", "/"]
        .iter()
        .any(|part| text.contains(part))
}
