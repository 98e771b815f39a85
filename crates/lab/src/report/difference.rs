//! What differs between two sets of rows of the same questions, such as the results of two commits: A, before, and B,
//! after.
//!
//! # Which rows are compared
//!
//! A cell is a question, a graph (by its checksum), a method, a seed and limits. What is in both is compared. Under other
//! limits other runs end, so that a row is not compared with one of the same question under other limits, unless it is asked
//! for; they are counted. What A has and B has not is a fault, since nothing could be said of it.
//!
//! # How a run ended
//!
//! [`Change`] orders what can be seen. Contradictions are faults, and so is an error where there was none. An answer in A
//! where B came to a limit is softer: beside a limit chance decides. So one alone is said only, and a fault only where B
//! was ended by its limit on conflicts, which with the same seed is no chance, or where more answers were lost than gained
//! and an exact [sign test](sign_test) over all cells gives this less than [`RARE`].
//!
//! # Sizes
//!
//! Variables, clauses, literals: where both are known they have to be the same.
//!
//! # Effort and time
//!
//! Of each method and counter the ratios B/A, as their [geometric mean](GeometricMean) with its interval, and a sign test.
//!
//! - Where either run has no answer its figures are lower bounds: such cells are counted as censored, and are in no mean.
//! - A ratio to 0 is none. Counters below 1 count as 1, and seconds below a millisecond as one, as in races, in ratios; so
//!   that what went from 0 to 1000 has grown by a factor of 1000, and what went from 0 to 1 hardly matters. Added ones
//!   would change every ratio. How many cells this concerns is said, and the sign test takes the figures as they are.
//! - *Steady* counters are the same whenever the same program runs with the same seed. For these there is no chance in what
//!   is seen, only in which cells were chosen: the interval says what other cells would show. *Measured* figures, which are
//!   times, memory, and counters of several threads or of other programs, have chance in them as well.
//!
//! B is worse by a counter of a method where the mean is above the threshold, and either its interval is all above 1,
//! or the counter is not measured and no cell has fallen. The latter needs no statistics, as there is no trade-off that
//! other cells might settle otherwise, and so one cell suffices for it; a measured figure of one cell says nothing.
//! Steady counters are judged, others if they are named. Several counters are judged at once, without a correction: of
//! an interval at 95 % one end is beyond 1 by chance in one of forty, which is why there is a threshold too.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Write;

use serde::Serialize;

use super::experiment::Summary;
use super::markdown::table;
use super::statistics::{GeometricMean, sign_test};
use hamcnf_methods::method::{Class, Method};
use hamcnf_methods::record::{Key, Record, Status};

/// The threshold unless it is said: growth by a tenth.
pub const THRESHOLD: f64 = 1.1;

/// A probability below which answers are not lost by chance.
pub const RARE: f64 = 0.05;

/// How many cells that have grown most are said of each method and counter.
const WORST: usize = 3;

/// How many counters that have grown are said one by one among the faults.
const SAID: usize = 10;

/// What is compared, and what is judged.
#[derive(Clone, PartialEq, Debug)]
pub struct Options {
    /// Whether rows under other limits are the same cell.
    pub ignore_limits: bool,
    /// The counters, or columns with seconds and memory, that are judged; if none are named, those that are steady.
    pub by: Vec<String>,
    /// What a mean ratio may be.
    pub threshold: f64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            ignore_limits: false,
            by: Vec::new(),
            threshold: THRESHOLD,
        }
    }
}

/// One of the two.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// Before.
    A,
    /// After.
    B,
}

/// Why rows cannot be compared.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DifferenceError {
    /// One has a cell more than once.
    #[error("{side:?} has {cell} twice{}", if *.ignored { ", limits aside" } else { "" })]
    Twice {
        /// Which.
        side: Side,
        /// The cell.
        cell: String,
        /// Whether limits are ignored.
        ignored: bool,
    },
    /// A counter that is to be judged is in no cell of both.
    #[error("no cell has {name} in both: there is {}", .known.join(", "))]
    NoSuchCounter {
        /// Its name.
        name: String,
        /// Those that there are.
        known: Vec<String>,
    },
}

/// Name of a cell: a question, a method and a seed, with limits where they differ.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct CellName {
    /// The question.
    pub question: String,
    /// The method.
    pub method: String,
    /// The seed.
    pub seed: u64,
    /// All that it is found by, in words.
    pub key: String,
}

impl CellName {
    fn of(record: &Record, key: &Key) -> Self {
        Self {
            question: record.question.clone(),
            method: record.method.to_string(),
            seed: record.seed,
            key: key.to_string(),
        }
    }

    fn columns(&self) -> [String; 3] {
        [
            self.question.clone(),
            self.method.clone(),
            self.seed.to_string(),
        ]
    }
}

/// How the end of a run has changed, the worst first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Change {
    /// Both cannot be right.
    Contradiction,
    /// With an error, where there was none.
    Failed,
    /// Without an answer, where there was one.
    Lost,
    /// In another way, or with another number, without contradiction.
    Otherwise,
    /// With an answer, where there was none.
    Gained,
}

impl Change {
    /// What has changed, if anything has.
    fn of(a: &Record, b: &Record) -> Option<Self> {
        let answers = [a, b].map(|record| record.status.is_answer());
        let failed = [a, b].map(|record| record.status == Status::Failed);
        if a.contradicts(b) {
            Some(Self::Contradiction)
        } else if failed == [false, true] {
            Some(Self::Failed)
        } else if answers == [true, false] {
            Some(Self::Lost)
        } else if answers == [false, true] {
            Some(Self::Gained)
        } else if (a.status, &a.value) != (b.status, &b.value) {
            Some(Self::Otherwise)
        } else {
            None
        }
    }

    fn in_words(self) -> &'static str {
        match self {
            Self::Contradiction => "contradiction",
            Self::Failed => "failed",
            Self::Lost => "lost",
            Self::Otherwise => "otherwise",
            Self::Gained => "gained",
        }
    }
}

/// A run that ended otherwise.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Ending {
    /// Which.
    pub cell: CellName,
    /// How it has changed.
    pub change: Change,
    /// What came out before, in words.
    pub a: String,
    /// And after.
    pub b: String,
    /// Whether it was lost with no chance in it: at the same limit on conflicts.
    pub steadily: bool,
}

/// A size that is not the same.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Size {
    /// Of what.
    pub cell: CellName,
    /// Which: `variables`, `clauses`, or one of a family.
    pub size: String,
    /// Before; nothing where the size of a formula has no such family.
    pub a: Option<f64>,
    /// After.
    pub b: Option<f64>,
}

/// What a change of a figure says.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// It is the same whenever the same program runs.
    Steady,
    /// There is chance in it.
    Measured,
    /// A size: any change of it is a fault already.
    Size,
    /// It describes an answer or a setting, and is no effort.
    Descriptive,
}

impl Kind {
    /// That of a counter of a method.
    fn of(counter: &str, method: &Method) -> Self {
        if is_size(counter) {
            return Self::Size;
        }
        match counter {
            "projected_variables"
            | "values"
            | "models"
            | "models_per_tour"
            | "repetitions"
            | "standard_error" => Self::Descriptive,
            // Of other programs it is not known, and threads take turns as it happens.
            _ if COLUMNS.contains(&counter) => Self::Measured,
            _ if method.class() == Class::Program => Self::Measured,
            _ if method.setting("threads").is_some() => Self::Measured,
            _ => Self::Steady,
        }
    }
}

/// Columns of what is measured.
const COLUMNS: [&str; 5] = [
    "encode_seconds",
    "solve_seconds",
    "cpu_seconds",
    "wall_seconds",
    "peak_rss_kib",
];

/// Whether a counter is a size of a formula, or of a family of its clauses, which is in brackets.
fn is_size(counter: &str) -> bool {
    const SIZES: [&str; 4] = ["variables", "clauses", "nonunit", "literals"];
    match counter.rsplit_once('.') {
        Some((family, size)) => family.starts_with('(') && SIZES.contains(&size),
        None => SIZES.contains(&counter),
    }
}

/// What a counter below this counts as, in ratios.
fn floor(counter: &str) -> f64 {
    if counter.ends_with("_seconds") {
        0.001
    } else {
        1.0
    }
}

/// All figures of a record, by their names.
fn figures(record: &Record) -> Vec<(&str, f64)> {
    let sizes = [record.variables, record.clauses];
    let sizes = ["variables", "clauses"].into_iter().zip(sizes);
    let sizes = sizes.filter_map(|(name, value)| Some((name, value? as f64)));
    let measured = [
        record.encode_seconds,
        record.solve_seconds,
        record.cpu_seconds,
        record.wall_seconds,
        record.peak_rss_kib.map(|kib| kib as f64),
    ];
    let measured = COLUMNS.into_iter().zip(measured);
    let measured = measured.filter_map(|(name, value)| Some((name, value?)));
    let effort = record.effort.iter();
    let effort = effort.filter_map(|(name, value)| Some((name, value.parse().ok()?)));
    // Whatever else may stand in a file, NaN is no figure.
    let is_figure = |(_, value): &(&str, f64)| value.is_finite() && *value >= 0.0;
    let all = sizes.chain(effort).chain(measured);
    all.filter(is_figure).collect()
}

/// A counter of a method, in all cells of it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ComparedCounter {
    /// The method.
    pub method: String,
    /// The counter.
    pub counter: String,
    /// What a change of it says.
    pub kind: Kind,
    /// Whether it is judged.
    pub judged: bool,
    /// Cells where it is known of both to the end.
    pub cells: usize,
    /// Cells where it is not, as one of both was stopped.
    pub censored: usize,
    /// Cells where it was raised to the least that has a ratio.
    pub floored: usize,
    /// Cells where it has grown.
    pub more: usize,
    /// Cells where it has fallen.
    pub fewer: usize,
    /// The mean ratio B/A; nothing without cells.
    pub ratio: Option<GeometricMean>,
    /// The sign test.
    pub sign_test: f64,
    /// Where it has grown most.
    pub worst: Vec<Grown>,
    /// Whether B is worse by it.
    pub worse: bool,
}

/// A cell where a counter has grown.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Grown {
    /// Which.
    pub cell: CellName,
    /// Before.
    pub a: f64,
    /// After.
    pub b: f64,
    /// B/A, neither below the least that has a ratio.
    pub ratio: f64,
}

/// Everything that differs.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Difference {
    /// What was compared.
    #[serde(skip)]
    options: Options,
    /// How many cells are in both.
    pub cells: usize,
    /// Cells of A that B lacks.
    pub only_in_a: Vec<CellName>,
    /// Cells of B that A lacks.
    pub only_in_b: Vec<CellName>,
    /// How many of A's are in B, but under other limits.
    pub other_limits: usize,
    /// How many of A's are in B, but of another graph of the same name.
    pub other_graphs: usize,
    /// Runs that ended otherwise, the worst first.
    pub endings: Vec<Ending>,
    /// Sizes that are not the same.
    pub sizes: Vec<Size>,
    /// Counters of each method.
    pub counters: Vec<ComparedCounter>,
    /// Whether rows are of more than one machine.
    pub several_machines: bool,
    /// Whether rows are of more than one version of what answered.
    pub several_solvers: bool,
    /// What is worse in B, in words.
    pub faults: Vec<String>,
}

/// Rows found by their cells, in their order.
struct Cells<'r> {
    rows: Vec<(Key, &'r Record)>,
    found: HashMap<Key, &'r Record>,
}

impl<'r> Cells<'r> {
    fn of(records: &'r [Record], side: Side, ignored: bool) -> Result<Self, DifferenceError> {
        let (mut rows, mut found) = (Vec::new(), HashMap::new());
        for record in records {
            let key = match ignored {
                true => without_limits(record),
                false => record.key(),
            };
            if found.insert(key.clone(), record).is_some() {
                return Err(DifferenceError::Twice {
                    side,
                    cell: key.to_string(),
                    ignored,
                });
            }
            rows.push((key, record));
        }
        Ok(Self { rows, found })
    }

    /// Those that the other lacks.
    fn but_not(&self, other: &Self) -> Vec<(CellName, &'r Record)> {
        let lacking = self.rows.iter();
        let lacking = lacking.filter(|(key, _)| !other.found.contains_key(key));
        lacking
            .map(|(key, record)| (CellName::of(record, key), *record))
            .collect()
    }
}

fn without_limits(record: &Record) -> Key {
    let record = Record {
        wall_limit: None,
        cpu_limit: None,
        memory_limit: None,
        conflict_limit: None,
        ..record.clone()
    };
    record.key()
}

/// What a question is asked of, whatever the file of that name had in it.
fn without_graph(record: &Record) -> Key {
    let record = Record {
        graph_crc32: String::new(),
        ..record.clone()
    };
    record.key()
}

/// A cell of both.
struct Pair<'r> {
    cell: CellName,
    a: &'r Record,
    b: &'r Record,
}

/// Compares two sets of rows.
///
/// # Errors
///
/// [`DifferenceError`]: a cell is there twice, or what is to be judged is nowhere.
pub fn compare(
    a: &[Record],
    b: &[Record],
    options: &Options,
) -> Result<Difference, DifferenceError> {
    let before = Cells::of(a, Side::A, options.ignore_limits)?;
    let after = Cells::of(b, Side::B, options.ignore_limits)?;
    let pairs: Vec<Pair> = before
        .rows
        .iter()
        .filter_map(|(key, a)| {
            let (cell, b) = (CellName::of(a, key), *after.found.get(key)?);
            Some(Pair { cell, a, b })
        })
        .collect();
    let (only_in_a, only_in_b) = (before.but_not(&after), after.but_not(&before));
    let as_well = |of: fn(&Record) -> Key| {
        let theirs: HashSet<Key> = only_in_b.iter().map(|(_, record)| of(record)).collect();
        let ours = only_in_a.iter();
        ours.filter(|(_, record)| theirs.contains(&of(record)))
            .count()
    };
    let several = |of: fn(&Record) -> String| {
        let mut all: Vec<_> = a.iter().chain(b).map(of).collect();
        all.sort();
        all.dedup();
        all.len() > 1
    };
    let mut endings: Vec<Ending> = pairs.iter().filter_map(ending).collect();
    endings.sort_by_key(|ending| ending.change);
    let mut difference = Difference {
        options: options.clone(),
        cells: pairs.len(),
        other_limits: as_well(without_limits),
        other_graphs: as_well(without_graph),
        endings,
        sizes: pairs.iter().flat_map(sizes).collect(),
        counters: counters(&pairs, options)?,
        several_machines: several(|record| record.machine.clone()),
        // What answers differs from method to method.
        several_solvers: pairs.iter().any(|pair| pair.a.solver != pair.b.solver),
        faults: Vec::new(),
        only_in_a: only_in_a.into_iter().map(|(cell, _)| cell).collect(),
        only_in_b: only_in_b.into_iter().map(|(cell, _)| cell).collect(),
    };
    difference.faults = difference.judge();
    Ok(difference)
}

fn ending(pair: &Pair) -> Option<Ending> {
    let Pair { cell, a, b } = pair;
    let change = Change::of(a, b)?;
    let steady = Kind::of("conflicts", &a.method) == Kind::Steady;
    let same_limit = a.conflict_limit == b.conflict_limit;
    Some(Ending {
        cell: cell.clone(),
        change,
        a: a.said(),
        b: b.said(),
        steadily: change == Change::Lost
            && b.status == Status::ConflictLimit
            && steady
            && same_limit,
    })
}

fn sizes(pair: &Pair) -> Vec<Size> {
    let Pair { cell, a, b } = pair;
    let both: [BTreeMap<&str, f64>; 2] = [a, b].map(|record| {
        let figures = figures(record).into_iter();
        figures.filter(|(name, _)| is_size(name)).collect()
    });
    // Where sizes are what was asked for, all families are known.
    let all = a.status == Status::Size && b.status == Status::Size;
    let mut names: Vec<&str> = both.iter().flat_map(BTreeMap::keys).copied().collect();
    names.sort_unstable();
    names.dedup();
    let differ = names.into_iter().filter_map(|name| {
        let [a, b] = [&both[0], &both[1]].map(|sizes| sizes.get(name).copied());
        let known = all || (a.is_some() && b.is_some());
        (known && a != b).then(|| Size {
            cell: cell.clone(),
            size: name.to_owned(),
            a,
            b,
        })
    });
    differ.collect()
}

/// What a counter was in a cell, if both have an answer.
type Seen<'p, 'r> = (&'p Pair<'r>, Option<(f64, f64)>);

fn counters(pairs: &[Pair], options: &Options) -> Result<Vec<ComparedCounter>, DifferenceError> {
    // Of each method and counter the cells, in the order that they are met in.
    let mut order: Vec<(String, String)> = Vec::new();
    let mut met: HashMap<(String, String), Vec<Seen>> = HashMap::new();
    for pair in pairs {
        let answered = [pair.a, pair.b].iter().all(|r| r.status.is_answer());
        let [before, after] = [pair.a, pair.b].map(figures);
        let found = |all: &[(&str, f64)], name: &str| {
            let found = all.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| *value)
        };
        let others = after
            .iter()
            .filter(|(name, _)| found(&before, name).is_none());
        for (name, _) in before.iter().chain(others) {
            let both = found(&before, name).zip(found(&after, name));
            let seen = match both {
                Some(both) if answered => Some(both),
                // What only one of two answers counts is another program's counter.
                None if answered => continue,
                _ => None,
            };
            let at = (pair.cell.method.clone(), (*name).to_owned());
            let cells = met.entry(at.clone()).or_insert_with(|| {
                order.push(at);
                Vec::new()
            });
            cells.push((pair, seen));
        }
    }
    for name in &options.by {
        if !order.iter().any(|(_, known)| known == name) {
            let mut known: Vec<_> = order.into_iter().map(|(_, known)| known).collect();
            known.sort();
            known.dedup();
            return Err(DifferenceError::NoSuchCounter {
                name: name.clone(),
                known,
            });
        }
    }
    let of = order.into_iter().filter_map(|at| {
        let cells = met.remove(&at)?;
        let counter = ComparedCounter::of(at, &cells, options)?;
        // Sizes have a table of their own, and are judged there.
        (counter.judged || counter.kind != Kind::Size).then_some(counter)
    });
    Ok(of.collect())
}

impl ComparedCounter {
    fn of((method, counter): (String, String), cells: &[Seen], options: &Options) -> Option<Self> {
        let kind = Kind::of(&counter, &cells.first()?.0.a.method);
        let judged = match options.by.as_slice() {
            [] => kind == Kind::Steady,
            by => by.contains(&counter),
        };
        let whole = cells.iter();
        let whole: Vec<(&Pair, f64, f64)> = whole
            .filter_map(|&(pair, seen)| seen.map(|(a, b)| (pair, a, b)))
            .collect();
        let least = floor(&counter);
        let mut worst: Vec<Grown> = Vec::new();
        let mut ratios = Vec::new();
        for &(pair, a, b) in &whole {
            let ratio = b.max(least) / a.max(least);
            ratios.push(ratio);
            if ratio > 1.0 {
                worst.push(Grown {
                    cell: pair.cell.clone(),
                    a,
                    b,
                    ratio,
                });
            }
        }
        worst.sort_by(|x, y| y.ratio.total_cmp(&x.ratio));
        worst.truncate(WORST);
        let count = |is: fn(f64, f64) -> bool| whole.iter().filter(|(_, a, b)| is(*a, *b)).count();
        let (more, fewer) = (count(|a, b| b > a), count(|a, b| b < a));
        let ratio = GeometricMean::of(&ratios);
        let worse = ratio.is_some_and(|of| {
            let surely = of.interval.is_some_and(|interval| interval.lower > 1.0);
            of.mean > options.threshold && (surely || (kind != Kind::Measured && fewer == 0))
        });
        Some(Self {
            method,
            counter,
            kind,
            judged,
            cells: whole.len(),
            censored: cells.len() - whole.len(),
            floored: whole
                .iter()
                .filter(|(_, a, b)| a.min(*b) < least && a != b)
                .count(),
            more,
            fewer,
            ratio,
            sign_test: sign_test(more, fewer),
            worst,
            worse: judged && worse,
        })
    }
}

impl Difference {
    /// Whether B is worse than A.
    #[must_use]
    pub fn is_worse(&self) -> bool {
        !self.faults.is_empty()
    }

    fn ended(&self, change: Change) -> impl Iterator<Item = &Ending> {
        self.endings
            .iter()
            .filter(move |ending| ending.change == change)
    }

    /// How probable it is that so many more answers were lost than gained, or the reverse.
    #[must_use]
    pub fn lost_by_chance(&self) -> f64 {
        let count = |change| self.ended(change).count();
        sign_test(count(Change::Lost), count(Change::Gained))
    }

    fn judge(&self) -> Vec<String> {
        let mut faults = Vec::new();
        for ending in &self.endings {
            let Ending { cell, a, b, .. } = ending;
            let key = &cell.key;
            match ending.change {
                Change::Contradiction => {
                    faults.push(format!("{key}: A says {a}, B says {b}: one is wrong"));
                }
                Change::Failed => faults.push(format!("{key}: A says {a}, and B failed: {b}")),
                Change::Lost if ending.steadily => {
                    faults.push(format!("{key}: A says {a}, B has no answer: {b}"));
                }
                Change::Lost | Change::Otherwise | Change::Gained => {}
            }
        }
        let count = |change| self.ended(change).count();
        let (lost, gained) = (count(Change::Lost), count(Change::Gained));
        let chance = self.lost_by_chance();
        if lost > gained && chance < RARE {
            faults.push(format!(
                "B has lost {lost} answers and gained {gained}, which by chance has probability {}",
                probability(chance)
            ));
        }
        if let Some(Size { cell, size, a, b }) = self.sizes.first() {
            let [a, b] = [*a, *b].map(figure_or_none);
            let others = others(self.sizes.len());
            faults.push(format!(
                "{}: {size} is {a} in A, {b} in B{others}",
                cell.key
            ));
        }
        if let Some(cell) = self.only_in_a.first() {
            let others = others(self.only_in_a.len());
            faults.push(format!("{}: in A, and not in B{others}", cell.key));
        }
        let mut worse: Vec<_> = self.counters.iter().filter(|c| c.worse).collect();
        worse.sort_by(|x, y| mean(y).total_cmp(&mean(x)));
        for counter in worse.iter().take(SAID) {
            let interval = match counter.ratio.and_then(|of| of.interval) {
                Some(i) => format!(" ({:.3} to {:.3})", i.lower, i.upper),
                None => String::new(),
            };
            faults.push(format!(
                "{}: {} has grown by a factor of {:.3}{interval} in {}",
                counter.method,
                counter.counter,
                mean(counter),
                n(counter.cells, "cell"),
            ));
        }
        if worse.len() > SAID {
            let more = n(worse.len() - SAID, "more counter");
            faults.push(format!("{more} of methods grown by less"));
        }
        faults
    }

    /// The same as tables in Markdown; `names` are of A and B.
    #[must_use]
    pub fn report(&self, names: [&str; 2]) -> Summary {
        let [a, b] = names;
        let mut text = format!(
            "# {b} beside {a}\n\nA is {a}, B is {b}. {} in both{}.\n",
            match self.cells {
                1 => "1 cell is".to_owned(),
                cells => format!("{cells} cells are"),
            },
            match self.options.ignore_limits {
                true => ", whatever their limits",
                false => "",
            },
        );
        self.notes(&mut text);
        self.say_endings(&mut text);
        self.say_sizes(&mut text);
        let kinds: [(&str, &[Kind]); 2] = [
            ("Effort", &[Kind::Steady, Kind::Size, Kind::Descriptive]),
            ("Measured", &[Kind::Measured]),
        ];
        for (heading, kinds) in kinds {
            self.say_counters(&mut text, heading, kinds);
        }
        self.say_worst(&mut text);
        for (name, cells) in [("A", &self.only_in_a), ("B", &self.only_in_b)] {
            if !cells.is_empty() {
                let _ = write!(text, "\n## Only in {name}\n\n");
                let head = ["question", "method", "seed"].map(str::to_owned);
                let rows = cells.iter().map(CellName::columns);
                text += &table(
                    std::iter::once(head).chain(rows).map(Vec::from).collect(),
                    2,
                );
            }
        }
        let _ = match self.faults.as_slice() {
            [] => writeln!(text, "\nB is not worse than A."),
            faults => writeln!(text, "\nB is worse than A: {}.", n(faults.len(), "fault")),
        };
        Summary {
            text,
            faults: self.faults.clone(),
        }
    }

    fn notes(&self, text: &mut String) {
        if self.other_limits > 0 {
            let _ = write!(
                text,
                "\n{} in B under other limits, and not compared: --ignore-limits compares.\n",
                are(self.other_limits)
            );
        }
        if self.other_graphs > 0 {
            let _ = write!(
                text,
                "\n{} in B for another graph of the same name, and not compared.\n",
                are(self.other_graphs)
            );
        }
        if self.several_machines {
            *text += "\nThe rows are of several machines: seconds say nothing of the program.\n";
        }
        if self.several_solvers {
            *text += "\nWhat answered is not of the same version in A and B.\n";
        }
    }

    fn say_endings(&self, text: &mut String) {
        if self.cells == 0 {
            *text += "\nThere is nothing to compare.\n";
            return;
        }
        if self.endings.is_empty() {
            *text += "\nAll runs ended in the same way.\n";
            return;
        }
        let [lost, gained] = [Change::Lost, Change::Gained].map(|c| self.ended(c).count());
        let _ = write!(
            text,
            "\n## Endings\n\n{lost} lost, {gained} gained: sign test p = {}.\n\n",
            probability(self.lost_by_chance())
        );
        let head = ["question", "method", "seed", "change", "A", "B"].map(str::to_owned);
        let mut rows = vec![Vec::from(head)];
        for ending in &self.endings {
            let [question, method, seed] = ending.cell.columns();
            let change = ending.change.in_words().to_owned();
            rows.push(vec![
                question,
                method,
                seed,
                change,
                one_line(&ending.a),
                one_line(&ending.b),
            ]);
        }
        *text += &table(rows, 6);
    }

    fn say_sizes(&self, text: &mut String) {
        if self.sizes.is_empty() {
            return;
        }
        *text += "\n## Sizes\n\n";
        let head = ["question", "method", "size", "seed", "A", "B"].map(str::to_owned);
        let mut rows = vec![Vec::from(head)];
        for Size { cell, size, a, b } in &self.sizes {
            let [question, method, seed] = cell.columns();
            let [a, b] = [*a, *b].map(figure_or_none);
            rows.push(vec![question, method, size.clone(), seed, a, b]);
        }
        *text += &table(rows, 3);
    }

    fn say_counters(&self, text: &mut String, heading: &str, kinds: &[Kind]) {
        let all = self.counters.iter().filter(|c| kinds.contains(&c.kind));
        let (shown, same): (Vec<&ComparedCounter>, Vec<_>) = all.partition(|counter| {
            counter.more + counter.fewer > 0 || self.options.by.contains(&counter.counter)
        });
        if shown.is_empty() && same.is_empty() {
            return;
        }
        let _ = write!(text, "\n## {heading}\n\n");
        if !shown.is_empty() {
            let head = [
                "method",
                "counter",
                "judged",
                "cells",
                "censored",
                "more",
                "fewer",
                "B/A",
                "95 % interval",
                "sign test p",
            ];
            let mut rows = vec![Vec::from(head.map(str::to_owned))];
            rows.extend(shown.iter().map(|counter| counter.columns()));
            *text += &table(rows, 3);
        }
        let floored: usize = shown.iter().map(|counter| counter.floored).sum();
        if floored > 0 {
            let _ = write!(
                text,
                "\nIn {} a counter below 1 counts as 1, or seconds below 0.001 as that.\n",
                n(floored, "ratio")
            );
        }
        if !same.is_empty() {
            let gap = if shown.is_empty() { "" } else { "\n" };
            let other = if shown.is_empty() { "" } else { "other " };
            let many = match same.len() {
                1 => format!("1 {other}counter of a method is"),
                many => format!("{many} {other}counters of methods are"),
            };
            let _ = writeln!(
                text,
                "{gap}{many} the same in all cells that both answered."
            );
        }
    }

    fn say_worst(&self, text: &mut String) {
        let judged = self.counters.iter().filter(|counter| counter.judged);
        let mut worst: Vec<_> = judged
            .flat_map(|counter| counter.worst.iter().map(move |grown| (counter, grown)))
            .collect();
        if worst.is_empty() {
            return;
        }
        worst.sort_by(|(_, x), (_, y)| y.ratio.total_cmp(&x.ratio));
        *text += "\n## What has grown most, of what is judged\n\n";
        let head = ["question", "method", "counter", "seed", "A", "B", "B/A"];
        let mut rows = vec![Vec::from(head.map(str::to_owned))];
        for (counter, grown) in worst.into_iter().take(20) {
            let [question, method, seed] = grown.cell.columns();
            rows.push(vec![
                question,
                method,
                counter.counter.clone(),
                seed,
                figure(grown.a),
                figure(grown.b),
                format!("{:.3}", grown.ratio),
            ]);
        }
        *text += &table(rows, 3);
    }
}

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
            self.ratio
                .map_or(String::new(), |of| format!("{:.3}", of.mean)),
            interval.map_or(String::new(), |i| {
                format!("{:.3} to {:.3}", i.lower, i.upper)
            }),
            probability(self.sign_test),
        ]
    }
}

/// The mean ratio of a counter, of no cells none.
fn mean(counter: &ComparedCounter) -> f64 {
    counter.ratio.map_or(1.0, |of| of.mean)
}

fn probability(p: f64) -> String {
    match p {
        p if p < 0.0005 => format!("{p:.1e}"),
        p => format!("{p:.3}"),
    }
}

/// A figure as short as it is whole.
fn figure(value: f64) -> String {
    match value {
        value if value.fract() == 0.0 => format!("{value:.0}"),
        value if value < 0.0005 => format!("{value:.1e}"),
        value => format!("{value:.3}"),
    }
}

fn figure_or_none(value: Option<f64>) -> String {
    value.map_or_else(|| "not there".to_owned(), figure)
}

fn others(all: usize) -> String {
    match all {
        1 => String::new(),
        all => format!(", and {} more like it", all - 1),
    }
}

fn n(count: usize, what: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {what}{plural}")
}

fn are(cells: usize) -> String {
    match cells {
        1 => "1 cell of A is".to_owned(),
        cells => format!("{cells} cells of A are"),
    }
}

/// In one cell of a table.
fn one_line(text: &str) -> String {
    text.replace(['\n', '\r'], " ").replace('|', "\\|")
}
