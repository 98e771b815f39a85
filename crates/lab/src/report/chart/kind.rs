//! Kinds of charts. Each kind is a function in a file of its own, and an entry in the [list](LIST).

use super::{Chart, cactus, estimate, scaling, scatter};
use crate::LabError;
use crate::report::Options;
use crate::report::data::{Column, Data};

/// All kinds of charts, in the order in which a report shows them.
pub const LIST: &[Kind] = &[cactus::charts, scatter::charts, estimate::charts, scaling::charts];

/// Kind of chart: the function that makes the charts of this kind. Charts with too few rows are left out.
pub type Kind = fn(&Input<'_>) -> Result<Vec<Chart>, LabError>;

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
