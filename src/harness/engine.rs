//! How experiments are run, of whatever kind, whole or a shard: begin, skip what is there, run, keep, sort, report.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use hamcnf_encodings::Instance;

use super::experiment::Experiment;
use super::job::Job;
use super::report::{Report, Results};
use super::rows::{self, Machines, Rows, RowsError};
use super::shard::Shard;
use super::tours::Tours;
use super::worker::{Done, Host};
use crate::machine::Machine;
use crate::record::{Key, Record, Status};
use crate::stop::Stop;

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
pub enum Ended {
    /// With all of its rows.
    Complete {
        /// Their file.
        rows: PathBuf,
        /// The tables, and what is wrong with any of the answers.
        report: Report,
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
    /// Begins a run in a folder, of the whole experiment or of a shard, or goes on with one; `fresh` is to begin whatever
    /// is there.
    ///
    /// # Errors
    ///
    /// [`RowsError`].
    pub fn begin(
        experiment: &'e Experiment,
        folder: &Path,
        shard: Option<Shard>,
        fresh: bool,
    ) -> Result<Self, RowsError> {
        let jobs = keyed(experiment);
        let (jobs, name, machines) = match shard {
            None => (jobs, experiment.name.clone(), Machines::This),
            Some(shard) => (
                shard.part(jobs).collect(),
                shard.name(&experiment.name),
                Machines::Any,
            ),
        };
        let keys: HashSet<Key> = jobs.iter().map(|(key, _)| key.clone()).collect();
        let machine = Machine::with_graphs_of(instances(&jobs));
        let (rows, kept) = Rows::begin(folder, &name, machine, machines, &keys, fresh)?;
        same_programs(&kept).map_err(|why| RowsError::Foreign {
            file: rows.part(),
            why,
        })?;
        // Those of rows that are not gone on with are not, either.
        let tours = Tours::begin(folder, &name, fresh || kept.is_empty());
        let done = kept.into_iter().map(|record| (record.key(), record));
        Ok(Self {
            experiment,
            shard,
            jobs,
            rows,
            tours,
            done: done.collect(),
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
    ) -> Result<Ended, RowsError> {
        let of = self.jobs.len();
        let mut failed = Vec::new();
        for (number, (key, job)) in (1..).zip(&self.jobs) {
            if self.done.contains_key(key) {
                continue;
            }
            watch(Event::Begins { number, of, key });
            let Some(Done { record, tour }) = host.run(job) else {
                return Ok(Ended::Stopped);
            };
            self.rows.append(&record)?;
            if let Some(tour) = tour {
                // Only to be looked at: a run does not end for want of it.
                let _ = self.tours.keep(job, &tour);
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
        let report =
            whole.then(|| super::report::of(self.experiment, &results, self.rows.machine()));
        if !failed.is_empty() {
            failed.extend(report.into_iter().flat_map(|report| report.faults));
            return Ok(Ended::Unfinished(failed));
        }
        let sorted = results.in_order(self.jobs.iter().map(|(key, _)| key));
        let text = report.as_ref().map(|report| &*report.text);
        let rows = self.rows.finish(&sorted, text)?;
        // Only to be looked at.
        let _ = self.tours.finish();
        Ok(match report {
            Some(report) => Ended::Complete { rows, report },
            None => Ended::Part { rows },
        })
    }
}

/// Refuses rows of another version of a program than is here.
fn same_programs(kept: &[Record]) -> Result<(), String> {
    let mut seen: HashMap<&str, String> = HashMap::new();
    for row in kept {
        let Some(engine) = row.method.engine() else {
            continue;
        };
        // A run that was ended from outside did not say its version.
        if row.solver == engine.to_string() {
            continue;
        }
        let here = seen.entry(&row.solver).or_insert_with(|| {
            // Where it is not there or does not say, its runs will.
            let signature = engine.signature(&Stop::default()).ok().flatten();
            signature.unwrap_or_else(|| row.solver.clone())
        });
        if *here != row.solver {
            return Err(format!(
                "its rows are of {}, and here is {here}",
                row.solver
            ));
        }
    }
    Ok(())
}

/// Makes the report of a finished run again, from its rows.
///
/// # Errors
///
/// [`RowsError`]: rows that cannot be read, and those that are not there.
pub fn report_again(
    experiment: &Experiment,
    folder: &Path,
) -> Result<(PathBuf, Report), RowsError> {
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
    let report = super::report::of(experiment, &results, &machine);
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
