//! Completion of the command line. Shells call this program with the environment variable that the scripts of `hamcnf
//! completions` set. The candidates come from the lists that the parsers use, so bases and refinements that other
//! programs register are completed too. Settings after a plus sign are also completed.

use std::env;
use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use clap::Command;
use clap_complete::engine::{ArgValueCompleter, CompletionCandidate, PathCompleter, ValueCompleter};
use clap_complete::env::Shells;
use hamcnf::families::{self, Asked};
use hamcnf::formats::Format;
use hamcnf::method;
use hamcnf::relabel::RELABEL;
use hamcnf::{Named, Piece, encoding};

use super::BAD_INPUT;

/// Environment variable that marks a call by a shell; its value is the name of the shell.
pub(super) const ASKED: &str = "HAMCNF_COMPLETE";

/// Answers a shell that requests completions; `None` for other calls. The words typed so far follow `--`.
pub(super) fn answer(args: &[OsString]) -> Option<ExitCode> {
    let shell = env::var(ASKED).ok().filter(|shell| !shell.is_empty())?;
    let shells = Shells::builtins();
    // A call with any other value is not for completion.
    let shell = shells.completer(&shell)?;
    let behind = args.iter().position(|arg| arg == "--")?;
    let words = args[behind + 1..].to_vec();
    let here = env::current_dir().ok();
    let mut said = Vec::new();
    let written = shell.write_complete(&mut super::program(), words, here.as_deref(), &mut said);
    let written = written.and_then(|()| io::stdout().write_all(&said));
    // Shells do not show messages of completions to users.
    Some(match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::from(BAD_INPUT),
    })
}

/// Returns a completer. It offers the candidates that begin with the typed text.
fn of(all: impl Fn(&str) -> Vec<CompletionCandidate> + Send + Sync + 'static) -> ArgValueCompleter {
    ArgValueCompleter::new(move |typed: &OsStr| {
        let Some(typed) = typed.to_str() else {
            return Vec::new();
        };
        let mut all = all(typed);
        let begins = |candidate: &CompletionCandidate| {
            let value = candidate.get_value().to_str();
            value.is_some_and(|value| value.starts_with(typed))
        };
        all.retain(begins);
        all
    })
}

fn candidate(value: impl Into<OsString>, says: &str) -> CompletionCandidate {
    CompletionCandidate::new(value).help(Some(says.to_owned().into()))
}

/// Returns the typed text up to its last plus sign.
fn up_to_plus(typed: &str) -> Option<&str> {
    Some(&typed[..=typed.rfind('+')?])
}

/// Completes encodings: bases or, after a plus sign, refinements with their values.
pub(super) fn encodings() -> ArgValueCompleter {
    of(|typed| match up_to_plus(typed) {
        None => bases(),
        Some(before) => refinements(before),
    })
}

fn bases() -> Vec<CompletionCandidate> {
    let bases = encoding::bases().into_iter();
    bases.map(|base| candidate(base.name, base.says)).collect()
}

fn refinements(before: &str) -> Vec<CompletionCandidate> {
    let refinements = encoding::refinements().into_iter();
    let values = refinements.flat_map(|refinement| {
        let values = refinement.values.split(", ");
        let written = values.map(move |value| {
            let word = format!("{before}{}={value}", refinement.name);
            candidate(word, refinement.says)
        });
        written.collect::<Vec<_>>()
    });
    values.collect()
}

/// Completes methods, and encodings with their refinements.
pub(super) fn methods() -> ArgValueCompleter {
    of(|typed| {
        if let Some(before) = up_to_plus(typed) {
            return refinements(before);
        }
        let methods = method::all().into_iter();
        let methods = methods.map(|method| candidate(method.name().to_owned(), method.profile().summary));
        let bases = encoding::bases().into_iter().map(|base| candidate(base.name.to_owned(), base.says));
        methods.chain(bases).collect()
    })
}

/// Completes boards and graphs: families and files or, after a plus sign, settings.
pub(super) fn places() -> ArgValueCompleter {
    let files = |typed: &str| PathCompleter::any().stdio().complete(OsStr::new(typed));
    of(move |typed| {
        if let Some(before) = up_to_plus(typed).filter(|_| !Path::new(typed).exists()) {
            let family = families::ALL.iter().find(|kind| begins_with(before, kind.name));
            let asks = family.map_or(&[][..], |kind| kind.asks).iter();
            let asked = asks.map(|asked: &Asked| format!("{before}{}", asked.as_str()));
            let relabelled = format!("{before}{RELABEL}=");
            return asked.chain([relabelled]).map(CompletionCandidate::new).collect();
        }
        // The text is a graph file with an explicit format.
        for format in Format::all() {
            let prefix = format!("{format}:");
            if let Some(name) = typed.strip_prefix(prefix.as_str()) {
                let files = files(name).into_iter();
                return files.map(|file| file.add_prefix(prefix.as_str())).collect();
            }
        }
        let kinds = families::ALL.iter();
        let families = kinds.map(|kind| candidate(format!("{}:", kind.name), kind.says));
        families.chain(files(typed)).collect()
    })
}

/// Completes names of pieces.
pub(super) fn pieces() -> ArgValueCompleter {
    of(|_| Piece::names().map(CompletionCandidate::new).collect())
}

fn begins_with(word: &str, name: &str) -> bool {
    let behind = word.strip_prefix(name);
    behind.is_some_and(|behind| behind.starts_with([':', ' ', '+']))
}

/// Completes commands of this program and their subcommands.
pub(super) fn commands(program: impl Fn() -> Command + Send + Sync + 'static) -> ArgValueCompleter {
    of(move |_| {
        let program = program();
        let all = program.get_subcommands().filter(|command| !command.is_hide_set());
        let says = |command: &Command| command.get_about().map_or_else(String::new, ToString::to_string);
        all.map(|command| candidate(command.get_name(), &says(command))).collect()
    })
}
