//! Features of a graph that are known before any method runs, and the list of encodings.

use hamcnf::budget::Budget;
use hamcnf::cancellation::CancellationToken;
use hamcnf::encoding::bases;
use hamcnf::features::Features;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::Value;

use crate::errors::Kind;
use crate::question::Question;
use crate::values::dict;
use crate::wait::wait;

/// Returns the features of a question's graph: maps the name of each column to its value.
#[pyfunction]
pub(crate) fn graph_facts<'py>(py: Python<'py>, question: &Question) -> PyResult<Bound<'py, PyDict>> {
    let (tours, stop) = (question.tours().clone(), CancellationToken::default());
    let watch = Budget::new(None, stop.clone());
    let features = wait(py, None, &stop, move || serde_json::to_value(Features::of(&tours, &watch)))?;
    match features {
        Ok(Value::Object(columns)) => dict(py, &columns),
        _ => Err(Kind::Failed.says(py, &"features without columns")),
    }
}

/// Returns the names of the base encodings, to which refinements can be added.
#[pyfunction]
pub(crate) fn encodings() -> Vec<String> {
    bases().into_iter().map(|base| base.name.to_string()).collect()
}
