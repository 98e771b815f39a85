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

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::*;

impl Format {
    /// JSON in node-link form.
    pub const JSON: Self = Self::new(&FormatKind {
        name: "json",
        summary: "node-link JSON of networkx and D3",
        // Files that end in .json may have tours or results, so the text decides.
        endings: &[],
        begins: |text| {
            // Other programs' JSON, and tours in JSON, have other keys.
            first_line(text).starts_with('{')
                && text.contains("\"nodes\"")
                && LINKS.iter().any(|key| text.contains(&format!("\"{key}\"")))
        },
        read,
        read_strictly: Some(|text| match in_json(text).trim_start().starts_with('[') {
            true => read(text),
            false => Err(Wrong::Json("expected \"[\"".to_owned()).into()),
        }),
        has_arcs: true,
        write,
        ..FormatKind::NONE
    });
}

/// Keys of the list of edges.
const LINKS: [&str; 2] = ["links", "edges"];
/// Name of a form of JSON, and a function that recognises it.
type Form = (&'static str, fn(&Value) -> bool);

/// Forms of JSON that are not read.
const OTHERS: [Form; 8] = [
    ("networkx's `adjacency_data`", |value| value.get("adjacency").is_some()),
    ("Cytoscape", |value| value.get("elements").is_some()),
    ("networkx's `tree_data`", |value| value.get("children").is_some()),
    ("JSON Graph Format", |value| !value["graph"]["nodes"].is_null() || !value["graphs"][0]["nodes"].is_null()),
    ("graphology", |value| value["nodes"][0].get("key").is_some()),
    ("edges without \"nodes\"", |value| {
        ["edges", "links"].iter().any(|key| value[key].is_array()) && value["nodes"].is_null()
    }),
    ("a dictionary of neighbours", |value| value.as_object().is_some_and(|of| are_rows(of.values()))),
    ("a list of neighbours", |value| {
        value.as_array().is_some_and(|rows| are_rows(rows.iter()) && are_neighbours(rows))
    }),
];

fn read(text: &str) -> Result<TextGraph, FormatError> {
    let value: Value = serde_json::from_str(&in_json(text)).map_err(|error| broken(&error))?;
    let wrong = |value: &Value, expected| not(0, &value.to_string(), expected);
    let other = OTHERS.iter().find(|(_, is)| is(&value)).map(|(form, _)| {
        at(0, format!("JSON of {form} is not supported; write the graph with networkx's `node_link_data`"))
    });
    let mut edges = NamedEdges::default();
    if let Value::Array(pairs) = &value {
        other.map_or(Ok(()), Err)?;
        for pair in pairs {
            let ends: Option<Vec<_>> = pair.as_array().and_then(|ends| ends.iter().map(name).collect());
            let Some([a, b]) = ends.as_deref() else {
                return Err(wrong(pair, "a pair of vertices"));
            };
            let (a, b) = (edges.vertex(0, a)?, edges.vertex(0, b)?);
            edges.push(0, false, a, b);
        }
        return edges.graph(Format::JSON, Declared::Nothing);
    }
    let list = |key: &str| value.get(key).and_then(Value::as_array);
    let (nodes, links) = match (list("nodes"), LINKS.iter().find_map(|key| list(key))) {
        (Some(nodes), Some(links)) => (nodes, links),
        (nodes, _) => {
            let lists = if nodes.is_none() { "\"nodes\"" } else { "\"links\" or \"edges\"" };
            let lists = format!("list {lists}, as networkx's `node_link_data` writes it");
            return Err(other.unwrap_or_else(|| missing(0, &lists)));
        }
    };
    // Without ids, an edge has the indices of its nodes. Ids that the format does not have would be read as indices.
    let has_ids = nodes.iter().any(|node| node.get("id").is_some());
    if let Some(error) = other.filter(|_| !has_ids) {
        return Err(error);
    }
    let is_directed = value.get("directed").and_then(Value::as_bool);
    for (index, node) in nodes.iter().enumerate() {
        let (id, label) = match has_ids {
            true => (node.get("id").and_then(name), None),
            false => (Some(index.to_string()), node.get("name").and_then(name)),
        };
        let id = id.ok_or_else(|| wrong(node, "a node with an id that is a number or a text"))?;
        edges.declare(0, &id, label)?;
    }
    for link in links {
        // vis.js writes "from" and "to".
        let mut end = |keys: [&str; 2]| {
            let id = keys.iter().find_map(|key| link.get(key)).and_then(name);
            edges.declared(0, &id.ok_or_else(|| wrong(link, "an edge with a source and a target"))?)
        };
        let (a, b) = (end(["source", "from"])?, end(["target", "to"])?);
        edges.push(0, is_directed == Some(true), a, b);
    }
    edges.graph(Format::JSON, is_directed.map_or(Declared::Nothing, Declared::edges_or_arcs))
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

fn write(graph: &NamedGraph<'_>, out: &mut dyn Write) -> Result<(), WriteError> {
    let id = |v| match graph.names {
        VertexNames::Numbers(numbering) => json!(numbering.number(v)),
        VertexNames::Words(_) => json!(graph.names.name(v)),
    };
    write!(out, "{{\"directed\": {}, \"multigraph\": false, \"graph\": {{}}, \"nodes\": [", graph.is_directed)?;
    let separators = || ["\n"].into_iter().chain(std::iter::repeat(",\n"));
    for (separator, v) in separators().zip(graph.digraph.vertices()) {
        write!(out, "{separator}{{\"id\": {}}}", id(v))?;
    }
    write!(out, "], \"links\": [")?;
    for (separator, [a, b]) in separators().zip(graph.pairs()) {
        write!(out, "{separator}{{\"source\": {}, \"target\": {}}}", id(a), id(b))?;
    }
    Ok(writeln!(out, "]}}")?)
}
