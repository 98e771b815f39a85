//! Pajek networks. The file begins with a line `*Vertices N`. Optional lines with the number (from 1) and the label of
//! a vertex follow, and then sections with edges.
//!
//! In the sections `*Edges` and `*Arcs`, each line has a pair of vertices. In the sections `*Edgeslist` and
//! `*Arcslist`, each line has a vertex and all vertices joined to it. In the section `*Matrix`, each line has a row of
//! the adjacency matrix; entries other than 0 are arcs. Coordinates, weights and shapes after pairs and labels are
//! ignored, and so are sections with other data of Pajek, such as partitions. `%` begins a comment. If all vertices
//! have distinct labels, vertices are named by their labels, otherwise by their numbers.
//!
//! # References
//!
//! - Batagelj, Mrvar: *Pajek: Program for Analysis and Visualization of Large Networks*, reference manual.

use std::collections::BTreeMap;
use std::io::Write;

use super::edges::uncommented;
use super::named_edges::NamedEdges;
use super::{
    Declared, Edges, Format, FormatError, FormatKind, TextGraph, WriteError, Wrong, at, lines, not, shown, size,
};
use crate::digraph::Digraph;
use crate::numbering::Numbering;
use crate::vertex_names::VertexNames;

impl Format {
    /// Pajek: `*Vertices N` and `*Edges`.
    pub const PAJEK: Self = Self::new(&FormatKind {
        name: "pajek",
        summary: "Pajek's '*Vertices N' and '*Edges'",
        endings: &["net", "pajek"],
        begins: |text| uncommented(text).is_some_and(is_section),
        read,
        write: |graph, names, out| write(graph, names, false, out),
        write_directed: Some(|digraph, names, out| write(digraph, names, true, out)),
        ..FormatKind::NONE
    });
}

const VERTICES: &str = "\"*Vertices N\"";
const VERTEX: &str = "a vertex's number and its label";
const PAIR: &str = "an edge \"VERTEX VERTEX\"";
const ROW: &str = "a row of the matrix";

/// Kind of a section, which determines the contents of its lines.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Section {
    /// Each line has a vertex: its number, and possibly its label.
    Vertices,
    /// Each line has a pair of vertices; the rest of the line is ignored.
    Pairs { arcs: bool },
    /// Each line has a vertex, followed by the vertices joined to it.
    Lists { arcs: bool },
    /// Each line has the next row of the adjacency matrix.
    Matrix,
    /// A section about something other than edges, whose lines are ignored.
    Other,
}

/// Sections about something other than edges.
const OTHERS: [&str; 7] =
    ["*network", "*partition", "*vector", "*permutation", "*cluster", "*hierarchy", "*description"];

/// True if a line begins a section of a known kind.
pub(super) fn is_section(line: &str) -> bool {
    let known = ["*vertices", "*network", "*edges", "*arcs", "*edgeslist", "*arcslist", "*matrix"];
    known.contains(&word_of(line).as_str())
}

/// Returns the first word of a line in lower case. The word ends at a space, a tab or a colon. The number of a relation
/// may follow the colon.
fn word_of(line: &str) -> String {
    let word = line.split([' ', '\t', ':']).next().unwrap_or_default();
    word.to_ascii_lowercase()
}

pub(super) fn read(text: &str) -> Result<TextGraph, FormatError> {
    let mut found: Option<Edges> = None;
    let mut labels: BTreeMap<u32, (usize, String)> = BTreeMap::new();
    let mut section = Section::Other;
    let (mut rows, mut is_two_mode) = (0, false);
    for (number, line) in lines(text).filter(|(_, line)| !line.starts_with('%')) {
        if line.starts_with('*') {
            section = match word_of(line).as_str() {
                "*vertices" if found.is_some() => {
                    let what = "a second network".to_owned();
                    return Err(at(number, Wrong::NotRead(what)));
                }
                "*vertices" => {
                    let mut words = line.split_whitespace().skip(1);
                    let n = size(number, line, words.next().unwrap_or_default(), VERTICES)?;
                    is_two_mode = words.next().is_some_and(|word| word.parse::<u32>().is_ok());
                    if words.next().is_some() {
                        return Err(not(number, line, VERTICES));
                    }
                    found = Some(Edges::new(Numbering::FromOne, n));
                    Section::Vertices
                }
                "*edges" => Section::Pairs { arcs: false },
                "*arcs" => Section::Pairs { arcs: true },
                "*edgeslist" => Section::Lists { arcs: false },
                "*arcslist" => Section::Lists { arcs: true },
                "*matrix" if !is_two_mode && rows == 0 => Section::Matrix,
                other if OTHERS.contains(&other) => Section::Other,
                _ => {
                    let what = format!("section \"{}\"", shown(line));
                    return Err(at(number, Wrong::NotRead(what)));
                }
            };
            continue;
        }
        if section == Section::Other {
            continue;
        }
        let Some(edges) = &mut found else {
            return Err(at(number, Wrong::Missing("\"*Vertices N\" before it")));
        };
        let mut words = line.split_whitespace();
        let vertex = |word: Option<&str>| -> Option<u64> { word?.parse().ok() };
        let mut push = |arcs: bool, ends: [u64; 2]| match arcs {
            true => edges.push_arc(number, ends),
            false => edges.push(number, ends),
        };
        match section {
            Section::Vertices => {
                let v = vertex(words.next()).ok_or_else(|| not(number, line, VERTEX))?;
                let (v, _) = edges.ends(number, [v, v])?;
                if let Some(label) = label(line)
                    && labels.insert(v, (number, label)).is_some()
                {
                    return Err(at(number, Wrong::SecondLine((v + 1).to_string())));
                }
            }
            Section::Pairs { arcs } => {
                let [Some(a), Some(b)] = [(); 2].map(|()| vertex(words.next())) else {
                    return Err(not(number, line, PAIR));
                };
                push(arcs, [a, b])?;
            }
            Section::Lists { arcs } => {
                let a = vertex(words.next()).ok_or_else(|| not(number, line, PAIR))?;
                for word in words {
                    let b = vertex(Some(word)).ok_or_else(|| not(number, line, PAIR))?;
                    push(arcs, [a, b])?;
                }
            }
            Section::Matrix => {
                let entries = words.map(|word| word.parse().ok()).collect();
                let entries: Option<Vec<f64>> = entries;
                let entries = entries.ok_or_else(|| not(number, line, ROW))?;
                let (expected, found) = (edges.n as usize, entries.len());
                if found != expected {
                    return Err(at(number, Wrong::Row { expected, found }));
                }
                rows += 1;
                for (column, _) in (1..).zip(entries).filter(|&(_, entry)| entry != 0.0) {
                    edges.push(number, [rows, column])?;
                }
            }
            Section::Other => {}
        }
    }
    let edges = found.ok_or(Wrong::Missing("\"*Vertices N\""))?;
    let vertices = edges.n;
    if rows > 0 && rows != u64::from(vertices) {
        let found = rows as usize;
        return Err(Wrong::Lines { vertices, found }.into());
    }
    let declared = match (edges.arcs.is_empty(), rows) {
        (false, _) => Declared::Digraph,
        (true, 0) => Declared::Edges,
        (true, _) => Declared::Matrix,
    };
    if labels.len() != vertices as usize || vertices == 0 {
        return edges.graph(Format::PAJEK, declared);
    }
    let mut named = NamedEdges::default();
    for (v, (line, label)) in labels {
        named.declare(line, &(v + 1).to_string(), Some(label))?;
    }
    // The vertices have the same numbers in `named`, because they were declared in the order of their numbers.
    for &(a, b) in &edges.list {
        named.push(a, b);
    }
    for &(a, b) in &edges.arcs {
        named.push_arc(a, b);
    }
    named.graph(Format::PAJEK, declared)
}

/// Returns the label of a vertex, a word or a text in quotes; `None` if nothing follows the number of the vertex in its
/// line.
fn label(line: &str) -> Option<String> {
    let (_, rest) = line.split_once(char::is_whitespace)?;
    let rest = rest.trim_start();
    let label = match rest.strip_prefix('"') {
        Some(quoted) => quoted.split('"').next(),
        None => rest.split_whitespace().next(),
    };
    label.map(str::to_owned)
}

/// Writes the edges of an undirected graph, or, if `directed` is true, the arcs of a digraph.
fn write(graph: &Digraph, names: &VertexNames, directed: bool, out: &mut dyn Write) -> Result<(), WriteError> {
    // Check all names first, so that no partial output is written.
    let names_of_all = || graph.vertices().map(|v| names.name(v));
    if let Some(name) = names_of_all().find(|name| name.contains('"')) {
        let format = Format::PAJEK;
        return Err(WriteError::Name { format, name });
    }
    writeln!(out, "*Vertices {}", graph.n_vertices())?;
    for (number, name) in (1u64..).zip(names_of_all()) {
        writeln!(out, "{number} \"{name}\"")?;
    }
    writeln!(out, "{}", if directed { "*Arcs" } else { "*Edges" })?;
    for arc in graph.arcs_or_edges(directed) {
        let [a, b] = [arc.tail, arc.head].map(|v| v.number() + 1);
        writeln!(out, "{a} {b}")?;
    }
    Ok(())
}
