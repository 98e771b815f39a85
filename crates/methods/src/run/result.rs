//! Result of a run: how the run ended, its answer, its metrics, and details that are not columns of a row.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use hamcnf_encodings::{Encoding, Model, Projection};
use hamcnf_graph::named;
use hamcnf_tours::{Count, Placement, Tour};
use num_bigint::BigUint;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::method::Method;
use hamcnf_count::frontier::Exact;
use hamcnf_count::frontier::diagram::Diagram;
use hamcnf_count::frontier::sample::Estimate;
use hamcnf_count::projected::Projected;
use hamcnf_count::statistic::Statistic;
use hamcnf_count::symmetric::SymmetricTours;
use hamcnf_cycle::portfolio::{Argument, Step};
use hamcnf_cycle::search::Proof;
use hamcnf_graph::budget::Stopped;
use hamcnf_programs::engine::ModelCount;
use hamcnf_refute::{ProofInformation, ProofMissing};
use hamcnf_sat::solve::SolverStatistics;

named! {
    /// Status in which a run ended.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
    #[non_exhaustive]
    pub enum Status: "status" {
        /// The run found a tour, which was checked move by move.
        Tour => "tour",
        /// The run proved that no tour exists.
        NoTour => "no-tour",
        /// Tours or placements were counted.
        Count => "count",
        /// The number was estimated, which proves nothing.
        Estimate => "estimate",
        /// The number of tours was computed modulo a number.
        Residue => "residue",
        /// A limit ended the run. The value is the number counted until then.
        AtLeast => "at-least",
        /// The size of the formula was measured.
        Size => "size",
        /// The limit on wall or CPU time ended the run.
        Timeout => "timeout",
        /// The limit on memory ended the run.
        Memout => "memout",
        /// The limit on conflicts ended the run.
        ConflictLimit => "conflict-limit",
        /// The method found nothing and gave up at its own limit, which proves nothing.
        GaveUp => "gave-up",
        /// The method does not accept the question, and the run did not begin.
        Refused => "refused",
        /// An interrupt ended the run.
        Stopped => "stopped",
        /// An error ended the run. The error needs to be fixed.
        #[default]
        Failed => "failed",
    }
}

impl Status {
    /// True if the method completed its task. Otherwise all figures of the run are lower bounds.
    pub fn is_answer(self) -> bool {
        matches!(self, Self::Tour | Self::NoTour | Self::Count | Self::Estimate | Self::Residue | Self::Size)
    }

    /// True if a limit ended the run.
    pub fn is_limit(self) -> bool {
        matches!(self, Self::AtLeast | Self::Timeout | Self::Memout | Self::ConflictLimit)
    }

    /// True if the result is the size of a formula, and nothing was solved.
    pub fn is_size(self) -> bool {
        self == Self::Size
    }
}

/// Result of a run. Figures of a run that a limit ended are lower bounds. Unknown values are `None`. The first fields are
/// columns of a row; no row has the others.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct RunResult {
    /// Status in which the run ended.
    pub status: Status,
    /// Number of tours or placements, if the run counted.
    pub value: Option<Number>,
    /// Reason why there is no answer or no tour, in words.
    pub message: String,
    /// Number of variables of the formula.
    pub variables: Option<u64>,
    /// Number of clauses of the formula, including unit clauses.
    pub clauses: Option<u64>,
    pub statistics: Statistics,
    /// CPU seconds for generating the clauses and passing them to the solver.
    #[serde(deserialize_with = "seconds")]
    pub encode_seconds: Option<f64>,
    /// CPU seconds in the solver; wall seconds of a search.
    #[serde(deserialize_with = "seconds")]
    pub solve_seconds: Option<f64>,
    /// CPU seconds of the process and its child processes. A method sets them only if other processes took part.
    #[serde(deserialize_with = "seconds")]
    pub cpu_seconds: Option<f64>,
    /// Wall seconds until the answer. A method sets them only if it measures them itself.
    #[serde(deserialize_with = "seconds")]
    pub wall_seconds: Option<f64>,
    /// Peak resident memory of the process, or of its whole group, in KiB.
    pub peak_rss_kib: Option<u64>,
    /// Limit or other cause that ended the run, if the message only names this cause.
    #[serde(skip)]
    pub cause: Option<Stopped>,
    /// Name and version of the program that answered, if only the method knows it.
    #[serde(skip)]
    pub program: Option<String>,
    /// Tours, checked move by move. There is at most one, unless several tours were requested.
    #[serde(skip)]
    pub tours: Vec<Tour>,
    /// Placement of queens, checked pair by pair.
    #[serde(skip)]
    pub placement: Option<Placement>,
    /// True if there are no further tours.
    #[serde(skip)]
    pub complete: bool,
    /// Model from which the single tour or the placement was read.
    #[serde(skip)]
    pub model: Option<Model>,
    /// Reason why there is no tour, if one is known.
    #[serde(skip)]
    pub proof: Option<Proof>,
    /// Turns of a portfolio, each of which ran one strategy.
    #[serde(skip)]
    pub steps: Vec<Step>,
    /// Sentence about the way in which a method counted; may be empty.
    #[serde(skip)]
    pub how: String,
    /// Peak size of the states of a count in memory, in bytes.
    #[serde(skip)]
    pub peak_bytes: Option<u64>,
    /// Peak size of the states of a count in temporary files, in bytes.
    #[serde(skip)]
    pub scratch_bytes: Option<u64>,
    /// Details of a count.
    #[serde(skip)]
    pub details: Option<Details>,
    /// Argument with which a strategy of the portfolio showed that there is no tour.
    #[serde(skip)]
    pub by: Option<Argument>,
    /// Information about the written proof, or the reason why it is missing. `None` if no proof was requested or there
    /// is a tour.
    #[serde(skip)]
    pub evidence: Option<Result<ProofInformation, ProofMissing>>,
}

/// Deserializes an optional number of seconds, which must be finite and at least 0.
pub(crate) fn seconds<'de, D: Deserializer<'de>>(from: D) -> Result<Option<f64>, D::Error> {
    match Option::<f64>::deserialize(from)? {
        Some(seconds) if !(seconds.is_finite() && seconds >= 0.0) => {
            Err(de::Error::custom(format!("{seconds} is not a number of seconds; the number must be at least 0")))
        }
        seconds => Ok(seconds),
    }
}

impl RunResult {
    /// Sets the status and the message of the result.
    pub fn ended(mut self, status: Status, message: impl Into<String>) -> Self {
        self.status = status;
        self.message = message.into();
        self.cause = None;
        self
    }

    /// Sets the status of the result, and a number as its value.
    pub fn with_value(mut self, status: Status, value: impl Into<Number>) -> Self {
        self.status = status;
        self.value = Some(value.into());
        self
    }

    /// Sets the status [`Status::Tour`] and the only tour of the result.
    pub fn found(self, tour: Tour) -> Self {
        Self { tours: vec![tour], ..self.ended(Status::Tour, "") }
    }

    /// Sets the number of clauses and the times of a session with CaDiCaL.
    pub fn solved(&mut self, clauses: Count, statistics: &SolverStatistics) {
        self.clauses = Some(clauses.clauses);
        self.encode_seconds = Some(statistics.encode_seconds);
        self.solve_seconds = Some(statistics.solve_seconds);
        self.wall_seconds = Some(statistics.wall_seconds);
    }

    /// Sets the status [`Status::Timeout`].
    pub fn late(self) -> Self {
        self.stopped(Stopped::Time)
    }

    /// Sets the status, the message and the cause of a run that was stopped without an answer.
    pub fn stopped(self, why: Stopped) -> Self {
        let status = match why {
            Stopped::Time | Stopped::CpuTime => Status::Timeout,
            Stopped::Memory => Status::Memout,
            Stopped::Conflicts => Status::ConflictLimit,
            Stopped::Cancelled => Status::Stopped,
            Stopped::GaveUp => Status::GaveUp,
        };
        Self { cause: Some(why), ..self.ended(status, why.to_string()) }
    }

    /// Sets the status [`Status::Refused`] and a message.
    pub fn refused(self, why: &impl ToString) -> Self {
        self.ended(Status::Refused, why.to_string())
    }

    /// Converts the result of a completed count to its residue modulo a number, if there is one. The message names the
    /// modulus, unless it is the reason why there is no tour.
    pub fn modulo(self, modulus: Option<&BigUint>) -> Self {
        let (modulus, residue) = match (modulus, &self.value) {
            (Some(modulus), Some(Number::Whole(count))) if self.status == Status::Count => (modulus, count % modulus),
            _ => return self,
        };
        let message = if self.proof.is_some() { self.message.clone() } else { format!("modulo {modulus}") };
        Self { message, ..self.with_value(Status::Residue, &residue) }
    }

    /// Adds details of the count.
    pub fn with(self, details: Details) -> Self {
        Self { details: Some(details), ..self }
    }

    /// True if the count was refused because no frontier or tree decomposition is narrow enough.
    pub fn is_too_wide(&self) -> bool {
        matches!(self.details, Some(Details::TooWide))
    }
}

/// Details of a count besides its number.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Details {
    /// A limit or an interrupt ended the count, and the last checkpoint could not be written.
    NotSaved,
    /// Number of tours, indexed by start vertex.
    ByStart(Vec<BigUint>),
    /// Number of tours with each value of a statistic.
    Histogram { of: Statistic, exact: Exact },
    /// Details of an estimate from a sample.
    Sample(Estimate),
    /// Diagram of all tours, which can be listed and drawn.
    Diagram(Box<Diagram>),
    /// Symmetric tours, by number.
    Symmetric(Arc<SymmetricTours>),
    /// Number of models, and number of different values of a projection set in these models.
    Projected { models: Models, found: Projected },
    /// Details of a count by a model counter.
    Counter { models: Models, found: ModelCount },
    /// The count was not started, because it would probably not fit into memory.
    NotBegun,
    /// The count was refused, because no frontier or tree decomposition is narrow enough.
    TooWide,
}

/// Description of the formula whose models were counted, and of its projection set.
#[derive(Clone, PartialEq, Debug)]
pub struct Models {
    pub encoding: Encoding,
    pub set: Projection,
    /// Number of variables in the projection set; `None` for all variables.
    pub projected_variables: Option<usize>,
    /// Number of different assignments to the projection set per tour, if the set distinguishes the tours.
    pub per_tour: u32,
    /// Number of tours for which one of them counts here: 2 if a path from anywhere and its reverse have one formula.
    pub directions: u32,
    /// Number of variables of the formula.
    pub variables: u32,
}

impl Models {
    /// Converts the number of values of the projection set, as reported by an exact counter, to a number of tours.
    pub fn as_tours(&self, values: u64) -> f64 {
        values as f64 * f64::from(self.directions) / f64::from(self.per_tour)
    }
}

/// Number of tours or placements: a count with all digits, or an estimate.
///
/// Parsing the written text returns the same number. A number written with a decimal point is an estimate, not a count.
#[derive(Clone, PartialEq, Debug)]
pub enum Number {
    /// Count, with all digits.
    Whole(BigUint),
    /// Estimate, which may have a fraction.
    Real(f64),
}

impl Number {
    /// Returns the nearest floating-point number; infinity if the number is too large.
    pub fn as_f64(&self) -> f64 {
        match self {
            Self::Whole(whole) => whole.to_string().parse().unwrap_or(f64::INFINITY),
            Self::Real(real) => *real,
        }
    }
}

macro_rules! whole {
    ($($kind:ty),*) => {$(
        impl From<$kind> for Number {
            fn from(whole: $kind) -> Self {
                Self::Whole(whole.into())
            }
        }
    )*};
}

whole!(BigUint, u64, usize);

impl From<&BigUint> for Number {
    fn from(whole: &BigUint) -> Self {
        Self::Whole(whole.clone())
    }
}

impl From<f64> for Number {
    fn from(real: f64) -> Self {
        Self::Real(real)
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole(whole) => whole.fmt(f),
            Self::Real(real) if real.fract() == 0.0 => write!(f, "{real:.1}"),
            Self::Real(real) => real.fmt(f),
        }
    }
}

/// Error for a text that is not a number of tours.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("\"{0}\" is not a number of at least 0")]
pub struct NotANumber(String);

impl FromStr for Number {
    type Err = NotANumber;

    fn from_str(text: &str) -> Result<Self, NotANumber> {
        if let Ok(whole) = text.parse() {
            return Ok(Self::Whole(whole));
        }
        match text.parse() {
            Ok(real) if real >= 0.0 => Ok(Self::Real(real)),
            _ => Err(NotANumber(text.to_owned())),
        }
    }
}

/// Named metrics of a run. The numbers are kept as text, so that no number is rounded.
///
/// | metric | source and meaning |
/// |---|---|
/// | `conflicts`, `decisions`, `propagations`, `ticks` | CaDiCaL |
/// | `cuts` | CaDiCaL on a relaxed encoding: clauses added because models violated them |
/// | `PART.turns`, `PART.conflicts`, … | a strategy PART of a portfolio: its metrics, added up over all its turns |
/// | `conflicts`, `variables_after`, `clauses_after`, … | an external solver that prints metrics, such as the size of the formula after preprocessing |
/// | `nodes`, `restarts`, `rotations` | a search: vertices put on a path, descents after the first, rotations of a path |
/// | `states`, `peak_states`, `width` | a count along a frontier, or over a tree decomposition |
/// | `scratch_bytes` | a count along a frontier: peak size of its temporary files |
/// | `sweeps` | a count along a frontier modulo primes: its number of sweeps |
/// | `tours.4` | a histogram: number of tours with the value 4 |
/// | `states`, `order` | a transfer matrix: its dimension; order of the recurrence |
/// | `nodes`, `peak_nodes` | a decision diagram |
/// | `standard_error`, `repetitions` | a sample |
/// | `projected_variables`, `values`, `models_per_tour` | a projection set: `values` counts its assignments in the models |
/// | `nonunit`, `literals` | a formula: clauses with at least two literals, and literals of all clauses |
/// | `(1).clauses`, `(1).nonunit`, `(1).literals` | a family of the formula's clauses, such as (1) |
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Statistics(Vec<(String, String)>);

/// Error for a text that is not a list of metrics.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("\"{0}\" is not a metric; write NAME=NUMBER")]
pub struct NotACounter(String);

impl Statistics {
    /// Sets a metric.
    pub fn set(&mut self, name: &str, value: impl fmt::Display) {
        let value = value.to_string();
        match self.0.iter_mut().find(|(known, _)| known == name) {
            Some((_, old)) => *old = value,
            None => self.0.push((name.to_owned(), value)),
        }
    }

    /// Returns the value of a metric, if it exists and can be parsed.
    pub fn get<T: FromStr>(&self, name: &str) -> Option<T> {
        let (_, value) = self.0.iter().find(|(known, _)| known == name)?;
        value.parse().ok()
    }

    /// Returns all metrics in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Returns the first metric, which is the most informative.
    pub fn main(&self) -> Option<(&str, &str)> {
        self.iter().next()
    }
}

impl fmt::Display for Statistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (k, (name, value)) in self.iter().enumerate() {
            let gap = if k == 0 { "" } else { " " };
            write!(f, "{gap}{name}={value}")?;
        }
        Ok(())
    }
}

impl FromStr for Statistics {
    type Err = NotACounter;

    fn from_str(text: &str) -> Result<Self, NotACounter> {
        let counter = |word: &str| {
            let (name, value) = word.split_once('=')?;
            let _: f64 = value.parse().ok()?;
            Some((name.to_owned(), value.to_owned()))
        };
        let words = text.split_ascii_whitespace();
        words.map(|word| counter(word).ok_or_else(|| NotACounter(word.to_owned()))).collect::<Result<_, _>>().map(Self)
    }
}

/// Serializes types as text, with `Display` and `FromStr`.
macro_rules! serde_as_text {
    ($($kind:ty),*) => {$(
        impl Serialize for $kind {
            fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $kind {
            fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                String::deserialize(from)?.parse().map_err(de::Error::custom)
            }
        }
    )*};
}

serde_as_text!(Status, Number, Statistics, Method);
