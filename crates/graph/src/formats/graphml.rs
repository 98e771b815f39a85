//! GraphML: within `<graph edgedefault="undirected">`, each vertex is an element `<node id="…"/>`, and each edge is an
//! element `<edge source="…" target="…"/>`, in any order.
//!
//! Keys, data, ports of nodes and namespaces are ignored. With `edgedefault="directed"` on the graph, or
//! `directed="true"` on an edge, the graph is directed. Every undirected edge of such a graph is two opposite arcs.
//! Several graphs in a file, graphs within nodes, and hyperedges are rejected.
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
use super::{Format, FormatError, GraphFormat, Listed, WriteError, Wrong, at, lines};
use crate::digraph::Digraph;
use crate::graph::Graph;
use crate::vertex_names::VertexNames;

impl Format {
    /// GraphML: nodes and edges in XML.
    pub const GRAPHML: Self = Self::new(&GraphMl);
}

struct GraphMl;

impl GraphFormat for GraphMl {
    fn name(&self) -> &'static str {
        "graphml"
    }

    fn summary(&self) -> &'static str {
        "GraphML"
    }

    fn endings(&self) -> &'static [&'static str] {
        &["graphml"]
    }

    fn begins(&self, text: &str) -> bool {
        lines(text)
            .next()
            .is_some_and(|(_, line)| line.starts_with('<'))
    }

    fn read(&self, text: &str) -> Result<Listed, FormatError> {
        read(text)
    }

    fn write(
        &self,
        graph: &Graph,
        names: &VertexNames,
        out: &mut dyn Write,
    ) -> Result<(), WriteError> {
        Ok(write(graph, names, false, out)?)
    }

    fn write_directed(
        &self,
        digraph: &Digraph,
        names: &VertexNames,
        out: &mut dyn Write,
    ) -> Result<(), WriteError> {
        Ok(write(digraph, names, true, out)?)
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

pub(super) fn read(text: &str) -> Result<Listed, FormatError> {
    let mut reader = Reader::from_str(text);
    let mut lines = Lines {
        text,
        seen: 0,
        line: 1,
    };
    let mut edges = NamedEdges::default();
    let (mut depth, mut graphs, mut within) = (0u64, 0, None);
    let mut is_directed = false;
    // Ends of edges whose node is not declared so far, each with the line of the edge, for the error message.
    let mut undeclared: Vec<(usize, u32)> = Vec::new();
    loop {
        let line = lines.at(reader.buffer_position());
        let event = reader
            .read_event()
            .map_err(|error| at(line, Wrong::Xml(error.to_string())))?;
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
        if depth == 0 && name.as_ref() == "gexf" {
            return Err(at(line, Wrong::Foreign("GEXF")));
        }
        let attribute = |name: &str| attribute(line, element, name);
        match name.as_ref() {
            "graph" if within.is_some() => {
                let what = "a graph within a graph".to_owned();
                return Err(at(line, Wrong::NotRead(what)));
            }
            "graph" => {
                graphs += 1;
                if attribute("edgedefault")?.as_deref() == Some("directed") {
                    edges.direct();
                    is_directed = true;
                }
                within = (!is_empty).then_some(depth);
            }
            "hyperedge" => {
                return Err(at(line, Wrong::NotRead("a hyperedge".to_owned())));
            }
            "node" if graphs == 1 => {
                let id = attribute("id")?.ok_or_else(|| wrong(line, element, NODE))?;
                if !edges.list(line, &id)? {
                    return Err(at(line, Wrong::SecondLine(id)));
                }
            }
            "edge" if graphs == 1 => {
                let directed = attribute("directed")?;
                let is_arc = match &directed {
                    Some(directed) => !matches!(directed.trim(), "false" | "0"),
                    None => is_directed,
                };
                if is_arc {
                    edges.direct();
                }
                let (source, target) = (attribute("source")?, attribute("target")?);
                let (Some(source), Some(target)) = (source, target) else {
                    return Err(wrong(line, element, EDGE));
                };
                let a = edges.vertex(line, &source)?;
                let b = edges.vertex(line, &target)?;
                for v in [a, b] {
                    if !edges.is_declared(v) {
                        undeclared.push((line, v));
                    }
                }
                match is_arc {
                    true => edges.push(line, a, b)?,
                    false => edges.push_both(line, a, b)?,
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
    match graphs {
        0 => return Err(Wrong::Missing("element \"graph\"").into()),
        1 => {}
        several => return Err(Wrong::SeveralElements(several).into()),
    }
    let missing = undeclared.iter().find(|&&(_, v)| !edges.is_declared(v));
    if let Some(&(line, v)) = missing {
        return Err(at(line, Wrong::Undeclared(edges.name(v).to_owned())));
    }
    edges.graph(Format::GRAPHML)
}

/// Returns the value of an attribute; `None` if the element does not have the attribute.
fn attribute(
    line: usize,
    element: &BytesStart<'_>,
    name: &str,
) -> Result<Option<String>, FormatError> {
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
fn write(
    graph: &Digraph,
    names: &VertexNames,
    directed: bool,
    out: &mut dyn Write,
) -> io::Result<()> {
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    writeln!(
        out,
        "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">"
    )?;
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
