//! Temporary files and folders that are gone whatever ends the program, as far as it is told: they are listed from the
//! moment that they are made, and whoever ends it removes what is listed.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::{NamedTempFile, TempDir};

/// The files and folders that there are.
struct Files {
    paths: BTreeSet<PathBuf>,
    /// Whether no other may be made.
    closed: bool,
}

impl Files {
    fn may_be_made(&self) -> io::Result<()> {
        match self.closed {
            true => Err(io::Error::other("this program is about to end")),
            false => Ok(()),
        }
    }
}

static FILES: Mutex<Files> = Mutex::new(Files {
    paths: BTreeSet::new(),
    closed: false,
});

fn files() -> MutexGuard<'static, Files> {
    // A set is whole whatever became of who held it.
    FILES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes all of them, and lets no other be made: for a program that ends now.
pub fn remove_all() {
    let mut files = files();
    files.closed = true;
    for path in &files.paths {
        remove(path);
    }
}

/// Where it is gone already there is nothing to do.
fn remove(path: &Path) {
    let _ = fs::remove_file(path).or_else(|_| fs::remove_dir_all(path));
}

/// Writes a file under a temporary name and gives it its own when it is whole and on the disk: whatever happens, the file
/// that was there stays until then.
///
/// # Errors
///
/// The system's, and that the program is about to end.
pub fn replace(file: &Path, content: &[u8]) -> io::Result<()> {
    let mut name = file.file_name().unwrap_or_default().to_owned();
    name.push(".");
    let mut builder = tempfile::Builder::new();
    builder.prefix(&name).suffix(".new");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // As for any new file: the umask takes its part away.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let folder = match file.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    // Without the name of the temporary file, which would be said instead of the file's.
    let mut new = Temporary::new(&builder, folder).map_err(|error| error.kind())?;
    new.file_mut().write_all(content)?;
    new.file().as_file().sync_all()?;
    new.persist(file.to_owned())
}

/// A file that is removed when this goes, and by [`remove_all`].
pub struct Temporary {
    file: NamedTempFile,
    // After the file, so that it is listed as long as it is there.
    _listed: Listed,
}

struct Listed(PathBuf);

impl Drop for Listed {
    fn drop(&mut self) {
        files().paths.remove(&self.0);
    }
}

impl Temporary {
    /// Makes it.
    ///
    /// # Errors
    ///
    /// The system's, and that the program is about to end.
    pub fn new(builder: &tempfile::Builder<'_, '_>, folder: &Path) -> io::Result<Self> {
        // From before it is there until it is listed.
        let mut files = files();
        files.may_be_made()?;
        let file = builder.tempfile_in(folder)?;
        let path = file.path().to_owned();
        files.paths.insert(path.clone());
        Ok(Self {
            file,
            _listed: Listed(path),
        })
    }

    /// One for a child to read, with this ending. Its name has the number of this process, so that whoever kills it
    /// can [remove what it left](Self::remove_those_of).
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new).
    pub fn for_a_child(ending: &str) -> io::Result<Self> {
        let prefix = Self::prefix(std::process::id());
        let mut builder = tempfile::Builder::new();
        builder.prefix(&prefix).suffix(ending);
        Self::new(&builder, &std::env::temp_dir())
    }

    /// A folder for a child, which is removed with what is in it when it goes. Its name is like that of such a file.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new).
    pub fn folder_for_a_child() -> io::Result<TemporaryFolder> {
        let prefix = Self::prefix(std::process::id());
        let mut files = files();
        files.may_be_made()?;
        let folder = tempfile::Builder::new().prefix(&prefix).tempdir()?;
        let path = folder.path().to_owned();
        files.paths.insert(path.clone());
        Ok(TemporaryFolder {
            folder,
            _listed: Listed(path),
        })
    }

    /// A folder beside a path, for what is to have that name when it is whole.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new).
    pub fn folder_beside(path: &Path) -> io::Result<TemporaryFolder> {
        let mut prefix = OsString::from(".");
        prefix.push(path.file_name().unwrap_or_default());
        prefix.push(".");
        let mut builder = tempfile::Builder::new();
        builder.prefix(&prefix).suffix(".part");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // As for any new folder: the umask takes its part away.
            builder.permissions(fs::Permissions::from_mode(0o777));
        }
        let parent = match path.parent() {
            Some(parent) if parent != Path::new("") => parent,
            _ => Path::new("."),
        };
        // Asked here, since the error of the temporary folder would name that.
        parent.metadata()?;
        let mut files = files();
        files.may_be_made()?;
        let folder = builder.tempdir_in(parent).map_err(|error| error.kind())?;
        files.paths.insert(folder.path().to_owned());
        let path = folder.path().to_owned();
        Ok(TemporaryFolder {
            folder,
            _listed: Listed(path),
        })
    }

    fn prefix(process: u32) -> String {
        format!("hamcnf-{process}-")
    }

    /// Removes what a process has left that did not come to remove its own.
    pub fn remove_those_of(process: u32) {
        let prefix = Self::prefix(process);
        let Ok(entries) = fs::read_dir(std::env::temp_dir()) else {
            return;
        };
        for entry in entries.flatten() {
            let name = entry.file_name();
            if name.to_str().is_some_and(|name| name.starts_with(&prefix)) {
                remove(&entry.path());
            }
        }
    }

    /// The file.
    #[must_use]
    pub fn file(&self) -> &NamedTempFile {
        &self.file
    }

    /// The file, to be written to.
    pub fn file_mut(&mut self) -> &mut fs::File {
        self.file.as_file_mut()
    }

    /// Gives it its lasting name.
    ///
    /// # Errors
    ///
    /// The system's.
    pub fn persist(self, path: PathBuf) -> io::Result<()> {
        self.file.persist(path)?;
        Ok(())
    }
}

/// A folder that is removed with what is in it when this goes, and by [`remove_all`].
pub struct TemporaryFolder {
    folder: TempDir,
    // After the folder, so that it is listed as long as it is there.
    _listed: Listed,
}

impl TemporaryFolder {
    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Gives it its lasting name. What is there by that name, which is a folder, goes when that is done, and stays if
    /// it cannot be.
    ///
    /// # Errors
    ///
    /// The system's.
    pub fn persist(self, path: &Path) -> io::Result<()> {
        let Self { folder, _listed } = self;
        if !path.try_exists()? {
            fs::rename(folder.path(), path)?;
            let _ = folder.keep();
            return Ok(());
        }
        // From here on nothing but the last line removes what was there.
        let aside = Temporary::folder_beside(path)?.folder.keep();
        fs::rename(path, &aside)?;
        if let Err(error) = fs::rename(folder.path(), path) {
            return Err(match fs::rename(&aside, path) {
                Ok(()) => error,
                Err(_) => {
                    io::Error::other(format!("{error}; what was there is in {}", aside.display()))
                }
            });
        }
        let _ = folder.keep();
        fs::remove_dir_all(aside)
    }
}
