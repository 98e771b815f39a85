//! `hamcnf run`: an experiment.

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use hamcnf::harness::decision::{Record, Status, runs, verdict};
use hamcnf::harness::experiment::{DecisionPlan, Experiment, Plan, SizesPlan};
use hamcnf::harness::machine::Machine;
use hamcnf::harness::report;
use hamcnf::harness::results::Results;
use hamcnf::harness::sizes::{SizeRow, measure};

/// Run an experiment and write its rows and tables
///
/// An experiment is a TOML file; those of the paper are in experiments/. Rows go to results/NAME.csv.part
/// one by one, and become results/NAME.csv when all are there, with tables in NAME.md and the machine in
/// NAME.machine.json. An interrupted run is continued with --resume.
#[derive(clap::Args)]
#[command(after_help = "Examples:
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
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let experiment = Experiment::read(&args.experiment)?;
    let machine = Machine::here();
    match &experiment.plan {
        Plan::Sizes(plan) => sizes(args, &experiment, plan, &machine),
        Plan::Decision(plan) => decision(args, &experiment, plan, &machine),
    }
}

fn sizes(
    args: &Args,
    experiment: &Experiment,
    plan: &SizesPlan,
    machine: &Machine,
) -> anyhow::Result<ExitCode> {
    // Sizes take no time: what is left of an interrupted run is measured again.
    let instances = plan.cells.instances().map_err(anyhow::Error::msg)?;
    let mut rows: Vec<SizeRow> = Vec::new();
    for instance in &instances {
        for encoding in plan.cells.encodings() {
            rows.extend(measure(instance, encoding, true)?);
        }
    }
    let (mut results, earlier) =
        Results::begin::<SizeRow>(&args.output, &experiment.name, args.resume)?;
    rows.iter()
        .skip(earlier.len())
        .try_for_each(|row| results.row(row))?;
    let report = report::sizes(experiment, plan, &rows, machine);
    finish(results, &report, machine)?;
    Ok(ExitCode::SUCCESS)
}

fn decision(
    args: &Args,
    experiment: &Experiment,
    plan: &DecisionPlan,
    machine: &Machine,
) -> anyhow::Result<ExitCode> {
    let hamcnf = std::env::current_exe().context("cannot find this program to run it again")?;
    let instances = plan.cells.instances().map_err(anyhow::Error::msg)?;
    let runs = runs(plan, &instances);
    let (mut results, mut records) =
        Results::begin::<Record>(&args.output, &experiment.name, args.resume)?;
    let mut wrong = Vec::new();
    for (number, run) in (1..).zip(&runs) {
        if records.iter().any(|record| run.is(record)) {
            continue;
        }
        let what = format!("{} {} seed {}", run.instance.name(), run.encoding, run.seed);
        progress(&format!("[{number}/{}] {what}", runs.len()), "");
        let (record, message) = run.in_child(&hamcnf);
        results.row(&record)?;
        let end = match record.status {
            Status::Tour => format!(": tour in {} s", report::seconds(record.solve_seconds)),
            Status::NoTour => format!(": no tour in {} s", report::seconds(record.solve_seconds)),
            Status::Timeout => ": timed out".to_owned(),
            Status::Failed => ": failed".to_owned(),
        };
        progress(&end, "\n");
        if let Some(fault) = verdict(&record, plan.expect) {
            wrong.push(format!(
                "{what} {fault}{}",
                message.map_or(String::new(), |m| format!(": {m}"))
            ));
        }
        records.push(record);
    }
    // Resumed rows may come in another order.
    let place = |record: &Record| runs.iter().position(|run| run.is(record));
    records.sort_by_key(place);
    let report = report::decision(experiment, plan, &records, machine);
    finish(results, &report, machine)?;
    if wrong.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    for fault in wrong {
        writeln!(io::stderr(), "hamcnf: {}", fault.replace('\n', ", "))?;
    }
    Ok(ExitCode::FAILURE)
}

fn finish(results: Results, report: &str, machine: &Machine) -> anyhow::Result<()> {
    let machine = serde_json::to_string_pretty(machine)? + "\n";
    let rows = results.finish(&[("md", report.to_owned()), ("machine.json", machine)])?;
    writeln!(io::stdout(), "{report}\nRows: {}", rows.display())?;
    Ok(())
}

/// Progress, where somebody is looking.
fn progress(text: &str, end: &str) {
    if io::stderr().is_terminal() {
        // A courtesy: that it cannot be written stops nothing.
        let _ = write!(io::stderr(), "{text}{end}");
    }
}
