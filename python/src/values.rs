//! Conversion of the library's columns to Python values.

use hamcnf::record::{Number, Record};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use serde_json::{Map, Value};

/// Returns the columns of a record. The column `value` is a number; columns without a value are `None`.
pub(crate) fn columns<'py>(py: Python<'py>, record: &Record) -> PyResult<Bound<'py, PyDict>> {
    let dict = dict(py, &record.columns())?;
    match &record.value {
        Some(Number::Whole(whole)) => dict.set_item("value", whole)?,
        Some(Number::Real(real)) => dict.set_item("value", real)?,
        None => dict.set_item("value", py.None())?,
    }
    Ok(dict)
}

/// Converts a JSON object to a Python dictionary.
pub(crate) fn dict<'py>(py: Python<'py>, object: &Map<String, Value>) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (name, value) in object {
        dict.set_item(name, converted(py, value)?)?;
    }
    Ok(dict)
}

fn converted<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Value::Null => py.None().into_bound(py),
        Value::Bool(value) => value.into_pyobject(py)?.to_owned().into_any(),
        Value::Number(number) => match (number.as_u64(), number.as_i64(), number.as_f64()) {
            (Some(whole), _, _) => whole.into_pyobject(py)?.into_any(),
            (_, Some(whole), _) => whole.into_pyobject(py)?.into_any(),
            (_, _, real) => real.into_pyobject(py)?.into_any(),
        },
        Value::String(text) => text.into_pyobject(py)?.into_any(),
        Value::Array(values) => {
            let values = values.iter().map(|value| converted(py, value));
            PyList::new(py, values.collect::<PyResult<Vec<_>>>()?)?.into_any()
        }
        Value::Object(object) => dict(py, object)?.into_any(),
    })
}
