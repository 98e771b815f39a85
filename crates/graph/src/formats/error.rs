//! Errors of formats: reasons why a text could not be read as a graph, with the line, and reasons why a format cannot
//! express a graph.

use std::fmt;
use std::io;

use super::{Format, MOST_VERTICES};
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

/// Error in a text that should be a graph. The variants are the errors that a caller may treat in a special way.
/// Vertices are given by their numbers or names in the text.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Wrong {
    /// Any other error, as a sentence without a full stop.
    #[error("{0}")]
    Other(String),
    /// A line is not valid in the format.
    #[error("\"{text}\" is not {expected}")]
    Line {
        /// Text of the line, shortened if it is long.
        text: String,
        /// Description of the text that the format expects instead.
        expected: &'static str,
    },
    /// The text can be read in each of these formats, but the graphs differ. The sentence says why.
    #[error("{why}")]
    Unclear {
        /// Formats to choose from.
        formats: Vec<Format>,
        /// Sentence without a full stop.
        why: String,
    },
    /// An edge between names occurs in a list whose vertices are numbers, or an edge joins a name and a number. The
    /// value is a sentence.
    #[error("{0}")]
    Names(String),
    /// An edge has a weight, or a third number that may be a neighbour. The value is the line.
    #[error("\"{0}\" has a third column, but tours have no weights; remove the column")]
    Weight(String),
    /// The text has this number of graphs. The caller must choose one by its number.
    #[error("the text contains {0} graphs")]
    Several(usize),
    /// The text is not valid JSON. The value is the JSON reader's message.
    #[error("not valid JSON: {0}")]
    Json(String),
}

impl From<GraphError> for Wrong {
    fn from(error: GraphError) -> Self {
        Self::Other(error.to_string())
    }
}

impl From<String> for Wrong {
    fn from(sentence: String) -> Self {
        Self::Other(sentence)
    }
}

impl From<&str> for Wrong {
    fn from(sentence: &str) -> Self {
        Self::Other(sentence.to_owned())
    }
}

impl From<Wrong> for FormatError {
    fn from(wrong: Wrong) -> Self {
        at(0, wrong)
    }
}

/// Error for a text that is empty or has only comments.
pub(super) const EMPTY: &str = "the text contains no graph";

/// Returns the error `wrong` in this line, counted from 1; 0 if the line is unknown.
pub(super) fn at(line: usize, wrong: impl Into<Wrong>) -> FormatError {
    FormatError { line: Some(line).filter(|&line| line > 0), wrong: wrong.into() }
}

/// Returns the error for a line that is invalid in the format. `expected` describes a valid line.
pub(super) fn not(line: usize, text: &str, expected: &'static str) -> FormatError {
    at(line, Wrong::Line { text: shown(text), expected })
}

/// Returns the error for a text that lacks a part of the format.
pub(super) fn missing(line: usize, part: &str) -> FormatError {
    at(line, format!("missing {part}"))
}

/// Returns the error for a feature of the format that is not supported.
pub(super) fn unsupported(line: usize, feature: impl fmt::Display) -> FormatError {
    at(line, format!("{feature} is not supported"))
}

/// Returns the error for a text in a format that is not supported.
pub(super) fn foreign(line: usize, format: &str) -> FormatError {
    let advice = "which is not supported; convert it to graph6, GraphML or a list of edges";
    at(line, format!("the text looks like {format}, {advice}"))
}

/// Returns the error for a graph with more than [`MOST_VERTICES`] vertices.
pub(super) fn too_large(line: usize, n: u64) -> FormatError {
    at(line, format!("{n} vertices are too many; at most {MOST_VERTICES} are supported"))
}

/// Returns the error for a number of edges that differs from the number in the header.
pub(super) fn miscounted(line: usize, announced: u64, found: u64) -> FormatError {
    at(line, format!("the header announces {announced} edges, but {found} follow"))
}

/// Returns the error for a row of a matrix that does not have as many entries as the first one.
pub(super) fn uneven(line: usize, expected: usize, found: usize) -> FormatError {
    at(line, format!("the row has {found} entries, but the first row has {expected}"))
}

/// Returns the error for a number of lines that differs from the number of vertices.
pub(super) fn lines_differ(line: usize, n: u32, found: usize) -> FormatError {
    at(line, format!("expected {n} lines, one per vertex, but found {found}"))
}

/// Returns a text for error messages. A long text is shortened and ends with `…`.
pub(super) fn shown(text: &str) -> String {
    const SHOWN: usize = 60;
    let mut shown: String = text.chars().take(SHOWN).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    shown
}

/// Returns the error for a text of numbers that could not be read in any format that consists of numbers. `wrong` has the
/// error of each format.
pub(super) fn no_list(wrong: &[(Format, FormatError)]) -> FormatError {
    let each: Vec<_> = wrong.iter().map(|(format, error)| format!("as \"{format}\", {error}")).collect();
    at(0, each.join("; "))
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
    #[error(
        "the format \"{format}\" cannot express a directed graph; choose from {}", names(|one| one.has_arcs), format = .0
    )]
    Directed(Format),
    /// The format has no writer.
    #[error("this format can only be read")]
    Unwritten,
    /// Writing to the output failed.
    #[error("cannot write the graph")]
    Io(#[from] io::Error),
}

/// Joins the names of the formats that have an ability.
pub(super) fn names(has: fn(Format) -> bool) -> String {
    let all = Format::all().into_iter().filter(|&format| has(format));
    all.map(|format| format.name).collect::<Vec<_>>().join(", ")
}
