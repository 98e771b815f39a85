//! Kinds of charts: each is one file with a [`Kind`], and a line in the [list](LIST).

use super::{Chart, cactus, estimate, scaling, scatter};
use crate::report::data::{Column, Data};
use crate::report::measure::Measure;
use crate::report::{Options, ReportError};

/// All kinds of charts, in the order of a report.
pub const LIST: [Kind; 4] = [cactus::KIND, scatter::KIND, estimate::KIND, scaling::KIND];

/// A kind of charts.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// Name: the beginning of the names of its files.
    pub name: &'static str,
    /// One line that says what it shows.
    pub summary: &'static str,
    /// Makes the charts of this kind that the rows suffice for.
    pub make: fn(&Input<'_>) -> Result<Vec<Chart>, ReportError>,
}

/// Rows to draw, by method and by question.
#[derive(Clone, Copy, Debug)]
pub struct Input<'a> {
    /// The rows.
    pub data: &'a Data,
    /// The rows that have the measure, a column for each method.
    pub columns: &'a [Column],
    /// The group of each question.
    pub groups: &'a [String],
    /// Choices of the report.
    pub options: &'a Options,
}

impl Input<'_> {
    /// The measure that methods are compared by.
    #[must_use]
    pub fn measure(&self) -> &Measure {
        &self.options.measure
    }
}
