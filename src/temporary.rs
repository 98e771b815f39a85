//! Temporary files that are gone whatever ends the program, as far as it is told: they are listed from the moment that
//! they are made, and whoever ends it removes what is listed.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::{NamedTempFile, TempDir};

/// The files that there are.
struct Files {
    paths: BTreeSet<PathBuf>,
    /// Whether no other may be made.
    closed: bool,
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
        // Where it is gone already there is nothing to do.
        let _ = fs::remove_file(path);
    }
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
        if files.closed {
            return Err(io::Error::other("this program is about to end"));
        }
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
    /// The system's.
    pub fn folder_for_a_child() -> io::Result<TempDir> {
        let prefix = Self::prefix(std::process::id());
        tempfile::Builder::new().prefix(&prefix).tempdir()
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
                let removed = fs::remove_file(entry.path());
                let _ = removed.or_else(|_| fs::remove_dir_all(entry.path()));
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
