//! Answers questions with a method, and shows progress. The work ends at the time limit or at an interrupt even if the
//! method does not check for them. In this case, the answer consists of the results found so far.

use std::time::Instant;

use cpu_time::ProcessTime;
use hamcnf::Tour;
use hamcnf::machine::peak_rss_kib;
use hamcnf::method::{Class, Method};
use hamcnf::pipeline::FinishedRun;
use hamcnf::question::Question;
use hamcnf::record::{Record, Status};
use hamcnf::run::{Event, Observer, RunResult, Settings, Share};

use super::deadline::{self, Waited};
use super::progress::Progress;

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
        Self {
            progress,
            about,
            phases: 0,
        }
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
        self.progress
            .show_share(known.share, None, format_args!("{text}"));
    }
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
) -> FinishedRun {
    let Settings { seed, limits, .. } = settings;
    let name = question.to_string();
    let blank = Record::new(&name, question.checksum(), method, seed, &limits);
    let deadline = limits.deadline(began);
    let stop = settings.stop.clone();
    let (of, by) = (question.clone(), method.clone());
    let cpu = ProcessTime::now();
    let waited = deadline::wait::<Known, FinishedRun>(deadline, Some(&stop), show, move |worker| {
        let told = worker.clone();
        let observer = Observer::new(move |event| match event {
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
            Event::Answered => told.has_answer(),
            other => heard(other),
        });
        let mut settings = Settings {
            observer,
            ..settings
        };
        settings.limits.wall = deadline::left(deadline);
        worker.answer(by.answer(&of, &settings));
    });
    match waited {
        Waited::Answer(mut answered) => {
            answered.record.wall_limit = blank.wall_limit;
            answered
        }
        // The work has not ended in time, so only its last phase and its results so far are known.
        Waited::Late(Known {
            phases,
            result,
            tours,
            ..
        }) => {
            let doing = phases.last().map_or("", String::as_str);
            let (status, limit) = match stop.is_set() {
                true => (Status::Stopped, "interrupt"),
                false => (Status::Timeout, "time limit"),
            };
            let result = match result {
                Some(known) if matches!(known.status, Status::AtLeast | Status::NoTour) => known,
                _ if !tours.is_empty() => RunResult::default().ended(Status::Tour, ""),
                known => {
                    // The phases of a solver are its strategies, so the message names the running one.
                    let message = match method.class() {
                        Class::Solver if !doing.is_empty() => format!("{limit} during {doing}"),
                        _ => limit.to_owned(),
                    };
                    known.unwrap_or_default().ended(status, message)
                }
            };
            let mut record = blank.clone().with_result(&result);
            record.wall_limit = blank.wall_limit;
            record.cpu_seconds = Some(cpu.elapsed().as_secs_f64());
            record.wall_seconds = Some(began.elapsed().as_secs_f64());
            record.peak_rss_kib = Some(peak_rss_kib());
            FinishedRun {
                tours,
                ..record.into()
            }
        }
    }
}
