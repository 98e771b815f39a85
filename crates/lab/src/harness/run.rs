//! Runs an experiment or one of its shards: keeps earlier rows, runs the other jobs, stores their rows, and reports.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use hamcnf_tours::Instance;

use super::earlier::{Asked, Earlier};
use super::files::RunFiles;
use super::job::Job;
use super::shard::Shard;
use super::tours::Tours;
use super::unfinished::Rows;
use super::worker::{Done, Host};
use crate::experiment::Experiment;
use crate::report::experiment::{Summary, summary};
use crate::{LabError, cannot};
use hamcnf_methods::machine::Machine;
use hamcnf_methods::record::{Key, Record, Status};

/// Run of an experiment or of a shard. Some of its rows may exist already.
#[derive(Debug)]
pub struct Run<'e> {
    experiment: &'e Experiment,
    /// Shard to run; `None` for the whole experiment.
    shard: Option<Shard>,
    /// Jobs with their keys, without duplicates.
    jobs: Vec<(Key, Job)>,
    rows: Rows,
    tours: Tours,
    done: HashMap<Key, Record>,
    /// Earlier rows in this shard's file whose jobs now belong to another shard. They are kept until the other shard
    /// has them.
    others: Vec<Record>,
}

/// Progress event of a run.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// Job `number` of `of` begins; the first job has the number 1.
    Begins { number: usize, of: usize, key: &'a Key },
    /// A job has ended, and its record is stored.
    Ended(&'a Record),
}

/// Result of a run.
#[derive(Debug)]
pub enum Completion {
    /// End of a run in which every job has a row in the file `rows`, and none failed.
    Complete { rows: PathBuf, report: Summary },
    /// End of a shard in which every job has a row in the file `rows`. Tables are made when the shards are merged.
    Part { rows: PathBuf },
    /// Some jobs failed. The texts are the errors of these jobs. The rows of the other jobs are kept, and a later run
    /// continues from them.
    Unfinished(Vec<String>),
    /// The run was cancelled. The rows of finished jobs are kept, and a later run continues from them.
    Stopped,
}

impl<'e> Run<'e> {
    /// Begins or continues a run of an experiment or a shard in a folder. Jobs with rows that can be kept do not run
    /// again. No file changes before [`Run::finish`].
    ///
    /// # Errors
    ///
    /// [`LabError`].
    pub fn begin(
        experiment: &'e Experiment,
        folder: &Path,
        shard: Option<Shard>,
        earlier: Earlier,
    ) -> Result<Self, LabError> {
        let whole = &experiment.name;
        let jobs = keyed(experiment);
        let all: HashSet<Key> = jobs.iter().map(|(key, _)| key.clone()).collect();
        let (jobs, name) = match shard {
            None => (jobs, whole.clone()),
            Some(shard) => (shard.part(jobs).collect(), shard.name(whole)),
        };
        // The row of a job of this shard may be in the file of another shard.
        let mut beside = Vec::new();
        if shard.is_some() {
            let there = Shard::in_folder(folder, whole).map_err(cannot("read", folder))?;
            let others = there.iter().map(|other| other.name(whole)).filter(|other| *other != name);
            beside.extend(std::iter::once(whole.clone()).chain(others).map(|name| RunFiles::new(folder, &name)));
        }
        let here: HashSet<Key> = jobs.iter().map(|(key, _)| key.clone()).collect();
        let machine = Machine::with_graphs_of(instances(&jobs));
        let asked = Asked { all: &all, here: &here };
        let files = RunFiles::new(folder, &name);
        let (rows, kept) = Rows::begin(files.clone(), machine, asked, &beside, earlier)?;
        let tours = Tours::begin(files, earlier == Earlier::Drop || kept.is_empty());
        let (done, others): (Vec<_>, Vec<_>) = kept.into_iter().partition(|row| here.contains(&row.key()));
        Ok(Self {
            experiment,
            shard,
            jobs,
            rows,
            tours,
            done: done.into_iter().map(|row| (row.key(), row)).collect(),
            others,
        })
    }

    /// Returns the jobs that have no record yet.
    pub fn left(&self) -> impl Iterator<Item = &Job> {
        self.jobs.iter().filter(|(key, _)| !self.done.contains_key(key)).map(|(_, job)| job)
    }

    /// Runs the jobs that have no record, one after the other, and makes the report. Notifies `watch` when a job begins
    /// and when it ends.
    ///
    /// # Errors
    ///
    /// [`LabError`]: a row or the result could not be written.
    pub fn finish(mut self, host: &Host, watch: &mut dyn FnMut(Event<'_>)) -> Result<Completion, LabError> {
        let of = self.jobs.len();
        let mut failed = Vec::new();
        if self.left().next().is_some() {
            self.rows.start()?;
            self.tours.start();
        }
        for (number, (key, job)) in (1..).zip(&self.jobs) {
            if self.done.contains_key(key) {
                continue;
            }
            watch(Event::Begins { number, of, key });
            let Some(Done { record, tour }) = host.run(job) else { return Ok(Completion::Stopped) };
            self.rows.append(&record)?;
            let line = tour.and_then(|(at, tour)| super::tours::line(job, &at, &tour));
            if let Some(line) = line {
                // Tours are only for viewing, so an error while storing them does not end the run.
                let _ = self.tours.keep(job, &line);
            }
            watch(Event::Ended(&record));
            if record.status == Status::Failed {
                failed.push(format!("{key}: {}", record.message));
            }
            self.done.insert(key.clone(), record);
        }
        let mut sorted = in_order(&self.jobs, self.done);
        let report = self.shard.is_none().then(|| summary(self.experiment, &sorted, &self.rows.machine));
        if !failed.is_empty() {
            failed.extend(report.into_iter().flat_map(|report| report.faults));
            return Ok(Completion::Unfinished(failed));
        }
        sorted.extend(self.others);
        let rows = self.rows.finish(&sorted, report.as_ref().map(|report| &*report.text))?;
        // Tours are only for viewing, so errors while storing them are ignored.
        let questions = self.jobs.iter().map(|(_, job)| job.question.to_string());
        let _ = self.tours.finish(&questions.collect());
        Ok(if let Some(report) = report { Completion::Complete { rows, report } } else { Completion::Part { rows } })
    }
}

/// Makes the report of a finished run again from the stored rows.
///
/// # Errors
///
/// [`LabError`]: rows are unreadable or missing.
pub fn report_again(experiment: &Experiment, folder: &Path) -> Result<(PathBuf, Summary), LabError> {
    let files = RunFiles::new(folder, &experiment.name);
    let (records, machine) = files.finished()?;
    let jobs = keyed(experiment);
    let done: HashMap<_, _> = records.into_iter().map(|record| (record.key(), record)).collect();
    if let Some((key, _)) = jobs.iter().find(|(key, _)| !done.contains_key(key)) {
        return Err(files.cannot_report("csv", format_args!("no row of {key}")));
    }
    let report = summary(experiment, &in_order(&jobs, done), &machine);
    files.replace("md", report.text.as_bytes())?;
    Ok((files.path("csv"), report))
}

/// Returns the jobs of an experiment with their keys, in order and without duplicates.
pub fn keyed(experiment: &Experiment) -> Vec<(Key, Job)> {
    let mut seen = HashSet::new();
    let keyed = experiment.plan.all_jobs().map(|job| (job.key(), job));
    keyed.filter(|(key, _)| seen.insert(key.clone())).map(|(key, job)| (key, job.clone())).collect()
}

/// Returns the rows of the jobs, in the order of the jobs. Jobs without a row are skipped.
pub(super) fn in_order(jobs: &[(Key, Job)], mut rows: HashMap<Key, Record>) -> Vec<Record> {
    jobs.iter().filter_map(|(key, _)| rows.remove(key)).collect()
}

pub(super) fn instances(jobs: &[(Key, Job)]) -> impl Iterator<Item = &Instance> {
    jobs.iter().filter_map(|(_, job)| job.question.instance())
}
