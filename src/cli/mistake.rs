//! Error messages for invalid arguments, in one line.
//!
//! clap finds the errors and suggests similar names. This module only suggests boards and families of graphs, which
//! clap does not know.

use std::error::Error as _;
use std::ffi::OsString;
use std::path::Path;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command, Error};
use hamcnf::families;
use hamcnf::formats::Format;
use hamcnf::names::most_alike;
use hamcnf::question::{self, Files, GraphSourceError};
use hamcnf::{Board, Piece, RangeError};

use super::topics;

/// Returns the error line for arguments that clap rejects. `root` is the built clap command of the whole program.
pub(crate) fn line(error: &Error, root: &Command, args: &[OsString]) -> String {
    let path = path(root, args);
    let says = says(error, &path, args);
    let names: Vec<_> = path[1..].iter().map(|command| command.get_name()).collect();
    let help = match names.as_slice() {
        [] => "hamcnf --help".to_owned(),
        [name] => format!("hamcnf {name} --help"),
        names => format!("hamcnf help {}", names.join(" ")),
    };
    with_help(&says, &help)
}

/// Returns a message that ends with the command for help.
pub(crate) fn with_help(message: &str, help: &str) -> String {
    let see = if message.ends_with('?') { " See" } else { "; see" };
    format!("{message}{see} `{help}`")
}

/// Returns the commands on the path from the root to the called command.
fn path<'a>(root: &'a Command, args: &[OsString]) -> Vec<&'a Command> {
    let mut path = vec![root];
    for word in args.iter().skip(1).filter(|&word| word != "help") {
        path.extend(path[path.len() - 1].find_subcommand(word));
    }
    path
}

fn says(error: &Error, path: &[&Command], args: &[OsString]) -> String {
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => text.as_str(),
        _ => "",
    };
    let wrong = text(ContextKind::InvalidSubcommand);
    if let Some(board) = board_meant(wrong) {
        return format!("\"{wrong}\" is not a command: did you mean `hamcnf solve {board}`?");
    }
    // clap suggests nothing after `help`, and nothing for short names.
    let command = path[path.len() - 1];
    let is_help = path.len() == 1 && args.get(1).is_some_and(|word| word == "help");
    let topics = topics::names().filter(|_| is_help);
    let commands = command.get_subcommands().map(Command::get_name);
    if let Some(meant) = most_alike(wrong, commands.chain(topics)) {
        let what = if is_help { "a command or a topic" } else { "a command" };
        return format!("\"{wrong}\" is not {what}: did you mean {meant}?");
    }
    if is_help && !wrong.is_empty() {
        let topics: Vec<_> = topics::names().collect();
        let topics = topics.join(", ");
        return format!("\"{wrong}\" is not a command or a topic; topics are {topics}");
    }
    // For `-seed`, clap reports the first letter only.
    let letter = text(ContextKind::InvalidArg);
    let words = args.iter().filter_map(|arg| arg.to_str());
    let mut words = words.filter(|word| !letter.is_empty() && word.starts_with(letter));
    let is_long = |word: &&str| {
        let name = word.strip_prefix('-');
        let mut longs = command.get_arguments().filter_map(Arg::get_long);
        longs.any(|long| name == Some(long))
    };
    if let Some(word) = words.find(is_long) {
        return format!("unknown option \"{word}\": did you mean -{word}?");
    }
    let mut no_text = args.iter().filter(|arg| arg.to_str().is_none());
    if let (ErrorKind::InvalidUtf8, Some(word)) = (error.kind(), no_text.next()) {
        return format!("\"{}\" is not UTF-8", word.display());
    }
    if let Some(source) = error.source() {
        let value = text(ContextKind::InvalidValue);
        let says = source.to_string();
        match source.downcast_ref() {
            Some(wrong) => return graph_mistake(value, wrong),
            None if says.contains(&format!("\"{value}\"")) => return says,
            None => {}
        }
    }
    in_one_line(error)
}

/// Returns clap's message without the usage: the error, followed by similar names.
pub(crate) fn in_one_line(error: &Error) -> String {
    let text = error.render().to_string();
    let text = text.strip_prefix("error: ").unwrap_or(&text);
    let paragraphs = text.split("\n\n").take_while(|paragraph| !paragraph.starts_with("Usage:"));
    let paragraphs = paragraphs.filter(|paragraph| !paragraph.starts_with("For more information"));
    let joined = paragraphs.map(|paragraph| {
        let lines = paragraph.lines().map(|line| line.trim().trim_start_matches("tip: "));
        // A value that looks like an option is hardly ever intended, so this hint is left out.
        let lines = lines.filter(|line| !line.is_empty() && !line.starts_with("to pass '"));
        lines.collect::<Vec<_>>().join(" ")
    });
    let joined = joined.filter(|paragraph| !paragraph.is_empty());
    double_quotes(&joined.collect::<Vec<_>>().join("; "))
}

/// Replaces the single quotes in which clap puts names and values by the double quotes of all other messages.
/// Apostrophes and quotes inside values remain.
fn double_quotes(text: &str) -> String {
    let mut is_open = false;
    let mut before = ' ';
    let mut rest = text.chars().peekable();
    let mut quoted = String::with_capacity(text.len());
    while let Some(c) = rest.next() {
        let ends = rest.peek().is_none_or(|&next| " ,.:;)]?".contains(next));
        let is_quote = if is_open { ends } else { " ([".contains(before) };
        if c == '\'' && is_quote {
            is_open = !is_open;
            quoted.push('"');
        } else {
            quoted.push(c);
        }
        before = c;
    }
    quoted
}

/// Returns the error message for a text that is not a board, graph or question.
pub(crate) fn graph_mistake(text: &str, wrong: &GraphSourceError) -> String {
    let text = match wrong {
        GraphSourceError::Neither { text, .. } => text,
        // A question with blanks may look like a graph of a family.
        _ => match question::meant(text, &Files::default()) {
            Some(meant) => {
                return format!("\"{text}\" is not a question: did you mean \"{meant}\"?");
            }
            None => return wrong.to_string(),
        },
    };
    if is_queens(text) {
        return format!(
            "\"{text}\" asks for placements of queens: use `hamcnf solve`, `count`, `list`, `encode` or `decode`, \
             without \"open\", \"from\" or constraints"
        );
    }
    if let Some(board) = board_meant(text) {
        return format!("\"{text}\" is not a board: did you mean {board}?");
    }
    if let Some(meant) = question::meant(text, &Files::default()) {
        return format!("\"{text}\" is not a question: did you mean \"{meant}\"?");
    }
    if let Some(message) = wrong_rest(text) {
        return message;
    }
    if text.contains("..") && text.contains('x') && !text.contains('/') {
        return RangeError::Syntax(text.to_owned()).to_string();
    }
    let neither = format!("\"{text}\" is neither a board such as 8x8 nor an existing file");
    match prefix_meant(text).filter(|meant| meant != text) {
        Some(meant) => format!("{neither}: did you mean {meant}?"),
        None => neither,
    }
}

/// True if the text is a question about placements of queens.
pub(super) fn is_queens(text: &str) -> bool {
    matches!(question::queens_in(text), Some(Ok(_)))
}

/// Returns the error message for a text in which an invalid rest follows a known prefix, such as the name of a piece.
/// `None` if the prefix is unknown.
fn wrong_rest(text: &str) -> Option<String> {
    let leaper = text.rsplit_once(':').filter(|(prefix, _)| {
        let lengths = prefix.strip_prefix("leaper:");
        lengths.is_some_and(|lengths| lengths.parse::<Piece>().is_ok())
    });
    let (prefix, rest) = leaper.or_else(|| text.split_once(':'))?;
    let is_piece = leaper.is_some() || Piece::names().any(|name| name == prefix);
    let is_format = Format::all().iter().any(|format| format.name == prefix);
    if is_piece && Path::new(rest).is_file() {
        return Some(format!(
            "\"{text}\": a board must follow \"{prefix}:\", such as {prefix}:8x8; for a puzzle in a file, write puzzle:{rest} and begin the file with the line \"piece {prefix}\""
        ));
    }
    if is_piece {
        return Some(format!(
            "\"{text}\": \"{rest}\" is not a board; write a board after the piece, such as {prefix}:8x8"
        ));
    }
    is_format.then(|| format!("\"{text}\": there is no file \"{rest}\""))
}

/// Returns a suggestion for a misspelt family, file format or name of a piece.
fn prefix_meant(text: &str) -> Option<String> {
    let (wrong, rest) = text.split_once([':', ' ']).unwrap_or((text, ""));
    // Short words resemble many names, and file names resemble families.
    if wrong.len() < 3 || wrong.contains(['.', '/']) {
        return None;
    }
    let kinds = families::ALL.iter();
    let known = kinds.flat_map(|kind| kind.also.iter().copied().chain([kind.name]));
    let formats = Format::all().into_iter().map(|format| format.name);
    let boards = Piece::names().chain(["leaper"]);
    let prefixes = formats.chain(boards).filter(|_| !rest.is_empty() && text.contains(':'));
    let right = most_alike(&wrong.to_lowercase(), known.chain(prefixes))?;
    let mut kinds = families::ALL.iter();
    let kind = kinds.find(|kind| kind.name == right || kind.also.contains(&right));
    Some(match kind {
        Some(kind) => format!("{}, such as {}", kind.word(), kind.example),
        None => format!("{right}:{rest}"),
    })
}

/// Returns the board that the user means by `8`, `8*8`, `8,8`, `8 x 8` or `8 by 8`.
pub(crate) fn board_meant(text: &str) -> Option<Board> {
    let between = |c: char| " xX×*,;:/_-by".contains(c);
    let is_digit = |c: char| c.is_ascii_digit();
    let is_numbers = text.chars().all(|c| is_digit(c) || between(c));
    if !is_numbers || !text.starts_with(is_digit) || !text.ends_with(is_digit) {
        return None;
    }
    let mut numbers = text.split(between).filter(|digits| !digits.is_empty());
    let rows = numbers.next()?;
    let cols = numbers.next().unwrap_or(rows);
    match numbers.next() {
        None => format!("{rows}x{cols}").parse().ok(),
        Some(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_become_double_but_apostrophes_remain() {
        for (given, expected) in [
            (
                "invalid value 'a b' for '--seed <SEED>': it's wrong",
                r#"invalid value "a b" for "--seed <SEED>": it's wrong"#,
            ),
            ("'it's' exists: '--by'", r#""it's" exists: "--by""#),
            ("the solvers' 'x", "the solvers' \"x"),
            ("", ""),
        ] {
            assert_eq!(double_quotes(given), expected);
        }
    }

    #[test]
    fn boards_are_known_by_what_people_write() {
        for text in ["8", "8*8", "8,8", "8 8", "8 x 8", "8×8", "8X8", "8 by 8", "8-8", "08:8"] {
            let board = board_meant(text).map(|board| board.to_string());
            assert_eq!(board.as_deref(), Some("8x8"), "{text}");
        }
        for text in ["", "x", "8x", "-8", "8x8x8", "graph2.col", "a8", "0", "99999x99999"] {
            assert_eq!(board_meant(text), None, "{text}");
        }
    }

    #[test]
    fn names_of_commands_and_options_are_distinct() {
        super::super::program().debug_assert();
    }
}
