//! `hamcnf submit`: an experiment on a cluster.

use std::num::NonZeroU32;
use std::path::absolute;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, bail};
use hamcnf::harness::merge::Shards;
use hamcnf::harness::shard::Shard;
use hamcnf::harness::slurm::{
    Array, Cluster, Layout, Ledger, Lost, Script, SlurmError, Standing, Wishes,
};

use super::counter::Network;
use super::experiment::{self, Folder};
use super::interrupt::Hold;
use super::number::{MustBe, whole};
use super::{complain, exit_code, output};

/// Run an experiment on a cluster with Slurm
///
/// The experiment is cut into shards (see hamcnf run --dry-run), and these are submitted as an array of tasks with sbatch, a shard
/// each. A task has one processor, the time that its jobs are allowed together and some more, and the memory that one is
/// allowed and some more. The script is results/NAME.slurm.sh, what was submitted is in NAME.slurm.json, and what tasks
/// print, which is not needed, goes to NAME.slurm/. The folder has to be one that all nodes see. When all tasks have ended,
/// `hamcnf merge` makes rows and tables.
///
/// Tasks are lost when they are cancelled, when their node fails, or when a job of theirs fails. --missing submits those
/// whose shards are not complete again; they go on from the rows that are there. The exit code is 1 if some have been
/// tried so often that they are not.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  hamcnf submit experiments/decision.toml --dry-run       the script and the command, and nothing is done
  hamcnf submit experiments/decision.toml --partition short --at-once 50
  hamcnf submit experiments/decision.toml --sbatch=--qos=low --sbatch=--exclusive
  hamcnf submit experiments/decision.toml --missing       what was lost, again
  hamcnf merge experiments/decision.toml                  when all is there")]
pub(crate) struct Args {
    #[command(flatten)]
    experiment: experiment::Choice,
    #[command(flatten)]
    output: Folder,
    /// Submit again what is not complete, and what no task runs or will run
    #[arg(long, conflicts_with = "task_time")]
    missing: bool,
    /// How often a shard is submitted at most
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = whole(1..=1000usize), requires = "missing")]
    tries: usize,
    /// How long the limits of a task's jobs may be together: short jobs share a task; without a limit each has its own
    #[arg(long, value_name = "TIME", default_value = "30m", value_parser = time)]
    task_time: Duration,
    /// The partition
    #[arg(long, value_name = "NAME")]
    partition: Option<String>,
    /// The account
    #[arg(long, value_name = "NAME")]
    account: Option<String>,
    /// How many tasks may run at one time
    #[arg(long, value_name = "N")]
    at_once: Option<NonZeroU32>,
    /// An argument for sbatch, as it is; can be given several times
    #[arg(long, value_name = "ARG", allow_hyphen_values = true)]
    sbatch: Vec<String>,
    /// Print the script and the command, and submit nothing
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    network: Network,
}

/// A time as in `30m` or `1h 30m`; seconds without a unit.
fn time(text: &str) -> Result<Duration, MustBe> {
    let seconds = || text.parse().ok().map(Duration::from_secs);
    let time = humantime::parse_duration(text).ok().or_else(seconds);
    let time = time.filter(|time| !time.is_zero());
    time.ok_or_else(|| MustBe("a time such as 30m or '1h 30m'".to_owned()))
}

/// What a cluster takes that nobody has told otherwise: Slurm's MaxArraySize is 1001 then.
const USUAL: NonZeroU32 = NonZeroU32::MIN.saturating_add(999);

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let experiment = args.experiment.read()?;
    let name = &experiment.name;
    let shards = Shards::new(&experiment, args.output.path());
    let folder = absolute(args.output.path())?;
    let hold = Hold::new();
    let cluster = Cluster {
        stop: hold.stop().clone(),
    };
    let lock = match args.dry_run {
        true => None,
        false => Some(Ledger::locked(&folder, name)?),
    };
    let earlier = Ledger::read(&folder, name)?;
    let queued = match &earlier {
        Some(ledger) => cluster.queued(ledger, name)?,
        None => Default::default(),
    };
    let (mut ledger, layout, wanted, faults) = if args.missing {
        let ledger = earlier.ok_or_else(|| SlurmError::NothingSubmitted {
            name: name.clone(),
            folder: args.output.path().to_owned(),
        })?;
        let standing = ledger.standing(&shards, &queued)?;
        let (again, over): (Vec<_>, Vec<_>) =
            (standing.lost.iter()).partition(|l| l.tries < args.tries);
        let faults: Vec<String> = over.iter().map(|lost| said(lost)).collect();
        let again: Vec<Shard> = again.iter().map(|lost| lost.shard).collect();
        output::print(|out| writeln!(out, "{}", summary(&standing)))?;
        if again.is_empty() {
            return Ok(exit_code(&faults));
        }
        let layout = Layout::with(shards.jobs(), ledger.shards);
        (ledger, layout, again, faults)
    } else {
        if !queued.is_empty() {
            bail!(
                "{name} has been submitted, and {} of its tasks wait or run: --missing submits what is lost",
                queued.len()
            );
        }
        if let Some(shard) = shards.there()?.first() {
            bail!(
                "there are rows of shard {shard} in {}: --missing goes on with what was submitted, and 'hamcnf merge \
                 --remove-shards' ends it; else remove them",
                args.output.path().display()
            );
        }
        let room = match cluster.room() {
            // What would be submitted can be looked at anywhere.
            Err(SlurmError::Missing(_)) if args.dry_run => {
                complain(&format!(
                    "there is no Slurm here: this is for a cluster that takes {USUAL} tasks at a time"
                ));
                USUAL
            }
            room => room?,
        };
        let layout = Layout::of(shards.jobs(), args.task_time, room);
        let ledger = Ledger {
            shards: layout.shards,
            submissions: Vec::new(),
        };
        (
            ledger,
            layout,
            Shard::all(layout.shards).collect(),
            Vec::new(),
        )
    };
    let wishes = Wishes {
        partition: args.partition.clone(),
        account: args.account.clone(),
        at_once: args.at_once,
        sbatch: args.sbatch.clone(),
    };
    let n = wanted.len();
    let array = Array::new(&folder, name, &wishes, wanted);
    let hamcnf = std::env::current_exe().context("cannot find this program to run it again")?;
    let directory = std::env::current_dir().context("cannot find out which folder this is")?;
    let given = args.experiment.given();
    let script = Script {
        hamcnf: &hamcnf,
        directory: &directory,
        experiment: &absolute(&experiment.file)?,
        folder: &folder,
        given: &given,
        layout,
    };
    if args.dry_run {
        output::print(|out| {
            out.write_all(&script.text())?;
            writeln!(out)?;
            out.write_all(&array.command())?;
            writeln!(out)
        })?;
        return Ok(exit_code(&faults));
    }
    let jobs = || shards.jobs().iter().map(|(_, job)| job);
    args.network
        .permit_all(jobs().filter_map(|job| job.method.counter()))?;
    args.network
        .set_up(jobs().filter_map(|job| job.method.engine()))?;
    array.prepare(&script)?;
    let submission = cluster.submit(&array)?;
    let job = submission.job;
    ledger.submissions.push(submission);
    ledger.keep(&folder, name)?;
    drop(lock);
    output::print(|out| {
        let (plural, all) = (if n == 1 { "" } else { "s" }, shards.jobs().len());
        let of = ledger.shards;
        writeln!(
            out,
            "Submitted job {job}: {n} task{plural} of {of}, for {all} jobs in all"
        )
    })?;
    Ok(exit_code(&faults))
}

/// A shard that was tried too often, in words.
fn said(lost: &Lost) -> String {
    let Lost {
        shard,
        tries,
        missing,
        of,
        failed,
    } = lost;
    let mut said = format!(
        "shard {shard} is not complete after {tries} tries: {missing} of {of} rows are missing"
    );
    for (key, why) in failed {
        said += &format!("; {key} failed: {why}");
    }
    said
}

/// How far all is, in a line.
fn summary(standing: &Standing) -> String {
    let Standing {
        complete,
        queued,
        lost,
    } = standing;
    let all = complete.len() + queued.len() + lost.len();
    let nothing = if lost.is_empty() {
        "Nothing was lost: "
    } else {
        ""
    };
    format!(
        "{nothing}{} of {all} shards are complete, {} wait or run, and {} are lost",
        complete.len(),
        queued.len(),
        lost.len()
    )
}
