//! Checks proof files. A proof shows that there is no tour.

use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::time::Instant;

use hamcnf::Encoding;
use hamcnf::budget::Budget;
use hamcnf::cancellation::CancellationToken;
use hamcnf::proof::Form;
use hamcnf::question::{TextSource, Tours};
use hamcnf::refute::checked::{NotChecked, Reading, Verdict};
use pyo3::prelude::*;

use crate::errors::{Kind, OrRaise};
use crate::limits::limits;
use crate::question::Question;
use crate::wait::wait;

/// Reason why a proof is rejected, and the kind of exception to raise.
type Refusal = (Kind, String);

/// Checks a proof, and returns a description of the proved statement.
#[pyfunction]
#[pyo3(signature = (question, file, encoding, timeout))]
pub(crate) fn verify(
    py: Python<'_>,
    question: &Question,
    file: PathBuf,
    encoding: Option<&str>,
    timeout: Option<f64>,
) -> PyResult<String> {
    let encoding = encoding.map(str::parse::<Encoding>).transpose().or_raise(py, Kind::Error)?;
    let wall = limits(py, timeout, None, None)?.wall;
    let (tours, stop) = (question.tours().clone(), CancellationToken::default());
    let budget = Budget::new(wall.and_then(|wall| Instant::now().checked_add(wall)), stop.clone());
    let verified = wait(py, wall, &stop, move || checked(&tours, &file, encoding.as_ref(), &budget))?;
    verified.map_err(|(kind, words)| kind.says(py, &words))
}

/// Checks the proof in this file, and returns a description of the proved statement.
fn checked(tours: &Tours, file: &Path, encoding: Option<&Encoding>, budget: &Budget) -> Result<String, Refusal> {
    let source = TextSource::File(file.to_owned());
    let cannot = |error: &dyn Display| (Kind::Error, format!("cannot read {source}: {error}"));
    let form = Form::named(file).unwrap_or(Form::Certificate);
    let opened = source.open().map_err(|error| cannot(&error))?;
    let reading = Reading::begin(opened, form).map_err(|error| cannot(&error))?;
    let is_default = encoding.is_none() && reading.head().encoding.is_none();
    let error = match reading.check(tours, encoding, &|| budget.over().is_some()) {
        Ok(proved) => return Ok(format!("{}: {proved}", proved.kind())),
        Err(error) => error,
    };
    Err(match (error.verdict(), &error) {
        (Verdict::Wrong, NotChecked::Unproved { .. }) if is_default => {
            (Kind::NotVerified, format!("{error}; if the proof starts from another encoding, pass encoding="))
        }
        (Verdict::Wrong | Verdict::Other, _) => (Kind::NotVerified, error.to_string()),
        (Verdict::Stopped, _) => (Kind::OutOfTime, "time limit".to_owned()),
        (Verdict::TooLarge, _) => (Kind::LimitReached, error.to_string()),
        (Verdict::Unreadable, _) => cannot(&error),
        (Verdict::Refused, _) => (Kind::Error, error.to_string()),
    })
}
