//! Where results are written: raw rows as they come, and the tables when they are complete.
//!
//! While an experiment runs, its rows are in `NAME.csv.part`, each on disk as soon as it is there, beside
//! the machine in `NAME.machine.json.part`. When it is complete they get their final names; so an earlier
//! result stays until a new one is whole, and what an interrupted run has measured is not lost.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::machine::Machine;

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
    /// The rows of an unfinished run cannot be read, or are not of this experiment.
    #[error("cannot resume from {}: {why}", file.display())]
    Resume {
        /// The file.
        file: PathBuf,
        /// Why.
        why: String,
    },
}

/// What becomes of a row of an unfinished run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Earlier {
    /// It stands.
    Keep,
    /// It is measured again.
    Again,
    /// It cannot be of this experiment, for this reason: nothing is resumed.
    Foreign(String),
}

/// The files of one experiment's results.
#[derive(Debug)]
pub struct Results {
    folder: PathBuf,
    name: String,
    rows: csv::Writer<File>,
    machine: Machine,
}

impl Results {
    /// Begins a run on this machine, or goes on with an unfinished one, whose rows are given back as far
    /// as `judge` keeps them. Without `resume` there must not be any, and they must be of a like machine.
    ///
    /// # Errors
    ///
    /// [`ResultsError`].
    pub fn begin<R: Serialize + DeserializeOwned>(
        folder: &Path,
        name: &str,
        machine: Machine,
        resume: bool,
        judge: impl Fn(&R) -> Earlier,
    ) -> Result<(Self, Vec<R>), ResultsError> {
        let part = folder.join(format!("{name}.csv.part"));
        if part.metadata().is_ok_and(|metadata| metadata.len() > 0) {
            if !resume {
                return Err(ResultsError::Unfinished(part));
            }
            let cannot = |why: String| ResultsError::Resume {
                file: part.clone(),
                why,
            };
            let kept = read_rows(&part, judge).map_err(cannot)?;
            if !kept.is_empty() {
                let earlier = fs::read(folder.join(format!("{name}.machine.json.part")))
                    .ok()
                    .and_then(|text| serde_json::from_slice::<Machine>(&text).ok())
                    .filter(|earlier| earlier.is_like(&machine))
                    .ok_or_else(|| {
                        cannot("its rows are of another machine, version or graph".to_owned())
                    })?;
                return Ok((Self::start(folder, name, earlier, &kept)?, kept));
            }
        }
        Ok((Self::afresh::<R>(folder, name, machine)?, Vec::new()))
    }

    /// Begins a run on this machine, whatever an unfinished one left.
    ///
    /// # Errors
    ///
    /// [`ResultsError::Write`].
    pub fn afresh<R: Serialize>(
        folder: &Path,
        name: &str,
        machine: Machine,
    ) -> Result<Self, ResultsError> {
        Self::start::<R>(folder, name, machine, &[])
    }

    fn start<R: Serialize>(
        folder: &Path,
        name: &str,
        machine: Machine,
        kept: &[R],
    ) -> Result<Self, ResultsError> {
        let part = folder.join(format!("{name}.csv.part"));
        let write = |error| ResultsError::Write {
            file: part.clone(),
            error,
        };
        fs::create_dir_all(folder).map_err(write)?;
        // What stands is written anew, so that the next row follows a whole one.
        let mut text = csv::Writer::from_writer(Vec::new());
        kept.iter()
            .try_for_each(|row| text.serialize(row))
            .map_err(|e| write(e.into()))?;
        let text = text.into_inner().map_err(|e| write(e.into_error()))?;
        whole(&part, &text)?;
        whole(
            &folder.join(format!("{name}.machine.json.part")),
            json(&machine).as_bytes(),
        )?;
        let file = OpenOptions::new().append(true).open(&part).map_err(write)?;
        let rows = csv::WriterBuilder::new()
            .has_headers(kept.is_empty())
            .from_writer(file);
        Ok(Self {
            folder: folder.to_owned(),
            name: name.to_owned(),
            rows,
            machine,
        })
    }

    /// The machine that the run began on.
    #[must_use]
    pub fn machine(&self) -> &Machine {
        &self.machine
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
            .map_err(|error| ResultsError::Write {
                file: self.file("csv.part"),
                error,
            })
    }

    /// Ends a complete run: rows and machine get their final names, and the report is written.
    ///
    /// # Errors
    ///
    /// [`ResultsError::Write`].
    pub fn finish(self, report: &str) -> Result<PathBuf, ResultsError> {
        for ending in ["csv", "machine.json"] {
            let file = self.file(ending);
            fs::rename(self.file(&format!("{ending}.part")), &file)
                .map_err(|error| ResultsError::Write { file, error })?;
        }
        whole(&self.file("md"), report.as_bytes())?;
        Ok(self.file("csv"))
    }

    fn file(&self, ending: &str) -> PathBuf {
        self.folder.join(format!("{}.{ending}", self.name))
    }
}

fn json(machine: &Machine) -> String {
    serde_json::to_string_pretty(machine).expect("a machine is words and numbers") + "\n"
}

fn read_rows<R: DeserializeOwned>(
    part: &Path,
    judge: impl Fn(&R) -> Earlier,
) -> Result<Vec<R>, String> {
    let mut text = fs::read_to_string(part).map_err(|error| error.to_string())?;
    // A row that was cut off when the run was, is not there.
    text.truncate(text.rfind('\n').map_or(0, |end| end + 1));
    let mut kept = Vec::new();
    for row in csv::Reader::from_reader(text.as_bytes()).deserialize() {
        let row = row.map_err(|error| error.to_string())?;
        match judge(&row) {
            Earlier::Keep => kept.push(row),
            Earlier::Again => {}
            Earlier::Foreign(why) => return Err(why),
        }
    }
    Ok(kept)
}

/// Writes a file under a temporary name and renames it.
fn whole(file: &Path, content: &[u8]) -> Result<(), ResultsError> {
    let written = || {
        let mut part = file.to_owned().into_os_string();
        part.push(".new");
        let mut new = File::create(&part)?;
        new.write_all(content)?;
        fs::rename(&part, file)
    };
    written().map_err(|error| ResultsError::Write {
        file: file.to_owned(),
        error,
    })
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
        let read = |ending: &str| fs::read_to_string(folder.path().join(ending)).unwrap();
        let mut machine = Machine::here();
        let begin = |machine: &Machine, resume| {
            Results::begin(
                folder.path(),
                "x",
                machine.clone(),
                resume,
                |row: &Row| match row.n {
                    9 => Earlier::Foreign("9 is not ours".to_owned()),
                    2 => Earlier::Again,
                    _ => Earlier::Keep,
                },
            )
        };
        fs::write(folder.path().join("x.csv"), "earlier").unwrap();

        let (mut results, kept) = begin(&machine, false).unwrap();
        assert_eq!(kept, []);
        results.row(&row(1)).unwrap();
        results.row(&row(2)).unwrap();
        drop(results);
        assert_eq!(read("x.csv"), "earlier");
        // The next row was being written when the run was interrupted.
        fs::write(
            folder.path().join("x.csv.part"),
            read("x.csv.part") + "3,\"a",
        )
        .unwrap();

        assert!(matches!(
            begin(&machine, false),
            Err(ResultsError::Unfinished(_))
        ));
        machine.date = "later".to_owned();
        let (mut results, kept) = begin(&machine, true).unwrap();
        assert_eq!(kept, [row(1)]);
        assert_ne!(results.machine().date, "later");
        results.row(&row(3)).unwrap();
        results.finish("report").unwrap();
        assert_eq!(read("x.csv"), "n,word\n1,\"a,1\"\n3,\"a,3\"\n");
        assert_eq!(read("x.md"), "report");
        assert!(!read("x.machine.json").contains("later"));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3);

        let (mut results, _) = begin(&machine, false).unwrap();
        results.row(&row(9)).unwrap();
        drop(results);
        let error = begin(&machine, true).unwrap_err().to_string();
        assert!(error.ends_with("x.csv.part: 9 is not ours"), "{error}");
    }
}
