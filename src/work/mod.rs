//! A question and a method make an answer: the one place where methods are carried out, for rows and for commands. The
//! libraries are called directly, in this process; who wants limits kept that they do not look at runs it in one of its
//! own.

mod certificate;
mod count;
mod decide;
#[cfg(feature = "diagrams")]
mod diagrams;
mod models;
#[cfg(not(feature = "diagrams"))]
mod no_diagrams;
mod portfolio;
mod prove;
mod queens;
mod size;
mod small;
mod way;

use std::error::Error;
use std::fmt;
use std::num::NonZero;
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use cpu_time::ProcessTime;
use hamcnf_encodings::{Encoding, Instance, Model, Tour, TourKind};

pub use self::certificate::{Certificate, NoCertificate};
pub use self::count::{Details, count};
pub use self::models::{Models, NotCountable, countable};
use self::size::size;
use crate::count::enumerate::EnumerateError;
use crate::count::external::Fetch;
use crate::ends::Start;
use crate::limits::Limits;
use crate::machine::{available_memory, peak_kib};
use crate::method::{Count, Method};
use crate::portfolio::Step;
use crate::proof;
use crate::question::Question;
use crate::record::{Record, Status};
use crate::search::Proof;
use crate::solve::SolveError;
use crate::solve::{self, Phases};
use crate::stop::Stop;

/// What a method is told besides the question.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Selects the random numbers.
    pub seed: u64,
    /// What it may take. A method keeps these as far as it looks at them.
    pub limits: Limits,
    /// How much is wanted of the answer.
    pub wanted: Wanted,
    /// Bytes for states and nodes, where that is not most of the limit, as the rest of the process takes some too, or of
    /// what is free.
    pub memory: Option<u64>,
    /// Threads for counts and diagrams, where these are not as many as there are processors.
    pub threads: Option<NonZero<usize>>,
    /// Begins what will hardly fit into memory all the same.
    pub try_hard: bool,
    /// Whether it may fetch a model counter.
    pub fetch: Fetch,
    /// Where a proof goes that there is no tour. Methods that write none refuse it.
    pub proof: Option<proof::Target>,
    /// Asks it to end.
    pub stop: Stop,
    /// Is told how far it is.
    pub listener: Listener,
}

/// How much is wanted of an answer. What a method cannot do it refuses.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Wanted {
    /// One tour, or one number.
    #[default]
    One,
    /// So many different tours, closed ones in either direction being the same, of an encoding.
    Several(NonZero<u32>),
    /// A number of open tours for each start, of the exact count.
    ByStart,
}

/// How much is done of what there is to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Share {
    /// So much.
    pub done: u64,
    /// Of so much.
    pub of: u64,
}

impl Share {
    /// How many of so many equal parts are done in full.
    #[must_use]
    pub fn parts(self, parts: u64) -> u64 {
        let done = u128::from(self.done.min(self.of)) * u128::from(parts);
        // All of nothing is done.
        let full = done.checked_div(self.of.into());
        full.map_or(parts, |full| full as u64)
    }
}

/// What is heard of work before its end.
#[derive(Clone, Copy, Debug)]
pub enum News<'a> {
    /// What is being done from now on, in words.
    Doing(&'a str),
    /// How far that is, in words, with the share that is done where it is known.
    At(Option<Share>, &'a str),
    /// What somebody should know.
    Remark(&'a str),
    /// That states may not fit into memory, and how many there may be.
    Tight(&'a str),
    /// Another tour, of several that are wanted.
    Found(&'a Tour),
    /// The record as far as it goes, as that of a run that did not come further.
    Known(&'a Record),
    /// That there is an answer, which is being read.
    Answered,
}

/// Who is told the news; nobody by default.
#[derive(Clone, Default)]
pub struct Listener(Option<Arc<Hears>>);

type Hears = dyn Fn(News<'_>) + Send + Sync;

impl Listener {
    /// This one, which is called from the threads that work.
    #[must_use]
    pub fn new(listener: impl Fn(News<'_>) + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(listener)))
    }

    fn hears(&self, news: News<'_>) {
        if let Some(listener) = &self.0 {
            listener(news);
        }
    }

    /// Words that are only made where somebody hears them.
    fn doing(&self, what: impl FnOnce() -> String) {
        if let Some(listener) = &self.0 {
            listener(News::Doing(&what()));
        }
    }

    /// The same of how far it is.
    fn at(&self, share: Option<Share>, what: impl FnOnce() -> String) {
        if let Some(listener) = &self.0 {
            listener(News::At(share, &what()));
        }
    }
}

impl fmt::Debug for Listener {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() {
            "somebody"
        } else {
            "nobody"
        })
    }
}

/// A record, with what does not go into a row.
#[derive(Clone, Debug)]
pub struct Answered {
    /// The record.
    pub record: Record,
    /// The tours, checked move by move: one, unless several are wanted.
    pub tours: Vec<Tour>,
    /// Whether it is known that there are no others.
    pub complete: bool,
    /// The model of the encoding that the one tour was read from.
    pub model: Option<Model>,
    /// How it is known that there is none, where that can be said.
    pub proof: Option<Proof>,
    /// What the parts of a portfolio did.
    pub steps: Vec<Step>,
    /// What is known of a count beside its number.
    pub details: Option<Details>,
    /// What became of the proof that was wanted: `None` also where a limit came before its end.
    pub written: Option<Result<Written, Unwritten>>,
}

impl Answered {
    /// Whether it was not begun, as no frontier or tree is narrow enough.
    #[must_use]
    pub fn is_too_wide(&self) -> bool {
        matches!(self.details, Some(Details::TooWide))
    }
}

/// Why there is no proof of what is known all the same, where that is no limit.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct Unwritten(String);

/// A proof that was written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Written {
    /// How large it is.
    pub size: proof::Size,
    /// The encoding whose clauses it is about.
    pub encoding: Encoding,
}

impl From<Record> for Answered {
    fn from(record: Record) -> Self {
        Self {
            complete: record.status == Status::NoTour,
            record,
            tours: Vec::new(),
            model: None,
            proof: None,
            steps: Vec::new(),
            details: None,
            written: None,
        }
    }
}

/// What ends a method otherwise than with its record: an error. It is said in the record.
type Failure = Box<dyn Error>;

impl Method {
    /// Answers a question.
    #[must_use]
    pub fn answer(&self, question: &Question, settings: &Settings) -> Answered {
        let Settings { seed, limits, .. } = settings;
        let name = question.to_string();
        let record = Record::new(&name, question.checksum(), self, *seed, limits);
        let (began, cpu) = (Instant::now(), ProcessTime::now());
        let work = Work { settings, began };
        let answered = match self.suits(question) {
            Ok(()) => work.answer(self, question, record.clone()),
            Err(refusal) => Ok(record
                .clone()
                .ended(Status::Refused, refusal.to_string())
                .into()),
        };
        let mut answered = answered.unwrap_or_else(|failure| {
            let status = match is_out_of_memory(failure.as_ref()) {
                true => Status::Memout,
                false if settings.stop.is_set() => Status::Stopped,
                false => Status::Failed,
            };
            record.ended(status, failure.to_string()).into()
        });
        let record = &mut answered.record;
        // Some only know that they were ended.
        if record.status == Status::Timeout && settings.stop.is_set() {
            *record = record.clone().ended(Status::Stopped, "interrupt");
        }
        // A refusal takes no time worth a figure.
        if record.status != Status::Refused {
            let wall = || began.elapsed().as_secs_f64();
            record.wall_seconds.get_or_insert_with(wall);
            let cpu = || cpu.elapsed().as_secs_f64();
            record.cpu_seconds.get_or_insert_with(cpu);
            record.peak_kib = Some(peak_kib());
        }
        answered
    }
}

/// Whether an error is that the solver got no more memory.
fn is_out_of_memory(mut error: &(dyn Error + 'static)) -> bool {
    loop {
        let by_itself = error.downcast_ref();
        let listing = error.downcast_ref().and_then(|error| match error {
            EnumerateError::Solve(error) => Some(error),
            EnumerateError::Encode(_) => None,
        });
        if let Some(SolveError::OutOfMemory) = by_itself.or(listing) {
            return true;
        }
        match error.source() {
            Some(source) => error = source,
            None => return false,
        }
    }
}

/// One run.
struct Work<'a> {
    settings: &'a Settings,
    began: Instant,
}

impl Work<'_> {
    fn answer(
        &self,
        method: &Method,
        question: &Question,
        record: Record,
    ) -> Result<Answered, Failure> {
        let tours = match question {
            Question::Tours(tours) => tours,
            Question::Queens(queens) => return self.queens(method, queens, record),
        };
        let instance = tours.instance();
        // A formula and a search begin at one vertex.
        let from_one = matches!(
            method,
            Method::Solve { .. } | Method::Search(_) | Method::Size(_) | Method::External { .. }
        );
        if from_one && tours.start() == Start::Anywhere {
            return Ok(refused(record, &FROM_ONE));
        }
        if tours.end().is_some() && !ends_where_it_is_told(method) {
            return Ok(refused(record, &TO_ANYWHERE));
        }
        let can = match self.settings.wanted {
            Wanted::One => true,
            Wanted::Several(_) => matches!(method, Method::Solve { .. }),
            Wanted::ByStart => {
                let open = instance.kind() == TourKind::Open;
                *method == Method::Count(Count::Exact) && open && tours.start() == Start::Anywhere
            }
        };
        if !can {
            return Ok(refused(record, &ONE_ANSWER));
        }
        let proves = matches!(method, Method::Solve { .. } | Method::Portfolio(_))
            && matches!(self.settings.wanted, Wanted::One);
        if self.settings.proof.is_some() && !proves {
            return Ok(refused(record, &NO_PROOF));
        }
        if let Some(answered) = self.small(method, tours, &record) {
            return Ok(answered);
        }
        match method {
            Method::Solve { encoding, phases } => self.solve(encoding, *phases, tours, record),
            Method::Portfolio(how) => self.portfolio(*how, tours, record),
            Method::Search(how) => self.search(how, instance, record),
            Method::Size(encoding) => Ok(size(encoding, instance, record)),
            Method::Prove(how) => self.prove(how, tours, record),
            Method::Count(how) => self.count(how, tours, record),
            Method::External { engine, encoding } => {
                self.external(engine, encoding.as_ref(), instance, record)
            }
        }
    }

    fn deadline(&self) -> Option<Instant> {
        self.settings.limits.deadline(self.began)
    }

    fn left(&self) -> Option<Duration> {
        let deadline = self.deadline()?;
        Some(deadline.saturating_duration_since(Instant::now()))
    }

    /// Tells the record as far as it goes.
    fn knows(&self, record: &Record) {
        self.settings.listener.hears(News::Known(record));
    }

    /// Bytes for states and nodes.
    fn memory(&self) -> u64 {
        if let Some(memory) = self.settings.memory {
            return memory;
        }
        let most = || available_memory().map_or(u64::MAX, |free| free / 4 * 3);
        let limit = self.settings.limits.memory;
        limit.map_or_else(most, |limit| limit / 8 * 7)
    }

    fn solver_options(&self, phases: Phases) -> Result<solve::Options, Failure> {
        Ok(solve::Options {
            limits: Limits {
                wall: self.left(),
                ..self.settings.limits
            },
            stop: self.settings.stop.clone(),
            seed: u32::try_from(self.settings.seed)?,
            phases,
            proof: None,
        })
    }

    fn threads(&self) -> usize {
        let all = || available_parallelism().ok();
        let threads = self.settings.threads.or_else(all);
        threads.map_or(1, NonZero::get)
    }
}

/// Whether it knows edges: what formulas and searches of their own say of tours begins at a vertex and ends anywhere.
fn ends_where_it_is_told(method: &Method) -> bool {
    let counts = [Count::Exact, Count::Treewidth, Count::Zdd, Count::Timeslice];
    match method {
        Method::Portfolio(_) | Method::Prove(_) => true,
        Method::Count(Count::Sample { .. }) => true,
        Method::Count(how) => counts.contains(how),
        _ => false,
    }
}

const TO_ANYWHERE: &str =
    "its tours end anywhere: auto and its parts, and what counts edges, can be told where";
const ONE_ANSWER: &str = "it gives one answer: an encoding can be asked for several tours, and the exact count for those from \
                          each start";
const NO_PROOF: &str =
    "it writes no proof: an encoding does, and auto, lazy and propagator, for one answer";
const FROM_ONE: &str = "it begins at one vertex: the question has to say from where";

fn found(record: Record, tour: Tour) -> Answered {
    Answered {
        tours: vec![tour],
        ..record.ended(Status::Tour, "").into()
    }
}

/// There is no tour, as this shows.
fn proved(record: Record, proof: Proof, instance: &Instance) -> Answered {
    let why = proof.said(instance).to_string();
    Answered {
        proof: Some(proof),
        ..record.ended(Status::NoTour, why).into()
    }
}

fn late(record: Record) -> Record {
    record.ended(Status::Timeout, "time limit")
}

fn refused(record: Record, why: &impl ToString) -> Answered {
    record.ended(Status::Refused, why.to_string()).into()
}
