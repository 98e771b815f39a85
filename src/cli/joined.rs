//! Questions without quotes: `hamcnf solve 8x8 open from a1` means `hamcnf solve '8x8 open from a1'`.
//!
//! Words are joined only for commands whose only argument is a board or graph, or several of these. Words that do not
//! form a question stay separate, so that the error message is about the extra word.

use std::ffi::OsString;

use clap::{Arg, ArgAction, Command};
use hamcnf::question::{self, Files, GraphSourceError, QuestionSpec};

use super::mistake::{board_meant, is_queens};

/// Value names of a board or a graph in usage messages.
const PLACES: [&str; 2] = ["BOARD|GRAPH", "BOARD"];

/// Returns the arguments with the words of a question joined by blanks. The first argument is the program's name.
pub(super) fn joined(program: &Command, mut args: Vec<OsString>) -> Vec<OsString> {
    if let Some((at, question)) = place_of_words(program, &args) {
        args[at[0]] = question.into();
        at[1..].iter().rev().for_each(|&other| drop(args.remove(other)));
    }
    args
}

/// Returns the indices of the arguments that form a question, and the question; `None` if there is nothing to join.
fn place_of_words(program: &Command, args: &[OsString]) -> Option<(Vec<usize>, String)> {
    let words: Vec<&str> = args.iter().map(|arg| arg.to_str()).collect::<Option<_>>()?;
    let named = (1..words.len()).find(|&k| !words[k].starts_with('-'))?;
    let command = program.find_subcommand(words[named])?;
    let mut positionals = command.get_positionals();
    let (Some(only), None) = (positionals.next(), positionals.next()) else {
        return None;
    };
    let is_place = only.get_value_names().is_some_and(|names| names.iter().any(|name| PLACES.contains(&name.as_str())));
    let accepts_several = matches!(only.get_action(), ArgAction::Append);
    if !is_place || !accepts_several && !matches!(only.get_action(), ArgAction::Set) {
        return None;
    }
    let mut at = Vec::new();
    let mut behind = named + 1..words.len();
    while let Some(k) = behind.next() {
        match words[k] {
            "--" => return None,
            word if word.len() > 1 && word.starts_with('-') => {
                if takes_next(command, word) {
                    behind.next();
                }
            }
            _ => at.push(k),
        }
    }
    if at.len() < 2 {
        return None;
    }
    let question = at.iter().map(|&k| words[k]).collect::<Vec<_>>().join(" ");
    let files = Files::default();
    let is_settled = |text: &str| is_queens(text) || QuestionSpec::settled(text, &files).is_ok();
    if accepts_several {
        let are_several = at.iter().all(|&k| is_settled(words[k]));
        return (!are_several && is_settled(&question)).then_some((at, question));
    }
    let is_meant = question::meant(&question, &files).is_some() || board_meant(&question).is_some();
    let lacks_vertex = || matches!(QuestionSpec::settled(&question, &files), Err(GraphSourceError::NoVertex { .. }));
    let is_question = is_meant || is_settled(&question) || lacks_vertex();
    is_question.then_some((at, question))
}

/// True if the next argument is the value of this option.
fn takes_next(command: &Command, option: &str) -> bool {
    let takes = |arg: &Arg| matches!(arg.get_action(), ArgAction::Set | ArgAction::Append);
    let mut arguments = command.get_arguments();
    match option.strip_prefix("--") {
        Some(long) => arguments.any(|arg| {
            let aliases = arg.get_all_aliases().unwrap_or_default();
            let is_it = arg.get_long() == Some(long) || aliases.contains(&long);
            is_it && takes(arg)
        }),
        None => {
            // In combined short options, the letters after the first option that takes a value are the value.
            let mut letters = option.chars().skip(1);
            let taking = letters
                .find(|&letter| command.get_arguments().any(|arg| arg.get_short() == Some(letter) && takes(arg)));
            taking.is_some() && letters.next().is_none()
        }
    }
}
