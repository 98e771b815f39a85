//! The result of a run: how it ended, its answer, its metrics, and what does not go into a row.

use std::fmt;
use std::str::FromStr;

use hamcnf_encodings::{Encoding, Model, Named, NoSuchName, Projection, Tour, named};
use num_bigint::BigUint;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::refute::{ProofInformation, ProofMissing};
use hamcnf_engines::budget::Stopped;
use hamcnf_engines::count::frontier::diagram::Diagram;
use hamcnf_engines::count::frontier::exact::Exact;
use hamcnf_engines::count::frontier::sample::Estimate;
use hamcnf_engines::count::projected::Projected;
#[cfg(feature = "diagrams")]
use hamcnf_engines::count::timeslice;
use hamcnf_engines::count::{external, treewidth};
use hamcnf_engines::portfolio::{Argument, Step};
use hamcnf_engines::search::Proof;

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[non_exhaustive]
pub enum Status {
    /// With a tour, checked move by move.
    Tour,
    /// With a proof that there is none.
    NoTour,
    /// With the number of tours, or of placements.
    Count,
    /// With an estimate of it, which proves nothing.
    Estimate,
    /// At a limit, when so many had been found.
    AtLeast,
    /// With the size of the formula.
    Size,
    /// At the limit on wall or CPU time.
    Timeout,
    /// At the limit on memory.
    Memout,
    /// At the limit on conflicts.
    ConflictLimit,
    /// By itself, without having found anything, which proves nothing: at a limit of the method.
    GaveUp,
    /// Before it began, as the method is not for the question.
    Refused,
    /// By an interrupt.
    Stopped,
    /// By an error. What is wrong has to be mended.
    #[default]
    Failed,
}

named!(Status, "status", {
    Tour => "tour",
    NoTour => "no-tour",
    Count => "count",
    Estimate => "estimate",
    AtLeast => "at-least",
    Size => "size",
    Timeout => "timeout",
    Memout => "memout",
    ConflictLimit => "conflict-limit",
    GaveUp => "gave-up",
    Refused => "refused",
    Stopped => "stopped",
    Failed => "failed",
});

impl Status {
    /// Whether the method did what it does. If not, all figures are lower bounds.
    #[must_use]
    pub fn is_answer(self) -> bool {
        matches!(
            self,
            Self::Tour | Self::NoTour | Self::Count | Self::Estimate | Self::Size
        )
    }

    /// Whether a limit ended it.
    #[must_use]
    pub fn is_limit(self) -> bool {
        matches!(
            self,
            Self::AtLeast | Self::Timeout | Self::Memout | Self::ConflictLimit
        )
    }

    /// Whether it is a formula's size, which nothing was solved for.
    #[must_use]
    pub fn is_size(self) -> bool {
        self == Self::Size
    }
}

/// The result of a run. Figures of a run that a limit ended are lower bounds; what is not known is `None`.
#[derive(Clone, Debug, Default)]
pub struct RunResult {
    /// How the run ended.
    pub status: Status,
    /// Number of tours or placements, if the run counted.
    pub value: Option<Number>,
    /// Why there is no answer or no tour, in words.
    pub message: String,
    /// Variables of the formula.
    pub variables: Option<u64>,
    /// Clauses of the formula, units included.
    pub clauses: Option<u64>,
    /// Named metrics.
    pub effort: Statistics,
    /// CPU seconds for making the clauses and handing them over.
    pub encode_seconds: Option<f64>,
    /// CPU seconds in the solver; wall seconds of a search.
    pub solve_seconds: Option<f64>,
    /// CPU seconds of the method, if it did not work in this process alone.
    pub cpu_seconds: Option<f64>,
    /// Wall seconds for the answer, if the method measured them itself.
    pub wall_seconds: Option<f64>,
    /// Name and version of the program that answered, if the method alone knows it.
    pub solver: Option<String>,
    /// The tours, checked move by move: one, unless several are wanted.
    pub tours: Vec<Tour>,
    /// True if there are no other tours.
    pub complete: bool,
    /// The model that the one tour was read from.
    pub model: Option<Model>,
    /// The reason that there is no tour, if one can be told.
    pub proof: Option<Proof>,
    /// Turns of a portfolio's strategies.
    pub steps: Vec<Step>,
    /// Details of a count.
    pub details: Option<Details>,
    /// Argument behind a "no tour" of a portfolio.
    pub by: Option<Argument>,
    /// The proof that was written, or why it is missing; `None` if none was asked for or there is a tour.
    pub evidence: Option<Result<ProofInformation, ProofMissing>>,
}

impl RunResult {
    /// Ends the run with a status and a message.
    #[must_use]
    pub fn ended(mut self, status: Status, message: impl Into<String>) -> Self {
        self.status = status;
        self.message = message.into();
        self
    }

    /// Ends the run with a number.
    #[must_use]
    pub fn with_value(mut self, status: Status, value: impl Into<Number>) -> Self {
        self.status = status;
        self.value = Some(value.into());
        self
    }

    /// Ends the run with a tour.
    #[must_use]
    pub fn found(self, tour: Tour) -> Self {
        Self {
            tours: vec![tour],
            ..self.ended(Status::Tour, "")
        }
    }

    /// Ends the run at its time limit.
    #[must_use]
    pub fn late(self) -> Self {
        self.stopped(Stopped::Time)
    }

    /// Ends the run without an answer.
    #[must_use]
    pub fn stopped(self, why: Stopped) -> Self {
        match why {
            Stopped::Time => self.ended(Status::Timeout, "time limit"),
            Stopped::Memory => self.ended(Status::Memout, "memory limit"),
            Stopped::Conflicts => self.ended(Status::ConflictLimit, "conflict limit"),
            Stopped::Cancelled => self.ended(Status::Stopped, ""),
            Stopped::GaveUp => self.ended(Status::GaveUp, "nothing was found"),
        }
    }

    /// Refuses the question.
    #[must_use]
    pub fn refused(self, why: &impl ToString) -> Self {
        self.ended(Status::Refused, why.to_string())
    }

    /// Adds details.
    #[must_use]
    pub fn with(self, details: Details) -> Self {
        Self {
            details: Some(details),
            ..self
        }
    }

    /// True if the count was not begun because no frontier or tree is narrow enough.
    #[must_use]
    pub fn is_too_wide(&self) -> bool {
        matches!(self.details, Some(Details::TooWide))
    }
}

/// Details of a count beside its number.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Details {
    /// Of a sweep along a frontier.
    Frontier(Exact),
    /// The number of tours by start vertex.
    ByStart(Vec<BigUint>),
    /// Of a tree decomposition.
    Tree(treewidth::Counted),
    /// Of a sample.
    Sample(Estimate),
    /// A diagram of all tours, which can be listed and drawn.
    Diagram(Box<Diagram>),
    /// Of a diagram over vertices and times.
    #[cfg(feature = "diagrams")]
    Timeslice(timeslice::Counted),
    /// Values that a projection set has in the models.
    Projected {
        /// The encoding and the set.
        models: Models,
        /// Number of values of each tour, and in all.
        found: Projected,
    },
    /// Of a model counter.
    Counter {
        /// The encoding and the set.
        models: Models,
        /// The counter's own answer.
        found: external::ModelCount,
    },
    /// The count was not begun because it would hardly fit into memory.
    NotBegun,
    /// The count was not begun because no frontier or tree is narrow enough.
    TooWide,
}

/// The formula whose models were counted, and its projection set.
#[derive(Clone, PartialEq, Debug)]
pub struct Models {
    /// The encoding.
    pub encoding: Encoding,
    /// The projection set.
    pub set: Projection,
    /// Variables of the set; `None` if these are all.
    pub projected_variables: Option<usize>,
    /// Number of values that each tour has, if the set tells the tours apart.
    pub per_tour: u32,
    /// Variables of the formula.
    pub variables: u32,
}

impl Models {
    /// Returns the number of tours that an exact counter of `values` would report.
    #[must_use]
    pub fn as_tours(&self, values: u64) -> f64 {
        values as f64 / f64::from(self.per_tour)
    }
}

/// A number of tours or placements: all digits of a count, an estimate as it came out.
///
/// Written and read again it is the same: one that is not whole by its kind has a point.
#[derive(Clone, PartialEq, Debug)]
pub enum Number {
    /// A count.
    Whole(BigUint),
    /// An estimate.
    Real(f64),
}

impl Number {
    /// The nearest floating point number, infinite if there is none.
    #[must_use]
    pub fn as_f64(&self) -> f64 {
        match self {
            Self::Whole(whole) => whole.to_string().parse().unwrap_or(f64::INFINITY),
            Self::Real(real) => *real,
        }
    }
}

impl From<BigUint> for Number {
    fn from(whole: BigUint) -> Self {
        Self::Whole(whole)
    }
}

impl From<&BigUint> for Number {
    fn from(whole: &BigUint) -> Self {
        Self::Whole(whole.clone())
    }
}

impl From<u64> for Number {
    fn from(whole: u64) -> Self {
        Self::Whole(whole.into())
    }
}

impl From<usize> for Number {
    fn from(whole: usize) -> Self {
        Self::Whole(whole.into())
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

/// A text that is no number of tours.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("'{0}' is not a number, 0 or more")]
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

/// Named counters of what was done: numbers as texts, so that none is rounded.
///
/// | counter | of |
/// |---|---|
/// | `conflicts`, `decisions`, `propagations`, `ticks` | CaDiCaL |
/// | `cuts` | the same on a relaxed encoding: clauses that its models lacked |
/// | `PART.turns`, `PART.conflicts`, … | a part of a portfolio, over all of its turns: what that part counts |
/// | `nodes`, `restarts`, `rotations` | a search: vertices put on a path, and so on |
/// | `states`, `peak_states`, `width` | a count along a frontier, or over a tree decomposition |
/// | `nodes`, `peak_nodes` | a decision diagram |
/// | `standard_error`, `repetitions` | a sample |
/// | `projected_variables`, `values`, `models_per_tour` | a projection set: how many values it has in the models |
/// | `nonunit`, `literals` | a formula: clauses of two literals or more, and literals of all |
/// | `(1).clauses`, `(1).nonunit`, `(1).literals` | a family of its clauses |
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Statistics(Vec<(String, String)>);

/// A text that is not one of counters.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("'{0}' is not a counter, NAME=NUMBER")]
pub struct NotACounter(String);

impl Statistics {
    /// Sets a counter.
    pub fn set(&mut self, name: &str, value: impl fmt::Display) {
        let value = value.to_string();
        match self.0.iter_mut().find(|(known, _)| known == name) {
            Some((_, old)) => *old = value,
            None => self.0.push((name.to_owned(), value)),
        }
    }

    /// A counter, if it is there.
    #[must_use]
    pub fn get<T: FromStr>(&self, name: &str) -> Option<T> {
        let (_, value) = self.0.iter().find(|(known, _)| known == name)?;
        value.parse().ok()
    }

    /// All of them, in their order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// The first, which says most.
    #[must_use]
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
        words
            .map(|word| counter(word).ok_or_else(|| NotACounter(word.to_owned())))
            .collect::<Result<_, _>>()
            .map(Self)
    }
}

impl Serialize for Status {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for Status {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let name = String::deserialize(from)?;
        name.parse()
            .map_err(|error: NoSuchName| de::Error::custom(error))
    }
}
