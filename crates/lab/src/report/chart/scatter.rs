//! Scatter plots of two methods: one point per pair of runs of the same question, with one method's figure on each
//! axis. Unsolved runs are hollow points at their limit. Below the diagonal, the method on the vertical axis was
//! faster.

use std::cmp::Ordering;

use indexmap::IndexMap;

use super::{About, Axis, Chart, Dot, Guide, Input, Scale, Series};
use crate::LabError;
use crate::report::data::Column;
use crate::report::markdown::counted;
use crate::report::measure::Measure;
use crate::report::median::Figure;
use crate::report::ranked;
use crate::report::standing::sooner;

/// Maximum number of methods that are compared with the best method if no pairs are requested.
const PAIRS: usize = 3;

/// Returns the plots of the requested pairs of methods. If no pairs are requested, the best method is plotted against
/// the next best methods.
pub(super) fn charts(input: &Input<'_>) -> Result<Vec<Chart>, LabError> {
    let Input { columns, groups, options, .. } = *input;
    let measure = &options.measure;
    let named = |name: &String| {
        let column = columns.iter().find(|column| column.name == *name);
        column.ok_or_else(|| {
            let known: Vec<_> = columns.iter().map(|column| column.name.as_str()).collect();
            let known = known.join(", ");
            LabError::new(format_args!("no run of method \"{name}\" has a value of \"{measure}\"; choose from {known}"))
        })
    };
    let group = |place: usize| groups[place].clone();
    if !options.pairs.is_empty() {
        let mut charts = Vec::new();
        for (x, y) in &options.pairs {
            let chart = scatter(named(x)?, named(y)?, measure, &group);
            charts.push(chart.ok_or_else(|| {
                LabError::new(format_args!(
                    "the methods \"{x}\" and \"{y}\" need at least two comparable runs of the same questions"
                ))
            })?);
        }
        return Ok(charts);
    }
    let best: Vec<&Column> = ranked(columns).collect();
    let Some((first, others)) = best.split_first() else { return Ok(Vec::new()) };
    Ok(others.iter().take(PAIRS).filter_map(|other| scatter(other, first, measure, &group)).collect())
}

/// Returns the plot of two methods, with one series per group of questions; `None` if they have fewer than two
/// comparable runs.
fn scatter(x: &Column, y: &Column, measure: &Measure, group: &dyn Fn(usize) -> String) -> Option<Chart> {
    let floor = measure.floor();
    let mut groups: IndexMap<String, Vec<Dot>> = IndexMap::new();
    let (mut limits, mut faster) = ([0.0f64; 2], [0usize; 2]);
    for (cell, other) in x.against(y) {
        let (Some(a), Some(b)) = (cell.run.figure(), other.run.figure()) else { continue };
        for (limit, figure) in limits.iter_mut().zip([a, b]).filter(|(_, figure)| figure.is_bound()) {
            *limit = limit.max(figure.value());
        }
        match sooner(cell.run, other.run, floor) {
            Some(Ordering::Less) => faster[0] += 1,
            Some(Ordering::Greater) => faster[1] += 1,
            _ => {}
        }
        let dot = Dot {
            x: a.value(),
            y: b.value(),
            bar: None,
            censored: a.is_bound() || b.is_bound(),
            about: match (cell.row, other.row) {
                (Some(a), Some(b)) => About::Rows(a, b),
                (Some(row), None) | (None, Some(row)) => About::Row(row),
                (None, None) => About::Words(format!("{} s and {} s", a.value(), b.value())),
            },
        };
        groups.entry(group(cell.place)).or_default().push(dot);
    }
    if groups.values().map(Vec::len).sum::<usize>() < 2 {
        return None;
    }
    let one = groups.len() == 1;
    let name = |group| if one { "runs".to_owned() } else { group };
    let series = groups.into_iter().map(|(group, dots)| Series::new(name(group), false, dots));
    let ends = ends(x, y);
    let axis = |name: &str| {
        let label = format!("{name}: {}", measure.label());
        // Both axes have equal ranges, so that the diagonal is exact.
        let at_least = Some((ends.0.max(floor), ends.1));
        Axis { floor: Some(floor), at_least, ..Axis::new(label, Scale::Log) }
    };
    let mut guides = vec![
        Guide::Times(1.0, "equal".to_owned()),
        Guide::Times(10.0, "10 times".to_owned()),
        Guide::Times(0.1, String::new()),
    ];
    let [x_limit, y_limit] = limits;
    guides.extend((x_limit > 0.0).then(|| Guide::Upright(x_limit, "limit".to_owned())));
    guides.extend((y_limit > 0.0).then(|| Guide::Across(y_limit, "limit".to_owned())));
    let [x_faster, y_faster] = faster.map(|runs| counted(runs, "run"));
    Some(Chart {
        name: format!("scatter-{}-{}", file_name(&x.name), file_name(&y.name)),
        title: format!("{} against {}", y.name, x.name),
        notes: vec![
            format!("{} was faster in {x_faster}, {} in {y_faster}", x.name, y.name),
            "open dots: unsolved, at the limit or beyond".to_owned(),
        ],
        x: axis(&x.name),
        y: axis(&y.name),
        series: series.collect(),
        guides,
        square: true,
    })
}

/// Returns the minimum and the maximum value of both methods together.
fn ends(x: &Column, y: &Column) -> (f64, f64) {
    let figures = x.entries.iter().chain(&y.entries).filter_map(|cell| cell.run.figure());
    let ends = figures.map(Figure::value).fold((f64::INFINITY, 0.0f64), |(low, high), v| (low.min(v), high.max(v)));
    if ends.0 <= ends.1 { ends } else { (1.0, 1.0) }
}

/// Converts the name of a method for use in a file name.
fn file_name(method: &str) -> String {
    let letter = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    let name: String = method.chars().map(letter).collect();
    let words: Vec<_> = name.split('-').filter(|word| !word.is_empty()).collect();
    words.join("-")
}
