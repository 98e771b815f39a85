//! Graphs and digraphs, as texts and families give them.

use std::borrow::Cow;

use super::digraph::Digraph;
use super::graph::{Graph, Vertex};
use super::instance::{Instance, InstanceError, TourKind};

/// An undirected or a directed graph.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AnyGraph {
    /// Undirected graph.
    Undirected(Graph),
    /// Digraph, which may be symmetric: tours in opposite directions are different tours.
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

/// Compares with an undirected graph. A digraph equals none, even if it is symmetric.
impl PartialEq<Graph> for AnyGraph {
    fn eq(&self, other: &Graph) -> bool {
        self.undirected() == Some(other)
    }
}

impl AnyGraph {
    /// Returns the arcs: both arcs of every edge of an undirected graph.
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

    /// Returns the graph; `None` if it is directed.
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

    /// Returns the number of edges, or the number of arcs of a digraph.
    #[must_use]
    pub fn n_edges(&self) -> u32 {
        match self {
            Self::Undirected(graph) => graph.n_edges(),
            Self::Directed(digraph) => digraph.n_arcs(),
        }
    }

    /// Returns an instance on the graph. Messages and output call the instance `name`.
    ///
    /// # Errors
    ///
    /// Errors of [`Instance::on_graph`].
    pub fn instance(
        self,
        name: impl Into<String>,
        kind: TourKind,
        start: Vertex,
    ) -> Result<Instance, InstanceError> {
        match self {
            Self::Undirected(graph) => Instance::on_graph(name, graph, kind, start),
            Self::Directed(digraph) => Instance::on_digraph(name, digraph, kind, start),
        }
    }
}
