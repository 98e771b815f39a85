//! Where rows are kept: as they come, and sorted when they are complete.
//!
//! While an experiment runs its rows are in `NAME.csv.part`, each there as soon as it is known, beside the machine in
//! `NAME.machine.json.part`. When it is complete they get their final names; so an earlier result stays until a new one
//! is whole, and what an interrupted run has measured is not lost. The file is locked as long as a run writes to it, and
//! the lock is gone with the run, however it ends.

use std::collections::HashSet;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use crate::machine::{COMMIT, Machine, VERSION};
use crate::record::{Key, Record, Status};
use crate::temporary;

/// Why rows cannot be kept or gone on with.
#[derive(Debug, thiserror::Error)]
pub enum RowsError {
    /// A file or folder could not be used.
    #[error("cannot write {}: {error}", file.display())]
    Write {
        /// The file.
        file: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// Another run writes to it.
    #[error("{} is being written by another run", .0.display())]
    Locked(PathBuf),
    /// The rows of an unfinished run are not such as this run would make.
    #[error("cannot go on from {}: {why}; --fresh starts over", file.display())]
    Foreign {
        /// The file.
        file: PathBuf,
        /// What is wrong with them.
        why: String,
    },
    /// Finished rows of this name are of another experiment.
    #[error(
        "{} is of another experiment, as none of its runs is in this one: name another folder with --output, or --fresh \
         replaces it", .0.display()
    )]
    Another(PathBuf),
    /// Finished rows cannot be read, or are not those of the experiment.
    #[error("cannot report from {}: {why}", file.display())]
    Report {
        /// The file.
        file: PathBuf,
        /// Why.
        why: String,
    },
}

/// The rows of one experiment, as it runs.
#[derive(Debug)]
pub struct Rows {
    folder: PathBuf,
    name: String,
    part: File,
    /// Up to where whole rows go.
    length: u64,
    machine: Machine,
}

/// Whether a run may go on from rows of another machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Machines {
    /// Only from those of this one: times of two should not be mixed.
    This,
    /// From those of any, as each row says its own: what is run on a cluster goes on where there is room.
    Any,
}

impl Rows {
    /// Begins a run on this machine, or goes on with an unfinished one, whose rows are given back: those of failed runs
    /// are not, nor of those that another program refused, which may be there now. `fresh` is to begin whatever is there.
    ///
    /// # Errors
    ///
    /// [`RowsError`]: rows that are not of these runs, of another schema, build or machine are not gone on with, and those
    /// of another experiment are not replaced.
    pub fn begin(
        folder: &Path,
        name: &str,
        machine: Machine,
        machines: Machines,
        runs: &HashSet<Key>,
        fresh: bool,
    ) -> Result<(Self, Vec<Record>), RowsError> {
        let path = file_of(folder, name, PART);
        let write = |error| RowsError::Write {
            file: path.clone(),
            error,
        };
        if !fresh {
            refuse_another(folder, name, runs)?;
        }
        fs::create_dir_all(folder).map_err(|error| RowsError::Write {
            file: folder.to_owned(),
            error,
        })?;
        let mut part = locked(&path)?;
        let mut text = String::new();
        if !fresh {
            let read = part.read_to_string(&mut text);
            read.map_err(write)?;
        }
        let whole = whole(&text);
        let kept = match &text[..whole] {
            "" => Vec::new(),
            text => {
                let judged = read_rows(text).and_then(|rows| {
                    for row in &rows {
                        is_of_this_build(row)?;
                        if machines == Machines::This && row.machine != machine.id() {
                            return Err("its rows are of another machine".to_owned());
                        }
                        if !runs.contains(&row.key()) {
                            return Err(format!("{} is not in the experiment", row.key()));
                        }
                    }
                    Ok(rows)
                });
                judged.map_err(|why| RowsError::Foreign {
                    file: path.clone(),
                    why,
                })?
            }
        };
        let mut rows = Self {
            folder: folder.to_owned(),
            name: name.to_owned(),
            part,
            length: whole as u64,
            machine,
        };
        rows.part.set_len(rows.length).map_err(write)?;
        if rows.length == 0 {
            let begun = rows.add(&header());
            if begun.is_err() {
                // There is nothing in it to go on from.
                let _ = fs::remove_file(&path);
            }
            begun.map_err(write)?;
        }
        let beside = rows.file(MACHINE_PART);
        let earlier = fs::read(&beside).ok().filter(|_| !kept.is_empty());
        match earlier.and_then(|text| serde_json::from_slice::<Machine>(&text).ok()) {
            Some(mut earlier) => {
                if machines == Machines::Any {
                    earlier.add(&rows.machine);
                    replace(&beside, json(&earlier).as_bytes())?;
                }
                rows.machine = earlier;
            }
            None => replace(&beside, json(&rows.machine).as_bytes())?,
        }
        let kept = kept.into_iter();
        Ok((
            rows,
            kept.filter(|row| match row.status {
                Status::Failed => false,
                Status::Refused => row.method.engine().is_none(),
                _ => true,
            })
            .collect(),
        ))
    }

    /// The file that rows are added to.
    pub(super) fn part(&self) -> PathBuf {
        self.file(PART)
    }

    /// The machine that the run began on.
    #[must_use]
    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    /// Adds a row: it is there when this comes back, or not at all.
    ///
    /// # Errors
    ///
    /// [`RowsError::Write`].
    pub fn append(&mut self, row: &Record) -> Result<(), RowsError> {
        let text = csv(std::slice::from_ref(row), false);
        self.add(&text).map_err(|error| RowsError::Write {
            file: self.file(PART),
            error,
        })
    }

    fn add(&mut self, text: &[u8]) -> io::Result<()> {
        match self.part.write_all(text) {
            Ok(()) => {
                self.length += text.len() as u64;
                Ok(())
            }
            Err(error) => {
                // Half a row would be dropped by who goes on; here others may follow.
                let _ = self.part.set_len(self.length);
                Err(error)
            }
        }
    }

    /// Ends a complete run with its rows in order and its report, if it has one, in place of an earlier one.
    ///
    /// # Errors
    ///
    /// [`RowsError::Write`]: then everything is there to go on from.
    pub fn finish(self, rows: &[Record], report: Option<&str>) -> Result<PathBuf, RowsError> {
        let file = write(&self.folder, &self.name, rows, &self.machine, report)?;
        for part in [PART, MACHINE_PART] {
            let file = self.file(part);
            fs::remove_file(&file).map_err(|error| RowsError::Write { file, error })?;
        }
        Ok(file)
    }

    fn file(&self, ending: &str) -> PathBuf {
        file_of(&self.folder, &self.name, ending)
    }
}

const PART: &str = "csv.part";
const MACHINE_PART: &str = "machine.json.part";

fn file_of(folder: &Path, name: &str, ending: &str) -> PathBuf {
    folder.join(format!("{name}.{ending}"))
}

/// Writes the rows, the machine and the report of a finished run, in place of an earlier one, and says where the rows are.
///
/// # Errors
///
/// [`RowsError::Write`].
pub fn write(
    folder: &Path,
    name: &str,
    rows: &[Record],
    machine: &Machine,
    report: Option<&str>,
) -> Result<PathBuf, RowsError> {
    let file = file_of(folder, name, "csv");
    // The rows last: until they are there, those in part are gone on with.
    if let Some(report) = report {
        replace(&file_of(folder, name, "md"), report.as_bytes())?;
    }
    let beside = file_of(folder, name, "machine.json");
    replace(&beside, json(machine).as_bytes())?;
    // A shard without jobs has its heading, too.
    let text = match rows {
        [] => header(),
        rows => csv(rows, true),
    };
    replace(&file, &text)?;
    Ok(file)
}

/// Refuses to replace finished rows of another experiment.
///
/// # Errors
///
/// [`RowsError::Another`].
pub fn refuse_another(folder: &Path, name: &str, runs: &HashSet<Key>) -> Result<(), RowsError> {
    let is_ours = |row: &Record| runs.contains(&row.key());
    match finished(folder, name) {
        Ok((rows, _)) if !rows.is_empty() && !rows.iter().any(is_ours) => {
            Err(RowsError::Another(file_of(folder, name, "csv")))
        }
        _ => Ok(()),
    }
}

/// The whole rows of an unfinished run, failed ones among them; none where there is none.
///
/// # Errors
///
/// [`RowsError::Report`].
pub fn unfinished(folder: &Path, name: &str) -> Result<Vec<Record>, RowsError> {
    let file = file_of(folder, name, PART);
    let text = match fs::read_to_string(&file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        other => other.map_err(|error| error.to_string()),
    };
    let rows = text.and_then(|text| match &text[..whole(&text)] {
        "" => Ok(Vec::new()),
        text => read_rows(text),
    });
    rows.map_err(|why| RowsError::Report { file, why })
}

/// Where the last whole row ends. One that was cut off when the run was, is not there.
fn whole(text: &str) -> usize {
    text.rfind('\n').map_or(0, |end| end + 1)
}

/// Removes what a finished run has left, with its machine.
///
/// # Errors
///
/// [`RowsError::Write`].
pub fn remove(folder: &Path, name: &str) -> Result<(), RowsError> {
    for ending in ["csv", "machine.json", PART, MACHINE_PART] {
        let file = file_of(folder, name, ending);
        match fs::remove_file(&file) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(RowsError::Write { file, error });
            }
            _ => {}
        }
    }
    Ok(())
}

/// The rows and the machine of a finished run.
///
/// # Errors
///
/// [`RowsError::Report`].
pub fn finished(folder: &Path, name: &str) -> Result<(Vec<Record>, Machine), RowsError> {
    let read = |ending: &str| {
        let file = file_of(folder, name, ending);
        let text = fs::read_to_string(&file);
        let text = text.map_err(|error| (file.clone(), error.to_string()))?;
        Ok((file, text))
    };
    let all = || {
        let (file, text) = read("csv")?;
        let rows = read_rows(&text).map_err(|why| (file, why))?;
        let (file, text) = read("machine.json")?;
        let machine = serde_json::from_str(&text).map_err(|error| (file, error.to_string()))?;
        Ok((rows, machine))
    };
    all().map_err(|(file, why)| RowsError::Report { file, why })
}

/// Writes the report of a finished run again.
///
/// # Errors
///
/// [`RowsError::Write`].
pub fn report_again(folder: &Path, name: &str, report: &str) -> Result<PathBuf, RowsError> {
    let file = file_of(folder, name, "md");
    replace(&file, report.as_bytes())?;
    Ok(file_of(folder, name, "csv"))
}

/// How long a file that another run has is waited for.
const PATIENCE: Duration = Duration::from_secs(1);

/// The file, opened to read and append, and locked.
fn locked(path: &Path) -> Result<File, RowsError> {
    let write = |error| RowsError::Write {
        file: path.to_owned(),
        error,
    };
    let began = Instant::now();
    loop {
        let mut options = OpenOptions::new();
        let mut file = options
            .read(true)
            .append(true)
            .create(true)
            .open(path)
            .map_err(write)?;
        match file.try_lock() {
            Ok(()) => {}
            // A run that was killed in its middle may have left a child that has not become another program yet, and
            // has the file for a moment more.
            Err(TryLockError::WouldBlock) if began.elapsed() < PATIENCE => {
                thread::sleep(PATIENCE / 20);
                continue;
            }
            Err(TryLockError::WouldBlock) => return Err(RowsError::Locked(path.to_owned())),
            Err(TryLockError::Error(error)) => return Err(write(error)),
        }
        // Who had it before may have finished between the two, and taken it away.
        let ours = file.metadata().map_err(write)?;
        let is_there = fs::metadata(path)
            .is_ok_and(|there| (there.dev(), there.ino()) == (ours.dev(), ours.ino()));
        if is_there {
            file.rewind().map_err(write)?;
            return Ok(file);
        }
    }
}

/// Refuses a row of another version, commit or solver than this.
pub(super) fn is_of_this_build(row: &Record) -> Result<(), String> {
    let build = |version: &str, commit: &str| format!("hamcnf {version} of commit {commit}");
    let here = build(VERSION, COMMIT);
    let there = build(&row.version, &row.commit);
    let answers = row.method.solver();
    let of_another_solver = row.method.is_by_cadical() && row.solver != answers;
    if here != there {
        return Err(format!("its rows are of {there}, and this is {here}"));
    }
    if of_another_solver {
        return Err(format!(
            "its rows are of {}, and this is {answers}",
            row.solver
        ));
    }
    Ok(())
}

/// Reads whole rows with their heading.
///
/// # Errors
///
/// What is wrong, with the line.
pub fn read_rows(text: &str) -> Result<Vec<Record>, String> {
    let heading = header();
    let heading = String::from_utf8_lossy(&heading);
    if text.lines().next() != Some(heading.trim_end()) {
        return Err("its columns are not those of this program's rows".to_owned());
    }
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    reader
        .deserialize()
        .map(|row| row.map_err(|error| in_words(&error)))
        .collect()
}

/// What is wrong with a row, and where.
fn in_words(error: &csv::Error) -> String {
    match error.kind() {
        csv::ErrorKind::Deserialize { pos, err } => {
            let line = pos.as_ref().map_or(0, csv::Position::line);
            let what = match err.kind() {
                csv::DeserializeErrorKind::Message(message) => message.clone(),
                kind => kind.to_string(),
            };
            format!("line {line}: {what}")
        }
        _ => error.to_string(),
    }
}

/// Rows as CSV.
fn csv(rows: &[Record], with_heading: bool) -> Vec<u8> {
    let mut csv = csv::WriterBuilder::new()
        .has_headers(with_heading)
        .from_writer(Vec::new());
    for row in rows {
        csv.serialize(row).expect("a row is words and numbers");
    }
    csv.into_inner().expect("memory can be written to")
}

/// The heading of all rows.
fn header() -> Vec<u8> {
    let method = crate::method::Method::Count(crate::method::Count::Exact);
    let row = Record::new("", "", &method, 0, &crate::limits::Limits::default());
    let mut text = csv(&[row], true);
    let end = text
        .iter()
        .position(|&b| b == b'\n')
        .map_or(0, |end| end + 1);
    text.truncate(end);
    text
}

fn json(machine: &Machine) -> String {
    serde_json::to_string_pretty(machine).expect("a machine is words and numbers") + "\n"
}

/// Writes a file under a temporary name and renames it.
pub(super) fn replace(file: &Path, content: &[u8]) -> Result<(), RowsError> {
    temporary::replace(file, content).map_err(|error| RowsError::Write {
        file: file.to_owned(),
        error,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;

    fn row(seed: u64) -> Record {
        let method = "warnsdorff".parse().unwrap();
        let row = Record::new("8x8", "", &method, seed, &Limits::default());
        row.ended(Status::Tour, "")
    }

    fn runs() -> HashSet<Key> {
        (1..=5).map(|seed| row(seed).key()).collect()
    }

    fn begin(folder: &Path, fresh: bool) -> Result<(Rows, Vec<Record>), RowsError> {
        Rows::begin(folder, "x", Machine::here(), Machines::This, &runs(), fresh)
    }

    #[test]
    fn an_interrupted_run_is_gone_on_with_and_nothing_is_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let read = |ending: &str| fs::read_to_string(folder.path().join(ending)).unwrap();
        let write = |ending: &str, text: &str| fs::write(folder.path().join(ending), text).unwrap();
        write("x.csv", "earlier");
        let (mut rows, kept) = begin(folder.path(), false).unwrap();
        assert_eq!(kept, []);
        rows.append(&row(1)).unwrap();
        rows.append(&row(2).ended(Status::Failed, "no")).unwrap();
        // Nobody else writes meanwhile.
        let said = begin(folder.path(), true).unwrap_err().to_string();
        assert!(
            said.ends_with("x.csv.part is being written by another run"),
            "{said}"
        );
        drop(rows);
        assert_eq!(read("x.csv"), "earlier");
        // The next row was being written when the run was interrupted.
        write("x.csv.part", &(read("x.csv.part") + "1,8x8,\"a"));
        let (mut rows, kept) = begin(folder.path(), false).unwrap();
        assert_eq!(kept, [row(1)]);
        rows.append(&row(2)).unwrap();
        rows.finish(&[row(2), row(1)], Some("report")).unwrap();
        assert_eq!(read_rows(&read("x.csv")), Ok(vec![row(2), row(1)]));
        assert_eq!(read("x.md"), "report");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3);
        assert_eq!(finished(folder.path(), "x").unwrap().0, [row(2), row(1)]);
    }

    #[test]
    fn rows_of_anything_else_are_not_gone_on_with() {
        let folder = tempfile::tempdir().unwrap();
        let part = folder.path().join("x.csv.part");
        let wrong = |change: &dyn Fn(&mut Record)| {
            let mut other = row(1);
            change(&mut other);
            fs::write(&part, csv(&[row(2), other], true)).unwrap();
            let said = begin(folder.path(), false).unwrap_err().to_string();
            assert!(said.ends_with("; --fresh starts over"), "{said}");
            said.replace(&part.display().to_string(), "PART")
        };
        for (message, change) in [
            (
                "cannot go on from PART: 8x8, warnsdorff, seed 9 is not in the experiment",
                &(|row: &mut Record| row.seed = 9) as &dyn Fn(&mut Record),
            ),
            (
                "cannot go on from PART: its rows are of hamcnf 0.0.1 of",
                &|row| {
                    row.version = "0.0.1".to_owned();
                },
            ),
            ("cannot go on from PART: its rows are of hamcnf", &|row| {
                row.commit = "another".to_owned();
            }),
            (
                "cannot go on from PART: its rows are of another machine",
                &|row| {
                    row.machine = "another".to_owned();
                },
            ),
            (
                "cannot go on from PART: line 3: schema 0, and this program has schema 1",
                &|row| {
                    row.schema = 0;
                },
            ),
        ] {
            let said = wrong(change);
            assert!(said.starts_with(message), "{said}");
        }
        fs::write(&part, "instance,tours\n8x8,closed\n").unwrap();
        let said = begin(folder.path(), false).unwrap_err().to_string();
        assert!(
            said.contains("its columns are not those of this program's rows"),
            "{said}"
        );
        // All of it is there still, until it is not wanted.
        assert!(fs::read_to_string(&part).unwrap().contains("8x8,closed"));
        let (_, kept) = begin(folder.path(), true).unwrap();
        assert_eq!(kept, []);
    }

    #[test]
    fn what_cannot_be_written_is_said() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "").unwrap();
        let said = begin(&file, false).unwrap_err().to_string();
        assert!(
            said.starts_with(&format!("cannot write {}: ", file.display())),
            "{said}"
        );
    }
}
