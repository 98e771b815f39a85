//! The targets: each takes any bytes, and panics where something is wrong with what is made of them.

pub mod answers;
pub mod counters;
pub mod experiments;
pub mod flow;
pub mod graphs;
pub mod headers;
pub mod jobs;
pub mod methods;
pub mod proofs;
pub mod questions;
pub mod rows;
pub mod tables;
pub mod tours;

/// A target by its name, and the file of its inputs.
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

/// All of them.
pub const ALL: &[Named] = named!(
    graphs,
    answers,
    headers,
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

/// Whether a text may ask for a graph that takes long to make, which it may: a number of three digits is part of a board
/// or of a family's word.
fn is_large(text: &str) -> bool {
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
