//! `hamcnf report --format`: rows in the formats of other tools.

use std::path::PathBuf;

use anyhow::{Context, bail, ensure};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use hamcnf::machine::Machine;
use hamcnf::report::export::{Exporter, Grid, LIST};

use super::Args;
use super::difference::read;
use crate::cli::exit::DONE;
use crate::cli::output;

/// Returns a parser for the names of formats.
pub(super) fn exporter() -> impl TypedValueParser<Value = Exporter> {
    PossibleValuesParser::new(LIST.iter().map(|exporter| PossibleValue::new(exporter.name).help(exporter.summary)))
        .map(|name| LIST[LIST.iter().position(|exporter| exporter.name == name).unwrap_or_default()])
}

pub(super) fn run(args: &Args, exporter: Exporter) -> anyhow::Result<u8> {
    let inputs = args.results.iter().filter(|file| file.as_os_str() == "-");
    ensure!(inputs.count() < 2, "standard input (-) is given twice");
    let mut records = Vec::new();
    for file in &args.results {
        records.extend(read(file)?);
    }
    // Rows of formula sizes are not results of a solver.
    records.retain(|record| !record.asked.method.is_size());
    let grid = Grid::new(&records)?;
    let target = args.output.as_deref();
    let files = (exporter.make)(&grid, machine(&args.results).as_ref())?;
    if let Some(folder) = target.filter(|_| exporter.is_folder) {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot write {}", folder.display()))?;
        for (file, text) in &files {
            output::to(Some(&folder.join(file)), |out| Ok(out.write_all(text.as_bytes())?))?;
        }
        return Ok(DONE);
    }
    let [(_, text)] = files.as_slice() else {
        bail!(
            "the results have {} methods, but --format {} needs one file per method: name a folder with --output",
            files.len(),
            exporter.name
        );
    };
    output::to(target, |out| Ok(out.write_all(text.as_bytes())?))?;
    Ok(DONE)
}

/// Returns the machine that made the rows; `None` if there are several files, or no description next to the file.
fn machine(results: &[PathBuf]) -> Option<Machine> {
    let [file] = results else { return None };
    let text = std::fs::read(file.with_extension("machine.json")).ok()?;
    serde_json::from_slice(&text).ok()
}
