//! Helpers with which tests read rows of results.

use std::fs;
use std::path::Path;

use hamcnf::harness::rows::read_rows;
use hamcnf::record::{Record, SCHEMA, current_name};

/// Returns the rows of a file. Each row is a list of pairs: name of a column and value.
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

/// Columns that contain measurements, or that identify the machine.
const MEASURED: [&str; 6] = [
    "encode_seconds",
    "solve_seconds",
    "cpu_seconds",
    "wall_seconds",
    "peak_rss_kib",
    "machine",
];

/// Tests that the committed rows of every experiment can be read, whatever their schema, and that no value is lost.
#[test]
fn all_committed_rows_are_read() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("results");
    let files = fs::read_dir(folder).unwrap();
    let files = files.map(|file| file.unwrap().path());
    let files: Vec<_> = files
        .filter(|file| file.extension().is_some_and(|ending| ending == "csv"))
        .collect();
    assert!(files.len() > 10);
    for file in files {
        let name = file.display();
        let rows = read_rows(&fs::read_to_string(&file).unwrap()).unwrap();
        assert!(!rows.is_empty(), "{name}");
        assert!(rows.iter().all(|row| row.schema == SCHEMA), "{name}");
        // Rows that are read and written again have the same values, in columns with the current names.
        let mut csv = csv::Writer::from_writer(Vec::new());
        rows.iter().for_each(|row| csv.serialize(row).unwrap());
        let again = tempfile::NamedTempFile::new().unwrap();
        fs::write(again.path(), csv.into_inner().unwrap()).unwrap();
        let mut before = values(&file);
        for (column, value) in before.iter_mut().flatten() {
            *column = current_name(column).to_owned();
            if column == "schema" {
                *value = SCHEMA.to_string();
            }
        }
        assert_eq!(values(again.path()), before, "{name}");
        let json: Vec<_> = rows
            .iter()
            .map(|row| serde_json::to_string(row).unwrap())
            .collect();
        let read = json
            .iter()
            .map(|row| serde_json::from_str::<Record>(row).unwrap());
        assert!(read.eq(rows), "{name}");
    }
}

/// Returns the rows of a file without measurements and without the machine.
pub(crate) fn said(file: &Path) -> Vec<Vec<(String, String)>> {
    let mut rows = values(file);
    for row in &mut rows {
        row.retain(|(column, _)| !MEASURED.contains(&&**column));
    }
    rows
}
