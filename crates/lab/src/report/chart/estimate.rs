//! Estimates compared with exact counts: the ratio of each estimate to the exact count, plotted over the exact count.
//! Bars show the error that the method states: 1.96 standard errors of a sample, or the factor 1 + ε of ApproxMC.

use std::collections::HashMap;

use super::{About, Axis, Chart, Dot, Guide, Input, Scale, Series};
use crate::LabError;
use crate::report::data::Data;
use crate::report::grouped::grouped;
use hamcnf_methods::record::{Record, Status};

/// Half-width of a 95 % confidence interval in standard errors, for a normal distribution.
const NORMAL_95: f64 = 1.96;

/// Returns the plot that compares estimates with exact counts, if there is one.
pub(super) fn charts(input: &Input<'_>) -> Result<Vec<Chart>, LabError> {
    Ok(estimates(input.data).into_iter().collect())
}

/// Returns the plot; `None` if no question has both an estimate and an exact count.
fn estimates(data: &Data) -> Option<Chart> {
    let mut exact = HashMap::new();
    for row in &data.rows {
        if row.record.status == Status::Count
            && row.record.asked.method.projection().is_none()
            && let Some(count) = row.record.number()
        {
            exact.insert(row.place, count);
        }
    }
    let estimates = data.rows.iter().enumerate().filter(|(_, row)| row.record.status == Status::Estimate);
    let dots = estimates.filter_map(|(number, row)| {
        let (exact, estimate) = (*exact.get(&row.place)?, row.record.number()?);
        let dot = Dot {
            x: exact,
            y: estimate / exact,
            bar: error(&row.record, estimate).map(|(low, high)| (low / exact, high / exact)),
            censored: false,
            about: About::Row(number),
        };
        (exact > 0.0).then_some((row.method, dot))
    });
    let series = grouped(dots).into_iter();
    let mut series: Vec<_> =
        series.map(|(method, dots)| Series::new(data.methods[method].clone(), false, dots)).collect();
    if series.is_empty() {
        return None;
    }
    // Estimates of different methods for one question are drawn side by side.
    let many = series.len();
    for (k, series) in series.iter_mut().enumerate() {
        let shift = 1.0 + 0.03 * (k as f64 - (many as f64 - 1.0) / 2.0);
        series.dots.iter_mut().for_each(|dot| dot.x *= shift);
    }
    Some(Chart {
        name: "estimates".to_owned(),
        title: "Estimates, as multiples of the exact count".to_owned(),
        notes: vec!["bars: error as reported by the method; methods are drawn side by side".to_owned()],
        x: Axis::new("exact count", Scale::Log),
        y: Axis { at_least: Some((0.8, 1.25)), ..Axis::new("estimate / exact", Scale::Log) },
        series,
        guides: vec![Guide::Across(1.0, String::new())],
        square: false,
    })
}

/// Returns the interval that a method states for the count; `None` if it states none.
fn error(record: &Record, estimate: f64) -> Option<(f64, f64)> {
    if let Some(error) = record.statistics.get::<f64>("standard_error") {
        let half = NORMAL_95 * error;
        return Some(((estimate - half).max(estimate * 1e-3), estimate + half));
    }
    let epsilon = record.asked.method.epsilon()?;
    Some((estimate / (1.0 + epsilon), estimate * (1.0 + epsilon)))
}
