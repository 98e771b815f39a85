//! Graph that is either undirected or directed. Files and graph families may give either kind.

use std::borrow::Cow;

use crate::{Digraph, Graph};

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
    pub fn digraph(&self) -> &Digraph {
        match self {
            Self::Undirected(graph) => graph,
            Self::Directed(digraph) => digraph,
        }
    }

    /// Returns the undirected graph, or the underlying graph of the digraph.
    pub fn underlying(&self) -> Cow<'_, Graph> {
        match self {
            Self::Undirected(graph) => Cow::Borrowed(graph),
            Self::Directed(digraph) => Cow::Owned(digraph.underlying()),
        }
    }

    /// Returns the undirected graph; `None` for a digraph.
    pub fn undirected(&self) -> Option<&Graph> {
        match self {
            Self::Undirected(graph) => Some(graph),
            Self::Directed(_) => None,
        }
    }

    /// Returns the number of vertices.
    pub fn n_vertices(&self) -> u32 {
        self.digraph().n_vertices()
    }

    /// Returns the number of edges of an undirected graph, or the number of arcs of a digraph.
    pub fn n_edges(&self) -> u32 {
        match self {
            Self::Undirected(graph) => graph.n_edges(),
            Self::Directed(digraph) => digraph.n_arcs(),
        }
    }
}
