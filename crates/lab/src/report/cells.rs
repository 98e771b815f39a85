//! Table of runs. Each line summarizes the runs of one method on one question with equal limits, one run per seed.
//!
//! If a limit ended a run, the figures of the run are lower bounds and are never averaged. If a median is unknown
//! because of such runs, the table shows `≥ bound`. Empty columns are left out.

#![allow(
    clippy::redundant_closure_for_method_calls,
    reason = "the function of a column must accept cells of any lifetime, which a method of `Cell` does not"
)]

use std::collections::{BTreeMap, BTreeSet, HashMap};

use hamcnf_encodings::Projection;
use hamcnf_graph::Named;

use super::grouped::grouped;
use super::median::{Figure, seconds};
use super::tables::Table;
use hamcnf_graph::limits::Limits;
use hamcnf_methods::method::{Class, Counter, Method};
use hamcnf_methods::record::{Record, Status};

use super::markdown::limits_in_words;

/// Runs of one method on one question with equal limits, one run per seed.
#[derive(Clone, Debug)]
pub struct Cell<'r> {
    pub question: &'r str,
    /// Method, without the vertex order that depends on the seed.
    pub method: Method,
    pub limits: Limits,
    /// All runs, including failed, refused and wrong ones.
    pub all: Vec<&'r Record>,
    /// Runs that neither failed nor were refused, and that do not contradict the known answer.
    pub runs: Vec<&'r Record>,
    /// Exact number of tours of the question; `None` if no method computed it.
    pub tours: Option<f64>,
    /// Exact count over the method's projection set; `None` if no method computed it.
    pub on_set: Option<f64>,
}

/// Groups rows into cells, in the order of their first rows. `is_wrong` is true for runs that contradict the known
/// answer.
pub fn cells<'r>(rows: impl IntoIterator<Item = &'r Record>, is_wrong: impl Fn(&Record) -> bool) -> Vec<Cell<'r>> {
    let keyed = rows.into_iter().map(|record| {
        let method = record.asked.method.without_order_of(record.asked.seed).to_string();
        ((record.asked.question.as_str(), record.asked.graph_crc32.as_str(), method, record.limits()), record)
    });
    let cells = grouped(keyed).into_iter().map(|((question, _, _, limits), all)| {
        let counts = |run: &&Record| !matches!(run.status, Status::Failed | Status::Refused) && !is_wrong(run);
        Cell {
            question,
            method: all[0].asked.method.without_order_of(all[0].asked.seed),
            limits,
            runs: all.iter().copied().filter(counts).collect(),
            all,
            tours: None,
            on_set: None,
        }
    });
    let mut cells: Vec<Cell<'r>> = cells.collect();
    let mut tours: HashMap<&str, f64> = HashMap::new();
    let mut on_sets: HashMap<(&str, Set), f64> = HashMap::new();
    for cell in &cells {
        for record in &cell.runs {
            // Model counters never provide a count of tours, because they count values of a projection set.
            let counts_tours = record.status == Status::Count && record.asked.method.engine().is_none();
            if let (true, Some(count)) = (counts_tours, record.number()) {
                tours.entry(cell.question).or_insert(count);
            }
            if let (Some(set), Some(count)) = (set(&cell.method), on_this_set(record)) {
                on_sets.entry((cell.question, set)).or_insert(count);
            }
        }
    }
    for cell in &mut cells {
        cell.tours = tours.get(cell.question).copied();
        cell.on_set = set(&cell.method).and_then(|set| on_sets.get(&(cell.question, set)).copied());
    }
    cells
}

/// Encoding and projection set of a method, as texts.
type Set = (String, String);

fn set(method: &Method) -> Option<Set> {
    let set: &Projection = method.projection()?;
    Some((method.encoding().map(ToString::to_string).unwrap_or_default(), set.to_string()))
}

/// Returns the exact count over the projection set of the record's method; `None` unless the method enumerates the
/// values of the set.
fn on_this_set(record: &Record) -> Option<f64> {
    let method = &record.asked.method;
    method.projection().filter(|_| method.engine().is_none())?;
    Some(record.statistics.get::<f64>("values")? / record.statistics.get::<f64>("models_per_tour")?)
}

/// Returns the metric that best describes the work of a run, and the unit of the metric.
pub fn main_metric(record: &Record) -> Option<(u64, &'static str)> {
    let nodes = if record.asked.method.class() == Class::Search { "nodes" } else { "diagram nodes" };
    let units = [("conflicts", "conflicts"), ("states", "states"), ("peak_nodes", "diagram nodes"), ("nodes", nodes)];
    let mut found = units.iter();
    found.find_map(|&(counter, unit)| Some((record.statistics.get(counter)?, unit)))
}

/// Formats a count for readers: in scientific notation starting at 10¹⁵, otherwise with one decimal unless it is an
/// integer.
pub fn count_in_words(value: f64) -> String {
    match value {
        value if value >= 1e15 => format!("{value:.3e}"),
        value if value.fract() == 0.0 => format!("{value:.0}"),
        value => format!("{value:.1}"),
    }
}

impl Cell<'_> {
    /// Returns the number of runs with an answer. Answers that contradict the known answer do not count.
    pub fn n_solved(&self) -> usize {
        self.runs.iter().filter(|run| run.status.is_answer()).count()
    }

    fn figures(&self, figure: impl Fn(&Record) -> Option<f64>) -> Vec<Figure> {
        let one = |run: &&Record| Figure::of(run, figure(run));
        self.runs.iter().map(one).collect()
    }

    fn median(&self, figure: impl Fn(&Record) -> Option<f64>) -> Option<Figure> {
        Figure::median(&self.figures(figure))
    }

    /// Returns the counts and estimates of the runs in increasing order.
    fn numbers(&self) -> Vec<f64> {
        let mut numbers: Vec<f64> = self.runs.iter().filter_map(|run| run.number()).collect();
        numbers.sort_by(f64::total_cmp);
        numbers
    }

    /// Returns the median CPU seconds in the solver; `None` without runs. If this figure of a run is unknown, the total CPU seconds are used
    /// instead or, if they are unknown too, the wall seconds.
    pub fn solve_seconds(&self) -> Option<Figure> {
        self.median(solve_seconds)
    }

    /// Returns the median wall seconds of the runs; `None` without runs.
    pub fn wall_seconds(&self) -> Option<Figure> {
        self.median(|run| run.wall_seconds)
    }

    /// Returns the answer of the runs: the median of counts and estimates, or `tour` or `no tour`. Without an answer,
    /// returns how the runs ended. Returns an empty text if the runs only measure the sizes of formulas.
    pub fn answer(&self) -> String {
        if is_size(self) {
            return String::new();
        }
        let numbers = self.numbers();
        if let [only] = self.all[..]
            && only.status != Status::Estimate
        {
            return only.said();
        }
        if let Some(median) = numbers.get(numbers.len() / 2) {
            return count_in_words(*median);
        }
        if let Some(answer) = self.runs.iter().find(|run| run.status.is_answer()) {
            return answer.said();
        }
        let ends = ends(&self.all, |_| true);
        let words = ends.iter().map(|(status, n)| match ends.len() {
            1 => status.as_str().to_owned(),
            _ => format!("{n} {status}"),
        });
        words.collect::<Vec<_>>().join(", ")
    }

    /// Returns the range of the runs' counts or estimates; empty if all are equal.
    pub fn range(&self) -> String {
        match self.numbers()[..] {
            [first, .., last] if first < last => [first, last].map(count_in_words).join(" to "),
            _ => String::new(),
        }
    }

    /// Returns the range of the runs' solve times; empty if there are fewer than two runs.
    fn range_of_seconds(&self) -> String {
        let times = self.figures(solve_seconds);
        let least = times.iter().min_by(|a, b| a.value().total_cmp(&b.value()));
        let most = times.iter().map(|figure| figure.value()).reduce(f64::max);
        match (least, most) {
            _ if times.len() < 2 => String::new(),
            (Some(Figure::Exceeds(least)), _) => format!("≥ {}", seconds(*least)),
            (Some(least), Some(most)) => {
                let open = if times.iter().any(|time| time.is_bound()) { "≥ " } else { "" };
                let (least, most) = (seconds(least.value()), format!("{open}{}", seconds(most)));
                if least == most { least } else { format!("{least} to {most}") }
            }
            _ => String::new(),
        }
    }

    fn encode_seconds(&self) -> String {
        let encode = self.runs.iter().map(|run| Figure::encode_seconds(run));
        // A lower bound of 0 carries no information.
        text(Figure::median(&encode.collect::<Vec<_>>()).filter(|median| median.value() != 0.0))
    }

    /// Returns the number of different searches among several runs; empty for a single run. Two searches are different
    /// if their numbers of conflicts, decisions or propagations differ.
    fn searches(&self) -> String {
        let counters = |run: &&Record| {
            let of = |name| run.statistics.get::<u64>(name);
            ["conflicts", "decisions", "propagations"].map(of)
        };
        let several = self.runs.len() > 1 && self.runs.iter().any(|run| counters(run)[0].is_some());
        let searches: BTreeSet<_> = self.runs.iter().map(counters).collect();
        if several { searches.len().to_string() } else { String::new() }
    }

    /// Describes how runs without an answer ended, except runs at their time limit; `None` if there are no such runs.
    pub fn other_ends(&self) -> Option<String> {
        let ends = ends(&self.runs, |status| !status.is_answer() && status != Status::Timeout && !status.is_size());
        let words = ends.iter().map(|(&status, &n)| {
            let how = match status {
                Status::Memout => "at the memory limit",
                Status::ConflictLimit => "at the conflict limit",
                Status::GaveUp => "by giving up",
                other => other.as_str(),
            };
            format!("{n} of {} ended {how}", self.all.len())
        });
        let words: Vec<_> = words.collect();
        let Self { question, method, .. } = self;
        (!words.is_empty()).then(|| format!("{question}, {method}: {}.", words.join(", ")))
    }

    fn main_metric(&self) -> String {
        let Some((_, unit)) = self.runs.iter().find_map(|run| main_metric(run)) else { return String::new() };
        let median = self.median(|run| main_metric(run).map(|(value, _)| value as f64));
        text(median.map(|median| format!("{} {unit}", median.show(|value| format!("{value:.0}")))))
    }

    fn counter(&self, name: &str, show: impl Fn(f64) -> String) -> String {
        let known = self.runs.iter().any(|run| run.statistics.get::<f64>(name).is_some());
        let median = self.median(|run| run.statistics.get(name)).filter(|_| known);
        text(median.map(|median| median.show(show)))
    }

    /// Returns a figure as text; empty if the figure is unknown. The figure, such as the number of variables, is equal
    /// in all runs of the cell.
    fn same(&self, figure: impl Fn(&Record) -> Option<u64>) -> String {
        text(self.runs.iter().find_map(|run| figure(run)))
    }

    /// Returns the share (such as `4/5`) of the estimates that are within a factor of 1 + ε of the number of tours. ε
    /// is the tolerance of the method; if the method has none, ε is the default tolerance of ApproxMC.
    fn within(&self) -> String {
        let is_estimate = self.runs.iter().any(|run| run.status == Status::Estimate);
        let Some(tours) = self.tours.filter(|_| is_estimate) else { return String::new() };
        // For estimates without a guarantee, ε is that of ApproxMC's default guarantee.
        let epsilon = self.method.epsilon();
        let factor = 1.0 + epsilon.unwrap_or(Counter::ACCURACY.epsilon);
        let numbers = self.numbers();
        let good = numbers.iter().filter(|&&number| number <= tours * factor && number >= tours / factor);
        format!("{}/{}", good.count(), numbers.len())
    }
}

/// Formats a figure for an entry of the table, which is empty if the figure is unknown.
fn text(figure: Option<impl ToString>) -> String {
    figure.map(|figure| figure.to_string()).unwrap_or_default()
}

/// Returns the number of runs with each of the statuses that count.
fn ends(runs: &[&Record], counts: impl Fn(Status) -> bool) -> BTreeMap<Status, usize> {
    let mut ends = BTreeMap::new();
    for run in runs.iter().filter(|run| counts(run.status)) {
        *ends.entry(run.status).or_default() += 1;
    }
    ends
}

/// Returns the CPU seconds in the solver. If this figure is unknown, returns the total CPU seconds of the run or, if
/// they are unknown too, its wall seconds.
fn solve_seconds(run: &Record) -> Option<f64> {
    run.solve_seconds.or(run.cpu_seconds.or(run.wall_seconds))
}

/// Column of a table that has one line per [`Cell`].
pub struct Column {
    pub head: &'static str,
    is_text: bool,
    /// True if the column is left out when all its entries are equal.
    only_if_different: bool,
    /// Sentence that explains the figures; may be empty.
    note: &'static str,
    of: fn(&Cell<'_>) -> String,
}

impl Column {
    const fn text(head: &'static str, of: fn(&Cell<'_>) -> String) -> Self {
        Self { head, is_text: true, only_if_different: false, note: "", of }
    }

    const fn number(head: &'static str, note: &'static str, of: fn(&Cell<'_>) -> String) -> Self {
        Self { head, is_text: false, only_if_different: false, note, of }
    }
}

pub const METHOD: Column = Column::text("method", |cell| cell.method.to_string());

/// Column with the metric that [`main_metric`] selects.
pub const MAIN_METRIC: Column = Column::number("main metric", "", |cell| cell.main_metric());

pub const VARIABLES: Column = Column::number("variables", "", |cell| cell.same(|run| run.variables));

pub const CLAUSES: Column = Column::number("clauses", "", |cell| cell.same(|run| run.clauses));

/// Column with the median wall seconds.
pub const WALL: Column = Column::number("wall s", "", |cell| {
    let is_known = cell.runs.iter().any(|run| run.wall_seconds.is_some());
    text(cell.wall_seconds().filter(|_| is_known && !is_size(cell)))
});

/// Column with the maximum peak RSS in MiB.
pub const PEAK: Column = Column::number("peak MiB", "", |cell| {
    let peak = cell.runs.iter().filter_map(|run| run.peak_rss_kib).max();
    text(peak.filter(|_| !is_size(cell)).map(|kib| kib.div_ceil(1024)))
});

fn is_size(cell: &Cell<'_>) -> bool {
    cell.runs.iter().any(|run| run.status.is_size())
}

/// Columns for a comparison of methods on several graphs. The first column is left out if there is one graph.
pub const COMPARISON: &[Column] = &[
    Column::text("graph", |cell| cell.question.to_owned()),
    METHOD,
    Column::text("class", |cell| cell.method.class().to_string()),
    // An estimate is marked as one.
    Column::text("answer", |cell| match cell.all[..] {
        [only] if only.status == Status::Estimate => only.said(),
        _ => cell.answer(),
    }),
    MAIN_METRIC,
    VARIABLES,
    CLAUSES,
    WALL,
    PEAK,
];

/// All columns of an experiment's table of runs.
pub const ALL: &[Column] = &[
    Column::text("question", |cell| cell.question.to_owned()),
    METHOD,
    Column::text("answer", |cell| cell.answer()),
    Column::number("solved", "", |cell| match cell.all.len() {
        1 => String::new(),
        runs => format!("{}/{runs}", cell.n_solved()),
    }),
    Column::number("range", "", |cell| cell.range()),
    Column::number("projected on", "`projected on` is the number of variables in the projection set.", |cell| {
        cell.same(|run| run.statistics.get("projected_variables"))
    }),
    Column::number(
        "exactly on this set",
        "`exactly on this set` is the exact count on the projection set, by enumeration.",
        |cell| text(cell.on_set.map(count_in_words)),
    ),
    Column::number(
        "within 1 + ε",
        "`within 1 + ε` is the share of estimates within this factor of the number of tours; ε is 0.8 and δ 0.2 unless \
         the method says otherwise.",
        |cell| cell.within(),
    ),
    Column::number(
        "searches",
        "`searches` is the number of different searches: CaDiCaL first uses its seed in its first local search, so all seeds give the same search on easy formulas.",
        |cell| cell.searches(),
    ),
    Column::number(
        "solve s",
        "`solve s` is the CPU time of the solver without encoding; for searches without a formula, it is wall time.",
        |cell| {
            let several = cell.all.len() > 1;
            let known = several || cell.runs.iter().any(|run| run.solve_seconds.is_some());
            match cell.solve_seconds() {
                _ if !cell.method.decides() || !known => String::new(),
                None => "no runs".to_owned(),
                Some(median) => median.to_string(),
            }
        },
    ),
    Column::number("range s", "", |cell| if cell.method.decides() { cell.range_of_seconds() } else { String::new() }),
    Column::number("encode s", "", |cell| match cell.method.class() {
        Class::Search | Class::Program | Class::Solver => String::new(),
        _ => cell.encode_seconds(),
    }),
    WALL,
    MAIN_METRIC,
    Column::number("ticks / 10⁶", "", |cell| cell.counter("ticks", |value| format!("{:.1}", value / 1e6))),
    VARIABLES,
    CLAUSES,
    Column::number("preprocess s", "", |cell| cell.counter("preprocess_seconds", |value| format!("{value:.2}"))),
    Column::number(
        "search s",
        "`preprocess s` and `search s` are the CPU times of the preprocessor and of the search, without the adaptor and the completion of models.",
        |cell| cell.counter("search_seconds", |value| format!("{value:.2}")),
    ),
    Column::number("variables after", "", |cell| cell.same(|run| run.statistics.get("variables_after"))),
    Column::number(
        "clauses after",
        "`variables after` and `clauses after` are the size of the formula after preprocessing.",
        |cell| cell.same(|run| run.statistics.get("clauses_after")),
    ),
    Column::number(
        "of 2 literals or more",
        "`of 2 literals or more` is the number of clauses without unit clauses.",
        |cell| cell.same(|run| run.statistics.get("nonunit")),
    ),
    PEAK,
    Column { only_if_different: true, ..Column::number("limits", "", |cell| limits_in_words(&cell.limits)) },
];

/// Returns a table with one line per cell. Empty columns are left out, and also the limits if all cells have equal
/// limits. `more` contains the headings and entries of additional columns.
pub fn table(cells: &[Cell<'_>], columns: &[Column], more: &[(&str, Vec<String>)]) -> Table {
    let mut heads = Vec::new();
    let mut lines = vec![Vec::new(); cells.len()];
    let (mut notes, mut left) = (Vec::new(), 0);
    for column in columns {
        let texts: Vec<String> = cells.iter().map(column.of).collect();
        let is_empty = texts.iter().all(String::is_empty);
        let is_same = texts.windows(2).all(|two| two[0] == two[1]);
        if is_empty || column.only_if_different && is_same {
            continue;
        }
        heads.push(column.head.to_owned());
        left += usize::from(column.is_text && left + 1 == heads.len());
        if !column.note.is_empty() {
            notes.push(column.note);
        }
        for (line, text) in lines.iter_mut().zip(texts) {
            line.push(text);
        }
    }
    for (head, texts) in more {
        if texts.iter().any(|text| !text.is_empty()) {
            heads.push((*head).to_owned());
            for (line, text) in lines.iter_mut().zip(texts) {
                line.push(text.clone());
            }
        }
    }
    Table::new("Runs", notes.join(" "), heads, left, lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(status: Status, solve_seconds: f64) -> Record {
        let method = "binary".parse().unwrap();
        let mut record = Record::new("6x6", "", &method, 0, &Limits::default());
        (record.status, record.solve_seconds) = (status, Some(solve_seconds));
        record
    }

    fn cell(records: &[Record]) -> Cell<'_> {
        cells(records, |_| false).remove(0)
    }

    #[test]
    fn a_range_with_a_censored_run_is_open() {
        let range = |records: &[Record]| cell(records).range_of_seconds();
        let (tour, late) = (|s| record(Status::Tour, s), |s| record(Status::Timeout, s));
        assert_eq!(range(&[tour(1.0), tour(3.0)]), "1.00 to 3.00");
        assert_eq!(range(&[tour(1.0), tour(59.5), late(57.0)]), "1.00 to ≥ 59.5");
        assert_eq!(range(&[tour(3.0), late(2.0)]), "≥ 2.00");
        assert_eq!(range(&[tour(3.0)]), "");
    }

    #[test]
    fn other_ends_are_said_and_unknown_figures_left_out() {
        let records = [
            record(Status::Memout, 1.0),
            record(Status::Memout, 2.0),
            record(Status::ConflictLimit, 3.0),
            record(Status::Timeout, 4.0),
            record(Status::Tour, 0.5),
        ];
        let cell = cell(&records);
        assert_eq!(
            cell.other_ends().as_deref(),
            Some("6x6, binary: 2 of 5 ended at the memory limit, 1 of 5 ended at the conflict limit.")
        );
        let table = table(&[cell], ALL, &[]);
        assert_eq!(table.columns, ["question", "method", "answer", "solved", "solve s", "range s"]);
        assert_eq!(table.lines, [["6x6", "binary", "tour", "1/5", "≥ 2.00", "0.500 to ≥ 4.00"].map(str::to_owned)]);
    }

    #[test]
    fn the_clauses_are_complete_if_the_solver_began() {
        let encoded = |status, encode: Option<f64>, decisions: Option<u64>| {
            let mut record = record(status, 1.0);
            record.encode_seconds = encode;
            if let Some(decisions) = decisions {
                record.statistics.set("conflicts", 0);
                record.statistics.set("decisions", decisions);
            }
            Figure::encode_seconds(&record)
        };
        let (late, full) = (Status::Timeout, Status::Memout);
        assert_eq!(encoded(late, Some(2.0), Some(7)), Figure::Is(2.0));
        assert_eq!(encoded(late, Some(2.0), None), Figure::Is(2.0));
        assert_eq!(encoded(late, Some(2.0), Some(0)), Figure::Exceeds(2.0));
        assert_eq!(encoded(full, None, None), Figure::Exceeds(0.0));
    }
}
