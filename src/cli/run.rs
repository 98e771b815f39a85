//! `hamcnf run`: an experiment.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use hamcnf::count::external::Counter;
use hamcnf::harness::child::Host;
use hamcnf::harness::decision::{Record, Status, earlier, runs, verdict};
use hamcnf::harness::experiment::{Experiment, Plan};
use hamcnf::harness::machine::Machine;
use hamcnf::harness::place::Place;
use hamcnf::harness::plan::compare::{ComparePlan, CompareQuestion};
use hamcnf::harness::plan::count::{CountPlan, CountQuestion};
use hamcnf::harness::plan::decision::DecisionPlan;
use hamcnf::harness::plan::sizes::SizesPlan;
use hamcnf::harness::results::Results;
use hamcnf::harness::sizes::{SizeRow, measure};
use hamcnf::harness::{compare, compare_report, count_report, counting, report};

use super::counter::Network;
use super::instance::warn_of;
use super::interrupt::Hold;
use super::progress::Progress;
use super::{complain, exit_code, output};

/// Run an experiment and write its rows and tables
///
/// An experiment is a TOML file; those of the paper are in experiments/. Rows go to results/NAME.csv.part
/// one by one, and become results/NAME.csv when all are there, with tables in NAME.md and the machine in
/// NAME.machine.json; earlier results stay until then. An interrupted run is continued with --resume. The
/// exit code is 1 if a run failed, or if an answer or a size is not the expected one.
#[derive(clap::Args)]
#[command(after_help = "An experiment file has
  kind, title, about   'sizes', 'decision', 'count' or 'compare', and words for the report
  [cells]              boards and encodings; tours, start, prunings, at_most_ones, orientations
  [[published]]        for sizes: figures to stand beside ours
  seeds, phases, time_limit, expect ('tour' or 'no-tour'), searches, [[claims]]   for decision
  [[questions]], [[questions.published]], time_limit            for compare
  [[questions]], [[questions.counts]], epsilon, delta, seeds, time_limit   for count

Where it names a board it may name a file with a graph, from the folder where hamcnf is started; edges:FILE (or
dimacs:, tsplib:, edges-header:) says its format.

Examples:
  hamcnf run experiments/table1.toml
  hamcnf run experiments/decision.toml --output /tmp/mine
  hamcnf run experiments/decision.toml --resume")]
pub(crate) struct Args {
    /// The experiment
    #[arg(value_name = "FILE")]
    experiment: PathBuf,
    /// The folder for the results
    #[arg(long, short, value_name = "FOLDER", default_value = "results")]
    output: PathBuf,
    /// Continue an interrupted run
    #[arg(long)]
    resume: bool,
    #[command(flatten)]
    network: Network,
}

impl Args {
    /// What all runs have in common, after asking about the counters that they need.
    /// From then on an interrupt stops the run that is under way.
    fn host(&self, counters: impl Iterator<Item = Counter>) -> anyhow::Result<(Host, Hold)> {
        let hamcnf = std::env::current_exe().context("cannot find this program to run it again")?;
        let fetch = self.network.permit_all(counters)?;
        let hold = Hold::new();
        let host = Host {
            fetch,
            stop: hold.stop().clone(),
            ..Host::new(hamcnf)
        };
        Ok((host, hold))
    }
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let experiment = Experiment::read(&args.experiment)?;
    for place in experiment.plan.places() {
        if let Place::Graph(text) = place
            && let Some(isolated) = text.read()?.isolated
        {
            warn_of(text, &isolated);
        }
    }
    let faults = match &experiment.plan {
        Plan::Sizes(plan) => sizes(args, &experiment, plan)?,
        Plan::Decision(plan) => decision(args, &experiment, plan)?,
        Plan::Count(plan) => counts(args, &experiment, plan)?,
        Plan::Compare(plan) => comparison(args, &experiment, plan)?,
    };
    Ok(exit_code(&faults))
}

/// Measures sizes; gives back what is wrong with them.
fn sizes(args: &Args, experiment: &Experiment, plan: &SizesPlan) -> anyhow::Result<Vec<String>> {
    // Sizes take no time: whatever an interrupted run left is measured again.
    let instances = plan.cells.instances().map_err(anyhow::Error::msg)?;
    let machine = Machine::with_graphs_of(&instances);
    let mut results = Results::afresh::<SizeRow>(&args.output, &experiment.name, machine)?;
    let mut rows: Vec<SizeRow> = Vec::new();
    let progress = Progress::new(format_args!("counting clauses"));
    for instance in &instances {
        for encoding in plan.cells.encodings() {
            progress.show(format_args!("{instance}: counting clauses of {encoding}"));
            rows.extend(measure(instance, encoding, true)?);
        }
    }
    drop(progress);
    rows.iter().try_for_each(|row| results.row(row))?;
    let (report, all_same) = report::sizes(experiment, plan, &rows, results.machine());
    finish(results, &report)?;
    let fault = "not all published numbers came out the same".to_owned();
    Ok(if all_same { Vec::new() } else { vec![fault] })
}

/// Runs what is not there yet; gives back what is wrong with any of the runs.
fn decision(
    args: &Args,
    experiment: &Experiment,
    plan: &DecisionPlan,
) -> anyhow::Result<Vec<String>> {
    let instances = plan.cells.instances().map_err(anyhow::Error::msg)?;
    let runs = runs(plan, &instances);
    let (mut results, mut records) = Results::begin(
        &args.output,
        &experiment.name,
        Machine::with_graphs_of(&instances),
        args.resume,
        |record: &Record| earlier(record, &runs),
    )?;
    let (host, _hold) = args.host(std::iter::empty())?;
    let mut faults = Vec::new();
    for (number, run) in (1..).zip(&runs) {
        if records.iter().any(|record| record.run() == *run) {
            continue;
        }
        let what = format!("[{number}/{}] {} seed {}", runs.len(), run.cell, run.seed);
        let progress = Progress::new(format_args!("{what}"));
        let Some((record, message)) = run.in_child(&host) else {
            return Ok(interrupted());
        };
        results.row(&record)?;
        let end = match record.status {
            Status::Tour => format!("tour in {} s", report::seconds(record.solve_seconds)),
            Status::NoTour => format!("no tour in {} s", report::seconds(record.solve_seconds)),
            Status::Timeout => "timed out".to_owned(),
            Status::GaveUp => "gave up".to_owned(),
            Status::Failed => "failed".to_owned(),
        };
        progress.leave(format_args!("{what}: {end}"));
        if let Some(message) = message {
            faults.push(format!("{} seed {}: {message}", run.cell, run.seed));
        }
        records.push(record);
    }
    // Resumed rows may come in another order.
    records.sort_by_key(|record| runs.iter().position(|run| *run == record.run()));
    for record in &records {
        if let Some(fault) = verdict(record, plan.expect) {
            faults.push(format!("{} seed {} {fault}", record.cell(), record.seed));
        }
    }
    if records.iter().any(|record| record.status == Status::Failed) {
        // Earlier results stay; what was measured is there to go on from.
        faults
            .push("not all runs ended: mend what is wrong, and continue with --resume".to_owned());
        return Ok(faults);
    }
    let report = report::decision(experiment, plan, &records, results.machine());
    finish(results, &report)?;
    Ok(faults)
}

/// Runs the counts that are not there yet; gives back what is wrong with any of them.
fn counts(args: &Args, experiment: &Experiment, plan: &CountPlan) -> anyhow::Result<Vec<String>> {
    let instances = plan.instances().map_err(anyhow::Error::msg)?;
    let runs = counting::runs(plan);
    let (mut results, mut records) = Results::begin(
        &args.output,
        &experiment.name,
        Machine::with_graphs_of(&instances),
        args.resume,
        |record: &counting::Record| counting::earlier(record, &runs),
    )?;
    let left = runs
        .iter()
        .filter(|run| !records.iter().any(|r| run.is_of(r)));
    let (host, _hold) = args.host(left.filter_map(counting::Run::counter))?;
    let mut messages = Vec::new();
    for (number, run) in (1..).zip(&runs) {
        if records.iter().any(|record| run.is_of(record)) {
            continue;
        }
        let what = format!("[{number}/{}] {run}", runs.len());
        let progress = Progress::new(format_args!("{what}"));
        let Some((record, message)) = run.in_child(&host) else {
            return Ok(interrupted());
        };
        results.row(&record)?;
        let end = match (record.status, record.answer()) {
            (counting::Status::Counted, Some(answer)) => {
                format!("{answer} in {} s", report::seconds(record.wall_seconds))
            }
            (counting::Status::Timeout, _) => "timed out".to_owned(),
            (counting::Status::Stopped, _) => format!("stopped: {}", record.stopped),
            _ => "failed".to_owned(),
        };
        progress.leave(format_args!("{what}: {end}"));
        messages.extend(message.map(|message| format!("{run}: {message}")));
        records.push(record);
    }
    records.sort_by_key(|record| runs.iter().position(|run| run.is_of(record)));
    if !messages.is_empty() {
        messages
            .push("not all runs ended: mend what is wrong, and continue with --resume".to_owned());
        return Ok(messages);
    }
    let report = count_report::counts(experiment, plan, &records, results.machine());
    finish(results, &report)?;
    let of = |question: &CountQuestion| {
        let runs = counting::runs_of(plan, question);
        let is_of = |record: &&counting::Record| runs.iter().any(|run| run.is_of(record));
        counting::faults(question, &records.iter().filter(is_of).collect::<Vec<_>>())
    };
    Ok(plan.questions.iter().flat_map(of).collect())
}

/// Runs the ways that are not there yet; gives back what is wrong with any answer, or differs from what was
/// published.
fn comparison(
    args: &Args,
    experiment: &Experiment,
    plan: &ComparePlan,
) -> anyhow::Result<Vec<String>> {
    let instances = plan.instances().map_err(anyhow::Error::msg)?;
    let runs = plan.runs().map_err(anyhow::Error::msg)?;
    let (mut results, mut records) = Results::begin(
        &args.output,
        &experiment.name,
        Machine::with_graphs_of(&instances),
        args.resume,
        |record: &compare::Record| compare::earlier(record, &runs),
    )?;
    let left = runs
        .iter()
        .filter(|run| !records.iter().any(|r| run.is_of(r)));
    let (host, _hold) = args.host(left.filter_map(compare::Run::counter))?;
    for (number, run) in (1..).zip(&runs) {
        if records.iter().any(|record| run.is_of(record)) {
            continue;
        }
        let what = format!("[{number}/{}] {}", runs.len(), run.name());
        let progress = Progress::new(format_args!("{what}"));
        let Some(record) = run.in_child(&host) else {
            return Ok(interrupted());
        };
        results.row(&record)?;
        progress.leave(format_args!("{what}: {}", record.answer));
        records.push(record);
    }
    let of = |question: &CompareQuestion| -> anyhow::Result<Vec<&compare::Record>> {
        let runs = question.runs(plan).map_err(anyhow::Error::msg)?;
        let found = runs.iter().map(|run| records.iter().find(|r| run.is_of(r)));
        Ok(found.flatten().collect())
    };
    let mut questions = Vec::new();
    let mut faults = Vec::new();
    for question in &plan.questions {
        let records = of(question)?;
        faults.extend(compare::faults(&records));
        questions.push((question, records));
    }
    if records.iter().any(|r| r.status == compare::Status::Failed) {
        faults
            .push("not all runs ended: mend what is wrong, and continue with --resume".to_owned());
        return Ok(faults);
    }
    let (report, differing) =
        compare_report::comparison(experiment, plan, &questions, results.machine());
    faults.extend(differing);
    finish(results, &report)?;
    Ok(faults)
}

/// Says how to go on. The rows that are there stay.
fn interrupted() -> Vec<String> {
    complain("interrupted: continue with --resume");
    Vec::new()
}

fn finish(results: Results, report: &str) -> anyhow::Result<()> {
    let rows = results.finish(report)?;
    output::print(|out| writeln!(out, "{report}\nRows: {}", rows.display()))
}
