//! Rows of a page. Each row is a list that consists mostly of numbers. Some of the numbers are indices into lists of
//! texts.

use std::collections::BTreeMap;

use indexmap::IndexSet;
use serde::Serialize;
use serde_json::Value;

use crate::report::data::{Data, Row};

/// Level of detail of the rows on a page.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Detail {
    /// All metrics of each row.
    All,
    /// Only the first metric of each row.
    First,
    /// No metrics, and truncated results.
    Bare,
}

/// Maximum number of characters of a result.
const SAID: usize = 300;
/// Maximum number of characters of a result if the page would otherwise be too large.
const SAID_BARE: usize = 40;

/// All rows of a page.
#[derive(Serialize)]
pub(super) struct Rows {
    /// Names of a line's entries, in the order of the entries.
    columns: Vec<&'static str>,
    /// Lists of texts, by the name of the column. A column is included only if its entries are indices into such a
    /// list.
    texts: BTreeMap<&'static str, Vec<String>>,
    /// Specification of each method, in the syntax of jobs.
    ways: Vec<String>,
    /// True if metrics were left out because the page would be too large.
    shortened: bool,
    lines: Vec<Vec<Value>>,
}

/// Distinct texts of each column, in the order of their first rows.
type Texts = BTreeMap<&'static str, IndexSet<String>>;

impl Rows {
    pub(super) fn of(data: &Data, detail: Detail) -> Self {
        let mut texts = Texts::new();
        let mut ways = vec![String::new(); data.methods.len()];
        for row in &data.rows {
            if ways[row.method].is_empty() {
                ways[row.method] = row.record.asked.method.to_string();
            }
        }
        let lines: Vec<_> = data.rows.iter().map(|row| line(row, detail, &mut texts)).collect();
        let columns = lines.first().map(|line| line.each_ref().map(|(name, _)| *name));
        let texts = texts.into_iter().map(|(column, texts)| (column, texts.into_iter().collect()));
        let mut texts: BTreeMap<_, Vec<String>> = texts.collect();
        texts.insert("question", data.places.iter().map(|place| place.question.clone()).collect());
        texts.insert("method", data.methods.clone());
        texts.insert("source", data.sources.iter().map(|source| source.file.display().to_string()).collect());
        Self {
            columns: columns.map_or_else(Vec::new, Vec::from),
            texts,
            ways,
            shortened: detail != Detail::All,
            lines: lines.into_iter().map(|line| line.into_iter().map(|(_, value)| value).collect()).collect(),
        }
    }
}

/// Returns the names and values of a row's entries.
fn line(row: &Row, detail: Detail, texts: &mut Texts) -> [(&'static str, Value); 17] {
    let record = &row.record;
    let statistics = match (detail, record.statistics.main()) {
        (Detail::All, _) => record.statistics.to_string(),
        (Detail::First, Some((name, value))) => format!("{name}={value}"),
        _ => String::new(),
    };
    let room = if detail == Detail::Bare { SAID_BARE } else { SAID };
    let said: String = record.said().chars().take(room).collect();
    // The limits have the format that jobs use.
    let limits = serde_json::to_string(&record.limits()).unwrap_or_default();
    let mut text = |column, text: String| (column, texts.entry(column).or_default().insert_full(text).0.into());
    [
        ("question", row.place.into()),
        ("method", row.method.into()),
        ("seed", seed(record.asked.seed)),
        text("status", record.status.to_string()),
        text("said", said),
        ("cpu", rounded(record.cpu_seconds)),
        ("wall", rounded(record.wall_seconds)),
        ("solve", rounded(record.solve_seconds)),
        ("peak", record.peak_rss_kib.into()),
        ("variables", record.variables.into()),
        ("clauses", record.clauses.into()),
        ("statistics", statistics.into()),
        text("limits", limits),
        text("build", record.made.build()),
        text("solver", record.made.solver.clone()),
        text("machine", record.made.machine.clone()),
        ("source", row.source.into()),
    ]
}

/// Largest number up to which a browser represents all integers exactly.
const MOST_WHOLE: u64 = 1 << 53;

/// Returns a seed as a number, or as a text if a browser would round the number.
fn seed(seed: u64) -> Value {
    if seed <= MOST_WHOLE { seed.into() } else { seed.to_string().into() }
}

/// Rounds seconds to five significant digits, which is finer than the measurement.
fn rounded(seconds: Option<f64>) -> Value {
    seconds.and_then(|seconds| format!("{seconds:.4e}").parse::<f64>().ok()).into()
}
