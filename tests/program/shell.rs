//! Integration with shells: completions, tested in bash; manual pages and their installation script; the message
//! without arguments.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::command::*;

const HAMCNF: &str = env!("CARGO_BIN_EXE_hamcnf");

fn is_there(program: &str) -> bool {
    let found = format!("command -v {program} >/dev/null");
    let there = Command::new("sh").args(["-c", &found]).status();
    let there = there.is_ok_and(|status| status.success());
    if !there {
        eprintln!("skipped: there is no {program}");
    }
    there
}

/// Returns the completions that bash offers for a line. `words` are the words into which bash splits the line; the
/// cursor is at the end of the last word.
fn completed(folder: &Path, script: &Path, line: &str, words: &[&str]) -> Vec<String> {
    let driver = r#"
        source "$1"; hamcnf=$2 COMP_LINE=$3; shift 3
        COMP_POINT=${#COMP_LINE} COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
        cur=${COMP_WORDS[COMP_CWORD]}
        [[ $cur == [:=] ]] && cur=
        _hamcnf "$hamcnf" "$cur" previous
        printf '%s\n' "${COMPREPLY[@]}"
    "#;
    let output = Command::new("bash")
        .args(["--norc", "-c", driver, "bash"])
        .arg(script)
        .args([HAMCNF, line])
        .args(words)
        .current_dir(folder)
        .ended();
    output.notes_only("");
    let said = output.text(0);
    said.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect()
}

#[test]
fn bash_completes_commands_values_and_files() {
    if !is_there("bash") {
        return;
    }
    let folder = Place::new();
    let script = folder.path("hamcnf.bash");
    fs::write(&script, run("completions bash").out()).unwrap();
    folder.write("mine.col", "p edge 3 0\n");
    for (line, words, all) in [
        ("hamcnf sol", &["hamcnf", "sol"][..], &["solve"][..]),
        ("hamcnf encode 8x8 -e bin", &["hamcnf", "encode", "8x8", "-e", "bin"], &["binary"]),
        (
            "hamcnf encode 8x8 -e binary+windows=f",
            &["hamcnf", "encode", "8x8", "-e", "binary+windows", "=", "f"],
            &["full"],
        ),
        (
            "hamcnf encode 8x8 -e binary+windows=",
            &["hamcnf", "encode", "8x8", "-e", "binary+windows", "="],
            &["none", "as-published", "full"],
        ),
        ("hamcnf encode 8x8 --encoding=una", &["hamcnf", "encode", "8x8", "--encoding", "=", "una"], &["unary"]),
        ("hamcnf sizes 8x8 -e direct,una", &["hamcnf", "sizes", "8x8", "-e", "direct,una"], &["direct,unary"]),
        ("hamcnf solve cub", &["hamcnf", "solve", "cub"], &["cubic:"]),
        ("hamcnf solve bip", &["hamcnf", "solve", "bip"], &["bipartite:"]),
        ("hamcnf solve cubic:20:1+no", &["hamcnf", "solve", "cubic", ":", "20", ":", "1+no"], &["1+no-cycle"]),
        ("hamcnf solve min", &["hamcnf", "solve", "min"], &["mindeg2:", "mine.col"]),
        ("hamcnf solve edges:mi", &["hamcnf", "solve", "edges", ":", "mi"], &["mine.col"]),
        ("hamcnf graph 8x8 --to ts", &["hamcnf", "graph", "8x8", "--to", "ts"], &["tsplib"]),
        ("hamcnf graph 8x8 -o mi", &["hamcnf", "graph", "8x8", "-o", "mi"], &["mine.col"]),
        ("hamcnf solve 8x8 --method laz", &["hamcnf", "solve", "8x8", "--method", "laz"], &["lazy"]),
        ("hamcnf solve 8x8 --time", &["hamcnf", "solve", "8x8", "--time"], &["--time-limit"]),
        ("hamcnf man com", &["hamcnf", "man", "com"], &["compare", "completions"]),
        ("hamcnf completions fi", &["hamcnf", "completions", "fi"], &["fish"]),
        ("hamcnf solve nothing-like-it", &["hamcnf", "solve", "nothing-like-it"], &[]),
    ] {
        assert_eq!(completed(folder.dir(), &script, line, words), all, "{line}");
    }
    // For an empty word, bash offers everything that can follow.
    let all = completed(folder.dir(), &script, "hamcnf ", &["hamcnf", ""]);
    for command in ["solve", "encode", "benchmark", "man"] {
        assert!(all.iter().any(|word| word == command), "{all:?}");
    }
    assert!(!all.iter().any(|word| word == "work"), "{all:?}");
}

#[test]
fn zsh_and_fish_ask_the_same_program() {
    run("completions zsh").begins(0, "#compdef hamcnf").and("HAMCNF_COMPLETE=\"zsh\"");
    let fish = run("completions fish").text(0);
    assert!(fish.contains("--command hamcnf") && fish.contains("HAMCNF_COMPLETE=fish"), "{fish}");
    let asked = |shell: &str, words: &[&str]| {
        let mut command = Command::new(HAMCNF);
        command.env("HAMCNF_COMPLETE", shell).env("_CLAP_COMPLETE_INDEX", (words.len() - 1).to_string());
        command.arg("--").args(words).ended().out()
    };
    for shell in ["zsh", "fish"] {
        let said = asked(shell, &["hamcnf", "encode", "8x8", "-e", "successor+par"]);
        assert!(said.contains("successor+parity=on"), "{shell}: {said}");
    }
    // The variable `HAMCNF_COMPLETE` has no effect if its value is not a shell.
    let mut command = Command::new(HAMCNF);
    let output = command.env("HAMCNF_COMPLETE", "nobody").arg("encodings").ended();
    output.begins(0, "Bases");
    if is_there("fish") {
        let folder = Place::new();
        std::os::unix::fs::symlink(HAMCNF, folder.path("hamcnf")).unwrap();
        let path = format!("{}:{}", folder.dir().display(), std::env::var("PATH").unwrap());
        let script = "hamcnf completions fish | source; complete -C 'hamcnf encode 8x8 -e unar'";
        let mut fish = Command::new("fish");
        let output = fish.args(["--no-config", "-c", script]).env("PATH", path).ended();
        output.begins(0, "unary\t");
    }
}

/// Returns the manual pages in a folder.
fn pages(folder: &Path) -> Vec<PathBuf> {
    let mut pages: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    pages.sort();
    pages
}

#[test]
fn every_command_has_a_page_that_man_renders() {
    let folder = Place::new();
    let there = folder.path("share/man1");
    run(&format!("man -o {}", there.display())).exits(0);
    let all = pages(&there);
    let names: Vec<_> = all.iter().map(|page| page.file_name().unwrap().to_str().unwrap()).collect();
    for name in ["hamcnf.1", "hamcnf-solve.1", "hamcnf-benchmark.1"] {
        assert!(names.contains(&name), "{names:?}");
    }
    assert!(!names.iter().any(|name| name.contains("work") || name.contains("help")), "{names:?}");
    for (args, name) in [("man", "hamcnf.1"), ("man solve", "hamcnf-solve.1")] {
        run(args).prints(0, fs::read_to_string(there.join(name)).unwrap());
    }
    let solve = fs::read_to_string(there.join("hamcnf-solve.1")).unwrap();
    assert!(solve.contains("\nhamcnf\\-solve \\- Find a tour, or prove that there is none\n"), "{solve}");
    for page in &all {
        if is_there("man") {
            let mut man = Command::new("man");
            man.args(["--warnings", "-E", "UTF-8", "-l"]).arg(page);
            let output = man.env("LC_ALL", "C.UTF-8").env("MANWIDTH", "100").ended();
            output.notes_only("");
            let shown = output.text(0);
            // Examples keep their line breaks in the manual page.
            let heading = shown.contains("NOTES AND EXAMPLES");
            assert!(shown.contains("SYNOPSIS") && (heading || !shown.contains("Examples:")), "{shown}");
        }
        if is_there("mandoc") {
            let output = Command::new("mandoc").args(["-T", "lint", "-W", "error"]).arg(page).ended();
            assert_eq!(output.out(), "", "{}", page.display());
        }
    }
}

/// Runs the installation script with the program that the tests use.
fn install(args: &[&str], path: &str) -> Ended {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/install");
    let mut command = Command::new("bash");
    command.arg(script).args(["--binary", HAMCNF]).args(args).env("PATH", path);
    command.ended()
}

#[test]
fn everything_is_installed_or_nothing() {
    if !is_there("bash") {
        return;
    }
    let folder = Place::new();
    let prefix = folder.path("a prefix");
    let path = std::env::var("PATH").unwrap();
    let said = install(&[prefix.to_str().unwrap()], &path).text(0);
    assert!(said.contains(" is installed:") && said.contains("bin is not on the PATH"), "{said}");
    for file in [
        "bin/hamcnf",
        "share/bash-completion/completions/hamcnf",
        "share/zsh/site-functions/_hamcnf",
        "share/fish/vendor_completions.d/hamcnf.fish",
        "share/man/man1/hamcnf.1",
        "share/man/man1/hamcnf-solve.1",
    ] {
        assert!(prefix.join(file).is_file(), "{file}");
        assert!(said.contains(file) || file.ends_with("solve.1"), "{said}");
    }
    let mode = fs::metadata(prefix.join("bin/hamcnf")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o755);
    assert_eq!(fs::read(prefix.join("bin/hamcnf")).unwrap(), fs::read(HAMCNF).unwrap());
    // If the program's folder is on the PATH, no note is printed.
    let with = format!("{}:{path}", prefix.join("bin").display());
    let said = install(&[prefix.to_str().unwrap()], &with).text(0);
    assert!(!said.contains("not on the PATH"), "{said}");
    // If the installation fails, it changes nothing. Here a file has the name of the folder for manual pages.
    let page = prefix.join("share/man/man1");
    fs::remove_dir_all(&page).unwrap();
    fs::write(&page, "a file").unwrap();
    fs::write(prefix.join("bin/hamcnf"), "an older one").unwrap();
    let failed = install(&[prefix.to_str().unwrap()], &path);
    assert_ne!(failed.code(), Some(0));
    assert_eq!(fs::read_to_string(prefix.join("bin/hamcnf")).unwrap(), "an older one");
    let left = fs::read_dir(prefix.join("bin")).unwrap().count();
    assert_eq!(left, 1);
    for (args, said) in [
        (&["--help"][..], ""),
        (&["--wobble"], "install: there is no option --wobble"),
        (&["a", "b"], "install: two prefixes: 'a' and 'b'"),
        (&["--binary", "nothing"], "install: 'nothing' is no program"),
    ] {
        let output = install(args, &path);
        let code = if said.is_empty() { 0 } else { 2 };
        let shown = output.text(code);
        assert!(output.err().starts_with(said), "{}", output.err());
        assert_eq!(shown.contains("PREFIX/bin/hamcnf"), said.is_empty(), "{shown}");
    }
}

#[test]
fn nothing_said_shows_what_is_done_first() {
    let output = run("");
    output.prints(2, "");
    let said = output.err();
    let lines: Vec<_> = said.lines().collect();
    assert_eq!(lines.len(), 7, "{said}");
    let commands: Vec<_> = lines[..5].iter().map(|line| line.split(' ').nth(1).unwrap()).collect();
    assert_eq!(commands, ["solve", "encode", "decode", "count", "compare"]);
    assert_eq!(lines[5], "");
    assert!(lines[6].contains("`hamcnf --help`") && lines[6].contains("`hamcnf help COMMAND`"));
    // Each command in the message works, in the given order.
    let folder = Place::new();
    let typed = |k: usize| lines[k].split("   ").next().unwrap().strip_prefix("hamcnf ").unwrap();
    folder.run(typed(0)).exits(10);
    folder.run(typed(1)).exits(0);
    let answer = folder.run("solve 8x8 -e binary --dimacs").out();
    folder.write("answer.txt", answer);
    folder.run(typed(2)).exits(10);
    folder.run(typed(3)).exits(0);
}
