//! A graph read from a text, with the format of the text, the names of the vertices, and a remark.

use std::fmt;

use super::Format;
use super::directions::Directions;
use crate::any_graph::AnyGraph;
use crate::graph::Graph;
use crate::numbering::Numbering;
use crate::vertex_names::{NotNames, VertexNames};

/// A graph read from a text, and information about the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Listed {
    /// Graph, its vertices counted from 0.
    pub graph: AnyGraph,
    /// Format of the text.
    pub format: Format,
    /// Names of the vertices in the text.
    pub names: VertexNames,
    /// Remark on something in the text that its author may not have intended; `None` if nothing is odd.
    pub remark: Option<Remark>,
    /// Directions of the edges, kept until the graph is known to be undirected or directed. `None` if the format has no
    /// directions.
    pub(super) directions: Option<Directions>,
}

impl Listed {
    /// Returns a graph without remarks and directions. Its vertices are named by their numbers in the text.
    #[must_use]
    pub fn new(format: Format, numbering: Numbering, graph: Graph) -> Self {
        Self {
            graph: graph.into(),
            format,
            names: numbering.into(),
            remark: None,
            directions: None,
        }
    }
}

/// Remark on something in a text that is odd but not an error.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Remark {
    /// The header of a list counts vertices without edges, which may be a mistake.
    #[error("{0}")]
    Isolated(Isolated),
    /// The numbers in a plain list have gaps. Only the numbers that occur in edges are vertices; they become the
    /// vertices' names.
    #[error(
        "vertex numbers {first} to {last} have gaps: only the {n} numbers that occur in edges are vertices"
    )]
    Gaps {
        /// Number of vertices.
        n: u32,
        /// Least number of a vertex.
        first: u64,
        /// Greatest number of a vertex.
        last: u64,
    },
    /// The edges have weights, which are ignored.
    #[error("the third column is ignored: tours have no weights")]
    Weights,
    /// Some names contain spaces, which become underscores. The value is the first such name, as written in the text.
    #[error("name \"{}\" has spaces, which become underscores", .0.escape_debug())]
    Joined(String),
    /// Every arc comes in both directions, so each pair of arcs is one edge of an undirected graph.
    #[error(
        "every edge is listed in both directions, so the graph is read as undirected; use --arcs to keep the directions"
    )]
    BothDirections,
    /// The names in the text cannot be used as vertex names, so the vertices are numbered instead.
    #[error("{0}, so vertices are numbered from 1 in the order of the file")]
    Numbered(NotNames),
}

/// Isolated vertices, given by their numbers in the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Isolated {
    /// Numbers of the first isolated vertices, in increasing order; at least one number.
    least: Vec<u64>,
    /// Number of isolated vertices that are not in `least`.
    more: usize,
}

impl Isolated {
    pub(super) fn of(graph: &Graph, numbering: Numbering) -> Option<Self> {
        const NAMED: usize = 3;
        let mut isolated = graph.vertices().filter(|&v| graph.degree(v) == 0);
        let named = isolated.by_ref().take(NAMED);
        let mut least: Vec<_> = named.map(|v| numbering.number(v)).collect();
        let mut more = isolated.count();
        if more > 0 {
            // The words "1 more" would not be shorter than the number of the vertex, so at least two vertices are
            // omitted.
            least.pop();
            more += 1;
        }
        (!least.is_empty()).then_some(Self { least, more })
    }
}

impl fmt::Display for Isolated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut names: Vec<_> = self.least.iter().map(u64::to_string).collect();
        if self.more > 0 {
            names.push(format!("{} more", self.more));
        }
        match names.as_slice() {
            [only] => write!(f, "vertex {only} has no edge"),
            [others @ .., last] => write!(
                f,
                "vertices {} and {last} have no edge; does the numbering have gaps?",
                others.join(", ")
            ),
            [] => Ok(()),
        }
    }
}
