//! Rows of results, as CSV and as JSON. Parsing a written row must return the same row.

use hamcnf::harness::rows::read_rows;
use hamcnf::record::Record;

const HEADING: &str = "schema,question,graph_crc32,method,seed,wall_limit,cpu_limit,memory_limit,conflict_limit,status,value,\
                       message,variables,clauses,statistics,encode_seconds,solve_seconds,cpu_seconds,wall_seconds,peak_rss_kib,\
                       version,commit,solver,machine";

/// Fuzzes the parsers of rows with arbitrary text. The text is parsed as CSV rows, with and without their heading, and
/// as one row in JSON.
pub fn rows(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    for text in [text.as_ref(), &format!("{HEADING}\n{text}")] {
        match read_rows(text) {
            Ok(rows) => rows.iter().for_each(is_read_again),
            Err(error) => drop(error),
        }
    }
    match serde_json::from_str::<Record>(&text) {
        Ok(row) => is_read_again(&row),
        Err(error) => drop(error.to_string()),
    }
}

fn is_read_again(row: &Record) {
    drop((row.key().to_string(), row.said(), row.number(), row.outcome()));
    assert!(!row.contradicts(row), "{row:?}");
    let json = serde_json::to_string(row).unwrap();
    assert_eq!(serde_json::from_str::<Record>(&json).unwrap(), *row, "{json}");
    let mut csv = csv::Writer::from_writer(Vec::new());
    csv.serialize(row).unwrap();
    let csv = String::from_utf8(csv.into_inner().unwrap()).unwrap();
    assert_eq!(read_rows(&csv).unwrap(), std::slice::from_ref(row), "{csv}");
}
