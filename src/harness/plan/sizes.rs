//! Plans of kind `sizes`: variables and clauses.

use hamcnf_encodings::{Encoding, TourKind};
use serde::Deserialize;

use super::cells::{Cells, is_of};
use super::word::Word;
use crate::harness::cell::Cell;
use crate::harness::place::LastingPlace;

/// A plan of kind `sizes`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SizesPlan {
    #[serde(rename = "kind")]
    _kind: String,
    /// A heading for the report.
    pub title: String,
    /// Prose for the report.
    #[serde(default)]
    pub about: String,
    /// Which instances and encodings.
    pub cells: Cells,
    /// Figures published elsewhere, to stand beside ours.
    #[serde(default)]
    pub published: Vec<PublishedSize>,
}

/// A published size.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PublishedSize {
    /// The board, or the file with a graph.
    pub board: Word<LastingPlace>,
    /// The encoding, with its published pruning.
    pub encoding: Word<Encoding>,
    /// Its variables.
    pub variables: u64,
    /// Its clauses of two literals or more.
    pub clauses: u64,
}

impl SizesPlan {
    /// What is wrong with it.
    pub(in crate::harness) fn check(&self) -> Result<(), String> {
        let all = self.cells.all()?;
        if all.is_empty() {
            return Err("there are no cells: encodings must not be empty".to_owned());
        }
        let mut published = self.published.iter();
        match published.find(|p| all.iter().all(|cell| !p.is_of(cell))) {
            None => Ok(()),
            Some(p) => Err(format!(
                "published sizes of {} on {} are not among the cells",
                p.encoding, p.board
            )),
        }
    }
}

impl PublishedSize {
    /// Whether it is a cell's size: closed tours from the first square or vertex, with the published options.
    #[must_use]
    pub fn is_of(&self, cell: &Cell) -> bool {
        let Word(name) = &self.encoding;
        let Word(LastingPlace(place)) = &self.board;
        // Read for its numbering: the first vertex may be 0 or 1.
        let is_first = || {
            let first = place.instance(TourKind::Closed, None);
            first.is_ok_and(|first| cell.start == first.vertex_name(first.start()))
        };
        cell.instance == place.to_string()
            && cell.tours == TourKind::Closed.to_string()
            && is_of(cell, name)
            && is_first()
    }
}
