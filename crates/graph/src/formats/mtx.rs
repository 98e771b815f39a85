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

use super::*;

impl Format {
    /// Matrix Market: `%%MatrixMarket matrix coordinate pattern symmetric`.
    pub const MATRIX_MARKET: Self = Self::new(&FormatKind {
        name: "mtx",
        summary: "Matrix Market's '%%MatrixMarket matrix'",
        endings: &["mtx"],
        begins: |text| first_line(text).to_ascii_lowercase().starts_with("%%matrixmarket "),
        read,
        has_arcs: true,
        write,
        ..FormatKind::NONE
    });
}

const HEADER: &str = "\"%%MatrixMarket matrix coordinate FIELD SYMMETRY\", or with \"array\"";
const SIZE: &str = "the numbers of rows, columns and entries";
const ENTRY: &str = "a row, a column and a value, as the header announces";

fn read(text: &str) -> Result<TextGraph, FormatError> {
    let mut lines = lines(text);
    let (number, line) = lines.next().ok_or_else(|| at(0, EMPTY))?;
    let header = line.to_ascii_lowercase();
    let ["%%matrixmarket", "matrix", form @ ("coordinate" | "array"), field, symmetry] = words(&header)[..] else {
        return Err(not(number, line, HEADER));
    };
    let values = match field {
        "pattern" => 0,
        "real" | "integer" => 1,
        "complex" => 2,
        _ => return Err(not(number, line, HEADER)),
    };
    if !["general", "symmetric", "hermitian", "skew-symmetric"].contains(&symmetry) {
        return Err(not(number, line, HEADER));
    }
    let is_general = symmetry == "general";
    let mut lines = lines.filter(|(_, line)| !line.starts_with('%'));
    let (number, line) = lines.next().ok_or_else(|| missing(0, SIZE))?;
    let sizes = words(line);
    let is_array = form == "array";
    let (rows, columns) = match (&sizes[..], is_array) {
        ([rows, columns, _], false) | ([rows, columns], true) => (rows, columns),
        _ => return Err(not(number, line, SIZE)),
    };
    if rows != columns {
        return Err(unsupported(number, "a matrix with different numbers of rows and columns"));
    }
    let n = size(number, line, rows, SIZE)?;
    let mut edges = Edges::new(Numbering::FromOne, n);
    // Row and column of the next value of an array, 0-based.
    let mut next = (0, 0);
    let mut found = 0u64;
    for (number, line) in lines {
        let wrong = || not(number, line, ENTRY);
        let words = words(line);
        let (ends, value) = words.split_at(if is_array { 0 } else { words.len().min(2) });
        let value = value.iter().map(|word| parsed(number, line, word, ENTRY));
        let value: Vec<f64> = value.collect::<Result<_, _>>()?;
        if value.len() != values {
            return Err(wrong());
        }
        found += 1;
        let pair = match ends {
            [row, column] => {
                let end = |word: &str| edges.vertex(number, parsed(number, line, word, ENTRY)?);
                (end(row)?, end(column)?)
            }
            _ if next.1 >= n => return Err(wrong()),
            _ => {
                let (row, column) = next;
                let first = if is_general { 0 } else { column + 1 };
                next = if row + 1 < n { (row + 1, column) } else { (first, column + 1) };
                (row, column)
            }
        };
        if value.is_empty() || value.iter().any(|&value| value != 0.0) {
            edges.pairs.edges.push(pair);
        }
    }
    let announced = match sizes.get(2) {
        Some(entries) => parsed(number, line, entries, SIZE)?,
        None if is_general => u64::from(n) * u64::from(n),
        None => u64::from(n) * (u64::from(n) + 1) / 2,
    };
    if found != announced {
        return Err(miscounted(number, announced, found));
    }
    edges.graph(Format::MATRIX_MARKET, if is_general { Declared::Matrix } else { Declared::Unordered })
}

/// Writes the lower triangle of the matrix of an undirected graph, or the matrix of a digraph.
fn write(graph: &NamedGraph<'_>, out: &mut dyn Write) -> Result<(), WriteError> {
    let symmetry = if graph.is_directed { "general" } else { "symmetric" };
    writeln!(out, "%%MatrixMarket matrix coordinate pattern {symmetry}")?;
    writeln!(out, "{n} {n} {}", graph.n_edges(), n = graph.n())?;
    let mut entries = graph.numbered_pairs().map(|[a, b]| if graph.is_directed { [a, b] } else { [b, a] });
    Ok(entries.try_for_each(|[row, column]| writeln!(out, "{row} {column}"))?)
}
