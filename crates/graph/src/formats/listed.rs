//! A graph read from a text, with the format of the text, the names of the vertices, and remarks.

use std::borrow::Cow;

use super::Format;
use crate::{AnyGraph, VertexNames};

/// A graph read from a text, and information about the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Listed {
    /// Graph, its vertices counted from 0.
    pub graph: AnyGraph,
    /// Format of the text.
    pub format: Format,
    /// Names of the vertices in the text.
    pub names: VertexNames,
    /// Remarks on what in the text its author may not have intended.
    pub remarks: Vec<Remark>,
}

/// Remark on something in a text that is odd but not an error. The variants are the remarks that a caller may treat in a
/// special way.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Remark {
    /// Any other remark, as a sentence without a full stop.
    #[error("{0}")]
    Other(Cow<'static, str>),
    /// The numbers in a plain list have gaps. Only the numbers that occur in edges are vertices; they become the
    /// vertices' names.
    #[error("vertex numbers {first} to {last} have gaps: only the {n} numbers that occur in edges are vertices")]
    Gaps {
        /// Number of vertices.
        n: u32,
        /// Least number of a vertex.
        first: u64,
        /// Greatest number of a vertex.
        last: u64,
    },
    /// A list of edges has both names and numbers. The values are the first name and the first number.
    #[error("the list has both names and numbers, such as \"{0}\" and \"{1}\"; numbers are read as names")]
    Mixed(String, String),
    /// A comment says that the graph is directed, but the lines of the text do not. The value is the comment.
    #[error(
        "\"{0}\" says that the graph is directed; it is read as undirected: use --arcs to keep the directions, or --undirected to leave out this note"
    )]
    SaysDirected(String),
    /// Some edges join a vertex to itself.
    #[error(
        "{} ignored, {}at vertex \"{first}\": tours have no self-loops",
        are(*.more + 1, "self-loop"), if *.more > 0 { "the first " } else { "" }
    )]
    Loops {
        /// Name of the vertex of the first self-loop.
        first: String,
        /// Number of other self-loops.
        more: usize,
    },
    /// The text names edges that every tour uses. The values are the ends of these edges, 0-based.
    #[error("tours must use {}", match .0.as_slice() {
        [(a, b)] => format!("the fixed edge {}-{}", a + 1, b + 1),
        edges => format!("{} fixed edges", edges.len()),
    })]
    Fixed(Vec<(u32, u32)>),
}

impl Remark {
    pub(super) const WEIGHTS: Self = Self::new("the third column is ignored: tours have no weights");

    /// Returns the edges that every tour uses, if the text names some.
    pub fn fixed(&self) -> Option<&[(u32, u32)]> {
        match self {
            Self::Fixed(edges) => Some(edges),
            _ => None,
        }
    }

    pub(super) const fn new(sentence: &'static str) -> Self {
        Self::Other(Cow::Borrowed(sentence))
    }
}

impl From<String> for Remark {
    fn from(sentence: String) -> Self {
        Self::Other(sentence.into())
    }
}

/// Returns "1 edge is" or "2 edges are".
pub(super) fn are(count: usize, noun: &str) -> String {
    match count {
        1 => format!("1 {noun} is"),
        _ => format!("{count} {noun}s are"),
    }
}
