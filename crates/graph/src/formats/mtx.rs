//! Matrix Market: a sparse or dense adjacency matrix after the line `%%MatrixMarket matrix coordinate pattern symmetric`.
//!
//! In the form `coordinate`, a line has the numbers of rows, columns and entries, and each other line has a row, a column,
//! and the value unless the field is `pattern`. In the form `array`, the values are listed column by column. Entries
//! other than 0 are arcs, from the row to the column. Of a symmetric matrix, only one triangle is listed. A general
//! matrix gives an undirected graph if it is symmetric. `%` begins a comment.
//!
//! # References
//!
//! - Boisvert, Pozo, Remington: *The Matrix Market Exchange Formats: Initial Design*, NISTIR 5935, 1996.

use std::io::{self, Write};

use super::{Declared, Edges, Format, FormatError, FormatKind, TextGraph, Wrong, at, lines, not, size};
use crate::digraph::Digraph;
use crate::numbering::Numbering;

impl Format {
    /// Matrix Market: `%%MatrixMarket matrix coordinate pattern symmetric`.
    pub const MATRIX_MARKET: Self = Self::new(&FormatKind {
        name: "mtx",
        summary: "Matrix Market's '%%MatrixMarket matrix'",
        endings: &["mtx"],
        begins: |text| {
            let first = lines(text).next();
            first.is_some_and(|(_, line)| line.to_ascii_lowercase().starts_with(BEGINNING))
        },
        read,
        write: |graph, _, out| Ok(write(graph, false, out)?),
        write_directed: Some(|digraph, _, out| Ok(write(digraph, true, out)?)),
        ..FormatKind::NONE
    });
}

const BEGINNING: &str = "%%matrixmarket ";
const HEADER: &str = "\"%%MatrixMarket matrix coordinate FIELD SYMMETRY\", or with \"array\"";
const SIZE: &str = "the numbers of rows, columns and entries";
const ENTRY: &str = "a row, a column and a value, as the header announces";

pub(super) fn read(text: &str) -> Result<TextGraph, FormatError> {
    let mut lines = lines(text);
    let (number, line) = lines.next().ok_or(Wrong::Empty)?;
    let header = line.to_ascii_lowercase();
    let words: Vec<_> = header.split_ascii_whitespace().collect();
    let (["%%matrixmarket", "matrix", form @ ("coordinate" | "array"), field, symmetry], false) =
        (&words[..], words.len() != 5)
    else {
        return Err(not(number, line, HEADER));
    };
    let values = match *field {
        "pattern" => 0,
        "real" | "integer" => 1,
        "complex" => 2,
        _ => return Err(not(number, line, HEADER)),
    };
    let is_general = match *symmetry {
        "general" => true,
        "symmetric" | "hermitian" | "skew-symmetric" => false,
        _ => return Err(not(number, line, HEADER)),
    };
    let mut lines = lines.filter(|(_, line)| !line.starts_with('%'));
    let (number, line) = lines.next().ok_or(Wrong::Missing(SIZE))?;
    let words: Vec<_> = line.split_ascii_whitespace().collect();
    let is_array = *form == "array";
    let (rows, columns) = match (&words[..], is_array) {
        ([rows, columns, _], false) | ([rows, columns], true) => (rows, columns),
        _ => return Err(not(number, line, SIZE)),
    };
    if rows != columns {
        let what = "a matrix with different numbers of rows and columns".to_owned();
        return Err(at(number, Wrong::NotRead(what)));
    }
    let n = size(number, line, rows, SIZE)?;
    let mut edges = Edges::new(Numbering::FromOne, n);
    // Row and column of the next value of an array, 0-based.
    let mut next = (0, 0);
    let mut found = 0u64;
    for (number, line) in lines {
        let wrong = || not(number, line, ENTRY);
        let words: Vec<_> = line.split_ascii_whitespace().collect();
        let (ends, value) = words.split_at(if is_array { 0 } else { words.len().min(2) });
        let value: Result<Vec<f64>, _> = value.iter().map(|word| word.parse()).collect();
        let value = value.map_err(|_| wrong())?;
        if value.len() != values {
            return Err(wrong());
        }
        found += 1;
        let pair = match ends {
            [row, column] => {
                let number_of = |word: &str| word.parse().map_err(|_| wrong());
                edges.ends(number, [number_of(row)?, number_of(column)?])?
            }
            _ if next.1 >= n => return Err(wrong()),
            _ => {
                let (row, column) = next;
                let first = if is_general { 0 } else { column + 1 };
                next = match row + 1 < n {
                    true => (row + 1, column),
                    false => (first, column + 1),
                };
                (row, column)
            }
        };
        if value.is_empty() || value.iter().any(|&value| value != 0.0) {
            edges.list.push(pair);
        }
    }
    let announced = match words.get(2) {
        Some(entries) => entries.parse().map_err(|_| not(number, line, SIZE))?,
        None if is_general => u64::from(n) * u64::from(n),
        None => u64::from(n) * (u64::from(n) + 1) / 2,
    };
    if found != announced {
        return Err(at(number, Wrong::Edges { announced, found }));
    }
    let declared = match is_general {
        true => Declared::Matrix,
        false => Declared::Unordered,
    };
    edges.graph(Format::MATRIX_MARKET, declared)
}

/// Writes the lower triangle of the matrix of an undirected graph, or, if `directed` is true, the matrix of a digraph.
fn write(graph: &Digraph, directed: bool, out: &mut dyn Write) -> io::Result<()> {
    let symmetry = if directed { "general" } else { "symmetric" };
    writeln!(out, "%%MatrixMarket matrix coordinate pattern {symmetry}")?;
    let (n, arcs) = (graph.n_vertices(), graph.arcs_or_edges(directed).count());
    writeln!(out, "{n} {n} {arcs}")?;
    for arc in graph.arcs_or_edges(directed) {
        let [tail, head] = [arc.tail, arc.head].map(|v| v.number() + 1);
        match directed {
            true => writeln!(out, "{tail} {head}")?,
            false => writeln!(out, "{head} {tail}")?,
        }
    }
    Ok(())
}
