//! README and the guide: the commands of each page can be pasted into a shell, and the pages have no dead links.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::command::*;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns all blocks of shell commands of a page, joined together.
fn commands(page: &str) -> String {
    let blocks = page.split("```sh\n").skip(1);
    blocks.map(|block| block.split("```").next().unwrap()).collect()
}

/// Runs a shell script in a folder, and checks that each line that begins with `hamcnf` ends with the exit code that its
/// comment names. Without a comment, commands that print a tour end with 10, and others with 0.
fn pasted(name: &str, script: &str, folder: &Place) -> Ended {
    // In the script, `hamcnf` is a function, which records the exit code of each call.
    let keeping = "hamcnf() { command hamcnf \"$@\"; local code=$?; echo $code >>codes; return $code; }";
    let program = Path::new(env!("CARGO_BIN_EXE_hamcnf")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
    let mut bash = Command::new("bash");
    bash.args(["-c", &format!("{keeping}\n{script}")]).current_dir(folder.dir()).env("PATH", path);
    let output = bash.stdin(Stdio::null()).ended();
    let codes = if folder.has("codes") { folder.read("codes") } else { String::new() };
    let called: Vec<&str> = script.lines().filter(|line| line.starts_with("hamcnf ")).collect();
    assert_eq!(codes.lines().count(), called.len(), "{name}: {}", output.err());
    for (line, code) in called.iter().zip(codes.lines()) {
        let (command, comment) = line.split_once('#').unwrap_or((line, ""));
        let is_solved = ["solve", "tour", "decode"].contains(&command.split(' ').nth(1).unwrap());
        let expected = match comment.split_once("exit code ") {
            Some((_, rest)) => rest.split([':', ' ']).next().unwrap(),
            // A plan is no answer, and files of several graphs have several.
            None if is_solved && !["--explain", ".g6"].iter().any(|word| command.contains(word)) => "10",
            None => "0",
        };
        assert_eq!(code, expected, "{line}\n{}", output.err());
    }
    output
}

#[test]
fn the_guide_can_be_pasted() {
    let guide = fs::read_dir(root().join("scripts/pages/guide")).unwrap();
    let pages: Vec<PathBuf> = guide.map(|page| page.unwrap().path()).collect();
    let scripts: Vec<_> = pages.iter().map(|page| (page, commands(&fs::read_to_string(page).unwrap()))).collect();
    assert!(scripts.iter().filter(|(_, script)| script.contains("hamcnf ")).count() >= 5);
    each(&scripts, |(page, script)| _ = pasted(&page.display().to_string(), script, &Place::new()));
}

/// Tests the examples of README, whose commands use files of earlier ones, and the counts in their comments.
#[test]
fn readme_can_be_pasted() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let section = readme.split("\n## Quick start\n").nth(1).unwrap().split("\n## ").next().unwrap();
    // The comparison takes as long as it may.
    let (script, folder) = (commands(section).replace("--time-limit 5", "--time-limit 0.3"), Place::new());
    let output = pasted("README.md", &script, &folder);
    assert!(!output.err().contains("hamcnf: "), "{}", output.err());
    for line in script.lines().filter(|line| line.starts_with("hamcnf count ")) {
        let numbers = line.split([' ', ':', ';']).filter(|word| word.len() > 3);
        numbers.filter(|word| word.bytes().all(|b| b.is_ascii_digit())).for_each(|number| _ = output.and(number));
    }
    for file in ["tour.json", "tour.png", "8x8.cnf", "6x6.cnf", "9x9.cert"] {
        assert!(folder.path(file).metadata().unwrap().len() > 100, "{file}");
    }
}

#[test]
fn the_pages_are_built_and_their_links_lead_somewhere() {
    let built = Command::new(root().join("scripts/pages/build")).arg(env!("CARGO_BIN_EXE_hamcnf")).output().unwrap();
    let said = String::from_utf8_lossy(&built.stderr);
    if built.status.code() == Some(3) && said.contains("cannot be installed") {
        eprintln!("not tried: {said}");
        return;
    }
    assert!(built.status.success(), "{said}");
    let site = root().join("target/pages/site");
    for page in ["index.html", "counting.html", "reference/solve.html"] {
        let text = fs::read_to_string(site.join(page)).unwrap();
        assert!(text.contains("hamcnf solve") || text.contains("hamcnf count"), "{page}");
    }
}
