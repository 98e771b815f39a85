//! Variables and clauses of encodings, as rows: what the paper's Table 1 shows, and what a regression
//! check compares.

use std::collections::BTreeMap;
use std::fmt;
use std::io::Read;

use hamcnf_encodings::{Clauses, Count, EncodeError, Encoding, Family, Formula, Instance};
use serde::{Deserialize, Serialize};

use super::cell::{Cell, recorded};

/// The family of rows that are about a whole formula.
pub const TOTAL: &str = "total";

/// The size of a formula, or of one family of its clauses.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SizeRow {
    /// The board.
    pub instance: String,
    /// Closed or open.
    pub tours: String,
    /// The start's name.
    pub start: String,
    /// The encoding.
    pub encoding: String,
    /// Its pruning.
    pub pruning: String,
    /// Its at-most-one encoding.
    pub at_most_one: String,
    /// Its orientation; empty for open tours.
    #[serde(default)]
    pub orientation: String,
    /// [`TOTAL`], or a family's label.
    pub family: String,
    /// What the family's clauses say. Not stored.
    #[serde(skip)]
    pub says: String,
    /// Variables of the whole formula.
    pub variables: u64,
    /// Clauses of two literals or more, as the paper counts them.
    pub nonunit_clauses: u64,
    /// All clauses, as in the DIMACS header.
    pub clauses: u64,
    /// Literals in all clauses.
    pub literals: u64,
}

/// What a row is about; the rest of it is figures.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Key {
    cell: Cell,
    family: String,
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.cell)?;
        if self.family != TOTAL {
            write!(f, ", family {}", self.family)?;
        }
        Ok(())
    }
}

impl SizeRow {
    fn new(formula: &Formula, family: Family, count: Count) -> Self {
        let Cell {
            instance,
            tours,
            start,
            encoding,
            pruning,
            at_most_one,
            orientation,
        } = Cell::new(formula.instance(), formula.encoding());
        Self {
            instance,
            tours,
            start,
            encoding,
            pruning,
            at_most_one,
            orientation,
            family: family.label.to_owned(),
            says: family.says.to_owned(),
            variables: u64::from(formula.n_vars()),
            nonunit_clauses: count.without_units(),
            clauses: count.clauses,
            literals: count.literals,
        }
    }

    /// The formula that it is about.
    #[must_use]
    pub fn cell(&self) -> Cell {
        Cell {
            instance: self.instance.clone(),
            tours: self.tours.clone(),
            start: self.start.clone(),
            encoding: self.encoding.clone(),
            pruning: self.pruning.clone(),
            at_most_one: self.at_most_one.clone(),
            orientation: recorded(&self.orientation, &self.encoding, &self.tours),
        }
    }

    /// What it is about.
    #[must_use]
    pub fn key(&self) -> Key {
        Key {
            cell: self.cell(),
            family: self.family.clone(),
        }
    }

    fn figures(&self) -> [(&'static str, u64); 4] {
        [
            ("variables", self.variables),
            ("nonunit_clauses", self.nonunit_clauses),
            ("clauses", self.clauses),
            ("literals", self.literals),
        ]
    }
}

/// The rows of an instance under an encoding: its families in order, where they are asked for, and the
/// total.
///
/// # Errors
///
/// [`EncodeError`], where the formula would have too many variables.
pub fn measure(
    instance: &Instance,
    encoding: Encoding,
    by_family: bool,
) -> Result<Vec<SizeRow>, EncodeError> {
    let formula = Formula::new(encoding, instance)?;
    let tally = formula.tally();
    let mut rows = Vec::new();
    if by_family {
        let families = tally.families().iter();
        rows.extend(families.map(|&(family, count)| SizeRow::new(&formula, family, count)));
    }
    let all = Family {
        label: TOTAL,
        says: "all clauses",
    };
    rows.push(SizeRow::new(&formula, all, tally.total()));
    Ok(rows)
}

/// Reads rows from CSV.
///
/// # Errors
///
/// The reader's, with the line.
pub fn read(csv: impl Read) -> Result<Vec<SizeRow>, csv::Error> {
    csv::Reader::from_reader(csv).deserialize().collect()
}

/// A difference between what is and what was stored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Difference {
    /// A figure is another one.
    Changed {
        /// The row.
        key: Key,
        /// The column.
        column: &'static str,
        /// What was stored.
        stored: u64,
        /// What is.
        now: u64,
    },
    /// A row that is not stored.
    NotStored(Key),
    /// A stored row that is not there any more.
    Gone(Key),
    /// A row that is stored twice.
    Twice(Key),
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Changed {
                key,
                column,
                stored,
                now,
            } => write!(f, "{key}: {column} is {now}, stored is {stored}"),
            Self::NotStored(key) => write!(f, "{key}: not stored"),
            Self::Gone(key) => write!(f, "{key}: stored, but not there any more"),
            Self::Twice(key) => write!(f, "{key}: stored twice"),
        }
    }
}

/// Compares rows with stored ones.
#[must_use]
pub fn differences(now: &[SizeRow], stored: &[SizeRow]) -> Vec<Difference> {
    let mut rest: BTreeMap<Key, &SizeRow> = BTreeMap::new();
    let mut found = Vec::new();
    for row in stored {
        if rest.insert(row.key(), row).is_some() {
            found.push(Difference::Twice(row.key()));
        }
    }
    for row in now {
        let key = row.key();
        let Some(old) = rest.remove(&key) else {
            found.push(Difference::NotStored(key));
            continue;
        };
        for ((column, now), (_, stored)) in row.figures().into_iter().zip(old.figures()) {
            if now != stored {
                found.push(Difference::Changed {
                    key: key.clone(),
                    column,
                    stored,
                    now,
                });
            }
        }
    }
    found.extend(rest.into_keys().map(Difference::Gone));
    found
}
