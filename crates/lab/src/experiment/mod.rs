//! Experiments: questions × methods × seeds × limits, with expected answers and published figures.
//!
//! An experiment is a TOML file. [`form`] defines its contents and converts it into a [`Plan`]. For each question, a
//! plan has [jobs](crate::harness::job), one for each method and seed. [`graphs`] reads folders and
//! patterns of graph files. [`times`] reads run times that were measured elsewhere.

pub mod form;
pub mod graphs;
pub mod times;
pub mod word;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::harness::job::Job;
use crate::{LabError, cannot};
use hamcnf_graph::limits::Limits;
use hamcnf_methods::method::{Engine, Method};
use hamcnf_methods::record::{Conclusion, Record, Status};
use hamcnf_questions::Question;
use serde::Deserialize;

use times::Times;

/// Experiment that was read from a file.
#[derive(Clone, Debug)]
pub struct Experiment {
    /// Stem of the file's name. The files of results have the same stem.
    pub name: String,
    /// Path as the user typed it.
    pub file: PathBuf,
    pub plan: Plan,
}

/// Files that the user passes for an experiment, in addition to the experiment's file.
#[derive(Clone, Debug, Default)]
pub struct Given {
    /// Folder of graph files, if the experiment's file has no questions.
    pub graphs: Option<PathBuf>,
    /// CSV file with times that were measured elsewhere.
    pub times: Option<PathBuf>,
    /// File that describes external solvers; by default `engines.toml` in the folder of the experiment's file.
    pub engines: Option<PathBuf>,
}

/// Contents of an experiment: its questions, methods and limits, with all defaults filled in.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Heading of the report.
    pub title: String,
    /// Introduction of the report, in Markdown.
    pub about: String,
    /// Limits of a run. Questions and methods may override them.
    pub limits: Limits,
    /// True if the seed also selects the vertex order of a method's encoding. Seed 0 keeps the order of the graph.
    pub relabel: bool,
    pub questions: Vec<Asked>,
    /// Published claims about times, to be checked.
    pub claims: Vec<Claim>,
    /// Times that were measured elsewhere, for comparison.
    pub times: Option<Times>,
    /// Descriptions of the graph files that are not used, each with the reason.
    pub left_out: Vec<String>,
}

/// Question with its known answer, its published figures and its jobs.
#[derive(Clone, Debug)]
pub struct Asked {
    pub question: Question,
    /// Known answer. An answer that contradicts it is an error.
    pub expect: Option<Conclusion>,
    pub methods: Vec<Method>,
    /// Jobs by method, and then by seed.
    pub jobs: Vec<Job>,
    pub published: Vec<Published>,
}

/// Published figures of one method on one question.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Published {
    pub method: Method,
    /// Published statement with its source, in words.
    pub says: Option<String>,
    #[serde(default, deserialize_with = "word::optional")]
    pub value: Option<Conclusion>,
    /// Published time, in words.
    pub time: Option<String>,
    /// Published value of the method's main metric, such as nodes of a search.
    pub main_metric: Option<u64>,
    pub variables: Option<u64>,
    pub clauses: Option<u64>,
    /// Number of clauses with two or more literals.
    pub nonunit: Option<u64>,
}

/// Published claim about times, checked against medians. It has exactly one of the two inequalities.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// Published claim with its source, in words.
    pub says: String,
    pub under: Option<Under>,
    /// The first method takes less time than the second.
    pub faster: Option<[Method; 2]>,
    #[serde(default)]
    pub on: On,
}

/// Claim that the method takes less than this number of seconds.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Under {
    pub method: Method,
    pub seconds: f64,
}

/// Share of the questions for which a claim must hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum On {
    #[default]
    All,
    /// More than half of the questions.
    Most,
}

impl Experiment {
    /// Reads an experiment's file and the graphs that it names. Finds every mistake that can be found before a run.
    ///
    /// # Errors
    ///
    /// [`LabError`], with the file, and with the line or the question if one of them is wrong.
    pub fn read(file: &Path, given: &Given) -> Result<Self, LabError> {
        let text = fs::read_to_string(file).map_err(cannot("read", file))?;
        let beside = Some(file.with_file_name("engines.toml")).filter(|beside| beside.is_file());
        if let Some(engines) = given.engines.clone().or(beside) {
            Engine::add(&engines).map_err(LabError::new)?;
        }
        let mut plan = Plan::parse(&text, given).map_err(|error| LabError::in_file(file, error))?;
        let name = file.file_stem().and_then(|stem| stem.to_str()).unwrap_or("experiment");
        if plan.title.is_empty() {
            name.clone_into(&mut plan.title);
        }
        Ok(Self { name: name.to_owned(), file: file.to_owned(), plan })
    }
}

impl Plan {
    /// Returns the known answers. The keys are the texts of the questions.
    pub fn expected(&self) -> BTreeMap<String, Conclusion> {
        let known = self.questions.iter();
        known.filter_map(|asked| Some((asked.question.to_string(), asked.expect.clone()?))).collect()
    }

    /// Returns all jobs in the order of the rows: by question, then by method, then by seed. A job may occur twice.
    pub fn all_jobs(&self) -> impl Iterator<Item = &Job> {
        self.questions.iter().flat_map(|asked| &asked.jobs)
    }
}

/// Describes the rows that contradict the known answers of their questions, one line each.
pub fn unexpected<'a>(
    rows: impl IntoIterator<Item = &'a Record>,
    expected: &BTreeMap<String, Conclusion>,
) -> Vec<String> {
    let words = |record: &Record| format!("{}: {}, which differs from the expectation", record.key(), record.said());
    rows.into_iter().filter(|record| is_unexpected(record, expected)).map(words).collect()
}

/// True if the record contradicts the known answer of its question. Counts of models over a projection set never
/// contradict it.
pub fn is_unexpected(record: &Record, expected: &BTreeMap<String, Conclusion>) -> bool {
    let mut known = record.clone();
    match expected.get(&record.asked.question) {
        Some(Conclusion::Tour) => known.status = Status::Tour,
        Some(Conclusion::NoTour) => known.status = Status::NoTour,
        Some(Conclusion::Count(count)) => known = known.with_value(Status::Count, count.clone()),
        Some(Conclusion::Estimate(_)) | None => return false,
    }
    record.asked.method.projection().is_none() && record.contradicts(&known)
}
