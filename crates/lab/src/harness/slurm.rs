//! Slurm: an experiment as an array of tasks on a cluster, a shard each.
//!
//! What is submitted is a script that runs the shard of its task's number, and nothing else: rows, failed jobs among them,
//! are in the shards' files, where who asks finds them, whatever Slurm knows of the tasks. A task that is begun again, by
//! Slurm on another node or by who submits what is missing, goes on from its rows. Beside the results are
//!
//! | file | what it is |
//! |---|---|
//! | `NAME.slurm.sh` | the script |
//! | `NAME.slurm.json` | the [`Ledger`]: how many shards there are, and what was submitted |
//! | `NAME.slurm/` | what the tasks printed |
//!
//! # References
//!
//! - [sbatch](https://slurm.schedmd.com/sbatch.html), [squeue](https://slurm.schedmd.com/squeue.html) and
//!   [job arrays](https://slurm.schedmd.com/job_array.html), as of Slurm 22.05.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::fs::{self, File, TryLockError};
use std::io;
use std::num::NonZeroU32;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::str::FromStr;
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::job::Job;
use super::merge::{Flaw, Progress, Shards};
use super::plan::Given;
use super::rows::{self, RowsError};
use super::shard::Shard;
use hamcnf_engines::process::{self, End, Options};
use hamcnf_engines::stop::Stop;
use hamcnf_engines::temporary::replace;
use hamcnf_methods::record::Key;

/// Why nothing is submitted, or not known.
#[derive(Debug, thiserror::Error)]
pub enum SlurmError {
    /// A program of Slurm's is not there.
    #[error(
        "there is no {0} on the PATH: this is for machines with Slurm; 'hamcnf run FILE --shard K/N' needs none"
    )]
    Missing(&'static str),
    /// It could not be run.
    #[error("cannot run {program}: {error}")]
    Run {
        /// The program.
        program: &'static str,
        /// Why.
        error: io::Error,
    },
    /// It said that it could not do what it was asked to.
    #[error("{program} failed: {why}")]
    Failed {
        /// The program.
        program: &'static str,
        /// What it said.
        why: String,
    },
    /// What it said is not what such a program says.
    #[error("what {program} says has no {what}")]
    Odd {
        /// The program.
        program: &'static str,
        /// What was looked for.
        what: &'static str,
    },
    /// Somebody else submits the same.
    #[error("{} is being submitted by another 'hamcnf submit'", .0)]
    Busy(String),
    /// The caller's flag was set meanwhile.
    #[error("interrupted")]
    Stopped,
    /// The cluster has no job arrays.
    #[error("this cluster runs no arrays of jobs: its MaxArraySize is {0}")]
    NoArrays(u32),
    /// There is no ledger.
    #[error("nothing of {name} was submitted from {}: submit it without --missing", folder.display())]
    NothingSubmitted {
        /// The experiment.
        name: String,
        /// The folder.
        folder: PathBuf,
    },
    /// The ledger cannot be read.
    #[error("cannot read {}: {why}", file.display())]
    Ledger {
        /// The file.
        file: PathBuf,
        /// Why.
        why: String,
    },
    /// A file or a folder could not be written.
    #[error("cannot write {}: {error}", file.display())]
    Write {
        /// It.
        file: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// It was submitted, but that could not be written down.
    #[error("{0}; it was submitted as job {1}, which 'scancel {1}' ends")]
    NotKept(RowsError, u64),
}

/// The programs by which Slurm is asked.
#[derive(Clone, Debug, Default)]
pub struct Cluster {
    /// Ends what is being asked.
    pub stop: Stop,
}

impl Cluster {
    /// The most tasks that an array can have.
    ///
    /// # Errors
    ///
    /// [`SlurmError`].
    pub fn room(&self) -> Result<NonZeroU32, SlurmError> {
        const PROGRAM: &str = "scontrol";
        let config = self.ask(PROGRAM, ["show", "config"])?;
        let number = |name: &'static str| {
            let lines = config.lines().filter_map(|line| line.split_once('='));
            let value = lines
                .filter(|(key, _)| key.trim() == name)
                .find_map(|(_, value)| value.trim().parse::<u32>().ok());
            value.ok_or(SlurmError::Odd {
                program: PROGRAM,
                what: name,
            })
        };
        let (array, jobs) = (number("MaxArraySize")?, number("MaxJobCount")?);
        // The first is one more than the last number of a task, and ours are from 1. Every task that runs is a job.
        let most = array.min(jobs).saturating_sub(1);
        NonZeroU32::new(most).ok_or(SlurmError::NoArrays(array))
    }

    /// Submits, and gives what was.
    ///
    /// # Errors
    ///
    /// [`SlurmError`].
    pub fn submit(&self, array: &Array<'_>) -> Result<Submission, SlurmError> {
        let said = self.ask(Array::PROGRAM, array.arguments())?;
        let line = said.lines().last().unwrap_or_default().trim();
        let (job, cluster) = match line.split_once(';') {
            Some((job, cluster)) => (job, Some(cluster.to_owned())),
            None => (line, None),
        };
        let odd = |_| SlurmError::Odd {
            program: Array::PROGRAM,
            what: "number of a job",
        };
        Ok(Submission {
            job: job.parse().map_err(odd)?,
            cluster,
            date: humantime::format_rfc3339_seconds(SystemTime::now()).to_string(),
            tasks: array.tasks.clone(),
        })
    }

    /// Of the tasks that were submitted, those that wait or run.
    ///
    /// # Errors
    ///
    /// [`SlurmError`].
    pub fn queued(&self, ledger: &Ledger, name: &str) -> Result<BTreeSet<u32>, SlurmError> {
        let mut queued = BTreeSet::new();
        let clusters: BTreeSet<_> = ledger.submissions.iter().map(|s| &s.cluster).collect();
        for cluster in clusters {
            // By their name: Slurm takes it for an error to be asked for a number that it has forgotten.
            let mut arguments = vec![
                "--noheader".to_owned(),
                "--array".to_owned(),
                "--states=all".to_owned(),
                "--format=%F|%K|%T".to_owned(),
                format!("--name={}", job_name(name)),
            ];
            arguments.extend(cluster.as_ref().map(|name| format!("--clusters={name}")));
            let said = self.ask("squeue", arguments)?;
            for task in said.lines().filter_map(Task::read) {
                let of = ledger.submissions.iter().find(|submission| {
                    submission.cluster == *cluster && submission.job == task.job
                });
                let is_ours = of.is_some_and(|submission| submission.tasks.contains(task.number));
                if is_ours && !task.has_ended {
                    queued.insert(task.number);
                }
            }
        }
        Ok(queued)
    }

    /// What a program prints.
    fn ask(
        &self,
        program: &'static str,
        arguments: impl IntoIterator<Item = impl AsRef<OsStr>>,
    ) -> Result<String, SlurmError> {
        let mut command = Command::new(program);
        command.args(arguments);
        let options = Options {
            input: &[],
            // They have limits of their own on how long they wait for the cluster.
            limits: hamcnf_engines::limits::Limits::default(),
            grace: Duration::from_secs(1),
            stop: &self.stop,
        };
        let ended =
            process::run(command, &options, &mut |_| ()).map_err(|error| match error.kind() {
                io::ErrorKind::NotFound => SlurmError::Missing(program),
                _ => SlurmError::Run { program, error },
            })?;
        match ended.end {
            End::Itself(status) if status.success() => Ok(ended.stdout),
            End::Stopped => Err(SlurmError::Stopped),
            End::Itself(status) => {
                let said: Vec<_> = ended.stderr.lines().map(str::trim).collect();
                let why = match said.join("; ") {
                    nothing if nothing.is_empty() => status.to_string(),
                    said => said,
                };
                Err(SlurmError::Failed { program, why })
            }
            End::Limit(_) => Err(SlurmError::Stopped),
            End::TooMuch => Err(SlurmError::Failed {
                program,
                why: process::too_much(),
            }),
        }
    }
}

/// A task as squeue lists it.
struct Task {
    job: u64,
    number: u32,
    has_ended: bool,
}

impl Task {
    /// States after which Slurm does not run it again. What others there are, now or later, it may leave for running.
    const ENDED: [&str; 10] = [
        "BOOT_FAIL",
        "CANCELLED",
        "COMPLETED",
        "DEADLINE",
        "FAILED",
        "NODE_FAIL",
        "OUT_OF_MEMORY",
        "PREEMPTED",
        "REVOKED",
        "TIMEOUT",
    ];

    /// Of a line `JOB|TASK|STATE`; of headings none.
    fn read(line: &str) -> Option<Self> {
        let mut words = line.trim().splitn(3, '|');
        let mut next = || words.next();
        let (job, number, state) = (next()?, next()?, next()?);
        Some(Self {
            job: job.parse().ok()?,
            number: number.parse().ok()?,
            has_ended: Self::ENDED.contains(&state.trim()),
        })
    }
}

/// How an experiment is cut into tasks, and what each may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Layout {
    /// How many tasks there are, a shard each.
    pub shards: NonZeroU32,
    /// Wall time for the longest, if all of its jobs have a limit.
    pub time: Option<Duration>,
    /// Bytes of memory for the job that may take most, if all have a limit.
    pub memory: Option<u64>,
}

impl Layout {
    /// What a job takes beyond its limit: to begin, and to be ended.
    const A_JOB: Duration = Duration::from_secs(5);
    /// What a task takes beside its jobs: to begin, and to read the experiment with its graphs.
    const A_TASK: Duration = Duration::from_secs(60);
    /// The same of memory, beside an eighth of the job's limit.
    const MEMORY: u64 = 256 << 20;

    /// With so many tasks.
    #[must_use]
    pub fn with(jobs: &[(Key, Job)], shards: NonZeroU32) -> Self {
        let longest = Shard::all(shards)
            .map(|shard| {
                shard.part(jobs).try_fold(Self::A_TASK, |sum, (_, job)| {
                    let job = job.limits.wall?.saturating_add(Self::A_JOB);
                    Some(sum.saturating_add(job))
                })
            })
            .try_fold(Duration::ZERO, |most, time| Some(most.max(time?)));
        let most = jobs
            .iter()
            .try_fold(0, |most: u64, (_, job)| Some(most.max(job.limits.memory?)));
        let memory = most.map(|most| most.saturating_add(most / 8).saturating_add(Self::MEMORY));
        Self {
            shards,
            time: longest.filter(|_| !jobs.is_empty()),
            memory: memory.filter(|_| !jobs.is_empty()),
        }
    }

    /// With the fewest tasks whose jobs have limits on their time of no more than `a_task` together, though no more than
    /// there is room for. Jobs that may take longer alone share a task with short ones at most; those without a limit have
    /// one each.
    #[must_use]
    pub fn of(jobs: &[(Key, Job)], a_task: Duration, room: NonZeroU32) -> Self {
        let all = u32::try_from(jobs.len()).unwrap_or(u32::MAX);
        let most = NonZeroU32::new(all).unwrap_or(NonZeroU32::MIN).min(room);
        let walls: Option<Vec<Duration>> = jobs.iter().map(|(_, job)| job.limits.wall).collect();
        let Some(walls) = walls else {
            return Self::with(jobs, most);
        };
        let longest = walls.iter().copied().max().unwrap_or_default();
        let bound = match longest > a_task {
            true => a_task.saturating_add(longest),
            false => a_task,
        };
        let is_short = |shard: Shard| {
            let mut walls = shard.part(&walls);
            let sum = walls.try_fold(Duration::ZERO, |sum, wall| sum.checked_add(*wall));
            sum.is_some_and(|sum| sum <= bound)
        };
        let fit = (1..most.get())
            .filter_map(NonZeroU32::new)
            .find(|&shards| Shard::all(shards).all(is_short));
        Self::with(jobs, fit.unwrap_or(most))
    }
}

/// More than any cluster has room for.
const MOST_TASKS: u32 = 1 << 24;

/// Numbers of tasks, written as Slurm has them: `1-4,7`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tasks {
    /// Their ranges, first and last, in order and with gaps between: as long as the text, however many they are.
    ranges: Vec<(u32, u32)>,
}

impl Tasks {
    fn of(mut ranges: Vec<(u32, u32)>) -> Self {
        ranges.sort_unstable();
        let mut joined: Vec<(u32, u32)> = Vec::new();
        for (first, last) in ranges {
            match joined.last_mut() {
                Some(before) if first <= before.1.saturating_add(1) => {
                    before.1 = before.1.max(last);
                }
                _ => joined.push((first, last)),
            }
        }
        Self { ranges: joined }
    }

    fn contains(&self, number: u32) -> bool {
        let mut ranges = self.ranges.iter();
        ranges.any(|&(first, last)| (first..=last).contains(&number))
    }
}

impl FromIterator<Shard> for Tasks {
    fn from_iter<I: IntoIterator<Item = Shard>>(shards: I) -> Self {
        let numbers = shards.into_iter().map(Shard::number);
        Self::of(numbers.map(|number| (number, number)).collect())
    }
}

impl fmt::Display for Tasks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut gap = "";
        for (first, last) in &self.ranges {
            match first == last {
                true => write!(f, "{gap}{first}")?,
                false => write!(f, "{gap}{first}-{last}")?,
            }
            gap = ",";
        }
        Ok(())
    }
}

/// A text that has no tasks' numbers.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("'{0}' are no numbers of tasks, such as 1-4,7")]
pub struct NotTasks(String);

impl FromStr for Tasks {
    type Err = NotTasks;

    fn from_str(text: &str) -> Result<Self, NotTasks> {
        let range = |word: &str| {
            let (first, last) = word.split_once('-').unwrap_or((word, word));
            let (first, last): (u32, u32) = (first.parse().ok()?, last.parse().ok()?);
            (first <= last && last < MOST_TASKS).then_some((first, last))
        };
        let ranges: Option<Vec<_>> = text.split(',').map(range).collect();
        let ranges = ranges.ok_or_else(|| NotTasks(text.to_owned()))?;
        Ok(Self::of(ranges))
    }
}

impl Serialize for Tasks {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Tasks {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?;
        text.parse().map_err(de::Error::custom)
    }
}

/// What has been submitted of an experiment: `NAME.slurm.json`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ledger {
    /// How many shards there are.
    pub shards: NonZeroU32,
    /// One after the other. A shard has been tried as often as it is in one.
    pub submissions: Vec<Submission>,
}

/// An array of tasks that was submitted.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Submission {
    /// The number of its job.
    pub job: u64,
    /// The cluster, where Slurm says one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cluster: Option<String>,
    /// When, UTC.
    pub date: String,
    /// The numbers of its tasks, which are those of their shards.
    pub tasks: Tasks,
}

/// Which shards are there, and which are not.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Standing {
    /// Those that are complete.
    pub complete: Vec<Shard>,
    /// Those of the others that wait or run.
    pub queued: Vec<Shard>,
    /// The rest.
    pub lost: Vec<Lost>,
}

/// A shard that is not complete, and that no task runs or will run.
#[derive(Clone, PartialEq, Debug)]
pub struct Lost {
    /// Which.
    pub shard: Shard,
    /// How often it was submitted.
    pub tries: usize,
    /// How many of its rows are missing.
    pub missing: usize,
    /// How many it has to have.
    pub of: usize,
    /// Its jobs that failed, and why.
    pub failed: Vec<(Key, String)>,
}

impl Ledger {
    /// That of an experiment of this name in this folder; none where nothing was submitted.
    ///
    /// # Errors
    ///
    /// [`SlurmError::Ledger`].
    pub fn read(folder: &Path, name: &str) -> Result<Option<Self>, SlurmError> {
        let file = ledger(folder, name);
        let text = match fs::read(&file) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            other => other.map_err(|error| error.to_string()),
        };
        let read = text.and_then(|text| {
            let ledger: Self = serde_json::from_slice(&text).map_err(|error| error.to_string())?;
            let ranges = ledger.submissions.iter().flat_map(|s| &s.tasks.ranges);
            for number in ranges.flat_map(|&(first, last)| [first, last]) {
                Shard::new(number, ledger.shards.get()).map_err(|error| error.to_string())?;
            }
            Ok(ledger)
        });
        read.map(Some)
            .map_err(|why| SlurmError::Ledger { file, why })
    }

    /// Writes it, in place of an earlier one.
    ///
    /// # Errors
    ///
    /// [`SlurmError::NotKept`].
    ///
    /// # Panics
    ///
    /// Never: a ledger is words and numbers.
    pub fn keep(&self, folder: &Path, name: &str) -> Result<(), SlurmError> {
        let text = serde_json::to_string_pretty(self).expect("a ledger is words and numbers");
        let job = self.submissions.last().map_or(0, |last| last.job);
        rows::replace(&ledger(folder, name), (text + "\n").as_bytes())
            .map_err(|error| SlurmError::NotKept(error, job))
    }

    /// Waits for nobody: the file is locked as long as it is there, and nobody else submits the same meanwhile.
    ///
    /// # Errors
    ///
    /// [`SlurmError::Busy`] and [`SlurmError::Write`].
    pub fn locked(folder: &Path, name: &str) -> Result<File, SlurmError> {
        let file = folder.join(format!("{name}.slurm.lock"));
        let write = |error| SlurmError::Write {
            file: file.clone(),
            error,
        };
        fs::create_dir_all(folder).map_err(write)?;
        let lock = File::create(&file).map_err(write)?;
        match lock.try_lock() {
            Ok(()) => Ok(lock),
            Err(TryLockError::WouldBlock) => Err(SlurmError::Busy(name.to_owned())),
            Err(TryLockError::Error(error)) => Err(write(error)),
        }
    }

    /// Removes it, if there is one: for who removes the shards that it is about.
    ///
    /// # Errors
    ///
    /// [`SlurmError::Write`].
    pub fn remove(folder: &Path, name: &str) -> Result<(), SlurmError> {
        let _ = fs::remove_file(folder.join(format!("{name}.slurm.lock")));
        let file = ledger(folder, name);
        match fs::remove_file(&file) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(SlurmError::Write { file, error })
            }
            _ => Ok(()),
        }
    }

    /// Which of its shards are there, where these tasks wait or run.
    ///
    /// # Errors
    ///
    /// [`Flaw`]: rows that are not those of the experiment.
    pub fn standing(&self, shards: &Shards<'_>, queued: &BTreeSet<u32>) -> Result<Standing, Flaw> {
        let mut standing = Standing::default();
        for shard in Shard::all(self.shards) {
            match shards.progress(shard)? {
                Progress::Complete(_) => standing.complete.push(shard),
                Progress::Unfinished { .. } if queued.contains(&shard.number()) => {
                    standing.queued.push(shard);
                }
                Progress::Unfinished {
                    missing,
                    of,
                    failed,
                } => {
                    let with = |submission: &&Submission| submission.tasks.contains(shard.number());
                    standing.lost.push(Lost {
                        shard,
                        tries: self.submissions.iter().filter(with).count(),
                        missing,
                        of,
                        failed,
                    });
                }
            }
        }
        Ok(standing)
    }
}

fn ledger(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{name}.slurm.json"))
}

/// The name of an experiment's jobs: where that has characters that mean something to Slurm, others are in their place.
fn job_name(name: &str) -> String {
    let plain = |c: char| match c.is_ascii_alphanumeric() || "._-".contains(c) {
        true => c,
        false => '_',
    };
    "hamcnf-".chars().chain(name.chars().map(plain)).collect()
}

/// The script that a task runs.
#[derive(Clone, Copy, Debug)]
pub struct Script<'a> {
    /// The program.
    pub hamcnf: &'a Path,
    /// Where it is started: what the experiment names it names from there.
    pub directory: &'a Path,
    /// The experiment's file.
    pub experiment: &'a Path,
    /// The folder of its results.
    pub folder: &'a Path,
    /// What its file does not say. It stays as it was said, since rows of graphs are known by their files' names.
    pub given: &'a Given,
    /// How the experiment is cut.
    pub layout: Layout,
}

impl Script<'_> {
    /// Its text.
    #[must_use]
    pub fn text(&self) -> Vec<u8> {
        let Layout {
            shards,
            time,
            memory,
        } = self.layout;
        let mut text = String::from("#!/bin/sh\n#SBATCH --ntasks=1\n#SBATCH --cpus-per-task=1\n");
        // Begun again on another node where its own fails, it goes on, and what it said before stays.
        text += "#SBATCH --requeue\n#SBATCH --open-mode=append\n";
        if let Some(time) = time {
            let minutes = time.as_secs().div_ceil(60);
            text += &format!("#SBATCH --time={minutes}\n");
        }
        if let Some(bytes) = memory {
            text += &format!("#SBATCH --mem={}M\n", bytes.div_ceil(1 << 20));
        }
        let mut text = text.into_bytes();
        let mut line = |words: &[&OsStr], end: &str| {
            for word in words {
                text.extend(quoted(word));
                text.push(b' ');
            }
            text.extend(end.as_bytes());
            text.push(b'\n');
        };
        line(&["cd".as_ref(), self.directory.as_ref()], "|| exit");
        let mut words: Vec<&OsStr> = vec![
            "exec".as_ref(),
            self.hamcnf.as_ref(),
            "run".as_ref(),
            self.experiment.as_ref(),
            "--output".as_ref(),
            self.folder.as_ref(),
        ];
        for (option, value) in [
            ("--graphs", &self.given.graphs),
            ("--times", &self.given.times),
            ("--engines", &self.given.engines),
        ] {
            if let Some(value) = value {
                words.extend([option.as_ref(), value.as_os_str()]);
            }
        }
        // What has to be fetched has been before it was submitted; tasks at one time would be in each other's way.
        line(
            &words,
            &format!("--offline --shard \"$SLURM_ARRAY_TASK_ID/{shards}\""),
        );
        text
    }
}

/// A word for a shell.
fn quoted(word: &OsStr) -> Vec<u8> {
    // What no word can have, a path has not either.
    shlex::bytes::try_quote(word.as_bytes())
        .map_or_else(|_| Vec::new(), std::borrow::Cow::into_owned)
}

/// What the user says of how tasks are run.
#[derive(Clone, Debug, Default)]
pub struct Wishes {
    /// The partition.
    pub partition: Option<String>,
    /// The account.
    pub account: Option<String>,
    /// How many tasks may run at one time.
    pub at_once: Option<NonZeroU32>,
    /// Arguments for sbatch, as they are.
    pub sbatch: Vec<String>,
}

/// An array to be submitted.
#[derive(Clone, Debug)]
pub struct Array<'a> {
    folder: &'a Path,
    name: &'a str,
    wishes: &'a Wishes,
    tasks: Tasks,
}

impl<'a> Array<'a> {
    const PROGRAM: &'static str = "sbatch";

    /// Of these shards of an experiment of this name, with the script in this folder, an absolute path.
    #[must_use]
    pub fn new(
        folder: &'a Path,
        name: &'a str,
        wishes: &'a Wishes,
        shards: impl IntoIterator<Item = Shard>,
    ) -> Self {
        Self {
            folder,
            name,
            wishes,
            tasks: shards.into_iter().collect(),
        }
    }

    /// Its script's file.
    #[must_use]
    pub fn script(&self) -> PathBuf {
        self.folder.join(format!("{}.slurm.sh", self.name))
    }

    /// The folder for what its tasks print.
    #[must_use]
    pub fn logs(&self) -> PathBuf {
        self.folder.join(format!("{}.slurm", self.name))
    }

    /// Writes the script, and makes the folder for what tasks print, without which they would not begin.
    ///
    /// # Errors
    ///
    /// [`SlurmError::Write`].
    pub fn prepare(&self, script: &Script<'_>) -> Result<(), SlurmError> {
        let write = |file: PathBuf| move |error| SlurmError::Write { file, error };
        fs::create_dir_all(self.logs()).map_err(write(self.logs()))?;
        replace(&self.script(), &script.text()).map_err(write(self.script()))
    }

    fn arguments(&self) -> Vec<OsString> {
        let mut arguments = vec![
            OsString::from("--parsable"),
            format!("--job-name={}", job_name(self.name)).into(),
        ];
        let Wishes {
            partition,
            account,
            at_once,
            sbatch,
        } = self.wishes;
        for (option, value) in [("partition", partition), ("account", account)] {
            arguments.extend(
                value
                    .as_ref()
                    .map(|value| format!("--{option}={value}").into()),
            );
        }
        arguments.extend(sbatch.iter().map(OsString::from));
        // In a pattern of Slurm's a percent sign is written twice.
        let mut output = b"--output=".to_vec();
        for &byte in self.logs().as_os_str().as_bytes() {
            output.extend(std::iter::repeat_n(byte, if byte == b'%' { 2 } else { 1 }));
        }
        output.extend(b"/%A_%a.log");
        arguments.push(OsString::from_vec(output));
        let at_once = at_once.map_or_else(String::new, |n| format!("%{n}"));
        // Last, since it says which shards these are.
        arguments.push(format!("--array={}{at_once}", self.tasks).into());
        arguments.push(self.script().into());
        arguments
    }

    /// The command that submits it, as a shell has it.
    #[must_use]
    pub fn command(&self) -> Vec<u8> {
        let mut command = Self::PROGRAM.as_bytes().to_vec();
        for argument in self.arguments() {
            command.push(b' ');
            command.extend(quoted(&argument));
        }
        command
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hamcnf_engines::limits::Limits;
    use hamcnf_methods::question::Question;

    fn number(n: u32) -> NonZeroU32 {
        NonZeroU32::new(n).unwrap()
    }

    fn jobs(walls: &[Option<u64>]) -> Vec<(Key, Job)> {
        let job = |(seed, wall): (u64, &Option<u64>)| {
            let job = Job {
                question: Question::load("6x6").unwrap(),
                method: "binary".parse().unwrap(),
                seed,
                limits: Limits {
                    wall: wall.map(Duration::from_secs),
                    memory: Some(1 << 30),
                    ..Limits::default()
                },
            };
            (job.key(), job)
        };
        (0..).zip(walls).map(job).collect()
    }

    #[test]
    fn short_jobs_share_a_task_and_long_ones_do_not() {
        let minutes = |n: u64| Duration::from_secs(60 * n);
        let shards = |walls: &[Option<u64>], room: u32| {
            let layout = Layout::of(&jobs(walls), minutes(30), number(room));
            layout.shards.get()
        };
        assert_eq!(shards(&[Some(60); 200], 1000), 7);
        assert_eq!(shards(&[Some(1799); 200], 1000), 200);
        assert_eq!(shards(&[Some(4000); 20], 1000), 20);
        // As many as there is room for.
        assert_eq!(shards(&[Some(4000); 20], 6), 6);
        assert_eq!(shards(&[None; 20], 1000), 20);
        assert_eq!(shards(&[Some(1), None], 1000), 2);
        assert_eq!(shards(&[Some(60)], 1000), 1);
        // One that is long does not make tasks of one job of all that are short.
        let mut mixed = [Some(60); 60];
        mixed[7] = Some(7200);
        assert_eq!(shards(&mixed, 1000), 2);
        let layout = Layout::of(&jobs(&[Some(60); 60]), minutes(30), number(9));
        assert_eq!(layout.time, Some(Duration::from_secs(60 + 30 * 65)));
        assert_eq!(layout.memory, Some((1 << 30) + (128 << 20) + (256 << 20)));
        assert_eq!(Layout::with(&jobs(&[Some(1), None]), number(1)).time, None);
    }

    #[test]
    fn tasks_are_read_as_they_are_written() {
        for text in ["1", "1-3", "1-2,4,6-9", "2,4"] {
            assert_eq!(text.parse::<Tasks>().unwrap().to_string(), text);
        }
        for text in ["3,1-2,2", "1-2,1-3", "1-3,2"] {
            assert_eq!(text.parse::<Tasks>().unwrap().to_string(), "1-3");
        }
        // As many as are written, not as they are numbers.
        let many = vec!["1-16777215"; 100].join(",");
        assert_eq!(many.parse::<Tasks>().unwrap().ranges.len(), 1);
        for wrong in ["", "a", "3-1", "1,,2", "1-999999999"] {
            assert!(wrong.parse::<Tasks>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn tasks_that_have_ended_are_told_from_others() {
        let has_ended = |line: &str| Task::read(line).map(|task| task.has_ended);
        assert_eq!(has_ended("7|3|RUNNING"), Some(false));
        assert_eq!(has_ended("7|3|COMPLETING"), Some(false));
        assert_eq!(has_ended("7|3|NODE_FAIL"), Some(true));
        assert_eq!(has_ended("7|N/A|RUNNING"), None);
        assert_eq!(has_ended("CLUSTER: here"), None);
    }

    #[test]
    fn paths_are_quoted() {
        let folder = Path::new("/a b/50%/it's");
        let given = Given {
            graphs: Some("my graphs".into()),
            times: None,
            engines: None,
        };
        let script = Script {
            hamcnf: Path::new("/bin/hamcnf"),
            directory: folder,
            experiment: Path::new("/a b/x.toml"),
            folder,
            given: &given,
            layout: Layout::with(&jobs(&[Some(10); 4]), number(2)),
        };
        let text = String::from_utf8(script.text()).unwrap();
        let last: Vec<_> = text
            .lines()
            .rev()
            .take(2)
            .map(|line| shlex::split(line).unwrap())
            .collect();
        assert_eq!(last[1], ["cd", "/a b/50%/it's", "||", "exit"]);
        assert_eq!(
            last[0],
            [
                "exec",
                "/bin/hamcnf",
                "run",
                "/a b/x.toml",
                "--output",
                "/a b/50%/it's",
                "--graphs",
                "my graphs",
                "--offline",
                "--shard",
                "$SLURM_ARRAY_TASK_ID/2"
            ]
        );
        assert!(text.contains("#SBATCH --time=2\n"), "{text}");
        let wishes = Wishes {
            sbatch: vec!["--qos=long".to_owned()],
            at_once: Some(number(3)),
            ..Wishes::default()
        };
        let array = Array::new(folder, "a,b", &wishes, Shard::all(number(4)));
        let command = String::from_utf8(array.command()).unwrap();
        assert_eq!(
            shlex::split(&command).unwrap(),
            [
                "sbatch",
                "--parsable",
                "--job-name=hamcnf-a_b",
                "--qos=long",
                "--output=/a b/50%%/it's/a,b.slurm/%A_%a.log",
                "--array=1-4%3",
                "/a b/50%/it's/a,b.slurm.sh"
            ]
        );
    }
}
