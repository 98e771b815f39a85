//! Measures by which runs are compared: times, memory, sizes, or a metric given by its name.

use std::fmt;
use std::str::FromStr;

use super::standing::Run;
use crate::LabError;
use hamcnf_methods::record::Record;

/// Column of rows that contains numbers.
#[derive(Debug)]
pub struct Column {
    pub name: &'static str,
    /// Name for readers, such as the label of an axis.
    label: &'static str,
    pub of: Figure,
    /// Limit of a run on this figure.
    limit: Figure,
}

type Figure = fn(&Record) -> Option<f64>;

impl Column {
    const fn new(name: &'static str, label: &'static str, of: Figure, limit: Figure) -> Self {
        Self { name, label, of, limit }
    }
}

/// Columns that contain numbers, in the order of the rows.
pub const COLUMNS: [Column; 7] = [
    Column::new("variables", "variables", |row| row.variables.map(|n| n as f64), |_| None),
    Column::new("clauses", "clauses", |row| row.clauses.map(|n| n as f64), |_| None),
    Column::new("encode_seconds", "CPU seconds for encoding", |row| row.encode_seconds, cpu_or_wall_limit),
    Column::new("solve_seconds", "CPU seconds in the solver", |row| row.solve_seconds, cpu_or_wall_limit),
    Column::new(CPU_SECONDS, "CPU seconds", |row| row.cpu_seconds, cpu_or_wall_limit),
    Column::new("wall_seconds", "wall seconds", |row| row.wall_seconds, |row| row.asked.wall_limit),
    Column::new(
        "peak_rss_kib",
        "peak memory in KiB",
        |row| row.peak_rss_kib.map(|kib| kib as f64),
        |row| row.asked.memory_limit.map(|bytes| bytes as f64 / 1024.0),
    ),
];

const CPU_SECONDS: &str = "cpu_seconds";

/// Returns the limit on CPU time. If CPU time is not limited, the limit on wall time is used instead.
fn cpu_or_wall_limit(record: &Record) -> Option<f64> {
    record.asked.cpu_limit.or(record.asked.wall_limit)
}

/// Figure in the rows by which runs are compared, given by its name: a column of the rows, or a metric of the methods.
/// By default, CPU seconds of the process tree; wall seconds if they are unknown.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Measure(String);

impl Default for Measure {
    fn default() -> Self {
        Self(CPU_SECONDS.to_owned())
    }
}

impl FromStr for Measure {
    type Err = LabError;

    fn from_str(text: &str) -> Result<Self, LabError> {
        let is_name = |c: char| c.is_ascii_alphanumeric() || "_.-()".contains(c);
        if text.is_empty() || !text.chars().all(is_name) {
            let known = COLUMNS.map(|column| column.name).join(", ");
            return Err(LabError::new(format_args!(
                "unknown column \"{text}\"; choose from {known}, or name a metric, such as conflicts"
            )));
        }
        Ok(Self::named(text))
    }
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Measure {
    /// Returns the measure with this name of a column or a metric.
    pub fn named(name: &str) -> Self {
        Self(name.to_owned())
    }

    /// Returns the column of the rows; `None` for a metric.
    fn column(&self) -> Option<&'static Column> {
        COLUMNS.iter().find(|column| column.name == self.0)
    }

    /// Returns the value of the measure in a record; `None` if the record has no value.
    pub fn of(&self, record: &Record) -> Option<f64> {
        match self.column() {
            Some(column) if column.name == CPU_SECONDS => record.cpu_seconds.or(record.wall_seconds),
            Some(column) => (column.of)(record),
            None => record.statistics.get(&self.0),
        }
    }

    /// Returns the limit of a run on this measure; `None` if the run has no limit.
    pub fn limit(&self, record: &Record) -> Option<f64> {
        match self.column() {
            Some(column) => (column.limit)(record),
            None => record.asked.conflict_limit.filter(|_| self.0 == "conflicts").map(|conflicts| conflicts as f64),
        }
    }

    /// Returns the result of a run by this measure: the value or, if the run has no answer, the limit.
    pub fn run(&self, record: &Record) -> Run {
        match self.of(record) {
            Some(size) if self.is_whole_at_a_limit() => Run::Solved(size),
            figure => Run::by(record, figure, self.limit(record)),
        }
    }

    /// Returns the name of the measure for readers, such as the label of an axis.
    pub fn label(&self) -> &str {
        self.column().map_or(&self.0, |column| column.label)
    }

    /// True if the measure is a time. If a time limit ended a run, the limit is a lower bound of its time.
    pub fn is_time(&self) -> bool {
        self.column().is_some_and(|column| column.name.ends_with("_seconds"))
    }

    /// True if the recorded value is final even if a limit ended the run.
    pub fn is_whole_at_a_limit(&self) -> bool {
        ["variables", "clauses"].contains(&self.0.as_str())
    }

    /// Returns the floor of the measure. Smaller values are treated as equal to the floor.
    pub fn floor(&self) -> f64 {
        if self.is_time() { 0.001 } else { 1.0 }
    }
}
