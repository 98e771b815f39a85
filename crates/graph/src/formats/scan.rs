//! Functions that most formats share: they scan lines, numbers and edges.

use std::collections::HashSet;
use std::io::{self, Write};

use super::directions::{Declared, TextGraph};
use super::{Format, FormatError, MOST_VERTICES, Wrong};
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

/// Characters that begin a comment in lists.
pub(super) const COMMENTS: [char; 2] = ['#', '%'];

/// Returns a line of a list without its comment. A comment begins at the start of the line or after a blank, but not
/// inside double quotes: `C#` is a name.
pub(super) fn uncommented(line: &str) -> &str {
    let mut quoted = false;
    let mut after_blank = true;
    let begins = |(_, c): &(usize, char)| {
        let begins = after_blank && !quoted && COMMENTS.contains(c);
        quoted ^= *c == '"';
        after_blank = c.is_whitespace();
        begins
    };
    let place = line.char_indices().find(begins).map(|(place, _)| place);
    line[..place.unwrap_or(line.len())].trim_end()
}

/// Returns the lines of a list without their comments, with their line numbers from 1. Skips lines that are empty or
/// have only a comment.
pub(super) fn entries(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let entries = lines(text).map(|(number, line)| (number, uncommented(line)));
    entries.filter(|(_, entry)| !entry.is_empty())
}

/// Returns the error `wrong` in this line, counted from 1; 0 if the line is unknown.
pub(super) fn at(line: usize, wrong: Wrong) -> FormatError {
    FormatError { line: Some(line).filter(|&line| line > 0), wrong }
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

/// Returns the only graph of a text. No graph or several graphs are an error.
pub(super) fn only(mut graphs: Vec<TextGraph>) -> Result<TextGraph, FormatError> {
    match (graphs.pop(), graphs.len()) {
        (Some(graph), 0) => Ok(graph),
        (Some(_), more) => Err(Wrong::Several(more + 1).into()),
        (None, _) => Err(Wrong::Empty.into()),
    }
}

/// Parses a number of vertices; more than [`MOST_VERTICES`] is an error.
pub(super) fn size(line: usize, text: &str, word: &str, expected: &'static str) -> Result<u32, FormatError> {
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
    /// Pairs that the text does not call arcs.
    pub(super) list: Vec<(u32, u32)>,
    /// Line of each pair in `list`, if all of them have been added by [`push`](Self::push).
    lines: Vec<usize>,
    /// Pairs that the text calls arcs.
    pub(super) arcs: Vec<(u32, u32)>,
}

impl Edges {
    pub(super) fn new(numbering: Numbering, n: u32) -> Self {
        Self { numbering, n, list: Vec::new(), lines: Vec::new(), arcs: Vec::new() }
    }

    /// Returns the vertices with these two numbers in the text.
    pub(super) fn ends(&self, line: usize, ends: [u64; 2]) -> Result<(u32, u32), FormatError> {
        let first = self.numbering.first();
        let vertex = |number: u64| {
            let v = u32::try_from(number).ok();
            let v = v.and_then(|number| self.numbering.vertex(number));
            let v = v.filter(|v| v.number() < self.n);
            v.map(Vertex::number).ok_or_else(|| {
                let last = i64::from(self.n) + i64::from(first) - 1;
                let vertex = number;
                at(line, Wrong::NoSuchVertex { vertex, first, last })
            })
        };
        Ok((vertex(ends[0])?, vertex(ends[1])?))
    }

    /// Adds an edge. `ends` are the numbers of its two vertices in the text.
    pub(super) fn push(&mut self, line: usize, ends: [u64; 2]) -> Result<(), FormatError> {
        let pair = self.ends(line, ends)?;
        self.list.push(pair);
        self.lines.push(line);
        Ok(())
    }

    /// Adds an arc. `ends` are the numbers of its two vertices in the text.
    pub(super) fn push_arc(&mut self, line: usize, ends: [u64; 2]) -> Result<(), FormatError> {
        let pair = self.ends(line, ends)?;
        self.arcs.push(pair);
        Ok(())
    }

    /// Returns an error if the number of edges differs from the announced number. If a file lists both directions, it
    /// may announce the number of edges or the number of lines. It may count self-loops or not.
    pub(super) fn are(&self, announced: u64) -> Result<(), Wrong> {
        let all = || self.list.iter().chain(&self.arcs);
        let found = all().count() as u64;
        let announced_is = |loops: bool| {
            let some = || all().filter(move |(a, b)| loops || a != b);
            let different = || -> HashSet<_> { some().map(|&(a, b)| (a.min(b), a.max(b))).collect() };
            some().count() as u64 == announced || different().len() as u64 == announced
        };
        if found == announced || announced_is(true) || announced_is(false) {
            Ok(())
        } else {
            Err(Wrong::Edges { announced, found })
        }
    }

    /// Returns the graph with these edges.
    pub(super) fn graph(self, format: Format, declared: Declared) -> Result<TextGraph, FormatError> {
        let graph = TextGraph::mixed(format, self.numbering, self.n, declared, self.list, self.arcs)?;
        Ok(graph.on_lines(self.lines))
    }
}

/// Returns the graph in which each vertex has the listed neighbours. Every edge must be listed at both of its ends.
/// `arcs` has pairs of a vertex and a neighbour, 0-based. `lines` has the line number of each vertex, from 1.
pub(super) fn both_ways(format: Format, arcs: Vec<(u32, u32)>, lines: &[usize]) -> Result<TextGraph, FormatError> {
    let number = |v: u32| Numbering::FromOne.number(Vertex::new(v));
    let n = u32::try_from(lines.len()).map_err(|_| Wrong::TooLarge(lines.len() as u64))?;
    let mut reverse: Vec<_> = arcs.iter().map(|&(a, b)| (b, a)).collect();
    reverse.sort_unstable();
    let is_missing = |arc: &&(u32, u32)| reverse.binary_search(arc).is_err();
    if let Some(&(a, b)) = arcs.iter().find(is_missing) {
        let line = lines.get(a as usize).copied().unwrap_or_default();
        return Err(at(line, Wrong::OneWay(number(a), number(b))));
    }
    TextGraph::new(format, Numbering::FromOne, n, NEIGHBOURS, arcs)
}

/// Edges that may be listed at one or both of their ends.
pub(super) const NEIGHBOURS: Declared = Declared::Neighbours { backward: None };
