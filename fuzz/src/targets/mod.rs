//! Fuzz targets. Each target accepts any bytes, and panics if it finds an error.

pub mod answers;
pub mod counters;
pub mod experiments;
pub mod flow;
pub mod graphs;
pub mod headers;
pub mod jobs;
pub mod methods;
pub mod models;
pub mod proofs;
pub mod questions;
pub mod rows;
pub mod tables;
pub mod tours;

use hamcnf_graph::families;

/// Name of a target, its function, and the text of the file with its saved inputs.
pub type Named = (&'static str, fn(&[u8]), &'static str);

macro_rules! named {
    ($($target:ident),+) => {
        &[$((
            stringify!($target),
            $target::$target,
            include_str!(concat!("../../corpus/", stringify!($target), ".txt")),
        )),+]
    };
}

/// All targets.
pub const ALL: &[Named] = named!(
    graphs,
    answers,
    headers,
    models,
    tours,
    questions,
    methods,
    experiments,
    rows,
    jobs,
    tables,
    counters,
    proofs,
    flow
);

/// True if the text may ask for a graph that takes long to generate: it has a number of at least three digits in a
/// board or after a family's name.
fn is_large(text: &str) -> bool {
    has_large_board(text) || has_large_family(text)
}

fn has_large_family(text: &str) -> bool {
    let is_large_behind = |name: &str| {
        text.match_indices(name).any(|(at, _)| {
            let behind: String = text[at..].chars().take(60).collect();
            let mut numbers = behind.split(|c: char| !c.is_ascii_digit());
            numbers.any(|digits| digits.len() > 2)
        })
    };
    let names = families::ALL.iter();
    let mut names = names.flat_map(|kind| std::iter::once(&kind.name).chain(kind.also));
    names.any(|name| is_large_behind(name))
}

fn has_large_board(text: &str) -> bool {
    let mut digits = 0;
    let mut before = ' ';
    let mut after_mark = false;
    let is_mark = |c: char| "x×:,X".contains(c);
    for c in text.chars().chain([' ']) {
        if c.is_ascii_digit() {
            if digits == 0 {
                after_mark = is_mark(before);
            }
            digits += 1;
        } else {
            if digits > 2 && (after_mark || is_mark(c)) {
                return true;
            }
            digits = 0;
        }
        before = c;
    }
    false
}
