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

use std::io::{self, Write};

use super::{Declared, Edges, Format, FormatError, FormatKind, MOST_VERTICES, TextGraph, Wrong, at, lines, not};
use crate::graph::Graph;
use crate::numbering::Numbering;

impl Format {
    /// graph6 by McKay: the upper triangle of the adjacency matrix, six bits per character.
    pub const GRAPH6: Self = Self::new(&FormatKind {
        name: "graph6",
        summary: "nauty's graph6, one line per graph",
        endings: &["g6"],
        begins: |text| begins(text) && !is_sparse(text),
        read,
        is_line: true,
        bytes_of_matrix: Some(|n, is_directed| {
            let pairs = if is_directed { n * n } else { n * n.saturating_sub(1) / 2 };
            pairs.div_ceil(BITS.into())
        }),
        write: |graph, _, out| Ok(write(graph, out)?),
        write_directed: Some(|digraph, _, out| {
            out.write_all(DIRECTED.to_string().as_bytes())?;
            let n = digraph.n_vertices();
            write_order(n, out)?;
            let mut packer = Packer::new(out);
            let mut written = 0;
            for arc in digraph.arcs() {
                let [tail, head] = [arc.tail, arc.head].map(|v| u64::from(v.number()));
                let place = tail * u64::from(n) + head;
                packer.zeros(place - written)?;
                packer.push(true)?;
                written = place + 1;
            }
            packer.zeros(directed_characters(n) * u64::from(BITS) - written)?;
            Ok(writeln!(out)?)
        }),
        ..FormatKind::NONE
    });
}

/// Headers that may precede the first graph of a file.
pub(super) const HEADERS: [&str; 3] = [">>graph6<<", ">>sparse6<<", ">>digraph6<<"];
/// First character of a line in digraph6.
pub(super) const DIRECTED: char = '&';
const STRING: &str = "a graph6 string, which has characters from ? to ~";

/// Reads a text with exactly one graph in graph6 or digraph6.
pub(super) fn read(text: &str) -> Result<TextGraph, FormatError> {
    let (line, string) = only(text)?;
    if let Some(string) = string.strip_prefix(DIRECTED) {
        return read_directed(line, string);
    }
    let (n, rest) = order(line, string, STRING)?;
    let expected = characters(n);
    let found = rest.len() as u64;
    if found != expected {
        return Err(at(line, Wrong::Characters { vertices: n, expected, found }));
    }
    let mut edges = Edges::new(Numbering::FromZero, n);
    let (mut row, mut column) = (0, 1);
    for value in rest.iter().map(|byte| byte - FIRST) {
        for bit in (0..BITS).rev() {
            let is_set = value >> bit & 1 == 1;
            if column >= n {
                if is_set {
                    return Err(not(line, string, STRING));
                }
                continue;
            }
            if is_set {
                edges.list.push((row, column));
            }
            row += 1;
            if row == column {
                (row, column) = (0, column + 1);
            }
        }
    }
    edges.graph(Format::GRAPH6, Declared::Unordered)
}

/// Reads a graph in digraph6: the whole adjacency matrix, row by row.
fn read_directed(line: usize, string: &str) -> Result<TextGraph, FormatError> {
    let (n, rest) = order(line, string, STRING)?;
    let (vertices, found) = (n, rest.len() as u64);
    let expected = directed_characters(n);
    if found != expected {
        return Err(at(line, Wrong::Characters { vertices, expected, found }));
    }
    let mut edges = Edges::new(Numbering::FromZero, n);
    let bits = rest.iter().flat_map(|byte| {
        let value = byte - FIRST;
        (0..BITS).rev().map(move |bit| value >> bit & 1 == 1)
    });
    let places = (0..n).flat_map(|tail| (0..n).map(move |head| [tail, head].map(u64::from)));
    for (arc, _) in places.zip(bits).filter(|&(_, is_set)| is_set) {
        edges.push_arc(line, arc)?;
    }
    edges.graph(Format::GRAPH6, Declared::Digraph)
}

/// True if a text begins with a graph in graph6, sparse6 or digraph6.
pub(super) fn begins(text: &str) -> bool {
    let first = lines(text).next();
    first.is_some_and(|(_, line)| {
        HEADERS.iter().any(|header| line.starts_with(header))
            || line.strip_prefix([':', ';']).is_some_and(is_data)
            || is_whole(line)
    })
}

/// True if all characters of a text encode bits.
pub(super) fn is_data(text: &str) -> bool {
    text.bytes().all(|byte| (FIRST..=LAST).contains(&byte))
}

/// True if the first graph of a text is in sparse6.
pub(super) fn is_sparse(text: &str) -> bool {
    let first = strings(text).next();
    let says = lines(text).next().is_some_and(|(_, line)| line.starts_with(">>sparse6"));
    says || first.is_some_and(|(_, string)| string.starts_with([':', ';']))
}

/// True if a line is in graph6 or digraph6 and has exactly the length that its number of vertices requires.
pub(super) fn is_whole(line: &str) -> bool {
    let (string, all): (_, fn(u32) -> u64) = match line.strip_prefix(DIRECTED) {
        Some(string) => (string, directed_characters),
        None => (line, characters),
    };
    let order = order(0, string, STRING);
    order.is_ok_and(|(n, rest)| rest.len() as u64 == all(n))
}

/// Returns the number of characters that encode the upper triangle of an n×n matrix.
fn characters(n: u32) -> u64 {
    let n = u64::from(n);
    (n * n.saturating_sub(1) / 2).div_ceil(u64::from(BITS))
}

/// Returns the number of characters that encode a whole n×n matrix.
fn directed_characters(n: u32) -> u64 {
    let n = u64::from(n);
    (n * n).div_ceil(u64::from(BITS))
}

/// Number of bits per character.
pub(super) const BITS: u8 = 6;
/// Character that encodes six zeros.
pub(super) const FIRST: u8 = b'?';
/// Character that encodes six ones.
pub(super) const LAST: u8 = b'~';

/// Returns the graphs of a text, one per line, with their line numbers and without headers.
pub(super) fn strings(text: &str) -> impl Iterator<Item = (usize, &str)> {
    lines(text).filter_map(|(number, line)| {
        let mut headers = HEADERS.iter();
        let behind = headers.find_map(|header| line.strip_prefix(header));
        let graph = behind.unwrap_or(line).trim_start();
        (!graph.is_empty()).then_some((number, graph))
    })
}

/// Returns the only graph of a text, with its line number. A text with no graph or several graphs is an error.
pub(super) fn only(text: &str) -> Result<(usize, &str), FormatError> {
    let mut graphs = strings(text);
    let first = graphs.next().ok_or(Wrong::Empty)?;
    match graphs.count() {
        0 => Ok(first),
        more => Err(Wrong::Several(more + 1).into()),
    }
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
    let value = number.iter().fold(0, |value, byte| value << BITS | u64::from(byte - FIRST));
    match u32::try_from(value) {
        Ok(n) if n <= MOST_VERTICES => Ok((n, &bytes[before + digits..])),
        _ => Err(at(line, Wrong::TooLarge(value))),
    }
}

/// Writes the number of vertices, with which every graph6 or sparse6 string begins.
pub(super) fn write_order(n: u32, out: &mut dyn Write) -> io::Result<()> {
    let digits = match n {
        0..=62 => 1,
        63..=258_047 => {
            out.write_all(&[LAST])?;
            3
        }
        _ => {
            out.write_all(&[LAST; 2])?;
            6
        }
    };
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
        let (value, filled) = (0, 0);
        Self { out, value, filled }
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
        for _ in 0..count % u64::from(BITS) {
            self.push(false)?;
        }
        Ok(())
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

pub(super) fn write(graph: &Graph, out: &mut dyn Write) -> io::Result<()> {
    write_order(graph.n_vertices(), out)?;
    let mut packer = Packer::new(out);
    for column in graph.vertices() {
        let mut next = 0;
        let rows = graph.neighbours(column).iter().map(|row| row.number());
        for row in rows.take_while(|&row| row < column.number()) {
            packer.zeros(u64::from(row - next))?;
            packer.push(true)?;
            next = row + 1;
        }
        packer.zeros(u64::from(column.number() - next))?;
    }
    packer.pad(false)?;
    writeln!(out)
}
