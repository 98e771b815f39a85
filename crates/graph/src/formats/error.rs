//! Errors of texts that are not graphs, with their lines, and of graphs that a format cannot express.

use std::fmt;
use std::io;

use super::{Format, MOST_ISOLATED, MOST_VERTICES};
use crate::graph::GraphError;

/// Error of a text that is not a graph.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}{wrong}", .line.map_or(String::new(), |line| format!("line {line}: ")))]
pub struct FormatError {
    /// Line, from 1; `None` if the error is not about a single line.
    pub line: Option<usize>,
    /// Description of the error.
    pub wrong: Wrong,
}

impl From<Wrong> for FormatError {
    fn from(wrong: Wrong) -> Self {
        Self { line: None, wrong }
    }
}

/// Kind of error in a text that should be a graph. Vertices are numbered as in the text.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Wrong {
    /// The text is empty or has only comments.
    #[error("the text contains no graph")]
    Empty,
    /// A line is not valid in the format.
    #[error("'{text}' is not {expected}")]
    Line {
        /// Text of the line, shortened.
        text: String,
        /// Description of what the format allows there.
        expected: &'static str,
    },
    /// A number is not that of a vertex.
    #[error("vertex {vertex} is out of range: {}", range(*.first, *.last))]
    NoSuchVertex {
        /// Number in the text.
        vertex: u64,
        /// Number of the first vertex.
        first: u32,
        /// Largest number that a vertex has or may have.
        last: i64,
    },
    /// An edge joins a vertex to itself.
    #[error("edge '{0} {0}' is a self-loop; remove it")]
    Loop(String),
    /// A list of edges begins with a self-loop, or with a wrong header.
    #[error("'{0} {0}' is a self-loop if it is an edge, and wrong if it is a header: {1}")]
    LoopOrHeader(u64, Box<FormatError>),
    /// The first line of a list of edges may be a header as well as an edge.
    #[error("'{a} {b}' may be an edge, or a header for {a} vertices and {b} edges{header}")]
    Unclear {
        /// First number of the line.
        a: u64,
        /// Second number of the line.
        b: u64,
        /// Reading of the line as a header.
        header: HeaderReading,
    },
    /// The edges after a header may as well be METIS's lists of neighbours.
    #[error("the lines after '{a} {b}' may be edges, or the two neighbours of each vertex (METIS)")]
    Neighbours {
        /// First number of the header.
        a: u64,
        /// Second number of the header.
        b: u64,
    },
    /// The text is a graph in each of these formats, but not the same graph.
    #[error("the text is a different graph in each format: {}", or(.0))]
    Formats(Vec<Format>),
    /// Lines of numbers fit none of the formats that consist of numbers.
    #[error("{}", readings(.0))]
    NoList(Vec<(Format, FormatError)>),
    /// The text is a CNF formula.
    #[error("the text is a CNF formula, not a graph")]
    Cnf,
    /// The text is a pseudo-Boolean formula.
    #[error("the text is a pseudo-Boolean formula, not a graph")]
    Opb,
    /// The text is the output of a solver.
    #[error("the text is a solver's answer, not a graph")]
    Answer,
    /// The text is in an unsupported graph format.
    #[error(
        "the text looks like {0}, which is not supported; convert it with networkx to graph6, GraphML or a list of edges"
    )]
    Foreign(&'static str),
    /// The TSPLIB file describes something other than a graph.
    #[error("TYPE {0} is not supported; only TYPE HCP is a graph")]
    Type(String),
    /// An edge between names is in a list of numbers.
    #[error("'{0}' is not an edge 'VERTEX VERTEX' of numbers like the edges before")]
    Named(String),
    /// An edge joins a name and a number.
    #[error("'{0}' mixes a name and a number; use only names or only numbers in a list of edges")]
    Mixed(String),
    /// An edge has a weight, or a third number that may be a neighbour.
    #[error("'{0}' has a third column, but tours have no weights; remove the column")]
    Weight(String),
    /// The first line is the head of a table.
    #[error(
        "'{0}' looks like a table header; remove it and keep one edge per line, 'VERTEX VERTEX' or 'VERTEX,VERTEX'"
    )]
    Head(String),
    /// The text has several graphs, one per line; a number can choose one.
    #[error("the text contains {0} graphs")]
    Several(usize),
    /// The text has several graphs, and the format has no way to choose one.
    #[error("the text contains {0} graphs; keep one")]
    SeveralElements(usize),
    /// The text has no graph of the chosen number.
    #[error("graph number {number} does not exist: the file has {graphs} graphs")]
    NoSuchGraph {
        /// Chosen number, from 1.
        number: usize,
        /// Number of graphs in the file.
        graphs: usize,
    },
    /// A graph is chosen by number in a format that has one graph per file.
    #[error(
        "the file has one graph; only graph6 and sparse6 files have numbered graphs, one per line"
    )]
    OneGraph,
    /// Weights are requested in a format that is not a list of edges.
    #[error("the format is {0}; only lists of edges have weights in a third column")]
    NoColumns(&'static str),
    /// The graph is directed.
    #[error(
        "directed graphs ({words}) are not supported: the arc from {from} to {to} has no reverse"
    )]
    Directed {
        /// Words in the text that make the graph directed.
        words: String,
        /// Tail of an arc without its reverse.
        from: String,
        /// Head of the arc.
        to: String,
    },
    /// The problem is on directed graphs with weights.
    #[error(
        "asymmetric travelling salesman problems (TYPE ATSP) are directed, which is not supported"
    )]
    Atsp,
    /// A graph6 string is too long or too short for its graph.
    #[error("{vertices} vertices need {expected} characters, but {found} follow")]
    Characters {
        /// Number of vertices that the string announces.
        vertices: u32,
        /// Number of characters that should follow.
        expected: u64,
        /// Number of characters that follow.
        found: u64,
    },
    /// A row of a matrix has another length than the first row.
    #[error("the row has {found} entries, but the first row has {expected}")]
    Row {
        /// Number of entries of the first row.
        expected: usize,
        /// Number of entries of the wrong row.
        found: usize,
    },
    /// The number of lines is not that of vertices.
    #[error("{vertices} vertices, but {found} lines for them")]
    Lines {
        /// Number of vertices.
        vertices: u32,
        /// Number of lines.
        found: usize,
    },
    /// The first vertex has the second as a neighbour, but not vice versa.
    #[error("{0} is adjacent to {1}, but {1} is not adjacent to {0}")]
    OneWay(u64, u64),
    /// A vertex has two lines.
    #[error("vertex {0} has a second line")]
    SecondLine(String),
    /// A neighbour has no line of its own after the line that names it.
    #[error("vertex {0} has no line of its own after this one")]
    NoLine(String),
    /// The last line looks like a truncated edge.
    #[error("the last line may be a truncated edge")]
    CutOff,
    /// The text has no edge, so it is no sign of the format.
    #[error("the text contains no edge")]
    NoEdge,
    /// An edge has a vertex that is not declared.
    #[error("node '{0}' is not declared")]
    Undeclared(String),
    /// The text is not valid XML.
    #[error("not valid XML: {0}")]
    Xml(String),
    /// The graph has more vertices than [`MOST_VERTICES`].
    #[error("{0} vertices are too many; at most {MOST_VERTICES} are supported")]
    TooLarge(u64),
    /// The graph has more isolated vertices than [`MOST_ISOLATED`].
    #[error(
        "{vertices} vertices with {edges} edges leave more than {MOST_ISOLATED} vertices without an edge"
    )]
    TooFewEdges {
        /// Number of vertices, as announced or by the greatest number.
        vertices: u32,
        /// Number of edges.
        edges: usize,
    },
    /// A required part of the text is missing.
    #[error("missing {0}")]
    Missing(&'static str),
    /// The text has an unsupported feature.
    #[error("{0} is not supported")]
    NotRead(String),
    /// The number of edges is not that of the header.
    #[error("the header announces {announced} edges, but {found} follow")]
    Edges {
        /// Number of edges in the header.
        announced: u64,
        /// Number of edges after the header.
        found: u64,
    },
    /// The graph cannot be built.
    #[error(transparent)]
    Graph(#[from] GraphError),
}

/// Reading of an unclear first line as a header.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HeaderReading {
    /// The header fits the edges that follow.
    Fits,
    /// The header announces another number of edges.
    Edges {
        /// Number of edges that follow.
        found: u64,
    },
    /// The header has one vertex fewer than there are from 0 to this number.
    FromZeroTo(u64),
}

impl fmt::Display for HeaderReading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fits => Ok(()),
            Self::Edges { found } => write!(f, ", but {found} edges follow"),
            Self::FromZeroTo(last) => write!(f, ", but vertices 0 to {last} occur"),
        }
    }
}

/// Error of writing a graph.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// A plain list of edges cannot express this isolated vertex, numbered from 1.
    #[error("format edges cannot express that vertex {0} has no edge; use edges-header")]
    Isolated(u64),
    /// The format cannot express a vertex's name.
    #[error("format {format} cannot express the vertex name '{name}'")]
    Name {
        /// Format to write.
        format: Format,
        /// Name of the vertex.
        name: String,
    },
    /// Writing to the output failed.
    #[error("cannot write the graph")]
    Io(#[from] io::Error),
}

/// Joins formats with "or".
fn or(formats: &[Format]) -> String {
    let names: Vec<_> = formats.iter().map(ToString::to_string).collect();
    names.join(" or ")
}

/// Lists the error of each format.
fn readings(wrong: &[(Format, FormatError)]) -> String {
    let each: Vec<_> = wrong
        .iter()
        .map(|(format, error)| format!("as {format}, {error}"))
        .collect();
    each.join("; ")
}

/// Describes a range of vertices in words.
fn range(first: u32, last: i64) -> String {
    match last < i64::from(first) {
        true => "the graph has no vertices".to_owned(),
        false => format!("{first} to {last}"),
    }
}
