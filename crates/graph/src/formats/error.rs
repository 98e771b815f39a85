//! Reasons why a text could not be read as a graph, with their lines, and why a format cannot express a graph.

use std::fmt;
use std::io;

use super::{Format, MOST_ISOLATED, MOST_VERTICES};
use crate::graph::GraphError;

/// Reason why a text could not be read as a graph, with the line.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}{wrong}", .line.map_or(String::new(), |line| format!("line {line}: ")))]
pub struct FormatError {
    /// Number of the line, counted from 1; `None` if the error concerns the whole text.
    pub line: Option<usize>,
    /// Error in the line or the text.
    pub wrong: Wrong,
}

impl From<Wrong> for FormatError {
    fn from(wrong: Wrong) -> Self {
        Self { line: None, wrong }
    }
}

/// Error in a text that should be a graph. Vertices have the numbers and names of the text.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Wrong {
    /// The text is empty or has only comments.
    #[error("there is no graph in it")]
    Empty,
    /// A line is not valid in the format.
    #[error("'{text}' is not {expected}")]
    Line {
        /// Text of the line, shortened if it is long.
        text: String,
        /// Description of what the format allows at this place.
        expected: &'static str,
    },
    /// The text has a number in place of a vertex that is not the number of a vertex.
    #[error("vertex {vertex} is not one of {}", range(*.first, *.last))]
    NoSuchVertex {
        /// Number in the text.
        vertex: u64,
        /// Number of the first vertex, 0 or 1.
        first: u32,
        /// Largest number that a vertex has or may have.
        last: i64,
    },
    /// An edge joins the vertex with this name to itself.
    #[error("the edge {0} {0} joins a vertex to itself")]
    Loop(String),
    /// The first line of a list of edges is a self-loop as an edge, and wrong as a header. Has the vertex and the
    /// header's error.
    #[error("the edge {0} {0} joins a vertex to itself, and as a header it is wrong: {1}")]
    LoopOrHeader(u64, Box<FormatError>),
    /// The first line of a list of edges can be a header as well as an edge.
    #[error("'{a} {b}' may be an edge, or a header that says {a} vertices and {b} edges{header}")]
    Unclear {
        /// First number in the line.
        a: u64,
        /// Second number in the line.
        b: u64,
        /// Result of reading the line as a header.
        header: HeaderReading,
    },
    /// The lines after a header can be edges as well as METIS's lists of neighbours.
    #[error(
        "what follows '{a} {b}' may be edges, or the two neighbours of each vertex as in METIS's format"
    )]
    Neighbours {
        /// First number of the header.
        a: u64,
        /// Second number of the header.
        b: u64,
    },
    /// The text can be read in each of these formats, but the graphs differ.
    #[error("it may be {}, which are different graphs", or(.0))]
    Formats(Vec<Format>),
    /// A text of numbers could not be read in any of the formats that consist of numbers. Has the error of each format.
    #[error("{}", readings(.0))]
    NoList(Vec<(Format, FormatError)>),
    /// The text is a formula in DIMACS CNF.
    #[error("it is a CNF formula, not a graph")]
    Cnf,
    /// The text is a pseudo-Boolean formula.
    #[error("it is a pseudo-Boolean formula, not a graph")]
    Opb,
    /// The text is the output of a solver.
    #[error("it is a solver's answer, not a graph")]
    Answer,
    /// The text is in the graph format with this name, which is not supported.
    #[error(
        "it looks like {0}, which is not read here; networkx reads it, and writes graph6, GraphML and lists of edges"
    )]
    Foreign(&'static str),
    /// The TSPLIB file has this `TYPE`, which is not a graph.
    #[error("TYPE {0} is not a graph: only TYPE HCP is read")]
    Type(String),
    /// A list of numbers has an edge between names. Has the line.
    #[error("'{0}' is not an edge 'VERTEX VERTEX' of numbers, as those before it are")]
    Named(String),
    /// An edge joins a name and a number. Has the line.
    #[error(
        "'{0}' is between a name and a number: in a list of edges vertices are called by either"
    )]
    Mixed(String),
    /// An edge has a third column: a weight, or a number that may be a neighbour. Has the line.
    #[error("'{0}' has a weight, which a tour does not ask for: leave two columns")]
    Weight(String),
    /// The first line is the head of a table. Has the line.
    #[error(
        "'{0}' looks like the head of a table: leave the edges only, 'VERTEX VERTEX' or 'VERTEX,VERTEX' a line"
    )]
    Head(String),
    /// The text has this number of graphs, one per line, so the caller must choose one by its number.
    #[error("there are {0} graphs in it")]
    Several(usize),
    /// The text has this number of graphs, and the format allows no choice between them.
    #[error("there are {0} graphs in it: leave one")]
    SeveralElements(usize),
    /// The text does not have a graph with the chosen number.
    #[error("there is no graph {number}: there are {graphs}")]
    NoSuchGraph {
        /// Chosen number, counted from 1.
        number: usize,
        /// Number of graphs in the file.
        graphs: usize,
    },
    /// A graph is chosen by its number, but the format has only one graph per file.
    #[error("it is one graph: only files of graph6 and sparse6 have numbered graphs, a line each")]
    OneGraph,
    /// A third column of weights is declared, but this format is not a list of edges.
    #[error("it is {0}, and weights in a third column are of lists of edges")]
    NoColumns(&'static str),
    /// The graph is directed: an arc has no reverse.
    #[error(
        "it is a directed graph ({words}), which is not supported: the arc from {from} to {to} has no reverse"
    )]
    Directed {
        /// Words in the text that make the edges arcs.
        words: String,
        /// Name of the tail of an arc without its reverse.
        from: String,
        /// Name of the head of this arc.
        to: String,
    },
    /// The TSPLIB file is an asymmetric travelling salesman problem, which is about directed graphs with weights.
    #[error(
        "it is an asymmetric travelling salesman problem (TYPE ATSP), which is directed and not supported"
    )]
    Atsp,
    /// A graph6 string is too long or too short for its graph.
    #[error("{vertices} vertices take {expected} characters, and there are {found}")]
    Characters {
        /// Number of vertices at the beginning of the string.
        vertices: u32,
        /// Number of characters that must follow the number of vertices.
        expected: u64,
        /// Number of characters that follow the number of vertices.
        found: u64,
    },
    /// A row of a matrix has another number of entries than the first row.
    #[error("the row has {found} entries, and the first has {expected}")]
    Row {
        /// Number of entries of the first row.
        expected: usize,
        /// Number of entries of the row with the error.
        found: usize,
    },
    /// The number of lines differs from the number of vertices.
    #[error("there are {vertices} vertices, and {found} lines for them")]
    Lines {
        /// Number of vertices that the header announces; in a matrix, the number of columns.
        vertices: u32,
        /// Number of lines for vertices; in a matrix, the number of rows.
        found: usize,
    },
    /// The second vertex is listed as a neighbour of the first, but not vice versa.
    #[error("{0} is adjacent to {1}, and {1} is not to {0}")]
    OneWay(u64, u64),
    /// The vertex with this name has two lines.
    #[error("vertex {0} has a second line")]
    SecondLine(String),
    /// The vertex with this name occurs as a neighbour, but has no line of its own after this line.
    #[error("vertex {0} has no line of its own behind this one")]
    NoLine(String),
    /// The last line may be a truncated edge.
    #[error("it may be the half of an edge")]
    CutOff,
    /// The text has no edges, which is not enough to recognise the format.
    #[error("there is no edge in it")]
    NoEdge,
    /// An edge has an end with this name, which is not declared as a vertex.
    #[error("there is no node '{0}'")]
    Undeclared(String),
    /// The text is not valid XML; has the XML reader's message.
    #[error("it is no XML: {0}")]
    Xml(String),
    /// The graph has this number of vertices, which is more than [`MOST_VERTICES`].
    #[error("{0} vertices are more than {MOST_VERTICES}")]
    TooLarge(u64),
    /// The graph has more isolated vertices than [`MOST_ISOLATED`].
    #[error(
        "there are {vertices} vertices and {edges} edges, which leave more than {MOST_ISOLATED} without one"
    )]
    TooFewEdges {
        /// Number of vertices, as announced or given by the greatest number.
        vertices: u32,
        /// Number of edges.
        edges: usize,
    },
    /// The text lacks this part, which the format requires.
    #[error("there is no {0}")]
    Missing(&'static str),
    /// The text has this feature of the format, which is not supported.
    #[error("{0} is not read here")]
    NotRead(String),
    /// The number of edges differs from the number in the header.
    #[error("{announced} edges are announced, and there are {found}")]
    Edges {
        /// Number of edges that the header announces.
        announced: u64,
        /// Number of edges that follow the header.
        found: u64,
    },
    /// The edges do not form a graph.
    #[error(transparent)]
    Graph(#[from] GraphError),
}

/// Result of reading an unclear first line as a header.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HeaderReading {
    /// The header agrees with the edges that follow.
    Fits,
    /// The header announces a wrong number of edges.
    Edges {
        /// Number of edges that follow.
        found: u64,
    },
    /// The header announces this number of vertices, but the edges have vertices from 0 to this number, which is one
    /// more.
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

/// Reason why a graph could not be written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// A plain list of edges cannot express this isolated vertex, whose number counts from 1.
    #[error("a list of edges cannot say that vertex {0} has no edge: edges-header can")]
    Isolated(u64),
    /// The format cannot express the name of a vertex.
    #[error("a vertex in {format} cannot be called '{name}'")]
    Name {
        /// Format in which the graph should be written.
        format: Format,
        /// Name of the vertex.
        name: String,
    },
    /// Writing to the output failed.
    #[error("cannot write the graph")]
    Io(#[from] io::Error),
}

/// Joins the names of formats with "or".
fn or(formats: &[Format]) -> String {
    let names: Vec<_> = formats.iter().map(ToString::to_string).collect();
    names.join(" or ")
}

/// Describes, format by format, why a text could not be read.
fn readings(wrong: &[(Format, FormatError)]) -> String {
    let each: Vec<_> = wrong
        .iter()
        .map(|(format, error)| format!("as {format}, {error}"))
        .collect();
    each.join("; ")
}

/// Describes a range of vertex numbers in words.
fn range(first: u32, last: i64) -> String {
    match last < i64::from(first) {
        true => "the vertices, of which there are none".to_owned(),
        false => format!("{first} to {last}"),
    }
}
