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

use quick_xml::XmlVersion;
use quick_xml::escape::escape;
use quick_xml::events::{BytesStart, Event};
use quick_xml::reader::Reader;

use super::*;

impl Format {
    /// GraphML: nodes and edges in XML.
    pub const GRAPHML: Self = Self::new(&FormatKind {
        name: "graphml",
        summary: "GraphML",
        endings: &["graphml"],
        // GEXF has a format of its own; other documents are read as GraphML, whose reader names them.
        begins: |text| is_xml(text) && root(text).is_none_or(|root| root != "gexf"),
        read: |text| super::only(read(text, &DIALECT)?),
        read_several: Some(|text| read(text, &DIALECT)),
        has_arcs: true,
        write: |graph, out| write(graph, &DIALECT, out),
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
    /// First element of a text that is written, with its attributes.
    pub(super) head: &'static str,
    /// Elements that a written graph has around its nodes and around its edges, if any. Edges then have ids.
    pub(super) lists: Option<[&'static str; 2]>,
}

const DIALECT: Dialect = Dialect {
    format: Format::GRAPHML,
    root: "graphml",
    of_graph: "edgedefault",
    of_edge: "directed",
    label: None,
    head: "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">",
    lists: None,
};

/// True if a text may be XML.
pub(super) fn is_xml(text: &str) -> bool {
    first_line(text).starts_with('<')
}

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
        if let Some(&(line, v)) = self.undeclared.iter().find(|&&(_, v)| !self.edges.is_declared(v)) {
            return Err(undeclared(line, self.edges.name(v)));
        }
        self.edges.graph(dialect.format, Declared::edges_or_arcs(self.is_directed))
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
        let event = reader.read_event().map_err(|error| invalid(line, error))?;
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
            return Err(match name.as_ref() {
                // XGMML has the same elements within the first one, but other attributes.
                "graph" => foreign(line, "XGMML"),
                name => unsupported(line, format!("XML with the first element \"{name}\"")),
            });
        }
        let attribute = |name: &str| attribute(line, element, name);
        match (name.as_ref(), graphs.last_mut()) {
            ("graph", _) if within.is_some() => return Err(unsupported(line, "a graph within a graph")),
            ("graph", _) => {
                graphs.push(Element {
                    is_directed: attribute(dialect.of_graph)?.as_deref() == Some("directed"),
                    ..Element::default()
                });
                within = (!is_empty).then_some(depth);
            }
            (name @ ("hyperedge" | "locator"), _) => return Err(unsupported(line, format!("element \"{name}\""))),
            ("node", Some(graph)) => {
                let id = attribute("id")?.ok_or_else(|| wrong(line, element, "a node with an id"))?;
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
                graph.edges.push(line, is_arc, a, b);
                if is_mutual {
                    graph.edges.push(line, true, b, a);
                }
            }
            _ => {}
        }
        depth += u64::from(!is_empty);
    }
    if depth > 0 {
        return Err(missing(0, "end of the document; is the file complete?"));
    }
    if graphs.is_empty() {
        return Err(missing(0, "element \"graph\""));
    }
    graphs.into_iter().map(|graph| graph.graph(dialect)).collect()
}

/// Returns the value of an attribute; `None` if the element does not have the attribute.
fn attribute(line: usize, element: &BytesStart<'_>, name: &str) -> Result<Option<String>, FormatError> {
    for attribute in element.attributes() {
        let attribute = attribute.map_err(|error| invalid(line, error))?;
        if attribute.key.as_ref() == name {
            let value = attribute.normalized_value(XmlVersion::Implicit1_0);
            return Ok(Some(value.map_err(|error| invalid(line, error))?.into_owned()));
        }
    }
    Ok(None)
}

fn invalid(line: usize, error: impl std::error::Error) -> FormatError {
    at(line, format!("not valid XML: {error}"))
}

fn wrong(line: usize, element: &BytesStart<'_>, expected: &'static str) -> FormatError {
    not(line, &format!("<{}>", &**element), expected)
}

/// Writes a graph as a document.
pub(super) fn write(graph: &NamedGraph<'_>, dialect: &Dialect, out: &mut dyn Write) -> Result<(), WriteError> {
    let Dialect { format, root, of_graph, label, head, lists, .. } = dialect;
    let names = graph.spelled(*format, |name| Some(escape(name).into_owned()))?;
    let edges = if graph.is_directed { "directed" } else { "undirected" };
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{head}\n<graph {of_graph}=\"{edges}\">")?;
    let tag = |out: &mut dyn Write, slash: &str, list: usize| match lists {
        Some(lists) => writeln!(out, "<{slash}{}>", lists[list]),
        None => Ok(()),
    };
    tag(out, "", 0)?;
    for name in &names {
        let label = label.map_or(String::new(), |label| format!(" {label}=\"{name}\""));
        writeln!(out, "<node id=\"{name}\"{label}/>")?;
    }
    tag(out, "/", 0)?;
    tag(out, "", 1)?;
    for (id, [a, b]) in graph.pairs().enumerate() {
        let id = lists.map_or(String::new(), |_| format!(" id=\"{id}\""));
        writeln!(out, "<edge{id} source=\"{}\" target=\"{}\"/>", names[a.index()], names[b.index()])?;
    }
    tag(out, "/", 1)?;
    Ok(writeln!(out, "</graph>\n</{root}>")?)
}
