//! `hamcnf run --dry-run`: prints the jobs of an experiment.

use std::time::Duration;

use hamcnf::experiment::Experiment;
use hamcnf::harness::job::Job;
use hamcnf::harness::run::keyed;
use hamcnf::harness::shard::Shard;
use hamcnf::limits::Limits;
use hamcnf::method::Method;
use hamcnf::record::Request;
use hamcnf::report::markdown::{counted, limits_in_words};
use serde::Serialize;

use crate::cli::exit::DONE;
use crate::cli::output::{self, Borders, Format};

/// Prints the jobs of an experiment, or of one shard.
pub(super) fn print(experiment: &Experiment, shard: Option<Shard>, format: Format) -> anyhow::Result<u8> {
    let jobs = (1..).zip(keyed(experiment));
    let jobs: Vec<(usize, (_, Job))> = match shard {
        None => jobs.collect(),
        Some(shard) => shard.part(jobs).collect(),
    };
    let jobs = || jobs.iter().map(|(number, (_, job))| (*number, job));
    output::print(|out| match format {
        Format::Table | Format::Markdown => {
            let rows = std::iter::once(HEADS.map(str::to_owned).to_vec()).chain(jobs().map(line));
            let table = output::table(format, Borders::Rounded, rows, 3);
            let gap = if format == Format::Markdown { "\n" } else { "" };
            let limits: Vec<_> = jobs().map(|(_, job)| job.limits).collect();
            writeln!(out, "{table}\n{gap}{}", said(&limits))
        }
        Format::Csv => output::csv(out, &jobs().map(Row::of).collect::<Vec<_>>()),
        Format::Json => output::json(out, &jobs().map(Row::of).collect::<Vec<_>>()),
    })?;
    Ok(DONE)
}

/// Job, in the columns of its future result row.
#[derive(Serialize)]
struct Row {
    number: usize,
    question: String,
    graph_crc32: Option<String>,
    method: Method,
    seed: u64,
    wall_limit: Option<f64>,
    cpu_limit: Option<f64>,
    memory_limit: Option<u64>,
    conflict_limit: Option<u64>,
}

impl Row {
    fn of((number, job): (usize, &Job)) -> Self {
        let Request {
            question, graph_crc32, method, seed, wall_limit, cpu_limit, memory_limit, conflict_limit, ..
        } = job.record().asked;
        let graph_crc32 = Some(graph_crc32).filter(|crc32| !crc32.is_empty());
        Self { number, question, graph_crc32, method, seed, wall_limit, cpu_limit, memory_limit, conflict_limit }
    }
}

const HEADS: [&str; 5] = ["job", "question", "method", "seed", "limits"];

fn line((number, job): (usize, &Job)) -> Vec<String> {
    let Job { question, method, seed, limits } = job;
    vec![number.to_string(), question.to_string(), method.to_string(), seed.to_string(), limits_in_words(limits)]
}

/// Describes the number of jobs and their total time limit.
fn said(limits: &[Limits]) -> String {
    let jobs = counted(limits.len(), "job");
    let wall: Option<Vec<Duration>> = limits.iter().map(|limits| limits.wall).collect();
    let sum = wall.map(|wall| wall.iter().fold(Duration::ZERO, |a, b| a.saturating_add(*b)));
    match sum {
        Some(sum) => format!("{jobs}, at most {} in total", humantime::format_duration(sum)),
        None => format!("{jobs}, no time limit"),
    }
}
