//! Where results are written: raw rows as they come, and the tables when they are complete.
//!
//! While an experiment runs, its rows are in `NAME.csv.part`, each on disk as soon as it is there. When it
//! is complete that file becomes `NAME.csv`; so an earlier result stays until a new one is whole, and what
//! an interrupted run has measured is not lost.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

/// Why results could not be written.
#[derive(Debug, thiserror::Error)]
pub enum ResultsError {
    /// A file or folder could not be used.
    #[error("cannot write {}: {error}", file.display())]
    Write {
        /// The file.
        file: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// Rows are there from a run that did not finish.
    #[error("{} is left from an unfinished run: continue it with --resume, or remove the file", .0.display())]
    Unfinished(PathBuf),
    /// The rows of an unfinished run cannot be read.
    #[error("cannot resume from {}: {error}", file.display())]
    Resume {
        /// The file.
        file: PathBuf,
        /// Why.
        error: csv::Error,
    },
}

/// The files of one experiment's results.
#[derive(Debug)]
pub struct Results {
    folder: PathBuf,
    name: String,
    rows: csv::Writer<File>,
}

impl Results {
    /// Begins a run, or goes on with an unfinished one, whose rows are given back. Without `resume` there
    /// must not be any.
    ///
    /// # Errors
    ///
    /// [`ResultsError`].
    pub fn begin<R: DeserializeOwned>(
        folder: &Path,
        name: &str,
        resume: bool,
    ) -> Result<(Self, Vec<R>), ResultsError> {
        let part = folder.join(format!("{name}.csv.part"));
        let write = |error| ResultsError::Write {
            file: part.clone(),
            error,
        };
        fs::create_dir_all(folder).map_err(write)?;
        let mut earlier = Vec::new();
        let has_rows = part.metadata().is_ok_and(|metadata| metadata.len() > 0);
        if has_rows {
            if !resume {
                return Err(ResultsError::Unfinished(part));
            }
            let rows: Result<Vec<R>, csv::Error> =
                csv::Reader::from_path(&part).and_then(|mut r| r.deserialize().collect());
            earlier = rows.map_err(|error| ResultsError::Resume {
                file: part.clone(),
                error,
            })?;
        }
        let file = OpenOptions::new()
            .create(true)
            .append(true)
            .open(&part)
            .map_err(write)?;
        let rows = csv::WriterBuilder::new()
            .has_headers(!has_rows)
            .from_writer(file);
        let results = Self {
            folder: folder.to_owned(),
            name: name.to_owned(),
            rows,
        };
        Ok((results, earlier))
    }

    /// Writes a row through to the disk.
    ///
    /// # Errors
    ///
    /// [`ResultsError::Write`].
    pub fn row(&mut self, row: &impl Serialize) -> Result<(), ResultsError> {
        let written = self.rows.serialize(row).map_err(io::Error::from);
        written
            .and_then(|()| self.rows.flush())
            .map_err(|error| self.failed("csv.part", error))
    }

    /// Ends a complete run: the report and further files are written, and the rows get their final name.
    ///
    /// # Errors
    ///
    /// [`ResultsError::Write`].
    pub fn finish(self, files: &[(&str, String)]) -> Result<PathBuf, ResultsError> {
        for (ending, content) in files {
            fs::write(self.file(ending), content).map_err(|error| self.failed(ending, error))?;
        }
        let (part, whole) = (self.file("csv.part"), self.file("csv"));
        fs::rename(part, &whole).map_err(|error| self.failed("csv", error))?;
        Ok(whole)
    }

    fn file(&self, ending: &str) -> PathBuf {
        self.folder.join(format!("{}.{ending}", self.name))
    }

    fn failed(&self, ending: &str, error: io::Error) -> ResultsError {
        let file = self.file(ending);
        ResultsError::Write { file, error }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Row {
        n: u32,
        word: String,
    }

    fn row(n: u32) -> Row {
        Row {
            n,
            word: format!("a,{n}"),
        }
    }

    #[test]
    fn an_interrupted_run_is_resumed_and_nothing_is_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let begin = |resume| Results::begin::<Row>(folder.path(), "x", resume);
        fs::write(folder.path().join("x.csv"), "earlier").unwrap();

        let (mut results, earlier) = begin(false).unwrap();
        assert_eq!(earlier, []);
        results.row(&row(1)).unwrap();
        drop(results);
        assert_eq!(
            fs::read_to_string(folder.path().join("x.csv")).unwrap(),
            "earlier"
        );

        assert!(matches!(begin(false), Err(ResultsError::Unfinished(_))));
        let (mut results, earlier) = begin(true).unwrap();
        assert_eq!(earlier, [row(1)]);
        results.row(&row(2)).unwrap();
        let whole = results.finish(&[("md", "report".to_owned())]).unwrap();
        assert_eq!(
            fs::read_to_string(whole).unwrap(),
            "n,word\n1,\"a,1\"\n2,\"a,2\"\n"
        );
        assert_eq!(
            fs::read_to_string(folder.path().join("x.md")).unwrap(),
            "report"
        );
        assert!(begin(false).is_ok());
    }
}
