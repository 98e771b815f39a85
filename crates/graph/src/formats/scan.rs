//! Functions that most formats share: they scan lines, numbers and edges.

use std::collections::HashSet;
use std::io::{self, Write};

use super::{Format, FormatError, Listed, MOST_ISOLATED, MOST_VERTICES, Wrong};
use crate::graph::{Graph, Vertex};
use crate::numbering::Numbering;

/// Writes the comment line that names the format. Writes nothing if the format has no such comment.
pub(super) fn write_said(format: Format, out: &mut dyn Write) -> io::Result<()> {
    match format.said() {
        Some(said) => writeln!(out, "{said}"),
        None => Ok(()),
    }
}

/// Returns the edges of a graph as pairs of vertex numbers, counted from 1, the lesser number first.
pub(super) fn numbered_edges(graph: &Graph) -> impl Iterator<Item = [u64; 2]> + '_ {
    let forward = graph.arcs().filter(|arc| arc.tail < arc.head);
    forward.map(|arc| [arc.tail, arc.head].map(|v: Vertex| Numbering::FromOne.number(v)))
}

/// Returns the non-empty lines of a text, trimmed, with their line numbers from 1.
pub(super) fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = (1..).zip(text.lines().map(str::trim));
    lines.filter(|(_, line)| !line.is_empty())
}

/// Comment character of networkx's lists.
pub(super) const COMMENT: char = '#';

/// Returns the lines of a text without their comments, with their line numbers from 1. Skips lines that are empty or
/// have only a comment.
pub(super) fn entries(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let entries = lines(text).map(|(number, line)| {
        let entry = line.split(COMMENT).next().unwrap_or_default();
        (number, entry.trim_end())
    });
    entries.filter(|(_, entry)| !entry.is_empty())
}

/// Returns the error `wrong` in this line, counted from 1.
pub(super) fn at(line: usize, wrong: Wrong) -> FormatError {
    FormatError {
        line: Some(line),
        wrong,
    }
}

/// Returns the error for a line that is invalid in the format. `expected` describes a valid line.
pub(super) fn not(line: usize, text: &str, expected: &'static str) -> FormatError {
    let text = shown(text);
    at(line, Wrong::Line { text, expected })
}

/// Returns a text for error messages. A long text is shortened and ends with `…`.
pub(super) fn shown(text: &str) -> String {
    const SHOWN: usize = 60;
    let mut shown: String = text.chars().take(SHOWN).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    shown
}

/// Parses a number of vertices; more than [`MOST_VERTICES`] is an error.
pub(super) fn size(
    line: usize,
    text: &str,
    word: &str,
    expected: &'static str,
) -> Result<u32, FormatError> {
    let n: u64 = word.parse().map_err(|_| not(line, text, expected))?;
    match u32::try_from(n) {
        Ok(n) if n <= MOST_VERTICES => Ok(n),
        _ => Err(at(line, Wrong::TooLarge(n))),
    }
}

/// Edges in the order of the text. The ends are 0-based vertices.
pub(super) struct Edges {
    pub(super) numbering: Numbering,
    /// Number of vertices; [`push`](Self::push) rejects edges with other vertices.
    pub(super) n: u32,
    pub(super) list: Vec<(u32, u32)>,
    /// Number of vertices that the edges so far require: one more than the greatest vertex.
    pub(super) used: u32,
}

impl Edges {
    pub(super) fn new(numbering: Numbering, n: u32) -> Self {
        Self {
            numbering,
            n,
            list: Vec::new(),
            used: 0,
        }
    }

    /// Adds an edge. `ends` are the numbers of its two vertices in the text.
    pub(super) fn push(&mut self, line: usize, ends: [u64; 2]) -> Result<(), FormatError> {
        let first = self.numbering.first();
        let vertex = |number: u64| {
            let v = u32::try_from(number).ok();
            let v = v.and_then(|number| self.numbering.vertex(number));
            v.filter(|v| v.number() < self.n).ok_or_else(|| {
                let last = i64::from(self.n) + i64::from(first) - 1;
                let vertex = number;
                at(
                    line,
                    Wrong::NoSuchVertex {
                        vertex,
                        first,
                        last,
                    },
                )
            })
        };
        let (a, b) = (vertex(ends[0])?.number(), vertex(ends[1])?.number());
        if a == b {
            return Err(at(line, Wrong::Loop(ends[0].to_string())));
        }
        self.used = self.used.max(a + 1).max(b + 1);
        self.list.push((a, b));
        Ok(())
    }

    /// Returns an error if the number of edges differs from the announced number. If a file lists both directions, it
    /// may announce the number of edges or the number of lines.
    pub(super) fn are(&self, announced: u64) -> Result<(), Wrong> {
        let found = self.list.len() as u64;
        let different = || -> HashSet<_> {
            let list = self.list.iter();
            list.map(|&(a, b)| (a.min(b), a.max(b))).collect()
        };
        if found == announced || different().len() as u64 == announced {
            Ok(())
        } else {
            Err(Wrong::Edges { announced, found })
        }
    }

    /// Returns the graph with these edges on the vertices `0..n`.
    pub(super) fn graph(self, n: u32) -> Result<Graph, FormatError> {
        graph_of(n, self.list)
    }
}

/// Returns the graph with these edges on the vertices `0..n`. Too many isolated vertices are an error.
pub(super) fn graph_of(n: u32, list: Vec<(u32, u32)>) -> Result<Graph, FormatError> {
    let edges = list.len();
    let (ends, isolated) = (2 * edges, MOST_ISOLATED as usize);
    if n as usize > ends + isolated {
        let vertices = n;
        return Err(Wrong::TooFewEdges { vertices, edges }.into());
    }
    Graph::from_edges(n, list).map_err(|error| Wrong::from(error).into())
}

/// Returns the graph in which each vertex has the listed neighbours. Every edge must be listed at both of its ends.
/// `arcs` has pairs of a vertex and a neighbour, 0-based. `lines` has the line number of each vertex, from 1.
pub(super) fn both_ways(
    format: Format,
    arcs: Vec<(u32, u32)>,
    lines: &[usize],
) -> Result<Listed, FormatError> {
    let number = |v: u32| Numbering::FromOne.number(Vertex::new(v));
    let n = u32::try_from(lines.len()).map_err(|_| Wrong::TooLarge(lines.len() as u64))?;
    let mut reverse: Vec<_> = arcs.iter().map(|&(a, b)| (b, a)).collect();
    reverse.sort_unstable();
    for &(a, b) in &arcs {
        let line = lines.get(a as usize).copied().unwrap_or_default();
        if a == b {
            return Err(at(line, Wrong::Loop(number(a).to_string())));
        }
        if reverse.binary_search(&(a, b)).is_err() {
            return Err(at(line, Wrong::OneWay(number(a), number(b))));
        }
    }
    let edges = arcs.into_iter().filter(|(a, b)| a < b).collect();
    let graph = graph_of(n, edges)?;
    Ok(Listed::new(format, Numbering::FromOne, graph))
}
