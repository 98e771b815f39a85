//! A question put to a method: answers, counts, estimates.

use std::fmt::Display;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::available_parallelism;
use std::time::Instant;

use hamcnf::budget::Budget;
use hamcnf::count::external::Fetch;
use hamcnf::method::{AutoCount, Method, Portfolio, Sample};
use hamcnf::pipeline::{Answered, Certificate, NoCertificate};
use hamcnf::proof::{Format, Target};
use hamcnf::question::{Question as Asked, Tours};
use hamcnf::record::{Number, Record, Status};
use hamcnf::refute::certificate::NoOrder;
use hamcnf::run::{Details, Event, Observer, RunResult, Settings, Wanted, Written};
use hamcnf::whole::Whole;
use num_bigint::BigUint;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::{Kind, refused, without_answer};
use crate::limits::limits;
use crate::question::Question;
use crate::values::columns;
use crate::wait::wait_or;

/// What came out.
#[pyclass(frozen, module = "hamcnf._hamcnf")]
pub(crate) struct Answer {
    answered: Answered,
    proof: Option<Proof>,
}

/// Proof of "no tour" that was asked for.
struct Proof {
    file: PathBuf,
    written: Result<Option<Written>, (Kind, String)>,
}

impl Proof {
    /// The reason that it is missing, with the answer.
    fn missing(&self) -> Option<(Kind, String)> {
        let (kind, why) = self.written.as_ref().err()?;
        let file = self.file.display();
        Some((
            *kind,
            format!("there is no tour, but {file} is not written: {why}"),
        ))
    }
}

#[pymethods]
impl Answer {
    /// How it ended, as a row has it.
    #[getter]
    fn status(&self) -> String {
        self.answered.record.status.to_string()
    }

    /// Why there is no answer or no tour, in words.
    #[getter]
    fn message(&self) -> &str {
        &self.answered.record.message
    }

    /// Whether the method did what it does.
    #[getter]
    fn is_answer(&self) -> bool {
        self.answered.record.status.is_answer()
    }

    /// The tours, by numbers of vertices.
    fn tours(&self) -> Vec<Vec<u32>> {
        self.answered.tours.iter().map(numbers).collect()
    }

    /// The record's columns.
    fn record<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        columns(py, &self.answered.record)
    }

    /// The proof's file, with its size and encoding or the reason that it is missing; `None` where there is none to write.
    fn proof<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let Some(proof) = &self.proof else {
            return Ok(None);
        };
        let dict = PyDict::new(py);
        dict.set_item("file", proof.file.as_os_str())?;
        match &proof.written {
            Ok(Some(written)) => {
                dict.set_item("encoding", written.encoding.to_string())?;
                dict.set_item("steps", written.size.additions)?;
                dict.set_item("bytes", written.size.bytes)?;
            }
            Ok(None) => {}
            Err((_, why)) => dict.set_item("missing", why)?,
        }
        Ok(Some(dict))
    }

    /// Raises an error if the proof could not be written. Returns the reason if a limit came before its end.
    fn without_proof(&self, py: Python<'_>) -> PyResult<Option<String>> {
        match self.proof.as_ref().and_then(Proof::missing) {
            Some((Kind::OutOfTime, why)) => Ok(Some(why)),
            Some((kind, why)) => Err(kind.says(py, &why)),
            None => Ok(None),
        }
    }

    /// Raises what is to be raised where there is no answer.
    fn expect(&self, py: Python<'_>) -> PyResult<()> {
        without_answer(py, &self.answered.record).map_or(Ok(()), Err)
    }
}

/// The vertices of a tour, by number.
pub(crate) fn numbers(tour: &hamcnf::Tour) -> Vec<u32> {
    tour.order().iter().map(|v| v.number()).collect()
}

/// What a method is told; as callers say it.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Told {
    seed: Option<u64>,
    threads: Option<NonZero<u32>>,
    timeout: Option<f64>,
    memory: Option<u64>,
    conflicts: Option<u64>,
}

impl Told {
    fn settings(&self, py: Python<'_>, first_seed: u64) -> PyResult<Settings> {
        Ok(Settings {
            seed: self.seed.unwrap_or(first_seed),
            limits: limits(py, self.timeout, self.memory, self.conflicts)?,
            threads: self.threads.and_then(|threads| {
                let threads = usize::try_from(threads.get()).ok()?;
                NonZero::new(threads)
            }),
            fetch: Fetch::Never,
            ..Settings::default()
        })
    }
}

/// A method by its name. What may work with several threads has as many as are said, else one for each processor.
fn method(py: Python<'_>, name: &str, told: &Told) -> PyResult<Method> {
    let method: Method = name.parse().map_err(|error| refused(py, &error))?;
    Ok(match method.kind::<Portfolio>() {
        Some(how) if how.part.is_none() => {
            let all = || NonZero::try_from(available_parallelism().ok()?).ok();
            let said = Some(how.threads).filter(|threads| threads.get() > 1);
            let threads = told.threads.or(said).or_else(all);
            Method::from(Portfolio {
                threads: threads.unwrap_or(how.threads),
                ..*how
            })
        }
        _ => method,
    })
}

fn answered(
    py: Python<'_>,
    question: &Question,
    method: Method,
    mut settings: Settings,
) -> PyResult<Answered> {
    let (asked, stop) = (question.asked(), settings.stop.clone());
    let Settings { seed, limits, .. } = &settings;
    let name = asked.to_string();
    let blank = Record::new(&name, asked.checksum(), &method, *seed, limits);
    // "No tour" is known before its proof is written, and is the answer if the time is over by then.
    let known = Arc::new(Mutex::new(None::<RunResult>));
    let heard = Arc::clone(&known);
    settings.observer = Observer::new(move |event| {
        if let Event::Known(result) = event
            && result.status == Status::NoTour
        {
            *heard.lock().unwrap_or_else(PoisonError::into_inner) = Some(result.clone());
        }
    });
    let late = move || {
        let result = known.lock().unwrap_or_else(PoisonError::into_inner).take();
        result.map(|result| Answered::of(blank, result))
    };
    wait_or(py, settings.limits.wall, &stop, late, move || {
        method.answer(&asked, &settings)
    })
}

/// Answers by a method, and writes the certificate where there is no tour.
fn certified(
    py: Python<'_>,
    question: &Question,
    method: Method,
    settings: Settings,
    file: PathBuf,
) -> PyResult<Answer> {
    let (wall, stop) = (settings.limits.wall, settings.stop.clone());
    let deadline = wall.and_then(|wall| Instant::now().checked_add(wall));
    let answered = answered(py, question, method, settings)?;
    let Asked::Tours(tours) = question.asked() else {
        return Ok(Answer::without_proof_of(answered));
    };
    if answered.record.status != Status::NoTour {
        return Ok(Answer::without_proof_of(answered));
    }
    let (of, to) = (answered.clone(), file.clone());
    let left = deadline.map(|end| end.saturating_duration_since(Instant::now()));
    let watch = Budget::new(deadline, stop.clone());
    let late = || Some(Err((Kind::OutOfTime, "time limit".to_owned())));
    let written = wait_or(py, left, &stop, late, move || {
        certify(&tours, &of, &watch, &to)
    })?;
    Ok(Answer {
        answered,
        proof: Some(Proof {
            file,
            written: written.map(|()| None),
        }),
    })
}

impl Answer {
    fn without_proof_of(answered: Answered) -> Self {
        Self {
            answered,
            proof: None,
        }
    }
}

fn certify(
    tours: &Tours,
    answered: &Answered,
    watch: &Budget,
    file: &Path,
) -> Result<(), (Kind, String)> {
    let certificate = Certificate::of(tours, answered, watch).map_err(|error| {
        let kind = match error {
            NoCertificate::NotFound(NoOrder::Late(_)) => Kind::OutOfTime,
            _ => Kind::Error,
        };
        (kind, error.to_string())
    })?;
    let cannot = |error: &dyn Display| (Kind::Error, error.to_string());
    let mut out = Whole::create(file).map_err(|error| cannot(&error))?;
    certificate
        .write(&mut out)
        .map_err(|error| cannot(&error))?;
    out.finish().map_err(|error| cannot(&error))
}

/// Answers by a method. With `number` it finds so many different tours, and with `proof` it writes there why there is none.
#[pyfunction]
#[pyo3(signature = (question, method_name, told, number = None, proof = None))]
pub(crate) fn answer(
    py: Python<'_>,
    question: &Question,
    method_name: &str,
    told: Told,
    number: Option<NonZero<u32>>,
    proof: Option<PathBuf>,
) -> PyResult<Answer> {
    let method = method(py, method_name, &told)?;
    if let Some(file) = proof.as_ref().filter(|file| Certificate::is_named(file)) {
        if number.is_some() {
            let why = "a proof is that there is no tour, and number= asks for several";
            return Err(refused(py, &why));
        }
        let settings = told.settings(py, method.first_seed())?;
        return certified(py, question, method, settings, file.clone());
    }
    let target = |file: PathBuf| {
        Ok::<_, PyErr>(Target {
            format: Format::of(&file, false).map_err(|error| refused(py, &error))?,
            file,
            formula: None,
        })
    };
    let settings = Settings {
        wanted: number.map_or(Wanted::One, Wanted::Several),
        proof: proof.map(target).transpose()?,
        ..told.settings(py, method.first_seed())?
    };
    let file = settings.proof.as_ref().map(|target| target.file.clone());
    let answered = answered(py, question, method, settings)?;
    let wanted = file.filter(|_| answered.record.status == Status::NoTour);
    let proof = wanted.map(|file| Proof {
        file,
        written: match &answered.written {
            Some(Ok(written)) => Ok(Some(written.clone())),
            Some(Err(why)) => Err((Kind::Error, why.to_string())),
            None => Err((Kind::OutOfTime, "a limit came before its end".to_owned())),
        },
    });
    Ok(Answer { answered, proof })
}

/// How many tours there are: by a method, or by whatever counts them.
#[pyfunction]
#[pyo3(signature = (question, method_name, told))]
pub(crate) fn count(
    py: Python<'_>,
    question: &Question,
    method_name: Option<&str>,
    told: Told,
) -> PyResult<BigUint> {
    let way = match method_name {
        Some(name) => counting(py, name, &told)?,
        None => AutoCount.into(),
    };
    let settings = told.settings(py, 1)?;
    let answered = answered(py, question, way, settings)?;
    if let Some(error) = without_answer(py, &answered.record) {
        return Err(error);
    }
    let count = answered.record.count();
    count.ok_or_else(|| {
        let method = &answered.record.method;
        refused(py, &format!("{method} is an estimate: see hamcnf.estimate"))
    })
}

/// The method of this name, which has to count.
fn counting(py: Python<'_>, name: &str, told: &Told) -> PyResult<Method> {
    let method = method(py, name, told)?;
    match method.is_count() {
        true => Ok(method),
        false => Err(refused(py, &format!("{method} does not count tours"))),
    }
}

/// About how many tours there are: the mean, its standard error and confidence interval where there are such, and whether it
/// is exact.
#[pyfunction]
#[pyo3(signature = (question, method_name, states, repetitions, told))]
#[allow(clippy::type_complexity, reason = "it becomes a named tuple in Python")]
pub(crate) fn estimate(
    py: Python<'_>,
    question: &Question,
    method_name: Option<&str>,
    states: Option<usize>,
    repetitions: Option<usize>,
    told: Told,
) -> PyResult<(f64, Option<f64>, Option<(f64, f64)>, bool)> {
    let way = match method_name {
        Some(name) => counting(py, name, &told)?,
        None => {
            let default = Sample::default();
            Method::from(Sample {
                states: states.unwrap_or(default.states),
                repetitions: repetitions.unwrap_or(default.repetitions),
            })
        }
    };
    let settings = told.settings(py, 1)?;
    let answered = answered(py, question, way, settings)?;
    if let Some(error) = without_answer(py, &answered.record) {
        return Err(error);
    }
    let record = &answered.record;
    match (&answered.details, &record.value) {
        (Some(Details::Sample(found)), _) => Ok((
            found.mean,
            Some(found.standard_error),
            Some(found.interval),
            found.exact,
        )),
        (_, Some(number)) => {
            let exact = record.status == Status::Count && matches!(number, Number::Whole(_));
            Ok((number.as_f64(), None, None, exact))
        }
        (_, None) => Err(Kind::Failed.says(py, &"an estimate without a number")),
    }
}
