//! Earlier rows of an experiment: which of them a run keeps, and which it would lose.
//!
//! A run keeps a row if the experiment still asks for its job, and if this build, this machine and the same versions of other
//! programs made it. Any other measured row is lost when the run writes its results, so a run refuses to begin until
//! [`Earlier`] says what to do. Rows of failed jobs hold no measurement; such jobs run again.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;

use hamcnf_engines::cancellation::CancellationToken;
use hamcnf_methods::machine::{Machine, VERSION, commit};
use hamcnf_methods::record::{Key, Record, Status};

/// Treatment of earlier rows.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Earlier {
    /// Keeps all earlier rows, or refuses to begin.
    #[default]
    Keep,
    /// Keeps the rows that can be kept and drops the others.
    Prune,
    /// Drops all earlier rows: every job runs again.
    Drop,
}

/// Machines whose rows a run keeps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Machines {
    /// This machine only, because times of different machines should not be mixed.
    This,
    /// Any machine, since each row names its own: cluster jobs run wherever there is room.
    Any,
}

/// Jobs for which rows are kept.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked<'k> {
    /// Every job of the experiment.
    pub all: &'k HashSet<Key>,
    /// Jobs of this run: all jobs of the experiment, or the jobs of a shard.
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
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the number of rows.
    #[must_use]
    pub fn count(&self) -> usize {
        self.0.values().sum()
    }
}

impl fmt::Display for Losses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        /// Number of reasons that are listed; the others are summed up.
        const LISTED: usize = 4;
        for (k, (why, rows)) in self.0.iter().take(LISTED).enumerate() {
            let comma = if k == 0 { "" } else { ", " };
            write!(f, "{comma}{rows} {why}")?;
        }
        let others: usize = self.0.values().skip(LISTED).sum();
        match others {
            0 => Ok(()),
            _ => write!(f, ", and {others} others"),
        }
    }
}

/// Describes the version, commit or solver of a row if it differs from this build's.
fn other_build(row: &Record) -> Option<String> {
    let build = |version: &str, commit: &str| format!("hamcnf {version} of commit {commit}");
    let here = build(VERSION, commit());
    let there = build(&row.version, &row.commit);
    let answers = row.method.solver();
    let of_another_solver = row.method.is_by_cadical() && row.solver != answers;
    if here != there {
        return Some(format!("of {there} (this is {here})"));
    }
    if of_another_solver {
        return Some(format!("of {} (this is {answers})", row.solver));
    }
    None
}

/// Sorts earlier rows into those that are kept and those that would be lost.
pub(super) struct Sorter<'a> {
    asked: Asked<'a>,
    parts: Parts<'a>,
    machine: String,
    machines: Machines,
    /// Name and local version of each solver that a row names.
    versions: HashMap<String, String>,
    /// Rows to keep, including rows for other shards of the experiment.
    pub kept: Vec<Record>,
    /// Rows that would be lost.
    pub lost: Losses,
}

impl<'a> Sorter<'a> {
    pub(super) fn new(asked: Asked<'a>, machine: &Machine, machines: Machines) -> Self {
        Self {
            asked,
            parts: Parts::of(asked.all),
            machine: machine.id(),
            machines,
            versions: HashMap::new(),
            kept: Vec::new(),
            lost: Losses::default(),
        }
    }

    /// Sorts the earlier rows of this run.
    pub(super) fn sort(&mut self, rows: Vec<Record>) {
        for row in rows {
            match self.objection(&row) {
                _ if row.status == Status::Failed => {}
                Some(why) => self.lost.add(why),
                // A program that was missing may be installed now.
                None if row.status == Status::Refused && row.method.engine().is_some() => {}
                None => self.kept.push(row),
            }
        }
    }

    /// Keeps rows of other shards, or of the whole experiment, that answer jobs of this run. Returns true if there are any.
    pub(super) fn adopt(&mut self, rows: Vec<Record>) -> bool {
        let mut known: HashSet<Key> = self.kept.iter().map(Record::key).collect();
        let before = self.kept.len();
        for row in rows {
            let is_answer = !matches!(row.status, Status::Failed | Status::Refused);
            let key = row.key();
            if is_answer
                && self.asked.here.contains(&key)
                && !known.contains(&key)
                && self.objection(&row).is_none()
            {
                known.insert(key);
                self.kept.push(row);
            }
        }
        self.kept.len() > before
    }

    /// Returns the reason why a row cannot be kept, or `None`.
    fn objection(&mut self, row: &Record) -> Option<String> {
        let key = row.key();
        if !self.asked.all.contains(&key) {
            return Some(format!("{} (not in the experiment)", self.parts.odd(&key)));
        }
        if let Some(why) = other_build(row) {
            return Some(why);
        }
        if self.machines == Machines::This && row.machine != self.machine {
            return Some("of another machine".to_owned());
        }
        let here = self.version_here(row)?;
        (here != row.solver).then(|| format!("of {} (here is {here})", row.solver))
    }

    /// Returns the name and local version of the other program that answered. `None` if no other program did, or if it did not
    /// report its version.
    fn version_here(&mut self, row: &Record) -> Option<String> {
        let engine = row.method.engine()?;
        // A run that was ended from outside did not report its version.
        if row.solver == engine.to_string() {
            return None;
        }
        let here = self.versions.entry(row.solver.clone());
        let here = here.or_insert_with(|| {
            // If the program is missing here or does not report its version, its runs will report this.
            let signature = engine
                .signature(&CancellationToken::default())
                .ok()
                .flatten();
            signature.unwrap_or_else(|| row.solver.clone())
        });
        Some(here.clone())
    }
}

/// Values that occur in the keys of an experiment, used to describe how another key differs.
struct Parts<'k> {
    methods: HashSet<&'k str>,
    questions: HashSet<&'k str>,
    graphs: HashSet<&'k str>,
    seeds: HashSet<u64>,
}

impl<'k> Parts<'k> {
    fn of(keys: &'k HashSet<Key>) -> Self {
        Self {
            methods: keys.iter().map(Key::method).collect(),
            questions: keys.iter().map(Key::question).collect(),
            graphs: keys.iter().map(Key::graph).collect(),
            seeds: keys.iter().map(Key::seed).collect(),
        }
    }

    /// Describes the component of a key that occurs in no key of the experiment.
    fn odd(&self, key: &Key) -> String {
        let limits = key.limits_in_words();
        match () {
            () if !self.methods.contains(key.method()) => format!("by {}", key.method()),
            () if !self.questions.contains(key.question()) => format!("of {}", key.question()),
            () if !self.graphs.contains(key.graph()) => {
                format!("of {} with other edges", key.question())
            }
            () if !self.seeds.contains(&key.seed()) => format!("with seed {}", key.seed()),
            () if !limits.is_empty() => format!("with the limits {limits}"),
            () => "without limits".to_owned(),
        }
    }
}
