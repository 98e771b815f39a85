//! Conversion of limits from Python values.

use std::time::Duration;

use hamcnf::limits::Limits;
use pyo3::prelude::*;

use crate::errors;

/// Converts limits that callers give in seconds, bytes and conflicts.
pub(crate) fn limits(
    py: Python<'_>,
    timeout: Option<f64>,
    memory: Option<u64>,
    conflicts: Option<u64>,
) -> PyResult<Limits> {
    let wall = timeout.map(Duration::try_from_secs_f64).transpose();
    let said = || {
        let timeout = timeout.unwrap_or_default();
        format!("timeout= must be a number of seconds of at least 0, not {timeout}")
    };
    Ok(Limits { wall: wall.map_err(|_| errors::refused(py, &said()))?, cpu: None, memory, conflicts })
}
