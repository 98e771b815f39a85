//! Records. A record states the question, the method, the limits, the result, the resources used, and the program and
//! machine. A row of an experiment is a record, a worker returns a record, and [`json`](crate::json) adds the tour and
//! details to a record. Only this module lists the columns.
//!
//! | column | meaning |
//! |---|---|
//! | `schema` | [`SCHEMA`] |
//! | `question` | canonical text of the [question](hamcnf_questions) |
//! | `graph_crc32` | CRC-32 of the edges of a graph in a file or family, as in `name.machine.json`; empty for boards and queens |
//! | `method` | canonical text of the [method](crate::method) |
//! | `seed` | seed of the random numbers; ignored by methods without randomness |
//! | `wall_limit`, `cpu_limit` | time limits in seconds; empty if unlimited, like the next two |
//! | `memory_limit` | memory limit in bytes |
//! | `conflict_limit` | limit on the number of conflicts |
//! | `status` | how the run ended: [`Status`] |
//! | `value` | for `count`, `estimate` and `at-least` the number, with all digits; else empty |
//! | `message` | reason why there is no answer or no tour, in words |
//! | `variables`, `clauses` | size of the formula, if there is one; unit clauses are included |
//! | `statistics` | [named metrics](Statistics), as in `conflicts=871 decisions=9003` |
//! | `encode_seconds` | CPU seconds for generating the clauses and passing them to the solver |
//! | `solve_seconds` | CPU seconds in the solver; wall seconds of a search, which has one thread |
//! | `cpu_seconds` | CPU seconds of the process and all its child processes |
//! | `wall_seconds` | wall seconds until the answer, including the encoding, without the start of the process |
//! | `peak_rss_kib` | peak resident memory of the process, or of its whole group, in KiB |
//! | `version`, `commit` | version and commit of this program; for a modified tree a `+` and a checksum of the sources follow |
//! | `solver` | name and version of the answering program |
//! | `machine` | checksum of processor, memory and system; times of different machines must not be mixed |
//!
//! Figures of a run that ended at a limit are lower bounds. Unknown values are empty, never 0; in JSON they are `null`.

use std::fmt;
use std::ops::{Deref, DerefMut};
use std::str::FromStr;
use std::time::Duration;

use hamcnf_graph::Named;
use num_bigint::BigUint;
use serde::ser::SerializeStruct;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use serde_json::{Map, Value};

use crate::machine;
use crate::method::Method;
pub use crate::run::{NotACounter, NotANumber, Number, Statistics, Status};
use crate::run::{RunResult, seconds};
use hamcnf_graph::limits::Limits;

/// Version of the row format.
pub const SCHEMA: u32 = 3;

/// Error for a record of another schema.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("schema {0} is not supported, only schema {SCHEMA}; make the rows again")]
pub struct OtherSchema(pub u32);

/// Record of one run. Only the columns are serialized.
#[derive(Clone, Debug, Deserialize)]
pub struct Record {
    #[serde(flatten)]
    pub asked: Request,
    #[serde(flatten)]
    pub result: RunResult,
    #[serde(flatten)]
    pub made: Origin,
}

/// Question, method, seed and limits of a run.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub struct Request {
    #[serde(deserialize_with = "known_schema")]
    pub schema: u32,
    pub question: String,
    #[serde(deserialize_with = "text_or_nothing::deserialize")]
    pub graph_crc32: String,
    #[serde(deserialize_with = "method_of_a_row")]
    pub method: Method,
    pub seed: u64,
    #[serde(deserialize_with = "seconds")]
    pub wall_limit: Option<f64>,
    #[serde(deserialize_with = "seconds")]
    pub cpu_limit: Option<f64>,
    pub memory_limit: Option<u64>,
    pub conflict_limit: Option<u64>,
}

/// Program and machine that made a record.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub struct Origin {
    pub version: String,
    pub commit: String,
    pub solver: String,
    pub machine: String,
}

impl Deref for Record {
    type Target = RunResult;

    fn deref(&self) -> &RunResult {
        &self.result
    }
}

impl DerefMut for Record {
    fn deref_mut(&mut self) -> &mut RunResult {
        &mut self.result
    }
}

impl Origin {
    /// Returns the version and the commit of the program.
    pub fn build(&self) -> String {
        format!("{} ({})", self.version, self.commit)
    }
}

/// Calls a macro with the columns of a result, in their order.
macro_rules! of_result {
    ($with:ident) => {
        $with!(
            status,
            value,
            message,
            variables,
            clauses,
            statistics,
            encode_seconds,
            solve_seconds,
            cpu_seconds,
            wall_seconds,
            peak_rss_kib
        )
    };
}

/// Writes the columns in this order: as one flat struct, because a row of CSV cannot have structs as cells.
impl Serialize for Record {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        macro_rules! number {
            ($($name:ident),*) => { [$(stringify!($name)),*].len() };
        }
        let mut row = to.serialize_struct("Record", 13 + of_result!(number))?;
        macro_rules! columns {
            ($part:ident: $($name:ident),*) => {$(row.serialize_field(stringify!($name), &self.$part.$name)?;)*};
        }
        macro_rules! results {
            ($($name:ident),*) => { columns!(result: $($name),*) };
        }
        columns!(asked: schema, question);
        row.serialize_field("graph_crc32", &Some(&self.asked.graph_crc32).filter(|crc32| !crc32.is_empty()))?;
        columns!(asked: method, seed, wall_limit, cpu_limit, memory_limit, conflict_limit);
        of_result!(results);
        columns!(made: version, commit, solver, machine);
        row.end()
    }
}

/// Two records are equal if their columns are equal.
impl PartialEq for Record {
    fn eq(&self, other: &Self) -> bool {
        self.columns() == other.columns()
    }
}

/// Conclusion about a question. A run or a publication can state one.
#[derive(Clone, PartialEq, Debug)]
pub enum Conclusion {
    /// A tour exists.
    Tour,
    /// No tour exists.
    NoTour,
    /// Exact number of tours or placements.
    Count(BigUint),
    /// Estimated number of tours or placements.
    Estimate(f64),
}

impl fmt::Display for Conclusion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tour => f.write_str(TOUR),
            Self::NoTour => f.write_str(NO_TOUR),
            Self::Count(count) => count.fmt(f),
            Self::Estimate(estimate) => write!(f, "{ABOUT}{estimate:e}"),
        }
    }
}

const TOUR: &str = "tour";
const NO_TOUR: &str = "no tour";
const ABOUT: &str = "about ";

/// Error for a text that is not a conclusion.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("\"{0}\" is not an answer; write \"{TOUR}\", \"{NO_TOUR}\", a count, or \"{ABOUT}NUMBER\"")]
pub struct NotAConclusion(String);

impl FromStr for Conclusion {
    type Err = NotAConclusion;

    fn from_str(text: &str) -> Result<Self, NotAConclusion> {
        let found = match (text, text.strip_prefix(ABOUT)) {
            (TOUR, _) => Some(Self::Tour),
            // Tables write `no tour`, rows write `no-tour`.
            (NO_TOUR | "no-tour", _) => Some(Self::NoTour),
            (_, Some(about)) => about.parse().ok().map(Self::Estimate),
            (count, None) => count.parse().ok().map(Self::Count),
        };
        found.ok_or_else(|| NotAConclusion(text.to_owned()))
    }
}

/// Key that identifies the run of a record: question, graph, method, seed and limits.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Key {
    pub question: String,
    /// Checksum of the question's graph; empty for a board.
    pub graph: String,
    pub method: String,
    pub seed: u64,
    pub limits: Limits,
}

impl Key {
    /// Returns the key without the limits.
    pub fn without_limits(self) -> Self {
        Self { limits: Limits::default(), ..self }
    }

    /// Returns the key without the checksum of the graph.
    pub fn without_graph(self) -> Self {
        Self { graph: String::new(), ..self }
    }

    /// Returns the limits in words, separated by commas; empty if there are none.
    pub fn limits_in_words(&self) -> String {
        let limits = &self.limits;
        let seconds =
            |what: &str, limit: Option<Duration>| limit.map(|limit| format!("{what} {} s", limit.as_secs_f64()));
        let words = [
            seconds("wall", limits.wall),
            seconds("cpu", limits.cpu),
            limits.memory.map(|bytes| format!("memory {bytes} bytes")),
            limits.conflicts.map(|many| format!("conflicts {many}")),
        ];
        words.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { question, graph, method, seed, .. } = self;
        write!(f, "{question}, {method}, seed {seed}")?;
        if !graph.is_empty() {
            write!(f, ", graph {graph}")?;
        }
        let limits = self.limits_in_words();
        let comma = if limits.is_empty() { "" } else { ", " };
        write!(f, "{comma}{limits}")
    }
}

impl Record {
    /// Returns the record of a run on this machine, before the run has a result.
    pub fn new(question: &str, graph_crc32: &str, method: &Method, seed: u64, limits: &Limits) -> Self {
        let seconds = |limit: Option<Duration>| limit.map(|limit| limit.as_secs_f64());
        Self {
            asked: Request {
                schema: SCHEMA,
                question: question.to_owned(),
                graph_crc32: graph_crc32.to_owned(),
                method: method.clone(),
                seed,
                wall_limit: seconds(limits.wall),
                cpu_limit: seconds(limits.cpu),
                memory_limit: limits.memory,
                conflict_limit: limits.conflicts,
            },
            result: RunResult::default(),
            made: Origin {
                version: machine::VERSION.to_owned(),
                commit: machine::commit().to_owned(),
                solver: method.solver(),
                machine: machine::id().to_owned(),
            },
        }
    }

    /// Returns the record with this result.
    pub fn with_result(mut self, result: RunResult) -> Self {
        if let Some(solver) = &result.program {
            self.made.solver.clone_from(solver);
        }
        self.result = result;
        self.result.complete |= self.result.status == Status::NoTour;
        self
    }

    /// Returns the record with its columns alone.
    pub fn without_details(&self) -> Self {
        macro_rules! copied {
            ($($name:ident),*) => { RunResult { $($name: self.result.$name.clone(),)* ..RunResult::default() } };
        }
        let result = of_result!(copied);
        Self { asked: self.asked.clone(), result, made: self.made.clone() }
    }

    /// Returns the columns by name, as a JSON object.
    pub fn columns(&self) -> Map<String, Value> {
        match serde_json::to_value(self) {
            Ok(Value::Object(columns)) => columns,
            // A record has named fields, so its JSON is always an object.
            _ => Map::new(),
        }
    }

    /// Returns the key of the run.
    pub fn key(&self) -> Key {
        Key {
            question: self.asked.question.clone(),
            graph: self.asked.graph_crc32.clone(),
            method: self.asked.method.to_string(),
            seed: self.asked.seed,
            limits: self.limits(),
        }
    }

    /// Returns the limits of the run.
    pub fn limits(&self) -> Limits {
        let duration = |seconds: Option<f64>| Duration::try_from_secs_f64(seconds?).ok();
        Limits {
            wall: duration(self.asked.wall_limit),
            cpu: duration(self.asked.cpu_limit),
            memory: self.asked.memory_limit,
            conflicts: self.asked.conflict_limit,
        }
    }

    /// Returns the record with this status and message.
    pub fn ended(self, status: Status, message: impl Into<String>) -> Self {
        Self { result: self.result.ended(status, message), ..self }
    }

    /// Returns the record with this status and number.
    pub fn with_value(self, status: Status, value: impl Into<Number>) -> Self {
        Self { result: self.result.with_value(status, value), ..self }
    }

    /// Returns the exact count; `None` if the status is not `Count`.
    pub fn count(&self) -> Option<BigUint> {
        match self.status {
            Status::Count => self.whole().cloned(),
            _ => None,
        }
    }

    /// Returns the whole number in `value`, regardless of the status.
    pub fn whole(&self) -> Option<&BigUint> {
        match &self.value {
            Some(Number::Whole(whole)) => Some(whole),
            _ => None,
        }
    }

    /// Returns the conclusion, if the run has one.
    pub fn outcome(&self) -> Option<Conclusion> {
        match self.status {
            Status::Tour => Some(Conclusion::Tour),
            Status::NoTour => Some(Conclusion::NoTour),
            Status::Count => self.count().map(Conclusion::Count),
            Status::Estimate => self.number().map(Conclusion::Estimate),
            _ => None,
        }
    }

    /// Returns the count or the estimate as a floating-point number.
    pub fn number(&self) -> Option<f64> {
        match self.status {
            Status::Count | Status::Estimate => self.value.as_ref().map(Number::as_f64),
            _ => None,
        }
    }

    /// Describes the result in words.
    pub fn said(&self) -> String {
        match self.status {
            Status::Tour => TOUR.to_owned(),
            Status::NoTour => NO_TOUR.to_owned(),
            Status::Count => self.value_text(),
            Status::Estimate => {
                let number = self.number().unwrap_or(f64::NAN);
                format!("{ABOUT}{number:.4e}")
            }
            Status::AtLeast => format!("at least {}", self.value_text()),
            Status::Residue => format!("{} {}", self.value_text(), self.message),
            Status::Size => "size".to_owned(),
            status if self.message.is_empty() => status.as_str().replace('-', " "),
            _ => self.message.clone(),
        }
    }

    fn value_text(&self) -> String {
        self.value.as_ref().map_or_else(String::new, ToString::to_string)
    }

    /// Returns the minimum and the maximum number of tours that are consistent with the record. The maximum is `None`
    /// if there is no upper bound.
    fn bounds(&self) -> (BigUint, Option<BigUint>) {
        let number = || self.whole().cloned();
        match self.status {
            Status::Tour => (1u8.into(), None),
            Status::NoTour => (BigUint::ZERO, Some(BigUint::ZERO)),
            Status::Count => (number().unwrap_or_default(), number()),
            Status::AtLeast => (number().unwrap_or_default(), None),
            _ => (BigUint::ZERO, None),
        }
    }

    /// True if the two records cannot both be right about the same question.
    pub fn contradicts(&self, other: &Self) -> bool {
        let ((least, most), (other_least, other_most)) = (self.bounds(), other.bounds());
        most.is_some_and(|most| most < other_least) || other_most.is_some_and(|most| most < least)
    }
}

/// Deserializes the schema number of a row, which must be [`SCHEMA`].
fn known_schema<'de, D: Deserializer<'de>>(from: D) -> Result<u32, D::Error> {
    match u32::deserialize(from)? {
        SCHEMA => Ok(SCHEMA),
        other => Err(de::Error::custom(OtherSchema(other))),
    }
}

/// Serialization of a text that may be empty; an empty text is `null` in JSON.
pub(crate) mod text_or_nothing {
    use super::*;

    pub(crate) fn serialize<S: Serializer>(text: &str, to: S) -> Result<S::Ok, S::Error> {
        Some(text).filter(|text| !text.is_empty()).serialize(to)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
        Ok(Option::<String>::deserialize(from)?.unwrap_or_default())
    }
}

/// Deserializes the method that a row names. The method's engine may be unknown on this machine.
fn method_of_a_row<'de, D: Deserializer<'de>>(from: D) -> Result<Method, D::Error> {
    Method::of_a_row(&String::deserialize(from)?).map_err(de::Error::custom)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(status: Status, value: &str) -> Record {
        let method = "exact".parse().unwrap();
        let mut record = Record::new("8x8", "", &method, 1, &Limits::default());
        (record.status, record.value) = (status, value.parse().ok());
        record
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
        whole.statistics.set("states", 7);
        whole.statistics.set("width", 16);
        whole.statistics.set("states", 8);
        whole.message = "a, \"b\"".to_owned();
        whole.wall_seconds = Some(0.25);
        whole.asked.memory_limit = Some(1 << 40);
        assert_eq!(whole.statistics.to_string(), "states=8 width=16");
        assert_eq!(whole.statistics.get("width"), Some(16u64));
        assert_eq!(whole.statistics.get::<u64>("nodes"), None);
        let mut csv = csv::Writer::from_writer(Vec::new());
        csv.serialize(&whole).unwrap();
        let csv = csv.into_inner().unwrap();
        let mut reader = csv::Reader::from_reader(&*csv);
        let heading = reader.headers().unwrap().clone();
        let row = reader.records().next().unwrap().unwrap();
        let (asked, result) = (row.deserialize(Some(&heading)).unwrap(), row.deserialize(Some(&heading)).unwrap());
        assert_eq!(Record { asked, result, made: row.deserialize(Some(&heading)).unwrap() }, whole);
        let json = serde_json::to_string(&whole).unwrap();
        assert_eq!(serde_json::from_str::<Record>(&json).unwrap(), whole);
        for schema in [1, 99] {
            let other = json.replace("\"schema\":3", &format!("\"schema\":{schema}"));
            let error = serde_json::from_str::<Record>(&other).unwrap_err().to_string();
            let message = format!("schema {schema} is not supported, only schema 3; make the rows again");
            assert!(error.starts_with(&message), "{error}");
        }
    }

    #[test]
    fn answers_are_read_as_they_are_written() {
        for number in [
            Number::from(0u64),
            Number::Whole("4861943174181138724903568742746024250554974208".parse().unwrap()),
            Number::Real(9862.0),
            Number::Real(0.1),
            Number::Real(1.3e21),
        ] {
            assert_eq!(number.to_string().parse(), Ok(number));
        }
        for wrong in ["", "-1", "many", "NaN"] {
            assert!(wrong.parse::<Number>().is_err(), "{wrong}");
            assert!(wrong.parse::<Conclusion>().is_err(), "{wrong}");
        }
        for outcome in
            [Conclusion::Tour, Conclusion::NoTour, Conclusion::Count(9862u32.into()), Conclusion::Estimate(1.25e30)]
        {
            assert_eq!(outcome.to_string().parse(), Ok(outcome));
        }
        assert_eq!(of("tour").outcome(), Some(Conclusion::Tour));
        assert_eq!(of("5").outcome(), "5".parse().ok());
        assert_eq!(of("at least 5").outcome(), None);
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
            // The two counts would be equal as floating-point numbers.
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
        others[0].asked.question = "8x8 from b1".to_owned();
        others[1].asked.seed = 2;
        others[2].asked.wall_limit = Some(1.0);
        others[3].asked.cpu_limit = Some(1.0);
        others[4].asked.graph_crc32 = "0badcafe".to_owned();
        let mut keys: Vec<_> = others.iter().chain([&one]).map(Record::key).collect();
        keys.sort();
        keys.dedup();
        assert_eq!(keys.len(), 6);
        assert_eq!(of("5").key(), of("tour").key());
    }
}
