//! Tours of an experiment: one tour per question, in `NAME.tours.jsonl` next to the rows. `hamcnf show` can read each
//! line.
//!
//! Tours are only for viewing. Tours that are too large to view are not stored, and a run continues if tours cannot be
//! written.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, Write};

use hamcnf_tours::{Instance, Tour};
use serde::{Deserialize, Serialize};

use super::files::{RunFiles, TOURS, TOURS_PART};
use super::job::Job;
use crate::LabError;
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
    files: RunFiles,
    /// True if the run keeps no earlier rows; then earlier tours are dropped too.
    is_fresh: bool,
    seen: HashSet<String>,
}

impl Tours {
    /// Prepares for storing tours. If `fresh` is true, tours of earlier runs are not used; they are removed later.
    pub(super) fn begin(files: RunFiles, fresh: bool) -> Self {
        Self { files, is_fresh: fresh, seen: HashSet::new() }
    }

    /// Continues the file of an unfinished run, or removes the file if its tours are not used.
    pub fn start(&self) {
        if self.is_fresh {
            // An error is ignored: the file may be missing.
            let _ = fs::remove_file(self.files.path(TOURS_PART));
        }
    }

    /// Stores a tour, unless the run has already stored a tour for the same question or the file would exceed 4 MiB.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub fn keep(&mut self, job: &Job, line: &str) -> io::Result<()> {
        let mut part = File::options().append(true).create(true).open(self.files.path(TOURS_PART))?;
        let room = part.metadata()?.len() + line.len() as u64 <= ROOM;
        if !room || !self.seen.insert(job.question.to_string()) {
            return Ok(());
        }
        // The file may end with a part of a line, because the run was interrupted or the disk was full.
        part.write_all(format!("\n{line}\n").as_bytes())
    }

    /// Ends a complete run: stores one tour per question, from this run if possible, otherwise from an earlier run.
    ///
    /// # Errors
    ///
    /// The files cannot be written.
    pub fn finish(self, questions: &HashSet<String>) -> Result<(), LabError> {
        let earlier = if self.is_fresh { String::new() } else { self.files.text(TOURS) };
        write(&self.files, &[self.files.text(TOURS_PART), earlier], |question| questions.contains(question))?;
        self.files.remove(&[TOURS_PART])
    }
}

/// Merges the tours of shards into one file, with one tour per question.
///
/// # Errors
///
/// The file cannot be written.
pub(super) fn merge(shards: impl Iterator<Item = RunFiles>, whole: &RunFiles) -> Result<(), LabError> {
    let texts: Vec<_> = shards.map(|shard| shard.text(TOURS)).collect();
    write(whole, &texts, |_| true)
}

/// Writes the first tour of each question that `is_wanted`. Removes the files if there is no tour.
fn write(files: &RunFiles, texts: &[String], is_wanted: impl Fn(&str) -> bool) -> Result<(), LabError> {
    let mut seen = HashSet::new();
    let is_first = |line: &&str| question(line).is_some_and(|text| is_wanted(&text) && seen.insert(text));
    let lines = texts.iter().flat_map(|text| text.lines()).filter(is_first);
    let text: String = lines.map(|line| format!("{line}\n")).collect();
    match text.as_str() {
        "" => files.remove(&[TOURS, TOURS_PART]),
        text => files.replace(TOURS, text.as_bytes()).map(drop),
    }
}

fn question(line: &str) -> Option<String> {
    let of: Of = serde_json::from_str(line).ok()?;
    Some(of.question)
}
