//! Answers of methods to questions: tours, counts and estimates.

use std::num::NonZero;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::available_parallelism;

use hamcnf::method::{AutoCount, Method, Sample};
use hamcnf::proof::Target;
use hamcnf::record::{Number, Record, Status};
use hamcnf::refute::{ProofInformation, ProofMissing};
use hamcnf::run::{Details, Event, Observer, RunResult, Settings, Wanted};
use num_bigint::BigUint;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::{Kind, OrRaise, expect_answer, refused};
use crate::limits::limits;
use crate::question::Question;
use crate::values::columns;
use crate::wait::wait_or;

/// Answer of a method to a question.
#[pyclass(frozen, module = "hamcnf._hamcnf")]
pub(crate) struct Answer {
    answered: Record,
    proof: Option<Proof>,
}

/// Requested proof that there is no tour. The proof has a file, and information about its contents or the reason why it
/// is missing.
struct Proof {
    file: PathBuf,
    evidence: Result<ProofInformation, ProofMissing>,
}

#[pymethods]
impl Answer {
    /// True if the method completed its task.
    #[getter]
    fn is_answer(&self) -> bool {
        self.answered.status.is_answer()
    }

    /// Returns the tours as lists of vertex numbers.
    fn tours(&self) -> Vec<Vec<u32>> {
        self.answered.tours.iter().map(numbers).collect()
    }

    /// Returns the columns of the record: maps the name of each column to its value.
    fn record<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        columns(py, &self.answered)
    }

    /// Returns a dictionary with the proof's file. If the proof is missing, the dictionary also has the reason.
    /// Otherwise it has the encoding and the size of the proof, if the proof uses an encoding. Returns `None` if no
    /// proof was requested.
    fn proof<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let Some(proof) = &self.proof else { return Ok(None) };
        let dict = PyDict::new(py);
        dict.set_item("file", proof.file.as_os_str())?;
        match &proof.evidence {
            Ok(information) => {
                if let Some(encoding) = &information.encoding {
                    dict.set_item("encoding", encoding.to_string())?;
                    dict.set_item("steps", information.size.additions)?;
                    dict.set_item("bytes", information.size.bytes)?;
                }
            }
            Err(missing) => dict.set_item("missing", missing.to_string())?,
        }
        Ok(Some(dict))
    }

    /// Raises an error if the proof could not be written. Returns the reason if a limit ended the search for the proof.
    fn without_proof(&self, py: Python<'_>) -> PyResult<Option<String>> {
        let Some(Proof { file, evidence: Err(missing) }) = &self.proof else { return Ok(None) };
        let file = file.display();
        let why = format!("there is no tour, but {file} was not written: {missing}");
        match missing {
            ProofMissing::Limit => Ok(Some(why)),
            _ => Err(refused(py, &why)),
        }
    }

    /// Raises an exception if the run ended without an answer.
    fn expect(&self, py: Python<'_>) -> PyResult<()> {
        expect_answer(py, &self.answered)
    }
}

/// Returns the vertex numbers of a tour, in order.
pub(crate) fn numbers(tour: &hamcnf::Tour) -> Vec<u32> {
    tour.order().iter().map(|v| v.number()).collect()
}

/// Settings of a method, as callers pass them.
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
            memory: self.memory,
            threads: self.threads.and_then(|threads| NonZero::try_from(threads).ok()),
            ..Settings::default()
        })
    }
}

/// Returns the method with this name. If the method can use several threads, it gets the given number of threads; by
/// default, one per processor.
fn method(py: Python<'_>, name: &str, told: &Told) -> PyResult<Method> {
    let method: Method = name.parse().or_raise(py, Kind::Error)?;
    if !method.has_setting("threads") || (told.threads.is_none() && method.setting("threads").is_some()) {
        return Ok(method);
    }
    let all = || NonZero::try_from(available_parallelism().ok()?).ok();
    let threads = told.threads.or_else(all).unwrap_or(NonZero::<u32>::MIN);
    method.with_setting("threads", &threads.to_string()).or_raise(py, Kind::Error)
}

fn answered(py: Python<'_>, question: &Question, method: Method, mut settings: Settings) -> PyResult<Record> {
    let (asked, stop) = (question.asked(), settings.stop.clone());
    let Settings { seed, limits, .. } = &settings;
    let name = asked.to_string();
    let blank = Record::new(&name, asked.checksum(), &method, *seed, limits);
    // "No tour" is known before its proof is written. If the time limit expires in between, "no tour" is the answer.
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
        result.map(|result| blank.with_result(result))
    };
    wait_or(py, settings.limits.wall, &stop, late, move || method.answer(&asked, &settings))
}

/// Answers a question with a method. If `number` is given, finds this many different tours. If `proof` is given and
/// there is no tour, writes a proof to this file.
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
    if number.is_some() && proof.is_some() {
        let why = "proof= and number= cannot be combined: a proof shows that there is no tour";
        return Err(refused(py, &why));
    }
    let target = proof.map(|file| Target::new(file, false, None));
    let target = target.transpose().or_raise(py, Kind::Error)?;
    let settings = Settings {
        wanted: number.map_or(Wanted::One, Wanted::Several),
        proof: target.clone(),
        ..told.settings(py, method.first_seed())?
    };
    let answered = answered(py, question, method, settings)?;
    let target = target.filter(|_| answered.status == Status::NoTour);
    let proof = target.map(|target| Proof {
        file: target.file,
        evidence: answered.evidence.clone().unwrap_or(Err(ProofMissing::Limit)),
    });
    Ok(Answer { answered, proof })
}

/// Counts the tours with the named method or, if no method is named, with the first exact method that applies.
#[pyfunction]
#[pyo3(signature = (question, method_name, told))]
pub(crate) fn count(py: Python<'_>, question: &Question, method_name: Option<&str>, told: Told) -> PyResult<BigUint> {
    let way = match method_name {
        Some(name) => counting(py, name, &told)?,
        None => AutoCount::default().into(),
    };
    let settings = told.settings(py, 1)?;
    let answered = answered(py, question, way, settings)?;
    expect_answer(py, &answered)?;
    let count = match answered.status {
        Status::Residue => answered.whole().cloned(),
        _ => answered.count(),
    };
    count.ok_or_else(|| {
        let method = &answered.asked.method;
        refused(py, &format!("method \"{method}\" estimates; use hamcnf.estimate"))
    })
}

/// Returns the method with this name; raises an error if the method does not count tours.
fn counting(py: Python<'_>, name: &str, told: &Told) -> PyResult<Method> {
    let method = method(py, name, told)?;
    if method.is_count() { Ok(method) } else { Err(refused(py, &format!("method {method} does not count tours"))) }
}

/// Estimates the number of tours. Returns the mean, a flag that is true if the mean is exact, and the standard error
/// and the confidence interval if the method provides them.
#[pyfunction]
#[pyo3(signature = (question, method_name, states, repetitions, told))]
#[allow(clippy::type_complexity, reason = "the tuple becomes a named tuple in Python")]
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
    expect_answer(py, &answered)?;
    match (&answered.details, &answered.value) {
        (Some(Details::Sample(found)), _) => {
            Ok((found.mean, Some(found.standard_error), Some(found.interval), found.exact))
        }
        (_, Some(number)) => {
            let exact = answered.status == Status::Count && matches!(number, Number::Whole(_));
            Ok((number.as_f64(), None, None, exact))
        }
        (_, None) => Err(Kind::Failed.says(py, &"an estimate without a number")),
    }
}
