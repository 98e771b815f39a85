//! Graph sources: boards, graphs by name or from files, and graphs in Python's memory.

use std::sync::{Arc, Mutex, PoisonError};

use hamcnf::question::{Files, GivenGraph, GraphSource, GraphSourceError, QuestionSpec, SeveralGraphs};
use hamcnf::{
    AnyGraph, Board, Digraph, Graph, HoledBoard, Leaper, Numbering, Piece, TourKind, Vertex, VertexNames, VertexWords,
};
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::errors::{Kind, OrRaise};

/// Board or graph, as a question specification. The text of the board or graph may also specify other properties of a
/// question, such as the start.
#[pyclass(frozen, module = "hamcnf._hamcnf")]
pub(crate) struct Place {
    pub(crate) spec: QuestionSpec,
}

#[pymethods]
impl Place {
    /// Returns the board with these numbers of rows and columns, without the squares in `holes`. `piece` is written as
    /// on the command line, such as `king` or `2,3`.
    #[staticmethod]
    fn board(py: Python<'_>, rows: u64, columns: u64, piece: &str, holes: Vec<String>) -> PyResult<Self> {
        let made = || {
            let board = Board::new(rows, columns, piece.parse::<Piece>()?)?;
            let holes = holes.iter().map(|hole| board.square(hole)).collect::<Result<Vec<Vertex>, _>>()?;
            HoledBoard::new(board, holes)
        };
        Ok(GraphSource::Board(made().or_raise(py, Kind::Error)?).into())
    }

    /// Returns the graph source that a text names, as on the command line: a board, a graph of a family, or a file.
    #[staticmethod]
    fn named(py: Python<'_>, text: &str) -> PyResult<Self> {
        let spec = || -> Result<QuestionSpec, GraphSourceError> {
            let files = Files::default();
            let spec = QuestionSpec::settled(text, &files)?;
            if spec.source.is_standard_input() {
                return Err(GraphSourceError::NotLasting(text.to_owned()));
            }
            // The file is read now, so that later questions are about its present contents.
            let source = match spec.source.text() {
                Some(_) => {
                    let loaded = spec.source.load(&files)?;
                    GraphSource::Given(GivenGraph {
                        name: loaded.source.to_string(),
                        names: loaded.names.clone(),
                        graph: Arc::new(loaded.into_graph()),
                        origin: None,
                    })
                }
                None => spec.source,
            };
            Ok(QuestionSpec { source, ..spec })
        };
        let spec = py.detach(spec).or_raise(py, Kind::Error)?;
        Ok(Self { spec })
    }

    /// Returns an iterator over the graphs of a source: all graphs of a text with a graph per line, all boards of a
    /// range, or the single graph of any other source.
    #[staticmethod]
    fn several(py: Python<'_>, text: &str) -> PyResult<Places> {
        let files = Files::default();
        let spec = QuestionSpec::settled(text, &files);
        let graphs = spec.and_then(|spec| {
            let several = spec.source.several(&files)?;
            Ok(several.unwrap_or_else(|| Box::new(std::iter::once(Ok(spec.source)))))
        });
        Ok(Places { graphs: Mutex::new(graphs.or_raise(py, Kind::Error)?) })
    }

    /// Returns a graph with this number of vertices. The edges are pairs of 4-byte numbers in native byte order; they
    /// are arcs if `directed`.
    #[staticmethod]
    fn given(
        py: Python<'_>,
        name: String,
        vertices: u32,
        edges: &[u8],
        words: Option<Vec<String>>,
        directed: bool,
    ) -> PyResult<Self> {
        let (numbers, _) = edges.as_chunks::<4>();
        let (pairs, _) = numbers.as_chunks::<2>();
        let edges = pairs.iter().map(|&[a, b]| (u32::from_ne_bytes(a), u32::from_ne_bytes(b)));
        let graph = match directed {
            true => Digraph::from_arcs(vertices, edges).map(AnyGraph::from),
            false => Graph::from_edges(vertices, edges).map(AnyGraph::from),
        };
        Ok(GraphSource::Given(GivenGraph {
            name,
            graph: Arc::new(graph.or_raise(py, Kind::Error)?),
            names: match words.map(VertexWords::joined) {
                Some(Ok((words, _))) => VertexNames::Words(words),
                Some(Err(_)) | None => Numbering::FromZero.into(),
            },
            origin: None,
        })
        .into())
    }

    /// Returns the piece of a board as text, and its jump if the piece is a single leaper; `None` if the graph is not a
    /// board.
    fn piece(&self) -> Option<(String, Option<(u32, u32)>)> {
        let GraphSource::Board(board) = &self.spec.source else { return None };
        let piece = board.board().piece();
        Some((piece.to_text(), piece.leaper().map(Leaper::legs)))
    }

    /// Returns the name of a vertex, given by its number.
    fn name(&self, vertex: u32) -> String {
        match &self.spec.source {
            GraphSource::Given(given) => given.names.name(Vertex::new(vertex)),
            _ => vertex.to_string(),
        }
    }

    /// Returns the names of the vertices, in order. Squares have names such as `a1`. Other vertices have numbers,
    /// unless the graph has vertex names that are not all numbers.
    fn vertices<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let all = |n: u32| (0..n).map(Vertex::new);
        let called = |n: u32, names: &VertexNames| match names {
            VertexNames::Numbers(numbering) => PyList::new(py, all(n).map(|v| numbering.number(v))),
            VertexNames::Words(words) => {
                // Numbers with gaps are returned as numbers, like consecutive numbers.
                let number = |word: &str| -> Option<u64> {
                    let number: u64 = word.parse().ok()?;
                    (number.to_string() == word).then_some(number)
                };
                match words.iter().map(number).collect::<Option<Vec<_>>>() {
                    Some(numbers) => PyList::new(py, numbers),
                    None => PyList::new(py, words.iter()),
                }
            }
        };
        match &self.spec.source {
            GraphSource::Board(board) => PyList::new(py, all(board.n_squares()).map(|v| board.vertex_name(v))),
            source => {
                let loaded = source.clone().load(&Files::default()).or_raise(py, Kind::Error)?;
                called(loaded.graph().n_vertices(), &loaded.names)
            }
        }
    }

    /// Returns the pairs of adjacent vertices by number, the smaller number first; for a digraph, the arcs.
    fn edges(&self, py: Python<'_>) -> PyResult<Vec<(u32, u32)>> {
        let loaded = self.spec.source.clone().load(&Files::default());
        let instance = loaded.and_then(|loaded| loaded.instance(TourKind::Open, None)).or_raise(py, Kind::Error)?;
        let directed = instance.is_directed();
        let edges = instance.digraph().arcs().filter(|arc| directed || arc.tail < arc.head);
        Ok(edges.map(|arc| (arc.tail.number(), arc.head.number())).collect())
    }

    fn __str__(&self) -> String {
        self.spec.source.to_string()
    }
}

/// Iterator over the graphs of a source.
#[pyclass(frozen, module = "hamcnf._hamcnf")]
pub(crate) struct Places {
    graphs: Mutex<SeveralGraphs>,
}

#[pymethods]
impl Places {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    /// Returns the next graph. Raises an error that names the line if the line is not a graph.
    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Place>> {
        let mut graphs = self.graphs.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(graphs.next().transpose().or_raise(py, Kind::Error)?.map(Place::from))
    }
}

impl From<GraphSource> for Place {
    fn from(source: GraphSource) -> Self {
        let spec = source.into();
        Self { spec }
    }
}
