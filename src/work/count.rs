//! Counting tours along a frontier and by decision diagrams.

use std::time::Instant;

use num_bigint::BigUint;

use super::{Answered, Failure, Models, News, Settings, Share, Wanted, Work};
use crate::count::frontier::diagram::{self, Diagram, DiagramError};
use crate::count::frontier::exact::{self, Exact, ExactError};
use crate::count::frontier::sample::{self, Estimate, Repetitions, SampleError};
use crate::count::frontier::{Bytes, Progress};
use crate::count::projected::Projected;
#[cfg(feature = "diagrams")]
use crate::count::timeslice;
use crate::count::treewidth::{self, TreewidthError};
use crate::method::{Count, Method};
use crate::question::{Question, Tours};
use crate::record::{Record, Status};
use crate::search::Proof;

/// What is known of a count beside its number.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Details {
    /// Along a frontier.
    Frontier(Exact),
    /// The number for each start, by vertex.
    ByStart(Vec<BigUint>),
    /// Over a tree decomposition.
    Tree(treewidth::Counted),
    /// From a sample.
    Sample(Estimate),
    /// All tours, which can be listed and drawn.
    Diagram(Box<Diagram>),
    /// Over vertices and times.
    #[cfg(feature = "diagrams")]
    Timeslice(timeslice::Counted),
    /// What a projection set has in the models, by all tours: values of each tour, and what was found.
    Projected {
        /// The encoding and the set.
        models: Models,
        /// What was found on it.
        found: Projected,
    },
    /// What a model counter did.
    Counter {
        /// The encoding and the set.
        models: Models,
        /// What it found.
        found: crate::count::external::Answer,
    },
    /// It was not begun, as it would hardly fit into memory.
    NotBegun,
    /// It was not begun, as no frontier or tree is narrow enough.
    TooWide,
}

/// How many tours there are, by what counts them where nobody says how: none where a reason is seen at once, else along a
/// frontier, else over a tree decomposition where no frontier is narrow enough.
#[must_use]
pub fn count(question: &Question, settings: &Settings) -> Answered {
    let began = Instant::now();
    let along = Method::Count(Count::Exact);
    if let Question::Tours(tours) = question
        && let Some(found) = tours.ends().obstruction(tours.instance())
    {
        let Settings { seed, limits, .. } = settings;
        let name = question.to_string();
        let record = Record::new(&name, question.checksum(), &along, *seed, limits);
        let mut record = record.with_answer(Status::Count, 0u64);
        record.message = found.said(tours.instance()).to_string();
        return Answered {
            proof: Some(Proof::Obstruction(found)),
            ..record.into()
        };
    }
    let answered = along.answer(question, settings);
    if !answered.is_too_wide() {
        return answered;
    }
    let mut left = settings.clone();
    left.limits.wall = left
        .limits
        .wall
        .map(|wall| wall.saturating_sub(began.elapsed()));
    let over_tree = Method::Count(Count::Treewidth).answer(question, &left);
    match over_tree.is_too_wide() {
        true => answered,
        false => over_tree,
    }
}

impl Work<'_> {
    pub(super) fn count(
        &self,
        how: &Count,
        tours: &Tours,
        record: Record,
    ) -> Result<Answered, Failure> {
        match how {
            Count::Exact if self.settings.wanted == Wanted::ByStart => self.by_start(tours, record),
            Count::Exact => self.exact(tours, record),
            Count::Treewidth => Ok(self.treewidth(tours, record)),
            Count::Sample {
                states,
                repetitions,
            } => self.sample(*states, *repetitions, tours, record),
            Count::Zdd => Ok(self.zdd(tours, record)),
            Count::Timeslice => Ok(self.timeslice(tours, record)),
            Count::Enumerate(formulated) => self.enumerate(formulated, tours, record),
            Count::Approxmc { formula, .. } | Count::Ganak(formula) => {
                self.models(self.counter(how)?, formula, tours, record)
            }
            // It does not suit tours, which has been asked.
            Count::Bdd => Ok(record.ended(Status::Refused, "").into()),
        }
    }

    fn exact_options(&self) -> exact::Options {
        exact::Options {
            threads: self.threads(),
            memory: self.memory(),
            deadline: self.deadline(),
            stop: self.settings.stop.clone(),
            prune: true,
            try_hard: self.settings.try_hard,
        }
    }

    fn exact(&self, tours: &Tours, mut record: Record) -> Result<Answered, Failure> {
        let options = self.exact_options();
        let mut told = false;
        let mut show = |at: Progress| {
            // Numbers that turn out to be too narrow begin again.
            if !std::mem::replace(&mut told, true)
                && at.layer == 0
                && at.most_bytes > options.memory as f64
            {
                self.settings.listener.hears(News::Tight(&format!(
                    "up to {:.1e} states by their degrees, {} in all, may exceed the memory limit of {}",
                    at.most_states,
                    Bytes(at.most_bytes as u64),
                    Bytes(options.memory)
                )));
            }
            self.layers(at);
        };
        match exact::count(tours.instance(), tours.ends(), &options, &mut show) {
            Ok(exact) => {
                record.effort.set("states", exact.generated);
                record.effort.set("peak_states", exact.peak_states);
                record.effort.set("width", exact.width);
                let record = record.with_answer(Status::Count, &exact.count);
                Ok(with(record, Details::Frontier(exact)))
            }
            Err(error) => without(record, error),
        }
    }

    fn by_start(&self, tours: &Tours, record: Record) -> Result<Answered, Failure> {
        let instance = tours.instance();
        let mut show = |known, at| {
            let n = instance.n();
            let share = Share {
                done: known as u64,
                of: n.into(),
            };
            self.settings.listener.at(Some(share), || {
                format!("{known} of {n} squares known, {}", said(at))
            });
        };
        match exact::by_start(instance, &self.exact_options(), &mut show) {
            Ok(counts) => {
                let all: BigUint = counts.iter().sum();
                let record = record.with_answer(Status::Count, &all);
                Ok(with(record, Details::ByStart(counts)))
            }
            Err(error) => without(record, error),
        }
    }

    /// Says how far a sweep is.
    fn layers(&self, at: Progress) {
        self.settings.listener.at(Some(share(at)), || said(at));
    }

    fn treewidth(&self, tours: &Tours, mut record: Record) -> Answered {
        let options = treewidth::Options {
            memory: self.memory(),
            deadline: self.deadline(),
            stop: self.settings.stop.clone(),
        };
        match treewidth::count(tours.instance(), tours.ends(), &options) {
            Ok(counted) => {
                record.effort.set("width", counted.width);
                let record = record.with_answer(Status::Count, &counted.count);
                with(record, Details::Tree(counted))
            }
            Err(error @ TreewidthError::TooWide { .. }) => too_wide(record, error.to_string()),
            Err(error) => {
                let status = match error {
                    TreewidthError::TooWide { .. } | TreewidthError::Graph(_) => Status::Refused,
                    TreewidthError::Memory { .. } | TreewidthError::TooMany { .. } => {
                        Status::Memout
                    }
                    TreewidthError::Time { .. } => Status::Timeout,
                };
                record.ended(status, error.to_string()).into()
            }
        }
    }

    fn sample(
        &self,
        states: usize,
        repetitions: usize,
        tours: &Tours,
        mut record: Record,
    ) -> Result<Answered, Failure> {
        let options = sample::Options {
            states,
            repetitions: Repetitions::new(repetitions).ok_or("a sample has two repetitions")?,
            seed: self.settings.seed,
            threads: self.threads(),
            // Not of the memory that happens to be free: the same seed is to give the same estimate.
            memory: self.settings.limits.memory.unwrap_or(u64::MAX),
            deadline: self.deadline(),
            stop: self.settings.stop.clone(),
        };
        let mut show = |done, at| {
            let share = Share {
                done: done as u64,
                of: repetitions as u64,
            };
            self.settings.listener.at(Some(share), || {
                format!("{done} of {repetitions} repetitions, {}", said(at))
            });
        };
        let sampled = sample::estimate(tours.instance(), tours.ends(), &options, &mut show);
        let estimate = match sampled {
            Ok(estimate) => estimate,
            Err(SampleError::TooWide(wide)) => return Ok(too_wide(record, wide.why())),
            Err(error @ SampleError::Time) => {
                return Ok(record.ended(Status::Timeout, error.to_string()).into());
            }
            Err(error @ SampleError::Nothing { .. }) => {
                return Ok(record.ended(Status::GaveUp, error.to_string()).into());
            }
        };
        record.effort.set("peak_states", estimate.peak_states);
        record.effort.set("standard_error", estimate.standard_error);
        record.effort.set("repetitions", estimate.repetitions.len());
        // Sums of whole numbers below 2^53 are exact.
        let record = match estimate.exact && estimate.mean < (1u64 << 53) as f64 {
            true => record.with_answer(Status::Count, estimate.mean as u64),
            false => record.with_answer(Status::Estimate, estimate.mean),
        };
        Ok(with(record, Details::Sample(estimate)))
    }

    fn zdd(&self, tours: &Tours, mut record: Record) -> Answered {
        let options = diagram::Options {
            memory: self.memory(),
            deadline: self.deadline(),
            stop: self.settings.stop.clone(),
        };
        let mut show = |at| self.layers(at);
        match Diagram::new(tours.instance(), tours.ends(), &options, &mut show) {
            Ok(diagram) => {
                record.effort.set("nodes", diagram.nodes());
                let record = record.with_answer(Status::Count, diagram.count());
                with(record, Details::Diagram(Box::new(diagram)))
            }
            Err(DiagramError::TooWide(wide)) => too_wide(record, wide.why()),
            Err(error @ DiagramError::Memory { .. }) => {
                record.ended(Status::Memout, error.to_string()).into()
            }
            Err(error @ DiagramError::Time { .. }) => {
                record.ended(Status::Timeout, error.to_string()).into()
            }
        }
    }
}

/// How many vertices a sweep is past.
fn share(at: Progress) -> Share {
    Share {
        done: at.layer as u64,
        of: at.layers as u64,
    }
}

/// How far a sweep is, in words.
fn said(at: Progress) -> String {
    format!(
        "vertex {} of {}, {} states, {}",
        at.layer,
        at.layers,
        at.states,
        Bytes(at.bytes)
    )
}

pub(super) fn with(record: Record, details: Details) -> Answered {
    Answered {
        details: Some(details),
        ..record.into()
    }
}

/// The exact count did not come.
fn without(record: Record, error: ExactError) -> Result<Answered, Failure> {
    let status = match &error {
        ExactError::TooWide(wide) => return Ok(too_wide(record, wide.why())),
        ExactError::Hopeless { .. } => {
            let record = record.ended(Status::Memout, error.to_string());
            return Ok(with(record, Details::NotBegun));
        }
        ExactError::Memory { .. } => Status::Memout,
        ExactError::Time { .. } => Status::Timeout,
        _ => return Err(error.into()),
    };
    Ok(record.ended(status, error.to_string()).into())
}

fn too_wide(record: Record, why: impl Into<String>) -> Answered {
    with(record.ended(Status::Refused, why), Details::TooWide)
}
