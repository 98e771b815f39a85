//! TSPLIB's Hamiltonian cycle problems: lines `KEYWORD : VALUE` and an `EDGE_DATA_SECTION` that ends with -1.
//!
//! Only the keywords `TYPE : HCP`, `DIMENSION` and `EDGE_DATA_FORMAT` matter. The edges are given as pairs
//! (`EDGE_LIST`), or as the neighbours of each vertex followed by -1 (`ADJ_LIST`). `EOF` may take the place of the last
//! -1. If both are missing, a remark says so. A `FIXED_EDGES_SECTION` lists pairs of vertices up to -1: every tour uses
//! these edges, which become constraints.
//!
//! `TYPE : TSP` and `TYPE : ATSP` with `EDGE_WEIGHT_TYPE : EXPLICIT` give a graph or a digraph, if the matrix has two
//! different weights off the diagonal: the lesser weight marks an edge or arc. Solvers of the travelling salesman
//! problem get Hamiltonian cycle problems in this form. Other weights make another problem and are rejected.
//!
//! # References
//!
//! - Gerhard Reinelt: *TSPLIB 95*, 1995.

use std::io::{self, Write};

use super::edges::uncommented;
use super::{
    Declared, Edges, Format, FormatError, FormatKind, Remark, TextGraph, Wrong, at, lines, not, numbered_edges, size,
};
use crate::graph::Graph;
use crate::numbering::Numbering;

impl Format {
    /// TSPLIB: `TYPE : HCP` and an `EDGE_DATA_SECTION`.
    pub const TSPLIB: Self = Self::new(&FormatKind {
        name: "tsplib",
        summary: "TSPLIB's HCP, or TSP and ATSP with two distinct weights",
        endings: &["hcp", "tsp", "atsp"],
        begins,
        read,
        write: |graph, _, out| Ok(write(graph, out)?),
        ..FormatKind::NONE
    });
}

const PAIR: &str = "an edge \"VERTEX VERTEX\", or -1";
const NEIGHBOURS: &str = "a vertex with its neighbours and -1, or -1";
const WEIGHTS: &str = "a row of weights (whole numbers)";

/// Keywords whose values do not matter.
const IGNORED: [&str; 6] = ["NAME", "COMMENT", "EDGE_WEIGHT_TYPE", "NODE_COORD_TYPE", "DISPLAY_DATA_TYPE", "PRECISION"];

/// Form of the edges in an `EDGE_DATA_SECTION`.
#[derive(Clone, Copy)]
enum EdgeData {
    List,
    Adjacency,
}

/// Entries of the matrix in an `EDGE_WEIGHT_SECTION`. Columns of one triangle are rows of the other, because the matrix
/// is symmetric.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Entries {
    Full,
    Upper { diagonal: bool },
    Lower { diagonal: bool },
}

impl Entries {
    fn named(format: &str) -> Option<Self> {
        Some(match format {
            "FULL_MATRIX" => Self::Full,
            "UPPER_ROW" | "LOWER_COL" => Self::Upper { diagonal: false },
            "LOWER_ROW" | "UPPER_COL" => Self::Lower { diagonal: false },
            "UPPER_DIAG_ROW" | "LOWER_DIAG_COL" => Self::Upper { diagonal: true },
            "LOWER_DIAG_ROW" | "UPPER_DIAG_COL" => Self::Lower { diagonal: true },
            _ => return None,
        })
    }

    /// Returns the columns of the entries in a row of an n×n matrix.
    fn columns(self, row: u32, n: u32) -> std::ops::Range<u32> {
        match self {
            Self::Full => 0..n,
            Self::Upper { diagonal } => row + u32::from(!diagonal)..n,
            Self::Lower { diagonal } => 0..row + u32::from(diagonal),
        }
    }

    /// Returns the number of entries of an n×n matrix.
    fn count(self, n: u32) -> u64 {
        let n = u64::from(n);
        match self {
            Self::Full => n * n,
            Self::Upper { diagonal } | Self::Lower { diagonal } => {
                n * n.saturating_sub(1) / 2 + n * u64::from(diagonal)
            }
        }
    }
}

/// Header of a file.
#[derive(Default)]
struct Header<'t> {
    kind: Option<&'t str>,
    dimension: Option<u32>,
    data: Option<EdgeData>,
    weights: Option<Entries>,
}

impl Header<'_> {
    /// True if the file is a travelling salesman problem.
    fn has_weights(&self) -> bool {
        matches!(self.kind, Some("TSP" | "ATSP"))
    }

    fn n(&self, line: usize) -> Result<u32, FormatError> {
        self.dimension.ok_or_else(|| at(line, Wrong::Missing("DIMENSION")))
    }
}

pub(super) fn read(text: &str) -> Result<TextGraph, FormatError> {
    let mut lines = lines(text).peekable();
    let mut header = Header::default();
    let mut graph = None;
    let mut fixed = Vec::new();
    while let Some((number, line)) = lines.next() {
        let (keyword, value) = match line.split_once(':') {
            Some((keyword, value)) => (keyword.trim(), Some(value.trim())),
            None => (line, None),
        };
        match (keyword, value) {
            ("EOF", None) => break,
            ("EDGE_DATA_SECTION", None | Some("")) if graph.is_none() && !header.has_weights() => {
                graph = Some(edge_data(&header, number, &mut lines)?);
            }
            ("EDGE_WEIGHT_SECTION", None | Some("")) if graph.is_none() && header.has_weights() => {
                graph = Some(weights(&header, number, &mut lines)?);
            }
            ("FIXED_EDGES_SECTION", None | Some("")) => {
                fixed.extend(fixed_edges(header.n(number)?, &mut lines)?);
            }
            // Coordinates for pictures of the graph.
            ("DISPLAY_DATA_SECTION" | "NODE_COORD_SECTION", None | Some("")) => {
                let is_data = |(_, line): &(usize, &str)| !is_keyword(line);
                while lines.next_if(is_data).is_some() {}
            }
            ("TYPE", Some(value)) => match value.split_whitespace().next() {
                Some(kind @ ("HCP" | "TSP" | "ATSP")) => header.kind = Some(kind),
                _ => return Err(at(number, Wrong::Type(value.to_owned()))),
            },
            ("DIMENSION", Some(n)) => {
                header.dimension = Some(size(number, line, n, "\"DIMENSION : VERTICES\"")?);
            }
            ("EDGE_DATA_FORMAT", Some("EDGE_LIST")) => header.data = Some(EdgeData::List),
            ("EDGE_DATA_FORMAT", Some("ADJ_LIST")) => header.data = Some(EdgeData::Adjacency),
            ("EDGE_WEIGHT_FORMAT", Some(format)) if Entries::named(format).is_some() => {
                header.weights = Entries::named(format);
            }
            ("EDGE_WEIGHT_TYPE", Some(kind)) if header.has_weights() && kind != "EXPLICIT" => {
                return Err(at(number, Wrong::NotRead(format!("EDGE_WEIGHT_TYPE {kind}"))));
            }
            (keyword, Some(_)) if IGNORED.contains(&keyword) => {}
            (keyword, Some(value)) if is_keyword(keyword) && !keyword.contains(' ') => {
                let what = format!("{keyword} {value}");
                return Err(at(number, Wrong::NotRead(what.trim_end().to_owned())));
            }
            (keyword, None) if keyword.ends_with("_SECTION") => {
                return Err(at(number, Wrong::NotRead(keyword.to_owned())));
            }
            _ if graph.is_some() => return Err(at(number, Wrong::NotRead(line.to_owned()))),
            _ => return Err(not(number, line, "\"KEYWORD : VALUE\"")),
        }
    }
    let missing = match (header.has_weights(), header.data) {
        (true, _) => "EDGE_WEIGHT_SECTION",
        (false, None) => "EDGE_DATA_FORMAT",
        (false, Some(_)) => "EDGE_DATA_SECTION",
    };
    let graph: TextGraph = graph.ok_or(Wrong::Missing(missing))?;
    Ok(graph.with((!fixed.is_empty()).then_some(Remark::Fixed(fixed))))
}

/// Reads the pairs of a `FIXED_EDGES_SECTION` among `n` vertices, 0-based, up to -1 or the next keyword.
fn fixed_edges<'t>(
    n: u32,
    lines: &mut std::iter::Peekable<impl Iterator<Item = (usize, &'t str)>>,
) -> Result<Vec<(u32, u32)>, FormatError> {
    let mut ends = Vec::new();
    while let Some((number, line)) = lines.next_if(|(_, line)| !is_keyword(line)) {
        let expected = || not(number, line, PAIR);
        for end in numbers(line).ok_or_else(expected)? {
            match u32::try_from(end) {
                Ok(end @ 1..) if end <= n => ends.push(end - 1),
                _ if end == -1 && ends.len() % 2 == 0 => return Ok(pairs(&ends)),
                _ => return Err(expected()),
            }
        }
    }
    Err(Wrong::Missing("-1 after FIXED_EDGES_SECTION").into())
}

fn pairs(ends: &[u32]) -> Vec<(u32, u32)> {
    ends.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect()
}

/// Reads the edges after the line with this number.
fn edge_data<'t>(
    header: &Header<'_>,
    section: usize,
    lines: &mut std::iter::Peekable<impl Iterator<Item = (usize, &'t str)>>,
) -> Result<TextGraph, FormatError> {
    let missing = || FormatError::from(Wrong::Missing("EDGE_DATA_FORMAT"));
    let data = header.data.ok_or_else(missing)?;
    let mut edges = Edges::new(Numbering::FromOne, header.n(section)?);
    let mut has_end = false;
    while let Some((number, line)) = lines.next_if(|(_, line)| !is_keyword(line)) {
        let expected = match data {
            EdgeData::List => PAIR,
            EdgeData::Adjacency => NEIGHBOURS,
        };
        let wrong = || not(number, line, expected);
        let numbers = numbers(line).ok_or_else(wrong)?;
        let vertex = |v: i64| u64::try_from(v).map_err(|_| wrong());
        match (data, numbers.as_slice()) {
            (_, [-1]) => {
                has_end = true;
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
    let remark = (!has_end && lines.peek().is_none()).then_some(Remark::NoEnd);
    let declared = match data {
        EdgeData::List => Declared::Edges,
        EdgeData::Adjacency => super::NEIGHBOURS,
    };
    Ok(edges.graph(Format::TSPLIB, declared)?.with(remark))
}

/// Reads the matrix of weights after the line with this number. The lesser of two weights marks an edge or arc.
fn weights<'t>(
    header: &Header<'_>,
    section: usize,
    lines: &mut std::iter::Peekable<impl Iterator<Item = (usize, &'t str)>>,
) -> Result<TextGraph, FormatError> {
    let n = header.n(section)?;
    let missing = || at(section, Wrong::Missing("EDGE_WEIGHT_FORMAT"));
    let form = header.weights.ok_or_else(missing)?;
    let is_asymmetric = header.kind == Some("ATSP");
    if is_asymmetric && form != Entries::Full {
        let what = "a triangle of an asymmetric matrix".to_owned();
        return Err(at(section, Wrong::NotRead(what)));
    }
    let mut entries = Vec::new();
    while let Some((number, line)) = lines.next_if(|(_, line)| !is_keyword(line)) {
        entries.extend(numbers(line).ok_or_else(|| not(number, line, WEIGHTS))?);
        if entries.len() as u64 > form.count(n) {
            return Err(at(number, Wrong::NotRead("a weight after the last one".to_owned())));
        }
    }
    if entries.len() as u64 != form.count(n) {
        return Err(Wrong::Missing("some of the weights; is the file complete?").into());
    }
    let places = (0..n).flat_map(|row| form.columns(row, n).map(move |column| (row, column)));
    let apart = places.zip(entries).filter(|((row, column), _)| row != column);
    let apart: Vec<_> = apart.collect();
    let least = apart.iter().map(|&(_, weight)| weight).min();
    let greatest = apart.iter().map(|&(_, weight)| weight).max();
    let are_two = |&(_, weight): &(_, i64)| [least, greatest].contains(&Some(weight));
    if least == greatest || !apart.iter().all(are_two) {
        return Err(Wrong::Weights.into());
    }
    let marked = apart.into_iter().filter(|&(_, weight)| Some(weight) == least);
    let marked = marked.map(|(pair, _)| pair);
    let mut edges = Edges::new(Numbering::FromOne, n);
    match is_asymmetric {
        true => edges.arcs.extend(marked),
        false => edges.list.extend(marked),
    }
    let declared = match (is_asymmetric, form) {
        (true, _) => Declared::Digraph,
        (false, Entries::Full) => Declared::Matrix,
        (false, _) => Declared::Unordered,
    };
    let graph = edges.graph(Format::TSPLIB, declared)?;
    match declared == Declared::Matrix && !graph.is_symmetric() {
        true => Err(Wrong::NotRead("an asymmetric matrix of TYPE TSP".to_owned()).into()),
        false => Ok(graph),
    }
}

/// Returns the whole numbers in a line; `None` if the line has anything else.
fn numbers(text: &str) -> Option<Vec<i64>> {
    text.split_ascii_whitespace().map(|word| word.parse().ok()).collect()
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
