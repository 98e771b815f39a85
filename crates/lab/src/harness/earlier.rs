//! Decides which earlier rows of an experiment a run keeps, and which rows would be lost.
//!
//! A run keeps a row if the experiment still contains the row's job, and if the row was made by this build, on this
//! machine, with the current versions of external programs. Any other measured row is lost when the run writes its
//! results. If a row would be lost, the run refuses to begin unless [`Earlier`] allows it to drop rows. Rows of failed
//! jobs hold no measurement; these jobs run again.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;
use std::path::Path;

use crate::LabError;
use crate::report::markdown::counted;
use hamcnf_graph::cancellation::CancellationToken;
use hamcnf_methods::machine::{VERSION, commit};
use hamcnf_methods::record::{Key, Record, Status};

/// Treatment of the experiment's earlier rows.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Earlier {
    /// Keep all earlier rows. If this is impossible, refuse to begin.
    #[default]
    Keep,
    /// Keep as many rows as possible and drop the others.
    Prune,
    /// Drop all earlier rows, so that every job runs again.
    Drop,
}

/// Keys of the jobs whose earlier rows may be kept.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked<'k> {
    /// All jobs of the experiment.
    pub all: &'k HashSet<Key>,
    /// Jobs of this run: those of one shard, or all jobs of the experiment.
    pub here: &'k HashSet<Key>,
}

/// Number of rows that would be lost, by reason.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Losses(BTreeMap<String, usize>);

impl Losses {
    pub(super) fn add(&mut self, why: String) {
        *self.0.entry(why).or_default() += 1;
    }

    /// True if no row would be lost.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the error that refuses to lose the rows of `file`. `remedy` says what to type instead.
    pub(super) fn error(&self, file: &Path, remedy: impl fmt::Display) -> LabError {
        let rows = counted(self.0.values().sum(), "row");
        LabError::new(format_args!("{} has {rows} that would be lost: {self}; {remedy}", file.display()))
    }
}

impl fmt::Display for Losses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        /// Maximum number of reasons that are listed. For all further reasons, only the total number of rows is given.
        const LISTED: usize = 4;
        let mut words: Vec<String> = self.0.iter().take(LISTED).map(|(why, rows)| format!("{rows} {why}")).collect();
        let others: usize = self.0.values().skip(LISTED).sum();
        words.extend((others > 0).then(|| format!("and {others} others")));
        f.write_str(&words.join(", "))
    }
}

/// Describes the build or CaDiCaL version that made a row; `None` if the row was made by this build and CaDiCaL
/// version.
fn other_build(row: &Record) -> Option<String> {
    let build = |version: &str, commit: &str| format!("hamcnf {version}, commit {commit}");
    let here = build(VERSION, commit());
    let there = build(&row.made.version, &row.made.commit);
    let answers = row.asked.method.solver();
    if here != there {
        return Some(format!("from {there} (this is {here})"));
    }
    let is_of_another_solver = row.asked.method.is_by_cadical() && row.made.solver != answers;
    is_of_another_solver.then(|| format!("from {} (this is {answers})", row.made.solver))
}

/// Sorter that divides earlier rows into rows to keep and rows that would be lost.
pub(super) struct Sorter<'a> {
    asked: Asked<'a>,
    /// Machine whose rows are kept, because times of different machines should not be mixed. `None` for any machine: a
    /// cluster runs each job where there is room, and each row names its machine.
    machine: Option<String>,
    /// Versions of the external programs on this machine. Key: the program and version that a row states. Value: the
    /// same program with the version found here.
    versions: HashMap<String, String>,
    /// Rows to keep, including rows of jobs that belong to other shards.
    pub kept: Vec<Record>,
    /// Rows that would be lost.
    pub lost: Losses,
}

impl<'a> Sorter<'a> {
    pub(super) fn new(asked: Asked<'a>, machine: Option<String>) -> Self {
        Self { asked, machine, versions: HashMap::new(), kept: Vec::new(), lost: Losses::default() }
    }

    /// Puts each earlier row of this run into `kept` or `lost`. Drops rows of failed jobs, and rows of jobs that were
    /// refused because an external program may have been missing.
    pub(super) fn sort(&mut self, rows: Vec<Record>) {
        for row in rows {
            match self.objection(&row) {
                _ if row.status == Status::Failed => {}
                Some(why) => self.lost.add(why),
                // The program may have been missing when the row was made.
                None if row.status == Status::Refused && row.asked.method.engine().is_some() => {}
                None => self.kept.push(row),
            }
        }
    }

    /// Keeps each given row that answers a job of this run. The rows come from other shards or from the whole
    /// experiment. Returns true if any row was kept.
    pub(super) fn adopt(&mut self, rows: Vec<Record>) -> bool {
        let mut known: HashSet<Key> = self.kept.iter().map(Record::key).collect();
        let before = self.kept.len();
        for row in rows {
            let is_answer = !matches!(row.status, Status::Failed | Status::Refused);
            let key = row.key();
            if is_answer && self.asked.here.contains(&key) && !known.contains(&key) && self.objection(&row).is_none() {
                known.insert(key);
                self.kept.push(row);
            }
        }
        self.kept.len() > before
    }

    /// Returns the reason why a row cannot be kept; `None` if the row can be kept.
    fn objection(&mut self, row: &Record) -> Option<String> {
        let key = row.key();
        if !self.asked.all.contains(&key) {
            return Some(format!("{} (not in the experiment)", odd(self.asked.all, &key)));
        }
        if let Some(why) = other_build(row) {
            return Some(why);
        }
        if self.machine.as_ref().is_some_and(|machine| row.made.machine != *machine) {
            return Some("from another machine".to_owned());
        }
        let here = self.version_here(row)?;
        (here != row.made.solver).then(|| format!("from {} (the version here is {here})", row.made.solver))
    }

    /// Returns the name of the external program that made a row, with its version on this machine. Returns `None` if
    /// hamcnf made the row itself, or if the row does not state a version.
    fn version_here(&mut self, row: &Record) -> Option<String> {
        let engine = row.asked.method.engine()?;
        // A program that was killed did not report its version.
        if row.made.solver == engine.to_string() {
            return None;
        }
        let here = self.versions.entry(row.made.solver.clone()).or_insert_with(|| {
            // If the program is missing here or reports no version, its next run will say so.
            let signature = engine.signature(&CancellationToken::default()).ok().flatten();
            signature.unwrap_or_else(|| row.made.solver.clone())
        });
        Some(here.clone())
    }
}

/// Describes one difference between the key of a foreign job and all keys of the experiment, such as a method that does
/// not occur in the experiment.
fn odd(all: &HashSet<Key>, key: &Key) -> String {
    let is_new = |differ: fn(&Key, &Key) -> bool| all.iter().all(|known| differ(known, key));
    let limits = key.limits_in_words();
    match () {
        () if is_new(|a, b| a.method != b.method) => format!("by {}", key.method),
        () if is_new(|a, b| a.question != b.question) => format!("of {}", key.question),
        () if is_new(|a, b| a.graph != b.graph) => format!("of {} with other edges", key.question),
        () if is_new(|a, b| a.seed != b.seed) => format!("with seed {}", key.seed),
        () if !limits.is_empty() => format!("with the limits {limits}"),
        () => "without limits".to_owned(),
    }
}
