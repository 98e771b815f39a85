//! `hamcnf compare`: answers one question, or the same question on several graphs, with every method.

use std::io::{self, IsTerminal};
use std::time::Duration;

use anyhow::{Context, bail};
use hamcnf::harness::job::Job;
use hamcnf::harness::worker::{Done, Host};
use hamcnf::json::JsonRecord;
use hamcnf::limits::Limits;
use hamcnf::method::Method;
use hamcnf::question::{self, Files, Question, QuestionSpec};
use hamcnf::record::{Record, Status};
use hamcnf::report::cells::{COMPARISON, cells, table as comparison};
use hamcnf::report::data::{Data, Source};
use hamcnf::report::markdown::counted;
use hamcnf::report::measure::Measure;
use hamcnf::report::tables;
use hamcnf::run::Share;
use hamcnf::{Formula, Instance};

use super::answer::described;
use super::complete;
use super::counter::Network;
use super::engines::Engines;
use super::exit::DONE;
use super::instance::{QuestionOptions, question_spec};
use super::interrupt::{self, Hold};
use super::limits::time;
use super::output::{self, Borders, Format, RELAXED_NOTE, marked};
use super::progress::{self, Progress};
use super::several::{self, BadGraphs};
use super::{complain, exit_code};

/// Answer one question with several methods, and print one table
///
/// Compares answers and costs of encodings (solved by CaDiCaL), searches and counts. Each method runs in its own
/// process, and every tour is checked again. Several graphs are compared in order, and a second table ranks the methods
/// over all graphs. Exit code 1: a method failed, or two answers contradict each other. After an interrupt, the table
/// has the methods that finished.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  hamcnf compare 6x6
  hamcnf compare 8x8 --open --time-limit 60
  hamcnf compare 10x10 --methods direct,unary,binary,warnsdorff
  hamcnf compare 6x6 --methods exact,zdd,approxmc,ganak --format markdown
  hamcnf compare 6x6 --methods auto,kissat:binary,cadical:binary
  hamcnf compare 6x6 --engines my.toml --methods mysat:binary
  hamcnf compare graphs.g6 --methods direct,unary,binary    every graph of the file, and a ranking
  hamcnf compare 6x5..10 folder graph.col --format csv      a row for each graph and method

my.toml contains:
  [[engine]]
  name = \"mysat\"
  command = \"mysat {cnf}\"")]
pub(crate) struct Args {
    /// Boards, graphs or complete questions, as for `hamcnf solve`; ranges of boards such as 6x5..10; files with a graph
    /// per line; folders of graph files
    #[arg(value_name = "BOARD|GRAPH", value_parser = question_spec, required = true, add = complete::places())]
    places: Vec<QuestionSpec>,
    #[command(flatten)]
    options: QuestionOptions,
    /// Methods, separated by commas, such as auto, binary+windows, sample+states=1000, kissat:binary, or methods of
    /// --engines (see `hamcnf methods`) [default: auto and all encodings, searches and counts, without external solvers]
    #[arg(long, short, value_name = "METHOD", add = complete::methods(), value_delimiter = ',')]
    methods: Vec<Method>,
    #[command(flatten)]
    engines: Engines,
    /// Stop each method after this wall time: seconds, or a number with a unit such as 500ms, 2m or 1h
    #[arg(long, value_name = "TIME", default_value = "20", alias = "timeout", value_parser = time)]
    time_limit: Duration,
    /// Output format; --json is short for --format json
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
    #[command(flatten)]
    network: Network,
    /// Print a JSON array with a record for each method; for several graphs, an object per line
    #[arg(long, conflicts_with = "format")]
    json: bool,
    #[command(flatten)]
    bad: BadGraphs,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<u8> {
    let methods = &args.methods;
    if let Some(twice) = several::first_repeated(methods) {
        bail!("--methods names \"{twice}\" twice; remove one of them");
    }
    let places = args.places.iter().map(|place| args.options.format.of(place));
    let (places, files): (Vec<_>, _) = (places.collect::<Result<_, _>>()?, Files::default());
    let several = several::of_all(&places, &files)?;
    let hamcnf = std::env::current_exe().context("cannot find the path of the hamcnf program")?;
    let hold = Hold::new();
    let mut comparison = Comparison {
        args,
        format: args.format.or_json(args.json),
        is_of_several: several.is_some(),
        host: Host { hamcnf, stop: hold.stop().clone(), ..Host::default() },
        progress: Progress::new(format_args!("comparing methods")),
        is_set_up: false,
        name: String::new(),
        records: Vec::new(),
        relaxed: Vec::new(),
        objects: Vec::new(),
        missing: None,
    };
    let load = |spec| args.options.load(spec, &files);
    let ended = args.bad.all(several, &places[0], &[], load, |asked| comparison.answer(asked));
    // If a graph could not be loaded, the rows before it are printed first, then its error.
    let of_runs = comparison.print()?;
    let code = ended?;
    Ok(if code == DONE { of_runs } else { code })
}

/// Runs of the methods on the graphs so far.
struct Comparison<'a> {
    args: &'a Args,
    format: Format,
    is_of_several: bool,
    host: Host,
    progress: Progress,
    /// True if the programs that the methods need are set up.
    is_set_up: bool,
    /// Description of the last graph.
    name: String,
    records: Vec<Record>,
    /// Questions and methods whose encodings are relaxed.
    relaxed: Vec<(String, Method)>,
    /// JSON objects that have not been printed.
    objects: Vec<JsonRecord>,
    /// For the graph during which an interrupt came: the number of finished methods and the number of all methods.
    missing: Option<(usize, usize)>,
}

impl Comparison<'_> {
    /// Answers a question with all methods.
    fn answer(&mut self, asked: question::Tours) -> anyhow::Result<u8> {
        let instance = asked.instance().clone();
        let what = described(&asked);
        let question = Question::from(asked);
        let methods = match self.args.methods.as_slice() {
            [] => Method::built_in(&question),
            chosen => chosen.to_vec(),
        };
        for method in &methods {
            method.suits(&question)?;
        }
        if !self.is_set_up {
            let network = self.args.network;
            network.set_up(methods.iter().filter_map(Method::engine))?;
            self.is_set_up = true;
        }
        self.name.clone_from(&what);
        for (number, method) in (1..).zip(&methods) {
            let at = format!("[{number}/{}] {what}: {method}", methods.len());
            let share = Share { done: number - 1, of: methods.len() as u64 };
            let text = format_args!("[{number}/{}] {method}: {what}", methods.len());
            self.progress.begin(Some(share), text);
            let job = Job {
                question: question.clone(),
                method: method.clone(),
                seed: method.first_seed(),
                limits: Limits::wall(self.args.time_limit),
            };
            let Some(done) = self.host.run(&job) else {
                self.missing = Some((number as usize - 1, methods.len()));
                break;
            };
            ended(&at, &done.record);
            if is_relaxed(method, &instance) {
                let question = done.record.asked.question.clone();
                self.relaxed.push((question, method.clone()));
            }
            self.keep(&question, done)?;
        }
        Ok(DONE)
    }

    /// Keeps the record of a run, and prints it if the format has no table.
    fn keep(&mut self, question: &Question, Done { record, tour }: Done) -> anyhow::Result<()> {
        if self.format == Format::Csv {
            output::print(|out| output::csv_row(out, &record, self.records.is_empty()))?;
        }
        if self.format == Format::Json {
            let object = JsonRecord::new(question, &record);
            let object = match &tour {
                Some((at, tour)) => object.with_tour(at, tour),
                None => object,
            };
            match self.is_of_several {
                true => output::print(|out| output::json(out, &object))?,
                false => self.objects.push(object),
            }
        }
        self.records.push(record);
        Ok(())
    }

    /// Prints the tables and the errors of the runs. Returns the exit code for the errors.
    fn print(self) -> anyhow::Result<u8> {
        drop(self.progress);
        let cells = cells(&self.records, |_| false);
        let first = usize::from(self.is_of_several);
        let mut table = comparison(&cells, &COMPARISON[1 - first..], &[]);
        let relaxed_note = (!self.relaxed.is_empty()).then(|| RELAXED_NOTE.to_owned());
        let notes: Vec<String> = relaxed_note.into_iter().chain(refusals(&self.records)).collect();
        for (cell, line) in cells.iter().zip(&mut table.lines) {
            if cell.all.iter().any(|record| is_refused(record)) {
                line[first + ANSWER + 1] = "refused".to_owned();
            }
            let mut relaxed = self.relaxed.iter();
            let is_relaxed = relaxed.any(|(question, method)| question == cell.question && *method == cell.method);
            line[first] = marked(&line[first], is_relaxed);
        }
        let data = Data::of(Source::default(), self.records, None);
        let measure = Measure::default();
        let ranking = self.is_of_several.then(|| tables::methods(&data.columns(&measure), &measure)).flatten();
        let limit = self.args.time_limit.as_secs_f64();
        output::print(|out| match self.format {
            Format::Table | Format::Markdown if data.rows.is_empty() => Ok(()),
            Format::Table => {
                let title = match (self.is_of_several, data.places.len()) {
                    (false, _) => self.name.clone(),
                    (true, graphs) => counted(graphs, "graph"),
                };
                let table = output::table(self.format, Borders::Rounded, table.rows().cloned(), table.left);
                writeln!(out, "{title}, at most {limit} s for each method\n{table}")?;
                notes.iter().try_for_each(|note| writeln!(out, "{note}"))?;
                ranking.iter().try_for_each(|ranking| {
                    let table = output::table(self.format, Borders::Rounded, ranking.rows().cloned(), ranking.left);
                    writeln!(out, "\n{}\n{table}\n{}", ranking.heading, ranking.note)
                })
            }
            Format::Markdown => {
                write!(out, "{}", table.lines_in_markdown())?;
                notes.iter().try_for_each(|note| writeln!(out, "\n{note}"))?;
                ranking.iter().try_for_each(|ranking| write!(out, "\n{}", ranking.markdown()))
            }
            // The rows have already been printed as they arrived.
            Format::Csv => Ok(()),
            Format::Json if self.is_of_several => Ok(()),
            Format::Json => output::json(out, &self.objects),
        })?;
        if let Some((finished, all)) = self.missing {
            let of = if self.is_of_several { format!(" for {}", self.name) } else { String::new() };
            complain(&format!("interrupted after {finished} of {all} methods{of}{}", interrupt::again()));
        }
        Ok(exit_code(&tables::faults(&data)))
    }
}

/// True if the method uses an encoding that is relaxed on this instance.
fn is_relaxed(method: &Method, instance: &Instance) -> bool {
    method
        .encoding()
        .is_some_and(|encoding| Formula::new(encoding.clone(), instance).is_ok_and(|formula| !formula.is_exact()))
}

fn is_refused(record: &Record) -> bool {
    record.status == Status::Refused && !record.message.is_empty()
}

/// Returns a line for each reason why methods refuse the question, with the names of the methods.
fn refusals(records: &[Record]) -> Vec<String> {
    let mut reasons: Vec<(String, Vec<String>)> = Vec::new();
    for record in records.iter().filter(|record| is_refused(record)) {
        let name = record.asked.method.to_string();
        // The reasons of several methods are merged if they differ only in the names of the methods.
        let message = record.message.replace(&format!("encoding \"{name}\""), "the encoding");
        let message = message.strip_prefix(&format!("{name}: ")).unwrap_or(&message);
        match reasons.iter_mut().find(|(reason, _)| reason == message) {
            Some((_, names)) if names.contains(&name) => {}
            Some((_, names)) => names.push(name),
            None => reasons.push((message.to_owned(), vec![name])),
        }
    }
    let lines = reasons.into_iter().map(|(reason, names)| format!("Refused by {}: {reason}.", names.join(", ")));
    lines.collect()
}

/// Reports that a method has ended, unless standard error is a terminal.
fn ended(at: &str, record: &Record) {
    if !io::stderr().is_terminal() {
        let wall = record.wall_seconds.unwrap_or(0.0);
        progress::ended(format_args!("{at}: {}, {wall:.1} s", record.said()));
    }
}

/// Index of the column of answers, relative to the column of methods, if there is no column of descriptions.
const ANSWER: usize = 1;
