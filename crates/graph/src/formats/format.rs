//! Graph formats: the functions of a format, and [`Format`], a handle to a format of the list (`list.rs`).

use std::fmt;
use std::hash::{Hash, Hasher};
use std::io::Write;
use std::path::Path;
use std::str::FromStr;

use super::{FormatError, TextGraph, WriteError, Wrong, list};
use crate::any_graph::AnyGraph;
use crate::digraph::Digraph;
use crate::graph::Graph;
use crate::names::NoSuchName;
use crate::vertex_names::VertexNames;

/// Function that reads a text as a graph. Errors have the line number if the text does not describe a graph.
pub type Reader<G = TextGraph> = fn(&str) -> Result<G, FormatError>;

/// Function that writes a graph or a digraph. Vertices get their names if the format supports names; otherwise they are
/// numbered from 1.
pub type Writer<G> = fn(&G, &VertexNames, &mut dyn Write) -> Result<(), WriteError>;

/// A graph format. Each format has its own file and a line in the list of formats (`list.rs`).
///
/// Help, completion, messages, recognition and the tests of all formats use this list.
#[derive(Clone, Copy)]
pub struct FormatKind {
    /// Name on the command line and in messages, one lower-case word.
    pub name: &'static str,
    /// Short description, such as `nauty's sparse6, one line per graph`.
    pub summary: &'static str,
    /// File name extensions, in lower case, without the dot. The usual extension comes first.
    pub endings: &'static [&'static str],
    /// Comment character, if a text may begin with a comment that names the format, such as `# adjlist`.
    pub comment: Option<char>,
    /// True if the beginning of a text shows with certainty that the text is in this format.
    pub begins: fn(&str) -> bool,
    /// Reads the graph in a text.
    pub read: Reader,
    /// Reads all graphs in a text. `None` if a text in this format has only one graph, or one graph per line.
    pub read_several: Option<Reader<Vec<TextGraph>>>,
    /// Reads the graph in a list of edges whose third column has weights, and ignores the weights. `None` if the format
    /// is not a list of edges.
    pub read_weighted: Option<Reader>,
    /// Reader that recognition uses, if the format consists of lines of numbers. It accepts a text only in the strict
    /// form in which programs write it. `None` for all other formats, which `begins` recognises.
    pub read_strictly: Option<Reader>,
    /// True if a file can have several graphs, one per line.
    pub is_line: bool,
    /// Number of bytes of the text of a graph with n vertices, directed or not, if the text has a bit or a character for
    /// each pair of vertices, however few the edges.
    pub bytes_of_matrix: Option<fn(u64, bool) -> u64>,
    /// Writes a graph.
    pub write: Writer<Graph>,
    /// Writes a digraph; `None` if the format has no arcs.
    pub write_directed: Option<Writer<Digraph>>,
}

impl FormatKind {
    /// Values of the fields that a format may leave out. A format must have a name, a reader and a writer of its own.
    pub const NONE: Self = Self {
        name: "",
        summary: "",
        endings: &[],
        comment: None,
        begins: |_| false,
        read: |_| Err(Wrong::NotRead("text".to_owned()).into()),
        read_several: None,
        read_weighted: None,
        read_strictly: None,
        is_line: false,
        bytes_of_matrix: None,
        write: |_, _, _| Err(WriteError::Unwritten),
        write_directed: None,
    };
}

/// Handle to a graph format. Formats with the same name are equal.
#[derive(Clone, Copy)]
pub struct Format(&'static FormatKind);

impl Format {
    /// Returns a handle to this format, without registering the format.
    pub const fn new(format: &'static FormatKind) -> Self {
        Self(format)
    }

    /// Returns all formats: the built-in ones, then the registered ones.
    #[must_use]
    pub fn all() -> Vec<Self> {
        list::FORMATS.all()
    }

    /// Returns the name of the format on the command line and in messages.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.0.name
    }

    /// Returns a short description of the format, such as `nauty's sparse6, one line per graph`.
    #[must_use]
    pub fn summary(self) -> &'static str {
        self.0.summary
    }

    /// Returns the file name extensions of the format, in lower case, without the dot. The usual extension comes first.
    #[must_use]
    pub fn endings(self) -> &'static [&'static str] {
        self.0.endings
    }

    /// Returns the format that has the extension of this file name, ignoring a final `.gz` or `.zst`; `None` if no
    /// format has the extension.
    #[must_use]
    pub fn of_file(name: &Path) -> Option<Self> {
        let ending = ending(name)?;
        let mut all = Self::all().into_iter();
        all.find(|format| format.endings().contains(&ending.as_str()))
    }

    /// Returns the comment line that names the format, such as `# adjlist`. Texts whose format would otherwise be
    /// unclear begin with this line. Returns `None` if the format has no such comment.
    pub(super) fn said(self) -> Option<String> {
        let comment = self.0.comment;
        comment.map(|comment| format!("{comment} {self}"))
    }

    pub(super) fn begins(self, text: &str) -> bool {
        (self.0.begins)(text)
    }

    pub(super) fn read(self, text: &str) -> Result<TextGraph, FormatError> {
        (self.0.read)(text)
    }

    pub(super) fn read_several(self, text: &str) -> Option<Result<Vec<TextGraph>, FormatError>> {
        self.0.read_several.map(|read| read(text))
    }

    pub(super) fn read_weighted(self, text: &str) -> Result<TextGraph, FormatError> {
        match self.0.read_weighted {
            Some(read) => read(text),
            None => Err(Wrong::NoColumns(self.0.name).into()),
        }
    }

    pub(super) fn read_strictly(self) -> Option<Reader> {
        self.0.read_strictly
    }

    /// True if a file can have several graphs, one per line.
    #[must_use]
    pub fn is_line(self) -> bool {
        self.0.is_line
    }

    /// True if the format has arcs.
    #[must_use]
    pub fn has_arcs(self) -> bool {
        self.0.write_directed.is_some()
    }

    /// True if a file can have several graphs.
    #[must_use]
    pub fn has_several(self) -> bool {
        self.0.is_line || self.0.read_several.is_some()
    }

    /// Returns the number of bytes of a graph's text if it grows with the number of pairs of vertices; otherwise
    /// `None`.
    #[must_use]
    pub fn bytes_of_matrix(self, graph: &AnyGraph) -> Option<u64> {
        let is_directed = matches!(graph, AnyGraph::Directed(_));
        self.0.bytes_of_matrix.map(|bytes| bytes(graph.n_vertices().into(), is_directed))
    }

    pub(super) fn write(self, graph: &AnyGraph, names: &VertexNames, out: &mut dyn Write) -> Result<(), WriteError> {
        match graph {
            AnyGraph::Undirected(graph) => self.write_undirected(graph, names, out),
            AnyGraph::Directed(digraph) => match self.0.write_directed {
                Some(write) => write(digraph, names, out),
                None => Err(WriteError::Directed(self.0.name)),
            },
        }
    }

    pub(super) fn write_undirected(
        self,
        graph: &Graph,
        names: &VertexNames,
        out: &mut dyn Write,
    ) -> Result<(), WriteError> {
        (self.0.write)(graph, names, out)
    }
}

/// Returns the extension of a file name, in lower case, without the dot. A final `.gz` or `.zst` is ignored.
#[must_use]
pub fn ending(name: &Path) -> Option<String> {
    let name = name.file_name()?.to_string_lossy().to_ascii_lowercase();
    let packed = name.strip_suffix(".gz").or(name.strip_suffix(".zst"));
    let (_, ending) = packed.unwrap_or(&name).rsplit_once('.')?;
    Some(ending.to_owned())
}

impl FromStr for Format {
    type Err = NoSuchName;

    fn from_str(name: &str) -> Result<Self, NoSuchName> {
        list::FORMATS.find(name)
    }
}

// Names of formats are unique, so formats with the same name are equal.
impl PartialEq for Format {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for Format {}

impl Hash for Format {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_str().hash(state);
    }
}

impl fmt::Debug for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}
