//! Where output goes: a file that is whole or not there, or standard output, whose reader may have read
//! enough before the end.

use std::ffi::OsString;
use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use flate2::write::GzEncoder;
use hamcnf::WriteError;
use hamcnf::machine::{COMMIT, VERSION};
use hamcnf::record::SCHEMA;
use hamcnf::temporary::Temporary;
use num_bigint::BigUint;
use serde::Serialize;
use serde_json::value::RawValue;

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
    let compression = Compression::of(target)?;
    let cannot = || format!("cannot write {}", target.display());
    let file = Target::open(target).with_context(cannot)?;
    let is_device = matches!(file, Target::Device(_));
    match compressed(file, compression, write) {
        // A pipe by a name.
        Err(error) if is_device && is_broken_pipe(&error) => Ok(()),
        other => other.with_context(cannot),
    }
}

/// Writes all of it, with this compression.
fn compressed(
    mut file: Target,
    compression: Compression,
    write: impl FnOnce(&mut dyn Write) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    match compression {
        Compression::None => write(&mut file)?,
        Compression::Gzip => {
            // The header has neither a name nor a time, so that the same formula is the same bytes.
            let mut encoder = GzEncoder::new(&mut file, flate2::Compression::default());
            write(&mut encoder)?;
            encoder.finish()?;
        }
        Compression::Zstandard => {
            let level = zstd::DEFAULT_COMPRESSION_LEVEL;
            let mut encoder = zstd::Encoder::new(&mut file, level)?;
            write(&mut encoder)?;
            encoder.finish()?;
        }
    }
    file.finish()
}

/// Writes to standard output. Where that is a terminal, progress is shown before and after.
fn to_stdout<T>(write: impl FnOnce() -> T) -> T {
    if io::stdout().is_terminal() {
        progress::aside(write)
    } else {
        write()
    }
}

/// How a file is compressed, which the ending of its name says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Compression {
    None,
    Gzip,
    Zstandard,
}

/// A name that promises a compression that there is none of here.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}: .{ending} is not written here: use .gz or .zst", file.display())]
struct NotWritten {
    file: PathBuf,
    ending: String,
}

impl Compression {
    /// Endings of compressed files and of archives that are none of ours, in lower case.
    const OTHERS: [&str; 16] = [
        "xz", "bz2", "lzma", "lz4", "zip", "z", "br", "7z", "lz", "lzo", "lrz", "sz", "rar", "tar",
        "tgz", "txz",
    ];

    /// That of a file with this name.
    fn of(file: &Path) -> Result<Self, NotWritten> {
        let Some(ending) = file.extension() else {
            return Ok(Self::None);
        };
        let is = |other: &str| ending.eq_ignore_ascii_case(other);
        if is("gz") {
            Ok(Self::Gzip)
        } else if is("zst") {
            Ok(Self::Zstandard)
        } else if Self::OTHERS.into_iter().any(is) {
            Err(NotWritten {
                file: file.to_owned(),
                ending: ending.to_string_lossy().into_owned(),
            })
        } else {
            Ok(Self::None)
        }
    }
}

/// Refuses a file that could not be written, before long work whose result is to go there.
pub(crate) fn writable(target: &Path) -> anyhow::Result<()> {
    Compression::of(target)?;
    // Opening a pipe or device once more than needed may end what reads it.
    let special = target.metadata().is_ok_and(|m| !m.is_file() && !m.is_dir());
    if target.as_os_str() == "-" || special {
        return Ok(());
    }
    let opened = Target::open(target).map(drop);
    opened.with_context(|| format!("cannot write {}", target.display()))
}

/// Prints on standard output, with colours where it is a terminal that wants them.
pub(crate) fn print(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> anyhow::Result<()> {
    let written = to_stdout(|| {
        let mut stdout = anstream::stdout().lock();
        write(&mut stdout).and_then(|()| stdout.flush())
    });
    if_read(written.map_err(Into::into))
}

/// A whole number of any size in JSON: as a number, and as a string beside it, since most readers of JSON keep 53
/// bits of a number.
#[derive(Serialize)]
pub(crate) struct Number {
    count: Box<RawValue>,
    count_text: String,
}

impl From<&BigUint> for Number {
    fn from(value: &BigUint) -> Self {
        Self {
            count: digits(value),
            count_text: value.to_string(),
        }
    }
}

impl Number {
    /// Its digits.
    pub(crate) fn text(&self) -> &str {
        &self.count_text
    }
}

/// A whole number of any size as a JSON number.
pub(crate) fn digits(value: &BigUint) -> Box<RawValue> {
    RawValue::from_string(value.to_string()).expect("digits are a JSON number")
}

/// What every answer for programs has, with what goes with it: the schema of its columns, as rows have it, and what it was
/// made by.
#[derive(Serialize)]
pub(crate) struct Made<T> {
    #[serde(flatten)]
    answer: T,
    schema: u32,
    version: &'static str,
    commit: &'static str,
}

impl<T> Made<T> {
    /// This answer, made here.
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

enum Target {
    /// Complete only when it is renamed; removed if that does not come.
    Regular(Temporary, PathBuf),
    Device(fs::File),
}

impl Target {
    fn open(path: &Path) -> io::Result<Self> {
        // A link is followed: its target is what gets replaced.
        let path = match (path.canonicalize(), path.read_link()) {
            (Ok(path), _) => path,
            // To a file that is not there yet.
            (Err(_), Ok(linked)) => path.with_file_name(linked),
            (Err(_), Err(_)) => path.to_owned(),
        };
        match path.metadata() {
            Ok(metadata) if metadata.is_dir() => {
                return Err(io::Error::new(
                    io::ErrorKind::IsADirectory,
                    "it is a folder",
                ));
            }
            Ok(metadata) if !metadata.is_file() => {
                return fs::OpenOptions::new()
                    .write(true)
                    .open(path)
                    .map(Self::Device);
            }
            // A file that may not be written to may not be replaced either.
            Ok(_) => drop(fs::OpenOptions::new().append(true).open(&path)?),
            Err(_) => {}
        }
        let folder = match path.parent() {
            Some(folder) if folder != Path::new("") => folder,
            _ => Path::new("."),
        };
        // Asked here, since the error of the temporary file would name that file.
        folder.metadata()?;
        let permissions = path.metadata().ok().map(|metadata| metadata.permissions());
        let mut name = OsString::from(".");
        name.push(path.file_name().unwrap_or_default());
        name.push(".");
        let mut builder = tempfile::Builder::new();
        builder.prefix(&name).suffix(".part");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // As for any new file: the umask takes its part away.
            builder.permissions(fs::Permissions::from_mode(0o666));
        }
        let file = Temporary::new(&builder, folder).map_err(|error| error.kind())?;
        if let Some(permissions) = permissions {
            file.file().as_file().set_permissions(permissions)?;
        }
        Ok(Self::Regular(file, path))
    }

    fn finish(self) -> anyhow::Result<()> {
        match self {
            Self::Regular(file, path) => {
                file.persist(path)?;
            }
            Self::Device(mut file) => file.flush()?,
        }
        Ok(())
    }
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Regular(file, _) => file.file_mut().write(bytes),
            Self::Device(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Regular(file, _) => file.file_mut().flush(),
            Self::Device(file) => file.flush(),
        }
    }
}
