//! Iteration over all tours, and random sampling of tours.

use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use chacha20::ChaCha8Rng;
use chacha20::rand_core::SeedableRng;
use hamcnf::budget::Stopped;
use hamcnf::cancellation::CancellationToken;
use hamcnf::count::enumerate::{FormulaError, every_tour};
use hamcnf::count::frontier::diagram::Diagram;
use hamcnf::count::not_counted::{Cause, NotCounted};
use hamcnf::endpoints::{Endpoints, Start};
use hamcnf::limits::Limits;
use hamcnf::question;
use hamcnf::run::{Run, Settings};
use hamcnf::solve::{Options, defaults};
use hamcnf::{Encoding, Formula, Instance, obstruction};
use pyo3::prelude::*;

use crate::answer::numbers;
use crate::errors::{Kind, OrRaise, refused};
use crate::limits::limits;
use crate::question::Question;
use crate::wait::{Waiting, wait};

/// Iterator over all tours. A thread finds each tour when it is needed, and one more in advance. A time limit applies
/// to all tours together.
#[pyclass(module = "hamcnf._hamcnf")]
pub(crate) struct Tours {
    /// Receiver of the tours; `None` after the last tour. The lock is needed in free-threaded Python.
    found: Mutex<Option<Waiting<Found>>>,
    stop: CancellationToken,
    last: Option<Instant>,
}

/// Message of the thread that finds tours.
enum Found {
    Tour(Vec<u32>),
    /// End of the search: no tours remain.
    All,
    /// A limit ended the search.
    Late,
    /// The search failed, or the encoding does not accept the question.
    Wrong(FormulaError),
}

#[pymethods]
impl Tours {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&mut self, py: Python<'_>) -> PyResult<Option<Vec<u32>>> {
        let waiting = self.found.get_mut().unwrap_or_else(PoisonError::into_inner);
        let Some(mut found) = waiting.take() else { return Ok(None) };
        let next = loop {
            match found.next(py, self.last) {
                Ok(Some(next)) => break next,
                Ok(None) if self.last.is_some_and(|last| Instant::now() >= last) => {
                    break Found::Late;
                }
                Ok(None) => {}
                Err(raised) => {
                    self.stop.set();
                    return Err(raised);
                }
            }
        };
        match next {
            Found::Tour(tour) => {
                *waiting = Some(found);
                Ok(Some(tour))
            }
            Found::All => Ok(None),
            Found::Late => {
                self.stop.set();
                Err(Kind::OutOfTime.says(py, &"time limit"))
            }
            Found::Wrong(FormulaError::Encode(refusal)) => Err(refused(py, &refusal)),
            Found::Wrong(failure) => Err(Kind::Failed.says(py, &failure)),
        }
    }
}

impl Drop for Tours {
    /// Stops the thread. If the thread is waiting to send a tour, it finds no receiver and ends.
    fn drop(&mut self) {
        self.stop.set();
    }
}

/// Additional waiting time after the deadline.
const GRACE: Duration = Duration::from_millis(200);

/// Returns an iterator over all tours of a question. The tours are found by solving the formula of the encoding; `None`
/// selects a default encoding.
#[pyfunction]
#[pyo3(signature = (question, encoding, seed, timeout))]
pub(crate) fn tours(
    py: Python<'_>,
    question: &Question,
    encoding: Option<&str>,
    seed: u32,
    timeout: Option<f64>,
) -> PyResult<Tours> {
    let asked = Arc::clone(question.tours());
    if asked.end().is_some() {
        return Err(refused(py, &"hamcnf.tours does not support end=; use end= with solve, count, estimate or sample"));
    }
    let encoding = encoding.map(str::parse::<Encoding>).transpose().or_raise(py, Kind::Error)?;
    let limits = limits(py, timeout, None, None)?;
    let stop = CancellationToken::default();
    let began = Instant::now();
    let (tell, told) = mpsc::sync_channel(1);
    let encoding = encoding.unwrap_or_else(|| defaults::listed(asked.instance()));
    let (deadline, options) = (limits.deadline(began), Options { seed, stop: stop.clone(), ..Options::default() });
    thread::spawn(move || {
        let mut hand_over = |tour: hamcnf::Tour| match tell.send(Found::Tour(numbers(&tour))) {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        };
        let last = match find_all(&asked, &encoding, deadline, &options, &mut hand_over) {
            Ok(true) => Found::All,
            Ok(false) => Found::Late,
            Err(error) => Found::Wrong(error),
        };
        // The receiver may be gone already.
        let _ = tell.send(last);
    });
    Ok(Tours {
        found: Mutex::new(Some(Waiting::new(told))),
        stop,
        last: deadline.and_then(|end| end.checked_add(GRACE)),
    })
}

/// Finds the tours until the deadline. Returns true if all tours were found.
fn find_all(
    tours: &question::Tours,
    encoding: &Encoding,
    deadline: Option<Instant>,
    options: &Options,
    found: &mut dyn FnMut(hamcnf::Tour) -> ControlFlow<()>,
) -> Result<bool, FormulaError> {
    let instance = tours.instance();
    let starts: Vec<Instance> = match tours.start() {
        Start::Given => vec![instance.clone()],
        // Every vertex of the graph is a valid start.
        Start::Anywhere => instance.graph().vertices().filter_map(|v| instance.starting_at(v).ok()).collect(),
    };
    for from in &starts {
        // A start with an obstruction needs no search.
        if obstruction(from, Endpoints::of(from)).is_some() {
            continue;
        }
        let formula = Formula::new(encoding.clone(), from)?;
        let wall = deadline.map(|end| end.saturating_duration_since(Instant::now()));
        let options = Options { limits: Limits { wall, ..Limits::default() }, ..options.clone() };
        if !every_tour(&formula, &options, found)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Returns tours that are sampled uniformly at random from the decision diagram of all tours. The list is empty if
/// there is no tour.
#[pyfunction]
#[pyo3(signature = (question, number, seed, timeout, memory))]
pub(crate) fn sample(
    py: Python<'_>,
    question: &Question,
    number: usize,
    seed: u64,
    timeout: Option<f64>,
    memory: Option<u64>,
) -> PyResult<Vec<Vec<u32>>> {
    let asked = question.tours().clone();
    if asked.instance().is_directed() || asked.instance().is_constrained() {
        let why = "random tours support neither directed graphs nor constraints; use hamcnf.tours";
        return Err(refused(py, &why));
    }
    let settings = Settings { limits: limits(py, timeout, None, None)?, memory, ..Settings::default() };
    let budget = Run::begin(&settings).budget();
    let drawn = wait(py, settings.limits.wall, &settings.stop, move || {
        let diagram = Diagram::new(asked.instance(), asked.ends(), &budget, &mut |_| ())?;
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut all = Vec::new();
        while all.len() < number {
            if budget.over().is_some() {
                return Ok(None);
            }
            let Some(tour) = diagram.sample(&mut random) else { break };
            all.push(numbers(&tour));
        }
        Ok(Some(all))
    })?;
    let drawn = drawn.map_err(|error: NotCounted| {
        let kind = match error.cause {
            Cause::Limit(Stopped::Memory) => Kind::OutOfMemory,
            Cause::Limit(_) => Kind::OutOfTime,
            _ => Kind::Error,
        };
        kind.says(py, &error)
    })?;
    drawn.ok_or_else(|| Kind::OutOfTime.says(py, &"time limit"))
}
