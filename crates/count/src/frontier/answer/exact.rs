//! Exact counts by dynamic programming along a frontier.

use hamcnf_tours::Instance;
use hamcnf_tours::endpoints::Endpoints;
use num_bigint::BigUint;

pub use crate::frontier::answer::options::{ExactError, HOPELESS, Options};
use crate::frontier::answer::run::Run;
use crate::frontier::order::{GraphOrder, better_than_lines};
use crate::frontier::state::{Degrees, Primes, Tables};
use crate::frontier::store::{Checkpoint, CheckpointError, Room, Scratch, Usage};
use crate::frontier::sweep::{Question, Sweep};
use crate::frontier::{Exact, Progress};

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
pub(crate) fn answer(
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
    let questions = questions.map(|((instance, ends), sweep)| Question::along(sweep, instance.to_string(), *ends));
    answers(&questions.collect::<Vec<_>>(), options, progress, found, warn)
}

/// True if [`counts`] answers questions about these instances by one sweep, and no other order of the last board is far
/// better than the lines of this sweep.
pub fn share_a_sweep(instances: &[&Instance]) -> bool {
    let last = instances.last().and_then(|last| Some((last.graph(), last.board()?)));
    let lines = Sweep::common_lines(instances.iter().copied());
    lines.zip(last).is_some_and(|(lines, (graph, board))| {
        better_than_lines(graph, &lines.squares(board), Degrees::SLOTS).is_none()
    })
}

/// Answers questions like [`counts`].
pub(crate) fn answers(
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
            let room = Room { limit: options.memory, for_states: options.for_states(0) };
            let (checkpoint, saved) = Checkpoint::open(file, questions, scratch.as_ref(), room)?;
            if let Some(error) = scratch.as_ref().and_then(Scratch::failed) {
                return Err(ExactError::NoScratch(error));
            }
            (Some(checkpoint), saved)
        }
        None => (None, None),
    };
    let now = saved.unwrap_or_default();
    for answer in &now.answers {
        found(answer.question, answer.known.clone());
    }
    let usage = Usage::new(options.threads, 0, options.budget.clone()).with_scratch(scratch);
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
    let options = Options { checkpoint: None, ..options.clone() };
    let mut counts: Vec<Option<BigUint>> = vec![None; instance.n() as usize];
    // Two vertices are added to the graph.
    let order = GraphOrder::of(instance, Degrees::SLOTS - 2);
    for start in instance.graph().vertices() {
        if counts[start.index()].is_some() {
            continue;
        }
        let known = counts.iter().flatten().count();
        let from = instance.starting_at(start).expect("the start is a vertex of the graph");
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
pub(crate) mod tests {
    use super::*;
    use crate::frontier::answer::run::Shared;
    use crate::frontier::state::{Completable, Connections};
    use crate::frontier::store::Saved;
    use crate::frontier::sweep::corners;
    use hamcnf_graph::budget::Budget;
    use hamcnf_graph::graph_strategy::graphs;
    use hamcnf_graph::{Graph, Vertex};
    use hamcnf_tours::TourKind;
    use proptest::prelude::{Strategy, any};

    /// Returns the options of most tests: two threads and 1 GiB.
    pub(crate) fn options() -> Options {
        Options { threads: 2, memory: 1 << 30, try_hard: true, ..Options::default() }
    }

    /// Returns the question about all tours of a board.
    pub(crate) fn on_board(board: &str, kind: TourKind) -> (Instance, Endpoints) {
        let ends = if kind == TourKind::Open { Endpoints::ANYWHERE } else { Endpoints::Closed };
        (Instance::on_holed(board.parse().unwrap(), kind, Vertex::new(0)).unwrap(), ends)
    }

    /// Returns the question about all closed tours of a board.
    pub(crate) fn closed(board: &str) -> (Instance, Endpoints) {
        on_board(board, TourKind::Closed)
    }

    /// Returns a strategy for questions about small graphs.
    pub(crate) fn questions() -> impl Strategy<Value = (Instance, Endpoints)> {
        (graphs(2..=9), 0u32..9, any::<[bool; 2]>()).prop_map(|(graph, first, [open, anywhere])| {
            let n = graph.n_vertices();
            let kind = if open || n == 2 { TourKind::Open } else { TourKind::Closed };
            let instance = Instance::on_graph("a graph", graph, kind, Vertex::new(first % n)).unwrap();
            let is_free = kind == TourKind::Open && anywhere;
            let ends = if is_free { Endpoints::ANYWHERE } else { Endpoints::of(&instance) };
            (instance, ends)
        })
    }

    pub(crate) fn counted((instance, ends): &(Instance, Endpoints), options: &Options) -> Result<Exact, ExactError> {
        count(instance, *ends, options, &mut |_| ())
    }

    /// Tests that 7x7 has exact sets under a high memory limit, and rough bounds under a limit of 25 MiB: the sets would
    /// take more than half of it.
    #[test]
    fn degrees_are_looked_at_within_the_memory_limit() {
        let sweep = Sweep::new(&closed("7x7").0, Endpoints::Closed, 16).unwrap();
        let within = |memory| Completable::new(&sweep, memory, &Budget::default()).unwrap();
        assert!(matches!(within(25 << 20), Completable::Roughly { .. }));
        assert!(matches!(within(8 << 30), Completable::Exactly { .. }));
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
            usage: Usage::new(options.threads, 0, options.budget.clone()),
            tables: Tables::new(),
            checkpoint: None,
            progress: &mut |_| (),
            found: &mut |_, exact| known = Some(exact),
            warn: &mut |_| (),
            has_warned: false,
        };
        let shared = Shared { last: 0, sweep, completable, endings: Vec::new() };
        run.run_sweep(shared).unwrap();
        known.unwrap()
    }

    /// Tests the known counts of small boards, both with exact sets and with the rough bounds for wide frontiers.
    #[test]
    fn rough_bounds_count_the_same() {
        for (text, kind, tours) in
            [("6x6", TourKind::Closed, 9_862u32), ("5x5", TourKind::Open, 1_728), ("3x12", TourKind::Closed, 176)]
        {
            let (instance, ends) = on_board(text, kind);
            let sweep = Sweep::new(&instance, ends, 16).unwrap();
            for completable in
                [Completable::new(&sweep, u64::MAX, &Budget::default()).unwrap(), Completable::roughly(&sweep, 0)]
            {
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
    fn with_many_ends(n: u32) -> ((Instance, Endpoints), Sweep) {
        let blocks = (0..n).step_by(8);
        let chords = blocks.flat_map(|v| [(v, v + 2), (v + 1, v + 3)]);
        let edges = (0..n).map(|v| (v, (v + 1) % n)).chain(chords);
        let graph = Graph::from_edges(n, edges).unwrap();
        let order: Vec<_> = (0..4).flat_map(|first| (first..n).step_by(4)).map(Vertex::new).collect();
        let key = |v: Vertex| (0, i64::from(v.number() * 7 % n));
        let sweep = Sweep::along(graph.clone(), &order, None, &key, None);
        let instance = Instance::on_graph("chords", graph, TourKind::Closed, Vertex::new(0));
        ((instance.unwrap(), Endpoints::Closed), sweep)
    }

    #[test]
    fn states_with_many_ends_count_the_same() {
        for (n, slots) in [(32, 20), (48, 30)] {
            let (question, sweep) = with_many_ends(n);
            assert_eq!(sweep.slots(), slots);
            let expected = counted(&question, &options()).unwrap();
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

    /// Tests weighted edges in moves without tables: each of the 2^(n/8) cycles has 2^n choices of connections.
    #[test]
    fn states_with_many_ends_have_the_same_connections() {
        let n = 32;
        let (_, sweep) = with_many_ends(n);
        let sweep = sweep.weighted(&|_, _| Connections { even: 1, odd: 1 });
        let found = along(&sweep, Completable::roughly(&sweep, 0), Endpoints::Closed);
        assert_eq!(found.count, BigUint::from(1u32) << (n + n / 8));
    }
}
