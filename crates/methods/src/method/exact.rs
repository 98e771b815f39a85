//! `exact`: counts tours by dynamic programming along a frontier of the graph; see
//! [`frontier::exact`](hamcnf_count::frontier::exact).

use std::path::PathBuf;

use num_bigint::BigUint;

use super::sweep::{advice, counted, disk_instead, options, report, said, sample_instead, without};
use super::symmetric::{self, CountSymmetric};
use super::{Advice, Field, Found, Method, MethodKind, Profile, Setting, Together, WrongValue};
use crate::run::{Details, Event, Failure, Run, RunResult, Settings, Share, Status, Wanted};
use hamcnf_count::frontier::exact;
use hamcnf_count::frontier::{Bytes, CheckpointError, Progress};
use hamcnf_count::not_counted::CountError;
use hamcnf_questions::{Question, Tours};

/// Exact count by dynamic programming along a frontier of the graph.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Exact {
    /// File for checkpoints, or folder with a file for each question.
    pub checkpoint: Option<PathBuf>,
    /// Folder for states that do not fit into memory.
    pub scratch: Option<PathBuf>,
}

/// Connects a setting to an optional path. `what` says what the path names.
fn of_path<'m>(setting: Setting, field: &'m mut Option<PathBuf>, what: &'static str) -> Field<'m> {
    let text = field.as_ref().map(|path| path.display().to_string());
    setting.with(text, move |text| {
        let why = match text {
            "" => format!("give the name of a {what}"),
            "-" => format!("\"-\" means standard input or output, and is no {what}; choose another name"),
            _ if text.contains(['+', ':', ',']) => format!(
                "\"{text}\" contains a plus sign, a colon or a comma, which separate settings; choose another name"
            ),
            _ => {
                *field = Some(text.into());
                return Ok(());
            }
        };
        Err(WrongValue::new(why))
    })
}

impl Exact {
    /// Returns the file for checkpoints of this question. `name` is the text of the question.
    pub(super) fn file(&self, name: &str) -> Option<PathBuf> {
        let file = self.checkpoint.as_ref()?;
        if !file.is_dir() {
            return Some(file.clone());
        }
        let mut of_question = String::new();
        for byte in name.bytes() {
            match byte {
                b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' | b'-' | b'.' => of_question.push(byte.into()),
                b' ' => of_question.push('_'),
                _ => of_question.push_str(&format!("%{byte:02x}")),
            }
        }
        Some(file.join(format!("{of_question}.checkpoint")))
    }
}

impl MethodKind for Exact {
    fn profile(&self) -> Profile<'_> {
        let summary = "exact count by dynamic programming along a frontier";
        Profile { by_start: true, threads: true, try_hard: true, ..Profile::exact_count("exact", summary) }
    }

    fn advice(&self, question: &Question, status: Status) -> Vec<Advice> {
        symmetric::advice(question, status).unwrap_or_else(|| {
            let disk = disk_instead(status, self.scratch.as_deref());
            advice(status, disk.into_iter().chain([sample_instead()]))
        })
    }

    fn with_clauses(&self, tours: &Tours, _: &Settings) -> Option<Method> {
        CountSymmetric::for_question(tours, self).map(Method::from)
    }

    fn settings(&mut self) -> Vec<Field<'_>> {
        let checkpoint = "file from which an interrupted count resumes, or folder with a file for each question";
        let scratch = "folder for temporary files with the states that do not fit into memory";
        vec![
            of_path(Setting::new("checkpoint", "FILE", checkpoint), &mut self.checkpoint, "file"),
            of_path(Setting::new("scratch", "FOLDER", scratch), &mut self.scratch, "folder"),
        ]
    }

    fn run(&self, tours: &Tours, run: &Run<'_>) -> Result<RunResult, Failure> {
        match run.settings().wanted {
            Wanted::ByStart if self.checkpoint.is_some() => Ok(RunResult::default().refused(&BY_START)),
            Wanted::ByStart => self.by_start(tours, run),
            Wanted::One | Wanted::Several(_) | Wanted::All => {
                let mut known = RunResult::default();
                let ended = self.run_together(&[tours], run, &mut |_, result| known = result)?;
                Ok(ended.unwrap_or(known))
            }
        }
    }

    fn together(&self) -> Option<&dyn Together> {
        Some(self)
    }
}

impl Together for Exact {
    fn shares(&self, tours: &[&Tours]) -> bool {
        let instances: Vec<_> = tours.iter().map(|tours| tours.instance()).collect();
        exact::share_a_sweep(&instances)
    }

    /// Counts the tours of several boards by one sweep over the board with the most squares. This board needs the most
    /// time and memory.
    fn run_together(&self, tours: &[&Tours], run: &Run<'_>, found: Found<'_>) -> Result<Option<RunResult>, Failure> {
        let questions: Vec<_> = tours.iter().map(|tours| (tours.instance().clone(), tours.ends())).collect();
        let mut found = |k: usize, exact| found(k, counted(&exact, &questions[k].0));
        let ends = [tours.first(), tours.last()].into_iter().flatten();
        let mut names: Vec<_> = ends.map(ToString::to_string).collect();
        names.dedup();
        let file = self.file(&names.join(" to "));
        let count = self.reported(file.clone(), run, |options, show, warn| {
            exact::counts(&questions, options, show, &mut found, warn)
        });
        match count {
            Ok(()) => Ok(None),
            Err(error) => without(error, file.as_deref()).map(Some),
        }
    }
}

impl Exact {
    /// Calls `count` like [`reported`](Self::reported), and converts an error to a result. `name` names the question in a
    /// folder of checkpoints.
    pub(super) fn result<E: Into<CountError>>(
        &self,
        name: &str,
        run: &Run<'_>,
        count: impl FnOnce(
            &exact::Options,
            &mut dyn FnMut(Progress),
            &mut dyn FnMut(&CheckpointError),
        ) -> Result<RunResult, E>,
    ) -> Result<RunResult, Failure> {
        let file = self.file(name);
        self.reported(file.clone(), run, count).or_else(|error| without(error, file.as_deref()))
    }

    /// Returns the options of a count in this run.
    fn options(&self, run: &Run<'_>) -> exact::Options {
        exact::Options { scratch: self.scratch.clone(), ..options(run) }
    }

    /// Calls `count` with the options of a count in this run, and with functions that report the progress and errors of
    /// checkpoints. `checkpoint` is the file for checkpoints.
    pub(super) fn reported<T, E>(
        &self,
        checkpoint: Option<PathBuf>,
        run: &Run<'_>,
        count: impl FnOnce(&exact::Options, &mut dyn FnMut(Progress), &mut dyn FnMut(&CheckpointError)) -> Result<T, E>,
    ) -> Result<T, E> {
        if checkpoint.is_some() {
            run.notify(Event::EndsItself);
        }
        let options = exact::Options { checkpoint, ..self.options(run) };
        let mut is_first = true;
        let mut is_resumed = options.checkpoint.is_some();
        let mut announced = 1;
        let mut show = |at: Progress| {
            if std::mem::take(&mut is_first) && at.most_bytes > options.memory as f64 {
                let said = format!(
                    "up to {:.1e} states (estimated) may need {}, more than the memory limit of {}",
                    at.most_states,
                    Bytes(at.most_bytes as u64),
                    Bytes(options.memory)
                );
                match &options.scratch {
                    Some(folder) => {
                        run.notify(Event::Remark(&format!("{said}; the rest goes to {}", folder.display())));
                    }
                    None => run.notify(Event::Tight(&said)),
                }
            }
            if std::mem::take(&mut is_resumed) && (at.layer > 0 || at.finished_sweeps > 0) {
                run.notify(Event::Remark(&format!("resumed from the checkpoint after {}", at.place())));
                announced = at.sweeps;
            }
            if at.sweeps > announced {
                run.notify(Event::Remark(&format!(
                    "the numbers do not fit into memory; counting modulo primes, by {} sweeps",
                    at.sweeps
                )));
                announced = at.sweeps;
            }
            report(run, at);
        };
        let mut warn = |error: &CheckpointError| {
            run.notify(Event::Remark(&format!("{error}; this checkpoint is left out")));
        };
        count(&options, &mut show, &mut warn)
    }

    /// Counts the open tours from each start vertex.
    fn by_start(&self, tours: &Tours, run: &Run<'_>) -> Result<RunResult, Failure> {
        let instance = tours.instance();
        let mut show = |known, at| {
            let n = instance.n();
            let share = Share { done: known as u64, of: n.into() };
            run.settings().observer.at(Some(share), || format!("{known} of {n} squares known, {}", said(at)));
        };
        match exact::by_start(instance, &self.options(run), &mut show) {
            Ok(counts) => {
                let all: BigUint = counts.iter().sum();
                Ok(RunResult::default().with_value(Status::Count, &all).with(Details::ByStart(counts)))
            }
            Err(error) => without(error, None),
        }
    }
}

const BY_START: &str = "counts by start have no checkpoints; remove the checkpoint, or count from one start";
