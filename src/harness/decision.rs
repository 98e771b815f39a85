//! Timing decisions: one child process a run, so that runs share neither memory nor a solver's state, and
//! one that dies takes no other with it.

use hamcnf_encodings::Instance;
use serde::{Deserialize, Serialize};

use super::cell::{Cell, recorded};
use super::child::{self, Host};
use super::machine::peak_kib;
use super::plan::decision::{DecisionPlan, Expect};
use super::plan::word::Word;
use super::results::Earlier;
use crate::search::Limit;
use crate::solve::{Outcome, Phases, Solved, Unfinished};

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// A tour, checked move by move.
    Tour,
    /// Proved that there is none.
    NoTour,
    /// Stopped at the time limit. A censored row: its times are lower bounds.
    Timeout,
    /// A search that proves nothing gave up. Its times are lower bounds too.
    GaveUp,
    /// The process failed.
    Failed,
}

/// One run, as a row.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Record {
    /// The board.
    pub instance: String,
    /// Closed or open.
    pub tours: String,
    /// The start's name.
    pub start: String,
    /// The encoding, or the method of a search.
    pub encoding: String,
    /// Its pruning; empty for a search.
    pub pruning: String,
    /// Its at-most-one encoding; empty for a search.
    pub at_most_one: String,
    /// Its orientation; empty for open tours, for a search, and in rows from before it was recorded.
    #[serde(default)]
    pub orientation: String,
    /// The seed of the solver or search.
    pub seed: u32,
    /// Where the solver's initial phases came from; empty for a search, and in rows from before it was recorded.
    #[serde(default)]
    pub phases: String,
    /// Wall seconds that were allowed; empty for no limit.
    pub time_limit: Option<f64>,
    /// How it ended.
    pub status: Status,
    /// Variables of the formula. This and other figures are empty where a run that timed out could not say.
    pub variables: Option<u64>,
    /// Clauses of the formula, units included.
    pub clauses: Option<u64>,
    /// CPU seconds for making the clauses and handing them to the solver.
    pub encode_seconds: f64,
    /// CPU seconds in the solver; wall seconds of a search, which is one thread.
    pub solve_seconds: f64,
    /// Wall seconds for both.
    pub wall_seconds: f64,
    /// Conflicts.
    pub conflicts: Option<u64>,
    /// Decisions.
    pub decisions: Option<u64>,
    /// Propagations.
    pub propagations: Option<u64>,
    /// CaDiCaL's ticks.
    pub ticks: Option<u64>,
    /// The most memory the process had resident, in KiB.
    pub peak_kib: u64,
    /// The name and version of the solver, or of this program for a search.
    pub solver: String,
    /// Vertices that a search put on its path; 0 for a solver.
    pub nodes: u64,
}

impl Record {
    /// What was solved or searched.
    #[must_use]
    pub fn cell(&self) -> Cell {
        Cell {
            instance: self.instance.clone(),
            tours: self.tours.clone(),
            start: self.start.clone(),
            encoding: self.encoding.clone(),
            pruning: self.pruning.clone(),
            at_most_one: self.at_most_one.clone(),
            orientation: recorded(&self.orientation, &self.encoding, &self.tours),
        }
    }

    /// The run that it is of.
    #[must_use]
    pub fn run(&self) -> Run {
        Run {
            cell: self.cell(),
            seed: self.seed,
            phases: self.phases.parse().unwrap_or_default(),
            time_limit: self.time_limit,
        }
    }
}

/// What is run; the rest of its record is measured.
#[derive(Clone, PartialEq, Debug)]
pub struct Run {
    /// The formula, or what is searched.
    pub cell: Cell,
    /// The seed of the solver or search.
    pub seed: u32,
    /// Where the solver's initial phases come from.
    pub phases: Phases,
    /// Wall seconds allowed.
    pub time_limit: Option<f64>,
}

impl Run {
    /// A record of this run before anything is known of it.
    fn record(&self, status: Status) -> Record {
        let Cell {
            instance,
            tours,
            start,
            encoding,
            pruning,
            at_most_one,
            orientation,
        } = self.cell.clone();
        // Searches have none of these.
        let of_solver = self.cell.search().map(|_| 0);
        Record {
            instance,
            tours,
            start,
            encoding,
            pruning,
            at_most_one,
            orientation,
            seed: self.seed,
            phases: match self.cell.search() {
                Some(_) => String::new(),
                None => self.phases.to_string(),
            },
            time_limit: self.time_limit,
            status,
            variables: of_solver,
            clauses: of_solver,
            encode_seconds: 0.0,
            solve_seconds: 0.0,
            wall_seconds: 0.0,
            conflicts: of_solver,
            decisions: of_solver,
            propagations: of_solver,
            ticks: of_solver,
            peak_kib: 0,
            solver: self.cell.solver(),
            nodes: 0,
        }
    }

    /// The record of this run in this process.
    #[must_use]
    pub fn solved(&self, solved: &Solved) -> Record {
        let effort = solved.effort;
        Record {
            variables: Some(solved.variables.into()),
            clauses: Some(solved.clauses.clauses),
            encode_seconds: effort.encode_seconds,
            solve_seconds: effort.solve_seconds,
            wall_seconds: effort.wall_seconds,
            conflicts: Some(effort.conflicts),
            decisions: Some(effort.decisions),
            propagations: Some(effort.propagations),
            ticks: Some(effort.ticks),
            peak_kib: peak_kib(),
            ..self.record(match solved.outcome {
                Outcome::Tour(..) => Status::Tour,
                Outcome::NoTour => Status::NoTour,
                Outcome::Timeout => Status::Timeout,
            })
        }
    }

    /// The record of this run in this process, whose solver was not waited for.
    #[must_use]
    pub fn unfinished(&self, unfinished: &Unfinished) -> Record {
        Record {
            variables: unfinished.variables.map(u64::from),
            clauses: unfinished.clauses.map(|count| count.clauses),
            encode_seconds: unfinished.encode_seconds,
            solve_seconds: unfinished.solve_seconds,
            wall_seconds: unfinished.wall_seconds,
            peak_kib: peak_kib(),
            ..self.record(Status::Timeout)
        }
    }

    /// What the command printed with `--json`.
    fn read(&self, output: &str) -> serde_json::Result<Record> {
        if self.cell.search().is_none() {
            return serde_json::from_str(output);
        }
        let found: Found = serde_json::from_str(output)?;
        Ok(Record {
            solve_seconds: found.seconds,
            wall_seconds: found.seconds,
            peak_kib: found.peak_kib,
            nodes: found.nodes,
            ..self.record(found.status())
        })
    }

    /// Runs `hamcnf solve` or `hamcnf tour` in a process of its own and takes its record. A process that neither ends nor
    /// keeps its own time limit is killed a while after it, and is a time-out; one that fails otherwise is
    /// a record with that status, and its message. Without a record it was stopped.
    pub fn in_child(&self, host: &Host) -> Option<(Record, Option<String>)> {
        let failed = |message: String| (self.record(Status::Failed), Some(message));
        let words = ["--seed", &self.seed.to_string(), "--json"].map(str::to_owned);
        let command = match self.cell.search() {
            Some(_) => "tour",
            None => "solve",
        };
        let mut args = vec![command.to_owned()];
        args.extend(self.cell.args());
        args.extend(words);
        if self.cell.search().is_none() {
            args.extend(["--phases".to_owned(), self.phases.to_string()]);
        }
        if let Some(limit) = self.time_limit {
            args.extend(["--time-limit".to_owned(), limit.to_string()]);
        }
        Some(match child::run(host, &args, &[], self.time_limit) {
            child::Ended::Stopped => return None,
            child::Ended::Failed(message) => failed(message),
            child::Ended::Killed { wall } => {
                let mut record = self.record(Status::Timeout);
                record.wall_seconds = wall.as_secs_f64();
                (record, None)
            }
            child::Ended::Itself {
                status,
                output,
                messages,
            } => match self.read(&output) {
                Ok(record) if record.run() == *self => (record, None),
                Ok(_) => failed("the record is of another run".to_owned()),
                Err(_) => failed(format!("{status}: {}", messages.trim())),
            },
        })
    }
}

/// What `hamcnf tour --json` prints, as far as it is of interest here.
#[derive(Deserialize)]
struct Found {
    status: Ended,
    #[serde(default)]
    reason: String,
    nodes: u64,
    /// Wall seconds of the search, which is all of its work.
    seconds: f64,
    peak_kib: u64,
}

/// How a search ended.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Ended {
    Tour,
    NoTour,
    NotFound,
}

impl Found {
    fn status(&self) -> Status {
        match self.status {
            Ended::Tour => Status::Tour,
            Ended::NoTour => Status::NoTour,
            Ended::NotFound if self.reason == Limit::Time.to_string() => Status::Timeout,
            Ended::NotFound => Status::GaveUp,
        }
    }
}

/// All runs of a plan: boards, then encodings and searches, then seeds.
#[must_use]
pub fn runs(plan: &DecisionPlan, instances: &[Instance]) -> Vec<Run> {
    let encodings = plan.cells.encodings();
    let mut runs = Vec::new();
    for instance in instances {
        let solved = encodings.iter().map(|e| Cell::new(instance, e));
        let searched = plan.searches.iter();
        let searched = searched.map(|&Word(method)| Cell::searched(instance, method));
        for cell in solved.chain(searched) {
            runs.extend(plan.seeds.iter().map(|&seed| Run {
                cell: cell.clone(),
                seed,
                phases: match (cell.search(), plan.phases) {
                    (None, Some(Word(phases))) => phases,
                    _ => Phases::Solver,
                },
                time_limit: Some(plan.time_limit),
            }));
        }
    }
    runs
}

/// What becomes of an earlier record when a run is resumed: failed ones are run again, and those of
/// another plan or solver are not mixed with ours.
#[must_use]
pub fn earlier(record: &Record, runs: &[Run]) -> Earlier {
    let run = record.run();
    let solver = run.cell.solver();
    if !runs.contains(&run) {
        return Earlier::Foreign(format!(
            "{} seed {} is not in the experiment",
            run.cell, run.seed
        ));
    }
    if record.solver != solver {
        return Earlier::Foreign(format!(
            "its rows are of {}, and this is {solver}",
            record.solver
        ));
    }
    match record.status {
        Status::Failed => Earlier::Again,
        Status::Tour | Status::NoTour | Status::Timeout | Status::GaveUp => Earlier::Keep,
    }
}

/// What is wrong with a record, if anything: that the run failed, or an answer that cannot be.
#[must_use]
pub fn verdict(record: &Record, expect: Expect) -> Option<&'static str> {
    match (record.status, expect) {
        // Without a report of its own, nothing of it is measured.
        (Status::Timeout, _) if record.peak_kib == 0 => {
            Some("was killed, as it did not keep its time limit")
        }
        (Status::Failed, _) => Some("failed"),
        (Status::Tour, Expect::NoTour) => Some("found a tour, where none was expected"),
        (Status::NoTour, Expect::Tour) => {
            Some("says that there is no tour, where one was expected")
        }
        _ => None,
    }
}
