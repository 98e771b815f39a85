//! Result rows of one or more experiments, with the files that contain them.
//!
//! Results are compared by method. Usually, rows with the same method name belong together. However, several files may
//! have rows of the same run (question, method, seed and limits), such as results of two builds. Then the name of the
//! file is added to the name of the method, so that these rows are not mixed.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use hamcnf_tours::{Piece, TourKind};
use indexmap::IndexSet;

use crate::experiment::times::{Time, Times};
use crate::harness::rows;
use crate::harness::shard::Shard;
use crate::{LabError, cannot};
use hamcnf_methods::machine::Machine;
use hamcnf_methods::record::Record;
use hamcnf_questions::{Files, GraphSource, QuestionSpec, queens_in};

use super::grouped::grouped;
use super::measure::{COLUMNS, Measure};
use super::standing::{Run, Standing};

/// File of results, with information from the files beside it.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Source {
    pub file: PathBuf,
    /// Stem of the file's name, which is also the name of the experiment.
    pub name: String,
    /// Title of the experiment's report; `None` if there is no report.
    pub title: Option<String>,
    /// Introduction of the experiment's report, one entry per paragraph; empty if there is no report.
    pub about: Vec<String>,
    /// Command that made the file, if the report contains it.
    pub command: Option<String>,
    /// Machine on which the rows were measured; `None` if no file describes it.
    pub machine: Option<Machine>,
    /// Number of rows in the file.
    pub n_rows: usize,
}

/// Row of a file, with the indices of its file, method and question.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    pub record: Record,
    /// Index of the row's file in [`Data::sources`].
    pub source: usize,
    /// Index of the row's method in [`Data::methods`].
    pub method: usize,
    /// Index of the row's question in [`Data::places`].
    pub place: usize,
}

/// Question that some rows answer.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Asked {
    /// Text of the question in the rows.
    pub question: String,
    /// CRC-32 of the graph's edges, as recorded in the rows; empty for boards.
    pub graph: String,
    /// Short name for tables: the question, without the folder if a file is named.
    pub name: String,
    /// True if the question is known to ask for closed tours.
    closed: bool,
    /// Kind of the question: queens, boards with one piece, graphs of one family, or files. Questions of the same kind
    /// differ only in size.
    pub kind: String,
    /// Number of vertices of the graph; `None` if it is not known without reading a file.
    pub vertices: Option<u64>,
    /// Number of edges of the graph; `None` if it is not known without reading a file.
    pub edges: Option<u64>,
}

/// Rows of all files, with their methods and questions.
#[derive(Clone, Debug, Default)]
pub struct Data {
    /// Files that contain the rows.
    pub sources: Vec<Source>,
    /// Rows in the order of the files.
    pub rows: Vec<Row>,
    /// Names of the methods, in the order of their first rows.
    pub methods: Vec<String>,
    /// Questions, in the order of their first rows.
    pub places: Vec<Asked>,
    /// Times that were measured elsewhere, with one entry per file.
    pub times: Vec<Times>,
}

/// Runs of one method, or of one solver whose times were measured elsewhere.
#[derive(Clone, PartialEq, Debug)]
pub struct Column {
    /// Name of the method. The name of a solver that was measured elsewhere ends with a star.
    pub name: String,
    /// True if the method finds a tour or proves that there is none. Only such methods are compared with each other.
    pub decides: bool,
    /// Runs of the method, one entry per run.
    pub entries: Vec<Entry>,
}

impl Column {
    /// Pairs the entries of two columns: an entry is paired with the entry of the same question and seed. If one of the
    /// columns has only one run of a question, this run is paired with all runs of the question in the other column.
    /// Returns an empty list if the columns only one decides whether a tour exists.
    pub fn against<'c>(&self, other: &'c Self) -> Vec<(Entry, &'c Entry)> {
        if self.decides != other.decides {
            return Vec::new();
        }
        let theirs = grouped(other.entries.iter().map(|entry| (entry.place, entry)));
        let ours = grouped(self.entries.iter().map(|entry| (entry.place, entry)));
        let partners = |entry: &Entry| -> Vec<&'c Entry> {
            match theirs.get(&entry.place).map(Vec::as_slice).unwrap_or_default() {
                [one] => vec![*one],
                some if ours[&entry.place].len() == 1 => some.to_vec(),
                some => some.iter().copied().filter(|other| other.seed == entry.seed).take(1).collect(),
            }
        };
        let entries = self.entries.iter();
        entries.flat_map(|entry| partners(entry).into_iter().map(move |other| (*entry, other))).collect()
    }

    /// Returns the method's runs, for comparison with other methods.
    pub fn standing(&self) -> Standing {
        Standing(self.entries.iter().map(|entry| entry.run).collect())
    }
}

/// Run of a method on a question, as an entry of a column.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Entry {
    /// Index of the question in [`Data::places`].
    pub place: usize,
    /// Seed of the run; 0 if the run was measured elsewhere.
    pub seed: u64,
    /// Result of the run, according to the measure that the column shows.
    pub run: Run,
    /// Index of the run's row in [`Data::rows`]; `None` if the run was measured elsewhere.
    pub row: Option<usize>,
}

impl Data {
    /// Reads files of rows and files of times that were measured elsewhere. `-` is standard input. A folder stands for
    /// all of its `.csv` files that contain rows.
    ///
    /// # Errors
    ///
    /// [`LabError`], which names the file.
    pub fn read(files: &[PathBuf], times: &[PathBuf]) -> Result<Self, LabError> {
        let mut data = Self::default();
        let all = files_of(files)?;
        let mut records = Vec::new();
        let mut seen = HashSet::new();
        for file in all {
            if !seen.insert(fs::canonicalize(&file).unwrap_or_else(|_| file.clone())) {
                let file = file.display();
                return Err(LabError::new(format_args!("{file} is named twice; name each file only once")));
            }
            let (source, rows) = read(&file)?;
            let mut keys = HashSet::new();
            if let Some(twice) = rows.iter().find(|row| !keys.insert(row.key())) {
                return Err(LabError::in_file(&file, format_args!("two rows of {}", twice.key())));
            }
            let number = data.sources.len();
            records.extend(rows.into_iter().map(|record| (number, record)));
            data.sources.push(source);
        }
        for file in times {
            data.times.push(Times::read(file)?);
        }
        data.add(records);
        Ok(data)
    }

    /// Creates data from the rows of a single file.
    pub fn of(source: Source, rows: Vec<Record>, times: Option<Times>) -> Self {
        let mut data = Self { sources: vec![source], times: times.into_iter().collect(), ..Self::default() };
        data.add(rows.into_iter().map(|record| (0, record)).collect());
        data
    }

    /// Adds rows, each with the index of its file, and derives the methods and questions from them.
    fn add(&mut self, records: Vec<(usize, Record)>) {
        let runs = grouped(records.iter().map(|(source, record)| (record.key(), *source)));
        let doubled = runs.iter().filter(|(_, sources)| sources.iter().any(|source| *source != sources[0]));
        let doubled: HashSet<String> = doubled.map(|(key, _)| key.method.clone()).collect();
        let names = self.distinct_names();
        let (mut methods, mut places) = (IndexSet::new(), IndexSet::new());
        for (source, record) in records {
            let mut name = record.asked.method.without_order_of(record.asked.seed).to_string();
            if doubled.contains(&record.asked.method.to_string()) {
                name = format!("{name} ({})", names[source]);
            }
            let (method, _) = methods.insert_full(name);
            // The file of a graph may have contained other edges in another run.
            let (place, _) = places.insert_full((record.asked.question.clone(), record.asked.graph_crc32.clone()));
            self.rows.push(Row { record, source, method, place });
        }
        self.methods = methods.into_iter().collect();
        let graphs = self.graphs();
        let asked = places.iter().map(|(question, graph)| Asked::new(question, graph, &graphs));
        self.places = asked.collect();
    }

    /// Returns a unique name for each source: the stem or, if several files have the same stem, the path.
    fn distinct_names(&self) -> Vec<String> {
        let name = |source: &Source| match self.sources.iter().filter(|other| other.name == source.name).count() {
            1 => source.name.clone(),
            _ => source.file.display().to_string(),
        };
        self.sources.iter().map(name).collect()
    }

    /// Returns the numbers of vertices and edges of all graphs that the machine files describe.
    fn graphs(&self) -> Sizes {
        let machines = self.sources.iter().filter_map(|source| source.machine.as_ref());
        machines
            .flat_map(|machine| &machine.graphs)
            .map(|graph| ((graph.file.clone(), graph.checksum()), (graph.vertices.into(), graph.edges.into())))
            .collect()
    }

    /// Returns one column per method, and one per solver that was measured elsewhere. The columns contain the runs'
    /// values of a measure. Rows of formula sizes are not runs, so they are left out.
    pub fn columns(&self, measure: &Measure) -> Vec<Column> {
        let rows = self.rows.iter().enumerate().filter(|(_, row)| !row.record.status.is_size());
        let mut methods = grouped(rows.map(|(number, row)| (row.method, (number, row))));
        methods.sort_unstable_keys();
        let entry = |(number, row): (usize, &Row)| Entry {
            place: row.place,
            seed: row.record.asked.seed,
            run: measure.run(&row.record),
            row: Some(number),
        };
        let columns = methods.into_iter().map(|(method, rows)| Column {
            name: self.methods[method].clone(),
            decides: rows[0].1.record.asked.method.decides(),
            entries: rows.into_iter().map(entry).collect(),
        });
        let mut columns: Vec<_> = columns.collect();
        // A method is left out if none of its runs has a value of the measure.
        columns.retain(|column| {
            let mut runs = column.entries.iter();
            runs.any(|cell| match cell.run {
                Run::Solved(_) => true,
                Run::Unsolved { .. } | Run::Refused => measure.is_time(),
                Run::Absent => false,
            })
        });
        if measure.is_time() {
            columns.extend(self.times.iter().flat_map(|times| self.elsewhere(times)));
        }
        columns
    }

    fn elsewhere<'d>(&'d self, times: &'d Times) -> impl Iterator<Item = Column> + 'd {
        // Times that exceed the largest limit of the rows count as unsolved.
        let limits = self.rows.iter().filter_map(|row| Measure::default().limit(&row.record));
        let limit = limits.reduce(f64::max).filter(|limit| *limit > 0.0).unwrap_or(f64::INFINITY);
        times.solvers.iter().enumerate().map(move |(k, solver)| {
            let entries = self.places.iter().enumerate().map(|(place, asked)| Entry {
                place,
                seed: 0,
                run: Run::elsewhere(asked.time(times, k), limit),
                row: None,
            });
            Column {
                name: format!("{solver} *"),
                decides: true,
                entries: entries.filter(|entry| entry.run != Run::Absent).collect(),
            }
        })
    }

    /// Returns the names of all figures by which the rows can be compared.
    pub fn figures(&self) -> Vec<String> {
        let figures = self.rows.iter().flat_map(|Row { record, .. }| {
            let names = COLUMNS.iter().map(|column| column.name);
            let columns = names.filter(|name| Measure::named(name).of(record).is_some());
            columns.chain(record.statistics.iter().map(|(name, _)| name))
        });
        let figures: IndexSet<&str> = figures.collect();
        figures.into_iter().map(str::to_owned).collect()
    }
}

/// Numbers of vertices and edges of graphs. The key is the graph's file and checksum.
type Sizes = HashMap<(String, String), (u64, u64)>;

impl Asked {
    fn new(question: &str, graph: &str, graphs: &Sizes) -> Self {
        let mut asked = Self {
            question: question.to_owned(),
            graph: graph.to_owned(),
            name: question.to_owned(),
            ..Self::default()
        };
        let known = |place: &str| graphs.get(&(place.to_owned(), graph.to_owned())).copied().unzip();
        let file_name = || question.rsplit('/').next().unwrap_or(question).to_owned();
        let Ok(spec) = QuestionSpec::settled(question, &Files::default()) else {
            // The question is about queens, or it names a file that is missing on this machine.
            let is_queens = matches!(queens_in(question), Some(Ok(_)));
            asked.kind = if is_queens { "queens" } else { "files" }.to_owned();
            (asked.vertices, asked.edges) = known(question.split(" open").next().unwrap_or(question));
            asked.name = file_name();
            return asked;
        };
        asked.closed = spec.kind != Some(TourKind::Open) && spec.end.is_none();
        let ends = if asked.closed { "" } else { ", open" };
        // Relabelling the vertices does not change the kind of a graph.
        match spec.source.unlabelled() {
            GraphSource::Board(board) => {
                let piece = board.board().piece();
                let pieces = if piece == Piece::KNIGHT { String::new() } else { format!(" of the {piece}") };
                asked.kind = format!("boards{pieces}{ends}");
                asked.vertices = Some(board.n_squares().into());
            }
            GraphSource::Family(family) => {
                asked.kind = format!("{}{ends}", family.name());
                asked.vertices = Some(family.graph().n_vertices() as u64);
                asked.edges = Some(family.graph().n_edges() as u64);
            }
            _ => {
                asked.kind = format!("files{ends}");
                asked.name = file_name();
                (asked.vertices, asked.edges) = known(&spec.source.to_string());
            }
        }
        asked
    }

    /// True if `times` has a time of any solver for this question.
    pub fn is_in(&self, times: &Times) -> bool {
        (0..times.solvers.len()).any(|solver| self.time(times, solver).is_some())
    }

    /// Returns the time of a solver for this question; `None` if `times` has none. `solver` is an index into
    /// `times.solvers`.
    fn time(&self, times: &Times, solver: usize) -> Option<Time> {
        // For an open tour, the question has more text after the graph's name, so the whole text must match.
        let of = if self.closed { times.of(&self.question) } else { times.exactly(&self.question) };
        of?.get(solver).copied().flatten()
    }
}

/// Replaces each folder with its `.csv` files that contain rows.
///
/// # Errors
///
/// [`LabError`]: a folder is unreadable or contains no rows.
pub fn files_of(files: &[PathBuf]) -> Result<Vec<PathBuf>, LabError> {
    let mut all = Vec::new();
    for file in files {
        if file.is_dir() { all.extend(of_folder(file)?) } else { all.push(file.clone()) }
    }
    Ok(all)
}

/// Returns all files of a folder that contain rows.
fn of_folder(folder: &Path) -> Result<Vec<PathBuf>, LabError> {
    let cannot = cannot("read", folder);
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(&cannot)? {
        let file = entry.map_err(&cannot)?.path();
        let is_csv = file.extension().is_some_and(|ending| ending == "csv");
        if is_csv && file.is_file() && is_of_rows(&file) {
            files.push(file);
        }
    }
    files.sort();
    // Rows of merged shards are also in the file of the whole experiment, so the files of these shards are skipped.
    let whole: HashSet<_> = files.iter().filter_map(|file| file.file_stem()).map(ToOwned::to_owned).collect();
    files.retain(|file| {
        let stem = file.file_stem().unwrap_or_default().to_string_lossy();
        Shard::of_name(&stem).is_none_or(|(name, _)| !whole.contains(std::ffi::OsStr::new(name)))
    });
    match files.is_empty() {
        true => Err(LabError::new(format_args!(
            "{} has no results (*.csv files written by `hamcnf run`)",
            folder.display()
        ))),
        false => Ok(files),
    }
}

/// True if the file begins with a heading of result rows, whatever their schema.
fn is_of_rows(file: &Path) -> bool {
    fs::read_to_string(file).is_ok_and(|text| text.starts_with(rows::FIRST_COLUMNS))
}

fn read(file: &Path) -> Result<(Source, Vec<Record>), LabError> {
    if file.extension().is_some_and(|ending| ending == "toml") {
        let why = "is an experiment, not results; run it first with `hamcnf run`";
        return Err(LabError::new(format_args!("{} {why}", file.display())));
    }
    let text = if file.as_os_str() == "-" { io::read_to_string(io::stdin().lock()) } else { fs::read_to_string(file) };
    let text = text.map_err(cannot("read", file))?;
    let records = rows::read_rows(rows::complete(file, &text)).map_err(|why| LabError::in_file(file, why))?;
    let stem = file.file_name().unwrap_or_default().to_string_lossy();
    let (stem, part) = match stem.strip_suffix(".part") {
        Some(stem) => (stem.to_owned(), ".part"),
        None => (stem.into_owned(), ""),
    };
    let name = stem.strip_suffix(".csv").unwrap_or(&stem).to_owned();
    let beside = |ending: &str| fs::read_to_string(file.with_file_name(format!("{name}{ending}")));
    let machine = beside(&format!(".machine.json{part}")).ok();
    let report = beside(".md").ok().filter(|_| part.is_empty()).unwrap_or_default();
    let title = report.lines().next().and_then(|line| line.strip_prefix("# "));
    let (before, made) = report.split_once("Made by `").unwrap_or_default();
    let about = before.split("\n\n").skip(1).map(str::trim).filter(|paragraph| !paragraph.is_empty());
    let source = Source {
        file: file.to_owned(),
        machine: machine.and_then(|text| serde_json::from_str(&text).ok()),
        title: title.map(str::to_owned),
        about: about.map(str::to_owned).collect(),
        command: made.split_once('`').map(|(command, _)| command.to_owned()),
        n_rows: records.len(),
        name,
    };
    Ok((source, records))
}
