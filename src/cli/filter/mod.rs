//! `hamcnf filter`: passes on the graphs of a stream that have the given properties.
//!
//! A thread reads batches of lines, workers test their graphs, and the calling thread prints the results in the order
//! of the input. The number of batches in flight is limited, so memory is constant.

mod batches;
mod criteria;
mod work;

use std::collections::BTreeMap;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::bail;
use clap::builder::TypedValueParser;
use hamcnf::formats::{Format, ending};
use hamcnf::machine::available_memory;
use hamcnf::report::markdown::counted;

use self::criteria::Criteria;
use self::work::{Form, Job, Report, Tally};
use super::exit::{BAD_INPUT, DONE, UNKNOWN};
use super::interrupt::{self, Hold};
use super::limits::time;
use super::number::whole;
use super::output;
use super::progress::Progress;
use super::several::graph_files;
use super::verbosity::note;

/// Print the graphs of a stream that have the given properties
///
/// Reads graphs in graph6, sparse6 or digraph6, one per line, and prints the lines of graphs that have all given
/// properties. The lines are unchanged and in the same order. --not-PROPERTY requires that a graph lacks a
/// property, as in --not-hamiltonian. A cycle has at least three vertices, or two in a digraph. Cycles of digraphs are directed; only --hamiltonian, --traceable,
/// --uniquely-hamiltonian and --cycles apply to digraphs. If the answer for a graph is unknown, the graph is reported on standard error and not printed, and the
/// exit code is 3.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  geng 9 | hamcnf filter --not-hamiltonian --count         97585, among 274668 graphs
  geng -c 10 | hamcnf filter --hypohamiltonian             the Petersen graph only
  geng -C 8 | hamcnf filter --not-hamiltonian --traceable > some.g6
  hamcnf filter graphs.g6 --cycles 2..5                    two to five Hamiltonian cycles
  hamcnf filter graphs.g6 --cycles .. --format csv         rows with the number of cycles
  hamcnf filter folder --uniquely-hamiltonian --keep-going
  hamcnf filter graphs.g6.gz --traceable --time-limit 10")]
pub(crate) struct Args {
    /// Files with a graph per line, or folders of such files (.g6, .s6); - for standard input [default: -]
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    criteria: Criteria,
    /// Print only the number of matching graphs
    #[arg(long, short, conflicts_with = "format")]
    count: bool,
    /// Print a row for every graph, matching or not. The columns are file, line, graph, vertices, edges, a column for
    /// each given property, and match
    #[arg(long, value_enum)]
    format: Option<Rows>,
    /// Report lines that are not graphs and skip them; the exit code is then 2
    #[arg(long, short)]
    keep_going: bool,
    /// Stop work on a graph after this wall time: seconds, or a number with a unit such as 500ms, 2m or 1h
    #[arg(long, value_name = "TIME", alias = "timeout", value_parser = time)]
    time_limit: Option<Duration>,
    /// Number of threads [default: one per processor]
    #[arg(long, aliases = ["jobs", "workers"], value_name = "N", value_parser = whole(1..=u16::MAX).map(usize::from))]
    threads: Option<usize>,
}

/// Format of rows.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Rows {
    Csv,
    Jsonl,
}

/// Interval between two updates of the progress, and between two reports of a worker about a long batch.
const TICK: Duration = Duration::from_millis(100);

pub(crate) fn run(args: &Args) -> anyhow::Result<u8> {
    if args.criteria.is_empty() {
        bail!("no property is given; use at least one, such as --hamiltonian or --cycles 1..5");
    }
    let files = sources(&args.files)?;
    let threads = args.threads.or_else(|| thread::available_parallelism().ok().map(NonZero::get)).unwrap_or(1);
    let hold = Hold::new();
    let job = Job {
        criteria: args.criteria.clone(),
        form: match (args.count, args.format) {
            (true, _) => Form::Nothing,
            (false, None) => Form::Lines,
            (false, Some(Rows::Csv)) => Form::Csv,
            (false, Some(Rows::Jsonl)) => Form::Json,
        },
        keep_going: args.keep_going,
        time_limit: args.time_limit,
        memory: available_memory().map(|bytes| bytes / 2 / threads as u64),
        stop: hold.stop().clone(),
        ticks: Arc::default(),
    };
    let began = Instant::now();
    let mut progress = Progress::new(format_args!("filtering"));
    if job.form == Form::Csv {
        output::bytes(args.criteria.heading().as_bytes())?;
    }
    let mut sums = Tally::default();
    let ended = printed(start(files, &job, threads), &job.ticks, &progress, &mut sums)?;
    progress.clear();
    if ended == Ending::Closed {
        return Ok(DONE);
    }
    if job.form == Form::Nothing {
        output::print(|out| writeln!(out, "{}", sums.matching))?;
    }
    note(&summary(&sums, began.elapsed()));
    Ok(match (sums.bad, sums.unknown) {
        (1.., _) => BAD_INPUT,
        (0, 1..) => UNKNOWN,
        (0, 0) => DONE,
    })
}

fn summary(sums: &Tally, time: Duration) -> String {
    let Tally { read, matching, unknown, bad, looped } = *sums;
    let seconds = time.as_secs_f64();
    let counted = |count: u64, noun: &str| counted(count as usize, noun);
    let (graphs, rate) = (counted(read, "graph"), read as f64 / seconds);
    let mut text = format!("{graphs} read, {matching} matching, in {seconds:.2} s ({rate:.0} graphs/s)");
    if unknown > 0 {
        text += &format!("; {unknown} unknown and not printed as a match");
    }
    if looped > 0 {
        text += &format!("; self-loops of {} ignored", counted(looped, "graph"));
    }
    if bad > 0 {
        text += &format!("; {} skipped", counted(bad, "bad line"));
    }
    text
}

/// Returns the files of the arguments. A folder stands for its files of graphs, in the order of their names.
fn sources(files: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    if files.is_empty() {
        return Ok(vec!["-".into()]);
    }
    let of = |file: &PathBuf| if file.is_dir() { folder(file) } else { Ok(vec![file.clone()]) };
    Ok(files.iter().map(of).collect::<Result<Vec<_>, _>>()?.concat())
}

fn folder(path: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let endings = [Format::GRAPH6.endings, Format::SPARSE6.endings].concat();
    let files = graph_files(path, |file| ending(file).is_some_and(|ending| endings.contains(&ending.as_str())))?;
    if files.is_empty() {
        bail!("{} contains no graph6 or sparse6 file (.g6, .s6)", path.display());
    }
    Ok(files)
}

/// Channels on which the calling thread receives from the other threads.
struct Running {
    reports: Receiver<Report>,
    /// Queue with one element per batch in flight.
    in_flight: Receiver<()>,
}

/// Number of batches per worker that may be in flight.
const AHEAD: usize = 8;

/// Starts the threads that read lines and test graphs. The threads are never joined, since reading may block; they end
/// with the program.
fn start(files: Vec<PathBuf>, job: &Job, threads: usize) -> Running {
    let (mut to_workers, batches) = batches::queue(threads);
    let (begin, in_flight) = mpsc::sync_channel(AHEAD * threads);
    let (to_caller, reports) = mpsc::sync_channel(AHEAD * threads);
    thread::spawn(move || {
        to_workers.read(&files, &mut || begin.send(()).is_ok());
    });
    for _ in 0..threads {
        let (job, batches, to_caller) = (job.clone(), batches.clone(), to_caller.clone());
        thread::spawn(move || {
            let mut worker = job.clone().worker();
            while let Some(batch) = batches.next() {
                let before = job.ticks.load(Ordering::Relaxed);
                if !worker.test(&batch, &mut |report| to_caller.send(report).is_ok()) {
                    break;
                }
                batches.adapt(job.ticks.load(Ordering::Relaxed) != before);
            }
        });
    }
    Running { reports, in_flight }
}

/// Reason why the output ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ending {
    /// All graphs have been read, or an interrupt came.
    AtTheEnd,
    /// The reader of standard output has closed it.
    Closed,
}

/// Prints the reports in the order of the batches, and adds up their tallies. Increases `ticks` at intervals, so that the
/// workers report their results so far.
#[allow(clippy::needless_pass_by_value, reason = "the receivers are dropped at the end, which stops the other threads")]
fn printed(running: Running, ticks: &AtomicUsize, progress: &Progress, sums: &mut Tally) -> anyhow::Result<Ending> {
    let mut early: BTreeMap<usize, Vec<Report>> = BTreeMap::new();
    let mut next = 0;
    let mut last_tick = Instant::now();
    let mut interrupted = None;
    loop {
        let report = match running.reports.recv_timeout(TICK) {
            Ok(report) => Some(report),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => return Ok(Ending::AtTheEnd),
        };
        if let Some(report) = report {
            early.entry(report.batch).or_default().push(report);
        }
        while let Some(reports) = early.remove(&next) {
            let mut is_last = false;
            for report in reports {
                is_last |= report.is_last;
                sums.add(&report.tally);
                if !report.text.is_empty() && !output::bytes(&report.text)? {
                    return Ok(Ending::Closed);
                }
                report.notes.iter().for_each(|line| note(line));
                if let Some(error) = report.error {
                    bail!("{error}");
                }
            }
            if !is_last {
                break;
            }
            next += 1;
            // Removes the element that the reader added for this batch.
            let _ = running.in_flight.recv();
        }
        if last_tick.elapsed() >= TICK {
            last_tick = Instant::now();
            ticks.fetch_add(1, Ordering::Relaxed);
            let Tally { read, matching, .. } = *sums;
            progress.show(format_args!("filtering: {read} graphs read, {matching} matching"));
        }
        if interrupt::is_interrupted() {
            // The workers stop soon, but the reader may wait for input.
            let since = *interrupted.get_or_insert_with(Instant::now);
            if since.elapsed() > 2 * TICK {
                return Ok(Ending::AtTheEnd);
            }
        }
    }
}
