//! Plain language: docs begin with a noun or a verb, and sentences for users are short.

use std::fs;
use std::path::{Path, PathBuf};

use super::command::run;

/// Words that docs must not begin with. They introduce clauses that are used as nouns.
const CLAUSES: [&str; 15] = [
    "What", "That", "Whether", "Which", "Who", "Whose", "Where", "How", "So", "It", "Those", "They", "All that",
    "The same", "Why",
];

/// Maximum number of words in a sentence for users.
const LONGEST: usize = 40;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns all Rust files below the given folders of the repository.
fn sources(folders: &[&str]) -> Vec<PathBuf> {
    let mut left: Vec<_> = folders.iter().map(|folder| root().join(folder)).collect();
    let mut found = Vec::new();
    while let Some(path) = left.pop() {
        if path.is_dir() {
            let entries = fs::read_dir(&path).unwrap();
            left.extend(entries.map(|entry| entry.unwrap().path()));
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
    found
}

/// Returns the first line of each doc block in a source, with its line number.
fn doc_blocks(source: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut before = "";
    let lines = (1..).zip(source.lines().map(str::trim_start));
    lines.filter_map(move |(number, line)| {
        let mark = line.get(..3).filter(|mark| ["///", "//!"].contains(mark));
        let first = mark.filter(|mark| !before.starts_with(*mark));
        before = line;
        first.map(|_| (number, line[3..].trim()))
    })
}

#[test]
fn docs_begin_with_a_noun_or_a_verb() {
    let begins = |doc: &str, word: &str| {
        let rest = doc.strip_prefix(word);
        rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '\''))
    };
    let mut wrong = Vec::new();
    for file in sources(&["src", "crates", "encodings", "python/src"]) {
        let source = fs::read_to_string(&file).unwrap();
        let name = file.strip_prefix(root()).unwrap().display();
        for (line, doc) in doc_blocks(&source) {
            if CLAUSES.iter().any(|word| begins(doc, word)) {
                wrong.push(format!("{name}:{line}: {doc}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Returns the sentences of a text that have too many words. Code, tables and headings are not sentences.
fn long_sentences(text: &str) -> Vec<String> {
    let mut prose = String::new();
    let mut in_code = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            in_code = !in_code;
        } else if in_code || line.starts_with(['|', '#']) || line.trim().is_empty() {
            prose.push_str(".\n");
        } else {
            let item = line.trim_start().starts_with("- ");
            prose.push_str(if item { ".\n" } else { " " });
            prose.push_str(line.trim());
        }
    }
    let sentences = prose.split_inclusive(['.', ':', ';', '\n']);
    let mut sentence = String::new();
    let mut long = Vec::new();
    for part in sentences {
        sentence.push_str(part);
        // A point within a word, as in `8x8.cnf`, does not end a sentence.
        if prose_goes_on(&prose, part) {
            continue;
        }
        if sentence.split_whitespace().count() > LONGEST {
            long.push(sentence.trim().to_owned());
        }
        sentence.clear();
    }
    long
}

/// True if `part` ends within a word of `prose`. `part` is a slice of `prose`.
fn prose_goes_on(prose: &str, part: &str) -> bool {
    let end = part.as_ptr() as usize - prose.as_ptr() as usize + part.len();
    let next = prose[end..].chars().next();
    next.is_some_and(|next| !next.is_whitespace())
}

#[test]
fn sentences_for_users_are_short() {
    let mut wrong = Vec::new();
    let mut texts = vec![root().join("README.md")];
    let guide = fs::read_dir(root().join("scripts/pages/guide")).unwrap();
    texts.extend(guide.map(|page| page.unwrap().path()));
    for file in texts {
        let name = file.strip_prefix(root()).unwrap().display();
        let long = long_sentences(&fs::read_to_string(&file).unwrap());
        wrong.extend(long.iter().map(|sentence| format!("{name}: {sentence}")));
    }
    let commands = run("--help").text(0);
    let commands = commands
        .split_once("\nOptions:\n")
        .map_or("", |(list, _)| list)
        .lines()
        .filter_map(|line| line.strip_prefix("  ")?.split(' ').next())
        .filter(|name| !name.is_empty() && *name != "help");
    for command in commands {
        let help = run(&format!("{command} --help")).text(0);
        let description = help.split("\nUsage:").next().unwrap();
        let long = long_sentences(description);
        wrong.extend(long.iter().map(|sentence| format!("{command}: {sentence}")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn long_sentences_are_found() {
    let words = |n: usize| vec!["word"; n].join(" ");
    assert!(long_sentences(&format!("{}. See 8x8.cnf.", words(40))).is_empty());
    assert_eq!(long_sentences(&format!("{}.", words(41))).len(), 1);
    assert_eq!(long_sentences(&format!("{}8x8.cnf {}.", words(20), words(21))).len(), 1);
    assert!(long_sentences(&format!("```\n{}\n```\n", words(50))).is_empty());
    let docs: Vec<_> = doc_blocks("//! A\n//! b\n\n/// C\n/// d\nfn f() {}\n    /// E\n").collect();
    assert_eq!(docs, [(1, "A"), (4, "C"), (7, "E")]);
}
