//! Errors of texts that are no graph, with their lines, and of graphs that a format cannot say.

use std::fmt;
use std::io;

use super::{Format, MOST_ISOLATED, MOST_VERTICES};
use crate::graph::GraphError;

/// Why a text is not a graph.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}{wrong}", .line.map_or(String::new(), |line| format!("line {line}: ")))]
pub struct FormatError {
    /// The line, from 1, if it is about one.
    pub line: Option<usize>,
    /// What is wrong.
    pub wrong: Wrong,
}

impl From<Wrong> for FormatError {
    fn from(wrong: Wrong) -> Self {
        Self { line: None, wrong }
    }
}

/// What is wrong with a text that was said to be a graph. Vertices are numbered as they are there.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Wrong {
    /// There is nothing in it but comments.
    #[error("there is no graph in it")]
    Empty,
    /// A line that says nothing in this format.
    #[error("'{text}' is not {expected}")]
    Line {
        /// The line.
        text: String,
        /// What might stand there.
        expected: &'static str,
    },
    /// A vertex that there is not.
    #[error("vertex {vertex} is not one of {}", range(*.first, *.last))]
    NoSuchVertex {
        /// Its number.
        vertex: u64,
        /// The first that there is.
        first: u32,
        /// The last that there is, or that there may be.
        last: i64,
    },
    /// An edge from a vertex to itself.
    #[error("the edge {0} {0} joins a vertex to itself")]
    Loop(String),
    /// A list of edges that begins with one from a vertex to itself, or with a header that is wrong.
    #[error("the edge {0} {0} joins a vertex to itself, and as a header it is wrong: {1}")]
    LoopOrHeader(u64, Box<FormatError>),
    /// A list of edges whose first line may be a header as well as an edge.
    #[error("'{a} {b}' may be an edge, or a header that says {a} vertices and {b} edges{header}")]
    Unclear {
        /// Its first number.
        a: u64,
        /// Its second number.
        b: u64,
        /// What is to say of it as a header.
        header: HeaderReading,
    },
    /// A list of edges behind a header that may be METIS's list of neighbours as well.
    #[error(
        "what follows '{a} {b}' may be edges, or the two neighbours of each vertex as in METIS's format"
    )]
    Neighbours {
        /// The header's first number.
        a: u64,
        /// Its second number.
        b: u64,
    },
    /// A text that is a graph in each of these formats, and not the same.
    #[error("it may be {}, which are different graphs", or(.0))]
    Formats(Vec<Format>),
    /// Lines of numbers that are in none of the formats that have them.
    #[error("{}", readings(.0))]
    NoList(Vec<(Format, FormatError)>),
    /// A formula.
    #[error("it is a CNF formula, not a graph")]
    Cnf,
    /// A formula of another kind.
    #[error("it is a pseudo-Boolean formula, not a graph")]
    Opb,
    /// What a solver said.
    #[error("it is a solver's answer, not a graph")]
    Answer,
    /// A graph in a format of others.
    #[error(
        "it looks like {0}, which is not read here; networkx reads it, and writes graph6, GraphML and lists of edges"
    )]
    Foreign(&'static str),
    /// A TSPLIB file about something else than a graph.
    #[error("TYPE {0} is not a graph: only TYPE HCP is read")]
    Type(String),
    /// An edge between names in a list of numbers.
    #[error("'{0}' is not an edge 'VERTEX VERTEX' of numbers, as those before it are")]
    Named(String),
    /// An edge between a name and a number.
    #[error(
        "'{0}' is between a name and a number: in a list of edges vertices are called by either"
    )]
    Mixed(String),
    /// An edge with a weight, or with what may be a neighbour.
    #[error("'{0}' has a weight, which a tour does not ask for: leave two columns")]
    Weight(String),
    /// The head of a table.
    #[error(
        "'{0}' looks like the head of a table: leave the edges only, 'VERTEX VERTEX' or 'VERTEX,VERTEX' a line"
    )]
    Head(String),
    /// Several graphs, each a line, of which one can be chosen by its number.
    #[error("there are {0} graphs in it")]
    Several(usize),
    /// Several graphs in a format of which the first cannot be chosen.
    #[error("there are {0} graphs in it: leave one")]
    SeveralElements(usize),
    /// The number of a graph that is not there.
    #[error("there is no graph {number}: there are {graphs}")]
    NoSuchGraph {
        /// The number, from 1.
        number: usize,
        /// Number of graphs in the file.
        graphs: usize,
    },
    /// The number of a graph in a format that has one graph a file.
    #[error("it is one graph: only files of graph6 and sparse6 have numbered graphs, a line each")]
    OneGraph,
    /// Weights in a format that is no list of edges.
    #[error("it is {0}, and weights in a third column are of lists of edges")]
    NoColumns(&'static str),
    /// A graph with directions.
    #[error(
        "it is a directed graph ({words}), which is not supported: the arc from {from} to {to} has no reverse"
    )]
    Directed {
        /// The words that say so.
        words: String,
        /// The tail of an arc without its reverse.
        from: String,
        /// Its head.
        to: String,
    },
    /// A problem on directed graphs with weights.
    #[error(
        "it is an asymmetric travelling salesman problem (TYPE ATSP), which is directed and not supported"
    )]
    Atsp,
    /// A string of graph6 that is too long or too short for its graph.
    #[error("{vertices} vertices take {expected} characters, and there are {found}")]
    Characters {
        /// Vertices, as the string begins.
        vertices: u32,
        /// So many characters follow then.
        expected: u64,
        /// So many do.
        found: u64,
    },
    /// A row of a matrix that is longer or shorter than there are rows.
    #[error("the row has {found} entries, and the first has {expected}")]
    Row {
        /// Entries of the first row.
        expected: usize,
        /// Of this one.
        found: usize,
    },
    /// More or fewer lines than vertices.
    #[error("there are {vertices} vertices, and {found} lines for them")]
    Lines {
        /// Vertices.
        vertices: u32,
        /// Lines.
        found: usize,
    },
    /// A neighbour of a vertex that does not have this as a neighbour.
    #[error("{0} is adjacent to {1}, and {1} is not to {0}")]
    OneWay(u64, u64),
    /// A vertex that has two lines.
    #[error("vertex {0} has a second line")]
    SecondLine(String),
    /// A neighbour in a list in which vertices follow that have not had their line.
    #[error("vertex {0} has no line of its own behind this one")]
    NoLine(String),
    /// What looks like edges of which the last was cut off.
    #[error("it may be the half of an edge")]
    CutOff,
    /// No edge at all, where that is no sign of a format.
    #[error("there is no edge in it")]
    NoEdge,
    /// An edge of a vertex that is not declared.
    #[error("there is no node '{0}'")]
    Undeclared(String),
    /// A text that is no XML.
    #[error("it is no XML: {0}")]
    Xml(String),
    /// More vertices than are read.
    #[error("{0} vertices are more than {MOST_VERTICES}")]
    TooLarge(u64),
    /// More vertices than edges can have as their ends, and than may be without one.
    #[error(
        "there are {vertices} vertices and {edges} edges, which leave more than {MOST_ISOLATED} without one"
    )]
    TooFewEdges {
        /// Vertices, by their number or by the greatest.
        vertices: u32,
        /// Edges.
        edges: usize,
    },
    /// Something is not there.
    #[error("there is no {0}")]
    Missing(&'static str),
    /// Something that is not read.
    #[error("{0} is not read here")]
    NotRead(String),
    /// More or fewer edges than the header says.
    #[error("{announced} edges are announced, and there are {found}")]
    Edges {
        /// In the header.
        announced: u64,
        /// After it.
        found: u64,
    },
    /// The graph cannot be had.
    #[error(transparent)]
    Graph(#[from] GraphError),
}

/// What a line that may be a header would say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HeaderReading {
    /// What is there.
    Fits,
    /// Other than so many edges.
    Edges {
        /// So many are there.
        found: u64,
    },
    /// One vertex less than there are from 0 to this.
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

/// Why a graph is not written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The format has no words for it.
    #[error("a list of edges cannot say that vertex {0} has no edge: edges-header can")]
    Isolated(u64),
    /// The format has no way to write a vertex's name.
    #[error("a vertex in {format} cannot be called '{name}'")]
    Name {
        /// The format.
        format: Format,
        /// The name.
        name: String,
    },
    /// It could not be written.
    #[error("cannot write the graph")]
    Io(#[from] io::Error),
}

/// The formats as alternatives.
fn or(formats: &[Format]) -> String {
    let names: Vec<_> = formats.iter().map(ToString::to_string).collect();
    names.join(" or ")
}

/// What is wrong in each format.
fn readings(wrong: &[(Format, FormatError)]) -> String {
    let each: Vec<_> = wrong
        .iter()
        .map(|(format, error)| format!("as {format}, {error}"))
        .collect();
    each.join("; ")
}

/// Vertices in words.
fn range(first: u32, last: i64) -> String {
    match last < i64::from(first) {
        true => "the vertices, of which there are none".to_owned(),
        false => format!("{first} to {last}"),
    }
}
