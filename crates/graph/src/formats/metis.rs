//! METIS graphs: a header `N M` with the numbers of vertices and edges, and then one line for each vertex with its
//! neighbours, numbered from 1. The line of a vertex may be empty; `%` begins a comment line.
//!
//! The header may have a third number of up to three digits. Its digits say whether the lines also contain sizes of
//! vertices, weights of vertices, and weights of edges. A fourth number is the number of weights per vertex. The reader
//! ignores sizes and weights.
//!
//! Every edge must be in the lines of both its ends, and there must be N lines, so that a truncated file is not
//! mistaken for a smaller graph. Only the last line may be missing, if it would be empty.
//!
//! # References
//!
//! - George Karypis: *METIS: A Software Package for Partitioning Unstructured Graphs*, manual of version 5, section
//!   4.1.1.

use std::io::{self, Write};

use super::{Format, FormatError, FormatKind, TextGraph, Wrong, at, both_ways, not, size, write_said};
use crate::graph::Graph;
use crate::numbering::Numbering;

impl Format {
    /// METIS: a header `N M`, and a line of neighbours for each vertex.
    pub const METIS: Self = Self::new(&FormatKind {
        name: "metis",
        summary: "'N M' and a line of neighbours for each vertex",
        endings: &["graph", "metis"],
        comment: Some('%'),
        read,
        read_strictly: Some(|text| {
            let graph = read(text)?;
            // In METIS, no vertex is its own neighbour. A list of edges after three numbers may look so.
            match graph.edges.iter().all(|(a, b)| a != b) {
                true => Ok(graph),
                false => Err(Wrong::Missing("neighbours other than the vertex itself").into()),
            }
        }),
        write: |graph, _, out| Ok(write(graph, out)?),
        ..FormatKind::NONE
    });
}

const HEADER: &str = "\"VERTICES EDGES\", optionally followed by a number of digits 0 and 1 and the number of weights";
const NEIGHBOURS: &str = "a vertex's neighbours";
const WEIGHTED: &str = "a vertex's weights and neighbours, as the header announces";

/// Sizes and weights that a vertex's line has in addition to the neighbours.
struct Weights {
    /// Number of sizes and weights before the neighbours of a vertex.
    before: usize,
    /// True if a weight follows each neighbour.
    of_edges: bool,
}

pub(super) fn read(text: &str) -> Result<TextGraph, FormatError> {
    let lines = (1..).zip(text.lines().map(str::trim));
    let mut lines = lines.filter(|(_, line)| !line.starts_with('%'));
    let header = lines.find(|(_, line)| !line.is_empty());
    let (number, header) = header.ok_or(Wrong::Empty)?;
    let (n, announced, weights) = of_header(number, header)?;
    let mut arcs = Vec::new();
    let mut found = Vec::new();
    let mut more = 0;
    for (number, line) in lines {
        if found.len() == n as usize {
            more += usize::from(!line.is_empty());
            continue;
        }
        let from = found.len() as u32;
        found.push(number);
        neighbours(number, line, n, &weights, |to| arcs.push((from, to)))?;
    }
    let vertices = n;
    let n = n as usize;
    if found.len() + 1 == n {
        found.push(number);
    }
    if found.len() != n || more > 0 {
        let found = found.len() + more;
        return Err(at(number, Wrong::Lines { vertices, found }));
    }
    // A self-loop is listed once. The header may count it or not.
    let loops = arcs.iter().filter(|(a, b)| a == b).count() as u64;
    let edges = (arcs.len() as u64 - loops) / 2;
    let graph = both_ways(Format::METIS, arcs, &found)?;
    if announced != edges && announced != edges + loops {
        let found = edges;
        return Err(at(number, Wrong::Edges { announced, found }));
    }
    Ok(graph)
}

/// Parses the header. Returns the number of vertices, the number of edges, and the sizes and weights in the lines.
fn of_header(line: usize, text: &str) -> Result<(u32, u64, Weights), FormatError> {
    let wrong = || not(line, text, HEADER);
    let words: Vec<_> = text.split_ascii_whitespace().collect();
    let (n, m, format, constraints) = match words[..] {
        [n, m] => (n, m, "0", "1"),
        [n, m, format] => (n, m, format, "1"),
        [n, m, format, constraints] => (n, m, format, constraints),
        _ => return Err(wrong()),
    };
    let digits = format.bytes().all(|digit| digit == b'0' || digit == b'1');
    if !digits || format.len() > 3 {
        return Err(wrong());
    }
    let has = |place: usize| format.bytes().rev().nth(place) == Some(b'1');
    let constraints: usize = constraints.parse().map_err(|_| wrong())?;
    let of_vertices = if has(1) { constraints } else { 0 };
    let weights = Weights { before: of_vertices.checked_add(usize::from(has(2))).ok_or_else(wrong)?, of_edges: has(0) };
    let m = m.parse().map_err(|_| wrong())?;
    Ok((size(line, text, n, HEADER)?, m, weights))
}

/// Calls `neighbour` with each neighbour in the line of a vertex, counted from 0.
fn neighbours(
    line: usize,
    text: &str,
    n: u32,
    weights: &Weights,
    mut neighbour: impl FnMut(u32),
) -> Result<(), FormatError> {
    let expected = match weights {
        Weights { before: 0, of_edges: false } => NEIGHBOURS,
        _ => WEIGHTED,
    };
    let wrong = || not(line, text, expected);
    let mut words = text.split_ascii_whitespace();
    let is_number = |word: &str| word.parse::<u64>().is_ok();
    for _ in 0..weights.before {
        if !words.next().is_some_and(is_number) {
            return Err(wrong());
        }
    }
    while let Some(word) = words.next() {
        let number: u64 = word.parse().map_err(|_| wrong())?;
        let vertex = u32::try_from(number).ok();
        let vertex = vertex.and_then(|number| Numbering::FromOne.vertex(number));
        match vertex.filter(|v| v.number() < n) {
            Some(vertex) => neighbour(vertex.number()),
            None => {
                let (first, last) = (1, i64::from(n));
                return Err(at(line, Wrong::NoSuchVertex { vertex: number, first, last }));
            }
        }
        if weights.of_edges && !words.next().is_some_and(is_number) {
            return Err(wrong());
        }
    }
    Ok(())
}

pub(super) fn write(graph: &Graph, out: &mut dyn Write) -> io::Result<()> {
    write_said(Format::METIS, out)?;
    writeln!(out, "{} {}", graph.n_vertices(), graph.n_edges())?;
    for v in graph.vertices() {
        for (k, &w) in graph.neighbours(v).iter().enumerate() {
            let gap = if k > 0 { " " } else { "" };
            write!(out, "{gap}{}", Numbering::FromOne.number(w))?;
        }
        writeln!(out)?;
    }
    Ok(())
}
