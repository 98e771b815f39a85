//! Graph formats: the functions of a format, and [`Format`], a handle to a format of the list (`list.rs`).

use std::fmt;
use std::io::Write;
use std::ops::Deref;
use std::path::Path;
use std::str::FromStr;

use super::{FormatError, NamedGraph, TextGraph, WriteError, first_line, list};
use crate::{AnyGraph, NoSuchName};

/// Function that reads a text as a graph. Errors have the line number if the text does not describe a graph.
pub type Reader<G = TextGraph> = fn(&str) -> Result<G, FormatError>;

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
    /// Reader that recognition uses, if the format consists of lines of numbers. It accepts a text only in the strict
    /// form in which programs write it. `None` for all other formats, which `begins` recognises.
    pub read_strictly: Option<Reader>,
    /// True if a file can have several graphs, one per line.
    pub is_line: bool,
    /// Number of bytes of the text of a graph with n vertices, directed or not, if the text has a bit or a character for
    /// each pair of vertices, however few the edges.
    pub bytes_of_matrix: Option<fn(u64, bool) -> u64>,
    /// True if the format has arcs.
    pub has_arcs: bool,
    /// Writes a graph, which is directed only if the format has arcs. Vertices get their names if the format supports
    /// names; otherwise they are numbered from 1.
    pub write: fn(&NamedGraph<'_>, &mut dyn Write) -> Result<(), WriteError>,
}

impl FormatKind {
    /// Values of the fields that a format may leave out. A format must have a name, a reader and a writer of its own.
    pub const NONE: Self = Self {
        name: "",
        summary: "",
        endings: &[],
        comment: None,
        begins: |_| false,
        read: |_| Err(super::unsupported(0, "text")),
        read_several: None,
        read_strictly: None,
        is_line: false,
        bytes_of_matrix: None,
        has_arcs: false,
        write: |_, _| Err(WriteError::Unwritten),
    };
}

/// Handle to a graph format. Formats with the same name are equal.
#[derive(Clone, Copy)]
pub struct Format(&'static FormatKind);

impl Deref for Format {
    type Target = FormatKind;

    fn deref(&self) -> &FormatKind {
        self.0
    }
}

impl Format {
    /// Returns a handle to this format, without registering the format.
    pub const fn new(format: &'static FormatKind) -> Self {
        Self(format)
    }

    /// Returns all formats: the built-in ones, then the registered ones.
    pub fn all() -> Vec<Self> {
        list::FORMATS.all()
    }

    /// Returns the format that has the extension of this file name, ignoring a final `.gz` or `.zst`; `None` if no
    /// format has the extension.
    pub fn of_file(name: &Path) -> Option<Self> {
        let ending = ending(name)?;
        let mut all = Self::all().into_iter();
        all.find(|format| format.endings.contains(&ending.as_str()))
    }

    /// Returns the comment line that names the format, such as `# adjlist`. Texts whose format would otherwise be
    /// unclear begin with this line. Returns `None` if the format has no such comment.
    pub(super) fn title(self) -> Option<String> {
        self.comment.map(|comment| format!("{comment} {self}"))
    }

    /// True if the first line of a text is the comment that names the format.
    pub(super) fn is_title_of(self, text: &str) -> bool {
        self.title().is_some_and(|title| title == first_line(text))
    }

    /// True if a file can have several graphs.
    pub fn has_several(self) -> bool {
        self.is_line || self.read_several.is_some()
    }

    /// Returns the number of bytes of a graph's text if it grows with the number of pairs of vertices; otherwise
    /// `None`.
    pub fn bytes_of_matrix(self, graph: &AnyGraph) -> Option<u64> {
        self.0.bytes_of_matrix.map(|bytes| bytes(graph.n_vertices().into(), graph.undirected().is_none()))
    }
}

/// Returns the extension of a file name, in lower case, without the dot. A final `.gz` or `.zst` is ignored.
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
        self.name == other.name
    }
}

impl Eq for Format {}

impl fmt::Debug for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name)
    }
}
