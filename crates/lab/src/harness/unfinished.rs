//! Stores result rows: in the order in which the jobs end while an experiment runs, and sorted when the experiment is
//! complete.
//!
//! While an experiment runs, its rows are in `NAME.csv.part`, and the description of the machine is in
//! `NAME.machine.json.part`. A row is added as soon as its job ends. When the experiment is complete, the files get
//! their final names. Thus an earlier result remains until the new one is complete, and the measurements of an
//! interrupted run are not lost. A run begins with copies of the [earlier](super::earlier) rows that it keeps. A run
//! holds a lock on the file of its rows. The operating system releases the lock even if the run crashes or is killed.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{Read, Seek, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use super::earlier::{Asked, Earlier, Sorter};
use super::files::{MACHINE, MACHINE_PART, PART, RunFiles};
use super::rows::{complete, csv, rows_in};
use crate::{LabError, cannot};
use hamcnf_methods::machine::Machine;
use hamcnf_methods::record::Record;

/// Rows of a run that is not finished.
#[derive(Debug)]
pub(super) struct Rows {
    files: RunFiles,
    part: File,
    /// Length in bytes of all complete rows in the file.
    length: u64,
    /// Content of the file when the run starts to write; `None` if the existing content remains.
    begins_with: Option<Vec<u8>>,
    /// Machine on which the run began, with all other machines that made rows.
    pub(super) machine: Machine,
}

impl Drop for Rows {
    fn drop(&mut self) {
        // A run that wrote nothing leaves no empty file.
        if self.length == 0 {
            let _ = fs::remove_file(self.files.path(PART));
        }
    }
}

impl Rows {
    /// Prepares a run on this machine, and returns the earlier rows that the run keeps. If an unfinished run has left
    /// rows, only these rows are considered. Otherwise, two kinds of rows are considered: the rows of the finished run,
    /// and the rows for jobs of this run in the files named in `beside`. Only a shard names such files, and may have rows
    /// of any machine. No file changes before [`Rows::start`].
    ///
    /// # Errors
    ///
    /// [`LabError`]: the files are in use, unreadable or not writable, or rows would be lost.
    pub(super) fn begin(
        files: RunFiles,
        machine: Machine,
        asked: Asked<'_>,
        beside: &[RunFiles],
        earlier: Earlier,
    ) -> Result<(Self, Vec<Record>), LabError> {
        files.create_folder()?;
        let path = files.path(PART);
        let mut rows = Self { part: locked(&path)?, files, length: 0, begins_with: None, machine };
        let mut text = String::new();
        rows.part.read_to_string(&mut text).map_err(cannot("write", &path))?;
        text.truncate(complete(&path, &text).len());
        rows.length = text.len() as u64;
        let is_shard = !beside.is_empty();
        let mut sorter = Sorter::new(asked, (!is_shard).then(|| rows.machine.id()));
        // An interrupted run continues from its own rows; any other run begins with those of the finished run.
        let continues = earlier != Earlier::Drop && !text.is_empty();
        let (source, machine) = if continues { (PART, MACHINE_PART) } else { ("csv", MACHINE) };
        let read = match earlier {
            Earlier::Drop => Ok(Vec::new()),
            _ => rows_in(&rows.files.path(source)),
        };
        match read {
            Ok(read) => sorter.sort(read),
            // The rows are unreadable, so all of them are lost.
            Err(why) if earlier == Earlier::Prune => sorter.lost.add(why.to_string()),
            Err(why) => return Err(rows.files.cannot_continue(source, &why)),
        }
        if earlier == Earlier::Keep && !sorter.lost.is_empty() {
            let pass_prune = match sorter.kept.len() {
                0 => "pass --prune to drop them".to_owned(),
                kept => format!("pass --prune to drop them and keep the other {kept}"),
            };
            let others = "pass --fresh to run everything again, or choose another folder with --output";
            return Err(sorter.lost.error(&rows.files.path(source), format_args!("{pass_prune}, {others}")));
        }
        let described = rows.files.machine(machine).filter(|_| !sorter.kept.is_empty());
        let mut machine = match described {
            Some(earlier) => Machine { graphs: rows.machine.graphs.clone(), ..earlier },
            None => rows.machine.clone(),
        };
        if earlier != Earlier::Drop && !continues {
            for other in beside {
                if sorter.adopt(other.all_rows()) {
                    let there = [MACHINE_PART, MACHINE].into_iter().filter_map(|ending| other.machine(ending));
                    there.for_each(|there| machine.add(&there));
                }
            }
        }
        if is_shard {
            machine.add(&rows.machine);
        }
        rows.machine = machine;
        if !continues || !sorter.lost.is_empty() {
            rows.begins_with = Some(csv(&sorter.kept, true));
        }
        Ok((rows, sorter.kept))
    }

    /// Prepares the files for further rows. After this call, an interrupted run can be continued.
    ///
    /// # Errors
    ///
    /// [`LabError`]: a file could not be written.
    pub(super) fn start(&mut self) -> Result<(), LabError> {
        match self.begins_with.take() {
            Some(text) => {
                self.part = locked(&self.files.replace(PART, &text)?)?;
                self.length = text.len() as u64;
            }
            // Removes an incomplete row at the end.
            None => self.part.set_len(self.length).map_err(cannot("write", &self.files.path(PART)))?,
        }
        self.files.replace_machine(MACHINE_PART, &self.machine)?;
        Ok(())
    }

    /// Appends a row. If the row cannot be written completely, nothing is added.
    ///
    /// # Errors
    ///
    /// [`LabError`].
    pub(super) fn append(&mut self, row: &Record) -> Result<(), LabError> {
        let text = csv(std::slice::from_ref(row), false);
        if let Err(error) = self.part.write_all(&text) {
            // A later run would ignore the incomplete row, but this run may append further rows.
            let _ = self.part.set_len(self.length);
            return Err(cannot("write", &self.files.path(PART))(error));
        }
        self.length += text.len() as u64;
        Ok(())
    }

    /// Ends a complete run: replaces the earlier results with the sorted `rows` and, if given, the report.
    ///
    /// # Errors
    ///
    /// [`LabError`]. The run can then be continued from its files.
    pub(super) fn finish(self, rows: &[Record], report: Option<&str>) -> Result<PathBuf, LabError> {
        let file = self.files.write(rows, &self.machine, report)?;
        self.files.remove(&[PART, MACHINE_PART])?;
        Ok(file)
    }
}

/// Maximum time to wait for the lock of a file that another run has locked.
const PATIENCE: Duration = Duration::from_secs(1);

/// Opens the file for reading and appending, and locks it.
fn locked(path: &Path) -> Result<File, LabError> {
    let write = cannot("write", path);
    let began = Instant::now();
    loop {
        let mut options = OpenOptions::new();
        let mut file = options.read(true).append(true).create(true).open(path).map_err(&write)?;
        match file.try_lock() {
            Ok(()) => {}
            // A killed run may leave a child process between fork and exec, which holds the lock for a moment.
            Err(TryLockError::WouldBlock) if began.elapsed() < PATIENCE => {
                thread::sleep(PATIENCE / 20);
                continue;
            }
            Err(TryLockError::WouldBlock) => {
                let path = path.display();
                return Err(LabError::new(format_args!("{path} is being written by another run; wait until it ends")));
            }
            Err(TryLockError::Error(error)) => return Err(write(error)),
        }
        // Between opening and locking, the previous holder of the lock may have removed the file.
        let ours = file.metadata().map_err(&write)?;
        let is_there = fs::metadata(path).is_ok_and(|there| (there.dev(), there.ino()) == (ours.dev(), ours.ino()));
        if is_there {
            file.rewind().map_err(&write)?;
            return Ok(file);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::super::rows::read_rows;
    use super::*;
    use hamcnf_graph::limits::Limits;
    use hamcnf_methods::record::{Key, Status};

    fn row(seed: u64) -> Record {
        let method = "warnsdorff".parse().unwrap();
        Record::new("8x8", "", &method, seed, &Limits::default()).ended(Status::Tour, "")
    }

    fn runs() -> HashSet<Key> {
        (1..=5).map(|seed| row(seed).key()).collect()
    }

    fn begin(folder: &Path, earlier: Earlier) -> Result<(Rows, Vec<Record>), LabError> {
        let runs = runs();
        let asked = Asked { all: &runs, here: &runs };
        let machine = Machine::here();
        let begun = Rows::begin(RunFiles::new(folder, "x"), machine, asked, &[], earlier);
        begun.and_then(|(mut rows, kept)| rows.start().map(|()| (rows, kept)))
    }

    #[test]
    fn an_interrupted_run_is_gone_on_with_and_nothing_is_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let read = |ending: &str| fs::read_to_string(folder.path().join(ending)).unwrap();
        let write = |ending: &str, text: &str| fs::write(folder.path().join(ending), text).unwrap();
        write("x.csv", "earlier");
        // An unreadable file stays until a run drops the earlier rows.
        let said = begin(folder.path(), Earlier::Keep).unwrap_err().to_string();
        assert!(said.contains("the columns differ from"), "{said}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        let (mut rows, kept) = begin(folder.path(), Earlier::Drop).unwrap();
        assert_eq!(kept, []);
        rows.append(&row(1)).unwrap();
        rows.append(&row(2).ended(Status::Failed, "no")).unwrap();
        // Another run cannot write at the same time.
        let said = begin(folder.path(), Earlier::Drop).unwrap_err().to_string();
        assert!(said.ends_with("x.csv.part is being written by another run; wait until it ends"), "{said}");
        drop(rows);
        assert_eq!(read("x.csv"), "earlier");
        // The next row was being written when the run was interrupted.
        write("x.csv.part", &(read("x.csv.part") + "1,8x8,\"a"));
        let (mut rows, kept) = begin(folder.path(), Earlier::Keep).unwrap();
        assert_eq!(kept, [row(1)]);
        rows.append(&row(2)).unwrap();
        rows.finish(&[row(2), row(1)], Some("report")).unwrap();
        assert_eq!(read_rows(&read("x.csv")), Ok(vec![row(2), row(1)]));
        assert_eq!(read("x.md"), "report");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3);
        assert_eq!(RunFiles::new(folder.path(), "x").finished().unwrap().0, [row(2), row(1)]);
        // A finished run can be continued as well: the new run begins with copies of its rows.
        let (rows, kept) = begin(folder.path(), Earlier::Keep).unwrap();
        assert_eq!(kept, [row(2), row(1)]);
        assert_eq!(read_rows(&read("x.csv.part")), Ok(kept));
        drop(rows);
    }

    #[test]
    fn rows_of_anything_else_are_not_gone_on_with() {
        let folder = tempfile::tempdir().unwrap();
        let part = folder.path().join("x.csv.part");
        let wrong = |change: &dyn Fn(&mut Record)| {
            let mut other = row(1);
            change(&mut other);
            fs::write(&part, csv(&[row(2), other], true)).unwrap();
            let said = begin(folder.path(), Earlier::Keep).unwrap_err().to_string();
            assert!(said.contains("--fresh"), "{said}");
            said.replace(&part.display().to_string(), "PART")
        };
        for (message, change) in [
            (
                "PART has 1 row that would be lost: 1 with seed 9 (not in the experiment); pass --prune to drop them and keep \
                 the other 1, pass --fresh to run everything again, or choose another folder with --output",
                &(|row: &mut Record| row.asked.seed = 9) as &dyn Fn(&mut Record),
            ),
            ("PART has 1 row that would be lost: 1 from hamcnf 0.0.1, commit", &|row| {
                row.made.version = "0.0.1".to_owned();
            }),
            ("PART has 1 row that would be lost: 1 from hamcnf", &|row| {
                row.made.commit = "another".to_owned();
            }),
            ("PART has 1 row that would be lost: 1 from another machine; ", &|row| {
                row.made.machine = "another".to_owned();
            }),
            (
                "cannot continue from PART: line 3: schema 0 is not supported, only schema 3; make the rows again",
                &|row| {
                    row.asked.schema = 0;
                },
            ),
        ] {
            let said = wrong(change);
            assert!(said.starts_with(message), "{said}");
        }
        for (text, message) in [
            (
                "schema,question,graph\n2,8x8,\n",
                "line 2: schema 2 is not supported, only schema 3; make the rows again",
            ),
            ("schema,question,graph\n3,8x8,\n", "the columns differ from the columns of hamcnf's rows"),
            ("instance,tours\n8x8,closed\n", "the columns differ from the columns of hamcnf's rows"),
        ] {
            fs::write(&part, text).unwrap();
            let said = begin(folder.path(), Earlier::Keep).unwrap_err().to_string();
            assert!(said.contains(message), "{said}");
        }
        // An unreadable file stays until a run drops the earlier rows.
        assert!(fs::read_to_string(&part).unwrap().contains("8x8,closed"));
        let (_, kept) = begin(folder.path(), Earlier::Drop).unwrap();
        assert_eq!(kept, []);
    }

    #[test]
    fn what_cannot_be_written_is_said() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "").unwrap();
        let said = begin(&file, Earlier::Keep).unwrap_err().to_string();
        assert!(said.starts_with(&format!("cannot write {}: ", file.display())), "{said}");
    }
}
