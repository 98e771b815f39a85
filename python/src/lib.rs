//! The library for Python: `hamcnf._hamcnf`, which the Python files beside it give their words to.
//!
//! It is glue only. A place (`place.rs`) with its ends is a question (`question.rs`), which the functions here put to
//! the library; what comes out are numbers, texts and lists, of vertices by their number from 0. What callers see
//! instead, their own vertices, is made in Python. Work is done on threads of its own (`wait.rs`), so that other
//! threads of Python go on and an interrupt ends it.

#![forbid(unsafe_code)]
#![allow(
    clippy::needless_pass_by_value,
    reason = "what Python hands over is made for the call, and cannot be borrowed"
)]

mod answer;
mod clauses;
mod errors;
mod experiment;
mod facts;
mod limits;
mod place;
mod proof;
mod question;
mod tours;
mod values;
mod wait;

/// The functions and classes that the Python files use.
#[pyo3::pymodule]
mod _hamcnf {
    #[pymodule_export]
    use super::answer::{Answer, answer, count, estimate};
    #[pymodule_export]
    use super::clauses::{Clauses, encode};
    #[pymodule_export]
    use super::experiment::{main, run};
    #[pymodule_export]
    use super::facts::{encodings, graph_facts};
    #[pymodule_export]
    use super::place::Place;
    #[pymodule_export]
    use super::proof::verify;
    #[pymodule_export]
    use super::question::{Question, check, svg};
    #[pymodule_export]
    use super::tours::{Tours, sample, tours};

    /// The version of the library.
    #[pymodule_export]
    const VERSION: &str = hamcnf::machine::VERSION;
}
