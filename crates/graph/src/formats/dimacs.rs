//! DIMACS edge format: comment lines `c …`, one header `p edge N M`, and M lines `e u v`.
//!
//! After `p`, other words that generators write for graphs are accepted (`col`, or PACE's `tw`). The word may also be
//! missing, as in the FHCP Challenge Set. The `e` may be missing too, as in PACE. Comments may be anywhere. Weights of
//! edges are ignored, and so are lines `n`, `d`, `v` and `x` about vertices and generators. Lines `a u v` are arcs.
//!
//! # References
//!
//! - *Clique and Coloring Problems: Graph Format*, DIMACS, 1993.
//! - Haythorpe: *FHCP Challenge Set*, 2018.
//! - *Track A: Treewidth*, PACE 2017, for `p tw`.
//! - *9th DIMACS Implementation Challenge: Shortest Paths*, 2006, for `p sp` and arcs.

use std::io::{self, Write};

use super::edges::uncommented;
use super::{
    Declared, Edges, Format, FormatError, FormatKind, NEIGHBOURS, Remark, TextGraph, Wrong, at, lines, not,
    numbered_edges, size,
};
use crate::graph::Graph;
use crate::numbering::Numbering;

impl Format {
    /// DIMACS: `p edge N M` and `e U V`.
    pub const DIMACS: Self = Self::new(&FormatKind {
        name: "dimacs",
        summary: "'p edge N M' and lines 'e U V'",
        endings: &["col", "dimacs", "gr"],
        begins,
        read,
        write: |graph, _, out| Ok(write(graph, out)?),
        write_directed: Some(|digraph, _, out| {
            writeln!(out, "p sp {} {}", digraph.n_vertices(), digraph.n_arcs())?;
            for arc in digraph.arcs() {
                let [tail, head] = [arc.tail, arc.head].map(|v| Numbering::FromOne.number(v));
                writeln!(out, "a {tail} {head}")?;
            }
            Ok(())
        }),
        ..FormatKind::NONE
    });
}

const HEADER: &str = "\"p edge VERTICES EDGES\"";
const EDGE: &str = "\"e VERTEX VERTEX\"";
/// Words that may follow `p` in the header of a graph.
const WORDS: [&str; 12] = ["edge", "edges", "col", "graph", "tw", "td", "vc", "ds", "cep", "hc", "hcp", "sp"];

pub(super) fn read(text: &str) -> Result<TextGraph, FormatError> {
    let mut found: Option<(Edges, u64)> = None;
    let mut has_weights = false;
    for (number, line) in lines(text) {
        let words: Vec<_> = line.split_ascii_whitespace().collect();
        match (words.as_slice(), &mut found) {
            (["c" | "n" | "d" | "v" | "x", ..], _) => {}
            (["p", "cnf", ..], None) => return Err(at(number, Wrong::Cnf)),
            (["p", n, m], None) => found = Some(of_header(number, line, n, m)?),
            (["p", word, n, m], None) if WORDS.contains(word) => {
                found = Some(of_header(number, line, n, m)?);
            }
            (["p", other, _, _, ..], None) if !WORDS.contains(other) && !is_number(other) => {
                return Err(at(number, Wrong::NotRead(format!("\"p {other}\""))));
            }
            (_, None) => return Err(not(number, line, HEADER)),
            (["a", a, b, weight @ ..], Some((edges, _))) if are_weights(weight) => {
                has_weights |= !weight.is_empty();
                edges.push_arc(number, ends(number, line, a, b)?)?;
            }
            (["e", a, b, weight @ ..], Some((edges, _))) if are_weights(weight) => {
                has_weights |= !weight.is_empty();
                edges.push(number, ends(number, line, a, b)?)?;
            }
            ([a, b], Some((edges, _))) => edges.push(number, ends(number, line, a, b)?)?,
            _ => return Err(not(number, line, EDGE)),
        }
    }
    let (edges, announced) = found.ok_or(Wrong::Missing("line \"p edge VERTICES EDGES\""))?;
    edges.are(announced)?;
    let declared = match edges.arcs.is_empty() {
        true => NEIGHBOURS,
        false => Declared::EitherArcs,
    };
    let graph = edges.graph(Format::DIMACS, declared)?;
    Ok(graph.with(has_weights.then_some(Remark::Weights)))
}

/// Parses the header. Returns the vertices, without any edges so far, and the announced number of edges.
fn of_header(number: usize, line: &str, n: &str, m: &str) -> Result<(Edges, u64), FormatError> {
    let announced = m.parse().map_err(|_| not(number, line, HEADER))?;
    let n = size(number, line, n, HEADER)?;
    Ok((Edges::new(Numbering::FromOne, n), announced))
}

fn ends(number: usize, line: &str, a: &str, b: &str) -> Result<[u64; 2], FormatError> {
    match (a.parse(), b.parse()) {
        (Ok(a), Ok(b)) => Ok([a, b]),
        _ => Err(not(number, line, EDGE)),
    }
}

/// True if the rest of a line after an edge is empty or one weight.
fn are_weights(words: &[&str]) -> bool {
    words.len() < 2 && words.iter().all(|word| is_number(word))
}

fn is_number(word: &str) -> bool {
    word.parse::<f64>().is_ok_and(f64::is_finite)
}

pub(super) fn write(graph: &Graph, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "p edge {} {}", graph.n_vertices(), graph.n_edges())?;
    for [a, b] in numbered_edges(graph) {
        writeln!(out, "e {a} {b}")?;
    }
    Ok(())
}

/// True if a text begins with a keyword of DIMACS, after comment lines that begin with `#` or `%`.
fn begins(text: &str) -> bool {
    let first = uncommented(text).unwrap_or_default();
    match first.split([' ', '\t', ':']).next() {
        Some("p") => true,
        Some("c" | "e") => !are_names(text),
        _ => false,
    }
}

/// True if words such as `c` and `e`, which may begin DIMACS lines, are names of vertices in this text. In such a text
/// there is no header, and some lines begin with words that DIMACS does not have.
fn are_names(text: &str) -> bool {
    let words = |line: &str| line.split_whitespace().count();
    let has_header = lines(text).any(|(_, line)| line.starts_with("p ") && words(line) > 2);
    let is_other = |line: &str| {
        let word = line.split_whitespace().next();
        !word.is_some_and(|word| ["c", "e", "a", "n", "p"].contains(&word))
    };
    !has_header && lines(text).any(|(_, line)| is_other(line))
}
