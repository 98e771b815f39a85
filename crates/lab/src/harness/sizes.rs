//! Stored sizes against sizes now: what a regression check compares.

use std::collections::BTreeMap;
use std::fmt;

use hamcnf_methods::record::{Key, Record};

/// A difference between what is and what was stored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Difference {
    /// A figure is another one.
    Changed {
        /// What it is of.
        of: String,
        /// Which.
        figure: String,
        /// What was stored.
        stored: String,
        /// What is.
        now: String,
    },
    /// A figure that is not stored.
    NotStored {
        /// What it is of.
        of: String,
        /// Which.
        figure: String,
    },
    /// A stored figure that is not there any more.
    Gone {
        /// What it was of.
        of: String,
        /// Which.
        figure: String,
    },
    /// What is stored twice.
    Twice(String),
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Changed {
                of,
                figure,
                stored,
                now,
            } => write!(f, "{of}: {figure} is {now}, stored is {stored}"),
            Self::NotStored { of, figure } => write!(f, "{of}: {figure} is not stored"),
            Self::Gone { of, figure } => {
                write!(f, "{of}: {figure} is stored, but not there any more")
            }
            Self::Twice(of) => write!(f, "{of}: stored twice"),
        }
    }
}

/// Compares the records of sizes with stored ones. There is one for each that is stored.
#[must_use]
pub fn differences(now: &[Record], stored: &[Record]) -> Vec<Difference> {
    let mut first: BTreeMap<Key, &Record> = BTreeMap::new();
    let mut found = Vec::new();
    for row in stored {
        if first.insert(row.key(), row).is_some() {
            found.push(Difference::Twice(name(row)));
        }
    }
    for row in now {
        if let Some(old) = first.get(&row.key()) {
            compare(row, old, &mut found);
        }
    }
    found
}

fn name(row: &Record) -> String {
    format!("{}, {}", row.question, row.method)
}

/// All figures of a size by their names.
fn figures(row: &Record) -> Vec<(String, String)> {
    let whole = [("variables", row.variables), ("clauses", row.clauses)];
    let whole = whole
        .into_iter()
        .filter_map(|(name, value)| Some((name.to_owned(), value?.to_string())));
    let counters = row.effort.iter();
    whole
        .chain(counters.map(|(name, value)| (name.to_owned(), value.to_owned())))
        .collect()
}

fn compare(now: &Record, stored: &Record, found: &mut Vec<Difference>) {
    let of = name(now);
    let mut rest: BTreeMap<String, String> = figures(stored).into_iter().collect();
    for (figure, now) in figures(now) {
        let of = of.clone();
        match rest.remove(&figure) {
            None => found.push(Difference::NotStored { of, figure }),
            Some(stored) if stored != now => found.push(Difference::Changed {
                of,
                figure,
                stored,
                now,
            }),
            Some(_) => {}
        }
    }
    let gone = rest.into_keys().map(|figure| Difference::Gone {
        of: of.clone(),
        figure,
    });
    found.extend(gone);
}
