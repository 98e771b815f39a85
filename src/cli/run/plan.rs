//! `hamcnf run --dry-run`: prints the jobs of an experiment.

use std::process::ExitCode;
use std::time::Duration;

use hamcnf::experiment::Experiment;
use hamcnf::harness::job::Job;
use hamcnf::harness::run::keyed;
use hamcnf::harness::shard::Shard;
use hamcnf::limits::Limits;
use hamcnf::method::Method;
use hamcnf::record::Request;
use hamcnf::report::markdown::{self, counted, limits_in_words};
use serde::Serialize;
use tabled::builder::Builder;
use tabled::settings::object::Columns;
use tabled::settings::{Alignment, Style};

use crate::cli::output::{self, Format};

/// Prints the jobs of an experiment, or of one shard.
pub(super) fn print(experiment: &Experiment, shard: Option<Shard>, format: Format) -> anyhow::Result<ExitCode> {
    let jobs = (1..).zip(keyed(experiment));
    let jobs: Vec<(usize, Job)> = match shard {
        None => jobs.map(|(number, (_, job))| (number, job)).collect(),
        Some(shard) => {
            let part = shard.part(jobs);
            part.map(|(number, (_, job))| (number, job)).collect()
        }
    };
    let limits: Vec<_> = jobs.iter().map(|(_, job)| job.limits).collect();
    let rows: Vec<_> = jobs.iter().map(|(number, job)| Row::of(*number, job)).collect();
    output::print(|out| match format {
        Format::Table => writeln!(out, "{}\n{}", table(&jobs), said(&limits)),
        Format::Markdown => {
            let lines = std::iter::once(HEADS.map(str::to_owned).to_vec());
            let lines = lines.chain(jobs.iter().map(line)).collect();
            writeln!(out, "{}\n{}", markdown::table(lines, 3), said(&limits))
        }
        Format::Csv => output::csv(out, &rows),
        Format::Json => output::json(out, &rows),
    })?;
    Ok(ExitCode::SUCCESS)
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
    fn of(number: usize, job: &Job) -> Self {
        let Request {
            question, graph_crc32, method, seed, wall_limit, cpu_limit, memory_limit, conflict_limit, ..
        } = job.record().asked;
        Self {
            number,
            question,
            graph_crc32: Some(graph_crc32).filter(|crc32| !crc32.is_empty()),
            method,
            seed,
            wall_limit,
            cpu_limit,
            memory_limit,
            conflict_limit,
        }
    }
}

const HEADS: [&str; 5] = ["job", "question", "method", "seed", "limits"];

fn line((number, job): &(usize, Job)) -> Vec<String> {
    let Job { question, method, seed, limits } = job;
    vec![number.to_string(), question.to_string(), method.to_string(), seed.to_string(), limits_in_words(limits)]
}

fn table(jobs: &[(usize, Job)]) -> String {
    let mut builder = Builder::new();
    builder.push_record(HEADS);
    jobs.iter().for_each(|job| builder.push_record(line(job)));
    let mut table = builder.build();
    table.with(Style::rounded());
    for numbers in [0, 3] {
        table.modify(Columns::one(numbers), Alignment::right());
    }
    table.to_string()
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
