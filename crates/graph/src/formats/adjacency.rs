//! Adjacency lists as networkx writes them: one line for each vertex, with the name of the vertex and names of its
//! neighbours, separated by blanks.
//!
//! networkx lists each edge once, in the line of the end that comes first, so the last line has only a vertex. The
//! reader also accepts lists in which each edge is in the lines of both ends, and lists with one line for each
//! neighbour ([`multiline`]). `#` begins a comment; lists by networkx begin with three comment lines.
//!
//! # References
//!
//! - Hagberg, Schult, Swart: *Exploring Network Structure, Dynamics, and Function using NetworkX*, SciPy 2008; the
//!   functions `read_adjlist` and `write_adjlist`.

use std::collections::HashMap;
use std::io::{self, Write};

use super::edges::with_tuples;
use super::multiline;
use super::named_edges::NamedEdges;
use super::{
    COMMENT, Format, FormatError, GraphFormat, Listed, Reader, WriteError, Wrong, at, entries,
    lines, write_said,
};
use crate::graph::{Graph, Vertex};
use crate::vertex_names::VertexNames;

impl Format {
    /// networkx adjacency lists: each line has a vertex and its neighbours, except for neighbours with an earlier line.
    pub const ADJACENCY_LIST: Self = Self::new(&AdjacencyList);
}

struct AdjacencyList;

impl GraphFormat for AdjacencyList {
    fn name(&self) -> &'static str {
        "adjlist"
    }

    fn summary(&self) -> &'static str {
        "networkx's adjacency lists"
    }

    fn endings(&self) -> &'static [&'static str] {
        &["adjlist"]
    }

    fn comment(&self) -> Option<char> {
        Some('#')
    }

    fn read(&self, text: &str) -> Result<Listed, FormatError> {
        read(text)
    }

    fn read_strictly(&self) -> Option<Reader> {
        Some(read_surely)
    }

    fn write(
        &self,
        graph: &Graph,
        names: &VertexNames,
        out: &mut dyn Write,
    ) -> Result<(), WriteError> {
        write(graph, names, out)
    }
}

/// Beginning of the second comment line that networkx writes; a date follows.
const DATE: &str = "# GMT ";

/// Reads an adjacency list in which every vertex has a line.
pub(super) fn read(text: &str) -> Result<Listed, FormatError> {
    if let Some(listed) = multiline::read(text) {
        return listed;
    }
    let mut edges = NamedEdges::default();
    let mut any = false;
    let mut neighbours = Vec::new();
    for (line, entry) in entries(text) {
        any = true;
        let mut names = with_tuples(entry);
        let Some(name) = names.next() else { continue };
        if !edges.list(line, name)? {
            return Err(at(line, Wrong::SecondLine(name.to_owned())));
        }
        let vertex = edges.vertex(line, name)?;
        for neighbour in names {
            let w = edges.vertex(line, neighbour)?;
            edges.push(line, vertex, w)?;
            neighbours.push((line, neighbour, w));
        }
    }
    // Every neighbour must have a line, so a truncated list is not mistaken for a smaller graph.
    let undeclared = neighbours.iter().find(|(.., w)| !edges.is_declared(*w));
    if let Some(&(line, name, _)) = undeclared {
        return Err(at(line, Wrong::NoLine(name.to_owned())));
    }
    let said = lines(text).next().map(|(_, line)| line.to_owned());
    if !any && said != Format::ADJACENCY_LIST.said() {
        return Err(Wrong::Empty.into());
    }
    edges.graph(Format::ADJACENCY_LIST)
}

/// Reads a text that can only be an adjacency list: each vertex has a line, which comes after all lines that name it as
/// a neighbour. Other texts are errors.
pub(super) fn read_surely(text: &str) -> Result<Listed, FormatError> {
    if let Some(listed) = multiline::read(text) {
        return listed;
    }
    let mut places = HashMap::new();
    let (mut pairs, mut last) = (0, None);
    for (place, (line, entry)) in entries(text).enumerate() {
        let names = with_tuples(entry).count();
        if let Some(name) = with_tuples(entry).next()
            && places.insert(name, place).is_some()
        {
            return Err(at(line, Wrong::SecondLine(name.to_owned())));
        }
        pairs += usize::from(names == 2);
        last = Some((line, names));
    }
    let (last, names) = last.ok_or(Wrong::Empty)?;
    for (place, (line, entry)) in entries(text).enumerate() {
        let follows = |name: &&str| places.get(*name).is_none_or(|&other| other <= place);
        if let Some(name) = with_tuples(entry).skip(1).find(follows) {
            return Err(at(line, Wrong::NoLine(name.to_owned())));
        }
    }
    let dated = lines(text).take(3).any(|(_, line)| line.starts_with(DATE));
    if names == 1 && pairs > 0 && pairs + 1 == places.len() && !dated {
        return Err(at(last, Wrong::CutOff));
    }
    let listed = read(text)?;
    match listed.graph.n_edges() {
        0 => Err(Wrong::NoEdge.into()),
        _ => Ok(listed),
    }
}

pub(super) fn write(
    graph: &Graph,
    names: &VertexNames,
    out: &mut dyn Write,
) -> Result<(), WriteError> {
    let name = |v: Vertex| {
        let name = names.name(v);
        match name.contains(COMMENT) {
            true => Err(WriteError::Name {
                format: Format::ADJACENCY_LIST,
                name,
            }),
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
