//! Measures by which runs are compared: times, memory, sizes, or a metric given by its name.

use std::fmt;
use std::str::FromStr;

use super::standing::Run;
use hamcnf_methods::record::Record;

/// Name of the metric that counts conflicts.
pub const CONFLICTS: &str = "conflicts";

/// Figure in the rows by which runs are compared.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Measure {
    /// CPU seconds of the process tree; wall seconds if they are unknown.
    #[default]
    CpuSeconds,
    /// CPU seconds in the solver.
    SolveSeconds,
    /// CPU seconds for encoding.
    EncodeSeconds,
    /// Wall seconds of the run's process.
    WallSeconds,
    /// Peak RSS in KiB.
    PeakRssKib,
    /// Number of variables of the formula.
    Variables,
    /// Number of clauses of the formula.
    Clauses,
    /// Metric with this name, as reported by the method.
    Counter(String),
}

/// Error for a text that is not the name of a measure.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("unknown column \"{0}\"; choose from {NAMES}, or name a metric, such as conflicts")]
pub struct NotAMeasure(String);

const NAMES: &str = "cpu_seconds, solve_seconds, encode_seconds, wall_seconds, peak_rss_kib, variables, clauses";

impl FromStr for Measure {
    type Err = NotAMeasure;

    fn from_str(text: &str) -> Result<Self, NotAMeasure> {
        let is_name = |c: char| c.is_ascii_alphanumeric() || "_.-()".contains(c);
        Ok(match text {
            "cpu_seconds" => Self::CpuSeconds,
            "solve_seconds" => Self::SolveSeconds,
            "encode_seconds" => Self::EncodeSeconds,
            "wall_seconds" => Self::WallSeconds,
            "peak_rss_kib" => Self::PeakRssKib,
            "variables" => Self::Variables,
            "clauses" => Self::Clauses,
            counter if !counter.is_empty() && counter.chars().all(is_name) => Self::Counter(counter.to_owned()),
            _ => return Err(NotAMeasure(text.to_owned())),
        })
    }
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::CpuSeconds => "cpu_seconds",
            Self::SolveSeconds => "solve_seconds",
            Self::EncodeSeconds => "encode_seconds",
            Self::WallSeconds => "wall_seconds",
            Self::PeakRssKib => "peak_rss_kib",
            Self::Variables => "variables",
            Self::Clauses => "clauses",
            Self::Counter(name) => name,
        })
    }
}

impl Measure {
    /// Measures that have a separate column in the rows.
    pub const NAMED: [Self; 7] = [
        Self::CpuSeconds,
        Self::SolveSeconds,
        Self::EncodeSeconds,
        Self::WallSeconds,
        Self::PeakRssKib,
        Self::Variables,
        Self::Clauses,
    ];

    /// Returns the value of the measure in a record; `None` if the record has no value.
    #[must_use]
    pub fn of(&self, record: &Record) -> Option<f64> {
        match self {
            Self::CpuSeconds => record.cpu_seconds.or(record.wall_seconds),
            Self::SolveSeconds => record.solve_seconds,
            Self::EncodeSeconds => record.encode_seconds,
            Self::WallSeconds => record.wall_seconds,
            Self::PeakRssKib => record.peak_rss_kib.map(|kib| kib as f64),
            Self::Variables => record.variables.map(|count| count as f64),
            Self::Clauses => record.clauses.map(|count| count as f64),
            Self::Counter(name) => record.statistics.get(name),
        }
    }

    /// Returns the limit of a run on this measure; `None` if the run has no limit. If CPU time is not limited, the
    /// limit on wall time is used instead.
    #[must_use]
    pub fn limit(&self, record: &Record) -> Option<f64> {
        match self {
            Self::CpuSeconds | Self::SolveSeconds | Self::EncodeSeconds => record.cpu_limit.or(record.wall_limit),
            Self::WallSeconds => record.wall_limit,
            Self::PeakRssKib => record.memory_limit.map(|bytes| bytes as f64 / 1024.0),
            Self::Counter(name) if name == CONFLICTS => record.conflict_limit.map(|conflicts| conflicts as f64),
            Self::Variables | Self::Clauses | Self::Counter(_) => None,
        }
    }

    /// Returns the result of a run by this measure: the value or, if the run has no answer, the limit.
    #[must_use]
    pub fn run(&self, record: &Record) -> Run {
        match self.of(record) {
            Some(size) if self.is_whole_at_a_limit() => Run::Solved(size),
            figure => Run::by(record, figure, self.limit(record)),
        }
    }

    /// Returns the name of the measure for readers, such as the label of an axis.
    #[must_use]
    pub fn label(&self) -> String {
        match self {
            Self::CpuSeconds => "CPU seconds",
            Self::SolveSeconds => "CPU seconds in the solver",
            Self::EncodeSeconds => "CPU seconds for encoding",
            Self::WallSeconds => "wall seconds",
            Self::PeakRssKib => "peak memory in KiB",
            Self::Variables => "variables",
            Self::Clauses => "clauses",
            Self::Counter(name) => name,
        }
        .to_owned()
    }

    /// True if the measure is a time. If a time limit ended a run, the limit is a lower bound of its time.
    #[must_use]
    pub fn is_time(&self) -> bool {
        matches!(self, Self::CpuSeconds | Self::SolveSeconds | Self::EncodeSeconds | Self::WallSeconds)
    }

    /// True if the recorded value is final even if a limit ended the run.
    #[must_use]
    pub fn is_whole_at_a_limit(&self) -> bool {
        matches!(self, Self::Variables | Self::Clauses)
    }

    /// Returns the floor of the measure. Smaller values are treated as equal to the floor.
    #[must_use]
    pub fn floor(&self) -> f64 {
        if self.is_time() { 0.001 } else { 1.0 }
    }
}
