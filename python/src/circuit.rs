//! Circuit constraint over the literals of a caller's model.

use std::collections::HashSet;

use hamcnf::Encoding;
use hamcnf::Term;
use hamcnf::circuit::{Circuit, CircuitError, ClauseDatabase, EncodedCircuit, NotACircuit, Visits};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyBool;
use rustsat::types::{Lit, Var};

use crate::errors::{Kind, OrRaise, refused};

/// Arc with its literal.
type Link<'py> = (u32, u32, Bound<'py, PyAny>);

/// Options of a circuit. The Python file documents them.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Options<'py> {
    directed: bool,
    skip: Vec<(u32, Bound<'py, PyAny>)>,
    optional: Vec<u32>,
    empty: bool,
    path: Option<(Option<u32>, Option<u32>)>,
    depot: Option<u32>,
    root: Option<u32>,
    when: Option<Bound<'py, PyAny>>,
    at_least: Option<u32>,
    at_most: Option<u32>,
    names: Vec<String>,
}

/// Clauses of a circuit, with auxiliary variables from a pool.
#[pyclass(frozen, module = "hamcnf._hamcnf")]
pub(crate) struct CircuitClauses {
    encoded: EncodedCircuit,
    clauses: Vec<Vec<i32>>,
    top: i32,
}

/// Database that takes variables from a Python function, or counts them from `top` on.
struct Pool<'a, 'py> {
    fresh: Option<&'a Bound<'py, PyAny>>,
    clauses: Vec<Vec<i32>>,
    top: i32,
}

impl ClauseDatabase for Pool<'_, '_> {
    type Error = PyErr;

    fn new_var(&mut self) -> PyResult<Var> {
        let number = match self.fresh {
            None => self.top.checked_add(1).ok_or_else(|| PyTypeError::new_err("there are too many variables"))?,
            Some(fresh) => fresh.call0()?.extract()?,
        };
        self.top = self.top.max(number);
        variable(number).map(Lit::var)
    }

    fn add_clause(&mut self, literals: &[Lit]) -> PyResult<()> {
        self.clauses.push(literals.iter().map(|literal| literal.to_ipasir()).collect());
        Ok(())
    }
}

/// Returns a literal.
fn variable(number: i32) -> PyResult<Lit> {
    Lit::from_ipasir(number).map_err(|_| PyTypeError::new_err(format!("{number} is not a literal")))
}

/// Returns a literal or a constant, and raises `top` to its variable.
fn term(value: &Bound<'_, PyAny>, top: &mut i32) -> PyResult<Term> {
    if let Ok(constant) = value.cast::<PyBool>() {
        return Ok(if constant.is_true() { Term::True } else { Term::False });
    }
    let range = format!("from 1 to {}", i32::MAX);
    let shown = value.repr().map_or_else(|_| String::new(), |shown| shown.to_string());
    let wrong = || {
        PyTypeError::new_err(format!(
            "{shown} is not a literal: use True, False, or a variable {range} or its negation"
        ))
    };
    let number: i32 = value.extract().map_err(|_| wrong())?;
    let literal = variable(number).map_err(|_| wrong())?;
    *top = (*top).max(number.abs());
    Ok(Term::Lit(literal))
}

/// Returns the clauses of a circuit. `fresh` returns a new variable; without it, variables follow `top` and those of the
/// literals.
#[pyfunction]
pub(crate) fn circuit(
    py: Python<'_>,
    links: Vec<Link<'_>>,
    encoding: &str,
    options: Options<'_>,
    fresh: Option<Bound<'_, PyAny>>,
    top: i32,
) -> PyResult<CircuitClauses> {
    let encoding: Encoding = encoding.parse().or_raise(py, Kind::Error)?;
    let n = options.names.len() as u32;
    let mut circuit = if options.directed { Circuit::of_arcs(n) } else { Circuit::of_edges(n) };
    let mut top = top;
    for (v, literal) in options.skip {
        circuit.skipped_if(v, term(&literal, &mut top)?);
    }
    for (tail, head, literal) in links {
        circuit.link(tail, head, term(&literal, &mut top)?);
    }
    for v in options.optional {
        circuit.optional(v);
    }
    if let Some((from, to)) = options.path {
        circuit.path(from, to);
    }
    options.depot.map(|v| circuit.depot(v));
    options.root.map(|v| circuit.root(v));
    if options.empty {
        circuit.allow_empty();
    }
    match options.when.map(|when| term(&when, &mut top)).transpose()? {
        None | Some(Term::True) => {}
        Some(Term::Lit(literal)) => drop(circuit.only_if(literal)),
        Some(Term::False) => return Err(refused(py, &"when is False, so that the constraint never holds")),
    }
    circuit.at_least(options.at_least.unwrap_or(0)).at_most(options.at_most.unwrap_or(u32::MAX));
    circuit.called(hamcnf::VertexNames::of_words(options.names));
    let mut pool = Pool { fresh: fresh.as_ref(), clauses: Vec::new(), top };
    match circuit.encode(&encoding, &mut pool) {
        Ok(encoded) => Ok(CircuitClauses { encoded, clauses: pool.clauses, top: pool.top }),
        Err(CircuitError::Database(error)) => Err(error),
        Err(CircuitError::Circuit(why)) => Err(refused(py, &why)),
    }
}

#[pymethods]
impl CircuitClauses {
    /// Greatest variable.
    #[getter]
    fn top(&self) -> i32 {
        self.top
    }

    /// True if every model has one circuit.
    #[getter]
    fn is_exact(&self) -> bool {
        self.encoded.is_exact()
    }

    fn clauses(&self) -> Vec<Vec<i32>> {
        self.clauses.clone()
    }

    /// Auxiliary variables.
    fn auxiliary(&self) -> Vec<i32> {
        self.encoded.auxiliary().iter().map(|literal| literal.to_ipasir()).collect()
    }

    /// Literal or constant "vertex `v` is visited".
    fn visited<'py>(&self, py: Python<'py>, v: u32) -> PyResult<Bound<'py, PyAny>> {
        Ok(match self.encoded.visited(v) {
            Term::Lit(literal) => literal.to_ipasir().into_pyobject(py)?.into_any(),
            constant => PyBool::new(py, constant == Term::True).to_owned().into_any(),
        })
    }

    /// Shape of the true arcs of a model, with the vertices of each part in order.
    fn read(&self, py: Python<'_>, model: HashSet<i32>) -> PyResult<(&'static str, Vec<Vec<u32>>)> {
        let visits = match self.encoded.circuit().read(|literal| holds(&model, literal)) {
            Err(NotACircuit::Several(parts)) => return Ok(("several", parts)),
            read => read.or_raise(py, Kind::NotATour)?,
        };
        Ok(match visits {
            Visits::Inactive => ("inactive", Vec::new()),
            Visits::Empty => ("empty", Vec::new()),
            Visits::Circuit(order) => ("circuit", vec![order]),
            Visits::Path(order) => ("path", vec![order]),
            Visits::Routes(routes) => ("routes", routes),
        })
    }

    /// Clauses that exclude a model with several circuits.
    fn cuts(&self, model: HashSet<i32>) -> Vec<Vec<i32>> {
        let cuts = self.encoded.cuts(|literal| holds(&model, literal));
        cuts.into_iter().map(|cut| cut.into_iter().map(Lit::to_ipasir).collect()).collect()
    }
}

/// True if a literal holds in a model, whose variables without a literal are false.
fn holds(model: &HashSet<i32>, literal: Lit) -> bool {
    model.contains(&literal.var().pos_lit().to_ipasir()) == literal.is_pos()
}
