//! Merging of shards: reports the progress of each shard, and combines the rows of all shards as if one run had made
//! them.
//!
//! Shards are merged only when all of them are complete. Every job must have exactly one row, in the file of its shard.
//! All files must belong to the same division of the experiment into shards, and one build must have made their rows. A
//! shard is complete if all of its jobs have ended without an error; its rows are in `NAME.shard-K-of-N.csv`. Until
//! then its rows are in `NAME.shard-K-of-N.csv.part`, including the rows of failed jobs. These jobs run again with the
//! shard.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

use super::files::RunFiles;
use super::job::Job;
use super::run::{in_order, instances, keyed};
use super::shard::Shard;
use super::tours;
use crate::experiment::Experiment;
use crate::report::experiment::{Summary, summary};
use crate::{LabError, cannot};
use hamcnf_methods::machine::Machine;
use hamcnf_methods::record::{Key, Record, Status};

/// Shards of an experiment, and the folder that contains their files.
#[derive(Debug)]
pub struct Shards<'e> {
    experiment: &'e Experiment,
    folder: &'e Path,
    /// Jobs in order, without duplicates.
    pub jobs: Vec<(Key, Job)>,
    keys: HashSet<Key>,
}

/// Rows of a shard, complete or not.
#[derive(Clone, PartialEq, Debug)]
pub struct Progress {
    file: PathBuf,
    /// Rows of jobs that have not failed.
    rows: Vec<Record>,
    /// Machine that made the rows; `None` if the shard is not complete.
    machine: Option<Machine>,
    /// Number of jobs in the shard.
    of: usize,
    /// Rows of failed jobs.
    pub failed: Vec<Record>,
}

impl Progress {
    /// True if all jobs have rows.
    pub fn is_complete(&self) -> bool {
        self.machine.is_some() && self.rows.len() == self.of
    }
}

/// Reason why shards were not merged.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    /// The shards are not complete and consistent. Each text describes one flaw.
    #[error("{}", .0.join("; "))]
    Flaws(Vec<String>),
    /// The files cannot be read or written.
    #[error(transparent)]
    Files(#[from] LabError),
}

/// Result of merging.
#[derive(Debug)]
pub struct Merged {
    /// Path of the file with all rows.
    pub rows: PathBuf,
    /// Report with its tables, and errors found in the answers.
    pub report: Summary,
    /// Number of machines that made the rows.
    pub machines: usize,
    pub shards: Vec<Shard>,
}

impl<'e> Shards<'e> {
    /// Creates a view of the shards of an experiment, whose files are in `folder`.
    pub fn new(experiment: &'e Experiment, folder: &'e Path) -> Self {
        let jobs = keyed(experiment);
        let keys = jobs.iter().map(|(key, _)| key.clone()).collect();
        Self { experiment, folder, jobs, keys }
    }

    /// Returns the shards that have files of rows, complete or not.
    ///
    /// # Errors
    ///
    /// [`LabError`]: the folder is unreadable.
    pub fn there(&self) -> Result<Vec<Shard>, LabError> {
        Shard::in_folder(self.folder, &self.experiment.name).map_err(cannot("read", self.folder))
    }

    /// Returns the number of shards, taken from the names of their files.
    ///
    /// # Errors
    ///
    /// [`MergeError`]: the folder is unreadable or has no files of shards, or their names state different numbers of
    /// shards.
    pub fn number(&self) -> Result<NonZeroU32, MergeError> {
        let there = self.there()?;
        let (name, folder) = (&self.experiment.name, self.folder.display());
        let numbers: BTreeSet<NonZeroU32> = there.iter().map(|shard| shard.of()).collect();
        let flaw = match *numbers.into_iter().collect::<Vec<_>>() {
            [of] => return Ok(of),
            [] => format!("found no rows of shards of {name} in {folder}; run the shards first"),
            [one, other, ..] => {
                format!("shards K/{one} and shards K/{other} are mixed in {folder}; remove the unwanted files")
            }
        };
        Err(MergeError::Flaws(vec![flaw]))
    }

    /// Returns the progress of a shard.
    ///
    /// # Errors
    ///
    /// [`LabError`]: the rows are unreadable, duplicated or not part of the experiment, or a job failed.
    pub fn progress(&self, shard: Shard) -> Result<Progress, LabError> {
        let files = self.files(shard);
        let file = files.path("csv");
        let (rows, machine) = match file.exists() {
            true => files.finished().map(|(rows, machine)| (rows, Some(machine)))?,
            false => (files.unfinished()?, None),
        };
        // If a failed job has run again in an unfinished shard, the last row of the job counts.
        let mut last: HashMap<Key, Record> = HashMap::new();
        for row in rows {
            let key = row.key();
            if machine.is_some() && !self.keys.contains(&key) {
                let why = "is not in the experiment; run the shard with --prune to delete rows that are not in the experiment";
                return Err(LabError::in_file(&file, format_args!("{key} {why}")));
            }
            if last.insert(key.clone(), row).is_some() && machine.is_some() {
                return Err(LabError::in_file(&file, format_args!("{key} occurs twice")));
            }
        }
        // Rows of jobs that now belong to another shard stay in the file, but do not count. If the experiment has changed
        // since a shard was complete, rows may be missing.
        let keys: Vec<&Key> = shard.part(&self.jobs).map(|(key, _)| key).collect();
        let of_jobs = keys.iter().filter_map(|key| last.remove(key));
        let (failed, rows): (Vec<_>, Vec<_>) = of_jobs.partition(|row| row.status == Status::Failed);
        match failed.first().filter(|_| machine.is_some()) {
            Some(row) => Err(LabError::new(failure(shard, row))),
            None => Ok(Progress { file, rows, machine, of: keys.len(), failed }),
        }
    }

    /// Merges all shards and writes the files that a run of the whole experiment would have written. If `fresh` is
    /// true, the files replace finished rows of the experiment. Otherwise it is an error if finished rows would be
    /// lost.
    ///
    /// # Errors
    ///
    /// [`MergeError`], with all flaws. No file is changed if there are flaws.
    pub fn merge(&self, fresh: bool) -> Result<Merged, MergeError> {
        let (there, of) = (self.there()?, self.number()?);
        let (mut flaws, mut parts) = (Vec::new(), Vec::new());
        for shard in Shard::all(of) {
            match self.progress(shard) {
                Ok(part) if part.is_complete() => parts.push(part),
                // If there are more shards than jobs, shards without jobs need not run.
                Ok(part) if !there.contains(&shard) => flaws.extend(
                    (part.of > 0)
                        .then(|| format!("shard {shard} is missing: run it with `hamcnf run FILE --shard {shard}`")),
                ),
                Ok(Progress { rows, of, failed, .. }) => {
                    let missing = of - rows.len();
                    flaws.push(format!(
                        "shard {shard} is unfinished: {missing} of {of} rows are missing; run the shard again"
                    ));
                    flaws.extend(failed.iter().map(|row| failure(shard, row)));
                }
                Err(flaw) => flaws.push(flaw.to_string()),
            }
        }
        flaws.extend(of_two_builds(&parts));
        if !flaws.is_empty() {
            return Err(MergeError::Flaws(flaws));
        }
        let whole = RunFiles::new(self.folder, &self.experiment.name);
        let machine = self.machine_of(&parts);
        let rows = parts.into_iter().flat_map(|part| part.rows);
        let by_key: HashMap<_, _> = rows.map(|row| (row.key(), row)).collect();
        if !fresh {
            whole.refuse_losses(&by_key)?;
        }
        let ids: HashSet<_> = by_key.values().map(|row| row.made.machine.clone()).collect();
        let sorted = in_order(&self.jobs, by_key);
        let report = summary(self.experiment, &sorted, &machine);
        // Tours are only for viewing, so errors while merging them are ignored.
        let _ = tours::merge(there.iter().map(|&shard| self.files(shard)), &whole);
        let rows = whole.write(&sorted, &machine, Some(&report.text))?;
        Ok(Merged { rows, report, machines: ids.len(), shards: there })
    }

    /// Returns a description of the machine that made the earliest rows. The description also lists the graphs of all
    /// jobs, and the other machines that made rows.
    fn machine_of(&self, parts: &[Progress]) -> Machine {
        let rows = parts.iter().flat_map(|part| &part.rows);
        let of_rows: HashSet<_> = rows.map(|row| row.made.machine.as_str()).collect();
        let described = parts.iter().filter_map(|part| part.machine.as_ref()).flat_map(Machine::all);
        let mut machines: Vec<_> = described.filter(|machine| of_rows.contains(&*machine.id())).collect();
        // The alphabetical order of the dates is their chronological order.
        machines.sort_by(|a, b| a.date.cmp(&b.date));
        let here = Machine::with_graphs_of(instances(&self.jobs));
        let first = machines.first().unwrap_or(&here).clone();
        let mut all = Machine { graphs: here.graphs, ..first };
        machines.iter().skip(1).for_each(|machine| all.add(machine));
        all
    }

    /// Removes the files of the given shards.
    ///
    /// # Errors
    ///
    /// [`LabError`].
    pub fn remove(&self, shards: &[Shard]) -> Result<(), LabError> {
        shards.iter().try_for_each(|&shard| self.files(shard).remove_all())
    }

    fn files(&self, shard: Shard) -> RunFiles {
        RunFiles::new(self.folder, &shard.name(&self.experiment.name))
    }
}

fn failure(shard: Shard, row: &Record) -> String {
    format!("shard {shard}: {} failed: {}", row.key(), row.message)
}

/// Describes each shard whose build or solver version differs from that of an earlier shard.
fn of_two_builds(parts: &[Progress]) -> Vec<String> {
    let mut flaws = Vec::new();
    // Build or version in the first file, with the file, of hamcnf (`None`) and of each solver. The name of a solver
    // includes its version if the version is known without running the solver.
    let mut first: HashMap<Option<String>, (String, &Path)> = HashMap::new();
    for Progress { file, rows, machine, .. } in parts {
        let build = |version: &str, commit: &str| (None, format!("hamcnf {version}, commit {commit}"));
        let of_rows = rows.iter().flat_map(|row| {
            let engine = row.asked.method.engine().map(ToString::to_string);
            // A solver that was killed did not report its version.
            let known = engine.as_ref().is_none_or(|engine| *engine != row.made.solver);
            let is_versioned = row.asked.method.is_by_cadical() || engine.is_some();
            let solver = (is_versioned && known).then(|| (Some(row.asked.method.solver()), row.made.solver.clone()));
            std::iter::once(build(&row.made.version, &row.made.commit)).chain(solver)
        });
        let all: Vec<_> = machine.iter().flat_map(Machine::all).collect();
        let of_machines = all.iter().map(|machine| build(&machine.hamcnf, &machine.commit));
        let wrong = of_machines.chain(of_rows).find_map(|(program, this)| {
            let (that, other) = first.entry(program).or_insert_with(|| (this.clone(), file.as_path()));
            let (file, other) = (file.display(), other.display());
            (this != *that)
                .then(|| format!("{file} was made by {this}, but {other} by {that}: run all shards with one build"))
        });
        flaws.extend(wrong);
    }
    flaws
}
