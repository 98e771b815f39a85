//! `hamcnf report`: tables, charts and a page of results; differences between two sets of rows; and rows for other
//! tools.

mod difference;
mod export;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::ValueHint;
use hamcnf::experiment::{Experiment, Given};
use hamcnf::report::data::{Data, Row};
use hamcnf::report::difference::THRESHOLD;
use hamcnf::report::export::Exporter;
use hamcnf::report::groups::{self, Feature};
use hamcnf::report::markdown::counted;
use hamcnf::report::measure::Measure;
use hamcnf::report::page::is_page;
use hamcnf::report::{Options, Report};

use self::export::exporter;
use super::instance::named;
use super::progress::Progress;
use super::verbosity::note;
use super::{exit_code, output};
use crate::cli::output_file::OutputFile;

/// Make tables, charts and a web page from results
///
/// RESULTS are files of rows written by `hamcnf run`, or folders of such files. Tables go to the terminal. With
/// --output, a folder gets index.html (readable without a network), report.md, and every chart as SVG and PNG. Exit code 1:
/// answers contradict each other, or a run failed. With --compare, exit code 1 means that B is worse than A:
/// contradicting answers, different sizes, missing or failed runs, or growth of a metric that does not depend on the
/// machine.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  hamcnf report results/peers.csv                     tables
  hamcnf report results/peers.csv -o peers            peers/index.html, report.md and pictures
  hamcnf report results -o all                        everything in a folder
  hamcnf report results/encodings.csv --by conflicts  compare by conflicts
  hamcnf report results/peers.csv -o peers --pair clingo,auto
  hamcnf report mine.csv --times published.csv        add times of other solvers
  hamcnf report results/pruning.csv --expect experiments/pruning.toml   flag answers that contradict the known ones
  hamcnf report results/peers.csv --group mean_degree  where each method wins, by mean degree
  hamcnf report --compare before.csv after.csv        what changed; exit code 1 if worse
  git show HEAD~:results/peers.csv | hamcnf report --compare - results/peers.csv
  hamcnf report results/peers.csv --format competition > runtimes.csv
  hamcnf report results/peers.csv --format benchexec -o tables && table-generator tables/*.xml")]
pub(crate) struct Args {
    /// Files of rows, or folders of such files; - for standard input
    #[arg(value_name = "RESULTS", required_unless_present = "compare")]
    results: Vec<PathBuf>,
    /// Output folder, created if missing. An earlier report in it is replaced. With --format, the output file; with --format benchexec, a folder with
    /// one file per method
    #[arg(long, short, value_name = "FOLDER", value_hint = ValueHint::FilePath)]
    output: Option<OutputFile>,
    /// Measure to compare by: cpu_seconds, solve_seconds, wall_seconds, peak_rss_kib, clauses, or a metric such as
    /// conflicts; may be repeated with --compare [default: cpu_seconds; with --compare, all metrics that depend only on
    /// the seed]
    #[arg(long, value_name = "MEASURE", conflicts_with = "format")]
    by: Vec<String>,
    /// Two methods to compare run by run; may be repeated [default: the best method paired with each of the next three]
    #[arg(long, value_name = "A,B", value_parser = pair, conflicts_with_all = ["compare", "format"])]
    pair: Vec<(String, String)>,
    /// CSV file of times measured elsewhere: one column of instances, then one column per solver, with seconds or TO
    /// (timeout); may be repeated
    #[arg(long, value_name = "FILE", conflicts_with_all = ["compare", "format"])]
    times: Vec<PathBuf>,
    /// Feature by which the table "Where each method wins" groups the questions
    #[arg(long, value_name = "FEATURE", value_parser = named::<Feature>(), default_value = "kind", conflicts_with_all = ["compare", "format"])]
    group: Feature,
    /// CSV file with the features of graphs whose files are missing, from `hamcnf graph FILE... --format csv`; may be
    /// repeated
    #[arg(long, value_name = "FILE", conflicts_with_all = ["compare", "format"])]
    features: Vec<PathBuf>,
    /// Experiment file with known answers; rows that contradict them are errors, and the exit code is 1; may be repeated
    #[arg(long, value_name = "FILE", conflicts_with_all = ["compare", "format"])]
    expect: Vec<PathBuf>,
    /// Title of the report
    #[arg(long, value_name = "TEXT", conflicts_with_all = ["compare", "format"])]
    title: Option<String>,
    /// Compare two files or folders of rows. A row of A is compared with the row of B that has the same question,
    /// graph, method, seed and limits
    #[arg(long, num_args = 2, value_names = ["A", "B"], conflicts_with_all = ["results", "format", "output"])]
    compare: Option<Vec<PathBuf>>,
    /// Largest allowed ratio of a metric in B to the metric in A (geometric mean over the runs of a method); 1.1 allows
    /// growth by 10 %
    #[arg(long, value_name = "RATIO", requires = "compare", conflicts_with = "results", default_value_t = THRESHOLD, value_parser = threshold)]
    threshold: f64,
    /// Also compare rows with different limits
    #[arg(long, requires = "compare", conflicts_with = "results")]
    ignore_limits: bool,
    /// Print a JSON object (only with --compare)
    #[arg(long, requires = "compare", conflicts_with = "results")]
    json: bool,
    /// Write the rows in the format of another tool
    #[arg(long, value_name = "FORMAT", value_parser = exporter())]
    format: Option<Exporter>,
}

/// Name of the page in the folder.
const PAGE: &str = "index.html";

/// Reason why an option's value is invalid.
#[derive(Debug, thiserror::Error)]
enum ValueError {
    #[error("\"{0}\" is not a ratio; write a number of at least 1, such as 1.1")]
    Threshold(String),
    #[error("\"{0}\" is not a pair of methods; write two methods separated by a comma, such as auto,clingo")]
    Pair(String),
}

/// Parses a threshold: the factor by which a figure may grow.
fn threshold(text: &str) -> Result<f64, ValueError> {
    match text.parse::<f64>() {
        Ok(ratio) if ratio >= 1.0 && ratio.is_finite() => Ok(ratio),
        _ => Err(ValueError::Threshold(text.to_owned())),
    }
}

/// Parses two methods separated by a comma.
fn pair(text: &str) -> Result<(String, String), ValueError> {
    match text.split_once(',') {
        Some((a, b)) if !a.is_empty() && !b.is_empty() => Ok((a.to_owned(), b.to_owned())),
        _ => Err(ValueError::Pair(text.to_owned())),
    }
}

/// Rejects a folder whose page is not a report.
fn may_be_written(folder: &Path) -> anyhow::Result<()> {
    let page = folder.join(PAGE);
    match fs::read(&page) {
        Ok(bytes) if !is_page(&String::from_utf8_lossy(&bytes)) => {
            bail!("{} was not written by `hamcnf report`: choose another folder", page.display())
        }
        _ => Ok(()),
    }
}

pub(crate) fn run(args: &Args) -> anyhow::Result<u8> {
    if let Some([a, b]) = args.compare.as_deref() {
        return difference::run(args, a, b);
    }
    if let Some(format) = args.format {
        return export::run(args, format);
    }
    if let Some(folder) = &args.output {
        may_be_written(folder)?;
    }
    let measure = match args.by.as_slice() {
        [] => Measure::default(),
        [one] => one.parse()?,
        _ => bail!("a report compares by one measure: pass --by only once"),
    };
    let mut progress = Progress::new(format_args!("reading results"));
    let data = Data::read(&args.results, &args.times)?;
    let mut expected = BTreeMap::new();
    for file in &args.expect {
        let experiment = Experiment::read(file, &Given::default())?;
        expected.extend(experiment.plan.expected());
    }
    let is_known = |row: &Row| expected.contains_key(&row.record.asked.question);
    if !args.expect.is_empty() && !data.rows.iter().any(is_known) {
        note("no answer was compared: no row has a question from the experiments that --expect names");
    }
    let options = Options {
        measure,
        pairs: args.pair.clone(),
        group: args.group,
        features: groups::read(&args.features)?,
        title: args.title.clone(),
        expected,
        ..Options::default()
    };
    let report = Report::of(&data, &options)?;
    let Some(folder) = &args.output else {
        progress.clear();
        output::print(|out| writeln!(out, "{}", report.text().trim_end()))?;
        return Ok(exit_code(&report.faults));
    };
    progress.show(format_args!("drawing {} charts", report.charts.len()));
    let files = report.files()?;
    anyhow::ensure!(!folder.is_file(), "{} is a file: name a folder for the page and its charts", folder.display());
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    for (name, content) in &files {
        output::to(Some(&folder.join(name)), |out| Ok(out.write_all(content)?))?;
    }
    progress.clear();
    let page = folder.join(PAGE);
    let parts = [("row", data.rows.len()), ("chart", report.charts.len()), ("tour", report.tours.len())];
    let parts = parts.map(|(noun, n)| counted(n, noun));
    output::print(|out| writeln!(out, "{}: {}", page.display(), parts.join(", ")))?;
    Ok(exit_code(&report.faults))
}
