//! How experiments are run, of whatever kind, whole or a shard: begin, skip what is there, run, keep, sort, report.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use hamcnf_encodings::Instance;

use super::earlier::{Asked, Earlier, Machines};
use super::job::Job;
use super::rows::{self, Rows, RowsError};
use super::shard::Shard;
use super::tours::Tours;
use super::worker::{Done, Host};
use crate::experiment::Experiment;
use crate::report::experiment::{Results, Summary, summary};
use hamcnf_methods::machine::Machine;
use hamcnf_methods::record::{Key, Record, Status};

/// A run of an experiment, whose rows may be there in part.
#[derive(Debug)]
pub struct Run<'e> {
    experiment: &'e Experiment,
    /// Without one it is the whole.
    shard: Option<Shard>,
    /// Each once, with its key.
    jobs: Vec<(Key, Job)>,
    rows: Rows,
    tours: Tours,
    done: HashMap<Key, Record>,
    /// Earlier rows of this shard that now are another shard's. They stay until that one has them.
    others: Vec<Record>,
}

/// What happens while jobs are run.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// A job begins.
    Begins {
        /// Its number, from 1.
        number: usize,
        /// How many there are.
        of: usize,
        /// It.
        key: &'a Key,
    },
    /// Its record has been kept.
    Ended {
        /// Its number, from 1.
        number: usize,
        /// How many there are.
        of: usize,
        /// What is known of it.
        record: &'a Record,
    },
}

/// How a run ended.
#[derive(Debug)]
pub enum Completion {
    /// With all of its rows.
    Complete {
        /// Their file.
        rows: PathBuf,
        /// The tables, and what is wrong with any of the answers.
        report: Summary,
    },
    /// With all rows of its shard. There are tables when all shards are put together.
    Part {
        /// Their file.
        rows: PathBuf,
    },
    /// With all of its rows but those of jobs that failed, which are said. What was measured is there to go on from.
    Unfinished(Vec<String>),
    /// By the host's flag. What was measured is there to go on from.
    Stopped,
}

impl<'e> Run<'e> {
    /// Begins a run in a folder, of the whole experiment or of a shard, or goes on with one. Jobs whose rows are kept are
    /// not run again. No file has changed until [`Run::finish`].
    ///
    /// # Errors
    ///
    /// [`RowsError`].
    pub fn begin(
        experiment: &'e Experiment,
        folder: &Path,
        shard: Option<Shard>,
        earlier: Earlier,
    ) -> Result<Self, RowsError> {
        let whole = &experiment.name;
        let jobs = keyed(experiment);
        let all: HashSet<Key> = jobs.iter().map(|(key, _)| key.clone()).collect();
        let (jobs, name, machines) = match shard {
            None => (jobs, whole.clone(), Machines::This),
            Some(shard) => (shard.part(jobs).collect(), shard.name(whole), Machines::Any),
        };
        // A job may have had another shard when its row was made.
        let mut beside = Vec::new();
        if shard.is_some() {
            let there = Shard::in_folder(folder, whole).map_err(|error| RowsError::Write {
                file: folder.to_owned(),
                error,
            })?;
            let others = there.iter().map(|other| other.name(whole));
            beside.push(whole.clone());
            beside.extend(others.filter(|other| *other != name));
        }
        let here: HashSet<Key> = jobs.iter().map(|(key, _)| key.clone()).collect();
        let machine = Machine::with_graphs_of(instances(&jobs));
        let asked = Asked {
            all: &all,
            here: &here,
        };
        let (rows, kept) = Rows::begin(folder, &name, machine, machines, asked, &beside, earlier)?;
        let tours = Tours::begin(folder, &name, earlier == Earlier::Drop || kept.is_empty());
        let (done, others): (Vec<_>, Vec<_>) =
            kept.into_iter().partition(|row| here.contains(&row.key()));
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

    /// The jobs whose records are not there yet.
    pub fn left(&self) -> impl Iterator<Item = &Job> {
        let left = self
            .jobs
            .iter()
            .filter(|(key, _)| !self.done.contains_key(key));
        left.map(|(_, job)| job)
    }

    /// Runs what is left, one after the other, and makes the report. `watch` is told of each.
    ///
    /// # Errors
    ///
    /// [`RowsError`]: where a row cannot be kept the run ends.
    pub fn finish(
        mut self,
        host: &Host,
        watch: &mut dyn FnMut(Event<'_>),
    ) -> Result<Completion, RowsError> {
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
            let Some(Done { record, tour }) = host.run(job) else {
                return Ok(Completion::Stopped);
            };
            self.rows.append(&record)?;
            let line = tour.and_then(|(at, tour)| super::tours::line(job, &at, &tour));
            if let Some(line) = line {
                // Only to be looked at: a run does not end for want of it.
                let _ = self.tours.keep(job, &line);
            }
            watch(Event::Ended {
                number,
                of,
                record: &record,
            });
            if record.status == Status::Failed {
                failed.push(format!("{key}: {}", record.message));
            }
            self.done.insert(key.clone(), record);
        }
        let results = Results::new(self.done);
        let whole = self.shard.is_none();
        let report = whole.then(|| summary(self.experiment, &results, self.rows.machine()));
        if !failed.is_empty() {
            failed.extend(report.into_iter().flat_map(|report| report.faults));
            return Ok(Completion::Unfinished(failed));
        }
        let mut sorted = results.in_order(self.jobs.iter().map(|(key, _)| key));
        sorted.extend(self.others);
        let text = report.as_ref().map(|report| &*report.text);
        let rows = self.rows.finish(&sorted, text)?;
        // Only to be looked at.
        let questions = self.jobs.iter().map(|(_, job)| job.question.to_string());
        let _ = self.tours.finish(&questions.collect());
        Ok(match report {
            Some(report) => Completion::Complete { rows, report },
            None => Completion::Part { rows },
        })
    }
}

/// Makes the report of a finished run again, from its rows.
///
/// # Errors
///
/// [`RowsError`]: rows that cannot be read, and those that are not there.
pub fn report_again(
    experiment: &Experiment,
    folder: &Path,
) -> Result<(PathBuf, Summary), RowsError> {
    let (records, machine) = rows::finished(folder, &experiment.name)?;
    let done = records.into_iter().map(|record| (record.key(), record));
    let results = Results::new(done.collect());
    if let Some((key, _)) = keyed(experiment)
        .iter()
        .find(|(key, _)| results.get(key).is_none())
    {
        return Err(RowsError::Report {
            file: folder.join(format!("{}.csv", experiment.name)),
            why: format!("there is no row of {key}"),
        });
    }
    let report = summary(experiment, &results, &machine);
    let rows = rows::report_again(folder, &experiment.name, &report.text)?;
    Ok((rows, report))
}

/// The jobs of an experiment in order, each once.
#[must_use]
pub fn keyed(experiment: &Experiment) -> Vec<(Key, Job)> {
    let mut seen = HashSet::new();
    let jobs = experiment.plan.jobs().into_iter();
    let keyed = jobs.map(|job| (job.key(), job));
    keyed.filter(|(key, _)| seen.insert(key.clone())).collect()
}

pub(super) fn instances(jobs: &[(Key, Job)]) -> impl Iterator<Item = &Instance> {
    jobs.iter().filter_map(|(_, job)| job.question.instance())
}
