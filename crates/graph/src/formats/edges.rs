//! Plain lists of edges: a line `u v` or `u,v` for each edge, with comments after `#` or `%` at the start of a line or
//! after a blank. networkx writes a dictionary of data, such as `{}`, after each edge; the dictionary is ignored. If a
//! vertex 0 occurs, vertices are counted from 0, otherwise from 1.
//!
//! There are two formats. In the first format, `edges`, every line is an edge. The vertices are the numbers that occur
//! in edges, in increasing order. If the numbers have gaps, the vertices keep their numbers as names, as in networkx.
//! In the second format, `edges-header`, the first line is a header `N M` with the numbers of vertices and edges.
//!
//! A list does not say which of the two formats it has. Unless the caller decides, the first line, `a b`, is classified
//! by these rules. An unclear line is an error.
//!
//! 1. The line is a header if exactly `b` edges follow, `b` ≥ `a`, and a graph with `a` vertices can have these edges.
//!    As an edge, the line would join a vertex to itself, or to a vertex `b` that occurs in no other line.
//! 2. The line is unclear if exactly `b` such edges follow and `b` < `a`, unless both readings give the same graph.
//! 3. The line is unclear if it is not a valid header but looks like the header of a truncated file: no other line has
//!    a vertex above `a`, and either `b` > `a`, or the numbers of the list, read as edges, have gaps up to `a`. The
//!    line is also unclear if exactly `b` edges follow and the vertices run from 0 to `a`.
//! 4. Otherwise the line is an edge.
//!
//! Vertices may have names instead of numbers: `a b`, or `New York,Boston` with commas, semicolons or tabs. The
//! separator is the same in all lines, and a name that contains the separator is in double quotes. In a list with names
//! and numbers, numbers are names too, and a remark says so, because the names may be typing errors. Names have no
//! brackets, because brackets occur in lists that programs write. The only exception is a tuple between blanks, such as
//! `(0, 1)`, which is networkx's name for a square of a grid. A list with names has no header `N M`.
//!
//! The first line may be the header of a table, such as `Source,Target,Type,Id,Label,Weight` by Gephi. Other columns than
//! the two ends and Gephi's type are ignored. If the names of the first line do not occur again and are not known as
//! column headings, the list is rejected.
//!
//! A third column of weights is ignored if the first line shows that the column has weights. Three whole numbers do not
//! show this, because they may also be neighbours or a row of a matrix.
//!
//! A list whose first line is the comment `# edges-header` has the second format. The writer adds this comment if a
//! list would otherwise be unclear.
//!
//! In METIS's format ([`metis`](super::metis)), each line after the header has the neighbours of one vertex. If every
//! vertex has two neighbours, such a text also looks like a list of different edges, so it is unclear too.

use std::io::{self, Write};

use super::named_edges::NamedEdges;
use super::{
    COMMENTS, Declared, Directedness, Edges, Format, FormatError, FormatKind, HeaderReading, Isolated, MOST_VERTICES,
    NEIGHBOURS, Remark, TextGraph, WriteError, Wrong, at, lines, not, numbered_edges, scan, shown,
};
use crate::graph::Graph;
use crate::numbering::Numbering;
use crate::vertex_names::{VertexNames, Words};

impl Format {
    /// Plain list of edges: a line `U V` for each edge.
    pub const EDGES: Self = Self::new(&FormatKind {
        name: "edges",
        summary: "a line 'U V' for each edge",
        endings: &[],
        read: |text| read_plain(text, false),
        read_weighted: Some(|text| read_plain(text, true)),
        write: |graph, _, out| {
            if let Some(v) = graph.vertices().find(|&v| graph.degree(v) == 0) {
                return Err(WriteError::Isolated(Numbering::FromOne.number(v)));
            }
            Ok(write(graph, out)?)
        },
        ..FormatKind::NONE
    });
}

impl Format {
    /// List of edges with a header: a line `N M`, and then a line `U V` for each edge.
    pub const EDGES_HEADER: Self = Self::new(&FormatKind {
        name: "edges-header",
        summary: "like edges, after a header line 'N M'",
        endings: &["txt", "edges"],
        comment: Some('#'),
        read: |text| read_headed(text, false),
        read_weighted: Some(|text| read_headed(text, true)),
        write: |graph, _, out| Ok(write_headed(graph, out)?),
        ..FormatKind::NONE
    });
}

const EDGE: &str = "an edge \"VERTEX VERTEX\"";
/// Characters that a name cannot contain, because lists written by programs have them around or after names.
const PUNCTUATION: [char; 8] = ['(', ')', '[', ']', '{', '}', ';', '"'];

const NAMED_EDGE: &str = "an edge \"NAME NAME\" like the first one";

/// Known headings, in lower case, of the two columns with the ends of edges. An arc leads from the first to the second.
const HEADS: [[&str; 2]; 7] = [
    ["source", "target"],
    ["from", "to"],
    ["tail", "head"],
    ["src", "dst"],
    ["node1", "node2"],
    ["vertex1", "vertex2"],
    ["u", "v"],
];

/// Words, in lower case, before the number of vertices or edges in the first line of a list.
const COUNTS: [&str; 10] = ["v", "e", "n", "m", "vertices", "edges", "nodes", "arcs", "order", "size"];

/// The two numbers in a line of the list, with the line number.
struct Pair {
    line: usize,
    ends: [u64; 2],
}

/// Reads a list and decides which of the two formats it has. An unclear text is an error. `weights` is true if the
/// caller has declared that the third column has weights. A text with two readings is unclear if they differ under
/// `directedness`.
pub(super) fn read(text: &str, weights: bool, directedness: Directedness) -> Result<TextGraph, FormatError> {
    if let Some(table) = Table::new(text) {
        return table.read(text);
    }
    if are_named(text) {
        return named(text, true);
    }
    match pairs(text, weights) {
        Ok(pairs) => {
            let graph = either(&pairs, directedness)?;
            Ok(graph.with(remark_on_weights(text, weights)).with(remark_on_directions(text)))
        }
        Err(error) => mixed(text, error),
    }
}

/// Reads a list without a header: every line is an edge.
pub(super) fn read_plain(text: &str, weights: bool) -> Result<TextGraph, FormatError> {
    if let Some(table) = Table::new(text) {
        return table.read(text);
    }
    if are_named(text) {
        return named(text, false);
    }
    match pairs(text, weights) {
        Ok(pairs) => Ok(plain(&pairs)?.with(remark_on_weights(text, weights))),
        Err(error) => mixed(text, error),
    }
}

/// Reads a list with a header: the first line has the numbers of vertices and edges.
pub(super) fn read_headed(text: &str, weights: bool) -> Result<TextGraph, FormatError> {
    headed(&pairs(text, weights)?)
}

/// Returns the remark that weights are ignored, if the list has weights that the caller has not declared.
fn remark_on_weights(text: &str, are_declared: bool) -> Option<Remark> {
    (!are_declared && are_weighted(text)).then_some(Remark::Weights)
}

/// Returns the remark that a comment before the first edge calls the graph directed, as SNAP and KONECT write.
fn remark_on_directions(text: &str) -> Option<Remark> {
    let mut comments = lines(text).map(|(_, line)| line).take_while(|line| is_comment(line));
    let says = |comment: &&str| {
        let comment = comment.trim_start_matches(COMMENTS).trim_start().to_ascii_lowercase();
        comment.starts_with("directed graph") || comment.starts_with("asym")
    };
    comments.find(says).map(|comment| Remark::SaysDirected(shown(comment)))
}

/// Reads a list of numbers again, in which the reader met a name (`error`), as a list of names. If the numbers of the
/// first line do not occur again, the first line may be a header `N M`, so the error stays.
fn mixed(text: &str, error: FormatError) -> Result<TextGraph, FormatError> {
    if !matches!(error.wrong, Wrong::Named(_) | Wrong::Mixed(_)) {
        return Err(error);
    }
    let mut all = entries(text).map(|(_, entry)| entry);
    let first = all.next().map(words).unwrap_or_default();
    let may_be_header = first.iter().all(|word| word.parse::<u64>().is_ok())
        && !all.any(|entry| words(entry).iter().take(2).any(|word| first.contains(word)));
    // Comments between the lines may be the names of vertices, as in LGL.
    let mut after_comments = lines(text).skip_while(|(_, line)| is_comment(line));
    match may_be_header || after_comments.any(|(_, line)| is_comment(line)) {
        true => Err(error),
        false => named(text, false),
    }
}

/// Table of edges under a header with known column headings.
struct Table<'t> {
    line: usize,
    separator: Option<char>,
    /// Columns of the two ends.
    ends: [usize; 2],
    /// Column that says "Directed" or "Undirected", as Gephi writes.
    kind: Option<usize>,
    header: &'t str,
}

impl<'t> Table<'t> {
    /// Returns the table that begins with the first line; `None` if this line is no header. The headings are names of
    /// vertices if they occur again.
    fn new(text: &'t str) -> Option<Self> {
        let mut all = entries(text);
        let (line, header) = all.next()?;
        let separator = separator(header);
        let heads: Vec<_> = cells(header, separator).map(str::to_ascii_lowercase).collect();
        let place = |head: &str| heads.iter().position(|other| other == head);
        let ends = HEADS.iter().find_map(|[a, b]| Some([place(a)?, place(b)?]))?;
        let of_ends = |row| {
            let cells: Vec<_> = cells(row, separator).collect();
            ends.map(|column| cells.get(column).copied())
        };
        let names = of_ends(header);
        let comes_again = |(_, row): (usize, &'t str)| of_ends(row).iter().any(|end| names.contains(end));
        let (number, row) = all.next()?;
        // Programs other than Gephi have a column of this name for other values.
        let kind = place("type").filter(|&column| {
            let kind = cells(row, separator).nth(column).unwrap_or_default();
            ["directed", "undirected"].contains(&kind.to_ascii_lowercase().as_str())
        });
        (!comes_again((number, row)) && !all.any(comes_again)).then_some(Self { line, separator, ends, kind, header })
    }

    fn read(&self, text: &str) -> Result<TextGraph, FormatError> {
        let mut edges = NamedEdges::default();
        for (line, entry) in entries(text).filter(|&(line, _)| line != self.line) {
            let wrong = || at(line, Wrong::Cells(shown(entry), shown(self.header)));
            let row: Vec<_> = cells(entry, self.separator).collect();
            let cell = |column: usize| row.get(column).copied().filter(|cell| !cell.is_empty());
            let mut ends = [0; 2];
            for (end, column) in ends.iter_mut().zip(self.ends) {
                *end = edges.vertex(line, cell(column).ok_or_else(wrong)?)?;
            }
            let [a, b] = ends;
            let kind = self.kind.and_then(cell).unwrap_or("undirected");
            if kind.eq_ignore_ascii_case("directed") {
                edges.push_arc(a, b);
            } else if kind.eq_ignore_ascii_case("undirected") {
                edges.push_on(line, a, b);
            } else {
                return Err(wrong());
            }
        }
        let declared = match (edges.has_arcs(), self.kind) {
            (true, _) => Declared::Digraph,
            (false, Some(_)) => Declared::Edges,
            (false, None) => Declared::Nothing,
        };
        edges.graph(Format::EDGES, declared)
    }
}

/// Returns the cells of a row of a table, without their quotes. Unlike words of an edge, cells may be empty.
fn cells(entry: &str, separator: Option<char>) -> impl Iterator<Item = &str> {
    let is_between = move |c: char| match separator {
        Some(separator) => c == separator,
        None => c.is_ascii_whitespace(),
    };
    let cells = unquoted(entry, is_between).map(|cell| bare(cell.trim()));
    cells.filter(move |cell| separator.is_some() || !cell.is_empty())
}

/// Returns a word without the quotes around it.
fn bare(word: &str) -> &str {
    let inside = word.strip_prefix('"').and_then(|word| word.strip_suffix('"'));
    inside.filter(|inside| !inside.contains('"')).unwrap_or(word)
}

/// Returns the first line that is not a comment.
pub(super) fn uncommented(text: &str) -> Option<&str> {
    let mut lines = lines(text).filter(|(_, line)| !is_comment(line));
    lines.next().map(|(_, line)| line)
}

/// True if a line is a comment of a list of edges.
pub(super) fn is_comment(line: &str) -> bool {
    line.starts_with(COMMENTS)
}

/// Returns the entries of a list of edges, each with its line number: the lines without comments, and without the
/// dictionaries of data that networkx writes.
fn entries(text: &str) -> impl Iterator<Item = (usize, &str)> {
    scan::entries(text).map(|(line, entry)| (line, without_data(entry)))
}

/// True if the first line is an edge between names, and not the header of a table of numbers.
pub(super) fn are_named(text: &str) -> bool {
    let mut entries = entries(text).map(|(_, entry)| entry);
    let first = entries.next();
    let first = first.and_then(|first| two(first, is_surely_weighted(first)));
    let are_names = first.is_some_and(|ends| ends.iter().all(|end| is_name(end)));
    are_names && !entries.next().is_some_and(begins_with_numbers)
}

fn begins_with_numbers(entry: &str) -> bool {
    let is_vertex = |word: &&str| word.parse::<u64>().is_ok();
    words(entry).iter().take(2).all(is_vertex)
}

/// True if a line can be an edge with a weight. A line of three whole numbers can also be something else.
fn is_weighted(entry: &str) -> bool {
    let words = words(entry);
    let whole = |word: &str| word.parse::<u64>().is_ok();
    match words.as_slice() {
        &[a, b, weight] => {
            let is_alike = is_name(a) && is_name(b) || whole(a) && whole(b);
            let are_ends = is_alike || is_end(a) && is_end(b) && !whole(weight);
            are_ends && is_number(weight)
        }
        _ => false,
    }
}

/// True if a line can only be an edge with a weight. False for three whole numbers, which can also be neighbours or a
/// row of a matrix.
fn is_surely_weighted(entry: &str) -> bool {
    let whole = |word: &&str| word.parse::<u64>().is_ok();
    is_weighted(entry) && !words(entry).iter().all(whole)
}

/// Returns the first line with a third column if every line consists of an edge and a weight that is a whole number.
/// The first line may be a header `N M`. Returns `None` for other texts, and for matrices.
pub(super) fn whole_weights(text: &str) -> Option<(usize, &str)> {
    let mut is_matrix = true;
    let mut found = None;
    for (place, (line, entry)) in entries(text).enumerate() {
        let words = words(entry);
        is_matrix &= words.iter().all(|word| matches!(*word, "0" | "1"));
        if !words.iter().all(|word| word.parse::<u64>().is_ok()) {
            return None;
        }
        match words.len() {
            2 if place == 0 => {}
            3 => _ = found.get_or_insert((line, entry)),
            _ => return None,
        }
    }
    found.filter(|_| !is_matrix)
}

/// Returns the first line that has at most one word, because a comment begins after the word.
pub(super) fn cut_line(text: &str) -> Option<(usize, &str)> {
    let mut all = lines(text).filter(|(_, line)| !is_comment(line));
    all.find(|(_, line)| {
        let entry = scan::uncommented(line);
        entry.len() < line.len() && words(entry).len() < 2
    })
}

/// True if the first line is an edge with a weight, and it or a later line can be nothing else. Then every line must have
/// a weight.
fn are_weighted(text: &str) -> bool {
    let mut entries = entries(text).map(|(_, entry)| entry).peekable();
    entries.peek().is_some_and(|first| is_weighted(first)) && entries.any(is_surely_weighted)
}

/// Returns the two ends of the edge in a line, without a weight; `None` if the line does not have two ends. `weighted`
/// is true if lines have weights.
fn two(entry: &str, weighted: bool) -> Option<[&str; 2]> {
    let mut words = words(entry);
    if weighted && is_weighted(entry) {
        words.pop();
    }
    words.try_into().ok()
}

/// Returns the two ends of the edge in a line, each a name or a number; `None` if the line is no edge. `weighted` is
/// true if lines have weights.
fn any_ends(entry: &str, weighted: bool) -> Option<[&str; 2]> {
    let ends = two(entry, weighted)?;
    ends.iter().all(|end| is_end(end)).then_some(ends)
}

/// True if a word can be an end of an edge: a name, or the number of a vertex.
fn is_end(word: &str) -> bool {
    is_name(word) || word.parse::<u64>().is_ok()
}

/// True if a word can be the name of a vertex. Tuples are allowed as names. Other words with brackets, and words in
/// single quotes, are not allowed, since they come from lists that programs write.
fn is_name(word: &str) -> bool {
    let is_quoted = word.len() > 1 && word.starts_with('\'') && word.ends_with('\'');
    let is_bare = !word.is_empty() && !is_number(word) && !is_quoted;
    is_bare && !word.contains(PUNCTUATION) || is_tuple(word)
}

fn is_number(word: &str) -> bool {
    word.parse::<f64>().is_ok_and(f64::is_finite)
}

/// Reads a list in which every line is an edge between two names. If there are later lines and none of them contains a
/// name of the first line, the first line may be the header of a table; this is an error if `refuse_head` is true.
fn named(text: &str, refuse_head: bool) -> Result<TextGraph, FormatError> {
    let mut edges = NamedEdges::default();
    let weighted = are_weighted(text);
    let mut first = None;
    let (mut lines, mut comes_again) = (0, false);
    let (mut name, mut number) = (None, None);
    for (line, entry) in entries(text) {
        let ends = any_ends(entry, weighted).ok_or_else(|| match is_weighted(entry) {
            true => at(line, Wrong::Weight(shown(entry.trim()))),
            false => not(line, entry, NAMED_EDGE),
        })?;
        let (_, of_first, separator) = *first.get_or_insert((line, ends, separator(entry)));
        if self::separator(entry) != separator {
            return Err(not(line, entry, NAMED_EDGE));
        }
        lines += 1;
        comes_again |= lines > 1 && ends.iter().any(|end| of_first.contains(end));
        for end in ends {
            match is_name(end) {
                true => name.get_or_insert(end),
                false => number.get_or_insert(end),
            };
        }
        let [a, b] = [edges.vertex(line, ends[0])?, edges.vertex(line, ends[1])?];
        edges.push_on(line, a, b);
    }
    if let Some((line, names, _)) = first
        && lines > 1
        && !comes_again
        && refuse_head
    {
        return Err(at(line, Wrong::Head(names.join(" "))));
    }
    let are_mixed = name.zip(number);
    // Counts before edges between numbers, such as "V 4" and "E 5", are no edges.
    if let (Some((line, [name, _], _)), Some(_)) = (first, are_mixed)
        && COUNTS.contains(&name.to_ascii_lowercase().as_str())
        && !entries(text).skip(1).any(|(_, entry)| words(entry).contains(&name))
    {
        return Err(at(line, Wrong::Head(first.map_or(String::new(), |(_, words, _)| words.join(" ")))));
    }
    let graph = edges.graph(Format::EDGES, Declared::Nothing)?;
    let mixed = are_mixed.map(|(name, number)| Remark::Mixed(shown(name), number.to_owned()));
    Ok(graph.with(remark_on_weights(text, false)).with(mixed))
}

fn pairs(text: &str, weights: bool) -> Result<Vec<Pair>, FormatError> {
    let mut pairs = Vec::new();
    let weighted = weights || are_weighted(text);
    let mut all = entries(text);
    while let Some((line, text)) = all.next() {
        let ends = ends(text, weighted).ok_or_else(|| {
            let mut next = || all.next().map(|(_, next)| next);
            no_edge(line, text, pairs.is_empty().then(&mut next).flatten())
        })?;
        pairs.push(Pair { line, ends });
    }
    if pairs.is_empty() {
        return Err(Wrong::Empty.into());
    }
    Ok(pairs)
}

/// Returns the separator of the words in a line: a comma, semicolon or tab that is not in quotes; `None` if blanks
/// separate the words.
fn separator(line: &str) -> Option<char> {
    let line = line.trim();
    if tuples(line).is_some() {
        return None;
    }
    [',', ';', '\t'].into_iter().find(|&c| unquoted(line, |other| other == c).nth(1).is_some())
}

/// Splits a line at the characters that `is_between` accepts, except inside double quotes.
fn unquoted(line: &str, is_between: impl Fn(char) -> bool) -> impl Iterator<Item = &str> {
    let mut quoted = false;
    line.split(move |c: char| {
        quoted ^= c == '"';
        !quoted && is_between(c)
    })
}

/// Splits a line at blanks and tabs, except inside round brackets: a tuple such as `(0, 1)` is one word.
pub(super) fn with_tuples(line: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0u32;
    let between = move |c: char| {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && c.is_ascii_whitespace()
    };
    line.split(between).filter(|word| !word.is_empty())
}

/// Returns the words of a line that begins with two tuples; `None` for other lines.
fn tuples(line: &str) -> Option<Vec<&str>> {
    if !line.starts_with('(') {
        return None;
    }
    let words: Vec<_> = with_tuples(line).collect();
    (words.len() > 1 && words[..2].iter().all(|word| is_tuple(word))).then_some(words)
}

/// True if a word is a tuple, such as `(0, 1)`.
fn is_tuple(word: &str) -> bool {
    let inner = word.strip_prefix('(').and_then(|w| w.strip_suffix(')'));
    inner.is_some_and(|inner| inner.contains(',') && !inner.contains(PUNCTUATION))
}

/// Returns the words of a line, without their quotes. Words are separated by commas, semicolons, tabs or blanks; a
/// final comma is allowed.
fn words(line: &str) -> Vec<&str> {
    let line = line.trim();
    if let Some(words) = tuples(line) {
        return words;
    }
    let separator = separator(line);
    let line = match separator {
        Some(',') => line.strip_suffix(',').unwrap_or(line),
        _ => line,
    };
    let between = |c: char| match separator {
        Some(separator) => c == separator,
        None => c.is_ascii_whitespace(),
    };
    let parts = unquoted(line, between).map(str::trim);
    // An empty part counts as a word between commas, but not between other separators.
    let there = parts.filter(|part| separator == Some(',') || !part.is_empty());
    there.map(bare).collect()
}

fn ends(line: &str, weighted: bool) -> Option<[u64; 2]> {
    let [a, b] = two(line, weighted)?;
    Some([a.parse().ok()?, b.parse().ok()?])
}

/// Returns the error for a line that is not an edge. If the line is the first in the list, `next` is the second.
fn no_edge(line: usize, text: &str, next: Option<&str>) -> FormatError {
    let words = words(text);
    let has_words = !words.is_empty() && words.iter().all(|word| is_name(word));
    if has_words && next.is_some_and(begins_with_numbers) {
        return at(line, Wrong::Head(shown(text.trim())));
    }
    match words.as_slice() {
        _ if is_surely_weighted(text) || is_weighted(text) && text.contains(',') => {
            at(line, Wrong::Weight(shown(text.trim())))
        }
        [_, _] if has_words => at(line, Wrong::Named(shown(text.trim()))),
        [a, b] if is_number(a) != is_number(b) && [a, b].iter().all(|w| is_number(w) || is_name(w)) => {
            at(line, Wrong::Mixed(shown(text.trim())))
        }
        _ => not(line, text, EDGE),
    }
}

/// Returns a line without the dictionary of data that networkx writes after an edge.
fn without_data(line: &str) -> &str {
    let (before, data) = line.split_at(line.find('{').unwrap_or(line.len()));
    match data.trim_end().ends_with('}') {
        true => before.trim_end(),
        false => line.trim_end(),
    }
}

fn has(pairs: &[Pair], vertex: u64) -> bool {
    pairs.iter().any(|pair| pair.ends.contains(&vertex))
}

fn numbering(pairs: &[Pair]) -> Numbering {
    match has(pairs, 0) {
        true => Numbering::FromZero,
        false => Numbering::FromOne,
    }
}

/// Reads pairs as a list without a header: every pair is an edge.
fn plain(pairs: &[Pair]) -> Result<TextGraph, FormatError> {
    let mut numbers: Vec<u64> = pairs.iter().flat_map(|pair| pair.ends).collect();
    numbers.sort_unstable();
    numbers.dedup();
    let numbering = numbering(pairs);
    let [Some(&first), Some(&last)] = [numbers.first(), numbers.last()] else {
        return Err(Wrong::Empty.into());
    };
    let n = match u32::try_from(numbers.len()) {
        Ok(n) if n <= MOST_VERTICES => n,
        _ => return Err(Wrong::TooLarge(numbers.len() as u64).into()),
    };
    // The numbers may be arbitrary, so each vertex is the rank of its number.
    let rank = |number: u64| numbers.partition_point(|&other| other < number) as u32;
    let edges = pairs.iter().map(|pair| pair.ends.map(rank).into()).collect();
    // The numbers are distinct and at least `numbering.first()`. Hence they are consecutive if the greatest is n − 1
    // above that number.
    let (names, remark) = if last - u64::from(numbering.first()) == u64::from(n - 1) {
        (numbering.into(), None)
    } else {
        match Words::new(numbers.iter().map(u64::to_string).collect()) {
            Ok(words) => (VertexNames::Words(words), Some(Remark::Gaps { n, first, last })),
            Err(error) => (VertexNames::default(), Some(Remark::Numbered(error))),
        }
    };
    let graph = TextGraph::new(Format::EDGES, names, n, Declared::Nothing, edges)?;
    let lines = pairs.iter().map(|pair| pair.line).collect();
    Ok(graph.on_lines(lines).with(remark))
}

/// Reads pairs as a list with a header. The first pair is the header.
fn headed(pairs: &[Pair]) -> Result<TextGraph, FormatError> {
    let Some((header, rest)) = pairs.split_first() else {
        return Err(Wrong::Empty.into());
    };
    let [n, announced] = header.ends;
    let n = match u32::try_from(n) {
        Ok(n) if n <= MOST_VERTICES => n,
        _ => return Err(at(header.line, Wrong::TooLarge(n))),
    };
    let numbering = numbering(rest);
    let mut edges = Edges::new(numbering, n);
    for pair in rest {
        edges.push(pair.line, pair.ends)?;
    }
    let counted = edges.are(announced);
    counted.map_err(|wrong| at(header.line, wrong))?;
    let graph = edges.graph(Format::EDGES_HEADER, Declared::Nothing)?;
    let isolated = Isolated::of(n, &graph.edges, numbering);
    Ok(graph.with(isolated.map(Remark::Isolated)))
}

/// Reads pairs, and decides by the rules in the module's documentation whether the first pair is a header.
fn either(pairs: &[Pair], directedness: Directedness) -> Result<TextGraph, FormatError> {
    let Some((first, rest)) = pairs.split_first() else {
        return Err(Wrong::Empty.into());
    };
    let [a, b] = first.ends;
    let from_zero = has(rest, 0);
    let greatest = rest.iter().flat_map(|pair| pair.ends).max().unwrap_or(0);
    let within = match from_zero {
        true => greatest < a,
        false => greatest <= a,
    };
    // A header may count an edge once or twice, and self-loops or not.
    let loops = |pair: &&Pair| pair.ends[0] == pair.ends[1];
    let counted = [true, false].into_iter().any(|with_loops| {
        let counted = || rest.iter().filter(|pair| with_loops || !loops(pair));
        b == counted().count() as u64 || b == different(counted())
    });
    let unclear = |header| at(first.line, Wrong::Unclear { a, b, header });
    match (counted && within, b >= a) {
        (true, true) => {
            let listed = headed(pairs)?;
            match neighbours(first, rest) {
                Some(metis) if !metis.agrees(&listed, directedness) => Err(at(first.line, Wrong::Neighbours { a, b })),
                _ => Ok(listed),
            }
        }
        (true, false) => {
            let (edges, header) = (plain(pairs)?, headed(pairs)?);
            if edges.agrees(&header, directedness) { Ok(edges) } else { Err(unclear(HeaderReading::Fits)) }
        }
        // A self-loop is ignored. If all other vertices are less, the line may instead be the header of another list.
        (false, _) if a == b && greatest <= a && !has(rest, a) => {
            let header = headed(pairs).err().unwrap_or_else(|| Wrong::Empty.into());
            Err(at(first.line, Wrong::LoopOrHeader(a, Box::new(header))))
        }
        (false, _) if counted && from_zero && greatest == a => Err(unclear(HeaderReading::FromZeroTo(a))),
        (false, _) if a >= greatest && b > a && (b - a > 1 || !rest.is_empty()) => {
            let found = rest.len() as u64;
            Err(unclear(HeaderReading::Edges { found }))
        }
        (false, _) => {
            let listed = plain(pairs)?;
            let is_gap = |remark: &Remark| matches!(remark, Remark::Gaps { .. });
            let has_gaps = listed.remarks.iter().any(is_gap);
            let found = rest.len() as u64;
            match has_gaps && (a > greatest || a == greatest && found < b) {
                true => Err(unclear(HeaderReading::Edges { found })),
                false => Ok(listed),
            }
        }
    }
}

/// Returns the number of distinct edges. An edge that is listed in both directions counts once.
fn different<'p>(pairs: impl Iterator<Item = &'p Pair>) -> u64 {
    let mut edges: Vec<_> = pairs.map(|&Pair { ends: [a, b], .. }| (a.min(b), a.max(b))).collect();
    edges.sort_unstable();
    edges.dedup();
    edges.len() as u64
}

/// Reads the lines as lists of neighbours in METIS's format, and returns the graph; `None` unless every line can be the
/// two neighbours of a vertex.
fn neighbours(header: &Pair, rest: &[Pair]) -> Option<TextGraph> {
    let n = rest.len() as u64;
    if header.ends != [n, n] {
        return None;
    }
    let of = |v: u64| Some(rest.get(usize::try_from(v.checked_sub(1)?).ok()?)?.ends);
    let mut edges = Vec::new();
    for (v, pair) in (1..=n).zip(rest) {
        let [a, b] = pair.ends;
        if a == b || a == v || b == v {
            return None;
        }
        for w in [a, b] {
            if !of(w)?.contains(&v) {
                return None;
            }
            edges.push((u32::try_from(v - 1).ok()?, u32::try_from(w - 1).ok()?));
        }
    }
    let n = u32::try_from(n).ok()?;
    TextGraph::new(Format::METIS, Numbering::FromOne, n, NEIGHBOURS, edges).ok()
}

pub(super) fn write(graph: &Graph, out: &mut dyn Write) -> io::Result<()> {
    for [a, b] in numbered_edges(graph) {
        writeln!(out, "{a} {b}")?;
    }
    Ok(())
}

pub(super) fn write_headed(graph: &Graph, out: &mut dyn Write) -> io::Result<()> {
    // Only lists with few edges can be unclear, so only they get the comment. Other lists begin with the header, as
    // most readers expect.
    if graph.n_edges() <= graph.n_vertices() {
        super::write_said(Format::EDGES_HEADER, out)?;
    }
    writeln!(out, "{} {}", graph.n_vertices(), graph.n_edges())?;
    write(graph, out)
}
