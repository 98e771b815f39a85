//! The trait that every graph format implements, and [`Format`], a format of the list (`list.rs`).

use std::fmt;
use std::hash::{Hash, Hasher};
use std::io::Write;
use std::path::Path;
use std::str::FromStr;

use super::{FormatError, Listed, WriteError, Wrong, list};
use crate::graph::Graph;
use crate::names::NoSuchName;
use crate::vertex_names::VertexNames;

/// Function that reads a text.
pub type Reader = fn(&str) -> Result<Listed, FormatError>;

/// A graph format. Each has a file of its own and a line in the list (`list.rs`).
///
/// Help, completion, messages, recognition and the tests over all formats follow from the list.
pub trait GraphFormat: Send + Sync + 'static {
    /// Returns the name on the command line and in messages: one lower-case word.
    fn name(&self) -> &'static str;

    /// Returns a short description of a text in the format.
    fn summary(&self) -> &'static str;

    /// Returns the endings of file names without the dot, in lower case, the usual ending first.
    fn endings(&self) -> &'static [&'static str];

    /// Returns the comment character if texts may begin with a comment that names the format, as in `# adjlist`.
    fn comment(&self) -> Option<char> {
        None
    }

    /// True if the beginning of a text leaves no doubt that it is in the format.
    fn begins(&self, _text: &str) -> bool {
        false
    }

    /// Reads a text.
    ///
    /// # Errors
    ///
    /// [`FormatError`], with the line.
    fn read(&self, text: &str) -> Result<Listed, FormatError>;

    /// Reads a text whose third column has weights.
    ///
    /// # Errors
    ///
    /// [`FormatError`], with the line; [`Wrong::NoColumns`] if the format is not a list of edges.
    fn read_weighted(&self, _text: &str) -> Result<Listed, FormatError> {
        Err(Wrong::NoColumns(self.name()).into())
    }

    /// Returns a reader of lines of numbers that accepts only texts as programs write the format. `None` if the format does
    /// not consist of such lines; then [`begins`](Self::begins) decides.
    fn read_strictly(&self) -> Option<Reader> {
        None
    }

    /// True if a file can have several graphs, one per line.
    fn is_line(&self) -> bool {
        false
    }

    /// Writes a graph. Vertices have their names if the format has names; else they are numbered from 1.
    ///
    /// # Errors
    ///
    /// [`WriteError`] if the format cannot express the graph or a name, or writing fails.
    fn write(
        &self,
        graph: &Graph,
        names: &VertexNames,
        out: &mut dyn Write,
    ) -> Result<(), WriteError>;
}

/// A format of the list.
#[derive(Clone, Copy)]
pub struct Format(&'static dyn GraphFormat);

impl Format {
    /// Makes a format from its implementation.
    pub const fn new(format: &'static dyn GraphFormat) -> Self {
        Self(format)
    }

    /// Returns all formats, registered ones last.
    #[must_use]
    pub fn all() -> Vec<Self> {
        list::all()
    }

    /// Returns the name on the command line and in messages.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.0.name()
    }

    /// Returns a short description of a text in the format.
    #[must_use]
    pub fn summary(self) -> &'static str {
        self.0.summary()
    }

    /// Returns the endings of file names, the usual ending first.
    #[must_use]
    pub fn endings(self) -> &'static [&'static str] {
        self.0.endings()
    }

    /// Returns the format of the file name's ending, ignoring `.gz` and `.zst`; `None` if no format has the ending.
    #[must_use]
    pub fn of_file(name: &Path) -> Option<Self> {
        let ending = ending(name)?;
        let mut all = Self::all().into_iter();
        all.find(|format| format.endings().contains(&ending.as_str()))
    }

    /// Returns the comment that names the format at the beginning of a text, for texts whose format would otherwise be
    /// unclear.
    pub(super) fn said(self) -> Option<String> {
        let comment = self.0.comment();
        comment.map(|comment| format!("{comment} {self}"))
    }

    pub(super) fn begins(self, text: &str) -> bool {
        self.0.begins(text)
    }

    pub(super) fn read(self, text: &str) -> Result<Listed, FormatError> {
        self.0.read(text)
    }

    pub(super) fn read_weighted(self, text: &str) -> Result<Listed, FormatError> {
        self.0.read_weighted(text)
    }

    pub(super) fn read_strictly(self) -> Option<Reader> {
        self.0.read_strictly()
    }

    pub(super) fn is_line(self) -> bool {
        self.0.is_line()
    }

    pub(super) fn write(
        self,
        graph: &Graph,
        names: &VertexNames,
        out: &mut dyn Write,
    ) -> Result<(), WriteError> {
        self.0.write(graph, names, out)
    }
}

/// Returns the ending of a file name in lower case, ignoring `.gz` and `.zst`.
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
        let all = Self::all();
        let found = all.iter().find(|format| format.as_str() == name).copied();
        found.ok_or_else(|| {
            let known: Vec<_> = all.iter().map(|format| format.as_str()).collect();
            NoSuchName {
                of: "graph format",
                name: name.to_owned(),
                known: known.join(", "),
            }
        })
    }
}

// Names of formats are unique, so the name decides equality.
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
