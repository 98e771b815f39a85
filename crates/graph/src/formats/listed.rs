//! A graph as a text lists it: with its format, the names of its vertices, and remarks.

use std::fmt;

use super::Format;
use super::directions::Directions;
use crate::graph::Graph;
use crate::numbering::Numbering;
use crate::vertex_names::{NotNames, VertexNames};

/// A graph as a text lists it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Listed {
    /// The graph.
    pub graph: Graph,
    /// The format that it was read in.
    pub format: Format,
    /// What its vertices are called there.
    pub names: VertexNames,
    /// What may not have been meant.
    pub remark: Option<Remark>,
    /// The directions of its edges, where the text says any.
    pub(super) directions: Option<Directions>,
}

impl Listed {
    /// Makes a graph without remarks, its vertices numbered as in the text.
    #[must_use]
    pub fn new(format: Format, numbering: Numbering, graph: Graph) -> Self {
        Self {
            graph,
            format,
            names: numbering.into(),
            remark: None,
            directions: None,
        }
    }
}

/// What is odd about a graph in a text, but no error.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Remark {
    /// A list's header says vertices that no edge has; whoever wrote it may not have meant them.
    #[error("{0}")]
    Isolated(Isolated),
    /// The numbers in a plain list have gaps: the vertices are those that edges have, which keep them.
    #[error(
        "the vertices are the {n} numbers from {first} to {last} that edges have: the others are none"
    )]
    Gaps {
        /// How many vertices there are.
        n: u32,
        /// The least number.
        first: u64,
        /// The greatest.
        last: u64,
    },
    /// Its edges have weights.
    #[error("the third column is read over: tours here have no weights")]
    Weights,
    /// Some of its vertices have names of several words, of which this is the first; they are joined.
    #[error("'{}' is several words: in such names an underscore joins them", .0.escape_debug())]
    Joined(String),
    /// Its arcs come in both directions each, so that they are the edges of an undirected graph.
    #[error("every pair comes in both directions: read as one undirected edge each")]
    BothDirections,
    /// Its vertices have names by which they cannot be called here.
    #[error("{0}: vertices are numbered from 1 in the order of the file")]
    Numbered(NotNames),
}

/// Vertices without an edge: their numbers as they are in the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Isolated {
    /// The least of them, one at least.
    least: Vec<u64>,
    /// How many more there are.
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
            // "1 more" is no shorter than its number.
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
                "vertices {} and {last} have no edge: is there a gap in the numbering?",
                others.join(", ")
            ),
            [] => Ok(()),
        }
    }
}
