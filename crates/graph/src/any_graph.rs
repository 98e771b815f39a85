//! Graph that is either undirected or directed. Files and graph families may give either kind.

use std::borrow::Cow;

use super::digraph::Digraph;
use super::graph::{Graph, Vertex};
use super::instance::{Instance, InstanceError, TourKind};

/// An undirected or a directed graph.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AnyGraph {
    /// Undirected graph.
    Undirected(Graph),
    /// Digraph. Tours in opposite directions are different tours, even if the digraph is symmetric.
    Directed(Digraph),
}

impl From<Graph> for AnyGraph {
    fn from(graph: Graph) -> Self {
        Self::Undirected(graph)
    }
}

impl From<Digraph> for AnyGraph {
    fn from(digraph: Digraph) -> Self {
        Self::Directed(digraph)
    }
}

/// Compares with an undirected graph. A digraph is never equal to an undirected graph, even if it is symmetric.
impl PartialEq<Graph> for AnyGraph {
    fn eq(&self, other: &Graph) -> bool {
        self.undirected() == Some(other)
    }
}

impl AnyGraph {
    /// Returns the digraph of all arcs. An undirected graph has two opposite arcs for every edge.
    #[must_use]
    pub fn digraph(&self) -> &Digraph {
        match self {
            Self::Undirected(graph) => graph,
            Self::Directed(digraph) => digraph,
        }
    }

    /// Returns the undirected graph, or the underlying graph of the digraph.
    #[must_use]
    pub fn underlying(&self) -> Cow<'_, Graph> {
        match self {
            Self::Undirected(graph) => Cow::Borrowed(graph),
            Self::Directed(digraph) => Cow::Owned(digraph.underlying()),
        }
    }

    /// Returns the undirected graph; `None` for a digraph.
    #[must_use]
    pub fn undirected(&self) -> Option<&Graph> {
        match self {
            Self::Undirected(graph) => Some(graph),
            Self::Directed(_) => None,
        }
    }

    /// Returns the number of vertices.
    #[must_use]
    pub fn n_vertices(&self) -> u32 {
        self.digraph().n_vertices()
    }

    /// Returns the number of edges of an undirected graph, or the number of arcs of a digraph.
    #[must_use]
    pub fn n_edges(&self) -> u32 {
        match self {
            Self::Undirected(graph) => graph.n_edges(),
            Self::Directed(digraph) => digraph.n_arcs(),
        }
    }

    /// Returns the instance with this graph, kind of tour and start vertex. `name` is the name of the instance in
    /// messages and output.
    ///
    /// # Errors
    ///
    /// Errors of [`Instance::on_graph`].
    pub fn instance(self, name: impl Into<String>, kind: TourKind, start: Vertex) -> Result<Instance, InstanceError> {
        match self {
            Self::Undirected(graph) => Instance::on_graph(name, graph, kind, start),
            Self::Directed(digraph) => Instance::on_digraph(name, digraph, kind, start),
        }
    }
}
