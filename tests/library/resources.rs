//! Counts along a frontier within limits: states on disk, weights modulo primes, checkpoints. They compute too long for
//! unit tests, which are not optimised.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use hamcnf::budget::Budget;
use hamcnf::count::frontier::census;
use hamcnf::count::frontier::exact::{self, ExactError, Options, counts};
use hamcnf::count::frontier::walk::Walk;
use hamcnf::count::frontier::{Exact, Progress};
use hamcnf::count::not_counted::CountError;
use hamcnf::count::symmetric;
use hamcnf::endpoints::Endpoints;
use hamcnf::{Graph, Instance, Symmetry, TourKind, Vertex};
use num_bigint::BigUint;

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

fn one((instance, ends): &(Instance, Endpoints), options: &Options) -> Result<Exact, ExactError> {
    exact::count(instance, *ends, options, &mut |_| ())
}

/// Returns the histogram of a question's tours by the value of a statistic.
pub(crate) fn with(of: &(Instance, Endpoints), statistic: &str, options: &Options) -> Result<Exact, CountError> {
    census::histogram(&of.0, of.1, &statistic.parse().unwrap(), options, &mut |_| (), &mut |_| ())
}

/// Counts, and returns the answers in the order of the questions.
fn counted(texts: &[&str], options: &Options) -> Result<Vec<Exact>, ExactError> {
    let mut known = Vec::new();
    let mut found = |question, exact| known.push((question, exact));
    let questions: Vec<_> = texts.iter().copied().map(closed).collect();
    counts(&questions, options, &mut |_| (), &mut found, &mut |_| ())?;
    known.sort_by_key(|(question, _)| *question);
    Ok(known.into_iter().map(|(_, exact)| exact).collect())
}

/// Counts with twice as much memory after each failure, until the count is complete. Returns the number of failures
/// too.
fn resumed(texts: &[&str], file: &Path) -> (usize, Vec<Exact>) {
    for power in 12..30 {
        let options = Options { memory: 1 << power, checkpoint: Some(file.to_owned()), ..options() };
        match counted(texts, &options) {
            Ok(answers) => return (power - 12, answers),
            Err(ExactError::Memory { .. }) => assert!(file.exists()),
            Err(error) => panic!("{error}"),
        }
    }
    panic!("1 GiB is enough");
}

/// Tests a count that needs more memory than its limit leaves for states.
#[test]
fn states_that_do_not_fit_into_memory_are_on_disk() {
    let question = closed("6x10");
    let folder = tempfile::tempdir().unwrap();
    for (threads, checkpoint) in [(1, None), (2, Some(folder.path().join("6x10.checkpoint")))] {
        // Without pruning, most of the memory is for states.
        let mut options = Options { threads, memory: 4 << 20, prune: false, checkpoint, ..options() };
        options.scratch = Some(folder.path().to_owned());
        let exact = one(&question, &options).unwrap();
        assert_eq!(exact.count, 239_187_240_144u64.into());
        assert!(exact.scratch_bytes > 1 << 20, "{exact:?}");
        // Slow threads keep fewer states at once, so the limit without a disk is lower.
        let without = one(&question, &Options { memory: 2 << 20, scratch: None, ..options.clone() });
        assert!(matches!(without, Err(ExactError::Memory { .. })), "{without:?}");
        if options.checkpoint.is_some() {
            options.scratch = Some(folder.path().to_owned());
            let resumed = one(&question, &options).unwrap();
            assert_eq!(resumed.count, exact.count);
        }
        options.scratch = Some(folder.path().join("none"));
        let wrong = one(&question, &options);
        assert!(matches!(wrong, Err(ExactError::NoScratch(_))), "{wrong:?}");
    }
}

/// Tests that boards of several lengths are counted from states on disk.
#[test]
fn shorter_boards_branch_off_from_states_on_disk() {
    let folder = tempfile::tempdir().unwrap();
    let options = Options { memory: 7500 << 10, scratch: Some(folder.path().to_owned()), ..options() };
    let questions = ["6x10", "6x11", "6x12"].map(closed);
    let mut found = Vec::new();
    let mut keep = |question, exact: Exact| {
        assert!(exact.scratch_bytes > 1 << 20, "{exact:?}");
        found.push((question, exact.count));
    };
    counts(&questions, &options, &mut |_| (), &mut keep, &mut |_| ()).unwrap();
    found.sort();
    let expected = [239_187_240_144u64, 15_360_134_570_696, 964_730_606_632_516].map(BigUint::from);
    assert!(found.into_iter().map(|(_, count)| count).eq(expected));
}

/// Counts of some boards at once.
type Questions = fn(&Options) -> Result<Vec<Exact>, ExactError>;

/// Tests that counts are the same modulo primes, whose weights need less memory: of boards that share a sweep, and with a
/// statistic.
#[test]
fn weights_that_do_not_fit_into_memory_are_residues() {
    let boards: Questions = |options| counted(&["5x24", "5x26"], options);
    let by_slope: Questions = |options| {
        let histogram = with(&closed("5x22"), "slope=1/2", options);
        histogram.map(|exact| vec![exact]).map_err(|error| match error {
            CountError::Exact(error) => error,
            error => panic!("{error}"),
        })
    };
    for (questions, prune) in [(boards, false), (by_slope, true)] {
        let count = |memory| questions(&Options { memory, prune, ..options() });
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

/// Tests that counts of weighted edges are the same modulo primes. The weighted graph is the quotient of a graph by a
/// symmetry of order 4: the graph of a board, whose edges stand for up to two even orbits of edges and an odd one.
#[test]
fn weights_of_edges_that_do_not_fit_into_memory_are_residues() {
    let board = closed("5x10").0;
    let n = board.n();
    let edges = board.graph().arcs().filter(|arc| arc.tail < arc.head).flat_map(|arc| {
        let (u, v) = (arc.tail.number(), arc.head.number());
        let turns = [0, 2].into_iter().take((u + v) as usize % 3).chain([1]);
        turns.flat_map(move |by| (0..4).map(move |turn| (turn * n + u, (turn + by) % 4 * n + v)))
    });
    let graph = Graph::from_edges(4 * n, edges).unwrap();
    let instance = Instance::on_graph("four boards", graph, TourKind::Closed, Vertex::new(0)).unwrap();
    let symmetry = Symmetry::new((0..4 * n).map(|v| Vertex::new((v + n) % (4 * n))).collect::<Vec<_>>()).unwrap();
    let count = |memory| {
        let options = Options { memory, prune: false, ..options() };
        symmetric::count(&instance, &symmetry, Endpoints::Closed, &options, &mut |_| (), &mut |_| ())
    };
    let expected = count(1 << 30).unwrap();
    assert_eq!(expected.sweeps, 1);
    match count(9 * expected.peak_bytes / 10) {
        Ok(found) => assert_eq!(found.count, expected.count),
        Err(error) => assert!(matches!(error, ExactError::Memory { .. }), "{error}"),
    }
    let found = count(12 * expected.peak_bytes / 10).unwrap();
    assert_eq!(found.count, expected.count);
    assert!(found.sweeps > 1, "{found:?}");
}

/// Tests that a count with sets of completable degree vectors has the same result modulo primes, also if the states of
/// two primes do not fit into memory.
#[test]
fn pruned_counts_are_the_same_modulo_primes() {
    let count = |memory, residues| one(&closed("5x40"), &Options { memory, residues, ..options() });
    let expected = count(1 << 30, true).unwrap();
    for (memory, sweeps) in [(620 << 10, 4), (540 << 10, 7)] {
        let found = count(memory, true).unwrap();
        assert_eq!((&found.count, found.sweeps), (&expected.count, sweeps));
        let exactly = count(memory, false);
        assert!(matches!(exactly, Err(ExactError::Memory { .. })));
    }
}

/// Tests that boards on which another order is far better than line by line have the same counts. Line by line, the
/// frontier of the zebra on 10×10 has 30 squares.
#[test]
fn boards_are_counted_along_other_orders() {
    let exact = one(&closed("leaper:2,3:10x10"), &options()).unwrap();
    assert_eq!(exact.count, BigUint::from(80_320u32));
    assert!(exact.width < 25);
}

/// Tests a histogram whose states do not fit into memory, and one that is resumed after a limit.
#[test]
fn histograms_use_disk_and_resume() {
    let folder = tempfile::tempdir().unwrap();
    let question = closed("6x8");
    // From 26 to 32 MiB are too little without a disk and enough with one.
    let mut options = Options { memory: 29 << 20, checkpoint: Some(folder.path().join("checkpoint")), ..options() };
    let error = with(&question, "straight", &options).unwrap_err();
    assert!(matches!(error, CountError::Exact(ExactError::Memory { .. })), "{error}");
    options.scratch = Some(folder.path().to_owned());
    let resumed = with(&question, "straight", &options).unwrap();
    assert!(resumed.scratch_bytes > 0, "{resumed:?}");
    assert_eq!(resumed.count, BigUint::from(55_488_142u32));
    let most = resumed.by_value.last_key_value().unwrap();
    assert_eq!(most, (&9, &BigUint::from(332u32)));
}

/// Tests that a count that runs out of memory again and again does the same work as an uninterrupted count, and no
/// work twice. One sweep answers several boards.
#[test]
fn counts_resume_where_they_ended() {
    let folder = tempfile::tempdir().unwrap();
    let work = |exact: &Exact| (exact.count.clone(), exact.peak_states, exact.generated);
    for texts in [&["6x8"][..], &["5x6", "5x7", "5x8", "5x10"]] {
        let expected = counted(texts, &options()).unwrap();
        for name in ["plain", "packed.zst", "packed.gz"] {
            let file = folder.path().join(name);
            let (failures, answers) = resumed(texts, &file);
            assert!(failures > 5, "{failures}");
            assert!(answers.iter().map(work).eq(expected.iter().map(work)));
        }
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

/// Tests that a count modulo several primes resumes in each of its sweeps. One of its boards is answered by fewer
/// sweeps.
#[test]
fn counts_modulo_primes_resume() {
    let folder = tempfile::tempdir().unwrap();
    let texts = ["5x16", "5x34"];
    let in_memory = |memory| Options { memory, prune: false, ..options() };
    let expected = counted(&texts, &in_memory(1 << 30)).unwrap();
    let memory = 6 * expected[1].peak_bytes / 5;
    let mut known = BTreeMap::new();
    let mut stops = 0;
    loop {
        let options = Options { checkpoint: Some(folder.path().join("checkpoint")), ..in_memory(memory) };
        let mut calls = 0;
        let mut stop = |at: Progress| {
            calls += 1;
            // The last call is at the beginning of a sweep.
            if calls > 60 && (stops % 2 == 0 || at.layer == 0) {
                options.budget.token().set();
            }
        };
        let mut found = |question, exact| {
            known.insert(question, exact);
        };
        match counts(&texts.map(closed), &options, &mut stop, &mut found, &mut |_| ()) {
            Ok(()) => break,
            Err(ExactError::Time { .. }) => stops += 1,
            Err(error) => panic!("{error}"),
        }
    }
    let numbers = |exact: &Exact| exact.count.clone();
    assert!(known.values().map(numbers).eq(expected.iter().map(numbers)));
    assert_eq!(known[&1].sweeps, 3);
    assert!(known[&0].sweeps < 3 && stops > 3, "{stops}");
}

/// Tests that an early choice that no tour contains does not lead the walk through all states after it.
#[test]
fn the_first_tours_of_boards_come_soon() {
    for (board, kind) in [
        ("8x8", TourKind::Open),
        ("10x10", TourKind::Closed),
        ("10x10", TourKind::Open),
        ("12x12", TourKind::Closed),
        ("12x12", TourKind::Open),
        ("9x9-a1-i9", TourKind::Open),
    ] {
        let (instance, ends) = on_board(board, kind);
        let limits = Budget::default().with_memory(Some(0));
        let mut walk = Walk::new(&instance, ends, &limits).unwrap();
        for k in 0..100 {
            walk.next().unwrap().unwrap();
            assert!(walk.visited() < 1 << 17, "{board}, tour {k}: {} states", walk.visited());
        }
    }
}
