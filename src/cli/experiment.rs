//! Options that select an experiment, for all commands about experiments.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::Context;
use hamcnf::atomic_file::replace;
use hamcnf::experiment::{Experiment, Given};
use hamcnf::question::Question;

use super::engines::Engines;
use super::instance::warn_of;
use super::warn_once;

/// Experiment file, and options for parts of the experiment that the file omits.
#[derive(clap::Args)]
pub(crate) struct Choice {
    /// Experiment file (TOML)
    #[arg(value_name = "FILE")]
    experiment: PathBuf,
    /// Folder or pattern of graph files; each file is a question. Only for experiment files without questions
    #[arg(long, value_name = "FOLDER")]
    graphs: Option<PathBuf>,
    /// CSV file of times measured elsewhere: one column of instances, then one column per solver, with seconds or TO
    /// (timeout)
    #[arg(long, value_name = "FILE")]
    times: Option<PathBuf>,
    #[command(flatten)]
    engines: Engines,
    /// Folder of the results
    #[arg(long, short, value_name = "FOLDER", default_value = "results")]
    output: PathBuf,
}

impl Choice {
    /// Reads the experiment, and warns about unused graph files and unusual properties of graphs. Without `--times`, reads
    /// the times that an earlier run has left next to the results.
    pub(crate) fn read(&self) -> anyhow::Result<Experiment> {
        let kept = self.kept_times().filter(|kept| kept.is_file());
        let times = self.times.clone().or(kept);
        let experiment = Experiment::read(&self.experiment, &Given { times, ..self.given() })?;
        warn_of_graphs(&experiment);
        Ok(experiment)
    }

    /// Returns the folder of the results.
    pub(crate) fn folder(&self) -> &Path {
        &self.output
    }

    /// Copies the file of `--times` next to the results, so that later reports contain them.
    pub(crate) fn keep_times(&self) -> anyhow::Result<()> {
        if let (Some(times), Some(kept)) = (&self.times, self.kept_times()) {
            let cannot = || format!("cannot copy {} to {}", times.display(), kept.display());
            let text = std::fs::read(times).with_context(cannot)?;
            replace(&kept, &text).with_context(cannot)?;
        }
        Ok(())
    }

    fn kept_times(&self) -> Option<PathBuf> {
        let name = self.experiment.file_stem()?.to_str()?;
        Some(self.output.join(format!("{name}.times.csv")))
    }

    /// Returns the graphs, times and engines that the options add to the experiment's file.
    pub(crate) fn given(&self) -> Given {
        Given { graphs: self.graphs.clone(), times: self.times.clone(), engines: self.engines.engines.clone() }
    }
}

/// Warns about unused graph files and, once per graph, about unusual properties such as isolated vertices.
fn warn_of_graphs(experiment: &Experiment) {
    let left_out = experiment.plan.left_out.iter();
    left_out.for_each(|file| warn_once(file));
    let mut seen = BTreeSet::new();
    for job in experiment.plan.all_jobs() {
        if let Question::Tours(tours) = &job.question
            && let Some(text) = tours.source().place()
            && seen.insert(text.to_string())
        {
            warn_of(text, tours.remarks());
        }
    }
}
