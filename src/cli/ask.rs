//! Answers questions with a method, and shows progress. The work ends at the time limit or at an interrupt even if the method
//! does not check for them. Then the answer is what is known so far.

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

/// Facts about the answer that are known before the end.
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

/// Display of the known facts. It remembers how many phases it has shown.
pub(super) struct Shown<'a> {
    progress: &'a Progress,
    /// Subject of the work, as text.
    about: String,
    phases: usize,
}

impl<'a> Shown<'a> {
    /// Returns a display that uses this progress line, whose text is the subject so far.
    pub(super) fn new(progress: &'a Progress, about: String) -> Self {
        Self {
            progress,
            about,
            phases: 0,
        }
    }

    /// Shows the known facts.
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

/// Answers a question. The limit on wall time counts from `began`. `show` receives the facts known so far, from time to time;
/// `heard` receives events for the user.
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
        // The work did not check the limit; only its last phase and its results so far are known.
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
                    // A solver's phase is one of its strategies.
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
