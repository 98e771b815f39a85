//! Questions about a graph source, and functions for a single tour.

use std::sync::Arc;

use hamcnf::constraint::{self, ConstraintKind};
use hamcnf::endpoints::{Endpoints, Start};
use hamcnf::question::{self, ConstraintSpec, Files, QuestionSpec, StartSpec, Tours};
use hamcnf::render::{Picture, Style, svg as drawn};
use hamcnf::{Instance, InstanceError, NotATour, Tour, TourKind, Vertex};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::errors::{Kind, refused};
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
        let kind = open.map(|open| match open {
            true => TourKind::Open,
            false => TourKind::Closed,
        });
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
        let tours = spec.load(&files).map_err(|error| refused(py, &error))?;
        if says.0 || says.1 {
            let said = text.load(&files).map_err(|error| refused(py, &error))?;
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
        let tours = Arc::new(tours);
        Ok(Self { tours })
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

/// Reason why an order of the vertices is not a tour that the question asks for.
#[derive(Debug, thiserror::Error)]
pub(crate) enum WrongTour {
    #[error(transparent)]
    Start(#[from] InstanceError),
    #[error(transparent)]
    Tour(#[from] NotATour),
    #[error("the tour does not end at {0}")]
    End(String),
}

/// Returns the tour that visits the vertices in this order, with its instance.
pub(crate) fn checked(tours: &Tours, order: &[u32]) -> Result<(Instance, Tour), WrongTour> {
    let order: Vec<Vertex> = order.iter().copied().map(Vertex::new).collect();
    let instance = tours.instance();
    // A tour from anywhere is checked with its own first vertex as the start.
    let start = match (tours.start(), order.first()) {
        (Start::Anywhere, Some(&first)) => first,
        _ => instance.start(),
    };
    let instance = instance.starting_at(start)?;
    let tour = Tour::check(&instance, order)?;
    let last = tour.order().last().copied();
    match tours.ends() {
        Endpoints::Open { to: Some(to), .. } if last != Some(to) => {
            let to = instance.vertex_name(to);
            Err(WrongTour::End(to))
        }
        _ => Ok((instance, tour)),
    }
}

/// Checks a tour move by move.
#[pyfunction]
pub(crate) fn check(py: Python<'_>, question: &Question, order: Vec<u32>) -> PyResult<()> {
    let tours = Arc::clone(question.tours());
    let checked = py.detach(move || checked(&tours, &order));
    match checked {
        Ok(_) => Ok(()),
        Err(why) => Err(Kind::NotATour.says(py, &why)),
    }
}

/// Returns a tour as an SVG document.
#[pyfunction]
pub(crate) fn svg(
    py: Python<'_>,
    question: &Question,
    order: Vec<u32>,
    numbers: bool,
    animate: bool,
) -> PyResult<String> {
    let tours = Arc::clone(question.tours());
    let style = Style { numbers, animate, ..Style::default() };
    let document = py.detach(move || {
        let (instance, tour) = checked(&tours, &order)?;
        Ok::<_, WrongTour>(drawn::document(&Picture::tour(&instance, &tour).scene(style)))
    });
    document.map_err(|why| Kind::NotATour.says(py, &why))
}
