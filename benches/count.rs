//! Benchmarks of counting tours: `cargo bench --bench count`.
//!
//! For exact counts, the throughput is the number of states that the frontier method generates per second, before it
//! merges equal states.

#![allow(missing_docs, clippy::unwrap_used)]

use divan::Bencher;
use divan::counter::ItemsCount;
use hamcnf::budget::Budget;
use hamcnf::count::frontier::diagram::Diagram;
use hamcnf::count::frontier::exact::{self, Options};
use hamcnf::count::frontier::sample::{self, Repetitions};
use hamcnf::count::queens::{self, Solutions};
use hamcnf::endpoints::Endpoints;
use hamcnf::{Board, Instance, Queens, TourKind, Vertex};

fn main() {
    divan::main();
}

fn board(text: &str, kind: TourKind) -> Instance {
    let board: Board = text.parse().unwrap();
    Instance::on_board(board, kind, Vertex::new(0)).unwrap()
}

fn count(bencher: Bencher<'_, '_>, instance: &Instance, ends: Endpoints) {
    let options = Options::default();
    let run = || exact::count(instance, ends, &options, &mut |_| ()).unwrap();
    let generated = run().generated;
    bencher.counter(ItemsCount::new(generated)).bench_local(run);
}

#[divan::bench(args = ["6x8", "6x12", "7x8"], sample_count = 5)]
fn exact_closed(bencher: Bencher<'_, '_>, text: &str) {
    count(bencher, &board(text, TourKind::Closed), Endpoints::Closed);
}

#[divan::bench(args = ["6x6"], sample_count = 5)]
fn exact_open(bencher: Bencher<'_, '_>, text: &str) {
    count(bencher, &board(text, TourKind::Open), Endpoints::ANYWHERE);
}

#[divan::bench(sample_count = 5)]
fn sample_8x8_of_10000_states_twice(bencher: Bencher<'_, '_>) {
    let instance = board("8x8", TourKind::Closed);
    let options = sample::Options {
        states: 10_000,
        repetitions: Repetitions::new(2).unwrap(),
        seed: 1,
        threads: 1,
        memory: u64::MAX,
        budget: Budget::default(),
    };
    bencher.bench_local(|| sample::estimate(&instance, Endpoints::Closed, &options, &mut |_, _| ()).unwrap());
}

#[divan::bench(sample_count = 5)]
fn diagram_6x6(bencher: Bencher<'_, '_>) {
    let instance = board("6x6", TourKind::Closed);
    let budget = Budget::default();
    bencher.bench_local(|| Diagram::new(&instance, Endpoints::Closed, &budget, &mut |_| ()).unwrap().count());
}

#[divan::bench(args = [8, 10], sample_count = 5)]
fn queens_by_decision_diagram(bencher: Bencher<'_, '_>, n: u32) {
    let queens = Queens::new(n).unwrap();
    let options = queens::Options::enough_for(&queens);
    bencher.bench_local(|| Solutions::new(&queens, &options, &mut |_| ()).unwrap().count());
}
