//! A report as one HTML page: sortable tables, charts with tooltips, tours, and every row with its source. The page is
//! self-contained, and its content security policy forbids loading anything.
//!
//! The page contains the rows as one JSON object. The rows consist mostly of numbers, because most texts are replaced
//! by indices into lists of texts. Ten thousand rows therefore take less than two megabytes. The script `page.js`
//! displays the rows. Without scripts, the page shows everything except the rows.

mod rows;

use maud::{DOCTYPE, Markup, PreEscaped, html};
use serde::Serialize;
use serde_json::{Value, json};

use self::rows::Detail;

use super::Report;
use super::chart::{About, Chart};
use super::data::Data;
use super::tables::Table;
use hamcnf_render::svg;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// Content security policy: forbids all external resources.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:";

/// Maximum size in bytes of the rows and the charts' tooltips together. With this limit, the whole page stays below two
/// megabytes.
const ROOM: usize = 1_300_000;

/// Value of the page's field `generator`.
const GENERATOR: &str = "hamcnf report";

/// True if an HTML text is a page that this module made.
pub fn is_page(html: &str) -> bool {
    html.contains(&format!("<meta name=\"generator\" content=\"{GENERATOR}\">"))
}

/// Maximum number of errors that are listed. If there are more, the others are only counted.
const MOST_FAULTS: usize = 50;

/// Maximum number of lines of a table. Longer tables are truncated; the Markdown report contains all lines.
const MOST_LINES: usize = 1000;

/// Maximum number of characters of an error. Longer texts are truncated.
const MOST_CHARACTERS: usize = 300;

/// Truncates a long text.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(MOST_CHARACTERS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Points of a chart that have tooltips, in the form that the script reads.
#[derive(Serialize)]
struct Places<'c> {
    /// Point as x, y and the index of its series.
    at: Vec<(f64, f64, usize)>,
    /// Tooltips: the number of a row, the numbers of two rows, a text, or a median as x, y, 1 if the median is only a lower
    /// bound (otherwise 0), number of runs, number of solved runs.
    about: Vec<Value>,
    series: Vec<&'c str>,
}

/// Returns the page as an HTML document.
pub fn page(report: &Report<'_>) -> String {
    let Report { title, faults, notes, tables, charts, tours, data } = report;
    let mut places = Vec::new();
    let figures: Vec<_> = charts.iter().map(|chart| figure(chart, &mut places)).collect();
    let places = embedded(&places);
    let rows = rows(data, places.len());
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="generator" content=(GENERATOR);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                header {
                    h1 { (title) }
                    @for note in notes { p { (note) } }
                    nav {
                        @if !charts.is_empty() { a href="#charts" { "Charts" } }
                        @for (k, table) in tables.iter().enumerate() {
                            a href={ "#table-" (k) } { (table.heading) }
                        }
                        @if !tours.is_empty() { a href="#tours" { "Tours" } }
                        a href="#rows" { "Rows" }
                    }
                }
                @if !faults.is_empty() {
                    section class="faults" {
                        h2 { "Errors" }
                        ul { @for fault in faults.iter().take(MOST_FAULTS) { li { (shortened(fault)) } } }
                        @if faults.len() > MOST_FAULTS { p { "and " (faults.len() - MOST_FAULTS) " more" } }
                    }
                }
                main {
                    @if !figures.is_empty() {
                        section #charts { @for figure in &figures { (figure) } }
                    }
                    @for (k, table) in tables.iter().enumerate() { (of_table(k, table)) }
                    @if !tours.is_empty() {
                        section #tours {
                            h2 { "Tours" }
                            p { "One tour per question, as space permits. Every tour was checked move by move." }
                            div class="tours" {
                                @for tour in tours {
                                    figure {
                                        (PreEscaped(svg::document(&tour.scene)))
                                        figcaption { (tour.question) ", by " (tour.method) }
                                    }
                                }
                            }
                        }
                    }
                    section #rows {
                        h2 { "Rows" }
                        noscript { p { "A script shows the rows; the CSV files contain them too." } }
                        div class="controls" {
                            input #filter type="search" placeholder="filter rows by words" aria-label="filter rows by words";
                            select #method aria-label="method" { option value="" { "all methods" } }
                            select #status aria-label="outcome" { option value="" { "all outcomes" } }
                            span #count {}
                        }
                        div class="scroll" { table #all { thead {} tbody {} } }
                        p { button #more type="button" { "more rows" } }
                    }
                }
                div #tip role="status" hidden {}
                script type="application/json" id="data" { (PreEscaped(rows)) }
                script type="application/json" id="places" { (PreEscaped(places)) }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    };
    page.into_string()
}

fn figure<'c>(chart: &'c Chart, places: &mut Vec<Places<'c>>) -> Markup {
    let drawn = chart.drawn();
    let number = places.len();
    let tenth = |units: f64| (units * 10.0).round() / 10.0;
    let about = drawn.hot.iter().map(|hot| {
        let dot = &chart.series[hot.series].dots[hot.dot];
        match &dot.about {
            About::Row(row) => json!(row),
            About::Rows(a, b) => json!([a, b]),
            About::Median { of, answered } => json!((dot.x, short(dot.y), u8::from(dot.censored), of, answered)),
            About::Words(words) => json!(words),
        }
    });
    places.push(Places {
        at: drawn.hot.iter().map(|hot| (tenth(hot.x), tenth(hot.y), hot.series)).collect(),
        about: about.collect(),
        series: chart.series.iter().map(|series| series.name.as_deref().unwrap_or_default()).collect(),
    });
    html! {
        figure class="chart" data-chart=(number) {
            (PreEscaped(svg::document(&drawn.scene)))
        }
    }
}

/// Number of characters of a cell that is not broken into lines.
const WIDEST: usize = 24;

fn of_table(number: usize, table: &Table) -> Markup {
    // A column with long texts is broken into lines, so that the columns after it stay visible.
    let is_wide =
        |k: usize| table.lines.iter().any(|line| line.get(k).is_some_and(|cell| cell.chars().count() > WIDEST));
    let classes = (0..table.columns.len()).map(|k| match k {
        _ if k >= table.left => Some("number"),
        _ => is_wide(k).then_some("wide"),
    });
    let classes: Vec<_> = classes.collect();
    let class = |k: usize| classes[k];
    html! {
        section id={ "table-" (number) } {
            h2 { (table.heading) }
            @if !table.note.is_empty() { p { (table.note) } }
            @if table.lines.len() > MOST_LINES {
                p { "The first " (MOST_LINES) " of " (table.lines.len()) " lines; report.md has all lines." }
            }
            div class="scroll" {
                table class="sorts" {
                    thead { tr {
                        @for (k, name) in table.columns.iter().enumerate() {
                            th class=[class(k)] scope="col" { button type="button" { (name) } }
                        }
                    } }
                    tbody {
                        @for line in table.lines.iter().take(MOST_LINES) {
                            tr { @for (k, cell) in line.iter().enumerate() { td class=[class(k)] { (cell) } } }
                        }
                    }
                }
            }
        }
    }
}

/// Returns the rows as JSON. If the page would be too large, keeps only the first metric of each row. If this is not
/// enough, omits all metrics and truncates the results. `beside` is the size in bytes of the charts' tooltips.
fn rows(data: &Data, beside: usize) -> String {
    let room = ROOM.saturating_sub(beside);
    let mut text = String::new();
    for detail in [Detail::All, Detail::First, Detail::Bare] {
        text = embedded(&rows::Rows::of(data, detail));
        if text.len() <= room {
            break;
        }
    }
    text
}

/// Rounds a figure to four significant digits.
fn short(figure: f64) -> f64 {
    format!("{figure:.3e}").parse().unwrap_or(figure)
}

/// Serializes a value to JSON without `<`, so that the JSON cannot end the HTML element that contains it.
fn embedded(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("rows can be serialized").replace('<', "\\u003c")
}
