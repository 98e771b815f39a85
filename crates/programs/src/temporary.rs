//! Temporary files and folders that are removed when the program ends, unless it is killed. Each file or folder is
//! listed when it is created. Before a program exits, it calls [`remove_all`], which removes everything in the list.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::{Builder, NamedTempFile, TempDir};

/// List of the existing temporary files and folders.
struct Files {
    paths: BTreeSet<PathBuf>,
    /// True if no more files may be created.
    closed: bool,
}

static FILES: Mutex<Files> = Mutex::new(Files { paths: BTreeSet::new(), closed: false });

fn files() -> MutexGuard<'static, Files> {
    // The set of paths is consistent even if a thread panicked while it held the lock.
    FILES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes all temporary files and folders, and prevents the creation of new ones. Call this before the program exits.
pub fn remove_all() {
    let mut files = files();
    files.closed = true;
    for path in &files.paths {
        remove(path);
    }
}

/// Removes a file or folder. Ignores errors, because the file or folder may be gone already.
fn remove(path: &Path) {
    let _ = fs::remove_file(path).or_else(|_| fs::remove_dir_all(path));
}

/// Returns the folder that contains a file, `.` for the name of a file alone.
pub fn folder_of(file: &Path) -> &Path {
    match file.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

/// Calls `make` with the parent folder of `path` and a builder of names for temporary files there. The created file or
/// folder is renamed to `path` when it is complete. `mode` is the mode before the umask is applied.
fn beside<T>(path: &Path, mode: u32, make: impl FnOnce(&Builder<'_, '_>, &Path) -> io::Result<T>) -> io::Result<T> {
    let mut prefix = OsString::from(".");
    prefix.push(path.file_name().unwrap_or_default());
    prefix.push(".");
    let mut builder = Builder::new();
    builder.prefix(&prefix).suffix(".part");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(mode));
    let parent = folder_of(path);
    // Check the parent first, and keep only the kind of a later error: its message would contain the temporary name.
    parent.metadata()?;
    make(&builder, parent).map_err(|error| error.kind().into())
}

/// Temporary file or folder. Dropping the value or calling [`remove_all`] removes the file, or the folder with its
/// contents.
pub struct Temporary<T = NamedTempFile> {
    made: T,
    // This field is dropped after the file, so that the file stays listed as long as it exists.
    _listed: Listed,
}

pub type TemporaryFolder = Temporary<TempDir>;

struct Listed(PathBuf);

impl Drop for Listed {
    fn drop(&mut self) {
        files().paths.remove(&self.0);
    }
}

impl<T> Temporary<T> {
    /// Creates a file or folder with `make`, and lists its path.
    fn new(make: impl FnOnce() -> io::Result<T>, path: impl Fn(&T) -> &Path) -> io::Result<Self> {
        // Keep the lock until the path is listed: otherwise a concurrent `remove_all` could miss it.
        let mut files = files();
        if files.closed {
            return Err(io::Error::other("this program is about to end"));
        }
        let made = make()?;
        let path = path(&made).to_owned();
        files.paths.insert(path.clone());
        Ok(Self { made, _listed: Listed(path) })
    }
}

impl Temporary {
    /// Creates a temporary file in the parent folder of `path`. When the file is complete, the caller renames it to
    /// `path` with [`persist`](Self::persist).
    ///
    /// # Errors
    ///
    /// I/O errors, and an error if the program is about to exit.
    pub fn beside(path: &Path) -> io::Result<Self> {
        beside(path, 0o666, |builder, folder| Self::new(|| builder.tempfile_in(folder), NamedTempFile::path))
    }

    /// Creates a file for a child process to read. The file name ends in `ending` and contains the id of this process.
    /// If this process is killed, another process can [remove the file](Self::remove_those_of).
    ///
    /// # Errors
    ///
    /// The errors of [`beside`](Self::beside).
    pub fn for_a_child(ending: &str) -> io::Result<Self> {
        let prefix = Self::prefix(std::process::id());
        Self::new(|| Builder::new().prefix(&prefix).suffix(ending).tempfile(), NamedTempFile::path)
    }

    /// Creates a folder for a child process. Like the file name in [`for_a_child`](Self::for_a_child), the folder name
    /// contains the id of this process.
    ///
    /// # Errors
    ///
    /// The errors of [`beside`](Self::beside).
    pub fn folder_for_a_child() -> io::Result<TemporaryFolder> {
        let prefix = Self::prefix(std::process::id());
        Temporary::new(|| Builder::new().prefix(&prefix).tempdir(), TempDir::path)
    }

    /// Creates a temporary folder in the parent folder of `path`. When the folder is complete, the caller renames it to
    /// `path` with [`TemporaryFolder::persist`].
    ///
    /// # Errors
    ///
    /// The errors of [`beside`](Self::beside).
    pub fn folder_beside(path: &Path) -> io::Result<TemporaryFolder> {
        beside(path, 0o777, |builder, parent| Temporary::new(|| builder.tempdir_in(parent), TempDir::path))
    }

    fn prefix(process: u32) -> String {
        format!("hamcnf-{process}-")
    }

    /// Removes the files and folders that a process created for its children, given the id of the process. Call this
    /// after the process was killed and could not remove them itself.
    pub fn remove_those_of(process: u32) {
        let prefix = Self::prefix(process);
        let Ok(entries) = fs::read_dir(std::env::temp_dir()) else { return };
        for entry in entries.flatten() {
            let name = entry.file_name();
            if name.to_str().is_some_and(|name| name.starts_with(&prefix)) {
                remove(&entry.path());
            }
        }
    }

    /// Returns the open file.
    pub fn file(&self) -> &NamedTempFile {
        &self.made
    }

    /// Returns the open file, for writing.
    pub fn file_mut(&mut self) -> &mut fs::File {
        self.made.as_file_mut()
    }

    /// Renames the file to its final path.
    ///
    /// # Errors
    ///
    /// I/O errors.
    pub fn persist(self, path: PathBuf) -> io::Result<()> {
        self.made.persist(path)?;
        Ok(())
    }
}

impl TemporaryFolder {
    /// Returns the path of the folder.
    pub fn path(&self) -> &Path {
        self.made.path()
    }

    /// Renames the folder to `path`. Replaces an existing folder of this name, but keeps it if the renaming fails.
    ///
    /// # Errors
    ///
    /// I/O errors.
    pub fn persist(self, path: &Path) -> io::Result<()> {
        let Self { made: folder, _listed } = self;
        if !path.try_exists()? {
            fs::rename(folder.path(), path)?;
            let _ = folder.keep();
            return Ok(());
        }
        // Only the last line removes the old folder, so the old folder is kept if an earlier step fails.
        let aside = Temporary::folder_beside(path)?.made.keep();
        fs::rename(path, &aside)?;
        if let Err(error) = fs::rename(folder.path(), path) {
            return Err(match fs::rename(&aside, path) {
                Ok(()) => error,
                Err(_) => io::Error::other(format!("{error}; the previous content is in {}", aside.display())),
            });
        }
        let _ = folder.keep();
        fs::remove_dir_all(aside)
    }
}
