//! Benchmarks of drawing a tour. The time includes all steps from the tour to the bytes of the picture file.
//!
//! ```sh
//! cargo bench --bench render
//! ```

#[path = "../tests/warnsdorff/mod.rs"]
mod warnsdorff;

use divan::Bencher;
use hamcnf::render::{Scene, Style, png, svg, terminal};
use hamcnf::{Instance, Leaper, Tour};

fn main() {
    divan::main();
}

const SIDES: [u64; 2] = [8, 30];

fn tour(side: u64) -> (Instance, Tour) {
    warnsdorff::open_tour(side, side, Leaper::KNIGHT)
}

const NUMBERED: Style = Style { numbers: true, colours: hamcnf::render::Colours::Along, animate: false };

#[divan::bench(args = SIDES)]
fn svg_with_numbers(bencher: Bencher<'_, '_>, side: u64) {
    let (instance, tour) = tour(side);
    bencher.bench_local(|| svg::document(&Scene::tour(&instance, &tour, NUMBERED)));
}

#[divan::bench(args = SIDES)]
fn svg_animated(bencher: Bencher<'_, '_>, side: u64) {
    let (instance, tour) = tour(side);
    let style = Style { animate: true, ..NUMBERED };
    bencher.bench_local(|| svg::document(&Scene::tour(&instance, &tour, style)));
}

#[divan::bench(args = SIDES, sample_count = 10)]
fn png_with_numbers(bencher: Bencher<'_, '_>, side: u64) {
    let (instance, tour) = tour(side);
    bencher.bench_local(|| png::file(&Scene::tour(&instance, &tour, NUMBERED)).expect("not too large"));
}

#[divan::bench(args = SIDES)]
fn in_the_terminal(bencher: Bencher<'_, '_>, side: u64) {
    let (instance, tour) = tour(side);
    bencher.bench_local(|| terminal::tour(&instance, &tour));
}
