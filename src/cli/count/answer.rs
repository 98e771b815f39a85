//! What `hamcnf count` prints: a line or two for people, or an object for programs.

use std::io;

use hamcnf::count::frontier::exact::Exact;
use hamcnf::count::frontier::sample::Estimate;
use hamcnf::machine::peak_kib;
use hamcnf::render::terminal;
use hamcnf::{Instance, Named, Obstruction};
use num_bigint::BigUint;
use serde::Serialize;
use serde_json::value::RawValue;

use super::Task;
use crate::cli::complain;
use crate::cli::interrupt::is_interrupted;
use crate::cli::output::{self, Columns, Number};

/// How counting ended.
pub(super) enum Answer {
    /// With a count, in a sentence how it came about, and figures about that.
    Exactly {
        count: BigUint,
        how: String,
        figures: Figures,
    },
    /// With an estimate.
    About {
        estimate: f64,
        how: String,
        figures: Figures,
    },
    /// With a lower bound: the time limit came first.
    AtLeast { count: BigUint, how: String },
    /// With a count for each square.
    ByStart(Vec<BigUint>),
    /// Without one: a limit came first, and what there is to say about it.
    Stopped { limit: Limit, why: String },
}

/// What a count ended at.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Limit {
    Time,
    /// None: it was interrupted.
    Interrupt,
    /// Memory that was reached, or will not do.
    Memory,
    /// A sample that found no tour.
    Sample,
}

/// What is known beside the count. Programs get those that are there.
#[derive(Default, Serialize)]
#[serde(default)]
pub(super) struct Figures {
    #[serde(flatten)]
    pub(super) frontier: Option<Frontier>,
    #[serde(flatten)]
    pub(super) sample: Option<Sample>,
    /// The width of a tree decomposition.
    #[serde(skip_serializing_if = "Option::is_none", rename = "treewidth")]
    pub(super) width: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) nodes: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) peak_nodes: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) obstruction: Option<&'static str>,
    /// That obstruction in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) projected: Option<Projected>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) counter: Option<Counter>,
}

#[derive(Serialize)]
pub(super) struct Frontier {
    /// Vertices on the widest frontier.
    width: usize,
    peak_states: usize,
    peak_bytes: u64,
    generated_states: u64,
}

impl From<&Exact> for Frontier {
    fn from(exact: &Exact) -> Self {
        Self {
            width: exact.width,
            peak_states: exact.peak_states,
            peak_bytes: exact.peak_bytes,
            generated_states: exact.generated,
        }
    }
}

#[derive(Serialize)]
pub(super) struct Sample {
    standard_error: f64,
    /// 95 %.
    interval: (f64, f64),
    repetitions: Vec<f64>,
    states: usize,
    pub(super) seed: u64,
}

impl Sample {
    pub(super) fn new(estimate: &Estimate, task: &Task<'_>) -> Self {
        let factor = f64::from(task.directions());
        Self {
            standard_error: factor * estimate.standard_error,
            interval: (factor * estimate.interval.0, factor * estimate.interval.1),
            repetitions: estimate.repetitions.iter().map(|r| factor * r).collect(),
            states: task.args.states,
            seed: task.args.seed,
        }
    }
}

/// What a projection set has in the models of an encoding.
#[derive(Serialize)]
pub(super) struct Projected {
    pub(super) encoding: String,
    pub(super) projection: String,
    /// Models of the formula.
    pub(super) models: u64,
    /// Different values of the projection set in them.
    pub(super) values: u64,
    /// How many of these values each tour has, if the set tells the tours apart.
    pub(super) models_per_tour: u32,
    /// The values divided by those of each tour: what an exact counter would report as tours.
    pub(super) as_tours: f64,
}

/// What a model counter did.
#[derive(Serialize)]
pub(super) struct Counter {
    pub(super) encoding: String,
    pub(super) projection: String,
    pub(super) projected_variables: Option<usize>,
    pub(super) variables: u32,
    pub(super) clauses: u64,
    /// What it counted: values of the projection set in models.
    pub(super) values: Box<RawValue>,
    /// The same for readers that keep 53 bits of a number.
    pub(super) values_text: String,
    /// How many of these values each tour has, if the set tells the tours apart.
    pub(super) models_per_tour: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) epsilon: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) delta: Option<f64>,
    pub(super) seed: u64,
    pub(super) program: String,
    pub(super) version: Option<String>,
    pub(super) source: String,
    pub(super) cpu_seconds: f64,
    pub(super) wall_seconds: f64,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Json<'a> {
    #[serde(flatten)]
    of: Columns,
    instance: &'a str,
    /// What is counted, in words.
    counted: String,
    /// Whether the method did what it does; if not, `count` is a lower bound or not there.
    complete: bool,
    #[serde(flatten)]
    count: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    estimate: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    by_start: Option<Vec<FromSquare>>,
    /// What it ended at, if not at the answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    limit: Option<Limit>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<&'a str>,
    seconds: f64,
    peak_kib: u64,
    #[serde(flatten)]
    figures: Option<&'a Figures>,
}

#[derive(Serialize)]
struct FromSquare {
    start: String,
    #[serde(flatten)]
    count: Number,
}

impl Answer {
    /// That there is none, as is seen at once.
    pub(super) fn none(found: &Obstruction, instance: &Instance) -> Self {
        let reason = found.said(instance).to_string();
        Self::Exactly {
            count: BigUint::ZERO,
            how: reason.clone(),
            figures: Figures {
                obstruction: Some(found.kind().as_str()),
                reason: Some(reason),
                ..Figures::default()
            },
        }
    }

    /// Whether exactly one tour was counted.
    fn is_one(&self) -> bool {
        matches!(self, Self::Exactly { count, .. } if *count == BigUint::from(1u8))
    }

    pub(super) fn print(&self, task: &Task<'_>) -> anyhow::Result<()> {
        if let (Self::Stopped { why, .. }, false) = (self, task.args.json) {
            let (instance, instead) = (task.instance.name(), task.instead());
            complain(&format!("{instance}: {why}; {instead}"));
            return Ok(());
        }
        let write = |out: &mut dyn io::Write| {
            if task.args.json {
                output::json(out, &self.json(task))
            } else {
                self.text(task, out)
            }
        };
        if task.stdout_is_taken() {
            write(&mut io::stderr())?;
            return Ok(());
        }
        output::print(write)
    }

    fn text(&self, task: &Task<'_>, out: &mut dyn io::Write) -> io::Result<()> {
        let (instance, counted) = (task.instance.name(), task.counted(self.is_one()));
        let seconds = task.began.elapsed().as_secs_f64();
        match self {
            Self::Exactly {
                count,
                how,
                figures,
            } => {
                writeln!(out, "{instance}: {count} {counted} ({how}, {seconds:.1} s)")?;
                if let Some(p) = &figures.projected {
                    writeln!(
                        out,
                        "{}\nprojected on {}: {} different values in {} models, which would be {} tours",
                        p.encoding, p.projection, p.values, p.models, p.as_tours
                    )?;
                }
                Ok(())
            }
            Self::About { estimate, how, .. } => {
                writeln!(
                    out,
                    "{instance}: about {} {counted} ({how}, {seconds:.1} s)",
                    rounded(*estimate)
                )
            }
            Self::AtLeast { count, how } => {
                writeln!(
                    out,
                    "{instance}: at least {count} {counted} ({how}, {seconds:.1} s)\n{}",
                    task.instead()
                )
            }
            Self::ByStart(counts) => {
                let texts: Vec<_> = counts.iter().map(BigUint::to_string).collect();
                let total: BigUint = counts.iter().sum();
                write!(out, "{}", terminal::values(&task.instance, &texts))?;
                writeln!(out, "{instance}: {total} {counted} ({seconds:.1} s)")
            }
            Self::Stopped { .. } => Ok(()),
        }
    }

    fn json<'a>(&'a self, task: &'a Task<'_>) -> Json<'a> {
        let mut json = Json {
            of: Columns::new(task.question.clone(), Some(task.way())),
            instance: task.instance.name(),
            counted: task.counted(false),
            complete: true,
            count: None,
            estimate: None,
            by_start: None,
            limit: None,
            stopped: None,
            seconds: task.began.elapsed().as_secs_f64(),
            peak_kib: peak_kib(),
            figures: None,
        };
        match self {
            Self::Exactly { count, figures, .. } => {
                json.count = Some(Number::from(count));
                json.figures = Some(figures);
            }
            Self::About {
                estimate, figures, ..
            } => {
                json.estimate = Some(*estimate);
                json.figures = Some(figures);
            }
            Self::AtLeast { count, .. } => {
                json.complete = false;
                json.limit = Some(match is_interrupted() {
                    true => Limit::Interrupt,
                    false => Limit::Time,
                });
                json.count = Some(Number::from(count));
            }
            Self::ByStart(counts) => {
                json.count = Some(Number::from(&counts.iter().sum()));
                let vertices = task.instance.graph().vertices();
                let from = vertices.zip(counts).map(|(v, count)| FromSquare {
                    start: task.instance.vertex_name(v),
                    count: Number::from(count),
                });
                json.by_start = Some(from.collect());
            }
            Self::Stopped { limit, why } => {
                json.complete = false;
                json.limit = Some(*limit);
                json.stopped = Some(why);
            }
        }
        json
    }
}

/// A number as people read estimates: whole up to seven digits, and then with four of them.
pub(super) fn rounded(value: f64) -> String {
    if value < 1e7 {
        format!("{value:.0}")
    } else {
        format!("{value:.3e}")
    }
}
