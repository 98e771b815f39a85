//! Tables of published times, and descriptions of external solvers.

use std::path::Path;

use hamcnf::engine::Engines;
use hamcnf::experiment::times::Times;

/// Fuzzes the parsers of published times and of descriptions of external solvers with arbitrary text.
pub fn tables(bytes: &[u8]) {
    match Times::parse(bytes, Path::new("times.csv")) {
        Ok(times) => drop(times.of("folder/graph1.hcp.gz")),
        Err(error) => drop(error),
    }
    let text = String::from_utf8_lossy(bytes);
    match Engines::parse(&text, Path::new("nowhere/engines.toml")) {
        Ok(engines) => assert!(engines.iter().all(|engine| engines.get(&engine.name).is_some())),
        Err(error) => assert_eq!(error.to_string().lines().count(), 1, "{error}"),
    }
}
