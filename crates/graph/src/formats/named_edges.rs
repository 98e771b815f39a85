//! Edges between named vertices, in the order of the text. If the names are consecutive numbers from 0 or 1, vertices are
//! ordered by these numbers. Otherwise vertices are in the order of the text and keep their names.

use std::collections::HashMap;
use std::sync::Arc;

use super::directions::Directions;
use super::{Format, FormatError, Listed, MOST_VERTICES, Remark, Wrong, at, graph_of};
use crate::numbering::Numbering;
use crate::vertex_names::{VertexNames, Words};

/// Named vertices and edges.
#[derive(Default)]
pub(super) struct NamedEdges {
    numbers: HashMap<Arc<str>, u32>,
    /// Names in order of first occurrence.
    names: Vec<Arc<str>>,
    /// Vertices that have been declared, in order.
    listed: Vec<u32>,
    is_listed: Vec<bool>,
    edges: Vec<(u32, u32)>,
    /// Line and words that give directions, if any do.
    directed: Option<(usize, String)>,
}

impl NamedEdges {
    /// Returns the vertex of this name, adding it if it is new.
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

    /// Declares the vertex of this name; declared vertices come first in the graph. True if the vertex was not declared
    /// before.
    pub(super) fn list(&mut self, line: usize, name: &str) -> Result<bool, FormatError> {
        let vertex = self.vertex(line, name)?;
        let is_new = !std::mem::replace(&mut self.is_listed[vertex as usize], true);
        if is_new {
            self.listed.push(vertex);
        }
        Ok(is_new)
    }

    /// Adds an edge, or an arc in a directed graph.
    pub(super) fn push(&mut self, line: usize, a: u32, b: u32) -> Result<(), FormatError> {
        if a == b {
            return Err(at(line, Wrong::Loop(self.names[a as usize].to_string())));
        }
        self.edges.push((a, b));
        Ok(())
    }

    /// Marks all edges as arcs; `words` in this line say so.
    pub(super) fn direct(&mut self, line: usize, words: impl Into<String>) {
        self.directed.get_or_insert_with(|| (line, words.into()));
    }

    /// Adds an undirected edge to a graph that may be directed, as two arcs.
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

    /// Returns the graph, with the names of its vertices.
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
                        // Joined names may be numbers; they are distinct, because words are.
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
        let directions = match self.directed {
            Some((line, words)) => Some(Directions::of(line, words, &edges)),
            None if [Format::EDGES, Format::ASP].contains(&format) => Directions::of_plain(&edges),
            None => None,
        };
        let graph = graph_of(n, edges)?;
        Ok(Listed {
            graph,
            format,
            names,
            remark,
            directions,
        })
    }
}

/// A vertex in a format that has a key for edges and a label for people.
pub(super) struct Labelled {
    pub(super) line: usize,
    /// Name of the vertex in edges.
    pub(super) key: String,
    /// Name of the vertex in messages.
    pub(super) label: Option<String>,
}

/// Maps the keys of vertices to their names: the labels if all vertices have distinct labels, else the keys.
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

/// Returns the numbering of names that are consecutive numbers from 0 or 1, and the place of each name. The names are
/// distinct.
fn numbers_from<'n>(names: impl Iterator<Item = &'n str>) -> Option<(Numbering, Vec<u32>)> {
    let numbers: Vec<u32> = names.map(number).collect::<Option<_>>()?;
    let numbering = Numbering::of_first(*numbers.iter().min()?)?;
    // The numbers are distinct, so none is missing if none is too great.
    let place = |number: u32| Some(numbering.vertex(number)?.number());
    let places: Vec<u32> = numbers.into_iter().map(place).collect::<Option<_>>()?;
    let within = places.iter().all(|&place| (place as usize) < places.len());
    within.then_some((numbering, places))
}

/// Parses a name that is a number in canonical form, without leading zeros.
fn number(name: &str) -> Option<u32> {
    let number: u32 = name.parse().ok()?;
    (number.to_string() == name).then_some(number)
}
