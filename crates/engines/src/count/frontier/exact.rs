//! Exact counts by dynamic programming along a frontier.

use std::time::Instant;

use hamcnf_encodings::Instance;
use num_bigint::BigUint;

use super::completable::Completable;
use super::layer::{Layer, LayerError, Usage, advance};
use super::matching::Matching;
use super::sweep::{Sweep, TooWide};
use super::weight::{Weight, Wide};
use super::{Bytes, Progress};
use crate::budget::Budget;
use crate::cancellation::CancellationToken;
use hamcnf_encodings::endpoints::Endpoints;

/// Resource limits and settings of a count.
#[derive(Clone, Debug)]
pub struct Options {
    /// Number of threads, at least 1.
    pub threads: usize,
    /// Memory limit in bytes. States may use three quarters of the memory; the rest is reserved for the allocator's
    /// overhead for many small allocations.
    pub memory: u64,
    /// Deadline; `None` for no limit.
    pub deadline: Option<Instant>,
    /// Cancellation token; setting it has the same effect as passing the deadline.
    pub stop: CancellationToken,
    /// True to drop states at once if their degrees show that they cannot become tours. Without this pruning, the count
    /// is the same, but takes longer.
    pub prune: bool,
    /// True to start even if, according to [`HOPELESS`], the states will probably not fit into memory.
    pub try_hard: bool,
}

impl Options {
    fn watch(&self) -> Budget {
        Budget::new(self.deadline, self.stop.clone())
    }
}

/// Maximum ratio of estimated memory to the memory limit at which a count still starts. The estimate is an upper bound
/// derived from vertex degrees. It exceeds the memory that is actually used: by a factor of 2 to 8 on the boards 6×8,
/// 6×12, 7×8, 7×10 and 8×8, by 16 on 7×7 with open tours, and by up to 125 if all states take less than a megabyte.
pub const HOPELESS: f64 = 32.0;

/// Exact count, with statistics of the run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Exact {
    /// Number of tours. A closed tour counts once for both directions, an open tour once per direction.
    pub count: BigUint,
    /// Largest number of states on one frontier.
    pub peak_states: usize,
    /// Largest number of bytes that states occupied at one time.
    pub peak_bytes: u64,
    /// Number of states generated, before equal states were merged.
    pub generated: u64,
    /// Number of vertices on the widest frontier.
    pub width: usize,
}

/// Reason why a count was not completed.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum ExactError {
    #[error(transparent)]
    TooWide(#[from] TooWide),
    /// The states need more memory than allowed.
    #[error(
        "the memory limit of {} was reached after {} of {} vertices, with {} states (upper bound from vertex degrees: \
         {:.1e})",
        Bytes(*limit), at.layer, at.layers, at.states, at.most_states
    )]
    Memory {
        limit: u64,
        /// Progress of the sweep at the time of the error.
        at: Progress,
    },
    /// The states will probably not fit into memory.
    #[error(
        "up to {:.1e} states (estimated from vertex degrees), which take {}, will not fit into the memory limit of {}",
        at.most_states, Bytes(at.most_bytes as u64), Bytes(*limit)
    )]
    Hopeless {
        limit: u64,
        /// Progress before the first vertex, with estimates of the number of states and of their memory.
        at: Progress,
    },
    /// The deadline passed before the count was complete.
    #[error("the time limit was reached after {} of {} vertices, with {} states", at.layer, at.layers, at.states)]
    Time {
        /// Progress of the sweep at the time of the error.
        at: Progress,
    },
    /// The count overflows the widest number type. The field is the width of this type in bits.
    #[error("the count does not fit into {0} bits")]
    TooMany(usize),
}

/// Counts the tours of an instance's graph with the endpoints `ends`. Calls `progress` before every vertex.
///
/// # Errors
///
/// [`ExactError`] if the count was not completed.
pub fn count(
    instance: &Instance,
    ends: Endpoints,
    options: &Options,
    progress: &mut dyn FnMut(Progress),
) -> Result<Exact, ExactError> {
    let sweep = Sweep::new(instance, ends, u128::SLOTS)?;
    let completable = if options.prune {
        let completable = Completable::new(&sweep, options.memory, &options.watch());
        completable.ok_or(ExactError::Time {
            at: Progress::before(&sweep),
        })?
    } else {
        Completable::Unknown
    };
    let run = Run {
        most_states: completable.most_states(&sweep),
        sweep: &sweep,
        completable: &completable,
        directions: ends.directions(),
        options,
        progress,
    };
    if sweep.slots() <= u64::SLOTS {
        run.counted::<u64>()
    } else {
        run.counted::<u128>()
    }
}

/// Counts the open tours from each vertex; the result is indexed by vertex. On a board, only one square of each class
/// of symmetric squares is counted. Calls `progress` before every vertex of each sweep, with the number of vertices
/// whose counts are already known.
///
/// # Errors
///
/// [`ExactError`] if the count was not completed.
///
/// # Panics
///
/// Never panics: every start is a vertex of the graph.
pub fn by_start(
    instance: &Instance,
    options: &Options,
    progress: &mut dyn FnMut(usize, Progress),
) -> Result<Vec<BigUint>, ExactError> {
    let mut counts: Vec<Option<BigUint>> = vec![None; instance.n() as usize];
    for start in instance.graph().vertices() {
        if counts[start.index()].is_some() {
            continue;
        }
        let known = counts.iter().flatten().count();
        let from = instance
            .starting_at(start)
            .expect("the start is a vertex of the graph");
        let exact = count(&from, Endpoints::of(&from), options, &mut |at| {
            progress(known, at);
        })?;
        let alike = instance.board().map(|board| board.images(start));
        for image in alike.into_iter().flatten().chain([start]) {
            counts[image.index()] = Some(exact.count.clone());
        }
    }
    Ok(counts.into_iter().flatten().collect())
}

struct Run<'a> {
    sweep: &'a Sweep,
    /// Number of tours that each counted cycle represents.
    directions: u32,
    completable: &'a Completable,
    most_states: f64,
    options: &'a Options,
    progress: &'a mut dyn FnMut(Progress),
}

impl Run<'_> {
    /// Counts with the narrowest integer type that does not overflow.
    fn counted<M: Matching>(mut self) -> Result<Exact, ExactError> {
        debug_assert!(self.sweep.slots() <= M::SLOTS, "they fit");
        let widths = [
            Self::within::<M, Wide<1>>,
            Self::within::<M, Wide<2>>,
            Self::within::<M, Wide<4>>,
            Self::within::<M, Wide<8>>,
            Self::within::<M, Wide<16>>,
            Self::within::<M, Wide<32>>,
            Self::within::<M, Wide<64>>,
        ];
        let (limit, at) = (self.options.memory, self.before::<M, Wide<1>>());
        // Check only once: a retry with wider integers must not be refused after the count has begun.
        if !self.options.try_hard && at.most_bytes > HOPELESS * limit as f64 {
            return Err(ExactError::Hopeless { limit, at });
        }
        for within in widths {
            if let Some(exact) = within(&mut self)? {
                return Ok(exact);
            }
        }
        Err(ExactError::TooMany(64 * 64))
    }

    /// Returns the progress before the first vertex, with upper bounds on the number of states and their memory,
    /// derived from vertex degrees.
    fn before<M, C>(&self) -> Progress {
        Progress {
            most_states: self.most_states,
            most_bytes: self.most_states * size_of::<(M, C)>() as f64,
            ..Progress::before(self.sweep)
        }
    }

    /// Counts with weights of type `C`. Returns `None` if a weight overflows.
    fn within<M: Matching, C: Weight + Into<BigUint>>(
        &mut self,
    ) -> Result<Option<Exact>, ExactError> {
        let limit = self.options.memory;
        let for_states = (limit / 4 * 3).saturating_sub(self.completable.bytes());
        let budget = Usage::new(self.options.threads, for_states, self.options.watch());
        let mut layer = Layer::<M, C>::first();
        let mut peak_states = 1;
        for t in 0..self.sweep.n() {
            let at = Progress {
                layer: t,
                states: layer.states(),
                bytes: budget.bytes(),
                ..self.before::<M, C>()
            };
            peak_states = peak_states.max(at.states);
            (self.progress)(at);
            layer = match advance(self.sweep, self.completable, t, layer, &budget) {
                Ok(next) => next,
                Err(LayerError::Overflow) => return Ok(None),
                Err(LayerError::Memory) => return Err(ExactError::Memory { limit, at }),
                Err(LayerError::Time) => return Err(ExactError::Time { at }),
            };
        }
        let cycles: BigUint = layer.weights().map(Into::<BigUint>::into).sum();
        Ok(Some(Exact {
            count: cycles * self.directions,
            peak_states,
            peak_bytes: budget.peak(),
            generated: budget.children(),
            width: self.sweep.slots(),
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hamcnf_encodings::{Board, TourKind, Vertex};

    /// Tests that a limit of 400 MiB selects rough bounds on 8x8: exact sets would take hundreds of megabytes, but must
    /// fit into half of the limit.
    #[test]
    fn degrees_are_looked_at_within_the_memory_limit() {
        let board: Board = "8x8".parse().unwrap();
        let instance = Instance::on_board(board, TourKind::Closed, Vertex::new(0)).unwrap();
        let sweep = Sweep::new(&instance, Endpoints::Closed, 16).unwrap();
        let within = |memory| Completable::new(&sweep, memory, &Budget::default()).unwrap();
        assert!(matches!(within(400 << 20), Completable::Roughly(_)));
    }

    /// Tests that 128-bit states give the known counts of small boards, both with exact sets and with the rough bounds
    /// for wide frontiers.
    #[test]
    fn wide_states_count_the_same() {
        for (text, kind, tours) in [
            ("6x6", TourKind::Closed, 9_862u32),
            ("5x5", TourKind::Open, 1_728),
            ("6x7", TourKind::Closed, 1_067_638),
        ] {
            let board: Board = text.parse().unwrap();
            let instance = Instance::on_board(board, kind, Vertex::new(0)).unwrap();
            let ends = match kind {
                TourKind::Closed => Endpoints::Closed,
                TourKind::Open => Endpoints::ANYWHERE,
            };
            let sweep = Sweep::new(&instance, ends, 16).unwrap();
            for completable in [
                Completable::new(&sweep, u64::MAX, &Budget::default()).unwrap(),
                Completable::roughly(&sweep),
            ] {
                let run = Run {
                    most_states: completable.most_states(&sweep),
                    sweep: &sweep,
                    completable: &completable,
                    directions: ends.directions(),
                    options: &Options {
                        threads: 2,
                        memory: 1 << 30,
                        deadline: None,
                        stop: CancellationToken::default(),
                        prune: true,
                        try_hard: true,
                    },
                    progress: &mut |_| (),
                };
                let exact = run.counted::<u128>().unwrap();
                assert_eq!(exact.count, BigUint::from(tours), "{text}");
                assert!((exact.peak_states as f64) < completable.most_states(&sweep));
            }
        }
    }
}
