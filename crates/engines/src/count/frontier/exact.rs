//! Exact counts by dynamic programming along a frontier.

use std::path::PathBuf;
use std::time::Instant;

use hamcnf_encodings::Instance;
use num_bigint::BigUint;

use super::checkpoint::{Checkpoint, CheckpointError, Room};
use super::completable::Completable;
use super::degrees::Degrees;
use super::order::{GraphOrder, better_than_lines};
use super::position;
use super::question::Question;
use super::ranks::Tables;
use super::residues::Primes;
use super::run::Run;
use super::sample::edge_sets;
use super::scratch::{Scratch, ScratchError};
use super::sweep::{Sweep, TooWide, Weights};
use super::usage::{LayerError, Usage};
use super::{Bytes, Exact, Progress, States};
use crate::budget::Budget;
use crate::cancellation::CancellationToken;
use hamcnf_encodings::endpoints::Endpoints;

/// Resource limits and settings of a count. By default, one thread counts without limits, checkpoints and temporary
/// files.
#[derive(Clone, Debug)]
pub struct Options {
    /// Number of threads, at least 1.
    pub threads: usize,
    /// Memory limit in bytes. If only the weights of the states do not fit, the count goes on modulo primes. States and the sets for pruning may use three quarters of the memory; the rest is reserved
    /// for the allocator's overhead for many small allocations.
    pub memory: u64,
    /// Deadline; `None` for no limit.
    pub deadline: Option<Instant>,
    /// Cancellation token; setting it has the same effect as passing the deadline.
    pub stop: CancellationToken,
    /// True to drop states at once if their degrees show that they cannot become tours. Without this pruning, the count
    /// is the same, but takes longer.
    pub prune: bool,
    /// True to go on modulo primes, by several sweeps, if the weights of the states do not fit into memory.
    pub residues: bool,
    /// True to start even if, according to [`HOPELESS`], the states will probably not fit into memory.
    pub try_hard: bool,
    /// Folder for temporary files. When half of the memory for states is used, further states are moved there. Each
    /// thread needs 32 MiB for states that cannot be moved yet, and room for the states of one shard, that is, about
    /// seven bytes for each thousandth of the bytes of a layer, and more for a histogram.
    pub scratch: Option<PathBuf>,
    /// File for checkpoints. If the file exists, the count resumes from it. The file is removed after the count.
    pub checkpoint: Option<PathBuf>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            threads: 1,
            memory: u64::MAX,
            deadline: None,
            stop: CancellationToken::default(),
            prune: true,
            residues: true,
            try_hard: false,
            scratch: None,
            checkpoint: None,
        }
    }
}

impl Options {
    /// Returns the options of a part of a count that needs all its states in memory: without temporary files and
    /// checkpoints.
    pub(in crate::count) fn in_memory(&self) -> Self {
        Self {
            scratch: None,
            checkpoint: None,
            ..self.clone()
        }
    }

    /// Returns the limits on time.
    pub(in crate::count) fn budget(&self) -> Budget {
        Budget::new(self.deadline, self.stop.clone())
    }

    /// Returns the number of bytes that states may use if sets and other states occupy `held` bytes.
    pub(super) fn for_states(&self, held: u64) -> u64 {
        (self.memory / 4 * 3).saturating_sub(held)
    }

    /// Returns the memory limit for [`Completable`] if states already occupy `held` bytes. Sets use at most half of this
    /// limit, so that they and the states together do not use more than [`for_states`](Self::for_states) allows.
    pub(super) fn for_sets(&self, held: u64) -> u64 {
        self.for_states(held).saturating_mul(2).min(self.memory)
    }

    /// Returns the completable degree vectors of a sweep if states already occupy `held` bytes.
    pub(super) fn completable(&self, sweep: &Sweep, held: u64) -> Result<Completable, ExactError> {
        if !self.prune {
            return Ok(Completable::Unknown);
        }
        let completable = Completable::new(sweep, self.for_sets(held), &self.budget());
        completable.ok_or_else(|| ExactError::Time {
            at: Progress::before(sweep),
        })
    }

    /// Returns [`ExactError::Hopeless`] if the states will probably not fit into memory, unless the count may try. `at`
    /// has the estimates.
    pub(super) fn refuse_hopeless(&self, at: Progress) -> Result<(), ExactError> {
        let limit = self.memory;
        let may_start = self.try_hard || self.scratch.is_some();
        match !may_start && at.most_bytes > HOPELESS * limit as f64 {
            true => Err(ExactError::Hopeless { limit, at }),
            false => Ok(()),
        }
    }
}

/// Maximum ratio of estimated memory to the memory limit at which a count still starts. The estimate exceeds the memory
/// that is actually used: by a factor of 2 to 11 on the boards 6×8, 6×12 and 7×10 and on random cubic graphs of 140 and
/// 150 vertices, by about 35 on 7×8 and 8×8, and by 44 on 7×7 with open tours.
pub const HOPELESS: f64 = 64.0;

/// Estimated number of bytes of a state, for each coefficient of its weight. Most states take fewer. The polynomials of a
/// histogram count as two coefficients: such states take 10 to 20 bytes on 6×8 and 7×8.
const BYTES_PER_NUMBER: f64 = 6.0;

/// Reason why a count was not completed.
#[derive(Debug, thiserror::Error)]
pub enum ExactError {
    #[error(transparent)]
    TooWide(#[from] TooWide),
    /// The states need more memory than allowed.
    #[error(
        "the memory limit of {} was reached after {}, with {}; there may be up to {:.1e} states (estimated)",
        Bytes(*limit), at.place(), States(at.states), at.most_states
    )]
    Memory {
        limit: u64,
        /// Progress of the sweep at the time of the error.
        at: Progress,
    },
    /// The states will probably not fit into memory.
    #[error(
        "up to {:.1e} states (estimated) would need {}, more than the memory limit of {}",
        at.most_states, Bytes(at.most_bytes as u64), Bytes(*limit)
    )]
    Hopeless {
        limit: u64,
        /// Progress before the first vertex, with estimates of the number of states and of their memory.
        at: Progress,
    },
    /// The deadline passed before the count was complete.
    #[error("the time limit was reached after {}, with {}", at.place(), States(at.states))]
    Time {
        /// Progress of the sweep at the time of the error.
        at: Progress,
    },
    /// The count overflows the widest number type. The field is the width of this type in bits.
    #[error("the count does not fit into {0} bits")]
    TooMany(usize),
    /// A checkpoint cannot be created or read.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// The first temporary file cannot be created, or the states of a checkpoint do not fit into temporary files.
    #[error(transparent)]
    NoScratch(ScratchError),
    /// A temporary file cannot be written or read.
    #[error("{error}; this was after {}, with {}", at.place(), States(at.states))]
    Scratch {
        error: ScratchError,
        /// Progress of the sweep at the time of the error.
        at: Progress,
    },
    /// A limit ended the count, and the last checkpoint cannot be written.
    #[error("{limit}; {why}")]
    NotSaved {
        /// Reason why the count ended.
        limit: Box<ExactError>,
        why: CheckpointError,
    },
}

impl ExactError {
    /// Returns the error that ended a layer.
    pub(super) fn of_layer(error: LayerError, limit: u64, at: Progress, usage: &Usage) -> Self {
        match error {
            LayerError::Overflow => Self::TooMany(position::MOST_BITS),
            LayerError::Memory => Self::Memory { limit, at },
            LayerError::Time => Self::Time { at },
            LayerError::Unwritten | LayerError::Unread => Self::Scratch {
                error: usage.scratch_error(),
                at,
            },
        }
    }
}

/// Counts the tours of an instance's graph with the endpoints `ends`. Calls `progress` before every vertex.
///
/// # Errors
///
/// [`ExactError`] if the count was not completed.
///
/// # Panics
///
/// Never panics: the count of the only question is known at the end.
pub fn count(
    instance: &Instance,
    ends: Endpoints,
    options: &Options,
    progress: &mut dyn FnMut(Progress),
) -> Result<Exact, ExactError> {
    answer(&Question::new(instance, ends)?, options, progress)
}

/// Answers one question like [`count`].
pub(in crate::count) fn answer(
    question: &Question,
    options: &Options,
    progress: &mut dyn FnMut(Progress),
) -> Result<Exact, ExactError> {
    let mut known = None;
    let mut found = |_, exact| known = Some(exact);
    let questions = std::slice::from_ref(question);
    answers(questions, options, progress, &mut found, &mut |_| ())?;
    Ok(known.expect("the only question is answered"))
}

/// Counts the tours of several questions, each given by an instance and its endpoints. If the questions are about
/// boards that differ only in the length of one side, they share one sweep along this side. The last question must be
/// about the longest board; each other board only needs its own last steps in addition. Calls `found` with the index
/// and the count of each question as soon as the count is known, and `progress` before every vertex of the last
/// question's sweep.
///
/// A count goes on if a checkpoint cannot be written, and tries again when the next checkpoint is due. `warn` is called
/// with the first of several errors in a row.
///
/// # Errors
///
/// [`ExactError`] if a count was not completed. `found` has been called for the questions that were answered before.
pub fn counts(
    questions: &[(Instance, Endpoints)],
    options: &Options,
    progress: &mut dyn FnMut(Progress),
    found: &mut dyn FnMut(usize, Exact),
    warn: &mut dyn FnMut(&CheckpointError),
) -> Result<(), ExactError> {
    let sweeps = Sweep::several(questions, Degrees::SLOTS)?;
    let questions = questions.iter().zip(sweeps);
    let questions = questions
        .map(|((instance, ends), sweep)| Question::along(sweep, instance.to_string(), *ends));
    answers(
        &questions.collect::<Vec<_>>(),
        options,
        progress,
        found,
        warn,
    )
}

/// True if [`counts`] answers questions about these instances by one sweep, and no other order of the last board is far
/// better than the lines of this sweep.
pub fn share_a_sweep(instances: &[&Instance]) -> bool {
    let last = instances
        .last()
        .and_then(|last| Some((last.graph(), last.board()?)));
    let lines = Sweep::common_lines(instances.iter().copied());
    lines.zip(last).is_some_and(|(lines, (graph, board))| {
        better_than_lines(graph, &lines.squares(board), Degrees::SLOTS).is_none()
    })
}

/// Returns the progress of a question's sweep before the first vertex, with estimates of the number of states and of
/// their memory. `completable` has the degree vectors of the sweep, and of other sweeps that begin at the first vertex.
///
/// The estimate is the upper bound that follows from the degree vectors. If this bound does not fit into memory, each
/// layer's estimate is at most its [sampled number of edge sets](edge_sets): on a sparse graph, far fewer edge sets
/// occur than matchings of path ends.
///
/// # Errors
///
/// [`ExactError::Hopeless`] if the states will probably not fit into memory, unless the options allow it.
pub(super) fn expected(
    question: &Question,
    completable: &[(&Sweep, &Completable)],
    options: &Options,
) -> Result<Progress, ExactError> {
    let before = Progress::before(&question.sweep);
    let numbers = match question.sweep.weights() {
        Weights::Numbers => 1.0,
        Weights::Connections | Weights::Statistic => 2.0,
    };
    let bytes = |states: f64| states * numbers * BYTES_PER_NUMBER;
    let mut most_states: f64 = 0.0;
    for (sweep, completable) in completable {
        let mut most = completable.most_states(sweep);
        // A resumed count has no degree vectors of the layers before, so they cannot be sampled.
        if bytes(most) > options.memory as f64 && completable.first_layer() == 0 {
            let sampled = sampled_states(sweep, completable, options);
            most = sampled.ok_or(ExactError::Time { at: before })?;
        }
        most_states = most_states.max(most);
    }
    let at = Progress {
        most_states,
        most_bytes: bytes(most_states),
        ..before
    };
    options.refuse_hopeless(at)?;
    Ok(at)
}

/// Returns an estimate of the largest number of states on one frontier, as in [`expected`], from a sample of the edge sets.
/// Returns `None` if the deadline passes first.
fn sampled_states(sweep: &Sweep, completable: &Completable, options: &Options) -> Option<f64> {
    let sampled = edge_sets(sweep, completable, &options.budget())?;
    let layers = (0..).zip(sampled);
    Some(layers.fold(0.0, |most, (t, sets)| match sets > most {
        true => most.max(sets.min(completable.most_states_after(sweep, t))),
        false => most,
    }))
}

/// Answers questions like [`counts`].
pub(in crate::count) fn answers(
    questions: &[Question],
    options: &Options,
    progress: &mut dyn FnMut(Progress),
    found: &mut dyn FnMut(usize, Exact),
    warn: &mut dyn FnMut(&CheckpointError),
) -> Result<(), ExactError> {
    let scratch = options.scratch.as_deref().map(Scratch::new).transpose();
    let scratch = scratch.map_err(ExactError::NoScratch)?;
    let (checkpoint, saved) = match &options.checkpoint {
        Some(file) => {
            let room = Room {
                limit: options.memory,
                for_states: options.for_states(0),
            };
            let (checkpoint, saved) = Checkpoint::open(file, questions, scratch.as_ref(), room)?;
            if let Some(error) = scratch.as_ref().and_then(Scratch::failed) {
                return Err(ExactError::NoScratch(error));
            }
            (Some(checkpoint), saved)
        }
        None => (None, None),
    };
    let now = saved.unwrap_or_default();
    for (question, exact) in &now.answers {
        found(*question, exact.clone());
    }
    let usage = Usage::new(options.threads, 0, options.budget()).with_scratch(scratch);
    usage.add(now.in_memory());
    usage.resume(now.peak_bytes, now.generated);
    if let Some(scratch) = usage.scratch() {
        scratch.resume(now.scratch_bytes);
    }
    let run = Run {
        questions,
        primes: Primes::of(questions.iter().map(|question| &question.sweep)),
        options,
        now,
        usage,
        tables: Tables::new(),
        checkpoint,
        progress,
        found,
        warn,
        has_warned: false,
    };
    run.counted()
}

/// Counts the open tours from each vertex; the result is indexed by vertex. On a board, only one square of each class
/// of symmetric squares is counted. Calls `progress` before every vertex of each sweep, with the number of vertices
/// whose counts are already known. Writes no checkpoints.
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
    let options = Options {
        checkpoint: None,
        ..options.clone()
    };
    let mut counts: Vec<Option<BigUint>> = vec![None; instance.n() as usize];
    // Two vertices are added to the graph.
    let order = GraphOrder::of(instance, Degrees::SLOTS - 2);
    for start in instance.graph().vertices() {
        if counts[start.index()].is_some() {
            continue;
        }
        let known = counts.iter().flatten().count();
        let from = instance
            .starting_at(start)
            .expect("the start is a vertex of the graph");
        let ends = Endpoints::of(&from);
        let sweep = Sweep::by(&from, ends, &order, Degrees::SLOTS)?;
        let question = Question::along(sweep, from.to_string(), ends);
        let exact = answer(&question, &options, &mut |at| progress(known, at))?;
        let alike = instance.board().map(|board| board.images(start));
        for image in alike.into_iter().flatten().chain([start]) {
            counts[image.index()] = Some(exact.count.clone());
        }
    }
    Ok(counts.into_iter().flatten().collect())
}

#[cfg(test)]
pub(in crate::count) mod tests {
    use super::super::checkpoint::Saved;
    use super::super::corners::corners;
    use super::super::polynomial::Connections;
    use super::super::question::Counted;
    use super::super::run::Shared;
    use super::super::sample;
    use super::super::{census, weighted};
    use super::*;
    use crate::count::statistic::Statistic;
    use hamcnf_encodings::{Board, Graph, TourKind, Vertex};
    use std::collections::BTreeSet;

    /// Tests a count that needs more memory than its limit leaves for states.
    #[test]
    fn states_that_do_not_fit_into_memory_are_on_disk() {
        let board: Board = "7x8".parse().unwrap();
        let instance = Instance::on_board(board, TourKind::Closed, Vertex::new(0)).unwrap();
        let folder = tempfile::tempdir().unwrap();
        for (threads, checkpoint) in [(1, None), (2, Some(folder.path().join("7x8.checkpoint")))] {
            let mut options = Options {
                threads,
                memory: 20 << 20,
                scratch: Some(folder.path().to_owned()),
                checkpoint,
                ..options()
            };
            let exact = count(&instance, Endpoints::Closed, &options, &mut |_| ()).unwrap();
            assert_eq!(exact.count, 34_524_432_316u64.into());
            assert!(exact.scratch_bytes > 1 << 20, "{exact:?}");
            options.scratch = None;
            let without = count(&instance, Endpoints::Closed, &options, &mut |_| ());
            assert!(
                matches!(without, Err(ExactError::Memory { .. })),
                "{without:?}"
            );
            if options.checkpoint.is_some() {
                options.scratch = Some(folder.path().to_owned());
                let resumed = count(&instance, Endpoints::Closed, &options, &mut |_| ()).unwrap();
                assert_eq!(resumed.count, exact.count);
            }
            options.scratch = Some(folder.path().join("none"));
            let wrong = count(&instance, Endpoints::Closed, &options, &mut |_| ());
            assert!(matches!(wrong, Err(ExactError::NoScratch(_))), "{wrong:?}");
        }
    }

    /// Tests that boards of several lengths are counted from states on disk.
    #[test]
    fn shorter_boards_branch_off_from_states_on_disk() {
        let folder = tempfile::tempdir().unwrap();
        let options = Options {
            memory: 20 << 20,
            scratch: Some(folder.path().to_owned()),
            ..options()
        };
        let questions = ["7x6", "7x7", "7x8"].map(|text| {
            let board: Board = text.parse().unwrap();
            let instance = Instance::on_board(board, TourKind::Closed, Vertex::new(0)).unwrap();
            (instance, Endpoints::Closed)
        });
        let mut found = Vec::new();
        let mut keep = |question, exact: Exact| found.push((question, exact.count));
        counts(&questions, &options, &mut |_| (), &mut keep, &mut |_| ()).unwrap();
        found.sort();
        let expected = [1_067_638u64, 0, 34_524_432_316].map(BigUint::from);
        assert!(found.into_iter().map(|(_, count)| count).eq(expected));
    }

    /// Tests that counts are the same modulo primes, whose weights need less memory: of boards that share a sweep, of
    /// weighted edges, and with a statistic.
    #[test]
    fn weights_that_do_not_fit_into_memory_are_residues() {
        let instance = |text: &str| {
            let board: Board = text.parse().unwrap();
            Instance::on_board(board, TourKind::Closed, Vertex::new(0)).unwrap()
        };
        let closed = |text| Question::new(&instance(text), Endpoints::Closed).unwrap();
        let weighted = |text| {
            let weights = |u: Vertex, v: Vertex| Connections {
                even: (u.number() + v.number()) as u8 % 3,
                odd: 1,
            };
            let graph = instance(text);
            weighted::question(text, graph.graph(), &weights, Counted::Odd, 1).unwrap()
        };
        let by_slope = |text| {
            let (instance, slope): (_, Statistic) = (instance(text), "slope=1/2".parse().unwrap());
            census::question(&instance, Endpoints::Closed, &slope).unwrap()
        };
        for (questions, prune) in [
            (vec![closed("5x24"), closed("5x26")], false),
            (vec![weighted("5x14")], false),
            (vec![by_slope("5x22")], true),
        ] {
            let count = |memory| {
                let mut all = vec![Exact::default(); questions.len()];
                let options = Options {
                    memory,
                    prune,
                    ..options()
                };
                let mut found = |k, exact| all[k] = exact;
                answers(&questions, &options, &mut |_| (), &mut found, &mut |_| ()).map(|()| all)
            };
            let expected = count(1 << 30).unwrap();
            assert!(expected.iter().all(|exact| exact.sweeps == 1));
            let most = expected.iter().map(|exact| exact.peak_bytes).max().unwrap();
            let mut sweeps = BTreeSet::new();
            for tenths in [9, 12] {
                let found = match count(tenths * most / 10) {
                    Ok(found) => found,
                    Err(ExactError::Memory { .. }) => continue,
                    Err(error) => panic!("{error}"),
                };
                for (found, expected) in found.iter().zip(&expected) {
                    sweeps.insert(found.sweeps);
                    assert_eq!(found.count, expected.count);
                    assert_eq!(found.by_value, expected.by_value);
                }
            }
            assert!(sweeps.last() > Some(&1), "{sweeps:?}");
        }
    }

    /// Tests that a count with sets of completable degree vectors has the same result modulo primes, also if the states of
    /// two primes do not fit into memory.
    #[test]
    fn pruned_counts_are_the_same_modulo_primes() {
        let board: Board = "5x40".parse().unwrap();
        let instance = Instance::on_board(board, TourKind::Closed, Vertex::new(0)).unwrap();
        let question = [Question::new(&instance, Endpoints::Closed).unwrap()];
        let count = |memory, residues| {
            let options = Options {
                memory,
                residues,
                ..options()
            };
            let mut known = Exact::default();
            let mut found = |_, exact| known = exact;
            answers(&question, &options, &mut |_| (), &mut found, &mut |_| ()).map(|()| known)
        };
        let expected = count(1 << 30, true).unwrap();
        for (memory, sweeps) in [(620 << 10, 4), (540 << 10, 7)] {
            let found = count(memory, true).unwrap();
            assert_eq!((&found.count, found.sweeps), (&expected.count, sweeps));
            let exactly = count(memory, false);
            assert!(matches!(exactly, Err(ExactError::Memory { .. })));
        }
    }

    /// Tests that 8x8 has exact sets under a high memory limit, and rough bounds under a limit of 400 MiB: the sets
    /// would take hundreds of megabytes, but must fit into half of the limit.
    #[test]
    fn degrees_are_looked_at_within_the_memory_limit() {
        let board: Board = "8x8".parse().unwrap();
        let instance = Instance::on_board(board, TourKind::Closed, Vertex::new(0)).unwrap();
        let sweep = Sweep::new(&instance, Endpoints::Closed, 16).unwrap();
        let within = |memory| Completable::new(&sweep, memory, &Budget::default()).unwrap();
        assert!(matches!(within(400 << 20), Completable::Roughly { .. }));
        assert!(matches!(within(8 << 30), Completable::Exactly { .. }));
    }

    /// Returns the options of most tests: two threads and 1 GiB.
    pub(in crate::count) fn options() -> Options {
        Options {
            threads: 2,
            memory: 1 << 30,
            try_hard: true,
            ..Options::default()
        }
    }

    fn along(sweep: &Sweep, completable: Completable, ends: Endpoints) -> Exact {
        let mut known = None;
        let question = Question::along(sweep.clone(), String::new(), ends);
        let options = options();
        let mut run = Run {
            questions: std::slice::from_ref(&question),
            primes: Primes { bits: 24 },
            options: &options,
            now: Saved::default(),
            usage: Usage::new(options.threads, 0, options.budget()),
            tables: Tables::new(),
            checkpoint: None,
            progress: &mut |_| (),
            found: &mut |_, exact| known = Some(exact),
            warn: &mut |_| (),
            has_warned: false,
        };
        let shared = Shared {
            last: 0,
            sweep,
            completable,
            endings: Vec::new(),
        };
        run.run_sweep(shared).unwrap();
        known.unwrap()
    }

    /// Tests the known counts of small boards, both with exact sets and with the rough bounds for wide frontiers.
    #[test]
    fn rough_bounds_count_the_same() {
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
                Completable::roughly(&sweep, 0),
            ] {
                let most_states = completable.most_states(&sweep);
                let exact = along(&sweep, completable, ends);
                assert_eq!(exact.count, BigUint::from(tours), "{text}");
                assert!((exact.peak_states as f64) < most_states);
            }
        }
    }

    /// Returns a graph of n vertices with 2^(n/8) Hamiltonian cycles, and a sweep over it with wide frontiers. The order
    /// begins with every fourth vertex of a long cycle, which creates up to n/2 ends of paths. Every second block of four
    /// vertices can be passed in two ways: by none or by both of its chords.
    fn with_many_ends(n: u32) -> (Instance, Sweep) {
        let blocks = (0..n).step_by(8);
        let chords = blocks.flat_map(|v| [(v, v + 2), (v + 1, v + 3)]);
        let edges = (0..n).map(|v| (v, (v + 1) % n)).chain(chords);
        let graph = Graph::from_edges(n, edges).unwrap();
        let order: Vec<_> = (0..4)
            .flat_map(|first| (first..n).step_by(4))
            .map(Vertex::new)
            .collect();
        let key = |v: Vertex| (0, i64::from(v.number() * 7 % n));
        let sweep = Sweep::along(graph.clone(), &order, None, &key, None);
        let instance = Instance::on_graph("chords", graph, TourKind::Closed, Vertex::new(0));
        (instance.unwrap(), sweep)
    }

    #[test]
    fn states_with_many_ends_count_the_same() {
        for (n, slots) in [(32, 20), (48, 30)] {
            let (instance, sweep) = with_many_ends(n);
            assert_eq!(sweep.slots(), slots);
            let expected = count(&instance, Endpoints::Closed, &options(), &mut |_| ()).unwrap();
            assert_eq!(expected.count, BigUint::from(1u32 << (n / 8)));
            for completable in [Completable::Unknown, Completable::roughly(&sweep, 0)] {
                let found = along(&sweep, completable, Endpoints::Closed);
                assert_eq!(found.count, expected.count);
            }
        }
    }

    #[test]
    fn states_with_many_ends_have_the_same_statistics() {
        let n = 32;
        let (_, sweep) = with_many_ends(n);
        let is_chord = |u: Vertex, v: Vertex| (v.number() + n - u.number()) % n == 2;
        let chords = |u, v| u32::from(is_chord(u, v) || is_chord(v, u));
        let contributions = corners(&sweep, &chords, &|_, _, _| 0).unwrap();
        let sweep = sweep.with_statistic(contributions, false);
        let found = along(&sweep, Completable::roughly(&sweep, 0), Endpoints::Closed);
        let binomial = [(0, 1), (2, 4), (4, 6), (6, 4), (8, 1)];
        let binomial = binomial.map(|(value, cycles): (u32, u32)| (value, cycles.into()));
        assert!(found.by_value.into_iter().eq(binomial));
    }

    /// Tests that boards on which another order is far better than line by line have the same counts. Line by line, the
    /// frontier of the zebra on 10×10 has 30 squares.
    #[test]
    fn boards_are_counted_along_other_orders() {
        let board: Board = "leaper:2,3:10x10".parse().unwrap();
        let instance = Instance::on_board(board, TourKind::Closed, Vertex::new(0)).unwrap();
        let exact = count(&instance, Endpoints::Closed, &options(), &mut |_| ()).unwrap();
        assert_eq!(exact.count, BigUint::from(80_320u32));
        assert!(exact.width < 25);
    }

    /// Tests that exact counts equal the estimates of `sample` if it keeps all states. The estimates store states and
    /// weights in another form.
    #[test]
    fn all_states_of_a_sample_count_the_same() {
        let all = sample::Options {
            states: usize::MAX,
            repetitions: sample::Repetitions::new(2).unwrap(),
            seed: 1,
            threads: 1,
            memory: 1 << 30,
            deadline: None,
            stop: CancellationToken::default(),
        };
        for text in [
            "3x10",
            "5x6",
            "6x6",
            "7x6",
            "4x9",
            "king:4x5",
            "leaper:1,4:6x6",
        ] {
            let board: Board = text.parse().unwrap();
            for (kind, ends) in [
                (TourKind::Closed, Endpoints::Closed),
                (TourKind::Open, Endpoints::ANYWHERE),
            ] {
                let instance = Instance::on_board(board, kind, Vertex::new(0)).unwrap();
                if kind == TourKind::Open && instance.n() > 30 {
                    continue;
                }
                let exact = count(&instance, ends, &options(), &mut |_| ()).unwrap();
                let other = sample::estimate(&instance, ends, &all, &mut |_, _| ()).unwrap();
                assert_eq!(
                    exact.count.to_string(),
                    format!("{:.0}", other.mean),
                    "{text} {kind}"
                );
            }
        }
    }
}
