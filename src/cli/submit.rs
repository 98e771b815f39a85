//! `hamcnf submit`: runs an experiment on a cluster.

use std::collections::BTreeSet;
use std::env::{current_dir, current_exe};
use std::ffi::OsString;
use std::num::NonZeroU32;
use std::path::{Path, absolute};
use std::time::Duration;

use anyhow::{Context, bail};
use hamcnf::harness::merge::Shards;
use hamcnf::harness::shard::Shard;
use hamcnf::harness::slurm::{self, Array, Layout};

use super::counter::Network;
use super::exit::DONE;
use super::experiment;
use super::limits::time;
use super::{complain, output};

/// Run an experiment on a cluster with Slurm
///
/// Splits the experiment into shards and submits them with sbatch, as an array of tasks with one processor each. The
/// script is results/NAME.slurm.sh, and messages go to results/NAME.slurm/. All nodes must have access to the current folder.
/// When all tasks have ended, run `hamcnf run --merge`. Use --missing to submit lost
/// tasks again: tasks that were cancelled, or whose node or job failed. These tasks continue from existing rows.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  hamcnf submit experiments/decision.toml --dry-run       print the script and the command
  hamcnf submit experiments/decision.toml --partition short --at-once 50
  hamcnf submit experiments/decision.toml --sbatch=--qos=low --sbatch=--exclusive
  hamcnf submit experiments/decision.toml --missing       submit lost shards again
  hamcnf run experiments/decision.toml --merge            when all shards are complete")]
pub(crate) struct Args {
    #[command(flatten)]
    experiment: experiment::Choice,
    /// Submit again only the incomplete shards that have no waiting or running task
    #[arg(long, conflicts_with = "task_time")]
    missing: bool,
    /// Largest total time limit of the jobs in a task; a job without a time limit gets its own task
    #[arg(long, value_name = "TIME", default_value = "30m", value_parser = time)]
    task_time: Duration,
    /// Largest number of tasks, at most Slurm's MaxArraySize minus 1
    #[arg(long, value_name = "N", default_value = "1000", conflicts_with = "missing")]
    tasks: NonZeroU32,
    /// Slurm partition
    #[arg(long, value_name = "NAME")]
    partition: Option<String>,
    /// Slurm account
    #[arg(long, value_name = "NAME")]
    account: Option<String>,
    /// Largest number of tasks that run at once
    #[arg(long, value_name = "N")]
    at_once: Option<NonZeroU32>,
    /// Extra argument for sbatch; may be repeated
    #[arg(long, value_name = "ARG", allow_hyphen_values = true)]
    sbatch: Vec<String>,
    /// Print the script and the command; submit nothing
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    network: Network,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<u8> {
    let experiment = args.experiment.read()?;
    let name = experiment.name.as_str();
    let shards = Shards::new(&experiment, args.experiment.folder());
    let folder = absolute(args.experiment.folder())?;
    let queued = match slurm::queued(&folder, name) {
        // The script can be printed on machines without a running Slurm.
        Err(_) if args.dry_run => BTreeSet::new(),
        queued => queued?,
    };
    let (layout, wanted) = if args.missing {
        let of = shards.number().context("cannot find out which shards are missing")?;
        let lost = lost(&shards, of, &queued)?;
        if lost.is_empty() {
            return Ok(DONE);
        }
        (Layout::with(&shards.jobs, of), lost)
    } else {
        if !queued.is_empty() {
            bail!(
                "{name} is already submitted, and {} of its tasks are waiting or running; use --missing to submit lost shards again",
                queued.len()
            );
        }
        if let Some(shard) = shards.there()?.first() {
            bail!(
                "\"{}\" has rows of shard {shard}: continue with --missing, finish with `hamcnf run --merge --remove-shards`, or remove \
                 the rows",
                args.experiment.folder().display()
            );
        }
        let layout = Layout::of(&shards.jobs, args.task_time, args.tasks);
        (layout, Shard::all(layout.shards).collect())
    };
    let named = [("partition", &args.partition), ("account", &args.account)];
    let named = named.into_iter().filter_map(|(option, value)| Some(format!("--{option}={}", value.as_ref()?)));
    let array = Array {
        name,
        folder: &folder,
        directory: &current_dir().context("cannot find the current folder")?,
        run: command(args, &absolute(&experiment.file)?, &folder)?,
        layout,
        shards: wanted,
        at_once: args.at_once,
        sbatch: named.chain(args.sbatch.iter().cloned()).collect(),
    };
    if args.dry_run {
        let text = [array.script(), array.command()].join(&b'\n');
        output::print(|out| out.write_all(&text).and_then(|()| writeln!(out)))?;
        return Ok(DONE);
    }
    let jobs = || shards.jobs.iter().map(|(_, job)| job);
    args.network.set_up(jobs().filter_map(|job| job.method.engine()))?;
    let job = array.submit()?;
    let (n, of, all) = (array.shards.len(), layout.shards, shards.jobs.len());
    let tasks = if n == 1 { "task" } else { "tasks" };
    let said = format!("Submitted Slurm job {job}: {n} {tasks} of {of}, for the {all} jobs of the experiment");
    output::print(|out| writeln!(out, "{said}"))?;
    Ok(DONE)
}

/// Returns the lost shards: incomplete shards that have no waiting or running task. Reports their number.
fn lost(shards: &Shards<'_>, of: NonZeroU32, queued: &BTreeSet<u32>) -> anyhow::Result<Vec<Shard>> {
    let (mut complete, mut waiting, mut lost) = (0, 0, Vec::new());
    for shard in Shard::all(of) {
        match shards.progress(shard)? {
            part if part.is_complete() => complete += 1,
            _ if queued.contains(&shard.number()) => waiting += 1,
            part => {
                for row in part.failed {
                    complain(&format!("shard {shard}: {} failed: {}", row.key(), row.message));
                }
                lost.push(shard);
            }
        }
    }
    let n = lost.len();
    let nothing = if n == 0 { "Nothing was lost: " } else { "" };
    let said = format!("{complete} of {of} shards are complete, {waiting} are waiting or running");
    output::print(|out| writeln!(out, "{nothing}{said}, and {n} are lost"))?;
    Ok(lost)
}

/// Returns the command of a task, without the option for its shard.
fn command(args: &Args, experiment: &Path, folder: &Path) -> anyhow::Result<Vec<OsString>> {
    let hamcnf = current_exe().context("cannot find the path of the hamcnf program")?;
    let given = args.experiment.given();
    let options = [
        ("--output", Some(folder.to_owned())),
        // The path stays as the user typed it, since rows name graphs by their files.
        ("--graphs", given.graphs),
        ("--times", given.times),
        ("--engines", given.engines),
    ];
    let mut words: Vec<OsString> = vec![hamcnf.into(), "run".into(), experiment.into()];
    for (option, value) in options {
        let value = value.map(|value| [option.into(), value.into()]);
        words.extend(value.into_iter().flatten());
    }
    Ok(words)
}
