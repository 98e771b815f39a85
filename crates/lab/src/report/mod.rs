//! Reports on the rows of any experiments: tables for the terminal, charts, and an HTML page with everything.
//!
//! A report needs only rows. It also shows the contents of additional files, if they exist: the machine, the tours, and
//! the title of the experiment's own report. A median that is unknown because of limits is written as a lower bound. A
//! run that ended at a limit is drawn as a hollow point at the limit. PAR2 and geometric means are labelled with how
//! they count unsolved runs.

pub mod cells;
pub mod chart;
pub mod claims;
pub mod data;
pub mod difference;
pub mod experiment;
pub mod export;
pub mod grouped;
pub mod groups;
pub mod markdown;
pub mod measure;
pub mod median;
pub mod page;
pub mod published;
pub mod standing;
pub mod statistics;
pub mod tables;
pub mod tours;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use hamcnf_methods::features::Features;
use hamcnf_render::png;
use hamcnf_render::svg;
use markdown::limits_in_words;

use chart::{Chart, Input};
use data::{Column, Data};
use groups::Feature;
use measure::Measure;
use tables::Table;
use tours::Shown;

use crate::LabError;
use crate::experiment::unexpected;
use hamcnf_methods::record::Conclusion;

/// Maximum number of columns with numbers in a table on the terminal. Wider tables are omitted there.
const MOST_COLUMNS: usize = 8;

/// Maximum number of different limits that are listed. If there are more, only their number is stated.
const MOST_LIMITS: usize = 4;

/// Settings of a report.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Measure, such as a time, by which methods are compared.
    pub measure: Measure,
    /// Pairs of methods that are compared run by run. If empty, the best method is compared with the next best methods.
    pub pairs: Vec<(String, String)>,
    /// Feature by which questions are grouped.
    pub group: Feature,
    /// Features of graphs that are already known. Features of other graphs are computed when needed.
    pub features: Vec<Features>,
    /// Title of the report; `None` to use the titles or names of the results.
    pub title: Option<String>,
    /// Known answers. The keys are the texts of the questions.
    pub expected: BTreeMap<String, Conclusion>,
    /// Kinds of charts that the report shows after those in the [list](chart::LIST).
    pub more_charts: Vec<chart::Kind>,
}

/// Tables, charts and tours of a set of rows.
#[derive(Debug)]
pub struct Report<'d> {
    pub title: String,
    /// Contradictions and other errors in the answers, in words.
    pub faults: Vec<String>,
    /// Notes about all rows, such as their limits.
    pub notes: Vec<String>,
    pub tables: Vec<Table>,
    pub charts: Vec<Chart>,
    pub tours: Vec<Shown>,
    data: &'d Data,
}

impl<'d> Report<'d> {
    /// Creates the report of the rows in `data`.
    ///
    /// # Errors
    ///
    /// [`LabError`]: a table or a chart cannot be made from the rows.
    pub fn of(data: &'d Data, options: &Options) -> Result<Self, LabError> {
        if data.rows.is_empty() {
            return Err(LabError::new("the files have no rows"));
        }
        let measure = &options.measure;
        let columns = data.columns(measure);
        if !data.rows.iter().any(|row| measure.of(&row.record).is_some()) && !measure.is_time() {
            let known = data.figures().join(", ");
            return Err(LabError::new(format_args!("no row has a value of \"{measure}\"; choose from {known}")));
        }
        let groups = groups::groups(data, &options.features, options.group);
        let mut tables = Vec::new();
        tables.extend(tables::methods(&columns, measure));
        tables.extend(groups::wins(&columns, &groups, options.group, measure));
        tables.extend(tables::sizes(data));
        tables.extend(tables::questions(data, &columns, measure));
        tables.push(tables::sources(data));
        let mut charts = Vec::new();
        let input = Input { data, columns: &columns, groups: &groups, options };
        for kind in chart::LIST.iter().chain(&options.more_charts) {
            charts.extend(kind(&input)?);
        }
        tell_apart(&mut charts);
        look_alike(&mut charts, &columns);
        let mut faults = unexpected(data.rows.iter().map(|row| &row.record), &options.expected);
        faults.extend(tables::faults(data));
        Ok(Self {
            title: title(data, options),
            faults,
            notes: notes(data, &columns, measure),
            tables,
            charts,
            tours: tours::shown(data),
            data,
        })
    }

    /// Formats the report for a terminal, as tables in Markdown. Tables with too many columns are omitted.
    pub fn text(&self) -> String {
        let room = |table: &&Table| table.columns.len() <= MOST_COLUMNS + table.left;
        self.words(self.tables.iter().filter(room), false)
    }

    /// Formats the report in Markdown: all tables, and links to the pictures of the charts in the report's folder.
    pub fn markdown(&self) -> String {
        self.words(self.tables.iter(), true)
    }

    fn words<'t>(&'t self, tables: impl Iterator<Item = &'t Table>, pictures: bool) -> String {
        let mut text = format!("# {}\n", self.title);
        for line in &self.notes {
            text += &format!("\n{line}\n");
        }
        for fault in &self.faults {
            text += &format!("\n**{fault}**\n");
        }
        if pictures {
            for Chart { name, title, .. } in &self.charts {
                text += &format!("\n![{title}]({name}.svg)\n");
            }
        }
        for table in tables {
            text += &format!("\n{}", table.markdown());
        }
        text
    }

    /// Returns the names and contents of all files of the report: the HTML page, the Markdown text and the charts.
    ///
    /// # Errors
    ///
    /// [`LabError`]: a picture cannot be rendered.
    pub fn files(&self) -> Result<Vec<(String, Vec<u8>)>, LabError> {
        let mut files = vec![
            ("index.html".to_owned(), page::page(self).into_bytes()),
            ("report.md".to_owned(), self.markdown().into_bytes()),
        ];
        for chart in &self.charts {
            let scene = chart.drawn().scene;
            let name = &chart.name;
            files.push((format!("{name}.svg"), svg::document(&scene).into_bytes()));
            files.push((format!("{name}.png"), png::file(&scene).map_err(LabError::new)?));
        }
        Ok(files)
    }
}

/// Appends numbers to equal names of charts, because the names become file names.
fn tell_apart(charts: &mut [Chart]) {
    let mut seen = HashMap::new();
    for chart in charts {
        let count = seen.entry(chart.name.clone()).or_insert(0);
        *count += 1;
        if *count > 1 {
            chart.name = format!("{}_{count}", chart.name);
        }
    }
}

/// Gives each method the same colour and mark shape in all charts.
fn look_alike(charts: &mut [Chart], columns: &[Column]) {
    // The best methods come first, as in the tables. Methods without a value of the measure follow.
    let mut names: Vec<String> = ranked(columns).map(|column| column.name.clone()).collect();
    for series in charts.iter_mut().flat_map(|chart| &mut chart.series) {
        let Some(name) = &series.name else { continue };
        let look = names.iter().position(|known| known == name);
        series.look = look.or_else(|| {
            names.push(name.clone());
            Some(names.len() - 1)
        });
    }
}

/// Returns the columns sorted from best to worst: by the share of solved runs, then by the measure.
pub(crate) fn ranked(columns: &[Column]) -> impl Iterator<Item = &Column> {
    let mut ranked: Vec<_> = columns.iter().map(|column| (column.standing().rank(), column)).collect();
    ranked.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    ranked.into_iter().map(|(_, column)| column)
}

fn title(data: &Data, options: &Options) -> String {
    if let Some(title) = &options.title {
        return title.clone();
    }
    match data.sources.as_slice() {
        [one] => one.title.clone().unwrap_or_else(|| one.name.clone()),
        some => {
            let names: Vec<_> = some.iter().map(|source| source.name.as_str()).collect();
            names.join(", ")
        }
    }
}

/// Returns notes about all rows: the introduction of the experiment, the limits, and reasons why rows may not be
/// comparable.
fn notes(data: &Data, columns: &[Column], measure: &Measure) -> Vec<String> {
    let mut notes = Vec::new();
    if let [source] = data.sources.as_slice() {
        notes.extend(source.about.iter().cloned());
    }
    let limits: BTreeSet<_> = data.rows.iter().map(|row| row.record.limits()).collect();
    let words: Vec<_> = limits.iter().map(limits_in_words).collect();
    match words.as_slice() {
        [] => {}
        [one] => notes.push(format!("Limits of every run: {one}.")),
        some if some.len() <= MOST_LIMITS => notes.push(format!(
            "Runs had different limits: {}. Figures over all runs do not show this difference.",
            some.join("; ")
        )),
        some => notes.push(format!(
            "Runs had {} different sets of limits. Figures over all runs do not show this difference.",
            some.len()
        )),
    }
    let without: Vec<_> = data
        .methods
        .iter()
        .filter(|name| !columns.iter().any(|column| column.name == **name))
        .map(String::as_str)
        .collect();
    if !without.is_empty() && !columns.is_empty() {
        let names = without.join(", ");
        notes.push(format!("Not compared, because they have no {}: {names}.", measure.label()));
    }
    for times in &data.times {
        if data.places.iter().all(|asked| !asked.is_in(times)) {
            notes.push(format!("{} has no time for any of these questions.", times.file.display()));
        }
    }
    let machines: BTreeSet<&str> = data.rows.iter().map(|row| row.record.made.machine.as_str()).collect();
    if machines.len() > 1 {
        notes.push(format!("The rows come from {} machines, so times are not comparable.", machines.len()));
    }
    let builds: BTreeSet<String> = data.rows.iter().map(|row| row.record.made.build()).collect();
    if builds.len() > 1 {
        let builds: Vec<_> = builds.into_iter().collect();
        notes.push(format!("The rows come from several builds of hamcnf: {}.", builds.join(", ")));
    }
    for times in &data.times {
        notes.push(format!(
            "Solvers with a star were measured elsewhere, on another machine. Their times come from {}; a time above the limit here counts as unsolved.",
            times.file.display()
        ));
    }
    notes
}
