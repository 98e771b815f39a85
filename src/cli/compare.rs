//! `hamcnf compare`: one board, every method.

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::builder::TypedValueParser;
use hamcnf::harness::child::Host;
use hamcnf::harness::compare::{Record, Run, faults};
use hamcnf::harness::compare_report::{LEFT, cells, markdown};
use hamcnf::harness::way::Way;
use tabled::Table;
use tabled::builder::Builder;
use tabled::settings::object::Columns;
use tabled::settings::{Alignment, Padding, Style};
use terminal_size::{Width, terminal_size_of};

use super::counter::Network;
use super::instance::{Question, seconds};
use super::interrupt::Hold;
use super::output::{self, Format};
use super::progress::Progress;
use super::{complain, exit_code};

/// Answer one question about a board in every way, in one table
///
/// Encodings solved by CaDiCaL, searches without clauses, and counts: what came out, and what it took. Each runs
/// in a process of its own; tours are checked once more here. The exit code is 1 if one failed or two
/// contradict each other. If it is interrupted it shows what has ended by then.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  hamcnf compare 6x6
  hamcnf compare 8x8 --open --time-limit 60
  hamcnf compare 10x10 --methods direct,unary,binary,warnsdorff
  hamcnf compare 6x6 --methods exact,zdd,approxmc,ganak --format markdown")]
pub(crate) struct Args {
    #[command(flatten)]
    question: Question,
    /// The methods, several with commas: encodings (direct, unary, binary, counting, step), searches (backtrack,
    /// best-first, warnsdorff) and counts (exact, sample, zdd, timeslice, enumerate, approxmc, ganak) [default:
    /// all but approxmc and ganak, which are other programs]
    #[arg(long, short, value_name = "METHOD", value_delimiter = ',', value_parser = way())]
    methods: Vec<Way>,
    /// Stop each after this many seconds of wall time
    #[arg(
        long,
        value_name = "SECONDS",
        default_value = "20",
        value_parser = seconds,
        allow_negative_numbers = true
    )]
    time_limit: f64,
    /// How to print it; --json is --format json
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
    #[command(flatten)]
    network: Network,
    /// Print a JSON array for programs
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

fn way() -> impl TypedValueParser<Value = Way> {
    let names = Way::all().map(|way| way.to_string());
    clap::builder::PossibleValuesParser::new(names.collect::<Vec<_>>())
        .try_map(|name| name.parse::<Way>())
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let instance = args.question.instance()?;
    let hamcnf = std::env::current_exe().context("cannot find this program to run it again")?;
    let ways: Vec<_> = match args.methods.as_slice() {
        [] => {
            let fits = |way: &Way| way.is_built_in() && way.is_for(&instance);
            Way::all().filter(fits).collect()
        }
        chosen => chosen.to_vec(),
    };
    if let Some(twice) = (1..ways.len()).find(|&k| ways[..k].contains(&ways[k])) {
        bail!("--methods has {} twice", ways[twice]);
    }
    let fetch = args
        .network
        .permit_all(ways.iter().filter_map(Way::counter))?;
    let hold = Hold::new();
    let host = Host {
        fetch,
        stop: hold.stop().clone(),
        ..Host::new(hamcnf)
    };
    let format = args.format.or_json(args.json);
    let progress = Progress::new(format_args!("{instance}"));
    let mut records: Vec<Record> = Vec::new();
    for (number, way) in (1..).zip(&ways) {
        let at = format!("[{number}/{}] {instance}: {way}", ways.len());
        progress.show(format_args!("[{number}/{}] {way}: {instance}", ways.len()));
        let run = match args.question.is_lasting() {
            true => Run::tours(&instance, way, args.time_limit),
            false => Run::of_given_graph(&instance, way, args.time_limit)?,
        };
        let Some(record) = run.in_child(&host) else {
            break;
        };
        ended(&at, &record);
        if format == Format::Csv {
            output::print(|out| output::csv_row(out, &record, records.is_empty()))?;
        }
        records.push(record);
    }
    drop(progress);
    let records: Vec<_> = records.iter().collect();
    output::print(|out| match format {
        Format::Table | Format::Markdown if records.is_empty() => Ok(()),
        Format::Table => {
            let table = table(&records);
            writeln!(out, "{instance}, {} s for each\n{table}", args.time_limit)
        }
        Format::Markdown => write!(out, "{}", markdown(&records)),
        // As they came.
        Format::Csv => Ok(()),
        Format::Json => output::json(out, &records),
    })?;
    if records.len() < ways.len() {
        complain(&format!(
            "interrupted after {} of {} methods",
            records.len(),
            ways.len()
        ));
    }
    Ok(exit_code(&faults(&records)))
}

/// Says how a method ended, where nobody looks at a terminal.
fn ended(at: &str, record: &Record) {
    if !io::stderr().is_terminal() {
        let line = format!("{at}: {}, {:.1} s", record.answer, record.wall_seconds);
        // A courtesy: that it cannot be written stops nothing.
        let _ = writeln!(io::stderr(), "{}", line.replace('\n', ", "));
    }
}

/// With borders where the terminal is wide enough. Elsewhere without, without what the methods are, and with
/// answers broken between words; if that does not help, lines run over.
fn table(records: &[&Record]) -> String {
    let mut rows = cells(records);
    let mut wide = drawn(&rows, LEFT);
    wide.with(Style::rounded());
    let columns = match terminal_size_of(io::stdout()) {
        Some((Width(columns), _)) if usize::from(columns) < wide.total_width() => columns,
        _ => return wide.to_string(),
    };
    for row in &mut rows {
        row.remove(WHAT_IT_IS);
    }
    for (from, to) in SHORTER {
        if let Some(head) = rows[0].iter_mut().find(|head| *head == from) {
            to.clone_into(head);
        }
    }
    let compact = |rows: &[Vec<String>]| {
        let mut table = drawn(rows, LEFT - 1);
        table.with(Style::empty()).with(Padding::new(0, GAP, 0, 0));
        table
    };
    let mut without_answers = rows.clone();
    for row in &mut without_answers {
        row[ANSWER].clear();
    }
    let others = compact(&without_answers).total_width() - GAP;
    let room = usize::from(columns).saturating_sub(others);
    let words = rows.iter().flat_map(|row| row[ANSWER].split(' '));
    if words.map(length).all(|word| word <= room) {
        for row in &mut rows {
            row[ANSWER] = broken(&row[ANSWER], room);
        }
    }
    let table = compact(&rows).to_string();
    let lines: Vec<_> = table.lines().map(str::trim_end).collect();
    lines.join("\n")
}

fn length(text: &str) -> usize {
    text.chars().count()
}

/// Lines of at most `width` characters, as far as words are no longer.
fn broken(text: &str, width: usize) -> String {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if length(line) + 1 + length(word) <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines.join("\n")
}

/// A table with text in the first columns and numbers in the others.
fn drawn(rows: &[Vec<String>], left: usize) -> Table {
    let mut table = Builder::from_iter(rows.iter().cloned()).build();
    table.modify(Columns::new(left..), Alignment::right());
    table
}

/// The column that narrow terminals are spared.
const WHAT_IT_IS: usize = 1;

/// The column of answers, without it.
const ANSWER: usize = 1;

/// Heads that are wider than what stands below them, and what is shorter.
const SHORTER: [(&str, &str); 2] = [("variables", "vars"), ("peak MiB", "MiB")];

/// Between two columns without borders.
const GAP: usize = 2;
