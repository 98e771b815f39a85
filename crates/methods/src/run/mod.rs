//! Run of a method: settings and limits, events during the run, and the result. Methods and records use this module.
//! The module itself depends on neither of them.

mod event;
mod result;

use std::error::Error;
use std::num::NonZero;
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

pub use self::event::{Event, Observer, Share};
pub(crate) use self::result::seconds;
pub use self::result::{Details, Models, NotACounter, NotANumber, Number, RunResult, Statistics, Status};
use crate::machine::available_memory;
use hamcnf_graph::budget::Budget;
use hamcnf_graph::cancellation::CancellationToken;
use hamcnf_graph::limits::Limits;
use hamcnf_sat::proof;
use hamcnf_sat::solve::{self, Phases, Stage};
use num_bigint::BigUint;

/// Settings of a run that do not belong to its method.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    pub seed: u64,
    /// Resource limits, enforced cooperatively.
    pub limits: Limits,
    /// Requested number of tours, or requested kind of count.
    pub wanted: Wanted,
    /// Memory for states and nodes of counts, in bytes. By default most of the memory limit, or most of the free
    /// memory.
    pub memory: Option<u64>,
    /// Number of threads for counts; by default one per processor.
    pub threads: Option<NonZero<usize>>,
    /// Modulus of the answer of an exact count; `None` for the count itself.
    pub modulus: Option<BigUint>,
    /// True if a count must start although its states will probably not fit into memory.
    pub try_hard: bool,
    /// Destination of a proof that there is no tour. Methods that cannot write a proof refuse the request.
    pub proof: Option<proof::Target>,
    pub stop: CancellationToken,
    /// Observer that receives the events.
    pub observer: Observer,
}

/// Requested number of tours, or requested kind of count. A method refuses a request that it cannot fulfil.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Wanted {
    /// One tour, or one number.
    #[default]
    One,
    /// Given number of different tours. A closed tour and its reverse count as the same tour.
    Several(NonZero<u32>),
    /// All placements of queens.
    All,
    /// Number of open tours from each start vertex.
    ByStart,
}

/// Error that ends a run without a result. The record repeats its message.
pub type Failure = Box<dyn Error>;

/// Reason why a method does not answer a question. As an error, it ends the run with the status [`Status::Refused`].
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Refusal(Box<dyn Error + Send + Sync>);

impl Refusal {
    pub fn new(why: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self(why.into())
    }
}

/// Run in progress: its settings, and the instant at which it began.
pub struct Run<'a> {
    settings: &'a Settings,
    began: Instant,
}

impl<'a> Run<'a> {
    /// Begins a run now.
    pub fn begin(settings: &'a Settings) -> Self {
        Self { settings, began: Instant::now() }
    }

    /// Returns the run with other settings. The instant at which it began stays the same.
    pub fn with<'b>(&self, settings: &'b Settings) -> Run<'b> {
        Run { settings, began: self.began }
    }

    /// Returns the settings.
    pub fn settings(&self) -> &'a Settings {
        self.settings
    }

    /// Returns the instant at which the run began.
    pub fn began(&self) -> Instant {
        self.began
    }

    /// Returns the instant at which the wall time limit expires; `None` if unlimited.
    pub fn deadline(&self) -> Option<Instant> {
        self.settings.limits.deadline(self.began)
    }

    /// Returns the budget of the work: the deadline, the cancellation token and the memory.
    pub fn budget(&self) -> Budget {
        Budget::new(self.deadline(), self.settings.stop.clone()).with_memory(Some(self.memory()))
    }

    /// Returns the wall time that is left; `None` if unlimited.
    pub fn left(&self) -> Option<Duration> {
        Some(self.deadline()?.saturating_duration_since(Instant::now()))
    }

    /// Returns the limits of a child process: the wall time that is left, and the CPU time.
    pub fn limits_left(&self) -> Limits {
        Limits { wall: self.left(), cpu: self.settings.limits.cpu, ..Limits::default() }
    }

    /// Passes an event to the observer.
    pub fn notify(&self, event: Event<'_>) {
        self.settings.observer.notify(event);
    }

    /// Reports a partial result to the observer.
    pub fn knows(&self, result: &RunResult) {
        self.notify(Event::Known(result));
    }

    /// Reports a stage of a session with CaDiCaL. `begun` is the result before the session.
    pub fn stage(&self, begun: &RunResult, stage: Stage) {
        match stage {
            Stage::Loaded { clauses, encode_seconds } => {
                let (clauses, encode_seconds) = (Some(clauses.clauses), Some(encode_seconds));
                self.knows(&RunResult { clauses, encode_seconds, ..begun.clone() }.late());
                self.settings.observer.doing(|| format!("CaDiCaL on {} clauses", clauses.unwrap_or_default()));
            }
            Stage::Answered => self.notify(Event::EndsItself),
        }
    }

    /// Returns the memory for states and nodes of counts, in bytes.
    pub fn memory(&self) -> u64 {
        if let Some(memory) = self.settings.memory {
            return memory;
        }
        let most = || available_memory().map_or(u64::MAX, |free| free / 4 * 3);
        let limit = self.settings.limits.memory;
        limit.map_or_else(most, |limit| limit / 8 * 7)
    }

    /// Returns the number of threads for counts.
    pub fn threads(&self) -> usize {
        let all = || available_parallelism().ok();
        self.settings.threads.or_else(all).map_or(1, NonZero::get)
    }

    /// Returns options for CaDiCaL with the remaining limits of the run.
    ///
    /// # Errors
    ///
    /// [`Failure`] if the seed has more than 32 bits.
    pub fn solver_options(&self, phases: Phases) -> Result<solve::Options, Failure> {
        Ok(solve::Options {
            limits: Limits { wall: self.left(), ..self.settings.limits },
            stop: self.settings.stop.clone(),
            seed: u32::try_from(self.settings.seed)?,
            phases,
            many: false,
            proof: None,
        })
    }
}
