//! Whether a file is a proof that there is no tour.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use hamcnf::check::Unproved;
use hamcnf::check::certificate::{self, Limits, Unverified};
use hamcnf::proof::Form;
use hamcnf::question::{GraphSource, TextSource, Tours};
use hamcnf::refute::certificate::asked;
use hamcnf::refute::checked::{self, NotChecked};
use hamcnf::stop::Stop;
use hamcnf::{Encoding, Named};
use pyo3::prelude::*;

use crate::errors::{Kind, refused};
use crate::limits::limits;
use crate::question::Question;
use crate::wait::wait;

/// Why a proof is not taken, and what is raised for it.
type Refusal = (Kind, String);

/// Checks a proof, and says what it proves.
#[pyfunction]
#[pyo3(signature = (question, file, encoding, timeout))]
pub(crate) fn verify(
    py: Python<'_>,
    question: &Question,
    file: PathBuf,
    encoding: Option<&str>,
    timeout: Option<f64>,
) -> PyResult<String> {
    let encoding = encoding.map(str::parse::<Encoding>).transpose();
    let encoding = encoding.map_err(|error| refused(py, &error))?;
    let wall = limits(py, timeout, None, None)?.wall;
    let (tours, stop) = (question.tours().clone(), Stop::default());
    let until = Until::new(wall, stop.clone());
    let verified = wait(py, wall, &stop, move || match Form::of(&file) {
        Ok(form) => steps(&tours, &file, form, encoding.as_ref(), &until),
        Err(_) if encoding.is_some() => Err((
            Kind::Error,
            "an encoding is for .drat, .lrat and .pbp: a certificate is about the graph".to_owned(),
        )),
        Err(_) => reason(&tours, &file, &until),
    })?;
    verified.map_err(|(kind, words)| kind.says(py, &words))
}

/// When checking has to end.
struct Until {
    deadline: Option<Instant>,
    stop: Stop,
}

impl Until {
    fn new(wall: Option<Duration>, stop: Stop) -> Self {
        let deadline = wall.and_then(|wall| Instant::now().checked_add(wall));
        Self { deadline, stop }
    }

    fn is_over(&self) -> bool {
        self.stop.is_set() || self.deadline.is_some_and(|end| Instant::now() >= end)
    }
}

/// Steps from the clauses of an encoding.
fn steps(
    tours: &Tours,
    file: &Path,
    form: Form,
    encoding: Option<&Encoding>,
    until: &Until,
) -> Result<String, Refusal> {
    let source = TextSource::File(file.to_owned());
    let cannot =
        |error: &dyn std::fmt::Display| (Kind::Error, format!("cannot read {source}: {error}"));
    let opened = source.open().map_err(|error| cannot(&error))?;
    let reading = checked::Reading::begin(opened, form).map_err(|error| cannot(&error))?;
    if let Some(about) = &reading.head().question {
        same(tours, about, file)?;
    }
    let is_default = encoding.is_none() && reading.head().encoding.is_none();
    match reading.check(tours, encoding, &|| until.is_over()) {
        Ok((encoding, checked)) => {
            let steps = checked.additions;
            Ok(format!(
                "{form}: {steps} steps from the clauses of {encoding}"
            ))
        }
        Err(NotChecked::Unproved { why, encoding }) => Err(match *why {
            Unproved::Stopped { .. } => (Kind::OutOfTime, "time limit".to_owned()),
            Unproved::TooLarge => (Kind::LimitReached, why.to_string()),
            Unproved::Unreadable(_) => cannot(&why),
            wrong => {
                let which = match is_default {
                    true => "; for another encoding pass encoding=",
                    false => "",
                };
                let of = format!("from the clauses of {encoding}{which}");
                (Kind::NotVerified, format!("{wrong}, {of}"))
            }
        }),
        Err(other @ (NotChecked::OtherGraph { .. } | NotChecked::OtherEncoding { .. })) => {
            Err((Kind::NotVerified, other.to_string()))
        }
        Err(other) => Err((Kind::Error, other.to_string())),
    }
}

/// A reason of a few lines.
fn reason(tours: &Tours, file: &Path, until: &Until) -> Result<String, Refusal> {
    let source = TextSource::File(file.to_owned());
    let cannot =
        |error: &dyn std::fmt::Display| (Kind::Error, format!("cannot read {source}: {error}"));
    let opened = source.open().map_err(|error| cannot(&error))?;
    let reading = certificate::Reading::begin(opened).map_err(|error| cannot(&error))?;
    same(tours, reading.question(), file)?;
    let asked = asked(tours);
    let reason = reading.reason(&asked).map_err(|error| cannot(&error))?;
    let stop = || until.is_over();
    let limits = Limits {
        stop: &stop,
        ..Limits::default()
    };
    match certificate::check(&asked, &reason, &limits) {
        Ok(verified) => Ok(format!("{}: {verified}", reason.kind().as_str())),
        Err(Unverified::Stopped) => Err((Kind::OutOfTime, "time limit".to_owned())),
        Err(wrong) if wrong.is_limit() => Err((Kind::LimitReached, wrong.to_string())),
        Err(wrong) => Err((Kind::NotVerified, wrong.to_string())),
    }
}

/// Refuses a file about another question. What a graph is called is another matter: its edges are looked at.
fn same(tours: &Tours, about: &str, file: &Path) -> Result<(), Refusal> {
    let by_name = matches!(
        tours.source(),
        GraphSource::Board(_) | GraphSource::Family(_)
    );
    match by_name && about != tours.to_string() {
        true => Err((
            Kind::NotVerified,
            format!(
                "{} is about '{}', and not about '{tours}'",
                file.display(),
                about.escape_debug()
            ),
        )),
        false => Ok(()),
    }
}
