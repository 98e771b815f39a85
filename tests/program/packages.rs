//! The crates can be packed as they are: what they need is among their files. That for Python is in no registry of Rust.

use std::path::Path;
use std::process::Command;

/// The files of a package, by cargo's own list.
fn files(package: &str) -> String {
    let output = Command::new(env!("CARGO"))
        .args([
            "package",
            "--list",
            "--allow-dirty",
            "--offline",
            "--package",
            package,
        ])
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
        // The script is part of the library, and README is its page, with a picture and results.
        (
            "hamcnf",
            &[
                "scripts/count-models",
                "scripts/setup",
                "build.rs",
                "src/solve/bridge.cpp",
                "results/tour-8x8.svg",
                "results/table1.md",
                "CHANGELOG.md",
            ][..],
        ),
        ("hamcnf-encodings", &["src/encoding.rs"]),
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
        for package in ["encodings", "python"] {
            assert_eq!(read("."), read(package), "{file}");
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
    let encodings = &workspace["workspace"]["dependencies"]["hamcnf-encodings"];
    // Without the version a package could not say what it needs.
    assert_eq!(
        encodings["version"],
        workspace["workspace"]["package"]["version"]
    );
    for package in [
        &workspace["package"],
        &read("encodings/Cargo.toml")["package"],
    ] {
        for key in [
            "description",
            "license",
            "readme",
            "keywords",
            "categories",
            "rust-version",
        ] {
            assert!(package.get(key).is_some(), "{key}");
        }
    }
    let python = read("python/Cargo.toml");
    assert_eq!(python["package"]["publish"].as_bool(), Some(false));
}
