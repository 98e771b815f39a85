//! A question and a method make a record: the one place where methods are carried out for rows. The libraries are
//! called directly, in this process; who wants limits kept that they do not look at runs it in one of its own.

mod count;
mod decide;
mod models;
mod portfolio;
mod queens;
mod size;

use std::error::Error;
use std::fmt;
use std::num::NonZero;
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use cpu_time::ProcessTime;
use hamcnf_encodings::{Instance, Tour};

use self::size::size;
use crate::count::Start;
use crate::count::enumerate::EnumerateError;
use crate::count::external::Fetch;
use crate::limits::Limits;
use crate::machine::{available_memory, peak_kib};
use crate::method::Method;
use crate::portfolio::Step;
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
    /// Whether it may fetch a model counter.
    pub fetch: Fetch,
    /// Asks it to end.
    pub stop: Stop,
    /// Is told what is being done.
    pub listener: Listener,
}

/// Who is told, in words, what a method of several parts is doing; nobody by default.
#[derive(Clone, Default)]
pub struct Listener(Option<Arc<Hears>>);

type Hears = dyn Fn(&str) + Send + Sync;

impl Listener {
    /// This one, which is called from the threads that work.
    #[must_use]
    pub fn new(listener: impl Fn(&str) + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(listener)))
    }

    fn hears(&self, what: &str) {
        if let Some(listener) = &self.0 {
            listener(what);
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

/// A record, with the tour if that is its answer.
#[derive(Clone, Debug)]
pub struct Answered {
    /// The record.
    pub record: Record,
    /// The tour, checked move by move.
    pub tour: Option<Tour>,
    /// How it is known that there is none, where that can be said.
    pub proof: Option<Proof>,
    /// What the parts of a portfolio did.
    pub steps: Vec<Step>,
}

impl From<Record> for Answered {
    fn from(record: Record) -> Self {
        Self {
            record,
            tour: None,
            proof: None,
            steps: Vec::new(),
        }
    }
}

/// What ends a method otherwise than with its record: an error. It is said in the record.
type Failure = Box<dyn Error>;

impl Method {
    /// Answers a question. `told` is given the record as far as it goes when more is known of it, as that of a run that
    /// did not come further.
    #[must_use]
    pub fn answer(
        &self,
        question: &Question,
        settings: &Settings,
        told: &dyn Fn(&Record),
    ) -> Answered {
        let Settings { seed, limits, .. } = settings;
        let name = question.to_string();
        let record = Record::new(&name, question.checksum(), self, *seed, limits);
        let (began, cpu) = (Instant::now(), ProcessTime::now());
        let work = Work {
            settings,
            began,
            told,
        };
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
                false => Status::Failed,
            };
            record.ended(status, failure.to_string()).into()
        });
        let record = &mut answered.record;
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
    told: &'a dyn Fn(&Record),
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
        if tours.end().is_some() && !matches!(method, Method::Portfolio(_)) {
            return Ok(refused(record, &TO_ANYWHERE));
        }
        match method {
            Method::Solve { encoding, phases } => self.solve(encoding, *phases, instance, record),
            Method::Portfolio(how) => self.portfolio(*how, tours, record),
            Method::Search(how) => self.search(how, instance, record),
            Method::Size(encoding) => Ok(size(encoding, instance, record)),
            Method::Count(how) => Ok(self.count(how, tours, record)?.into()),
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

    /// Bytes for states and nodes: most of the limit, as the rest of the process takes some too, or of what is free.
    fn memory(&self) -> u64 {
        let most = || available_memory().map_or(u64::MAX, |free| free / 4 * 3);
        let limit = self.settings.limits.memory;
        limit.map_or_else(most, |limit| limit / 8 * 7)
    }

    fn solver_options(&self, phases: Phases) -> Result<solve::Options, Failure> {
        Ok(solve::Options {
            time_limit: self.left(),
            conflicts: self.settings.limits.conflicts,
            stop: self.settings.stop.clone(),
            seed: u32::try_from(self.settings.seed)?,
            phases,
        })
    }
}

const TO_ANYWHERE: &str = "its tours end anywhere: auto and its parts can be told where";
const FROM_ONE: &str = "it begins at one vertex: the question has to say from where";

fn found(record: Record, tour: Tour) -> Answered {
    Answered {
        tour: Some(tour),
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

fn threads() -> usize {
    available_parallelism().map_or(1, NonZero::get)
}
