//! Functions that most formats share: they scan lines, numbers and edges.

use std::collections::HashSet;
use std::str::FromStr;

use super::directions::{Declared, Pairs, TextGraph};
use super::{EMPTY, Format, FormatError, MOST_VERTICES, Wrong, at, miscounted, not, too_large};
use crate::{Numbering, Vertex};

/// Returns the non-empty lines of a text, trimmed, with their line numbers from 1.
pub(super) fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = (1..).zip(text.lines().map(str::trim));
    lines.filter(|(_, line)| !line.is_empty())
}

/// Returns the first non-empty line of a text, trimmed; an empty text if there is none.
pub(super) fn first_line(text: &str) -> &str {
    lines(text).next().map_or("", |(_, line)| line)
}

/// Characters that begin a comment in lists.
pub(super) const COMMENTS: [char; 2] = ['#', '%'];

/// True if a line is a comment of a list.
pub(super) fn is_comment(line: &str) -> bool {
    line.starts_with(COMMENTS)
}

/// Returns the non-empty lines that are not comments.
pub(super) fn content(text: &str) -> impl Iterator<Item = (usize, &str)> {
    lines(text).filter(|(_, line)| !is_comment(line))
}

/// Returns the first line that is not a comment; an empty text if there is none.
pub(super) fn first_content(text: &str) -> &str {
    content(text).next().map_or("", |(_, line)| line)
}

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

/// Returns the words of a line.
pub(super) fn words(line: &str) -> Vec<&str> {
    line.split_ascii_whitespace().collect()
}

/// True if a word is a finite number.
pub(super) fn is_number(word: &str) -> bool {
    word.parse::<f64>().is_ok_and(f64::is_finite)
}

/// Returns the only graph of a text. No graph or several graphs are an error.
pub(super) fn only<G>(graphs: impl IntoIterator<Item = G>) -> Result<G, FormatError> {
    let mut graphs = graphs.into_iter();
    let first = graphs.next().ok_or_else(|| at(0, EMPTY))?;
    match graphs.count() {
        0 => Ok(first),
        more => Err(Wrong::Several(more + 1).into()),
    }
}

/// Parses a word of the line `text`. An error says what the format expects in the line.
pub(super) fn parsed<T: FromStr>(
    line: usize,
    text: &str,
    word: &str,
    expected: &'static str,
) -> Result<T, FormatError> {
    word.parse().map_err(|_| not(line, text, expected))
}

/// Parses a number of vertices; more than [`MOST_VERTICES`] is an error.
pub(super) fn size(line: usize, text: &str, word: &str, expected: &'static str) -> Result<u32, FormatError> {
    n_vertices(line, parsed(line, text, word, expected)?)
}

/// Returns a number of vertices; more than [`MOST_VERTICES`] is an error.
pub(super) fn n_vertices(line: usize, n: u64) -> Result<u32, FormatError> {
    u32::try_from(n).ok().filter(|&n| n <= MOST_VERTICES).ok_or_else(|| too_large(line, n))
}

/// Edges between vertices with numbers.
pub(super) struct Edges {
    pub(super) numbering: Numbering,
    /// Number of vertices.
    pub(super) n: u32,
    pub(super) pairs: Pairs,
}

impl Edges {
    pub(super) fn new(numbering: Numbering, n: u32) -> Self {
        Self { numbering, n, pairs: Pairs::default() }
    }

    /// Returns the 0-based vertex with this number in the text.
    pub(super) fn vertex(&self, line: usize, number: u64) -> Result<u32, FormatError> {
        let first = self.numbering.first();
        let v = u32::try_from(number).ok().and_then(|number| self.numbering.vertex(number));
        v.map(Vertex::number).filter(|&v| v < self.n).ok_or_else(|| {
            let vertices = match self.n {
                0 => "the graph has no vertices".to_owned(),
                n => format!("the vertices are {first} to {}", u64::from(n) + u64::from(first) - 1),
            };
            at(line, format!("vertex {number} is out of range: {vertices}"))
        })
    }

    /// Adds an edge, or an arc. `ends` are the numbers of its two vertices in the text.
    pub(super) fn push(&mut self, line: usize, is_arc: bool, ends: [u64; 2]) -> Result<(), FormatError> {
        let pair = (self.vertex(line, ends[0])?, self.vertex(line, ends[1])?);
        self.pairs.push(line, is_arc, pair);
        Ok(())
    }

    /// Returns an error if the number of edges differs from the number that the header in this line announces. If a
    /// file lists both directions, it may announce the number of edges or the number of lines. It may count self-loops
    /// or not.
    pub(super) fn are(&self, line: usize, announced: u64) -> Result<(), FormatError> {
        let is_announced = |loops: bool| {
            let some = || self.pairs.all().filter(move |(a, b)| loops || a != b);
            let different = || some().map(|&(a, b)| (a.min(b), a.max(b))).collect::<HashSet<_>>();
            some().count() as u64 == announced || different().len() as u64 == announced
        };
        match is_announced(true) || is_announced(false) {
            true => Ok(()),
            false => Err(miscounted(line, announced, self.pairs.all().count() as u64)),
        }
    }

    /// Returns the graph with these edges.
    pub(super) fn graph(self, format: Format, declared: Declared) -> Result<TextGraph, FormatError> {
        TextGraph::of_pairs(format, self.numbering, self.n, declared, self.pairs)
    }
}

/// Edges that may be listed at one or both of their ends.
pub(super) const NEIGHBOURS: Declared = Declared::Neighbours { backward: None };
