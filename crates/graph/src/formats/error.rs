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
    #[error("there is no graph in it")]
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
    #[error("vertex {vertex} is not one of {}", range(*.first, *.last))]
    NoSuchVertex {
        /// Number in the text.
        vertex: u64,
        /// Number of the first vertex.
        first: u32,
        /// Largest number that a vertex has or may have.
        last: i64,
    },
    /// An edge joins a vertex to itself.
    #[error("the edge {0} {0} joins a vertex to itself")]
    Loop(String),
    /// A list of edges begins with a self-loop, or with a wrong header.
    #[error("the edge {0} {0} joins a vertex to itself, and as a header it is wrong: {1}")]
    LoopOrHeader(u64, Box<FormatError>),
    /// The first line of a list of edges may be a header as well as an edge.
    #[error("'{a} {b}' may be an edge, or a header that says {a} vertices and {b} edges{header}")]
    Unclear {
        /// First number of the line.
        a: u64,
        /// Second number of the line.
        b: u64,
        /// Reading of the line as a header.
        header: HeaderReading,
    },
    /// The edges after a header may as well be METIS's lists of neighbours.
    #[error(
        "what follows '{a} {b}' may be edges, or the two neighbours of each vertex as in METIS's format"
    )]
    Neighbours {
        /// First number of the header.
        a: u64,
        /// Second number of the header.
        b: u64,
    },
    /// The text is a graph in each of these formats, but not the same graph.
    #[error("it may be {}, which are different graphs", or(.0))]
    Formats(Vec<Format>),
    /// Lines of numbers fit none of the formats that consist of numbers.
    #[error("{}", readings(.0))]
    NoList(Vec<(Format, FormatError)>),
    /// The text is a CNF formula.
    #[error("it is a CNF formula, not a graph")]
    Cnf,
    /// The text is a pseudo-Boolean formula.
    #[error("it is a pseudo-Boolean formula, not a graph")]
    Opb,
    /// The text is the output of a solver.
    #[error("it is a solver's answer, not a graph")]
    Answer,
    /// The text is in an unsupported graph format.
    #[error(
        "it looks like {0}, which is not read here; networkx reads it, and writes graph6, GraphML and lists of edges"
    )]
    Foreign(&'static str),
    /// The TSPLIB file describes something other than a graph.
    #[error("TYPE {0} is not a graph: only TYPE HCP is read")]
    Type(String),
    /// An edge between names is in a list of numbers.
    #[error("'{0}' is not an edge 'VERTEX VERTEX' of numbers, as those before it are")]
    Named(String),
    /// An edge joins a name and a number.
    #[error(
        "'{0}' is between a name and a number: in a list of edges vertices are called by either"
    )]
    Mixed(String),
    /// An edge has a weight, or a third number that may be a neighbour.
    #[error("'{0}' has a weight, which a tour does not ask for: leave two columns")]
    Weight(String),
    /// The first line is the head of a table.
    #[error(
        "'{0}' looks like the head of a table: leave the edges only, 'VERTEX VERTEX' or 'VERTEX,VERTEX' a line"
    )]
    Head(String),
    /// The text has several graphs, one per line; a number can choose one.
    #[error("there are {0} graphs in it")]
    Several(usize),
    /// The text has several graphs, and the format has no way to choose one.
    #[error("there are {0} graphs in it: leave one")]
    SeveralElements(usize),
    /// The text has no graph of the chosen number.
    #[error("there is no graph {number}: there are {graphs}")]
    NoSuchGraph {
        /// Chosen number, from 1.
        number: usize,
        /// Number of graphs in the file.
        graphs: usize,
    },
    /// A graph is chosen by number in a format that has one graph per file.
    #[error("it is one graph: only files of graph6 and sparse6 have numbered graphs, a line each")]
    OneGraph,
    /// Weights are requested in a format that is not a list of edges.
    #[error("it is {0}, and weights in a third column are of lists of edges")]
    NoColumns(&'static str),
    /// The graph is directed.
    #[error(
        "it is a directed graph ({words}), which is not supported: the arc from {from} to {to} has no reverse"
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
        "it is an asymmetric travelling salesman problem (TYPE ATSP), which is directed and not supported"
    )]
    Atsp,
    /// A graph6 string is too long or too short for its graph.
    #[error("{vertices} vertices take {expected} characters, and there are {found}")]
    Characters {
        /// Number of vertices that the string announces.
        vertices: u32,
        /// Number of characters that should follow.
        expected: u64,
        /// Number of characters that follow.
        found: u64,
    },
    /// A row of a matrix has another length than the first row.
    #[error("the row has {found} entries, and the first has {expected}")]
    Row {
        /// Number of entries of the first row.
        expected: usize,
        /// Number of entries of the wrong row.
        found: usize,
    },
    /// The number of lines is not that of vertices.
    #[error("there are {vertices} vertices, and {found} lines for them")]
    Lines {
        /// Number of vertices.
        vertices: u32,
        /// Number of lines.
        found: usize,
    },
    /// The first vertex has the second as a neighbour, but not vice versa.
    #[error("{0} is adjacent to {1}, and {1} is not to {0}")]
    OneWay(u64, u64),
    /// A vertex has two lines.
    #[error("vertex {0} has a second line")]
    SecondLine(String),
    /// A neighbour has no line of its own after the line that names it.
    #[error("vertex {0} has no line of its own behind this one")]
    NoLine(String),
    /// The last line looks like a truncated edge.
    #[error("it may be the half of an edge")]
    CutOff,
    /// The text has no edge, so it is no sign of the format.
    #[error("there is no edge in it")]
    NoEdge,
    /// An edge has a vertex that is not declared.
    #[error("there is no node '{0}'")]
    Undeclared(String),
    /// The text is not valid XML.
    #[error("it is no XML: {0}")]
    Xml(String),
    /// The graph has more vertices than [`MOST_VERTICES`].
    #[error("{0} vertices are more than {MOST_VERTICES}")]
    TooLarge(u64),
    /// The graph has more isolated vertices than [`MOST_ISOLATED`].
    #[error(
        "there are {vertices} vertices and {edges} edges, which leave more than {MOST_ISOLATED} without one"
    )]
    TooFewEdges {
        /// Number of vertices, as announced or by the greatest number.
        vertices: u32,
        /// Number of edges.
        edges: usize,
    },
    /// A required part of the text is missing.
    #[error("there is no {0}")]
    Missing(&'static str),
    /// The text has an unsupported feature.
    #[error("{0} is not read here")]
    NotRead(String),
    /// The number of edges is not that of the header.
    #[error("{announced} edges are announced, and there are {found}")]
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
            Self::Edges { found } => write!(f, ", where there are {found}"),
            Self::FromZeroTo(last) => write!(f, ", where both vertex 0 and vertex {last} occur"),
        }
    }
}

/// Error of writing a graph.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// A plain list of edges cannot express this isolated vertex, numbered from 1.
    #[error("a list of edges cannot say that vertex {0} has no edge: edges-header can")]
    Isolated(u64),
    /// The format cannot express a vertex's name.
    #[error("a vertex in {format} cannot be called '{name}'")]
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
        true => "the vertices, of which there are none".to_owned(),
        false => format!("{first} to {last}"),
    }
}
