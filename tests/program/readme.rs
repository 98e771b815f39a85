//! Examples in README, pasted as one block: each command does what its comment says. Commands may use files that
//! earlier commands wrote.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::command::*;

/// Returns the first block of shell commands under a heading.
fn block(readme: &str, heading: &str) -> String {
    let section = readme.split(&format!("\n{heading}\n")).nth(1).unwrap();
    let block = section.split("```sh\n").nth(1).unwrap();
    block.split("```").next().unwrap().to_owned()
}

#[test]
fn the_examples_can_be_pasted() {
    let readme = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap();
    let commands = block(&readme, "## Quick start");
    let folder = Place::new();
    // The script contains the block, and records the exit code of each line.
    let script: String = commands.lines().map(|line| format!("{line}\nprintf '%s\\n' \"$?\" >> codes\n")).collect();
    let program = Path::new(env!("CARGO_BIN_EXE_hamcnf"));
    let path = std::env::var("PATH").unwrap();
    let output = Command::new("bash")
        .args(["-c", &script])
        .current_dir(folder.dir())
        .env("PATH", format!("{}:{path}", program.parent().unwrap().display()))
        .stdin(Stdio::null())
        .ended();
    let stderr = output.err();
    let codes = folder.read("codes");
    assert_eq!(codes.lines().count(), commands.lines().count(), "{stderr}");
    for (line, code) in commands.lines().zip(codes.lines()) {
        let command = line.split('#').next().unwrap().trim_end();
        let piped = command.contains('|');
        let expected = match command.split(' ').nth(1).unwrap() {
            "solve" if line.contains("# there is none") || line.contains("# exit code 20") => "20",
            "solve" if command.ends_with("--explain") => "0",
            "solve" | "tour" | "decode" if !piped => "10",
            _ => "0",
        };
        assert_eq!(code, expected, "{command}\n{stderr}");
        // If the comment contains a count, the command must print the same number.
        for number in line.split([' ', ':', ';']).filter(|word| word.len() > 3) {
            if number.bytes().all(|b| b.is_ascii_digit()) && command.contains("count") {
                output.and(number);
            }
        }
    }
    assert!(!stderr.contains("hamcnf: "), "{stderr}");
    for file in ["tour.json", "tour.png", "8x8.cnf", "6x6.cnf", "9x9.cert"] {
        assert!(folder.path(file).metadata().unwrap().len() > 100, "{file}");
    }
}
