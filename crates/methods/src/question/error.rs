//! Errors of graph sources.

use hamcnf_encodings::families::Family;
use hamcnf_encodings::formats::{Format, FormatError, Wrong};
use hamcnf_encodings::relabel::RELABEL;
use hamcnf_encodings::{BoardError, FamilyError, HoledBoard, InstanceError};

use super::files::{SourceError, TextSource};

/// Why a text names no graph, or why a graph cannot be loaded or has no such instance.
#[derive(Debug, thiserror::Error)]
pub enum GraphSourceError {
    /// A file that programs would take for an option.
    #[error("'{0}' begins with a dash: write './{0}'")]
    Dash(String),
    /// Neither a board nor a file that exists.
    #[error(
        "'{text}' is neither a board, ROWSxCOLUMNS such as 8x8, nor a file with a graph{}",
        hint(.meant.as_deref())
    )]
    Neither {
        /// The text.
        text: String,
        /// A question with one of its words mended.
        meant: Option<String>,
    },
    /// The board or the square does not exist.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// The family has no such graph.
    #[error(transparent)]
    Family(#[from] FamilyError),
    /// The text cannot be read.
    #[error("cannot read {text}: {error}")]
    Read {
        text: TextSource,
        /// Why.
        error: SourceError,
    },
    /// The text has no graph that we can read.
    #[error("cannot read {text}: {error}{}", choice(.error))]
    Format {
        text: TextSource,
        /// What is wrong with it.
        error: FormatError,
    },
    /// A format for a board.
    #[error("a graph format is for graphs, and {0} is a board: './{0}' is the file of that name")]
    FormatOfBoard(HoledBoard),
    /// A format for a family's graph.
    #[error(
        "a graph format is for graphs in files, and {0} is not in one: './{0}' is the file of that name"
    )]
    FormatOfFamily(Family),
    /// A seed that is none.
    #[error(
        "'{text}' says '{seed}' behind {RELABEL}, which takes a whole number up to {}, as in 8x8+{RELABEL}=7",
        u32::MAX
    )]
    Relabel {
        /// The text.
        text: String,
        /// The text where a seed should stand.
        seed: String,
    },
    /// A format for a graph that is in no file.
    #[error("a graph format is for graphs in files, and {0} is not in one")]
    FormatOfGiven(String),
    /// Another format than the graph source has.
    #[error("'{graph}' says another format than {format}")]
    FormatTwice {
        /// The graph source.
        graph: String,
        /// The format that was to be set.
        format: Format,
    },
    /// Another number of a graph than the graph source has.
    #[error("'{graph}' says another graph of the file than {number}")]
    NumberTwice {
        /// The graph source.
        graph: String,
        /// The number that was to be set.
        number: usize,
    },
    /// A way to read a file whose text form is another file's name.
    #[error("'{0}' is the name of another file: rename that file")]
    OtherFile(String),
    /// Standard input or a pipe, where it would be read again.
    #[error("'{0}' is standard input or a pipe, which cannot be read again: name a file")]
    NotLasting(String),
    /// The graph does not have the start.
    #[error("'{start}' is not a vertex of {text}: {known}")]
    Start {
        /// The file, or the graph of a family.
        text: String,
        /// The word that should be a vertex.
        start: String,
        /// Names of the vertices, in words.
        known: String,
    },
    /// The board or graph has no instance.
    #[error(transparent)]
    Instance(#[from] InstanceError),
}

/// Suggests a question.
fn hint(meant: Option<&str>) -> String {
    meant.map_or_else(String::new, |meant| format!(": did you mean '{meant}'?"))
}

impl GraphSourceError {
    pub(super) fn neither(text: &str) -> Self {
        Self::Neither {
            text: text.to_owned(),
            meant: None,
        }
    }
}

/// Advice for a text that cannot be read without a choice.
fn choice(error: &FormatError) -> String {
    let formats = match &error.wrong {
        Wrong::Unclear { .. } => &[Format::EDGES, Format::EDGES_HEADER][..],
        Wrong::Neighbours { .. } => &[Format::EDGES_HEADER, Format::METIS],
        Wrong::Formats(formats) => formats,
        Wrong::Several(_) => {
            return ": choose one by its number, --graph-number 1 or '#1' behind the file's name"
                .to_owned();
        }
        Wrong::Directed { .. } => {
            return "; --undirected reads its arcs as undirected edges".to_owned();
        }
        Wrong::Weight(_) => {
            return ", or pass --weights to say that the third column is a weight".to_owned();
        }
        _ => return String::new(),
    };
    let options: Vec<_> = formats
        .iter()
        .map(|format| format!("--graph-format {format}"))
        .collect();
    format!(": choose with {}", options.join(" or "))
}
