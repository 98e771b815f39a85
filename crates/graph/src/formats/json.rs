//! JSON in networkx's and D3's node-link form: `{"directed": false, "nodes": [{"id": 1}], "links": [{"source": 1,
//! "target": 2}]}`. networkx 3.4 and later write `edges` instead of `links`.
//!
//! The ends of an edge are ids of nodes. If no node has an id, they are indices of nodes, from 0, and vertices are named
//! by the nodes' `name`, if each has one. A plain list of pairs is read too: `[[1, 2], [2, 3]]`, `[(1, 2), (2, 3)]` or
//! `{{1, 2}, {2, 3}}`. Everything else about nodes and edges is ignored.
//!
//! # References
//!
//! - Hagberg, Schult, Swart: *Exploring Network Structure, Dynamics, and Function using NetworkX*, SciPy 2008; the
//!   function `node_link_data`.

use std::borrow::Cow;
use std::io::Write;

use serde_json::{Value, json};

use super::named_edges::NamedEdges;
use super::{Declared, Format, FormatError, FormatKind, TextGraph, WriteError, Wrong, at, lines, shown};
use crate::digraph::Digraph;
use crate::vertex_names::VertexNames;

impl Format {
    /// JSON in node-link form.
    pub const JSON: Self = Self::new(&FormatKind {
        name: "json",
        summary: "node-link JSON of networkx and D3",
        // Files that end in .json may have tours or results, so the text decides.
        endings: &[],
        begins: |text| {
            let is_object = lines(text).next().is_some_and(|(_, line)| line.starts_with('{'));
            // Other programs' JSON, and tours in JSON, have other keys.
            is_object && text.contains("\"nodes\"") && LINKS.iter().any(|key| text.contains(&format!("\"{key}\"")))
        },
        read,
        read_strictly: Some(|text| match in_json(text).trim_start().starts_with('[') {
            true => read(text),
            false => Err(Wrong::Json("expected \"[\"".to_owned()).into()),
        }),
        write: |graph, names, out| write(graph, names, false, out),
        write_directed: Some(|digraph, names, out| write(digraph, names, true, out)),
        ..FormatKind::NONE
    });
}

/// Keys of the list of edges.
const LINKS: [&str; 2] = ["links", "edges"];
const PAIR: &str = "a pair of vertices";
const NODE: &str = "a node with an id that is a number or a text";
const LINK: &str = "an edge with a source and a target";
/// Keys that only other forms of JSON have, each with the name of the form.
const OTHERS: [(&str, &str); 3] =
    [("adjacency", "networkx's `adjacency_data`"), ("elements", "Cytoscape"), ("children", "networkx's `tree_data`")];

pub(super) fn read(text: &str) -> Result<TextGraph, FormatError> {
    let text = in_json(text);
    let value: Value = serde_json::from_str(&text).map_err(|error| broken(&error))?;
    let wrong = |value: &Value, expected| {
        let text = shown(&value.to_string());
        FormatError::from(Wrong::Line { text, expected })
    };
    let mut edges = NamedEdges::default();
    if let Value::Array(pairs) = &value {
        for pair in pairs {
            let ends = pair.as_array().map(|ends| ends.iter().map(name).collect());
            let ends: Option<Vec<_>> = ends.unwrap_or_default();
            let Some([a, b]) = ends.as_deref() else {
                return Err(wrong(pair, PAIR));
            };
            let (a, b) = (edges.vertex(0, a)?, edges.vertex(0, b)?);
            edges.push(a, b);
        }
        return edges.graph(Format::JSON, Declared::Nothing);
    }
    let list = |key: &str| value.get(key).and_then(Value::as_array);
    let other = || OTHERS.iter().find(|(key, _)| value.get(key).is_some());
    let nodes = list("nodes");
    let links = LINKS.iter().find_map(|key| list(key));
    let (Some(nodes), Some(links)) = (nodes, links) else {
        return Err(match (other(), nodes) {
            (Some(&(_, form)), _) => Wrong::OtherJson(form),
            (None, None) => Wrong::Missing("list \"nodes\", as networkx's `node_link_data` writes it"),
            (None, Some(_)) => Wrong::Missing("list \"links\" or \"edges\", as networkx's `node_link_data` writes it"),
        }
        .into());
    };
    let is_directed = value.get("directed").and_then(Value::as_bool);
    // Without ids, an edge has the indices of its nodes.
    let has_ids = nodes.iter().any(|node| node.get("id").is_some());
    for (index, node) in nodes.iter().enumerate() {
        let id = match has_ids {
            true => node.get("id").and_then(name).ok_or_else(|| wrong(node, NODE))?,
            false => index.to_string(),
        };
        edges.declare(0, &id, node.get("name").and_then(name).filter(|_| !has_ids))?;
    }
    for link in links {
        let mut ends = [0; 2];
        for (end, key) in ends.iter_mut().zip(["source", "target"]) {
            let id = link.get(key).and_then(name).ok_or_else(|| wrong(link, LINK))?;
            *end = edges.declared(0, &id)?;
        }
        match is_directed {
            Some(true) => edges.push_arc(ends[0], ends[1]),
            _ => edges.push(ends[0], ends[1]),
        }
    }
    let declared = match is_directed {
        Some(true) => Declared::Digraph,
        Some(false) => Declared::Edges,
        None => Declared::Nothing,
    };
    edges.graph(Format::JSON, declared)
}

/// Returns the error for a text that is not JSON.
fn broken(error: &serde_json::Error) -> FormatError {
    let text = error.to_string();
    let (what, _) = text.split_once(" at line ").unwrap_or((&text, ""));
    let place = match error.is_eof() {
        true => "; is the file complete?".to_owned(),
        false => format!(" in column {}", error.column()),
    };
    at(error.line(), Wrong::Json(format!("{what}{place}")))
}

/// Converts a list of pairs in Python, `[(1, 2)]`, or Mathematica, `{{1, 2}}`, to JSON. Other texts are returned
/// unchanged.
fn in_json(text: &str) -> Cow<'_, str> {
    let mut characters = text.chars().filter(|c| !c.is_whitespace());
    match [characters.next(), characters.next()] {
        [Some('['), Some('(')] | [Some('{'), Some('{')] => {
            let text = text.replace(['(', '{'], "[").replace([')', '}'], "]");
            Cow::Owned(text)
        }
        _ => Cow::Borrowed(text),
    }
}

/// Returns the name of a vertex: a number, a text, or the list that networkx writes for a tuple.
fn name(value: &Value) -> Option<String> {
    match value {
        Value::Number(number) => Some(number.to_string()),
        Value::String(text) => Some(text.clone()),
        Value::Array(parts) => {
            let parts: Option<Vec<_>> = parts.iter().map(name).collect();
            Some(format!("({})", parts?.join(", ")))
        }
        _ => None,
    }
}

/// Writes the edges of an undirected graph, or, if `directed` is true, the arcs of a digraph.
fn write(graph: &Digraph, names: &VertexNames, directed: bool, out: &mut dyn Write) -> Result<(), WriteError> {
    let id = |v| match names {
        VertexNames::Numbers(numbering) => json!(numbering.number(v)),
        VertexNames::Words(_) => json!(names.name(v)),
    };
    write!(out, "{{\"directed\": {directed}, \"multigraph\": false, \"graph\": {{}}, \"nodes\": [")?;
    for v in graph.vertices() {
        let separator = if v.number() > 0 { ",\n" } else { "\n" };
        write!(out, "{separator}{{\"id\": {}}}", id(v))?;
    }
    write!(out, "], \"links\": [")?;
    for (place, arc) in graph.arcs_or_edges(directed).enumerate() {
        let separator = if place > 0 { ",\n" } else { "\n" };
        let (source, target) = (id(arc.tail), id(arc.head));
        write!(out, "{separator}{{\"source\": {source}, \"target\": {target}}}")?;
    }
    Ok(writeln!(out, "]}}")?)
}
