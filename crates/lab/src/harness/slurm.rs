//! Runs an experiment on a cluster with Slurm, as an array of tasks. Each task runs one shard.
//!
//! Task `k` of the array runs shard `k`. The stored rows show which shards are complete, and squeue lists the tasks
//! that are pending or running. No other state is recorded. A task starts again if Slurm moves it to another node, or
//! if the user submits it again. It then continues from its stored rows. Besides the results, the folder contains:
//!
//! | file | content |
//! |---|---|
//! | `NAME.slurm.sh` | the script |
//! | `NAME.slurm/` | output of the tasks |
//!
//! # References
//!
//! - [sbatch](https://slurm.schedmd.com/sbatch.html), [squeue](https://slurm.schedmd.com/squeue.html) and
//!   [job arrays](https://slurm.schedmd.com/job_array.html), as of Slurm 22.05.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fmt::Display;
use std::fs;
use std::io;
use std::num::NonZeroU32;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use super::job::Job;
use super::shard::Shard;
use crate::{LabError, cannot};
use hamcnf_methods::record::Key;
use hamcnf_programs::atomic_file::replace;

/// Returns the numbers of the experiment's tasks that are pending or running. A task belongs to the experiment if it
/// runs the script of the experiment in `folder`, an absolute path.
///
/// # Errors
///
/// [`LabError`].
pub fn queued(folder: &Path, name: &str) -> Result<BTreeSet<u32>, LabError> {
    let asked = ["--me", "--noheader", "--array", "--format=%K|%o"];
    let listed = ask("squeue", &asked.map(OsString::from))?;
    let script = script_file(folder, name);
    let number = |line: &str| {
        let (number, command) = line.split_once('|')?;
        let is_ours = command.trim_end() == script.to_string_lossy();
        is_ours.then(|| number.trim().parse().ok()).flatten()
    };
    Ok(listed.lines().filter_map(number).collect())
}

/// Runs a program and returns its output.
fn ask(program: &str, arguments: &[OsString]) -> Result<String, LabError> {
    let mut command = Command::new(program);
    let output = command.args(arguments).stdin(Stdio::null()).output().map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => LabError::new(format_args!(
            "{program} is not on the PATH, and this command needs Slurm; use `hamcnf run FILE --shard K/N` on other machines"
        )),
        _ => failed(program, error),
    })?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let why = match said.trim() {
        "" => output.status.to_string(),
        said => said.lines().map(str::trim).collect::<Vec<_>>().join("; "),
    };
    Err(failed(program, why))
}

fn failed(program: &str, why: impl Display) -> LabError {
    LabError::new(format_args!("{program} failed: {why}"))
}

/// Division of an experiment into tasks, and the limits of each task.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Layout {
    /// Number of tasks. Each task runs one shard.
    pub shards: NonZeroU32,
    /// Wall-time limit of a task, sufficient for the longest task; `None` if one of the jobs has no time limit.
    pub time: Option<Duration>,
    /// Memory limit of a task in bytes, sufficient for the job with the largest limit; `None` if one of the jobs has no
    /// memory limit.
    pub memory: Option<u64>,
}

impl Layout {
    /// Time allowed for starting and ending a job, in addition to the job's limit.
    const A_JOB: Duration = Duration::from_secs(5);
    /// Time allowed for starting a task and reading the experiment with its graphs, in addition to the time of the
    /// task's jobs.
    const A_TASK: Duration = Duration::from_secs(60);
    /// Memory in bytes for the processes of a task. The memory limit of a task is this amount plus nine eighths of the
    /// largest memory limit of a job.
    const MEMORY: u64 = 256 << 20;

    /// Returns the layout that divides the jobs into the given number of tasks.
    pub fn with(jobs: &[(Key, Job)], shards: NonZeroU32) -> Self {
        let mut times = Shard::all(shards).map(|shard| {
            shard.part(jobs).try_fold(Self::A_TASK, |sum, (_, job)| {
                Some(sum.saturating_add(job.limits.wall?.saturating_add(Self::A_JOB)))
            })
        });
        let longest = times.try_fold(Duration::ZERO, |most, time| Some(most.max(time?)));
        let mut jobs_memory = jobs.iter().map(|(_, job)| job.limits.memory);
        let most = jobs_memory.try_fold(0, |most: u64, memory| Some(most.max(memory?)));
        Self {
            shards,
            time: longest,
            memory: most.map(|most| most.saturating_add(most / 8).saturating_add(Self::MEMORY)),
        }
    }

    /// Returns the layout with the fewest tasks in which the time limits of every task's jobs add up to at most
    /// `a_task`. If a single job has a longer limit, each sum may be up to `a_task` plus the longest limit. If a job
    /// has no time limit, each job has a separate task. There are at most `most` tasks, even if the sums are greater
    /// then.
    pub fn of(jobs: &[(Key, Job)], a_task: Duration, most: NonZeroU32) -> Self {
        let all = u32::try_from(jobs.len()).unwrap_or(u32::MAX);
        let most = NonZeroU32::new(all).unwrap_or(NonZeroU32::MIN).min(most);
        let walls: Option<Vec<Duration>> = jobs.iter().map(|(_, job)| job.limits.wall).collect();
        let fit = walls.and_then(|walls| {
            let longest = walls.iter().copied().max().unwrap_or_default();
            let bound = if longest > a_task { a_task.saturating_add(longest) } else { a_task };
            let sum = |shard: Shard| shard.part(&walls).fold(Duration::ZERO, |sum, wall| sum.saturating_add(*wall));
            let mut numbers = (1..most.get()).filter_map(NonZeroU32::new);
            numbers.find(|&shards| Shard::all(shards).all(|shard| sum(shard) <= bound))
        });
        Self::with(jobs, fit.unwrap_or(most))
    }
}

/// Array of tasks to submit.
#[derive(Clone, Debug)]
pub struct Array<'a> {
    /// Name of the experiment.
    pub name: &'a str,
    /// Folder of the results; an absolute path.
    pub folder: &'a Path,
    /// Working directory of the tasks.
    pub directory: &'a Path,
    /// Command that runs the experiment, without the argument for the shard.
    pub run: Vec<OsString>,
    pub layout: Layout,
    /// Shards to run, in ascending order.
    pub shards: Vec<Shard>,
    /// Maximum number of tasks that run at the same time; `None` for no maximum.
    pub at_once: Option<NonZeroU32>,
    /// Additional arguments for sbatch.
    pub sbatch: Vec<String>,
}

impl Array<'_> {
    const PROGRAM: &'static str = "sbatch";

    /// Returns the content of the script that the tasks run.
    pub fn script(&self) -> Vec<u8> {
        let mut text = String::from("#!/bin/sh\n#SBATCH --ntasks=1\n#SBATCH --cpus-per-task=1\n");
        // If a node fails, its task continues on another node, and the earlier output of the task is kept.
        text += "#SBATCH --requeue\n#SBATCH --open-mode=append\n";
        if let Some(time) = self.layout.time {
            text += &format!("#SBATCH --time={}\n", time.as_secs().div_ceil(60));
        }
        if let Some(bytes) = self.layout.memory {
            text += &format!("#SBATCH --mem={}M\n", bytes.div_ceil(1 << 20));
        }
        let cd = quoted([OsStr::new("cd"), self.directory.as_os_str()]);
        let run = quoted(self.run.iter().map(OsString::as_os_str));
        // Engines are installed before the submission: tasks that download them at the same time would disturb each
        // other.
        let shard = format!("\"$SLURM_ARRAY_TASK_ID/{}\"", self.layout.shards);
        let mut text = text.into_bytes();
        text.extend([cd.as_slice(), b" || exit\nexec ", &run].concat());
        text.extend(format!(" --offline --shard {shard}\n").bytes());
        text
    }

    /// Returns the command that submits the array, quoted for use in a shell.
    pub fn command(&self) -> Vec<u8> {
        let arguments = self.arguments();
        quoted([OsStr::new(Self::PROGRAM)].into_iter().chain(arguments.iter().map(OsString::as_os_str)))
    }

    /// Writes the script, submits the array and returns its job number.
    ///
    /// # Errors
    ///
    /// [`LabError`].
    pub fn submit(&self) -> Result<u64, LabError> {
        let logs = self.logs();
        // Slurm does not start a task that cannot write its output.
        fs::create_dir_all(&logs).map_err(cannot("write", &logs))?;
        let script = script_file(self.folder, self.name);
        replace(&script, &self.script()).map_err(cannot("write", &script))?;
        let said = ask(Self::PROGRAM, &self.arguments())?;
        // The output is the job number. On several clusters, a semicolon and the cluster follow.
        let line = said.lines().last().unwrap_or_default();
        let job = line.split(';').next().unwrap_or_default().trim();
        job.parse().map_err(|_| failed(Self::PROGRAM, format_args!("output \"{line}\" is not a job number")))
    }

    fn logs(&self) -> PathBuf {
        self.folder.join(format!("{}.slurm", self.name))
    }

    fn arguments(&self) -> Vec<OsString> {
        // Other characters have a special meaning in Slurm.
        let plain = |c: char| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '_' };
        let name: String = self.name.chars().map(plain).collect();
        let mut arguments = vec![OsString::from("--parsable"), format!("--job-name=hamcnf-{name}").into()];
        arguments.extend(self.sbatch.iter().map(OsString::from));
        // In a filename pattern of Slurm, a percent sign is doubled.
        let mut output = b"--output=".to_vec();
        for &byte in self.logs().as_os_str().as_bytes() {
            output.extend(std::iter::repeat_n(byte, if byte == b'%' { 2 } else { 1 }));
        }
        output.extend(b"/%A_%a.log");
        arguments.push(OsString::from_vec(output));
        let at_once = self.at_once.map_or_else(String::new, |n| format!("%{n}"));
        // The array is the last argument, so that no additional argument can change the shards.
        arguments.push(format!("--array={}{at_once}", ranges(&self.shards)).into());
        arguments.push(script_file(self.folder, self.name).into());
        arguments
    }
}

fn script_file(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{name}.slurm.sh"))
}

/// Formats the numbers of sorted shards in Slurm's syntax, such as `1-4,7`.
fn ranges(shards: &[Shard]) -> String {
    let runs = shards.chunk_by(|one, next| one.number() + 1 == next.number()).map(|run| match run {
        [only] => only.number().to_string(),
        run => format!("{}-{}", run[0].number(), run[run.len() - 1].number()),
    });
    runs.collect::<Vec<_>>().join(",")
}

/// Quotes words for a shell.
fn quoted<'a>(words: impl IntoIterator<Item = &'a OsStr>) -> Vec<u8> {
    // Only NUL cannot be quoted, and paths and arguments do not contain it.
    shlex::bytes::try_join(words.into_iter().map(OsStr::as_bytes)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use hamcnf_graph::limits::Limits;
    use hamcnf_questions::Question;

    fn number(n: u32) -> NonZeroU32 {
        NonZeroU32::new(n).unwrap()
    }

    fn jobs(walls: &[Option<u64>]) -> Vec<(Key, Job)> {
        let job = |(seed, wall): (u64, &Option<u64>)| {
            let job = Job {
                question: Question::load("6x6").unwrap(),
                method: "binary".parse().unwrap(),
                seed,
                limits: Limits { wall: wall.map(Duration::from_secs), memory: Some(1 << 30), ..Limits::default() },
            };
            (job.key(), job)
        };
        (0..).zip(walls).map(job).collect()
    }

    #[test]
    fn short_jobs_share_a_task_and_long_ones_do_not() {
        let minutes = |n: u64| Duration::from_secs(60 * n);
        let shards =
            |walls: &[Option<u64>], most: u32| Layout::of(&jobs(walls), minutes(30), number(most)).shards.get();
        assert_eq!(shards(&[Some(60); 200], 1000), 7);
        assert_eq!(shards(&[Some(1799); 200], 1000), 200);
        assert_eq!(shards(&[Some(4000); 20], 1000), 20);
        // The number of tasks does not exceed the maximum.
        assert_eq!(shards(&[Some(4000); 20], 6), 6);
        assert_eq!(shards(&[None; 20], 1000), 20);
        assert_eq!(shards(&[Some(1), None], 1000), 2);
        assert_eq!(shards(&[Some(60)], 1000), 1);
        // A single long job does not result in a separate task for every short job.
        let mut mixed = [Some(60); 60];
        mixed[7] = Some(7200);
        assert_eq!(shards(&mixed, 1000), 2);
        let layout = Layout::of(&jobs(&[Some(60); 60]), minutes(30), number(9));
        assert_eq!(layout.time, Some(Duration::from_secs(60 + 30 * 65)));
        assert_eq!(layout.memory, Some((1 << 30) + (128 << 20) + (256 << 20)));
        assert_eq!(Layout::with(&jobs(&[Some(1), None]), number(1)).time, None);
    }

    #[test]
    fn paths_are_quoted() {
        let folder = Path::new("/a b/50%/it's");
        let run = ["/bin/hamcnf", "run", "/a b/x.toml", "--graphs", "my graphs"];
        let all: Vec<_> = Shard::all(number(6)).collect();
        let array = Array {
            name: "a,b",
            folder,
            directory: folder,
            run: run.map(OsString::from).to_vec(),
            layout: Layout::with(&jobs(&[Some(10); 6]), number(6)),
            shards: [&all[..3], &all[4..5]].concat(),
            at_once: Some(number(3)),
            sbatch: vec!["--qos=long".into()],
        };
        let text = String::from_utf8(array.script()).unwrap();
        assert!(text.contains("#SBATCH --time=2\n"), "{text}");
        let lines: Vec<_> = text.lines().map(|line| shlex::split(line).unwrap()).collect();
        let [.., cd, exec] = lines.as_slice() else { panic!("{text}") };
        assert_eq!(*cd, ["cd", "/a b/50%/it's", "||", "exit"]);
        let shard = ["--offline", "--shard", "$SLURM_ARRAY_TASK_ID/6"];
        assert_eq!(*exec, [&["exec"], &run[..], &shard].concat());
        let command = String::from_utf8(array.command()).unwrap();
        assert_eq!(
            shlex::split(&command).unwrap(),
            [
                "sbatch",
                "--parsable",
                "--job-name=hamcnf-a_b",
                "--qos=long",
                "--output=/a b/50%%/it's/a,b.slurm/%A_%a.log",
                "--array=1-3,5%3",
                "/a b/50%/it's/a,b.slurm.sh"
            ]
        );
    }
}
