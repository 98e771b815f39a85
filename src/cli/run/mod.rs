//! `hamcnf run`: runs an experiment.

mod plan;

use std::path::Path;
use std::time::Duration;

use anyhow::Context;
use hamcnf::harness::earlier::Earlier;
use hamcnf::harness::merge::{MergeError, Shards};
use hamcnf::harness::run::{Completion, Event, Run, report_again};
use hamcnf::harness::shard::Shard;
use hamcnf::harness::worker::Host;
use hamcnf::record::Record;
use hamcnf::report::experiment::Summary;
use hamcnf::report::median::seconds;
use hamcnf::run::Share;

use super::counter::Network;
use super::experiment;
use super::interrupt::{self, Hold};
use super::output::{self, Format};
use super::progress::{Progress, Rough};
use super::verbosity::note;
use super::{complain, exit_code};
use crate::cli::exit::DONE;

/// Run an experiment and write its rows and tables
///
/// An experiment is a TOML file; the folder experiments/ has examples, such as the experiments of the paper "Knights Tour"
/// by Karthikeyan, Chheda and Ruan (2024). Each run adds a row to results/NAME.csv.part.
/// When all rows exist, the file becomes results/NAME.csv, with tables in NAME.md and the machine in NAME.machine.json.
/// Runs whose row exists are not repeated. If existing rows do not belong to the experiment, or come from another build
/// or machine, the command stops and asks for --prune or --fresh. Exit code 1: a run failed, or an answer or a size
/// differs from the expected one.
#[derive(clap::Args)]
#[command(alias = "experiment", after_help = include_str!("help.txt"))]
pub(crate) struct Args {
    #[command(flatten)]
    experiment: experiment::Choice,
    /// Run only shard K of N, such as 1/4
    #[arg(long, value_name = "K/N", conflicts_with = "report")]
    shard: Option<Shard>,
    /// Run everything again and replace earlier results. With --merge, replace earlier results even if some of their rows
    /// are missing from the shards or were measured again
    #[arg(long, alias = "force")]
    fresh: bool,
    /// Delete existing rows that do not belong to the experiment, or that come from another build or machine
    #[arg(long, conflicts_with_all = ["fresh", "report"])]
    prune: bool,
    /// Rebuild the tables of a complete experiment without running anything
    #[arg(long, conflicts_with = "fresh")]
    report: bool,
    /// Combine the rows of all shards into one set of results, without running anything. Every job must have exactly one
    /// row, and all rows must come from the same build of hamcnf; otherwise no file is changed
    #[arg(long, conflicts_with_all = ["shard", "prune", "report"])]
    merge: bool,
    /// Remove the files of the shards after merging
    #[arg(long, requires = "merge")]
    remove_shards: bool,
    /// Continue an interrupted run (the default)
    #[arg(long, hide = true, conflicts_with = "fresh")]
    resume: bool,
    /// Print the jobs with their limits, and run nothing. With --shard 1/4, the jobs are 1, 5, 9, ...
    #[arg(long, conflicts_with_all = ["fresh", "prune", "report", "merge", "resume"])]
    dry_run: bool,
    /// Output format of --dry-run; --json is short for --format json
    #[arg(long, value_enum, default_value_t = Format::Table, requires = "dry_run")]
    format: Format,
    /// Print the jobs as a JSON array
    #[arg(long, conflicts_with = "format", requires = "dry_run")]
    json: bool,
    #[command(flatten)]
    network: Network,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<u8> {
    let (experiment, folder) = (args.experiment.read()?, args.experiment.folder());
    if args.dry_run {
        return plan::print(&experiment, args.shard, args.format.or_json(args.json));
    }
    if args.report {
        let (rows, report) = report_again(&experiment, folder)?;
        args.experiment.keep_times()?;
        return done(&rows, &report);
    }
    if args.merge {
        return merge(args, &Shards::new(&experiment, folder));
    }
    let hamcnf = std::env::current_exe().context("cannot find the path of the hamcnf program")?;
    let earlier = match (args.fresh, args.prune) {
        (true, _) => Earlier::Drop,
        (_, true) => Earlier::Prune,
        _ => Earlier::Keep,
    };
    let run = Run::begin(&experiment, folder, args.shard, earlier)?;
    args.network.set_up(run.left().filter_map(|job| job.method.engine()))?;
    // From now on, an interrupt only stops the current job.
    let hold = Hold::new();
    let host = Host { hamcnf, stop: hold.stop().clone(), ..Host::default() };
    let mut cells = Cells { left: run.left().count() as u64, ended: 0, took: Duration::ZERO };
    let has_jobs_left = cells.left > 0;
    let mut line: Option<(String, Progress)> = None;
    let ended = run.finish(&host, &mut |event| match event {
        Event::Begins { number, of, key } => {
            let what = format!("[{number}/{of}] {key}");
            let progress = Progress::new(format_args!("{what}"));
            let share = cells.share(of as u64);
            let left = cells.time_left().map(|left| format!("about {} left, ", Rough(left)));
            progress.show_share(Some(share), format_args!("{}{what}", left.unwrap_or_default()));
            line = Some((what, progress));
        }
        Event::Ended(record) => {
            cells.end(record);
            if let Some((what, progress)) = line.take() {
                progress.leave(format_args!("{what}: {}", said(record)));
            }
        }
    });
    drop(line);
    match ended? {
        Completion::Complete { rows, report } => {
            args.experiment.keep_times()?;
            if !has_jobs_left {
                note("all rows exist already; use --fresh to run everything again");
            }
            done(&rows, &report)
        }
        Completion::Part { rows } => {
            let complete = match args.shard {
                Some(shard) if !has_jobs_left => format!("Shard {shard} is complete. "),
                _ => String::new(),
            };
            output::print(|out| writeln!(out, "{complete}Rows: {}", rows.display()))?;
            Ok(DONE)
        }
        Completion::Unfinished(mut faults) => {
            faults.push("some runs did not finish: correct the errors above and run the experiment again".to_owned());
            Ok(exit_code(&faults))
        }
        Completion::Stopped => {
            complain(&format!("interrupted: finished rows are kept{}", interrupt::going_on()));
            Ok(DONE)
        }
    }
}

/// Merges the rows of the shards, and writes the tables of the merged rows.
fn merge(args: &Args, shards: &Shards<'_>) -> anyhow::Result<u8> {
    let merged = match shards.merge(args.fresh) {
        Err(MergeError::Flaws(flaws)) => return Ok(exit_code(&flaws)),
        merged => merged?,
    };
    if args.remove_shards {
        shards.remove(&merged.shards)?;
    }
    args.experiment.keep_times()?;
    if merged.machines > 1 {
        complain(&format!("the rows come from {} machines: do not compare their times", merged.machines));
    }
    done(&merged.rows, &merged.report)
}

/// Progress of the jobs of this run.
struct Cells {
    /// Number of remaining jobs.
    left: u64,
    ended: u64,
    /// Total wall time of the finished jobs.
    took: Duration,
}

impl Cells {
    fn end(&mut self, record: &Record) {
        self.left -= 1;
        self.ended += 1;
        let wall = record.wall_seconds.unwrap_or(0.0);
        self.took += Duration::try_from_secs_f64(wall).unwrap_or_default();
    }

    fn share(&self, of: u64) -> Share {
        Share { done: of - self.left, of }
    }

    /// Returns the time left if each remaining job takes the mean time of the finished ones; `None` before a job has
    /// finished.
    fn time_left(&self) -> Option<Duration> {
        let mean = self.took.checked_div(u32::try_from(self.ended).ok()?)?;
        mean.checked_mul(u32::try_from(self.left).ok()?)
    }
}

/// Describes the outcome of a job, with its time.
fn said(record: &Record) -> String {
    match record.wall_seconds {
        Some(wall) => format!("{} in {} s", record.said(), seconds(wall)),
        None => record.said(),
    }
}

/// Prints the tables.
fn done(rows: &Path, report: &Summary) -> anyhow::Result<u8> {
    output::print(|out| writeln!(out, "{}\nRows: {}", report.text, rows.display()))?;
    Ok(exit_code(&report.faults))
}
