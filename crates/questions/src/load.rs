//! Loading of graph sources: reads the graph that a source names, and creates instances for questions about the graph.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use hamcnf_graph::formats::{Format, Listed, Remark};
use hamcnf_graph::relabel::{self, relabelled};
use hamcnf_graph::{AnyGraph, Vertex, VertexNames, Weights};
use hamcnf_tours::{Instance, TourKind};

use super::error::GraphSourceError;
use super::files::{Files, Stream, TextSource};
use super::graph_source::{GivenGraph, GraphSource, GraphText};
use super::several;

/// Graph source with its loaded graph.
#[derive(Clone, Debug)]
pub struct LoadedGraph {
    pub source: GraphSource,
    /// Format of the text, if the graph was read from one.
    pub format: Option<Format>,
    pub names: VertexNames,
    /// Remarks on oddities of the text. They name vertices as the text does.
    pub remarks: Vec<Remark>,
    /// Loaded graph; `None` for a board, whose graph is derived from the board.
    graph: Option<AnyGraph>,
    /// Text that another process needs instead of the source; `None` if the source can be read again.
    pub(super) stream: Option<Stream>,
}

impl LoadedGraph {
    /// Returns the graph.
    pub fn graph(&self) -> Cow<'_, AnyGraph> {
        match (&self.graph, &self.source) {
            (Some(graph), _) => Cow::Borrowed(graph),
            (None, GraphSource::Board(board)) => Cow::Owned(board.graph().into()),
            (None, _) => unreachable!("graphs that are not boards have been loaded"),
        }
    }

    /// Returns the graph and drops the other data, such as its source, format, names and remarks.
    pub fn into_graph(self) -> AnyGraph {
        match self.graph {
            Some(graph) => graph,
            None => self.graph().into_owned(),
        }
    }

    /// Returns the instance for tours of this kind. `start` is the name or number of a square, or the name or number
    /// that a vertex has in its file. The default is the first vertex.
    ///
    /// # Errors
    ///
    /// [`GraphSourceError`] if the graph has no vertex for `start`, or if no instance of this kind exists on the graph
    /// or board.
    pub fn instance(self, kind: TourKind, start: Option<&str>) -> Result<Instance, GraphSourceError> {
        let (graph, source) = match (self.graph, self.source) {
            (Some(graph), source) => (graph, source),
            (None, GraphSource::Board(board)) => {
                let start = start.map(|start| board.vertex_named(start)).transpose()?.unwrap_or(Vertex::new(0));
                return Ok(Instance::on_holed(board, kind, start)?);
            }
            (None, _) => unreachable!("graphs that are not boards have been loaded"),
        };
        let start = start.map(|start| {
            let of: &dyn fmt::Display = match &source {
                GraphSource::Graph(text) => &text.source,
                source => source,
            };
            vertex(of, graph.n_vertices(), &self.names, start)
        });
        let start = start.transpose()?.unwrap_or(Vertex::new(0));
        Ok(Instance::on(source.to_string(), graph, kind, start)?.called(self.names))
    }
}

impl GraphSource {
    /// Loads the graph.
    ///
    /// # Errors
    ///
    /// [`GraphSourceError`], with the file, if the graph cannot be read.
    pub fn load(self, files: &Files) -> Result<LoadedGraph, GraphSourceError> {
        let made = |source, graph| LoadedGraph {
            source,
            format: None,
            names: VertexNames::default(),
            remarks: Vec::new(),
            graph,
            stream: None,
        };
        Ok(match self {
            Self::Board(_) => made(self, None),
            Self::Boards(range) => return Err(GraphSourceError::several_boards(&range)),
            Self::Family(ref family) => {
                let graph = family.graph().clone();
                made(self, Some(graph))
            }
            Self::Graph(ref text) => {
                let (listed, stream) = text.load(files)?;
                LoadedGraph {
                    source: self,
                    format: Some(listed.format),
                    names: listed.names,
                    remarks: listed.remarks,
                    graph: Some(listed.graph),
                    stream,
                }
            }
            Self::Given(GivenGraph { ref graph, ref names, ref origin, .. }) => {
                let (graph, names) = (AnyGraph::clone(graph), names.clone());
                let stream = origin.as_ref().map(|origin| Stream {
                    source: origin.place.source.clone(),
                    number: origin.place.reading.number,
                    text: Arc::clone(&origin.alone),
                });
                let remarks = origin.as_ref().map(|origin| origin.remarks.clone());
                LoadedGraph { names, remarks: remarks.unwrap_or_default(), stream, ..made(self, Some(graph)) }
            }
            Self::Relabelled { source, seed } => {
                let mut loaded = source.load(files)?;
                let graph = relabelled(&loaded.graph(), seed);
                for remark in &mut loaded.remarks {
                    if let Remark::Fixed(edges) = remark {
                        let labels = relabel::labels(graph.n_vertices(), seed);
                        let new = |end: &mut u32| *end = labels[*end as usize];
                        edges.iter_mut().flat_map(|(a, b)| [a, b]).for_each(new);
                    }
                }
                // After relabelling, the names in the file no longer match the vertices, so the vertices have only
                // numbers.
                let names = loaded.names.numbering().into();
                LoadedGraph {
                    source: Self::Relabelled { source: Box::new(loaded.source), seed },
                    graph: Some(graph),
                    names,
                    ..loaded
                }
            }
        })
    }

    /// Reads the weights of the edges or arcs; `None` if the graph has no weights. Only lists of edges have weights.
    ///
    /// # Errors
    ///
    /// [`GraphSourceError`], with the file and the line, if the weights cannot be read.
    pub fn weights(&self, files: &Files) -> Result<Option<Weights>, GraphSourceError> {
        match self {
            Self::Graph(text) => text.weights(files),
            Self::Relabelled { source, seed } => {
                let weights = source.weights(files)?;
                Ok(weights.map(|weights| weights.relabelled(&relabel::labels(weights.n_vertices(), *seed))))
            }
            Self::Board(_) | Self::Boards(_) | Self::Family(_) | Self::Given(_) => Ok(None),
        }
    }

    /// Returns the vertex with this name in an instance whose graph comes from this source.
    ///
    /// # Errors
    ///
    /// [`GraphSourceError`] if the graph has no vertex with this name.
    pub fn vertex(&self, instance: &Instance, name: &str) -> Result<Vertex, GraphSourceError> {
        match self {
            Self::Board(board) => Ok(board.vertex_named(name)?),
            source => vertex(source, instance.n(), instance.vertex_names(), name),
        }
    }
}

impl GraphText {
    /// Reads the graph. If it comes from a stream, also returns the text.
    fn load(&self, files: &Files) -> Result<(Listed, Option<Stream>), GraphSourceError> {
        let number = self.reading.number;
        let stream = |number, text| Some(Stream { source: self.source.clone(), number, text });
        let (listed, stream) = match number.and_then(|_| files.kept(&self.source, number)) {
            Some(alone) => (several::alone(self.reading, &alone), stream(number, alone)),
            None => {
                let text = files.text(&self.source);
                let text = text.map_err(|error| GraphSourceError::Read { text: self.source.clone(), error })?;
                let listed = match &self.source {
                    TextSource::File(file) => self.reading.of_file(&text, file),
                    TextSource::StandardInput => self.reading.of_text(&text),
                };
                let kept = files.kept(&self.source, None).filter(|_| !self.source.is_lasting());
                (listed, kept.and_then(|text| stream(None, text)))
            }
        };
        Ok((listed.map_err(|error| GraphSourceError::Format { text: self.source.clone(), error })?, stream))
    }

    /// Reads the weights of the edges or arcs; `None` if the graph has no weights. Keeps the text, in which the graph is read
    /// as well.
    fn weights(&self, files: &Files) -> Result<Option<Weights>, GraphSourceError> {
        let source = || self.source.clone();
        let text =
            files.read_and_keep(&self.source).map_err(|error| GraphSourceError::Read { text: source(), error })?;
        let name = match &self.source {
            TextSource::File(file) => Some(file.as_path()),
            TextSource::StandardInput => None,
        };
        let weights = self.reading.weights(&text, name);
        weights.map_err(|error| GraphSourceError::Format { text: source(), error })
    }
}

fn vertex(of: &dyn fmt::Display, n: u32, names: &VertexNames, name: &str) -> Result<Vertex, GraphSourceError> {
    names
        .vertex(name, n)
        .ok_or_else(|| GraphSourceError::Other(format!("\"{name}\" is not a vertex of {of}; {}", names.said(n))))
}
