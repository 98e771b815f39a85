//! Edges between named vertices, in the order of the text. If the names are consecutive numbers from 0 or 1, the
//! vertices are ordered by their numbers. Otherwise the vertices keep their names and the order of the text.

use std::collections::HashMap;
use std::sync::Arc;

use super::directions::{Directions, Named};
use super::{Format, FormatError, Listed, MOST_VERTICES, Remark, Wrong, at, graph_of};
use crate::numbering::Numbering;
use crate::vertex_names::{VertexNames, Words};

/// Vertices with names, and the edges between them.
#[derive(Default)]
pub(super) struct NamedEdges {
    numbers: HashMap<Arc<str>, u32>,
    /// Names of the vertices, in the order of first occurrence.
    names: Vec<Arc<str>>,
    /// Declared vertices, in the order of their declarations.
    listed: Vec<u32>,
    is_listed: Vec<bool>,
    edges: Vec<(u32, u32)>,
    /// True if the text says that its edges are arcs.
    are_arcs: bool,
}

impl NamedEdges {
    /// Returns the vertex with this name. A new name adds a vertex.
    pub(super) fn vertex(&mut self, line: usize, name: &str) -> Result<u32, FormatError> {
        if let Some(&vertex) = self.numbers.get(name) {
            return Ok(vertex);
        }
        let vertex = self.names.len() as u32;
        if vertex == MOST_VERTICES {
            return Err(at(line, Wrong::TooLarge(u64::from(vertex) + 1)));
        }
        let name: Arc<str> = name.into();
        self.names.push(Arc::clone(&name));
        self.is_listed.push(false);
        self.numbers.insert(name, vertex);
        Ok(vertex)
    }

    /// Declares the vertex with this name. In the graph, declared vertices come before all others. Returns true if the
    /// vertex was not declared before.
    pub(super) fn list(&mut self, line: usize, name: &str) -> Result<bool, FormatError> {
        let vertex = self.vertex(line, name)?;
        let is_new = !std::mem::replace(&mut self.is_listed[vertex as usize], true);
        if is_new {
            self.listed.push(vertex);
        }
        Ok(is_new)
    }

    /// Adds an edge. In a directed graph, the edge is an arc from `a` to `b`.
    pub(super) fn push(&mut self, line: usize, a: u32, b: u32) -> Result<(), FormatError> {
        if a == b {
            return Err(at(line, Wrong::Loop(self.names[a as usize].to_string())));
        }
        self.edges.push((a, b));
        Ok(())
    }

    /// Marks all edges as arcs.
    pub(super) fn direct(&mut self) {
        self.are_arcs = true;
    }

    /// Adds an undirected edge of a text that may also have arcs. The edge is stored as two opposite arcs.
    pub(super) fn push_both(&mut self, line: usize, a: u32, b: u32) -> Result<(), FormatError> {
        self.push(line, a, b)?;
        self.push(line, b, a)
    }

    /// True if a vertex has been declared.
    pub(super) fn is_declared(&self, vertex: u32) -> bool {
        self.is_listed[vertex as usize]
    }

    /// Returns the name of a vertex.
    pub(super) fn name(&self, vertex: u32) -> &str {
        &self.names[vertex as usize]
    }

    /// Returns the graph with the names of its vertices.
    pub(super) fn graph(self, format: Format) -> Result<Listed, FormatError> {
        let n = self.names.len() as u32;
        let rest = (0..n).filter(|&v| !self.is_listed[v as usize]);
        let order: Vec<u32> = self.listed.iter().copied().chain(rest).collect();
        let names = self.names.iter().map(|name| &**name);
        let (names, places, remark) = match numbers_from(names) {
            Some((numbering, places)) => (numbering.into(), places, None),
            None => {
                let mut places = vec![0; n as usize];
                for (place, &v) in (0..).zip(&order) {
                    places[v as usize] = place;
                }
                let names = order.iter().map(|&v| self.names[v as usize].to_string());
                match Words::joined(names.collect()) {
                    Ok((words, first)) => {
                        // Joined names may be numbers. They are distinct, because `Words` rejects equal names.
                        let numbers = first.as_ref().and_then(|_| numbers_from(words.iter()));
                        let remark = first.map(Remark::Joined);
                        match numbers {
                            Some((numbering, by_order)) => {
                                for (&v, place) in order.iter().zip(by_order) {
                                    places[v as usize] = place;
                                }
                                (numbering.into(), places, remark)
                            }
                            None => (VertexNames::Words(words), places, remark),
                        }
                    }
                    Err(error) => {
                        let remark = Remark::Numbered(error);
                        (VertexNames::default(), places, Some(remark))
                    }
                }
            }
        };
        let place = |v: u32| places[v as usize];
        let edges = self.edges.iter().map(|&(a, b)| (place(a), place(b)));
        let edges: Vec<_> = edges.collect();
        // ASP facts may be arcs, but often list both arcs of an undirected edge.
        let named = match (self.are_arcs, format) {
            (true, format) if format == Format::ASP => Some(Named::Arcs),
            (true, _) => Some(Named::Digraph),
            (false, format) if [Format::EDGES, Format::ASP].contains(&format) => Some(Named::Edges),
            (false, _) => None,
        };
        let directions = named.map(|named| Directions::of(named, &edges));
        let graph = graph_of(n, edges)?;
        Ok(Listed {
            graph: graph.into(),
            format,
            names,
            remark,
            directions,
        })
    }
}

/// A vertex with a key and possibly a label. Edges in the text refer to vertices by their keys; labels are names for
/// readers.
pub(super) struct Labelled {
    pub(super) line: usize,
    /// Key that edges use to refer to the vertex.
    pub(super) key: String,
    /// Name of the vertex in messages; `None` if the vertex has only a key.
    pub(super) label: Option<String>,
}

/// Maps the keys of vertices to their names. The names are the labels if every vertex has a label and no two labels are
/// equal; otherwise the names are the keys.
pub(super) fn names_of(vertices: &[Labelled]) -> HashMap<&str, &str> {
    let labels: Option<Vec<&str>> = vertices.iter().map(|v| v.label.as_deref()).collect();
    let labels = labels.filter(|labels| {
        let different: std::collections::HashSet<_> = labels.iter().collect();
        different.len() == labels.len()
    });
    let keys = vertices.iter().map(|v| v.key.as_str());
    match labels {
        Some(labels) => keys.zip(labels).collect(),
        None => keys.map(|key| (key, key)).collect(),
    }
}

/// Returns the numbering, and for each name its 0-based vertex, if the names are consecutive numbers from 0 or 1;
/// otherwise `None`. The names must be distinct.
fn numbers_from<'n>(names: impl Iterator<Item = &'n str>) -> Option<(Numbering, Vec<u32>)> {
    let numbers: Vec<u32> = names.map(number).collect::<Option<_>>()?;
    let numbering = Numbering::of_first(*numbers.iter().min()?)?;
    // The numbers are distinct, so they are consecutive if every place is less than their count.
    let place = |number: u32| Some(numbering.vertex(number)?.number());
    let places: Vec<u32> = numbers.into_iter().map(place).collect::<Option<_>>()?;
    let within = places.iter().all(|&place| (place as usize) < places.len());
    within.then_some((numbering, places))
}

/// Parses a number without leading zeros; `None` for any other name.
fn number(name: &str) -> Option<u32> {
    let number: u32 = name.parse().ok()?;
    (number.to_string() == name).then_some(number)
}
