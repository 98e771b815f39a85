//! TSPLIB's Hamiltonian cycle problems: lines `KEYWORD : VALUE` and an `EDGE_DATA_SECTION` that ends with -1.
//!
//! Only the keywords `TYPE : HCP`, `DIMENSION` and `EDGE_DATA_FORMAT` matter. The edges are given as pairs
//! (`EDGE_LIST`), or as the neighbours of each vertex followed by -1 (`ADJ_LIST`). Files with fixed edges are rejected,
//! because they pose another problem: a cycle through these edges.
//!
//! `TYPE : ATSP` with `EDGE_WEIGHT_FORMAT : FULL_MATRIX` gives a digraph, if the matrix has two different weights off
//! the diagonal: the lesser weight marks an arc. Solvers of the travelling salesman problem get directed Hamiltonian
//! cycle problems in this form. Other weights make another problem and are rejected.
//!
//! # References
//!
//! - Gerhard Reinelt: *TSPLIB 95*, 1995.

use std::io::{self, Write};

use super::directions::{Directions, Named};
use super::edges::uncommented;
use super::{
    Edges, Format, FormatError, GraphFormat, Listed, WriteError, Wrong, at, lines, not,
    numbered_edges, size,
};
use crate::graph::Graph;
use crate::numbering::Numbering;
use crate::vertex_names::VertexNames;

impl Format {
    /// TSPLIB: `TYPE : HCP` and an `EDGE_DATA_SECTION`.
    pub const TSPLIB: Self = Self::new(&Tsplib);
}

struct Tsplib;

impl GraphFormat for Tsplib {
    fn name(&self) -> &'static str {
        "tsplib"
    }

    fn summary(&self) -> &'static str {
        "TSPLIB's HCP, or ATSP with two distinct weights"
    }

    fn endings(&self) -> &'static [&'static str] {
        &["hcp"]
    }

    fn begins(&self, text: &str) -> bool {
        begins(text)
    }

    fn read(&self, text: &str) -> Result<Listed, FormatError> {
        read(text)
    }

    fn write(&self, graph: &Graph, _: &VertexNames, out: &mut dyn Write) -> Result<(), WriteError> {
        Ok(write(graph, out)?)
    }
}

const PAIR: &str = "an edge \"VERTEX VERTEX\", or -1";
const NEIGHBOURS: &str = "a vertex with its neighbours and -1, or -1";

#[derive(Clone, Copy)]
enum EdgeData {
    List,
    Adjacency,
}

pub(super) fn read(text: &str) -> Result<Listed, FormatError> {
    let missing = |what| FormatError::from(Wrong::Missing(what));
    let mut lines = lines(text);
    let (mut dimension, mut data) = (None, None);
    let mut section = None;
    let mut is_atsp = false;
    for (number, line) in lines.by_ref() {
        let (keyword, value) = match line.split_once(':') {
            Some((keyword, value)) => (keyword.trim(), Some(value.trim())),
            None => (line, None),
        };
        match (keyword, value) {
            ("EDGE_DATA_SECTION", None | Some("")) => {
                section = Some(number);
                break;
            }
            ("TYPE", Some("HCP")) => {}
            ("TYPE", Some("ATSP")) => is_atsp = true,
            ("EDGE_WEIGHT_FORMAT", Some("FULL_MATRIX")) => {}
            ("EDGE_WEIGHT_SECTION", None | Some("")) if is_atsp => {
                let n = dimension.ok_or_else(|| at(number, Wrong::Missing("DIMENSION")))?;
                return weights(lines, n);
            }
            ("TYPE", Some(other)) => {
                return Err(at(number, Wrong::Type(other.to_owned())));
            }
            ("DIMENSION", Some(n)) => {
                dimension = Some(size(number, line, n, "\"DIMENSION : VERTICES\"")?);
            }
            ("EDGE_DATA_FORMAT", Some("EDGE_LIST")) => data = Some(EdgeData::List),
            ("EDGE_DATA_FORMAT", Some("ADJ_LIST")) => data = Some(EdgeData::Adjacency),
            ("EDGE_DATA_FORMAT", Some(other)) => {
                let what = format!("EDGE_DATA_FORMAT {other}");
                return Err(at(number, Wrong::NotRead(what)));
            }
            (other, _) if other.ends_with("_SECTION") => {
                return Err(at(number, Wrong::NotRead(other.to_owned())));
            }
            (_, Some(_)) => {}
            (_, None) => return Err(not(number, line, "\"KEYWORD : VALUE\"")),
        }
    }
    let data = data.ok_or_else(|| missing("EDGE_DATA_FORMAT"))?;
    let section = section.ok_or_else(|| missing("EDGE_DATA_SECTION"))?;
    let n = dimension.ok_or_else(|| at(section, Wrong::Missing("DIMENSION")))?;

    let mut edges = Edges::new(Numbering::FromOne, n);
    let mut ended = false;
    for (number, line) in lines.by_ref() {
        let expected = match data {
            EdgeData::List => PAIR,
            EdgeData::Adjacency => NEIGHBOURS,
        };
        let wrong = || not(number, line, expected);
        let numbers = numbers(line).ok_or_else(wrong)?;
        let vertex = |v: i64| u64::try_from(v).map_err(|_| wrong());
        match (data, numbers.as_slice()) {
            (_, [-1]) => {
                ended = true;
                break;
            }
            (EdgeData::List, &[a, b]) => edges.push(number, [vertex(a)?, vertex(b)?])?,
            (EdgeData::Adjacency, [v, neighbours @ .., -1]) => {
                for &w in neighbours {
                    edges.push(number, [vertex(*v)?, vertex(w)?])?;
                }
            }
            _ => return Err(wrong()),
        }
    }
    if !ended {
        return Err(missing("-1 after the edges; is the file complete?"));
    }
    match lines.find(|&(_, line)| line != "EOF") {
        None => {
            let directions = Directions::of(Named::Edges, &edges.list);
            let graph = edges.graph(n)?;
            Ok(Listed {
                directions: Some(directions),
                ..Listed::new(Format::TSPLIB, Numbering::FromOne, graph)
            })
        }
        Some((number, line)) => Err(at(number, Wrong::NotRead(line.to_owned()))),
    }
}

/// Reads a matrix of weights, in which the lesser of two weights marks an arc.
fn weights<'t>(
    lines: impl Iterator<Item = (usize, &'t str)>,
    n: u32,
) -> Result<Listed, FormatError> {
    let mut entries = Vec::new();
    for (number, line) in lines.take_while(|&(_, line)| line != "EOF") {
        let row =
            numbers(line).ok_or_else(|| not(number, line, "a row of weights (whole numbers)"))?;
        entries.extend(row);
        if entries.len() as u64 > u64::from(n) * u64::from(n) {
            return Err(at(number, Wrong::Atsp));
        }
    }
    if entries.len() as u64 != u64::from(n) * u64::from(n) {
        return Err(Wrong::Missing("some of the weights; is the file complete?").into());
    }
    let places = (0..n).flat_map(|tail| (0..n).map(move |head| (tail, head)));
    let apart = places.zip(entries).filter(|((tail, head), _)| tail != head);
    let apart: Vec<_> = apart.collect();
    let least = apart.iter().map(|&(_, weight)| weight).min();
    let greatest = apart.iter().map(|&(_, weight)| weight).max();
    let are_two = |&(_, weight): &(_, i64)| [least, greatest].contains(&Some(weight));
    if least == greatest || !apart.iter().all(are_two) {
        return Err(Wrong::Atsp.into());
    }
    let mut edges = Edges::new(Numbering::FromZero, n);
    edges.list = apart
        .into_iter()
        .filter(|&(_, weight)| Some(weight) == least)
        .map(|(arc, _)| arc)
        .collect();
    let directions = Directions::of(Named::Digraph, &edges.list);
    Ok(Listed {
        directions: Some(directions),
        ..Listed::new(Format::TSPLIB, Numbering::FromOne, edges.graph(n)?)
    })
}

/// Returns the whole numbers in a line; `None` if the line has anything else.
fn numbers(text: &str) -> Option<Vec<i64>> {
    text.split_ascii_whitespace()
        .map(|word| word.parse().ok())
        .collect()
}

pub(super) fn write(graph: &Graph, out: &mut dyn Write) -> io::Result<()> {
    let n = graph.n_vertices();
    writeln!(out, "NAME : graph\nTYPE : HCP\nDIMENSION : {n}")?;
    writeln!(out, "EDGE_DATA_FORMAT : EDGE_LIST\nEDGE_DATA_SECTION")?;
    for [a, b] in numbered_edges(graph) {
        writeln!(out, "{a} {b}")?;
    }
    writeln!(out, "-1\nEOF")
}

/// True if the first line, after comment lines that begin with `#` or `%`, begins with a keyword and a colon.
fn begins(text: &str) -> bool {
    let first = uncommented(text).unwrap_or_default();
    let word = first.split([' ', '\t', ':']).next().unwrap_or_default();
    is_keyword(word) && has_key(first)
}

/// True if a word can be a TSPLIB keyword.
pub(super) fn is_keyword(word: &str) -> bool {
    word.starts_with(|letter: char| letter.is_ascii_uppercase())
}

/// True if a line begins with one word and a colon.
fn has_key(line: &str) -> bool {
    let key = line.split_once(':').map(|(key, _)| key.trim());
    key.is_some_and(|key| !key.contains(char::is_whitespace))
}
