//! Helpers with which tests read rows of results.

use std::fs;
use std::path::Path;

use hamcnf::harness::rows::read_rows;
use hamcnf::machine::Machine;
use hamcnf::record::{Record, SCHEMA};

/// Returns the rows of a file. Each row is a list of pairs of a column name and a value.
pub(crate) fn values(file: &Path) -> Vec<Vec<(String, String)>> {
    let mut reader = csv::Reader::from_path(file).unwrap();
    let heads = reader.headers().unwrap().clone();
    let row = |row: csv::StringRecord| -> Vec<(String, String)> {
        let pairs = heads.iter().zip(row.iter());
        pairs.map(|(head, value)| (head.to_owned(), value.to_owned())).collect()
    };
    reader.records().map(|record| row(record.unwrap())).collect()
}

pub(crate) fn value<'r>(row: &'r [(String, String)], column: &str) -> &'r str {
    let (_, value) = row.iter().find(|(head, _)| head == column).unwrap();
    value
}

/// Returns the text of a file with these rows.
pub(crate) fn csv(rows: &[Record]) -> Vec<u8> {
    let mut csv = csv::Writer::from_writer(Vec::new());
    rows.iter().for_each(|row| csv.serialize(row).unwrap());
    csv.into_inner().unwrap()
}

/// Columns that contain measurements, or that identify the machine.
const MEASURED: [&str; 6] =
    ["encode_seconds", "solve_seconds", "cpu_seconds", "wall_seconds", "peak_rss_kib", "machine"];

/// Tests that the committed rows of every experiment and their machines can be read, and that no value is lost.
#[test]
fn all_committed_rows_are_read() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("results");
    let files = fs::read_dir(folder).unwrap();
    let files = files.map(|file| file.unwrap().path());
    let files: Vec<_> = files.filter(|file| file.extension().is_some_and(|ending| ending == "csv")).collect();
    assert!(files.len() > 10);
    for file in files {
        let name = file.display();
        let rows = read_rows(&fs::read_to_string(&file).unwrap()).unwrap();
        assert!(!rows.is_empty(), "{name}");
        assert!(rows.iter().all(|row| row.asked.schema == SCHEMA), "{name}");
        let machine = fs::read_to_string(file.with_extension("machine.json")).unwrap();
        serde_json::from_str::<Machine>(&machine).unwrap();
        // Rows that are read and written again have the same columns and values.
        let again = tempfile::NamedTempFile::new().unwrap();
        fs::write(again.path(), csv(&rows)).unwrap();
        assert_eq!(values(again.path()), values(&file), "{name}");
        let json: Vec<_> = rows.iter().map(|row| serde_json::to_string(row).unwrap()).collect();
        let read = json.iter().map(|row| serde_json::from_str::<Record>(row).unwrap());
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

/// Returns the committed rows of an experiment.
fn committed(name: &str) -> Vec<Record> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("results/{name}.csv"));
    read_rows(&fs::read_to_string(file).unwrap()).unwrap()
}

/// Tests that the open tours of 8x8 from one square of each class add up to the open tours from any square, and that this
/// number is the published one (OEIS A165134).
#[test]
fn open_tours_of_8x8_add_up() {
    let rows = committed("long-boards");
    let count = |question: &str| {
        let row = rows.iter().find(|row| row.asked.question == question).unwrap();
        row.whole().unwrap().clone()
    };
    let starts = ["a1", "b1", "c1", "d1", "b2", "c2", "d2", "c3", "d3", "d4"];
    let sum: num_bigint::BigUint = starts
        .iter()
        .map(|start| {
            let is_on_diagonal = start.as_bytes()[0] - b'a' == start.as_bytes()[1] - b'1';
            let squares = if is_on_diagonal { 4u32 } else { 8 };
            count(&format!("8x8 open from {start}")) * squares
        })
        .sum();
    assert_eq!(sum, count("8x8 open from anywhere"));
    assert_eq!(sum, 19_591_828_170_979_904u64.into());
}

/// Tests that all boards of 8 rows have the same number in one sweep and in a sweep of their own.
#[test]
fn boards_of_8_rows_have_the_same_numbers_in_both_experiments() {
    let (together, apart) = (committed("eight-rows"), committed("long-boards"));
    let both = apart.iter().filter_map(|row| {
        let other = together.iter().find(|other| other.asked.question == row.asked.question)?;
        Some((row.whole().unwrap(), other.whole().unwrap()))
    });
    let both: Vec<_> = both.collect();
    assert_eq!(both.len(), 5);
    assert!(both.iter().all(|(one, other)| one == other));
}

/// Tests that three standard errors of an estimate cover the number of tours for at least 95 of 100 seeds.
#[test]
fn standard_errors_of_estimates_cover_the_numbers() {
    let rows = committed("estimates");
    for (question, count) in [("6x8", 55_488_142.0), ("8x9", 7_112_881_119_092_574.0)] {
        let of_board = rows.iter().filter(|row| row.asked.question == question);
        let covers = |row: &&Record| {
            let error: f64 = row.statistics.get("standard_error").unwrap();
            (row.number().unwrap() - count).abs() <= 3.0 * error
        };
        let (all, covered) = (of_board.clone().count(), of_board.filter(covers).count());
        assert_eq!(all, 100);
        assert!(covered >= 95, "{question}: {covered}");
    }
}
