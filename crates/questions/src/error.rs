//! Errors of graph sources.

use hamcnf_graph::FamilyError;
use hamcnf_graph::families::Family;
use hamcnf_graph::formats::{Format, FormatError, Wrong};
use hamcnf_graph::relabel::RELABEL;
use hamcnf_tours::{BoardError, BoardRange, InstanceError, PuzzleError, RangeError};

use super::files::{SourceError, TextSource};

/// Reason why a text does not name a graph, or why the graph or the instance cannot be loaded.
#[derive(Debug, thiserror::Error)]
pub enum GraphSourceError {
    /// File name that begins with a dash. Programs would mistake the name for an option.
    #[error("file name \"{0}\" begins with a dash; write \"./{0}\"")]
    Dash(String),
    /// Text that names neither a board nor an existing file.
    #[error(
        "\"{text}\" is neither a board (ROWSxCOLUMNS, such as 8x8) nor an existing file{}",
        hint(.meant.as_deref())
    )]
    Neither { text: String, meant: Option<String> },
    /// Question without a vertex after `from` or `to`.
    #[error("\"{text}\" lacks a vertex after \"{after}\", and is not an existing file")]
    NoVertex { text: String, after: String },
    /// Board or square that does not exist.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// Range of boards that does not exist.
    #[error(transparent)]
    Range(#[from] RangeError),
    /// Range of boards, given where one graph is needed.
    #[error("\"{range}\" is several boards; name one of them, such as {shortest}")]
    SeveralBoards { range: String, shortest: String },
    /// Graph that does not exist in its family.
    #[error(transparent)]
    Family(#[from] FamilyError),
    /// Text that cannot be read.
    #[error("cannot read {text}: {error}")]
    Read { text: TextSource, error: SourceError },
    /// Text that does not contain a readable graph.
    #[error("cannot read {text}: {error}{}", choice(.error))]
    Format { text: TextSource, error: FormatError },
    /// Text that is not a puzzle.
    #[error("cannot read the puzzle in {text}: {error}")]
    Puzzle { text: TextSource, error: Box<PuzzleError> },
    /// Graph format that was given for a board. Only files have a format.
    #[error("\"{0}\" is a board, so options for graph files do not apply; write \"./{0}\" for a file of this name")]
    FormatOfBoard(String),
    /// Graph format that was given for a graph of a family. Only files have a format.
    #[error(
        "\"{0}\" is a graph of a family, so options for graph files do not apply; write \"./{0}\" for a file of this name"
    )]
    FormatOfFamily(Family),
    /// Invalid seed of a relabelling.
    #[error(
        "\"{text}\": \"{seed}\" is not a seed for {RELABEL}; write a whole number from 0 to {}, as in 8x8+{RELABEL}=7",
        u32::MAX
    )]
    Relabel { text: String, seed: String },
    /// Format specified for a graph that is given in memory, not as a file.
    #[error("{0} is not read from a file, so it has no graph format")]
    FormatOfGiven(String),
    /// Format that differs from the format in the graph source.
    #[error("\"{graph}\" already names a graph format other than \"{format}\"; name the format only once")]
    FormatTwice { graph: String, format: Format },
    /// Graph number that differs from the number in the graph source.
    #[error("\"{graph}\" already has a graph number, which differs from {number}; choose the graph only once")]
    NumberTwice { graph: String, number: usize },
    /// File that cannot be read with the requested options. The file's name with these options added is the name of
    /// another file.
    #[error(
        "with these options, the name of the graph is \"{0}\", but a file with this name exists; rename the file \"{0}\""
    )]
    OtherFile(String),
    /// Standard input or a pipe, given where the text must be read more than once.
    #[error("\"{0}\" is standard input or a pipe, which cannot be read twice; use a regular file")]
    NotLasting(String),
    /// Start that is not a vertex of the graph.
    #[error("\"{start}\" is not a vertex of {text}; {known}")]
    Start { text: String, start: String, known: String },
    /// Instance that is impossible on the board or graph.
    #[error(transparent)]
    Instance(#[from] InstanceError),
}

/// Returns a hint that suggests a corrected text; empty if there is no suggestion.
fn hint(meant: Option<&str>) -> String {
    meant.map_or_else(String::new, |meant| format!(": did you mean \"{meant}\"?"))
}

impl GraphSourceError {
    pub(super) fn several_boards(range: &BoardRange) -> Self {
        Self::SeveralBoards { range: range.to_string(), shortest: range.shortest().to_string() }
    }

    pub(super) fn neither(text: &str) -> Self {
        Self::Neither { text: text.to_owned(), meant: None }
    }
}

/// Returns advice on the choice of a format or a graph if the error asks for a choice; otherwise an empty text.
fn choice(error: &FormatError) -> String {
    let formats = match &error.wrong {
        Wrong::Unclear { formats, .. } => formats,
        Wrong::Several(_) => {
            return "; choose one with --graph-number 1, or write \"#1\" after the file name".to_owned();
        }
        Wrong::Weight(_) => {
            return ", or pass --weights to ignore the column".to_owned();
        }
        _ => return String::new(),
    };
    let options: Vec<_> = formats.iter().map(|format| format!("--graph-format {format}")).collect();
    format!("; choose the format with {}", options.join(" or "))
}
