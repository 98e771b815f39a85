//! Clauses of an encoding, and the interpretation of their models.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hamcnf::atomic_file::AtomicFile;
use hamcnf::cancellation::CancellationToken;
use hamcnf::endpoints::Start;
use hamcnf::question::{Head, Tours};
use hamcnf::{
    ClauseSink, Clauses as _, DimacsWriter, Encoding, Family, Formula, Header, Model, Projection, ProjectionFormat,
    Reading, Vertex,
};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyInt, PyList};
use rustsat::types::{Lit, Var};

use crate::answer::numbers;
use crate::errors::{Kind, OrRaise, refused};
use crate::question::Question;
use crate::wait::wait;

/// Result of reading a model: the vertices of the tour that it encodes, and an empty list. If the model is not a tour,
/// `None` and the cycles of the model.
type Read = (Option<Vec<u32>>, Vec<Vec<u32>>);

/// Formula whose clauses are generated on demand.
#[pyclass(frozen, module = "hamcnf._hamcnf")]
pub(crate) struct Clauses {
    tours: Arc<Tours>,
    formula: Formula,
}

/// Returns the formula of an encoding for a question, with the variables of a projection set.
#[pyfunction]
pub(crate) fn encode(
    py: Python<'_>,
    question: &Question,
    encoding: &str,
    projection: Option<&str>,
) -> PyResult<Clauses> {
    let tours = Arc::clone(question.tours());
    let instance = tours.instance().with_fixed_start(tours.ends()).or_raise(py, Kind::Error)?;
    let encoding: Encoding = encoding.parse().or_raise(py, Kind::Error)?;
    if let Some(refinement) = encoding.for_solver() {
        let why = format!(
            "the refinement \"{refinement}\" works only with hamcnf's own solver and adds no clauses; remove the refinement from \"{encoding}\""
        );
        return Err(refused(py, &why));
    }
    let encoding = match projection {
        Some(set) => encoding.for_projection(&parsed(py, set)?),
        None => encoding,
    };
    let formula = wait(py, None, &CancellationToken::default(), move || Formula::new(encoding, &instance))?;
    Ok(Clauses { tours, formula: formula.or_raise(py, Kind::Error)? })
}

fn parsed(py: Python<'_>, set: &str) -> PyResult<Projection> {
    set.parse().or_raise(py, Kind::Error)
}

/// Literals of all clauses in sequence, with the position where each clause ends.
#[derive(Default)]
struct Flat {
    literals: Vec<i32>,
    ends: Vec<usize>,
}

impl ClauseSink for Flat {
    fn family(&mut self, _: Family) {}

    fn clause(&mut self, literals: &[Lit]) {
        let literals = literals.iter().map(|literal| literal.to_ipasir());
        self.literals.extend(literals);
        self.ends.push(self.literals.len());
    }
}

/// Sink that accepts no more clauses after it is stopped.
struct Stoppable<'s, S> {
    sink: S,
    stop: &'s CancellationToken,
}

impl<S: ClauseSink> ClauseSink for Stoppable<'_, S> {
    fn family(&mut self, family: Family) {
        self.sink.family(family);
    }

    fn clause(&mut self, literals: &[Lit]) {
        if !self.stop.is_set() {
            self.sink.clause(literals);
        }
    }

    fn no_two(&mut self, literals: &[Lit]) {
        if !self.stop.is_set() {
            self.sink.no_two(literals);
        }
    }
}

#[pymethods]
impl Clauses {
    /// Number of variables, including auxiliary variables.
    #[getter]
    fn variables(&self) -> u32 {
        self.formula.n_vars()
    }

    /// Canonical name of the encoding.
    #[getter]
    fn encoding(&self) -> String {
        self.formula.encoding().to_string()
    }

    /// True if every model is a tour.
    #[getter]
    fn is_exact(&self) -> bool {
        self.formula.is_exact()
    }

    /// Number of models (assignments of all variables) for each tour that has models.
    #[getter]
    fn models_per_tour(&self) -> u32 {
        (self.formula.models_per_tour() / self.tours.ends().directions()).max(1)
    }

    /// Number of the vertex where tours begin, from 0; `None` if they begin anywhere.
    #[getter]
    fn start(&self) -> Option<u32> {
        let start = self.tours.instance().start().number();
        (self.tours.start() == Start::Given).then_some(start)
    }

    /// Number of the vertex where open tours must end; `None` if they end anywhere.
    #[getter]
    fn end(&self) -> Option<u32> {
        self.tours.end().map(hamcnf::Vertex::number)
    }

    /// Kind of tours: `closed` or `open`.
    #[getter]
    fn kind(&self) -> String {
        self.tours.instance().kind().to_string()
    }

    /// Returns the number of clauses.
    fn count(&self, py: Python<'_>) -> PyResult<u64> {
        let formula = self.formula.clone();
        wait(py, None, &CancellationToken::default(), move || formula.tally().total().clauses)
    }

    /// Returns the clauses as lists of literals. Equal literals are the same integer object.
    fn lists<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let Flat { literals, ends } = self.flat(py)?;
        let variables = i64::from(self.formula.n_vars());
        let numbers = (-variables..=variables)
            .map(|number| Ok(number.into_pyobject(py)?))
            .collect::<PyResult<Vec<Bound<'py, PyInt>>>>()?;
        let number = |literal: &i32| &numbers[(i64::from(*literal) + variables) as usize];
        let mut begin = 0;
        let mut clause = |&end: &usize| {
            let literals = &literals[std::mem::replace(&mut begin, end)..end];
            PyList::new(py, literals.iter().map(number))
        };
        let clauses = PyList::empty(py);
        ends.iter().try_for_each(|end| clauses.append(clause(end)?))?;
        Ok(clauses)
    }

    /// Returns the literals of all clauses in sequence (4 bytes each), and the positions where the clauses begin (8
    /// bytes each). An additional position marks the end of the last clause.
    fn bytes<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyBytes>, Bound<'py, PyBytes>)> {
        let Flat { literals, ends } = self.flat(py)?;
        let begins = std::iter::once(0).chain(ends);
        let literals: Vec<u8> = literals.iter().flat_map(|literal| literal.to_ne_bytes()).collect();
        let begins: Vec<u8> = begins.flat_map(|begin| (begin as u64).to_ne_bytes()).collect();
        Ok((PyBytes::new(py, &literals), PyBytes::new(py, &begins)))
    }

    /// Returns the names of the variables, in order.
    fn names(&self) -> Vec<String> {
        (0..self.formula.n_vars()).map(Var::new).map(|var| self.formula.variable_name(var)).collect()
    }

    /// Returns the variables of arcs as tuples: tail, head and variable. The list is empty if the encoding has no arcs
    /// or relabels the vertices.
    fn arcs(&self) -> Vec<(u32, u32, i32)> {
        variables(self.tours.instance().digraph().arcs(), |tail, head| self.formula.arc(tail, head))
    }

    /// Returns the variables of edges as tuples: smaller end, greater end and variable. The list is empty if the
    /// encoding has no edges or relabels the vertices.
    fn edges(&self) -> Vec<(u32, u32, i32)> {
        let edges = self.tours.instance().graph().arcs().filter(|arc| arc.tail < arc.head);
        variables(edges, |end, other| self.formula.edge(end, other))
    }

    /// Returns the variables of a projection set.
    fn projection(&self, py: Python<'_>, set: &str) -> PyResult<Option<Vec<i32>>> {
        let found = self.projected(py, set)?;
        Ok(found.map(|found| found.iter().map(|var| var.to_ipasir()).collect()))
    }

    /// Writes a DIMACS file, compressed if the file name ends in `.gz` or `.zst`.
    #[pyo3(signature = (file, projection, names))]
    fn write(&self, py: Python<'_>, file: PathBuf, projection: Option<&str>, names: bool) -> PyResult<()> {
        let set = projection.map(|set| self.projected(py, set)).transpose()?;
        let (tours, formula, stop) = (Arc::clone(&self.tours), self.formula.clone(), CancellationToken::default());
        let flag = stop.clone();
        let written =
            wait(py, None, &stop, move || written(&tours, &formula, &file, set.flatten().as_deref(), names, &flag))?;
        written.or_raise(py, Kind::Error)
    }

    /// Returns the tour that a model encodes. Returns the cycles instead if the model consists of several cycles, which
    /// is possible only for an encoding that is not exact. A model is a list of literals.
    fn read(&self, py: Python<'_>, model: Vec<i64>) -> PyResult<Read> {
        match self.formula.read(&self.model(&model)).or_raise(py, Kind::NotATour)? {
            Reading::Tour(tour) => {
                let (_, tour) = self.formula.instance().original_tour(&tour).or_raise(py, Kind::NotATour)?;
                Ok((Some(numbers(&tour)), Vec::new()))
            }
            Reading::Cycles(cycles) => {
                // The added vertex is no vertex of the question.
                let n = self.tours.instance().n();
                let numbers =
                    |cycle: &Vec<Vertex>| -> Vec<u32> { cycle.iter().map(|v| v.number()).filter(|&v| v < n).collect() };
                Ok((None, cycles.iter().map(numbers).collect()))
            }
        }
    }

    /// Returns the subtour-elimination clauses that a model violates. The list is empty if the encoding is exact.
    fn cuts(&self, py: Python<'_>, model: Vec<i64>) -> PyResult<Vec<Vec<i32>>> {
        let model = self.model(&model);
        // An assignment that is not a model has no cycles to exclude, and must not be taken for a model of a tour.
        self.formula.read(&model).or_raise(py, Kind::NotATour)?;
        Ok(lists(&self.formula.cuts(&model)))
    }

    /// Returns the clauses that exclude all models of a tour. `order` contains the vertices of the tour.
    fn blocking(&self, py: Python<'_>, order: Vec<u32>) -> PyResult<Vec<Vec<i32>>> {
        let (_, tour) = self.tours.checked(&order).or_raise(py, Kind::NotATour)?;
        let instance = self.formula.instance();
        let tour = instance.tour_of_original(tour.order().to_vec());
        let tour = tour.or_raise(py, Kind::NotATour)?;
        let mut blocking = self.formula.blocking(&tour);
        if instance.added().is_some() {
            // The reverse of an open tour is another tour.
            blocking.truncate(1);
        }
        Ok(lists(&blocking))
    }
}

impl Clauses {
    fn flat(&self, py: Python<'_>) -> PyResult<Flat> {
        let (formula, stop) = (self.formula.clone(), CancellationToken::default());
        let flag = stop.clone();
        wait(py, None, &stop, move || {
            let mut flat = Stoppable { sink: Flat::default(), stop: &flag };
            formula.emit(&mut flat);
            flat.sink
        })
    }

    fn projected(&self, py: Python<'_>, set: &str) -> PyResult<Option<Vec<Var>>> {
        let set = parsed(py, set)?;
        self.formula.project(&set).or_raise(py, Kind::Error)
    }

    /// Returns the model in which the given literals are true. Ignores literals of variables outside the formula.
    fn model(&self, model: &[i64]) -> Model {
        let mut values = vec![None; self.formula.n_vars() as usize];
        for &literal in model {
            let place = literal.unsigned_abs().checked_sub(1);
            let place = place.and_then(|place| usize::try_from(place).ok());
            if let Some(value) = place.and_then(|place| values.get_mut(place)) {
                *value = Some(literal > 0);
            }
        }
        values.into_iter().collect()
    }
}

/// Returns the ends and the variable of each arc that has a variable.
fn variables(
    arcs: impl Iterator<Item = hamcnf::Arc>,
    variable: impl Fn(Vertex, Vertex) -> Option<Lit>,
) -> Vec<(u32, u32, i32)> {
    let of = |arc: hamcnf::Arc| Some((arc.tail.number(), arc.head.number(), variable(arc.tail, arc.head)?.to_ipasir()));
    arcs.filter_map(of).collect()
}

fn lists(clauses: &[rustsat::types::Clause]) -> Vec<Vec<i32>> {
    let of = |clause: &rustsat::types::Clause| clause.iter().map(|literal| literal.to_ipasir()).collect();
    clauses.iter().map(of).collect()
}

fn written(
    tours: &Tours,
    formula: &Formula,
    file: &Path,
    projection: Option<&[Var]>,
    names: bool,
    stop: &CancellationToken,
) -> Result<(), Box<dyn Error + Send + Sync>> {
    let mut out = AtomicFile::create(file)?;
    let name = |var| formula.variable_name(var);
    let mut comments = Head::of_clauses(tours, formula);
    // The type of the Model Counting Competition. A projection line has a type of its own.
    comments.extend(projection.is_none().then(|| "t mc".to_owned()));
    let header = Header {
        comments: &comments,
        variables: formula.n_vars(),
        clauses: formula.tally().total().clauses,
        projection: projection.map(|set| (ProjectionFormat::Show, set)),
        names: names.then_some(&name as &dyn Fn(Var) -> String),
    };
    let mut sink = Stoppable { sink: DimacsWriter::new(&mut out, &header), stop };
    formula.emit(&mut sink);
    // If the work is stopped, the atomic file is not finished, so it never appears.
    if !stop.is_set() {
        sink.sink.finish()?;
        out.finish()?;
    }
    Ok(())
}
