//! graph6, nauty's format for dense graphs: the number of vertices, and then the upper triangle of the adjacency
//! matrix, column by column. Each character, from `?` to `~`, holds six bits.
//!
//! Each graph takes one line. The header `>>graph6<<` may precede the first graph. Vertices have no names and are
//! numbered from 0, as in nauty. A digraph6 line begins with `&` and has the whole matrix, row by row. Such a line
//! describes a directed graph.
//!
//! # References
//!
//! - Brendan McKay: *Description of graph6, sparse6 and digraph6 encodings*, formats.txt in nauty.

use super::*;

impl Format {
    /// graph6 by McKay: the upper triangle of the adjacency matrix, six bits per character.
    pub const GRAPH6: Self = Self::new(&FormatKind {
        name: "graph6",
        summary: "nauty's graph6, one line per graph",
        endings: &["g6"],
        begins: |text| begins(text) && !is_sparse(text),
        read,
        is_line: true,
        bytes_of_matrix: Some(characters),
        has_arcs: true,
        write,
        ..FormatKind::NONE
    });
}

/// First character of a line in digraph6.
const DIRECTED: char = '&';
const STRING: &str = "a graph6 string, which has characters from ? to ~";

/// Reads a text with exactly one graph in graph6 or digraph6.
pub(super) fn read(text: &str) -> Result<TextGraph, FormatError> {
    let (line, string) = only(strings(text))?;
    let directed = string.strip_prefix(DIRECTED);
    let is_directed = directed.is_some();
    let (n, rest) = order(line, directed.unwrap_or(string), STRING)?;
    let (expected, found) = (characters(n.into(), is_directed), rest.len());
    if found as u64 != expected {
        let vertices = format!("a graph with {n} vertices");
        return Err(at(
            line,
            format!("{vertices} needs {expected} characters after the number of vertices, but {found} follow"),
        ));
    }
    let mut edges = Edges::new(Numbering::FromZero, n);
    // The pair of the next bit: a column and a row above it, or a row and a column.
    let (mut v, mut w) = (u32::from(!is_directed), 0);
    for is_set in bits(rest) {
        if v >= n {
            if is_set && !is_directed {
                return Err(not(line, string, STRING));
            }
            continue;
        }
        match is_directed {
            true if is_set => edges.pairs.arcs.push((v, w)),
            false if is_set => edges.pairs.edges.push((w, v)),
            _ => {}
        }
        w += 1;
        if w == if is_directed { n } else { v } {
            (v, w) = (v + 1, 0);
        }
    }
    edges.graph(Format::GRAPH6, if is_directed { Declared::Digraph } else { Declared::Unordered })
}

/// True if a text begins with a graph in graph6, sparse6 or digraph6.
pub(super) fn begins(text: &str) -> bool {
    let line = first_line(text);
    without_header(line).is_some() || line.strip_prefix([':', ';']).is_some_and(is_data) || is_whole(line)
}

/// Returns the rest of a line after its header; `None` if the line has no header.
fn without_header(line: &str) -> Option<&str> {
    let mut headers = [">>graph6<<", ">>sparse6<<", ">>digraph6<<"].into_iter();
    headers.find_map(|header| line.strip_prefix(header))
}

/// Returns the text of the graph in a line, without a header and without blanks around it.
pub(super) fn string(line: &str) -> &str {
    let line = line.trim();
    without_header(line).unwrap_or(line).trim_start()
}

/// Returns the graphs of a text, one per line, with their line numbers and without headers.
pub(super) fn strings(text: &str) -> impl Iterator<Item = (usize, &str)> {
    lines(text).map(|(number, line)| (number, string(line))).filter(|(_, string)| !string.is_empty())
}

/// Returns the format of a graph's text, which has no header.
pub(super) fn format_of(string: &str) -> Format {
    if string.starts_with([':', ';']) { Format::SPARSE6 } else { Format::GRAPH6 }
}

/// True if all characters of a text encode bits.
pub(super) fn is_data(text: &str) -> bool {
    text.bytes().all(|byte| (FIRST..=LAST).contains(&byte))
}

/// True if the first graph of a text is in sparse6.
pub(super) fn is_sparse(text: &str) -> bool {
    let first = strings(text).next();
    first_line(text).starts_with(">>sparse6") || first.is_some_and(|(_, string)| format_of(string) == Format::SPARSE6)
}

/// True if a line is in graph6 or digraph6 and has exactly the length that its number of vertices requires.
fn is_whole(line: &str) -> bool {
    let directed = line.strip_prefix(DIRECTED);
    let order = order(0, directed.unwrap_or(line), STRING);
    order.is_ok_and(|(n, rest)| rest.len() as u64 == characters(n.into(), directed.is_some()))
}

/// Returns the number of characters that encode an n×n matrix, or its upper triangle.
fn characters(n: u64, is_directed: bool) -> u64 {
    let pairs = if is_directed { n * n } else { n * n.saturating_sub(1) / 2 };
    pairs.div_ceil(BITS.into())
}

/// Number of bits per character.
const BITS: u8 = 6;
/// Character that encodes six zeros.
const FIRST: u8 = b'?';
/// Character that encodes six ones.
const LAST: u8 = b'~';

/// Returns the bits of characters from `?` to `~`.
pub(super) fn bits(characters: &[u8]) -> impl Iterator<Item = bool> {
    characters.iter().flat_map(|byte| (0..BITS).rev().map(move |bit| (byte - FIRST) >> bit & 1 == 1))
}

/// Parses the number of vertices at the beginning of a graph6 or sparse6 string. Returns this number and the rest of
/// the string.
pub(super) fn order<'t>(line: usize, string: &'t str, expected: &'static str) -> Result<(u32, &'t [u8]), FormatError> {
    let wrong = || not(line, string, expected);
    let bytes = string.as_bytes();
    if !is_data(string) {
        return Err(wrong());
    }
    let (before, digits) = match bytes {
        [LAST, LAST, ..] => (2, 6),
        [LAST, ..] => (1, 3),
        _ => (0, 1),
    };
    let number = bytes.get(before..before + digits).ok_or_else(wrong)?;
    let n = number.iter().fold(0, |value, byte| value << BITS | u64::from(byte - FIRST));
    Ok((n_vertices(line, n)?, &bytes[before + digits..]))
}

/// Writes the number of vertices, with which every graph6 or sparse6 string begins.
pub(super) fn write_order(n: u32, out: &mut dyn Write) -> io::Result<()> {
    let (before, digits) = match n {
        0..=62 => (0, 1),
        63..=258_047 => (1, 3),
        _ => (2, 6),
    };
    out.write_all(&[LAST; 2][..before])?;
    for place in (0..digits).rev() {
        let digit = u64::from(n) >> (BITS * place) & 0x3f;
        out.write_all(&[FIRST + digit as u8])?;
    }
    Ok(())
}

/// Writer that packs bits into characters, six bits each.
pub(super) struct Packer<'w> {
    out: &'w mut dyn Write,
    value: u8,
    filled: u8,
}

impl<'w> Packer<'w> {
    pub(super) fn new(out: &'w mut dyn Write) -> Self {
        Self { out, value: 0, filled: 0 }
    }

    pub(super) fn push(&mut self, bit: bool) -> io::Result<()> {
        self.value = self.value << 1 | u8::from(bit);
        self.filled += 1;
        if self.filled == BITS {
            self.out.write_all(&[FIRST + self.value])?;
            (self.value, self.filled) = (0, 0);
        }
        Ok(())
    }

    /// Appends `count` zero bits.
    fn zeros(&mut self, mut count: u64) -> io::Result<()> {
        const MANY: [u8; 1 << 10] = [FIRST; 1 << 10];
        while count > 0 && (self.filled > 0 || count < u64::from(BITS)) {
            self.push(false)?;
            count -= 1;
        }
        let mut whole = count / u64::from(BITS);
        while whole > 0 {
            let some = whole.min(MANY.len() as u64);
            self.out.write_all(&MANY[..some as usize])?;
            whole -= some;
        }
        (0..count % u64::from(BITS)).try_for_each(|_| self.push(false))
    }

    /// Returns the number of bits that are missing to complete the current character; 0 if no character has been
    /// started.
    pub(super) fn lacks(&self) -> u8 {
        (BITS - self.filled) % BITS
    }

    /// Completes the current character with copies of this bit.
    pub(super) fn pad(&mut self, bit: bool) -> io::Result<()> {
        (0..self.lacks()).try_for_each(|_| self.push(bit))
    }
}

fn write(graph: &NamedGraph<'_>, out: &mut dyn Write) -> Result<(), WriteError> {
    let n = u64::from(graph.n());
    if graph.is_directed {
        out.write_all(DIRECTED.to_string().as_bytes())?;
    }
    write_order(graph.n(), out)?;
    let mut packer = Packer::new(out);
    let mut written = 0;
    // The arcs come in the order of their bits: those from a column to a row above it, or all.
    for arc in graph.digraph.arcs().filter(|arc| graph.is_directed || arc.head < arc.tail) {
        let [v, w] = [arc.tail, arc.head].map(|v| u64::from(v.number()));
        let place = if graph.is_directed { v * n + w } else { v * v.saturating_sub(1) / 2 + w };
        packer.zeros(place - written)?;
        packer.push(true)?;
        written = place + 1;
    }
    packer.zeros(characters(n, graph.is_directed) * u64::from(BITS) - written)?;
    Ok(writeln!(out)?)
}
