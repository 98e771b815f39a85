//! Benchmarks of searches for tours.
//!
//! ```sh
//! cargo bench --bench search
//! ```
//!
//! The times include the search and the check of the tour that it finds. Generating the graph of the board is a
//! separate case.

use divan::Bencher;
use divan::counter::ItemsCount;
use hamcnf::budget::Budget;
use hamcnf::search::{Descents, Method, Moves, Options, Order, SearchResult, Searched, best_ties, search};
use hamcnf::{Board, Instance, TourKind, Vertex};

fn main() {
    divan::main();
}

fn instance(board: &str, kind: TourKind) -> Instance {
    let board: Board = board.parse().expect("a board");
    Instance::on_board(board, kind, Vertex::new(0)).expect("large enough")
}

fn found(instance: &Instance, method: Method) -> Searched {
    let options = Options {
        method,
        descents: Descents { ties: best_ties(instance), rotations: true, restarts: 0 },
        order: Order::Moves(Moves::ARTICLE),
        seed: 0,
        node_limit: None,
        budget: Budget::default(),
    };
    let searched = search(instance, &options, &mut |_, _| ()).expect("it is for boards");
    assert!(matches!(searched.outcome, SearchResult::Tour(_)));
    searched
}

/// Measures the nodes per second of a backtracking search that visits 8 250 733 nodes. The search comes from the web
/// article *Performing the Knights Tour in Linear Time*.
#[divan::bench(sample_count = 10)]
fn backtrack_8x8(bencher: Bencher<'_, '_>) {
    let instance = instance("8x8", TourKind::Open);
    bencher.counter(ItemsCount::new(8_250_733u64)).bench_local(|| found(&instance, Method::Backtrack));
}

#[divan::bench(args = ["100x100", "300x300", "1000x1000"], sample_count = 10)]
fn open(bencher: Bencher<'_, '_>, board: &str) {
    let instance = instance(board, TourKind::Open);
    bencher.counter(ItemsCount::new(instance.n())).bench_local(|| found(&instance, Method::Warnsdorff));
}

#[divan::bench(args = ["100x100", "300x300", "1000x1000"], sample_count = 10)]
fn closed(bencher: Bencher<'_, '_>, board: &str) {
    let instance = instance(board, TourKind::Closed);
    bencher.counter(ItemsCount::new(instance.n())).bench_local(|| found(&instance, Method::Warnsdorff));
}

#[divan::bench(args = ["100x100", "300x300", "1000x1000"], sample_count = 10)]
fn graph(bencher: Bencher<'_, '_>, board: &str) {
    bencher.bench_local(|| instance(board, TourKind::Open));
}
