//! Adjacency matrix: one line for each vertex, with entries 0 and 1. The entries are separated by blanks, by commas, or
//! not at all. `#` and `%` begin comments. The number of rows, or the numbers of rows and columns, may precede the rows.
//! The matrix may be in brackets or braces: `[[0, 1], [1, 0]]` by Python, `{{0,1},{1,0}}` by Mathematica, or
//! `[0 1; 1 0]` by MATLAB.
//!
//! A symmetric matrix is an undirected graph. Any other matrix is a digraph: the entry 1 in row `i` and column `j` is
//! an arc from `i` to `j`.

use super::*;

impl Format {
    /// Adjacency matrix, a row of 0 and 1 per line.
    pub const MATRIX: Self = Self::new(&FormatKind {
        name: "matrix",
        summary: "the adjacency matrix, rows of 0 and 1",
        endings: &["mat", "adj"],
        comment: Some('#'),
        read,
        // A single entry is valid in many formats. No list has the form of a larger matrix. A METIS list would begin
        // with the number of vertices, which is not 0. In an adjacency list with an edge, lines have different lengths,
        // because the last line has only a vertex.
        read_strictly: Some(|text| {
            let graph = read(text)?;
            if graph.n > 1 { Ok(graph) } else { Err(at(0, EMPTY)) }
        }),
        bytes_of_matrix: Some(|n, _| 2 * n * n),
        has_arcs: true,
        write: |graph, out| Ok(write(graph.digraph, out)?),
        ..FormatKind::NONE
    });
}

const ROW: &str = "a row of 0 and 1";

fn read(text: &str) -> Result<TextGraph, FormatError> {
    let mut arcs = Vec::new();
    let mut columns = None;
    let all = rows_of(text);
    let rows = without_size(&all);
    for (from, &(line, ref row)) in (0..).zip(rows) {
        if from == MOST_VERTICES {
            return Err(too_large(line, u64::from(from) + 1));
        }
        let found = entries(line, row, |to| arcs.push((from, to)))?;
        let &mut expected = columns.get_or_insert(found);
        if found != expected {
            return Err(uneven(line, expected, found));
        }
    }
    let n = n_vertices(0, rows.len() as u64)?;
    match (rows.last(), columns) {
        // A row has at least one byte per column, so the number of columns is limited by the length of the text.
        (Some(&(line, _)), Some(columns)) if rows.len() != columns => Err(match u32::try_from(columns) {
            Ok(columns) => lines_differ(line, columns, rows.len()),
            Err(_) => too_large(line, columns as u64),
        }),
        (None, _) if !Format::MATRIX.is_title_of(text) => Err(at(0, EMPTY)),
        _ => TextGraph::new(Format::MATRIX, Numbering::FromOne, n, Declared::Matrix, arcs),
    }
}

/// Returns the rows of a matrix, each with its line number. A matrix in brackets or braces is split at them.
fn rows_of(text: &str) -> Vec<(usize, Cow<'_, str>)> {
    let lines = super::entries(text).filter(|(_, row)| !is_caption(row));
    let lines: Vec<_> = lines.collect();
    let Some((_, first)) = lines.first().filter(|(_, row)| row.starts_with(['[', '{'])) else {
        let plain = lines.into_iter().map(|(line, row)| (line, Cow::Borrowed(row)));
        return plain.collect();
    };
    let is_nested = first[1..].trim_start().starts_with(['[', '{'])
        || first.len() == 1 && lines.get(1).is_some_and(|(_, row)| row.starts_with(['[', '{']));
    let mut rows = Vec::new();
    let mut row = String::new();
    for (line, text) in lines {
        // A row in brackets of its own may extend over several lines.
        for c in text.chars().chain(['\n']) {
            match c {
                '[' | '{' => {}
                '\n' | ';' if is_nested => row.push(' '),
                ']' | '}' | ';' | '\n' => {
                    let entries = std::mem::take(&mut row);
                    let entries = entries.trim_matches(|c: char| c == ',' || c.is_whitespace());
                    if !entries.is_empty() {
                        rows.push((line, Cow::Owned(entries.to_owned())));
                    }
                }
                c => row.push(c),
            }
        }
    }
    // Text after the last bracket makes another row, which is then rejected.
    if !row.trim().is_empty() {
        rows.push((0, Cow::Owned(row)));
    }
    rows
}

/// Returns the rows without a first line that has the number of rows, alone or before the number of columns.
fn without_size<'r, 't>(rows: &'r [(usize, Cow<'t, str>)]) -> &'r [(usize, Cow<'t, str>)] {
    let Some(((_, first), rest)) = rows.split_first() else {
        return rows;
    };
    let mut numbers = first.split_ascii_whitespace();
    let is_size = |word: &str| word.parse() == Ok(rest.len());
    match numbers.clone().count() {
        1 | 2 if rest.len() > 1 && numbers.all(is_size) => rest,
        _ => rows,
    }
}

/// Calls `one` with the 0-based column of each entry 1 in a row. Returns the number of entries in the row.
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

/// Returns true for an entry 1, false for an entry 0, and `None` for other entries. Entries may be written as real
/// numbers.
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

/// Writes the matrix of a graph or a digraph.
fn write(graph: &Digraph, out: &mut dyn Write) -> io::Result<()> {
    // A matrix of two rows could be mistaken for edges, and a matrix of one row is valid in many formats.
    if graph.n_vertices() < 3 {
        write_title(Format::MATRIX, out)?;
    }
    // Row of a vertex without successors. Each entry is followed by a blank, or by the end of the line.
    let mut row = b"0 ".repeat(graph.n_vertices() as usize);
    if let Some(end) = row.last_mut() {
        *end = b'\n';
    }
    for v in graph.vertices() {
        let heads = graph.successors(v);
        heads.iter().for_each(|w| row[2 * w.index()] = b'1');
        out.write_all(&row)?;
        heads.iter().for_each(|w| row[2 * w.index()] = b'0');
    }
    Ok(())
}
