//! Rows of results, of whatever experiments, with what they were made by.
//!
//! What is compared is called by its method. Where several files have rows of the same run (question, method, seed and limits),
//! as those of two builds do, the name says the file too, so that nothing of one is taken for the other's.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use hamcnf_encodings::{Leaper, TourKind};

use crate::experiment::times::{Time, Times, TimesError};
use crate::harness::rows;
use crate::harness::shard::Shard;
use hamcnf_methods::machine::Machine;
use hamcnf_methods::method::Method;
use hamcnf_methods::question::{Files, GraphSource, QuestionSpec, QuestionText};
use hamcnf_methods::record::Record;

use super::measure::Measure;
use super::standing::{Run, Standing};

/// Why there are no rows.
#[derive(Debug, thiserror::Error)]
pub enum DataError {
    /// The file cannot be read.
    #[error("cannot read {}: {error}", file.display())]
    Read {
        /// The file.
        file: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// It is an experiment.
    #[error("{} is an experiment: 'hamcnf run' makes rows of it", .0.display())]
    Experiment(PathBuf),
    /// It has no rows, or others.
    #[error("{}: {why}", file.display())]
    Rows {
        /// The file.
        file: PathBuf,
        /// What is wrong, with the line.
        why: String,
    },
    /// A folder without any.
    #[error("{} has no results: they are files *.csv that 'hamcnf run' has written", .0.display())]
    Empty(PathBuf),
    /// It is named twice.
    #[error("{} is there twice", .0.display())]
    Twice(PathBuf),
    /// Other people's times cannot be read.
    #[error(transparent)]
    Times(#[from] TimesError),
}

/// A file of results.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Source {
    /// The file.
    pub file: PathBuf,
    /// Its name without folder and ending, which is that of its experiment.
    pub name: String,
    /// What its report is headed by, where that stands beside it.
    pub title: Option<String>,
    /// What is said of it there, in paragraphs.
    pub about: Vec<String>,
    /// The command that made it, where its report says so.
    pub command: Option<String>,
    /// What it was made on, where that stands beside it.
    pub machine: Option<Machine>,
    /// How many rows it has.
    pub n_rows: usize,
}

/// A row.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    /// It.
    pub record: Record,
    /// Its source, by number.
    pub source: usize,
    /// What it is a run of, by number among [`Data::methods`].
    pub method: usize,
    /// What it is about, by number among [`Data::places`].
    pub place: usize,
}

/// What rows are about: a question.
#[derive(Clone, PartialEq, Debug)]
pub struct Asked {
    /// As it is written.
    pub question: String,
    /// The checksum of the graph's edges, as rows have it: empty for boards.
    pub graph: String,
    /// For tables: a file's name without its folder.
    pub name: String,
    /// Whether it is known to be closed tours that are asked for.
    closed: bool,
    /// What is alike but for its size: boards of one piece, graphs of one family, files.
    pub kind: String,
    /// The graph's vertices, where they are known without reading a file.
    pub vertices: Option<u64>,
    /// Its edges.
    pub edges: Option<u64>,
}

/// All of it.
#[derive(Clone, Debug, Default)]
pub struct Data {
    /// The files.
    pub sources: Vec<Source>,
    /// The rows, in their order.
    pub rows: Vec<Row>,
    /// What was run, in the order of its first rows.
    pub methods: Vec<String>,
    /// What was asked, in the order of its first rows.
    pub places: Vec<Asked>,
    /// Times that were measured elsewhere.
    pub times: Vec<Times>,
}

/// The runs of a method, or of a solver that was run elsewhere.
#[derive(Clone, PartialEq, Debug)]
pub struct Column {
    /// What it is called; one from elsewhere has a star.
    pub name: String,
    /// What it does, if it has a run.
    pub task: Option<Task>,
    /// One a row.
    pub entries: Vec<Entry>,
}

/// What a method does: only those that do the same are held against each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Task {
    /// It finds a tour, or says that there is none.
    Decide,
    /// It counts.
    Count,
    /// It says how large a formula is.
    Size,
}

impl Task {
    fn of(method: &Method) -> Self {
        match method {
            method if method.is_count() => Self::Count,
            method if method.decides() => Self::Decide,
            _ => Self::Size,
        }
    }
}

impl Column {
    /// The run of another column that one of this is held against: on the same question with the same seed, or with the
    /// only one that either has there.
    #[must_use]
    pub fn against<'c>(&self, other: &'c Self) -> Vec<(Entry, &'c Entry)> {
        if self.task != other.task {
            return Vec::new();
        }
        let mut of: HashMap<usize, Vec<&Entry>> = HashMap::new();
        for cell in &other.entries {
            of.entry(cell.place).or_default().push(cell);
        }
        let mut seeds: HashMap<usize, usize> = HashMap::new();
        for cell in &self.entries {
            *seeds.entry(cell.place).or_default() += 1;
        }
        let partners = |cell: &Entry| -> Vec<&'c Entry> {
            let there = of.get(&cell.place).map(Vec::as_slice).unwrap_or_default();
            match there {
                [one] => vec![*one],
                some if seeds[&cell.place] == 1 => some.to_vec(),
                some => {
                    let same = some.iter().find(|other| other.seed == cell.seed);
                    same.copied().into_iter().collect()
                }
            }
        };
        let cells = self.entries.iter();
        cells
            .flat_map(|cell| partners(cell).into_iter().map(move |other| (*cell, other)))
            .collect()
    }

    /// How it stands.
    #[must_use]
    pub fn standing(&self) -> Standing {
        Standing {
            name: self.name.clone(),
            runs: self.entries.iter().map(|cell| cell.run).collect(),
        }
    }
}

/// A run.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Entry {
    /// What was asked, by number.
    pub place: usize,
    /// The seed; 0 elsewhere.
    pub seed: u64,
    /// How it went.
    pub run: Run,
    /// Its row, by number.
    pub row: Option<usize>,
}

impl Data {
    /// Reads files of rows, `-` for standard input; of a folder all `.csv` files that have such.
    ///
    /// # Errors
    ///
    /// [`DataError`], naming the file.
    pub fn read(files: &[PathBuf], times: &[PathBuf]) -> Result<Self, DataError> {
        let mut data = Self::default();
        let all = files_of(files)?;
        let mut records = Vec::new();
        let mut seen = HashSet::new();
        for file in all {
            let there = fs::canonicalize(&file).unwrap_or_else(|_| file.clone());
            if !seen.insert(there) {
                return Err(DataError::Twice(file));
            }
            let (source, rows) = read(&file)?;
            let mut keys = HashSet::new();
            if let Some(twice) = rows.iter().find(|row| !keys.insert(row.key())) {
                let why = format!("there are two rows of {}", twice.key());
                return Err(DataError::Rows { file, why });
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

    /// Makes data of the rows of one source.
    #[must_use]
    pub fn of(source: Source, rows: Vec<Record>, times: Option<Times>) -> Self {
        let mut data = Self {
            sources: vec![source],
            times: times.into_iter().collect(),
            ..Self::default()
        };
        data.add(rows.into_iter().map(|record| (0, record)).collect());
        data
    }

    /// Adds rows with the numbers of their sources.
    fn add(&mut self, records: Vec<(usize, Record)>) {
        let mut of = HashMap::new();
        let mut doubled: HashSet<String> = HashSet::new();
        for (source, record) in &records {
            let other = *of.entry(record.key()).or_insert(*source);
            if other != *source {
                doubled.insert(record.method.to_string());
            }
        }
        let names = self.distinct_names();
        let mut methods = Numbers::default();
        let mut places = Numbers::default();
        for (source, record) in records {
            let mut name = record.method.without_order_of(record.seed).to_string();
            if doubled.contains(&record.method.to_string()) {
                name = format!("{name} ({})", names[source]);
            }
            let method = methods.of(&name);
            // A file may have held another graph.
            let place = places.of(&format!("{}\n{}", record.question, record.graph_crc32));
            self.rows.push(Row {
                record,
                source,
                method,
                place,
            });
        }
        self.methods = methods.names;
        let graphs = self.graphs();
        let asked = places.names.iter().map(|name| {
            let (question, graph) = name.split_once('\n').unwrap_or((name, ""));
            Asked::new(question, graph, &graphs)
        });
        self.places = asked.collect();
    }

    /// Names of the sources that tell them apart.
    fn distinct_names(&self) -> Vec<String> {
        let name = |source: &Source| {
            let alike = self
                .sources
                .iter()
                .filter(|other| other.name == source.name);
            match alike.count() {
                1 => source.name.clone(),
                _ => source.file.display().to_string(),
            }
        };
        self.sources.iter().map(name).collect()
    }

    /// Vertices and edges of graphs that machines' files know.
    fn graphs(&self) -> Sizes {
        let machines = self
            .sources
            .iter()
            .filter_map(|source| source.machine.as_ref());
        let graphs = machines.flat_map(|machine| &machine.graphs);
        graphs
            .map(|graph| {
                let size = (graph.vertices.into(), graph.edges.into());
                ((graph.file.clone(), graph.checksum()), size)
            })
            .collect()
    }

    /// The runs of every method, and of every solver elsewhere, with the times of a measure. Sizes are not runs.
    #[must_use]
    pub fn columns(&self, measure: &Measure) -> Vec<Column> {
        let empty = |name: &String| Column {
            name: name.clone(),
            task: None,
            entries: Vec::new(),
        };
        let mut columns: Vec<_> = self.methods.iter().map(empty).collect();
        for (number, row) in self.rows.iter().enumerate() {
            if row.record.status.is_size() {
                continue;
            }
            columns[row.method].task = Some(Task::of(&row.record.method));
            columns[row.method].entries.push(Entry {
                place: row.place,
                seed: row.record.seed,
                run: measure.run(&row.record),
                row: Some(number),
            });
        }
        // A method that has the figure of no run is not held against others by it.
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
        // What took longer than all that was allowed here would not have been answered.
        let limits = self.rows.iter().filter_map(|row| {
            let Record {
                cpu_limit,
                wall_limit,
                ..
            } = row.record;
            cpu_limit.or(wall_limit)
        });
        let limit = limits.fold(0.0, f64::max);
        let limit = if limit > 0.0 { limit } else { f64::INFINITY };
        times.solvers.iter().enumerate().map(move |(k, solver)| {
            let entries = self.places.iter().enumerate();
            let entries = entries.map(|(place, asked)| Entry {
                place,
                seed: 0,
                run: Run::elsewhere(asked.time(times, k), limit),
                row: None,
            });
            Column {
                name: format!("{solver} *"),
                task: Some(Task::Decide),
                entries: entries.filter(|entry| entry.run != Run::Absent).collect(),
            }
        })
    }

    /// What rows have that they can be compared by.
    #[must_use]
    pub fn figures(&self) -> Vec<String> {
        let mut figures: Vec<String> = Vec::new();
        let columns = self.rows.iter().flat_map(|row| {
            let counters = row.record.effort.iter().map(|(name, _)| name.to_owned());
            let named = Measure::NAMED.iter();
            let named = named.filter(|measure| measure.of(&row.record).is_some());
            named
                .map(ToString::to_string)
                .chain(counters)
                .collect::<Vec<_>>()
        });
        for name in columns {
            if !figures.contains(&name) {
                figures.push(name);
            }
        }
        figures
    }

    /// The machines that rows are of, by their checksums.
    #[must_use]
    pub fn machines(&self) -> BTreeSet<&str> {
        let machines = self.rows.iter().map(|row| row.record.machine.as_str());
        machines.collect()
    }

    /// The builds that rows are of: version and commit.
    #[must_use]
    pub fn builds(&self) -> BTreeSet<(&str, &str)> {
        let builds = self.rows.iter().map(|row| {
            let Record {
                version, commit, ..
            } = &row.record;
            (version.as_str(), commit.as_str())
        });
        builds.collect()
    }
}

/// Vertices and edges of graphs, by their files and checksums.
type Sizes = HashMap<(String, String), (u64, u64)>;

/// Names, each with the number of its first coming.
#[derive(Default)]
struct Numbers {
    names: Vec<String>,
    numbers: HashMap<String, usize>,
}

impl Numbers {
    fn of(&mut self, name: &str) -> usize {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        let number = self.names.len();
        self.names.push(name.to_owned());
        self.numbers.insert(name.to_owned(), number);
        number
    }
}

impl Asked {
    fn new(question: &str, graph: &str, graphs: &Sizes) -> Self {
        let mut asked = Self {
            question: question.to_owned(),
            graph: graph.to_owned(),
            closed: false,
            name: question.to_owned(),
            kind: "queens".to_owned(),
            vertices: None,
            edges: None,
        };
        let known = |place: &str| {
            let known = graphs.get(&(place.to_owned(), graph.to_owned()));
            known.map_or((None, None), |&(v, e)| (Some(v), Some(e)))
        };
        let Ok(spec) = QuestionSpec::settled(question, &Files::default()) else {
            // A file that is not here, or queens.
            let parsed = question.parse::<QuestionText>();
            if !parsed.is_ok_and(|text| text.is_queens()) {
                asked.kind = "files".to_owned();
            }
            let place = question.split(" open").next().unwrap_or(question);
            (asked.vertices, asked.edges) = known(place);
            if question.contains('/') {
                asked.name = question.rsplit('/').next().unwrap_or(question).to_owned();
            }
            return asked;
        };
        asked.closed = spec.kind != Some(TourKind::Open) && spec.end.is_none();
        let ends = if asked.closed { "" } else { ", open" };
        let place = spec.source.to_string();
        // Under other labels a graph is of the same kind.
        let mut plain = &spec.source;
        while let GraphSource::Relabelled { source, .. } = plain {
            plain = source;
        }
        match plain {
            GraphSource::Board(board) => {
                let leaper = board.board().leaper();
                asked.kind = match leaper == Leaper::KNIGHT {
                    true => format!("boards{ends}"),
                    false => format!("boards of the {leaper}-leaper{ends}"),
                };
                asked.vertices = Some(board.n_squares().into());
            }
            GraphSource::Family(family) => {
                asked.kind = format!("{}{ends}", family.name());
                asked.vertices = Some(family.graph().n_vertices() as u64);
                asked.edges = Some(family.graph().n_edges() as u64);
            }
            GraphSource::Graph(_) | GraphSource::Relabelled { .. } | GraphSource::Given(_) => {
                asked.kind = format!("files{ends}");
                asked.name = question.rsplit('/').next().unwrap_or(question).to_owned();
                (asked.vertices, asked.edges) = known(&place);
            }
        }
        asked
    }

    /// Whether any solver elsewhere was asked it.
    #[must_use]
    pub fn is_in(&self, times: &Times) -> bool {
        (0..times.solvers.len()).any(|solver| self.time(times, solver).is_some())
    }

    /// The time of a solver elsewhere, by its number.
    fn time(&self, times: &Times, solver: usize) -> Option<Time> {
        // What is asked for stands behind a graph's name: then only the whole is meant.
        let of = match self.closed {
            true => times.of(&self.question),
            false => times.exactly(&self.question),
        };
        of?.get(solver).copied().flatten()
    }
}

/// Replaces each folder by its `.csv` files that have rows.
///
/// # Errors
///
/// [`DataError`], if a folder cannot be read or has none.
pub fn files_of(files: &[PathBuf]) -> Result<Vec<PathBuf>, DataError> {
    let mut all = Vec::new();
    for file in files {
        match file.is_dir() {
            true => all.extend(of_folder(file)?),
            false => all.push(file.clone()),
        }
    }
    Ok(all)
}

/// All files of a folder that have rows.
fn of_folder(folder: &Path) -> Result<Vec<PathBuf>, DataError> {
    let cannot = |error| DataError::Read {
        file: folder.to_owned(),
        error,
    };
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(cannot)? {
        let file = entry.map_err(cannot)?.path();
        let is_csv = file.extension().is_some_and(|ending| ending == "csv");
        if is_csv && file.is_file() && is_of_rows(&file) {
            files.push(file);
        }
    }
    files.sort();
    // Shards that have been put together are in the whole.
    let whole: HashSet<_> = files
        .iter()
        .filter_map(|file| file.file_stem())
        .map(ToOwned::to_owned)
        .collect();
    files.retain(|file| {
        let stem = file.file_stem().unwrap_or_default().to_string_lossy();
        let of = Shard::of_name(&stem);
        of.is_none_or(|(name, _)| !whole.contains(std::ffi::OsStr::new(name)))
    });
    match files.is_empty() {
        true => Err(DataError::Empty(folder.to_owned())),
        false => Ok(files),
    }
}

/// Whether the first line is that of rows, of whatever schema.
fn is_of_rows(file: &Path) -> bool {
    fs::read_to_string(file).is_ok_and(|text| text.starts_with("schema,question,"))
}

fn read(file: &Path) -> Result<(Source, Vec<Record>), DataError> {
    if file.extension().is_some_and(|ending| ending == "toml") {
        return Err(DataError::Experiment(file.to_owned()));
    }
    let text = match file.as_os_str() == "-" {
        true => io::read_to_string(io::stdin().lock()),
        false => fs::read_to_string(file),
    };
    let text = text.map_err(|error| DataError::Read {
        file: file.to_owned(),
        error,
    })?;
    // The last row of a run that is under way may not be whole.
    let whole = match file.extension().is_some_and(|ending| ending == "part") {
        true => text.rfind('\n').map_or(0, |end| end + 1),
        false => text.len(),
    };
    let records = rows::read_rows(&text[..whole]).map_err(|why| DataError::Rows {
        file: file.to_owned(),
        why: why.to_string(),
    })?;
    let stem = file.file_name().unwrap_or_default().to_string_lossy();
    let (stem, part) = match stem.strip_suffix(".part") {
        Some(stem) => (stem.to_owned(), ".part"),
        None => (stem.into_owned(), ""),
    };
    let name = stem.strip_suffix(".csv").unwrap_or(&stem).to_owned();
    let beside = |ending: &str| fs::read_to_string(file.with_file_name(format!("{name}{ending}")));
    let machine = beside(&format!(".machine.json{part}")).ok();
    let report = beside(".md").ok().filter(|_| part.is_empty());
    let report = report.unwrap_or_default();
    let title = report
        .lines()
        .next()
        .and_then(|line| line.strip_prefix("# "));
    let (before, made) = report.split_once("Made by `").unwrap_or_default();
    let about = before.split("\n\n").skip(1).map(str::trim);
    let about = about.filter(|paragraph| !paragraph.is_empty());
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
