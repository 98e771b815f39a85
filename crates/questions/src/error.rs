//! Errors of graph sources.

use std::io;

use hamcnf_graph::FamilyError;
use hamcnf_graph::formats::{FormatError, Wrong};
use hamcnf_tours::{BoardError, BoardRange, InstanceError, RangeError};

use super::files::TextSource;

/// Reason why a text does not name a graph, or why the graph or the instance cannot be loaded.
#[derive(Debug, thiserror::Error)]
pub enum GraphSourceError {
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
    /// Graph that does not exist in its family.
    #[error(transparent)]
    Family(#[from] FamilyError),
    /// Text that cannot be read.
    #[error("cannot read {text}: {error}")]
    Read { text: TextSource, error: io::Error },
    /// Text that does not contain a readable graph.
    #[error("cannot read {text}: {error}{}", choice(.error))]
    Format { text: TextSource, error: FormatError },
    /// Standard input or a pipe, given where the text must be read more than once.
    #[error("\"{0}\" is standard input or a pipe, which cannot be read twice; use a regular file")]
    NotLasting(String),
    /// Instance that is impossible on the board or graph.
    #[error(transparent)]
    Instance(#[from] InstanceError),
    /// Any other reason, in words.
    #[error("{0}")]
    Other(String),
}

/// Returns a hint that suggests a corrected text; empty if there is no suggestion.
fn hint(meant: Option<&str>) -> String {
    meant.map_or_else(String::new, |meant| format!(": did you mean \"{meant}\"?"))
}

impl GraphSourceError {
    /// Returns the error for a range of boards, given where one graph is needed.
    pub(super) fn several_boards(range: &BoardRange) -> Self {
        Self::Other(format!("\"{range}\" is several boards; name one of them, such as {}", range.shortest()))
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
