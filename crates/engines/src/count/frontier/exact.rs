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

/// What a count may use.
#[derive(Clone, Debug)]
pub struct Options {
    /// How many threads work on it, at least 1.
    pub threads: usize,
    /// Bytes of memory. States may take three quarters of them; the rest is what an allocator needs around
    /// so many pieces.
    pub memory: u64,
    /// When it has to stop.
    pub deadline: Option<Instant>,
    /// Asks it to stop, which is as if the time were over.
    pub stop: CancellationToken,
    /// Whether states that cannot become tours by their degrees are dropped at once. The count is the same
    /// without that, and takes longer.
    pub prune: bool,
    /// Whether to begin even where the states will hardly fit, by [`HOPELESS`].
    pub try_hard: bool,
}

impl Options {
    fn watch(&self) -> Budget {
        Budget::new(self.deadline, self.stop.clone())
    }
}

/// How many times the memory states may take by their degrees before a count is not begun. That bound is above what
/// is reached: by factors of 2 to 8 on 6×8, 6×12, 7×8, 7×10 and 8×8, of 16 on 7×7 with open tours, and of up to 125
/// where all states take less than a megabyte.
pub const HOPELESS: f64 = 32.0;

/// An exact count, and what it took.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Exact {
    /// Tours: closed ones once for both directions, open ones in each.
    pub count: BigUint,
    /// The most states on one frontier.
    pub peak_states: usize,
    /// The most bytes that states took.
    pub peak_bytes: u64,
    /// States generated, before equal ones were merged.
    pub generated: u64,
    /// Vertices on the widest frontier.
    pub width: usize,
}

/// Why tours were not counted.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum ExactError {
    /// The frontier is too wide.
    #[error(transparent)]
    TooWide(#[from] TooWide),
    /// The states take more memory than allowed.
    #[error(
        "the memory limit of {} is reached after {} of {} vertices, with {} states (by their \
         degrees there may be up to {:.1e})",
        Bytes(*limit), at.layer, at.layers, at.states, at.most_states
    )]
    Memory {
        /// Bytes allowed.
        limit: u64,
        /// Where the sweep was.
        at: Progress,
    },
    /// The states will hardly fit.
    #[error(
        "up to {:.1e} states by their degrees, {} in all, will not fit into the memory limit of {}",
        at.most_states, Bytes(at.most_bytes as u64), Bytes(*limit)
    )]
    Hopeless {
        /// Bytes allowed.
        limit: u64,
        /// Before the first vertex, with what is known of the states.
        at: Progress,
    },
    /// The deadline came.
    #[error("the time limit is reached after {} of {} vertices, with {} states", at.layer, at.layers, at.states)]
    Time {
        /// Where the sweep was.
        at: Progress,
    },
    /// More than any number of so many bits.
    #[error("the count does not fit into {0} bits")]
    TooMany(usize),
}

/// Counts the tours of an instance's graph with these ends. `progress` is called before every vertex.
///
/// # Errors
///
/// [`ExactError`].
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

/// Counts the open tours from each vertex, indexed by vertex; on a board once for all squares that its
/// symmetries make alike. `progress` is called before every vertex of a sweep, with the number of vertices
/// whose counts are known.
///
/// # Errors
///
/// [`ExactError`].
///
/// # Panics
///
/// Never: starts are vertices of the graph.
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
        let from = instance.starting_at(start).expect("a vertex of its graph");
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
    /// How many tours each cycle stands for.
    directions: u32,
    completable: &'a Completable,
    most_states: f64,
    options: &'a Options,
    progress: &'a mut dyn FnMut(Progress),
}

impl Run<'_> {
    /// Counts in the narrowest numbers that turn out to be wide enough.
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
        // Asked once: numbers that turn out to be too narrow are no reason to give up what has been begun.
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

    /// Before the first vertex, with what degrees tell of the states.
    fn before<M, C>(&self) -> Progress {
        Progress {
            most_states: self.most_states,
            most_bytes: self.most_states * size_of::<(M, C)>() as f64,
            ..Progress::before(self.sweep)
        }
    }

    /// Counts in numbers of this type; `None` if one of them overflows.
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

    /// On 8x8 exact sets take hundreds of megabytes, which half of the limit has to have room for.
    #[test]
    fn degrees_are_looked_at_within_the_memory_limit() {
        let board: Board = "8x8".parse().unwrap();
        let instance = Instance::on_board(board, TourKind::Closed, Vertex::new(0)).unwrap();
        let sweep = Sweep::new(&instance, Endpoints::Closed, 16).unwrap();
        let within = |memory| Completable::new(&sweep, memory, &Budget::default()).unwrap();
        assert!(matches!(within(400 << 20), Completable::Roughly(_)));
    }

    /// Wide states, and the pruning of wide frontiers, on boards that are narrow enough to know the answer.
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
