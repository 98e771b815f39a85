//! Benchmarks of clause generation: into a sink that receives each clause separately, and as DIMACS text.
//!
//! ```sh
//! cargo bench
//! ```
//!
//! Divan prints clauses per second beside the times. The largest case is the direct encoding on 20×20: 64 million
//! clauses, 1.1 GB as text.

use std::fs::File;
use std::hint::black_box;
use std::io::{self, Write};

use divan::Bencher;
use divan::counter::{BytesCount, ItemsCount};
use hamcnf::{Board, ClauseSink, Clauses, Family, Formula, Instance, TourKind, Vertex, encoding};
use rustsat::types::Lit;

fn main() {
    divan::main();
}

const BOARDS: [&str; 3] = ["8x8", "14x14", "20x20"];

fn instance(board: &str) -> Instance {
    let board: Board = board.parse().expect("a board");
    Instance::on_board(board, TourKind::Closed, Vertex::new(0)).expect("large enough")
}

/// Returns the names of all cases, `ENCODING BOARD`: every base encoding on every board.
fn cases() -> impl Iterator<Item = String> {
    let bases = encoding::bases().into_iter();
    bases.flat_map(|base| BOARDS.map(|board| format!("{} {board}", base.name)))
}

fn with_formula(case: &str, run: impl FnOnce(&Formula)) {
    let (name, board) = case.split_once(' ').expect("two words");
    let instance = instance(board);
    let encoding = name.parse().expect("an encoding");
    run(&Formula::new(encoding, &instance).expect("it fits"));
}

/// Sink that discards every clause. It receives each pair of an at-most-one constraint as a separate clause.
#[derive(Default)]
struct Null;

impl ClauseSink for Null {
    fn family(&mut self, _: Family) {}
    fn clause(&mut self, literals: &[Lit]) {
        black_box(literals);
    }
}

#[divan::bench(args = cases(), sample_count = 10)]
fn null_sink(bencher: Bencher<'_, '_>, case: &str) {
    with_formula(case, |formula| {
        let clauses = formula.tally().total().clauses;
        bencher.counter(ItemsCount::new(clauses)).bench_local(|| formula.emit(&mut Null));
    });
}

/// Measures the computation of formula sizes, as in `hamcnf sizes`, without generating clauses.
#[divan::bench(args = cases(), sample_count = 10)]
fn tally(bencher: Bencher<'_, '_>, case: &str) {
    with_formula(case, |formula| bencher.bench_local(|| formula.tally()));
}

#[divan::bench(args = cases(), sample_count = 10)]
fn dimacs_nowhere(bencher: Bencher<'_, '_>, case: &str) {
    with_formula(case, |formula| {
        let clauses = formula.tally().total().clauses;
        bencher.counter(ItemsCount::new(clauses)).bench_local(|| {
            formula.write_dimacs(io::sink(), &[], None, false).expect("nothing to fail");
        });
    });
}

#[divan::bench(args = ["direct 14x14", "unary 14x14", "binary 14x14"], sample_count = 10)]
fn dimacs_file(bencher: Bencher<'_, '_>, case: &str) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("formula.cnf");
    let write = |formula: &Formula| {
        let file = File::create(&path).expect("writable");
        let mut file = formula.write_dimacs(file, &[], None, false).expect("writable");
        file.flush().expect("writable");
    };
    with_formula(case, |formula| {
        write(formula);
        let bytes = path.metadata().expect("just written").len();
        bencher.counter(BytesCount::new(bytes)).bench_local(|| write(formula));
    });
}
