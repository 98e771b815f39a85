//! Which commit the program is built from, for the rows of its measurements: `HAMCNF_COMMIT`, with a `+` if the tree had
//! changes, and `unknown` where it is no checkout of its own, as in a package.

use std::path::Path;
use std::process::Command;

fn main() {
    let root = env!("CARGO_MANIFEST_DIR");
    // Changes of these change the program, and so it is built anyway.
    for source in [
        "src",
        "encodings",
        "scripts/count-models",
        "Cargo.toml",
        "Cargo.lock",
    ] {
        println!("cargo::rerun-if-changed={source}");
    }
    println!(
        "cargo::rustc-env=HAMCNF_COMMIT={}",
        commit(root).as_deref().unwrap_or("unknown")
    );
}

fn commit(root: &str) -> Option<String> {
    // A checkout of something else may be around an unpacked package.
    let top = git(root, &["rev-parse", "--show-toplevel"])?;
    if Path::new(&top).canonicalize().ok()? != Path::new(root).canonicalize().ok()? {
        return None;
    }
    let branch = git(root, &["symbolic-ref", "--quiet", "HEAD"]);
    for file in ["HEAD".to_owned()].into_iter().chain(branch) {
        let path = git(root, &["rev-parse", "--git-path", &file])?;
        let path = Path::new(root).join(path);
        // A branch may be packed: then it has a file of its own after the next commit only.
        if path.exists() {
            println!("cargo::rerun-if-changed={}", path.display());
        }
    }
    let commit = git(root, &["rev-parse", "--short=12", "HEAD"])?;
    let changes = git(root, &["status", "--porcelain", "--untracked-files=no"])?;
    let changed = if changes.is_empty() { "" } else { "+" };
    Some(format!("{commit}{changed}"))
}

fn git(root: &str, args: &[&str]) -> Option<String> {
    let output = Command::new("git")
        .args(args)
        .current_dir(root)
        .output()
        .ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}
