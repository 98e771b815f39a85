//! One question, answered in every way there is: each in a process of its own, so that times and memory are its
//! own, with a row that says what came out and what it took.
//!
//! Tours that come back are checked once more here, all by the same check, whichever way they were found.

use hamcnf_encodings::formats::{self, Format};
use hamcnf_encodings::{Instance, InstanceError, Named, Queens, Tour, Vertex};
use num_bigint::BigUint;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::answer::Answer;
use super::child::{self, Ended, Host};
use super::place::GraphText;
use super::results::Earlier;
use super::way::Way;
use crate::count::external::{Counter, Fetch};
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
    pub answer: Answer,
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

/// Why a child cannot be given a graph.
#[derive(Debug, thiserror::Error)]
pub enum NotGiven {
    /// It is no question.
    #[error(transparent)]
    Instance(#[from] InstanceError),
    /// It cannot be written.
    #[error(transparent)]
    Graph(#[from] formats::WriteError),
}

/// What is run; the rest of its record is measured.
#[derive(Clone, Debug)]
pub struct Run {
    blank: Record,
    args: Vec<String>,
    /// What the child finds on its standard input.
    input: Vec<u8>,
    /// What tours are held against.
    instance: Option<Instance>,
    /// Why it is not for the question, if it is not.
    refusal: Option<String>,
    /// The model counter that it needs.
    counter: Option<Counter>,
}

impl Run {
    /// A way to answer a question about tours.
    #[must_use]
    pub fn tours(instance: &Instance, way: &Way, time_limit: f64) -> Self {
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
            input: Vec::new(),
            instance: Some(instance.clone()),
            refusal: way.refusal(instance).map(|why| {
                // The row says already what it is about.
                let named = why.strip_prefix(&instance.to_string());
                let rest = named.map(|rest| rest.trim_start_matches([':', ' ']));
                rest.map_or(why.clone(), str::to_owned)
            }),
            counter: way.counter(),
        }
    }

    /// A way to answer a question about a graph that the child cannot read by its name, since it came on standard
    /// input: it gets it on its own.
    ///
    /// # Errors
    ///
    /// [`NotGiven`], which no instance has that can be asked about at all.
    pub fn of_given_graph(
        instance: &Instance,
        way: &Way,
        time_limit: f64,
    ) -> Result<Self, NotGiven> {
        // In this format vertices are numbered from 1, however they were.
        let (graph, name) = (instance.graph(), GraphText::DIMACS_ON_STANDARD_INPUT);
        let (kind, start) = (instance.kind(), instance.start());
        let given = Instance::on_graph(name.to_string(), graph.clone(), kind, start)?;
        let mut input = Vec::new();
        formats::write(Format::Dimacs, graph, &mut input)?;
        Ok(Self {
            args: way.args(&given, time_limit),
            input,
            ..Self::tours(instance, way, time_limit)
        })
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
            input: Vec::new(),
            instance: None,
            refusal: None,
            counter: method.counter(),
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

    /// The model counter that it needs, if it is run at all.
    #[must_use]
    pub fn counter(&self) -> Option<Counter> {
        self.counter.filter(|_| self.refusal.is_none())
    }

    /// Runs `hamcnf` in a process of its own and takes its answer. What a method is known not to be for is not
    /// run. Without a record it was stopped.
    #[must_use]
    pub fn in_child(&self, host: &Host) -> Option<Record> {
        let ended = |status, answer: String| Record {
            status,
            answer: Answer::Unknown(answer),
            ..self.blank.clone()
        };
        if let Some(refusal) = &self.refusal {
            return Some(ended(Status::Stopped, refusal.clone()));
        }
        let mut args = self.args.clone();
        if self.counter.is_some() && host.fetch == Fetch::Never {
            args.push("--offline".to_owned());
        }
        Some(
            match child::run(host, &args, &self.input, Some(self.blank.time_limit)) {
                Ended::Stopped => return None,
                Ended::Failed(message) => ended(Status::Failed, message),
                Ended::Killed { wall } => Record {
                    wall_seconds: wall.as_secs_f64(),
                    ..ended(
                        Status::Stopped,
                        "was killed, as it did not keep its time limit".to_owned(),
                    )
                },
                Ended::Itself {
                    status,
                    output,
                    messages,
                } => match serde_json::from_str::<Printed>(&output) {
                    Ok(printed) => self
                        .answered(printed)
                        .unwrap_or_else(|wrong| ended(Status::Failed, wrong)),
                    Err(_) => ended(Status::Failed, format!("{status}: {}", messages.trim())),
                },
            },
        )
    }

    /// The record of what was printed; what is wrong with it, if it is no answer.
    fn answered(&self, printed: Printed) -> Result<Record, String> {
        let answer = printed.answer()?;
        if let (Answer::Tour, Some(instance)) = (&answer, &self.instance) {
            let order = printed.order.as_deref().ok_or("a tour without its order")?;
            let order = order.iter().copied().map(Vertex::new).collect();
            Tour::check(instance, order).map_err(|wrong| wrong.to_string())?;
        }
        let of_search = self.blank.kind == Way::SEARCH;
        let nodes = if of_search { "nodes" } else { "diagram nodes" };
        let efforts = [
            (printed.conflicts, "conflicts"),
            (printed.generated_states, "states"),
            (printed.peak_nodes, "diagram nodes"),
            (printed.nodes, nodes),
        ];
        let effort = efforts
            .iter()
            .find_map(|&(value, unit)| Some((value?, unit)));
        let formula = printed.counter.unwrap_or(OfFormula {
            variables: printed.variables,
            clauses: printed.clauses,
        });
        Ok(Record {
            status: match answer {
                Answer::AtLeast(_) | Answer::Unknown(_) => Status::Stopped,
                _ => Status::Answered,
            },
            answer,
            effort: effort.map(|(value, _)| value),
            unit: effort.map_or("", |(_, unit)| unit).to_owned(),
            variables: formula.variables,
            clauses: formula.clauses,
            wall_seconds: printed.wall_seconds.or(printed.seconds).unwrap_or(0.0),
            peak_kib: printed.peak_kib,
            ..self.blank.clone()
        })
    }
}

/// What `hamcnf solve`, `tour`, `count` and `queens N count` print with `--json`, as far as it is of interest here.
#[derive(Deserialize)]
struct Printed {
    status: Option<String>,
    reason: Option<String>,
    complete: Option<bool>,
    /// As it was written, since it may be larger than any number of JSON libraries.
    count: Option<Box<RawValue>>,
    estimated: Option<bool>,
    estimate: Option<f64>,
    stopped: Option<String>,
    order: Option<Vec<u32>>,
    conflicts: Option<u64>,
    generated_states: Option<u64>,
    peak_nodes: Option<u64>,
    nodes: Option<u64>,
    variables: Option<u64>,
    clauses: Option<u64>,
    counter: Option<OfFormula>,
    wall_seconds: Option<f64>,
    seconds: Option<f64>,
    peak_kib: Option<u64>,
}

#[derive(Deserialize)]
struct OfFormula {
    variables: Option<u64>,
    clauses: Option<u64>,
}

impl Printed {
    /// The answer; that there is none in it.
    fn answer(&self) -> Result<Answer, String> {
        let count = || -> Option<BigUint> { self.count.as_ref()?.get().parse().ok() };
        let limit = || "time limit".to_owned();
        Ok(match (self.status.as_deref(), self.complete) {
            (Some("tour"), _) => Answer::Tour,
            (Some("no-tour"), _) => Answer::NoTour,
            (Some("timeout"), _) => Answer::Unknown(limit()),
            (Some("not-found"), _) => Answer::Unknown(self.reason.clone().unwrap_or_else(limit)),
            (None, Some(true)) => match (self.estimate, count()) {
                (Some(value), _) => Answer::Estimate(format!("{value:.4e}")),
                (None, Some(n)) if self.estimated == Some(true) => Answer::Estimate(n.to_string()),
                (None, Some(n)) => Answer::Count(n),
                (None, None) => return Err("a count without its number".to_owned()),
            },
            (None, Some(false)) => match (count(), &self.stopped) {
                (Some(n), _) => Answer::AtLeast(n),
                (None, why) => Answer::Unknown(why.clone().unwrap_or_else(limit)),
            },
            _ => return Err("the output has no answer".to_owned()),
        })
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
            answer: Answer::Unknown(String::new()),
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
    // The first contradiction is enough to say that something is wrong.
    let contradiction = records.iter().enumerate().find_map(|(k, a)| {
        let b = records[..k]
            .iter()
            .find(|b| a.answer.contradicts(&b.answer))?;
        Some(format!(
            "{}: {} says {}, and {} says {}",
            a.question(),
            b.method,
            b.answer,
            a.method,
            a.answer
        ))
    });
    faults.extend(contradiction);
    faults
}

#[cfg(test)]
mod tests {
    use super::*;
    use hamcnf_encodings::TourKind;

    fn run(board: &str, way: &str) -> Run {
        let board: hamcnf_encodings::Board = board.parse().unwrap();
        let instance = Instance::on_board(board, TourKind::Open, Vertex::new(0)).unwrap();
        Run::tours(&instance, &way.parse().unwrap(), 1.0)
    }

    fn printed(text: &str) -> Printed {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn counts_are_not_rounded() {
        let large = "4861943174181138724903568742746024250554974208";
        let text = format!(r#"{{"complete": true, "count": {large}, "seconds": 1.5, "nodes": 7}}"#);
        let record = run("3x4", "zdd").answered(printed(&text)).unwrap();
        assert_eq!(record.answer.to_string(), large);
        assert_eq!(
            (record.effort, record.unit.as_str()),
            (Some(7), "diagram nodes")
        );
    }

    #[test]
    fn tours_are_checked_again() {
        let right =
            r#"{"status": "tour", "order": [0, 6, 8, 1, 7, 9, 2, 4, 10, 3, 5, 11], "nodes": 12}"#;
        let record = run("3x4", "backtrack").answered(printed(right)).unwrap();
        assert_eq!(
            (record.status, record.answer),
            (Status::Answered, Answer::Tour)
        );
        assert_eq!(record.unit, "nodes");
        let wrong = right.replace("[0, 6, 8", "[0, 8, 6");
        let why = run("3x4", "backtrack")
            .answered(printed(&wrong))
            .unwrap_err();
        assert!(why.contains("move 1, a1 to a3, is not"), "{why}");
        let none = run("3x4", "backtrack").answered(printed(r#"{"status": "tour"}"#));
        assert_eq!(none.unwrap_err(), "a tour without its order");
        assert!(
            run("3x4", "exact")
                .answered(printed(r#"{"status": "what"}"#))
                .is_err()
        );
    }

    #[test]
    fn limits_are_no_answers_and_failures_no_limits() {
        let stopped = r#"{"complete": false, "stopped": "the memory limit"}"#;
        let record = run("3x4", "exact").answered(printed(stopped)).unwrap();
        assert_eq!(record.status, Status::Stopped);
        let found = r#"{"complete": false, "count": 5}"#;
        let some = run("3x4", "enumerate").answered(printed(found)).unwrap();
        assert_eq!(
            (some.status, some.answer.to_string().as_str()),
            (Status::Stopped, "at least 5")
        );
        // A program that is not hamcnf.
        let host = Host::new("/bin/false".into());
        let failed = run("3x4", "exact").in_child(&host).unwrap();
        assert_eq!(failed.status, Status::Failed);
        assert_eq!(faults(&[&failed]).len(), 1);
        let refused = run("30x30", "exact").in_child(&host).unwrap();
        assert_eq!(refused.status, Status::Stopped);
        assert_eq!(faults(&[&refused]), Vec::<String>::new());
        let none = r#"{"status": "no-tour"}"#;
        let none = run("3x4", "direct").answered(printed(none)).unwrap();
        let said = faults(&[&some_tours(), &none]);
        assert_eq!(
            said,
            ["3x4, open tours from a1: exact says 2, and direct says no tour"]
        );
    }

    fn some_tours() -> Record {
        let two = printed(r#"{"complete": true, "count": 2}"#);
        run("3x4", "exact").answered(two).unwrap()
    }
}
