//! What is wrong with the arguments, in one line: what it is, the right word where there is one, and where the
//! help stands.
//!
//! clap says which argument it is and why; the words for it are made here, from that and from the command's own
//! definition. Options are suggested only where the command has them.

use std::error::Error as _;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::num::{ParseFloatError, ParseIntError};
use std::path::Path;
use std::sync::Arc;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, ArgAction, Command, Error};
use hamcnf::Board;
use hamcnf::families::{self, FamilyKind};
use hamcnf::formats::Format;
use hamcnf::harness::experiment::ExperimentError;
use hamcnf::method::{Method, MethodError};
use hamcnf::names::most_alike;
use hamcnf::proof;
use hamcnf::question::{self, Files, GraphSource, GraphSourceError, SourceError};
use hamcnf::report::data::DataError;
use num_bigint::ParseBigIntError;

use super::number::MustBe;
use super::synonym::{self, Meant, Remark, Synonym, Which};

/// What boards and graphs are called in the usage of commands.
const PLACE: &str = "BOARD|GRAPH";

/// The line. `root` is the whole program, built.
pub(crate) fn line(error: &Error, root: &Command, args: &[OsString]) -> String {
    let asked = Asked::new(root, args);
    let says = asked.says(error);
    let help = asked.help();
    match says.ends_with('?') {
        true => format!("{says} See '{help}'"),
        false => format!("{says}; see '{help}'"),
    }
}

/// A word that clap would have refused, had it been known then that it stands alone.
#[derive(Debug, thiserror::Error)]
#[error("{}", self.says())]
pub(crate) struct Misuse(pub(crate) Arc<Error>);

impl Misuse {
    /// What is wrong with the word, without the help.
    fn says(&self) -> String {
        let source = self.0.source().map(ToString::to_string);
        source.unwrap_or_else(|| self.0.kind().to_string())
    }
}

/// The command that was asked for, and how.
struct Asked<'a> {
    /// From the whole program down to the command.
    path: Vec<&'a Command>,
    /// Of the words before each of these commands, those that are no options.
    before: Vec<Vec<&'a str>>,
    /// The words after the last.
    words: Vec<&'a str>,
    /// One that is not UTF-8.
    no_text: Option<&'a OsString>,
}

impl<'a> Asked<'a> {
    fn new(root: &'a Command, args: &'a [OsString]) -> Self {
        let mut asked = Self {
            path: vec![root],
            before: Vec::new(),
            words: Vec::new(),
            no_text: args.iter().find(|arg| arg.to_str().is_none()),
        };
        let mut no_more = false;
        for word in args.iter().skip(1).map(|arg| arg.to_str().unwrap_or("")) {
            let sub = match word {
                "help" => None,
                _ => asked.command().find_subcommand(word),
            };
            match sub {
                Some(sub) if !no_more => {
                    let words = std::mem::take(&mut asked.words);
                    let plain = words.into_iter().filter(|word| !is_option(word));
                    asked.before.push(plain.collect());
                    asked.path.push(sub);
                }
                _ => asked.words.push(word),
            }
            // What is one word too many is no command, nor is what comes after it. The word behind an option that
            // does not belong there may be its value.
            let mut behind = std::iter::once(&"").chain(&asked.words);
            let plain = asked.words.iter().filter(|word| {
                let value = behind.next().is_some_and(|word| is_option(word));
                !is_option(word) && !value
            });
            no_more |= word == "--" || plain.count() > asked.command().get_positionals().count();
        }
        asked
    }

    fn command(&self) -> &'a Command {
        self.path[self.path.len() - 1]
    }

    /// The command as it is called, with its number of queens or so where that stands before its name.
    fn called(&self) -> String {
        let mut called = vec!["hamcnf".to_owned()];
        for (depth, command) in self.path.iter().enumerate().skip(1) {
            let above = self.path[depth - 1];
            let given = self.before[depth - 1].iter().map(|&word| word.to_owned());
            let needed = above.get_positionals().map(value_name);
            // What was given, and of what was not, its name.
            let words: Vec<_> = given
                .chain(needed.skip(self.before[depth - 1].len()))
                .collect();
            called.extend(words);
            called.push(command.get_name().to_owned());
        }
        called.join(" ")
    }

    /// The command that prints the help.
    fn help(&self) -> String {
        let names = self.path.iter().skip(1).map(|command| command.get_name());
        let names: Vec<_> = names.collect();
        match names.as_slice() {
            [] => "hamcnf --help".to_owned(),
            [name] => format!("hamcnf {name} --help"),
            // Behind a number that may be the mistake there is no help.
            names => format!("hamcnf help {}", names.join(" ")),
        }
    }

    fn says(&self, error: &Error) -> String {
        let text = |kind| match error.get(kind) {
            Some(ContextValue::String(text)) => text.as_str(),
            _ => "",
        };
        let texts = |kind| match error.get(kind) {
            Some(ContextValue::Strings(texts)) => texts.as_slice(),
            Some(ContextValue::String(text)) => std::slice::from_ref(text),
            _ => &[],
        };
        let argument = text(ContextKind::InvalidArg);
        let value = text(ContextKind::InvalidValue);
        match error.kind() {
            ErrorKind::UnknownArgument if is_option(argument) => self.unknown_option(argument),
            ErrorKind::UnknownArgument => self.surplus(argument),
            ErrorKind::InvalidSubcommand => {
                self.unknown_command(text(ContextKind::InvalidSubcommand))
            }
            ErrorKind::MissingSubcommand => self.no_command(),
            ErrorKind::InvalidValue if value.is_empty() => self.no_value(argument),
            ErrorKind::InvalidValue => {
                self.wrong_choice(argument, value, texts(ContextKind::ValidValue))
            }
            ErrorKind::ValueValidation => self.wrong_value(argument, value, error),
            ErrorKind::TooManyValues => {
                format!(
                    "{} takes no value, and it has '{value}'",
                    self.named(argument)
                )
            }
            ErrorKind::MissingRequiredArgument => self.missing(texts(ContextKind::InvalidArg)),
            ErrorKind::ArgumentConflict => self.conflict(argument, texts(ContextKind::PriorArg)),
            ErrorKind::InvalidUtf8 => match self.no_text {
                Some(word) => format!("'{}' is not UTF-8", word.display()),
                None => "an argument is not UTF-8".to_owned(),
            },
            other => match other.as_str() {
                Some(why) if argument.is_empty() => why.to_owned(),
                Some(why) => format!("{}: {why}", self.named(argument)),
                None => "the arguments are wrong".to_owned(),
            },
        }
    }

    fn unknown_option(&self, typed: &str) -> String {
        let command = self.command();
        // Of `-seed` clap sees the first letter only.
        let whole = self.words.iter().find(|word| {
            word.starts_with(typed)
                && !typed.starts_with("--")
                && command.has(word.trim_start_matches('-'))
        });
        let typed = whole.copied().unwrap_or(typed);
        let name = typed.trim_start_matches('-').to_lowercase();
        if command.has(&name) && typed == format!("--{name}") {
            return format!(
                "{typed} is an option of '{}', and stands behind that",
                self.called()
            );
        }
        let there_is_none = format!("there is no option {typed}");
        let mut suggested = if command.has(&name) {
            vec![format!("--{name}")]
        } else {
            self.meant(&name)
        };
        if let (true, Some(remark)) = (suggested.is_empty(), self.remark(&name)) {
            return format!("{there_is_none}: {remark}");
        }
        if suggested.is_empty() {
            let visible = command.get_arguments().filter(|arg| !arg.is_hide_set());
            let alike = most_alike(&name, visible.filter_map(Arg::get_long));
            suggested.extend(alike.map(|long| format!("--{long}")));
        }
        there_is_none + &did_you_mean(&suggested)
    }

    fn synonyms(name: &str) -> impl Iterator<Item = &'static Synonym> {
        synonym::OPTIONS
            .iter()
            .filter(move |synonym| synonym.typed.contains(&name))
    }

    /// The options that an unknown one may mean here.
    fn meant(&self, name: &str) -> Vec<String> {
        let command = self.command();
        let here = |meant: &&Meant| {
            command.has(meant.option) && meant.of.is_none_or(|of| of == command.get_name())
        };
        let meant = Self::synonyms(name).flat_map(|synonym| synonym.options.iter().filter(here));
        meant
            .map(|meant| match meant.value {
                Some(value) => format!("--{} {value}", meant.option),
                None => format!("--{}", meant.option),
            })
            .collect()
    }

    /// What there is to say of an unknown option here.
    fn remark(&self, name: &str) -> Option<&'static str> {
        let command = self.command();
        let is_true = |remark: &&Remark| match remark.of {
            Which::All => true,
            Which::WithOption(option) => command.has(option),
            Which::WithWord(word) => command.get_positionals().any(|arg| value_name(arg) == word),
        };
        let remarks = Self::synonyms(name).filter_map(|synonym| synonym.otherwise.as_ref());
        remarks.filter(is_true).map(|remark| remark.says).next()
    }

    /// A word that has no place.
    fn surplus(&self, word: &str) -> String {
        let command = self.command();
        if command.has_subcommands() {
            return self.unknown_command(word);
        }
        // A number that stands behind the command instead of before it.
        if let [.., above, _] = self.path.as_slice() {
            let needed = above.get_positionals().count();
            let given = self.before.last().map_or(0, Vec::len);
            if given < needed && word.bytes().all(|b| b.is_ascii_digit()) {
                let (above, name) = (above.get_name(), command.get_name());
                return format!(
                    "'{word}' stands behind '{name}': did you mean 'hamcnf {above} {word} {name}'?"
                );
            }
        }
        if let Some((typed, board)) = self.board_in_pieces() {
            return format!("'{typed}' is not a board: did you mean {board}?");
        }
        let joined = self.plain().join(" ");
        let named = GraphSource::settled(&joined, &Files::default());
        let is_family = matches!(named, Ok(GraphSource::Family(_)));
        if is_family
            && command
                .get_positionals()
                .any(|arg| value_name(arg) == PLACE)
        {
            return format!("a graph's words are one in quotes: '{joined}'");
        }
        let takes: Vec<_> = command.get_positionals().map(value_name).collect();
        let called = self.called();
        if takes.is_empty() {
            return format!("'{word}' is one word too many: '{called}' takes options only");
        }
        let takes = takes.join(" and ");
        format!("'{word}' is one word too many: '{called}' takes {takes}")
    }

    /// The words `8 8` or `8 x 8` at the beginning, as they were typed, and the board that they mean.
    fn board_in_pieces(&self) -> Option<(String, Board)> {
        let first = self.command().get_positionals().next()?;
        let words = self.plain();
        let in_pieces = value_name(first) == PLACE && words.first()?.parse::<Board>().is_err();
        let typed = (2..=3)
            .rev()
            .filter_map(|n| Some(words.get(..n)?.join(" ")));
        let mut boards = typed.filter_map(|typed| board_meant(&typed).map(|board| (typed, board)));
        boards.next().filter(|_| in_pieces)
    }

    /// The words of the command that are neither options nor their values.
    fn plain(&self) -> Vec<&'a str> {
        let command = self.command();
        let mut plain = Vec::new();
        let mut words = self.words.iter();
        while let Some(&word) = words.next() {
            if !is_option(word) {
                plain.push(word);
            } else if command.get_arguments().any(|arg| takes_next(arg, word)) {
                words.next();
            }
        }
        plain
    }

    /// The options that are given and that the command has.
    fn given(&self) -> Vec<String> {
        let longs = self.command().get_arguments().filter_map(Arg::get_long);
        let given = longs.map(|long| format!("--{long}")).filter(|option| {
            let is = |word: &&str| word.split('=').next() == Some(option);
            self.words.iter().any(is)
        });
        given.collect()
    }

    fn unknown_command(&self, word: &str) -> String {
        let command = self.command();
        let called = self.called();
        if self.path.len() == 1 && (word.parse::<Board>().is_ok() || board_meant(word).is_some()) {
            let board = board_meant(word).map_or_else(|| word.to_owned(), |b| b.to_string());
            return format!("'{word}' is not a command: did you mean 'hamcnf solve {board}'?");
        }
        let lower = word.to_lowercase();
        let names = || command.get_subcommands().map(Command::get_name);
        let synonym = synonym::COMMANDS
            .iter()
            .find_map(|(typed, name)| typed.contains(&&*lower).then_some(*name));
        let same = names().find(|name| *name == lower);
        let known = synonym.filter(|name| names().any(|other| other == *name));
        let meant = same.or(known).or_else(|| most_alike(&lower, names()));
        let words: Vec<_> = std::iter::once(called)
            .chain(
                self.plain()
                    .iter()
                    .take_while(|other| **other != word)
                    .map(|&w| w.to_owned()),
            )
            .collect();
        let called = words.join(" ");
        match meant {
            Some(name) => {
                format!("'{word}' is not a command: did you mean '{called} {name}'?")
            }
            None => format!(
                "'{word}' is not a command: there are {}",
                commands(command).join(", ")
            ),
        }
    }

    fn no_command(&self) -> String {
        let command = self.command();
        let (called, commands) = (self.called(), commands(command));
        let example = match commands.first() {
            Some(first) => {
                let words: Vec<_> = std::iter::once(called.as_str())
                    .chain(self.plain())
                    .chain([*first])
                    .collect();
                format!(", such as '{}'", words.join(" "))
            }
            None => String::new(),
        };
        format!("'{called}' needs one of {}{example}", commands.join(", "))
    }

    fn no_value(&self, argument: &str) -> String {
        let name = self.named(argument);
        let choices: Vec<_> = self.arg(argument).map_or_else(Vec::new, choices);
        if choices.is_empty() {
            let value = self.arg(argument).map_or_else(String::new, value_name);
            return format!("{name} needs a value: {name} {value}");
        }
        format!("{name} needs a value: there are {}", choices.join(", "))
    }

    /// A value that is none of those that there are.
    fn wrong_choice(&self, argument: &str, value: &str, valid: &[String]) -> String {
        let long = self.arg(argument).and_then(|arg| arg.get_long());
        let long = long.unwrap_or("value");
        let named = synonym::VALUES.iter().find(|(option, _)| *option == long);
        let noun = named.map_or(long, |(_, noun)| noun);
        let article = match noun.starts_with(['a', 'e', 'i', 'o', 'u']) {
            true => "an",
            false => "a",
        };
        let is_not = format!("'{value}' is not {article} {noun}");
        if long == "encoding" && self.command().has("method") && value.parse::<Method>().is_ok() {
            return format!("{is_not}: did you mean --method {value}?");
        }
        let all = valid.join(", ");
        match most_alike(&value.to_lowercase(), valid.iter().map(String::as_str)) {
            Some(meant) => format!("{is_not}: did you mean {meant}? There are {all}"),
            None => format!("{is_not}: there are {all}"),
        }
    }

    /// A value that its parser refuses.
    fn wrong_value(&self, argument: &str, value: &str, error: &Error) -> String {
        let name = self.named(argument);
        let Some(source) = error.source() else {
            return format!("{name} is '{value}', which it cannot be");
        };
        match source.downcast_ref() {
            Some(GraphSourceError::Neither { text, .. }) => return no_such_place(text),
            // With blanks in it a question may look like a graph of a family.
            Some(GraphSourceError::Family(_)) => {
                if let Some(meant) = question::meant(value, &Files::default()) {
                    return format!("'{value}' is no question: did you mean '{meant}'?");
                }
            }
            _ => {}
        }
        if source.is::<MustBe>() {
            return format!("{name} is '{value}': {source}");
        }
        if let Some(MethodError::Unknown { name, known }) = source.downcast_ref()
            && let Some(meant) = most_alike(&name.to_lowercase(), known.split(", "))
        {
            return format!("there is no method '{name}': did you mean {meant}?");
        }
        if source.is::<ParseIntError>() || source.is::<ParseBigIntError>() {
            return format!("{name} is '{value}': it must be a whole number from 0");
        }
        if source.is::<ParseFloatError>() {
            return format!("{name} is '{value}': it must be a number");
        }
        // The others name what they refuse.
        source.to_string()
    }

    /// What is said where a proof stands without its option.
    fn behind(&self, arguments: &[String]) -> String {
        const ENDINGS: [&str; 4] = ["cert", "drat", "lrat", "pbp"];
        let is_proof = |word: &&&str| {
            let ending = proof::ending(Path::new(word));
            ending.is_some_and(|ending| ENDINGS.contains(&ending.as_str()))
        };
        let wants = arguments.iter().any(|name| name.starts_with("--proof"));
        match self.plain().iter().find(is_proof).filter(|_| wants) {
            Some(file) => format!(": did you mean '{} --proof {file}'?", self.called()),
            None => String::new(),
        }
    }

    fn missing(&self, arguments: &[String]) -> String {
        let names: Vec<_> = arguments.iter().map(|name| self.named(name)).collect();
        let is_word = |name: &String| self.arg(name).is_some_and(Arg::is_positional);
        let names = names.join(" and ");
        if !arguments.iter().any(is_word) {
            // clap does not say which it is that needs them.
            return match self.given().as_slice() {
                [] => format!("{names} is missing{}", self.behind(arguments)),
                [only] => format!("{only} needs {names}"),
                several => format!("{names} is missing: one of {} needs it", several.join(", ")),
            };
        }
        // The number of queens is wanted by the command above.
        let whose = self.path.iter().enumerate().rev().find(|(_, command)| {
            let mut words = command.get_positionals().map(ToString::to_string);
            words.any(|word| arguments.contains(&word))
        });
        let called = match whose {
            Some((depth, _)) => {
                let names = self.path[1..=depth].iter().map(|c| c.get_name());
                let names: Vec<_> = std::iter::once("hamcnf").chain(names).collect();
                names.join(" ")
            }
            None => self.called(),
        };
        let example = match names.as_str() {
            PLACE => format!(", such as '{called} 8x8'"),
            "N" => {
                let rest = self.path.last().filter(|c| c.get_name() != "queens");
                let rest = rest.map_or("count", |c| c.get_name());
                format!(", how many queens, such as '{called} 8 {rest}'")
            }
            _ => String::new(),
        };
        format!("'{called}' needs {names}{example}")
    }

    fn conflict(&self, argument: &str, others: &[String]) -> String {
        let name = self.named(argument);
        let others: Vec<_> = others.iter().map(|other| self.named(other)).collect();
        match others.as_slice() {
            [] => format!("{name} cannot be given with the other options"),
            [other] if *other == name => format!("{name} is given twice"),
            others => format!("{name} cannot be given with {}", others.join(" and ")),
        }
    }

    /// The argument that clap calls so.
    fn arg(&self, called: &str) -> Option<&'a Arg> {
        let all = self
            .path
            .iter()
            .rev()
            .flat_map(|command| command.get_arguments());
        let mut all = all.filter(|arg| arg.to_string() == called);
        all.next()
    }

    /// Its name alone, without dashes for a word and without its value for an option.
    fn named(&self, called: &str) -> String {
        match self.arg(called) {
            Some(arg) => match arg.get_long() {
                Some(long) => format!("--{long}"),
                None => value_name(arg),
            },
            None => called.to_owned(),
        }
    }
}

/// What a command has.
trait Has {
    /// Whether it has an option of this long name.
    fn has(&self, long: &str) -> bool;
}

impl Has for Command {
    fn has(&self, long: &str) -> bool {
        let mut args = self.get_arguments();
        args.any(|arg| arg.get_long() == Some(long) && !arg.is_hide_set())
    }
}

/// Its subcommands, the help apart.
fn commands(command: &Command) -> Vec<&str> {
    let shown = command.get_subcommands().filter(|sub| !sub.is_hide_set());
    let names = shown.map(Command::get_name);
    names.filter(|name| *name != "help").collect()
}

fn is_option(word: &str) -> bool {
    word.len() > 1 && word.starts_with('-')
}

/// Whether this is the option, and the next word its value.
fn takes_next(arg: &Arg, word: &str) -> bool {
    let long = arg
        .get_long()
        .is_some_and(|long| word.strip_prefix("--") == Some(long));
    let short = arg
        .get_short()
        .is_some_and(|short| word == format!("-{short}"));
    (long || short) && matches!(arg.get_action(), ArgAction::Set | ArgAction::Append)
}

/// What its value is called in the usage.
fn value_name(arg: &Arg) -> String {
    let name = arg.get_value_names().and_then(<[_]>::first);
    name.map_or_else(
        || arg.get_id().to_string().to_uppercase(),
        ToString::to_string,
    )
}

/// The values that there are, if they are few.
fn choices(arg: &Arg) -> Vec<String> {
    let values = arg.get_possible_values().into_iter();
    values.map(|value| value.get_name().to_owned()).collect()
}

/// `: did you mean a, b or c?`, or nothing without any.
fn did_you_mean(suggested: &[String]) -> String {
    match suggested {
        [] => String::new(),
        [only] => format!(": did you mean {only}?"),
        [others @ .., last] => format!(": did you mean {} or {last}?", others.join(", ")),
    }
}

/// What is neither a board nor a file.
pub(crate) fn no_such_place(text: &str) -> String {
    if let Some(board) = board_meant(text) {
        return format!("'{text}' is not a board: did you mean {board}?");
    }
    if let Some(meant) = prefix_meant(text) {
        return format!("'{text}' is not there: did you mean {meant}?");
    }
    if let Some(meant) = question::meant(text, &Files::default()) {
        return format!("'{text}' is no question: did you mean '{meant}'?");
    }
    if let Some(file) = file_meant(Path::new(text)) {
        return format!(
            "'{text}' is neither a board such as 8x8 nor a file that is there: did you mean {file}?"
        );
    }
    if let Some(kind) = family_meant(text) {
        let (word, example) = (kind.word(), kind.example);
        return format!("'{text}' is not a graph: did you mean {word}, such as {example}?");
    }
    if let Some(word) = symbol_meant(text) {
        return format!("'{text}' is not a graph: did you mean {word}?");
    }
    if let Some(name) = family_named(text) {
        let names: Vec<_> = families::ALL.iter().map(|kind| kind.name).collect();
        let all = names.join(", ");
        return format!("there is no family '{name}', and no file '{text}'; there are {all}");
    }
    format!("'{text}' is neither a board such as 8x8 nor a file that is there")
}

/// The family that somebody asks for who writes a word, a colon and numbers, as families are written.
fn family_named(text: &str) -> Option<&str> {
    let (name, rest) = text.split_once(':')?;
    let is_word = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphabetic());
    let is_numbers = rest.starts_with(|c: char| c.is_ascii_digit());
    // A piece before a board is no family.
    let is_board = rest.parse::<Board>().is_ok();
    (is_word && is_numbers && !is_board).then_some(name)
}

/// The graph that somebody means who writes its symbol: `K5`, `C10`, `GP(7,2)`, `J5`.
fn symbol_meant(text: &str) -> Option<String> {
    let digits = text.find(|c: char| !c.is_ascii_alphabetic())?;
    let (symbol, rest) = text.split_at(digits);
    let (family, takes) = match symbol.to_ascii_uppercase().as_str() {
        "K" => ("complete", 1),
        "C" => ("cycle", 1),
        "GP" => ("petersen", 2),
        "J" => ("flower", 1),
        _ => return None,
    };
    let numbers = rest.trim_start_matches(['_', '(', '{']);
    let numbers = numbers.trim_end_matches([')', '}']).split(',');
    let numbers: Vec<&str> = numbers.map(str::trim).collect();
    let is_number = |text: &&str| !text.is_empty() && text.chars().all(|c| c.is_ascii_digit());
    let fits = numbers.len() == takes && numbers.iter().all(is_number);
    fits.then(|| format!("{family}:{}", numbers.join(":")))
}

/// The piece or the format that somebody means who misspells it before a board or a file that there is.
fn prefix_meant(text: &str) -> Option<String> {
    const LEAPER: &str = "leaper";
    let (wrong, rest) = text.split_once(':')?;
    let formats = Format::all().into_iter().map(Format::as_str);
    let right = most_alike(&wrong.to_lowercase(), formats.chain([LEAPER]))?;
    let meant = format!("{right}:{rest}");
    let is_there = match right {
        LEAPER => meant.parse::<Board>().is_ok(),
        _ => Path::new(rest).exists(),
    };
    is_there.then_some(meant)
}

/// The file that somebody means who misspells its name: the one beside it that is most like it.
fn file_meant(wrong: &Path) -> Option<String> {
    let name = wrong.file_name()?.to_str()?;
    let folder = wrong.parent().filter(|folder| *folder != Path::new(""));
    let there = fs::read_dir(folder.unwrap_or(Path::new("."))).ok()?;
    let names = there
        .flatten()
        .filter_map(|entry| entry.file_name().into_string().ok());
    // In a folder with many files the order is that of names.
    let mut names: Vec<String> = names.filter(|name| !name.starts_with('.')).collect();
    names.sort_unstable();
    // A short name is like many.
    let alike = most_alike(name, names.iter().map(String::as_str)).filter(|_| name.len() > 2)?;
    Some(match folder {
        Some(folder) => folder.join(alike).display().to_string(),
        None => alike.to_owned(),
    })
}

/// What the system said, where that is why something could not be read.
fn io_of<'e>(cause: &'e (dyn std::error::Error + 'static)) -> Option<&'e io::Error> {
    if let Some(SourceError::Io(error)) = cause.downcast_ref() {
        return Some(error);
    }
    if let Some(ExperimentError::Read { error, .. }) = cause.downcast_ref() {
        return Some(error);
    }
    if let Some(DataError::Read { error, .. }) = cause.downcast_ref() {
        return Some(error);
    }
    cause.downcast_ref()
}

/// What to add where a file that was named is not there: one that is beside it and alike.
pub(crate) fn not_there(error: &anyhow::Error, args: &[OsString]) -> Option<String> {
    let is_missing = |io: &io::Error| io.kind() == io::ErrorKind::NotFound;
    if !error.chain().filter_map(io_of).any(is_missing) {
        return None;
    }
    let words = args.iter().skip(1).filter_map(|arg| arg.to_str());
    let mut files = words.map(Path::new).filter(|word| {
        let is_name = word.extension().is_some() || word.components().count() > 1;
        is_name && !is_option(&word.to_string_lossy()) && !word.exists()
    });
    let meant = files.find_map(file_meant);
    meant.map(|file| format!("did you mean {file}?"))
}

/// The family that somebody means who writes its name alone, or one that is alike.
fn family_meant(text: &str) -> Option<&'static FamilyKind> {
    let name = text.split([':', ' ']).next().unwrap_or(text).to_lowercase();
    let names = |kind: &'static FamilyKind| kind.also.iter().chain([&kind.name]).copied();
    let known = || families::ALL.iter().flat_map(names);
    let meant = match known().find(|known| *known == name) {
        None => most_alike(&name, known().filter(|_| name.len() > 2)),
        same => same,
    }?;
    families::ALL
        .iter()
        .find(|&kind| names(kind).any(|known| known == meant))
}

/// The board that somebody means who writes `8`, `8*8`, `8,8`, `8 x 8` or `8 by 8`.
fn board_meant(text: &str) -> Option<Board> {
    let between = |c: char| " xX×*,;:/_-by".contains(c);
    let at_the_ends = text.starts_with(|c: char| c.is_ascii_digit())
        && text.ends_with(|c: char| c.is_ascii_digit());
    if !at_the_ends || !text.chars().all(|c| c.is_ascii_digit() || between(c)) {
        return None;
    }
    let numbers: Vec<_> = text
        .split(between)
        .filter(|digits| !digits.is_empty())
        .collect();
    let (rows, cols) = match numbers.as_slice() {
        [n] => (n, n),
        [rows, cols] => (rows, cols),
        _ => return None,
    };
    format!("{rows}x{cols}").parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn boards_are_known_by_what_people_write() {
        for text in [
            "8", "8*8", "8,8", "8 8", "8 x 8", "8×8", "8X8", "8 by 8", "8-8", "08:8",
        ] {
            let board = board_meant(text);
            assert_eq!(
                board.map(|b| b.to_string()).as_deref(),
                Some("8x8"),
                "{text}"
            );
        }
        for text in [
            "",
            "x",
            "8x",
            "-8",
            "8x8x8",
            "graph2.col",
            "a8",
            "0",
            "99999x99999",
        ] {
            assert_eq!(board_meant(text), None, "{text}");
        }
    }

    /// All commands under this one, itself included.
    fn all(command: &Command) -> Vec<&Command> {
        let below = command.get_subcommands().flat_map(all);
        std::iter::once(command).chain(below).collect()
    }

    #[test]
    fn every_synonym_is_of_something_that_there_is() {
        let root = super::super::Cli::command();
        let commands = all(&root);
        let is_there = |option: &str| commands.iter().any(|command| command.has(option));
        for synonym in synonym::OPTIONS {
            for meant in synonym.options {
                assert!(is_there(meant.option), "{}", meant.option);
                let of = |of: &str| {
                    commands
                        .iter()
                        .any(|c| c.get_name() == of && c.has(meant.option))
                };
                assert!(meant.of.is_none_or(of), "{}", meant.option);
            }
            if let Some(Remark {
                of: Which::WithOption(option),
                ..
            }) = synonym.otherwise
            {
                assert!(is_there(option), "{option}");
            }
        }
        for (_, name) in synonym::COMMANDS {
            assert!(root.find_subcommand(name).is_some(), "{name}");
        }
        for (option, _) in synonym::VALUES {
            assert!(is_there(option), "{option}");
        }
    }
}
