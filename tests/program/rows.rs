//! Rows of results, as tests read them.

use std::path::Path;

/// Each row as pairs of column and value.
pub(crate) fn values(file: &Path) -> Vec<Vec<(String, String)>> {
    let mut reader = csv::Reader::from_path(file).unwrap();
    let heads = reader.headers().unwrap().clone();
    let row = |row: csv::StringRecord| -> Vec<(String, String)> {
        let pairs = heads.iter().zip(row.iter());
        pairs
            .map(|(head, value)| (head.to_owned(), value.to_owned()))
            .collect()
    };
    reader
        .records()
        .map(|record| row(record.unwrap()))
        .collect()
}

/// Columns that say what something took, and where.
const MEASURED: [&str; 6] = [
    "encode_seconds",
    "solve_seconds",
    "cpu_seconds",
    "wall_seconds",
    "peak_kib",
    "machine",
];

/// The same without what was measured.
pub(crate) fn said(file: &Path) -> Vec<Vec<(String, String)>> {
    let mut rows = values(file);
    for row in &mut rows {
        row.retain(|(column, _)| !MEASURED.contains(&&**column));
    }
    rows
}
