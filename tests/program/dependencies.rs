//! Dependencies of this program. The licences of all dependencies are compatible with the licence of this program. No
//! crate occurs twice without a reason, and no crate needs a newer Rust. Unsafe code occurs only in listed files.
//! `scripts/deny.toml` contains the rules; cargo-deny reads the same file.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use spdx::{Expression, ParseMode};

/// Runs a command and returns its standard output.
fn said(program: &str, args: &[&str]) -> String {
    let mut command = Command::new(program);
    command.args(args).current_dir(env!("CARGO_MANIFEST_DIR"));
    let output = command.output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{stderr}");
    String::from_utf8(output.stdout).unwrap()
}

/// Returns the packages that can be built on this machine, including the packages for tests.
fn packages() -> Vec<Value> {
    let rustc = said("rustc", &["-vV"]);
    let host = rustc.lines().find_map(|line| line.strip_prefix("host: "));
    let metadata = said(
        env!("CARGO"),
        &[
            "metadata",
            "--format-version=1",
            "--locked",
            "--offline",
            "--all-features",
            "--filter-platform",
            host.unwrap(),
        ],
    );
    let mut metadata: Value = serde_json::from_str(&metadata).unwrap();
    serde_json::from_value(metadata["packages"].take()).unwrap()
}

/// Returns the rules of `scripts/deny.toml`.
fn allowed() -> toml::Table {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/deny.toml");
    fs::read_to_string(file).unwrap().parse().unwrap()
}

fn name(package: &Value) -> &str {
    package["name"].as_str().unwrap()
}

#[test]
fn licences_go_with_ours() {
    let rules = &allowed()["licenses"];
    let names = |rules: &toml::Value| -> BTreeSet<String> {
        rules["allow"].as_array().unwrap().iter().map(|l| l.as_str().unwrap().to_owned()).collect()
    };
    for package in packages() {
        let mut licences = names(rules);
        let exceptions = rules["exceptions"].as_array().unwrap().iter();
        exceptions.filter(|e| e["crate"].as_str() == package["name"].as_str()).for_each(|e| licences.extend(names(e)));
        let said = package["license"].as_str().unwrap_or_default();
        let parsed = Expression::parse_mode(said, ParseMode::LAX);
        let parsed = parsed.unwrap_or_else(|error| panic!("{}: {error}", name(&package)));
        let fits = parsed.evaluate(|licence| licences.contains(licence.to_string().as_str()));
        assert!(fits, "{}: {said}", name(&package));
    }
}

#[test]
fn nothing_is_there_twice_without_a_reason() {
    let mut versions: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    // The metadata would also list packages that only disabled features need.
    let tree = said(
        env!("CARGO"),
        &["tree", "--workspace", "--all-features", "--locked", "--offline", "--prefix=none", "--format={p}"],
    );
    for line in tree.lines().filter(|line| !line.is_empty()) {
        let (name, rest) = line.split_once(" v").unwrap();
        let version = rest.split(' ').next().unwrap();
        let of = versions.entry(name.to_owned()).or_default();
        of.insert(version.to_owned());
    }
    let twice = versions.iter().filter(|(_, versions)| versions.len() > 1);
    let twice: Vec<_> = twice.collect();
    let allowed = allowed();
    let skipped = allowed["bans"]["skip"].as_array().unwrap();
    let mut reasons = BTreeSet::new();
    for skip in skipped {
        let (crate_name, version) = skip["crate"].as_str().unwrap().split_once('@').unwrap();
        assert!(!skip["reason"].as_str().unwrap().is_empty());
        let prefix = format!("{version}.");
        let is_there = versions[crate_name].iter().any(|v| v.starts_with(&prefix));
        assert!(is_there, "there is no {crate_name} {version} any more");
        assert!(reasons.insert((crate_name, version)), "{crate_name} {version} has two reasons");
    }
    for (crate_name, versions) in twice {
        let explained = reasons.iter().filter(|(of, _)| of == crate_name).count();
        assert_eq!(versions.len(), explained + 1, "{crate_name}: {versions:?}");
    }
}

#[test]
fn nothing_needs_a_newer_rust_than_is_promised() {
    let number = |text: &str| {
        let parts = text.split('.').map(|part| part.parse::<u32>().unwrap());
        let mut parts: Vec<_> = parts.collect();
        parts.resize(3, 0);
        parts
    };
    let packages = packages();
    let ours = packages.iter().find(|package| name(package) == "hamcnf");
    let promised = number(ours.unwrap()["rust_version"].as_str().unwrap());
    for package in &packages {
        if let Some(needed) = package["rust_version"].as_str() {
            assert!(number(needed) <= promised, "{}: {needed}", name(package));
        }
    }
}

/// Collects the Rust files of a folder.
fn sources(folder: &Path, all: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, all);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            all.push(path);
        }
    }
}

#[test]
fn unsafe_code_is_in_one_file() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = vec![root.join("build.rs")];
    for folder in ["src", "crates", "encodings", "python/src", "tests", "benches"] {
        sources(&root.join(folder), &mut files);
    }
    // This file is searched, too, so it contains the name of the lint in two parts.
    let (allows, lint) = (["allow", "expect"], ["unsafe", "code"].join("_"));
    let has_it = |file: &&PathBuf| {
        let text = fs::read_to_string(file).unwrap();
        allows.iter().any(|word| text.contains(&format!("{word}({lint}")))
    };
    let with: Vec<_> = files.iter().filter(has_it).collect();
    assert_eq!(with, [&root.join("crates/sat/src/solve/bridge.rs")]);
    // The compiler rejects unsafe code in all crates without an exception.
    let manifest: toml::Table = fs::read_to_string(root.join("Cargo.toml")).unwrap().parse().unwrap();
    let lints = &manifest["workspace"]["lints"];
    assert_eq!(lints["rust"][lint.as_str()].as_str(), Some("deny"));
    let crates = root.join("crates").read_dir().unwrap().map(|entry| entry.unwrap().path());
    let crates = crates.filter(|path| !path.ends_with("sat")).map(|path| path.join("src/lib.rs"));
    let others = ["encodings/src/lib.rs", "python/src/lib.rs", "src/main.rs", "build.rs"].map(|file| root.join(file));
    for file in crates.chain(others) {
        let text = fs::read_to_string(&file).unwrap();
        assert!(text.contains(&format!("#![forbid({lint})]")), "{}", file.display());
    }
}

#[test]
fn the_library_alone_has_no_program_and_no_pictures() {
    let tree = |features: &str| {
        let all = said(
            env!("CARGO"),
            &[
                "tree",
                "--offline",
                "--locked",
                "--package=hamcnf",
                "--edges=normal",
                "--prefix=none",
                "--no-default-features",
                "--features",
                features,
                "--format={lib}",
            ],
        );
        all.lines().map(str::to_owned).collect::<BTreeSet<String>>()
    };
    let alone = tree("");
    assert!(alone.contains("rustsat_cadical"), "{alone:?}");
    assert!(!tree("default,petgraph").contains("pindakaas"));
    for (feature, library) in [("cli", "clap"), ("draw", "tiny_skia"), ("harness", "maud"), ("petgraph", "petgraph")] {
        assert!(!alone.contains(library), "{library}");
        assert!(tree(feature).contains(library), "{library}");
    }
}
