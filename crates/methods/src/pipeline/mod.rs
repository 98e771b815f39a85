//! The pipeline: turns a question, a method and settings into an answer. The answer's record is the row of an
//! experiment, the object that `--json` prints, and the result that a worker returns. Methods run in this process.
//! Limits that a method does not check itself are enforced by a separate process.

mod checked;
mod small;

use std::collections::BTreeSet;
use std::error::Error;

use cpu_time::ProcessTime;
use hamcnf_encodings::{Encoding, Formula};
use hamcnf_graph::Named;
use hamcnf_tours::TourKind;

use crate::machine::peak_rss_kib;
use crate::method::{Method, evidence};
use crate::record::{Number, Record};
use crate::run::{Details, Failure, Refusal, Run, RunResult, Settings, Status, Wanted};
use hamcnf_count::enumerate::FormulaError;
use hamcnf_cycle::search::Proof;
use hamcnf_graph::budget::Stopped;
use hamcnf_questions::{Question, Tours};
use hamcnf_sat::solve::SolveError;
use hamcnf_tours::endpoints::Start;
use hamcnf_tours::split::SplitError;

impl Method {
    /// Answers a question within the limits of the settings.
    pub fn answer(&self, question: &Question, settings: &Settings) -> Record {
        let clock = Clock::begin(self, settings);
        let result = match self.suits(question) {
            Ok(()) => answer(self, question, &clock.run),
            Err(refusal) => Ok(RunResult::default().refused(&refusal)),
        };
        clock.finished(question, result)
    }

    /// Answers several questions. The limits of the settings apply to all questions together. Calls `each` with the
    /// index and the answer of each question as soon as the answer is known. If the method can answer questions
    /// together, the times of these answers are measured from the beginning of the call.
    pub fn answer_several(&self, questions: &[Question], settings: &Settings, each: &mut dyn FnMut(usize, Record)) {
        let clock = Clock::begin(self, settings);
        let together = self.answered_together(questions, settings);
        let is_alone = |k: &usize| together.iter().all(|(other, _)| other != k);
        let mut others: BTreeSet<usize> = (0..questions.len()).filter(is_alone).collect();
        let asked: Vec<_> = together.iter().map(|&(_, tours)| tours).collect();
        let mut open: Vec<_> = together.iter().map(|&(k, _)| Some(k)).collect();
        let ended = match self.together().filter(|_| !asked.is_empty()) {
            Some(method) => method.run_together(&asked, &clock.run, &mut |at, result| {
                if let Some(k) = open[at].take() {
                    each(k, clock.finished(&questions[k], Ok(result.modulo(settings.modulus.as_ref()))));
                }
            }),
            None => Ok(None),
        };
        let ended = ended.map_err(|failure| failure.to_string());
        for k in open.into_iter().flatten() {
            match &ended {
                // Shorter boards may be narrow enough.
                Ok(Some(RunResult { details: Some(Details::TooWide | Details::NotBegun), .. })) => others.extend([k]),
                Ok(Some(result)) => each(k, clock.finished(&questions[k], Ok(result.clone()))),
                Ok(None) => {}
                Err(failure) => each(k, clock.finished(&questions[k], Err(failure.clone().into()))),
            }
        }
        for k in others {
            let mut settings = settings.clone();
            settings.limits.wall = clock.run.left();
            each(k, self.answer(&questions[k], &settings));
        }
    }

    /// True if the method refuses neither the question nor its endpoints, constraints and kind of graph. A run may
    /// still refuse a graph that is too wide or too large.
    pub fn accepts(&self, question: &Question) -> bool {
        let Question::Tours(tours) = question else { return self.suits(question).is_ok() };
        let Ok(method) = self.replaced(tours, &Settings::default()) else { return false };
        let is_refused = || refusal(&method, tours, &Settings::default()).is_some();
        let lacks = |encoding: &Encoding| Formula::new(encoding.clone(), tours.instance()).is_err();
        self.suits(question).is_ok() && !is_refused() && !method.encoding().is_some_and(lacks)
    }

    /// Returns the questions that [`answer_several`](Self::answer_several) answers together, with their indices, in the
    /// order of their numbers of vertices. Empty if they would share no work.
    pub fn answered_together<'q>(&self, questions: &'q [Question], settings: &Settings) -> Vec<(usize, &'q Tours)> {
        let tours = questions.iter().enumerate().filter_map(|(k, question)| match question {
            Question::Tours(tours) => Some((k, &**tours)),
            Question::Queens(_) => None,
        });
        let mut able: Vec<_> = tours.filter(|(_, tours)| self.is_for_together(tours, settings)).collect();
        able.sort_by_key(|(_, tours)| tours.instance().n());
        let asked: Vec<_> = able.iter().map(|&(_, tours)| tours).collect();
        match self.together() {
            Some(method) if method.shares(&asked) => able,
            _ => Vec::new(),
        }
    }

    /// True if the method can answer this question together with other questions.
    fn is_for_together(&self, tours: &Tours, settings: &Settings) -> bool {
        self.together().is_some()
            && settings.wanted == Wanted::One
            && settings.proof.is_none()
            && !tours.instance().is_trivial()
            && !self.needs_undirected(tours)
            && self.replaced(tours, settings).as_ref() == Ok(self)
            && refusal(self, tours, settings).is_none()
    }
}

/// Run of a method, with the clocks that measure the times for its record.
struct Clock<'a> {
    method: &'a Method,
    run: Run<'a>,
    cpu: ProcessTime,
}

impl<'a> Clock<'a> {
    fn begin(method: &'a Method, settings: &'a Settings) -> Self {
        Self { method, run: Run::begin(settings), cpu: ProcessTime::now() }
    }

    /// Returns the answer to a question, with its record.
    fn finished(&self, question: &Question, result: Result<RunResult, Failure>) -> Record {
        let settings = self.run.settings();
        let Settings { seed, limits, .. } = settings;
        let name = question.to_string();
        let record = Record::new(&name, question.checksum(), self.method, *seed, limits);
        let mut result = result.unwrap_or_else(|failure| {
            let status = match failure {
                _ if failure.is::<Refusal>() => Status::Refused,
                _ if is_out_of_memory(failure.as_ref()) => Status::Memout,
                _ if settings.stop.is_set() => Status::Stopped,
                _ => Status::Failed,
            };
            RunResult::default().ended(status, failure.to_string())
        });
        // Some methods report an interrupt as a timeout, and all report a limit that they do not check as an interrupt.
        result = match (result.status, settings.stop.has_expired()) {
            (Status::Stopped, true) => result.stopped(Stopped::CpuTime),
            (Status::Timeout, true) if result.cause.is_some() => result.stopped(Stopped::CpuTime),
            // Methods that check the token do not know which limit has set it.
            (Status::Timeout, true) => {
                let message = result.message.replace(Stopped::Time.as_str(), Stopped::CpuTime.as_str());
                result.ended(Status::Timeout, message)
            }
            (Status::Timeout, false) if settings.stop.is_set() => result.stopped(Stopped::Cancelled),
            _ => result,
        };
        let mut record = record.with_result(result);
        // A refused run takes negligible time, so its times are left empty.
        if record.status != Status::Refused {
            let wall = || self.run.began().elapsed().as_secs_f64();
            record.wall_seconds.get_or_insert_with(wall);
            let cpu = || self.cpu.elapsed().as_secs_f64();
            record.cpu_seconds.get_or_insert_with(cpu);
            record.peak_rss_kib = Some(peak_rss_kib());
        }
        record
    }
}

/// True if the error says that the solver ran out of memory.
fn is_out_of_memory(error: &(dyn Error + 'static)) -> bool {
    std::iter::successors(Some(error), |&error| error.source()).any(|error| {
        let of_listing = match error.downcast_ref() {
            Some(FormulaError::Solve(error)) => Some(error),
            _ => None,
        };
        matches!(error.downcast_ref().or(of_listing), Some(SolveError::OutOfMemory))
    })
}

/// Answers a question that the method accepts. Refuses it if the settings request something that the method cannot do.
fn answer(method: &Method, question: &Question, run: &Run<'_>) -> Result<RunResult, Failure> {
    let tours = match question {
        Question::Tours(tours) => tours,
        Question::Queens(queens) => {
            let can_answer = match run.settings().wanted {
                Wanted::One => true,
                Wanted::Several(_) | Wanted::All => method.profile().several,
                Wanted::ByStart => false,
            };
            return match can_answer {
                true => method.run_queens(queens, run),
                false => Ok(RunResult::default().refused(&ONE_PLACEMENT)),
            };
        }
    };
    let modulus = run.settings().modulus.as_ref();
    if let Some(result) = checked::answer(method, tours, run)? {
        return Ok(result.modulo(modulus));
    }
    let method = &match method.replaced(tours, run.settings()) {
        Ok(method) => method,
        Err(constraint) => {
            let refusal = SplitError::Constraint(constraint);
            return Ok(RunResult::default().refused(&refusal));
        }
    };
    if let Some(why) = refusal(method, tours, run.settings()) {
        return Ok(RunResult::default().refused(&why));
    }
    let result = match small::answer(method, tours, run.settings()) {
        Some(result) => run.with_evidence(method, tours, result),
        None => {
            let method = &method.faster(tours, run).unwrap_or_else(|| method.clone());
            match method.needs_undirected(tours) {
                true => answer_split(method, tours, run),
                false => run.with_evidence(method, tours, method.run(tours, run)?),
            }
        }
    };
    Ok(with_reason(tours, result?).modulo(modulus))
}

/// If the answer is "no tour", or a count of 0 with a reason, and the question has constraints or is about a digraph,
/// replaces the reason by an obstruction of the question itself. Any other reason would be about a changed graph.
fn with_reason(tours: &Tours, result: RunResult) -> RunResult {
    let instance = tours.instance();
    let is_plain = instance.constraints().is_empty() && !instance.is_directed();
    let is_zero = result.value == Some(Number::from(0u64));
    let is_explained_count = result.status == Status::Count && result.proof.is_some() && is_zero;
    if is_plain || result.status != Status::NoTour && !is_explained_count {
        return result;
    }
    match tours.obstruction() {
        Some(found) => {
            let message = found.to_string();
            RunResult { message, proof: Some(Proof::Obstruction(found)), ..result }
        }
        None => result,
    }
}

/// Answers a directed question by answering its undirected form.
fn answer_split(method: &Method, tours: &Tours, run: &Run<'_>) -> Result<RunResult, Failure> {
    let undirected = tours.undirected()?;
    let result = method.run(&undirected, run)?;
    let result = run.with_evidence(method, &undirected, result)?;
    let found = result.tours.iter().cloned().map(|tour| undirected.directed_tour(tour));
    let message = match &result.proof {
        Some(Proof::Obstruction(_)) if undirected.has_parts() => format!("{} {PARTS_OF_A_VERTEX}", result.message),
        Some(Proof::Obstruction(_)) => {
            format!("{} (in the graph with {})", result.message, undirected.added_vertices())
        }
        _ => result.message.clone(),
    };
    Ok(RunResult {
        tours: found.collect::<Result<_, _>>()?,
        // The model describes a tour of the split graph, so it is dropped. An obstruction is about the split graph,
        // too, but only its kind and its message are shown.
        model: None,
        message,
        ..result
    })
}

/// Returns the reason why the method cannot do what the settings request; `None` if it can.
pub(crate) fn refusal(method: &Method, tours: &Tours, settings: &Settings) -> Option<&'static str> {
    let (can, instance) = (method.profile(), tours.instance());
    let is_from_anywhere = tours.start() == Start::Anywhere;
    // A digraph is counted on its split graph, whose vertices are neither squares nor starts.
    let is_split = method.needs_undirected(tours);
    let can_answer = match settings.wanted {
        Wanted::One => true,
        Wanted::Several(_) => can.several,
        Wanted::All => false,
        Wanted::ByStart => can.by_start && instance.kind() == TourKind::Open && is_from_anywhere,
    };
    let refusals = [
        (is_from_anywhere && !can.any_start, FROM_ONE),
        (tours.end().is_some() && !can.given_end, TO_ANYWHERE),
        (can.boards_only && (instance.squares().is_none() || is_split), BOARDS_ONLY),
        (settings.modulus.is_some() && !can.exact_count, NO_RESIDUE),
        (settings.wanted == Wanted::ByStart && is_split, BY_START),
        (!can_answer, ONE_ANSWER),
    ];
    let first = refusals.into_iter().find_map(|(is_refused, why)| is_refused.then_some(why));
    first.or_else(|| evidence::refusal(&can, settings))
}

const BOARDS_ONLY: &str = "this method accepts only boards without constraints other than forbidden moves";
const BY_START: &str = "counts by start support neither digraphs nor constraints other than forbidden moves";
/// Explanation of the names of the split graph's vertices.
const PARTS_OF_A_VERTEX: &str = "(arcs enter v-in, go on to v, and leave v-out)";
const NO_RESIDUE: &str = "only an exact count of all tours has a residue; use the method \"count\"";
const TO_ANYWHERE: &str = "this method does not accept a given end; use the method \"auto\", one of its strategies, or a counting method such as \"exact\"";
const ONE_ANSWER: &str =
    "this method gives one answer; use an encoding to find several tours, or the method \"exact\" to count by start";
const ONE_PLACEMENT: &str = "this method gives one answer; use the method \"bdd\" to list placements";
const FROM_ONE: &str = "this method needs a start vertex; name the start in the question";
