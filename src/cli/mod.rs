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
mod limits;
mod list;
mod listing;
mod longest;
mod man;
mod methods;
mod mistake;
mod model;
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
mod typed;
mod verbosity;
mod verify;
mod work;

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::Mutex;

use clap::builder::styling::{AnsiColor, Styles};
use clap::error::ErrorKind;
use clap::{Arg, ArgMatches, Args as _, CommandFactory, FromArgMatches, Parser};
use hamcnf::harness::worker::WORK;

use self::exit::{BAD_INPUT, DONE, WRONG};
#[doc(hidden)]
pub use self::header::names_its_question;
use self::verbosity::Verbosity;

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
    /// Suppress progress, notes and warnings; print errors only
    #[arg(long, short, aliases = ["silent", "no-progress"], global = true, help_heading = EVERYWHERE)]
    quiet: bool,
    /// If standard error is not a terminal, print progress lines: one for each new phase, and one every ten seconds
    #[arg(long, short, alias = "debug", global = true, conflicts_with = "quiet", help_heading = EVERYWHERE)]
    verbose: bool,
}

/// Help heading of the options that every command accepts.
const EVERYWHERE: &str = "Options of all commands";

/// Defines the commands, in the groups of the help. The command `name` has the arguments `name::Args` and the function
/// `name::run`.
macro_rules! commands {
    ($($group:literal: $($variant:ident $module:ident),*;)*) => {
        enum Command {
            $($($variant(Box<$module::Args>),)*)*
        }

        impl Command {
            /// Returns the commands for clap. All are complete if `only` names none of them; else only this one, and the
            /// others have no arguments: to make the arguments of all would double the time of a start.
            fn all(only: &str) -> Vec<clap::Command> {
                let is_one = [$($(stringify!($module)),*),*].contains(&only);
                vec![$($({
                    let command = clap::Command::new(stringify!($module));
                    let is_complete = !is_one || only == stringify!($module);
                    if is_complete { $module::Args::augment_args(command) } else { command }
                }),*),*]
            }

            /// Returns the command that was given; `None` if there is none.
            fn given(matches: &ArgMatches) -> Option<Result<Self, clap::Error>> {
                let (name, matches) = matches.subcommand()?;
                $($(if name == stringify!($module) {
                    return Some($module::Args::from_arg_matches(matches).map(|args| Self::$variant(Box::new(args))));
                })*)*
                None
            }
        }

        /// Groups of commands, in the order of the help.
        const GROUPS: &[(&str, &[&str])] = &[$(($group, &[$(stringify!($module)),*])),*];

        /// Runs a command.
        fn run(command: &Command) -> anyhow::Result<u8> {
            match command {
                $($(Command::$variant(args) => $module::run(args),)*)*
            }
        }
    };
}

commands! {
    "Find tours": Solve solve, List list, Puzzle puzzle, Show show, Check check;
    "Count": Count count;
    "Formulas and proofs": Encode encode, Decode decode, Sizes sizes, Verify verify, Encodings encodings;
    "Graphs": Graph graph, Filter filter;
    "Experiments": Compare compare, Run run, Report report, Submit submit, Benchmark benchmark,
        Methods methods;
    "This program": Completions completions, Man man, Work work;
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
    let typed: Vec<_> = args.into_iter().collect();
    if let [_, word] = typed.as_slice()
        && ["version", "--version", "-V"].iter().any(|version| word == version)
    {
        return ended(output::print(|out| writeln!(out, "hamcnf {}", version())).map(|()| DONE));
    }
    let args = spellings::present(typed.clone());
    if let Some(code) = complete::answer(&args).or_else(|| topics::answer(&args)) {
        return code;
    }
    // A solver that a worker has started may be hamcnf, too; it has the worker's environment.
    interrupt::watch(args.iter().skip(1).any(|word| word == WORK));
    if let Err(error) = engines::add(&args) {
        complain(&error.to_string());
        return ExitCode::from(BAD_INPUT);
    }
    // The texts of help are made only if they are shown.
    let mut program = if asks_for_help(&args) { helped(command_of(&args)) } else { parser(command_of(&args)) };
    let args = joined::joined(&program, args);
    let (cli, command, matches) = match parsed(&mut program, &args) {
        Ok(parsed) => parsed,
        Err(error) => {
            program = parser("");
            program.build();
            return usage(&error, &program, &args);
        }
    };
    let is_worker = matches!(command, Command::Work(_));
    if cli.quiet && cli.verbose {
        // clap does not see the conflict if one option is before the command's name and the other after it.
        complain("--quiet and --verbose cannot be combined; see `hamcnf --help`");
        return ExitCode::from(BAD_INPUT);
    }
    verbosity::set(match (cli.quiet, cli.verbose) {
        (true, _) => Verbosity::Quiet,
        (_, true) => Verbosity::Verbose,
        _ => Verbosity::Usual,
    });
    typed::set(&program, &matches);
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
    let says_itself = matches!(command, Command::Run(_) | Command::Compare(_) | Command::List(_));
    let done = run(&command);
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
    ended(done)
}

/// Returns the exit code of a command, and reports its error.
fn ended(done: anyhow::Result<u8>) -> ExitCode {
    match done {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            complain(&format!("{error:#}"));
            ExitCode::from(BAD_INPUT)
        }
    }
}

/// Returns the word of the arguments that names the command; empty if there is none.
fn command_of(args: &[OsString]) -> &str {
    let mut words = args.iter().skip(1).filter_map(|arg| arg.to_str());
    words.find(|word| !word.starts_with('-')).unwrap_or_default()
}

/// Parses the arguments.
fn parsed(program: &mut clap::Command, args: &[OsString]) -> Result<(Cli, Command, ArgMatches), clap::Error> {
    let matches = program.try_get_matches_from_mut(args)?;
    let missing = || program.clone().error(ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand, "");
    let command = Command::given(&matches).ok_or_else(missing)??;
    Ok((Cli::from_arg_matches(&matches)?, command, matches))
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
    helped("")
}

/// Returns the clap command of one command, or of all if `only` names none, with the texts of help.
fn helped(only: &str) -> clap::Command {
    groups::grouped(groups::with_lengths(parser(only)))
}

/// Returns the versions of the program and of its solver.
fn version() -> String {
    format!("{} ({})", env!("CARGO_PKG_VERSION"), solver_version())
}

/// Returns the clap command that parses the arguments of one command, or of all if `only` names none.
fn parser(only: &str) -> clap::Command {
    // A negative number is a wrong value of an option, not another option.
    let with_numbers = |arg: Arg| match arg.get_action().takes_values() && !arg.is_positional() {
        true => arg.allow_negative_numbers(true),
        false => arg,
    };
    let commands = Command::all(only).into_iter().map(|command| command.mut_args(with_numbers));
    let program = Cli::command().version(version()).subcommands(commands);
    program.subcommand_required(true).arg_required_else_help(true)
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
fn exit_code(faults: &[String]) -> u8 {
    for fault in faults {
        complain(fault);
    }
    if faults.is_empty() { DONE } else { WRONG }
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
        if c.is_control() { shown.extend(c.escape_default()) } else { shown.push(c) }
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
