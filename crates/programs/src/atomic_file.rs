//! Atomic files: each file is either complete or absent. The extension of its name selects the compression.
//!
//! A regular file is written under a temporary name in the same folder and renamed when it is complete. Therefore no
//! failure leaves an incomplete file or destroys an existing one. Devices and pipes are written to directly.

use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use flate2::write::GzEncoder;

use crate::temporary::Temporary;

/// Writes a whole file, uncompressed, and waits until it is on disk. Until then, an existing file stays unchanged, even
/// if the program is killed.
///
/// # Errors
///
/// I/O errors, and an error if the program is about to exit.
pub fn replace(file: &Path, content: &[u8]) -> io::Result<()> {
    let mut target = Target::open(file)?;
    target.write_all(content)?;
    target.finish_on_disk()
}

/// Atomic file being written. An existing file of this name stays unchanged until [`finish`](Self::finish).
pub struct AtomicFile {
    encoder: Encoder,
    is_device: bool,
}

enum Encoder {
    Plain(BufWriter<Target>),
    // The gzip header has neither a file name nor a time, so that equal contents give equal files.
    Gzip(GzEncoder<BufWriter<Target>>),
    Zstandard(zstd::Encoder<'static, BufWriter<Target>>),
}

impl AtomicFile {
    /// Creates a file, compressed if the name ends in `.gz` or `.zst`.
    ///
    /// # Errors
    ///
    /// [`CannotWrite`] if the compression is not supported or the file cannot be created.
    pub fn create(path: &Path) -> Result<Self, CannotWrite> {
        let ending = path.extension().unwrap_or_default().to_string_lossy();
        let compression = ending.to_ascii_lowercase();
        if UNSUPPORTED.contains(&&*compression) {
            let file = path.display();
            return Err(CannotWrite(format!("{file}: compression .{ending} is not supported; use .gz or .zst")));
        }
        let io = CannotWrite::to(path);
        let target = Target::open(path).map_err(&io)?;
        let is_device = matches!(target, Target::Device(_));
        let target = BufWriter::new(target);
        let encoder = match &*compression {
            "gz" => Encoder::Gzip(GzEncoder::new(target, flate2::Compression::default())),
            "zst" => Encoder::Zstandard(zstd::Encoder::new(target, zstd::DEFAULT_COMPRESSION_LEVEL).map_err(io)?),
            _ => Encoder::Plain(target),
        };
        Ok(Self { encoder, is_device })
    }

    /// True if the file is a device or a pipe, which is written to directly.
    pub fn is_device(&self) -> bool {
        self.is_device
    }

    /// Writes all remaining data. A regular file is then renamed from its temporary name to its final name.
    ///
    /// # Errors
    ///
    /// I/O errors.
    pub fn finish(self) -> io::Result<()> {
        self.flushed()?.finish()
    }

    /// Does the same as [`finish`](Self::finish), but first waits until a regular file is on disk. Then even a failure of
    /// the machine leaves either the old file or the new one.
    ///
    /// # Errors
    ///
    /// I/O errors.
    pub fn finish_on_disk(self) -> io::Result<()> {
        self.flushed()?.finish_on_disk()
    }

    /// Writes all remaining data to the target.
    fn flushed(self) -> io::Result<Target> {
        let target = match self.encoder {
            Encoder::Plain(target) => target,
            Encoder::Gzip(encoder) => encoder.finish()?,
            Encoder::Zstandard(encoder) => encoder.finish()?,
        };
        target.into_inner().map_err(io::IntoInnerError::into_error)
    }

    fn writer(&mut self) -> &mut dyn Write {
        match &mut self.encoder {
            Encoder::Plain(target) => target,
            Encoder::Gzip(encoder) => encoder,
            Encoder::Zstandard(encoder) => encoder,
        }
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer().flush()
    }
}

/// Extensions of unsupported compressions and of archives, in lower case.
const UNSUPPORTED: [&str; 16] =
    ["xz", "bz2", "lzma", "lz4", "zip", "z", "br", "7z", "lz", "lzo", "lrz", "sz", "rar", "tar", "tgz", "txz"];

/// Reason why a file cannot be written.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct CannotWrite(String);

impl CannotWrite {
    /// Returns a function that adds the path of this file to an I/O error.
    pub fn to(file: &Path) -> impl Fn(io::Error) -> Self {
        let cannot = format!("cannot write {}", file.display());
        move |why| Self(format!("{cannot}: {why}"))
    }
}

enum Target {
    /// Regular file: a temporary file, and the path to which it is renamed when it is complete. If it is never
    /// completed, the temporary file is removed.
    Regular(Temporary, PathBuf),
    Device(fs::File),
}

impl Target {
    fn open(path: &Path) -> io::Result<Self> {
        // Follow a symbolic link: the target of the link is replaced, not the link.
        let path = match (path.canonicalize(), path.read_link()) {
            (Ok(path), _) => path,
            // A link to a file that does not exist yet.
            (Err(_), Ok(linked)) => path.with_file_name(linked),
            (Err(_), Err(_)) => path.to_owned(),
        };
        match path.metadata() {
            Ok(metadata) if metadata.is_dir() => {
                return Err(io::Error::new(io::ErrorKind::IsADirectory, "the path is a folder"));
            }
            Ok(metadata) if !metadata.is_file() => {
                return fs::OpenOptions::new().write(true).open(path).map(Self::Device);
            }
            // A file without write permission must not be replaced either.
            Ok(_) => drop(fs::OpenOptions::new().append(true).open(&path)?),
            Err(_) => {}
        }
        let permissions = path.metadata().ok().map(|metadata| metadata.permissions());
        let file = Temporary::beside(&path)?;
        if let Some(permissions) = permissions {
            file.file().as_file().set_permissions(permissions)?;
        }
        Ok(Self::Regular(file, path))
    }

    fn finish(self) -> io::Result<()> {
        match self {
            Self::Regular(file, path) => file.persist(path),
            Self::Device(mut file) => file.flush(),
        }
    }

    /// Does the same as [`finish`](Self::finish), but first waits until a regular file is on disk.
    fn finish_on_disk(self) -> io::Result<()> {
        if let Self::Regular(file, _) = &self {
            file.file().as_file().sync_all()?;
        }
        self.finish()
    }

    fn writer(&mut self) -> &mut fs::File {
        match self {
            Self::Regular(file, _) => file.file_mut(),
            Self::Device(file) => file,
        }
    }
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer().flush()
    }
}
