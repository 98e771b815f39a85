//! Rows in the formats of other tools: [BenchExec results](benchexec), and [run times](competition) as the SAT
//! Competitions and ASlib publish them. These formats have one run for each pair of an instance and a solver. A
//! [`Grid`] arranges rows in this way.

pub mod benchexec;
pub mod competition;

use std::collections::{BTreeSet, HashMap};
use std::fmt;

use hamcnf_methods::record::{Key, Record, Status};

/// Reason why rows cannot be exported.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExportError {
    /// Several rows describe the same run.
    #[error("{0} occurs twice")]
    Twice(String),
    /// Runs of an instance contradict each other, so its result is undefined.
    #[error("{instance}: the answers of \"{one}\" and \"{other}\" contradict each other")]
    Contradiction {
        instance: String,
        /// Specification of one method.
        one: String,
        /// Specification of another method, which contradicts the method in `one`.
        other: String,
    },
    /// The XML document cannot be written.
    #[error("cannot write XML: {0}")]
    Xml(String),
}

/// Instance as other tools define it: a question, with the details that distinguish several instances of the question.
///
/// The graph is a detail if several graphs have the same name. The limits are a detail if a method has runs with
/// different limits. The seed is a detail if a method has runs with different seeds. Runs with different seeds are
/// therefore runs of different instances, and the score of a solver covers all of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Instance {
    question: String,
    /// Graph and limits, if the question has several.
    details: Vec<String>,
    seed: Option<u64>,
}

impl Instance {
    /// Returns the name of the instance without the seed.
    #[must_use]
    pub fn without_seed(&self) -> String {
        let mut words = vec![self.question.clone()];
        words.extend(self.details.iter().cloned());
        words.join(", ")
    }
}

impl fmt::Display for Instance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.without_seed())?;
        match self.seed {
            Some(seed) => write!(f, ", seed {seed}"),
            None => Ok(()),
        }
    }
}

/// Runs, arranged by instance and method.
#[derive(Clone, Debug)]
pub struct Grid<'r> {
    instances: Vec<Instance>,
    methods: Vec<String>,
    cells: HashMap<(usize, usize), &'r Record>,
}

/// Properties of a question's runs. A field is true if the property has several values.
#[derive(Clone, Copy, Default)]
struct Several {
    graphs: bool,
    limits: bool,
    seeds: bool,
}

impl<'r> Grid<'r> {
    /// Arranges rows into a grid. Instances and methods are in the order of their first rows.
    ///
    /// # Errors
    ///
    /// [`ExportError::Twice`].
    pub fn new(records: &'r [Record]) -> Result<Self, ExportError> {
        let several = several(records);
        let mut grid = Self { instances: Vec::new(), methods: Vec::new(), cells: HashMap::new() };
        let mut rows: HashMap<String, usize> = HashMap::new();
        let mut columns: HashMap<String, usize> = HashMap::new();
        for record in records {
            let instance = instance(record, several[record.question.as_str()]);
            let row = *rows.entry(instance.to_string()).or_insert_with(|| {
                grid.instances.push(instance);
                grid.instances.len() - 1
            });
            let method = record.method.to_string();
            let column = *columns.entry(method.clone()).or_insert_with(|| {
                grid.methods.push(method);
                grid.methods.len() - 1
            });
            if grid.cells.insert((row, column), record).is_some() {
                return Err(ExportError::Twice(record.key().to_string()));
            }
        }
        Ok(grid)
    }

    /// Returns all instances, in the order of their first rows.
    #[must_use]
    pub fn instances(&self) -> &[Instance] {
        &self.instances
    }

    /// Returns the specifications of all methods, in the order of their first rows.
    #[must_use]
    pub fn methods(&self) -> &[String] {
        &self.methods
    }

    /// Returns the runs of an instance, one per method; `None` for a missing run.
    fn row(&self, instance: usize) -> impl Iterator<Item = Option<&'r Record>> {
        let columns = 0..self.methods.len();
        columns.map(move |column| self.cells.get(&(instance, column)).copied())
    }

    /// Returns the runs of a method, each with its instance.
    fn column<'g>(&'g self, method: &str) -> impl Iterator<Item = (&'g Instance, &'r Record)> {
        let column = self.methods.iter().position(|known| known == method);
        let instances = self.instances.iter().enumerate();
        instances.filter_map(move |(row, instance)| Some((instance, *self.cells.get(&(row, column?))?)))
    }
}

fn several(records: &[Record]) -> HashMap<&str, Several> {
    #[derive(Default)]
    struct Met<'r> {
        graphs: BTreeSet<&'r str>,
        limits: HashMap<String, BTreeSet<Key>>,
        seeds: HashMap<String, BTreeSet<u64>>,
    }
    let mut met: HashMap<&str, Met> = HashMap::new();
    for record in records {
        let of = met.entry(&record.question).or_default();
        let method = record.method.to_string();
        of.graphs.insert(&record.graph_crc32);
        of.seeds.entry(method.clone()).or_default().insert(record.seed);
        // After this, keys of one method differ only in their limits.
        let same = Record { graph_crc32: String::new(), seed: 0, ..record.clone() };
        of.limits.entry(method).or_default().insert(same.key());
    }
    let judged = met.into_iter().map(|(question, of)| {
        let several = Several {
            graphs: of.graphs.len() > 1,
            limits: of.limits.values().any(|limits| limits.len() > 1),
            seeds: of.seeds.values().any(|seeds| seeds.len() > 1),
        };
        (question, several)
    });
    judged.collect()
}

fn instance(record: &Record, several: Several) -> Instance {
    let mut details = Vec::new();
    if several.graphs {
        details.push(format!("graph {}", record.graph_crc32));
    }
    if several.limits {
        let seconds = [("wall", record.wall_limit), ("cpu", record.cpu_limit)];
        let seconds = seconds.map(|(what, limit)| Some(format!("{what} {} s", limit?)));
        let memory = record.memory_limit;
        let conflicts = record.conflict_limit;
        let others = [
            memory.map(|bytes| format!("memory {bytes} bytes")),
            conflicts.map(|conflicts| format!("conflicts {conflicts}")),
        ];
        let limits: Vec<_> = seconds.into_iter().chain(others).flatten().collect();
        match limits.as_slice() {
            [] => details.push("no limit".to_owned()),
            limits => details.extend_from_slice(limits),
        }
    }
    Instance { question: record.question.clone(), details, seed: several.seeds.then_some(record.seed) }
}

/// True if an external program was not run: it does not support the question, or it is not installed.
fn was_not_asked(record: &Record) -> bool {
    record.status == Status::Refused && record.method.engine().is_some()
}

/// Returns the time of a run in seconds, and the time limit. Both are CPU time if CPU time is limited, otherwise wall
/// time. Reports use the same times.
fn time_and_limit(record: &Record) -> (Option<f64>, Option<f64>) {
    match record.cpu_limit {
        Some(limit) => (record.cpu_seconds.or(record.wall_seconds), Some(limit)),
        None => (record.wall_seconds, record.wall_limit),
    }
}
