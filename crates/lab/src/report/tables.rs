//! Tables of a report: sources of the rows, standings of the methods, and results for each question.

use std::collections::BTreeSet;

use hamcnf_graph::Named;
use indexmap::IndexSet;

use super::data::{Column, Data, Row, Source};
use super::grouped::grouped;
use super::markdown::table;
use super::measure::Measure;
use super::median::{Figure, seconds};
use super::ranked;
use super::standing::{Run, Standing};
use hamcnf_methods::record::{Record, Status};

/// Table of a report, with its heading.
#[derive(Clone, PartialEq, Debug)]
pub struct Table {
    pub heading: String,
    /// Explanation that is printed below the heading; may be empty.
    pub note: String,
    /// Headings of the columns.
    pub columns: Vec<String>,
    /// Number of columns with text, which come first. The others contain numbers.
    pub left: usize,
    /// Lines of the table, each with one cell per column.
    pub lines: Vec<Vec<String>>,
}

impl Table {
    /// Creates a table. The first `left` columns contain text.
    pub fn new<H: Into<String>>(
        heading: impl Into<String>,
        note: impl Into<String>,
        columns: impl IntoIterator<Item = H>,
        left: usize,
        lines: Vec<Vec<String>>,
    ) -> Self {
        let columns = columns.into_iter().map(Into::into).collect();
        Self { heading: heading.into(), note: note.into(), columns, left, lines }
    }

    /// Returns the headings of the columns, then the lines.
    pub fn rows(&self) -> impl Iterator<Item = &Vec<String>> {
        std::iter::once(&self.columns).chain(&self.lines)
    }

    /// Formats the table in Markdown, without its heading and its note.
    pub fn lines_in_markdown(&self) -> String {
        table(self.rows().cloned().collect(), self.left)
    }

    /// Formats the table in Markdown, with its heading and its note.
    pub fn markdown(&self) -> String {
        let note = match self.note.as_str() {
            "" => String::new(),
            note => format!("{note}\n\n"),
        };
        format!("## {}\n\n{note}{}", self.heading, self.lines_in_markdown())
    }
}

/// Returns the table of the files, with the builds and the machines that made their rows.
pub fn sources(data: &Data) -> Table {
    let line = |(number, source): (usize, &Source)| {
        let records = || data.rows.iter().filter(|row| row.source == number).map(|row| &row.record);
        let listed = |texts: BTreeSet<String>| texts.into_iter().collect::<Vec<_>>().join(", ");
        let builds = listed(records().map(|row| row.made.build()).collect());
        let machine = match &source.machine {
            Some(machine) => machine.said(),
            None => listed(records().map(|row| row.made.machine.clone()).collect()),
        };
        let date = source.machine.as_ref().map(|machine| machine.date.clone());
        vec![
            source.title.clone().unwrap_or_else(|| source.name.clone()),
            source.file.display().to_string(),
            source.command.clone().unwrap_or_default(),
            builds,
            machine,
            date.unwrap_or_default(),
            source.n_rows.to_string(),
        ]
    };
    let lines = data.sources.iter().enumerate().map(line).collect();
    let columns = ["results", "file", "command", "hamcnf", "machine", "begun", "rows"];
    Table::new("Origin of the rows", "", columns, 6, lines)
}

/// Returns the table of methods; `None` if there are no methods. The columns contain the number of solved runs, the
/// numbers of other results, and the PAR2, the geometric mean and the maximum of the measure.
pub fn methods(columns: &[Column], measure: &Measure) -> Option<Table> {
    let ended = |column: &Column, end: &str| {
        let runs = column.entries.iter().filter(|entry| matches!(entry.run, Run::Unsolved { why, .. } if why == end));
        runs.count()
    };
    let ends = Status::ALL.iter().filter(|status| !status.is_answer()).map(|status| status.as_str());
    let ends: Vec<&str> = ends.filter(|end| columns.iter().any(|column| ended(column, end) > 0)).collect();
    let heading = ["method", "answered"].into_iter().chain(ends.iter().copied());
    let heading = heading.chain(["PAR2", "geometric mean", "greatest"]);
    let lines: Vec<Vec<String>> = ranked(columns)
        .map(|column| {
            let standing = column.standing();
            let times = standing.times();
            let mut line = vec![column.name.clone()];
            line.push(format!("{}/{}", times.len(), standing.asked()));
            line.extend(ends.iter().map(|end| match ended(column, end) {
                0 => String::new(),
                count => count.to_string(),
            }));
            let finite = |figure: Option<f64>| match figure {
                Some(figure) if figure.is_finite() => value(figure, measure),
                _ => String::new(),
            };
            line.push(finite(standing.par2()));
            line.push(finite(standing.geometric_mean(measure.floor())));
            line.push(finite(times.last().copied()));
            line
        })
        .collect();
    let asked: BTreeSet<Vec<usize>> = columns.iter().map(asked).collect();
    let unlike = match asked.len() {
        0 | 1 => "",
        _ => " Not all methods ran on the same questions, so their figures are about different questions.",
    };
    let title = format!("Methods, by {}", measure.label());
    let note = format!(
        "The method with the largest share of answers comes first; ties are broken by the smaller geometric mean.{}{unlike}",
        explained(measure)
    );
    (!lines.is_empty()).then(|| Table::new(title, note, heading, 1, lines))
}

/// Returns a table with the number of runs that each method solved within each of several times, as in a cactus plot.
/// `None` if the measure is not a time or if no run was solved.
pub fn within(columns: &[Column], measure: &Measure) -> Option<Table> {
    let runs = columns.iter().flat_map(|column| &column.entries);
    let limit = runs.filter_map(|entry| entry.run.limit()).fold(0.0, f64::max);
    let standings: Vec<_> = columns.iter().map(Column::standing).collect();
    let times = || standings.iter().flat_map(Standing::times);
    if !measure.is_time() || times().next().is_none() {
        return None;
    }
    let most = times().fold(limit, f64::max);
    let steps = [0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0];
    let mut steps: Vec<f64> = steps.into_iter().filter(|step| *step < most).collect();
    steps.extend(Some(limit).filter(|limit| limit.is_finite() && *limit > 0.0));
    let heading = std::iter::once("method".to_owned()).chain(steps.iter().map(|step| format!("{step} s")));
    let line = |(column, standing): (&Column, &Standing)| {
        let numbers = steps.iter().map(|step| standing.within(*step).to_string());
        std::iter::once(column.name.clone()).chain(numbers).collect()
    };
    let lines = columns.iter().zip(&standings).map(line).collect();
    let title = format!("Number of answers within each time limit, measured in {}", measure.label());
    Some(Table::new(title, "", heading, 1, lines))
}

pub(super) fn value(value: f64, measure: &Measure) -> String {
    if measure.is_time() { seconds(value) } else { figure(value) }
}

/// Formats a figure that is not a time. Integers have no decimals.
fn figure(value: f64) -> String {
    if value.fract() == 0.0 && value.abs() < 1e15 { format!("{value}") } else { format!("{value:.4e}") }
}

/// Explains how the figures of a measure are computed.
fn explained(measure: &Measure) -> String {
    let of = match *measure == Measure::default() {
        true => " CPU seconds are those of the whole process, including its start.",
        false => "",
    };
    match measure.is_time() {
        true => format!(
            "{of} PAR2 is the mean in which a run without an answer counts as twice its limit; in the geometric mean, such a run counts as its limit, and a time below {0} s counts as {0} s.",
            measure.floor()
        ),
        false => " A mean is given only if all runs were solved.".to_owned(),
    }
}

/// Returns the index of the question for each run of a method, in increasing order.
fn asked(column: &Column) -> Vec<usize> {
    let mut asked: Vec<_> = column.entries.iter().map(|cell| cell.place).collect();
    asked.sort_unstable();
    asked
}

/// Returns the table with the result of every method for each question: the median of the runs with different seeds.
/// `None` if there are no results.
pub fn questions(data: &Data, columns: &[Column], measure: &Measure) -> Option<Table> {
    let heading = ["question", "vertices", "answer"].into_iter();
    let heading = heading.chain(columns.iter().map(|column| column.name.as_str()));
    // By question, since a scan of all rows for each of them would take quadratic time.
    let rows = grouped(data.rows.iter().map(|row| (row.place, row)));
    let runs = columns.iter().map(|column| grouped(column.entries.iter().map(|entry| (entry.place, entry.run))));
    let runs: Vec<_> = runs.collect();
    let mut lines = Vec::new();
    for (place, asked) in data.places.iter().enumerate() {
        let cells: Vec<_> =
            runs.iter().map(|runs| cell(runs.get(&place).map_or(&[], Vec::as_slice), measure)).collect();
        if cells.iter().all(String::is_empty) {
            continue;
        }
        let answer = rows
            .get(&place)
            .into_iter()
            .flatten()
            .filter(|row| row.record.status.is_answer() && !row.record.status.is_size())
            .max_by_key(|row| row.record.status == Status::Count)
            .map_or("unknown".to_owned(), |row| row.record.said());
        let vertices = asked.vertices.map_or(String::new(), |n| n.to_string());
        let mut line = vec![asked.name.clone(), vertices, answer];
        line.extend(cells);
        lines.push(line);
    }
    let title = format!("Each question, by {}", measure.label());
    let note = "For several seeds, the median; of an even number of runs, the greater of the two middle values. The sign ≥ marks a lower bound, because runs reached a limit.";
    (!lines.is_empty()).then(|| Table::new(title, note, heading, 1, lines))
}

/// Formats the median of a method's runs on a question. Without solved runs, states how the first run ended.
fn cell(runs: &[Run], measure: &Measure) -> String {
    let bound = |run: &Run| run.limit().map(|_| Figure::Exceeds(0.0));
    let figures: Vec<_> = runs.iter().filter_map(|run| run.figure().or_else(|| bound(run))).collect();
    match (runs, Figure::median(&figures)) {
        ([], _) => String::new(),
        (_, Some(median)) if !figures.iter().all(|figure| figure.is_bound()) => {
            median.show(|median| value(median, measure))
        }
        ([one, ..], _) => one.cell(),
    }
}

/// Returns the table of formula sizes; `None` if no row is about sizes.
pub fn sizes(data: &Data) -> Option<Table> {
    let rows: Vec<&Row> = data.rows.iter().filter(|row| row.record.status.is_size()).collect();
    let methods: IndexSet<usize> = rows.iter().map(|row| row.method).collect();
    let names = methods.iter().map(|&method| &data.methods[method]);
    let columns = names.flat_map(|name| [format!("{name}: variables"), format!("{name}: clauses")]);
    let columns = std::iter::once("question".to_owned()).chain(columns);
    let places: BTreeSet<usize> = rows.iter().map(|row| row.place).collect();
    let line = |&place: &usize| {
        let sizes = methods.iter().flat_map(|&method| {
            let row = rows.iter().rfind(|row| (row.place, row.method) == (place, method));
            let sizes = row.map_or([None; 2], |row| [row.record.variables, row.record.clauses]);
            sizes.map(|count| count.map_or_else(String::new, |n| n.to_string()))
        });
        std::iter::once(data.places[place].name.clone()).chain(sizes).collect()
    };
    let note = "The numbers of clauses include clauses of one literal.";
    (!rows.is_empty()).then(|| Table::new("Sizes", note, columns, 1, places.iter().map(line).collect()))
}

/// Describes the failed runs, and the contradictions between answers. At most one contradiction per question is
/// described.
pub fn faults(data: &Data) -> Vec<String> {
    let failed = data.rows.iter().filter(|row| row.record.status == Status::Failed);
    let mut faults: Vec<_> = failed.map(|row| format!("{}: {}", row.record.key(), row.record.said())).collect();
    for (place, rows) in grouped(data.rows.iter().map(|row| (row.place, row))) {
        // A count on a projection set is not a count of tours.
        let counts: Vec<_> = rows.into_iter().filter(|row| row.record.asked.method.projection().is_none()).collect();
        if let Some((one, other)) = contradiction(counts, |row| &row.record) {
            let [one, other] =
                [one, other].map(|row| format!("{} says {}", data.methods[row.method], row.record.said()));
            faults.push(format!("{}: {one}, and {other}", data.places[place].question));
        }
    }
    faults
}

/// Returns the first two rows, of rows about one question, whose answers contradict each other.
pub(super) fn contradiction<R: Copy>(
    rows: impl IntoIterator<Item = R>,
    record: impl Fn(&R) -> &Record,
) -> Option<(R, R)> {
    // It suffices to compare one row of each kind of answer.
    let mut kinds: Vec<R> = Vec::new();
    for row in rows {
        let this = record(&row);
        if let Some(other) = kinds.iter().find(|other| record(other).contradicts(this)) {
            return Some((*other, row));
        }
        if !kinds.iter().map(&record).any(|other| (other.status, &other.value) == (this.status, &this.value)) {
            kinds.push(row);
        }
    }
    None
}
