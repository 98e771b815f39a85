//! `hamcnf report`: tables, charts and a page of results.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use hamcnf::report::data::Data;
use hamcnf::report::measure::Measure;
use hamcnf::report::{Options, Report};

use super::progress::Progress;
use super::{exit_code, output};

/// Tables, charts and a page of results
///
/// RESULTS are files of rows that 'hamcnf run' has written, or folders of such. Without a folder to write to, tables go to
/// the terminal. With one it gets index.html, a page with everything in it that needs no network; report.md; and every chart as
/// SVG and PNG. The exit code is 1 if answers contradict each other or a run failed.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  hamcnf report results/peers.csv                     tables
  hamcnf report results/peers.csv -o peers            peers/index.html, report.md and pictures
  hamcnf report results -o all                        of everything in a folder
  hamcnf report results/encodings.csv --by conflicts  by another figure than CPU seconds
  hamcnf report results/peers.csv -o peers --pair clingo,auto
  hamcnf report mine.csv --times published.csv        other people's times beside: instance, then a solver in each column")]
pub(crate) struct Args {
    /// Files of rows, or folders of them
    #[arg(value_name = "RESULTS", required = true)]
    results: Vec<PathBuf>,
    /// The folder to write to; it is made if need be
    #[arg(long, short, value_name = "FOLDER")]
    output: Option<PathBuf>,
    /// What methods are compared by: cpu_seconds, solve_seconds, wall_seconds, peak_kib, clauses, or a counter such as
    /// conflicts
    #[arg(long, value_name = "FIGURE", default_value_t)]
    by: Measure,
    /// Two methods to hold against each other run by run; may be given again [default: the best against the next three]
    #[arg(long, value_name = "A,B", value_parser = pair)]
    pair: Vec<(String, String)>,
    /// Times that were measured elsewhere, to stand beside: a CSV file with the instance, and then a solver in each
    /// column, seconds or TO; may be given again
    #[arg(long, value_name = "FILE")]
    times: Vec<PathBuf>,
    /// What it is called
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
}

/// Two methods with a comma between.
fn pair(text: &str) -> Result<(String, String), String> {
    match text.split_once(',') {
        Some((a, b)) if !a.is_empty() && !b.is_empty() => Ok((a.to_owned(), b.to_owned())),
        _ => Err("two methods with a comma between, such as auto,clingo".to_owned()),
    }
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let mut progress = Progress::new(format_args!("reading results"));
    let data = Data::read(&args.results, &args.times)?;
    let options = Options {
        measure: args.by.clone(),
        pairs: args.pair.clone(),
        title: args.title.clone(),
    };
    let report = Report::of(&data, &options)?;
    let Some(folder) = &args.output else {
        progress.clear();
        output::print(|out| writeln!(out, "{}", report.text().trim_end()))?;
        return Ok(exit_code(&report.faults));
    };
    progress.show(format_args!("drawing {} charts", report.charts.len()));
    let files = report.files()?;
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    for (name, content) in &files {
        output::to(Some(&folder.join(name)), |out| Ok(out.write_all(content)?))?;
    }
    progress.clear();
    let page = folder.join("index.html");
    output::print(|out| {
        writeln!(
            out,
            "{}: {} rows, {} charts, {} tours",
            page.display(),
            data.rows.len(),
            report.charts.len(),
            report.tours.len()
        )
    })?;
    Ok(exit_code(&report.faults))
}
