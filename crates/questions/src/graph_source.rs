//! Graph sources: a board, a graph of a family, or a graph in a file or on standard input. The syntax is the same on
//! the command line, in experiment files and in rows. The suffix `+relabel=SEED` of any source puts the vertices into a
//! random order. Parsing checks which files exist; [`load`](super::load) reads the graph.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use hamcnf_graph::families::{self, Family};
use hamcnf_graph::formats::{Directedness, Format, Reading, Remark};
use hamcnf_graph::names::most_alike;
use hamcnf_graph::relabel::RELABEL;
use hamcnf_graph::{AnyGraph, FamilyError, VertexNames};
use hamcnf_tours::{Board, BoardError, BoardRange, HoledBoard, Piece, RangeError};

use super::error::GraphSourceError;
use super::files::{Files, TextSource};

/// Source of a graph.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GraphSource {
    /// Board with its piece, and possibly with holes.
    Board(HoledBoard),
    /// Several boards. The range itself cannot be loaded; [`several`](Self::several) returns a source for each board.
    Boards(BoardRange),
    /// Graph of a family.
    Family(Family),
    /// Graph in a file or on standard input.
    Graph(GraphText),
    /// Graph of another source with its vertices in a random order. For a board, this is the graph of the moves.
    Relabelled {
        /// Source of the original graph.
        source: Box<GraphSource>,
        /// Seed of the random order.
        seed: u32,
    },
    /// Graph that the calling program has in memory, or one of several graphs of a text.
    Given(GivenGraph),
}

/// Graph that the calling program has in memory, or one of several graphs of a text. If the graph is only in memory,
/// its name is just a label, and the question cannot be passed to another process.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GivenGraph {
    /// Name in messages and records.
    pub name: String,
    pub graph: Arc<AnyGraph>,
    pub names: VertexNames,
    /// Origin of the graph, if it was read from a text with several graphs.
    pub origin: Option<Arc<Origin>>,
}

/// Place of a graph in a text with several graphs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Origin {
    /// Text, with the number of the graph.
    pub place: GraphText,
    /// Part of the text that has only this graph.
    pub alone: Arc<str>,
    /// Remarks on oddities of the graph's text.
    pub remarks: Vec<Remark>,
}

/// Text with a graph: `FILE`, or `-` for standard input. A format may precede the name, as in `edges:graph.txt`. The
/// number of a graph in the file, counted from 1, may follow the name, and then choices for arcs and weights, as in
/// `graph6:graphs.g6#3+undirected`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GraphText {
    /// File or standard input.
    pub source: TextSource,
    /// Options for reading the graph, such as its format.
    pub reading: Reading,
}

/// Adds a suggestion to the error if a text names neither a board nor a file.
pub(super) fn said_with_hint<T>(settled: Result<T, GraphSourceError>, files: &Files) -> Result<T, GraphSourceError> {
    settled.map_err(|error| match error {
        GraphSourceError::Neither { text, .. } => GraphSourceError::Neither { meant: super::meant(&text, files), text },
        error => error,
    })
}

impl GraphSource {
    /// Parses a text. If the text may be the name of a file, checks which files exist, but does not read them.
    ///
    /// # Errors
    ///
    /// [`GraphSourceError`], with the text, if it does not name a graph source.
    pub fn settled(text: &str, files: &Files) -> Result<Self, GraphSourceError> {
        said_with_hint(Self::parsed(text, files), files)
    }

    /// Adds options for reading the graph, such as its format. Checks which files exist, to make sure that the
    /// resulting text does not name another file.
    ///
    /// # Errors
    ///
    /// [`GraphSourceError`] if the source is not a text, or already has another format or number.
    pub fn read_with(self, reading: Reading, files: &Files) -> Result<Self, GraphSourceError> {
        let wrong = |what| {
            GraphSourceError::Other(format!(
                "\"{self}\" is {what}, so options for graph files do not apply; write \"./{self}\" for a file of this name"
            ))
        };
        match self {
            Self::Board(_) => Err(wrong("a board")),
            Self::Boards(range) => Err(GraphSourceError::several_boards(&range)),
            Self::Family(_) => Err(wrong("a graph of a family")),
            Self::Graph(text) => text.read_with(reading, files).map(Self::Graph),
            Self::Given(given) => Err(GraphSourceError::Other(format!(
                "{} is not read from a file, so it has no graph format",
                given.name
            ))),
            Self::Relabelled { source, seed } => {
                Ok(Self::Relabelled { source: Box::new(source.read_with(reading, files)?), seed })
            }
        }
    }

    /// True if the graph can be loaded again, that is, if it does not come from standard input, a pipe or memory.
    /// Accesses the disk.
    pub fn is_lasting(&self) -> bool {
        match self.unlabelled() {
            Self::Graph(text) => text.source.is_lasting(),
            other => !matches!(other, Self::Given(_)),
        }
    }

    /// Returns the source without relabelling.
    pub fn unlabelled(&self) -> &Self {
        if let Self::Relabelled { source, .. } = self { source.unlabelled() } else { self }
    }

    /// Returns the file or stream that contains the graph, if any.
    pub fn text(&self) -> Option<&GraphText> {
        if let Self::Graph(text) = self.unlabelled() { Some(text) } else { None }
    }

    /// Returns the text that contains the graph, with the number of the graph if the text has several; `None` if the
    /// graph comes from no text.
    pub fn place(&self) -> Option<&GraphText> {
        match self.unlabelled() {
            Self::Given(given) => Some(&given.origin.as_ref()?.place),
            other => other.text(),
        }
    }

    /// Sets the seed of a random graph whose name has no seed.
    ///
    /// # Errors
    ///
    /// [`GraphSourceError`] if the graph has a seed already, or needs none.
    pub fn with_seed(self, seed: u32) -> Result<Self, GraphSourceError> {
        match self {
            Self::Family(family) => Ok(Self::Family(family.with_seed(seed)?)),
            Self::Relabelled { source, seed: order } => {
                Ok(Self::Relabelled { source: Box::new(source.with_seed(seed)?), seed: order })
            }
            Self::Board(_) | Self::Boards(_) | Self::Graph(_) | Self::Given(_) => {
                Err(FamilyError::seed(&self.to_string(), false).into())
            }
        }
    }

    /// True if the graph comes from standard input.
    pub fn is_standard_input(&self) -> bool {
        self.text().is_some_and(|text| text.source == TextSource::StandardInput)
    }
}

/// Separator between a file and the number of a graph in the file.
const NUMBER: char = '#';
/// Suffix of a graph source that names a file: read the file's arcs as undirected edges.
const UNDIRECTED: &str = "+undirected";
/// Suffix of a graph source that names a file: read the file's edges as arcs.
const ARCS: &str = "+arcs";
/// Suffix of a graph source that names a file: read the third column of the file's list of edges as weights.
const WEIGHTS: &str = "+weights";

impl GraphText {
    /// Adds options for reading the graph, such as its format.
    fn read_with(self, reading: Reading, files: &Files) -> Result<Self, GraphSourceError> {
        let before = self.reading;
        if let (Some(known), Some(format)) = (before.format, reading.format)
            && known != format
        {
            return Err(GraphSourceError::Other(format!(
                "\"{self}\" already names a graph format other than \"{format}\"; name the format only once"
            )));
        }
        if let (Some(known), Some(number)) = (before.number, reading.number)
            && known != number
        {
            return Err(GraphSourceError::Other(format!(
                "\"{self}\" already has a graph number, which differs from {number}; choose the graph only once"
            )));
        }
        let reading = Reading {
            format: reading.format.or(before.format),
            number: reading.number.or(before.number),
            directedness: match reading.directedness {
                Directedness::AsWritten => before.directedness,
                given => given,
            },
            weights: reading.weights || before.weights,
        };
        let is_written = |text: &Self| Self::parsed(&text.to_string(), files).is_ok_and(|read| read == *text);
        let same = Self { source: self.source.clone(), reading };
        if same.reading == before || is_written(&same) {
            return Ok(same);
        }
        // With the choices added, the text is the name of another file. A folder before the file's name avoids the
        // conflict.
        let in_folder = match self.source {
            TextSource::File(file) => Self { source: TextSource::File(Path::new(".").join(file)), reading },
            TextSource::StandardInput => same,
        };
        if is_written(&in_folder) {
            return Ok(in_folder);
        }
        Err(GraphSourceError::Other(format!(
            "with these options, the name of the graph is \"{in_folder}\", but a file with this name exists; rename the file \"{in_folder}\""
        )))
    }

    /// Finds the file that a text names. A format may precede the file name, and options may follow it. The longest
    /// file name is preferred.
    fn parsed(text: &str, files: &Files) -> Result<Self, GraphSourceError> {
        let mut reading = Reading::default();
        let mut name = text;
        loop {
            if let Some(found) = Self::with_format(name, reading).find(|text| files.has(&text.source)) {
                return Ok(found);
            }
            let number = |digits: &str| -> Option<usize> {
                let number: usize = digits.parse().ok()?;
                (number.to_string() == digits).then_some(number)
            };
            name = if let Some(before) = name.strip_suffix(UNDIRECTED) {
                reading.directedness = Directedness::Undirected;
                before
            } else if let Some(before) = name.strip_suffix(ARCS) {
                reading.directedness = Directedness::Directed;
                before
            } else if let Some(before) = name.strip_suffix(WEIGHTS) {
                reading.weights = true;
                before
            } else if let Some((before, digits)) = name.rsplit_once(NUMBER)
                && let Some(number) = number(digits).filter(|_| reading.number.is_none())
            {
                reading.number = Some(number);
                before
            } else {
                break;
            };
        }
        Err(match (text.starts_with('-') && text != "-", unknown_piece(text)) {
            (true, _) => {
                GraphSourceError::Other(format!("file name \"{text}\" begins with a dash; write \"./{text}\""))
            }
            (false, Some(error)) => GraphSourceError::Board(error),
            (false, None) => GraphSourceError::Neither { text: text.to_owned(), meant: None },
        })
    }

    /// Returns the possible readings of a name. The whole name may be the name of a file. If the name begins with a
    /// format, the rest may also be the name of a file.
    fn with_format(name: &str, reading: Reading) -> impl Iterator<Item = Self> {
        let whole = named(name).map(|source| Self { source, reading });
        let behind = Format::all().into_iter().find_map(|format| {
            let name = name.strip_prefix(format.name)?.strip_prefix(':')?;
            let format = Some(format);
            Some(Self { source: named(name)?, reading: Reading { format, ..reading } })
        });
        whole.into_iter().chain(behind)
    }
}

/// Returns the error for a text such as `unicorn:8x8`: a board after a word that does not resemble the name of a piece, a
/// family or a format.
fn unknown_piece(text: &str) -> Option<BoardError> {
    let (word, board) = text.split_once(':')?;
    board.parse::<Board>().ok()?;
    let families = families::ALL.iter().flat_map(|kind| kind.also.iter().copied().chain([kind.name]));
    let formats = Format::all().into_iter().map(|format| format.name);
    match most_alike(word, Piece::names().chain(["leaper"]).chain(families).chain(formats)) {
        Some(_) => None,
        None => word.parse::<Piece>().err().map(BoardError::from),
    }
}

/// Returns the source with this name; `None` if the name is empty or would be mistaken for an option.
fn named(name: &str) -> Option<TextSource> {
    let is_name = !name.is_empty() && (name == "-" || !name.starts_with('-'));
    is_name.then(|| TextSource::named(Path::new(name)))
}

impl GraphSource {
    /// Parses a text. A file may have any name, even `g+relabel=9` or the name of a graph of a family.
    pub(super) fn parsed(text: &str, files: &Files) -> Result<Self, GraphSourceError> {
        let file = || GraphText::parsed(text, files).map(Self::Graph);
        if let Some((rest, seed)) = without_relabel(text) {
            return file().or_else(|_| match seed.parse() {
                Ok(seed) => Ok(Self::Relabelled { source: Box::new(Self::parsed(&rest, files)?), seed }),
                Err(_) => Err(GraphSourceError::Other(format!(
                    "\"{text}\": \"{seed}\" is not a seed for {RELABEL}; write a whole number from 0 to {}, as in 8x8+{RELABEL}=7",
                    u32::MAX
                ))),
            });
        }
        match text.parse() {
            Ok(board) => Ok(Self::Board(board)),
            Err(BoardError::Syntax(_)) if Family::is_named(text) => file().or_else(|_| Ok(Self::Family(text.parse()?))),
            Err(BoardError::Syntax(_)) => match text.parse() {
                Ok(range) => Ok(Self::Boards(range)),
                Err(RangeError::Syntax(_)) => file(),
                Err(error) => file().or(Err(error.into())),
            },
            // A text with a dash, such as `8x8-old.col`, may be the name of a file.
            Err(error) if text.contains('-') => file().or(Err(error.into())),
            Err(error) => Err(error.into()),
        }
    }
}

/// Splits off the last suffix `relabel`, which follows a plus sign or a blank. Returns the text before it, and the text
/// of the seed.
fn without_relabel(text: &str) -> Option<(String, &str)> {
    let (before, behind) = text.rsplit_once(RELABEL)?;
    let before = before.strip_suffix(['+', ' '])?.trim_end();
    let behind = behind.strip_prefix(['=', ' '])?;
    let (seed, rest) = behind.split_at(behind.find(['+', ' ']).unwrap_or(behind.len()));
    Some((format!("{before}{rest}"), seed))
}

impl fmt::Display for GraphText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Reading { format, number, directedness, weights } = self.reading;
        if let Some(format) = format {
            write!(f, "{format}:")?;
        }
        match &self.source {
            TextSource::File(file) => file.display().fmt(f)?,
            TextSource::StandardInput => f.write_str("-")?,
        }
        if let Some(number) = number {
            write!(f, "{NUMBER}{number}")?;
        }
        f.write_str(match directedness {
            Directedness::AsWritten => "",
            Directedness::Undirected => UNDIRECTED,
            Directedness::Directed => ARCS,
        })?;
        if weights {
            f.write_str(WEIGHTS)?;
        }
        Ok(())
    }
}

impl fmt::Display for GraphSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Board(board) => board.fmt(f),
            Self::Boards(range) => range.fmt(f),
            Self::Family(family) => family.fmt(f),
            Self::Graph(text) => text.fmt(f),
            Self::Relabelled { source, seed } => write!(f, "{source}+{RELABEL}={seed}"),
            Self::Given(given) => given.name.fmt(f),
        }
    }
}
