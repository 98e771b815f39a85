//! Graphs in files, one format a file. Which of them a text is in is seen from the text where that is certain
//! (`recognised.rs`), else from the ending of its file's name, or is said by whoever has it. Vertices are numbered from 1 in
//! most of them, in lists also from 0, and may have names in some; in the [`Graph`] they are always counted from 0.
//!
//! An edge may be listed twice or in both directions. What a file announces has to be there, so that one that
//! was cut off is not taken for a smaller graph; and where a list may well be meant in two ways, neither is taken.

mod adjacency;
mod asp;
mod dimacs;
mod directions;
mod dot;
mod edges;
mod gml;
mod graph6;
mod graphml;
mod matrix;
mod metis;
mod multiline;
mod named_edges;
mod pajek;
mod reading;
mod recognised;
mod sparse6;
mod tsplib;

use std::collections::HashSet;
use std::fmt;
use std::io::{self, Write};
use std::path::Path;

use super::graph::{Graph, GraphError, Vertex};
use super::numbering::Numbering;
use super::vertex_names::{NotNames, VertexNames};
use crate::names::{Named, named};
use directions::Directions;

pub use reading::Reading;

/// The most vertices of a graph that is read. No encoding of more has few enough variables.
pub const MOST_VERTICES: u32 = 1 << 24;

/// The most vertices without an edge of a graph that is read. Each of the others takes bytes of the text, so that a few
/// bytes do not take gigabytes of memory.
pub const MOST_ISOLATED: u32 = 1 << 16;

/// A format of graphs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Format {
    /// `p edge N M` and `e u v`.
    Dimacs,
    /// `TYPE : HCP` and an `EDGE_DATA_SECTION`.
    Tsplib,
    /// `u v`, a line for each edge.
    Edges,
    /// `N M`, and then `u v`, a line for each edge.
    EdgesHeader,
    /// McKay's graph6: the upper triangle of the adjacency matrix, six bits a character.
    Graph6,
    /// McKay's sparse6: edges, in as few bits as the number of vertices has, six of them a character.
    Sparse6,
    /// METIS's `N M` and the neighbours of each vertex in a line.
    Metis,
    /// networkx's adjacency lists: a vertex and those of its neighbours that have no line before it, in a line.
    AdjacencyList,
    /// The XML of GraphML: nodes and edges.
    GraphMl,
    /// Graphviz's `graph { a -- b; }`.
    Dot,
    /// The adjacency matrix, a row of 0 and 1 in a line.
    Matrix,
    /// GML's `graph [ node [ id 1 ] edge [ source 1 target 2 ] ]`.
    Gml,
    /// Pajek's `*Vertices N` and `*Edges`.
    Pajek,
    /// Facts of answer set programs: `node(1..3). edge(1,2).`
    Asp,
}

named!(Format, "graph format", {
    Dimacs => "dimacs",
    Tsplib => "tsplib",
    Edges => "edges",
    EdgesHeader => "edges-header",
    Graph6 => "graph6",
    Sparse6 => "sparse6",
    Metis => "metis",
    AdjacencyList => "adjlist",
    GraphMl => "graphml",
    Dot => "dot",
    Matrix => "matrix",
    Gml => "gml",
    Pajek => "pajek",
    Asp => "asp",
});

impl Format {
    /// How files may end that are in this format. The first is usual.
    #[must_use]
    pub fn endings(self) -> &'static [&'static str] {
        match self {
            Self::Dimacs => &["col", "dimacs", "gr"],
            Self::Tsplib => &["hcp"],
            Self::Edges => &[],
            Self::EdgesHeader => &["txt", "edges"],
            Self::Graph6 => &["g6"],
            Self::Sparse6 => &["s6"],
            Self::Metis => &["graph", "metis"],
            Self::AdjacencyList => &["adjlist"],
            Self::GraphMl => &["graphml"],
            Self::Dot => &["dot", "gv"],
            Self::Matrix => &["mat", "adj"],
            Self::Gml => &["gml"],
            Self::Pajek => &["net", "pajek"],
            Self::Asp => &["lp", "asp"],
        }
    }

    /// The format that a file's name asks for: by its ending, behind which it may say that it is compressed.
    #[must_use]
    pub fn of_file(name: &Path) -> Option<Self> {
        let ending = ending(name)?;
        let has = |format: &&Self| format.endings().contains(&ending.as_str());
        Self::ALL.iter().find(has).copied()
    }

    /// What it looks like, in a few words.
    #[must_use]
    pub fn says(self) -> &'static str {
        match self {
            Self::Dimacs => "'p edge N M' and lines 'e U V'",
            Self::Tsplib => "TSPLIB's HCP",
            Self::Edges => "a line 'U V' for each edge",
            Self::EdgesHeader => "the same behind a line 'N M'",
            Self::Graph6 => "nauty's graph6, a line",
            Self::Sparse6 => "nauty's sparse6, a line",
            Self::Metis => "'N M' and a line of neighbours for each vertex",
            Self::AdjacencyList => "networkx's adjacency lists",
            Self::GraphMl => "GraphML",
            Self::Dot => "Graphviz's 'graph { a -- b }'",
            Self::Matrix => "the adjacency matrix, rows of 0 and 1",
            Self::Gml => "GML's 'graph [ node [ id 1 ] ]'",
            Self::Pajek => "Pajek's '*Vertices N' and '*Edges'",
            Self::Asp => "facts 'node(1..3). edge(1,2).' for clingo",
        }
    }

    /// What its lines of comments begin with, of lists that may begin with one that says their format.
    fn comment(self) -> Option<char> {
        match self {
            Self::EdgesHeader | Self::AdjacencyList | Self::Matrix => Some('#'),
            Self::Metis | Self::Asp => Some('%'),
            _ => None,
        }
    }

    /// The comment that a list begins with whose format would else be unclear.
    fn said(self) -> Option<String> {
        self.comment().map(|comment| format!("{comment} {self}"))
    }
}

/// The ending of a file's name in small letters, without that of a compressed one.
#[must_use]
pub fn ending(name: &Path) -> Option<String> {
    let name = name.file_name()?.to_string_lossy().to_ascii_lowercase();
    let packed = name.strip_suffix(".gz").or(name.strip_suffix(".zst"));
    let (_, ending) = packed.unwrap_or(&name).rsplit_once('.')?;
    Some(ending.to_owned())
}

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
    directions: Option<Directions>,
}

impl Listed {
    fn new(format: Format, numbering: Numbering, graph: Graph) -> Self {
        let isolated = match format {
            Format::EdgesHeader => Isolated::of(&graph, numbering),
            _ => None,
        };
        Self {
            graph,
            format,
            names: numbering.into(),
            remark: isolated.map(Remark::Isolated),
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
    fn of(graph: &Graph, numbering: Numbering) -> Option<Self> {
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
    NoColumns(Format),
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

/// The graph in a text, whichever format it is in.
///
/// # Errors
///
/// [`FormatError`], with the line.
pub fn read(text: &str) -> Result<Listed, FormatError> {
    read_as(text, None)
}

/// The graph in a text that is in this format, whatever it looks like; or in that which it looks like.
///
/// # Errors
///
/// [`FormatError`], with the line.
pub fn read_as(text: &str, format: Option<Format>) -> Result<Listed, FormatError> {
    let reading = Reading {
        format,
        ..Reading::default()
    };
    reading.of_text(text)
}

/// The same of a text in a file of this name, whose ending says its format where the text does not.
///
/// # Errors
///
/// [`FormatError`], with the line.
pub fn read_file(text: &str, format: Option<Format>, name: &Path) -> Result<Listed, FormatError> {
    let reading = Reading {
        format,
        ..Reading::default()
    };
    reading.of_file(text, name)
}

fn read_in(format: Format, text: &str) -> Result<Listed, FormatError> {
    match format {
        Format::Dimacs => dimacs::read(text),
        Format::Tsplib => tsplib::read(text),
        Format::Edges => edges::read_plain(text, false),
        Format::EdgesHeader => edges::read_headed(text, false),
        Format::Graph6 => graph6::read(text),
        Format::Sparse6 => sparse6::read(text),
        Format::Metis => metis::read(text),
        Format::AdjacencyList => adjacency::read(text),
        Format::GraphMl => graphml::read(text),
        Format::Dot => dot::read(text),
        Format::Matrix => matrix::read(text),
        Format::Gml => gml::read(text),
        Format::Pajek => pajek::read(text),
        Format::Asp => asp::read(text),
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

/// Writes a graph in a format, its vertices numbered from 1. Every format but [`Format::Edges`] has vertices
/// without an edge.
///
/// # Errors
///
/// [`WriteError`].
pub fn write(format: Format, graph: &Graph, out: &mut impl Write) -> Result<(), WriteError> {
    write_named(format, graph, &VertexNames::default(), out)
}

/// The same, where vertices have these names, in formats that have names.
///
/// # Errors
///
/// [`WriteError`].
pub fn write_named(
    format: Format,
    graph: &Graph,
    names: &VertexNames,
    out: &mut impl Write,
) -> Result<(), WriteError> {
    match format {
        Format::Graph6 => graph6::write(graph, out)?,
        Format::Sparse6 => sparse6::write(graph, out)?,
        Format::Metis => metis::write(graph, out)?,
        Format::AdjacencyList => adjacency::write(graph, names, out)?,
        Format::GraphMl => graphml::write(graph, names, out)?,
        Format::Dot => dot::write(graph, names, out)?,
        Format::Matrix => matrix::write(graph, out)?,
        Format::Gml => gml::write(graph, names, out)?,
        Format::Pajek => pajek::write(graph, names, out)?,
        Format::Asp => asp::write(graph, names, out)?,
        Format::Dimacs => dimacs::write(graph, out)?,
        Format::Tsplib => tsplib::write(graph, out)?,
        Format::EdgesHeader => edges::write_headed(graph, out)?,
        Format::Edges => {
            if let Some(v) = graph.vertices().find(|&v| graph.degree(v) == 0) {
                return Err(WriteError::Isolated(Numbering::FromOne.number(v)));
            }
            edges::write(graph, out)?;
        }
    }
    Ok(())
}

/// Writes the comment that says the format.
fn write_said(format: Format, out: &mut impl Write) -> io::Result<()> {
    match format.said() {
        Some(said) => writeln!(out, "{said}"),
        None => Ok(()),
    }
}

/// The edges of a graph, their ends numbered from 1, the lesser first.
fn numbered_edges(graph: &Graph) -> impl Iterator<Item = [u64; 2]> + '_ {
    let forward = graph.arcs().filter(|arc| arc.tail < arc.head);
    forward.map(|arc| [arc.tail, arc.head].map(|v: Vertex| Numbering::FromOne.number(v)))
}

/// The lines of a text that are not empty, with their numbers from 1.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = (1..).zip(text.lines().map(str::trim));
    lines.filter(|(_, line)| !line.is_empty())
}

/// Mark of a comment in networkx's lists.
const COMMENT: char = '#';

/// Returns the lines that have more than a comment, without the comment, with their numbers from 1.
fn entries(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let entries = lines(text).map(|(number, line)| {
        let entry = line.split(COMMENT).next().unwrap_or_default();
        (number, entry.trim_end())
    });
    entries.filter(|(_, entry)| !entry.is_empty())
}

/// An error about a line.
fn at(line: usize, wrong: Wrong) -> FormatError {
    FormatError {
        line: Some(line),
        wrong,
    }
}

/// A line that says nothing in its format.
fn not(line: usize, text: &str, expected: &'static str) -> FormatError {
    let text = shown(text);
    at(line, Wrong::Line { text, expected })
}

/// As much of a line as is said.
fn shown(text: &str) -> String {
    const SHOWN: usize = 60;
    let mut shown: String = text.chars().take(SHOWN).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    shown
}

/// A number of vertices.
fn size(line: usize, text: &str, word: &str, expected: &'static str) -> Result<u32, FormatError> {
    let n: u64 = word.parse().map_err(|_| not(line, text, expected))?;
    match u32::try_from(n) {
        Ok(n) if n <= MOST_VERTICES => Ok(n),
        _ => Err(at(line, Wrong::TooLarge(n))),
    }
}

/// Edges as they come.
struct Edges {
    numbering: Numbering,
    /// How many vertices there are, or may be.
    n: u32,
    list: Vec<(u32, u32)>,
    /// How many vertices there are up to the greatest of any edge.
    used: u32,
}

impl Edges {
    fn new(numbering: Numbering, n: u32) -> Self {
        Self {
            numbering,
            n,
            list: Vec::new(),
            used: 0,
        }
    }

    /// Adds an edge between two vertices by their numbers.
    fn push(&mut self, line: usize, ends: [u64; 2]) -> Result<(), FormatError> {
        let first = self.numbering.first();
        let vertex = |number: u64| {
            let v = u32::try_from(number).ok();
            let v = v.and_then(|number| self.numbering.vertex(number));
            v.filter(|v| v.number() < self.n).ok_or_else(|| {
                let last = i64::from(self.n) + i64::from(first) - 1;
                let vertex = number;
                at(
                    line,
                    Wrong::NoSuchVertex {
                        vertex,
                        first,
                        last,
                    },
                )
            })
        };
        let (a, b) = (vertex(ends[0])?.number(), vertex(ends[1])?.number());
        if a == b {
            return Err(at(line, Wrong::Loop(ends[0].to_string())));
        }
        self.used = self.used.max(a + 1).max(b + 1);
        self.list.push((a, b));
        Ok(())
    }

    /// Refuses them if they are not as many as announced. Files that list both directions announce either
    /// number.
    fn are(&self, announced: u64) -> Result<(), Wrong> {
        let found = self.list.len() as u64;
        let different = || -> HashSet<_> {
            let list = self.list.iter();
            list.map(|&(a, b)| (a.min(b), a.max(b))).collect()
        };
        if found == announced || different().len() as u64 == announced {
            Ok(())
        } else {
            Err(Wrong::Edges { announced, found })
        }
    }

    /// The graph of so many vertices.
    fn graph(self, n: u32) -> Result<Graph, FormatError> {
        graph_of(n, self.list)
    }
}

/// The graph of so many vertices with these edges, unless too many have none.
fn graph_of(n: u32, list: Vec<(u32, u32)>) -> Result<Graph, FormatError> {
    let edges = list.len();
    let (ends, isolated) = (2 * edges, MOST_ISOLATED as usize);
    if n as usize > ends + isolated {
        let vertices = n;
        return Err(Wrong::TooFewEdges { vertices, edges }.into());
    }
    Graph::from_edges(n, list).map_err(|error| Wrong::from(error).into())
}

/// The graph in which a vertex is adjacent to those that are listed for it, where every edge has to be listed for both of
/// its ends: pairs of a vertex and a neighbour, with the lines of the vertices. Numbers are counted from 1.
fn both_ways(
    format: Format,
    arcs: Vec<(u32, u32)>,
    lines: &[usize],
) -> Result<Listed, FormatError> {
    let number = |v: u32| Numbering::FromOne.number(Vertex::new(v));
    let n = u32::try_from(lines.len()).map_err(|_| Wrong::TooLarge(lines.len() as u64))?;
    let mut reverse: Vec<_> = arcs.iter().map(|&(a, b)| (b, a)).collect();
    reverse.sort_unstable();
    for &(a, b) in &arcs {
        let line = lines.get(a as usize).copied().unwrap_or_default();
        if a == b {
            return Err(at(line, Wrong::Loop(number(a).to_string())));
        }
        if reverse.binary_search(&(a, b)).is_err() {
            return Err(at(line, Wrong::OneWay(number(a), number(b))));
        }
    }
    let edges = arcs.into_iter().filter(|(a, b)| a < b).collect();
    let graph = graph_of(n, edges)?;
    Ok(Listed::new(format, Numbering::FromOne, graph))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::strategy::graphs;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn pairs(graph: &Graph) -> Vec<(u32, u32)> {
        let arcs = graph.arcs().filter(|arc| arc.tail < arc.head);
        arcs.map(|arc| (arc.tail.number(), arc.head.number()))
            .collect()
    }

    fn edges_of(graph: &Graph, name: impl Fn(u32) -> String) -> BTreeSet<[String; 2]> {
        let edges = pairs(graph).into_iter();
        edges.map(|(a, b)| [name(a), name(b)]).collect()
    }

    fn ends_of(text: &str) -> Vec<[u64; 2]> {
        let line = |line: &str| {
            let mut numbers = line.split(' ').map(|number| number.parse().unwrap());
            [(); 2].map(|()| numbers.next().unwrap())
        };
        text.lines().map(line).collect()
    }

    fn written(format: Format, graph: &Graph) -> Result<String, WriteError> {
        let mut text = Vec::new();
        write(format, graph, &mut text)?;
        Ok(String::from_utf8(text).unwrap())
    }

    const PATH: [(u32, u32); 2] = [(0, 1), (1, 2)];

    #[test]
    fn a_table_with_an_empty_cell_is_no_edge() {
        for text in ["1,,2\n2,3\n", "1,2\n,2,3\n", "1,2,,\n"] {
            assert!(read(text).is_err(), "{text}");
        }
        assert_eq!(read("1,2\n2,3,\n3, 1\n").unwrap().graph.n_edges(), 3);
    }

    /// The first byte of graph6 is the number of vertices, and can look like the beginning of anything.
    #[test]
    fn graph6_is_known_by_itself_at_every_size() {
        for n in 3..=70u32 {
            let graph = Graph::from_edges(n, (0..n).map(|v| (v, (v + 1) % n))).unwrap();
            for format in [Format::Graph6, Format::Sparse6] {
                let text = written(format, &graph).unwrap();
                let listed = read_as(&text, None).unwrap();
                assert_eq!((listed.format, &listed.graph), (format, &graph), "{text}");
            }
        }
    }

    #[test]
    fn the_same_graph_in_every_format() {
        let texts = [
            (Format::Dimacs, "c a path\np edge 3 2\ne 1 2\ne 2 3\n"),
            (Format::Dimacs, "p col 3 2\ne 1 2\ne 3 2\n"),
            // As in the FHCP Challenge Set: no word, comments after the header, lines that end as on DOS.
            (
                Format::Dimacs,
                "p 3 2\r\nc NAME : path\r\ne 1 2\r\ne 2 3\r\n",
            ),
            // Both directions, counted once or twice.
            (Format::Dimacs, "p edge 3 2\ne 1 2\ne 2 1\ne 2 3\ne 3 2\n"),
            (Format::Dimacs, "p edge 3 4\ne 1 2\ne 2 1\ne 2 3\ne 3 2\n"),
            (
                Format::Tsplib,
                "NAME : path\nTYPE : HCP\nDIMENSION : 3\nEDGE_DATA_FORMAT : EDGE_LIST\n\
                 EDGE_DATA_SECTION\n1 2\n2 3\n-1\nEOF\n",
            ),
            (
                Format::Tsplib,
                "NAME: path\nCOMMENT: x y z\nTYPE: HCP\nDIMENSION: 3\nEDGE_DATA_FORMAT: ADJ_LIST\n\
                 EDGE_DATA_SECTION\n1 2 -1\n2 1 3 -1\n-1\n",
            ),
            (Format::Edges, "# a path\n1 2\n\n2 3\n"),
            (Format::Edges, "1\t2\n3 2"),
            (Format::Edges, "% a path\n0 1\n2 1\n"),
            (Format::EdgesHeader, "3 4\n1 2\n2 1\n2 3\n3 2\n"),
            (
                Format::EdgesHeader,
                "# from 0\n3 3\n0 1\n# again\n0 1\n1 2\n",
            ),
            // Without the e.
            (Format::Dimacs, "p 3 2\n1 2\n2 3\n"),
            (Format::Dimacs, "p edge 3 2\n1 2\ne 2 3\n"),
            // 0-1 and 1-2, so the triangle is 1, 01.
            (Format::Graph6, "Bg\n"),
            (Format::Graph6, ">>graph6<<Bg\r\n"),
            (Format::Graph6, "\n>>graph6<<\n~??Bg\n"),
            (Format::Sparse6, ":Bd\n"),
            (Format::Sparse6, ">>sparse6<<:Bd"),
            (Format::Metis, "% a path\n3 2\n2\n%\n1 3\n2\n"),
            (Format::Metis, "3 2 1\n2 9\n1 9 3 7\n2 7\n\n\n"),
            (Format::Metis, "3 2 11 2\n5 5 2 9\n5 6 1 9 3 7\n0 0 2 7"),
            (Format::Metis, "3 2 110 1\n1 5 2\n1 5 1 3\n1 6 2"),
            (
                Format::AdjacencyList,
                "#/a/script.py\n# GMT Sun Nov 22 15:00:00 2026\n# path\n0 1\n1 2\n2\n",
            ),
            (Format::AdjacencyList, "# adjlist\n1 2 # more\n2 3\n3\n"),
            (Format::AdjacencyList, "# adjlist\n2 1 3\n1\n3\n"),
            (
                Format::GraphMl,
                "<?xml version='1.0' encoding='utf-8'?>\n<graphml><key id=\"d0\"/>\n\
                 <graph edgedefault=\"undirected\"><node id=\"0\"><data key=\"d0\">&amp;</data></node>\n\
                 <edge source=\"0\" target=\"1\" directed=\"false\"/><edge source=\"2\" target=\"1\"/>\n\
                 <node id=\"1\"/><node id=\"2\"/></graph></graphml>",
            ),
            (Format::Dot, "graph { 1 -- 2 -- 3 }"),
            (
                Format::Dot,
                "# cpp\n// C++\n/* C\n*/ strict Graph \"a path\" {\n node [shape=\"a]\", b=<<i>x</i>>]; rank = same\n\
                 subgraph cluster_1 { 0; \"1\":n:e } 0 -- 1 [weight=2] [a=b]\n1--2:p edge[]\n}\n",
            ),
            (Format::Dot, "graph{\"0\"--\"\"+\"1\";1--2}"),
            (Format::Matrix, "0 1 0\n1 0 1\n0 1 0\n"),
            (Format::Matrix, "# a path\n0,1,0,\n1, 0, 1,\n0, 1, 0,\n"),
            (Format::Matrix, "010\n101\n010"),
            // As other generators write it: other words, edges without the e, colours of vertices, weights.
            (Format::Dimacs, "c PACE\np tw 3 2\n1 2\nc again\n2 3\n"),
            (Format::Dimacs, "p edges 3 2\nn 1 5\ne 1 2\ne 2 3\n"),
            (Format::Dimacs, "p col 3 2\ne 1 2 0.5\ne 2 3 7\n"),
            (Format::Dimacs, "p sp 3 4\na 1 2 9\na 2 1 9\na 2 3\na 3 2\n"),
            (Format::Graph6, "&BTO\n"),
            (Format::Dot, "digraph { 1 -> 2 -> 3 -> 2 -> 1 }"),
            (
                Format::AdjacencyList,
                "#a.py\n# GMT Sun Nov 22 15:00:00 2026\n#\n0 1\n1 {}\n1 1\n2 {'weight': 3}\n2 0\n",
            ),
            (
                Format::Gml,
                "graph [\n  name \"a [path]\"\n  node [\n    id 0\n    label \"1\"\n  ]\n node [ id 7 label \"2\" ]\n\
                 # comment\n node [ id 2 label \"3\" graphics [ x 1.5 ] ]\n edge [ source 0 target 7 weight 3 ]\n\
                 edge [ target 2 source 7 ]\n]\n",
            ),
            (
                Format::Gml,
                "Creator \"me\"\nVersion 1\ngraph\n[ directed 0 node [ id 1 ] node [ id 2 ] node [ id 3 ]\n\
                 edge [ source 1 target 2 ] edge [ source 3 target 2 ] ]",
            ),
            (
                Format::Pajek,
                "*vertices 3\n1 1 0.0 0.0 ellipse\n2 \"2\" 0.0 0.0 ellipse\n3 3\n*edges\n1 2 1.0\n2 3 4.5\n",
            ),
            (
                Format::Pajek,
                "% a path\n*Network x\n*Vertices 3\n*Arcs :1 \"likes\"\n1 2\n2 1\n*Edgeslist\n2 3\n*Partition p\n1\n",
            ),
            (Format::Asp, "% a path\nnode(1..3). edge(1,2).edge(2,3).\n"),
            (
                Format::Asp,
                "#const n=3.\nvtx(1..n). arc(1,2). arc(2,(1;3)).\narc(3,2). cost(1,2,7). %* end *%\n#show in/2.",
            ),
            (Format::Asp, "edge(1,2,5).\nvertex(1;2;3).\nedge(3,2)."),
            (
                Format::Matrix,
                "0.000000000000000000e+00 1.0 0.0\n1.0 0.0 1e0\n0.0 1.0 0.0\n",
            ),
        ];
        for (of, text) in texts {
            for choice in [None, Some(of)] {
                let listed = read_as(text, choice).unwrap();
                assert_eq!(listed.format, of, "{text}");
                assert_eq!(pairs(&listed.graph), PATH, "{text}");
            }
        }
        assert!(
            Format::ALL
                .iter()
                .all(|format| texts.iter().any(|(of, _)| of == format))
        );
    }

    #[test]
    fn vertices_without_edges_are_there() {
        let n = |text: &str, format| read_as(text, format).unwrap().graph.n_vertices();
        assert_eq!(n("p edge 5 1\ne 1 2\n", None), 5);
        assert_eq!(n("9 1\n1 7\n", Some(Format::EdgesHeader)), 9);
    }

    #[test]
    fn vertices_without_edges_are_said_of_lists_with_a_header() {
        let said = |text: &str, format| {
            let remark = read_as(text, Some(format)).unwrap().remark;
            remark.map(|remark| remark.to_string())
        };
        for (text, vertices) in [
            ("3 1\n1 2\n", "vertex 3 has no edge"),
            (
                "5 2\n1 2\n2 5\n",
                "vertices 3 and 4 have no edge: is there a gap in the numbering?",
            ),
            (
                "7 2\n0 1\n1 6\n",
                "vertices 2, 3 and 2 more have no edge: is there a gap in the numbering?",
            ),
        ] {
            let said = said(text, Format::EdgesHeader);
            assert_eq!(said.as_deref(), Some(vertices), "{text}");
        }
        assert_eq!(said("2 1\n1 2\n", Format::EdgesHeader), None);
        assert_eq!(said("p edge 3 1\ne 1 2\n", Format::Dimacs), None);
    }

    #[test]
    fn vertices_of_a_plain_list_are_those_that_edges_have() {
        assert_eq!(read("1 2\n2 3\n").unwrap().remark, None);
        let most = u64::MAX;
        for (text, numbers) in [
            ("1 2\n2 4\n4 1\n", vec![1, 2, 4]),
            ("9 0\n0 1\n1 9\n", vec![0, 1, 9]),
            ("9 1\n1 2\n2 9\n", vec![1, 2, 9]),
            ("7 6\n6 5\n", vec![5, 6, 7]),
            (&format!("{most} 0\n"), vec![0, most]),
        ] {
            let listed = read_as(text, Some(Format::Edges)).unwrap();
            let names = listed.graph.vertices().map(|v| listed.names.name(v));
            let expected: Vec<_> = numbers.iter().map(u64::to_string).collect();
            assert_eq!(names.collect::<Vec<_>>(), expected, "{text}");
            let remark = Remark::Gaps {
                n: numbers.len() as u32,
                first: numbers[0],
                last: numbers[numbers.len() - 1],
            };
            assert_eq!(listed.remark, Some(remark), "{text}");
            let edges = text.lines().count();
            assert_eq!(listed.graph.n_edges() as usize, edges, "{text}");
        }
        let listed = read("1 2\n2 4\n4 1\n").unwrap();
        assert_eq!(
            listed.remark.unwrap().to_string(),
            "the vertices are the 3 numbers from 1 to 4 that edges have: the others are none"
        );
        let error = read("1 2\n9 9\n2 9\n").unwrap_err();
        assert_eq!(error.line, Some(2));
    }

    #[test]
    fn a_first_line_is_a_header_where_it_can_be_no_edge() {
        let pentagon = "1 2\n2 3\n3 4\n4 5\n5 1\n";
        let house = read(&format!("5 6\n{pentagon}1 3\n")).unwrap();
        assert_eq!(house.format, Format::EdgesHeader);
        assert_eq!((house.graph.n_vertices(), house.graph.n_edges()), (5, 6));
        // A square from 0; as from 1 vertex 4 would be there.
        let square = read("4 4\n0 1\n1 2\n2 3\n3 0\n").unwrap();
        assert_eq!(square.format, Format::EdgesHeader);
        assert_eq!(square.names, Numbering::FromZero.into());
        assert_eq!(square.graph.n_vertices(), 4);
        // The header's last vertices have no edges.
        assert_eq!(
            read("5 5\n1 2\n2 3\n3 1\n2 4\n4 1\n")
                .unwrap()
                .graph
                .n_vertices(),
            5
        );
        // The edge 5 2 where a number of edges would not be that.
        let listed = read("5 2\n1 2\n2 3\n3 4\n4 5\n5 1\n").unwrap();
        assert_eq!((listed.format, listed.graph.n_edges()), (Format::Edges, 6));
        // Both readings are the path on four vertices.
        let path = read("4 3\n1 2\n2 3\n3 4\n").unwrap();
        assert_eq!((path.graph.n_vertices(), path.graph.n_edges()), (4, 3));
        // A vertex above that of the header: an edge.
        assert_eq!(
            read("3 4\n1 2\n2 3\n4 5\n5 1\n").unwrap().format,
            Format::Edges
        );
        assert_eq!(
            read("3 4\n0 1\n1 2\n2 3\n4 0\n").unwrap().format,
            Format::Edges
        );
    }

    #[test]
    fn what_may_be_either_is_refused_with_both_readings() {
        let tree = "1 2\n1 3\n1 4\n1 5\n1 6\n1 7\n1 8\n1 9\n1 10\n";
        let truncated = "1 2\n2 3\n";
        for (text, rest) in [
            (format!("10 9\n{tree}"), ""),
            (format!("# a tree\n10 9\n{tree}"), ""),
            ("2 1\n0 1\n".to_owned(), ""),
            (format!("10 15\n{truncated}"), ", where there are 2"),
            // Cut off by one edge, which leaves no gap.
            (
                "5 6\n1 2\n2 3\n3 4\n4 5\n5 1\n".to_owned(),
                ", where there are 5",
            ),
            ("10 15\n".to_owned(), ", where there are 0"),
            ("10 9\n".to_owned(), ", where there are 0"),
            (format!("10 9\n{truncated}"), ", where there are 2"),
            ("10 9\n1 2\n2 10\n".to_owned(), ", where there are 2"),
            (
                "3 3\n0 1\n1 3\n3 0\n".replacen("3 3", "3 4", 1) + "1 0\n",
                ", where both vertex 0 and vertex 3 occur",
            ),
        ] {
            let error = read(&text).unwrap_err();
            assert!(matches!(error.wrong, Wrong::Unclear { .. }), "{text}");
            let said = error.to_string();
            assert!(
                said.contains("' may be an edge, or a header that says "),
                "{said}"
            );
            assert!(said.ends_with(&format!(" edges{rest}")), "{said}");
            assert!(read_as(&text, Some(Format::Edges)).is_ok(), "{text}");
            let header = read_as(&text, Some(Format::EdgesHeader));
            assert_eq!(header.is_ok(), rest.is_empty(), "{text}");
        }
        assert_eq!(
            read(&format!("10 9\n{tree}")).unwrap_err().to_string(),
            "line 1: '10 9' may be an edge, or a header that says 10 vertices and 9 edges"
        );
        assert_eq!(
            read(&format!("5 5\n{truncated}")).unwrap_err().to_string(),
            "line 1: the edge 5 5 joins a vertex to itself, and as a header it is wrong: \
             line 1: 5 edges are announced, and there are 2"
        );
        // METIS's list of the neighbours of a pentagon is the list of edges of the other pentagon.
        let metis = "5 5\n2 5\n1 3\n2 4\n3 5\n4 1\n";
        let said = read(metis).unwrap_err().to_string();
        assert!(
            said.contains("may be edges, or the two neighbours"),
            "{said}"
        );
        assert!(read_as(metis, Some(Format::EdgesHeader)).is_ok());
        assert_eq!(
            read_file(metis, None, Path::new("a.graph")),
            read_as(metis, Some(Format::Metis))
        );
        // Of a triangle both are the same.
        assert_eq!(read("3 3\n2 3\n1 3\n1 2\n").unwrap().graph.n_edges(), 3);
    }

    #[test]
    fn edges_may_be_between_names() {
        for text in [
            "b a\na c\nc b\n",
            "# of three\nb,a\na,c,\nc , b\n",
            "b a {}\na c {'weight': 3}\n\nc b # the last\n",
        ] {
            for format in [None, Some(Format::Edges)] {
                let listed = read_as(text, format).unwrap();
                assert_eq!(listed.format, Format::Edges, "{text}");
                let names: Vec<String> = listed
                    .graph
                    .vertices()
                    .map(|v| listed.names.name(v))
                    .collect();
                assert_eq!(names, ["b", "a", "c"], "{text}");
                assert_eq!(listed.graph.n_edges(), 3, "{text}");
            }
        }
        // Of a head, those whose names come again are edges. Names may be those of lines of DIMACS.
        for text in [
            "c d\nd w\nw c\n",
            "u v\nv w\nw u\n",
            "\"u\",v\nv,w\n\"w\",\"u\"\n",
            "u\tv\nv\tw\nw\tu\n",
            "u v 1\nv w 2.5\nw u 0\n",
            "u;v\nv;w\nw;u\n",
        ] {
            let listed = read(text).unwrap();
            assert_eq!(listed.graph.n_vertices(), 3, "{text}");
            assert_eq!(listed.graph.n_edges(), 3, "{text}");
            assert_eq!(listed.names.name(Vertex::new(2)), "w", "{text}");
        }
        let head = "nodeA nodeB\na b\nb c\nc a\n";
        assert!(matches!(read(head).unwrap_err().wrong, Wrong::Head(_)));
        let said = read_as(head, Some(Format::Edges)).unwrap();
        assert_eq!(said.graph.n_vertices(), 5);
        let quoted = read("\"New York, NY\",Boston\nBoston,Rom\nRom,\"New York, NY\"\n").unwrap();
        assert_eq!(quoted.names.name(Vertex::new(0)), "New_York_NY");
        let tabs = read("New York\tBoston\nBoston\tRom\nRom\tNew York\n").unwrap();
        assert_eq!(tabs.names.name(Vertex::new(0)), "New_York");
        let listed = read("New York,Boston\nBoston,Rom\nRom,New York\n").unwrap();
        assert_eq!(listed.names.name(Vertex::new(0)), "New_York");
        assert!(matches!(listed.remark, Some(Remark::Joined(_))));
        // Squares as networkx calls them.
        for text in [
            "(0, 0) (1, 0) {}\n(1, 0) (1, 1) {'weight': 2}\n(1, 1) (0, 0) {}\n",
            "(0, 0) (1, 0) 1.5\n(1, 0) (1, 1) 2\n(1, 1) (0, 0) 3\n",
            "(0, 0)\t(1, 0)\n(1, 0)\t(1, 1)\n(1, 1)\t(0, 0)\n",
            "# GMT today\n(0, 0) (1, 0) (1, 1)\n(1, 0) (1, 1)\n(1, 1)\n",
            "# GMT today\n(0, 0) 2\n(1, 0) {}\n(1, 1) {}\n(1, 0) 1\n(1, 1) {}\n(1, 1) 0\n",
        ] {
            let listed = read(text).unwrap();
            assert_eq!(listed.graph.n_edges(), 3, "{text}");
            assert_eq!(listed.names.name(Vertex::new(1)), "(1_0)", "{text}");
        }
        // Where every vertex has a line behind those that name it, these are neighbours.
        let listed = read("A B C\nB C\nC\n").unwrap();
        assert_eq!(listed.format, Format::AdjacencyList);
    }

    #[test]
    fn weights_are_read_over() {
        for text in ["1 2 0.5\n2 3 1\n3 1 2\n", "1,2,1e3\n2,3,0\n3,1,7\n"] {
            for format in [None, Some(Format::Edges)] {
                let listed = read_as(text, format).unwrap();
                assert_eq!(listed.graph.n_edges(), 3, "{text}");
                assert_eq!(listed.remark, Some(Remark::Weights), "{text}");
            }
        }
        // Vertices with lines of their own are neighbours.
        let listed = read("1 2 3\n2 3\n3\n").unwrap();
        assert_eq!(listed.format, Format::AdjacencyList);
    }

    fn reading(text: &str, reading: Reading) -> Result<Listed, FormatError> {
        reading.of_text(text)
    }

    #[test]
    fn one_graph_of_several_is_read_by_its_number() {
        let text = ">>graph6<<\nBg\n\nBw\n:Bd\n";
        let nth = |number, format| {
            let number = Some(number);
            let choice = Reading {
                format,
                number,
                ..Reading::default()
            };
            reading(text, choice)
        };
        let edges = |number| nth(number, None).unwrap().graph.n_edges();
        assert_eq!([edges(1), edges(2), edges(3)], [2, 3, 2]);
        assert_eq!(nth(3, None).unwrap().format, Format::Sparse6);
        for (number, format, error) in [
            (0, None, "there is no graph 0: there are 3"),
            (4, None, "there is no graph 4: there are 3"),
            (
                3,
                Some(Format::Graph6),
                "line 5: ':Bd' is not graph6, characters from ? to ~",
            ),
            (
                1,
                Some(Format::Dot),
                "it is one graph: only files of graph6 and sparse6 have numbered graphs, a line each",
            ),
        ] {
            assert_eq!(nth(number, format).unwrap_err().to_string(), error);
        }
    }

    #[test]
    fn arcs_are_edges_where_both_directions_are_there_or_it_is_said() {
        let undirected = Reading {
            undirected: true,
            ..Reading::default()
        };
        for text in [
            "p sp 3 2\na 1 2\na 2 3\n",
            "digraph { 1 -> 2; 2 -> 3 }",
            "&BT?",
            "arc(1,2). arc(2,3).",
        ] {
            assert!(
                matches!(read(text).unwrap_err().wrong, Wrong::Directed { .. }),
                "{text}"
            );
            let listed = reading(text, undirected).unwrap();
            assert_eq!((listed.graph.n_edges(), listed.remark), (2, None), "{text}");
        }
        let both = Some(Remark::BothDirections);
        for (text, remark) in [
            ("digraph { a -> b -> c -> b -> a }", both.clone()),
            ("1 2\n2 1\n2 3\n3 2\n", both.clone()),
            ("3 4\n1 2\n2 1\n2 3\n3 2\n", both),
            ("1 2\n2 3\n3 1\n1 3\n", None),
            ("p edge 3 2\ne 1 2\ne 2 1\ne 2 3\ne 3 2\n", None),
        ] {
            assert_eq!(read(text).unwrap().remark, remark, "{text}");
            assert_eq!(reading(text, undirected).unwrap().remark, None, "{text}");
        }
    }

    #[test]
    fn a_third_column_of_whole_numbers_is_a_weight_where_that_is_said() {
        let weights = Reading {
            weights: true,
            ..Reading::default()
        };
        for text in ["0 1 3\n1 2 5\n2 0 1\n", "3 3\n1 2 7\n2 3 7\n3 1 7\n"] {
            let listed = reading(text, weights).unwrap();
            assert_eq!((listed.graph.n_edges(), listed.remark), (3, None), "{text}");
        }
        let of_dot = Reading {
            format: Some(Format::Dot),
            ..weights
        };
        let error = reading("graph { a -- b }", of_dot).unwrap_err();
        assert_eq!(
            error.to_string(),
            "it is dot, and weights in a third column are of lists of edges"
        );
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        let tsplib = |rest: &str| format!("NAME : g\nTYPE : HCP\nDIMENSION : 3\n{rest}");
        let list = |rest: &str| {
            tsplib(&format!(
                "EDGE_DATA_FORMAT : EDGE_LIST\nEDGE_DATA_SECTION\n{rest}"
            ))
        };
        for (text, error) in [
            ("", "there is no graph in it"),
            ("# nothing\n\n", "there is no graph in it"),
            (
                "p edge 3\n",
                "line 1: 'p edge 3' is not 'p edge VERTICES EDGES'",
            ),
            (
                "p edge x 2\n",
                "line 1: 'p edge x 2' is not 'p edge VERTICES EDGES'",
            ),
            (
                "p edge 3 1\np edge 3 1\n",
                "line 2: 'p edge 3 1' is not 'e VERTEX VERTEX'",
            ),
            ("c only\n", "there is no line 'p edge VERTICES EDGES'"),
            ("e 1 2\n", "line 1: 'e 1 2' is not 'p edge VERTICES EDGES'"),
            (
                "p edge 3 1\ne 1\n",
                "line 2: 'e 1' is not 'e VERTEX VERTEX'",
            ),
            (
                "p edge 3 1\ne 1 2 x\n",
                "line 2: 'e 1 2 x' is not 'e VERTEX VERTEX'",
            ),
            (
                "p edge 3 1\ne 0 2\n",
                "line 2: vertex 0 is not one of 1 to 3",
            ),
            (
                "p edge 3 1\ne 1 4\n",
                "line 2: vertex 4 is not one of 1 to 3",
            ),
            (
                "p edge 3 1\ne 2 2\n",
                "line 2: the edge 2 2 joins a vertex to itself",
            ),
            (
                "p edge 3 2\ne 1 2\n",
                "2 edges are announced, and there are 1",
            ),
            (
                "p edge 3 1\ne 1 2\ne 2 3\ne 1 3\n",
                "1 edges are announced, and there are 3",
            ),
            (
                "p edge 99999999 0\n",
                "line 1: 99999999 vertices are more than 16777216",
            ),
            (
                "p edge 16777216 1\ne 1 2\n",
                "there are 16777216 vertices and 1 edges, which leave more than 65536 without one",
            ),
            (
                "0 1 3\n1 2 5\n2 0 1\n",
                "line 1: '0 1 3' has a weight, which a tour does not ask for: leave two columns",
            ),
            (
                "1,2,3\n2,3,4\n3,1,5\n",
                "line 1: '1,2,3' has a weight, which a tour does not ask for: leave two columns",
            ),
            (
                "1 2\n2 3 0.5\n",
                "line 2: '2 3 0.5' has a weight, which a tour does not ask for: leave two columns",
            ),
            (
                "a 1\n1 b\n",
                "line 1: 'a 1' is between a name and a number: in a list of edges vertices are called by either",
            ),
            // The names of a head do not come again.
            (
                "city_a,city_b\nA,B\nB,C\nC,A\n",
                "line 1: 'city_a city_b' looks like the head of a table: leave the edges only, 'VERTEX VERTEX' or \
                 'VERTEX,VERTEX' a line",
            ),
            (
                "(1, 2)\n(2, 3)\n(3, 1)\n",
                "line 1: '(1, 2)' is not an edge 'VERTEX VERTEX'",
            ),
            (
                "[a, b],\n[b, c],\n",
                "line 1: it looks like JSON, which is not read here; networkx reads it, and writes graph6, GraphML and lists of edges",
            ),
            (
                "a, b;\nb, c;\nc, a;\n",
                "line 1: 'a, b;' is not an edge 'VERTEX VERTEX'",
            ),
            (
                "a,b\nb,(c)\nc,a\n",
                "line 2: 'b,(c)' is not an edge 'NAME NAME' as the first is",
            ),
            (
                "'a',b\nb,c\nc,a\n",
                "line 1: ''a',b' is not an edge 'VERTEX VERTEX'",
            ),
            (
                "a,b c\nc d\nd a,b\n",
                "line 2: 'c d' is not an edge 'NAME NAME' as the first is",
            ),
            (
                "a\"b,c\nc,d\n",
                "line 1: 'a\"b,c' is not an edge 'VERTEX VERTEX'",
            ),
            (
                "1 2\nAlice Bob\n",
                "line 2: 'Alice Bob' is not an edge 'VERTEX VERTEX' of numbers, as those before it are",
            ),
            (
                "Alice,Bob\nBob,Carol\n1,2\n",
                "line 3: '1,2' is not an edge 'NAME NAME' as the first is",
            ),
            (
                "Alice,Bob\nBob,Carol,0.5\n",
                "line 2: 'Bob,Carol,0.5' has a weight, which a tour does not ask for: leave two columns",
            ),
            (
                "source target\na b\nb c\n",
                "line 1: 'source target' looks like the head of a table: leave the edges only, 'VERTEX VERTEX' or 'VERTEX,VERTEX' a line",
            ),
            (
                "a b\nb b\n",
                "line 2: the edge b b joins a vertex to itself",
            ),
            (
                "# all\nfrom to\n1 2\n",
                "line 2: 'from to' looks like the head of a table: leave the edges only, 'VERTEX VERTEX' or 'VERTEX,VERTEX' a line",
            ),
            (
                "[[0, 1], [1, 2]]\n",
                "line 1: it looks like JSON, which is not read here; networkx reads it, and writes graph6, GraphML and lists of edges",
            ),
            (
                "source,target\n1,2\n",
                "line 1: 'source,target' looks like the head of a table: leave the edges only, 'VERTEX VERTEX' or 'VERTEX,VERTEX' a line",
            ),
            (
                "{\"nodes\": []}\n",
                "line 1: it looks like JSON, which is not read here; networkx reads it, and writes graph6, GraphML and lists of edges",
            ),
            (
                "<gexf><graph><nodes/></graph></gexf>",
                "line 1: it looks like GEXF, which is not read here; networkx reads it, and writes graph6, GraphML and lists of edges",
            ),
            (
                "1 2\n2 x\n",
                "line 2: '2 x' is between a name and a number: in a list of edges vertices are called by either",
            ),
            (
                "p cnf 3 2\n1 2 0\n",
                "line 1: it is a CNF formula, not a graph",
            ),
            ("c x\np cnf 3\n", "line 2: it is a CNF formula, not a graph"),
            (
                "c a solver\ns SATISFIABLE\nv 1 -2 0\n",
                "line 2: it is a solver's answer, not a graph",
            ),
            ("UNSAT\n", "line 1: it is a solver's answer, not a graph"),
            ("p max 3 2\na 1 2 1\n", "line 1: 'p max' is not read here"),
            (
                "p sp 3 2\na 1 2 1\na 2 3 1\n",
                "line 2: it is a directed graph ('a 1 2 1'), which is not supported: the arc from 1 to 2 has no reverse",
            ),
            (
                "&BW?",
                "line 1: it is a directed graph (digraph6), which is not supported: the arc from 0 to 1 has no reverse",
            ),
            (
                "digraph {\n a -> b; b -> a; b -> c }\n",
                "line 1: it is a directed graph (digraph), which is not supported: the arc from b to c has no reverse",
            ),
            (
                "<graphml><graph edgedefault='undirected'><node id='a'/><node id='b'/>\n\
                 <edge source='a' target='b' directed='true'/></graph></graphml>",
                "line 2: it is a directed graph (an edge with directed=\"true\"), which is not supported: the arc from a \
                 to b has no reverse",
            ),
            (
                "graph [ directed 1 node [ id 1 ] node [ id 2 ]\nedge [ source 1 target 2 ] ]\n",
                "line 1: it is a directed graph (directed 1), which is not supported: the arc from 1 to 2 has no reverse",
            ),
            (
                "*Vertices 3\n*Edges\n1 2\n*Arcs\n1 3\n",
                "line 5: it is a directed graph (*Arcs), which is not supported: the arc from 1 to 3 has no reverse",
            ),
            (
                "arc(1,2). arc(2,1).\narc(2,3).\n",
                "line 1: it is a directed graph (arc), which is not supported: the arc from 2 to 3 has no reverse",
            ),
            (
                "NAME : ry48p\nTYPE : ATSP\n",
                "line 2: it is an asymmetric travelling salesman problem (TYPE ATSP), which is directed and not supported",
            ),
            (
                "graph [\n node [ id 1 ]\n",
                "there is no ']' at the end: is the file whole?",
            ),
            (
                "Creator \"me\"\ngraph\n[ node [ id 1 ]\nedge [ source 1 target 2 ] ]\n",
                "line 4: there is no node '2'",
            ),
            (
                "graph [ node [ label \"a\" ] ]\n",
                "line 1: 'node' is not a node with an id",
            ),
            (
                "*Vertices 3\n1 \"a\"\n*Edges\n1 4\n",
                "line 4: vertex 4 is not one of 1 to 3",
            ),
            (
                "*Edges\n1 4\n",
                "line 2: there is no '*Vertices N' before it",
            ),
            (
                "edge(1,2). edge(2,3)",
                "there is no '.' behind the last fact: is the file whole?",
            ),
            (
                "edge(1,2). edge(2,",
                "there is no ')' and '.' behind the last fact: is the file whole?",
            ),
            (
                "node(1..3).\nedge(X,Y) :- node(X), node(Y).\n",
                "line 2: 'X,Y) :- node(X), node(Y).' is not a number, a name, a text in quotes, a range '1..9' or a pool '(1;2)'",
            ),
            (
                "node(1..3).\n{ in(1,2) }.\n",
                "line 2: '{ in(1,2) }.' is not a fact such as 'edge(1,2).'",
            ),
            (
                "node(1..99999999).",
                "line 1: 99999999 vertices are more than 16777216",
            ),
            ("Bg\nBw\n", "there are 2 graphs in it"),
            (
                "(0, 0) (1, 0)\n(1, 0) (2, 0) x\n",
                "line 2: '(1, 0) (2, 0) x' is not an edge 'NAME NAME' as the first is",
            ),
            (
                "1 2\n-1 2\n",
                "line 2: '-1 2' is not an edge 'VERTEX VERTEX'",
            ),
            (&tsplib(""), "there is no EDGE_DATA_FORMAT"),
            (
                &list("1 2\n"),
                "there is no -1 after the edges: is the file whole?",
            ),
            (
                &list("1 2\n2 3 1\n-1\n"),
                "line 7: '2 3 1' is not an edge 'VERTEX VERTEX', or -1",
            ),
            (&list("1 4\n-1\n"), "line 6: vertex 4 is not one of 1 to 3"),
            (
                &list("1 2\n-1\nFIXED_EDGES_SECTION\n1 2\n-1\n"),
                "line 8: FIXED_EDGES_SECTION is not read here",
            ),
            (
                "NAME : t\nTYPE : TSP\n",
                "line 2: TYPE TSP is not a graph: only TYPE HCP is read",
            ),
            (
                "NAME : t\nTYPE : HCP\nEDGE_DATA_FORMAT : EDGE_LIST\nEDGE_DATA_SECTION\n1 2\n-1\n",
                "line 4: there is no DIMENSION",
            ),
            ("Hello\n", "line 1: 'Hello' is not 'KEYWORD : VALUE'"),
        ] {
            assert_eq!(read(text).unwrap_err().to_string(), error, "{text}");
        }
    }

    /// Any graph, some with vertices without edges, the last among them.
    fn sparse_graphs() -> impl Strategy<Value = Graph> {
        (1..=9u32)
            .prop_flat_map(|n| {
                let edges = proptest::collection::vec((0..n, 0..n), 0..12);
                (Just(n), edges)
            })
            .prop_map(|(n, edges)| {
                let edges = edges.into_iter().filter(|(a, b)| a != b);
                Graph::from_edges(n, edges).unwrap()
            })
    }

    /// The same text as others would write it: lines that end as on DOS, comments, blanks.
    fn disguised(format: Format, text: &str, kinds: &[u8]) -> String {
        let comment = match format {
            Format::Dimacs => "c 1 2",
            Format::Tsplib => "COMMENT : 1 2",
            Format::Edges | Format::AdjacencyList | Format::Matrix => "# 1 2",
            Format::EdgesHeader | Format::Metis | Format::Pajek => "% 1 2",
            Format::Asp => "% edge(1,2).",
            Format::Gml => "# node [ id 1 ]",
            Format::Graph6 => ">>graph6<<",
            Format::Sparse6 => ">>sparse6<<",
            Format::GraphMl => "<!-- <graph/> -->",
            Format::Dot => "/* graph {\n } */",
        };
        // Where empty lines are vertices without neighbours.
        let empty = if format == Format::Metis { comment } else { "" };
        let first = format.said().filter(|said| text.starts_with(said));
        let mut disguised = String::new();
        let mut in_data = false;
        for (line, kind) in text.lines().zip(kinds.iter().cycle()) {
            in_data |= line == "EDGE_DATA_SECTION";
            let line = match kind {
                // These stay where they are.
                _ if first.as_deref() == Some(line) || line.starts_with("<?xml") => {
                    format!("{line}\n")
                }
                0 => format!("{line}\r\n"),
                1 => format!("  {line}\t\n"),
                2 if in_data => format!("{empty}\n{line}\n"),
                2 => format!("{comment}\n{line}\n"),
                3 => format!("{empty}\n{empty}\r\n{}\n", line.replace(' ', " \t ")),
                _ => format!("{line}\n"),
            };
            disguised.push_str(&line);
        }
        disguised
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_and_as_nothing_else(
            graph in prop_oneof![graphs(2..=8), sparse_graphs()],
            kinds in proptest::collection::vec(0..6u8, 1..9),
        ) {
            for &format in Format::ALL {
                let text = match written(format, &graph) {
                    Ok(text) => text,
                    Err(error) => {
                        let isolated = graph.vertices().any(|v| graph.degree(v) == 0);
                        prop_assert!(isolated && format == Format::Edges, "{}", error);
                        continue;
                    }
                };
                let text = disguised(format, &text, &kinds);
                prop_assert_eq!(&read_as(&text, Some(format)).unwrap().graph, &graph);
                match read(&text) {
                    Ok(listed) => {
                        prop_assert_eq!(&listed.graph, &graph, "{}", text);
                        let numbering = match format {
                            Format::Graph6 | Format::Sparse6 => Numbering::FromZero,
                            _ => Numbering::FromOne,
                        };
                        prop_assert_eq!(listed.format, format, "{}", text);
                        prop_assert_eq!(listed.names, numbering.into());
                    }
                    Err(error) => {
                        let unclear = matches!(
                            error.wrong,
                            Wrong::Unclear { .. } | Wrong::Neighbours { .. }
                        );
                        prop_assert!(unclear && format == Format::EdgesHeader, "{}", error);
                        prop_assert!(graph.n_edges() < graph.n_vertices(), "{}", text);
                    }
                }
                // As another format it is that graph or none; that its header is an edge is what a choice of
                // `edges` says.
                for &other in Format::ALL.iter().filter(|&&other| other != format) {
                    let said_to_be_edges = (format, other) == (Format::EdgesHeader, Format::Edges);
                    if let (Ok(listed), false) = (read_as(&text, Some(other)), said_to_be_edges) {
                        let header = (format, other) == (Format::Edges, Format::EdgesHeader);
                        let differs = header && listed.graph != graph;
                        // Any words are an adjacency list to those who say so, and lists of numbers are often another list.
                        let lists = [Format::EdgesHeader, Format::Metis, Format::Matrix];
                        let of_numbers = [Format::Edges, Format::AdjacencyList];
                        let is_list = |f| lists.contains(&f) || of_numbers.contains(&f);
                        let is_new = |f| [Format::Metis, Format::AdjacencyList, Format::Matrix].contains(&f);
                        let either = is_list(format) && is_list(other) && (is_new(format) || is_new(other));
                        prop_assert!(
                            differs || either || other == Format::AdjacencyList,
                            "{} as {}", text, other
                        );
                    }
                }
            }
        }

        #[test]
        fn lists_in_any_order_are_read_right_or_refused(
            graph in prop_oneof![graphs(2..=7), sparse_graphs()],
            order in proptest::collection::vec((any::<u32>(), any::<bool>()), 28),
            header in any::<bool>(),
            from_zero in any::<bool>(),
        ) {
            let first = u64::from(!from_zero);
            let mut keyed: Vec<_> = pairs(&graph).into_iter().zip(order).collect();
            keyed.sort_by_key(|&(_, (key, _))| key);
            let mut text = match header {
                true => format!("{} {}\n", graph.n_vertices(), graph.n_edges()),
                false => String::new(),
            };
            for ((a, b), (_, turned)) in keyed {
                let (a, b) = (u64::from(a) + first, u64::from(b) + first);
                let (a, b) = if turned { (b, a) } else { (a, b) };
                text.push_str(&format!("{a} {b}\n"));
            }
            // An edge to a vertex that no other line has, numbered as many as these lines: it is what a header
            // looks like, and read as one.
            if let (false, Some([a, b])) = (header, ends_of(&text).first()) {
                let others = &ends_of(&text)[1..];
                let is_known = others.iter().flatten().any(|v| v >= b);
                prop_assume!(b <= a || is_known || *b != others.len() as u64);
            }
            match read(&text) {
                Ok(listed) => prop_assert_eq!(
                    pairs(&listed.graph).len(), pairs(&graph).len(), "{}", text
                ),
                Err(FormatError { wrong, .. }) => prop_assert!(matches!(
                    wrong,
                    Wrong::Unclear { .. } | Wrong::Neighbours { .. } | Wrong::Empty
                ), "{}: {}", text, wrong),
            }
            if let Ok(listed) = read(&text) {
                let called = |v: u32| listed.names.name(Vertex::new(v));
                let number = |v: u32| (u64::from(v) + first).to_string();
                prop_assert_eq!(edges_of(&listed.graph, called), edges_of(&graph, number), "{}", text);
                // A list without a header cannot say that vertices have no edges, one with it does not say from where they count.
                let is_whole = listed.format == Format::EdgesHeader;
                if graph.degree(Vertex::new(0)) > 0 {
                    let kept = graph.vertices().filter(|&v| is_whole || graph.degree(v) > 0);
                    let expected: Vec<_> = kept.map(|v| number(v.number())).collect();
                    let vertices = listed.graph.vertices().map(|v| called(v.number()));
                    prop_assert_eq!(vertices.collect::<Vec<_>>(), expected, "{}", text);
                }
            }
        }

        #[test]
        fn any_text_is_a_graph_or_an_error(
            head in "(p edge 9 1|p 3|p [a-z]{2,4} 2 1|NAME : x\nTYPE : HCP|1 2|9 9|% x|# a|c b|)",
            rest in "[-a-eA-Z0-9:% \n#]{0,80}",
            lines in "([0-9]{1,2} [0-9]{1,2}\n){0,8}",
            format in proptest::option::of(proptest::sample::select(Format::ALL)),
        ) {
            for text in [format!("{head}\n{rest}"), format!("{head}\n{lines}"), lines, rest] {
                if let Ok(listed) = read_as(&text, format) {
                    prop_assert!(listed.graph.n_vertices() <= MOST_VERTICES);
                }
            }
        }
    }
}
