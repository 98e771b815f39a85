//! Kinds of charts: each kind is one file with a [`Kind`], and an entry in the [list](LIST).

use super::{Chart, cactus, estimate, scaling, scatter};
use crate::report::data::{Column, Data};
use crate::report::measure::Measure;
use crate::report::{Options, ReportError};

/// All kinds of charts, in the order of a report.
pub const LIST: [Kind; 4] = [cactus::KIND, scatter::KIND, estimate::KIND, scaling::KIND];

/// Kind of charts.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// Name of the kind, with which the names of its files begin.
    pub name: &'static str,
    /// One-line description of the charts.
    pub summary: &'static str,
    /// Function that makes the charts of this kind for which there are enough rows.
    pub make: fn(&Input<'_>) -> Result<Vec<Chart>, ReportError>,
}

/// Rows to draw, by method and by question.
#[derive(Clone, Copy, Debug)]
pub struct Input<'a> {
    pub data: &'a Data,
    /// Rows that have the measure, one column per method.
    pub columns: &'a [Column],
    /// Group of each question, indexed like [`Data::places`].
    pub groups: &'a [String],
    /// Options of the report.
    pub options: &'a Options,
}

impl Input<'_> {
    /// Returns the measure by which methods are compared.
    #[must_use]
    pub fn measure(&self) -> &Measure {
        &self.options.measure
    }
}
