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
//! Tours use neither self-loops nor parallel edges. Both are left out, with a remark. An edge that is listed once in each
//! direction is not called parallel, because many lists have both directions of every edge.

use std::collections::HashSet;

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
        /// Index of the first edge that is listed at the later one of its ends, if each vertex has a line. Programs that
        /// list undirected edges once list them at the first end.
        backward: Option<usize>,
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
    /// Line of each pair in `edges`, counted from 1; empty if unknown.
    lines: Vec<usize>,
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
        Ok(Self { format, names: names.into(), n, declared, edges, lines: Vec::new(), arcs, remarks: Vec::new() })
    }

    /// Adds the line of each pair that the text does not call an arc.
    pub(super) fn on_lines(mut self, lines: Vec<usize>) -> Self {
        self.lines = lines;
        self
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
        self.remark_on_loops();
        let Self { n, declared, .. } = self;
        if directedness != Directedness::AsWritten {
            self.remarks.retain(|remark| !matches!(remark, Remark::SaysDirected(_)));
        }
        let no_loop = |(a, b): &(u32, u32)| a != b;
        let is_digraph = declared == Declared::Digraph || self.arcs.iter().any(no_loop);
        let as_written = directedness == Directedness::AsWritten;
        let is_undirected = match directedness {
            Directedness::AsWritten => !is_digraph && matches!(declared, Declared::Unordered | Declared::Edges),
            choice => choice == Directedness::Undirected,
        };
        let pairs = self.edges.iter().chain(&self.arcs).filter(|pair| no_loop(pair));
        if is_undirected {
            let graph = Graph::from_edges(n, pairs.clone().copied()).map_err(wrong)?;
            let listed = pairs.clone().count();
            // Most texts list each edge once, and then there is nothing to compare.
            let different = match graph.n_edges() as usize == listed {
                true => listed,
                false => pairs.collect::<HashSet<_>>().len(),
            };
            self.remark_on_parallel("edge", listed - different);
            return Ok(self.with_graph(graph.into()));
        }
        let has_both = is_digraph || declared == Declared::Unordered;
        let reverses = self.edges.iter().filter(|pair| has_both && no_loop(pair)).map(|&(a, b)| (b, a));
        let mut listed = 0;
        let all = pairs.copied().chain(reverses).inspect(|_| listed += 1);
        let digraph = Digraph::from_arcs(n, all).map_err(wrong)?;
        let is_directed = match declared {
            Declared::Matrix | Declared::EitherArcs => !digraph.is_symmetric(),
            _ => is_digraph,
        };
        let more = listed - digraph.n_arcs() as usize;
        if as_written && !is_directed {
            self.remark_on_parallel("edge", more);
            return self.without_directions(&digraph);
        }
        self.remark_on_parallel("arc", more);
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
        let has_no_reverse = |&(a, b): &(u32, u32)| a != b && pairs.arc(Vertex::new(b), Vertex::new(a)).is_none();
        let first = match self.declared {
            Declared::Nothing | Declared::Neighbours { .. } if once > 0 && both > 0 => {
                self.edges.iter().position(has_no_reverse)
            }
            Declared::Neighbours { backward } if once > 0 => backward,
            _ => None,
        };
        self.remarks.extend(match (self.declared, first) {
            (_, Some(first)) => {
                let (a, b) = self.edges[first];
                let ends = [a, b].map(|v| self.names.name(Vertex::new(v)));
                Some(Remark::LooksDirected { both, once, ends, line: self.lines.get(first).copied() })
            }
            (Declared::Nothing | Declared::EitherArcs, _) if once == 0 && arcs > 0 => Some(Remark::BothDirections),
            _ => None,
        });
        Ok(self.with_graph(graph.into()))
    }

    /// Adds a remark if there are self-loops.
    fn remark_on_loops(&mut self) {
        let mut loops = self.edges.iter().chain(&self.arcs).filter(|(a, b)| a == b);
        let Some(&(first, _)) = loops.next() else {
            return;
        };
        let more = loops.count();
        let first = self.names.name(Vertex::new(first));
        self.remarks.push(Remark::Loops { first, more });
    }

    /// Adds a remark if `more` edges or arcs are listed again.
    fn remark_on_parallel(&mut self, noun: &'static str, more: usize) {
        if more > 0 {
            self.remarks.push(Remark::Parallel { noun, more });
        }
    }

    fn with_graph(self, graph: AnyGraph) -> Listed {
        Listed { graph, format: self.format, names: self.names, remarks: self.remarks }
    }
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
