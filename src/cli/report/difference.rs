//! `hamcnf report --compare`: differences between two sets of rows.

use std::path::Path;

use anyhow::{Context, ensure};
use hamcnf::harness::rows::read_rows;
use hamcnf::record::Record;
use hamcnf::report::data::files_of;
use hamcnf::report::difference::{self, Difference, Options, compare};
use serde::Serialize;

use super::Args;
use crate::cli::output::{self, JsonOutput};
use crate::cli::{exit_code, input};

/// Object that `--json` prints.
#[derive(Serialize)]
struct Json<'a> {
    a: String,
    b: String,
    threshold: f64,
    worse: bool,
    #[serde(flatten)]
    difference: &'a Difference,
}

pub(super) fn run(args: &Args, a: &Path, b: &Path) -> anyhow::Result<u8> {
    let is_input = |path: &Path| path.as_os_str() == "-";
    ensure!(!(is_input(a) && is_input(b)), "only one of A and B can be standard input: name a file for the other");
    let options = Options { ignore_limits: args.ignore_limits, by: args.by.clone(), threshold: args.threshold };
    let difference = compare(&read(a)?, &read(b)?, &options).map_err(|error| match error {
        difference::DifferenceError::NoSuchCounter { .. } => anyhow::Error::new(error).context("--by"),
        _ => anyhow::Error::new(error).context(format!("A is {}, B is {}", input::name(a), input::name(b))),
    })?;
    let [a, b] = [a, b].map(input::name);
    output::print(|out| {
        if args.json {
            let json = Json {
                threshold: options.threshold,
                worse: !difference.faults.is_empty(),
                difference: &difference,
                a,
                b,
            };
            output::json(out, &JsonOutput::new(json))
        } else {
            write!(out, "{}", difference.report([&a, &b]))
        }
    })?;
    Ok(exit_code(&difference.faults))
}

/// Reads the rows of a file, or of all files of a folder.
pub(super) fn read(path: &Path) -> anyhow::Result<Vec<Record>> {
    let mut rows = Vec::new();
    for file in files_of(&[path.to_owned()])? {
        rows.extend(of_file(&file)?);
    }
    Ok(rows)
}

/// Reads the rows of a file, which must not be empty.
fn of_file(file: &Path) -> anyhow::Result<Vec<Record>> {
    let name = input::name(file);
    let cannot = || format!("cannot read {name}");
    let text = input::text(file).with_context(cannot)?;
    let rows = read_rows(&text).with_context(cannot)?;
    ensure!(!rows.is_empty(), "{name} has no rows");
    Ok(rows)
}
