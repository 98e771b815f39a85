//! `hamcnf report --format`: rows in the formats of other tools.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, bail, ensure};
use hamcnf::machine::Machine;
use hamcnf::record::Record;
use hamcnf::report::export::{Grid, benchexec, competition};

use super::Args;
use super::difference::read;
use crate::cli::output;

/// A format of other tools.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Format {
    /// BenchExec's XML, one file per method, for its table-generator
    Benchexec,
    /// CSV as in SAT Competitions: a row per instance and a column per method, in seconds (twice the limit if
    /// unsolved); `hamcnf run --times` reads this format
    Competition,
    /// CSV as in ASlib, the algorithm selection library: a row per run, with seconds and status
    Runs,
}

pub(super) fn run(args: &Args, format: Format) -> anyhow::Result<ExitCode> {
    let mut records = read_all(&args.results)?;
    // Rows of formula sizes are not results of a solver.
    records.retain(|record| !record.method.is_size());
    let grid = Grid::new(&records)?;
    let text = match format {
        Format::Benchexec => return documents(args, &grid),
        Format::Competition => competition::wide(&grid)?,
        Format::Runs => competition::runs(&grid),
    };
    output::to(args.output.as_deref(), |out| Ok(out.write_all(text.as_bytes())?))?;
    Ok(ExitCode::SUCCESS)
}

/// Writes one document per method to a folder, or the document of the only method to standard output.
fn documents(args: &Args, grid: &Grid) -> anyhow::Result<ExitCode> {
    let machine = machine(&args.results);
    let Some(folder) = &args.output else {
        let [method] = grid.methods() else {
            bail!(
                "the results have {} methods, but --format benchexec needs one file per method: name a folder with --output",
                grid.methods().len()
            );
        };
        let text = benchexec::document(grid, method, machine.as_ref())?;
        output::to(None, |out| Ok(out.write_all(text.as_bytes())?))?;
        return Ok(ExitCode::SUCCESS);
    };
    std::fs::create_dir_all(folder).with_context(|| format!("cannot write {}", folder.display()))?;
    for (file, method) in benchexec::files(grid) {
        let text = benchexec::document(grid, method, machine.as_ref())?;
        let file = folder.join(file);
        output::to(Some(&file), |out| Ok(out.write_all(text.as_bytes())?))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the machine that made the rows; `None` if there are several files, or no description next to the file.
fn machine(results: &[PathBuf]) -> Option<Machine> {
    let [file] = results else { return None };
    let text = std::fs::read(file.with_extension("machine.json")).ok()?;
    serde_json::from_slice(&text).ok()
}

fn read_all(files: &[PathBuf]) -> anyhow::Result<Vec<Record>> {
    let inputs = files.iter().filter(|file| file.as_os_str() == "-");
    ensure!(inputs.count() < 2, "standard input (-) is given twice");
    let mut records = Vec::new();
    for file in files {
        records.extend(read(file)?);
    }
    Ok(records)
}
