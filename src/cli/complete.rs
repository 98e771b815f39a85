//! What may stand where something is being typed: the shells ask this program, in the environment variable that the scripts of
//! `hamcnf completions` set, and it answers from the same lists that it reads words by. So what is registered from outside
//! is completed too, and within a word what is behind its plus signs.

use std::env;
use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use clap::Command;
use clap_complete::engine::{
    ArgValueCompleter, CompletionCandidate, PathCompleter, ValueCompleter,
};
use clap_complete::env::Shells;
use hamcnf::families::{self, Asked};
use hamcnf::formats::Format;
use hamcnf::method;
use hamcnf::relabel::RELABEL;
use hamcnf::{Named, encoding};

use super::BAD_INPUT;

/// Says to this program that a shell asks it, and which.
pub(super) const ASKED: &str = "HAMCNF_COMPLETE";

/// Answers a shell that asks what may be typed, if one does: behind `--` stand the words so far.
pub(super) fn answer(program: &mut Command, args: &[OsString]) -> Option<ExitCode> {
    let shell = env::var(ASKED).ok().filter(|shell| !shell.is_empty())?;
    let shells = Shells::builtins();
    // Whoever set it meant something else.
    let shell = shells.completer(&shell)?;
    let behind = args.iter().position(|arg| arg == "--")?;
    let words = args[behind + 1..].to_vec();
    let here = env::current_dir().ok();
    let mut said = Vec::new();
    let written = shell
        .write_complete(program, words, here.as_deref(), &mut said)
        .and_then(|()| io::stdout().write_all(&said));
    // Between a shell and its user there is no place for a message.
    Some(match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::from(BAD_INPUT),
    })
}

/// A completer of what these are, of which those are taken that begin as what is typed.
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

/// What is typed up to its last plus sign.
fn up_to_plus(typed: &str) -> Option<&str> {
    Some(&typed[..=typed.rfind('+')?])
}

/// Encodings: bases, and behind a plus sign refinements with their values.
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
        let methods = methods.map(|method| candidate(method.name().to_owned(), method.summary()));
        let bases = encoding::bases().into_iter();
        let bases = bases.map(|base| candidate(base.name.to_owned(), base.says));
        methods.chain(bases).collect()
    })
}

/// Boards and graphs: families, files, and behind a plus sign what can be asked of them.
pub(super) fn places() -> ArgValueCompleter {
    let files = |typed: &str| PathCompleter::any().stdio().complete(OsStr::new(typed));
    of(move |typed| {
        if let Some(before) = up_to_plus(typed).filter(|_| !Path::new(typed).exists()) {
            let family = families::ALL
                .iter()
                .find(|kind| begins_with(before, kind.name));
            let asks = family.map_or(&[][..], |kind| kind.asks).iter();
            let asked = asks.map(|asked: &Asked| format!("{before}{}", asked.as_str()));
            let relabelled = format!("{before}{RELABEL}=");
            return asked
                .chain([relabelled])
                .map(CompletionCandidate::new)
                .collect();
        }
        // The graph in a file, in a format that is said.
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

fn begins_with(word: &str, name: &str) -> bool {
    let behind = word.strip_prefix(name);
    behind.is_some_and(|behind| behind.starts_with([':', ' ', '+']))
}

/// Commands of this program, and below them those of a command.
pub(super) fn commands(program: impl Fn() -> Command + Send + Sync + 'static) -> ArgValueCompleter {
    of(move |_| {
        let program = program();
        let all = program
            .get_subcommands()
            .filter(|command| !command.is_hide_set());
        let says = |command: &Command| {
            command
                .get_about()
                .map_or_else(String::new, ToString::to_string)
        };
        all.map(|command| candidate(command.get_name(), &says(command)))
            .collect()
    })
}
