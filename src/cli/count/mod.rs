//! `hamcnf count`: how many tours.

mod answer;

use std::fmt;
use std::num::NonZero;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::bail;
use clap::builder::TypedValueParser;
use hamcnf::count::Method;
use hamcnf::ends::Ends;
use hamcnf::limits::Limits;
use hamcnf::method::{Count, Formulated, Method as Way};
use hamcnf::question::Question;
use hamcnf::record::{Record, Status};
use hamcnf::search::Proof;
use hamcnf::solve::defaults;
use hamcnf::work::{Answered, News, Settings, Wanted, countable};
use hamcnf::{Encoding, Instance, Obstruction, Projection, TourKind};

use self::answer::{Said, may_be_narrow};
use super::ask::{Known, Shown, ask};
use super::counter::{self, Approximation, Network};
use super::instance::{Counted, EncodingParser, Memory, Variant, named, seconds, tours_between};
use super::interrupt::Hold;
use super::loudness::note;
use super::number::whole;
use super::output;
use super::progress::Progress;
use crate::cli::complete;

/// Count tours: exactly, by an estimate, by decision diagrams, or by model counters
///
/// Closed tours are counted once for both directions, open ones in each; without --start, open tours from
/// every square are counted, and with --to those that end there. The answer says in words what was counted. The exit code is 1 if a limit came
/// before the answer.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  hamcnf count 8x8                                         13267364410532, in about 20 seconds and 2 GB
  hamcnf count 7x7 --open                                  open tours, from every square
  hamcnf count 6x6 --open --by-start                       a board of how many begin on each square
  hamcnf count 6x6 --from a1 --to f5                       open tours between two squares
  hamcnf count 10x10 --method sample --states 50000        an estimate with its error
  hamcnf count 6x6 --method zdd --dot 6x6.dot              the decision diagram of all tours
  hamcnf count 3x10 --method zdd --list -                  all tours, a line each
  hamcnf count 6x6 --method approxmc                       ApproxMC on the counting encoding's co-tree edges
  hamcnf count 6x6 --method approxmc -e unary --project paper    ... on the paper's set, which misses tours
  hamcnf count 6x6 -e unary --project paper                what an exact counter would find there: 7013 of 9862")]
pub(crate) struct Args {
    #[command(flatten)]
    counted: Counted,
    /// How to count: exact (dynamic programming along a frontier), treewidth (the same over a tree decomposition: for
    /// graphs that are narrow, whatever their size), sample (that along a frontier on a sample of its states: an
    /// estimate with its error), zdd (a decision diagram over edges), timeslice (a decision diagram over vertices and
    /// times), enumerate (every tour by CaDiCaL), approxmc or ganak (a model counter on an encoding) [default: exact,
    /// or treewidth where no frontier is narrow enough, or enumerate with --project]
    #[arg(long, value_parser = named::<Method>())]
    method: Option<Method>,
    /// Count closed tours in both directions
    #[arg(long)]
    directed: bool,
    /// Count open tours by the square they begin on (exact)
    #[arg(long, requires = "open", conflicts_with_all = ["start", "to"])]
    by_start: bool,
    /// Stop after this much wall time: seconds, or with a unit as in 500ms, 2m, 1h
    #[arg(long, value_name = "TIME", value_parser = seconds, allow_negative_numbers = true)]
    time_limit: Option<f64>,
    #[command(flatten)]
    memory: Memory,
    /// Count even where the states will hardly fit into memory (exact)
    #[arg(long = "try")]
    try_it: bool,
    /// Threads (exact, sample, timeslice) [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = whole(1..=u16::MAX).map(usize::from), allow_negative_numbers = true)]
    threads: Option<usize>,
    /// How many states are kept of a layer (sample) [default: 100000]
    #[arg(long, value_name = "B", value_parser = whole(1..=u32::MAX).map(|b| b as usize), allow_negative_numbers = true)]
    states: Option<usize>,
    /// How many independent estimates are made (sample) [default: 10]
    #[arg(long, value_name = "R", value_parser = whole(2..=u32::MAX).map(|r| r as usize), allow_negative_numbers = true)]
    repetitions: Option<usize>,
    /// Selects the random numbers (sample, approxmc, ganak) [default: 1]
    #[arg(long, value_parser = whole(0..=u64::MAX), allow_negative_numbers = true)]
    seed: Option<u64>,
    #[command(flatten)]
    approximation: Approximation,
    #[command(flatten)]
    network: Network,
    /// The encoding (enumerate, approxmc, ganak), perhaps with refinements (see hamcnf encodings) [default: counting
    /// for model counters and --project; for enumerate that which is fastest, edges or of a dense graph counting]
    #[arg(long, short, value_parser = EncodingParser, add = complete::encodings())]
    encoding: Option<Encoding>,
    #[command(flatten)]
    variant: Variant,
    /// A projection set of the encoding, as for `hamcnf encode`: what a model counter counts on, or with
    /// enumerate, how many values it has in the models [default for counters: an independent support]
    #[arg(long, value_name = "SET")]
    project: Option<Projection>,
    /// Write the decision diagram in the DOT language (zdd); - is standard output, and then the answer goes
    /// to standard error
    #[arg(long, value_name = "FILE")]
    dot: Option<PathBuf>,
    /// Write all tours, a line of squares each (zdd); - as for --dot
    #[arg(long, value_name = "FILE")]
    list: Option<PathBuf>,
    /// Print a JSON object for programs. Counts are in it as numbers, which may be larger than a reader of JSON keeps,
    /// and beside them as strings: count_text, values_text
    #[arg(long)]
    json: bool,
}

impl Args {
    fn states(&self) -> usize {
        self.states.unwrap_or(Count::STATES)
    }

    fn seed(&self) -> u64 {
        self.seed.unwrap_or(1)
    }
}

/// The question with what is needed to say its answer.
struct Task<'a> {
    args: &'a Args,
    instance: Instance,
    ends: Ends,
    method: Method,
    began: Instant,
    progress: Progress,
}

impl Task<'_> {
    /// What may answer where the method has not.
    fn instead(&self) -> &'static str {
        match self.method {
            Method::Exact | Method::Treewidth => {
                "--method sample estimates, in as little memory and time as it is given"
            }
            Method::Sample => {
                "fewer --states or --repetitions take less time, more --states find more"
            }
            Method::Zdd => "--method exact only counts, in less memory; --method sample estimates",
            Method::Timeslice => "--method exact and zdd answer sooner, in less memory",
            Method::Enumerate => "--method exact counts tours without finding each",
            Method::Approxmc | Method::Ganak => {
                "--method exact needs no formula; --method sample estimates; --orientation fixed and a smaller \
                 --project set help a model counter"
            }
        }
    }

    /// The method with its settings, by its name.
    fn way(&self) -> anyhow::Result<Way> {
        let args = self.args;
        let formula = || {
            // What is varied is an encoding, if only the one that is taken anyway.
            let varied = args.variant.given();
            let chosen = varied.map(|_| defaults::encoding(defaults::COUNTED));
            let chosen = args.encoding.clone().or(chosen);
            let refined = chosen.map(|encoding| args.variant.of(&encoding, &self.instance));
            Ok::<_, anyhow::Error>(Formulated {
                encoding: refined.transpose()?,
                project: args.project.clone(),
            })
        };
        Ok(Way::Count(match self.method {
            Method::Exact => Count::Exact,
            Method::Treewidth => Count::Treewidth,
            Method::Sample => Count::Sample {
                states: args.states(),
                repetitions: args.repetitions.unwrap_or(Count::REPETITIONS),
            },
            Method::Zdd => Count::Zdd,
            Method::Timeslice => Count::Timeslice,
            Method::Enumerate => Count::Enumerate(formula()?),
            Method::Approxmc => Count::Approxmc {
                epsilon: args.approximation.epsilon(),
                delta: args.approximation.delta(),
                formula: formula()?,
            },
            Method::Ganak => Count::Ganak(formula()?),
        }))
    }

    /// Why there is nothing to count, if that is seen at once.
    fn obstruction(&self) -> Option<Obstruction> {
        self.ends.obstruction(&self.instance)
    }

    fn limits(&self) -> Limits {
        Limits {
            wall: self.args.time_limit.map(Duration::from_secs_f64),
            memory: self.args.memory.limit(),
            ..Limits::default()
        }
    }

    /// Shows what is done now.
    fn show(&self, how_far: fmt::Arguments<'_>) {
        let name = self.instance.name();
        self.progress
            .begin(None, None, format_args!("{name}: {how_far}"));
    }

    /// Whether standard output has been written to already.
    fn stdout_is_taken(&self) -> bool {
        let files = [&self.args.dot, &self.args.list];
        files
            .into_iter()
            .flatten()
            .any(|file| file.as_os_str() == "-")
    }

    /// Closed tours are found once for both directions.
    fn directions(&self) -> u32 {
        let closed = self.instance.kind() == TourKind::Closed;
        if closed && self.args.directed { 2 } else { 1 }
    }

    /// What is counted, in words; `one` if it is one.
    fn counted(&self, one: bool) -> String {
        let tours = tours_between(&self.instance, self.ends, one);
        match self.ends {
            Ends::Closed if !self.args.directed => format!("{tours}, undirected"),
            Ends::Closed | Ends::Open { to: None, .. } => format!("{tours}, directed"),
            Ends::Open { to: Some(_), .. } => tours,
        }
    }
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let mut files = args.dot.iter().chain(&args.list);
    files.try_for_each(|file| output::writable(file))?;
    let is_stdout = |file: &Option<PathBuf>| file.as_ref().is_some_and(|f| f.as_os_str() == "-");
    if is_stdout(&args.dot) && is_stdout(&args.list) {
        bail!("--dot - and --list - are for one standard output: name a file for one of them");
    }
    let asked = args.counted.asked()?;
    let (instance, ends) = (asked.instance().clone(), asked.ends());
    let method = method(args)?;
    if asked.end().is_some() && by_formula(method) {
        let said = match args.method {
            Some(method) => format!("--method {method}"),
            None => "--project".to_owned(),
        };
        bail!(
            "{said} counts tours that end anywhere: exact, treewidth, sample, zdd and timeslice can be told where"
        );
    }
    if args.by_start && ends != Ends::ANYWHERE {
        bail!("--by-start is for open tours from every square, and '{asked}' asks for others");
    }
    if ends == Ends::ANYWHERE && args.project.is_some() {
        bail!("--project is about one formula: say with --start which open tours");
    }
    let mut task = Task {
        args,
        progress: Progress::new(format_args!("{}: counting by {method}", instance.name())),
        instance,
        ends,
        method,
        began: Instant::now(),
    };
    let question = Question::from(asked);
    let way = task.way()?;
    let answered = match task.obstruction() {
        // Diagrams and boards of counts are asked for as such, and a method by its name.
        Some(found) if args.method.is_none() && !args.by_start && args.project.is_none() => {
            none(&task, &question, &way, found)
        }
        found => {
            if let Some(found) = found.filter(|_| !args.by_start) {
                let why = found.said(&task.instance).to_string();
                note(&format!(
                    "there is no tour: {why}; {method} counts all the same"
                ));
            }
            counted(&task, &question, &way)?
        }
    };
    task.progress.clear();
    let said = Said::new(&task, &answered);
    said.print()?;
    Ok(match said.is_complete() {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    })
}

/// That there is none, as is seen at once.
fn none(task: &Task<'_>, question: &Question, way: &Way, found: Obstruction) -> Answered {
    let limits = task.limits();
    let name = question.to_string();
    let record = Record::new(&name, question.checksum(), way, task.args.seed(), &limits);
    let mut record = record.with_answer(Status::Count, 0u64);
    record.message = found.said(&task.instance).to_string();
    record.peak_kib = Some(hamcnf::machine::peak_kib());
    Answered {
        proof: Some(Proof::Obstruction(found)),
        ..record.into()
    }
}

/// The answer of the method, or what to do instead.
fn counted(task: &Task<'_>, question: &Question, way: &Way) -> anyhow::Result<Answered> {
    let answered = by_method(task, question, way)?;
    // Where nobody has said how, a tree may be narrow where no frontier is.
    let answered = match task.args.method.is_none() && may_be_narrow(way, &answered) {
        true => {
            let over_tree = by_method(task, question, &Way::Count(Count::Treewidth))?;
            if over_tree.is_too_wide() {
                answered
            } else {
                over_tree
            }
        }
        false => answered,
    };
    let why = &answered.record.message;
    match answered.record.status {
        Status::Refused if answered.is_too_wide() => bail!(
            "{}{why}; --method approxmc estimates and ganak counts without a frontier, --method enumerate finds tours one \
             by one, and hamcnf solve finds one",
            match way {
                // It says what it is about.
                Way::Count(Count::Treewidth) => String::new(),
                _ => format!("{} ", task.instance),
            }
        ),
        Status::Refused | Status::Failed => bail!("{why}"),
        _ => Ok(answered),
    }
}

fn by_method(task: &Task<'_>, question: &Question, way: &Way) -> anyhow::Result<Answered> {
    let args = task.args;
    let mut settings = Settings {
        seed: args.seed(),
        limits: task.limits(),
        memory: match way {
            // Its nodes have room of their own unless it is said.
            Way::Count(Count::Timeslice) => args.memory.limit(),
            _ => Some(args.memory.bytes()),
        },
        threads: args.threads.and_then(NonZero::new),
        try_hard: args.try_it,
        wanted: match args.by_start {
            true => Wanted::ByStart,
            false => Wanted::One,
        },
        ..Settings::default()
    };
    let counter = match task.method {
        Method::Approxmc => Some(args.approximation.approxmc(args.seed())?),
        Method::Ganak => Some(counter::ganak(args.seed())?),
        _ => None,
    };
    if let Some(counter) = counter {
        if task.ends == Ends::ANYWHERE {
            bail!("a model counter counts one formula: say with --start which open tours");
        }
        if let (
            Way::Count(Count::Approxmc { formula, .. } | Count::Ganak(formula)),
            Question::Tours(tours),
        ) = (way, question)
        {
            countable(formula, tours)?;
        }
        settings.fetch = args.network.permit(counter)?;
    }
    let hold = Hold::new();
    settings.stop = hold.stop().clone();
    let (name, instead) = (task.instance.name().to_owned(), task.instead());
    let heard = move |news: News<'_>| match news {
        News::Remark(remark) => note(remark),
        News::Tight(states) => note(&format!("{name}: {states}; if they do, {instead}")),
        _ => {}
    };
    let mut shown = Shown::new(&task.progress, task.instance.name().to_owned());
    let mut show = |known: &Known| shown.show(known);
    Ok(ask(question, way, settings, task.began, &mut show, heard))
}

/// Whether it counts the models of an encoding, or tours that they are.
fn by_formula(method: Method) -> bool {
    matches!(method, Method::Enumerate | Method::Approxmc | Method::Ganak)
}

/// The method, after checking that it understands the other options.
fn method(args: &Args) -> anyhow::Result<Method> {
    let default = match args.project {
        Some(_) => Method::Enumerate,
        None => Method::Exact,
    };
    let method = args.method.unwrap_or(default);
    let by_formula = by_formula(method);
    let is_random = matches!(method, Method::Sample | Method::Approxmc | Method::Ganak);
    let of_other_methods = [
        (
            args.states.is_some() && method != Method::Sample,
            "--states",
            "sample",
        ),
        (
            args.repetitions.is_some() && method != Method::Sample,
            "--repetitions",
            "sample",
        ),
        (
            args.seed.is_some() && !is_random,
            "--seed",
            "sample, approxmc or ganak",
        ),
        (
            args.approximation.given().is_some() && method != Method::Approxmc,
            args.approximation.given().unwrap_or_default(),
            "approxmc",
        ),
        (
            args.threads.is_some()
                && !matches!(method, Method::Exact | Method::Sample | Method::Timeslice),
            "--threads",
            "exact, sample or timeslice",
        ),
        (args.try_it && method != Method::Exact, "--try", "exact"),
        (
            args.project.is_some() && !by_formula,
            "--project",
            "enumerate, approxmc or ganak",
        ),
        (
            args.encoding.is_some() && !by_formula,
            "--encoding",
            "enumerate, approxmc or ganak",
        ),
        (
            args.variant.given().is_some() && !by_formula,
            args.variant.given().unwrap_or_default(),
            "enumerate, approxmc or ganak",
        ),
        (
            args.by_start && method != Method::Exact,
            "--by-start",
            "exact",
        ),
        (args.dot.is_some() && method != Method::Zdd, "--dot", "zdd"),
        (
            args.list.is_some() && method != Method::Zdd,
            "--list",
            "zdd",
        ),
    ];
    if let Some((_, option, methods)) = of_other_methods.iter().find(|(is, _, _)| *is) {
        bail!("{option} is for --method {methods}, not {method}");
    }
    if let (Method::Enumerate, None, None, Some(option)) =
        (method, &args.encoding, &args.project, args.variant.given())
    {
        bail!("{option} varies an encoding: say with --encoding which");
    }
    Ok(method)
}
