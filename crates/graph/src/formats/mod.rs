//! Graphs in files. Each format has its own file, with a [`FormatKind`], and a line in `list.rs`.
//!
//! The caller may name the format of a text. Otherwise the format is recognised from the text (`recognised.rs`). If the
//! text does not show its format with certainty, the extension of the file name decides. Most formats number vertices
//! from 1, lists of edges also from 0, and some formats have names for vertices. In a [`Graph`], vertices are always
//! counted from 0.
//!
//! An edge may be listed twice or in both directions. Everything that a file announces must be present, so that a
//! truncated file is not mistaken for a smaller graph. A list with two plausible readings is rejected.

mod adjacency;
mod asp;
mod cursor;
mod dimacs;
mod directions;
mod dot;
mod edges;
mod error;
mod foreign;
mod format;
mod gexf;
mod gml;
mod graph6;
mod graphml;
mod json;
mod list;
mod listed;
mod matrix;
mod metis;
mod mtx;
mod multiline;
mod named_edges;
mod named_graph;
mod pajek;
mod reading;
mod recognised;
mod scan;
mod sparse6;
mod stream;
mod tsplib;

#[cfg(test)]
mod tests;

// Each format begins with `use super::*`. These are the names that formats share.
use std::borrow::Cow;
use std::io::{self, Write};

use crate::any_graph::AnyGraph;
use crate::connectivity::strong_components;
use crate::digraph::Digraph;
use crate::graph::{Graph, Vertex};
use crate::names::and_more;
use crate::numbering::Numbering;
use crate::vertex_names::{NotNames, VertexNames, Words};
use crate::weights::{WeightError, Weights};
use adjacency::is_caption;
use cursor::{Comment, Cursor, Syntax, Token};
use directions::Pairs;
use edges::with_tuples;
use error::*;
use graph6::Packer;
use graphml::Dialect;
use listed::are;
use named_edges::{NamedEdges, numbered, undeclared};
use named_graph::write_title;
use scan::*;

pub use directions::{Declared, Directedness, TextGraph};
pub use error::{FormatError, WriteError, Wrong};
pub use format::{Format, FormatKind, Reader, ending};
pub use list::register;
pub use listed::{Listed, Remark};
pub use named_graph::NamedGraph;
pub use reading::Reading;
pub use stream::{GraphLine, GraphStream, Increments, StreamError, count_lines};

/// Largest number of vertices that a graph in a file may have. For a larger graph, every encoding would have too many
/// variables.
pub const MOST_VERTICES: u32 = 1 << 24;

/// Largest number of isolated vertices that a graph in a file may have. Every other vertex occurs in the text, so a
/// text of a few bytes cannot demand gigabytes of memory.
pub const MOST_ISOLATED: u32 = 1 << 16;

/// Writes a graph in this format, with vertices numbered from 1. Every format except [`Format::EDGES`] can express
/// isolated vertices.
///
/// # Errors
///
/// [`WriteError`] if the format cannot express the graph, or if writing fails.
pub fn write(format: Format, graph: &Graph, out: &mut impl Write) -> Result<(), WriteError> {
    (format.write)(&NamedGraph { digraph: graph, is_directed: false, names: &VertexNames::default(), fixed: &[] }, out)
}

/// Writes a graph in this format, with these vertex names, and with the edges that every tour uses if the format has such
/// edges. A format that does not support names numbers the vertices from 1.
///
/// # Errors
///
/// [`WriteError`] if the format cannot express the graph or a name, or if writing fails.
pub fn write_named(
    format: Format,
    graph: &AnyGraph,
    names: &VertexNames,
    fixed: &[(u32, u32)],
    out: &mut impl Write,
) -> Result<(), WriteError> {
    let is_directed = graph.undirected().is_none();
    match is_directed && !format.has_arcs {
        true => Err(WriteError::Directed(format)),
        false => (format.write)(&NamedGraph { digraph: graph.digraph(), is_directed, names, fixed }, out),
    }
}
