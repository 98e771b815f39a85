//! Kinds of charts. Each kind has a file that defines a [`Kind`], and an entry in the [list](LIST).

use super::{Chart, cactus, estimate, scaling, scatter};
use crate::LabError;
use crate::report::Options;
use crate::report::data::{Column, Data};
use crate::report::measure::Measure;

/// All kinds of charts, in the order in which a report shows them.
pub const LIST: &[Kind] = &[cactus::KIND, scatter::KIND, estimate::KIND, scaling::KIND];

/// Kind of chart.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// Name of the kind. The name of each chart of this kind begins with this name.
    pub name: &'static str,
    /// Function that makes the charts of this kind. Charts with too few rows are left out.
    pub make: fn(&Input<'_>) -> Result<Vec<Chart>, LabError>,
}

/// Rows to draw in charts, with the settings of the report.
#[derive(Clone, Copy, Debug)]
pub struct Input<'a> {
    pub data: &'a Data,
    /// Runs with their values of the report's measure, one column per method.
    pub columns: &'a [Column],
    /// Name of each question's group, in the order of [`Data::places`].
    pub groups: &'a [String],
    /// Settings of the report.
    pub options: &'a Options,
}

impl Input<'_> {
    /// Returns the measure by which methods are compared.
    pub fn measure(&self) -> &Measure {
        &self.options.measure
    }
}
