//! Experiments, and files of figures.

use hamcnf::harness::plan::{Given, Plan};
use hamcnf::report::figures::Figures;
use hamcnf::report::figures::words::{Phrase, numbers, section};

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
        Err(error) => assert_eq!(error.lines().count(), 1, "{error}"),
    }
    let _ = toml::from_str::<Figures>(&text);
    let (says, within) = text.split_once('\n').unwrap_or((&text, &text));
    let phrase = Phrase::new(says);
    for found in phrase.find(within) {
        drop(found);
    }
    for number in numbers(within) {
        assert!(within.get(number).is_some());
    }
    if let Some(section) = section(within, says) {
        assert!(within.get(section).is_some());
    }
}

/// Whether it may name something to be opened: standard input or a file.
fn is_of_files(text: &str) -> bool {
    ["-\"", "-'", "- ", "- from", "/"]
        .iter()
        .any(|part| text.contains(part))
}
