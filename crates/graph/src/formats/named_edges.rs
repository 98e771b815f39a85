//! Edges between named vertices, in the order of the text. If the names are consecutive numbers from 0 or 1, the
//! vertices are ordered by their numbers. Otherwise the vertices keep their names and the order of the text.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::*;

/// Vertices with names, and the edges between them.
#[derive(Default)]
pub(super) struct NamedEdges {
    numbers: HashMap<Arc<str>, u32>,
    /// Names of the vertices, in the order of first occurrence.
    names: Vec<Arc<str>>,
    /// Declared vertices, in the order of their declarations.
    listed: Vec<u32>,
    is_listed: Vec<bool>,
    pub(super) pairs: Pairs,
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
            return Err(too_large(line, u64::from(vertex) + 1));
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
            return Err(at(line, format!("vertex {} has two lines; join them", shown(name))));
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
        if self.is_declared(vertex) { Ok(vertex) } else { Err(undeclared(line, &shown(name))) }
    }

    /// Adds an edge, listed from `a` to `b`, or an arc.
    pub(super) fn push(&mut self, line: usize, is_arc: bool, a: u32, b: u32) {
        self.pairs.push(line, is_arc, (a, b));
    }

    /// Replaces the names by the labels, if every vertex has a label and the labels are distinct. Returns a remark if
    /// two labels are equal.
    fn use_labels(&mut self) -> Option<Remark> {
        let vertices = (0u32..).take(self.names.len());
        let labels: Vec<_> = vertices.map(|v| self.labels.get(&v).cloned()).collect::<Option<_>>()?;
        let mut different = HashSet::new();
        if let Some(label) = labels.iter().find(|label| !different.insert(*label)) {
            let label = label.escape_debug();
            let same = format!("two vertices have the label \"{label}\", so vertices are named by their ids");
            return Some(same.into());
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
        // Vertex of each name, in the order in which the names first occur.
        let mut places = vec![0; n as usize];
        (0..).zip(&order).for_each(|(place, &v)| places[v as usize] = place);
        let mut remark = None;
        let names = match numbers_from(self.names.iter().map(|name| &**name)) {
            Some((numbering, by_number)) => {
                places = by_number;
                numbering.into()
            }
            None => match Words::joined(order.iter().map(|&v| self.names[v as usize].to_string()).collect()) {
                Ok((words, first)) => {
                    // Joined names may be numbers. They are distinct, because `Words` rejects equal names.
                    let numbers = first.as_ref().and_then(|_| numbers_from(words.iter()));
                    remark = first.map(|first| joined(&first));
                    match numbers {
                        Some((numbering, by_order)) => {
                            order.iter().zip(by_order).for_each(|(&v, place)| places[v as usize] = place);
                            numbering.into()
                        }
                        None => VertexNames::Words(words),
                    }
                }
                Err(error) => {
                    remark = Some(numbered(&error));
                    VertexNames::default()
                }
            },
        };
        for pair in self.pairs.edges.iter_mut().chain(&mut self.pairs.arcs) {
            *pair = (places[pair.0 as usize], places[pair.1 as usize]);
        }
        Ok(TextGraph::of_pairs(format, names, n, declared, self.pairs)?.with(labels).with(remark))
    }
}

/// Returns the error for an end of an edge that is not declared as a vertex.
pub(super) fn undeclared(line: usize, name: &str) -> FormatError {
    at(line, format!("node \"{name}\" is not declared"))
}

/// Returns the remark that names contain characters that separate words. `name` is the first such name.
fn joined(name: &str) -> Remark {
    let is_control = |c: char| c.is_control() && !c.is_whitespace();
    let kinds = [
        ("spaces", name.contains(char::is_whitespace)),
        ("commas", name.contains(',')),
        ("control characters", name.contains(is_control)),
    ];
    let kinds: Vec<_> = kinds.into_iter().filter(|(_, occurs)| *occurs).map(|(kind, _)| kind).collect();
    format!("name \"{}\" has {}, which become underscores", name.escape_debug(), kinds.join(" and ")).into()
}

/// Returns the remark that the names in the text cannot be used as vertex names.
pub(super) fn numbered(error: &NotNames) -> Remark {
    format!("{error}, so vertices are numbered from 1 in the order of the file").into()
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
