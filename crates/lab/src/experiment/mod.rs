//! Experiments: questions × methods × seeds × limits, with expected answers and published figures.
//!
//! An experiment is a TOML file. [`form`] defines its contents and converts it into a [`Plan`]: batches for each question, and
//! [jobs](crate::harness::job) for each batch. [`graphs`] reads folders and patterns of graph files. [`times`] reads run times
//! that were measured elsewhere.

pub mod form;
pub mod graphs;
pub mod times;
pub mod word;

use std::fs;
use std::path::{Path, PathBuf};

use crate::harness::job::Job;
use hamcnf_engines::limits::Limits;
use hamcnf_engines::solve::external::EnginesError;
use hamcnf_methods::method::{Engine, Method};
use hamcnf_methods::question::Question;
use hamcnf_methods::record::{Conclusion, Record, Status};

use form::FormError;
use times::Times;

/// Experiment that was read from a file.
#[derive(Clone, Debug)]
pub struct Experiment {
    /// Stem of the file, which is also the name of the results.
    pub name: String,
    /// Path as the user typed it.
    pub file: PathBuf,
    pub plan: Plan,
}

/// User input that an experiment's file does not contain.
#[derive(Clone, Debug, Default)]
pub struct Given {
    /// Folder or pattern of graph files, for an experiment without questions.
    pub graphs: Option<PathBuf>,
    /// CSV file with times that were measured elsewhere.
    pub times: Option<PathBuf>,
    /// File that describes external solvers. The default is `engines.toml` beside the experiment's file.
    pub engines: Option<PathBuf>,
}

/// Questions, methods and limits of an experiment, with all defaults filled in.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Heading of the report.
    pub title: String,
    /// Introduction of the report, in Markdown.
    pub about: String,
    /// Default limits of a run, which questions and methods may override.
    pub limits: Limits,
    /// True if every seed except 0 relabels the vertices for methods with an encoding.
    pub relabel: bool,
    pub questions: Vec<Asked>,
    /// Published claims about times.
    pub claims: Vec<Claim>,
    /// Times that were measured elsewhere.
    pub times: Option<Times>,
    /// Files without a graph, each with a reason, in words.
    pub left_out: Vec<String>,
}

/// Question with the methods that answer it.
#[derive(Clone, Debug)]
pub struct Asked {
    pub question: Question,
    /// Known answer. A run that contradicts it is wrong.
    pub expect: Option<Conclusion>,
    pub batches: Vec<Batch>,
    pub published: Vec<Published>,
}

/// Method with its runs on one question.
#[derive(Clone, Debug)]
pub struct Batch {
    pub method: Method,
    /// One job per seed.
    pub jobs: Vec<Job>,
}

/// Published figures of one method on one question.
#[derive(Clone, Debug)]
pub struct Published {
    pub method: Method,
    /// Claim and its source, in words.
    pub says: Option<String>,
    pub value: Option<Conclusion>,
    /// Time, in words.
    pub time: Option<String>,
    /// Main metric in the method's unit, such as nodes of a search.
    pub effort: Option<u64>,
    pub variables: Option<u64>,
    pub clauses: Option<u64>,
    /// Number of clauses with two or more literals.
    pub nonunit: Option<u64>,
}

/// Published claim about times, checked against medians.
#[derive(Clone, Debug)]
pub struct Claim {
    /// Claim and its source, in words.
    pub says: String,
    pub bound: Bound,
    pub on: On,
}

/// Bound that a claim states.
#[derive(Clone, Debug)]
pub enum Bound {
    /// The method takes less than this many seconds.
    Under(Method, f64),
    /// The first method takes less time than the second.
    Faster(Method, Method),
}

/// Share of the questions on which a claim has to hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum On {
    #[default]
    All,
    /// More than half of the questions.
    Most,
}

/// Error of reading an experiment.
#[derive(Debug, thiserror::Error)]
pub enum ExperimentError {
    #[error("cannot read {}: {error}", file.display())]
    Read {
        file: PathBuf,
        error: std::io::Error,
    },
    #[error("{}: {error}", file.display())]
    Form {
        file: PathBuf,
        error: Box<FormError>,
    },
    #[error(transparent)]
    Engines(#[from] EnginesError),
}

impl Experiment {
    /// Reads an experiment's file and the graphs that it names, and checks everything that can be checked before a run.
    ///
    /// # Errors
    ///
    /// [`ExperimentError`], naming the file and the line or the question.
    pub fn read(file: &Path, given: &Given) -> Result<Self, ExperimentError> {
        let text = fs::read_to_string(file).map_err(|error| ExperimentError::Read {
            file: file.to_owned(),
            error,
        })?;
        let beside = Some(file.with_file_name("engines.toml")).filter(|beside| beside.is_file());
        if let Some(engines) = given.engines.clone().or(beside) {
            Engine::add(&engines)?;
        }
        let name = file.file_stem().and_then(|stem| stem.to_str());
        let mut plan = Plan::parse(&text, given).map_err(|error| ExperimentError::Form {
            file: file.to_owned(),
            error: Box::new(error),
        })?;
        let name = name.unwrap_or("experiment");
        if plan.title.is_empty() {
            name.clone_into(&mut plan.title);
        }
        Ok(Self {
            name: name.to_owned(),
            file: file.to_owned(),
            plan,
        })
    }
}

impl Plan {
    /// Returns all jobs in the order of the rows: by question, then method, then seed. A job may occur twice.
    #[must_use]
    pub fn jobs(&self) -> Vec<Job> {
        self.all_jobs().cloned().collect()
    }

    /// Returns the jobs of [`Plan::jobs`], borrowed.
    pub fn all_jobs(&self) -> impl Iterator<Item = &Job> {
        let batches = self.questions.iter().flat_map(|asked| &asked.batches);
        batches.flat_map(|batch| &batch.jobs)
    }
}

/// True if the record contradicts the known answer. Model counts over a projection set never do.
#[must_use]
pub fn is_unexpected(record: &Record, expect: &Conclusion) -> bool {
    let mut known = record.clone();
    match expect {
        Conclusion::Tour => known.status = Status::Tour,
        Conclusion::NoTour => known.status = Status::NoTour,
        Conclusion::Count(count) => known = known.with_value(Status::Count, count.clone()),
        Conclusion::Estimate(_) => return false,
    }
    record.method.projection().is_none() && record.contradicts(&known)
}
