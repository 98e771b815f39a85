//! Formula whose models a method counts, given by an encoding and a projection set of its variables.

use hamcnf_encodings::{AtMostOne, Encoding, Projection};
use hamcnf_sat::solve::defaults;

use super::grammar::parsed;
use super::{Field, Setting};

/// Encoding and projection set. `None` means the default of the method.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Formulated {
    /// Encoding of the formula. By default, `enumerate` uses the fastest encoding, and the other methods use the
    /// encoding for model counters.
    pub encoding: Option<Encoding>,
    /// Projection set whose values are counted; by default the smallest independent support.
    pub project: Option<Projection>,
    /// Encoding of "at most one queen per line"; used only for placements of queens.
    pub at_most_one: AtMostOne,
}

impl Formulated {
    /// Settings `project`, with this summary, and `at-most-one`.
    pub(super) fn settings(&mut self, summary: &'static str) -> Vec<Field<'_>> {
        let project = Setting::new("project", "SET", summary);
        vec![project.of_option(&mut self.project, parsed), at_most_one(&mut self.at_most_one)]
    }

    /// Returns the encoding whose models are counted, with the variables of the projection set.
    pub(super) fn of_projection(&self) -> Encoding {
        let counted = || defaults::encoding(defaults::COUNTED);
        let encoding = self.encoding.clone().unwrap_or_else(counted);
        encoding.for_projection(self.project.as_ref().unwrap_or(&Projection::None))
    }

    /// True if the settings suit questions about tours: the at-most-one encoding, which is only for queens, has its
    /// default value.
    pub(super) fn is_for_tours(&self) -> bool {
        self.at_most_one == AtMostOne::default()
    }
}

/// Setting for the encoding of "at most one queen per line".
pub(super) fn at_most_one(field: &mut AtMostOne) -> Field<'_> {
    let summary = "encoding of the at-most-one constraints on rows, columns and diagonals [default: pairwise]";
    Setting::new("at-most-one", "ENCODING", summary).of(field, &AtMostOne::default(), parsed)
}
