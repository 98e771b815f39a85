//! Edges between named vertices, in the order of the text. If the names are consecutive numbers from 0 or 1, the
//! vertices are ordered by their numbers. Otherwise the vertices keep their names and the order of the text.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::{Declared, Format, FormatError, MOST_VERTICES, Remark, TextGraph, Wrong, at, shown};
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
    /// Pairs that the text does not call arcs.
    edges: Vec<(u32, u32)>,
    /// Line of each pair in `edges`; empty if the reader does not know the lines.
    lines: Vec<usize>,
    /// Pairs that the text calls arcs.
    arcs: Vec<(u32, u32)>,
    /// Names for readers, which replace the names if every vertex has one and they are distinct.
    labels: HashMap<u32, Arc<str>>,
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

    /// Declares the vertex with this name, which must not be declared before. If every vertex has a label and the labels
    /// are distinct, the labels replace the names.
    pub(super) fn declare(&mut self, line: usize, name: &str, label: Option<String>) -> Result<(), FormatError> {
        if !self.list(line, name)? {
            return Err(at(line, Wrong::SecondLine(shown(name))));
        }
        if let Some(label) = label.filter(|label| !label.is_empty()) {
            let vertex = self.vertex(line, name)?;
            self.labels.insert(vertex, label.into());
        }
        Ok(())
    }

    /// Returns the vertex with this name, which must be declared.
    pub(super) fn declared(&mut self, line: usize, name: &str) -> Result<u32, FormatError> {
        let vertex = self.vertex(line, name)?;
        match self.is_declared(vertex) {
            true => Ok(vertex),
            false => Err(at(line, Wrong::Undeclared(shown(name)))),
        }
    }

    /// Adds an edge, listed from `a` to `b`.
    pub(super) fn push(&mut self, a: u32, b: u32) {
        self.edges.push((a, b));
    }

    /// Adds an edge on this line, listed from `a` to `b`. The reader must know the lines of all edges.
    pub(super) fn push_on(&mut self, line: usize, a: u32, b: u32) {
        self.push(a, b);
        self.lines.push(line);
    }

    /// Adds an arc from `a` to `b`.
    pub(super) fn push_arc(&mut self, a: u32, b: u32) {
        self.arcs.push((a, b));
    }

    /// True if the text has called a pair an arc.
    pub(super) fn has_arcs(&self) -> bool {
        !self.arcs.is_empty()
    }

    /// Replaces the names by the labels, if every vertex has a label and the labels are distinct. Returns a remark if
    /// two labels are equal.
    fn use_labels(&mut self) -> Option<Remark> {
        let vertices = (0u32..).take(self.names.len());
        let labels: Vec<_> = vertices.map(|v| self.labels.get(&v).cloned()).collect::<Option<_>>()?;
        let mut different = HashSet::new();
        if let Some(label) = labels.iter().find(|label| !different.insert(*label)) {
            return Some(Remark::SameLabels(label.to_string()));
        }
        self.names = labels;
        None
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
    pub(super) fn graph(mut self, format: Format, declared: Declared) -> Result<TextGraph, FormatError> {
        let labels = self.use_labels();
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
        let placed = |pairs: Vec<(u32, u32)>| -> Vec<_> {
            let pairs = pairs.into_iter();
            pairs.map(|(a, b)| (place(a), place(b))).collect()
        };
        let (edges, arcs) = (placed(self.edges), placed(self.arcs));
        let graph = TextGraph::mixed(format, names, n, declared, edges, arcs)?;
        Ok(graph.on_lines(self.lines).with(labels).with(remark))
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
