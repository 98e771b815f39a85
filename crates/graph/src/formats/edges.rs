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
//! A graph has no weights: a third column of weights is ignored if the first line shows that the column has weights.
//! Three whole numbers do not show this, because they may also be neighbours or a row of a matrix. [`weights`] reads the
//! column.
//!
//! A list whose first line is the comment `# edges-header` has the second format. The writer adds this comment if a
//! list would otherwise be unclear.
//!
//! In METIS's format ([`metis`](super::metis)), each line after the header has the neighbours of one vertex. If every
//! vertex has two neighbours, such a text also looks like a list of different edges, so it is unclear too.

use super::*;

impl Format {
    /// Plain list of edges: a line `U V` for each edge.
    pub const EDGES: Self = Self::new(&FormatKind {
        name: "edges",
        summary: "a line 'U V' for each edge",
        endings: &[],
        read: |text| read_plain(text, false),
        write: |graph, out| match graph.digraph.vertices().find(|&v| graph.digraph.successors(v).is_empty()) {
            Some(v) => Err(WriteError::Isolated(Numbering::FromOne.number(v))),
            None => write(graph, out),
        },
        ..FormatKind::NONE
    });

    /// List of edges with a header: a line `N M`, and then a line `U V` for each edge.
    pub const EDGES_HEADER: Self = Self::new(&FormatKind {
        name: "edges-header",
        summary: "like edges, after a header line 'N M'",
        endings: &["txt", "edges"],
        comment: Some('#'),
        read: |text| headed(&pairs(text, false)?),
        write: |graph, out| {
            // Only lists with few edges can be unclear, so only they get the comment. Other lists begin with the
            // header, as most readers expect.
            if graph.n_edges() <= graph.n() {
                write_title(Format::EDGES_HEADER, out)?;
            }
            writeln!(out, "{} {}", graph.n(), graph.n_edges())?;
            write(graph, out)
        },
        ..FormatKind::NONE
    });
}

const EDGE: &str = "an edge \"VERTEX VERTEX\"";
const NAMED_EDGE: &str = "an edge \"NAME NAME\" like the first one";

/// Characters that a name cannot contain, because lists written by programs have them around or after names.
const PUNCTUATION: [char; 8] = ['(', ')', '[', ']', '{', '}', ';', '"'];

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
#[derive(Clone, Copy)]
struct Pair {
    line: usize,
    ends: [u64; 2],
}

/// Reads a list and decides which of the two formats it has. An unclear text is an error. `weights` is true if the
/// caller has declared that the third column has weights. A text with two readings is unclear if they differ under
/// `directedness`.
pub(super) fn read(text: &str, weights: bool, directedness: Directedness) -> Result<TextGraph, FormatError> {
    list(text, weights, true, |pairs| {
        let graph = either(pairs, directedness)?;
        Ok(graph.with(remark_on_weights(text, weights)).with(remark_on_directions(text)))
    })
}

/// Reads a list without a header: every line is an edge.
fn read_plain(text: &str, weights: bool) -> Result<TextGraph, FormatError> {
    list(text, weights, false, |pairs| Ok(plain(pairs)?.with(remark_on_weights(text, weights))))
}

/// Reads a list in one of the two formats whose third column has weights.
pub(super) fn read_weighted(text: &str, format: Format) -> Result<TextGraph, FormatError> {
    if format == Format::EDGES {
        return read_plain(text, true);
    }
    if format == Format::EDGES_HEADER {
        return headed(&pairs(text, true)?);
    }
    let only = "only lists of edges have weights in a third column";
    Err(at(0, format!("the format \"{format}\" has no weights; {only}")))
}

/// Reads the integers in the third column of the list that a graph was read from; `None` if the list has only two
/// columns. An error names the line of a weight that is no integer, or of an edge with two different weights.
pub(super) fn weights(text: &str, graph: &TextGraph, is_directed: bool) -> Result<Option<Weights>, FormatError> {
    let pairs = &graph.pairs;
    let mut weights = Weights::new(graph.n, is_directed);
    let mut entries = entries(text);
    for (&(tail, head), &line) in pairs.edges.iter().zip(&pairs.lines) {
        let entry = entries.find(|&(number, _)| number == line).map_or("", |(_, entry)| entry);
        let weight = match words(entry)[..] {
            [_, _] if line == pairs.lines[0] => return Ok(None),
            [_, _, weight] => weight.parse().ok(),
            _ => None,
        };
        let weight =
            weight.ok_or_else(|| not(line, entry, "an edge \"VERTEX VERTEX WEIGHT\" with an integer weight"))?;
        if tail != head {
            let wrong = |error: WeightError| at(line, format!("\"{}\": {error}", shown(entry)));
            weights.insert((tail, head), weight).map_err(wrong)?;
        }
    }
    Ok(Some(weights))
}

/// Reads a table, a list of names, or a list of numbers, whose edges `read` reads. If `refuse_head` is true, a list of
/// names must not look like a table with unknown headings.
fn list(
    text: &str,
    weights: bool,
    refuse_head: bool,
    read: impl FnOnce(&[Pair]) -> Result<TextGraph, FormatError>,
) -> Result<TextGraph, FormatError> {
    if let Some(table) = Table::new(text) {
        return table.read(text);
    }
    if are_named(text) {
        return named(text, weights, refuse_head);
    }
    match pairs(text, weights) {
        Ok(pairs) => read(&pairs),
        Err(error) => mixed(text, error),
    }
}

/// Returns the remark that weights are ignored, if the list has weights that the caller has not declared.
fn remark_on_weights(text: &str, are_declared: bool) -> Option<Remark> {
    (!are_declared && are_weighted(text)).then_some(Remark::WEIGHTS)
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
    if !matches!(error.wrong, Wrong::Names(_)) {
        return Err(error);
    }
    let mut all = entries(text).map(|(_, entry)| words(entry));
    let first = all.next().unwrap_or_default();
    let may_be_header = first.iter().all(|word| is_whole(word))
        && !all.any(|words| words.iter().take(2).any(|word| first.contains(word)));
    // Comments between the lines may be the names of vertices, as in LGL.
    let mut after_comments = lines(text).skip_while(|(_, line)| is_comment(line));
    if may_be_header || after_comments.any(|(_, line)| is_comment(line)) {
        Err(error)
    } else {
        named(text, false, false)
    }
}

/// Kinds of edges in Gephi's tables.
const KINDS: [&str; 2] = ["directed", "undirected"];

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
            KINDS.contains(&kind.to_ascii_lowercase().as_str())
        });
        (!comes_again((number, row)) && !all.any(comes_again)).then_some(Self { line, separator, ends, kind, header })
    }

    fn read(&self, text: &str) -> Result<TextGraph, FormatError> {
        let mut edges = NamedEdges::default();
        for (line, entry) in entries(text).filter(|&(line, _)| line != self.line) {
            let wrong = || {
                let (entry, header) = (shown(entry), shown(self.header));
                at(line, format!("\"{entry}\" is no edge of a table with the header \"{header}\""))
            };
            let row: Vec<_> = cells(entry, self.separator).collect();
            let cell = |column: usize| row.get(column).copied().filter(|cell| !cell.is_empty());
            let mut end = |column| edges.vertex(line, cell(column).ok_or_else(wrong)?);
            let (a, b) = (end(self.ends[0])?, end(self.ends[1])?);
            let kind = self.kind.and_then(cell).unwrap_or("undirected").to_ascii_lowercase();
            if !KINDS.contains(&kind.as_str()) {
                return Err(wrong());
            }
            edges.push(line, kind == "directed", a, b);
        }
        let declared = match (edges.pairs.arcs.is_empty(), self.kind) {
            (false, _) => Declared::Digraph,
            (true, Some(_)) => Declared::Edges,
            (true, None) => Declared::Nothing,
        };
        edges.graph(Format::EDGES, declared)
    }
}

/// Returns the parts of a line, separated by a character or by blanks, except inside double quotes.
fn parts(line: &str, separator: Option<char>) -> impl Iterator<Item = &str> {
    let is_between = move |c: char| match separator {
        Some(separator) => c == separator,
        None => c.is_ascii_whitespace(),
    };
    unquoted(line, is_between).map(str::trim)
}

/// Returns the cells of a row of a table, without their quotes. Unlike words of an edge, cells may be empty.
fn cells(entry: &str, separator: Option<char>) -> impl Iterator<Item = &str> {
    parts(entry, separator).map(bare).filter(move |cell| separator.is_some() || !cell.is_empty())
}

/// Returns a word without the quotes around it.
fn bare(word: &str) -> &str {
    let inside = word.strip_prefix('"').and_then(|word| word.strip_suffix('"'));
    inside.filter(|inside| !inside.contains('"')).unwrap_or(word)
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
    words(entry).iter().take(2).all(|word| is_whole(word))
}

/// True if a word is the number of a vertex.
fn is_whole(word: &str) -> bool {
    word.parse::<u64>().is_ok()
}

/// True if a line can be an edge with a weight. A line of three whole numbers can also be something else.
fn is_weighted(entry: &str) -> bool {
    let &[a, b, weight] = words(entry).as_slice() else {
        return false;
    };
    let is_alike = is_name(a) && is_name(b) || is_whole(a) && is_whole(b);
    (is_alike || is_end(a) && is_end(b) && !is_whole(weight)) && is_number(weight)
}

/// True if a line can only be an edge with a weight. False for three whole numbers, which can also be neighbours or a
/// row of a matrix.
fn is_surely_weighted(entry: &str) -> bool {
    is_weighted(entry) && !words(entry).iter().all(|word| is_whole(word))
}

/// Returns the first line with a third column if every line consists of an edge and a weight that is a whole number.
/// The first line may be a header `N M`. Returns `None` for other texts, and for matrices.
pub(super) fn whole_weights(text: &str) -> Option<(usize, &str)> {
    let mut is_matrix = true;
    let mut found = None;
    for (place, (line, entry)) in entries(text).enumerate() {
        let words = words(entry);
        is_matrix &= words.iter().all(|word| matches!(*word, "0" | "1"));
        match words.len() {
            _ if !words.iter().all(|word| is_whole(word)) => return None,
            2 if place == 0 => {}
            3 => _ = found.get_or_insert((line, entry)),
            _ => return None,
        }
    }
    found.filter(|_| !is_matrix)
}

/// Returns the first line that has at most one word, because a comment begins after the word.
pub(super) fn cut_line(text: &str) -> Option<(usize, &str)> {
    content(text).find(|(_, line)| {
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

/// True if a word can be an end of an edge: a name, or the number of a vertex.
fn is_end(word: &str) -> bool {
    is_name(word) || is_whole(word)
}

/// True if a word can be the name of a vertex. Tuples are allowed as names. Other words with brackets, and words in
/// single quotes, are not allowed, since they come from lists that programs write.
fn is_name(word: &str) -> bool {
    let is_quoted = word.len() > 1 && word.starts_with('\'') && word.ends_with('\'');
    let is_bare = !word.is_empty() && !is_number(word) && !is_quoted;
    is_bare && !word.contains(PUNCTUATION) || is_tuple(word)
}

/// Returns the error for a line with a weight, or with a third number that may be a neighbour.
fn weight(line: usize, entry: &str) -> FormatError {
    at(line, Wrong::Weight(shown(entry.trim())))
}

/// Returns the error for the header of a table.
fn head(line: usize, text: &str) -> FormatError {
    let advice = "remove it and keep one edge per line, \"VERTEX VERTEX\" or \"VERTEX,VERTEX\"";
    at(line, format!("\"{text}\" looks like a table header; {advice}"))
}

/// Reads a list in which every line is an edge between two names. If there are later lines and none of them contains a
/// name of the first line, the first line may be the header of a table; this is an error if `refuse_head` is true.
fn named(text: &str, weights: bool, refuse_head: bool) -> Result<TextGraph, FormatError> {
    let mut edges = NamedEdges::default();
    let weighted = are_weighted(text);
    let mut first = None;
    let mut comes_again = false;
    let (mut name, mut number) = (None, None);
    for (line, entry) in entries(text) {
        let ends = two(entry, weighted).filter(|ends| ends.iter().all(|end| is_end(end)));
        let ends = ends.ok_or_else(|| match is_weighted(entry) {
            true => weight(line, entry),
            false => not(line, entry, NAMED_EDGE),
        })?;
        let is_later = first.is_some();
        let (_, of_first, separator) = *first.get_or_insert((line, ends, separator(entry)));
        if self::separator(entry) != separator {
            return Err(not(line, entry, NAMED_EDGE));
        }
        comes_again |= is_later && ends.iter().any(|end| of_first.contains(end));
        for end in ends {
            if is_name(end) { &mut name } else { &mut number }.get_or_insert(end);
        }
        let [a, b] = ends.map(|end| edges.vertex(line, end));
        edges.push(line, false, a?, b?);
    }
    let mixed = name.zip(number).map(|(name, number)| Remark::Mixed(shown(name), number.to_owned()));
    if let Some((line, names, _)) = first {
        let is_head = refuse_head && edges.pairs.edges.len() > 1 && !comes_again;
        // Counts before edges between numbers, such as "V 4" and "E 5", are no edges.
        let is_count = mixed.is_some()
            && COUNTS.contains(&names[0].to_ascii_lowercase().as_str())
            && !entries(text).skip(1).any(|(_, entry)| words(entry).contains(&names[0]));
        if is_head || is_count {
            return Err(head(line, &names.join(" ")));
        }
    }
    let graph = edges.graph(Format::EDGES, Declared::Nothing)?;
    Ok(graph.with(remark_on_weights(text, weights)).with(mixed))
}

fn pairs(text: &str, weights: bool) -> Result<Vec<Pair>, FormatError> {
    let mut pairs = Vec::new();
    let weighted = weights || are_weighted(text);
    let mut all = entries(text);
    while let Some((line, text)) = all.next() {
        let ends = two(text, weighted).and_then(|[a, b]| Some([a.parse().ok()?, b.parse().ok()?]));
        let ends = ends.ok_or_else(|| {
            let next = if pairs.is_empty() { all.next() } else { None };
            no_edge(line, text, next.map(|(_, next)| next))
        })?;
        pairs.push(Pair { line, ends });
    }
    if pairs.is_empty() { Err(at(0, EMPTY)) } else { Ok(pairs) }
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
    let line = line.strip_suffix(',').filter(|_| separator == Some(',')).unwrap_or(line);
    // An empty part counts as a word between commas, but not between other separators.
    let there = parts(line, separator).filter(|part| separator == Some(',') || !part.is_empty());
    there.map(bare).collect()
}

/// Returns the error for a line that is not an edge. If the line is the first in the list, `next` is the second.
fn no_edge(line: usize, text: &str, next: Option<&str>) -> FormatError {
    let words = words(text);
    let has_words = !words.is_empty() && words.iter().all(|word| is_name(word));
    let text = text.trim();
    if has_words && next.is_some_and(begins_with_numbers) {
        return head(line, &shown(text));
    }
    match words.as_slice() {
        _ if is_surely_weighted(text) || is_weighted(text) && text.contains(',') => weight(line, text),
        [_, _] if has_words => {
            let text = shown(text);
            let why = format!("\"{text}\" is not a pair of numbers, but the edges before this line are");
            at(line, Wrong::Names(why))
        }
        [a, b] if is_number(a) != is_number(b) && [a, b].iter().all(|w| is_number(w) || is_name(w)) => {
            let advice = "use only names or only numbers in a list of edges";
            at(line, Wrong::Names(format!("\"{}\" mixes a name and a number; {advice}", shown(text))))
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
    if has(pairs, 0) { Numbering::FromZero } else { Numbering::FromOne }
}

/// Reads pairs as a list without a header: every pair is an edge.
fn plain(pairs: &[Pair]) -> Result<TextGraph, FormatError> {
    let mut numbers: Vec<u64> = pairs.iter().flat_map(|pair| pair.ends).collect();
    numbers.sort_unstable();
    numbers.dedup();
    let numbering = numbering(pairs);
    let [Some(&first), Some(&last)] = [numbers.first(), numbers.last()] else {
        return Err(at(0, EMPTY));
    };
    let n = n_vertices(0, numbers.len() as u64)?;
    // The numbers may be arbitrary, so each vertex is the rank of its number.
    let rank = |number: u64| numbers.partition_point(|&other| other < number) as u32;
    // The numbers are distinct and at least `numbering.first()`. Hence they are consecutive if the greatest is n − 1
    // above that number.
    let (names, remark) = if last - u64::from(numbering.first()) == u64::from(n - 1) {
        (numbering.into(), None)
    } else {
        match Words::new(numbers.iter().map(u64::to_string).collect()) {
            Ok(words) => (VertexNames::Words(words), Some(Remark::Gaps { n, first, last })),
            Err(error) => (VertexNames::default(), Some(numbered(&error))),
        }
    };
    let edges = pairs.iter().map(|pair| pair.ends.map(rank).into()).collect();
    let mut graph = TextGraph::new(Format::EDGES, names, n, Declared::Nothing, edges)?;
    graph.pairs.lines = pairs.iter().map(|pair| pair.line).collect();
    Ok(graph.with(remark))
}

/// Reads pairs as a list with a header. The first pair is the header.
fn headed(pairs: &[Pair]) -> Result<TextGraph, FormatError> {
    let (header, rest) = pairs.split_first().ok_or_else(|| at(0, EMPTY))?;
    let [n, announced] = header.ends;
    let mut edges = Edges::new(numbering(rest), n_vertices(header.line, n)?);
    for pair in rest {
        edges.push(pair.line, false, pair.ends)?;
    }
    edges.are(header.line, announced)?;
    let graph = edges.graph(Format::EDGES_HEADER, Declared::Nothing)?;
    let isolated = isolated(&graph);
    Ok(graph.with(isolated))
}

/// Returns the remark that the header counts vertices without edges, which may be a mistake. Names the first ones.
fn isolated(graph: &TextGraph) -> Option<Remark> {
    let mut has_edge = vec![false; graph.n as usize];
    for &(a, b) in &graph.pairs.edges {
        has_edge[a as usize] = true;
        has_edge[b as usize] = true;
    }
    let isolated = || (0..graph.n).filter(|&v| !has_edge[v as usize]).map(|v| graph.names.name(Vertex::new(v)));
    let count = isolated().count();
    // The words "1 more" would not be shorter than the number of the vertex, so at least two vertices are omitted.
    let most = if count > 3 { 2 } else { 3 };
    let named = and_more(isolated().take(most).collect(), count, most);
    match count {
        0 => None,
        1 => Some(format!("vertex {named} has no edge").into()),
        _ => Some(format!("vertices {named} have no edge; does the numbering have gaps?").into()),
    }
}

/// Reads pairs, and decides by the rules in the module's documentation whether the first pair is a header.
fn either(pairs: &[Pair], directedness: Directedness) -> Result<TextGraph, FormatError> {
    let (first, rest) = pairs.split_first().ok_or_else(|| at(0, EMPTY))?;
    let [a, b] = first.ends;
    let from_zero = has(rest, 0);
    let greatest = rest.iter().flat_map(|pair| pair.ends).max().unwrap_or(0);
    let within = if from_zero { greatest < a } else { greatest <= a };
    // A header may count an edge once or twice, and self-loops or not.
    let loops = |pair: &&Pair| pair.ends[0] == pair.ends[1];
    let counted = [true, false].into_iter().any(|with_loops| {
        let counted = || rest.iter().filter(|pair| with_loops || !loops(pair));
        b == counted().count() as u64 || b == different(counted())
    });
    let unclear = |but: String| {
        let why = format!("\"{a} {b}\" may be an edge, or a header for {a} vertices and {b} edges{but}");
        Err(at(first.line, Wrong::Unclear { formats: vec![Format::EDGES, Format::EDGES_HEADER], why }))
    };
    let found = rest.len() as u64;
    let but_edges = || unclear(format!(", but {found} edges follow"));
    match (counted && within, b >= a) {
        (true, true) => {
            let listed = headed(pairs)?;
            match neighbours(pairs) {
                Some(metis) if !metis.agrees(&listed, directedness) => {
                    let lists = "could be edges, or could list the two neighbours of each vertex (METIS)";
                    let why = format!("the lines after \"{a} {b}\" {lists}");
                    Err(at(first.line, Wrong::Unclear { formats: vec![Format::EDGES_HEADER, Format::METIS], why }))
                }
                _ => Ok(listed),
            }
        }
        (true, false) => {
            let (edges, header) = (plain(pairs)?, headed(pairs)?);
            if edges.agrees(&header, directedness) { Ok(edges) } else { unclear(String::new()) }
        }
        // A self-loop is ignored. If all other vertices are less, the line may instead be the header of another list.
        (false, _) if a == b && greatest <= a && !has(rest, a) => {
            let header = headed(pairs).err().unwrap_or_else(|| at(0, EMPTY));
            let readings = "is a self-loop if read as an edge, and an error if read as a header";
            Err(at(first.line, format!("\"{a} {a}\" {readings}: {header}")))
        }
        (false, _) if counted && from_zero && greatest == a => unclear(format!(", but vertices 0 to {a} occur")),
        (false, _) if a >= greatest && b > a && (b - a > 1 || !rest.is_empty()) => but_edges(),
        (false, _) => {
            let listed = plain(pairs)?;
            let has_gaps = listed.remarks.iter().any(|remark| matches!(remark, Remark::Gaps { .. }));
            if has_gaps && (a > greatest || a == greatest && found < b) { but_edges() } else { Ok(listed) }
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

/// Reads the lines in METIS's format, and returns the graph; `None` unless every line after the header can be the two
/// neighbours of a vertex.
fn neighbours(pairs: &[Pair]) -> Option<TextGraph> {
    let (header, rest) = pairs.split_first()?;
    let n = rest.len() as u64;
    if header.ends != [n, n] || rest.iter().any(|pair| pair.ends[0] == pair.ends[1]) {
        return None;
    }
    let text: String = pairs.iter().map(|Pair { ends: [a, b], .. }| format!("{a} {b}\n")).collect();
    Format::METIS.read_strictly.and_then(|read| read(&text).ok())
}

fn write(graph: &NamedGraph<'_>, out: &mut dyn Write) -> Result<(), WriteError> {
    Ok(graph.numbered_pairs().try_for_each(|[a, b]| writeln!(out, "{a} {b}"))?)
}
