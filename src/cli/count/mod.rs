//! `hamcnf count`: counts tours.

mod answer;
mod certificate;
mod lengths;
mod options;
mod task;

use std::num::NonZero;
use std::sync::Arc;
use std::time::Instant;

use anyhow::bail;
use clap::ValueHint;
use clap::builder::TypedValueParser;
use hamcnf::count::statistic::Statistic;
use hamcnf::endpoints::Endpoints;
use hamcnf::method::{AutoCount, Bdd, Formulated, Method, countable, counter_seed};
use hamcnf::question::{Files, GraphSource, Question};
use hamcnf::record::{Record, Status};
use hamcnf::run::{Settings, Wanted};
use hamcnf::{Encoding, Named, Projection, Queens, obstruction};
use num_bigint::BigUint;

use self::answer::CountAnswer;
use self::options::{SettingOptions, suitable_method};
use self::task::Task;
use super::ask::{LATE, Loaded, ask};
use super::counter::Network;
use super::exit::{DONE, UNKNOWN};
use super::instance::{QuestionArgs, Variant, counting_method, encoding, undirected};
use super::limits::{Memory, TimeLimits};
use super::number::{positive, whole};
use super::output::{self, Format};
use super::several::{self, BadGraphs};
use super::verbosity::note;
use super::{complain, interrupt, typed};
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
    question: QuestionArgs,
    /// Method, optionally with settings, such as sample+states=1000 (see `hamcnf methods`) [default: count; with
    /// --project, enumerate]
    #[arg(long, aliases = ["algorithm", "solver"], value_name = "METHOD", value_parser = counting_method())]
    method: Option<Method>,
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
    #[arg(long = "mod", value_name = "M", value_parser = positive, conflicts_with = "by_start")]
    modulus: Option<BigUint>,
    #[command(flatten)]
    times: TimeLimits,
    #[command(flatten)]
    memory: Memory,
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
    /// Number of threads (methods "exact", "subsets", "walks", "sample", "histogram") [default: one per processor]
    #[arg(long, aliases = ["jobs", "workers"], value_name = "N", value_parser = whole(1..=u16::MAX).map(usize::from))]
    threads: Option<usize>,
    /// Random seed (methods "sample", "approxmc", "ganak") [default: 1]
    #[arg(long, value_parser = whole(0..=u64::MAX))]
    seed: Option<u64>,
    #[command(flatten)]
    network: Network,
    /// Encoding, for the methods "enumerate", "approxmc" and "ganak" (see `hamcnf encodings`) [default: "counting";
    /// for the method "enumerate" without --project on graphs that are not dense, "edges"]
    #[arg(long, short, value_parser = encoding(), add = complete::encodings())]
    encoding: Option<Encoding>,
    #[command(flatten)]
    variant: Variant,
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
    json: bool,
    #[command(flatten)]
    bad: BadGraphs,
    // Options for further settings, so that this field is the last one.
    #[command(flatten)]
    _settings: SettingOptions,
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

pub(crate) fn run(args: &Args) -> anyhow::Result<u8> {
    let files = [&args.dot, &args.list, &args.certificate, &args.cnf];
    files.into_iter().flatten().try_for_each(|file| output::writable(file))?;
    args.times.watch();
    if let Some(queens) = args.question.queens() {
        return placements(args, queens);
    }
    let (spec, files) = (args.question.spec()?, Arc::new(Files::default()));
    let is_range = matches!(spec.source, GraphSource::Boards(_));
    let load = |spec| args.question.options.load_within(args.times.wall(), spec, &files);
    let has_row = matches!(args.format, Format::Csv | Format::Markdown) && args.histogram.is_none();
    let questions = match several::questions(&spec, &files)? {
        Some(questions) if is_range => return lengths::run(args, questions, &files),
        None if has_row => {
            if args.by_start {
                bail!("--by-start has no --format csv or markdown: use --json, which has \"by_start\"");
            }
            return lengths::one(args, spec, &files);
        }
        questions => questions,
    };
    let mut for_one = vec!["--dot", "--list", "--certificate"];
    for_one.extend(args.histogram.is_none().then_some("--format"));
    for_one.extend(args.shares_checkpoint().then_some("--checkpoint"));
    args.bad.all(questions, &spec, &for_one, load, |loaded| one(args, loaded))
}

/// Counts placements of queens. Rotations and mirror images count as different placements.
fn placements(args: &Args, queens: &Queens) -> anyhow::Result<u8> {
    typed::only(
        queens,
        "count",
        "method time-limit cpu-limit memory-limit threads at-most-one seed epsilon delta offline json",
    )?;
    let mut method = options::with_settings(args.method.clone().unwrap_or_else(|| Bdd.into()))?;
    // A decision diagram has no clauses, so --at-most-one does not affect it.
    if let Some(at_most_one) = args.variant.at_most_one.filter(|_| method.has_setting("at-most-one")) {
        method = method.with_setting("at-most-one", at_most_one.as_str())?;
    }
    answer(&Task { args, question: Question::Queens(queens.clone()), method, began: Instant::now() })
}

/// Answers a question about tours.
fn one(args: &Args, loaded: Loaded) -> anyhow::Result<u8> {
    let (asked, began) = match loaded {
        Loaded::Question(asked, began) => (*asked, began),
        Loaded::Nothing(unloaded) => {
            let name = &unloaded.name;
            match &unloaded.empty {
                _ if args.json => {
                    let method = args.method.clone().unwrap_or_else(|| AutoCount::default().into());
                    output::print(|out| output::json(out, &unloaded.record(&method, args.seed())))?;
                }
                Some(why) => output::print(|out| writeln!(out, "{name}: 0 tours ({why})"))?,
                None => complain(&format!("{name}: no answer within the time limit: {LATE}; try instead: more time")),
            }
            return Ok(if unloaded.empty.is_some() { DONE } else { UNKNOWN });
        }
    };
    let instance = asked.instance();
    let needs_diagram = args.dot.is_some() || args.list.is_some();
    if needs_diagram && (instance.is_directed() || instance.is_constrained()) {
        bail!("--dot and --list support neither directed graphs nor constraints: to list tours, use `hamcnf list`");
    }
    if args.certificate.is_some() {
        undirected(&asked, "certificates")?;
    }
    let method = suitable_method(args, &asked)?;
    if args.by_start && asked.ends() != Endpoints::ANYWHERE {
        bail!(
            "--by-start counts open tours from every square, but \"{asked}\" asks for other tours: remove --by-start, or remove the start and end from the question"
        );
    }
    // Only the default methods answer by an obstruction alone. A method that the user names counts in any case, and so
    // does --by-start.
    let asks_itself = method.is::<AutoCount>() || args.modulus.is_some() || args.by_start;
    if let Some(why) = obstruction(instance, asked.ends()).filter(|_| !asks_itself) {
        note(&format!("there is no tour: {why}; counting with method \"{method}\" anyway"));
    }
    answer(&Task { args, question: Question::from(asked), method, began })
}

/// Counts, writes the certificate if it is requested, and prints the answer.
fn answer(task: &Task<'_>) -> anyhow::Result<u8> {
    let answered = counted(task)?;
    let record = &answered;
    let certificate = match (record.status, record.whole()) {
        (Status::Count, Some(count)) => certificate::write(task, count),
        _ => Ok(None),
    };
    let (certificate, failure, missing) = match certificate {
        Ok(Some(Ok(written))) => (Some(written), None, None),
        Ok(Some(Err(missing))) => (None, None, Some(missing)),
        Ok(None) => (None, None, None),
        Err(failure) => (None, Some(failure), None),
    };
    let is_missing = task.args.certificate.is_some() && certificate.is_none();
    let answer = CountAnswer::new(task, &answered, certificate);
    answer.print()?;
    if let Some(failure) = failure {
        return Err(failure);
    }
    if let Some(missing) = missing {
        complain(&format!("{}: no certificate: {missing}", task.name()));
    }
    Ok(if answer.is_complete() && !is_missing { DONE } else { UNKNOWN })
}

/// Returns the settings that the options select, without limits.
fn settings(args: &Args, method: &Method) -> Settings {
    Settings {
        seed: args.seed(),
        modulus: args.modulus.clone().filter(|_| !method.has_setting("mod")),
        memory: args.memory.limit(),
        threads: args.threads.and_then(NonZero::new),
        try_hard: args.try_it,
        wanted: if args.by_start { Wanted::ByStart } else { Wanted::One },
        ..Settings::default()
    }
}

/// Returns the answer of the method, or an error if the method rejects the question.
fn counted(task: &Task<'_>) -> anyhow::Result<Record> {
    let Task { args, question, method, began } = task;
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
    let settings = Settings { limits: task.limits(), ..settings(args, method) };
    let about = (&*task.name(), &*format!("counting with {method}"));
    let answered = ask(question, method, settings, *began, about, &mut |_| ());
    let why = &answered.message;
    match answered.status {
        Status::Refused if !answered.is_too_wide() => bail!("{why}"),
        Status::Failed => bail!("{why}"),
        _ => Ok(answered),
    }
}
