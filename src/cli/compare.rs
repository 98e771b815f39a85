//! `hamcnf compare`: answers one question with every method.

use std::io::{self, IsTerminal};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, bail};
use hamcnf::harness::job::Job;
use hamcnf::harness::worker::{Done, Host};
use hamcnf::json::JsonRecord;
use hamcnf::limits::Limits;
use hamcnf::method::Method;
use hamcnf::question::Question as Asked;
use hamcnf::record::{Record, Status};
use hamcnf::report::cells::{COMPARISON, cells, table as comparison};
use hamcnf::report::data::{Data, Source};
use hamcnf::report::tables::{Table as Cells, faults};
use hamcnf::run::Share;
use hamcnf::{Formula, Instance};
use tabled::Table;
use tabled::builder::Builder;
use tabled::settings::object::Columns;
use tabled::settings::{Alignment, Padding, Style};
use terminal_size::{Width, terminal_size_of};

use super::complete;
use super::counter::Network;
use super::engines::Engines;
use super::instance::{Question, seconds};
use super::interrupt::{self, Hold};
use super::output::{self, Format, RELAXED_NOTE, marked};
use super::progress::{self, Progress};
use super::{complain, exit_code};

/// Answer one question with several methods, and print one table
///
/// Compares answers and costs of encodings (solved by CaDiCaL), searches and counts. Each method runs in its own
/// process, and every tour is checked again. Exit code 1: a method failed, or two answers contradict each other. After
/// an interrupt, the table has the methods that finished.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  hamcnf compare 6x6
  hamcnf compare 8x8 --open --time-limit 60
  hamcnf compare 10x10 --methods direct,unary,binary,warnsdorff
  hamcnf compare 6x6 --methods exact,zdd,approxmc,ganak --format markdown
  hamcnf compare 6x6 --methods auto,kissat:binary,cadical:binary
  hamcnf compare 6x6 --engines my.toml --methods mysat:binary

my.toml contains:
  [[engine]]
  name = \"mysat\"
  command = \"mysat {cnf}\"")]
pub(crate) struct Args {
    #[command(flatten)]
    question: Question,
    /// Methods, separated by commas, such as auto, binary+windows, sample+states=1000, kissat:binary, or methods of
    /// --engines (see `hamcnf methods`) [default: auto and all encodings, searches and counts, without external solvers]
    #[arg(long, short, value_name = "METHOD", add = complete::methods(), value_delimiter = ',')]
    methods: Vec<Method>,
    #[command(flatten)]
    engines: Engines,
    /// Stop each method after this wall time: seconds, or a number with a unit such as 500ms, 2m or 1h
    #[arg(
        long,
        value_name = "TIME",
        default_value = "20",
        value_parser = seconds,
        allow_negative_numbers = true
    )]
    time_limit: f64,
    /// Output format; --json is short for --format json
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
    #[command(flatten)]
    network: Network,
    /// Print a JSON array with a record for each method
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let asked = args.question.asked()?;
    let instance = asked.instance().clone();
    let question = Asked::from(asked);
    let hamcnf = std::env::current_exe().context("cannot find the path of the hamcnf program")?;
    let methods = match args.methods.as_slice() {
        [] => Method::built_in(&question),
        chosen => chosen.to_vec(),
    };
    if let Some(twice) = (1..methods.len()).find(|&k| methods[..k].contains(&methods[k])) {
        bail!(
            "--methods names \"{}\" twice; remove one of them",
            methods[twice]
        );
    }
    for method in &methods {
        method.suits(&question)?;
    }
    args.network
        .permit_all(methods.iter().filter_map(Method::counter))?;
    args.network
        .set_up(methods.iter().filter_map(Method::engine))?;
    let hold = Hold::new();
    let host = Host {
        stop: hold.stop().clone(),
        ..Host::new(hamcnf)
    };
    let format = args.format.or_json(args.json);
    let progress = Progress::new(format_args!("{instance}: {} methods", methods.len()));
    let mut records: Vec<Record> = Vec::new();
    let mut objects = Vec::new();
    for (number, method) in (1..).zip(&methods) {
        let at = format!("[{number}/{}] {instance}: {method}", methods.len());
        let share = Share {
            done: number - 1,
            of: methods.len() as u64,
        };
        let text = format_args!("[{number}/{}] {method}: {instance}", methods.len());
        progress.begin(Some(share), None, text);
        let job = Job {
            question: question.clone(),
            method: method.clone(),
            seed: method.first_seed(),
            limits: Limits::wall(Duration::from_secs_f64(args.time_limit)),
        };
        let Some(Done { record, tour }) = host.run(&job) else {
            break;
        };
        ended(&at, &record);
        if format == Format::Csv {
            output::print(|out| output::csv_row(out, &record, records.is_empty()))?;
        }
        if format == Format::Json {
            let object = JsonRecord::new(&question, &record.clone().into());
            objects.push(match &tour {
                Some((at, tour)) => object.with_tour(at, tour),
                None => object,
            });
        }
        records.push(record);
    }
    drop(progress);
    let cells = cells(&records, |_| false);
    let mut table = comparison(&cells, COMPARISON, &[]);
    let mut has_relaxed = false;
    let refusals = refusals(&records);
    for (cell, line) in cells.iter().zip(&mut table.lines) {
        let refused = |record: &Record| record.method == cell.method && is_refused(record);
        if records.iter().any(refused) {
            line[ANSWER + 1] = "refused".to_owned();
        }
        let is_relaxed = is_relaxed(&cell.method, &instance);
        line[0] = marked(&line[0], is_relaxed);
        has_relaxed |= is_relaxed;
    }
    output::print(|out| match format {
        Format::Table | Format::Markdown if records.is_empty() => Ok(()),
        Format::Table => {
            let table = drawn(&table);
            writeln!(
                out,
                "{instance}, at most {} s for each method\n{table}",
                args.time_limit
            )?;
            if has_relaxed {
                writeln!(out, "{RELAXED_NOTE}")?;
            }
            refusals.iter().try_for_each(|line| writeln!(out, "{line}"))
        }
        Format::Markdown => {
            write!(out, "{}", table.lines_in_markdown())?;
            if has_relaxed {
                writeln!(out, "\n{RELAXED_NOTE}")?;
            }
            refusals
                .iter()
                .try_for_each(|line| writeln!(out, "\n{line}"))
        }
        // The rows have already been printed as they arrived.
        Format::Csv => Ok(()),
        Format::Json => output::json(out, &objects),
    })?;
    if records.len() < methods.len() {
        complain(&format!(
            "interrupted after {} of {} methods{}",
            records.len(),
            methods.len(),
            interrupt::again()
        ));
    }
    Ok(exit_code(&faults(&Data::of(
        Source::default(),
        records,
        None,
    ))))
}

/// True if the method uses an encoding that is relaxed on this instance.
fn is_relaxed(method: &Method, instance: &Instance) -> bool {
    method.encoding().is_some_and(|encoding| {
        Formula::new(encoding.clone(), instance).is_ok_and(|formula| !formula.is_exact())
    })
}

fn is_refused(record: &Record) -> bool {
    record.status == Status::Refused && !record.message.is_empty()
}

/// Returns a line for each reason why methods refuse the question, with the names of the methods.
fn refusals(records: &[Record]) -> Vec<String> {
    let mut reasons: Vec<(String, Vec<String>)> = Vec::new();
    for record in records.iter().filter(|record| is_refused(record)) {
        let name = record.method.to_string();
        // Methods share a reason that differs only in their names.
        let message = record
            .message
            .replace(&format!("encoding \"{name}\""), "the encoding");
        let message = message
            .strip_prefix(&format!("{name}: "))
            .unwrap_or(&message);
        match reasons.iter_mut().find(|(reason, _)| reason == message) {
            Some((_, names)) => names.push(name),
            None => reasons.push((message.to_owned(), vec![name])),
        }
    }
    let lines = reasons.into_iter();
    let lines = lines.map(|(reason, names)| format!("Refused by {}: {reason}.", names.join(", ")));
    lines.collect()
}

/// Reports that a method has ended, unless standard error is a terminal.
fn ended(at: &str, record: &Record) {
    if !io::stderr().is_terminal() {
        let wall = record.wall_seconds.unwrap_or(0.0);
        progress::ended(format_args!("{at}: {}, {wall:.1} s", record.said()));
    }
}

/// Draws the table, with borders if the terminal is wide enough. On narrower terminals the borders and the column of
/// descriptions are left out, and answers are broken between words. If even this is too wide, lines overflow.
fn drawn(table: &Cells) -> String {
    let heads = std::iter::once(table.columns.clone());
    let mut rows: Vec<Vec<String>> = heads.chain(table.lines.iter().cloned()).collect();
    let mut wide = aligned(&rows, table.left);
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
        let mut table = aligned(rows, table.left - 1);
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

/// Breaks a text into lines of at most `width` characters. Words that are longer are not broken.
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

/// Returns a table with text in the first `left` columns and numbers in the others.
fn aligned(rows: &[Vec<String>], left: usize) -> Table {
    let mut table = Builder::from_iter(rows.iter().cloned()).build();
    table.modify(Columns::new(left..), Alignment::right());
    table
}

/// Index of the column of descriptions, which narrow terminals omit.
const WHAT_IT_IS: usize = 1;

/// Index of the column of answers after the descriptions are removed.
const ANSWER: usize = 1;

/// Column headings that are wider than the entries of their columns, with shorter replacements.
const SHORTER: [(&str, &str); 2] = [("variables", "vars"), ("peak MiB", "MiB")];

/// Number of blanks between two columns without borders.
const GAP: usize = 2;
