//! Markdown reports from rows: tables, published figures beside ours, and in words what reproduced.
//!
//! A time-out is a lower bound and is never averaged: a median that it leaves open is written as `≥ bound`.

use std::collections::BTreeSet;
use std::fmt::Write;

use tabled::builder::Builder;
use tabled::settings::object::Columns;
use tabled::settings::{Alignment, Style};

use hamcnf_encodings::Encoding;

use super::cell::Cell;
use super::decision::{Record, Status, verdict};
use super::experiment::Experiment;
use super::machine::{GraphRead, Machine};
use super::plan::cells::is_of;
use super::plan::decision::{Claim, DecisionPlan, On, Under};
use super::plan::sizes::SizesPlan;
use super::plan::word::Word;
use super::sizes::{SizeRow, TOTAL};

/// A table in Markdown; the first `left` columns are text, the others numbers.
#[must_use]
pub fn table(rows: Vec<Vec<String>>, left: usize) -> String {
    let mut table = Builder::from_iter(rows).build();
    table.with(Style::markdown());
    table.modify(Columns::new(left..), Alignment::right());
    table.to_string() + "\n"
}

pub(super) fn row<const K: usize>(cells: [&str; K]) -> Vec<String> {
    cells.map(str::to_owned).to_vec()
}

/// Title, prose, and where the figures come from.
pub(super) fn front(
    experiment: &Experiment,
    title: &str,
    about: &str,
    machine: &Machine,
) -> String {
    let Machine {
        date,
        processor,
        processors,
        memory_gib,
        system,
        load,
        hamcnf,
        solver,
        graphs,
    } = machine;
    let load = load.map_or(String::new(), |load| format!(", load {load} at the start"));
    let file = experiment.file.display();
    let name = &experiment.name;
    let about = about.trim();
    let plural = if *processors == 1 { "" } else { "s" };
    let graph = |graph: &GraphRead| {
        let GraphRead {
            file,
            vertices,
            edges,
            crc32,
        } = graph;
        format!("{file} has {vertices} vertices and {edges} edges (CRC-32 {crc32:08x})")
    };
    let graphs = match graphs.iter().map(graph).collect::<Vec<_>>() {
        graphs if graphs.is_empty() => String::new(),
        graphs => format!("\n{}.\n", graphs.join("; ")),
    };
    format!(
        "# {title}\n\n{about}\n\n\
         Made by `hamcnf run {file}`; the raw rows are in [{name}.csv]({name}.csv). \
         hamcnf {hamcnf}, {solver}; {processor}, {processors} logical processor{plural}, \
         {memory_gib} GiB; {system}; {date}{load}.\n{graphs}"
    )
}

/// The report of a sizes experiment, and whether all published figures came out.
#[must_use]
pub fn sizes(
    experiment: &Experiment,
    plan: &SizesPlan,
    rows: &[SizeRow],
    machine: &Machine,
) -> (String, bool) {
    let mut lines = vec![row([
        "board",
        "encoding",
        "pruning",
        "at most one",
        "variables",
        "published",
        "clauses",
        "published",
        "clauses in DIMACS",
        "same",
    ])];
    let mut same = 0;
    for size in rows.iter().filter(|size| size.family == TOTAL) {
        let published = plan
            .published
            .iter()
            .find(|published| published.is_of(&size.cell()));
        let mut line = row([
            &size.instance,
            &size.cell().encoding_name(),
            &size.pruning,
            &size.at_most_one,
        ]);
        line.push(size.variables.to_string());
        line.push(published.map_or(String::new(), |p| p.variables.to_string()));
        line.push(size.nonunit_clauses.to_string());
        line.push(published.map_or(String::new(), |p| p.clauses.to_string()));
        line.push(size.clauses.to_string());
        line.push(published.map_or(String::new(), |p| {
            let agrees = [
                p.variables == size.variables,
                p.clauses == size.nonunit_clauses,
            ];
            same += agrees.iter().filter(|&&agrees| agrees).count();
            if agrees == [true; 2] { "yes" } else { "no" }.to_owned()
        }));
        lines.push(line);
    }
    let mut text = front(experiment, &plan.title, &plan.about, machine);
    let _ = write!(text, "\n{}", table(lines, 4));
    let published = 2 * plan.published.len();
    if published > 0 {
        let _ = write!(
            text,
            "\nOf {published} published numbers, {same} came out the same.\n"
        );
    }
    (text, same == published)
}

/// A figure of a run: its value, or that it is larger than what was seen by the time limit.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Figure {
    /// Measured to the end.
    Is(f64),
    /// Censored: the run was stopped here.
    Exceeds(f64),
}

/// A median of figures, of which some may be known from below only.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Median {
    /// It is this.
    At(f64),
    /// It is this or more.
    AtLeast(f64),
    /// There are no figures.
    Unknown,
}

impl Median {
    /// The median; of an even number of figures the greater middle one.
    ///
    /// A censored figure lies anywhere from its bound on. The median over the bounds is therefore a lower
    /// bound, the one with censored figures at infinity an upper bound; where they agree that is it.
    #[must_use]
    pub fn of(figures: &[Figure]) -> Self {
        let middle = |value: fn(&Figure) -> f64| {
            let mut values: Vec<_> = figures.iter().map(value).collect();
            values.sort_by(f64::total_cmp);
            values.get(values.len() / 2).copied()
        };
        let lower = middle(|figure| match *figure {
            Figure::Is(value) | Figure::Exceeds(value) => value,
        });
        let upper = middle(|figure| match *figure {
            Figure::Is(value) => value,
            Figure::Exceeds(_) => f64::INFINITY,
        });
        match (lower, upper) {
            (Some(lower), Some(upper)) if lower == upper => Self::At(lower),
            (Some(lower), Some(_)) => Self::AtLeast(lower),
            _ => Self::Unknown,
        }
    }

    /// Whether this is less than the other; `None` where that is not known.
    fn less_than(self, other: Self) -> Option<bool> {
        match (self, other) {
            (Self::At(a), Self::At(b)) => Some(a < b),
            (Self::At(a), Self::AtLeast(b)) if a < b => Some(true),
            (Self::AtLeast(a), Self::At(b)) if b <= a => Some(false),
            _ => None,
        }
    }

    /// As text, the value through `show`.
    fn show(self, show: impl Fn(f64) -> String) -> String {
        match self {
            Self::At(value) => show(value),
            Self::AtLeast(value) => format!("≥ {}", show(value)),
            Self::Unknown => "no runs".to_owned(),
        }
    }
}

/// Seconds with three significant digits, as far as milliseconds go.
#[must_use]
pub fn seconds(value: f64) -> String {
    match value {
        v if v >= 100.0 => format!("{v:.0}"),
        v if v >= 10.0 => format!("{v:.1}"),
        v if v >= 1.0 => format!("{v:.2}"),
        v if v > 0.0 && v < 0.0005 => "< 0.001".to_owned(),
        v => format!("{v:.3}"),
    }
}

impl std::fmt::Display for Median {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.show(seconds))
    }
}

/// Whether a run ended without an answer, so that its figures are lower bounds.
fn is_censored(record: &Record) -> bool {
    matches!(record.status, Status::Timeout | Status::GaveUp)
}

/// The runs of one cell that can be counted on: those that failed or gave an answer that cannot be are
/// left out.
struct Group<'a> {
    cell: Cell,
    runs: usize,
    records: Vec<&'a Record>,
}

impl<'a> Group<'a> {
    fn all(records: &'a [Record], plan: &DecisionPlan) -> Vec<Self> {
        let mut groups: Vec<Self> = Vec::new();
        for record in records {
            let cell = record.cell();
            let known = groups.iter().position(|group| group.cell == cell);
            let k = known.unwrap_or_else(|| {
                groups.push(Group {
                    cell,
                    runs: 0,
                    records: Vec::new(),
                });
                groups.len() - 1
            });
            groups[k].runs += 1;
            if verdict(record, plan.expect).is_none() {
                groups[k].records.push(record);
            }
        }
        groups
    }

    fn solved(&self) -> usize {
        self.records
            .iter()
            .filter(|record| !is_censored(record))
            .count()
    }

    /// How many different searches the runs made, told apart by their counters.
    fn searches(&self) -> usize {
        let counters = self
            .records
            .iter()
            .map(|r| (r.conflicts, r.decisions, r.propagations, r.nodes));
        counters.collect::<BTreeSet<_>>().len()
    }

    fn figures(&self, figure: impl Fn(&Record) -> f64) -> Vec<Figure> {
        let one = |record: &&Record| match is_censored(record) {
            true => Figure::Exceeds(figure(record)),
            false => Figure::Is(figure(record)),
        };
        self.records.iter().map(one).collect()
    }

    fn median(&self, figure: impl Fn(&Record) -> f64) -> Median {
        Median::of(&self.figures(figure))
    }

    fn median_seconds(&self) -> Median {
        self.median(|record| record.solve_seconds)
    }

    /// The least and the greatest time.
    fn range(&self) -> String {
        let times = self.figures(|record| record.solve_seconds);
        let value = |figure: &Figure| match *figure {
            Figure::Is(value) | Figure::Exceeds(value) => value,
        };
        let censored = times
            .iter()
            .any(|figure| matches!(figure, Figure::Exceeds(_)));
        let least = times.iter().min_by(|a, b| value(a).total_cmp(&value(b)));
        let most = times.iter().map(value).reduce(f64::max);
        match (least, most) {
            (Some(Figure::Exceeds(least)), _) => format!("≥ {}", seconds(*least)),
            (Some(least), Some(most)) => {
                let open = if censored { "≥ " } else { "" };
                let (least, most) = (seconds(value(least)), format!("{open}{}", seconds(most)));
                if least == most {
                    least
                } else {
                    format!("{least} to {most}")
                }
            }
            _ => "no runs".to_owned(),
        }
    }
}

/// The report of a decision experiment.
#[must_use]
pub fn decision(
    experiment: &Experiment,
    plan: &DecisionPlan,
    records: &[Record],
    machine: &Machine,
) -> String {
    let groups = Group::all(records, plan);
    let mut lines = vec![row([
        "board",
        "encoding or search",
        "pruning",
        "at most one",
        "solved",
        "searches",
        "median s",
        "range s",
        "encode s",
        "conflicts",
        "ticks / 10⁶",
        "nodes",
        "peak MiB",
    ])];
    let whole = |value: f64| format!("{value:.0}");
    for group in &groups {
        let cell = &group.cell;
        let encode: Vec<_> = group
            .records
            .iter()
            .map(|r| Figure::Is(r.encode_seconds))
            .collect();
        let peak = group.records.iter().map(|r| r.peak_kib).max().unwrap_or(0);
        let mut line = row([
            &cell.instance,
            &cell.encoding_name(),
            &cell.pruning,
            &cell.at_most_one,
        ]);
        line.extend([
            format!("{}/{}", group.solved(), group.runs),
            match cell.search() {
                Some(_) => String::new(),
                None => group.searches().to_string(),
            },
            group.median_seconds().to_string(),
            group.range(),
        ]);
        // A search has no clauses, and a solver no nodes.
        line.extend(match cell.search() {
            Some(_) => {
                let nodes = group.median(|r| r.nodes as f64).show(whole);
                [String::new(), String::new(), String::new(), nodes]
            }
            None => [
                Median::of(&encode).to_string(),
                // Unknown only of a run that timed out, of which 0 is a lower bound too.
                group
                    .median(|r| r.conflicts.unwrap_or(0) as f64)
                    .show(whole),
                group
                    .median(|r| r.ticks.unwrap_or(0) as f64 / 1e6)
                    .show(|value| format!("{value:.1}")),
                String::new(),
            ],
        });
        line.push(whole(peak as f64 / 1024.0));
        lines.push(line);
    }
    let mut text = front(experiment, &plan.title, &plan.about, machine);
    let _ = write!(
        text,
        "\nEvery cell is run with {} seeds, each time in a process of its own with {} s of wall \
         time for encoding and solving. Seconds are CPU seconds in the solver, encoding apart. A run \
         that timed out took longer than what it had used by then, written as ≥. Every tour was \
         checked move by move. `searches` is how many of the runs differ: CaDiCaL does not look at its \
         seed before its first local search, so easy formulas are searched alike with every seed.{}\n\n{}",
        plan.seeds.len(),
        plan.time_limit,
        if plan.searches.is_empty() {
            ""
        } else {
            " The searches have no clauses: `nodes` are the vertices that they put on a path, and their \
             seconds are wall seconds; backtracking does not look at the seed. A search that gave up at its limit on \
             restarts counts as one that took longer, too."
        },
        table(lines, 4)
    );
    for record in records {
        if let Some(fault) = verdict(record, plan.expect) {
            let _ = write!(
                text,
                "\n**{} seed {} {fault}** and is left out.\n",
                record.cell(),
                record.seed
            );
        }
    }
    if !plan.claims.is_empty() {
        text += "\n## What was published, and what came out here\n\n";
        for claim in &plan.claims {
            let _ = writeln!(text, "- {}", judged(claim, &groups));
        }
    }
    text
}

/// A claim with the verdict of the groups that have the published options.
fn judged(claim: &Claim, groups: &[Group<'_>]) -> String {
    let published = |name: &Encoding| {
        let name = name.clone();
        groups.iter().filter(move |group| is_of(&group.cell, &name))
    };
    let mut details = Vec::new();
    let (mut holds, mut fails, mut boards) = (0, 0, 0);
    let mut count = |less: Option<bool>| {
        boards += 1;
        holds += usize::from(less == Some(true));
        fails += usize::from(less == Some(false));
    };
    if let Some(Under { encoding, seconds }) = &claim.under {
        for group in published(&encoding.0) {
            let median = group.median_seconds();
            count(median.less_than(Median::At(*seconds)));
            details.push(format!("{} {median} s", group.cell.instance));
        }
    } else if let Some([Word(first), Word(second)]) = &claim.faster {
        for one in published(first) {
            let same_board = |other: &&Group<'_>| other.cell.instance == one.cell.instance;
            let Some(other) = published(second).find(same_board) else {
                continue;
            };
            let (a, b) = (one.median_seconds(), other.median_seconds());
            let less = a.less_than(b);
            count(less);
            let sign = match less {
                Some(true) => "less than",
                Some(false) => "not less than",
                None => "and",
            };
            details.push(format!("{} {a} {sign} {b} s", one.cell.instance));
        }
    }
    let (reproduced, refuted) = match claim.on {
        On::All => (boards > 0 && holds == boards, fails > 0),
        On::Most => (2 * holds > boards, boards > 0 && 2 * fails >= boards),
    };
    let verdict = match (reproduced, refuted) {
        (true, _) => "Reproduced",
        (_, true) => "**Did not reproduce**",
        _ => "**Not decided**",
    };
    format!(
        "{} {verdict} (medians): {}.",
        claim.says.trim(),
        details.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::harness::decision::Run;
    use crate::solve::{Outcome, Phases, Solved};
    use Figure::{Exceeds, Is};

    #[test]
    fn a_median_is_known_where_its_bounds_agree() {
        let of = Median::of;
        assert_eq!(of(&[Is(3.0), Exceeds(60.0), Is(1.0)]), Median::At(3.0));
        assert_eq!(
            of(&[Exceeds(57.0), Exceeds(60.0), Is(1.0)]),
            Median::AtLeast(57.0)
        );
        // The run stopped at 2 s may have ended before 3 s or after.
        assert_eq!(of(&[Is(3.0), Exceeds(2.0), Is(1.0)]), Median::AtLeast(2.0));
        assert_eq!(of(&[Is(1.0), Is(2.0)]), Median::At(2.0));
        assert_eq!(of(&[]), Median::Unknown);
    }

    #[test]
    fn bounds_are_compared_only_where_they_decide() {
        let (at, least) = (Median::At, Median::AtLeast);
        assert_eq!(at(1.0).less_than(at(2.0)), Some(true));
        assert_eq!(at(1.0).less_than(least(60.0)), Some(true));
        assert_eq!(least(60.0).less_than(at(2.0)), Some(false));
        assert_eq!(least(60.0).less_than(least(60.0)), None);
        assert_eq!(at(70.0).less_than(least(60.0)), None);
        assert_eq!(least(1.0).less_than(at(2.0)), None);
    }

    /// A group of one record for each figure.
    fn group<'a>(instance: &str, encoding: &str, records: &'a [Record]) -> Group<'a> {
        let published: Encoding = encoding.parse().unwrap();
        let value = |name| published.value_of(name).unwrap();
        Group {
            cell: Cell {
                instance: instance.to_owned(),
                tours: "closed".to_owned(),
                start: "a1".to_owned(),
                encoding: encoding.to_owned(),
                pruning: value("windows"),
                at_most_one: value("at-most-one"),
                orientation: value("orientation"),
            },
            runs: records.len(),
            records: records.iter().collect(),
        }
    }

    fn record(status: Status, solve_seconds: f64) -> Record {
        let cell = group("6x6", "binary", &[]).cell;
        let run = Run {
            cell,
            seed: 0,
            phases: Phases::Solver,
            time_limit: None,
        };
        let mut record = run.solved(&Solved {
            outcome: Outcome::NoTour,
            variables: 0,
            clauses: hamcnf_encodings::Count::default(),
            effort: crate::solve::Effort::default(),
        });
        (record.status, record.solve_seconds) = (status, solve_seconds);
        record
    }

    #[test]
    fn a_range_is_open_where_a_run_was_censored() {
        let range = |records: &[Record]| group("6x6", "binary", records).range();
        let (tour, late) = (|s| record(Status::Tour, s), |s| record(Status::Timeout, s));
        assert_eq!(range(&[tour(1.0), tour(3.0)]), "1.00 to 3.00");
        assert_eq!(
            range(&[tour(1.0), tour(59.5), late(57.0)]),
            "1.00 to ≥ 59.5"
        );
        assert_eq!(range(&[tour(3.0), late(2.0)]), "≥ 2.00");
        assert_eq!(range(&[]), "no runs");
    }

    #[test]
    fn claims_are_judged_board_by_board() {
        let (fast, slow) = ([record(Status::Tour, 1.0)], [record(Status::Tour, 3.0)]);
        let late = [record(Status::Timeout, 60.0)];
        let claim = |under: Option<f64>| Claim {
            says: "So.".to_owned(),
            under: under.map(|seconds| Under {
                encoding: Word("binary".parse().unwrap()),
                seconds,
            }),
            on: if under.is_some() { On::All } else { On::Most },
            faster: under
                .is_none()
                .then(|| ["binary", "unary"].map(|n| Word(n.parse().unwrap()))),
        };
        let one = |binary, unary| [group("6x6", "binary", binary), group("6x6", "unary", unary)];
        let verdict = |claim: &Claim, groups: &[Group<'_>]| judged(claim, groups);
        assert_eq!(
            verdict(&claim(None), &one(&fast, &slow)),
            "So. Reproduced (medians): 6x6 1.00 less than 3.00 s."
        );
        assert!(verdict(&claim(None), &one(&slow, &fast)).starts_with("So. **Did not reproduce**"));
        assert!(verdict(&claim(None), &one(&late, &late)).starts_with("So. **Not decided**"));
        assert!(verdict(&claim(Some(2.0)), &one(&fast, &late)).starts_with("So. Reproduced"));
        assert!(
            verdict(&claim(Some(2.0)), &one(&late, &fast)).starts_with("So. **Did not reproduce**")
        );
        // Two boards decided, one each way, and one not: no majority. Boards are matched by name.
        let mut three = Vec::from(one(&fast, &slow));
        three.extend([group("8x8", "unary", &fast), group("8x8", "binary", &slow)]);
        three.extend([group("9x9", "binary", &late), group("9x9", "unary", &late)]);
        assert!(verdict(&claim(None), &three).starts_with("So. **Not decided**"));
        // On most boards is not on all.
        three.extend([group("5x5", "unary", &slow), group("5x5", "binary", &fast)]);
        three.extend([group("4x4", "unary", &slow), group("4x4", "binary", &fast)]);
        assert!(verdict(&claim(None), &three).starts_with("So. Reproduced"));
        let on_all = Claim {
            on: On::All,
            ..claim(None)
        };
        assert!(verdict(&on_all, &three).starts_with("So. **Did not reproduce**"));
    }

    #[test]
    fn seconds_have_three_digits() {
        assert_eq!(
            [0.0123, 1.234, 12.34, 123.4].map(seconds),
            ["0.012", "1.23", "12.3", "123"]
        );
    }
}
