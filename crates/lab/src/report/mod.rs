//! Reports of rows, whatever experiments they are of: tables for the terminal; charts and one page that has everything.
//!
//! A report needs the rows alone. What stands beside them (the machine, the tours, the title of the experiment's own report) is
//! shown where it is there. Medians that limits leave open are written as bounds, points that they ended are open and stand at
//! the limit; PAR2 and geometric means say how they count what was not answered.

pub mod cells;
pub mod chart;
pub mod claims;
pub mod data;
pub mod difference;
pub mod experiment;
pub mod export;
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

use std::collections::HashMap;

use hamcnf_methods::features::Features;
use hamcnf_render::png::{self, PngError};
use hamcnf_render::svg;
use markdown::limits_in_words;

use chart::{Chart, Input};
use data::{Column, Data};
use groups::Feature;
use measure::Measure;
use tables::Table;
use tours::Shown;

/// More methods than these make lines of a table that no terminal has room for.
const MOST_COLUMNS: usize = 8;

/// More sets of limits than these are only counted.
const MOST_LIMITS: usize = 4;

/// What a report is to have.
#[derive(Clone, Debug)]
pub struct Options {
    /// What methods are compared by.
    pub measure: Measure,
    /// Methods that are held against each other, run by run; without any the best against the next.
    pub pairs: Vec<(String, String)>,
    /// What questions are grouped by.
    pub group: Feature,
    /// What is known of questions' graphs; the others' are looked up where they are needed.
    pub features: Vec<Features>,
    /// What it is called; else what its results are.
    pub title: Option<String>,
    /// Kinds of charts, in the order of the report.
    pub charts: Vec<chart::Kind>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            measure: Measure::default(),
            pairs: Vec::new(),
            group: Feature::default(),
            features: Vec::new(),
            title: None,
            charts: chart::LIST.to_vec(),
        }
    }
}

/// Why there is no report.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// There are no rows to report.
    #[error("there are no rows")]
    Empty,
    /// No row has what methods are to be compared by.
    #[error("no row has {measure}: there are {}", known.join(", "))]
    NoFigure {
        /// It.
        measure: Measure,
        /// What rows have.
        known: Vec<String>,
    },
    /// A method that is compared has no runs.
    #[error("there are no runs of '{name}' that have {measure}; there are {}", known.join(", "))]
    NoMethod {
        /// It.
        name: String,
        /// What it should have.
        measure: Measure,
        /// Those that have it.
        known: Vec<String>,
    },
    /// Two methods that are compared have too little in common.
    #[error("{x} and {y} have not two runs of the same question that can be compared")]
    NoPair {
        /// One.
        x: String,
        /// The other.
        y: String,
    },
    /// A picture cannot be painted.
    #[error(transparent)]
    Png(#[from] PngError),
}

/// Tables, charts and tours.
#[derive(Debug)]
pub struct Report<'d> {
    /// What it is called.
    pub title: String,
    /// What is wrong with any of the answers.
    pub faults: Vec<String>,
    /// What is to be known of the whole.
    pub notes: Vec<String>,
    /// Tables.
    pub tables: Vec<Table>,
    /// Charts.
    pub charts: Vec<Chart>,
    /// Tours.
    pub tours: Vec<Shown>,
    data: &'d Data,
}

impl<'d> Report<'d> {
    /// The report of some rows.
    ///
    /// # Errors
    ///
    /// [`ReportError`].
    pub fn of(data: &'d Data, options: &Options) -> Result<Self, ReportError> {
        if data.rows.is_empty() {
            return Err(ReportError::Empty);
        }
        let measure = &options.measure;
        let columns = data.columns(measure);
        if !data
            .rows
            .iter()
            .any(|row| measure.of(&row.record).is_some())
            && !measure.is_time()
        {
            return Err(ReportError::NoFigure {
                measure: measure.clone(),
                known: data.figures(),
            });
        }
        let groups = groups::groups(data, &options.features, options.group);
        let mut tables = Vec::new();
        tables.extend(tables::methods(&columns, measure));
        tables.extend(groups::wins(&columns, &groups, options.group, measure));
        tables.extend(tables::sizes(data));
        tables.extend(tables::questions(data, &columns, measure));
        tables.push(tables::sources(data));
        let mut charts = Vec::new();
        let input = Input {
            data,
            columns: &columns,
            groups: &groups,
            options,
        };
        for kind in &options.charts {
            charts.extend((kind.make)(&input)?);
        }
        tell_apart(&mut charts);
        look_alike(&mut charts, &columns);
        Ok(Self {
            title: title(data, options),
            faults: tables::faults(data),
            notes: notes(data, &columns, measure),
            tables,
            charts,
            tours: tours::shown(data),
            data,
        })
    }

    /// For a terminal: its tables in Markdown, those with too many columns left out.
    #[must_use]
    pub fn text(&self) -> String {
        let room = |table: &&Table| table.columns.len() <= MOST_COLUMNS + table.left;
        self.words(self.tables.iter().filter(room), false)
    }

    /// In Markdown: all of its tables, and its charts as pictures beside it.
    #[must_use]
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

    /// One page that has everything.
    #[must_use]
    pub fn html(&self) -> String {
        page::page(&page::Contents {
            title: &self.title,
            faults: &self.faults,
            notes: &self.notes,
            tables: &self.tables,
            charts: &self.charts,
            tours: &self.tours,
            data: self.data,
        })
    }

    /// All files of the report by their names.
    ///
    /// # Errors
    ///
    /// [`ReportError::Png`].
    pub fn files(&self) -> Result<Vec<(String, Vec<u8>)>, ReportError> {
        let mut files = vec![
            ("index.html".to_owned(), self.html().into_bytes()),
            ("report.md".to_owned(), self.markdown().into_bytes()),
        ];
        for chart in &self.charts {
            let scene = chart.drawn().scene;
            let name = &chart.name;
            files.push((format!("{name}.svg"), svg::document(&scene).into_bytes()));
            files.push((format!("{name}.png"), png::file(&scene)?));
        }
        Ok(files)
    }
}

/// Gives charts of one name numbers behind it, as their files are called after it.
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

/// Gives each method one look in all charts.
fn look_alike(charts: &mut [Chart], columns: &[Column]) {
    // The best first, as in the tables; then those that have no such figure.
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

/// Columns, the best first: who answered the greatest share, of equals who needed less.
pub(crate) fn ranked(columns: &[Column]) -> impl Iterator<Item = &Column> {
    let mut ranked: Vec<_> = columns
        .iter()
        .map(|column| (column.standing(), column))
        .map(|(standing, column)| (standing.rank(), column))
        .collect();
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

/// What is to be known of the whole: what it is about, limits, and what is odd.
fn notes(data: &Data, columns: &[Column], measure: &Measure) -> Vec<String> {
    let mut notes = Vec::new();
    if let [source] = data.sources.as_slice() {
        notes.extend(source.about.iter().cloned());
    }
    let mut limits: Vec<_> = data.rows.iter().map(|row| row.record.limits()).collect();
    limits.sort_unstable();
    limits.dedup();
    let words: Vec<_> = limits.iter().map(limits_in_words).collect();
    match words.as_slice() {
        [] => {}
        [one] => notes.push(format!("Every run was allowed: {one}.")),
        some if some.len() <= MOST_LIMITS => notes.push(format!(
            "Runs were allowed different things, which figures over all of them hide: {}.",
            some.join("; ")
        )),
        some => notes.push(format!(
            "Runs were allowed {} different things, which figures over all of them hide.",
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
        notes.push(format!(
            "Without {}, and so not compared: {names}.",
            measure.label()
        ));
    }
    for times in &data.times {
        if data.places.iter().all(|asked| !asked.is_in(times)) {
            notes.push(format!(
                "{} has no time of any of these questions.",
                times.file.display()
            ));
        }
    }
    let machines = data.machines();
    if machines.len() > 1 {
        notes.push(format!(
            "The rows are of {} machines: their times are not to be compared.",
            machines.len()
        ));
    }
    let builds = data.builds();
    if builds.len() > 1 {
        let builds: Vec<_> = builds
            .iter()
            .map(|(version, commit)| format!("{version} ({commit})"))
            .collect();
        notes.push(format!(
            "The rows are of several builds of hamcnf: {}.",
            builds.join(", ")
        ));
    }
    for times in &data.times {
        notes.push(format!(
            "Solvers with a star were measured elsewhere, on another machine: their times are those of {}, and what took longer \
             than the limit here counts as not answered.",
            times.file.display()
        ));
    }
    notes
}
