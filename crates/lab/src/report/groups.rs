//! Strengths of methods: questions are grouped by a feature of their graphs. For each group, a table shows how many
//! runs the best methods have solved, and how often each of them was the fastest.
//!
//! A numeric feature has up to four groups of about equal size. Any other feature has one group per value.

use std::cmp::Ordering;
use std::collections::HashSet;
use std::fs;
use std::path::PathBuf;

use hamcnf_graph::{Named, named};
use indexmap::IndexSet;

use super::data::{Asked, Column, Data, Entry};
use super::measure::Measure;
use super::tables::{Table, value};
use crate::LabError;
use crate::report::standing::{Rank, Run, Standing, sooner};
use hamcnf_graph::budget::Budget;
use hamcnf_methods::features::Features;
use hamcnf_questions::Question;

named! {
    /// Feature by which questions are grouped.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
    pub enum Feature: "feature" {
        /// Kind of the question: boards, a graph family or files; closed or open tours.
        #[default]
        Kind => "kind",
        /// Number of vertices.
        Vertices => "vertices",
        /// Number of edges.
        Edges => "edges",
        /// Least degree of a vertex.
        LeastDegree => "least_degree",
        /// Mean degree of the vertices.
        MeanDegree => "mean_degree",
        /// Greatest degree of a vertex.
        GreatestDegree => "greatest_degree",
        /// Bipartiteness of the graph.
        Bipartite => "bipartite",
        /// Number of cut vertices.
        CutVertices => "cut_vertices",
        /// Upper bound on the treewidth of the graph.
        WidthBound => "width_bound",
        /// Obstruction to a tour that the cheap infeasibility checks find.
        Obstruction => "obstruction",
    }
}

/// Value of a feature for a question.
#[derive(Clone, PartialEq, Debug)]
enum Value {
    Number(f64),
    Word(String),
}

/// Maximum number of groups for a numeric feature.
const GROUPS: usize = 4;

/// Reads features of graphs from files that `hamcnf graph --format csv` has written.
///
/// # Errors
///
/// [`LabError`], which names the file.
pub fn read(files: &[PathBuf]) -> Result<Vec<Features>, LabError> {
    let mut all = Vec::new();
    for file in files {
        let text = fs::read(file).map_err(|error| LabError::in_file(file, error))?;
        for row in csv::Reader::from_reader(text.as_slice()).deserialize::<Features>() {
            all.push(row.map_err(|error| LabError::in_file(file, error))?);
        }
    }
    Ok(all)
}

/// Returns the name of each question's group, in the order of [`Data::places`]. Features that are not in `known` are
/// computed if the graph is available.
pub fn groups(data: &Data, known: &[Features], feature: Feature) -> Vec<String> {
    let values: Vec<_> = data
        .places
        .iter()
        .map(|asked| match (feature, asked.vertices) {
            (Feature::Kind, _) => Value::Word(asked.kind.clone()),
            (Feature::Vertices, Some(n)) => Value::Number(n as f64),
            _ => {
                let value = of(asked, known).and_then(|of| value_of(&of, feature));
                value.unwrap_or_else(|| Value::Word(format!("{feature} not known")))
            }
        })
        .collect();
    let number = |value: &Value| if let Value::Number(number) = value { Some(*number) } else { None };
    let mut numbers: Vec<f64> = values.iter().filter_map(number).collect();
    numbers.sort_by(f64::total_cmp);
    let ends = ends(&numbers);
    let name = |value: &Value| match value {
        Value::Word(word) => word.clone(),
        Value::Number(number) => {
            let range = ends.iter().find(|(_, high)| number <= high);
            let (low, high) = range.copied().unwrap_or((*number, *number));
            match low == high {
                true => format!("{feature} {}", short(low)),
                false => format!("{feature} {} to {}", short(low), short(high)),
            }
        }
    };
    values.iter().map(name).collect()
}

/// Divides sorted numbers into groups. Returns the least and the greatest number of each group. Equal numbers are in
/// the same group.
fn ends(numbers: &[f64]) -> Vec<(f64, f64)> {
    let mut ends: Vec<(f64, f64)> = Vec::new();
    for k in 0..GROUPS {
        let (from, to) = (k * numbers.len() / GROUPS, (k + 1) * numbers.len() / GROUPS);
        let Some(&high) = numbers.get(to.saturating_sub(1)).filter(|_| to > from) else { continue };
        let above = ends.last().map(|(_, end)| *end);
        let low = numbers[from..].iter().copied().find(|low| above.is_none_or(|end| *low > end));
        if let Some(low) = low.filter(|low| *low <= high) {
            ends.push((low, high));
        }
    }
    ends
}

fn of(asked: &Asked, known: &[Features]) -> Option<Features> {
    let question = &asked.question;
    // A graph is identified by its checksum, not by its name: without a checksum, a row may describe another graph.
    let is_it = |of: &&Features| match (of.graph_crc32.as_str(), asked.graph.as_str()) {
        ("", "") => of.question == *question,
        (one, other) => one == other,
    };
    if let Some(features) = known.iter().find(is_it) {
        return Some(features.clone());
    }
    match Question::load(question).ok()? {
        // The file may have changed after the run.
        Question::Tours(tours) if tours.checksum() == asked.graph => Some(Features::of(&tours, &Budget::default())),
        _ => None,
    }
}

/// Returns the value in the column of the feature; `None` if it is unknown.
fn value_of(of: &Features, feature: Feature) -> Option<Value> {
    let columns = serde_json::to_value(of).unwrap_or_default();
    let word = match &columns[feature.as_str()] {
        serde_json::Value::Number(number) => return number.as_f64().map(Value::Number),
        serde_json::Value::String(kind) => kind,
        serde_json::Value::Bool(true) => "bipartite",
        serde_json::Value::Bool(false) => "not bipartite",
        _ if feature == Feature::Obstruction => "no obstruction found",
        _ => return None,
    };
    Some(Value::Word(word.to_owned()))
}

fn short(number: f64) -> String {
    format!("{number:.2}").trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Returns the table of the best methods in each group. Methods are ordered by their share of solved runs, then by
/// their geometric mean. `None` if there are fewer than two groups or methods.
pub fn wins(columns: &[Column], groups: &[String], feature: Feature, measure: &Measure) -> Option<Table> {
    let names: IndexSet<&String> = groups.iter().collect();
    if names.len() < 2 || columns.len() < 2 {
        return None;
    }
    let first = first(columns, measure.floor());
    let mut lines = Vec::new();
    for name in names {
        let mut places: Vec<_> = columns
            .iter()
            .zip(&first)
            .filter_map(|(column, first)| {
                let entries = column.entries.iter().zip(first);
                place(column, entries.filter(|(entry, _)| groups[entry.place] == *name), measure)
            })
            .collect();
        places.sort_by(|(a, ..), (b, ..)| a.total_cmp(b));
        let Some(asked) = places.iter().map(|(_, asked, _)| asked).max() else { continue };
        let mut line = vec![name.clone(), asked.to_string()];
        line.extend(places.iter().take(BEST).map(|(.., words)| words.clone()));
        line.resize(2 + BEST, String::new());
        lines.push(line);
    }
    let note = "The method that answered the greatest share of its questions; ties are broken by the smaller geometric \
                mean, in which an unsolved run counts as its limit. 'First' is the number of questions on which no \
                comparable method was faster.";
    let columns = [feature.as_str(), "runs", "best", "second", "third"];
    Some(Table::new(format!("Where each method wins, by {}", measure.label()), note, columns, 5, lines))
}

/// Maximum number of methods that are named for a group.
const BEST: usize = 3;

/// Returns one flag per run of each method: true if the run was solved and no other method was faster on the question.
fn first(columns: &[Column], floor: f64) -> Vec<Vec<bool>> {
    let of = |column: &Column| {
        let mut later: HashSet<(usize, u64)> = HashSet::new();
        for other in columns.iter().filter(|other| other.name != column.name) {
            for (cell, against) in column.against(other) {
                if sooner(cell.run, against.run, floor) == Some(Ordering::Greater) {
                    later.insert((cell.place, cell.seed));
                }
            }
        }
        let cells = column.entries.iter();
        cells.map(|cell| cell.run.solved().is_some() && !later.contains(&(cell.place, cell.seed))).collect()
    };
    columns.iter().map(of).collect()
}

/// Returns the rank of a method in a group of questions, the number of its runs, and its figures in words; `None` without
/// runs.
fn place<'c>(
    column: &Column,
    entries: impl Iterator<Item = (&'c Entry, &'c bool)>,
    measure: &Measure,
) -> Option<(Rank, usize, String)> {
    let (runs, firsts): (Vec<Run>, Vec<bool>) = entries.map(|(entry, is_first)| (entry.run, *is_first)).unzip();
    let standing = Standing(runs);
    let (answered, asked) = (standing.times().len(), standing.asked());
    let mean = standing.geometric_mean(measure.floor()).filter(|mean| mean.is_finite());
    let mean = mean.map_or_else(String::new, |mean| format!(", {}", value(mean, measure)));
    let first = firsts.iter().filter(|is_first| **is_first).count();
    let words = format!("{}: {answered}/{asked}{mean}, {first} first", column.name);
    (asked > 0).then(|| (standing.rank(), asked, words))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_hold_about_as_many_and_never_part_equals() {
        assert_eq!(ends(&[]), []);
        assert_eq!(ends(&[3.0]), [(3.0, 3.0)]);
        assert_eq!(ends(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]), [(1.0, 2.0), (3.0, 4.0), (5.0, 6.0), (7.0, 8.0)]);
        assert_eq!(ends(&[3.0, 3.0, 3.0, 3.0, 3.0, 4.0]), [(3.0, 3.0), (4.0, 4.0)]);
    }
}
