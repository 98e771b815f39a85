//! Checks figures in a text against the rows of experiments. A file lists the phrase around each figure and the origin
//! of the figure, so that no figure needs to be typed by hand.
//!
//! A file lists the figures:
//!
//! ```toml
//! # Under these headings, every number must be a figure or part of the given words.
//! whole = ["Results"]
//! given = ["under 2 s on all boards"]
//!
//! [[figures]]
//! says = "in a geometric mean of {} s"
//! are = [{ rows = "peers", method = "auto", take = "geometric-mean" }]
//! ```
//!
//! The phrase `says` occurs in the text once, possibly across line breaks. Each `{}` has one [`Origin`]: `rows` is the
//! name of an experiment; `question`, `method`, `seed` and `status` select its rows; `take` is a statistic of `of`,
//! which is a column or a metric. The statistics are rows, asked, answered, answer, value, least, greatest, median,
//! geometric-mean and limit. `over` divides the figure; `unit`, `digits` and `letters` format it. Digits in the names
//! of boards and files are not numbers.

use std::collections::BTreeMap;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use hamcnf::harness::rows::read_rows;
use hamcnf::record::Record;

use super::origin::Origin;
use super::words::{Found, Phrase, numbers, section};

/// Contents of a file of figures.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Figures {
    /// Headings under which every number must be a figure or part of `given`.
    #[serde(default)]
    whole: Vec<String>,
    /// Phrases of the text whose numbers do not come from rows.
    #[serde(default)]
    given: Vec<String>,
    /// Phrases, each with the origins of its figures.
    figures: Vec<Words>,
}

/// Phrase with the origins of its figures.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Words {
    says: String,
    are: Vec<Origin>,
}

/// Reason why figures cannot be compared with rows.
#[derive(Debug, thiserror::Error)]
pub(super) enum FiguresError {
    /// A file cannot be read.
    #[error("cannot read {}: {error}", file.display())]
    Read { file: PathBuf, error: std::io::Error },
    /// A file has invalid contents.
    #[error("{}: {why}", file.display())]
    Content {
        file: PathBuf,
        /// Description of the error.
        why: String,
    },
    /// The number of figures in a phrase differs from the number of origins.
    #[error("'{says}' has {holes} figures, but {origins} origins; 'are' must list one origin per figure")]
    Holes {
        /// Text with the figures, as quoted in the file of figures.
        says: String,
        /// Number of figures in the phrase.
        holes: usize,
        /// Number of origins.
        origins: usize,
    },
    /// The figure cannot be computed from the rows.
    #[error("the rows of {} have no figure for '{says}': {why}", file.display())]
    None {
        /// Text with the figures, as quoted in the file of figures.
        says: String,
        /// Path of the CSV file with the rows.
        file: PathBuf,
        /// Reason why the figure cannot be computed.
        why: String,
    },
}

/// Result of comparing a text with rows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Held {
    /// Number of figures that were compared with the rows.
    pub(super) n_figures: usize,
    /// Descriptions of figures that differ from the rows.
    pub(super) wrong: Vec<String>,
    /// Descriptions of other errors: missing phrases, and numbers without an origin.
    pub(super) amiss: Vec<String>,
    /// Text in which wrong figures are replaced by the figures of the rows.
    pub(super) mended: String,
}

impl Figures {
    /// Reads a file of figures.
    ///
    /// # Errors
    ///
    /// [`FiguresError`], with the name of the file.
    pub(super) fn read(file: &Path) -> Result<Self, FiguresError> {
        let figures: Self = hamcnf_engines::config::read(&text_of(file)?)
            .map_err(|why| FiguresError::Content { file: file.to_owned(), why: why.into() })?;
        for Words { says, are } in &figures.figures {
            let (holes, origins) = (Phrase::new(says).n_holes(), are.len());
            if holes != origins {
                let says = says.clone();
                return Err(FiguresError::Holes { says, holes, origins });
            }
        }
        Ok(figures)
    }

    /// Compares the figures in a text with the rows in a folder.
    ///
    /// # Errors
    ///
    /// [`FiguresError`] if the rows cannot be read, or if a figure cannot be computed from them.
    pub(super) fn hold(&self, text: &str, results: &Path) -> Result<Held, FiguresError> {
        let rows = self.rows(results)?;
        let of = |name: &str| rows.get(name).map_or(&[][..], Vec::as_slice);
        let mut held = Held { n_figures: 0, wrong: Vec::new(), amiss: Vec::new(), mended: text.to_owned() };
        // Correct figures by their positions in the text.
        let mut figures: BTreeMap<usize, (Range<usize>, String)> = BTreeMap::new();
        let mut known: Vec<Range<usize>> = Vec::new();
        for Words { says, are } in &self.figures {
            let Some(found) = once(says, text, &mut held.amiss) else {
                continue;
            };
            for (hole, origin) in found.holes.into_iter().zip(are) {
                let file = file_of(results, &origin.rows);
                let figure = origin.figure(&of).map_err(|why| FiguresError::None {
                    says: says.clone(),
                    file: file.clone(),
                    why,
                })?;
                let there = &text[hole.clone()];
                held.n_figures += 1;
                if there != figure {
                    let file = file.display();
                    let wrong = format!("{there} stands in '{says}', and {figure} in {file}");
                    held.wrong.push(wrong);
                }
                known.push(hole.clone());
                figures.insert(hole.start, (hole, figure));
            }
        }
        for words in &self.given {
            known.extend(once(words, text, &mut held.amiss).map(|found| found.whole));
        }
        for heading in &self.whole {
            let Some(section) = section(text, heading) else {
                held.amiss.push(format!("there is no heading '{heading}'"));
                continue;
            };
            for number in numbers(&text[section.clone()]) {
                let number = section.start + number.start..section.start + number.end;
                let is_in = |known: &Range<usize>| known.start <= number.start && number.end <= known.end;
                if !known.iter().any(is_in) {
                    held.amiss.push(from_nowhere(text, &number));
                }
            }
        }
        for (range, figure) in figures.into_values().rev() {
            held.mended.replace_range(range, &figure);
        }
        Ok(held)
    }

    /// Reads the rows of all experiments that the origins name.
    fn rows(&self, results: &Path) -> Result<BTreeMap<String, Vec<Record>>, FiguresError> {
        let mut rows = BTreeMap::new();
        let origins = self.figures.iter().flat_map(|words| &words.are);
        let over = origins.clone().filter_map(|origin| origin.over.as_deref());
        for Origin { rows: name, .. } in origins.chain(over) {
            if !rows.contains_key(name) {
                let file = file_of(results, name);
                let read = read_rows(&text_of(&file)?);
                let read = read.map_err(|why| FiguresError::Content { file, why: why.to_string() })?;
                rows.insert(name.clone(), read);
            }
        }
        Ok(rows)
    }
}

fn file_of(results: &Path, name: &str) -> PathBuf {
    results.join(format!("{name}.csv"))
}

fn text_of(file: &Path) -> Result<String, FiguresError> {
    fs::read_to_string(file).map_err(|error| FiguresError::Read { file: file.to_owned(), error })
}

/// Returns the only occurrence of a phrase. Reports an error to `amiss` if there is no occurrence or more than one.
fn once(says: &str, text: &str, amiss: &mut Vec<String>) -> Option<Found> {
    let mut found = Phrase::new(says).find(text);
    match found.len() {
        1 => found.pop(),
        0 => {
            amiss.push(format!("there is no '{says}'"));
            None
        }
        n => {
            amiss.push(format!("'{says}' is there {n} times"));
            None
        }
    }
}

/// Describes a number without an origin by the words before the number.
fn from_nowhere(text: &str, number: &Range<usize>) -> String {
    const WORDS: usize = 5;
    let before: Vec<_> = text[..number.start].split_whitespace().rev().take(WORDS).collect();
    let before: Vec<_> = before.into_iter().rev().collect();
    let line = text[..number.start].matches('\n').count() + 1;
    let number = &text[number.clone()];
    format!("line {line}: {number} in '{} {number}' comes from no rows", before.join(" "))
}
