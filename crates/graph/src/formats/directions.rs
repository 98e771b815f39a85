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

use super::*;

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

impl Declared {
    /// Returns the statement of a text that calls all its edges undirected, or all arcs.
    pub(super) fn edges_or_arcs(is_directed: bool) -> Self {
        if is_directed { Self::Digraph } else { Self::Edges }
    }
}

/// Pairs of vertices, 0-based, in the order and direction in which a text lists them.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Pairs {
    /// Pairs that the text does not call arcs.
    pub(super) edges: Vec<(u32, u32)>,
    /// Line of each pair in `edges`, counted from 1; empty if unknown.
    pub(super) lines: Vec<usize>,
    /// Pairs that the text calls arcs.
    pub(super) arcs: Vec<(u32, u32)>,
}

impl Pairs {
    /// Adds a pair, which the text lists in this line.
    pub(super) fn push(&mut self, line: usize, is_arc: bool, pair: (u32, u32)) {
        if is_arc {
            self.arcs.push(pair);
        } else {
            self.edges.push(pair);
            self.lines.push(line);
        }
    }

    /// Returns all pairs: first the edges, then the arcs.
    pub(super) fn all(&self) -> impl Iterator<Item = &(u32, u32)> + Clone {
        self.edges.iter().chain(&self.arcs)
    }
}

/// Graph as a text has it, before it is made undirected or directed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TextGraph {
    pub(super) format: Format,
    pub(super) names: VertexNames,
    pub(super) n: u32,
    declared: Declared,
    pub(super) pairs: Pairs,
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
        Self::of_pairs(format, names, n, declared, Pairs { edges, ..Pairs::default() })
    }

    /// Creates a graph in which the text may call some of the pairs arcs.
    pub(super) fn of_pairs(
        format: Format,
        names: impl Into<VertexNames>,
        n: u32,
        declared: Declared,
        pairs: Pairs,
    ) -> Result<Self, FormatError> {
        let edges = pairs.all().count();
        if n as usize > 2 * edges + MOST_ISOLATED as usize {
            return Err(at(
                0,
                format!(
                    "at most {MOST_ISOLATED} vertices without an edge are supported, but a graph with {n} vertices and {edges} edges has more"
                ),
            ));
        }
        Ok(Self { format, names: names.into(), n, declared, pairs, remarks: Vec::new() })
    }

    /// Adds a remark, unless it is `None`.
    pub(super) fn with(mut self, remark: impl Into<Option<Remark>>) -> Self {
        self.remarks.extend(remark.into());
        self
    }

    /// True if every pair is listed in both directions.
    pub(super) fn is_symmetric(&self) -> bool {
        let mut pairs: Vec<_> = self.pairs.all().copied().collect();
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
        let as_written = directedness == Directedness::AsWritten;
        if !as_written {
            self.remarks.retain(|remark| !matches!(remark, Remark::SaysDirected(_)));
        }
        let no_loop = |(a, b): &(u32, u32)| a != b;
        let is_digraph = declared == Declared::Digraph || self.pairs.arcs.iter().any(no_loop);
        let is_undirected = match directedness {
            // In a text with arcs, edges have no directions, even if all arcs are self-loops.
            Directedness::AsWritten => {
                !is_digraph && matches!(declared, Declared::Unordered | Declared::Edges | Declared::EitherArcs)
            }
            choice => choice == Directedness::Undirected,
        };
        let pairs = || self.pairs.all().filter(|pair| no_loop(pair));
        if is_undirected {
            let graph = Graph::from_edges(n, pairs().copied())?;
            let listed = pairs().count();
            // Most texts list each edge once, and then there is nothing to compare.
            let different = match graph.n_edges() as usize == listed {
                true => listed,
                false => pairs().collect::<HashSet<_>>().len(),
            };
            self.remark_on_parallel("edge", listed - different);
            return Ok(self.with_graph(graph.into()));
        }
        let has_both = is_digraph || declared == Declared::Unordered;
        let reverses = self.pairs.edges.iter().filter(|pair| has_both && no_loop(pair)).map(|&(a, b)| (b, a));
        let mut listed = 0;
        let all = pairs().copied().chain(reverses).inspect(|_| listed += 1);
        let digraph = Digraph::from_arcs(n, all)?;
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
            self.remarks.push(Remark::new(
                "the graph is directed and has no directed cycle; if its edges have no directions, use --undirected",
            ));
        }
        Ok(self.with_graph(digraph.into()))
    }

    /// Makes an undirected graph of these pairs. Adds a remark if their directions may matter.
    fn without_directions(mut self, pairs: &Digraph) -> Result<Listed, Wrong> {
        let arcs = pairs.n_arcs() as usize;
        let graph = pairs.underlying();
        let edges = graph.n_edges() as usize;
        let both = arcs - edges;
        let once = edges - both;
        let has_no_reverse = |&(a, b): &(u32, u32)| a != b && pairs.arc(Vertex::new(b), Vertex::new(a)).is_none();
        let first = match self.declared {
            Declared::Nothing | Declared::Neighbours { .. } if once > 0 && both > 0 => {
                self.pairs.edges.iter().position(has_no_reverse)
            }
            Declared::Neighbours { backward } if once > 0 => backward,
            _ => None,
        };
        if let Some(first) = first {
            let (a, b) = self.pairs.edges[first];
            let [a, b] = [a, b].map(|v| self.names.name(Vertex::new(v)));
            let line = self.pairs.lines.get(first).filter(|&&line| line > 0);
            let on_line = line.map_or(String::new(), |line| format!(" on line {line}"));
            let why = match both {
                0 => format!("vertex {b} is a neighbour of {a}{on_line}, but the earlier line of {b} lacks {a}"),
                _ => {
                    let both = are(both, "edge");
                    format!("{both} listed in both directions and {once} in one, the first from {a} to {b}{on_line}")
                }
            };
            self.remarks.push(Remark::from(format!(
                "{why}, so the graph looks directed; it is read as undirected: use --arcs to keep the directions, or --undirected to leave out this note"
            )));
        } else if once == 0 && arcs > 0 && matches!(self.declared, Declared::Nothing | Declared::EitherArcs) {
            self.remarks.push(Remark::new(
                "every edge is listed in both directions, so the graph is read as undirected; use --arcs to keep the directions",
            ));
        }
        Ok(self.with_graph(graph.into()))
    }

    /// Adds a remark if there are self-loops.
    fn remark_on_loops(&mut self) {
        let mut loops = self.pairs.all().filter(|(a, b)| a == b);
        if let Some(&(first, _)) = loops.next() {
            let more = loops.count();
            let first = self.names.name(Vertex::new(first));
            self.remarks.push(Remark::Loops { first, more });
        }
    }

    /// Adds a remark if `more` edges or arcs are listed again.
    fn remark_on_parallel(&mut self, noun: &str, more: usize) {
        if more > 0 {
            let are = are(more, noun);
            self.remarks.push(Remark::from(format!("{are} listed again; parallel {noun}s are merged")));
        }
    }

    fn with_graph(self, graph: AnyGraph) -> Listed {
        Listed { graph, format: self.format, names: self.names, remarks: self.remarks }
    }
}

/// True if a digraph has no directed cycle.
fn is_acyclic(digraph: &Digraph) -> bool {
    let n = digraph.n_vertices();
    strong_components(n, |v, k| digraph.successors(v).get(k).copied()).len() == n as usize
}
