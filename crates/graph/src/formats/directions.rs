//! Ordered pairs of a text, and the one place that makes an undirected graph or a digraph of them.
//!
//! A reader hands over a [`TextGraph`]: the pairs in the order and direction in which the text lists them, self-loops
//! and repetitions included, and what the text says about directions ([`Declared`]). The caller may ask for the
//! undirected graph or for the digraph ([`Directedness`]). Otherwise the text decides:
//!
//! - A text that calls its edges arcs is a digraph. Edges of such a text that are no arcs have both directions.
//! - DIMACS files and ASP facts often list an undirected edge as two opposite arcs. In these formats, the graph is
//!   therefore undirected if every arc has its reverse.
//! - A matrix is directed if it is not symmetric.
//! - Every other text is undirected. If the text does not say so, and lists only some edges in both directions, a
//!   remark says that it looks directed.
//!
//! Tours use neither self-loops nor parallel arcs. Both are left out, with a remark.

use super::{Format, FormatError, Listed, MOST_ISOLATED, Remark, Wrong};
use crate::any_graph::AnyGraph;
use crate::digraph::{Digraph, GraphError};
use crate::graph::{Graph, Vertex};
use crate::vertex_names::VertexNames;

/// Choice between an undirected graph and a digraph when a text is read.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Directedness {
    /// Choice by the text: the graph is directed if the text calls its edges arcs. In DIMACS and ASP facts, at least
    /// one arc must also lack its reverse.
    #[default]
    AsWritten,
    /// Undirected graph: arcs are read as edges.
    Undirected,
    /// Digraph: each edge is an arc from the first of its two ends. In graph6 and sparse6, where the ends of an edge
    /// have no order, every edge becomes two opposite arcs. The same holds for the undirected edges of a text that also
    /// has arcs.
    Directed,
}

/// Statement of a text about the directions of its edges.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Declared {
    /// Undirected edges whose ends have no order, as in graph6.
    Unordered,
    /// Undirected edges, each listed from one of its ends.
    Edges,
    /// Undirected edges, each listed at one or both of its ends, as in DIMACS and lists of neighbours.
    Neighbours {
        /// True if the order of the lines shows that an edge is listed only at its later end. Programs that list
        /// undirected edges once list them at the first end.
        is_backward: bool,
    },
    /// No statement, as in a plain list of edges.
    Nothing,
    /// Entries of a matrix: undirected edges if the matrix is symmetric, otherwise arcs.
    Matrix,
    /// Arcs in a format whose files often list an undirected edge as two opposite arcs.
    EitherArcs,
    /// Digraph, even if it has no arc.
    Digraph,
}

/// Graph as a text has it, before it is made undirected or directed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TextGraph {
    format: Format,
    pub(super) names: VertexNames,
    n: u32,
    declared: Declared,
    /// Pairs that the text does not call arcs.
    pub(super) edges: Vec<(u32, u32)>,
    /// Pairs that the text calls arcs.
    pub(super) arcs: Vec<(u32, u32)>,
    pub(super) remarks: Vec<Remark>,
}

impl TextGraph {
    /// Creates a graph with the vertices `0..n` and these edges, 0-based, in the order of the text.
    ///
    /// # Errors
    ///
    /// [`FormatError`] if the graph has more than [`MOST_ISOLATED`] isolated vertices.
    pub fn new(
        format: Format,
        names: impl Into<VertexNames>,
        n: u32,
        declared: Declared,
        edges: Vec<(u32, u32)>,
    ) -> Result<Self, FormatError> {
        Self::mixed(format, names, n, declared, edges, Vec::new())
    }

    /// Creates a graph in which the text calls some of the pairs arcs.
    pub(super) fn mixed(
        format: Format,
        names: impl Into<VertexNames>,
        n: u32,
        declared: Declared,
        edges: Vec<(u32, u32)>,
        arcs: Vec<(u32, u32)>,
    ) -> Result<Self, FormatError> {
        let pairs = edges.len() + arcs.len();
        if n as usize > 2 * pairs + MOST_ISOLATED as usize {
            let (vertices, edges) = (n, pairs);
            return Err(Wrong::TooFewEdges { vertices, edges }.into());
        }
        Ok(Self { format, names: names.into(), n, declared, edges, arcs, remarks: Vec::new() })
    }

    /// Adds a remark, unless it is `None`.
    pub(super) fn with(mut self, remark: impl Into<Option<Remark>>) -> Self {
        self.remarks.extend(remark.into());
        self
    }

    /// Returns the format of the text.
    pub(super) fn format(&self) -> Format {
        self.format
    }

    /// Returns the number of vertices.
    pub(super) fn n(&self) -> u32 {
        self.n
    }

    /// True if a list of edges has both names and numbers.
    pub(super) fn is_mixed(&self) -> bool {
        let is_mixed = |remark: &Remark| matches!(remark, Remark::Mixed(..));
        self.remarks.iter().any(is_mixed)
    }

    /// True if an edge or arc joins two vertices.
    pub(super) fn has_edge(&self) -> bool {
        self.edges.iter().chain(&self.arcs).any(|(a, b)| a != b)
    }

    /// True if every pair is listed in both directions.
    pub(super) fn is_symmetric(&self) -> bool {
        let mut pairs: Vec<_> = self.edges.iter().chain(&self.arcs).copied().collect();
        pairs.sort_unstable();
        pairs.iter().all(|&(a, b)| pairs.binary_search(&(b, a)).is_ok())
    }

    /// True if this text and another one give the same graph.
    pub(super) fn agrees(&self, other: &Self, directedness: Directedness) -> bool {
        let graph = |text: &Self| text.clone().listed(directedness).map(|listed| listed.graph);
        self.names == other.names && graph(self).is_ok_and(|one| graph(other).is_ok_and(|other| other == one))
    }

    /// Makes an undirected graph or a digraph of the pairs.
    pub(super) fn listed(mut self, directedness: Directedness) -> Result<Listed, Wrong> {
        self.leave_out_loops();
        let Self { n, declared, .. } = self;
        let (edges, arcs) = (std::mem::take(&mut self.edges), std::mem::take(&mut self.arcs));
        let is_digraph = declared == Declared::Digraph || !arcs.is_empty();
        let as_written = directedness == Directedness::AsWritten;
        let arcs = match directedness {
            Directedness::Undirected => return self.undirected(edges.into_iter().chain(arcs)),
            Directedness::Directed if is_digraph || declared == Declared::Unordered => with_both(arcs, &edges),
            Directedness::Directed => edges,
            Directedness::AsWritten if is_digraph => with_both(arcs, &edges),
            Directedness::AsWritten => match declared {
                Declared::Unordered | Declared::Edges => return self.undirected(edges.into_iter()),
                _ => edges,
            },
        };
        let pairs = arcs.len();
        let digraph = Digraph::from_arcs(n, arcs).map_err(wrong)?;
        let is_directed = match declared {
            Declared::Matrix | Declared::EitherArcs => !digraph.is_symmetric(),
            _ => is_digraph,
        };
        if as_written && !is_directed {
            return self.without_directions(&digraph);
        }
        let parallel = pairs - digraph.n_arcs() as usize;
        if parallel > 0 {
            self.remarks.push(Remark::Parallel(parallel));
        }
        if as_written && digraph.n_arcs() > 0 && is_acyclic(&digraph) {
            self.remarks.push(Remark::Acyclic);
        }
        Ok(self.with_graph(digraph.into()))
    }

    /// Makes an undirected graph of these pairs. Adds a remark if their directions may matter.
    fn without_directions(mut self, pairs: &Digraph) -> Result<Listed, Wrong> {
        let arcs = pairs.n_arcs() as usize;
        let ends = |arc: crate::digraph::Arc| (arc.tail.number(), arc.head.number());
        let graph = Graph::from_edges(self.n, pairs.arcs().map(ends)).map_err(wrong)?;
        let edges = graph.n_edges() as usize;
        let both = arcs - edges;
        let once = edges - both;
        self.remarks.extend(match self.declared {
            Declared::Nothing | Declared::EitherArcs if once == 0 && arcs > 0 => Some(Remark::BothDirections),
            Declared::Nothing | Declared::Neighbours { .. } if once > 0 && both > 0 => {
                Some(Remark::LooksDirected { both, once })
            }
            Declared::Neighbours { is_backward: true } if once > 0 => Some(Remark::LooksDirected { both, once }),
            _ => None,
        });
        Ok(self.with_graph(graph.into()))
    }

    /// Removes all self-loops. If there are any, adds a remark.
    fn leave_out_loops(&mut self) {
        let mut loops = self.edges.iter().chain(&self.arcs).filter(|(a, b)| a == b);
        let Some(&(first, _)) = loops.next() else {
            return;
        };
        let more = loops.count();
        let first = self.names.name(Vertex::new(first));
        self.remarks.push(Remark::Loops { first, more });
        self.edges.retain(|(a, b)| a != b);
        self.arcs.retain(|(a, b)| a != b);
    }

    fn undirected(self, edges: impl Iterator<Item = (u32, u32)>) -> Result<Listed, Wrong> {
        let graph = Graph::from_edges(self.n, edges).map_err(wrong)?;
        Ok(self.with_graph(graph.into()))
    }

    fn with_graph(self, graph: AnyGraph) -> Listed {
        Listed { graph, format: self.format, names: self.names, remarks: self.remarks }
    }
}

/// Returns the arcs, and both arcs of each edge.
fn with_both(mut arcs: Vec<(u32, u32)>, edges: &[(u32, u32)]) -> Vec<(u32, u32)> {
    arcs.extend(edges.iter().flat_map(|&(a, b)| [(a, b), (b, a)]));
    arcs
}

fn wrong(error: GraphError) -> Wrong {
    match error {
        GraphError::TooManyArcs(many) => Wrong::TooLarge(many),
        error => Wrong::Graph(error),
    }
}

/// True if a digraph has no directed cycle.
fn is_acyclic(digraph: &Digraph) -> bool {
    let mut missing: Vec<_> = digraph.vertices().map(|v| digraph.predecessors(v).len()).collect();
    let mut sources: Vec<_> = digraph.vertices().filter(|v| missing[v.index()] == 0).collect();
    let mut removed = 0;
    while let Some(v) = sources.pop() {
        removed += 1;
        for w in digraph.successors(v) {
            missing[w.index()] -= 1;
            if missing[w.index()] == 0 {
                sources.push(*w);
            }
        }
    }
    removed == digraph.n_vertices()
}
