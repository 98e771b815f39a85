//! Scaling plots: growth of a figure with the number of vertices. Both axes are logarithmic, so that powers are
//! straight lines. A point is the median of the runs on graphs of one size. The bar of the point extends from the
//! minimum to the maximum. If the median is unknown because of limits, the point is hollow and drawn at the lower
//! bound.

use std::collections::BTreeMap;

use indexmap::IndexSet;

use super::{About, Axis, Chart, Dot, Guide, Input, MOST_BARRED, Scale, Series};
use crate::LabError;
use crate::report::data::{Data, Row};
use crate::report::measure::Measure;
use crate::report::median::Figure;
use hamcnf_methods::record::Status;

/// Minimum number of sizes for which a line is drawn.
const LEAST_SIZES: usize = 3;

/// Maximum number of lines in colour; more would not be distinguishable.
const MOST: usize = 12;

/// Returns the scaling plots for three measures: the report's measure, the number of conflicts and the number of
/// clauses.
pub(super) fn charts(input: &Input<'_>) -> Result<Vec<Chart>, LabError> {
    let [conflicts, clauses] = ["conflicts", "clauses"].map(Measure::named);
    let own = &input.options.measure;
    let measures = IndexSet::from([own, &conflicts, &clauses]).into_iter();
    let measures = measures.filter(|measure| *measure != own || !input.columns.is_empty());
    let kinds: IndexSet<&str> = input.data.places.iter().map(|place| place.kind.as_str()).collect();
    Ok(measures.flat_map(|measure| kinds.iter().filter_map(|kind| of_kind(input.data, measure, kind))).collect())
}

/// Returns the scaling plot of a kind of questions; `None` if the graphs of this kind have too few different sizes.
fn of_kind(data: &Data, measure: &Measure, kind: &str) -> Option<Chart> {
    // Rows by method and then by number of vertices.
    let mut methods: BTreeMap<usize, BTreeMap<u64, Vec<&Row>>> = BTreeMap::new();
    for row in &data.rows {
        let place = &data.places[row.place];
        let (true, Some(vertices)) = (place.kind == kind, place.vertices) else { continue };
        if figure(row, measure).is_some() {
            methods.entry(row.method).or_default().entry(vertices).or_default().push(row);
        }
    }
    methods.retain(|_, sizes| sizes.len() >= LEAST_SIZES);
    let mut series: Vec<_> =
        methods.into_iter().map(|(method, sizes)| line(&data.methods[method], &sizes, measure)).collect();
    if series.is_empty() {
        return None;
    }
    // Methods are sorted by decreasing size of the largest graph that they solved. If two sizes are equal, the method
    // with the smaller figure at this size is first.
    series.sort_by(|a, b| {
        let last = |line: &Series| {
            line.dots.iter().rfind(|dot| !dot.censored).map_or((0.0, f64::INFINITY), |dot| (dot.x, dot.y))
        };
        let ((a_x, a_y), (b_x, b_y)) = (last(a), last(b));
        b_x.total_cmp(&a_x).then(a_y.total_cmp(&b_y))
    });
    let barred = series.iter().any(|line| line.dots.len() <= MOST_BARRED);
    let bars = if barred { "; bars from minimum to maximum" } else { "" };
    let mut notes = vec![format!("medians (the upper median of an even number of runs){bars}")];
    if series.iter().any(|line| line.dots.iter().any(|dot| dot.censored)) {
        notes.push("open dots: lower bounds of medians, because runs reached a limit".to_owned());
    }
    if series.len() > MOST {
        notes.push(format!("in grey: {} others", series.len() - MOST));
        series[MOST..].iter_mut().for_each(|line| line.name = None);
    }
    let limits = data.rows.iter().filter_map(|row| measure.run(&row.record).limit());
    let limit = limits.filter(|limit| limit.is_finite()).fold(0.0, f64::max);
    let guides = if limit > 0.0 { vec![Guide::Across(limit, "limit".to_owned())] } else { Vec::new() };
    let name: String = kind.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    Some(Chart {
        name: format!("scaling-{}-{measure}", name.replace("--", "-")),
        title: format!("{} on {kind}, by size", capital(measure.label())),
        notes,
        x: Axis::new("vertices", Scale::Log),
        y: Axis { floor: Some(measure.floor()), ..Axis::new(measure.label(), Scale::Log) },
        series,
        guides,
        square: false,
    })
}

/// Returns the value of the measure in a row. If the run was not solved, the value is a lower bound; for a timeout, the
/// bound is the time limit.
fn figure(row: &Row, measure: &Measure) -> Option<Figure> {
    let record = &row.record;
    let run = measure.run(record);
    let known = run.figure().filter(|figure| !figure.is_bound() || record.status == Status::Timeout);
    // Without any information, the lower bound is 0.
    known.or_else(|| run.limit().map(|_| Figure::Exceeds(measure.of(record).unwrap_or(0.0))))
}

fn line(method: &str, sizes: &BTreeMap<u64, Vec<&Row>>, measure: &Measure) -> Series {
    let dots = sizes.iter().filter_map(|(&vertices, rows)| {
        let figures: Vec<_> = rows.iter().filter_map(|row| figure(row, measure)).collect();
        let median = Figure::median(&figures)?;
        let values = figures.iter().map(|figure| figure.value());
        let (low, high) = values.fold((f64::INFINITY, 0.0f64), |(low, high), v| (low.min(v), high.max(v)));
        let n = figures.len();
        let answered = figures.iter().filter(|figure| !figure.is_bound()).count();
        Some(Dot {
            x: vertices as f64,
            y: median.value(),
            bar: (n > 1 && low < high).then_some((low, high)),
            censored: median.is_bound(),
            about: About::Median { of: n, answered },
        })
    });
    Series::new(method.to_owned(), true, dots.collect())
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|c| c.to_uppercase().to_string()).unwrap_or_default() + chars.as_str()
}
