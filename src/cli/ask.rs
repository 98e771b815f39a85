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

use super::deadline::{self, Waited, Worker};
use super::progress::Progress;
use super::several::is_empty;

/// Progress and partial results of a method that is still running.
#[derive(Clone, Default)]
pub(super) struct Known {
    /// Phases of the work in order; the last one is running.
    phases: Vec<String>,
    /// Progress of the running phase, as text.
    far: String,
    share: Option<Share>,
    result: Option<RunResult>,
    tours: Vec<Tour>,
}

impl Known {
    /// Returns the tours found so far.
    pub(super) fn tours(&self) -> &[Tour] {
        &self.tours
    }
}

/// Display of the [`Known`] facts in a progress line.
pub(super) struct Shown<'a> {
    progress: &'a Progress,
    /// Subject of the work, as text.
    about: String,
    phases: usize,
}

impl<'a> Shown<'a> {
    /// Creates a display in a progress line that currently shows `about`, the subject of the work.
    pub(super) fn new(progress: &'a Progress, about: String) -> Self {
        Self { progress, about, phases: 0 }
    }

    /// Updates the progress line from the known facts.
    pub(super) fn show(&mut self, known: &Known) {
        let about = &self.about;
        for phase in known.phases.iter().skip(self.phases) {
            let text = format_args!("{about}: {phase}");
            self.progress.begin(None, None, text);
        }
        self.phases = known.phases.len();
        if known.phases.is_empty() && known.far.is_empty() {
            return;
        }
        let phase = known.phases.last().map_or("", String::as_str);
        let words = [about.as_str(), phase, known.far.as_str()];
        let words: Vec<_> = words.into_iter().filter(|word| !word.is_empty()).collect();
        let text = words.join(": ");
        self.progress.show_share(known.share, None, format_args!("{text}"));
    }
}

/// Question that was loaded within a limit on wall time, or whose graph was not loaded in time or has no vertices.
pub(super) struct Loaded {
    /// Time from which the limit counts.
    pub(super) began: Instant,
    /// Text of the question.
    pub(super) name: String,
    /// Question; `None` if its graph was not loaded in time or has no vertices.
    pub(super) asked: Option<Tours>,
    /// Reason why there is no tour, if the graph has no vertices.
    pub(super) empty: Option<String>,
}

impl Loaded {
    /// Loads a question within a number of seconds.
    pub(super) fn within(
        seconds: Option<f64>,
        spec: QuestionSpec,
        load: impl FnOnce(QuestionSpec) -> anyhow::Result<Tours> + Send + 'static,
    ) -> anyhow::Result<Self> {
        let (began, name) = (Instant::now(), spec.to_string());
        let _progress = Progress::new(format_args!("{name}: loading the graph"));
        let deadline = limits_of(seconds).deadline(began);
        let (asked, empty) = match deadline::within(deadline, move || load(spec)).transpose() {
            Err(error) if is_empty(&error) => (None, Some(error.root_cause().to_string())),
            asked => (asked?, None),
        };
        Ok(Self { began, name, asked, empty })
    }

    /// Returns the record of a run without a graph: the graph was not loaded in time, or has no vertices.
    pub(super) fn record(&self, method: &Method, seed: u64, seconds: Option<f64>) -> Late {
        let record = Record::new(&self.name, "", method, seed, &limits_of(seconds));
        let result = RunResult::default();
        let mut record = record.with_result(match &self.empty {
            None => result.ended(Status::Timeout, LATE),
            Some(why) if method.is_count() => {
                let none = result.with_value(Status::Count, 0u64);
                none.ended(Status::Count, why)
            }
            Some(why) => result.ended(Status::NoTour, why),
        });
        record.wall_seconds = Some(self.began.elapsed().as_secs_f64());
        Late { record, tour: None }
    }
}

/// Record of a run without a graph, as JSON. There are no details of the graph.
#[derive(Serialize)]
pub(super) struct Late {
    #[serde(flatten)]
    record: Record,
    tour: Option<Vec<String>>,
}

/// Message of a run that ended while the graph was loaded.
pub(super) const LATE: &str = "loading the graph took too long";

fn limits_of(seconds: Option<f64>) -> Limits {
    Limits { wall: seconds.map(Duration::from_secs_f64), ..Limits::default() }
}

/// Answers a question. The limit on wall time counts from `began`. `show` is called repeatedly with the facts known so
/// far; `heard` is called with each event for the user.
pub(super) fn ask(
    question: &Question,
    method: &Method,
    settings: Settings,
    began: Instant,
    show: &mut dyn FnMut(&Known),
    heard: impl Fn(Event<'_>) + Send + Sync + 'static,
) -> Record {
    let Settings { seed, limits, .. } = settings;
    let name = question.to_string();
    let blank = Record::new(&name, question.checksum(), method, seed, &limits);
    let deadline = limits.deadline(began);
    let stop = settings.stop.clone();
    let (of, by) = (question.clone(), method.clone());
    let cpu = ProcessTime::now();
    let waited = deadline::wait::<Known, Record>(deadline, Some(&stop), show, move |worker| {
        let observer = observer(worker.clone(), heard);
        let mut settings = Settings { observer, ..settings };
        settings.limits.wall = deadline::left(deadline);
        worker.answer(by.answer(&of, &settings));
    });
    match waited {
        Waited::Answer(mut answered) => {
            answered.asked.wall_limit = blank.asked.wall_limit;
            answered
        }
        // The work has not ended in time, so only its last phase and its results so far are known.
        Waited::Late(Known { phases, result, tours, .. }) => {
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

/// Answers several questions, as [`Method::answer_several`] does. The limit on wall time counts from `began`, and
/// applies to all questions together. `show` and `heard` are as for [`ask`]; `each` is called in this thread with the
/// index and the answer of each question, in the order in which the answers become known. If a question has no answer
/// at the limit, the record of its answer names the limit.
///
/// # Errors
///
/// The first error of `each`, after the work has ended.
pub(super) fn ask_several(
    questions: &[Question],
    method: &Method,
    settings: Settings,
    began: Instant,
    show: &mut dyn FnMut(&Known),
    heard: impl Fn(Event<'_>) + Send + Sync + 'static,
    each: &mut dyn FnMut(usize, Record) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let Settings { seed, limits, .. } = settings;
    let deadline = limits.deadline(began);
    let stop = settings.stop.clone();
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
    let mut tick = |known: &Known| {
        tell();
        show(known);
    };
    let waited = deadline::wait::<Known, ()>(deadline, Some(&stop), &mut tick, move |worker| {
        let mut settings = Settings { observer: observer(worker.clone(), heard), ..settings };
        settings.limits.wall = deadline::left(deadline);
        by.answer_several(&of, &settings, &mut |at, answered| {
            // The receiver exists until this function returns. Later answers are lost.
            let _ = sender.send((at, answered));
        });
        worker.answer(());
    });
    // The answers that arrived before the limit count as well.
    let (Waited::Answer(()) | Waited::Late(_)) = waited;
    tell();
    result?;
    for (at, question) in questions.iter().enumerate().filter(|&(at, _)| is_open[at]) {
        let name = question.to_string();
        let record = Record::new(&name, question.checksum(), method, seed, &limits);
        each(at, late(record, RunResult::default().stopped(cause(&stop)), began, &cpu))?;
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

/// Returns the cause that has ended work early.
fn cause(stop: &CancellationToken) -> Stopped {
    match (stop.is_set(), stop.has_expired()) {
        (_, true) => Stopped::CpuTime,
        (true, false) => Stopped::Cancelled,
        (false, false) => Stopped::Time,
    }
}

/// Returns an observer that makes the events known to the waiting thread, and passes on the events for the user.
fn observer<A: Send + 'static>(told: Worker<Known, A>, heard: impl Fn(Event<'_>) + Send + Sync + 'static) -> Observer {
    Observer::new(move |event| match event {
        Event::Doing(what) => told.know(|known| {
            known.phases.push(what.to_owned());
            known.far.clear();
            known.share = None;
        }),
        Event::At(share, what) => told.know(|known| {
            what.clone_into(&mut known.far);
            known.share = share;
        }),
        Event::Known(result) => told.know(|known| known.result = Some(result.clone())),
        Event::Found(tour) => told.know(|known| known.tours.push(tour.clone())),
        Event::EndsItself => told.ends_itself(),
        other => heard(other),
    })
}
