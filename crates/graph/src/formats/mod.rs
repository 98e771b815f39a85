//! Graphs in files, one format a file: a type that implements [`GraphFormat`], and a line in `list.rs`. Which format a text is
//! in is seen from the text where that is certain (`recognised.rs`), else from the ending of its file's name, or is said by the
//! caller. Vertices are numbered from 1 in most formats, in lists also from 0, and have names in some; in the
//! [`Graph`] they are always counted from 0.
//!
//! An edge may be listed twice or in both directions. What a file announces has to be there, so that a file that was
//! cut off is not taken for a smaller graph; a list that may well be meant in two ways is refused.

mod adjacency;
mod asp;
mod dimacs;
mod directions;
mod dot;
mod edges;
mod error;
mod format;
mod gml;
mod graph6;
mod graphml;
mod list;
mod listed;
mod matrix;
mod metis;
mod multiline;
mod named_edges;
mod pajek;
mod reading;
mod recognised;
mod scan;
mod sparse6;
mod tsplib;

#[cfg(test)]
mod tests;

use std::io::Write;
use std::path::Path;

use super::graph::Graph;
use super::vertex_names::VertexNames;
use scan::{
    COMMENT, Edges, at, both_ways, entries, graph_of, lines, not, numbered_edges, shown, size,
    write_said,
};

pub use error::{FormatError, HeaderReading, WriteError, Wrong};
pub use format::{Format, GraphFormat, Reader, ending};
pub use list::{Registered, register};
pub use listed::{Isolated, Listed, Remark};
pub use reading::Reading;

/// The most vertices of a graph that is read. No encoding of more has few enough variables.
pub const MOST_VERTICES: u32 = 1 << 24;

/// The most vertices without an edge of a graph that is read. Each of the others takes bytes of the text, so that a few
/// bytes do not take gigabytes of memory.
pub const MOST_ISOLATED: u32 = 1 << 16;

/// Reads the graph in a text, whichever format it is in.
///
/// # Errors
///
/// [`FormatError`], with the line.
pub fn read(text: &str) -> Result<Listed, FormatError> {
    read_as(text, None)
}

/// Reads the graph in a text of this format, whatever the text looks like; or of the format that it looks like.
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

/// Reads the graph in a file of this name, whose ending says its format where neither the caller nor the text does.
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

/// Writes a graph in a format, its vertices numbered from 1. Every format but [`Format::EDGES`] has vertices
/// without an edge.
///
/// # Errors
///
/// [`WriteError`].
pub fn write(format: Format, graph: &Graph, out: &mut impl Write) -> Result<(), WriteError> {
    write_named(format, graph, &VertexNames::default(), out)
}

/// Writes a graph whose vertices have these names, in formats that have names.
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
    format.write(graph, names, out)
}
