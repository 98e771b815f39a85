//! Which instances and encodings: boards × encodings × prunings × at-most-one encodings × orientations.

use hamcnf_encodings::{AtMostOne, Encoding, Formula, Instance, Orientation, Pruning, TourKind};
use serde::Deserialize;

use super::each_once;
use super::word::Word;
use crate::harness::cell::Cell;
use crate::harness::place::LastingPlace;

/// Boards × encodings × prunings × at-most-one encodings × orientations.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cells {
    /// The boards, or files with graphs.
    pub boards: Vec<Word<LastingPlace>>,
    /// Closed or open tours; closed where left out.
    pub tours: Option<Word<TourKind>>,
    /// The start, as on the command line; the first square or vertex where left out.
    pub start: Option<String>,
    /// The encodings.
    pub encodings: Vec<Word<Encoding>>,
    /// Prunings; each encoding's published one where left out.
    #[serde(default)]
    pub prunings: Vec<Word<Pruning>>,
    /// At-most-one encodings; pairwise where left out.
    #[serde(default)]
    pub at_most_ones: Vec<Word<AtMostOne>>,
    /// Orientations; each encoding's published one where left out.
    #[serde(default)]
    pub orientations: Vec<Word<Orientation>>,
}

impl Cells {
    /// All of them.
    ///
    /// # Errors
    ///
    /// What is wrong with the lists, or with one of the cells.
    pub(in crate::harness) fn all(&self) -> Result<Vec<Cell>, String> {
        if self.boards.is_empty() {
            return Err("there are no cells: boards must not be empty".to_owned());
        }
        each_once("boards", &self.boards)?;
        each_once("encodings", &self.encodings)?;
        each_once("prunings", &self.prunings)?;
        each_once("at_most_ones", &self.at_most_ones)?;
        each_once("orientations", &self.orientations)?;
        let open = self.tours == Some(Word(TourKind::Open));
        if open && !self.orientations.is_empty() {
            return Err("orientations are of closed tours".to_owned());
        }
        let encodings = self.encodings();
        let mut all = Vec::new();
        for instance in self.instances()? {
            for encoding in &encodings {
                Formula::new(encoding.clone(), &instance).map_err(|error| error.to_string())?;
                all.push(Cell::new(&instance, encoding));
            }
        }
        Ok(all)
    }

    /// The instances, in the order of the file.
    ///
    /// # Errors
    ///
    /// The message of the first board or graph that cannot be read, does not have the start, or is too small.
    pub fn instances(&self) -> Result<Vec<Instance>, String> {
        let kind = self.tours.map_or(TourKind::Closed, |word| word.0);
        let start = self.start.as_deref();
        let instance = |Word(LastingPlace(place)): &Word<LastingPlace>| {
            let instance = place.instance(kind, start);
            instance.map_err(|error| error.to_string())
        };
        self.boards.iter().map(instance).collect()
    }

    /// The encodings with their options.
    #[must_use]
    pub fn encodings(&self) -> Vec<Encoding> {
        fn each<T: Copy + std::fmt::Display>(
            encodings: Vec<Encoding>,
            name: &str,
            words: &[Word<T>],
        ) -> Vec<Encoding> {
            if words.is_empty() {
                return encodings;
            }
            let with = |e: &Encoding, word: &Word<T>| e.with(&format!("{name}={}", word.0)).ok();
            let all = encodings.iter();
            all.flat_map(|e| words.iter().filter_map(move |word| with(e, word)))
                .collect()
        }
        let bases = self.encodings.iter().map(|word| word.0.clone()).collect();
        let pruned = each(bases, "windows", &self.prunings);
        let at_most_one = each(pruned, "at-most-one", &self.at_most_ones);
        each(at_most_one, "orientation", &self.orientations)
    }
}

/// Whether a cell is of this encoding.
#[must_use]
pub fn is_of(cell: &Cell, encoding: &Encoding) -> bool {
    cell.encoded().is_ok_and(|of_cell| of_cell == *encoding)
}
