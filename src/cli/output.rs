//! Destinations of output: an atomic file or standard output. An atomic file is either complete or missing. The reader
//! of standard output may close it early.

use std::io::{self, IsTerminal, Write};
use std::path::Path;

use anyhow::Context;
use hamcnf::COMMIT;
use hamcnf::WriteError;
use hamcnf::atomic_file::AtomicFile;
use hamcnf::json::JsonTour;
use hamcnf::machine::VERSION;
use hamcnf::question::Tours;
use hamcnf::record::SCHEMA;
use hamcnf::report::markdown;
use serde::Serialize;
use tabled::Table;
use tabled::builder::Builder;
use tabled::settings::object::Columns;
use tabled::settings::peaker::Priority;
use tabled::settings::{Alignment, Style, Width};
use terminal_size::terminal_size_of;

use super::progress;

/// Format of tables.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    Table,
    Markdown,
    Csv,
    Json,
}

impl Format {
    /// Returns JSON if `json` is true, else this format.
    pub(crate) fn or_json(self, json: bool) -> Self {
        if json { Self::Json } else { self }
    }
}

/// Returns a table of rows with their heading: text in the first `left` columns, numbers in the others.
pub(crate) fn aligned(rows: impl IntoIterator<Item = Vec<String>>, left: usize) -> Table {
    let mut table = Builder::from_iter(rows).build();
    table.modify(Columns::new(left..), Alignment::right());
    table
}

/// Borders of tables in the terminal.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Borders {
    None,
    Rounded,
}

/// Draws rows with their heading, for the terminal or in Markdown: text in the first `left` columns, numbers in the
/// others. On a terminal that is too narrow, a table with borders has lines in its widest cells.
pub(crate) fn table(
    format: Format,
    borders: Borders,
    rows: impl IntoIterator<Item = Vec<String>>,
    left: usize,
) -> String {
    match (format, borders) {
        (Format::Markdown, _) => markdown::table(rows.into_iter().collect(), left).trim_end().to_owned(),
        (_, Borders::None) => aligned(rows, left).with(Style::blank()).to_string(),
        (_, Borders::Rounded) => {
            let mut table = aligned(rows, left);
            table.with(Style::rounded());
            if let Some((terminal_size::Width(columns), _)) = terminal_size_of(io::stdout()) {
                table.with(Width::wrap(usize::from(columns)).keep_words(true).priority(Priority::max(true)));
            }
            table.to_string()
        }
    }
}

/// Footnote of tables in which [`marked`] has marked an encoding or a method.
pub(crate) const RELAXED_NOTE: &str =
    "Encodings marked * are relaxed: some models consist of several cycles instead of a tour.";

/// Returns the name of an encoding or a method, followed by an asterisk if the encoding is relaxed.
pub(crate) fn marked(name: &str, is_relaxed: bool) -> String {
    match is_relaxed {
        true => format!("{name}*"),
        false => name.to_owned(),
    }
}

/// Calls `write` with a file, or with standard output if the target is `-` or `None`. If the name ends in `.gz` or
/// `.zst`, the output is compressed.
///
/// A regular file is written under a temporary name in the same folder, and renamed when it is complete. So an error
/// never leaves half a file or destroys an existing one. Devices and pipes are written directly.
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
        // The target is a named pipe, and its reader has stopped.
        Err(error) if is_device && is_broken_pipe(&error) => Ok(()),
        other => other.with_context(cannot),
    }
}

/// Writes to standard output. If it is a terminal, the progress line is erased meanwhile.
fn to_stdout<T>(write: impl FnOnce() -> T) -> T {
    if io::stdout().is_terminal() { progress::aside(write) } else { write() }
}

/// Rejects a target that cannot be written. Called before long work whose result is written to the target.
pub(crate) fn writable(target: &Path) -> anyhow::Result<()> {
    // A pipe or device is not opened, because opening and closing it once more may end its reader.
    let special = target.metadata().is_ok_and(|m| !m.is_file() && !m.is_dir());
    if target.as_os_str() != "-" && !special {
        AtomicFile::create(target)?;
    }
    Ok(())
}

/// Prints on standard output, with colours if it is a terminal that supports them. If standard output cannot be written,
/// prints on standard error instead: the answer may have taken hours.
pub(crate) fn print(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> anyhow::Result<()> {
    let mut text = Vec::new();
    write(&mut text)?;
    print_text(&text)
}

fn print_text(text: &[u8]) -> anyhow::Result<()> {
    let written = to_stdout(|| {
        let mut stdout = anstream::stdout().lock();
        stdout.write_all(text).and_then(|()| stdout.flush())
    });
    let read = if_read(written.map_err(Into::into));
    if read.is_err() {
        let _ = progress::aside(|| anstream::stderr().write_all(text));
    }
    read
}

/// Writes bytes to standard output at once. Returns false if its reader has closed it.
pub(crate) fn bytes(bytes: &[u8]) -> anyhow::Result<bool> {
    let written = to_stdout(|| {
        let mut stdout = io::stdout().lock();
        stdout.write_all(bytes).and_then(|()| stdout.flush())
    });
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(false),
        other => other.map(|()| true).context("cannot write standard output"),
    }
}

/// Object that `--json` prints for commands that run no method. In addition to the command's own fields, it has the
/// fields `schema`, `version` and `commit` of a record.
#[derive(Serialize)]
pub(crate) struct JsonOutput<T> {
    #[serde(flatten)]
    fields: T,
    schema: u32,
    version: &'static str,
    commit: &'static str,
}

impl<T> JsonOutput<T> {
    pub(crate) fn new(fields: T) -> Self {
        Self { fields, schema: SCHEMA, version: VERSION, commit: COMMIT }
    }
}

/// Answer that comes from no run of a method, with the same fields as a record.
#[derive(Serialize)]
pub(crate) struct JsonAnswer<'a, S> {
    question: String,
    graph_crc32: Option<&'a str>,
    status: S,
    #[serde(flatten)]
    tour: JsonTour,
}

impl<'a, S> JsonAnswer<'a, S> {
    /// Returns the answer to a question, with these fields about tours.
    pub(crate) fn new(asked: &'a Tours, status: S, tour: JsonTour) -> Self {
        let graph_crc32 = Some(asked.checksum()).filter(|crc32| !crc32.is_empty());
        Self { question: asked.to_string(), graph_crc32, status, tour }
    }
}

/// Writes a value as a line of JSON.
pub(crate) fn json(out: &mut dyn Write, value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, value)?;
    writeln!(out)
}

/// Writes a row as CSV, with the heading before it if `is_first`.
pub(crate) fn csv_row(out: &mut dyn Write, row: &impl Serialize, is_first: bool) -> io::Result<()> {
    // The row is first written to memory, since the CSV writer would hide the kind of an I/O error.
    let mut csv = csv::WriterBuilder::new().has_headers(is_first).from_writer(Vec::new());
    csv.serialize(row).map_err(io::Error::from)?;
    out.write_all(&csv.into_inner().map_err(csv::IntoInnerError::into_error)?)
}

/// Writes rows as CSV, with their heading.
pub(crate) fn csv(out: &mut dyn Write, rows: &[impl Serialize]) -> io::Result<()> {
    rows.iter().enumerate().try_for_each(|(k, row)| csv_row(out, row, k == 0))
}

/// Turns a broken pipe into success, since the reader of standard output may stop early.
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
