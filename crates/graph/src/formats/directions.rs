//! Directions of edges in a text. Graphs in this crate are undirected, so arcs are accepted in two cases: if every arc
//! comes in both directions, or if the caller asks for the undirected graph.
//!
//! A plain list of edges gives no directions and is read as undirected.

use super::{Listed, Remark, Wrong};
use crate::any_graph::AnyGraph;
use crate::digraph::{Digraph, GraphError};

/// Choice between a graph and a digraph.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Directedness {
    /// The words of the text decide.
    #[default]
    AsWritten,
    /// Arcs are read as undirected edges.
    Undirected,
    /// Edges that the text lists once are arcs from the vertex that is named first. Formats without directions give both
    /// arcs of every edge.
    Directed,
}

/// Edges in the order and direction of the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Directions {
    /// True if words in the text make the edges arcs, such as `digraph`; false for a plain list.
    are_arcs: bool,
    arcs: Vec<(u32, u32)>,
}

impl Directions {
    /// Returns the directions of arcs in a text that calls them arcs.
    pub(super) fn of_arcs(arcs: &[(u32, u32)]) -> Self {
        Self {
            are_arcs: true,
            arcs: arcs.to_vec(),
        }
    }

    /// Returns the directions of a plain list of edges, which only a caller can make arcs.
    pub(super) fn of_plain(arcs: &[(u32, u32)]) -> Self {
        Self {
            are_arcs: false,
            arcs: arcs.to_vec(),
        }
    }
}

/// Decides whether the graph is directed.
pub(super) fn settled(mut listed: Listed, directedness: Directedness) -> Result<Listed, Wrong> {
    let directions = listed.directions.take();
    let n = listed.graph.n_vertices();
    let of = |arcs: Vec<(u32, u32)>| match Digraph::from_arcs(n, arcs) {
        Ok(digraph) => Ok(digraph),
        Err(GraphError::TooManyArcs(many)) => Err(Wrong::TooLarge(many)),
        // The edges of the undirected graph have been read without these errors.
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
        (Directedness::AsWritten, Some(Directions { are_arcs, arcs })) => {
            let digraph = of(arcs)?;
            if !digraph.is_symmetric() {
                if are_arcs {
                    listed.graph = AnyGraph::Directed(digraph);
                }
            } else if digraph.n_arcs() > 0 {
                listed.remark = listed.remark.or(Some(Remark::BothDirections));
            }
        }
    }
    Ok(listed)
}
