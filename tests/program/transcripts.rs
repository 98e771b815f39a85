//! Transcripts in `transcripts/`: command lines, each with its exit code and with checks of what it prints. Without checks,
//! a transcript is a list of command lines that work; `before.txt` has those of earlier versions.
//!
//! ```text
//! # A comment.
//! === A title           The commands below run in a new folder, where they find no other programs than `hamcnf`.
//! file NAME             Writes a file, whose lines are the indented lines below.
//! [CODE] COMMAND        Runs `hamcnf`, or a line of a shell (`$ROOT` is this repository).
//! [CODE] | COMMAND      Runs a command on the standard output of the last command without `|`.
//!     + TEXT            Standard output contains the text.
//!     - TEXT            Standard output does not contain the text.
//!     ^ TEXT            Standard output begins with the text.
//!     $ TEXT            Standard output ends with the text, before its last line end.
//!     = TEXT            Standard output is this line. Several such checks are the lines of the output.
//!     3x TEXT           Standard output contains the text three times.
//!     12 lines          Standard output has 12 lines.
//!     /A/0 JSON         The JSON on standard output has this value here. `null` also stands for none, `…` for any value,
//!                       and another place for the value there.
//!     !+ TEXT           A check of standard error, with any of the marks above. `!=` alone: nothing is printed.
//! ```
//!
//! A command with exit code 2 must print nothing on standard output, and one line on standard error. Its checks are
//! about that line without `hamcnf: `. A line with `{a,b}` stands for one line with `a` and one with `b`. In texts, `␤`
//! is a line end, `␠` a space, `␍` a carriage return and `␛` an escape character.
//! `HAMCNF_UPDATE=1 cargo test --test program transcripts::` writes the lines of `=` checks anew.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::Value;

use crate::command::*;

macro_rules! transcripts {
    ($($name:ident)*) => {
        const FILES: &[&str] = &[$(concat!(stringify!($name), ".txt")),*];
        $(
            #[test]
            fn $name() {
                replay(concat!(stringify!($name), ".txt"));
            }
        )*
    };
}

transcripts! {
    answers before certificates circuits cli constraints costs encodings experiments filter formats generator interchange listing obstructions
    output_files pieces proofs render streams tour words
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/program/transcripts")
}

#[test]
fn all_files_are_replayed() {
    assert_eq!(names(&folder()), FILES);
}

/// Lines of `=` checks that are other ones now, by the number of the first line and the number of lines.
type Anew = BTreeMap<(usize, usize), String>;

fn replay(file: &str) {
    let text = fs::read_to_string(folder().join(file)).unwrap();
    let lines: Vec<_> =
        (1..).zip(text.lines()).filter(|(_, line)| !line.is_empty() && !line.starts_with('#')).collect();
    let transcripts: Vec<_> = lines.chunk_by(|_, (_, next)| !next.starts_with("===")).collect();
    let (failed, anew) = (AtomicU32::new(0), Mutex::new(Anew::new()));
    each(&transcripts, |lines| replay_one(file, lines, &failed, &anew));
    let mut lines: Vec<_> = text.split_inclusive('\n').map(str::to_owned).collect();
    for ((first, number), new) in anew.into_inner().unwrap().into_iter().rev() {
        lines.splice(first - 1..first - 1 + number, [new]);
    }
    if env::var_os("HAMCNF_UPDATE").is_some() {
        fs::write(folder().join(file), lines.concat()).unwrap();
    }
    assert_eq!(failed.into_inner(), 0, "commands failed in {file}");
}

fn replay_one(file: &str, lines: &[(usize, &str)], failed: &AtomicU32, anew: &Mutex<Anew>) {
    let place = Place::new();
    let mut outputs = vec![Vec::new()];
    for step in lines.chunk_by(|_, (_, next)| next.starts_with("    ")) {
        let (number, line) = step[0];
        let unshown =
            |text: &str| SHOWN.iter().fold(text.to_owned(), |text, (shown, meant)| text.replace(*shown, meant));
        let below: Vec<_> = step[1..].iter().map(|(_, line)| unshown(&line[4..])).collect();
        if let Some(name) = line.strip_prefix("file ") {
            let lines = below.iter().map(|line| format!("{line}\n"));
            place.write(name, lines.collect::<String>());
        } else if !line.starts_with("===") {
            let (code, command) = line.strip_prefix('[').and_then(|line| line.split_once("] ")).expect(line);
            let run = |command: &str, input: &[u8]| {
                let ended = place.line(command).fed(input).called(format!("{file}:{number}: {command}"));
                // The commands after a failed one run, too, so that a test names all of them.
                let is_update = env::var_os("HAMCNF_UPDATE").is_some();
                let checks = || check(&ended, code.parse().expect(line), &below, is_update);
                let checked = catch_unwind(AssertUnwindSafe(checks));
                match checked {
                    Ok(new) => {
                        let new = new.into_iter().map(|((at, lines), new)| ((number + 1 + at, lines), new));
                        anew.lock().unwrap().extend(new);
                    }
                    Err(_) => _ = failed.fetch_add(1, Ordering::Relaxed),
                }
                ended.bytes().to_owned()
            };
            match command.strip_prefix("| ") {
                Some(command) => outputs.iter().for_each(|output| _ = run(command, output)),
                None => outputs = alternatives(command).iter().map(|command| run(command, b"")).collect(),
            }
        }
    }
}

/// Characters that stand for others in texts.
const SHOWN: [(char, &str); 4] = [('␤', "\n"), ('␠', " "), ('␍', "\r"), ('␛', "\u{1b}")];

/// Returns the lines with which `=` checks show a text.
fn shown(mark: &str, text: &str) -> String {
    let line = |line: &str| {
        let line = line.replace('\r', "␍").replace('\u{1b}', "␛");
        let line = line.strip_suffix(' ').map_or(line.clone(), |line| format!("{line}␠"));
        format!("    {mark} {line}").trim_end().to_owned() + "\n"
    };
    text.split('\n').map(line).collect()
}

/// Returns the command lines that a line with `{a,b}` stands for. A group of a shell has a space on both sides of `{`.
fn alternatives(line: &str) -> Vec<String> {
    let braces = line.match_indices('{').find_map(|(at, _)| {
        let (before, (words, behind)) = (&line[..at], line[at + 1..].split_once('}')?);
        let is_group = words.starts_with(' ') && (before.is_empty() || before.ends_with(' '));
        (words.contains(',') && !is_group).then_some((before, words, behind))
    });
    let Some((before, words, behind)) = braces else {
        return vec![line.to_owned()];
    };
    words.split(',').flat_map(|word| alternatives(&format!("{before}{word}{behind}"))).collect()
}

/// Checks a run. If the files are to be updated, returns the new lines of `=` checks that do not hold.
fn check(ended: &Ended, code: i32, checks: &[String], is_update: bool) -> Anew {
    ended.exits(code);
    let (out, err) = (if code == 2 { ended.refused() } else { ended.out() }, ended.err());
    let mark = |check: &str| check.split(' ').next().unwrap_or_default().to_owned();
    let (mut at, mut anew) = (0, Anew::new());
    for checks in checks.chunk_by(|one, next| mark(one).ends_with('=') && mark(one) == mark(next)) {
        let mark = mark(&checks[0]);
        let texts: Vec<_> =
            checks.iter().map(|check| check[mark.len()..].strip_prefix(' ').unwrap_or_default()).collect();
        let text = texts.join("\n");
        let (printed, kind) = mark.strip_prefix('!').map_or((&out, mark.as_str()), |kind| (&err, kind));
        let ended_line = printed.strip_suffix('\n').unwrap_or(printed);
        let holds = match kind {
            "+" => printed.contains(&text),
            "-" => !printed.contains(&text),
            "^" => printed.starts_with(&text),
            "$" => ended_line.ends_with(&text),
            "=" => ended_line == text,
            _ if kind.starts_with('/') => has(printed, kind, &text),
            _ => match kind.strip_suffix('x').unwrap_or(kind).parse::<usize>() {
                Ok(number) if kind.ends_with('x') => printed.matches(&text).count() == number,
                Ok(number) if text == "lines" => printed.lines().count() == number,
                _ => panic!("unknown check: {}", checks[0]),
            },
        };
        if !holds && kind == "=" && is_update {
            anew.insert((at, checks.len()), shown(&mark, ended_line));
        } else {
            ended.check(holds, &checks.join("\n"));
        }
        at += checks.len();
    }
    anew
}

/// Returns true if a text of JSON has this value at this place. Several lines of JSON are read as a list.
fn has(text: &str, place: &str, expected: &str) -> bool {
    let lines = || text.lines().map(serde_json::from_str).collect::<Result<_, _>>();
    let all: Value = serde_json::from_str(text).or_else(|_| lines().map(Value::Array)).expect(text);
    let value = all.pointer(place).unwrap_or(&Value::Null);
    match expected {
        "…" => !value.is_null(),
        place if place.starts_with('/') => Some(value) == all.pointer(place),
        _ => *value == serde_json::from_str::<Value>(expected).expect(expected),
    }
}

#[test]
fn what_a_transcript_does_not_say_fails() {
    let ended = Place::new().line("echo '{\"a\": [1]}'; echo b >&2").ended();
    let holds = |code, checks: &[&str]| {
        let checks: Vec<_> = checks.iter().map(|&check| check.to_owned()).collect();
        catch_unwind(AssertUnwindSafe(|| check(&ended, code, &checks, false))).is_ok()
    };
    for right in ["+ 1", "- 2", "^ {", "$ }", "= {\"a\": [1]}", "1x a", "1 lines", "/a/0 1", "/a …", "/b null", "!= b"]
    {
        assert!(holds(0, &[right]), "{right}");
    }
    for wrong in ["+ 2", "- 1", "^ }", "$ {", "= {", "2x a", "2 lines", "/a/0 2", "/b …", "/a null", "!=", "a check"]
    {
        assert!(!holds(0, &[wrong]), "{wrong}");
    }
    assert!(!holds(1, &[]) && !holds(0, &["= {\"a\": [1]}", "= b"]));
    assert_eq!(
        alternatives("{ a; } {} {b,c} d{, e}"),
        ["{ a; } {} b d", "{ a; } {} b d e", "{ a; } {} c d", "{ a; } {} c d e"]
    );
    assert_eq!(alternatives("{ a, b; }"), ["{ a, b; }"]);
    assert_eq!(shown("!=", "a \r\n\n b "), "    != a ␍\n    !=\n    !=  b␠\n");
}
