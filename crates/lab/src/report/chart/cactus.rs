//! Cactus plots: the times of each method's solved runs, in increasing order. A line that ends further right has solved
//! more runs; a lower line is faster.
//!
//! # References
//!
//! - Martin Brain, James Davenport, Alberto Griggio: *Benchmarking Solvers, SAT-style*, SC² 2017: strengths and
//!   weaknesses of cactus plots; they do not show which instances were solved.

use super::{About, Axis, Chart, Dot, Guide, Input, Scale, Series};
use crate::LabError;
use crate::report::data::Column;
use crate::report::measure::Measure;

/// Maximum number of lines in colour; more would not be distinguishable. Other lines are drawn in grey behind them.
const MOST: usize = 12;

/// Returns the cactus plot, if there is one.
pub(super) fn charts(input: &Input<'_>) -> Result<Vec<Chart>, LabError> {
    Ok(cactus(input.columns, &input.options.measure).into_iter().collect())
}

/// Returns the plot; `None` if no method solved at least two runs.
fn cactus(columns: &[Column], measure: &Measure) -> Option<Chart> {
    let mut series: Vec<_> = columns.iter().map(line).collect();
    series.retain(|line| !line.dots.is_empty());
    if series.iter().map(|line| line.dots.len()).max() < Some(2) {
        return None;
    }
    // Methods are sorted by decreasing number of solved runs. If two numbers are equal, the method with the smaller
    // total is first.
    let total = |line: &Series| line.dots.iter().map(|dot| dot.y).sum::<f64>();
    series.sort_by(|a, b| b.dots.len().cmp(&a.dots.len()).then_with(|| total(a).total_cmp(&total(b))));
    let mut notes = Vec::new();
    if series.len() > MOST {
        let behind = series.len() - MOST;
        notes.push(format!("in grey: {behind} other methods, with fewer answers or a larger total"));
        series[MOST..].iter_mut().for_each(|line| line.name = None);
    }
    let asked = columns.iter().map(|column| column.entries.len()).max().unwrap_or(0);
    let entries = columns.iter().flat_map(|column| &column.entries);
    let limits = entries.filter_map(|entry| entry.run.limit()).filter(|limit| limit.is_finite());
    let limit = limits.fold(f64::NEG_INFINITY, f64::max);
    let mut guides = Vec::new();
    if measure.is_time() && limit > 0.0 {
        guides.push(Guide::Across(limit, "limit".to_owned()));
    }
    if series.first().is_some_and(|best| best.dots.len() < asked) {
        guides.push(Guide::Upright(asked as f64, "all".to_owned()));
    }
    Some(Chart {
        name: "cactus".to_owned(),
        title: format!("Answers, by {}", measure.label()),
        notes,
        x: Axis::new("runs answered", Scale::Linear),
        y: Axis { floor: Some(measure.floor()), ..Axis::new(measure.label(), Scale::Log) },
        series,
        guides,
        square: false,
    })
}

fn line(column: &Column) -> Series {
    let answered = column.entries.iter().filter_map(|entry| Some((entry.run.solved()?, entry)));
    let mut answered: Vec<_> = answered.collect();
    answered.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    let dots = (1..).zip(answered).map(|(rank, (time, cell))| Dot {
        x: f64::from(rank),
        y: time,
        bar: None,
        censored: false,
        about: match cell.row {
            Some(row) => About::Row(row),
            None => About::Words(format!("{}: {time} s, measured elsewhere", column.name)),
        },
    });
    Series::new(column.name.clone(), true, dots.collect())
}
