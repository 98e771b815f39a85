//! Compares formula sizes with stored sizes to find unintended changes.

use std::collections::BTreeMap;
use std::fmt;

use hamcnf_methods::record::{Key, Record};

/// Difference between the current and the stored sizes of a formula.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Difference {
    /// The value of a figure, such as the number of clauses, differs from the stored value.
    Changed {
        /// Question and method of the row.
        of: String,
        /// Name of the figure, such as `clauses`.
        figure: String,
        stored: String,
        now: String,
    },
    /// The stored row does not have this figure.
    NotStored {
        /// Question and method of the row.
        of: String,
        /// Name of the figure, such as `clauses`.
        figure: String,
    },
    /// The stored row has this figure, but the new measurement does not.
    Gone {
        /// Question and method of the row.
        of: String,
        /// Name of the figure, such as `clauses`.
        figure: String,
    },
    /// A row is stored twice. The text is the question and method of the row.
    Twice(String),
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Changed { of, figure, stored, now } => {
                write!(f, "{of}: {figure} is {now}, but the stored value is {stored}")
            }
            Self::NotStored { of, figure } => write!(f, "{of}: no value of {figure} is stored"),
            Self::Gone { of, figure } => {
                write!(f, "{of}: a value of {figure} is stored, but the new measurement has none")
            }
            Self::Twice(of) => write!(f, "{of}: the row is stored twice"),
        }
    }
}

/// Compares records of formula sizes with stored records. Records in `now` that are not stored are ignored.
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

/// Returns the name and the value of every figure in a record.
fn figures(row: &Record) -> Vec<(String, String)> {
    let whole = [("variables", row.variables), ("clauses", row.clauses)];
    let whole = whole.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?.to_string())));
    let counters = row.statistics.iter();
    whole.chain(counters.map(|(name, value)| (name.to_owned(), value.to_owned()))).collect()
}

fn compare(now: &Record, stored: &Record, found: &mut Vec<Difference>) {
    let of = name(now);
    let mut rest: BTreeMap<String, String> = figures(stored).into_iter().collect();
    for (figure, now) in figures(now) {
        let of = of.clone();
        match rest.remove(&figure) {
            None => found.push(Difference::NotStored { of, figure }),
            Some(stored) if stored != now => found.push(Difference::Changed { of, figure, stored, now }),
            Some(_) => {}
        }
    }
    let gone = rest.into_keys().map(|figure| Difference::Gone { of: of.clone(), figure });
    found.extend(gone);
}
