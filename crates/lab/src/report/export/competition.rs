//! Run times of methods as CSV, in two formats.
//!
//! `WIDE` writes the format of the detailed results of the SAT Competitions 2022 to 2024 (`main-seq.csv`,
//! `results_main_detailed.csv`, `detailed_main.csv`). Each line is an instance, and each column contains the seconds of
//! a solver. The last column contains the answer: `sat`, `unsat` or `unknown`. If a solver has no answer, its column
//! contains twice the limit (10000.0 for 5000 s), so that the mean of a column is its PAR2 score. The last column has
//! another name in each year. Here it is `result`, as in `detailed_parallel.csv` of 2024.
//!
//! ```csv
//! instance,auto,relaxed+two-cycles,result
//! 8x8,0.004858,0.012,sat
//! flower:9,0.1,20.0,unsat
//! ```
//!
//! Differences from the competitions:
//!
//! - The first column is `instance` instead of `hash`. The competitions identify a formula there by its hash in the
//!   Global Benchmark Database; here, an instance is a question.
//! - If there is no limit, twice the limit is undefined. A run that ended without an answer is then `TO`.
//! - A cell is empty if the method was not run or was cancelled, or if its time is unknown.
//!
//! Only the limit tells whether a long time belongs to a run with an answer. `hamcnf run --times` reads this format,
//! and treats times beyond the limit of the new run as timeouts. Therefore the limit of the new run should be less than
//! twice the limit of these rows.
//!
//! `RUNS` writes one line per run, with the columns and statuses of ASlib's `algorithm_runs.arff`. In this format, a
//! run without an answer has a status, and the time that it took.
//!
//! # References
//!
//! - Detailed results of the SAT Competitions, <https://satcompetition.github.io/2022/>,
//!   <https://satcompetition.github.io/2023/>, <https://satcompetition.github.io/2024/>.
//! - Markus Iser, Christoph Jabs: *Global Benchmark Database*, SAT 2024.
//! - Bernd Bischl et al.: *ASlib: A benchmark library for algorithm selection*, Artificial Intelligence 237, 2016.

use std::collections::HashMap;

use num_bigint::BigUint;

use super::{Exporter, Grid, Instance, time_and_limit, was_not_asked};
use crate::LabError;
use crate::experiment::times::RESULT;
use crate::report::tables::contradiction;
use hamcnf_methods::record::{Record, Status};

/// Exporter of run times, a row per instance.
pub const WIDE: Exporter = Exporter {
    name: "competition",
    summary: "CSV as in SAT Competitions: a row per instance and a column per method, in seconds (twice the limit if unsolved); `hamcnf run --times` reads this format",
    is_folder: false,
    make: |grid, _| Ok(vec![(String::new(), wide(grid)?)]),
};

/// Exporter of run times, a row per run.
pub const RUNS: Exporter = Exporter {
    name: "runs",
    summary: "CSV as in ASlib, the algorithm selection library: a row per run, with seconds and status",
    is_folder: false,
    make: |grid, _| Ok(vec![(String::new(), runs(grid))]),
};

/// Formats the runs as CSV with one line per instance and one column per method.
fn wide(grid: &Grid) -> Result<String, LabError> {
    let line = |first: String, cells: Vec<String>, last: &str| [vec![first], cells, vec![last.to_owned()]].concat();
    let mut lines = vec![line("instance".to_owned(), grid.methods.iter().cloned().collect(), RESULT)];
    for (instance, runs) in grid.rows() {
        let result = result(instance, runs.iter().flatten().copied())?;
        let cells = runs.into_iter().map(|run| run.map_or_else(String::new, cell)).collect();
        lines.push(line(instance.to_string(), cells, result));
    }
    Ok(csv(&lines))
}

/// Formats the cell of a run: its seconds if it has an answer, otherwise twice its limit or `TO`.
fn cell(record: &Record) -> String {
    let (time, limit) = time_and_limit(record);
    let seconds = |seconds: f64| format!("{seconds:?}");
    if was_not_asked(record) || record.status == Status::Stopped {
        String::new()
    } else if record.status.is_answer() {
        time.map_or_else(String::new, seconds)
    } else {
        limit.map_or_else(|| "TO".to_owned(), |limit| seconds(2.0 * limit))
    }
}

/// Returns the result of an instance, derived from all runs: `sat`, `unsat` or `unknown`.
fn result<'r>(instance: &Instance, runs: impl Iterator<Item = &'r Record> + Clone) -> Result<&'static str, LabError> {
    if let Some((one, other)) = contradiction(runs.clone(), |run| run) {
        let [one, other] = [one, other].map(|run| &run.asked.method);
        return Err(LabError::new(format_args!(
            "{instance}: the answers of \"{one}\" and \"{other}\" contradict each other"
        )));
    }
    let mut known = runs.filter_map(has_tour);
    Ok(match known.next() {
        Some(true) => "sat",
        Some(false) => "unsat",
        None => "unknown",
    })
}

/// True if the run shows that a tour exists, false if it shows that there is none; `None` if it shows neither.
fn has_tour(record: &Record) -> Option<bool> {
    let is_none = |count: &BigUint| *count == BigUint::ZERO;
    match (record.status, record.whole()) {
        (Status::Tour, _) => Some(true),
        (Status::NoTour, _) => Some(false),
        (Status::Count, Some(count)) => Some(!is_none(count)),
        (Status::AtLeast, Some(count)) if !is_none(count) => Some(true),
        _ => None,
    }
}

/// Formats the runs as CSV with one line per run. Runs with different seeds are repetitions, counted from 1.
fn runs(grid: &Grid) -> String {
    let head = ["instance_id", "repetition", "algorithm", "runtime", "runstatus"];
    let mut lines = vec![head.map(str::to_owned).to_vec()];
    let mut repetitions: HashMap<(&str, &str), u64> = HashMap::new();
    for (instance, runs) in grid.rows() {
        for (method, run) in grid.methods.iter().zip(runs) {
            let Some(record) = run else { continue };
            let repetition = repetitions.entry((&instance.name, method)).or_default();
            *repetition += 1;
            let (time, _) = time_and_limit(record);
            lines.push(vec![
                instance.name.clone(),
                repetition.to_string(),
                method.clone(),
                time.map_or_else(String::new, |time| format!("{time:?}")),
                status(record).to_owned(),
            ]);
        }
    }
    csv(&lines)
}

/// Returns the status of a run in the terms of ASlib.
fn status(record: &Record) -> &'static str {
    match record.status {
        status if status.is_answer() => "ok",
        Status::Timeout => "timeout",
        Status::Memout => "memout",
        Status::Refused => "not_applicable",
        Status::Failed => "crash",
        _ => "other",
    }
}

fn csv(lines: &[Vec<String>]) -> String {
    let mut csv = csv::Writer::from_writer(Vec::new());
    for line in lines {
        csv.write_record(line).expect("all lines have the same columns, and writing to memory does not fail");
    }
    let bytes = csv.into_inner().expect("writing to memory does not fail");
    String::from_utf8_lossy(&bytes).into_owned()
}
