//! Older spellings of commands. They are rewritten before the arguments are parsed, so help shows only the new ones:
//!
//! ```text
//! hamcnf tour 8x8 --order article --node-limit 9    hamcnf solve 8x8 --method warnsdorff+order=article+ties=order+nodes=9
//! hamcnf sample-tour 6x6 --number 3 --list          hamcnf list 6x6 --random 3
//! hamcnf queens 8 count                             hamcnf count '8 queens'
//! hamcnf merge sizes.toml                           hamcnf run --merge sizes.toml
//! ```

use std::ffi::OsString;
use std::iter;

/// Options of `hamcnf tour`, and the settings of the method that replace them.
const OF_TOUR: [(&str, &str); 4] =
    [("--order", "order"), ("--ties", "ties"), ("--restart-limit", "restarts"), ("--node-limit", "nodes")];

/// Returns the arguments, which begin with the program's name, in the present spelling.
pub(super) fn present(mut args: Vec<OsString>) -> Vec<OsString> {
    let mut words = (1..args.len()).filter(|&k| !args[k].to_string_lossy().starts_with('-'));
    let (Some(mut at), next) = (words.next(), words.next()) else {
        return args;
    };
    let is_help = args[at] == "help" || args[at] == "man";
    // `hamcnf help --help` shows the same as `hamcnf help`.
    if args[at] == "help" && args.get(at + 1..).is_some_and(|rest| rest == ["--help"] || rest == ["-h"]) {
        args.pop();
    }
    if let (true, Some(next)) = (is_help, next) {
        at = next;
    }
    type Rewrite = fn(Vec<OsString>) -> Vec<OsString>;
    let (command, rewrite): (&str, Rewrite) = match args[at].to_str() {
        Some("tour") => ("solve", searched),
        Some("sample-tour") => ("list", sampled),
        Some("queens") => ("solve", placed),
        Some("merge") => ("run", merged),
        _ => return args,
    };
    let behind = args.split_off(at + 1);
    args.pop();
    let present = match behind.first() {
        // Help and manual of `queens count` are those of `count`.
        Some(word) if is_help && command == "solve" && !word.to_string_lossy().starts_with('-') => behind,
        _ if is_help => iter::once(command.into()).chain(behind).collect(),
        _ => rewrite(behind),
    };
    args.extend(present);
    args
}

/// Splits an argument such as `--order=article` into the option and its value.
fn split(arg: &OsString) -> (String, Option<String>) {
    let word = arg.to_string_lossy();
    match word.split_once('=') {
        Some((option, value)) if word.starts_with("--") => (option.to_owned(), Some(value.to_owned())),
        _ => (word.into_owned(), None),
    }
}

/// Returns `solve` and its arguments for those of `hamcnf tour`.
fn searched(args: Vec<OsString>) -> Vec<OsString> {
    let (mut others, mut method, mut settings) = (Vec::new(), "warnsdorff".to_owned(), String::new());
    let mut args = args.into_iter();
    while let Some(arg) = args.next() {
        let (option, value) = split(&arg);
        let setting = OF_TOUR.iter().find(|(name, _)| *name == option);
        match setting {
            None if option == "--no-rotations" => settings += "+rotations=no",
            None if option != "--method" => others.push(arg),
            _ => {
                let Some(value) = value.or_else(|| Some(args.next()?.to_string_lossy().into_owned())) else {
                    // The parser names the missing value.
                    others.push(option.into());
                    continue;
                };
                match setting {
                    Some((_, name)) => settings += &format!("+{name}={value}"),
                    None => method = value,
                }
            }
        }
    }
    // An order that the user gives also breaks ties.
    if method == "warnsdorff" && settings.contains("+order=") && !settings.contains("+ties=") {
        settings += "+ties=order";
    }
    others.splice(0..0, ["solve".into(), format!("--method={method}{settings}").into()]);
    others
}

/// Returns `list` and its arguments for those of `hamcnf sample-tour`.
fn sampled(args: Vec<OsString>) -> Vec<OsString> {
    let mut is_numbered = false;
    let mut is_drawn = true;
    let mut all: Vec<OsString> = Vec::new();
    for arg in args {
        let (option, value) = match arg.to_str().and_then(|arg| arg.strip_prefix("-n")) {
            Some(number) if !number.is_empty() => ("-n".to_owned(), Some(number.to_owned())),
            _ => split(&arg),
        };
        let renamed = match option.as_str() {
            "--number" | "-n" => "--random",
            "--rank" => "--from-rank",
            "--list" | "--json" | "--help" | "-h" => {
                is_drawn = false;
                if option != "--list" {
                    all.push(arg);
                }
                continue;
            }
            _ => {
                all.push(arg);
                continue;
            }
        };
        is_numbered = true;
        all.push(value.map_or(renamed.to_owned(), |value| format!("{renamed}={value}")).into());
        if renamed == "--from-rank" {
            all.splice(0..0, ["--limit=1".into()]);
        }
    }
    let more = [(true, "list"), (!is_numbered, "--random=1"), (is_drawn, "--format=board")];
    all.splice(0..0, more.iter().filter(|(is, _)| *is).map(|(_, word)| word.into()));
    all
}

/// Returns `run --merge` and the arguments of `hamcnf merge`.
fn merged(args: Vec<OsString>) -> Vec<OsString> {
    ["run".into(), "--merge".into()].into_iter().chain(args).collect()
}

/// Returns `ACTION 'N queens'` and its arguments for those of `hamcnf queens N ACTION`.
fn placed(args: Vec<OsString>) -> Vec<OsString> {
    let (words, options): (Vec<_>, Vec<_>) = {
        let is_word = |arg: &OsString| !arg.to_string_lossy().starts_with('-');
        let mut seen = 0;
        args.into_iter().partition(|arg| {
            seen += u8::from(is_word(arg));
            is_word(arg) && seen <= 2
        })
    };
    let is_number = |word: &OsString| word.to_string_lossy().bytes().all(|byte| byte.is_ascii_digit());
    let mut all = match words.as_slice() {
        [action, n] | [n, action] if is_number(n) => {
            vec![action.clone(), format!("{} queens", n.to_string_lossy()).into()]
        }
        [n] if is_number(n) => vec!["solve".into(), format!("{} queens", n.to_string_lossy()).into()],
        _ => iter::once("solve".into()).chain(words).collect(),
    };
    all.extend(options.into_iter().map(|arg| match split(&arg) {
        (option, value) if option == "--first" => {
            value.map_or("--limit".to_owned(), |value| format!("--limit={value}")).into()
        }
        (option, None) if option == "--squares" => "--format=squares".into(),
        _ => arg,
    }));
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_of_a_search_become_settings() {
        for (typed, meant) in [
            ("tour 8x8", "solve --method=warnsdorff 8x8"),
            ("-q tour 8x8 --open --json", "-q solve --method=warnsdorff 8x8 --open --json"),
            ("tour --method=backtrack --node-limit 9 8x8", "solve --method=backtrack+nodes=9 8x8"),
            ("tour 8x8 --order article", "solve --method=warnsdorff+order=article+ties=order 8x8"),
            ("tour 8x8 --order graph --ties roth", "solve --method=warnsdorff+order=graph+ties=roth 8x8"),
            ("tour 8x8 --no-rotations --restart-limit=0", "solve --method=warnsdorff+rotations=no+restarts=0 8x8"),
            ("tour 8x8 --ties", "solve --method=warnsdorff 8x8 --ties"),
            ("help tour", "help solve"),
            ("sample-tour 6x6", "list --random=1 --format=board 6x6"),
            ("sample-tour 6x6 --number 3 --list --seed 7", "list 6x6 --random 3 --seed 7"),
            ("sample-tour 6x6 -n5 --list", "list 6x6 --random=5"),
            ("sample-tour 6x6 --rank=9 --json", "list --limit=1 6x6 --from-rank=9 --json"),
            ("help sample-tour", "help list"),
            ("man queens count", "man count"),
            ("man tour", "man solve"),
            ("queens 8 count --threads 2", "count 8\u{a0}queens --threads 2"),
            ("-q queens 8 list --first 3 --squares", "-q list 8\u{a0}queens --limit 3 --format=squares"),
            ("queens 8", "solve 8\u{a0}queens"),
            ("queens solve 8", "solve 8\u{a0}queens"),
            ("queens 8 decode --at-most-one ladder x", "decode 8\u{a0}queens --at-most-one ladder x"),
            ("tour --help", "solve --method=warnsdorff --help"),
            ("merge a.toml --fresh", "run --merge a.toml --fresh"),
            ("help merge", "help run"),
            ("solve tour", "solve tour"),
            ("show tour --order 3", "show tour --order 3"),
        ] {
            let words = |text: &str| -> Vec<OsString> {
                let all = ["hamcnf"].into_iter().chain(text.split(' '));
                all.map(|word| word.replace('\u{a0}', " ").into()).collect()
            };
            assert_eq!(present(words(typed)), words(meant), "{typed}");
        }
    }
}
