//! Scaling plots: how a figure grows with the graph, on axes where a power is a straight line. A point is the median over the
//! runs of one size, its bar goes from the least to the greatest; where limits leave the median open the point stands at its lower
//! bound, open.

use std::collections::BTreeMap;

use super::{About, Axis, Chart, Dot, Guide, Scale, Series};
use crate::harness::report::median::{Figure, Median};
use crate::harness::report::standing::limit;
use crate::report::data::{Data, Row};
use crate::report::measure::Measure;

/// Fewer sizes than these say nothing of growth.
const LEAST_SIZES: usize = 3;

/// More lines than these cannot be told apart.
const MOST: usize = 12;

/// A plot for each kind of places that comes in enough sizes.
#[must_use]
pub fn scaling(data: &Data, measure: &Measure) -> Vec<Chart> {
    let mut kinds: Vec<&str> = Vec::new();
    for place in &data.places {
        if !kinds.contains(&place.kind.as_str()) {
            kinds.push(&place.kind);
        }
    }
    let charts = kinds.into_iter().map(|kind| of_kind(data, measure, kind));
    charts.flatten().collect()
}

fn of_kind(data: &Data, measure: &Measure, kind: &str) -> Option<Chart> {
    // By method, by vertices.
    let mut methods: BTreeMap<usize, BTreeMap<u64, Vec<&Row>>> = BTreeMap::new();
    for row in &data.rows {
        let place = &data.places[row.place];
        let (true, Some(vertices)) = (place.kind == kind, place.vertices) else {
            continue;
        };
        if figure(row, measure).is_some() {
            let sizes = methods.entry(row.method).or_default();
            sizes.entry(vertices).or_default().push(row);
        }
    }
    methods.retain(|_, sizes| sizes.len() >= LEAST_SIZES);
    let mut series: Vec<_> = methods
        .into_iter()
        .map(|(method, sizes)| line(&data.methods[method], &sizes, measure))
        .collect();
    if series.is_empty() {
        return None;
    }
    // What grows least is named first: by its last value, of those that go furthest.
    series.sort_by(|a, b| {
        let last = |line: &Series| {
            let known = line.dots.iter().rfind(|dot| !dot.censored);
            known.map_or((0.0, f64::INFINITY), |dot| (dot.x, dot.y))
        };
        let ((a_x, a_y), (b_x, b_y)) = (last(a), last(b));
        b_x.total_cmp(&a_x).then(a_y.total_cmp(&b_y))
    });
    let mut notes = vec!["medians; bars from the least to the greatest".to_owned()];
    if series
        .iter()
        .any(|line| line.dots.iter().any(|dot| dot.censored))
    {
        notes.push("open: a median that limits leave open, at its lower bound".to_owned());
    }
    if series.len() > MOST {
        notes.push(format!("in grey: {} others", series.len() - MOST));
        series[MOST..].iter_mut().for_each(|line| line.name = None);
    }
    let limits = data
        .rows
        .iter()
        .filter(|row| !row.record.status.is_answer());
    let limit = limits.map(|row| limit(&row.record)).fold(0.0, f64::max);
    let guides = match measure.is_time() && limit > 0.0 && limit.is_finite() {
        true => vec![Guide::Across(limit, "limit".to_owned())],
        false => Vec::new(),
    };
    let name: String = kind
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
        .collect();
    Some(Chart {
        name: format!("scaling-{}-{measure}", name.replace("--", "-")),
        title: format!("{} on {kind}, by their size", capital(&measure.label())),
        notes,
        x: Axis::new("vertices", Scale::Log),
        y: Axis::new(measure.label(), Scale::Log).with_floor(measure.floor()),
        series,
        guides,
        square: false,
    })
}

/// A row's figure; a bound where a limit ended it.
fn figure(row: &Row, measure: &Measure) -> Option<Figure> {
    let record = &row.record;
    if record.status.is_answer() || measure.is_whole_at_a_limit() {
        return measure.of(record).map(Figure::Is);
    }
    // Runs that did not begin say nothing, nor do those of which a figure is not known at all.
    let bound = match measure {
        Measure::CpuSeconds | Measure::WallSeconds => Some(limit(record)).filter(|l| l.is_finite()),
        _ => None,
    };
    let bound = bound.or_else(|| measure.of(record));
    bound
        .filter(|_| record.status.is_limit())
        .map(Figure::Exceeds)
}

fn line(method: &str, sizes: &BTreeMap<u64, Vec<&Row>>, measure: &Measure) -> Series {
    let dots = sizes.iter().filter_map(|(&vertices, rows)| {
        let figures: Vec<_> = rows.iter().filter_map(|row| figure(row, measure)).collect();
        let (value, censored) = match Median::of(&figures) {
            Median::At(value) => (value, false),
            Median::AtLeast(value) => (value, true),
            Median::Unknown => return None,
        };
        let values = figures.iter().map(|figure| figure.value());
        let (low, high) = values.fold((f64::INFINITY, 0.0f64), |(low, high), v| {
            (low.min(v), high.max(v))
        });
        let n = figures.len();
        let answered = figures.iter().filter(|f| matches!(f, Figure::Is(_))).count();
        let sign = if censored { "≥ " } else { "" };
        Some(Dot {
            x: vertices as f64,
            y: value,
            bar: (n > 1 && low < high).then_some((low, high)),
            censored,
            about: About::Words(format!(
                "{method}, {vertices} vertices: {measure} {sign}{value}, median of {n} ({answered} answered)"
            )),
        })
    });
    Series {
        name: Some(method.to_owned()),
        joined: true,
        dots: dots.collect(),
    }
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(|c| c.to_uppercase().to_string());
    first.unwrap_or_default() + chars.as_str()
}
