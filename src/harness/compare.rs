//! One question, answered in every way there is: each in a process of its own, so that times and memory are its
//! own, with a row that says what came out and what it took.
//!
//! Tours that come back are checked once more here, all by the same check, whichever way they were found.

use std::path::Path;

use hamcnf_encodings::{Instance, Named, Queens, Tour, Vertex};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::child::{self, Ended};
use super::results::Earlier;
use super::way::Way;
use crate::count::queens;

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// With the answer of its method.
    Answered,
    /// At a limit, by giving up, or by refusing. Its figures are lower bounds.
    Stopped,
    /// The process failed, or its tour is none.
    Failed,
}

/// One run, as a row.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Record {
    /// The board, or how many queens.
    pub instance: String,
    /// Closed or open; empty for queens.
    pub tours: String,
    /// The start's name; empty for queens.
    pub start: String,
    /// The encoding or method.
    pub method: String,
    /// What that is: encoding, search, count, placements.
    pub kind: String,
    /// Wall seconds that were allowed.
    pub time_limit: f64,
    /// How it ended.
    pub status: Status,
    /// A tour, no tour, or how many; if there is no answer, why.
    pub answer: String,
    /// What was done, in the unit of the method.
    pub effort: Option<u64>,
    /// That unit: conflicts, nodes of a search, states, nodes of a diagram.
    pub unit: String,
    /// Variables of the formula, if there is one.
    pub variables: Option<u64>,
    /// Its clauses, units included.
    pub clauses: Option<u64>,
    /// Wall seconds, encoding included.
    pub wall_seconds: f64,
    /// The most memory the process had resident, in KiB.
    pub peak_kib: Option<u64>,
}

/// The exit code for what cannot be asked.
const REFUSED: i32 = 2;

/// What is run; the rest of its record is measured.
#[derive(Clone, Debug)]
pub struct Run {
    blank: Record,
    args: Vec<String>,
    /// What tours are held against.
    instance: Option<Instance>,
}

impl Run {
    /// A way to answer a question about tours.
    #[must_use]
    pub fn tours(instance: &Instance, way: Way, time_limit: f64) -> Self {
        Self {
            blank: Record {
                instance: instance.name().to_owned(),
                tours: instance.kind().to_string(),
                start: instance.vertex_name(instance.start()),
                method: way.to_string(),
                kind: way.kind().to_owned(),
                ..Record::blank(time_limit)
            },
            args: way.args(instance, time_limit),
            instance: Some(instance.clone()),
        }
    }

    /// A way to count placements of queens.
    #[must_use]
    pub fn queens(queens: &Queens, method: queens::Method, time_limit: f64) -> Self {
        let n = queens.n().to_string();
        let limit = time_limit.to_string();
        let words = [
            "queens",
            &n,
            "count",
            "--method",
            method.as_str(),
            "--time-limit",
            &limit,
            "--json",
        ];
        Self {
            blank: Record {
                instance: queens.to_string(),
                method: method.to_string(),
                kind: "placements".to_owned(),
                ..Record::blank(time_limit)
            },
            args: words.map(str::to_owned).to_vec(),
            instance: None,
        }
    }

    /// Whether a record is of this run.
    #[must_use]
    pub fn is_of(&self, record: &Record) -> bool {
        let what = |r: &Record| {
            let words = [&r.instance, &r.tours, &r.start, &r.method, &r.kind].map(String::clone);
            (words, r.time_limit.to_bits())
        };
        what(&self.blank) == what(record)
    }

    /// The run in words.
    #[must_use]
    pub fn name(&self) -> String {
        format!("{}, {}", self.blank.question(), self.blank.method)
    }

    /// Runs `hamcnf` in a process of its own and takes its answer.
    #[must_use]
    pub fn in_child(&self, hamcnf: &Path) -> Record {
        let failed = |answer: String| Record {
            status: Status::Failed,
            answer,
            ..self.blank.clone()
        };
        match child::run(hamcnf, &self.args, Some(self.blank.time_limit)) {
            Ended::Failed(message) => failed(message),
            Ended::Killed { wall } => Record {
                answer: "was killed, as it did not keep its time limit".to_owned(),
                wall_seconds: wall.as_secs_f64(),
                ..self.blank.clone()
            },
            Ended::Itself {
                status,
                output,
                messages,
            } => match serde_json::from_str::<Value>(&output) {
                Ok(json) => self.answered(&json).unwrap_or_else(failed),
                // What a method is not for is refused in one line.
                Err(_) if status.code() == Some(REFUSED) => Record {
                    answer: messages.trim().trim_start_matches("hamcnf: ").to_owned(),
                    ..self.blank.clone()
                },
                Err(_) => failed(format!("{status}: {}", messages.trim())),
            },
        }
    }

    /// Checks a tour that was printed.
    fn check(&self, json: &Value) -> Result<(), String> {
        let order = json["order"].as_array().map(|order| {
            let vertices = order.iter().map(|v| u32::try_from(v.as_u64()?).ok());
            vertices
                .map(|v| v.map(Vertex::new))
                .collect::<Option<Vec<_>>>()
        });
        let (Some(instance), Some(Some(order))) = (&self.instance, order) else {
            return Err("a tour without its order".to_owned());
        };
        let checked = Tour::check(instance, order);
        checked.map(drop).map_err(|wrong| wrong.to_string())
    }

    /// The record of what was printed with `--json`; what is wrong with it, if it is no answer.
    fn answered(&self, json: &Value) -> Result<Record, String> {
        let number = |key: &str| json[key].as_u64();
        let text = |key: &str| json[key].as_str().map(str::to_owned);
        let (status, answer) = match text("status").as_deref() {
            Some("tour") => {
                self.check(json)?;
                (Status::Answered, "tour".to_owned())
            }
            Some("no-tour") => (Status::Answered, "no tour".to_owned()),
            Some("timeout") => (Status::Stopped, "time limit".to_owned()),
            Some(_) => (Status::Stopped, text("reason").unwrap_or_default()),
            None => counted(json)?,
        };
        let efforts = [
            ("conflicts", "conflicts"),
            ("generated_states", "states"),
            ("peak_nodes", "diagram nodes"),
            (
                "nodes",
                if self.blank.kind == "search" {
                    "nodes"
                } else {
                    "diagram nodes"
                },
            ),
        ];
        let effort = efforts
            .iter()
            .find_map(|(key, unit)| Some((number(key)?, *unit)));
        let counter = &json["counter"];
        let of_formula = |key: &str| number(key).or_else(|| counter[key].as_u64());
        Ok(Record {
            status,
            answer,
            effort: effort.map(|(value, _)| value),
            unit: effort.map_or("", |(_, unit)| unit).to_owned(),
            variables: of_formula("variables"),
            clauses: of_formula("clauses"),
            wall_seconds: json["wall_seconds"]
                .as_f64()
                .or(json["seconds"].as_f64())
                .unwrap_or(0.0),
            peak_kib: number("peak_kib"),
            ..self.blank.clone()
        })
    }
}

/// The answer of `hamcnf count --json`.
fn counted(json: &Value) -> Result<(Status, String), String> {
    let complete = json["complete"] == true;
    let estimate = json["estimate"]
        .as_f64()
        .map(|value| format!("about {value:.4e}"));
    let count = match &json["count"] {
        Value::Number(count) if json["estimated"] == true => Some(format!("about {count}")),
        Value::Number(count) => Some(count.to_string()),
        _ => None,
    };
    match (complete, estimate.or(count), json["stopped"].as_str()) {
        (true, Some(answer), _) => Ok((Status::Answered, answer)),
        (false, Some(found), _) => Ok((Status::Stopped, format!("at least {found}"))),
        (false, None, Some(why)) => Ok((Status::Stopped, why.to_owned())),
        _ => Err("the output has no answer".to_owned()),
    }
}

impl Record {
    fn blank(time_limit: f64) -> Self {
        Self {
            instance: String::new(),
            tours: String::new(),
            start: String::new(),
            method: String::new(),
            kind: String::new(),
            time_limit,
            status: Status::Stopped,
            answer: String::new(),
            effort: None,
            unit: String::new(),
            variables: None,
            clauses: None,
            wall_seconds: 0.0,
            peak_kib: None,
        }
    }

    /// The question in words.
    #[must_use]
    pub fn question(&self) -> String {
        let Self {
            instance,
            tours,
            start,
            ..
        } = self;
        match tours.is_empty() {
            true => instance.clone(),
            false => format!("{instance}, {tours} tours from {start}"),
        }
    }
}

/// What becomes of an earlier record when a run is resumed.
#[must_use]
pub fn earlier(record: &Record, runs: &[Run]) -> Earlier {
    if !runs.iter().any(|run| run.is_of(record)) {
        let (question, method) = (record.question(), &record.method);
        return Earlier::Foreign(format!("{question}, {method} is not in the experiment"));
    }
    match record.status {
        Status::Failed => Earlier::Again,
        Status::Answered | Status::Stopped => Earlier::Keep,
    }
}

/// What is wrong with the answers to one question: runs that failed, and answers that contradict each other.
#[must_use]
pub fn faults(records: &[&Record]) -> Vec<String> {
    let failed = records.iter().filter(|r| r.status == Status::Failed);
    let mut faults: Vec<_> = failed
        .map(|r| format!("{}, {}: {}", r.question(), r.method, r.answer))
        .collect();
    // A tour and a count above 0 agree; estimates are not held against anything.
    let answered = records.iter().filter(|r| r.status == Status::Answered);
    let exact: Vec<_> = answered
        .filter(|r| !r.answer.starts_with("about"))
        .collect();
    let none = |r: &Record| matches!(r.answer.as_str(), "no tour" | "0");
    let counts: Vec<_> = exact
        .iter()
        .filter(|r| r.answer.parse::<f64>().is_ok())
        .collect();
    let split = |all: &[&&&Record], same: &dyn Fn(&Record, &Record) -> bool| {
        let first = all.first()?;
        let other = all.iter().find(|r| !same(first, r))?;
        Some(format!(
            "{}: {} says {}, and {} says {}",
            first.question(),
            first.method,
            first.answer,
            other.method,
            other.answer
        ))
    };
    let all: Vec<_> = exact.iter().collect();
    faults.extend(split(&all, &|a, b| none(a) == none(b)));
    let counts: Vec<_> = counts.into_iter().collect();
    faults.extend(split(&counts, &|a, b| a.answer == b.answer));
    faults
}
