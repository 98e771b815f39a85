//! Workers: a job runs in a child process, `hamcnf work`, which reads the job and prints the job's record. Therefore
//! the measured times and memory are those of the job alone, limits are enforced even if the job ignores them, and a
//! crash affects no other job.

use std::ffi::OsString;
use std::fmt;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Command, ExitStatus, id};
use std::thread;
use std::time::{Duration, Instant};

use hamcnf_graph::Named;
use hamcnf_tours::{Instance, Tour};
use nix::sys::signal::Signal;
use serde_json::{Map, Value};

use super::job::Job;
use hamcnf_graph::budget::Stopped;
use hamcnf_graph::cancellation::CancellationToken;
use hamcnf_graph::limits::{Limit, Limits};
use hamcnf_methods::method::Engine;
use hamcnf_methods::record::{Record, Status};
use hamcnf_programs::process::{self, End, Options, ProcessResult};
use hamcnf_programs::temporary::Temporary;
use hamcnf_questions::Question;

/// Settings for running jobs in workers.
#[derive(Clone, Debug, Default)]
pub struct Host {
    /// Path of the program `hamcnf`, or of a wrapper that runs it.
    pub hamcnf: PathBuf,
    /// Arguments that precede the subcommand.
    pub arguments: Vec<OsString>,
    /// Token that cancels the running job when it is set.
    pub stop: CancellationToken,
}

/// Result of a job that ran.
#[derive(Clone, Debug)]
pub struct Done {
    pub record: Record,
    /// Tour that the job found. The start of the instance is the first vertex of the tour.
    pub tour: Option<(Instance, Tour)>,
}

/// Subcommand of `hamcnf` that runs a job.
pub const WORK: &str = "work";

/// Environment variable that contains the process id of a worker's parent. The worker ends when the parent ends, for
/// whatever reason.
pub const WITH_PARENT: &str = "HAMCNF_WITH_PARENT";

/// Time between asking a worker to end and killing it. The worker uses this time to end its child processes and to
/// remove its files.
const GRACE: Duration = Duration::from_secs(2);

/// Wall time that the host grants a worker beyond the job's limit. If possible, the worker enforces the limit itself
/// and reports its progress.
const LATE: Duration = Duration::from_secs(1);

/// CPU time that the host grants a worker beyond the job's limit.
const CPU_LATE: Duration = Duration::from_millis(100);

/// Maximum delay between the arrivals of the same signal at a worker and at this process.
const TOGETHER: Duration = Duration::from_millis(200);

/// Environment variable that tells a worker the path of the file with the descriptions of external solvers (engines).
pub const ENGINES: &str = "HAMCNF_WORKER_ENGINES";

impl Host {
    /// Runs a job and returns its result. A tour in the result has been checked again. Returns `None` if the job was
    /// cancelled.
    pub fn run(&self, job: &Job) -> Option<Done> {
        if self.stop.is_set() {
            return None;
        }
        let mut command = Command::new(&self.hamcnf);
        command.args(&self.arguments).arg(WORK).env(WITH_PARENT, id().to_string());
        if let Some(file) = Engine::file() {
            command.env(ENGINES, file);
        }
        let input = job.written();
        let limits = Limits {
            wall: job.limits.wall.map(|limit| limit.saturating_add(LATE)),
            cpu: job.limits.cpu.map(|limit| limit.saturating_add(CPU_LATE)),
            ..job.limits
        };
        let options = Options { input: input.as_bytes(), limits, grace: GRACE, stop: &self.stop };
        let ended = match process::run(command, &options, &mut |_| ()) {
            Ok(ended) => ended,
            Err(error) => {
                let why = format!("cannot run {}: {error}", self.hamcnf.display());
                return Some(Done { record: job.record().ended(Status::Failed, why), tour: None });
            }
        };
        if !matches!(ended.end, End::Itself(status) if status.success()) {
            Temporary::remove_those_of(ended.pid);
        }
        if ended.end == End::Stopped || self.is_interrupted(&ended) {
            return None;
        }
        let mut done = self.done(job, &ended, &limits);
        let record = &mut done.record;
        record.cpu_seconds = Some(ended.cpu.as_secs_f64());
        if record.status != Status::Refused {
            record.peak_rss_kib = record.peak_rss_kib.max(ended.peak.map(|bytes| bytes.div_ceil(1024)));
        }
        Some(done)
    }

    /// True if a signal ended the worker and also reached this process. This happens, for example, if all processes of
    /// a task are ended; the worker has not failed then. Waits for a moment, because the signal may reach either
    /// process first.
    fn is_interrupted(&self, ended: &ProcessResult) -> bool {
        let End::Itself(status) = ended.end else { return false };
        // If a worker ends because of a signal, it kills itself and its process group with SIGKILL, or exits with the
        // code that a shell uses for SIGTERM or SIGINT.
        let signals = [Signal::SIGTERM, Signal::SIGINT, Signal::SIGKILL].map(|signal| signal as i32);
        let by_signal = |&signal: &i32| status.signal() == Some(signal) || status.code() == Some(128 + signal);
        if !signals.iter().any(by_signal) {
            return false;
        }
        let began = Instant::now();
        while !self.stop.is_set() && began.elapsed() < TOGETHER {
            thread::sleep(TOGETHER / 20);
        }
        self.stop.is_set()
    }

    /// Returns the result of the job, derived from the worker's output and the reason why the worker ended.
    fn done(&self, job: &Job, ended: &ProcessResult, limits: &Limits) -> Done {
        let without = |status, why: &str| {
            let mut record = job.record().ended(status, why);
            record.wall_seconds = Some(ended.wall.as_secs_f64());
            Done { record, tour: None }
        };
        let status = match ended.end {
            End::Limit(Limit::Memory) => return without(Status::Memout, MEMORY),
            End::Limit(limit) => return without(Status::Timeout, Stopped::by(limit).as_str()),
            End::TooMuch => return without(Status::Failed, &process::too_much()),
            End::Itself(status) => Some(status),
            End::Stopped => None,
        };
        let out_of_memory = ended.is_out_of_memory(limits);
        match read(job, &ended.stdout) {
            Ok(done) => done,
            Err(Unread::NoRecord(_)) if out_of_memory => without(Status::Memout, MEMORY),
            Err(Unread::NoRecord(why)) => without(Status::Failed, &failure(status, &ended.stderr, &why)),
            // A wrong record counts as a failure, whatever resources the worker used.
            Err(Unread::Wrong(why)) => without(Status::Failed, &why),
        }
    }
}

const MEMORY: &str = "memory limit";

/// Returns the error message for a worker that printed no record.
fn failure(status: Option<ExitStatus>, stderr: &str, why: &str) -> String {
    let last = stderr.lines().rev().map(str::trim).find(|line| !line.is_empty());
    match (status, last) {
        (Some(status), Some(last)) if !status.success() => format!("{status}: {last}"),
        (Some(status), None) if status.signal().is_some() => status.to_string(),
        _ => why.to_owned(),
    }
}

/// Name of the output field that contains the 0-based vertices of the tour. The field is not a column of the record.
const INDICES: &str = "indices";

/// Returns the output of a worker: the columns of the job's record and, if one was found, the tour.
pub fn printed(answered: &Record) -> String {
    let mut object = answered.columns();
    if let Some(tour) = answered.tours.first() {
        let order = tour.order().iter().map(|v| Value::from(v.number()));
        object.insert(INDICES.to_owned(), order.collect());
    }
    Value::Object(object).to_string()
}

/// Reason why a worker's output cannot be used.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Unread {
    /// The output has no record, or an incomplete one.
    NoRecord(String),
    /// The record belongs to another job, or its tour is invalid.
    Wrong(String),
}

/// Reads the record of a job and its tour from a worker's output.
fn read(job: &Job, output: &str) -> Result<Done, Unread> {
    let mut object: Map<String, Value> =
        serde_json::from_str(output).map_err(|_| Unread::NoRecord("the worker returned no record".to_owned()))?;
    let order = object.remove(INDICES);
    let record: Record = serde_json::from_value(Value::Object(object))
        .map_err(|error| Unread::NoRecord(format!("the worker returned no record: {error}")))?;
    if record.key() != job.key() {
        let key = record.key();
        return Err(Unread::Wrong(format!("the worker returned the record of another job, {key}")));
    }
    let wrong = |why: &dyn fmt::Display| Unread::Wrong(why.to_string());
    let tour = match (record.status, &job.question) {
        (Status::Tour, Question::Tours(tours)) => {
            let order =
                order.ok_or_else(|| wrong(&"the answer is a tour, but the order of its vertices is missing"))?;
            let order: Vec<u32> = serde_json::from_value(order).map_err(|error| wrong(&error))?;
            Some(tours.checked(&order).map_err(|error| wrong(&error))?)
        }
        _ => None,
    };
    Ok(Done { record, tour })
}

#[cfg(test)]
mod tests {
    use super::*;
    use hamcnf_methods::run::Settings;

    fn job(question: &str, method: &str) -> Job {
        Job {
            question: Question::load(question).unwrap(),
            method: method.parse().unwrap(),
            seed: 0,
            limits: Limits::wall(Duration::from_secs(20)),
        }
    }

    fn answered(job: &Job) -> String {
        let settings = Settings { seed: job.seed, limits: job.limits, ..Settings::default() };
        printed(&job.method.answer(&job.question, &settings))
    }

    #[test]
    fn tours_are_checked_again() {
        let job = job("3x4 open from a1", "backtrack");
        let right = answered(&job);
        let Done { record, tour } = read(&job, &right).unwrap();
        assert_eq!(record.status, Status::Tour);
        assert_eq!(record.statistics.get("nodes"), Some(12u64));
        let (instance, tour) = tour.unwrap();
        let line = crate::harness::tours::line(&job, &instance, &tour).unwrap();
        assert!(hamcnf_render::file::read(&line, None).unwrap()[0].check().is_ok());
        let wrong = right.replace("\"indices\":[0,6,8", "\"indices\":[0,8,6");
        assert_ne!(wrong, right);
        let Unread::Wrong(why) = read(&job, &wrong).unwrap_err() else { panic!("the tour is none") };
        assert!(why.contains("move 1, a1 to a3, is not"), "{why}");
        let none = right.replace("\"indices\"", "\"other\"");
        assert!(read(&job, &none).is_err());
        assert!(read(&job, r#"{"status":"tour"}"#).is_err());
        let other = self::job("3x4 open from b1", "backtrack");
        let Unread::Wrong(why) = read(&other, &right).unwrap_err() else { panic!("it is another job's") };
        assert!(why.starts_with("the worker returned the record of another job, 3x4 open from a1, backtrack"));
    }

    #[test]
    fn every_way_gives_a_record() {
        let status = |question: &str, method: &str| {
            let job = job(question, method);
            let Done { record, .. } = read(&job, &answered(&job)).unwrap();
            (record.status, record.said())
        };
        let count = |n: &str| (Status::Count, n.to_owned());
        for method in ["exact", "sample", "zdd", "timeslice", "enumerate"] {
            assert_eq!(status("3x4 open from a1", method), count("2"), "{method}");
            assert_eq!(status("3x4 open from anywhere", method), count("16"), "{method}");
        }
        assert_eq!(status("6 queens", "bdd"), count("4"));
        assert_eq!(status("6 queens", "enumerate"), count("4"));
        for method in ["binary", "counting", "solve+phases=seeded:direct", "warnsdorff"] {
            assert_eq!(status("6x6", method).0, Status::Tour, "{method}");
        }
        assert_eq!(status("4x4", "binary").0, Status::NoTour);
        assert_eq!(status("4x4", "backtrack").0, Status::NoTour);
        assert_eq!(status("5x6", "warnsdorff"), (Status::GaveUp, "restart limit".to_owned()));
        assert_eq!(status("6x6", "size:binary").0, Status::Size);
        for (question, method) in [("30x30", "exact"), ("30x30", "zdd"), ("6 queens", "binary"), ("6x6", "bdd")] {
            let (status, said) = status(question, method);
            assert_eq!(status, Status::Refused, "{question}, {method}: {said}");
        }
    }

    #[test]
    fn what_is_not_hamcnf_fails() {
        let host = |hamcnf: &str| Host { hamcnf: hamcnf.into(), ..Host::default() };
        let failed = host("/bin/false").run(&job("3x4", "exact")).unwrap().record;
        assert_eq!(failed.status, Status::Failed);
        let nowhere = host("/nowhere/hamcnf");
        let failed = nowhere.run(&job("3x4", "exact")).unwrap().record;
        assert!(failed.message.starts_with("cannot run /nowhere/hamcnf: "));
        nowhere.stop.set();
        assert!(nowhere.run(&job("3x4", "exact")).is_none());
    }
}
