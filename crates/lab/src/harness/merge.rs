//! Shards put together: what the rows of each say of how far it is, and the rows of all as those of one run.
//!
//! Nothing is put together that is not whole: every job has to be there once, in its shard, of one number of shards and by
//! one build. A shard whose jobs have all ended otherwise than by an error is complete and has `NAME.shard-K-of-N.csv`;
//! what it has before that is in `NAME.shard-K-of-N.csv.part`, rows of failed jobs among them, which are run again when the
//! shard is.

use std::collections::{HashMap, HashSet};
use std::io;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

use super::engine::{instances, keyed};
use super::job::Job;
use super::rows::{self, RowsError};
use super::shard::Shard;
use super::tours;
use crate::experiment::Experiment;
use crate::report::experiment::{Results, Summary, summary};
use hamcnf_methods::machine::Machine;
use hamcnf_methods::record::{Key, Record, Status};

/// The shards of an experiment in a folder.
#[derive(Debug)]
pub struct Shards<'e> {
    experiment: &'e Experiment,
    folder: &'e Path,
    jobs: Vec<(Key, Job)>,
    /// Where each stands among these.
    places: HashMap<Key, usize>,
}

/// How far a shard is.
#[derive(Clone, PartialEq, Debug)]
pub enum Progress {
    /// All of its rows are there.
    Complete(Box<Part>),
    /// Some are not.
    Unfinished {
        /// How many have no row, or one that says that they failed.
        missing: usize,
        /// How many jobs it has.
        of: usize,
        /// Those that failed, and why.
        failed: Vec<(Key, String)>,
    },
}

/// The rows of a complete shard.
#[derive(Clone, PartialEq, Debug)]
pub struct Part {
    file: PathBuf,
    rows: Vec<Record>,
    machine: Machine,
}

/// Why shards cannot be put together. Each is said in a line.
#[derive(Debug, thiserror::Error)]
pub enum Flaw {
    /// There are none.
    #[error("there are no rows of shards of {name} in {}", folder.display())]
    None {
        /// The experiment.
        name: String,
        /// The folder.
        folder: PathBuf,
    },
    /// They are of more than one number of shards.
    #[error(
        "there are shards of {one} and of {other} in {}: remove those that are not wanted", folder.display()
    )]
    Numbers {
        /// The folder.
        folder: PathBuf,
        /// So many.
        one: NonZeroU32,
        /// And so many.
        other: NonZeroU32,
    },
    /// There is nothing of one.
    #[error("shard {0} is missing")]
    Missing(Shard),
    /// One is not finished.
    #[error("shard {shard} is not finished: {missing} of {of} rows are missing")]
    Unfinished {
        /// Which.
        shard: Shard,
        /// How many rows are not there.
        missing: usize,
        /// How many there have to be.
        of: usize,
    },
    /// A job of one that is not finished failed.
    #[error("shard {shard}: {key} failed: {why}")]
    Failed {
        /// The shard.
        shard: Shard,
        /// The job.
        key: Box<Key>,
        /// What its row says.
        why: String,
    },
    /// A row is of no job.
    #[error("{}: {key} is not in the experiment; run the shard with --prune to drop such rows", file.display())]
    Foreign {
        /// The shard's rows.
        file: PathBuf,
        /// What the row is of.
        key: Box<Key>,
    },
    /// A job has more than one row.
    #[error("{}: {key} is there twice", file.display())]
    Twice {
        /// The shard's rows.
        file: PathBuf,
        /// The job.
        key: Box<Key>,
    },
    /// Rows are of two builds, or of two versions of a solver.
    #[error("{} is of {this}, and {} is of {that}", file.display(), other.display())]
    Builds {
        /// A shard's rows, or their machine.
        file: PathBuf,
        /// What they are of.
        this: String,
        /// Another's.
        other: PathBuf,
        /// What these are of.
        that: String,
    },
    /// Rows cannot be read.
    #[error(transparent)]
    Unreadable(#[from] RowsError),
}

/// Why shards are not put together.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    /// They do not make a whole.
    #[error("{}", said(.0))]
    Flaws(Vec<Flaw>),
    /// The folder cannot be read.
    #[error("cannot read {}: {error}", folder.display())]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// The rows cannot be written.
    #[error(transparent)]
    Rows(#[from] RowsError),
}

fn said(flaws: &[Flaw]) -> String {
    let said: Vec<_> = flaws.iter().map(ToString::to_string).collect();
    said.join("; ")
}

/// What was made of the shards.
#[derive(Debug)]
pub struct Merged {
    /// The file of all rows.
    pub rows: PathBuf,
    /// The tables, and what is wrong with any of the answers.
    pub report: Summary,
    /// On how many machines they were made.
    pub machines: usize,
    /// The shards.
    pub shards: Vec<Shard>,
}

impl<'e> Shards<'e> {
    /// Of this experiment, in this folder.
    #[must_use]
    pub fn new(experiment: &'e Experiment, folder: &'e Path) -> Self {
        let jobs = keyed(experiment);
        let keys = jobs.iter().enumerate();
        let places = keys.map(|(at, (key, _))| (key.clone(), at)).collect();
        Self {
            experiment,
            folder,
            jobs,
            places,
        }
    }

    /// All jobs, each once, in order.
    #[must_use]
    pub fn jobs(&self) -> &[(Key, Job)] {
        &self.jobs
    }

    /// Those of which there are rows, complete or not.
    ///
    /// # Errors
    ///
    /// [`MergeError::Folder`].
    pub fn there(&self) -> Result<Vec<Shard>, MergeError> {
        Shard::in_folder(self.folder, &self.experiment.name).map_err(|error| MergeError::Folder {
            folder: self.folder.to_owned(),
            error,
        })
    }

    /// Returns the number of shards by the names of their files.
    ///
    /// # Errors
    ///
    /// [`MergeError`]: there are no rows of shards, or rows of several numbers of shards.
    pub fn number(&self) -> Result<NonZeroU32, MergeError> {
        let there = self.there()?;
        let folder = || self.folder.to_owned();
        let Some(of) = there.first().map(|shard| shard.of()) else {
            let name = self.experiment.name.clone();
            let folder = folder();
            return Err(MergeError::Flaws(vec![Flaw::None { name, folder }]));
        };
        match there.iter().find(|shard| shard.of() != of) {
            None => Ok(of),
            Some(other) => Err(MergeError::Flaws(vec![Flaw::Numbers {
                folder: folder(),
                one: of,
                other: other.of(),
            }])),
        }
    }

    /// How far a shard is.
    ///
    /// # Errors
    ///
    /// [`Flaw`]: its rows cannot be read, or are not those of the shard.
    pub fn progress(&self, shard: Shard) -> Result<Progress, Flaw> {
        let name = shard.name(&self.experiment.name);
        let file = self.folder.join(format!("{name}.csv"));
        match file.exists() {
            true => self.complete(shard, &name, file),
            false => self.unfinished(shard, &name),
        }
    }

    fn unfinished(&self, shard: Shard, name: &str) -> Result<Progress, Flaw> {
        // Of a job that failed and was run again the last row holds.
        let mut last: HashMap<Key, Record> = HashMap::new();
        for row in rows::unfinished(self.folder, name)? {
            last.insert(row.key(), row);
        }
        let jobs: Vec<_> = shard.part(&self.jobs).collect();
        let of_jobs = jobs.iter().filter_map(|(key, _)| last.get(key));
        let (failed, ended): (Vec<_>, Vec<_>) =
            of_jobs.partition(|row| row.status == Status::Failed);
        let failed = failed.into_iter();
        Ok(Progress::Unfinished {
            missing: jobs.len() - ended.len(),
            of: jobs.len(),
            failed: failed.map(|row| (row.key(), row.message.clone())).collect(),
        })
    }

    /// The rows of a shard that was complete when it was last run. If its jobs have changed since, some may be missing. Rows
    /// of jobs that are in another shard now stay in its file, and are left out here.
    fn complete(&self, shard: Shard, name: &str, file: PathBuf) -> Result<Progress, Flaw> {
        let (mut rows, machine) = rows::finished(self.folder, name)?;
        let places: HashSet<usize> = shard.part(0..self.jobs.len()).collect();
        let mut seen = HashSet::new();
        for row in &rows {
            let (key, file) = (Box::new(row.key()), file.clone());
            match self.places.get(&key) {
                None => return Err(Flaw::Foreign { file, key }),
                Some(&at) if !seen.insert(at) => return Err(Flaw::Twice { file, key }),
                Some(_) if row.status == Status::Failed => {
                    let why = row.message.clone();
                    return Err(Flaw::Failed { shard, key, why });
                }
                Some(_) => {}
            }
        }
        let missing = places.difference(&seen).count();
        if missing > 0 {
            return Ok(Progress::Unfinished {
                missing,
                of: places.len(),
                failed: Vec::new(),
            });
        }
        rows.retain(|row| {
            let at = self.places.get(&row.key());
            at.is_some_and(|at| places.contains(at))
        });
        Ok(Progress::Complete(Box::new(Part {
            file,
            rows,
            machine,
        })))
    }

    /// Puts all shards together, and makes of them what a run of the whole would have made; `fresh` is to replace
    /// finished rows that are not among them.
    ///
    /// # Errors
    ///
    /// [`MergeError`]: with [`Flaw`]s, all that there are. Nothing is changed then.
    pub fn merge(&self, fresh: bool) -> Result<Merged, MergeError> {
        let (there, of) = (self.there()?, self.number()?);
        let (mut flaws, mut parts) = (Vec::new(), Vec::new());
        for shard in Shard::all(of) {
            let has_jobs = shard.part(&self.jobs).next().is_some();
            match self.progress(shard) {
                Ok(Progress::Complete(part)) => parts.push(*part),
                Ok(Progress::Unfinished { .. }) if !there.contains(&shard) => {
                    // Where there are more shards than jobs some have none, and need not be run.
                    flaws.extend(has_jobs.then_some(Flaw::Missing(shard)));
                }
                Ok(Progress::Unfinished {
                    missing,
                    of,
                    failed,
                }) => {
                    flaws.push(Flaw::Unfinished { shard, missing, of });
                    flaws.extend(failed.into_iter().map(|(key, why)| {
                        let key = Box::new(key);
                        Flaw::Failed { shard, key, why }
                    }));
                }
                Err(flaw) => flaws.push(flaw),
            }
        }
        flaws.extend(of_two_builds(&parts));
        if !flaws.is_empty() {
            return Err(MergeError::Flaws(flaws));
        }
        let name = &self.experiment.name;
        let machine = self.machine_of(&parts);
        let rows = parts.into_iter().flat_map(|part| part.rows);
        let by_key: HashMap<_, _> = rows.map(|row| (row.key(), row)).collect();
        if !fresh {
            rows::refuse_losses(self.folder, name, &by_key)?;
        }
        let ids: HashSet<_> = by_key.values().map(|row| row.machine.clone()).collect();
        let results = Results::new(by_key);
        let report = summary(self.experiment, &results, &machine);
        let sorted = results.in_order(self.jobs.iter().map(|(key, _)| key));
        // Only to be looked at.
        let _ = tours::merge(
            self.folder,
            there.iter().map(|shard| shard.name(name)),
            name,
        );
        let rows = rows::write(self.folder, name, &sorted, &machine, Some(&report.text))?;
        Ok(Merged {
            rows,
            report,
            machines: ids.len(),
            shards: there,
        })
    }

    /// The machine that rows were made on first, with the others that have any, and all graphs.
    fn machine_of(&self, parts: &[Part]) -> Machine {
        let of_rows: HashSet<_> = parts
            .iter()
            .flat_map(|part| part.rows.iter().map(|row| row.machine.as_str()))
            .collect();
        let described = parts.iter().flat_map(|part| part.machine.all());
        let mut machines: Vec<_> = described
            .filter(|machine| of_rows.contains(&*machine.id()))
            .collect();
        // Dates are written so that their order is that of their texts.
        machines.sort_by(|a, b| a.date.cmp(&b.date));
        let mut machines = machines.into_iter();
        let mut all = Machine::with_graphs_of(instances(&self.jobs));
        if let Some(first) = machines.next() {
            let graphs = all.graphs;
            all = Machine { graphs, ..first };
        }
        machines.for_each(|machine| all.add(&machine));
        all
    }

    /// Removes the rows of these shards.
    ///
    /// # Errors
    ///
    /// [`RowsError::Write`].
    pub fn remove(&self, shards: &[Shard]) -> Result<(), RowsError> {
        let name = &self.experiment.name;
        shards.iter().try_for_each(|shard| {
            let name = shard.name(name);
            let _ = tours::remove(self.folder, &name);
            rows::remove(self.folder, &name)
        })
    }
}

/// What rows can be of two versions of.
#[derive(PartialEq, Eq, Hash)]
enum Program {
    Hamcnf,
    /// What answers, without its version if that is not known before.
    Solver(String),
}

/// For each shard whose rows are of another build than those of one before, that they are.
fn of_two_builds(parts: &[Part]) -> Vec<Flaw> {
    let mut flaws = Vec::new();
    let mut first: HashMap<Program, (String, &Path)> = HashMap::new();
    for Part {
        file,
        rows,
        machine,
    } in parts
    {
        let build = |version: &str, commit: &str| format!("hamcnf {version} of commit {commit}");
        let of_rows = rows.iter().flat_map(|row| {
            let own = (Program::Hamcnf, build(&row.version, &row.commit));
            let engine = row.method.engine().map(ToString::to_string);
            // What was ended from outside did not say its version.
            let known = engine.is_none_or(|engine| engine != row.solver);
            let is_versioned = row.method.is_by_cadical() || row.method.engine().is_some();
            let solver = (Program::Solver(row.method.solver()), row.solver.clone());
            std::iter::once(own).chain((is_versioned && known).then_some(solver))
        });
        let all = machine.all().collect::<Vec<_>>();
        let of_machines = all
            .iter()
            .map(|machine| (Program::Hamcnf, build(&machine.hamcnf, &machine.commit)));
        let wrong = of_machines.chain(of_rows).find_map(|(program, this)| {
            let (that, other) = first
                .entry(program)
                .or_insert_with(|| (this.clone(), file.as_path()));
            (this != *that).then(|| Flaw::Builds {
                file: file.clone(),
                this,
                other: other.to_path_buf(),
                that: that.clone(),
            })
        });
        flaws.extend(wrong);
    }
    flaws
}
