//! Graphs in files. Each format has a file of its own with a type that implements [`GraphFormat`], and a line in `list.rs`.
//!
//! The caller may name the format of a text. Otherwise it is recognised from the text if that is certain (`recognised.rs`),
//! else from the ending of the file name. Most formats number vertices from 1, lists also from 0, and some formats have
//! names; in the [`Graph`] vertices are always counted from 0.
//!
//! An edge may be listed twice or in both directions. Everything that a file announces has to be there, so that a truncated
//! file is not taken for a smaller graph. Lists with two plausible readings are rejected.

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

/// Largest number of vertices of a graph in a file. For more vertices, every encoding has too many variables.
pub const MOST_VERTICES: u32 = 1 << 24;

/// Largest number of isolated vertices of a graph in a file. The other vertices take bytes of the text, so a few bytes
/// cannot demand gigabytes of memory.
pub const MOST_ISOLATED: u32 = 1 << 16;

/// Reads the graph in a text and recognises its format.
///
/// # Errors
///
/// [`FormatError`], with the line.
pub fn read(text: &str) -> Result<Listed, FormatError> {
    read_as(text, None)
}

/// Reads the graph in a text as this format; `None` recognises the format.
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

/// Reads the graph in a file of this name. The ending of the name decides on the format if neither the caller nor the text
/// does.
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

/// Writes a graph in a format, its vertices numbered from 1. Every format but [`Format::EDGES`] can write isolated
/// vertices.
///
/// # Errors
///
/// [`WriteError`] if the format cannot express the graph, or writing fails.
pub fn write(format: Format, graph: &Graph, out: &mut impl Write) -> Result<(), WriteError> {
    write_named(format, graph, &VertexNames::default(), out)
}

/// Writes a graph with these names of its vertices, if the format has names.
///
/// # Errors
///
/// [`WriteError`] if the format cannot express the graph or a name, or writing fails.
pub fn write_named(
    format: Format,
    graph: &Graph,
    names: &VertexNames,
    out: &mut impl Write,
) -> Result<(), WriteError> {
    format.write(graph, names, out)
}
