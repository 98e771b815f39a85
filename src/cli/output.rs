//! Where output goes: a file that is whole or not there, or standard output, whose reader may have read
//! enough before the end.

use std::io::{self, IsTerminal, Write};
use std::path::Path;

use anyhow::Context;
use hamcnf::COMMIT;
use hamcnf::WriteError;
use hamcnf::atomic_file::AtomicFile;
use hamcnf::machine::VERSION;
use hamcnf::record::SCHEMA;
use serde::Serialize;

use super::progress;

/// How tables are printed.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    Table,
    Markdown,
    Csv,
    Json,
}

impl Format {
    /// This one, unless `--json` is given.
    pub(crate) fn or_json(self, json: bool) -> Self {
        if json { Self::Json } else { self }
    }
}

/// Writes through `write` to a file, or to standard output for `-` or nothing. What goes to a name ending
/// in `.gz` or `.zst` is compressed.
///
/// A regular file is written under a temporary name beside its own and renamed when it is complete, so
/// that no failure leaves half a file or loses the one that was there. Devices and pipes are written to
/// directly.
pub(crate) fn to(
    target: Option<&Path>,
    write: impl FnOnce(&mut dyn Write) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let Some(target) = target.filter(|path| path.as_os_str() != "-") else {
        return if_read(to_stdout(|| {
            let mut stdout = io::stdout().lock();
            write(&mut stdout).and_then(|()| Ok(stdout.flush()?))
        }));
    };
    let mut file = AtomicFile::create(target)?;
    let cannot = || format!("cannot write {}", target.display());
    let is_device = file.is_device();
    let written = write(&mut file).and_then(|()| Ok(file.finish()?));
    match written {
        // A pipe by a name.
        Err(error) if is_device && is_broken_pipe(&error) => Ok(()),
        other => other.with_context(cannot),
    }
}

/// Writes to standard output. Where that is a terminal, progress is shown before and after.
fn to_stdout<T>(write: impl FnOnce() -> T) -> T {
    if io::stdout().is_terminal() {
        progress::aside(write)
    } else {
        write()
    }
}

/// Refuses a file that could not be written, before long work whose result is to go there.
pub(crate) fn writable(target: &Path) -> anyhow::Result<()> {
    // Opening a pipe or device once more than needed may end what reads it.
    let special = target.metadata().is_ok_and(|m| !m.is_file() && !m.is_dir());
    if target.as_os_str() != "-" && !special {
        AtomicFile::create(target)?;
    }
    Ok(())
}

/// Prints on standard output, with colours where it is a terminal that wants them.
pub(crate) fn print(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> anyhow::Result<()> {
    let written = to_stdout(|| {
        let mut stdout = anstream::stdout().lock();
        write(&mut stdout).and_then(|()| stdout.flush())
    });
    if_read(written.map_err(Into::into))
}

/// An object for programs from a command that puts no question to a method: the schema of the columns and the build, as
/// records have them, and the fields of the command.
#[derive(Serialize)]
pub(crate) struct Made<T> {
    #[serde(flatten)]
    answer: T,
    schema: u32,
    version: &'static str,
    commit: &'static str,
}

impl<T> Made<T> {
    /// Returns the object of this build.
    pub(crate) fn here(answer: T) -> Self {
        Self {
            answer,
            schema: SCHEMA,
            version: VERSION,
            commit: COMMIT,
        }
    }
}

/// A line of JSON.
pub(crate) fn json(out: &mut dyn Write, value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, value)?;
    writeln!(out)
}

/// A row as CSV, with the heading if it is the first.
pub(crate) fn csv_row(out: &mut dyn Write, row: &impl Serialize, is_first: bool) -> io::Result<()> {
    // Through memory, as all rows.
    let mut csv = csv::WriterBuilder::new()
        .has_headers(is_first)
        .from_writer(Vec::new());
    csv.serialize(row).map_err(io::Error::from)?;
    out.write_all(&csv.into_inner().map_err(csv::IntoInnerError::into_error)?)
}

/// Rows as CSV with their heading.
pub(crate) fn csv(out: &mut dyn Write, rows: &[impl Serialize]) -> io::Result<()> {
    // Through memory, since the writer would hide which error it had.
    let mut csv = csv::Writer::from_writer(Vec::new());
    rows.iter()
        .try_for_each(|row| csv.serialize(row))
        .map_err(io::Error::from)?;
    out.write_all(&csv.into_inner().map_err(csv::IntoInnerError::into_error)?)
}

/// Whoever reads standard output may stop when they have read enough: that is no error.
fn if_read(written: anyhow::Result<()>) -> anyhow::Result<()> {
    match written {
        Err(error) if is_broken_pipe(&error) => Ok(()),
        other => other.context("cannot write standard output"),
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        let io = match cause.downcast_ref::<WriteError>() {
            Some(WriteError::Io(io)) => Some(io),
            _ => cause.downcast_ref::<io::Error>(),
        };
        io.is_some_and(|io| io.kind() == io::ErrorKind::BrokenPipe)
    })
}
