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
use std::collections::BTreeSet;
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
/// Name of a form of JSON, and a function that recognises it.
type Form = (&'static str, fn(&Value) -> bool);

/// Forms of JSON that are not read.
const OTHERS: [Form; 7] = [
    ("networkx's `adjacency_data`", |value| value.get("adjacency").is_some()),
    ("Cytoscape", |value| value.get("elements").is_some()),
    ("networkx's `tree_data`", |value| value.get("children").is_some()),
    ("JSON Graph Format", |value| !value["graph"]["nodes"].is_null() || !value["graphs"][0]["nodes"].is_null()),
    ("graphology", |value| value["nodes"][0].get("key").is_some()),
    ("a dictionary of neighbours", |value| value.as_object().is_some_and(|of| are_rows(of.values()))),
    ("a list of neighbours", |value| {
        value.as_array().is_some_and(|rows| are_rows(rows.iter()) && are_neighbours(rows))
    }),
];

pub(super) fn read(text: &str) -> Result<TextGraph, FormatError> {
    let text = in_json(text);
    let value: Value = serde_json::from_str(&text).map_err(|error| broken(&error))?;
    let wrong = |value: &Value, expected| {
        let text = shown(&value.to_string());
        FormatError::from(Wrong::Line { text, expected })
    };
    let other = || OTHERS.iter().find(|(_, is)| is(&value)).map(|&(form, _)| FormatError::from(Wrong::OtherJson(form)));
    let mut edges = NamedEdges::default();
    if let Value::Array(pairs) = &value {
        other().map_or(Ok(()), Err)?;
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
    let nodes = list("nodes");
    let links = LINKS.iter().find_map(|key| list(key));
    let (Some(nodes), Some(links)) = (nodes, links) else {
        let missing = match nodes {
            None => "list \"nodes\", as networkx's `node_link_data` writes it",
            Some(_) => "list \"links\" or \"edges\", as networkx's `node_link_data` writes it",
        };
        return Err(other().unwrap_or(Wrong::Missing(missing).into()));
    };
    // Ids that the format does not have would be read as indices.
    if let Some(error) = other().filter(|_| nodes.iter().all(|node| node.get("id").is_none())) {
        return Err(error);
    }
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
        // vis.js writes "from" and "to".
        for (end, keys) in ends.iter_mut().zip([["source", "from"], ["target", "to"]]) {
            let id = keys.iter().find_map(|key| link.get(key)).and_then(name).ok_or_else(|| wrong(link, LINK))?;
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

/// True if there are only lists of names, and one has a name.
fn are_rows<'v>(mut rows: impl Iterator<Item = &'v Value> + Clone) -> bool {
    let is_row = |row: &Value| row.as_array().is_some_and(|row| row.iter().all(|entry| name(entry).is_some()));
    rows.clone().all(is_row) && rows.any(|row| row.get(0).is_some())
}

/// True if the list at index v names the neighbours of v, from 0, and each neighbour's list names v. Lists that are the same
/// edges as pairs are pairs.
fn are_neighbours(rows: &[Value]) -> bool {
    let of = |row: &Value| row.as_array().map(|row| row.iter().map(Value::as_u64).collect::<Option<Vec<_>>>());
    let Some(rows) = rows.iter().map(|row| of(row).flatten()).collect::<Option<Vec<_>>>() else {
        return false;
    };
    let is_both =
        |v: usize, w: u64| rows.get(w as usize).is_some_and(|row| row.contains(&(v as u64)) && w as usize != v);
    let edge = |a: u64, b: u64| (a.min(b), a.max(b));
    let as_neighbours = rows.iter().enumerate().flat_map(|(v, row)| row.iter().map(move |&w| edge(v as u64, w)));
    let as_pairs = rows.iter().map(|row| (row.len() == 2).then(|| edge(row[0], row[1])));
    let is_same = as_pairs.collect::<Option<BTreeSet<_>>>() == Some(as_neighbours.collect());
    !is_same && rows.iter().enumerate().all(|(v, row)| row.iter().all(|&w| is_both(v, w)))
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
