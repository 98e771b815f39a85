//! Command line: parses the arguments into typed values, runs the command, and reports an error as one line and an exit
//! code.

mod answer;
mod ask;
mod benchmark;
mod check;
mod compare;
mod complete;
mod completions;
mod constraints;
mod count;
mod counter;
mod deadline;
mod decode;
mod drawing;
mod encode;
mod encodings;
mod engines;
mod exit;
mod experiment;
mod filter;
mod formula;
mod graph;
mod groups;
mod header;
mod input;
mod instance;
mod interrupt;
mod joined;
mod list;
mod man;
mod merge;
mod methods;
mod mistake;
mod number;
mod output;
mod output_file;
mod progress;
mod proof;
mod puzzle;
mod queens;
mod report;
mod run;
mod several;
mod show;
mod sizes;
mod solve;
mod spellings;
mod submit;
mod targets;
mod topics;
mod verbosity;
mod verify;
mod word;
mod work;

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::Mutex;

use clap::builder::styling::{AnsiColor, Styles};
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use hamcnf::harness::worker::WORK;

use self::exit::{BAD_INPUT, DONE, WRONG};
#[doc(hidden)]
pub use self::header::names_its_question;
use self::verbosity::Loudness;

/// Hamiltonian cycles and knight's tours by SAT: find, prove, count, encode and measure.
#[derive(Parser)]
#[command(
    name = "hamcnf",
    styles = Styles::styled()
        .header(AnsiColor::Green.on_default().bold())
        .usage(AnsiColor::Green.on_default().bold())
        .literal(AnsiColor::Cyan.on_default().bold()),
    after_help = format!("Examples:
  hamcnf sizes                                   sizes of three encodings of five boards
  hamcnf solve 8x8                               a closed knight's tour
  hamcnf solve 8x8 --render tour.svg             the same, as a picture
  hamcnf encode 8x8 --encoding unary -o 8x8.cnf  a DIMACS file
  hamcnf count 8x8                               13267364410532 closed tours, undirected
  hamcnf run experiments/decision.toml           time all encodings

Topics:
{}

`hamcnf help COMMAND` shows the options and the examples of a command.", topics::list())
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    /// Suppress progress, notes and warnings; print errors only
    #[arg(long, short, global = true, help_heading = EVERYWHERE)]
    quiet: bool,
    /// If standard error is not a terminal, print progress lines: one for each new phase, and one every ten seconds
    #[arg(long, short, global = true, conflicts_with = "quiet", help_heading = EVERYWHERE)]
    verbose: bool,
}

/// Help heading of the options that every command accepts.
const EVERYWHERE: &str = "Options of all commands";

#[derive(Subcommand)]
enum Command {
    Sizes(sizes::Args),
    Encode(encode::Args),
    Encodings(encodings::Args),
    Methods(methods::Args),
    Solve(Box<solve::Args>),
    Decode(decode::Args),
    Show(show::Args),
    Check(check::Args),
    Verify(verify::Args),
    Graph(graph::Args),
    Filter(filter::Args),
    Count(Box<count::Args>),
    List(list::Args),
    Puzzle(Box<puzzle::Args>),
    Compare(compare::Args),
    Run(run::Args),
    Report(report::Args),
    Merge(merge::Args),
    Submit(submit::Args),
    Benchmark(benchmark::Args),
    Completions(completions::Args),
    Man(man::Args),
    #[command(hide = true)]
    Work(work::Args),
}

/// Runs the program on its arguments, which begin with the program's name, and returns the exit code.
///
/// If a program first [registers](crate::encoding::register) encodings of its own, all commands accept them:
///
/// ```no_run
/// # use hamcnf::base::Base;
/// fn run_with(mine: Base) -> std::process::ExitCode {
///     hamcnf::encoding::register(mine).expect("a name of its own");
///     hamcnf::cli::main(std::env::args_os())
/// }
/// ```
pub fn main(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    hamcnf::machine::set_commit(hamcnf::COMMIT);
    let mut args: Vec<_> = args.into_iter().collect();
    if let [_, word] = args.as_mut_slice()
        && word == "version"
    {
        *word = "--version".into();
    }
    let typed = args.clone();
    let args = spellings::present(args);
    // The texts of help are made only if they are shown: they would double the time of a start.
    let mut program = if asks_for_help(&args) { program() } else { parser() };
    if let Some(code) = complete::answer(&mut program, &args) {
        return code;
    }
    if let Some(code) = topics::answer(&args) {
        return code;
    }
    // A solver that a worker has started may be hamcnf, too; it has the worker's environment.
    interrupt::watch(args.iter().skip(1).any(|word| word == WORK));
    if let Err(error) = engines::add(&args) {
        complain(&error.to_string());
        return ExitCode::from(BAD_INPUT);
    }
    let args = joined::joined(&program, args);
    let parsed =
        program.try_get_matches_from_mut(&args).and_then(|matches| Ok((Cli::from_arg_matches(&matches)?, matches)));
    let (cli, matches) = match parsed {
        Ok(parsed) => parsed,
        Err(error) => {
            program.build();
            return usage(&error, &program, &args);
        }
    };
    let is_worker = matches!(cli.command, Command::Work(_));
    if cli.quiet && cli.verbose {
        // clap does not see the conflict if one option is before the command's name and the other after it.
        complain("--quiet and --verbose cannot be combined; see `hamcnf --help`");
        return ExitCode::from(BAD_INPUT);
    }
    verbosity::set(match (cli.quiet, cli.verbose) {
        (true, _) => Loudness::Quiet,
        (_, true) => Loudness::Verbose,
        _ => Loudness::Usual,
    });
    if let Err(error) = output_file::check(&program, &matches) {
        complain(&error.to_string());
        return ExitCode::from(BAD_INPUT);
    }
    if !is_worker {
        interrupt::asked(&typed);
        if cli.verbose {
            let version = env!("CARGO_PKG_VERSION");
            let (solver, asked) = (solver_version(), interrupt::typed());
            progress::ended(format_args!("hamcnf {version} ({solver}): {asked}"));
        }
    }
    // These commands report unfinished work themselves.
    let says_itself = matches!(cli.command, Command::Run(_) | Command::Compare(_) | Command::List(_));
    let done = match queens::run(&cli.command, &program, &matches) {
        Some(done) => done,
        None => run(cli.command),
    };
    // Abandoned work must leave no files or processes. A worker's children are ended by the process that started the
    // worker.
    if !is_worker {
        interrupt::leave();
    }
    // An interrupted command has not failed, so its error is not reported.
    if let Some(code) = interrupt::code() {
        if !says_itself {
            interrupt::say_what_is_lost();
        }
        return code;
    }
    match done {
        Ok(code) => code,
        Err(error) => {
            complain(&format!("{error:#}"));
            ExitCode::from(BAD_INPUT)
        }
    }
}

/// Runs a command.
fn run(command: Command) -> anyhow::Result<ExitCode> {
    match command {
        Command::Sizes(args) => sizes::run(&args),
        Command::Encode(args) => encode::run(&args),
        Command::Encodings(args) => encodings::run(&args),
        Command::Methods(args) => methods::run(&args),
        Command::Solve(args) => solve::run(&args),
        Command::Decode(args) => decode::run(&args),
        Command::Show(args) => show::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Verify(args) => verify::run(&args),
        Command::Graph(args) => graph::run(&args),
        Command::Filter(args) => filter::run(&args),
        Command::Count(args) => count::run(&args),
        Command::List(args) => list::run(&args),
        Command::Puzzle(args) => puzzle::run(&args),
        Command::Compare(args) => compare::run(&args),
        Command::Run(args) => run::run(&args),
        Command::Report(args) => report::run(&args),
        Command::Merge(args) => merge::run(&args),
        Command::Submit(args) => submit::run(&args),
        Command::Benchmark(args) => benchmark::run(&args),
        Command::Completions(args) => completions::run(&args),
        Command::Man(args) => man::run(&args),
        Command::Work(args) => work::run(&args),
    }
}

/// True if help may be shown: for `help`, `--help`, `-h`, also among other letters as in `-qh`, or without a command.
fn asks_for_help(args: &[OsString]) -> bool {
    let has_command = args.iter().skip(1).any(|arg| !arg.to_string_lossy().starts_with('-'));
    let asks = |arg: &str| {
        let letters = arg.strip_prefix('-').filter(|letters| !letters.starts_with('-'));
        ["help", "--help"].contains(&arg) || letters.is_some_and(|letters| letters.contains('h'))
    };
    !has_command || args.iter().skip(1).filter_map(|arg| arg.to_str()).any(asks)
}

/// Returns the clap command of the whole program, with all texts of help.
fn program() -> clap::Command {
    groups::grouped(groups::with_lengths(parser()))
}

/// Returns the clap command that parses arguments.
fn parser() -> clap::Command {
    let version = format!("{} ({})", env!("CARGO_PKG_VERSION"), solver_version());
    mistake::with_aliases(Cli::command()).version(version)
}

/// Message for a call without arguments.
const FIRST: &str = "\
hamcnf solve 8x8                   find a tour or prove that there is none; graphs: hamcnf solve graph.col
hamcnf encode 8x8 -o 8x8.cnf       write the question as a DIMACS file
hamcnf decode 8x8.cnf answer.txt   turn a SAT solver's answer into a checked tour
hamcnf count 6x6                   count the tours
hamcnf compare 6x6                 answer one question with several methods

`hamcnf --help` lists all commands; `hamcnf help COMMAND` shows the options and the examples of a command.
";

fn solver_version() -> String {
    hamcnf::solve::signature().replacen("cadical-", "CaDiCaL ", 1)
}

/// Reports an error in the arguments in one line. Help and version go to standard output unchanged.
fn usage(error: &clap::Error, root: &clap::Command, args: &[OsString]) -> ExitCode {
    use clap::error::ErrorKind;
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand && args.len() <= 1 {
        // If writing fails, no message can be shown.
        let _ = io::stderr().write_all(FIRST.as_bytes());
        return ExitCode::from(BAD_INPUT);
    }
    if !error.use_stderr() || error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        return match error.print() {
            Err(io) if io.kind() != io::ErrorKind::BrokenPipe => {
                complain(&format!("cannot write standard output: {io}"));
                ExitCode::from(BAD_INPUT)
            }
            _ if error.use_stderr() => ExitCode::from(BAD_INPUT),
            _ => ExitCode::SUCCESS,
        };
    }
    complain(&mistake::line(error, root, args));
    ExitCode::from(BAD_INPUT)
}

/// Prints errors, and returns the exit code for them.
fn exit_code(faults: &[String]) -> ExitCode {
    for fault in faults {
        complain(fault);
    }
    ExitCode::from(if faults.is_empty() { DONE } else { WRONG })
}

/// Prints one line on standard error. If writing fails, no message can be shown.
fn complain(message: &str) {
    let line = format!("hamcnf: {}", shown(&message.replace('\n', ", ")));
    let _ = progress::aside(|| writeln!(io::stderr(), "{line}"));
}

/// Escapes control characters, since another program's output may contain any bytes.
fn shown(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        match c.is_control() {
            true => shown.extend(c.escape_default()),
            false => shown.push(c),
        }
    }
    shown
}

/// Prints a warning on standard error, unless the same message was printed before.
fn warn_once(message: &str) {
    static SAID: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let new = SAID.lock().map(|mut said| said.insert(message.to_owned()));
    if new.unwrap_or(true) {
        verbosity::note(message);
    }
}
