//! GraphML: within `<graph edgedefault="undirected">`, each vertex is an element `<node id="…"/>`, and each edge is an
//! element `<edge source="…" target="…"/>`, in any order.
//!
//! Keys, data, ports of nodes and namespaces are ignored. With `edgedefault="directed"` on the graph, or
//! `directed="true"` on an edge, the graph is directed. Every undirected edge of such a graph is two opposite arcs.
//! Graphs within nodes, and hyperedges, are rejected. A file may have several graphs.
//!
//! # References
//!
//! - Brandes, Eiglsperger, Herman, Himsolt, Marshall: *GraphML Progress Report*, Graph Drawing 2001.

use std::io::{self, Write};

use quick_xml::XmlVersion;
use quick_xml::escape::escape;
use quick_xml::events::{BytesStart, Event};
use quick_xml::reader::Reader;

use super::named_edges::NamedEdges;
use super::{Declared, Format, FormatError, FormatKind, TextGraph, Wrong, at, lines};
use crate::digraph::Digraph;
use crate::vertex_names::VertexNames;

impl Format {
    /// GraphML: nodes and edges in XML.
    pub const GRAPHML: Self = Self::new(&FormatKind {
        name: "graphml",
        summary: "GraphML",
        endings: &["graphml"],
        begins: |text| {
            // GEXF has a format of its own; other documents are read as GraphML, whose reader names them.
            let is_xml = lines(text).next().is_some_and(|(_, line)| line.starts_with('<'));
            is_xml && root(text).is_none_or(|root| root != "gexf")
        },
        read: |text| super::only(read(text, &DIALECT)?),
        read_several: Some(|text| read(text, &DIALECT)),
        write: |graph, names, out| Ok(write(graph, names, false, out)?),
        write_directed: Some(|digraph, names, out| Ok(write(digraph, names, true, out)?)),
        ..FormatKind::NONE
    });
}

/// Format in XML whose graphs consist of elements `graph`, `node` and `edge`.
pub(super) struct Dialect {
    pub(super) format: Format,
    /// Name of the first element.
    pub(super) root: &'static str,
    /// Attribute of a graph that says `directed` if its edges are arcs.
    pub(super) of_graph: &'static str,
    /// Attribute of an edge that says if the edge is an arc.
    pub(super) of_edge: &'static str,
    /// Attribute of a node with its name for readers; `None` if nodes have only ids.
    pub(super) label: Option<&'static str>,
}

const DIALECT: Dialect =
    Dialect { format: Format::GRAPHML, root: "graphml", of_graph: "edgedefault", of_edge: "directed", label: None };

/// Returns the name of the first element of a document; `None` if the document has none.
pub(super) fn root(text: &str) -> Option<String> {
    let mut reader = Reader::from_str(text);
    loop {
        match reader.read_event().ok()? {
            Event::Start(element) | Event::Empty(element) => {
                return Some(element.local_name().as_ref().to_owned());
            }
            Event::Eof => return None,
            _ => {}
        }
    }
}

const NODE: &str = "a node with an id";
const EDGE: &str = "an edge with a source and a target";

/// Converter from byte offsets in a text to line numbers. The offsets must be given in increasing order.
struct Lines<'t> {
    text: &'t str,
    seen: usize,
    line: usize,
}

impl Lines<'_> {
    /// Skips white space after the first `bytes` bytes, and returns the line of the next character, counted from 1.
    fn at(&mut self, bytes: u64) -> usize {
        let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
        let end = bytes.clamp(self.seen, self.text.len());
        let text = self.text.as_bytes();
        let next = text[end..].iter().take_while(|b| b.is_ascii_whitespace());
        let end = end + next.count();
        let passed = text[self.seen..end].iter().filter(|&&byte| byte == b'\n');
        self.line += passed.count();
        self.seen = end;
        self.line
    }
}

/// Graph of a document, as far as it has been read.
#[derive(Default)]
struct Element {
    edges: NamedEdges,
    is_directed: bool,
    /// Ends of edges whose node was not declared before the edge, each with the line of the edge.
    undeclared: Vec<(usize, u32)>,
}

impl Element {
    fn graph(self, dialect: &Dialect) -> Result<TextGraph, FormatError> {
        let missing = |&&(_, v): &&(usize, u32)| !self.edges.is_declared(v);
        if let Some(&(line, v)) = self.undeclared.iter().find(missing) {
            return Err(at(line, Wrong::Undeclared(self.edges.name(v).to_owned())));
        }
        let declared = match self.is_directed {
            true => Declared::Digraph,
            false => Declared::Edges,
        };
        self.edges.graph(dialect.format, declared)
    }
}

/// Reads all graphs of a document.
pub(super) fn read(text: &str, dialect: &Dialect) -> Result<Vec<TextGraph>, FormatError> {
    let mut reader = Reader::from_str(text);
    let mut lines = Lines { text, seen: 0, line: 1 };
    let (mut depth, mut within) = (0u64, None);
    let mut graphs: Vec<Element> = Vec::new();
    loop {
        let line = lines.at(reader.buffer_position());
        let event = reader.read_event().map_err(|error| at(line, Wrong::Xml(error.to_string())))?;
        let (element, is_empty) = match &event {
            Event::Start(element) => (element, false),
            Event::Empty(element) => (element, true),
            Event::End(_) => {
                depth = depth.saturating_sub(1);
                if within == Some(depth) {
                    within = None;
                }
                continue;
            }
            Event::Eof => break,
            _ => continue,
        };
        let name = element.local_name();
        if depth == 0 && name.as_ref() != dialect.root {
            return Err(at(line, foreign(name.as_ref())));
        }
        let attribute = |name: &str| attribute(line, element, name);
        match (name.as_ref(), graphs.last_mut()) {
            ("graph", _) if within.is_some() => {
                let what = "a graph within a graph".to_owned();
                return Err(at(line, Wrong::NotRead(what)));
            }
            ("graph", _) => {
                graphs.push(Element {
                    is_directed: attribute(dialect.of_graph)?.as_deref() == Some("directed"),
                    ..Element::default()
                });
                within = (!is_empty).then_some(depth);
            }
            ("hyperedge" | "locator", _) => {
                let what = format!("element \"{}\"", name.as_ref());
                return Err(at(line, Wrong::NotRead(what)));
            }
            ("node", Some(graph)) => {
                let id = attribute("id")?.ok_or_else(|| wrong(line, element, NODE))?;
                let label = dialect.label.map(attribute).transpose()?.flatten();
                graph.edges.declare(line, &id, label)?;
            }
            ("edge", Some(graph)) => {
                let kind = attribute(dialect.of_edge)?;
                let is_arc = match kind.as_deref().map(str::trim) {
                    Some("true" | "1" | "directed" | "mutual") => true,
                    Some("false" | "0" | "undirected") => false,
                    Some(_) => return Err(wrong(line, element, EDGE)),
                    None => graph.is_directed,
                };
                let is_mutual = kind.is_some_and(|kind| kind.trim() == "mutual");
                let (source, target) = (attribute("source")?, attribute("target")?);
                let (Some(source), Some(target)) = (source, target) else {
                    return Err(wrong(line, element, EDGE));
                };
                let a = graph.edges.vertex(line, &source)?;
                let b = graph.edges.vertex(line, &target)?;
                for v in [a, b] {
                    if !graph.edges.is_declared(v) {
                        graph.undeclared.push((line, v));
                    }
                }
                match is_arc {
                    true => graph.edges.push_arc(a, b),
                    false => graph.edges.push(a, b),
                }
                if is_mutual {
                    graph.edges.push_arc(b, a);
                }
            }
            _ => {}
        }
        depth += u64::from(!is_empty);
    }
    if depth > 0 {
        let what = "end of the document; is the file complete?";
        return Err(Wrong::Missing(what).into());
    }
    if graphs.is_empty() {
        return Err(Wrong::Missing("element \"graph\"").into());
    }
    let graphs = graphs.into_iter().map(|graph| graph.graph(dialect));
    graphs.collect()
}

/// Returns the error for a document whose first element has this name.
fn foreign(name: &str) -> Wrong {
    match name {
        // XGMML has the same elements within the first one, but other attributes.
        "graph" => Wrong::Foreign("XGMML"),
        name => Wrong::NotRead(format!("XML with the first element \"{name}\"")),
    }
}

/// Returns the value of an attribute; `None` if the element does not have the attribute.
fn attribute(line: usize, element: &BytesStart<'_>, name: &str) -> Result<Option<String>, FormatError> {
    let wrong = |error: String| at(line, Wrong::Xml(error));
    for attribute in element.attributes() {
        let attribute = attribute.map_err(|error| wrong(error.to_string()))?;
        if attribute.key.as_ref() == name {
            let value = attribute.normalized_value(XmlVersion::Implicit1_0);
            let value = value.map_err(|error| wrong(error.to_string()))?;
            return Ok(Some(value.into_owned()));
        }
    }
    Ok(None)
}

fn wrong(line: usize, element: &BytesStart<'_>, expected: &'static str) -> FormatError {
    super::not(line, &format!("<{}>", &**element), expected)
}

/// Writes the edges of an undirected graph, or, if `directed` is true, the arcs of a digraph.
fn write(graph: &Digraph, names: &VertexNames, directed: bool, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    writeln!(out, "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">")?;
    let edges = if directed { "directed" } else { "undirected" };
    writeln!(out, "<graph edgedefault=\"{edges}\">")?;
    for v in graph.vertices() {
        writeln!(out, "<node id=\"{}\"/>", escape(names.name(v)))?;
    }
    for arc in graph.arcs_or_edges(directed) {
        let [a, b] = [arc.tail, arc.head].map(|v| names.name(v));
        let (a, b) = (escape(a), escape(b));
        writeln!(out, "<edge source=\"{a}\" target=\"{b}\"/>")?;
    }
    writeln!(out, "</graph>\n</graphml>")
}
