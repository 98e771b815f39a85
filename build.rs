//! Sets the environment variable `HAMCNF_COMMIT`, which the program writes into the rows of its measurements. Its value
//! is the commit that the program is built from. If the work tree has changes, a `+` and a checksum of the sources
//! follow. Outside a git checkout of this project, for example in an unpacked package, the value is `unknown`.

#![forbid(unsafe_code)]

use std::env;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::process::Command;

fn main() {
    let root = env!("CARGO_MANIFEST_DIR");
    // A change in any of these files changes the program, so Cargo compiles the program again anyway.
    for source in SOURCES {
        println!("cargo::rerun-if-changed={source}");
    }
    println!("cargo::rustc-env=HAMCNF_COMMIT={}", commit(root).as_deref().unwrap_or("unknown"));
}

/// Files and folders that the program is built from.
const SOURCES: [&str; 10] = [
    "src",
    "crates",
    "encodings/src",
    "encodings/Cargo.toml",
    "experiments/engines.toml",
    "scripts/count-models",
    "scripts/engines",
    "build.rs",
    "Cargo.toml",
    "Cargo.lock",
];

fn commit(root: &str) -> Option<String> {
    // An unpacked package may lie inside a checkout of another project.
    let top = git(root, &["rev-parse", "--show-toplevel"])?;
    if Path::new(&top).canonicalize().ok()? != Path::new(root).canonicalize().ok()? {
        return None;
    }
    let branch = git(root, &["symbolic-ref", "--quiet", "HEAD"]);
    for file in ["HEAD".to_owned()].into_iter().chain(branch) {
        let path = git(root, &["rev-parse", "--git-path", &file])?;
        let path = Path::new(root).join(path);
        // If git keeps the branch in `packed-refs`, the branch has no file of its own until the next commit.
        if path.exists() {
            println!("cargo::rerun-if-changed={}", path.display());
        }
    }
    let commit = git(root, &["rev-parse", "--short=12", "HEAD"])?;
    // Files that measurements write into the tree do not change the program.
    let status = ["status", "--porcelain", "--untracked-files=no", "--"];
    let changes = git(root, &[&status[..], &SOURCES].concat())?;
    if changes.is_empty() {
        return Some(commit);
    }
    // Two builds of one commit with different uncommitted changes are different programs.
    let mut hasher = DefaultHasher::new();
    for source in SOURCES {
        hash(&Path::new(root).join(source), &mut hasher);
    }
    Some(format!("{commit}+{:08x}", hasher.finish() as u32))
}

/// Hashes the names and contents of a file, or of all files in a folder.
fn hash(path: &Path, hasher: &mut DefaultHasher) {
    let Ok(entries) = path.read_dir() else {
        path.file_name().hash(hasher);
        fs::read(path).ok().hash(hasher);
        return;
    };
    let mut entries: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    entries.sort();
    entries.iter().for_each(|entry| hash(entry, hasher));
}

fn git(root: &str, args: &[&str]) -> Option<String> {
    let output = Command::new("git").args(args).current_dir(root).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}
