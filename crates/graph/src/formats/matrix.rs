//! Adjacency matrix: one line for each vertex, with entries 0 and 1. The entries are separated by blanks, by commas, or
//! not at all. The matrix must be symmetric, with 0 on the diagonal. `#` and `%` begin comments.

use std::io::{self, Write};

use super::edges::is_comment;
use super::{
    Format, FormatError, GraphFormat, Listed, MOST_VERTICES, Reader, WriteError, Wrong, at,
    both_ways, lines, not, write_said,
};
use crate::graph::Graph;
use crate::vertex_names::VertexNames;

impl Format {
    /// Adjacency matrix, a row of 0 and 1 per line.
    pub const MATRIX: Self = Self::new(&Matrix);
}

struct Matrix;

impl GraphFormat for Matrix {
    fn name(&self) -> &'static str {
        "matrix"
    }

    fn summary(&self) -> &'static str {
        "the adjacency matrix, rows of 0 and 1"
    }

    fn endings(&self) -> &'static [&'static str] {
        &["mat", "adj"]
    }

    fn comment(&self) -> Option<char> {
        Some('#')
    }

    fn read(&self, text: &str) -> Result<Listed, FormatError> {
        read(text)
    }

    fn read_strictly(&self) -> Option<Reader> {
        Some(read_surely)
    }

    fn write(&self, graph: &Graph, _: &VertexNames, out: &mut dyn Write) -> Result<(), WriteError> {
        Ok(write(graph, out)?)
    }
}

const ROW: &str = "a row of 0 and 1";

pub(super) fn read(text: &str) -> Result<Listed, FormatError> {
    let mut arcs = Vec::new();
    let mut rows = Vec::new();
    let mut columns = None;
    for (line, row) in lines(text).filter(|(_, line)| !is_comment(line)) {
        if rows.len() as u64 == u64::from(MOST_VERTICES) {
            return Err(at(line, Wrong::TooLarge(rows.len() as u64 + 1)));
        }
        let from = rows.len() as u32;
        rows.push(line);
        let found = entries(line, row, |to| arcs.push((from, to)))?;
        let &mut expected = columns.get_or_insert(found);
        if found != expected {
            return Err(at(line, Wrong::Row { expected, found }));
        }
    }
    match (rows.last(), columns) {
        (Some(&line), Some(expected)) if rows.len() != expected => {
            // The row has at least one byte per column, so the number of columns is limited by the length of the text.
            let vertices =
                u32::try_from(expected).map_err(|_| at(line, Wrong::TooLarge(expected as u64)))?;
            let found = rows.len();
            Err(at(line, Wrong::Lines { vertices, found }))
        }
        (None, _) if !says_it(text) => Err(Wrong::Empty.into()),
        _ => both_ways(Format::MATRIX, arcs, &rows),
    }
}

/// Reads a text that can only be a matrix. A single entry is rejected, because it is valid in many formats.
pub(super) fn read_surely(text: &str) -> Result<Listed, FormatError> {
    let listed = read(text)?;
    match listed.graph.n_vertices() > 1 {
        true => Ok(listed),
        false => Err(Wrong::Empty.into()),
    }
}

fn says_it(text: &str) -> bool {
    let first = lines(text).next().map(|(_, line)| line.to_owned());
    first.is_some() && first == Format::MATRIX.said()
}

/// Calls `one` with the 0-based column of each entry 1 in a row, and returns the number of entries in the row.
fn entries(line: usize, row: &str, mut one: impl FnMut(u32)) -> Result<usize, FormatError> {
    let wrong = || not(line, row, ROW);
    let mut count = 0;
    let mut entry = |is_one: bool| -> Result<(), FormatError> {
        if is_one {
            one(u32::try_from(count).map_err(|_| wrong())?);
        }
        count += 1;
        Ok(())
    };
    let is_between = |c: char| c == ',' || c.is_ascii_whitespace();
    if row.contains(is_between) {
        let mut separated = |word: &str| entry(value(word).ok_or_else(wrong)?);
        match row.contains(',') {
            true => {
                let mut words = row.trim_end_matches(',').split(',');
                words.try_for_each(|word| separated(word.trim()))?;
            }
            false => row.split_ascii_whitespace().try_for_each(separated)?,
        }
    } else if row.bytes().all(|byte| byte == b'0' || byte == b'1') {
        row.bytes().try_for_each(|byte| entry(byte == b'1'))?;
    } else {
        entry(value(row).ok_or_else(wrong)?)?;
    }
    Ok(count)
}

/// Returns true for an entry 1 and false for an entry 0, which may be written as real numbers; `None` for other
/// entries.
fn value(word: &str) -> Option<bool> {
    match word {
        "0" => Some(false),
        "1" => Some(true),
        _ => match word.parse::<f64>() {
            Ok(0.0) => Some(false),
            Ok(1.0) => Some(true),
            _ => None,
        },
    }
}

pub(super) fn write(graph: &Graph, out: &mut dyn Write) -> io::Result<()> {
    // A matrix of two rows could be mistaken for edges, and a matrix of one row is valid in many formats.
    if graph.n_vertices() < 3 {
        write_said(Format::MATRIX, out)?;
    }
    // Row of a vertex without neighbours. Each entry is followed by a blank, or by the end of the line.
    let mut row = b"0 ".repeat(graph.n_vertices() as usize);
    if let Some(end) = row.last_mut() {
        *end = b'\n';
    }
    for v in graph.vertices() {
        let neighbours = graph.neighbours(v);
        neighbours.iter().for_each(|w| row[2 * w.index()] = b'1');
        out.write_all(&row)?;
        neighbours.iter().for_each(|w| row[2 * w.index()] = b'0');
    }
    Ok(())
}
