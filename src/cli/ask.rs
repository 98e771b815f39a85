//! Answers questions with a method, and shows progress. The work ends at the time limit or at an interrupt even if the
//! method does not check for them. In this case, the answer consists of the results found so far.

use std::sync::mpsc;
use std::time::{Duration, Instant};

use cpu_time::ProcessTime;
use hamcnf::Tour;
use hamcnf::budget::Stopped;
use hamcnf::cancellation::CancellationToken;
use hamcnf::limits::Limits;
use hamcnf::machine::peak_rss_kib;
use hamcnf::method::{Class, Method};
use hamcnf::question::{Question, QuestionSpec, Tours};
use hamcnf::record::{Record, Status};
use hamcnf::run::{Event, Observer, RunResult, Settings, Share};
use serde::Serialize;

use super::deadline::{self, Outcome, Worker};
use super::interrupt::Hold;
use super::progress::Progress;
use super::several::is_empty;
use super::verbosity::note;

/// Progress and partial results of a method that is still running.
#[derive(Clone, Default)]
pub(super) struct Findings {
    /// Phases of the work in order; the last one is running.
    phases: Vec<String>,
    /// Progress of the running phase, as text.
    far: String,
    share: Option<Share>,
    result: Option<RunResult>,
    /// Tours found so far.
    pub(super) tours: Vec<Tour>,
}

/// Question that was loaded within a limit on wall time.
pub(super) enum Loaded {
    /// Question, and the time from which the limit counts.
    Question(Box<Tours>, Instant),
    Nothing(Unloaded),
}

/// Question whose graph was not loaded in time or has no vertices.
pub(super) struct Unloaded {
    /// Text of the question.
    pub(super) name: String,
    /// Reason why there is no tour, if the graph has no vertices.
    pub(super) empty: Option<String>,
    began: Instant,
    limits: Limits,
}

impl Loaded {
    /// Loads a question within a limit on wall time.
    pub(super) fn within(
        wall: Option<Duration>,
        spec: QuestionSpec,
        load: impl FnOnce(QuestionSpec) -> anyhow::Result<Tours> + Send + 'static,
    ) -> anyhow::Result<Self> {
        let (began, name) = (Instant::now(), spec.to_string());
        let _progress = Progress::new(format_args!("{name}: loading the graph"));
        let limits = Limits { wall, ..Limits::default() };
        let empty = match deadline::within(limits.deadline(began), move || load(spec)) {
            Some(Err(error)) if is_empty(&error) => Some(error.root_cause().to_string()),
            Some(loaded) => return Ok(Self::Question(Box::new(loaded?), began)),
            None => None,
        };
        Ok(Self::Nothing(Unloaded { name, empty, began, limits }))
    }
}

impl Unloaded {
    /// Returns the record of a run without a graph.
    pub(super) fn record(&self, method: &Method, seed: u64) -> LateRecord {
        let record = Record::new(&self.name, "", method, seed, &self.limits);
        let result = RunResult::default();
        let mut record = record.with_result(match &self.empty {
            None => result.ended(Status::Timeout, LATE),
            Some(why) if method.is_count() => result.with_value(Status::Count, 0u64).ended(Status::Count, why),
            Some(why) => result.ended(Status::NoTour, why),
        });
        record.wall_seconds = Some(self.began.elapsed().as_secs_f64());
        LateRecord { record, tour: None }
    }
}

/// Record of a run without a graph, as JSON. There are no details of the graph.
#[derive(Serialize)]
pub(super) struct LateRecord {
    #[serde(flatten)]
    record: Record,
    tour: Option<Vec<String>>,
}

/// Message of a run that ended while the graph was loaded.
pub(super) const LATE: &str = "loading the graph took too long";

/// Progress of a method as the user sees it: a line about the subject, such as `8x8`, and notes.
struct Watch {
    subject: String,
    progress: Progress,
    phases: usize,
}

impl Watch {
    fn new(subject: &str, activity: &str) -> Self {
        let gap = if activity.is_empty() { "" } else { ": " };
        let progress = Progress::new(format_args!("{subject}{gap}{activity}"));
        Self { subject: subject.to_owned(), progress, phases: 0 }
    }

    /// Updates the progress line.
    fn show(&mut self, found: &Findings) {
        let subject = &self.subject;
        for phase in found.phases.iter().skip(self.phases) {
            self.progress.begin(None, format_args!("{subject}: {phase}"));
        }
        self.phases = found.phases.len();
        if found.phases.is_empty() && found.far.is_empty() {
            return;
        }
        let phase = found.phases.last().map_or("", String::as_str);
        let mut words = vec![subject.as_str(), phase, found.far.as_str()];
        words.retain(|word| !word.is_empty());
        self.progress.show_share(found.share, format_args!("{}", words.join(": ")));
    }

    /// Returns the function that prints the notes of a method.
    /// Other events go to `others`.
    fn notes(
        &self,
        question: &Question,
        method: &Method,
        others: Observer,
    ) -> impl Fn(Event<'_>) + Send + Sync + 'static {
        let (subject, question, method) = (self.subject.clone(), question.clone(), method.clone());
        move |event| match event {
            Event::Remark(remark) => note(remark),
            Event::Tight(states) => {
                let instead = method.advice(&question, Status::Memout);
                note(&format!("{subject}: {states}; if they do, try {instead}"));
            }
            other => others.notify(other),
        }
    }
}

/// Answers a question, with a progress line about the subject and its first activity. The limit on wall time counts from
/// `began`. An interrupt ends the work. `each` is called repeatedly with the findings. The observer of the settings gets
/// the events that are neither progress, notes nor findings.
pub(super) fn ask(
    question: &Question,
    method: &Method,
    mut settings: Settings,
    began: Instant,
    (subject, activity): (&str, &str),
    each: &mut dyn FnMut(&Findings),
) -> Record {
    let hold = Hold::new();
    settings.stop = hold.stop().clone();
    let mut watch = Watch::new(subject, activity);
    let notes = watch.notes(question, method, settings.observer.clone());
    let mut show = |found: &Findings| {
        each(found);
        watch.show(found);
    };
    answer(question, method, settings, began, &mut show, notes)
}

/// Answers a question like [`ask`], without a progress line. Passes the events for the user to `notify`.
pub(super) fn answer(
    question: &Question,
    method: &Method,
    settings: Settings,
    began: Instant,
    show: &mut dyn FnMut(&Findings),
    notify: impl Fn(Event<'_>) + Send + Sync + 'static,
) -> Record {
    let Settings { seed, limits, .. } = settings;
    let blank = Record::new(&question.to_string(), question.checksum(), method, seed, &limits);
    let deadline = limits.deadline(began);
    let stop = settings.stop.clone();
    let (of, by) = (question.clone(), method.clone());
    let cpu = ProcessTime::now();
    let waited = deadline::wait::<Findings, Record>(deadline, Some(&stop), show, move |worker| {
        worker.answer(by.answer(&of, &observed(settings, worker, deadline, notify)));
    });
    match waited {
        Outcome::Answer(mut answered) => {
            answered.asked.wall_limit = blank.asked.wall_limit;
            answered
        }
        // The work has not ended in time, so only its last phase and its results so far are known.
        Outcome::Late(Findings { phases, result, tours, .. }) => {
            let doing = phases.last().map_or("", String::as_str);
            let cause = cause(&stop);
            let result = match result {
                Some(known) if matches!(known.status, Status::AtLeast | Status::NoTour) => known,
                _ if !tours.is_empty() => RunResult::default().ended(Status::Tour, ""),
                known => {
                    let ended = known.unwrap_or_default().stopped(cause);
                    match method.class() {
                        // The phases of a solver are its strategies, so the message names the running one.
                        Class::Solver if !doing.is_empty() => {
                            RunResult { message: format!("{cause} during {doing}"), cause: None, ..ended }
                        }
                        _ => ended,
                    }
                }
            };
            late(blank, RunResult { tours, ..result }, began, &cpu)
        }
    }
}

/// Answers several questions like [`ask`], as [`Method::answer_several`] does. The limit on wall time applies to all
/// questions together. `each` is called in this thread with the index and the answer of each question, in the order in
/// which the answers become known. If a question has no answer at the limit, the record of its answer names the limit.
///
/// # Errors
///
/// The first error of `each`, after the work has ended.
pub(super) fn ask_several(
    questions: &[Question],
    method: &Method,
    mut settings: Settings,
    began: Instant,
    (subject, activity): (&str, &str),
    each: &mut dyn FnMut(usize, Record) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let Some(last) = questions.last() else { return Ok(()) };
    let hold = Hold::new();
    settings.stop = hold.stop().clone();
    let mut watch = Watch::new(subject, activity);
    let notes = watch.notes(last, method, settings.observer.clone());
    let Settings { seed, limits, .. } = settings;
    let deadline = limits.deadline(began);
    let (of, by) = (questions.to_vec(), method.clone());
    let cpu = ProcessTime::now();
    let mut is_open = vec![true; questions.len()];
    let mut result = Ok(());
    // Each answer is handed to this thread, so that no other copy of it remains.
    let (sender, answers) = mpsc::channel::<(usize, Record)>();
    let mut tell = || {
        for (at, mut answered) in answers.try_iter() {
            answered.asked.wall_limit = limits.wall.map(|limit| limit.as_secs_f64());
            is_open[at] = false;
            if result.is_ok() {
                result = each(at, answered);
            }
        }
    };
    let mut tick = |found: &Findings| {
        tell();
        watch.show(found);
    };
    let waited = deadline::wait::<Findings, ()>(deadline, Some(hold.stop()), &mut tick, move |worker| {
        by.answer_several(&of, &observed(settings, worker, deadline, notes), &mut |at, answered| {
            // The receiver exists until this function returns. Later answers are lost.
            let _ = sender.send((at, answered));
        });
        worker.answer(());
    });
    // The answers that arrived before the limit count as well.
    let (Outcome::Answer(()) | Outcome::Late(_)) = waited;
    tell();
    result?;
    for (at, question) in questions.iter().enumerate().filter(|&(at, _)| is_open[at]) {
        let record = Record::new(&question.to_string(), question.checksum(), method, seed, &limits);
        each(at, late(record, RunResult::default().stopped(cause(hold.stop())), began, &cpu))?;
    }
    Ok(())
}

/// Returns the answer of work that has ended early, with the times so far.
fn late(record: Record, result: RunResult, began: Instant, cpu: &ProcessTime) -> Record {
    let mut ended = record.with_result(result);
    ended.cpu_seconds = Some(cpu.elapsed().as_secs_f64());
    ended.wall_seconds = Some(began.elapsed().as_secs_f64());
    ended.peak_rss_kib = Some(peak_rss_kib());
    ended
}

/// Returns the reason why a run has no answer.
pub(super) fn why_stopped(record: &Record) -> String {
    match record.result.cause {
        Some(limit @ (Stopped::Time | Stopped::CpuTime)) => format!("the {limit} was reached"),
        _ => record.message.clone(),
    }
}

/// Returns the cause that has ended work early.
fn cause(stop: &CancellationToken) -> Stopped {
    match (stop.is_set(), stop.has_expired()) {
        (_, true) => Stopped::CpuTime,
        (true, false) => Stopped::Cancelled,
        (false, false) => Stopped::Time,
    }
}

/// Returns the settings for a worker with the time left. Its events become findings, except those for `notify`.
fn observed<A: Send + 'static>(
    mut settings: Settings,
    worker: &Worker<Findings, A>,
    deadline: Option<Instant>,
    notify: impl Fn(Event<'_>) + Send + Sync + 'static,
) -> Settings {
    settings.limits.wall = deadline::left(deadline);
    let worker = worker.clone();
    settings.observer = Observer::new(move |event| match event {
        Event::Doing(what) => worker.know(|found| {
            found.phases.push(what.to_owned());
            found.far.clear();
            found.share = None;
        }),
        Event::At(share, what) => worker.know(|found| {
            what.clone_into(&mut found.far);
            found.share = share;
        }),
        Event::Known(result) => worker.know(|found| found.result = Some(result.clone())),
        Event::Found(tour) => worker.know(|found| found.tours.push(tour.clone())),
        Event::EndsItself => worker.ends_itself(),
        other => notify(other),
    });
    settings
}
