//! Compiles the C++ bridge to CaDiCaL's external propagators.

#![forbid(unsafe_code)]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// Compiles the bridge against the CaDiCaL headers in the package of rustsat-cadical.
fn main() {
    const BRIDGE: &str = "src/solve/bridge.cpp";
    println!("cargo::rerun-if-changed={BRIDGE}");
    println!("cargo::rerun-if-env-changed=CADICAL_SRC_DIR");
    let Some(include) = headers() else {
        println!(
            "cargo::error=cadical.hpp of {CRATE} {VERSION} was found neither by `cargo metadata` nor in cargo's registry, \
             nor with $CADICAL_SRC_DIR: set that to a folder of CaDiCaL {CADICAL} with src/cadical.hpp"
        );
        return;
    };
    let mut build = cc::Build::new();
    build.cpp(true).std("c++11").file(BRIDGE);
    for folder in &include {
        build.include(folder);
    }
    // The macros select the declarations that rustsat-cadical adds to CaDiCaL. NTRACING is not defined, so objects that
    // the bridge allocates are never smaller than the library expects.
    for define in ["NDEBUG", "QUIET", "V154", "V160", "V190", "V194", "V200", "V213", "V220"] {
        build.define(define, None);
    }
    build.opt_level(3).compile("hamcnf_bridge");
}

const CADICAL: &str = "2.2.1";
const CRATE: &str = "rustsat-cadical";
const VERSION: &str = "0.7.5";

fn headers() -> Option<[PathBuf; 2]> {
    let with = |cadical: PathBuf, extension: PathBuf| {
        let found = cadical.join("cadical.hpp").is_file() && extension.join("cadical_extension.hpp").is_file();
        found.then_some([cadical, extension])
    };
    let of_crate = |root: PathBuf| with(root.join("cppsrc/src"), root.join("cpp-extension"));
    let package = || by_metadata().into_iter().chain(in_registry()).find_map(of_crate);
    match env::var_os("CADICAL_SRC_DIR") {
        // The folder replaces CaDiCaL alone: the extension of rustsat-cadical still comes from the crate.
        Some(folder) => {
            let copied = Path::new(&folder).join("package");
            if let Ok(of) = fs::read_to_string(&copied) {
                println!("cargo::rerun-if-changed={}", copied.display());
                if !of.starts_with(&format!("{VERSION},")) {
                    println!(
                        "cargo::error=$CADICAL_SRC_DIR has CaDiCaL from another version of {CRATE}: run scripts/setup"
                    );
                }
            }
            let [_, extension] = package()?;
            with(Path::new(&folder).join("src"), extension)
        }
        None => package(),
    }
}

fn by_metadata() -> Option<PathBuf> {
    let output = Command::new(env::var_os("CARGO")?)
        .args(["metadata", "--offline", "--locked", "--format-version", "1", "--filter-platform"])
        .arg(env::var_os("TARGET")?)
        .current_dir(env::var_os("CARGO_MANIFEST_DIR")?)
        .output()
        .ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let (_, package) = text.split_once(&format!(r#"{{"name":"{CRATE}","version":"{VERSION}""#))?;
    let (_, manifest) = package.split_once(r#""manifest_path":""#)?;
    let manifest = manifest.split('"').next()?.replace(r"\\", r"\");
    Some(Path::new(&manifest).parent()?.to_owned())
}

fn in_registry() -> Vec<PathBuf> {
    let home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(PathBuf::from(env::var_os("HOME")?).join(".cargo")));
    let registries = home.and_then(|home| home.join("registry/src").read_dir().ok());
    let found = registries.into_iter().flatten().flatten();
    let found = found.map(|registry| registry.path().join(format!("{CRATE}-{VERSION}")));
    found.collect()
}
