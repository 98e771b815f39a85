//! Markdown reports from rows: tables, published figures beside ours, and in words what reproduced. One file a kind of
//! experiment.
//!
//! A time-out is a lower bound and is never averaged: a median that it leaves open is written as `≥ bound`.

pub mod compare;
mod count;
mod decision;
pub mod median;
mod race;
mod sizes;
pub mod standing;

use std::collections::HashMap;

use tabled::builder::Builder;
use tabled::settings::object::Columns;
use tabled::settings::{Alignment, Style};

use super::experiment::Experiment;
use super::job::Job;
use super::plan::{Heading, Plan};
use hamcnf_methods::machine::{GraphRead, Machine};
use hamcnf_methods::record::{Key, Record};

/// The rows of an experiment, found by their jobs.
#[derive(Clone, Debug, Default)]
pub struct Results(HashMap<Key, Record>);

impl Results {
    /// These.
    #[must_use]
    pub fn new(records: HashMap<Key, Record>) -> Self {
        Self(records)
    }

    /// That of a key.
    #[must_use]
    pub fn get(&self, key: &Key) -> Option<&Record> {
        self.0.get(key)
    }

    /// Those of these keys in their order, as far as they are there.
    pub fn in_order<'k>(&self, keys: impl IntoIterator<Item = &'k Key>) -> Vec<Record> {
        let rows = keys.into_iter().filter_map(|key| self.get(key).cloned());
        rows.collect()
    }

    /// Those of some jobs, as far as they are there.
    #[must_use]
    pub fn of<'a>(&'a self, jobs: &[Job]) -> Vec<&'a Record> {
        jobs.iter().filter_map(|job| self.get(&job.key())).collect()
    }
}

/// Tables and words about rows.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// In Markdown.
    pub text: String,
    /// What is wrong with any of the answers, or differs from what was published.
    pub faults: Vec<String>,
}

/// The report of an experiment.
#[must_use]
pub fn of(experiment: &Experiment, results: &Results, machine: &Machine) -> Report {
    match &experiment.plan {
        Plan::Sizes(plan) => sizes::report(experiment, plan, results, machine),
        Plan::Decision(plan) => decision::report(experiment, plan, results, machine),
        Plan::Count(plan) => count::report(experiment, plan, results, machine),
        Plan::Compare(plan) => compare::report(experiment, plan, results, machine),
        Plan::Race(plan) => race::report(experiment, plan, results, machine),
    }
}

/// A table in Markdown; the first `left` columns are text, the others numbers. What would end a cell or begin a tag does not.
#[must_use]
pub fn table(rows: Vec<Vec<String>>, left: usize) -> String {
    let rows = rows.into_iter();
    let rows = rows.map(|row| row.iter().map(|cell| in_a_cell(cell)).collect::<Vec<_>>());
    let mut table = Builder::from_iter(rows).build();
    table.with(Style::markdown());
    table.modify(Columns::new(left..), Alignment::right());
    table.to_string() + "\n"
}

/// A text as a cell of Markdown; one that is Markdown already stays.
fn in_a_cell(text: &str) -> String {
    let text = text.replace(['\n', '\r'], " ");
    let mut cell = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let begins_a_tag = |next: &char| next.is_ascii_alphabetic() || "/!?".contains(*next);
        match c {
            '|' if !cell.ends_with('\\') => cell.push_str("\\|"),
            '<' if chars.peek().is_some_and(begins_a_tag) => cell.push_str("&lt;"),
            c => cell.push(c),
        }
    }
    cell
}

#[cfg(test)]
#[test]
fn cells_hold_what_would_end_them() {
    assert_eq!(in_a_cell("a|b\\|c"), "a\\|b\\|c");
    assert_eq!(in_a_cell("< 0.001\n</b>"), "< 0.001 &lt;/b>");
}

fn row<const K: usize>(cells: [&str; K]) -> Vec<String> {
    cells.map(str::to_owned).to_vec()
}

/// Title, prose, and where the figures come from.
fn front(experiment: &Experiment, heading: &Heading, machine: &Machine) -> String {
    let Heading { title, about } = heading;
    let Machine {
        date,
        load,
        hamcnf,
        commit,
        solver,
        graphs,
        others,
        ..
    } = machine;
    let load = load.map_or(String::new(), |load| format!(", load {load} at the start"));
    let file = experiment.file.display();
    let name = &experiment.name;
    let about = about.trim();
    let machine = machine.said();
    let graph = |graph: &GraphRead| {
        let GraphRead {
            file,
            vertices,
            edges,
            ..
        } = graph;
        let checksum = graph.checksum();
        format!("{file} has {vertices} vertices and {edges} edges (CRC-32 {checksum})")
    };
    let graphs = match graphs.iter().map(graph).collect::<Vec<_>>() {
        graphs if graphs.is_empty() => String::new(),
        graphs => format!("\n{}.\n", graphs.join("; ")),
    };
    let others = match others.iter().map(Machine::said).collect::<Vec<_>>() {
        others if others.is_empty() => String::new(),
        others => format!(
            "\nRows are of {} machines, whose times should not be compared; the others are: {}.\n",
            others.len() + 1,
            others.join(" | ")
        ),
    };
    format!(
        "# {title}\n\n{about}\n\n\
         Made by `hamcnf run {file}`; the raw rows are in [{name}.csv]({name}.csv). \
         hamcnf {hamcnf} (commit {commit}), {solver}; {machine}; {date}{load}.\n{others}{graphs}"
    )
}

/// What a run may take, in words.
#[must_use]
pub fn said(limits: &hamcnf_engines::limits::Limits) -> String {
    let mut said = Vec::new();
    if let Some(wall) = limits.wall {
        said.push(format!("{} s of wall time", wall.as_secs_f64()));
    }
    if let Some(cpu) = limits.cpu {
        said.push(format!("{} s of CPU time", cpu.as_secs_f64()));
    }
    if let Some(memory) = limits.memory {
        said.push(format!(
            "{} of memory",
            hamcnf_engines::count::frontier::Bytes(memory)
        ));
    }
    if let Some(conflicts) = limits.conflicts {
        said.push(format!("{conflicts} conflicts"));
    }
    match said.as_slice() {
        [] => "no limit".to_owned(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}
