//! Where tours are sought: boards, graphs by name or from files, and graphs that Python has.

use std::sync::Arc;

use hamcnf::question::{self, GivenGraph, Words};
use hamcnf::{Board, Graph, HoledBoard, Leaper, Numbering, TourKind, Vertex};
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::errors;

/// A board or a graph, and what a text says about its tours.
#[pyclass(frozen, module = "hamcnf._hamcnf")]
pub(crate) struct Place {
    pub(crate) words: Words,
}

#[pymethods]
impl Place {
    /// The board of so many rows and columns, for a piece that jumps so, without these squares.
    #[staticmethod]
    fn board(
        py: Python<'_>,
        rows: u64,
        columns: u64,
        leaper: (u32, u32),
        holes: Vec<String>,
    ) -> PyResult<Self> {
        let (a, b) = leaper;
        let leaper = Leaper::new(a, b)
            .ok_or_else(|| errors::refused(py, &"a (0, 0)-leaper would stay where it is"))?;
        let made = || {
            let board = Board::new(rows, columns, leaper)?;
            let holes = holes.iter().map(|hole| board.square(hole));
            let holes = holes.collect::<Result<Vec<Vertex>, _>>()?;
            HoledBoard::new(board, holes)
        };
        let board = made().map_err(|error| errors::refused(py, &error))?;
        Ok(question::Place::Board(board).into())
    }

    /// What a text names, as on the command line: a board, a graph of a family, a file.
    #[staticmethod]
    fn named(py: Python<'_>, text: &str) -> PyResult<Self> {
        let words = || -> Result<Words, question::PlaceError> {
            let words: Words = text.parse()?;
            // What is asked now is asked of the file as it is now.
            let place = match words.place {
                question::Place::Graph(text) => {
                    let listed = text.read()?;
                    question::Place::Given(GivenGraph {
                        name: text.to_string(),
                        graph: Arc::new(listed.graph),
                        numbering: listed.numbering,
                    })
                }
                place => place,
            };
            Ok(Words { place, ..words })
        };
        let words = words().map_err(|error| errors::refused(py, &error))?;
        Ok(Self { words })
    }

    /// A graph of so many vertices, with edges as pairs of 4-byte numbers in the machine's order of bytes.
    #[staticmethod]
    fn given(py: Python<'_>, name: String, vertices: u32, edges: &[u8]) -> PyResult<Self> {
        let (numbers, _) = edges.as_chunks::<4>();
        let (pairs, _) = numbers.as_chunks::<2>();
        let edges = pairs
            .iter()
            .map(|&[a, b]| (u32::from_ne_bytes(a), u32::from_ne_bytes(b)));
        let graph = Graph::from_edges(vertices, edges);
        let graph = graph.map_err(|error| errors::refused(py, &error))?;
        Ok(question::Place::Given(GivenGraph {
            name,
            graph: Arc::new(graph),
            numbering: Numbering::FromZero,
        })
        .into())
    }

    /// What its vertices are called, in order: squares by their names, others by their numbers.
    fn vertices<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let numbers = |n: u32, numbering: Numbering| {
            PyList::new(py, (0..n).map(|v| numbering.number(Vertex::new(v))))
        };
        match &self.words.place {
            question::Place::Board(board) => {
                let all = (0..board.n_squares()).map(Vertex::new);
                PyList::new(py, all.map(|v| board.vertex_name(v)))
            }
            question::Place::Family(family) => {
                numbers(family.graph().n_vertices(), Numbering::default())
            }
            question::Place::Given(given) => numbers(given.graph.n_vertices(), given.numbering),
            // Texts have been read.
            question::Place::Graph(_) => Ok(PyList::empty(py)),
        }
    }

    /// The pairs of adjacent vertices, by number, the lesser first.
    fn edges(&self, py: Python<'_>) -> PyResult<Vec<(u32, u32)>> {
        let instance = self.words.place.instance(TourKind::Open, None);
        let instance = instance.map_err(|error| errors::refused(py, &error))?;
        let edges = instance.graph().arcs().filter(|arc| arc.tail < arc.head);
        Ok(edges
            .map(|arc| (arc.tail.number(), arc.head.number()))
            .collect())
    }

    fn __str__(&self) -> String {
        self.words.place.to_string()
    }
}

impl From<question::Place> for Place {
    fn from(place: question::Place) -> Self {
        let words = place.into();
        Self { words }
    }
}
