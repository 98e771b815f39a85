//! Rows of a page. Each row is a list that consists mostly of numbers. Some of the numbers are indices into lists of
//! texts.

use std::collections::{BTreeMap, HashMap};

use hamcnf_encodings::Named;
use serde::Serialize;
use serde_json::{Value, json};

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

/// Names of a row's entries, in the order of the entries.
const COLUMNS: [&str; 17] = [
    "question",
    "method",
    "seed",
    "status",
    "said",
    "cpu",
    "wall",
    "solve",
    "peak",
    "variables",
    "clauses",
    "statistics",
    "limits",
    "build",
    "solver",
    "machine",
    "source",
];

/// All rows of a page.
#[derive(Serialize)]
pub(super) struct Rows {
    columns: [&'static str; 17],
    /// Lists of texts, by the name of the column. A column is included only if its entries are indices into such a
    /// list.
    texts: BTreeMap<&'static str, Vec<String>>,
    /// Specification of each method, in the syntax of jobs.
    ways: Vec<String>,
    /// True if metrics were left out because the page would be too large.
    shortened: bool,
    lines: Vec<Value>,
}

/// Lists of distinct texts by column, with the index of each text.
#[derive(Default)]
struct Texts {
    of: BTreeMap<&'static str, Vec<String>>,
    numbers: HashMap<(&'static str, String), usize>,
}

impl Texts {
    fn number(&mut self, column: &'static str, text: String) -> usize {
        let texts = self.of.entry(column).or_default();
        match self.numbers.get(&(column, text.clone())) {
            Some(&number) => number,
            None => {
                let number = texts.len();
                texts.push(text.clone());
                self.numbers.insert((column, text), number);
                number
            }
        }
    }
}

impl Rows {
    pub(super) fn of(data: &Data, detail: Detail) -> Self {
        let mut texts = Texts::default();
        let mut ways = vec![String::new(); data.methods.len()];
        for row in &data.rows {
            if ways[row.method].is_empty() {
                ways[row.method] = row.record.method.to_string();
            }
        }
        let lines = data.rows.iter();
        let lines = lines.map(|row| line(row, detail, &mut texts)).collect();
        let questions = data.places.iter().map(|place| place.question.clone());
        let sources = data.sources.iter();
        let sources = sources.map(|source| source.file.display().to_string());
        let mut texts = texts.of;
        texts.insert("question", questions.collect());
        texts.insert("method", data.methods.clone());
        texts.insert("source", sources.collect());
        Self { columns: COLUMNS, texts, ways, shortened: detail != Detail::All, lines }
    }
}

fn line(row: &Row, detail: Detail, texts: &mut Texts) -> Value {
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
    json!([
        row.place,
        row.method,
        seed(record.seed),
        texts.number("status", record.status.as_str().to_owned()),
        texts.number("said", said),
        rounded(record.cpu_seconds),
        rounded(record.wall_seconds),
        rounded(record.solve_seconds),
        record.peak_rss_kib,
        record.variables,
        record.clauses,
        statistics,
        texts.number("limits", limits),
        texts.number("build", format!("{} ({})", record.version, record.commit)),
        texts.number("solver", record.solver.clone()),
        texts.number("machine", record.machine.clone()),
        row.source,
    ])
}

/// Largest number up to which a browser represents all integers exactly.
const MOST_WHOLE: u64 = 1 << 53;

/// Returns a seed as a number, or as a text if a browser would round the number.
fn seed(seed: u64) -> Value {
    match seed <= MOST_WHOLE {
        true => seed.into(),
        false => seed.to_string().into(),
    }
}

/// Rounds seconds to five significant digits, which is finer than the measurement.
fn rounded(seconds: Option<f64>) -> Option<f64> {
    format!("{:.4e}", seconds?).parse().ok()
}
