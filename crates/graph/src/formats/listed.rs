//! A graph read from a text, with the format of the text, the names of the vertices, and remarks.

use std::fmt;

use super::Format;
use crate::any_graph::AnyGraph;
use crate::graph::Vertex;
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
    /// Remarks on what in the text its author may not have intended.
    pub remarks: Vec<Remark>,
}

/// Remark on something in a text that is odd but not an error.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Remark {
    /// The header of a list counts vertices without edges, which may be a mistake.
    #[error("{0}")]
    Isolated(Isolated),
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
    /// The edges have weights, which are ignored.
    #[error("the third column is ignored: tours have no weights")]
    Weights,
    /// A list of edges ends without a mark that it is complete.
    #[error("the edges end without -1 or EOF; is the file complete?")]
    NoEnd,
    /// Some names contain spaces, commas or control characters, which become underscores. The value is the first such
    /// name, as written in the text.
    #[error("name \"{}\" has {}, which become underscores", .0.escape_debug(), separators(.0))]
    Joined(String),
    /// Two vertices have the same label, so the vertices are named by their ids. The value is the label.
    #[error("two vertices have the label \"{}\", so vertices are named by their ids", .0.escape_debug())]
    SameLabels(String),
    /// A list of edges has both names and numbers. The values are the first name and the first number.
    #[error("the list has both names and numbers, such as \"{0}\" and \"{1}\"; numbers are read as names")]
    Mixed(String, String),
    /// Every arc comes in both directions, so each pair of arcs is one edge of an undirected graph.
    #[error(
        "every edge is listed in both directions, so the graph is read as undirected; use --arcs to keep the directions"
    )]
    BothDirections,
    /// Some edges are listed in both directions and others in one, but the text does not say that it is directed.
    #[error(
        "{}, so the graph looks directed; it is read as undirected: use --arcs to keep the directions, or --undirected to leave out this note",
        looks(*.both, *.once, .ends, *.line)
    )]
    LooksDirected {
        /// Number of edges that are listed in both directions.
        both: usize,
        /// Number of edges that are listed in one direction.
        once: usize,
        /// Names of the ends of the first such edge. If all edges are listed in one direction, the edge is the first
        /// that only its later end lists.
        ends: [String; 2],
        /// Line of this edge, counted from 1; `None` if unknown.
        line: Option<usize>,
    },
    /// A comment says that the graph is directed, but the lines of the text do not. The value is the comment.
    #[error(
        "\"{0}\" says that the graph is directed; it is read as undirected: use --arcs to keep the directions, or --undirected to leave out this note"
    )]
    SaysDirected(String),
    /// The text says that the graph is directed, but the graph has no directed cycle.
    #[error("the graph is directed and has no directed cycle; if its edges have no directions, use --undirected")]
    Acyclic,
    /// Some edges or arcs are listed several times in the same direction.
    #[error("{} listed again; parallel {noun}s are merged", are(*.more, .noun))]
    Parallel {
        /// The word "edge" or "arc".
        noun: &'static str,
        /// Number of edges or arcs that are left out.
        more: usize,
    },
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
    #[error("tours must use {}", fixed(.0))]
    Fixed(Vec<(u32, u32)>),
    /// The names in the text cannot be used as vertex names, so the vertices are numbered instead.
    #[error("{0}, so vertices are numbered from 1 in the order of the file")]
    Numbered(NotNames),
}

/// Describes the characters of a name that separate words.
fn separators(name: &str) -> String {
    let is_control = |c: char| c.is_control() && !c.is_whitespace();
    let kinds = [
        ("spaces", name.contains(char::is_whitespace)),
        ("commas", name.contains(',')),
        ("control characters", name.contains(is_control)),
    ];
    let kinds: Vec<_> = kinds.into_iter().filter(|(_, occurs)| *occurs).map(|(kind, _)| kind).collect();
    kinds.join(" and ")
}

/// Describes a list with this number of edges in both directions and in one, and the first edge in one direction.
fn looks(both: usize, once: usize, [a, b]: &[String; 2], line: Option<usize>) -> String {
    let on_line = line.map_or(String::new(), |line| format!(" on line {line}"));
    match both {
        0 => format!("vertex {b} is a neighbour of {a}{on_line}, but the earlier line of {b} lacks {a}"),
        both => {
            let both = are(both, "edge");
            format!("{both} listed in both directions and {once} in one, the first from {a} to {b}{on_line}")
        }
    }
}

/// Describes fixed edges.
fn fixed(edges: &[(u32, u32)]) -> String {
    match edges {
        [(a, b)] => format!("the fixed edge {}-{}", a + 1, b + 1),
        _ => format!("{} fixed edges", edges.len()),
    }
}

/// Returns "1 edge is" or "2 edges are".
fn are(count: usize, noun: &str) -> String {
    match count {
        1 => format!("1 {noun} is"),
        _ => format!("{count} {noun}s are"),
    }
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
    /// Returns the vertices among `0..n` that have no edge.
    pub(super) fn of(n: u32, edges: &[(u32, u32)], numbering: Numbering) -> Option<Self> {
        const NAMED: usize = 3;
        let mut has_edge = vec![false; n as usize];
        for &(a, b) in edges {
            has_edge[a as usize] = true;
            has_edge[b as usize] = true;
        }
        let mut isolated = (0..n).filter(|&v| !has_edge[v as usize]).map(Vertex::new);
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
            [others @ .., last] => {
                write!(f, "vertices {} and {last} have no edge; does the numbering have gaps?", others.join(", "))
            }
            [] => Ok(()),
        }
    }
}
