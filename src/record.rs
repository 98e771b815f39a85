//! A record: what was asked, how, under which limits, what came out, what it took, and what it was made by. Every
//! experiment's row is one, a worker gives one, and the commands print its columns. This is the one place that says
//! what they are.
//!
//! | column | what it is |
//! |---|---|
//! | `schema` | [`SCHEMA`]: rows of another are not read |
//! | `question` | a [question](crate::question), as it is written |
//! | `graph` | a checksum of the edges of a graph from a file, as `name.machine.json` has it; empty for boards and queens |
//! | `method` | a [method](crate::method), as it is written |
//! | `seed` | selects the random numbers; no matter where there are none |
//! | `wall_limit`, `cpu_limit` | seconds that were allowed; empty for no limit, as the next two |
//! | `memory_limit` | bytes that were allowed |
//! | `conflict_limit` | conflicts that were allowed |
//! | `status` | how it ended: [`Status`] |
//! | `answer` | with `count`, `estimate` and `at-least` the number, all digits of it; else empty |
//! | `message` | why there is no answer or no tour, in words |
//! | `variables`, `clauses` | of the formula, if there is one; units are clauses |
//! | `effort` | [named counters](Effort), as in `conflicts=871 decisions=9003` |
//! | `encode_seconds` | CPU seconds for making the clauses and handing them over |
//! | `solve_seconds` | CPU seconds in the solver; wall seconds of a search, which is one thread |
//! | `cpu_seconds` | of the process and all that it started |
//! | `wall_seconds` | for the answer, encoding included, without the start of the process |
//! | `peak_kib` | the most memory that the process, or all of its group together, had resident |
//! | `version`, `commit` | of this program; the commit ends in `+` if the tree had changes |
//! | `solver` | the name and version of what answered |
//! | `machine` | a checksum of processor, memory and system: times of two machines are not mixed |
//!
//! Figures of what ended at a limit are lower bounds. What is not known is empty, never 0.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use hamcnf_encodings::{Named, NoSuchName, named};
use num_bigint::BigUint;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::limits::Limits;
use crate::machine;
use crate::method::Method;

/// The version of the columns.
pub const SCHEMA: u32 = 1;

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
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
}

/// One run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "the table above says what they are")]
pub struct Record {
    #[serde(deserialize_with = "this_schema")]
    pub schema: u32,
    pub question: String,
    pub graph: String,
    #[serde(with = "text")]
    pub method: Method,
    pub seed: u64,
    pub wall_limit: Option<f64>,
    pub cpu_limit: Option<f64>,
    pub memory_limit: Option<u64>,
    pub conflict_limit: Option<u64>,
    pub status: Status,
    pub answer: String,
    pub message: String,
    pub variables: Option<u64>,
    pub clauses: Option<u64>,
    #[serde(with = "text")]
    pub effort: Effort,
    pub encode_seconds: Option<f64>,
    pub solve_seconds: Option<f64>,
    pub cpu_seconds: Option<f64>,
    pub wall_seconds: Option<f64>,
    pub peak_kib: Option<u64>,
    pub version: String,
    pub commit: String,
    pub solver: String,
    pub machine: String,
}

/// What says which run a record is of.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Key(String);

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Record {
    /// The record of a run before anything is known of it but that it runs here.
    #[must_use]
    pub fn new(question: &str, graph: &str, method: &Method, seed: u64, limits: &Limits) -> Self {
        let seconds = |limit: Option<Duration>| limit.map(|limit| limit.as_secs_f64());
        Self {
            schema: SCHEMA,
            question: question.to_owned(),
            graph: graph.to_owned(),
            method: method.clone(),
            seed,
            wall_limit: seconds(limits.wall),
            cpu_limit: seconds(limits.cpu),
            memory_limit: limits.memory,
            conflict_limit: limits.conflicts,
            status: Status::Failed,
            answer: String::new(),
            message: String::new(),
            variables: None,
            clauses: None,
            effort: Effort::default(),
            encode_seconds: None,
            solve_seconds: None,
            cpu_seconds: None,
            wall_seconds: None,
            peak_kib: None,
            version: machine::VERSION.to_owned(),
            commit: machine::COMMIT.to_owned(),
            solver: method.solver(),
            machine: machine::id().to_owned(),
        }
    }

    /// Which run it is of: question, graph, method, seed and limits, in words.
    #[must_use]
    pub fn key(&self) -> Key {
        use fmt::Write;
        let mut key = format!("{}, {}, seed {}", self.question, self.method, self.seed);
        if !self.graph.is_empty() {
            let _ = write!(key, ", graph {}", self.graph);
        }
        let limits = [
            ("wall", self.wall_limit.map(|s| format!("{s} s"))),
            ("cpu", self.cpu_limit.map(|s| format!("{s} s"))),
            ("memory", self.memory_limit.map(|b| format!("{b} bytes"))),
            ("conflicts", self.conflict_limit.map(|n| n.to_string())),
        ];
        for (what, limit) in limits {
            if let Some(limit) = limit {
                let _ = write!(key, ", {what} {limit}");
            }
        }
        Key(key)
    }

    /// It has ended so, with these words about it.
    #[must_use]
    pub fn ended(mut self, status: Status, message: impl Into<String>) -> Self {
        self.status = status;
        self.message = message.into();
        self
    }

    /// It has ended with this number.
    #[must_use]
    pub fn with_answer(mut self, status: Status, answer: &impl ToString) -> Self {
        self.status = status;
        self.answer = answer.to_string();
        self
    }

    /// The number of its answer as it was counted.
    #[must_use]
    pub fn count(&self) -> Option<BigUint> {
        match self.status {
            Status::Count => self.answer.parse().ok(),
            _ => None,
        }
    }

    /// The same as a floating point number, or its estimate.
    #[must_use]
    pub fn number(&self) -> Option<f64> {
        match self.status {
            Status::Count | Status::Estimate => self.answer.parse().ok(),
            _ => None,
        }
    }

    /// What came out, in words.
    #[must_use]
    pub fn said(&self) -> String {
        match self.status {
            Status::Tour => "tour".to_owned(),
            Status::NoTour => "no tour".to_owned(),
            Status::Count => self.answer.clone(),
            Status::Estimate => {
                let number = self.number().unwrap_or(f64::NAN);
                format!("about {number:.4e}")
            }
            Status::AtLeast => format!("at least {}", self.answer),
            Status::Size => "size".to_owned(),
            status if self.message.is_empty() => status.as_str().replace('-', " "),
            _ => self.message.clone(),
        }
    }

    /// The least and the greatest number of tours that it allows.
    fn bounds(&self) -> (BigUint, Option<BigUint>) {
        let number = || self.answer.parse::<BigUint>().ok();
        match self.status {
            Status::Tour => (1u8.into(), None),
            Status::NoTour => (BigUint::ZERO, Some(BigUint::ZERO)),
            Status::Count => (number().unwrap_or_default(), number()),
            Status::AtLeast => (number().unwrap_or_default(), None),
            _ => (BigUint::ZERO, None),
        }
    }

    /// Whether it cannot be that both are right about one question.
    #[must_use]
    pub fn contradicts(&self, other: &Self) -> bool {
        let ((least, most), (other_least, other_most)) = (self.bounds(), other.bounds());
        most.is_some_and(|most| most < other_least) || other_most.is_some_and(|most| most < least)
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
pub struct Effort(Vec<(String, String)>);

/// A text that is not one of counters.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("'{0}' is not a counter, NAME=NUMBER")]
pub struct NotACounter(String);

impl Effort {
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

impl fmt::Display for Effort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (k, (name, value)) in self.iter().enumerate() {
            let gap = if k == 0 { "" } else { " " };
            write!(f, "{gap}{name}={value}")?;
        }
        Ok(())
    }
}

impl FromStr for Effort {
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

/// The schema of rows that are read here; that of others, as an error.
fn this_schema<'de, D: Deserializer<'de>>(from: D) -> Result<u32, D::Error> {
    match u32::deserialize(from)? {
        SCHEMA => Ok(SCHEMA),
        other => Err(de::Error::custom(format!(
            "schema {other}, and this program has schema {SCHEMA}"
        ))),
    }
}

/// What is written and read as text.
mod text {
    use super::*;

    pub(super) fn serialize<T: fmt::Display, S: Serializer>(
        value: &T,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        to.collect_str(value)
    }

    pub(super) fn deserialize<'de, T: FromStr<Err: fmt::Display>, D: Deserializer<'de>>(
        from: D,
    ) -> Result<T, D::Error> {
        String::deserialize(from)?
            .parse()
            .map_err(de::Error::custom)
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

#[cfg(test)]
mod tests {
    use super::*;

    fn record(status: Status, answer: &str) -> Record {
        let method = "exact".parse().unwrap();
        let record = Record::new("8x8", "", &method, 1, &Limits::default());
        record.with_answer(status, &answer)
    }

    fn of(text: &str) -> Record {
        let number = |prefix: &str| text.strip_prefix(prefix).unwrap_or(text).to_owned();
        match text {
            "tour" => record(Status::Tour, ""),
            "no tour" => record(Status::NoTour, ""),
            "time limit" => record(Status::Timeout, ""),
            _ if text.starts_with("at least ") => record(Status::AtLeast, &number("at least ")),
            _ if text.starts_with("about ") => record(Status::Estimate, &number("about ")),
            _ => record(Status::Count, text),
        }
    }

    #[test]
    fn records_are_read_as_they_are_written() {
        let mut whole = of("4861943174181138724903568742746024250554974208");
        whole.effort.set("states", 7);
        whole.effort.set("width", 16);
        whole.effort.set("states", 8);
        whole.message = "a, \"b\"".to_owned();
        whole.wall_seconds = Some(0.25);
        whole.memory_limit = Some(1 << 40);
        assert_eq!(whole.effort.to_string(), "states=8 width=16");
        assert_eq!(whole.effort.get("width"), Some(16u64));
        assert_eq!(whole.effort.get::<u64>("nodes"), None);
        let mut csv = csv::Writer::from_writer(Vec::new());
        csv.serialize(&whole).unwrap();
        let csv = csv.into_inner().unwrap();
        let rows: Vec<Record> = csv::Reader::from_reader(&*csv)
            .deserialize()
            .map(Result::unwrap)
            .collect();
        assert_eq!(rows, [whole.clone()]);
        let json = serde_json::to_string(&whole).unwrap();
        assert_eq!(serde_json::from_str::<Record>(&json).unwrap(), whole);
        let other = json.replace("\"schema\":1", "\"schema\":99");
        let error = serde_json::from_str::<Record>(&other).unwrap_err();
        assert!(
            error
                .to_string()
                .contains("schema 99, and this program has schema 1")
        );
    }

    #[test]
    fn every_status_has_a_name() {
        for &status in Status::ALL {
            assert_eq!(status.to_string().parse(), Ok(status));
        }
    }

    #[test]
    fn contradictions_are_seen_and_others_are_not() {
        for (a, b) in [
            ("tour", "no tour"),
            ("tour", "0"),
            ("no tour", "1"),
            ("1", "2"),
            ("at least 5", "3"),
            ("at least 1", "no tour"),
            // Equal as floating point numbers.
            ("100000000000000000000", "100000000000000000001"),
        ] {
            assert!(of(a).contradicts(&of(b)), "{a}, {b}");
            assert!(of(b).contradicts(&of(a)), "{b}, {a}");
        }
        for (a, b) in [
            ("tour", "5"),
            ("no tour", "0"),
            ("at least 0", "no tour"),
            ("at least 5", "5"),
            ("at least 5", "tour"),
            ("about 3", "no tour"),
            ("time limit", "no tour"),
        ] {
            assert!(!of(a).contradicts(&of(b)), "{a}, {b}");
            assert!(!of(b).contradicts(&of(a)), "{b}, {a}");
        }
    }

    #[test]
    fn runs_are_told_apart_by_all_that_they_are() {
        let one = of("5");
        let mut others = vec![one.clone(); 5];
        others[0].question = "8x8 from b1".to_owned();
        others[1].seed = 2;
        others[2].wall_limit = Some(1.0);
        others[3].cpu_limit = Some(1.0);
        others[4].graph = "0badcafe".to_owned();
        let mut keys: Vec<_> = others.iter().chain([&one]).map(Record::key).collect();
        keys.sort();
        keys.dedup();
        assert_eq!(keys.len(), 6);
        assert_eq!(of("5").key(), of("tour").key());
    }
}
