//! sparse6, nauty's format for sparse graphs, with one graph per line. The header `>>sparse6<<` may precede the first
//! graph. A line in incremental sparse6 begins with a semicolon instead of a colon and the number of vertices, and has the
//! edges that the graph and the graph of the line before do not share.
//!
//! A line has a colon, the number n of vertices as in [`graph6`], and pieces of 1 + k bits, where k is the number of
//! bits of n − 1. A piece consists of a bit b and a number x of k bits. The pieces move a vertex v, which begins at 0.
//! For each piece, b is first added to v. Then, if x is greater than v, v becomes x; otherwise {x, v} is an edge.
//!
//! The unused bits of the last character are ones, which move v to the last vertex or beyond it. There is one
//! exception. If n is a power of two, v is the last vertex but one, and a whole piece fits into the unused bits, then
//! the ones would be a self-loop of the last vertex. In this case a zero precedes the ones.
//!
//! # References
//!
//! - Brendan McKay: *Description of graph6, sparse6 and digraph6 encodings*, formats.txt in nauty.

use std::collections::BTreeSet;

use super::*;

impl Format {
    /// sparse6 by McKay: a list of edges. Each vertex takes as many bits as the number n − 1, and each character holds
    /// six bits.
    pub const SPARSE6: Self = Self::new(&FormatKind {
        name: "sparse6",
        summary: "nauty's sparse6, one line per graph",
        endings: &["s6"],
        begins: |text| graph6::begins(text) && graph6::is_sparse(text),
        read,
        is_line: true,
        write: |graph: &NamedGraph<'_>, out| Ok(write(graph.digraph, out)?),
        ..FormatKind::NONE
    });
}

const STRING: &str = "a sparse6 string, which is a colon and characters from ? to ~";

/// Reads a text with exactly one graph in sparse6.
fn read(text: &str) -> Result<TextGraph, FormatError> {
    let (line, string) = only(graph6::strings(text))?;
    if string.starts_with(INCREMENT) {
        return Err(unsupported(line, "incremental sparse6 without a graph in the line before"));
    }
    let behind = string.strip_prefix(':').ok_or_else(|| not(line, string, STRING))?;
    let (n, rest) = graph6::order(line, behind, STRING)?;
    edges_of(n, rest).graph(Format::SPARSE6, Declared::Unordered)
}

/// First character of a line in incremental sparse6.
pub(super) const INCREMENT: char = ';';

/// Returns the sparse6 string of a graph in incremental sparse6: the edges that are either in `previous`, a graph in
/// graph6 or sparse6, or in the string `increment`, but not in both. Returns `None` if one of the two is invalid.
pub(super) fn incremented(previous: &str, increment: &str) -> Option<String> {
    let previous = (graph6::format_of(previous).read)(previous).ok().filter(|graph| graph.pairs.arcs.is_empty())?;
    let rest = increment.strip_prefix(INCREMENT).filter(|rest| graph6::is_data(rest))?;
    let changes = edges_of(previous.n, rest.as_bytes());
    let mut edges = BTreeSet::new();
    for &(a, b) in previous.pairs.edges.iter().chain(&changes.pairs.edges) {
        let edge = (a.min(b), a.max(b));
        if a != b && !edges.remove(&edge) {
            edges.insert(edge);
        }
    }
    let graph = Graph::from_edges(previous.n, edges).ok()?;
    let mut string = Vec::new();
    write(&graph, &mut string).ok()?;
    Some(String::from_utf8(string).ok()?.trim_end().to_owned())
}

/// Decodes the edges after the number of vertices, in characters from `?` to `~`.
fn edges_of(n: u32, rest: &[u8]) -> Edges {
    let mut edges = Edges::new(Numbering::FromZero, n);
    let k = width(n);
    let (mut v, mut value, mut filled) = (0, 0u64, 0);
    for bit in graph6::bits(rest) {
        value = value << 1 | u64::from(bit);
        filled += 1;
        if filled <= k {
            continue;
        }
        let (b, x) = ((value >> k) as u32, (value & ((1u64 << k) - 1)) as u32);
        (value, filled) = (0, 0);
        v += b;
        if v >= n || x >= n {
            break;
        }
        if x > v {
            v = x;
        } else {
            edges.pairs.edges.push((x, v));
        }
    }
    edges
}

/// Returns k, the number of bits of n − 1.
fn width(n: u32) -> u32 {
    u32::BITS - n.saturating_sub(1).leading_zeros()
}

fn write(graph: &Digraph, out: &mut dyn Write) -> io::Result<()> {
    let n = graph.n_vertices();
    let k = width(n);
    write!(out, ":")?;
    graph6::write_order(n, out)?;
    let mut packer = Packer::new(out);
    let mut at = 0;
    for vertex in graph.vertices() {
        let v = vertex.number();
        let lesser = graph.successors(vertex).iter().map(|u| u.number());
        for u in lesser.take_while(|&u| u < v) {
            if v > at + 1 {
                piece(&mut packer, k, true, v)?;
                piece(&mut packer, k, false, u)?;
            } else {
                piece(&mut packer, k, v > at, u)?;
            }
            at = v;
        }
    }
    let loops = n.is_power_of_two() && u32::from(packer.lacks()) > k && at + 2 == n;
    if loops {
        packer.push(false)?;
    }
    packer.pad(true)?;
    writeln!(out)
}

/// Writes a piece: the bit `b`, followed by the vertex `x` in `k` bits.
fn piece(packer: &mut Packer<'_>, k: u32, b: bool, x: u32) -> io::Result<()> {
    packer.push(b)?;
    (0..k).rev().try_for_each(|bit| packer.push(x >> bit & 1 == 1))
}
