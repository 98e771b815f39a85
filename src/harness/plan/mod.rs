//! What experiments measure: a plan for each kind, as it stands in the experiment's file.
//!
//! Words are those of the command line, and what is left out is as in the paper's Table 1. Unknown keys are
//! errors, so that a misspelt one does not silently mean its default.

pub mod cells;
pub mod compare;
pub mod count;
pub mod decision;
pub mod sizes;
pub mod word;

use std::fmt;

/// Refuses a list that has an item twice.
pub(super) fn each_once<T: PartialEq + fmt::Display>(
    list: &str,
    items: &[T],
) -> Result<(), String> {
    let twice = items
        .iter()
        .enumerate()
        .find(|(k, item)| items[..*k].contains(item));
    twice.map_or(Ok(()), |(_, item)| Err(format!("{list} has {item} twice")))
}

/// Refuses what is no limit on time.
fn is_limit(seconds: f64) -> Result<(), String> {
    if seconds > 0.0 && seconds < 1e9 {
        Ok(())
    } else {
        Err("time_limit must be a positive number of seconds".to_owned())
    }
}
