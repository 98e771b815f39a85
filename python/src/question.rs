//! Questions about a graph source, and functions for a single tour.

use std::sync::Arc;

use hamcnf::TourKind;
use hamcnf::constraint::{self, ConstraintKind};
use hamcnf::question::{self, ConstraintSpec, Files, QuestionSpec, StartSpec, Tours};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::errors::{Kind, OrRaise, refused};
use crate::place::Place;

/// Question about tours.
#[pyclass(frozen, module = "hamcnf._hamcnf")]
pub(crate) struct Question {
    tours: Arc<Tours>,
}

#[pymethods]
impl Question {
    /// Returns the question about closed or open tours of a board or graph, between vertices given by name. Open tours
    /// may start anywhere, unless `start` or the text of the graph source names the start. Each constraint is a name
    /// and a value.
    #[new]
    #[pyo3(signature = (place, open = None, start = None, end = None, constraints = Vec::new()))]
    fn new(
        py: Python<'_>,
        place: &Place,
        open: Option<bool>,
        start: Option<String>,
        end: Option<String>,
        constraints: Vec<(String, String)>,
    ) -> PyResult<Self> {
        let mut text = place.spec.clone();
        for (name, value) in constraints {
            let kind = ConstraintKind::named(&name).ok_or_else(|| {
                let names: Vec<_> = constraint::ALL.iter().map(|kind| kind.name).collect();
                let names = names.join(", ").replace('-', "_");
                PyTypeError::new_err(format!("unexpected keyword argument \"{name}\"; constraints are {names}"))
            })?;
            text.constraints.push(ConstraintSpec { kind, value });
        }
        let kind = open.map(|open| if open { TourKind::Open } else { TourKind::Closed });
        if let (Some(said), Some(asked)) = (text.kind, kind)
            && said != asked
        {
            let why = format!("the text asks for {said} tours, but open= asks for {asked} tours");
            return Err(refused(py, &why));
        }
        let says = (text.start.is_some() && start.is_some(), text.end.is_some() && end.is_some());
        let open = kind.or(text.kind).map_or(end.is_some(), |kind| kind == TourKind::Open);
        let anywhere = open && text.start.is_none();
        let spec = text.clone();
        let spec = QuestionSpec {
            kind: kind.or(spec.kind),
            start: start.map(StartSpec::Named).or(spec.start).or(anywhere.then_some(StartSpec::Anywhere)),
            end: end.or(spec.end),
            ..spec
        };
        let files = Files::default();
        let tours = spec.load(&files).or_raise(py, Kind::Error)?;
        if says.0 || says.1 {
            let said = text.load(&files).or_raise(py, Kind::Error)?;
            let starts = [&said, &tours].map(|tours| (tours.start(), tours.instance().start()));
            for (both, differ, name) in
                [(says.0, starts[0] != starts[1], "start"), (says.1, said.end() != tours.end(), "end")]
            {
                if both && differ {
                    let why = format!("the text \"{said}\" and {name}= contradict each other; remove one of them");
                    return Err(refused(py, &why));
                }
            }
        }
        Ok(Self { tours: Arc::new(tours) })
    }

    /// Kind of tours: `closed` or `open`.
    #[getter]
    fn kind(&self) -> String {
        self.tours.instance().kind().to_string()
    }

    /// Checksum of the edges; empty for a board.
    #[getter]
    fn checksum(&self) -> String {
        self.tours.checksum().to_owned()
    }

    fn __str__(&self) -> String {
        self.tours.to_string()
    }
}

impl Question {
    pub(crate) fn tours(&self) -> &Arc<Tours> {
        &self.tours
    }

    /// Returns the question in the form that methods accept.
    pub(crate) fn asked(&self) -> question::Question {
        question::Question::Tours(Arc::clone(&self.tours))
    }
}

/// Checks a tour move by move.
#[pyfunction]
pub(crate) fn check(py: Python<'_>, question: &Question, order: Vec<u32>) -> PyResult<()> {
    let tours = Arc::clone(question.tours());
    py.detach(move || tours.checked(&order).map(drop)).or_raise(py, Kind::NotATour)
}

/// Returns a tour as an SVG document.
#[cfg(feature = "full")]
#[pyfunction]
pub(crate) fn svg(
    py: Python<'_>,
    question: &Question,
    order: Vec<u32>,
    numbers: bool,
    animate: bool,
) -> PyResult<String> {
    use hamcnf::question::WrongTour;
    use hamcnf::render::{Scene, Style, svg};

    let tours = Arc::clone(question.tours());
    let style = Style { numbers, animate, ..Style::default() };
    let document = py.detach(move || {
        let (instance, tour) = tours.checked(&order)?;
        Ok::<_, WrongTour>(svg::document(&Scene::tour(&instance, &tour, style)))
    });
    document.or_raise(py, Kind::NotATour)
}
