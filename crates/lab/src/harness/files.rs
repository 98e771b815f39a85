//! Files of a run: its rows, machine, tours and report. They are in one folder, and their names differ only in the
//! ending. While a run is unfinished, its files end with `.part`.

use std::collections::HashMap;
use std::fmt::Display;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::earlier::Losses;
use super::rows::{csv, read_rows, rows_in};
use crate::{LabError, cannot};
use hamcnf_methods::machine::Machine;
use hamcnf_methods::record::{Key, Record, Status};
use hamcnf_programs::atomic_file;

pub(super) const PART: &str = "csv.part";
pub(super) const MACHINE: &str = "machine.json";
pub(super) const MACHINE_PART: &str = "machine.json.part";
pub(super) const TOURS: &str = "tours.jsonl";
pub(super) const TOURS_PART: &str = "tours.jsonl.part";

/// Files of a run of an experiment or a shard.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunFiles {
    folder: PathBuf,
    /// Name of the experiment or the shard.
    name: String,
}

impl RunFiles {
    /// Returns the files of the run with this name in the folder. They need not exist.
    pub fn new(folder: &Path, name: &str) -> Self {
        Self { folder: folder.to_owned(), name: name.to_owned() }
    }

    pub(super) fn path(&self, ending: &str) -> PathBuf {
        self.folder.join(format!("{}.{ending}", self.name))
    }

    pub(super) fn create_folder(&self) -> Result<(), LabError> {
        fs::create_dir_all(&self.folder).map_err(cannot("write", &self.folder))
    }

    /// Writes a file under a temporary name, then renames it to its final name, and returns its path.
    pub(super) fn replace(&self, ending: &str, content: &[u8]) -> Result<PathBuf, LabError> {
        let file = self.path(ending);
        atomic_file::replace(&file, content).map_err(cannot("write", &file))?;
        Ok(file)
    }

    pub(super) fn replace_machine(&self, ending: &str, machine: &Machine) -> Result<PathBuf, LabError> {
        let json = serde_json::to_string_pretty(machine).expect("a machine can be serialized") + "\n";
        self.replace(ending, json.as_bytes())
    }

    /// Writes the rows, the machine and the report of a finished run, replacing earlier ones. Returns the path of the
    /// rows.
    pub(super) fn write(&self, rows: &[Record], machine: &Machine, report: Option<&str>) -> Result<PathBuf, LabError> {
        // The rows are written last: until then, a run continues from the partial files.
        if let Some(report) = report {
            self.replace("md", report.as_bytes())?;
        }
        self.replace_machine(MACHINE, machine)?;
        self.replace("csv", &csv(rows, true))
    }

    /// Removes files. They may be missing.
    pub(super) fn remove(&self, endings: &[&str]) -> Result<(), LabError> {
        endings.iter().map(|ending| self.path(ending)).try_for_each(|file| match fs::remove_file(&file) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(cannot("write", &file)(error)),
            _ => Ok(()),
        })
    }

    /// Removes the files with the rows, the machine and the tours of the run, finished or not.
    pub(super) fn remove_all(&self) -> Result<(), LabError> {
        self.remove(&["csv", MACHINE, PART, MACHINE_PART, TOURS, TOURS_PART])
    }

    /// Reads a file; a missing or unreadable file is empty.
    pub(super) fn text(&self, ending: &str) -> String {
        fs::read_to_string(self.path(ending)).unwrap_or_default()
    }

    /// Reads the description of a machine; `None` if the file is missing or invalid.
    pub(super) fn machine(&self, ending: &str) -> Option<Machine> {
        serde_json::from_str(&self.text(ending)).ok()
    }

    /// Returns all readable rows: first the rows of an unfinished run, then the rows of a finished run.
    pub(super) fn all_rows(&self) -> Vec<Record> {
        [PART, "csv"].iter().flat_map(|ending| rows_in(&self.path(ending)).unwrap_or_default()).collect()
    }

    /// Returns the complete rows of an unfinished run, including rows of failed jobs; empty if there is no unfinished
    /// run.
    pub(super) fn unfinished(&self) -> Result<Vec<Record>, LabError> {
        rows_in(&self.path(PART)).map_err(|why| self.cannot_report(PART, why))
    }

    /// Reads the rows and the machine of a finished run.
    ///
    /// # Errors
    ///
    /// [`LabError`]: a file is missing, unreadable or invalid.
    pub fn finished(&self) -> Result<(Vec<Record>, Machine), LabError> {
        let read = |ending| fs::read_to_string(self.path(ending)).map_err(|error| self.cannot_report(ending, error));
        let rows = read_rows(&read("csv")?).map_err(|why| self.cannot_report("csv", why))?;
        let machine = serde_json::from_str(&read(MACHINE)?).map_err(|error| self.cannot_report(MACHINE, error))?;
        Ok((rows, machine))
    }

    /// Returns an error if replacing the finished rows with merged rows would lose a row, or if the finished rows are
    /// unreadable.
    pub(super) fn refuse_losses(&self, merged: &HashMap<Key, Record>) -> Result<(), LabError> {
        let mut lost = Losses::default();
        let rows = rows_in(&self.path("csv")).map_err(|why| self.cannot_continue("csv", &why))?;
        for row in rows.iter().filter(|row| row.status != Status::Failed) {
            match merged.get(&row.key()) {
                None => lost.add(format!("of {} (not in the experiment)", row.key())),
                Some(new) if new != row => lost.add("measured again by the shards".to_owned()),
                Some(_) => {}
            }
        }
        match lost.is_empty() {
            true => Ok(()),
            false => Err(lost.error(&self.path("csv"), "pass --fresh to replace the file, or move it elsewhere")),
        }
    }

    pub(super) fn cannot_continue(&self, ending: &str, why: &LabError) -> LabError {
        let file = self.path(ending);
        LabError::new(format_args!("cannot continue from {}: {why}; pass --fresh to start over", file.display()))
    }

    pub(super) fn cannot_report(&self, ending: &str, why: impl Display) -> LabError {
        LabError::new(format_args!("cannot report from {}: {why}", self.path(ending).display()))
    }
}
