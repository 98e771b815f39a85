//! Experiment files, which describe jobs.

use hamcnf::experiment::{Given, Plan};

use super::is_large;

/// Maximum length of a text. A longer text may describe more jobs than a fuzzer can wait for.
const LONGEST: usize = 1 << 11;

/// Fuzzes the parser of experiment files with arbitrary text.
pub fn experiments(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    if text.len() > LONGEST || is_large(&text) || is_of_files(&text) {
        return;
    }
    match Plan::parse(&text, &Given::default()) {
        Ok(plan) => {
            for job in plan.all_jobs() {
                drop(job.key().to_string());
            }
        }
        Err(error) => assert_eq!(error.to_string().lines().count(), 1, "{error}"),
    }
}

/// True if the text may name a file or standard input, which the reader would open.
fn is_of_files(text: &str) -> bool {
    ["-\"", "-'", "- ", "- from", "/"].iter().any(|part| text.contains(part))
}
