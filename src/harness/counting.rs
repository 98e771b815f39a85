//! Counting by several methods, one child process a run: the paper's Table 2, and what it leaves open.

use std::fmt;

use hamcnf_encodings::{Encoding, Projection, TourKind};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::cell::{orientation, recorded};
use super::child::{self, Ended, Host};
use super::plan::count::{CountEntry, CountPlan, CountQuestion};
use super::results::Earlier;
use crate::count::Method;
use crate::count::external::{Counter, Fetch};

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// With an answer.
    Counted,
    /// Stopped at the time limit. A censored row: it has no answer, and took longer.
    Timeout,
    /// Stopped by something else than time: memory that was not enough, a sample that found nothing. It has no
    /// answer either.
    Stopped,
    /// The process failed.
    Failed,
}

/// One run, as a row. Cells that a method does not have are empty.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Record {
    /// The board.
    pub instance: String,
    /// Closed or open.
    pub tours: String,
    /// The start's name; empty for open tours from any square.
    pub start: String,
    /// The method.
    pub method: String,
    /// The encoding.
    pub encoding: String,
    /// Its orientation; empty for open tours, and in rows from before it was recorded.
    #[serde(default)]
    pub orientation: String,
    /// The projection set.
    pub projection: String,
    /// ApproxMC's tolerance.
    pub epsilon: Option<f64>,
    /// ApproxMC's confidence.
    pub delta: Option<f64>,
    /// How many states `sample` keeps of a layer, where the plan says it.
    #[serde(default)]
    pub states: Option<u32>,
    /// The seed.
    pub seed: Option<u32>,
    /// Wall seconds that were allowed.
    pub time_limit: f64,
    /// How it ended.
    pub status: Status,
    /// Tours, if the method counts exactly. Closed tours are undirected, open ones directed.
    pub count: String,
    /// Tours, if it estimates.
    pub estimate: Option<f64>,
    /// The estimate's standard error, where the method has one.
    pub standard_error: Option<f64>,
    /// Values of the projection set in models, counted or estimated.
    pub values: String,
    /// How many of these values each tour has, if the set tells the tours apart.
    pub models_per_tour: Option<u32>,
    /// Variables of the formula.
    pub variables: Option<u64>,
    /// Clauses of the formula.
    pub clauses: Option<u64>,
    /// Variables of the projection set.
    pub projected_variables: Option<u64>,
    /// Wall seconds of the count.
    pub wall_seconds: f64,
    /// CPU seconds of a model counter.
    pub cpu_seconds: Option<f64>,
    /// The program that answered and its version; hamcnf itself where a counter had no time to answer.
    pub program: String,
    /// Why it was stopped, if it was.
    #[serde(default)]
    pub stopped: String,
}

/// What is run; the rest of its record is measured.
#[derive(Clone, PartialEq, Debug)]
pub struct Run {
    instance: String,
    tours: TourKind,
    start: String,
    method: Method,
    encoding: Option<Encoding>,
    projection: Option<Projection>,
    epsilon: f64,
    delta: f64,
    states: Option<u32>,
    seed: Option<u32>,
    time_limit: f64,
}

/// A word that may be left out.
fn text(value: Option<impl ToString>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

impl fmt::Display for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.args().join(" "))
    }
}

impl Run {
    fn record(&self, status: Status) -> Record {
        let is_approximate = self.method == Method::Approxmc;
        Record {
            instance: self.instance.clone(),
            tours: self.tours.to_string(),
            start: self.start.clone(),
            method: self.method.to_string(),
            encoding: text(self.encoding.as_ref()),
            orientation: text(
                self.encoding
                    .as_ref()
                    .map(|encoding| orientation(self.tours, encoding)),
            ),
            projection: text(self.projection.as_ref()),
            states: self.states,
            epsilon: is_approximate.then_some(self.epsilon),
            delta: is_approximate.then_some(self.delta),
            seed: self.seed,
            time_limit: self.time_limit,
            status,
            count: String::new(),
            estimate: None,
            standard_error: None,
            values: String::new(),
            models_per_tour: None,
            variables: None,
            clauses: None,
            projected_variables: None,
            wall_seconds: 0.0,
            cpu_seconds: None,
            program: String::new(),
            stopped: String::new(),
        }
    }

    /// Whether a record is of this run.
    #[must_use]
    pub fn is_of(&self, record: &Record) -> bool {
        let ours = self.record(record.status);
        let what = |r: &Record| {
            let words = [
                &r.instance,
                &r.tours,
                &r.start,
                &r.method,
                &r.encoding,
                &recorded(&r.orientation, &r.encoding, &r.tours),
                &r.projection,
            ];
            (
                words.map(String::clone),
                (r.epsilon, r.delta),
                (r.states, r.seed),
                r.time_limit,
            )
        };
        what(&ours) == what(record)
    }

    fn args(&self) -> Vec<String> {
        let mut args = vec!["count".to_owned(), self.instance.clone()];
        if self.tours == TourKind::Open {
            args.push("--open".to_owned());
        }
        let mut option = |name: &str, value: String| {
            if !value.is_empty() {
                args.extend([name.to_owned(), value]);
            }
        };
        option("--start", self.start.clone());
        option("--method", self.method.to_string());
        let Record {
            encoding,
            projection,
            ..
        } = self.record(Status::Failed);
        option("--encoding", encoding);
        option("--project", projection);
        option("--seed", text(self.seed));
        option("--states", text(self.states));
        if self.method == Method::Approxmc {
            option("--epsilon", self.epsilon.to_string());
            option("--delta", self.delta.to_string());
        }
        option("--time-limit", self.time_limit.to_string());
        args.push("--json".to_owned());
        args
    }

    /// The model counter that it needs.
    #[must_use]
    pub fn counter(&self) -> Option<Counter> {
        self.method.counter()
    }

    /// Runs `hamcnf count` in a process of its own and takes its answer, with the message of one that
    /// failed. Without a record it was stopped.
    pub fn in_child(&self, host: &Host) -> Option<(Record, Option<String>)> {
        let failed = |message: String| (self.record(Status::Failed), Some(message));
        let mut args = self.args();
        if self.counter().is_some() && host.fetch == Fetch::Never {
            args.push("--offline".to_owned());
        }
        Some(match child::run(host, &args, &[], Some(self.time_limit)) {
            Ended::Stopped => return None,
            Ended::Failed(message) => failed(message),
            Ended::Killed { wall } => {
                let mut record = self.record(Status::Timeout);
                record.wall_seconds = wall.as_secs_f64();
                (record, None)
            }
            Ended::Itself {
                status,
                output,
                messages,
            } => match serde_json::from_str::<Value>(&output) {
                Ok(json) => (self.answered(&json), None),
                Err(_) => failed(format!("{status}: {}", messages.trim())),
            },
        })
    }

    /// The record of what `hamcnf count --json` printed.
    fn answered(&self, json: &Value) -> Record {
        let (counter, projected) = (&json["counter"], &json["projected"]);
        let status = match (json["complete"] == true, json["limit"] == "time") {
            (true, _) => Status::Counted,
            (false, true) => Status::Timeout,
            (false, false) => Status::Stopped,
        };
        let digits = |value: &Value| match value {
            Value::Number(number) => number.to_string(),
            _ => String::new(),
        };
        let values = if projected.is_object() {
            &projected["values"]
        } else {
            &counter["values"]
        };
        let per_tour = if projected.is_object() {
            projected
        } else {
            counter
        };
        let program = ["program", "version"].map(|key| counter[key].as_str().unwrap_or_default());
        Record {
            count: if status == Status::Counted {
                digits(&json["count"])
            } else {
                String::new()
            },
            estimate: json["estimate"].as_f64(),
            standard_error: json["standard_error"].as_f64(),
            values: digits(values),
            models_per_tour: per_tour["models_per_tour"].as_u64().map(|k| k as u32),
            variables: counter["variables"].as_u64(),
            clauses: counter["clauses"].as_u64(),
            projected_variables: counter["projected_variables"].as_u64(),
            wall_seconds: counter["wall_seconds"]
                .as_f64()
                .or(json["seconds"].as_f64())
                .unwrap_or(0.0),
            cpu_seconds: counter["cpu_seconds"].as_f64(),
            program: if counter.is_object() {
                program.join(" ").trim().to_owned()
            } else {
                concat!("hamcnf ", env!("CARGO_PKG_VERSION")).to_owned()
            },
            stopped: match (status, json["stopped"].as_str()) {
                (Status::Stopped, Some(why)) => why.to_owned(),
                _ => String::new(),
            },
            ..self.record(status)
        }
    }
}

impl Record {
    /// The tours that it counted or estimated.
    #[must_use]
    pub fn answer(&self) -> Option<f64> {
        self.estimate.or_else(|| self.count.parse().ok())
    }

    /// The tours that an exact counter would report on its projection set, where its values were counted
    /// exactly.
    #[must_use]
    pub fn on_this_set(&self) -> Option<f64> {
        let values: f64 = self.values.parse().ok()?;
        Some(values / f64::from(self.models_per_tour?))
    }
}

/// The runs of a plan: questions, then methods, then seeds.
#[must_use]
pub fn runs(plan: &CountPlan) -> Vec<Run> {
    let questions = plan.questions.iter();
    questions
        .flat_map(|question| runs_of(plan, question))
        .collect()
}

/// Those of one question.
#[must_use]
pub fn runs_of(plan: &CountPlan, question: &CountQuestion) -> Vec<Run> {
    let mut runs = Vec::new();
    for entry in &question.counts {
        let seeds: Vec<Option<u32>> = if entry.method.0.is_random() {
            plan.seeds_of(entry).iter().copied().map(Some).collect()
        } else {
            vec![None]
        };
        runs.extend(
            seeds
                .into_iter()
                .map(|seed| run(plan, question, entry, seed)),
        );
    }
    runs
}

/// The run of an entry with one of its seeds.
#[must_use]
pub fn run(
    plan: &CountPlan,
    question: &CountQuestion,
    entry: &CountEntry,
    seed: Option<u32>,
) -> Run {
    Run {
        instance: question.board.to_string(),
        tours: question.kind(),
        start: question.start.clone().unwrap_or_default(),
        method: entry.method.0,
        encoding: entry.encoded(),
        projection: entry.project.clone().map(|word| word.0),
        epsilon: entry.epsilon.unwrap_or(plan.epsilon),
        delta: entry.delta.unwrap_or(plan.delta),
        states: entry.states,
        seed,
        time_limit: entry.time_limit.unwrap_or(plan.time_limit),
    }
}

/// What becomes of an earlier record when a run is resumed.
#[must_use]
pub fn earlier(record: &Record, runs: &[Run]) -> Earlier {
    if !runs.iter().any(|run| run.is_of(record)) {
        return Earlier::Foreign(format!(
            "{} of {} {} is not in the experiment",
            record.method, record.instance, record.tours
        ));
    }
    match record.status {
        Status::Failed => Earlier::Again,
        Status::Counted | Status::Timeout | Status::Stopped => Earlier::Keep,
    }
}

/// What is wrong with the records of one question: failures, and exact methods that disagree.
#[must_use]
pub fn faults(question: &CountQuestion, records: &[&Record]) -> Vec<String> {
    let name = question.name();
    let failed = records.iter().filter(|r| r.status == Status::Failed);
    let mut faults: Vec<_> = failed
        .map(|r| format!("{name}: {} failed", r.method))
        .collect();
    // An estimate on a set that misses tours is no count of tours; exact counts are, whatever their method.
    let exact = records
        .iter()
        .filter(|r| !r.count.is_empty() && r.method != "ganak");
    let mut counts: Vec<_> = exact.map(|r| r.count.as_str()).collect();
    counts.sort_unstable();
    counts.dedup();
    if counts.len() > 1 {
        faults.push(format!(
            "{name}: exact methods disagree: {}",
            counts.join(", ")
        ));
    }
    faults
}
