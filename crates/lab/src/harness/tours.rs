//! Tours of an experiment: one tour per question, in `NAME.tours.jsonl` next to the rows. `hamcnf show` can read each
//! line.
//!
//! Tours are only for viewing. Tours that are too large to view are not stored, and a run continues if tours cannot be
//! written.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use hamcnf_tours::{Instance, Tour};
use serde::{Deserialize, Serialize};

use super::job::Job;
use hamcnf_programs::atomic_file::replace;
use hamcnf_render::file::TourFile;

/// Maximum number of vertices of a stored tour; larger tours are not viewable.
pub const MOST_VERTICES: u32 = 1500;

/// Maximum size in bytes of the stored tours of a run.
const ROOM: u64 = 4 << 20;

/// Origin of a stored tour. In the file of tours, these fields come first in the tour's line.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Of {
    pub question: String,
    /// Method that found the tour.
    pub method: String,
    pub seed: u64,
}

/// Line of the file of tours: one tour with its origin.
#[derive(Serialize)]
struct Line {
    #[serde(flatten)]
    of: Of,
    #[serde(flatten)]
    tour: TourFile,
}

/// Returns the line of a tour that answers a job; `None` if the tour is too large to view.
pub fn line(job: &Job, instance: &Instance, tour: &Tour) -> Option<String> {
    let of = Of { question: job.question.to_string(), method: job.method.to_string(), seed: job.seed };
    let tour = (instance.n() <= MOST_VERTICES).then(|| TourFile::with_graph(instance, tour))?;
    serde_json::to_string(&Line { of, tour }).ok()
}

/// Tours of a run, stored in a file while the run lasts.
#[derive(Debug)]
pub struct Tours {
    folder: PathBuf,
    name: String,
    /// True if the run keeps no earlier rows; then earlier tours are dropped too.
    is_fresh: bool,
    seen: HashSet<String>,
    bytes: u64,
}

impl Tours {
    /// Prepares for storing tours. If `fresh` is true, tours of earlier runs are not used; they are removed later.
    pub fn begin(folder: &Path, name: &str, fresh: bool) -> Self {
        Self { folder: folder.to_owned(), name: name.to_owned(), is_fresh: fresh, seen: HashSet::new(), bytes: 0 }
    }

    /// Continues the file of an unfinished run, or removes the file if its tours are not used.
    pub fn start(&mut self) {
        let part = file(&self.folder, &self.name, PART);
        if self.is_fresh {
            // An error is ignored: the file may be missing.
            let _ = fs::remove_file(&part);
        }
        let text = fs::read_to_string(&part).unwrap_or_default();
        // Removes a line that was truncated when the run was interrupted.
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        if let Ok(part) = File::options().write(true).open(part) {
            let _ = part.set_len(whole as u64);
        }
        self.seen = text[..whole].lines().filter_map(question).collect();
        self.bytes = whole as u64;
    }

    /// Stores a tour, unless the file already has a tour for the same question or would exceed 4 MiB.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub fn keep(&mut self, job: &Job, line: &str) -> io::Result<()> {
        let room = self.bytes + line.len() as u64 <= ROOM;
        if !room || !self.seen.insert(job.question.to_string()) {
            return Ok(());
        }
        let part = file(&self.folder, &self.name, PART);
        let mut part = File::options().append(true).create(true).open(part)?;
        let kept = part.write_all(format!("{line}\n").as_bytes());
        match kept {
            Ok(()) => self.bytes += line.len() as u64 + 1,
            // Removes the incomplete line, which the next line would otherwise continue.
            Err(_) => part.set_len(self.bytes)?,
        }
        kept
    }

    /// Ends a complete run: stores one tour per question, from this run if possible, otherwise from an earlier run.
    ///
    /// # Errors
    ///
    /// The files cannot be written.
    pub fn finish(self, questions: &HashSet<String>) -> io::Result<()> {
        let path = |ending| file(&self.folder, &self.name, ending);
        let read = |ending| fs::read_to_string(path(ending)).unwrap_or_default();
        let earlier = if self.is_fresh { String::new() } else { read(WHOLE) };
        let (new, is_of_the_run) = (read(PART), |question: &str| questions.contains(question));
        let text = one_per_question(new.lines().chain(earlier.lines()), is_of_the_run);
        match text.is_empty() {
            true => remove(&self.folder, &self.name),
            false => {
                replace(&path(WHOLE), text.as_bytes())?;
                ignore_missing(fs::remove_file(path(PART)))
            }
        }
    }
}

/// Merges the tours of shards into one file, with one tour per question.
///
/// # Errors
///
/// The file cannot be written.
pub fn merge(folder: &Path, shards: impl Iterator<Item = String>, name: &str) -> io::Result<()> {
    let texts: Vec<String> =
        shards.map(|shard| fs::read_to_string(file(folder, &shard, WHOLE)).unwrap_or_default()).collect();
    let text = one_per_question(texts.iter().flat_map(|text| text.lines()), |_| true);
    let whole = file(folder, name, WHOLE);
    match text.is_empty() {
        true => remove(folder, name),
        false => replace(&whole, text.as_bytes()),
    }
}

/// Removes the files with the tours of a run.
///
/// # Errors
///
/// A file cannot be removed.
pub fn remove(folder: &Path, name: &str) -> io::Result<()> {
    for ending in [WHOLE, PART] {
        ignore_missing(fs::remove_file(file(folder, name, ending)))?;
    }
    Ok(())
}

const WHOLE: &str = "tours.jsonl";
const PART: &str = "tours.jsonl.part";

fn file(folder: &Path, name: &str, ending: &str) -> PathBuf {
    folder.join(format!("{name}.{ending}"))
}

fn ignore_missing(done: io::Result<()>) -> io::Result<()> {
    match done {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

fn question(line: &str) -> Option<String> {
    let of: Of = serde_json::from_str(line).ok()?;
    Some(of.question)
}

/// Returns the first line of each question that `is_wanted`.
fn one_per_question<'l>(lines: impl Iterator<Item = &'l str>, is_wanted: impl Fn(&str) -> bool) -> String {
    let mut seen = HashSet::new();
    let is_first = |line: &&str| question(line).is_some_and(|text| is_wanted(&text) && seen.insert(text));
    lines.filter(is_first).map(|line| format!("{line}\n")).collect()
}
