//! Differences between two sets of rows for the same questions, such as the results of two commits. A is the set before
//! the change, B the set after it.
//!
//! # Compared rows
//!
//! A cell is a question, a graph (given by its checksum), a method, a seed and limits. Cells that are in both sets are
//! compared. Limits determine which runs have an answer, so rows with different limits are compared only on request;
//! otherwise they are just counted. A cell that is in A but not in B is an error, because it cannot be compared.
//!
//! # Ends of runs
//!
//! [`Change`] lists the possible changes. Contradictions are errors, and so is a failed run in B that did not fail in
//! A. If A has an answer and B reached a limit, this may be chance. Such a loss is only reported, except in two cases
//! in which it is an error. First, B ended at its conflict limit, which is deterministic for a given seed. Second, more
//! answers were lost than gained, and an exact [sign test](sign_test) over all cells gives this a probability below
//! [`RARE`].
//!
//! # Sizes
//!
//! Sizes are variables, clauses and literals. If a size is known in both sets, it must be equal.
//!
//! # Metrics and times
//!
//! For each method and metric, the report contains the [geometric mean](GeometricMean) of the ratios B/A with its
//! interval, and a sign test.
//!
//! - If either run has no answer, the figures of the run are lower bounds. Such cells are counted as censored and are
//!   not part of the mean.
//! - A ratio to 0 is undefined. In ratios, metrics below 1 therefore count as 1, and times below a millisecond as one
//!   millisecond, as in the geometric means of reports. Then a metric that went from 0 to 1000 has grown by a factor of
//!   1000, and one that went from 0 to 1 hardly matters. (Adding a constant to all values would change every ratio.)
//!   The report states how many cells are affected. The sign test uses the original figures.
//! - *Steady* metrics are equal whenever the same program runs with the same seed. Their only randomness is the choice
//!   of the cells, so the interval states what to expect of other cells. *Measured* figures also vary from run to run:
//!   times, memory, and metrics of several threads or of other programs.
//!
//! B is worse than A by a metric of a method if the mean ratio is above the threshold and one of two conditions holds:
//! the whole interval is above 1, or the metric is not measured and has not fallen in any cell. The second condition
//! needs no statistics: no cell has improved, so there is no trade-off between cells. Therefore a single cell suffices
//! for it, whereas a measured figure of a single cell says nothing. Steady metrics are judged, and other metrics only
//! if they are named. Several metrics are judged at once without a correction. By chance, the lower end of a 95 %
//! interval is above 1 in one of forty cases; this is the reason for the threshold.

use std::collections::{BTreeSet, HashSet};
use std::fmt::Write;

use hamcnf_graph::named;
use indexmap::{IndexMap, IndexSet};
use serde::Serialize;

use super::markdown::counted;
use super::measure;
use super::statistics::{GeometricMean, sign_test};
use super::tables::Table;
use hamcnf_methods::method::{Class, Method};
use hamcnf_methods::record::{Key, Record, Status};

/// Default threshold of the mean ratio: growth by a tenth.
pub const THRESHOLD: f64 = 1.1;

/// Probability below which a loss of answers counts as an error.
pub const RARE: f64 = 0.05;

/// Maximum number of cells that are reported for each method and metric. The cells with the largest growth are
/// reported.
const WORST: usize = 3;

/// Maximum number of metrics that are listed individually as errors because they have grown.
const SAID: usize = 10;

/// Options of a comparison.
#[derive(Clone, PartialEq, Debug)]
pub struct Options {
    /// True if rows that differ only in their limits belong to the same cell.
    pub ignore_limits: bool,
    /// Names of the figures to judge: metrics, or columns with seconds or memory. If empty, the steady metrics are
    /// judged.
    pub by: Vec<String>,
    /// Maximum mean ratio B/A that does not count as worse.
    pub threshold: f64,
}

impl Default for Options {
    fn default() -> Self {
        Self { ignore_limits: false, by: Vec::new(), threshold: THRESHOLD }
    }
}

/// Reason why two sets of rows cannot be compared.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DifferenceError {
    /// One of the two sets has more than one row for a cell.
    #[error("{side} has more than one row for {cell}{}", if *.ignored { " when limits are ignored: remove --ignore-limits" } else { ": keep one of them" })]
    Twice { side: &'static str, cell: String, ignored: bool },
    /// A metric that [`Options::by`] names has no cell with values in both sets.
    #[error("no row has \"{name}\" in both A and B; choose from {}", .known.join(", "))]
    NoSuchCounter { name: String, known: Vec<String> },
}

/// Name of a cell in reports: question, method and seed, and the complete key.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct CellName {
    pub question: String,
    pub method: String,
    pub seed: u64,
    /// Complete key of the cell, including the graph and the limits, in words.
    pub key: String,
}

impl CellName {
    fn of(record: &Record, key: &Key) -> Self {
        Self {
            question: record.asked.question.clone(),
            method: record.asked.method.to_string(),
            seed: record.asked.seed,
            key: key.to_string(),
        }
    }

    fn columns(&self) -> [String; 3] {
        [self.question.clone(), self.method.clone(), self.seed.to_string()]
    }
}

named! {
    /// Change in the result of a run. The variants are ordered from worst to best.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Change: "change" {
        /// The answers of A and B contradict each other.
        Contradiction => "contradiction",
        /// The run failed in B, but not in A.
        Failed => "failed",
        /// The run had an answer in A and has none in B.
        Lost => "lost",
        /// The status or the value differs in another way; the answers do not contradict each other.
        Otherwise => "otherwise",
        /// The run had no answer in A and has one in B.
        Gained => "gained",
    }
}

impl Change {
    /// Returns the change from record `a` to record `b`; `None` if status and value are equal.
    fn of(a: &Record, b: &Record) -> Option<Self> {
        Some(match (a.status.is_answer(), b.status.is_answer()) {
            _ if a.contradicts(b) => Self::Contradiction,
            _ if a.status != Status::Failed && b.status == Status::Failed => Self::Failed,
            (true, false) => Self::Lost,
            (false, true) => Self::Gained,
            _ if (a.status, &a.value) != (b.status, &b.value) => Self::Otherwise,
            _ => return None,
        })
    }
}

/// Run whose result has changed.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Ending {
    pub cell: CellName,
    pub change: Change,
    /// Result in A, in words.
    pub a: String,
    /// Result in B, in words.
    pub b: String,
    /// True if an answer was lost deterministically: B ended at its conflict limit, and the limit of A was the same.
    pub steadily: bool,
}

/// Size of a formula, with different values in A and B.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Size {
    pub cell: CellName,
    /// Name of the size: `variables`, `clauses`, or the size of a clause family, such as `(r).clauses`.
    pub size: String,
    /// Value in A; `None` if the formula has no such clause family.
    pub a: Option<f64>,
    /// Value in B; `None` if the formula has no such clause family.
    pub b: Option<f64>,
}

/// Kind of a figure, which determines how changes in the figure are judged.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Figure that is equal whenever the same program runs with the same seed.
    Steady,
    /// Figure that varies from run to run.
    Measured,
    /// Size of a formula. Any difference is reported as a separate error.
    Size,
    /// Figure that describes an answer or a setting, not the work of a run.
    Descriptive,
}

impl Kind {
    /// Returns the kind of the metric named `counter` for a method.
    fn of(counter: &str, method: &Method) -> Self {
        if is_size(counter) {
            return Self::Size;
        }
        match counter {
            "projected_variables" | "values" | "models" | "models_per_tour" | "repetitions" | "standard_error" => {
                Self::Descriptive
            }
            // Metrics of external programs may vary, and threads interleave differently in every run.
            _ if measure::COLUMNS.iter().any(|column| column.name == counter) => Self::Measured,
            _ if method.class() == Class::Program => Self::Measured,
            _ if method.setting("threads").is_some() => Self::Measured,
            _ => Self::Steady,
        }
    }
}

/// True if the metric is a size of a formula or, as in `(r).clauses`, of a clause family.
fn is_size(counter: &str) -> bool {
    const SIZES: [&str; 4] = ["variables", "clauses", "nonunit", "literals"];
    match counter.rsplit_once('.') {
        Some((family, size)) => family.starts_with('(') && SIZES.contains(&size),
        None => SIZES.contains(&counter),
    }
}

/// Returns the floor of a metric. Ratios use the floor in place of smaller values.
fn floor(counter: &str) -> f64 {
    if counter.ends_with("_seconds") { 0.001 } else { 1.0 }
}

/// Returns all figures of a record by name: sizes, metrics, then measured columns.
fn figures(record: &Record) -> IndexMap<&str, f64> {
    let columns = measure::COLUMNS.iter().filter_map(|column| Some((column.name, (column.of)(record)?)));
    let (sizes, measured): (Vec<_>, Vec<_>) = columns.partition(|(name, _)| is_size(name));
    let metrics = record.statistics.iter().filter_map(|(name, value)| Some((name, value.parse().ok()?)));
    // Invalid values in a file, such as NaN, are left out.
    let all = sizes.into_iter().chain(metrics).chain(measured);
    all.filter(|(_, value): &(&str, f64)| value.is_finite() && *value >= 0.0).collect()
}

/// Metric of a method, with its comparison over all cells of the method.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ComparedCounter {
    pub method: String,
    /// Name of the metric.
    pub counter: String,
    pub kind: Kind,
    /// True if growth of the metric can make B worse.
    pub judged: bool,
    /// Number of cells in which the values in A and B are final.
    pub cells: usize,
    /// Number of cells in which the value in A or in B is not final, because the run has no answer.
    pub censored: usize,
    /// Number of cells in which a value was below the floor of the metric. Ratios use the floor in place of such a
    /// value.
    pub floored: usize,
    /// Number of cells in which B has a larger value than A.
    pub more: usize,
    /// Number of cells in which B has a smaller value than A.
    pub fewer: usize,
    /// Geometric mean of the ratios B/A; `None` without cells.
    pub ratio: Option<GeometricMean>,
    /// p-value of the sign test on `more` and `fewer`: a small value means that chance hardly explains their
    /// difference.
    pub sign_test: f64,
    /// Cells with the largest growth, at most three.
    pub worst: Vec<Grown>,
    /// True if B is worse than A by this metric.
    pub worse: bool,
}

/// Cell in which a metric has grown.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Grown {
    pub cell: CellName,
    /// Value in A.
    pub a: f64,
    /// Value in B.
    pub b: f64,
    /// Ratio B/A. Values below the floor of the metric are replaced by the floor.
    pub ratio: f64,
}

/// All differences between two sets of rows.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Difference {
    #[serde(skip)]
    options: Options,
    /// Number of cells that both sets have.
    pub cells: usize,
    /// Cells of A that B lacks.
    pub only_in_a: Vec<CellName>,
    /// Cells of B that A lacks.
    pub only_in_b: Vec<CellName>,
    /// Number of cells of A that B has only with other limits.
    pub other_limits: usize,
    /// Number of cells of A that B has only for a different graph with the same name.
    pub other_graphs: usize,
    /// Runs whose results have changed, ordered from worst to best.
    pub endings: Vec<Ending>,
    /// Sizes that differ.
    pub sizes: Vec<Size>,
    /// Comparison of every metric of every method.
    pub counters: Vec<ComparedCounter>,
    /// True if several machines made the rows.
    pub several_machines: bool,
    /// True if a cell has different solvers, or different versions of a solver, in A and in B.
    pub several_solvers: bool,
    /// Reasons why B is worse, in words.
    pub faults: Vec<String>,
}

/// Maps the cells of A or of B to their rows.
fn cells<'r>(
    records: &'r [Record],
    side: &'static str,
    ignored: bool,
) -> Result<IndexMap<Key, &'r Record>, DifferenceError> {
    let mut cells = IndexMap::new();
    for record in records {
        let key = if ignored { record.key().without_limits() } else { record.key() };
        if cells.insert(key.clone(), record).is_some() {
            return Err(DifferenceError::Twice { side, cell: key.to_string(), ignored });
        }
    }
    Ok(cells)
}

/// Cell that is in both sets of rows, with its record in each set.
struct Pair<'r> {
    cell: CellName,
    a: &'r Record,
    b: &'r Record,
}

/// Compares two sets of rows.
///
/// # Errors
///
/// [`DifferenceError`]: one of the sets has more than one row for a cell, or a metric to judge is in no cell.
pub fn compare<'r>(a: &'r [Record], b: &'r [Record], options: &Options) -> Result<Difference, DifferenceError> {
    let before = cells(a, "A", options.ignore_limits)?;
    let after = cells(b, "B", options.ignore_limits)?;
    let pair = |(key, &a): (&Key, &&'r Record)| Some(Pair { cell: CellName::of(a, key), a, b: after.get(key)? });
    let pairs: Vec<Pair> = before.iter().filter_map(pair).collect();
    let only_in_a: Vec<_> = before.iter().filter(|(key, _)| !after.contains_key(*key)).collect();
    let only_in_b: Vec<_> = after.iter().filter(|(key, _)| !before.contains_key(*key)).collect();
    let as_well = |of: fn(Key) -> Key| {
        let theirs: HashSet<Key> = only_in_b.iter().map(|(_, record)| of(record.key())).collect();
        only_in_a.iter().filter(|(_, record)| theirs.contains(&of(record.key()))).count()
    };
    let names = |only: &[(&Key, &&Record)]| only.iter().map(|(key, record)| CellName::of(record, key)).collect();
    let machines: BTreeSet<_> = a.iter().chain(b).map(|record| &record.made.machine).collect();
    let mut endings: Vec<Ending> = pairs.iter().filter_map(ending).collect();
    endings.sort_by_key(|ending| ending.change);
    let mut difference = Difference {
        options: options.clone(),
        cells: pairs.len(),
        other_limits: as_well(Key::without_limits),
        other_graphs: as_well(Key::without_graph),
        endings,
        sizes: pairs.iter().flat_map(sizes).collect(),
        counters: counters(&pairs, options)?,
        several_machines: machines.len() > 1,
        // Methods have different solvers, so the solvers are compared cell by cell.
        several_solvers: pairs.iter().any(|pair| pair.a.made.solver != pair.b.made.solver),
        faults: Vec::new(),
        only_in_a: names(&only_in_a),
        only_in_b: names(&only_in_b),
    };
    difference.faults = difference.judge();
    Ok(difference)
}

fn ending(pair: &Pair) -> Option<Ending> {
    let Pair { cell, a, b } = pair;
    let change = Change::of(a, b)?;
    let steady = Kind::of("conflicts", &a.asked.method) == Kind::Steady;
    let same_limit = a.asked.conflict_limit == b.asked.conflict_limit;
    Some(Ending {
        cell: cell.clone(),
        change,
        a: a.said(),
        b: b.said(),
        steadily: change == Change::Lost && b.status == Status::ConflictLimit && steady && same_limit,
    })
}

fn sizes(pair: &Pair) -> Vec<Size> {
    let Pair { cell, a, b } = pair;
    let [before, after] = [a, b].map(|record| figures(record));
    // Records of sizes contain all clause families. Other records may lack some.
    let all = a.status == Status::Size && b.status == Status::Size;
    let names: BTreeSet<&str> = before.keys().chain(after.keys()).copied().filter(|name| is_size(name)).collect();
    let differ = names.into_iter().filter_map(|name| {
        let [a, b] = [&before, &after].map(|sizes| sizes.get(name).copied());
        let known = all || (a.is_some() && b.is_some());
        (known && a != b).then(|| Size { cell: cell.clone(), size: name.to_owned(), a, b })
    });
    differ.collect()
}

/// Cell with the values of a metric in A and B; `None` if a run has no answer.
type Seen<'p, 'r> = (&'p Pair<'r>, Option<(f64, f64)>);

fn counters(pairs: &[Pair], options: &Options) -> Result<Vec<ComparedCounter>, DifferenceError> {
    // Methods and metrics, in the order in which they occur.
    let mut all: IndexMap<(&str, &str), Vec<Seen>> = IndexMap::new();
    for pair in pairs {
        let answered = [pair.a, pair.b].iter().all(|r| r.status.is_answer());
        let [before, after] = [pair.a, pair.b].map(figures);
        let names: IndexSet<&str> = before.keys().chain(after.keys()).copied().collect();
        for name in names {
            let both = before.get(name).copied().zip(after.get(name).copied());
            // Programs differ in their metrics. A metric that only one run has is not compared.
            if both.is_some() || !answered {
                all.entry((&pair.cell.method, name)).or_default().push((pair, both.filter(|_| answered)));
            }
        }
    }
    for name in &options.by {
        if !all.keys().any(|(_, known)| known == name) {
            let known: BTreeSet<_> = all.keys().map(|(_, known)| (*known).to_owned()).collect();
            return Err(DifferenceError::NoSuchCounter { name: name.clone(), known: known.into_iter().collect() });
        }
    }
    let of = all.into_iter().filter_map(|((method, name), cells)| {
        let counter = ComparedCounter::of(method, name, &cells, options);
        // Sizes have a separate table, in which any difference is an error.
        (counter.judged || counter.kind != Kind::Size).then_some(counter)
    });
    Ok(of.collect())
}

impl ComparedCounter {
    fn of(method: &str, counter: &str, cells: &[Seen], options: &Options) -> Self {
        let kind = Kind::of(counter, &cells[0].0.a.asked.method);
        let judged = match options.by.as_slice() {
            [] => kind == Kind::Steady,
            by => by.iter().any(|name| name == counter),
        };
        let least = floor(counter);
        let whole = cells.iter().filter_map(|&(pair, seen)| {
            let (a, b) = seen?;
            Some(Grown { cell: pair.cell.clone(), a, b, ratio: b.max(least) / a.max(least) })
        });
        let mut whole: Vec<Grown> = whole.collect();
        let ratios: Vec<f64> = whole.iter().map(|grown| grown.ratio).collect();
        let count = |is: &dyn Fn(&&Grown) -> bool| whole.iter().filter(is).count();
        let (more, fewer) = (count(&|of| of.b > of.a), count(&|of| of.b < of.a));
        let floored = count(&|of| of.a.min(of.b) < least && of.a != of.b);
        let (n_cells, censored) = (whole.len(), cells.len() - whole.len());
        whole.retain(|grown| grown.ratio > 1.0);
        whole.sort_by(|x, y| y.ratio.total_cmp(&x.ratio));
        whole.truncate(WORST);
        let ratio = GeometricMean::of(&ratios);
        let worse = ratio.is_some_and(|of| {
            let surely = of.interval.is_some_and(|interval| interval.lower > 1.0);
            of.mean > options.threshold && (surely || (kind != Kind::Measured && fewer == 0))
        });
        Self {
            method: method.to_owned(),
            counter: counter.to_owned(),
            kind,
            judged,
            cells: n_cells,
            censored,
            floored,
            more,
            fewer,
            ratio,
            sign_test: sign_test(more, fewer),
            worst: whole,
            worse: judged && worse,
        }
    }
}

impl Difference {
    /// Returns the numbers of lost and gained answers, and the two-sided p-value of the sign test on them.
    fn lost_and_gained(&self) -> (usize, usize, f64) {
        let count = |change| self.endings.iter().filter(|ending| ending.change == change).count();
        let (lost, gained) = (count(Change::Lost), count(Change::Gained));
        (lost, gained, sign_test(lost, gained))
    }

    fn judge(&self) -> Vec<String> {
        let mut faults = Vec::new();
        for Ending { cell, change, a, b, steadily } in &self.endings {
            let but = match change {
                Change::Contradiction => format!("B says {b}; one of them is wrong"),
                Change::Failed => format!("B failed: {b}"),
                Change::Lost if *steadily => format!("B has no answer: {b}"),
                Change::Lost | Change::Otherwise | Change::Gained => continue,
            };
            faults.push(format!("{}: A says {a}, but {but}", cell.key));
        }
        let (lost, gained, chance) = self.lost_and_gained();
        if lost > gained && chance < RARE {
            faults.push(format!(
                "B has lost {lost} answers and gained {gained}; the probability of this by chance is {}",
                probability(chance)
            ));
        }
        if let Some(Size { cell, size, a, b }) = self.sizes.first() {
            let [a, b] = [*a, *b].map(figure_or_none);
            let others = others(self.sizes.len());
            faults.push(format!("{}: {size} is {a} in A, but {b} in B{others}", cell.key));
        }
        if let Some(cell) = self.only_in_a.first() {
            let others = others(self.only_in_a.len());
            faults.push(format!("{}: in A, but not in B{others}", cell.key));
        }
        let mut worse: Vec<_> = self.counters.iter().filter(|c| c.worse).collect();
        worse.sort_by(|x, y| mean(y).total_cmp(&mean(x)));
        for counter in worse.iter().take(SAID) {
            let interval = counter.ratio.and_then(|of| of.interval).map_or(String::new(), |of| format!(" ({of})"));
            faults.push(format!(
                "{}: {} has grown by a factor of {:.3}{interval} in {}",
                counter.method,
                counter.counter,
                mean(counter),
                counted(counter.cells, "row"),
            ));
        }
        if worse.len() > SAID {
            let more = counted(worse.len() - SAID, "more metric");
            faults.push(format!("{more} of methods with less growth"));
        }
        faults
    }

    /// Formats the differences as tables in Markdown. `names` are the names of A and B in the text.
    pub fn report(&self, names: [&str; 2]) -> String {
        let [a, b] = names;
        let rows = if self.cells == 1 { "1 row is".to_owned() } else { format!("{} rows are", self.cells) };
        let ignoring = if self.options.ignore_limits { ", ignoring limits" } else { "" };
        let mut text = format!("# {b} compared with {a}\n\nA is {a}, B is {b}. {rows} in both{ignoring}.\n");
        self.notes(&mut text);
        self.say_endings(&mut text);
        self.say_sizes(&mut text);
        for (heading, is_measured) in [("Metrics", false), ("Measured", true)] {
            self.say_counters(&mut text, heading, is_measured);
        }
        self.say_worst(&mut text);
        for (name, cells) in [("A", &self.only_in_a), ("B", &self.only_in_b)] {
            let lines = cells.iter().map(|cell| cell.columns().to_vec()).collect();
            add(&mut text, &Table::new(format!("Only in {name}"), "", ["question", "method", "seed"], 2, lines));
        }
        text += &match self.faults.len() {
            0 => "\nB is not worse than A.\n".to_owned(),
            n => format!("\nB is worse than A: {}.\n", counted(n, "fault")),
        };
        text
    }

    fn notes(&self, text: &mut String) {
        let rows = |n| format!("{} of A {}", counted(n, "row"), if n == 1 { "is" } else { "are" });
        let limits = "in B only with other limits, and not compared; pass --ignore-limits to compare them.";
        let graphs = "in B only for another graph of the same name, and not compared.";
        let machines = "The rows come from several machines, so seconds are not comparable.";
        let solvers = "A and B were measured with different versions of the solver.";
        for (applies, note) in [
            (self.other_limits > 0, format!("{} {limits}", rows(self.other_limits))),
            (self.other_graphs > 0, format!("{} {graphs}", rows(self.other_graphs))),
            (self.several_machines, machines.to_owned()),
            (self.several_solvers, solvers.to_owned()),
        ] {
            if applies {
                let _ = write!(text, "\n{note}\n");
            }
        }
    }

    fn say_endings(&self, text: &mut String) {
        if self.cells == 0 {
            *text += "\nNo rows to compare.\n";
            return;
        }
        if self.endings.is_empty() {
            *text += "\nAll runs ended in the same way.\n";
            return;
        }
        let (lost, gained, chance) = self.lost_and_gained();
        let lines = self.endings.iter().map(|Ending { cell, change, a, b, .. }| {
            cell.columns().into_iter().chain([change.to_string(), a.clone(), b.clone()]).collect()
        });
        let note = format!("{lost} lost, {gained} gained: sign test p = {}.", probability(chance));
        let heads = ["question", "method", "seed", "change", "A", "B"];
        add(text, &Table::new("Endings", note, heads, 6, lines.collect()));
    }

    fn say_sizes(&self, text: &mut String) {
        let lines = self.sizes.iter().map(|Size { cell, size, a, b }| {
            let [question, method, seed] = cell.columns();
            let [a, b] = [*a, *b].map(figure_or_none);
            vec![question, method, size.clone(), seed, a, b]
        });
        let heads = ["question", "method", "size", "seed", "A", "B"];
        add(text, &Table::new("Sizes", "", heads, 3, lines.collect()));
    }

    fn say_counters(&self, text: &mut String, heading: &str, is_measured: bool) {
        let all = self.counters.iter().filter(|c| (c.kind == Kind::Measured) == is_measured);
        let (shown, same): (Vec<&ComparedCounter>, Vec<_>) =
            all.partition(|counter| counter.more + counter.fewer > 0 || self.options.by.contains(&counter.counter));
        if shown.is_empty() && same.is_empty() {
            return;
        }
        let _ = write!(text, "\n## {heading}\n\n");
        if !shown.is_empty() {
            let lines = shown.iter().map(|counter| counter.columns()).collect();
            *text += &Table::new("", "", COUNTER_HEADS, 3, lines).lines_in_markdown();
        }
        let floored: usize = shown.iter().map(|counter| counter.floored).sum();
        if floored > 0 {
            let _ = write!(
                text,
                "\nIn {}, a metric below 1 counts as 1, and seconds below 0.001 count as 0.001.\n",
                counted(floored, "ratio")
            );
        }
        if !same.is_empty() {
            let (gap, other) = if shown.is_empty() { ("", "") } else { ("\n", "other ") };
            let many = match same.len() {
                1 => format!("1 {other}metric of a method is"),
                many => format!("{many} {other}metrics of methods are"),
            };
            let _ = writeln!(text, "{gap}{many} the same in all rows that A and B both answered.");
        }
    }

    fn say_worst(&self, text: &mut String) {
        let judged = self.counters.iter().filter(|counter| counter.judged);
        let mut worst: Vec<_> =
            judged.flat_map(|counter| counter.worst.iter().map(move |grown| (counter, grown))).collect();
        worst.sort_by(|(_, x), (_, y)| y.ratio.total_cmp(&x.ratio));
        let lines = worst.into_iter().take(20).map(|(counter, grown)| {
            let [question, method, seed] = grown.cell.columns();
            let [a, b] = [grown.a, grown.b].map(figure);
            vec![question, method, counter.counter.clone(), seed, a, b, format!("{:.3}", grown.ratio)]
        });
        let heads = ["question", "method", "metric", "seed", "A", "B", "B/A"];
        add(text, &Table::new("Largest growth of judged metrics", "", heads, 3, lines.collect()));
    }
}

/// Adds a table to the text, unless it is empty.
fn add(text: &mut String, table: &Table) {
    if !table.lines.is_empty() {
        let _ = write!(text, "\n{}", table.markdown());
    }
}

/// Headings of the columns of [`ComparedCounter::columns`].
const COUNTER_HEADS: [&str; 10] =
    ["method", "metric", "judged", "rows", "censored", "more", "fewer", "B/A", "95 % interval", "sign test p"];

impl ComparedCounter {
    fn columns(&self) -> Vec<String> {
        let interval = self.ratio.and_then(|of| of.interval);
        let judged = match (self.judged, self.worse) {
            (_, true) => "worse",
            (true, false) => "yes",
            (false, false) => "",
        };
        vec![
            self.method.clone(),
            self.counter.clone(),
            judged.to_owned(),
            self.cells.to_string(),
            self.censored.to_string(),
            self.more.to_string(),
            self.fewer.to_string(),
            self.ratio.map_or(String::new(), |of| format!("{:.3}", of.mean)),
            interval.map_or(String::new(), |of| of.to_string()),
            probability(self.sign_test),
        ]
    }
}

/// Returns the mean ratio of a metric; 1 if there are no cells.
fn mean(counter: &ComparedCounter) -> f64 {
    counter.ratio.map_or(1.0, |of| of.mean)
}

fn probability(p: f64) -> String {
    match p {
        p if p < 0.0005 => format!("{p:.1e}"),
        p => format!("{p:.3}"),
    }
}

/// Formats a figure; integers have no decimals.
fn figure(value: f64) -> String {
    match value {
        value if value.fract() == 0.0 => format!("{value:.0}"),
        value if value < 0.0005 => format!("{value:.1e}"),
        value => format!("{value:.3}"),
    }
}

fn figure_or_none(value: Option<f64>) -> String {
    value.map_or_else(|| "missing".to_owned(), figure)
}

fn others(all: usize) -> String {
    match all {
        1 => String::new(),
        all => format!(", and {} more", all - 1),
    }
}
