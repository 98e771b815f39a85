//! The guide: the commands of each page can be pasted into a shell, and the pages have no dead links.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns all blocks of shell commands of a page, joined together.
fn commands(page: &str) -> String {
    let blocks = page.split("```sh\n").skip(1);
    blocks.map(|block| block.split("```").next().unwrap()).collect()
}

/// Runs a shell script. In the script, `hamcnf` is a function, which records the exit code of each call.
fn paste(script: &str, folder: &Path) -> (Output, Vec<String>) {
    let keeping = "hamcnf() { command hamcnf \"$@\"; local code=$?; echo $code >>codes; return $code; }";
    let program = Path::new(env!("CARGO_BIN_EXE_hamcnf")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
    let output = Command::new("bash")
        .args(["-c", &format!("{keeping}\n{script}")])
        .current_dir(folder)
        .env("PATH", path)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let codes = fs::read_to_string(folder.join("codes")).unwrap_or_default();
    (output, codes.lines().map(str::to_owned).collect())
}

/// Runs all commands of a page. Returns false if the page has no commands.
fn can_be_pasted(page: &Path) -> bool {
    let script = commands(&fs::read_to_string(page).unwrap());
    let folder = tempfile::tempdir().unwrap();
    let (output, codes) = paste(&script, folder.path());
    let called: Vec<&str> = script.lines().filter(|l| l.starts_with("hamcnf ")).collect();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(codes.len(), called.len(), "{}: {said}", page.display());
    for (line, code) in called.iter().zip(&codes) {
        let expected: &[&str] = match line.split_once("# exit code ") {
            Some((_, rest)) => &[rest.split([':', ' ']).next().unwrap()],
            None => &["0", "10"],
        };
        assert!(expected.contains(&code.as_str()), "{line}: {code}\n{said}");
    }
    !called.is_empty()
}

#[test]
fn the_guide_can_be_pasted() {
    let guide = fs::read_dir(root().join("scripts/pages/guide")).unwrap();
    let pages: Vec<PathBuf> = guide.map(|page| page.unwrap().path()).collect();
    let pasted = thread::scope(|scope| {
        let began: Vec<_> = pages.iter().map(|page| scope.spawn(|| can_be_pasted(page))).collect();
        let ended = began.into_iter().map(|page| page.join().unwrap());
        ended.filter(|&has_commands| has_commands).count()
    });
    assert!(pasted >= 5, "{pasted}");
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
