//! Rows in the formats of other tools: [BenchExec results](benchexec), and [run times](competition) as the SAT
//! Competitions and ASlib publish them. These formats have one run for each pair of an instance and a solver. A
//! [`Grid`] arranges rows in this way. A new format is a file with an [`Exporter`], and a line in [`LIST`].

pub mod benchexec;
pub mod competition;

use std::collections::HashMap;
use std::fmt;

use indexmap::{IndexMap, IndexSet};

use super::grouped::grouped;
use crate::LabError;
use hamcnf_methods::machine::Machine;
use hamcnf_methods::record::{Record, Status};

/// Exporters, in the order in which help lists them.
pub const LIST: &[Exporter] = &[benchexec::EXPORTER, competition::WIDE, competition::RUNS];

/// Format of another tool.
#[derive(Clone, Copy, Debug)]
pub struct Exporter {
    pub name: &'static str,
    /// Description of the format in one line.
    pub summary: &'static str,
    /// True if the format has one file per method.
    pub is_folder: bool,
    /// Function that makes the files. The machine is the one that made the rows, if it is known.
    pub make: fn(&Grid, Option<&Machine>) -> Result<Vec<File>, LabError>,
}

/// Name and content of a file. The name is empty if the format has only one file.
pub type File = (String, String);

/// Instance as other tools define it: a question, with the details that distinguish several instances of the question.
///
/// The graph is a detail if several graphs have the same name. The limits are a detail if a method has runs with
/// different limits. The seed is a detail if a method has runs with different seeds. Runs with different seeds are
/// therefore runs of different instances, and the score of a solver covers all of them.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Instance {
    /// Name of the instance without the seed.
    pub name: String,
    seed: Option<u64>,
}

impl fmt::Display for Instance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        match self.seed {
            Some(seed) => write!(f, ", seed {seed}"),
            None => Ok(()),
        }
    }
}

/// Runs, arranged by instance and method. Instances and methods are in the order of their first rows.
#[derive(Clone, Debug, Default)]
pub struct Grid<'r> {
    /// Specifications of all methods.
    pub methods: IndexSet<String>,
    /// Runs of each instance, by method.
    instances: IndexMap<Instance, HashMap<String, &'r Record>>,
}

/// Properties of a question's runs. A field is true if the property has several values.
#[derive(Clone, Copy)]
struct Several {
    graphs: bool,
    limits: bool,
    seeds: bool,
}

impl<'r> Grid<'r> {
    /// Arranges rows into a grid.
    ///
    /// # Errors
    ///
    /// [`LabError`]: several rows describe the same run.
    pub fn new(records: &'r [Record]) -> Result<Self, LabError> {
        let questions = grouped(records.iter().map(|record| (record.asked.question.as_str(), record)));
        let several: HashMap<&str, Several> = questions.iter().map(|(&name, rows)| (name, Several::of(rows))).collect();
        let mut grid = Self::default();
        for record in records {
            let method = record.asked.method.to_string();
            grid.methods.insert(method.clone());
            let instance = several[record.asked.question.as_str()].instance(record);
            if grid.instances.entry(instance).or_default().insert(method, record).is_some() {
                return Err(LabError::new(format_args!("{} occurs twice", record.key())));
            }
        }
        Ok(grid)
    }

    /// Returns the instances with their runs, one per method; `None` for a missing run.
    fn rows(&self) -> impl Iterator<Item = (&Instance, Vec<Option<&'r Record>>)> {
        let row = |runs: &HashMap<String, &'r Record>| self.methods.iter().map(|m| runs.get(m).copied()).collect();
        self.instances.iter().map(move |(instance, runs)| (instance, row(runs)))
    }

    /// Returns the runs of a method, each with its instance.
    fn column(&self, method: &str) -> Vec<(&Instance, &'r Record)> {
        self.instances.iter().filter_map(|(instance, runs)| Some((instance, *runs.get(method)?))).collect()
    }
}

impl Several {
    fn of(rows: &[&Record]) -> Self {
        let methods = grouped(rows.iter().map(|row| (row.asked.method.to_string(), *row)));
        let in_a_method = |differ: fn(&Record, &Record) -> bool| {
            methods.values().any(|rows| rows.iter().any(|row| differ(row, rows[0])))
        };
        Self {
            graphs: rows.iter().any(|row| row.asked.graph_crc32 != rows[0].asked.graph_crc32),
            limits: in_a_method(|a, b| a.limits() != b.limits()),
            seeds: in_a_method(|a, b| a.asked.seed != b.asked.seed),
        }
    }

    fn instance(self, record: &Record) -> Instance {
        let mut name = record.asked.question.clone();
        if self.graphs {
            name += &format!(", graph {}", record.asked.graph_crc32);
        }
        if self.limits {
            let limits = record.key().limits_in_words();
            name += &format!(", {}", if limits.is_empty() { "no limit" } else { &limits });
        }
        Instance { name, seed: self.seeds.then_some(record.asked.seed) }
    }
}

/// True if an external program was not run: it does not support the question, or it is not installed.
fn was_not_asked(record: &Record) -> bool {
    record.status == Status::Refused && record.asked.method.engine().is_some()
}

/// Returns the time of a run in seconds, and the time limit. Both are CPU time if CPU time is limited, otherwise wall
/// time. Reports use the same times.
fn time_and_limit(record: &Record) -> (Option<f64>, Option<f64>) {
    match record.asked.cpu_limit {
        Some(limit) => (record.cpu_seconds.or(record.wall_seconds), Some(limit)),
        None => (record.wall_seconds, record.asked.wall_limit),
    }
}
