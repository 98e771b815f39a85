//! Packages of the crates: each contains all files that it needs. The crate of the Python module is not published as a
//! Rust package.

use std::path::Path;
use std::process::Command;

/// Returns the folders of the library crates on which the program depends, directly or indirectly.
fn crates() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates");
    let entries = folder.read_dir().unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let all: Vec<_> = names.map(|name| format!("crates/{name}")).chain(["encodings".to_owned()]).collect();
    assert!(all.len() > 1);
    all
}

/// Returns the files of a package, as listed by cargo.
fn files(package: &str) -> String {
    let output = Command::new(env!("CARGO"))
        .args(["package", "--list", "--allow-dirty", "--offline", "--package", package])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{stderr}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn packages_have_what_they_need() {
    for (package, needed) in [
        // README is the web page of the package, so the package contains its picture and results.
        ("hamcnf", &["scripts/setup", "build.rs", "results/tour-8x8.svg", "results/table1.md", "CHANGELOG.md"][..]),
        ("hamcnf-graph", &["src/graph.rs"]),
        ("hamcnf-check", &["src/drat.rs"]),
        ("hamcnf-encodings", &["src/encoding.rs"]),
        // The library contains scripts that run other programs.
        ("hamcnf-programs", &["embedded/count-models", "embedded/engines.toml", "embedded/lkh"]),
        ("hamcnf-sat", &["build.rs", "src/solve/bridge.cpp"]),
        ("hamcnf-methods", &["src/method/list.rs"]),
        ("hamcnf-render", &["src/draw/svg.rs"]),
        ("hamcnf-lab", &["src/report/page/page.css"]),
    ] {
        let files = files(package);
        let files: Vec<_> = files.lines().collect();
        let always = ["README.md", "LICENSE-MIT", "LICENSE-APACHE", "Cargo.toml"];
        for file in always.iter().chain(needed) {
            assert!(files.contains(file), "{package}: {file}");
        }
    }
}

#[test]
fn all_packages_have_the_same_licences() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for file in ["LICENSE-MIT", "LICENSE-APACHE"] {
        let read = |folder: &str| std::fs::read(root.join(folder).join(file)).unwrap();
        for package in crates().iter().map(String::as_str).chain(["python"]) {
            assert_eq!(read("."), read(package), "{file} of {package}");
        }
    }
}

#[test]
fn manifests_are_those_of_packages() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |file: &str| -> toml::Table {
        let text = std::fs::read_to_string(root.join(file)).unwrap();
        text.parse().unwrap()
    };
    let workspace = read("Cargo.toml");
    let version = &workspace["workspace"]["package"]["version"];
    let mut packages = vec![workspace["package"].clone()];
    for folder in crates() {
        let package = read(&format!("{folder}/Cargo.toml"))["package"].clone();
        // The package could not name this dependency without its version.
        let name = package["name"].as_str().unwrap();
        let dependency = &workspace["workspace"]["dependencies"][name];
        assert_eq!(&dependency["version"], version, "{name}");
        packages.push(package);
    }
    for package in packages {
        for key in ["description", "license", "readme", "keywords", "categories", "rust-version"] {
            let name = &package["name"];
            assert!(package.get(key).is_some(), "{name}: {key}");
        }
    }
    let python = read("python/Cargo.toml");
    assert_eq!(python["package"]["publish"].as_bool(), Some(false));
}
