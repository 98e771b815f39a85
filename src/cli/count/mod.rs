//! `hamcnf count`: counts tours.

mod answer;
mod certificate;
mod lengths;
mod options;
mod task;

use std::num::NonZero;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::bail;
use clap::ValueHint;
use clap::builder::TypedValueParser;
use hamcnf::count::statistic::Statistic;
use hamcnf::endpoints::Endpoints;
use hamcnf::method::{AutoCount, Formulated, Method, countable, counter_seed};
use hamcnf::question::{Files, GraphSource, Question, QuestionSpec};
use hamcnf::record::{Record, Status};
use hamcnf::run::{Event, Settings, Wanted};
use hamcnf::{Encoding, Projection, obstruction};
use num_bigint::BigUint;

use self::answer::Said;
use self::options::{expressing, method, those_that};
use self::task::Task;
use super::ask::{Known, LATE, Loaded, Shown, ask};
use super::complain;
use super::counter::{Approximation, Network};
use super::deadline::CpuLimit;
use super::exit::{DONE, UNKNOWN};
use super::instance::{CountingParser, EncodingParser, Memory, Question as Asked, Variant, seconds, undirected};
use super::interrupt::{self, Hold};
use super::number::{positive, whole};
use super::output::{self, Format};
use super::progress::Progress;
use super::several::{self, BadGraphs};
use super::verbosity::note;
use crate::cli::complete;
use crate::cli::output_file::OutputFile;

/// Count tours: exactly, approximately, with decision diagrams or with model counters
///
/// A closed tour counts once for both directions, an open tour once for each direction. Open tours may start at every
/// square unless --start is given. The answer states what was counted. Exit code 3: a limit was reached, or the graph
/// is too wide for the method.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  hamcnf count 8x8                                         13267364410532, in about 15 s and 0.6 GB
  hamcnf count 8x5..10                                     all boards from 8x5 to 8x10, in one computation
  hamcnf count 6x6 --histogram obtuse,straight             the number for each number of obtuse angles
  hamcnf count 3x1000000 --mod 1000000007                  the number on a long narrow board, modulo a prime
  hamcnf count 7x7 --open                                  open tours from every square
  hamcnf count 6x6 --open --by-start                       the number for each start, as a board
  hamcnf count 6x6 --from a1 --to f5                       open tours between two squares
  hamcnf count 10x10 --method sample --states 50000        an estimate with its standard error
  hamcnf count 6x6 --method zdd --dot 6x6.dot              the decision diagram of all tours
  hamcnf count 3x10 --method zdd --list -                  all tours, one per line; see also `hamcnf list`
  hamcnf count 5x6 --certificate 5x6.scpog --cnf 5x6.cnf   a certificate for independent checkers
  hamcnf count 6x6 --method approxmc                       an estimate by ApproxMC, on co-tree edges
  hamcnf count 6x6 --method approxmc -e unary --project paper    a published set, which misses some tours
  hamcnf count 6x6 -e unary --project paper                the exact count on that set: 7013 of 9862")]
pub(crate) struct Args {
    #[command(flatten)]
    pub(super) question: Asked,
    /// Method, optionally with settings, such as sample+states=1000 (see `hamcnf methods`) [default: count; with
    /// --project, enumerate]
    #[arg(long, value_name = "METHOD", value_parser = CountingParser)]
    pub(super) method: Option<Method>,
    /// Count the two directions of a closed tour as two tours; in JSON, this count is "directed_value"
    #[arg(long)]
    directed: bool,
    /// Count the open tours from each start square separately (method "exact")
    #[arg(long, requires = "open", conflicts_with_all = ["start", "to"])]
    by_start: bool,
    /// Count the tours by a statistic: the number of angles that are acute, right, obtuse or straight, of turns by some
    /// degrees such as 0..89, or of moves of a slope (rows/columns) such as slope=1/2; several with commas (method
    /// "histogram")
    #[arg(long, value_name = "STATISTIC", conflicts_with_all = ["directed", "by_start", "modulus"])]
    histogram: Option<Statistic>,
    /// Compute the number of tours modulo M, for every method that counts exactly. The closed tours of boards of up to
    /// about 6 rows are counted modulo M on thousands of columns, and millions if M is a prime below 2^63 (method
    /// "transfer")
    #[arg(long = "mod", value_name = "M", value_parser = positive, conflicts_with = "by_start", allow_negative_numbers = true)]
    modulus: Option<BigUint>,
    /// Stop after this wall time: seconds, or a number with a unit such as 500ms, 2m or 1h
    #[arg(long, value_name = "TIME", value_parser = seconds, allow_negative_numbers = true)]
    pub(super) time_limit: Option<f64>,
    #[command(flatten)]
    cpu: CpuLimit,
    #[command(flatten)]
    pub(super) memory: Memory,
    /// Count even if the states will probably not fit into memory (methods "exact", "histogram")
    #[arg(long = "try")]
    try_it: bool,
    /// Write checkpoints to this file, and resume from it if it exists (methods "exact", "histogram"). Checkpoints
    /// are written after 1, 3, 7 seconds and so on, then every minute, and when a limit or an interrupt ends the
    /// count. The file is removed at the end of the count. In a folder, each question has its own file
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    checkpoint: Option<OutputFile>,
    /// Keep states that do not fit into the memory limit in temporary files in this folder (methods "exact",
    /// "histogram"). The count then begins even if the states will probably not fit
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    scratch: Option<OutputFile>,
    /// Number of threads (methods "exact", "histogram", "sample", "timeslice") [default: one per processor]
    #[arg(long, value_name = "N", value_parser = whole(1..=u16::MAX).map(usize::from), allow_negative_numbers = true)]
    pub(super) threads: Option<usize>,
    /// Number of states kept per layer (method "sample") [default: 100000]
    #[arg(long, value_name = "B", value_parser = whole(1..=u32::MAX).map(|b| b as usize), allow_negative_numbers = true)]
    states: Option<usize>,
    /// Number of independent estimates (method "sample") [default: 10]
    #[arg(long, value_name = "R", value_parser = whole(2..=u32::MAX).map(|r| r as usize), allow_negative_numbers = true)]
    repetitions: Option<usize>,
    /// Random seed (methods "sample", "approxmc", "ganak") [default: 1]
    #[arg(long, value_parser = whole(0..=u64::MAX), allow_negative_numbers = true)]
    seed: Option<u64>,
    #[command(flatten)]
    pub(super) approximation: Approximation,
    #[command(flatten)]
    pub(super) network: Network,
    /// Encoding, for the methods "enumerate", "approxmc" and "ganak" (see `hamcnf encodings`) [default: "counting";
    /// for the method "enumerate" without --project on graphs that are not dense, "edges"]
    #[arg(long, short, value_parser = EncodingParser, add = complete::encodings())]
    encoding: Option<Encoding>,
    #[command(flatten)]
    pub(super) variant: Variant,
    /// Projection set, written as for `hamcnf encode`. The method "enumerate" then also counts the distinct
    /// assignments to these variables in the models [default for the methods "approxmc" and "ganak": an independent
    /// support]
    #[arg(long, value_name = "SET")]
    project: Option<Projection>,
    /// Write the decision diagram to this file in the DOT language (method "zdd"). If the file is -, the answer goes to
    /// standard error
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    dot: Option<OutputFile>,
    /// Write all tours to this file, one per line, each as a list of squares (method "zdd"). If the file is -, the
    /// answer goes to standard error. `hamcnf list` lists tours without a diagram
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    list: Option<OutputFile>,
    /// Write a certificate of the count to this file, in the format SCPOG: a graph that represents all models of the
    /// formula in the file --cnf, with a proof for independent checkers
    #[arg(
        long,
        value_name = "FILE",
        requires = "cnf",
        conflicts_with_all = ["by_start", "histogram", "modulus", "project"],
        value_hint = ValueHint::FilePath
    )]
    certificate: Option<OutputFile>,
    /// Write the formula of the certificate to this file, in DIMACS; its models are the tours
    #[arg(long, value_name = "FILE", requires = "certificate", value_hint = ValueHint::FilePath)]
    cnf: Option<OutputFile>,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
    /// Print a JSON object with the columns of a `hamcnf run` row and a "details" object. The count is in "value", as a
    /// string of digits. For a range of boards, print an object per line
    #[arg(long, conflicts_with = "format")]
    pub(super) json: bool,
    #[command(flatten)]
    bad: BadGraphs,
}

impl Args {
    pub(super) fn seed(&self) -> u64 {
        self.seed.unwrap_or(1)
    }

    /// True if the counts of several graphs would have the same file for checkpoints.
    fn shares_checkpoint(&self) -> bool {
        self.checkpoint.as_ref().is_some_and(|file| !file.is_dir())
    }
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let files = args.dot.iter().chain(&args.list);
    let mut files = files.chain(&args.certificate).chain(&args.cnf);
    files.try_for_each(|file| output::writable(file))?;
    args.cpu.watch();
    let (spec, files) = (args.question.spec()?, Arc::new(Files::default()));
    if let GraphSource::Boards(_) = spec.source
        && let Some(questions) = several::questions(&spec, &files)?
    {
        return lengths::run(args, questions, &files);
    }
    let load = |spec: QuestionSpec| {
        let (words, files) = (args.question.words.clone(), Arc::clone(&files));
        Loaded::within(args.time_limit, spec, move |spec| words.ask(spec, &files))
    };
    if let Some(questions) = several::questions(&spec, &files)? {
        several::only_for_one(&[
            (args.format != Format::Table && args.histogram.is_none(), "--format"),
            (args.dot.is_some(), "--dot"),
            (args.list.is_some(), "--list"),
            (args.certificate.is_some(), "--certificate"),
            (args.shares_checkpoint(), "--checkpoint"),
        ])?;
        return args.bad.each(questions, load, |loaded| one(args, loaded));
    }
    if matches!(args.format, Format::Csv | Format::Markdown) && args.histogram.is_none() {
        if args.by_start {
            bail!("--by-start has no --format csv or markdown: use --json, which has \"by_start\"");
        }
        return lengths::one(args, spec, &files);
    }
    one(args, load(spec)?)
}

/// Answers a question.
fn one(args: &Args, mut loaded: Loaded) -> anyhow::Result<ExitCode> {
    let Some(asked) = loaded.asked.take() else {
        if args.json {
            let method = args.method.clone().unwrap_or_else(|| AutoCount::default().into());
            let record = loaded.record(&method, args.seed(), args.time_limit);
            output::print(|out| output::json(out, &record))?;
        } else if let Some(why) = &loaded.empty {
            output::print(|out| writeln!(out, "{}: 0 tours ({why})", loaded.name))?;
        } else {
            complain(&format!("{}: no answer within the time limit: {LATE}; try instead: more time", loaded.name));
        }
        return Ok(ExitCode::from(match loaded.empty {
            Some(_) => DONE,
            None => UNKNOWN,
        }));
    };
    let (instance, ends) = (asked.instance().clone(), asked.ends());
    let needs_diagram = args.dot.is_some() || args.list.is_some();
    if needs_diagram && (instance.is_directed() || instance.is_constrained()) {
        bail!("--dot and --list support neither directed graphs nor constraints: to list tours, use `hamcnf list`");
    }
    if args.certificate.is_some() {
        undirected(&asked, "certificates")?;
    }
    let method = method(args, &asked)?;
    expressing(args, &method, &asked)?;
    if asked.end().is_some() && !method.profile().given_end {
        let question = Question::from(asked.clone());
        let can = |method: &Method| method.profile().given_end && method.accepts(&question);
        let can = those_that(can, "or");
        bail!("--method {method} cannot count tours with a given end: use --method {can}");
    }
    if args.by_start && ends != Endpoints::ANYWHERE {
        bail!(
            "--by-start counts open tours from every square, but \"{asked}\" asks for other tours: remove --by-start, or remove the start and end from the question"
        );
    }
    let mut task = Task {
        args,
        progress: Progress::new(format_args!("{}: counting with {method}", instance.name())),
        question: Question::from(asked),
        instance,
        ends,
        method,
        began: loaded.began,
    };
    // Only the default methods answer by an obstruction alone. A method that the user names counts in any case, and so
    // does --by-start.
    let obstruction = obstruction(&task.instance, ends);
    let asks_itself = task.method.is::<AutoCount>() || args.modulus.is_some();
    if let Some(found) = obstruction.filter(|_| !asks_itself && !args.by_start) {
        let (why, method) = (found.said(&task.instance), &task.method);
        note(&format!("there is no tour: {why}; counting with method \"{method}\" anyway"));
    }
    let answered = counted(&task)?;
    task.progress.clear();
    let record = &answered;
    let certificate = match (record.status, record.whole()) {
        (Status::Count, Some(count)) => certificate::write(&task, count),
        _ => Ok(None),
    };
    task.progress.clear();
    let (certificate, failed) = match certificate {
        Ok(certificate) => (certificate, None),
        Err(error) => (None, Some(error)),
    };
    let (certificate, missing) = match certificate {
        Some(Ok(written)) => (Some(written), None),
        Some(Err(error)) => (None, Some(error)),
        None => (None, None),
    };
    let is_missing = missing.is_some() || args.certificate.is_some() && certificate.is_none();
    let said = Said::new(&task, &answered, certificate);
    said.print()?;
    if let Some(error) = failed {
        return Err(error);
    }
    if let Some(error) = missing {
        complain(&format!("{}: no certificate: {error}", task.instance.name()));
    }
    Ok(ExitCode::from(match said.is_complete() && !is_missing {
        true => DONE,
        false => UNKNOWN,
    }))
}

/// Returns the answer of the method, or an error if the method rejects the question.
fn counted(task: &Task<'_>) -> anyhow::Result<Record> {
    let answered = by_method(task)?;
    let why = &answered.message;
    match answered.status {
        Status::Refused if !answered.is_too_wide() => bail!("{why}"),
        Status::Failed => bail!("{why}"),
        _ => Ok(answered),
    }
}

/// Returns the settings that the options select, without limits.
fn settings(args: &Args, method: &Method) -> Settings {
    Settings {
        seed: args.seed(),
        modulus: args.modulus.clone().filter(|_| !method.has_setting("mod")),
        memory: args.memory.limit(),
        threads: args.threads.and_then(NonZero::new),
        try_hard: args.try_it,
        wanted: match args.by_start {
            true => Wanted::ByStart,
            false => Wanted::One,
        },
        ..Settings::default()
    }
}

fn by_method(task: &Task<'_>) -> anyhow::Result<Record> {
    let (args, method, question) = (task.args, &task.method, &task.question);
    let mut settings = settings(args, method);
    settings.limits = task.limits();
    if let Some(engine) = method.engine() {
        counter_seed(args.seed())?;
        if let Question::Tours(tours) = question {
            let formula = Formulated {
                encoding: method.encoding().cloned(),
                project: method.projection().cloned(),
                ..Formulated::default()
            };
            countable(&formula, tours)?;
        }
        args.network.set_up(std::iter::once(engine))?;
    }
    if let Some(file) = &args.checkpoint {
        interrupt::has_checkpoint(file);
    }
    let hold = Hold::new();
    settings.stop = hold.stop().clone();
    let (name, instead) = (task.instance.name().to_owned(), method.advice(question, Status::Memout));
    let heard = move |event: Event<'_>| match event {
        Event::Remark(remark) => note(remark),
        Event::Tight(states) => note(&format!("{name}: {states}; if they do, try {instead}")),
        _ => {}
    };
    let mut shown = Shown::new(&task.progress, task.instance.name().to_owned());
    let mut show = |known: &Known| shown.show(known);
    Ok(ask(question, method, settings, task.began, &mut show, heard))
}
