//! Adjacency lists: one line for each vertex, with the name of the vertex and names of its neighbours, separated by
//! blanks.
//!
//! networkx lists each edge of an undirected graph once, in the line of the end that comes first, so the last line has
//! only a vertex. For a digraph, it lists each arc in the line of its tail. The reader also accepts lists in which each
//! edge is in the lines of both ends, lists with one line for each neighbour ([`multiline`]), and lists with a colon
//! after each vertex, as the House of Graphs and nauty's showg write them: `1: 2 3`. `#` and `%` begin a comment; lists
//! by networkx begin with three comment lines.
//!
//! # References
//!
//! - Hagberg, Schult, Swart: *Exploring Network Structure, Dynamics, and Function using NetworkX*, SciPy 2008; the
//!   functions `read_adjlist` and `write_adjlist`.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io::{self, Write};

use super::edges::with_tuples;
use super::multiline;
use super::named_edges::NamedEdges;
use super::{
    COMMENTS, Declared, Format, FormatError, FormatKind, TextGraph, WriteError, Wrong, at, entries, lines, not,
    write_said,
};
use crate::graph::{Graph, Vertex};
use crate::vertex_names::VertexNames;

impl Format {
    /// networkx adjacency lists: each line has a vertex and its neighbours, except for neighbours with an earlier line.
    pub const ADJACENCY_LIST: Self = Self::new(&FormatKind {
        name: "adjlist",
        summary: "networkx's adjacency lists",
        endings: &["adjlist"],
        comment: Some('#'),
        begins: |text| {
            // networkx writes a date above adjacency lists, but not above lists of edges.
            lines(text).take(3).any(|(_, line)| line.starts_with(DATE))
        },
        read,
        read_strictly: Some(read_surely),
        write,
        ..FormatKind::NONE
    });
}

/// Beginning of the second comment line that networkx writes; a date follows.
const DATE: &str = "# GMT ";

const LINE: &str = "a vertex and its neighbours, separated by blanks, with an optional colon after the vertex";

/// Lines of an adjacency list, each with its line number.
struct Rows<'t> {
    rows: Vec<(usize, Cow<'t, str>)>,
    has_colons: bool,
}

impl<'t> Rows<'t> {
    fn new(text: &'t str) -> Self {
        let rows: Vec<_> = entries(text).filter(|(_, row)| !is_caption(row)).collect();
        let has_colons = !rows.is_empty() && rows.iter().all(|(_, row)| has_colon(row));
        let rows = rows.into_iter().map(|(line, row)| match has_colons {
            true => (line, Cow::Owned(row.replace([':', ',', ';', '[', ']'], " "))),
            false => (line, Cow::Borrowed(row)),
        });
        Self { rows: rows.collect(), has_colons }
    }

    /// Returns the line number of each row, its vertex and the neighbours.
    fn iter(&self) -> impl Iterator<Item = (usize, &str, impl Iterator<Item = &str>)> {
        self.rows.iter().filter_map(|(line, row)| {
            let mut names = with_tuples(row);
            Some((*line, names.next()?, names))
        })
    }
}

/// True if a row has a colon after its vertex, and no other colon.
fn has_colon(row: &str) -> bool {
    let mut parts = row.split(':');
    let vertex = parts.next().unwrap_or_default().trim();
    !vertex.is_empty() && !vertex.contains(char::is_whitespace) && parts.next().is_some() && parts.next().is_none()
}

/// True if each row has a colon and a blank after its vertex, and some neighbours have commas between them.
pub(super) fn has_colons_and_commas(text: &str) -> bool {
    let mut rows = entries(text).filter(|(_, row)| !is_caption(row)).peekable();
    let has_rows = rows.peek().is_some();
    let is_spaced = |row: &str| row.ends_with(':') || row.contains(": ");
    has_rows && text.contains(',') && rows.all(|(_, row)| has_colon(row) && is_spaced(row))
}

/// True for the line that nauty's showg writes before a graph, such as `Graph 1, order 4.`
pub(super) fn is_caption(row: &str) -> bool {
    row.starts_with("Graph ") && row.contains(", order ")
}

/// Reads an adjacency list in which every vertex has a line.
pub(super) fn read(text: &str) -> Result<TextGraph, FormatError> {
    if let Some(listed) = multiline::read(text) {
        return listed;
    }
    let captions = entries(text).filter(|(_, row)| is_caption(row)).count();
    if captions > 1 {
        return Err(Wrong::SeveralCaptions(captions).into());
    }
    let rows = Rows::new(text);
    let mut edges = NamedEdges::default();
    let mut pairs = Vec::new();
    for (line, name, neighbours) in rows.iter() {
        edges.declare(line, name, None)?;
        let vertex = edges.vertex(line, name)?;
        let of_digits = |name: &str| name.bytes().all(|byte| byte.is_ascii_digit() || byte == b':');
        for neighbour in neighbours {
            let w = edges.vertex(line, neighbour)?;
            edges.push_on(line, vertex, w);
            pairs.push((line, vertex, w));
        }
        // A list such as "0:1:2" has another form.
        if !rows.has_colons && name.contains(':') && of_digits(name) {
            return Err(not(line, name, LINE));
        }
    }
    // Every neighbour must have a line, so a truncated list is not mistaken for a smaller graph.
    let undeclared = pairs.iter().find(|(.., w)| !edges.is_declared(*w));
    if let Some(&(line, _, w)) = undeclared {
        return Err(at(line, Wrong::NoLine(edges.name(w).to_owned())));
    }
    let said = lines(text).next().map(|(_, line)| line.to_owned());
    if rows.rows.is_empty() && said != Format::ADJACENCY_LIST.said() {
        return Err(Wrong::Empty.into());
    }
    // The vertices are numbered in the order in which they are named, so their lines are compared.
    let mut order = HashMap::new();
    for (place, (line, name, _)) in rows.iter().enumerate() {
        order.insert(edges.vertex(line, name)?, place);
    }
    let backward = pairs.iter().position(|(_, v, w)| order[w] < order[v]);
    edges.graph(Format::ADJACENCY_LIST, Declared::Neighbours { backward })
}

/// Reads a text that can only be an adjacency list: each vertex has a line, and one of these holds. The vertices have
/// colons; each edge is in the lines of both ends; or the lines have different numbers of neighbours. Other texts are
/// errors.
pub(super) fn read_surely(text: &str) -> Result<TextGraph, FormatError> {
    if let Some(listed) = multiline::read(text) {
        return listed;
    }
    let graph = read(text)?;
    let rows = Rows::new(text);
    let lengths: Vec<_> = rows.iter().map(|(.., names)| names.count()).collect();
    let (line, _) = rows.rows.last().ok_or(Wrong::Empty)?;
    if !graph.has_edge() {
        return Err(Wrong::NoEdge.into());
    }
    if rows.has_colons {
        return Ok(graph);
    }
    let pairs = lengths.iter().filter(|&&length| length == 1).count();
    if lengths.last() == Some(&0) && pairs > 0 && pairs + 1 == lengths.len() {
        return Err(at(*line, Wrong::CutOff));
    }
    // The rows of a matrix or of a table may have commas.
    if rows.rows.iter().any(|(_, row)| row.contains(',') && !row.contains('(')) {
        return Err(not(*line, &rows.rows[0].1, LINE));
    }
    // All lines of a matrix, or of a list of edges with weights, have the same length.
    if lengths.iter().any(|length| *length != lengths[0]) || graph.is_symmetric() {
        return Ok(graph);
    }
    Err(at(*line, Wrong::SameLength))
}

pub(super) fn write(graph: &Graph, names: &VertexNames, out: &mut dyn Write) -> Result<(), WriteError> {
    let name = |v: Vertex| {
        let name = names.name(v);
        match name.starts_with(COMMENTS) || name.contains(':') {
            true => Err(WriteError::Name { format: Format::ADJACENCY_LIST, name }),
            false => Ok(name),
        }
    };
    let written = |written: io::Result<()>| written.map_err(WriteError::from);
    // Check all names first, so that no partial output is written.
    graph.vertices().try_for_each(|v| name(v).map(drop))?;
    written(write_said(Format::ADJACENCY_LIST, out))?;
    for v in graph.vertices() {
        written(write!(out, "{}", name(v)?))?;
        for &w in graph.neighbours(v).iter().filter(|&&w| w > v) {
            written(write!(out, " {}", name(w)?))?;
        }
        written(writeln!(out))?;
    }
    Ok(())
}
