//! Errors of formats: reasons why a text could not be read as a graph, with the line, and reasons why a format cannot
//! express a graph.

use std::fmt;
use std::io;

use super::{Format, MOST_ISOLATED, MOST_VERTICES};
use crate::graph::GraphError;

/// Reason why a text could not be read as a graph, with the number of the line.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}{wrong}", .line.map_or(String::new(), |line| format!("line {line}: ")))]
pub struct FormatError {
    /// Number of the line, counted from 1; `None` if the error concerns the whole text.
    pub line: Option<usize>,
    /// Error in this line, or in the text as a whole.
    pub wrong: Wrong,
}

impl From<Wrong> for FormatError {
    fn from(wrong: Wrong) -> Self {
        Self { line: None, wrong }
    }
}

/// Error in a text that should be a graph. Vertices are given by their numbers or names in the text.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Wrong {
    /// The text is empty or has only comments.
    #[error("the text contains no graph")]
    Empty,
    /// A line is not valid in the format.
    #[error("\"{text}\" is not {expected}")]
    Line {
        /// Text of the line, shortened if it is long.
        text: String,
        /// Description of the text that the format expects instead.
        expected: &'static str,
    },
    /// A number in the text should refer to a vertex, but is out of range.
    #[error("vertex {vertex} is out of range: {}", range(*.first, *.last))]
    NoSuchVertex {
        /// Number in the text.
        vertex: u64,
        /// Number of the graph's first vertex, 0 or 1.
        first: u32,
        /// Largest number that a vertex can have; less than `first` if the graph has no vertices.
        last: i64,
    },
    /// The first line of a list of edges is a self-loop if read as an edge, and invalid if read as a header. The values
    /// are the vertex and the error of the header.
    #[error("\"{0} {0}\" is a self-loop if read as an edge, and an error if read as a header: {1}")]
    LoopOrHeader(u64, Box<FormatError>),
    /// The first line of a list of edges can be a header or an edge.
    #[error("\"{a} {b}\" may be an edge, or a header for {a} vertices and {b} edges{header}")]
    Unclear {
        /// First number in the line.
        a: u64,
        /// Second number in the line.
        b: u64,
        /// Result of reading the line as a header.
        header: HeaderReading,
    },
    /// The lines after a header could be edges, or could list the neighbours of each vertex, as METIS's format does.
    #[error("the lines after \"{a} {b}\" could be edges, or could list the two neighbours of each vertex (METIS)")]
    Neighbours {
        /// First number of the header.
        a: u64,
        /// Second number of the header.
        b: u64,
    },
    /// The text can be read in each of these formats, but the graphs differ.
    #[error("the text fits several formats, which give different graphs: {}", or(.0))]
    Formats(Vec<Format>),
    /// A text of numbers could not be read in any format that consists of numbers. The value has the error of each
    /// format.
    #[error("{}", readings(.0))]
    NoList(Vec<(Format, FormatError)>),
    /// The text is a formula in DIMACS CNF.
    #[error("the text is a CNF formula, not a graph")]
    Cnf,
    /// The text has clauses without the header of a formula.
    #[error("the text has clauses, but not the line \"p cnf VARIABLES CLAUSES\" before them")]
    Clauses,
    /// The text is a pseudo-Boolean formula.
    #[error("the text is a pseudo-Boolean formula, not a graph")]
    Opb,
    /// The text is the output of a solver.
    #[error("the text is a solver's answer, not a graph")]
    Answer,
    /// The text is a certificate that a graph has no tour.
    #[error("the text is a certificate, not a graph; check it with `hamcnf verify --proof`")]
    Certificate,
    /// The text is a tour in JSON.
    #[error("the text is a tour in JSON, not a graph; read it with `hamcnf check` or `hamcnf show`")]
    Tour,
    /// The text is in the graph format with this name, which is not supported.
    #[error("the text looks like {0}, which is not supported; convert it to graph6, GraphML or a list of edges")]
    Foreign(&'static str),
    /// The TSPLIB file describes something other than a graph. The value is its `TYPE`.
    #[error("TYPE {0} is not supported; a graph must have TYPE HCP, TSP or ATSP")]
    Type(String),
    /// An edge between names occurs in a list whose vertices are numbers.
    #[error("\"{0}\" is not a pair of numbers, but the edges before this line are")]
    Named(String),
    /// An edge joins a name and a number.
    #[error("\"{0}\" mixes a name and a number; use only names or only numbers in a list of edges")]
    Mixed(String),
    /// An edge has a weight, or a third number that may be a neighbour. The value is the line.
    #[error("\"{0}\" has a third column, but tours have no weights; remove the column")]
    Weight(String),
    /// The first line of a text of numbers has one number, and all others have two. The value is the number.
    #[error(
        "\"{0}\" may be the number of vertices, or a vertex without neighbours; remove the line, or name the format"
    )]
    Count(String),
    /// The first line is the header of a table. The value is the line.
    #[error(
        "\"{0}\" looks like a table header; remove it and keep one edge per line, \"VERTEX VERTEX\" or \"VERTEX,VERTEX\""
    )]
    Head(String),
    /// A row of a table of edges does not have the cells that the header of the table announces. The values are the row
    /// and the header.
    #[error("\"{0}\" is no edge of a table with the header \"{1}\"")]
    Cells(String, String),
    /// A comment leaves at most one word of a line, so the line is not an edge. The value is the line.
    #[error(
        "\"{0}\" has a comment sign after a blank, which leaves no edge; put a name with \"#\" or \"%\" in double quotes"
    )]
    Cut(String),
    /// The text has this number of graphs, one per line. The caller must choose one by its number.
    #[error("the text contains {0} graphs")]
    Several(usize),
    /// The text has no graph with the chosen number.
    #[error("graph number {number} does not exist: the file has {graphs} graphs")]
    NoSuchGraph {
        /// Chosen number, counted from 1.
        number: usize,
        /// Number of graphs in the file.
        graphs: usize,
    },
    /// A graph is chosen by its number, but the format has only one graph per file.
    #[error("the file has one graph; only files in the formats {} can have several", names(Format::has_several))]
    OneGraph,
    /// Weights are requested, but the format is not a list of edges. The value is the name of the format.
    #[error("the format \"{0}\" has no weights; only lists of edges have weights in a third column")]
    NoColumns(&'static str),
    /// The TSPLIB file is a travelling salesman problem whose weights do not mark edges.
    #[error(
        "the matrix of a TSP or ATSP must have two different weights off the diagonal: the smaller one marks edges"
    )]
    Weights,
    /// A graph6 string is too long or too short for its graph.
    #[error(
        "a graph with {vertices} vertices needs {expected} characters after the number of vertices, but {found} follow"
    )]
    Characters {
        /// Number of vertices that the beginning of the string gives.
        vertices: u32,
        /// Number of characters that must follow the number of vertices.
        expected: u64,
        /// Number of characters that follow the number of vertices.
        found: u64,
    },
    /// A row of a matrix does not have as many entries as the first row.
    #[error("the row has {found} entries, but the first row has {expected}")]
    Row {
        /// Number of entries of the first row.
        expected: usize,
        /// Number of entries of the row with the error.
        found: usize,
    },
    /// The number of lines that describe vertices differs from the number of vertices.
    #[error("expected {vertices} lines, one per vertex, but found {found}")]
    Lines {
        /// Number of vertices that the header announces; in a matrix, the number of columns.
        vertices: u32,
        /// Number of lines found; in a matrix, the number of rows.
        found: usize,
    },
    /// The second vertex is listed as a neighbour of the first, but the first is not listed as a neighbour of the
    /// second.
    #[error("{0} is adjacent to {1}, but {1} is not adjacent to {0}")]
    OneWay(u64, u64),
    /// The vertex with this name has two lines.
    #[error("vertex {0} has two lines; join them")]
    SecondLine(String),
    /// The vertex with this name occurs as a neighbour in the line, but no later line begins with the name.
    #[error("vertex {0} is a neighbour on this line, but no later line begins with {0}; add a line for vertex {0}")]
    NoLine(String),
    /// Possible adjacency list whose lines all have the same number of words, and some edge is in one line only.
    #[error("each line could be an edge with weights: every line has the same number of words")]
    SameLength,
    /// The text has the caption of nauty's showg, but neither an adjacency list nor a matrix.
    #[error("this form of showg is not supported; use `showg` or `showg -a`")]
    Caption,
    /// The text has this number of graphs, written by nauty's showg.
    #[error("the text contains {0} graphs; keep one, or use the graph6 file that it comes from")]
    SeveralCaptions(usize),
    /// The last line may be a truncated edge.
    #[error("the last line may be a truncated edge; is the file complete?")]
    CutOff,
    /// The text has no edges, so its format cannot be recognised.
    #[error("the text contains no edge")]
    NoEdge,
    /// An edge has an end that is not declared as a vertex. The value is the name of the end.
    #[error("node \"{0}\" is not declared")]
    Undeclared(String),
    /// The text is not valid XML. The value is the XML reader's message.
    #[error("not valid XML: {0}")]
    Xml(String),
    /// The text is not valid JSON. The value is the JSON reader's message.
    #[error("not valid JSON: {0}")]
    Json(String),
    /// The text is JSON in another form than node-link form. The value is the form.
    #[error("JSON of {0} is not supported; write the graph with networkx's `node_link_data`")]
    OtherJson(&'static str),
    /// The graph has more vertices than [`MOST_VERTICES`]. The value is the number of vertices.
    #[error("{0} vertices are too many; at most {MOST_VERTICES} are supported")]
    TooLarge(u64),
    /// The graph has more isolated vertices than [`MOST_ISOLATED`].
    #[error(
        "at most {MOST_ISOLATED} vertices without an edge are supported, but a graph with {vertices} vertices and {edges} edges has more"
    )]
    TooFewEdges {
        /// Number of vertices, as announced in the text or given by the greatest vertex number.
        vertices: u32,
        /// Number of edges.
        edges: usize,
    },
    /// The text lacks a part that the format requires. The value is the part.
    #[error("missing {0}")]
    Missing(&'static str),
    /// The text has a feature of the format that is not supported. The value is the feature.
    #[error("{0} is not supported")]
    NotRead(String),
    /// An edge of a DOT text has the mark of the other kind of graph.
    #[error(
        "\"{}\" is no edge of a \"{}\"; write \"{}\"",
        if *.is_arc { "->" } else { "--" },
        if *.is_arc { "graph" } else { "digraph" },
        if *.is_arc { "digraph { a -> b }" } else { "graph { a -- b }" }
    )]
    DotMark {
        /// True if the mark is `->`.
        is_arc: bool,
    },
    /// The number of edges differs from the number in the header.
    #[error("the header announces {announced} edges, but {found} follow")]
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

/// Result of reading the first line of a list as a header. The line can also be an edge.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HeaderReading {
    /// The header agrees with the edges in the following lines.
    Fits,
    /// The header announces a wrong number of edges.
    Edges {
        /// Number of edges that follow.
        found: u64,
    },
    /// The header announces this number of vertices, but the edges have one vertex more: their vertices run from 0 to
    /// this number.
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

/// Reason why a graph could not be written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// A plain list of edges cannot express this isolated vertex. The value is its number, counted from 1.
    #[error("the format \"edges\" cannot contain vertex {0}, which has no edge; use the format \"edges-header\"")]
    Isolated(u64),
    /// The format cannot express the name of a vertex.
    #[error("the format \"{format}\" cannot contain the vertex name \"{name}\"")]
    Name {
        /// Format in which the graph should be written.
        format: Format,
        /// Name of the vertex.
        name: String,
    },
    /// The format has no arcs, so it cannot express a digraph.
    #[error("the format \"{format}\" cannot express a directed graph; choose from {}", names(Format::has_arcs), format = .0)]
    Directed(&'static str),
    /// The format has no writer.
    #[error("this format can only be read")]
    Unwritten,
    /// Writing to the output failed.
    #[error("cannot write the graph")]
    Io(#[from] io::Error),
}

/// Joins the names of the formats that have an ability.
fn names(has: fn(Format) -> bool) -> String {
    let all = Format::all().into_iter().filter(|&format| has(format));
    all.map(Format::as_str).collect::<Vec<_>>().join(", ")
}

/// Joins the names of formats with "or".
fn or(formats: &[Format]) -> String {
    let names: Vec<_> = formats.iter().map(ToString::to_string).collect();
    names.join(" or ")
}

/// Describes, format by format, why a text could not be read.
fn readings(wrong: &[(Format, FormatError)]) -> String {
    let each: Vec<_> = wrong.iter().map(|(format, error)| format!("as \"{format}\", {error}")).collect();
    each.join("; ")
}

/// Describes a range of vertex numbers in words.
fn range(first: u32, last: i64) -> String {
    match last < i64::from(first) {
        true => "the graph has no vertices".to_owned(),
        false => format!("the vertices are {first} to {last}"),
    }
}
