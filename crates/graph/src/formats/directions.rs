//! Directions of edges in a text, and the choice between an undirected graph and a digraph.
//!
//! If the text calls its edges arcs, the graph is directed. There is one exception: DIMACS files and ASP facts often
//! list an undirected edge as two opposite arcs. In these formats, the graph is therefore undirected if every arc has
//! its reverse. The caller may also ask for the undirected graph or for the digraph: see [`Directedness`].
//!
//! A plain list of edges gives no directions and is read as undirected. A matrix is directed if it is not symmetric.

use super::{Listed, Remark, Wrong};
use crate::any_graph::AnyGraph;
use crate::digraph::{Digraph, GraphError};

/// Choice between an undirected graph and a digraph when a text is read.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Directedness {
    /// Choice by the text: the graph is directed if the text calls its edges arcs. In DIMACS and ASP facts, at least
    /// one arc must also lack its reverse.
    #[default]
    AsWritten,
    /// Undirected graph: arcs are read as edges.
    Undirected,
    /// Digraph: an edge that is listed once is an arc from the first of its two ends. In formats without directions,
    /// every edge becomes two opposite arcs.
    Directed,
}

/// Kind of edges that a text declares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Named {
    /// Edges of a plain list.
    Edges,
    /// Arcs in a format such as DIMACS, whose files often list an undirected edge as two opposite arcs.
    Arcs,
    /// Arcs of a digraph, declared for example by the word `digraph`.
    Digraph,
}

/// Edges in the order and direction in which the text lists them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Directions {
    named: Named,
    arcs: Vec<(u32, u32)>,
}

impl Directions {
    /// Returns the directions of the edges `arcs`. `named` is the kind of edges that the text declares.
    pub(super) fn of(named: Named, arcs: &[(u32, u32)]) -> Self {
        Self {
            named,
            arcs: arcs.to_vec(),
        }
    }
}

/// Replaces the graph by a digraph in two cases: the caller asks for a digraph, or the caller leaves the choice to the
/// text and the text describes a directed graph.
pub(super) fn settled(mut listed: Listed, directedness: Directedness) -> Result<Listed, Wrong> {
    let directions = listed.directions.take();
    let n = listed.graph.n_vertices();
    let of = |arcs: Vec<(u32, u32)>| match Digraph::from_arcs(n, arcs) {
        Ok(digraph) => Ok(digraph),
        Err(GraphError::TooManyArcs(many)) => Err(Wrong::TooLarge(many)),
        // The undirected graph has already been read from the same edges, so these errors cannot occur.
        Err(GraphError::Loop(_) | GraphError::NoSuchVertex(..)) => Err(Wrong::Empty),
    };
    match (directedness, directions) {
        (Directedness::Undirected, _) | (Directedness::AsWritten, None) => {}
        (Directedness::Directed, None) => {
            listed.graph = AnyGraph::Directed(listed.graph.digraph().clone());
        }
        (Directedness::Directed, Some(directions)) => {
            listed.graph = AnyGraph::Directed(of(directions.arcs)?);
        }
        (Directedness::AsWritten, Some(Directions { named, arcs })) => {
            let digraph = of(arcs)?;
            match (named, digraph.is_symmetric()) {
                (Named::Digraph, _) | (Named::Arcs, false) => {
                    listed.graph = AnyGraph::Directed(digraph);
                }
                (Named::Edges | Named::Arcs, true) if digraph.n_arcs() > 0 => {
                    listed.remark = listed.remark.or(Some(Remark::BothDirections));
                }
                (Named::Edges | Named::Arcs, true) | (Named::Edges, false) => {}
            }
        }
    }
    Ok(listed)
}
