//! Python bindings of the library. They form the private module `hamcnf._hamcnf`; the Python files beside it provide
//! the public interface.
//!
//! The bindings contain no logic of their own. A board or graph (`place.rs`) with endpoints is a question
//! (`question.rs`), which the functions pass to the library. Results are numbers, texts and lists; vertices are numbers
//! from 0. The Python files convert them to the callers' own vertices. Work runs on a separate thread (`wait.rs`), so
//! that other Python threads continue and an interrupt ends the work.

#![forbid(unsafe_code)]
#![allow(
    clippy::needless_pass_by_value,
    reason = "arguments from Python are created for the call and cannot be borrowed"
)]

mod answer;
mod circuit;
mod clauses;
mod errors;
#[cfg(feature = "full")]
mod experiment;
mod facts;
mod limits;
mod place;
mod proof;
mod question;
mod tours;
mod values;
mod wait;

/// Functions and classes that the Python files use.
#[pyo3::pymodule]
mod _hamcnf {
    #[pymodule_export]
    use super::answer::{Answer, answer, count, estimate};
    #[pymodule_export]
    use super::circuit::{CircuitClauses, circuit};
    #[pymodule_export]
    use super::clauses::{Clauses, encode};
    #[cfg(feature = "full")]
    #[pymodule_export]
    use super::experiment::{main, run};
    #[pymodule_export]
    use super::facts::{encodings, graph_facts};
    #[pymodule_export]
    use super::place::{Place, Places};
    #[pymodule_export]
    use super::proof::verify;
    #[cfg(feature = "full")]
    #[pymodule_export]
    use super::question::svg;
    #[pymodule_export]
    use super::question::{Question, check};
    #[pymodule_export]
    use super::tours::{Tours, sample, tours};

    /// Version of the library.
    #[pymodule_export]
    const VERSION: &str = hamcnf::machine::VERSION;

    /// Rows of answers name the commit, as those of experiments do.
    #[pymodule_init]
    fn init(_module: &pyo3::Bound<'_, pyo3::types::PyModule>) -> pyo3::PyResult<()> {
        hamcnf::machine::set_commit(hamcnf::COMMIT);
        Ok(())
    }
}
