//! Experiment files: what a table or figure of the paper needs, as data. Every file has a `kind`, which says
//! which of the [plans](super::plan) it is.

use std::fs;
use std::path::{Path, PathBuf};

use super::plan::{Given, Plan};
use hamcnf_engines::solve::external::EnginesError;
use hamcnf_methods::method::Engine;

/// An experiment.
#[derive(Clone, Debug)]
pub struct Experiment {
    /// The file's name without its ending; results are named after it.
    pub name: String,
    /// The file, as it was named by the user.
    pub file: PathBuf,
    /// What to do.
    pub plan: Plan,
}

/// Why an experiment cannot be run.
#[derive(Debug, thiserror::Error)]
pub enum ExperimentError {
    /// The file could not be read.
    #[error("cannot read {}: {error}", file.display())]
    Read {
        /// The file.
        file: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// The file is not an experiment.
    #[error("{}: {message}", file.display())]
    Content {
        /// The file.
        file: PathBuf,
        /// What is wrong, with its line.
        message: String,
    },
    /// The file of engines does not describe any.
    #[error(transparent)]
    Engines(#[from] EnginesError),
}

impl Experiment {
    /// Reads an experiment file, and checks everything in it that can be checked before running.
    ///
    /// # Errors
    ///
    /// [`ExperimentError`], naming the file and the line.
    pub fn read(file: &Path, given: &Given) -> Result<Self, ExperimentError> {
        let text = fs::read_to_string(file).map_err(|error| ExperimentError::Read {
            file: file.to_owned(),
            error,
        })?;
        let content = |message: String| ExperimentError::Content {
            file: file.to_owned(),
            message,
        };
        let beside = Some(file.with_file_name("engines.toml")).filter(|beside| beside.is_file());
        if let Some(engines) = given.engines.clone().or(beside) {
            Engine::add(&engines)?;
        }
        let name = file
            .file_stem()
            .and_then(|stem| stem.to_str())
            .unwrap_or("experiment");
        let plan = Plan::parse(&text, given).map_err(content)?;
        Ok(Self {
            name: name.to_owned(),
            file: file.to_owned(),
            plan,
        })
    }
}
